"""Derivatives of what is observed of a run, from those of its states.

Outputs depend on the states and on the arm without memory. So they are computed, by the same code as those of any run,
of states and arms that are moved a little along every direction, and their central differences of fourth order are the
derivatives: exact but for about 1e-12 of what changes.
"""

from __future__ import annotations

from typing import NamedTuple, final

import numpy as np

from flexarm.analyses.run.integrate import Run
from flexarm.analyses.run.lanes import Desk, EightRuns
from flexarm.analyses.signals.observed import Observed, OneObserved
from flexarm.core.numbers.lanes import LANES, lane_zeros
from flexarm.core.tree.types import Floats
from flexarm.results.extremes import find_extremes
from flexarm.studies.derivatives.directions import OFFSETS, bent, varied
from flexarm.studies.derivatives.runs import DerivedRun
from flexarm.studies.derivatives.variants import Variants
from flexarm.studies.outputs.columns import Plan, jumps_with_command
from flexarm.studies.outputs.lane_observables import LanesObserved


@final
class DerivedRows(NamedTuple):
    """The columns of a plan, their derivatives (columns, n), where they have none: a corner, or a jump (columns, n),
    and when their extremes are reached (s), NaN where they are none.
    """

    values: Floats
    derivatives: Floats
    corners: np.ndarray
    when: Floats


def derived_rows(variants: Variants, run: DerivedRun, plan: Plan) -> DerivedRows:
    """What a plan keeps of a run whose states are known at the times of the plan, with its derivatives."""
    directions = variants.directions
    laned = variants.arms is not None and not plan.run_by_run and not plan.in_equilibrium
    rows, when = _laned(variants, run, plan) if laned else _singly(variants, run, plan)
    count = directions.count
    return DerivedRows(rows[0], varied(rows, count) / directions.steps, bent(rows, count), when)


def _moved(variants: Variants, run: DerivedRun, row: int) -> tuple[Floats, Floats, Floats, Floats]:
    """States of a row of `Directions.rows`, to first order."""
    values, changes = (run.q, run.v, run.a, run.x), (run.dq, run.dv, run.da, run.dx)
    if row == 0:
        return values
    j, k = divmod(row - 1, len(OFFSETS))
    step = OFFSETS[k] * variants.directions.steps[j]
    q, v, a, x = (value + step * change[..., j] for value, change in zip(values, changes, strict=True))
    return q, v, a, x


def _extreme_times(observed: Observed, plan: Plan) -> Floats:
    """When the extremes that columns are about are reached in the first of some runs (s), NaN for other columns."""
    found = np.full(len(plan.names), np.nan)
    for k, column in enumerate(plan.columns):
        if column.over in ("max", "min", "peak"):
            values = observed.signal(column.signal)[:, 0]
            if jumps_with_command(column.signal):
                # of the samples alone, the first of them where a signal stays as high as it is
                size = {"max": values, "min": -values, "peak": np.abs(values)}[column.over]
                found[k] = observed.times[np.argmax(size > np.max(size) * (1.0 - 1e-9))]
                continue
            extremes = find_extremes(observed.times, values)
            highest = column.over == "max" or (column.over == "peak" and extremes.greatest >= -extremes.least)
            found[k] = extremes.greatest_time if highest else extremes.least_time
    return found


def _laned(variants: Variants, run: DerivedRun, plan: Plan) -> tuple[Floats, Floats]:
    """The columns of all rows, eight at a time, and when extremes are reached."""
    assert variants.arms is not None
    found = np.empty((len(variants.arms), len(plan.names)))
    desk = Desk()
    well, none = np.ones(LANES, bool), np.zeros(LANES, np.int64)
    for eight in variants.eights:
        states = [lane_zeros((*each.shape, LANES)) for each in (run.q, run.v, run.a, run.x)]
        for lane, row in enumerate(eight.which):
            for state, moved in zip(states, _moved(variants, run, int(row)), strict=True):
                state[..., lane] = moved
        q, v, a, x = states
        runs = EightRuns(eight, run.times, q, v, a, x, well, none, desk)
        observed = LanesObserved(runs)
        with np.errstate(all="ignore"):
            found[eight.which] = plan.rows(observed)
        if eight is variants.eights[0]:
            when = _extreme_times(observed, plan)
    return found, when


def _singly(variants: Variants, run: DerivedRun, plan: Plan) -> tuple[Floats, Floats]:
    """The columns of all rows, arm by arm, and when extremes are reached."""
    found = []
    for row, compiled in enumerate(variants.singles):
        q, v, a, x = _moved(variants, run, row)
        work, end = np.zeros((len(run.times), 3)), float(run.times[-1])
        moved = Run(run.times, q, v, a, work, "ok", "", "", end, 0, 0, 0, 0.0, 0.0, 0.0, x)
        observed = OneObserved(compiled, moved, "nonlinear")
        found.append(plan.rows(observed)[0])
        if row == 0:
            when = _extreme_times(observed, plan)
    return np.array(found), when


def moving_times(variants: Variants) -> list[tuple[float, Floats]]:
    """The times (s) at which pieces of commands and loads begin, and how they move by each number (n,)."""
    laws = variants.engine[2]
    starts, moves = laws.piece[0][:, 0], laws.piece[1][:, 0] / variants.directions.steps
    return [(float(t), move) for t, move in zip(starts, moves, strict=True) if np.isfinite(t) and np.any(move != 0.0)]
