"""A simulation with sampled controllers in its loops, as a run like any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flexarm.analyses.plant.closed_loop import ClosedLoop, check_samples
from flexarm.analyses.plant.controller import Controller, bound_to
from flexarm.analyses.run.integrate import Progress, sample_times, settings_of
from flexarm.analyses.run.one_run import thinned
from flexarm.analyses.run.prepare import as_trajectory, check_size
from flexarm.analyses.sensors.measured import check_sensors, refined
from flexarm.assembly import compile_arm
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.parts.simulation import given_settings
from flexarm.results import Trajectory


def controlled(
    arm: Arm,
    controllers: Sequence[Controller],
    settings: Mapping[str, Any],
    *,
    check: bool = False,
    progress: Progress | None = None,
) -> Trajectory:
    """The arm's motion with controllers in its loops; see `simulate`."""
    given = arm.changed(simulation=arm.simulation.changed(**given_settings(settings)))
    wanted = given.simulation
    if wanted.analysis != "nonlinear" or wanted.stepper != "esdirk4":
        raise AnalysisError(
            f'controllers run with analysis "nonlinear" and stepper "esdirk4" alone, not with "{wanted.analysis}" and '
            f'"{wanted.stepper}"'
        )
    stepping = settings_of(wanted)
    loops = bound_to(given, controllers)
    check_samples(loops, stepping.end)
    interval = wanted.output_interval or stepping.end / 1000
    times, every = refined(given, sample_times(stepping.end, interval))
    loop = ClosedLoop(given, loops, wanted.tolerance, times)
    check_size(loop.stepper.compiled, stepping.end, interval)
    run, state = loop.run(wanted.start, stepping.end, progress)
    compiled = compile_arm(loop.replayed())
    check_sensors(compiled)
    return as_trajectory(compiled, thinned(run, every), stepping, state, None, None, check)
