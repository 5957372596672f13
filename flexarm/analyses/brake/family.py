"""The braking time for an arm that is not known exactly: judged by all arms of its ranges, not by some of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from flexarm.analyses.brake.choice import Choice
from flexarm.analyses.brake.lanes import Family
from flexarm.analyses.brake.search import Looker
from flexarm.analyses.brake.worst_case import Worst, first_grid, resolving, worst_case_over
from flexarm.analyses.golden_section import golden_section
from flexarm.core.tree.types import Floats
from flexarm.model import Arm
from flexarm.results.braking import BrakePoint, RobustBraking

Progress = Callable[[str, int, int], None]

# How a frequency follows a quantity: as this power of it, at the most.
POWERS = {"frequency": 1.0, "stiffness": 0.5, "payload": 0.5, "length": 2.0}
# Excess allowed in the bound: on the curve as far as its grid goes, in the search and in what is reported.
_SEARCHED, _REPORTED = 3e-3, 5e-4
# Number of dips of the curve that are refined.
_DIPS = 4


def robust_choice(
    arm: Arm, ranges: Mapping[str, tuple[float, float]], by: str, choice: Choice, progress: Progress | None = None
) -> RobustBraking:
    """The best time for all arms within the ranges: by the worst of them or by their mean."""
    scan, fine = choice.lookers
    loose = Family(arm, ranges, _with_window(scan, fine))
    seminorm = fine.measure.seminorm
    times = choice.times
    longest = float(times[-1]) + fine.runs.span
    turns = [
        float(fine.rest.omega[0]) * longest * abs(high ** POWERS[name] - low ** POWERS[name])
        for name, (low, high) in ranges.items()
    ]
    if progress is not None:
        progress("arms that may be", 0, len(times))
    first = first_grid(turns)
    loose.expect(first.size * len(times))
    grid, resolved = resolving(first, loose.at(float(times[-1])), seminorm)
    loose.expect(grid.size * len(times))
    tight = loose.with_looker(fine)
    curve: list[Worst] = []
    for done, time in enumerate(times):
        curve.append(worst_case_over(grid, loose.at(float(time)), seminorm, np.inf))
        if progress is not None:
            progress("arms that may be", done + 1, len(times))

    kept: dict[tuple[float, float], Worst] = {}

    def judged(time: float, margin: float) -> Worst:
        key = (time, margin)
        if key not in kept:
            kept[key] = worst_case_over(grid, tight.at(time), seminorm, margin)
        return kept[key]

    def value(found: Worst) -> float:
        if found.reasons or not np.isfinite(found.greatest):
            return np.inf
        return found.mean if by == "mean" else found.bound

    best, final = None, None
    at = _searched(times, curve, by, lambda time: value(judged(time, _SEARCHED)), choice.resolution)
    if at is not None:
        final = judged(at, _REPORTED)
        if np.isfinite(value(final)):
            inside = times[0] < at < times[-1]
            best = BrakePoint(at, value(final), fine.at(at).stop, "minimum" if inside else "end of the range")
    at_nominal = None
    if choice.best is not None:
        there = value(judged(choice.best.time, _SEARCHED))
        at_nominal = there if np.isfinite(there) else None
    places = grid.places
    return RobustBraking(
        ranges=dict(ranges),
        by=by,
        arms=tuple(loose.words(place) for place in places),
        worst=np.array([each.bound if np.isfinite(each.bound) else each.greatest for each in curve]),
        mean=np.array([each.mean for each in curve]),
        best=best,
        nominal=None if best is None else fine.residual(best.time),
        at_nominal_best=at_nominal,
        residuals=() if best is None else tuple(each.residual for each in tight.at(best.time)(places)),
        worst_arm=None if final is None or best is None else tight.factors(final.place),
        seen=None if final is None or best is None else final.greatest,
        certain=resolved and (final is None or by == "mean" or final.margin <= 2.0 * _REPORTED),
        runs=loose.runs + tight.runs,
    )


def _searched(
    times: Floats, curve: list[Worst], by: str, value: Callable[[float], float], resolution: float
) -> float | None:
    """The time (s) at which the worst or the mean is least: the dips of the curve that may be the deepest, refined."""
    upper = np.array([np.inf if each.reasons else each.mean if by == "mean" else each.bound for each in curve])
    lower = np.array([np.inf if each.reasons else each.mean if by == "mean" else each.greatest for each in curve])
    upper, lower = (np.where(np.isfinite(each), each, np.inf) for each in (upper, lower))
    if not np.isfinite(lower).any():
        return None
    around = np.concatenate([[np.inf], lower, [np.inf]])
    dips = np.flatnonzero((lower <= around[:-2]) & (lower <= around[2:]) & np.isfinite(lower))
    least = float(np.min(upper)) if np.isfinite(upper).any() else np.inf
    likely = [int(k) for k in dips[np.argsort(lower[dips], kind="stable")] if lower[k] <= least][:_DIPS]
    tried: list[float] = []
    for k in likely:
        low, high = (float(times[min(max(j, 0), len(times) - 1)]) for j in (k - 1, k + 1))
        tried += [float(times[k]), golden_section(value, low, high, resolution)]
    return min(tried, key=value, default=None)


def _with_window(scan: Looker, fine: Looker) -> Looker:
    """Loose runs that last until the end of the window: no modes of the arm replace it."""
    if scan.runs.span == fine.runs.span:
        return scan
    runs = fine.runs.twin(fine.runs.compiled.arm, tolerance=scan.runs.settings.tolerance)
    return Looker(runs, scan.measure, scan.bounds, scan.rest)
