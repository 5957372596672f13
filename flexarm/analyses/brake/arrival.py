"""Braking times ranked by time to rest: from t = 0 until the point stays within a distance of its target."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from flexarm.analyses.brake.residual import Measure
from flexarm.analyses.brake.runs import BrakeRuns
from flexarm.analyses.brake.search import LATE, border
from flexarm.analyses.points import see
from flexarm.analyses.run.arrival import Destination, destination_of
from flexarm.analyses.run.integrate import RunFailed
from flexarm.core.tree.types import Floats
from flexarm.results.braking import BrakePoint
from flexarm.results.settling import TOLERANCES

# What leaves as little as the least but for this part, and for so many times what the runs err by.
ALIKE, _ERRORS = 0.03, 3.0


class Arrivals:
    """Times to rest (s) of an arm's point for any braking time; all runs end at the same time."""

    def __init__(self, runs: BrakeRuns, measure: Measure, within: float, tail: float, period: float) -> None:
        self._runs, self._point, self.within, self._period = runs, measure.index, within, period
        self.longest = runs.between[1]
        # a point that has settled must stay there for one period more
        self.end = runs.last_stop(np.full(len(runs.stops), self.longest)) + tail + period
        self._kept: dict[tuple[float, ...], float | None] = {}
        self._there: Destination | None = None

    @property
    def runs(self) -> int:
        """How many runs it took."""
        return self._runs.runs

    def destination(self, times: Floats) -> Destination:
        """Where the point is to be; the same for all braking times unless these change where the joints stop."""
        if self._there is None or self._runs.hold == "begin":
            braked = self._runs.commanded(times)
            self._there = destination_of(braked, self._runs.last_stop(times) + LATE, self._point, self.within)
        return self._there

    def prepare(self, times: Floats) -> None:
        """Make ready for runs with these braking times (s), each for all joints, which begin where each brakes."""
        self._runs.prepare(np.repeat(times[:, None], len(self._runs.stops), axis=1))

    def of(self, times: Floats) -> float | None:
        """The settling time (s) for braking times by stop; None if the point has not settled when the run ends."""
        key = tuple(float(t) for t in times)
        if key not in self._kept:
            self._kept[key] = self._found(np.asarray(times, dtype=float))
        return self._kept[key]

    def at(self, time: float) -> float | None:
        """The same for one time for all joints."""
        return self.of(np.full(len(self._runs.stops), time))

    def _found(self, times: Floats) -> float | None:
        there = self.destination(times)
        if not np.isfinite(there.place).all():
            return None
        try:
            run = self._runs.run_through(times, self.end)
        except RunFailed:
            return None
        # where a point is does not depend on what is commanded: the arm's own laws do as well
        seen = see(self._runs.compiled, run.times, run.q, run.v, run.a, full=False)
        positions, rates = seen.position[:, self._point], seen.velocity[:, self._point]
        return there.arrival(run.times, positions, rates, self.within, self._period)

    def soonest(self, allowed: Mapping[float, bool], resolution: float) -> float | None:
        """The braking time (s) with the least time to rest, of those that are allowed: the best of some times, moved to
        the edge of its dip, where the brake is shortest.
        """
        times = sorted(allowed)
        settled = [self.at(time) if allowed[time] else None for time in times]
        known = [k for k, time in enumerate(settled) if time is not None]
        if not known:
            return None
        best = min(known, key=lambda k: settled[k] or 0.0)
        if best == 0 or not allowed[times[best - 1]]:
            return times[best]
        least = settled[best]
        assert least is not None

        def keeps(time: float) -> bool:
            found = self.at(time)
            return found is not None and found <= least

        return border(keeps, times[best], times[best - 1], resolution)


def default_within(least: float, unit: str) -> float:
    """The distance (m) to rank by if none is given: what the least residual is, rounded up to one digit, 1 mm at
    the most.
    """
    if unit != "m" or not (math.isfinite(least) and least > 0.0):
        return TOLERANCES[0]
    step = 10.0 ** math.floor(math.log10(least))
    return min(step * math.ceil(least / step - 1e-9), TOLERANCES[0])


def briefest(best: BrakePoint, points: Sequence[BrakePoint], noise: float) -> BrakePoint:
    """The shortest brake that leaves as little as the least one, but for noise and a few percent."""
    most = best.residual * (1.0 + ALIKE) + _ERRORS * (noise if math.isfinite(noise) else 0.0)
    alike = [each for each in points if each.allowed and each.residual <= most]
    return min([best, *alike], key=lambda each: each.time)


def with_arrival(point: BrakePoint | None, arrival: Callable[[float], float | None]) -> BrakePoint | None:
    """The point with its time to rest."""
    return None if point is None else replace(point, settled=arrival(point.time))
