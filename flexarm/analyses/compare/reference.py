"""The reference of all models: a chain of finite rotations, refined until it has converged, with its own error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from flexarm.analyses.compare.measures import Measured, TipHistory, lowest_frequencies, measured
from flexarm.analyses.compare.variants import Variant
from flexarm.analyses.run.integrate import RunFailed, Settings
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm

# The tolerance, if none is given, as part of the greatest deflection of the tip.
DEFAULT_TOLERANCE = 0.01
# Parts of the tolerance: what the reference aims at, what it must reach, what the integration of time may err.
_AIM, STANDS, _TIME = 1.0 / 50.0, 0.1, 1.0 / 20.0
# Orders of good models need a reference better than the tolerance asks for: so good, while a chain takes no longer (s).
_BEST, _CHEAP = 1.0 / 500.0, 0.5
# Steps are first controlled to this part of the tolerance; the reference's to a tenth of what the others' are.
_STEP_CONTROL, _FINER = 1.0 / 100.0, 0.1
# The error of a run falls at least with this power of its tolerance (order four by steps of order five).
_POWER = 0.8
_TRIALS = 4
# Segments of the first chain and of the last.
_FIRST, _LAST = 8, 256
_FIRST_MODES, _LAST_IN_A_FRAME = 4, 32
# Frequencies need fewer: they converge with order two at least, from sixteen on to many digits.
_FREQUENCY_MESHES = (8, 16, 32)
# An order is clear within so much of a whole number; chains and elements have none above this.
_CLEAR_ORDER, _HIGHEST = 0.15, 4
# Differences that are not forgotten where there is none.
_REMEMBERED = 4
# A chain that would take longer (s of CPU time) is not run.
_PATIENCE = 120.0
# Samples: so many at least and at most, and so many in a period of the first frequency.
_SAMPLES, _MOST_SAMPLES, _IN_A_PERIOD = 1000, 20_000, 24
# Deflections below this part of the reach are rounding.
_ROUNDING = 1e-11

Progress = Callable[[str], None]  # what has just been done


@dataclass(frozen=True, eq=False)
class Reference:
    """The limit the models are measured by, and how they are to be run."""

    variant: Variant
    elements: tuple[int, ...]  # of the chains it was made of
    history: TipHistory
    order: float | None  # in which their differences fell; None: they were too small to fit one
    error: float  # of the tip's path (m)
    frequencies: tuple[float, ...] | None  # Hz
    cpu_seconds: float  # of the finest chain
    coordinates: int  # of it
    tolerance: float  # that models are to keep (m)
    settings: Settings  # for their runs
    time_error: float  # what time integration errs by in them (m)
    turning: dict[str, float]  # link → the greatest rate its base turns with (rad/s)

    @property
    def stands(self) -> bool:
        """True if its error is small compared with the tolerance."""
        return self.error <= STANDS * self.tolerance


def find_reference(
    arm: Arm, chosen: Variant, end: float, tolerance: float | None, progress: Progress = lambda _: None
) -> Reference:
    """The reference for the arm's run up to `end` (s) and a tolerance (m), None: a hundredth of the peak deflection."""
    chain = chosen.of_whole_beam()
    frequencies = _frequencies(arm, chain)
    progress("frequencies of the reference")
    times = _times(end, frequencies)

    def run(count: int, settings: Settings) -> Measured:
        """A chain of so many elements."""
        found = measured(chain.arm(arm, count), settings, times)
        progress(f"reference of {count}")
        return found

    first = _FIRST_MODES if chain.in_link_frame else _FIRST
    try:
        rough = run(first, Settings(end, tolerance=arm.simulation.tolerance, max_steps=arm.simulation.max_steps))
        allowed = _tolerance(rough, tolerance)
        settings, time_error = _settings(rough, allowed, lambda settings: run(first, settings).history)
    except AnalysisError as failure:
        raise AnalysisError(
            f'the reference, "{chain.word}" of {first} elements: {failure}; name another by reference / --reference'
        ) from None
    fine = replace(settings, tolerance=_FINER * settings.tolerance)
    counts, last = [first], run(first, fine)
    turning, refined = _turning(arm, last), Refinement(last.history)
    most = _LAST_IN_A_FRAME if chain.in_link_frame else _LAST
    while counts[-1] < most and not _good_enough(refined.error / allowed, last.run.cpu_seconds):
        try:
            last = run(2 * counts[-1], fine)
        except RunFailed as failure:
            if len(counts) > 1:
                break
            raise AnalysisError(f'the reference, "{chain.word}" of {2 * counts[-1]} elements, {failure}') from None
        counts.append(2 * counts[-1])
        refined.add(last.history, good=_BEST * allowed)
    return Reference(
        variant=chain,
        elements=tuple(counts),
        history=refined.limit,
        order=refined.order,
        error=refined.error + time_error * _FINER**_POWER,
        frequencies=frequencies,
        cpu_seconds=last.run.cpu_seconds,
        coordinates=last.coordinates,
        tolerance=allowed,
        settings=settings,
        time_error=time_error,
        turning=turning,
    )


