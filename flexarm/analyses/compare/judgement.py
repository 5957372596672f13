"""What the runs show together: orders, errors at equal cost, and the model to take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from flexarm.formulations import traits_of
from flexarm.results.comparison import ModelRun, ModelTrend
from flexarm.results.engineering import digits, plural, quantity

# An error below so many times what the reference and the integration of time may err by does not determine an order.
_CLEAR = 5.0
# Where the last refinement gains less than this order, the model has come to a limit of its own.
_LEVEL = 0.25
# Timing on a shared machine: costs this close (as a ratio) are equal.
_EQUAL_COST = 1.2
# Errors are extrapolated in cost by no more than half a decade, and by no more than the meshes span themselves.
_FARTHEST = 10.0**0.5
# Beyond this number nothing is advised.
_MOST_ELEMENTS = 1000


def fitted_order(rows: Sequence[ModelRun], floor: float, peak: float) -> tuple[float | None, float | None]:
    """The order of the tip's error in the number of elements, by least squares, and where it levels off (m).

    From the meshes whose error is well above `floor`, what reference and runs may err by themselves (m), and below
    half the peak deflection: a model that vibrates out of step is as wrong as it can be, whatever its mesh.
    """
    clear = [
        (row.elements, row.tip_error)
        for row in rows
        if row.elements is not None and row.tip_error is not None and _CLEAR * floor <= row.tip_error <= 0.5 * peak
    ]
    if len(clear) < 2:
        return None, None
    counts, errors = np.log(np.array(clear, dtype=float)).T
    last = (errors[-2] - errors[-1]) / (counts[-1] - counts[-2])
    finest = rows[-1]
    if last < _LEVEL and finest.tip_error is not None and finest.tip_error >= _CLEAR * floor:
        return None, float(np.exp(errors[-1]))
    return float(-np.polyfit(counts, errors, 1)[0]), None


def error_at(rows: Sequence[ModelRun], cost: float) -> float | None:
    """The least error (m) a model has at a CPU time (s), between its meshes; None too far from what was measured."""
    known = sorted((r.cpu_seconds, r.tip_error) for r in rows if r.cpu_seconds and r.tip_error)
    if not known:
        return None
    seconds, errors = np.log(np.array(known, dtype=float)).T
    # a finer mesh that is no better is no reason to pay more
    errors = np.minimum.accumulate(errors)
    at = float(np.log(cost))
    if len(known) == 1:
        return float(np.exp(errors[0])) if abs(at - seconds[0]) <= np.log(_EQUAL_COST) else None
    farthest = min(float(np.log(_FARTHEST)), float(seconds[-1] - seconds[0]))
    if not seconds[0] - farthest <= at <= seconds[-1] + farthest:
        return None
    if seconds[0] <= at <= seconds[-1]:
        return float(np.exp(np.interp(at, seconds, errors)))
    # from the end nearby on as between it and its neighbour
    end, neighbour = (0, 1) if at < seconds[0] else (-1, -2)
    run = seconds[neighbour] - seconds[end]
    slope = (errors[neighbour] - errors[end]) / run if run else 0.0
    return float(np.exp(errors[end] + slope * (at - seconds[end])))


def recommended(rows: Sequence[ModelRun]) -> int | None:
    """The row of the model to take: of those that keep tolerance and assumptions the cheapest; where costs are equal
    within the noise of timing the one with the fewest coordinates, then the most accurate.
    """
    kept = [(index, row.cpu_seconds) for index, row in enumerate(rows) if row.keeps and row.cpu_seconds is not None]
    if not kept:
        return None
    least = min(seconds for _, seconds in kept)
    equal = [index for index, seconds in kept if seconds <= _EQUAL_COST * least]
    return min(equal, key=lambda index: (rows[index].coordinates or 0, rows[index].tip_error or 0.0))


def trends(rows: Sequence[ModelRun], floor: float, peak: float, cost: float | None) -> tuple[ModelTrend, ...]:
    """For every model its order, its error at a common cost (s) and its cheapest mesh that will do."""
    found = []
    for model in dict.fromkeys(row.model for row in rows):
        own = [row for row in rows if row.model == model]
        order, level = fitted_order(own, floor, peak)
        best = recommended([row if row.model == model else replace(row, keeps=False) for row in rows])
        at_cost = None if cost is None else error_at(own, cost)
        found.append(ModelTrend(model, order, level, at_cost, best))
    return tuple(found)


def common_cost(rows: Sequence[ModelRun], best: int | None) -> float | None:
    """The CPU time (s) at which errors are compared: that of the model to take, else the median of all."""
    if best is not None:
        return rows[best].cpu_seconds
    known = [row.cpu_seconds for row in rows if row.cpu_seconds]
    return float(np.median(known)) if known else None


def describe_row(row: ModelRun) -> str:
    """A row in words: hermite with 4 elements a link."""
    if row.model == "file":
        return "the model in the file"
    mesh = traits_of(row.model.partition(":")[0]).mesh
    if mesh == "modes":
        return f"{row.model}, {row.elements} of each direction"
    if not mesh:
        return row.model
    return f"{row.model} with {plural(row.elements or 0, 'element')} a link"


def advice_of(
    rows: Sequence[ModelRun], found: Sequence[ModelTrend], best: int | None, tolerance: float, finest_seconds: float
) -> str:
    """A sentence: what to take and what it costs versus the reference's finest chain (s), or what comes closest and
    what to try.
    """
    wanted = quantity(tolerance, "m", 3)
    if best is not None:
        row = rows[best]
        cost = finest_seconds / row.cpu_seconds if row.cpu_seconds else None
        beside = f", {_ratio(cost)} the finest chain of the reference" if cost else ""
        return (
            f"Take {describe_row(row)}: its tip stays within {quantity(row.tip_error or 0.0, 'm', 2)} of the reference "
            f"(allowed: {wanted}) at {quantity(row.cpu_seconds or 0.0, 's', 2)} of CPU time{beside}."
        )
    measured = [row for row in rows if row.tip_error is not None]
    if not measured:
        return "No model could be run: see the reasons above."
    inside = [row for row in measured if not row.outside] or measured
    closest = min(inside, key=lambda row: row.tip_error or 0.0)
    sentence = (
        f"No model keeps {wanted}: {describe_row(closest)} comes closest, {quantity(closest.tip_error or 0.0, 'm', 2)}"
    )
    loose = [row for row in measured if row.outside and (row.tip_error or 0.0) <= tolerance]
    if loose:
        least = min(loose, key=lambda row: row.cpu_seconds or 0.0)
        sentence += f" ({describe_row(least)} would keep it, but outside of its assumptions)"
    order = next(trend.order for trend in found if trend.model == closest.model)
    return f"{sentence}; try {_to_try(closest, order, tolerance)}."


def _to_try(finest: ModelRun, order: float | None, tolerance: float) -> str:
    """What may help the model that comes closest."""
    if order is not None and order > 0.5 and finest.elements is not None and finest.tip_error is not None:
        needed = int(np.ceil(finest.elements * (finest.tip_error / tolerance) ** (1.0 / order) - 1e-6))
        if finest.elements < needed <= _MOST_ELEMENTS:
            return f"about {needed} elements, to which its order of {digits(order, 2)} leads, or a larger tolerance"
    return "other formulations, more elements or a larger tolerance"


def _ratio(cost: float) -> str:
    """A cost in words."""
    if cost >= 1.5:
        return f"{digits(cost, 2)} times less than"
    return "about as much as" if cost >= 0.67 else f"{digits(1.0 / cost, 2)} times more than"
