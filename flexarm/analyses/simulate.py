"""How does the arm move and bend under its command?"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from flexarm.analyses.course import begin
from flexarm.analyses.drives import saturated_share, torques_of
from flexarm.analyses.estimate import tip_error
from flexarm.analyses.first_order import quasi_static, two_sided
from flexarm.analyses.integrate import Progress, Run, Settings, integrate, sample_times, settings_of
from flexarm.analyses.recorded import recorded
from flexarm.analyses.rest import last_change
from flexarm.analyses.servo import servo_facts, with_tuning
from flexarm.analyses.servo_tuning import Tuning
from flexarm.analyses.trust import other_analyses, out_of_range, twin_differences
from flexarm.analyses.versions import versions
from flexarm.compiled import CompiledArm, compile_arm
from flexarm.compiled.loaded_shapes import shape_remarks
from flexarm.errors import AnalysisError, StoppedEarly
from flexarm.model import Arm, part_to_dict
from flexarm.model.extent import tip_remarks
from flexarm.model.given import takes_arm
from flexarm.results import Trajectory
from flexarm.results.beam_models import beams_of

# A run is held in memory: numbers it may have in all (about 4 GB with everything derived from them).
MOST_NUMBERS = 5e7


@takes_arm
def simulate(
    arm: Arm,
    *,
    end: float | str | None = None,
    start: str | Mapping[str, float | str] | None = None,
    stepper: str | None = None,
    tolerance: float | str | None = None,
    step: float | str | None = None,
    spectral_radius: float | None = None,
    output: float | str | None = None,
    max_steps: int | None = None,
    settling_tolerance: float | str | None = None,
    analysis: str | None = None,
    check: bool = False,
    progress: Progress | None = None,
) -> Trajectory:
    """The arm's motion under its command, SI; options override those of the model file and may be texts with a unit.

    `start` is "rest", "static", "steady", or a mapping of coordinate names to values (rad, m) and "NAME.rate" to rates,
    the others zero. `analysis` is "nonlinear", "linear" (to first order along the rigid motion) or "quasi-static".
    `settling_tolerance` (m) is a distance to which the settling time of the tip is reported, beside 1 and 0.1 mm.
    `check` also runs a twin with twice the elements, half the step and all freedoms, and the other analyses, and
    reports the differences. A run that fails returns what it reached, with the warning `flexarm.StoppedEarly` that says
    when, why and what to try: see `.complete` and `.failure`.
    """
    given = {
        "end": end,
        "stepper": stepper,
        "tolerance": tolerance,
        "step": step,
        "spectral_radius": spectral_radius,
        "output": output,
        "max_steps": max_steps,
        "settling_tolerance": settling_tolerance,
        "start": start,
        "analysis": analysis,
    }
    chosen = {key: value for key, value in given.items() if value is not None}
    if chosen:
        arm = arm.changed(simulation=arm.simulation.changed(**chosen))
    wanted = arm.simulation
    settings = settings_of(wanted)
    interval = wanted.output_interval or settings.end / 1000
    arm, tuning = with_tuning(arm)
    compiled = compile_arm(arm)
    _check_size(compiled, settings.end, interval)
    times = sample_times(settings.end, interval)
    if wanted.analysis == "quasi-static":
        run = quasi_static(compiled, two_sided(compiled, times))
    else:
        state, tree = begin(compiled, times, wanted.analysis)
        run = integrate(compiled, state, settings, times, progress, tree=tree)
    info = _info(arm, compiled, settings, run) | _servo_info(arm, compiled, run, tuning)
    info["warnings"] = [*tip_remarks(arm), *shape_remarks(arm), *out_of_range(compiled, run)]
    info["beams"] = beams_of(arm)
    if run.ok:
        if wanted.analysis != "quasi-static":
            estimate = tip_error(compiled, settings, run, state, wanted.analysis, tree)
            info["tip_error"], info["tip_error_remark"] = estimate.error, estimate.remark
        if check:
            info["check"] = twin_differences(arm, settings, compiled, run, wanted.analysis)
            info["beside"] = other_analyses(arm, settings, compiled, run, wanted.analysis)
    found = recorded(arm, compiled, run, settings, info, wanted.analysis)
    if found.failure is not None:
        # two levels up: whoever called the verb, which takes paths of files too
        warnings.warn(StoppedEarly(found.failure), stacklevel=3)
    return found


def _check_size(compiled: CompiledArm, end: float, interval: float) -> None:
    """Refuse a sampling interval whose samples would not fit into memory."""
    columns = len(compiled.coordinate_names) + 3 * len(compiled.point_names)
    if end / interval * columns > MOST_NUMBERS:
        raise AnalysisError(
            f"simulation.output is {interval:.3g} s, which makes {end / interval:.3g} samples of {columns} numbers, "
            f"must be ≥ {end * columns / MOST_NUMBERS:.3g} s"
        )


def _info(arm: Arm, compiled: CompiledArm, settings: Settings, run: Run) -> dict[str, Any]:
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
        "last_switch": last_change(arm, compiled.commands.switches, settings.end),
        "settling_tolerance": simulation.settling_tolerance,
        "versions": versions(),
        "options": part_to_dict(simulation),
    }


def _servo_info(arm: Arm, compiled: CompiledArm, run: Run, tuning: Tuning | None) -> dict[str, Any]:
    """The servos: their loops, why they were tuned so, and how long their torques were on their limits."""
    facts = servo_facts(arm, tuning)
    if any(each["torque_limit"] is not None for each in facts.values()):
        torque = torques_of(compiled, run.times, run.q, run.v, run.x)
        for name, share in saturated_share(compiled, run.times, torque).items():
            facts[name]["on_limit"] = share
    return {
        "servo_gains": {name: [each["kp"], each["kv"]] for name, each in facts.items()},
        "servos": facts,
        "servo_tuning": None if tuning is None else tuning.reason(),
    }