class Refinement:
    """Courses of twice the elements each, where they lead, and how far from there they may still be (m).

    Where the differences fall with a clear order the limit is extrapolated, and what two such limits in a row differ by
    is its error. Otherwise the finest history is taken for the limit, and each of the last differences is taken to have
    fallen by no more than half with every doubling since: errors of two orders may cancel for a while.
    """

    def __init__(self, first: TipHistory) -> None:
        self.limit, self.error = first, np.inf
        self.order: float | None = None  # of the extrapolation
        self._finest = first
        self._apart: list[float] = []
        self._former: TipHistory | None = None

    def add(self, finer: TipHistory, *, good: float = 0.0) -> None:
        """One more history of twice the elements; differences below `good` (m) need no extrapolation."""
        coarser, self._finest = self._finest, finer
        self._apart.append(finer.distance(coarser)[0])
        self.limit, self.order = finer, None
        recent = self._apart[-_REMEMBERED:]
        self.error = max(difference / 2.0**halvings for halvings, difference in enumerate(reversed(recent)))
        former, self._former = self._former, None
        order = self._clear_order()
        if order is not None:
            self._former = finer.beyond(coarser, order)
            if self.error > good:
                self.limit, self.order = self._former, order
                # the first of its kind may miss by as much as it moves
                self.error = self.limit.distance(finer if former is None else former)[0]

    def _clear_order(self) -> float | None:
        """The order in which the last differences fall, if it is about a whole number."""
        if len(self._apart) < 2 or not 0.0 < self._apart[-1] < self._apart[-2]:
            return None
        order = float(np.log2(self._apart[-2] / self._apart[-1]))
        whole = round(order)
        return order if 1 <= whole <= _HIGHEST and abs(order - whole) <= _CLEAR_ORDER else None


def _good_enough(part: float, seconds: float) -> bool:
    """True if an error, as part of the tolerance, needs no finer chain, or the next one would take too long (s)."""
    return part <= _BEST or (part <= _AIM and seconds > _CHEAP) or 2.2 * seconds > _PATIENCE


def _tolerance(rough: Measured, given: float | None) -> float:
    """What the models are to keep (m)."""
    peak = rough.history.peak
    if peak <= _ROUNDING * rough.compiled.reach:
        raise AnalysisError(
            f"the arm does not bend in its run, its tip stays within {peak:.2g} m of the rigid arm's: there is nothing "
            "to compare"
        )
    return DEFAULT_TOLERANCE * peak if given is None else given


def _settings(rough: Measured, allowed: float, history: Callable[[Settings], TipHistory]) -> tuple[Settings, float]:
    """Settings for all runs and what the integration of time then errs by (m): little compared with the tolerance.

    The tolerance of a step is no promise for a long run, so a run is compared with one ten times finer.
    """
    least = _ROUNDING * rough.compiled.reach
    simulation = rough.compiled.arm.simulation
    assert simulation.end is not None
    settings = Settings(
        simulation.end,
        tolerance=max(min(simulation.tolerance, _STEP_CONTROL * allowed), least),
        max_steps=simulation.max_steps,
    )
    if simulation.analysis == "quasi-static":
        return settings, 0.0
    error = np.inf
    for _ in range(_TRIALS):
        finer = replace(settings, tolerance=_FINER * settings.tolerance)
        error = history(settings).distance(history(finer))[0]
        if error <= _TIME * allowed or settings.tolerance <= least:
            break
        needed = (_TIME * allowed / error) ** (1.0 / _POWER)
        settings = replace(settings, tolerance=max(0.5 * needed * settings.tolerance, least))
    return settings, error


def _frequencies(arm: Arm, chain: Variant) -> tuple[float, ...] | None:
    """The lowest frequencies (Hz) of ever finer chains, led to their limit."""
    meshes = [count // 2 if chain.in_link_frame else count for count in _FREQUENCY_MESHES]
    found = [lowest_frequencies(chain.arm(arm, count)) for count in meshes]
    known = [np.array(each) for each in found if each]
    if not known:
        return None
    if len(known) < 3 or len({len(each) for each in known}) > 1:
        return tuple(float(f) for f in known[-1])
    coarse, fine = np.abs(known[1] - known[0]), np.abs(known[2] - known[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        order = np.log2(coarse / fine)
    clear = np.isfinite(order) & (order > 1.0 - _CLEAR_ORDER) & (order < _HIGHEST + 1.0)
    step = (known[2] - known[1]) / (2.0 ** np.where(clear, order, 2.0) - 1.0)
    return tuple(float(f) for f in known[2] + np.where(clear, step, 0.0))


def _times(end: float, frequencies: tuple[float, ...] | None) -> Floats:
    """Common times of all runs (s), many enough for the first vibration."""
    wanted = _IN_A_PERIOD * end * frequencies[0] if frequencies else 0.0
    return np.linspace(0.0, end, int(np.clip(wanted, _SAMPLES, _MOST_SAMPLES)) + 1)


def _turning(arm: Arm, found: Measured) -> dict[str, float]:
    """The greatest rate (rad/s) with which the base of each link turns; in space no more than the sum of all."""
    rates: dict[str, float] = {}
    names = found.compiled.coordinate_names
    for index, link in enumerate(arm.links):
        joints: list[int] = []
        senses: list[float] = []
        at = index
        while at >= 0:
            if arm.links[at].joint.type == "revolute":
                joints.append(names.index(arm.links[at].name))
                senses.append(-1.0 if arm.links[at].joint.axis[2] < 0.0 else 1.0)
            at = arm.parents[at]
        turned = found.run.v[:, joints] * np.array(senses)
        summed = np.abs(turned.sum(axis=1)) if arm.planar else np.abs(turned).sum(axis=1)
        rates[link.name] = float(np.max(summed, initial=0.0))
    return rates
