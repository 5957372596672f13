"""An arm made ready to be run again and again."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Unpack, final

from flexarm.analyses.contacts import refuse_any_meeting, refuse_overstepped_stops
from flexarm.analyses.drives import saturated_share, torques_of
from flexarm.analyses.equilibrium import State
from flexarm.analyses.run.end_of_command import last_change
from flexarm.analyses.run.error_estimate import tip_error
from flexarm.analyses.run.first_order import quasi_static, two_sided
from flexarm.analyses.run.integrate import Progress, Run, Settings, integrate, sample_times, settings_of
from flexarm.analyses.run.one_run import begin, thinned
from flexarm.analyses.run.record import recorded
from flexarm.analyses.run.trust import other_analyses, out_of_range, twin_differences
from flexarm.analyses.sensors.measured import check_sensors, refined
from flexarm.analyses.servo import servo_summary, with_tuning
from flexarm.analyses.servo_tuning import Tuning
from flexarm.analyses.versions import versions
from flexarm.assembly import CompiledArm, compile_arm, refuse_closures, with_settings
from flexarm.assembly.loaded_shapes import shape_remarks
from flexarm.core.tree.types import LinearTree, Tree
from flexarm.errors import AnalysisError, StoppedEarly
from flexarm.model import Arm, part_to_dict
from flexarm.model.extent import tip_remarks
from flexarm.model.parts.simulation import SimulationSettings, given_settings, takes_settings
from flexarm.model.reading.given import takes_arm
from flexarm.results import Trajectory
from flexarm.results.beam_models import beams_of
from flexarm.results.derived import Group

# A run is held in memory: numbers it may have in all (about 4 GB with everything derived from them).
MOST_NUMBERS = 5e7


@takes_arm
def prepare(arm: Arm) -> PreparedArm:
    """The arm compiled, its servos tuned, ready to be run with one set of options after the other.

    `simulate` prepares the arm it is given and runs it once. Whoever runs one arm many times, with other tolerances,
    ends or starts, keeps it prepared and saves that part of every call.

    Parameters
    ----------
    arm
        An arm, or the path of its model file.

    Returns
    -------
    PreparedArm
        The arm, with `.run(…)`.

    Examples
    --------
    >>> import flexarm as fa
    >>> ready = fa.prepare("rod_handler.toml")
    >>> [f"{ready.run(end=end).time[-1]:.1f} s" for end in ("0.1 s", "0.2 s")]
    ['0.1 s', '0.2 s']
    """
    tuned, tuning = with_tuning(arm)
    return PreparedArm(tuned, arm, tuning, compile_arm(tuned, closed=True))


@final
@dataclass(frozen=True, eq=False)
class PreparedArm:
    """An arm made ready to be run again and again by `prepare`; `arm` has its servos tuned."""

    arm: Arm
    _given: Arm
    _tuning: Tuning | None
    _compiled: CompiledArm

    def __repr__(self) -> str:
        return f"<PreparedArm {self.arm.name!r}: {len(self._compiled.coordinate_names)} coordinates>"

    @takes_settings
    def run(
        self, *, check: bool = False, progress: Progress | None = None, **settings: Unpack[SimulationSettings]
    ) -> Trajectory:
        """The arm's motion under its command: what `simulate` returns, with the same options.

        Options override the settings of the model file for this run alone.
        """
        found = self.followed(settings, check=check, progress=progress)
        if found.failure is not None:
            warnings.warn(StoppedEarly(found.failure), stacklevel=2)
        return found

    def followed(self, settings: Mapping[str, Any], *, check: bool, progress: Progress | None) -> Trajectory:
        """The same, and no warning where the run stops early."""
        chosen = given_settings(settings)
        if self.arm.controllers:
            from flexarm.analyses.plant.controlled import controlled
            from flexarm.analyses.plant.from_model import controllers_of

            arm = self._given
            return controlled(arm, controllers_of(arm), chosen, check=check, progress=progress)
        if self._tuning is not None and "end" in chosen:
            # servos are tuned for a command without an end as far as it is run
            again = self._given.changed(simulation=self._given.simulation.changed(**chosen))
            return prepare(again).followed({}, check=check, progress=progress)
        compiled = with_settings(self._compiled, chosen)
        refuse_overstepped_stops(compiled)
        arm = compiled.arm
        wanted = arm.simulation
        if compiled.closures is not None:
            refuse_any_meeting(arm, "with supports, loops or springs between points", "they take smooth joints alone")
            if wanted.analysis != "nonlinear":
                refuse_closures(arm, f'analysis = "{wanted.analysis}"')
            if wanted.stepper != "esdirk4":
                refuse_closures(arm, f'stepper = "{wanted.stepper}"')
        stepping = settings_of(wanted)
        interval = wanted.output_interval or stepping.end / 1000
        check_sensors(compiled)
        times = sample_times(stepping.end, interval)
        check_size(compiled, stepping.end, interval)
        state, tree = None, None
        if wanted.analysis == "quasi-static":
            run = quasi_static(compiled, two_sided(compiled, times))
        else:
            state, tree = begin(compiled, times, wanted.analysis)
            samples, every = refined(arm, times)
            check_size(compiled, stepping.end, interval / every)
            run = thinned(integrate(compiled, state, stepping, samples, progress, tree=tree), every)
        return as_trajectory(compiled, run, stepping, state, tree, self._tuning, check)


def check_size(compiled: CompiledArm, end: float, interval: float) -> None:
    """Refuse a sampling interval whose samples would not fit into memory."""
    columns = len(compiled.coordinate_names) + 3 * len(compiled.point_names)
    if end / interval * columns > MOST_NUMBERS:
        raise AnalysisError(
            f"simulation.output is {interval:.3g} s, which makes {end / interval:.3g} samples of {columns} numbers, "
            f"must be ≥ {end * columns / MOST_NUMBERS:.3g} s"
        )


def as_trajectory(
    compiled: CompiledArm,
    run: Run,
    settings: Settings,
    start: State | None,
    tree: Tree | LinearTree | None,
    tuning: Tuning | None,
    check: bool,
    commanded: CompiledArm | None = None,
) -> Trajectory:
    """The run with its info, of which all that takes time is derived when it is asked for.

    `commanded`: the arm whose commands lead to the targets, where controllers give the torques of this one.
    """
    arm = compiled.arm
    analysis = arm.simulation.analysis
    aim = commanded or compiled
    info = _info(arm, settings, run)
    if run.ok and check:
        info["check"] = twin_differences(arm, settings, compiled, run, analysis)
        info["beside"] = other_analyses(arm, settings, compiled, run, analysis)
    more: list[Group[Any]] = [
        Group(
            ("last_switch",),
            lambda: {"last_switch": last_change(aim.arm, aim.commands.switches, settings.end)},
        ),
        Group(("versions",), lambda: {"versions": versions()}),
        Group(("options",), lambda: {"options": part_to_dict(arm.simulation)}),
        Group(("servo_gains", "servos", "servo_tuning"), lambda: _servo_info(arm, compiled, run, tuning)),
        Group(("beams",), lambda: {"beams": beams_of(arm)}),
    ]
    estimate = None
    if run.ok and start is not None:
        estimate = partial(tip_error, compiled, settings, run, start, analysis, tree)
    return recorded(
        arm,
        compiled,
        run,
        settings,
        info,
        analysis,
        more=more,
        remarks=lambda: [*tip_remarks(arm), *shape_remarks(arm), *out_of_range(compiled, run)],
        error=estimate,
        commanded=commanded,
    )


def _info(arm: Arm, settings: Settings, run: Run) -> dict[str, Any]:
    simulation = arm.simulation
    stepped = simulation.analysis != "quasi-static"
    return {
        "name": arm.name,
        "status": run.status,
        "message": run.message or None,
        "advice": run.advice or None,
        "reached": run.reached,
        "end": settings.end,
        "analysis": simulation.analysis,
        "stepper": settings.stepper if stepped else None,
        "step": settings.step if stepped else None,
        "tolerance": settings.tolerance if stepped else None,
        "steps": run.steps if stepped else None,
        "rejected": run.rejected if stepped else None,
        "iterations": run.sweeps if stepped else None,
        "cpu_seconds": run.cpu_seconds,
        "real_time_factor": run.reached / run.cpu_seconds if run.cpu_seconds > 0.0 else None,
        "settling_tolerance": simulation.settling_tolerance,
    }


def _servo_info(arm: Arm, compiled: CompiledArm, run: Run, tuning: Tuning | None) -> dict[str, Any]:
    """The servos: their loops, why they were tuned so, and how long their torques were on their limits."""
    facts = servo_summary(arm, tuning)
    if any(each["torque_limit"] is not None for each in facts.values()):
        torque = torques_of(compiled, run.times, run.q, run.v, run.x)
        for name, share in saturated_share(compiled, run.times, torque).items():
            facts[name]["on_limit"] = share
    return {
        "servo_gains": {name: [each["kp"], each["kv"]] for name, each in facts.items()},
        "servos": facts,
        "servo_tuning": None if tuning is None else tuning.reason(),
    }
