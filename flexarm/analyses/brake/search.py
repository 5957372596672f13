"""Looking for the best stop: extremes of a curve, bounds, the shortest stop under a limit, several times at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from flexarm.analyses.brake.residual import FreeSwing, Measure
from flexarm.analyses.brake.runs import BrakeRuns
from flexarm.analyses.brake.stop import StopMotion, motion_at_stop
from flexarm.analyses.golden_section import golden_section
from flexarm.analyses.run.integrate import RunFailed
from flexarm.core.tree.types import Floats

# A time this long after the last command (s), for what an arm comes to.
LATE = 1.0

Curve = Callable[[float], float]


@dataclass(frozen=True, eq=False)
class StopBounds:
    """What a stop must keep: torques by driven joint (N m, N), decelerations by stop, and when it is over (s)."""

    torques: Mapping[int, float] = field(default_factory=dict)  # by place among the driven joints
    decelerations: Mapping[int, float] = field(default_factory=dict)  # by place among the stops
    latest: float = np.inf

    def broken(self, runs: BrakeRuns, times: Floats, stop: float, torques: Floats | None) -> tuple[str, ...]:
        """The words for every bound that is broken."""
        names = [runs.compiled.coordinate_names[c] for c in runs.driven]
        found = []
        for j, most in self.torques.items():
            if torques is not None and torques[j] > most:
                found.append(f"torque of {names[j]}")
        for j, most in self.decelerations.items():
            each = runs.stops[j]
            # times that were found as the very bound must not fall over it by rounding
            if each.deceleration(float(times[j]), runs.hold) > most * (1.0 + 1e-12):
                found.append(f"deceleration of {each.joint}")
        if stop > self.latest * (1.0 + 1e-12):
            found.append("latest stop")
        return tuple(found)


@dataclass(frozen=True, eq=False)
class Look:
    """One run: braking times (one per stop, s), its residual, when it stops (s), bounds it breaks."""

    times: Floats
    residual: float
    stop: float
    broken: tuple[str, ...]
    torques: Floats | None

    @property
    def time(self) -> float:
        """The braking time of the first joint (s): of all, where they brake alike."""
        return float(self.times[0])


class Looker:
    """Residuals and bounds of an arm at any braking times; with `free` runs end at the stop, what follows is linear."""

    def __init__(
        self, runs: BrakeRuns, measure: Measure, bounds: StopBounds, rest: StopMotion, free: FreeSwing | None = None
    ) -> None:
        self.runs, self.measure, self.bounds, self.free = runs, measure, bounds, free
        self.rest = rest
        self._kept: dict[tuple[float, ...], Look] = {}
        self.failure: str | None = None

    def at(self, time: float) -> Look:
        """The look at one time for all joints."""
        return self.of(np.full(len(self.runs.stops), time))

    def of(self, times: Floats) -> Look:
        """The look at a time for every joint; a run that fails leaves NaN."""
        key = tuple(float(t) for t in times)
        if key not in self._kept:
            self._kept[key] = self._look(np.asarray(times, dtype=float))
        return self._kept[key]

    def residual(self, time: float) -> float:
        """The residual at one time for all joints."""
        return self.at(time).residual

    def _look(self, times: Floats) -> Look:
        try:
            run = self.runs.run(times, torques=bool(self.bounds.torques))
        except RunFailed as reason:
            self.failure = str(reason)
            return Look(times, np.nan, self.runs.last_stop(times), ("run failed",), None)
        rest = self.rest
        if self.runs.hold == "begin" and self.measure.at_once:
            rest = motion_at_stop(run.compiled, self.runs.stops, run.stop + LATE)
        left = self.measure.of(run, rest) if self.free is None else self.free.of(run.q[0], run.v[0])
        return Look(times, left, run.stop, self.bounds.broken(self.runs, times, run.stop, run.torques), run.torques)


# --- Along a curve ---------------------------------------------------------------------------------------------------


def turning_points(values: Floats, threshold: float) -> list[tuple[int, int]]:
    """Places of the extremes within a curve, −1 for a minimum and +1 for a maximum, in turn.

    An extreme counts if the curve leaves it by more than the threshold on both sides; its ends are none.
    """
    known = np.flatnonzero(np.isfinite(values))
    found: list[tuple[int, int]] = []
    if len(known) < 3:
        return found
    low = high = int(known[0])
    heading = 0
    for k in known[1:]:
        if values[k] > values[high]:
            high = int(k)
        if values[k] < values[low]:
            low = int(k)
        if heading >= 0 and values[high] - values[k] > threshold:
            if high != known[0]:
                found.append((high, 1))
            heading, low = -1, int(k)
            high = int(k)
        elif heading <= 0 and values[k] - values[low] > threshold:
            if low != known[0]:
                found.append((low, -1))
            heading, high = 1, int(k)
            low = int(k)
    return found


def refined(looker: Looker, times: Floats, k: int, sign: int, resolution: float) -> Look:
    """The extreme next to place k of a curve, to the resolution (s)."""
    low, high = float(times[max(k - 1, 0)]), float(times[min(k + 1, len(times) - 1)])
    found = golden_section(lambda t: -sign * looker.residual(t), low, high, resolution)
    looks = [looker.at(found), looker.at(float(times[k]))]
    return min(looks, key=lambda each: -sign * each.residual if np.isfinite(each.residual) else np.inf)


def border(keeps: Callable[[float], bool], inside: float, outside: float, resolution: float) -> float:
    """The last time (s) on the way from inside to outside that keeps something, to the resolution."""
    while abs(outside - inside) > resolution:
        middle = 0.5 * (inside + outside)
        inside, outside = (middle, outside) if keeps(middle) else (inside, middle)
    return inside


def shortest_within(looker: Looker, candidates: Sequence[float], limit: float, resolution: float) -> Look | None:
    """The shortest stop that leaves at most the limit and keeps all bounds; None if there is none.

    Candidates are rising times (s) close enough that nothing of interest lies between two that both fail.
    """

    def keeps(time: float) -> bool:
        look = looker.at(time)
        return not look.broken and look.residual <= limit

    for k, time in enumerate(candidates):
        if keeps(time):
            return looker.at(time if k == 0 else border(keeps, time, candidates[k - 1], resolution))
    return None


# --- Several times at once -------------------------------------------------------------------------------------------


def individual_times(
    scan: Looker, fine: Looker, begin: float, box: tuple[float, float], resolution: float, looks: int = 15
) -> Look:
    """The best times found for every joint by itself, within the box (s).

    One joint after the other is scanned over the box; then a simplex walks down from the best.
    """
    count = len(fine.runs.stops)

    def cost(looker: Looker, times: Floats) -> float:
        if np.any(times < box[0]) or np.any(times > box[1]):
            return np.inf
        look = looker.of(times)
        return np.inf if look.broken or not np.isfinite(look.residual) else look.residual

    best = np.full(count, begin)
    least = cost(scan, best)
    for _ in range(2):
        before = least
        for j in range(count):
            for time in np.linspace(*box, looks):
                tried = best.copy()
                tried[j] = time
                value = cost(scan, tried)
                if value < least:
                    best, least = tried, value
        if not least < 0.9 * before:
            break
    starts = [best, np.full(count, begin)]
    size = 0.02 * (box[1] - box[0])
    walked = [simplex(lambda x: cost(fine, x), start, box, size, resolution) for start in starts]
    return fine.of(min(walked, key=lambda x: cost(fine, x)))


def simplex(
    cost: Callable[[Floats], float],
    start: Floats,
    box: tuple[float, float],
    size: float,
    resolution: float,
    most: int = 400,
) -> Floats:
    """Where a simplex (Nelder and Mead), walking down from a start, has become as small as the resolution."""
    count = len(start)
    corners = [start.copy()]
    for j in range(count):
        corner = start.copy()
        corner[j] += size if corner[j] + size <= box[1] else -size
        corners.append(corner)
    points = np.array(corners)
    values = np.array([cost(x) for x in points])
    for _ in range(most):
        order = np.argsort(values, kind="stable")
        points, values = points[order], values[order]
        if np.max(np.abs(points[1:] - points[0])) <= resolution:
            break
        centre = points[:-1].mean(axis=0)

        def tried(factor: float, centre: Floats = centre, worst: Floats = points[-1]) -> tuple[Floats, float]:
            x = centre + factor * (centre - worst)
            return x, cost(x)

        x, value = tried(1.0)
        if value < values[0]:
            farther, lower = tried(2.0)
            x, value = (farther, lower) if lower < value else (x, value)
        elif not value < values[-2]:
            x, value = tried(0.5) if value < values[-1] else tried(-0.5)
            if not value < values[-1]:
                points[1:] = points[0] + 0.5 * (points[1:] - points[0])
                values[1:] = [cost(each) for each in points[1:]]
                continue
        points[-1], values[-1] = x, value
    return np.asarray(points[int(np.argmin(values))])
