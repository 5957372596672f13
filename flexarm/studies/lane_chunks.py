"""A chunk of samples in compiled lanes: compiled at once, run and observed eight at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexarm.analyses.integrate import settings_of
from flexarm.analyses.lanes import Desk, by_eights, run_eight
from flexarm.core.types import Floats
from flexarm.studies.lane_observed import EightObserved
from flexarm.studies.outputs import Plan
from flexarm.studies.parameters import StudyModel
from flexarm.studies.stacked import NotStacked, compile_many

# Samples compiled at once: enough that their reading costs nothing, few enough that their arrays do.
_TOGETHER = 2048


def evaluate_lanes(
    study: StudyModel, plan: Plan, values: Floats, outputs: Floats, done: np.ndarray, check: Callable[[], None]
) -> None:
    """Fill the outputs of the samples that end well and mark them done; the others are left to be run one by one.

    That has their reasons told by the same words as ever. What a sample's numbers are depends on it alone: neither on
    the chunk nor on the seven others beside it.
    """
    simulation = study.nominal.simulation
    settings = settings_of(simulation)
    desk = Desk()
    for begin in range(0, len(values), _TOGETHER):
        check()
        arms = compile_many(study, values[begin : begin + _TOGETHER])
        if isinstance(arms, NotStacked):
            return
        for eight in by_eights(arms, np.flatnonzero(arms.fine)):
            runs = run_eight(eight, settings, simulation.start, plan.sampled, desk=desk, check=check)
            with np.errstate(all="ignore"):
                rows = plan.rows(EightObserved(runs))
            well = runs.fine & np.isfinite(rows).all(axis=1)
            where = begin + eight.which
            outputs[where[well]] = rows[well]
            done[where[well]] = True
