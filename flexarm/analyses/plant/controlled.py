"""A simulation with sampled controllers in its loops, as a run like any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from flexarm.analyses.equilibrium import State
from flexarm.analyses.plant.closed_loop import ClosedLoop, check_samples
from flexarm.analyses.plant.controller import Controller, bound_to
from flexarm.analyses.plant.from_model import controllers_of
from flexarm.analyses.run.integrate import Progress, Run, sample_times, settings_of
from flexarm.analyses.run.one_run import thinned
from flexarm.analyses.run.prepare import as_trajectory, check_size
from flexarm.analyses.sensors.measured import check_sensors, refined
from flexarm.analyses.signals.observed import OneObserved
from flexarm.assembly import CompiledArm, compile_arm
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.parts.simulation import given_settings
from flexarm.results import Trajectory


class ControlledRun(NamedTuple):
    """A run with controllers: the arm with the torques they gave as laws of time, and on its command alone."""

    run: Run
    start: State
    replayed: CompiledArm
    commanded: CompiledArm

    @property
    def observed(self) -> OneObserved:
        """The signals of the run; targets are where the commands of the controlled joints end."""
        return OneObserved(self.replayed, self.run, "nonlinear", self.commanded)


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
    stepping = settings_of(given.simulation)
    interval = given.simulation.output_interval or stepping.end / 1000
    times, every = refined(given, sample_times(stepping.end, interval))
    found = follow_controlled(given, controllers, times, interval=interval, progress=progress)
    check_sensors(found.replayed)
    run = thinned(found.run, every)
    return as_trajectory(found.replayed, run, stepping, found.start, None, None, check, found.commanded)


def follow_controlled(
    arm: Arm,
    controllers: Sequence[Controller],
    times: Floats,
    *,
    interval: float | None = None,
    progress: Progress | None = None,
) -> ControlledRun:
    """The run of an arm with its controllers, sampled at these times (s)."""
    wanted = arm.simulation
    if wanted.analysis != "nonlinear" or wanted.stepper != "esdirk4":
        raise AnalysisError(
            f'controllers run with analysis "nonlinear" and stepper "esdirk4" alone, not with "{wanted.analysis}" and '
            f'"{wanted.stepper}"'
        )
    stepping = settings_of(wanted)
    loops = bound_to(arm, controllers)
    check_samples(loops, stepping.end)
    loop = ClosedLoop(arm, loops, wanted.tolerance, times, stepping.end)
    if interval is not None:
        check_size(loop.stepper.compiled, stepping.end, interval)
    run, state = loop.run(wanted.start, progress)
    commanded = compile_arm(on_command(arm, loop.links))
    return ControlledRun(run, state, compile_arm(loop.replayed()), commanded)


def sample_controlled(arm: Arm, times: Floats, known: Arm) -> ControlledRun:
    """The run of one arm of a study: its controllers are designed for the arm that is `known`."""
    return follow_controlled(arm, controllers_of(arm, known), times)


def on_command(arm: Arm, links: Sequence[str]) -> Arm:
    """The arm with the controlled joints exactly on their commands; where there is none, held where they start."""
    changed = []
    for link in arm.links:
        if link.name in links:
            off: dict[str, Any] = {"servo": None, "torque": None, "free": False}
            moved = link.joint.motion is not None
            link = link.changed(joint=link.joint.changed(**off, **({} if moved else {"locked": True})))
        changed.append(link)
    return arm.changed(links=tuple(changed), controllers=())
