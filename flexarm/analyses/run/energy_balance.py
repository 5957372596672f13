"""The energy balance of a run: what is stored, given and lost, and whether that closes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.analyses.points import Seen
from flexarm.analyses.run.integrate import Run, Settings
from flexarm.core.tree.types import Floats
from flexarm.results.engineering import quantity

# Part of the energy exchanged by which the balance of a resolved run may be open; of one with a fixed step.
CLOSED, CLOSED_FIXED = 1e-3, 1e-2
# A tolerance explains that times its part of the reach, but never more than the last.
EXPLAINED, NEVER_MORE = 10.0, 0.1
LOST = 0.5
# Part of the energy stored that is rounding, or left by the equilibrium a run begins with.
ROUNDING = 1e-8


def energies(run: Run, seen: Seen, analysis: str) -> dict[str, Floats]:
    """Energies and works (m,) in J by name; only a nonlinear run has a balance that closes."""
    book = {f"energy_{name}": seen.energy[:, j] for j, name in enumerate(("kinetic", "elastic", "gravity"))}
    if analysis != "nonlinear":
        return book
    stored = seen.energy.sum(axis=1)
    return book | {
        "energy_dissipated": run.work[:, 2],
        "work_drives": run.work[:, 0],
        "work_loads": run.work[:, 1],
        "energy_balance_error": stored - stored[:1] - run.work[:, 0] - run.work[:, 1] + run.work[:, 2],
    }


@dataclass(frozen=True)
class Judgement:
    """The largest energy exchanged (J), by what part of it the balance is open, and a message if that is too much."""

    exchanged: float | None = None
    part: float = 0.0
    doubts: tuple[str, ...] = ()

    @property
    def lost(self) -> bool:
        """True where half of the energy or more appears or vanishes: none of the run's numbers can be trusted."""
        return bool(self.doubts) and not self.part < LOST


def judged(run: Run, book: dict[str, Floats], settings: Settings, reach: float) -> Judgement:
    """Whether the balance closes as well as the tolerance explains."""
    if "energy_balance_error" not in book or len(run.times) < 2:
        return Judgement()
    gap = float(np.max(np.abs(book["energy_balance_error"])))
    others = [values for name, values in book.items() if name != "energy_balance_error"]
    # works are known at every step: a motion between two samples counts as well
    exchanged = max(run.most_work, *(float(np.ptp(values)) for values in others))
    stored = max(float(np.max(np.abs(values))) for name, values in book.items() if name.startswith("energy_"))
    if settings.step is not None:
        part = CLOSED_FIXED
    else:
        part = min(max(CLOSED, EXPLAINED * settings.tolerance / reach), NEVER_MORE)
    if np.isfinite(gap) and gap <= part * exchanged + ROUNDING * stored:
        return Judgement(exchanged)
    sentence = (
        f"the energy balance does not close: {quantity(gap, 'J', 3)} of {quantity(exchanged, 'J', 3)} exchanged appear "
        "or vanish, so the motion is not resolved and the run is not to be trusted; try a smaller "
        f"{'tolerance' if settings.step is None else 'step'} or a gentler command"
    )
    return Judgement(exchanged, gap / exchanged if exchanged > 0.0 else np.inf, (sentence,))
