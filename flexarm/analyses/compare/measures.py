"""What is measured of one model of the arm: where its tip goes, how it bends and rings, its frequencies, its cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexarm.analyses.modes.modes import modes
from flexarm.analyses.points import see, undeformed
from flexarm.analyses.run.initial_state import initial_state
from flexarm.analyses.run.integrate import Run, RunFailed, Settings, integrate
from flexarm.analyses.run.one_run import follow, seen_of
from flexarm.analyses.run.trust import out_of_range
from flexarm.assembly import CompiledArm, compile_arm
from flexarm.core.tree.types import Floats
from flexarm.errors import FlexarmError
from flexarm.model import Arm
from flexarm.results.extremes import find_extremes

# Frequencies that are compared.
FREQUENCIES = 3
# Beyond so many coordinates a dense eigenvalue problem takes longer than the run.
_MOST_IN_MODES = 400
# Runs quicker than this (s) are timed again, all of them in turn so that a busy moment of the machine meets none alone;
# so many rounds, or for so long (s).
_QUICK, _ROUNDS, _ENOUGH = 0.2, 5, 10.0


@dataclass(frozen=True, eq=False)
class TipHistory:
    """Where the tip goes (m, base frame) and how far from the rigid arm (m, axes of the rigid tip), over time (s)."""

    times: Floats
    tip: Floats  # (m, 3)
    bent: Floats  # (m, 3)

    @property
    def peak(self) -> float:
        """The greatest deflection of the tip (m)."""
        return find_extremes(self.times, np.linalg.norm(self.bent, axis=1)).greatest

    def residual(self, after: float | None) -> float | None:
        """Half the range of the deflection (m) from a time on, along the axis where it is largest."""
        if after is None or np.count_nonzero(self.times >= after) < 5:
            return None
        return max(find_extremes(self.times, column, after=after).span for column in self.bent.T) / 2.0

    def distance(self, other: TipHistory) -> tuple[float, float]:
        """How far apart the tips of two histories are (m): at most, and the root of the mean square over time."""
        apart = self.apart(other)
        return float(np.max(apart)), float(np.sqrt(np.mean(apart**2)))

    def apart(self, other: TipHistory) -> Floats:
        """The distance of the tips of two histories (m) over time."""
        return np.asarray(np.linalg.norm(self.tip - other.tip, axis=1))

    def beyond(self, coarser: TipHistory, order: float) -> TipHistory:
        """Where the histories of half the elements and of all lead, if the error falls with this order."""
        share = 1.0 / (2.0**order - 1.0)
        tip, bent = ((1.0 + share) * fine - share * coarse for fine, coarse in self._pairs(coarser))
        return TipHistory(self.times, tip, bent)

    def _pairs(self, other: TipHistory) -> list[tuple[Floats, Floats]]:
        return [(self.tip, other.tip), (self.bent, other.bent)]


@dataclass(frozen=True, eq=False)
class Measured:
    """One run of one model."""

    compiled: CompiledArm
    run: Run
    history: TipHistory
    warnings: list[str]
    watch: Stopwatch

    @property
    def coordinates(self) -> int:
        """Number of elastic coordinates."""
        return len(self.compiled.elastic_coordinates)


def measured(arm: Arm, settings: Settings, times: Floats) -> Measured:
    """A run of the arm by the analysis its file asks for.

    Ctrl-C, at which an integration returns what it has, is raised again.
    """
    compiled = compile_arm(arm)
    watch = Stopwatch(compiled, settings, times)
    run = watch.again()
    history = _tip_history(compiled, run, arm.simulation.analysis)
    return Measured(compiled, run, history, out_of_range(compiled, run), watch)


class Stopwatch:
    """Runs of one model, again and again, and the least CPU time one has taken (s)."""

    def __init__(self, compiled: CompiledArm, settings: Settings, times: Floats) -> None:
        self.compiled, self.settings, self.times = compiled, settings, times
        self.seconds = np.inf
        simulation = compiled.arm.simulation
        # an equilibrium to start from may take longer than the run
        self._begin = initial_state(compiled, simulation.start) if simulation.analysis == "nonlinear" else None

    def again(self) -> Run:
        """One more run."""
        if self._begin is not None:
            run = integrate(self.compiled, self._begin, self.settings, self.times)
        else:
            run = follow(self.compiled, self.settings, self.times, self.compiled.arm.simulation.analysis)
        if run.status == "interrupted":
            raise KeyboardInterrupt
        if not run.ok:
            raise RunFailed(f"stopped at t = {run.reached:.4g} s: {run.message}")
        self.seconds = min(self.seconds, run.cpu_seconds)
        return run


def timed_again(watches: Sequence[Stopwatch]) -> None:
    """Lowers every quick run's time to the least of a few rounds."""
    spent = 0.0
    for _ in range(_ROUNDS):
        for watch in watches:
            if watch.seconds < _QUICK and spent < _ENOUGH:
                spent += watch.again().cpu_seconds


def _tip_history(compiled: CompiledArm, run: Run, analysis: str) -> TipHistory:
    """What the tip does in a run."""
    tip = compiled.point_names.index("tip")
    seen = seen_of(compiled, run, analysis).position[:, tip]
    rigid = undeformed(compiled, np.ascontiguousarray(run.q))
    zero = np.zeros_like(rigid)
    unbent = see(compiled, run.times, rigid, zero, zero)
    w, x, y, z = unbent.orientation[:, tip].T
    # rows of R, which turns the tip's axes into the base's: summed over them, Rᵀ (seen − unbent)
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    bent = np.einsum("ijt,ti->tj", turn, seen - unbent.position[:, tip])
    return TipHistory(run.times, seen, bent)


def lowest_frequencies(arm: Arm, coordinates: int | None = None) -> tuple[float, ...] | None:
    """The lowest frequencies (Hz) in the start posture with all joints locked; None where they cannot be found.

    `coordinates`: how many elastic ones the arm has, if that is known.
    """
    try:
        count = len(compile_arm(arm).elastic_coordinates) if coordinates is None else coordinates
        if count > _MOST_IN_MODES:
            return None
        return tuple(float(f) for f in modes(arm, joints="locked", count=FREQUENCIES).frequencies_hz)
    except FlexarmError:
        return None


def frequency_error(found: Sequence[float] | None, exact: Sequence[float] | None) -> float | None:
    """The largest relative error of the frequencies a model has; None where nothing is known of them."""
    if not found or not exact or min(exact) <= 0.0:
        return None
    return max(abs(have / want - 1.0) for have, want in zip(found, exact, strict=False))
