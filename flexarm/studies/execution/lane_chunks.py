"""A chunk of samples in compiled lanes: compiled at once, run and observed eight at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexarm.analyses.run.integrate import settings_of
from flexarm.analyses.run.lanes import Desk, by_eights, run_eight
from flexarm.core.tree.types import Floats
from flexarm.studies.execution.stacked import NotStacked, compile_batch
from flexarm.studies.outputs.columns import Plan
from flexarm.studies.outputs.lane_observables import LanesObserved
from flexarm.studies.parameters.study_model import StudyModel

# Samples compiled at once: enough that their reading costs nothing, few enough that their arrays do.
_TOGETHER = 2048


def evaluate_lanes(
    study: StudyModel, plan: Plan, values: Floats, outputs: Floats, done: np.ndarray, check: Callable[[], None]
) -> None:
    """Fill the outputs of the samples that end well and mark them done; the others are left to be run one by one.

    Their reasons are then reported in the same words as elsewhere. A sample's numbers depend on that sample alone,
    neither on the chunk nor on the seven other lanes.
    """
    simulation = study.nominal.simulation
    settings = settings_of(simulation)
    desk = Desk()
    for begin in range(0, len(values), _TOGETHER):
        check()
        arms = compile_batch(study, values[begin : begin + _TOGETHER])
        if isinstance(arms, NotStacked):
            return
        for eight in by_eights(arms, np.flatnonzero(arms.valid)):
            runs = run_eight(eight, settings, simulation.start, plan.sampled, desk=desk, check=check)
            with np.errstate(all="ignore"):
                rows = plan.rows(LanesObserved(runs))
            well = runs.valid & np.isfinite(rows).all(axis=1)
            where = begin + eight.which
            outputs[where[well]] = rows[well]
            done[where[well]] = True
