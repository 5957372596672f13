"""How does the arm move and bend under its command?"""

from __future__ import annotations

import warnings
from typing import Any, Unpack

from flexarm.analyses.centreline import centre_line
from flexarm.analyses.drives import saturated_share, torques_of
from flexarm.analyses.run.end_of_command import last_change
from flexarm.analyses.run.error_estimate import tip_error
from flexarm.analyses.run.first_order import quasi_static, two_sided
from flexarm.analyses.run.integrate import Progress, Run, Settings, integrate, sample_times, settings_of
from flexarm.analyses.run.one_run import begin
from flexarm.analyses.run.record import recorded
from flexarm.analyses.run.trust import other_analyses, out_of_range, twin_differences
from flexarm.analyses.servo import servo_summary, with_tuning
from flexarm.analyses.servo_tuning import Tuning
from flexarm.analyses.versions import versions
from flexarm.assembly import CompiledArm
from flexarm.assembly.loaded_shapes import shape_remarks
from flexarm.errors import AnalysisError, StoppedEarly
from flexarm.model import Arm, part_to_dict
from flexarm.model.extent import tip_remarks
from flexarm.model.parts.simulation import SimulationSettings, given_settings, takes_settings
from flexarm.model.reading.given import takes_arm
from flexarm.results import Trajectory
from flexarm.results.beam_models import beams_of

# A run is held in memory: numbers it may have in all (about 4 GB with everything derived from them).
MOST_NUMBERS = 5e7


@takes_arm
@takes_settings
def simulate(
    arm: Arm,
    *,
    check: bool = False,
    progress: Progress | None = None,
    **settings: Unpack[SimulationSettings],
) -> Trajectory:
    """The arm's motion under its command: positions, deflections, torques and energies over time, in SI units.

    Every option overrides the setting of the same name in the model file; quantities are numbers in SI units or texts
    with a unit.

    Parameters
    ----------
    arm
        An arm, or the path of its model file.
    end
        End of the run (s).
    start
        Initial state: "rest" (undeformed), "static" (in equilibrium at rest), "steady" (in equilibrium at the commanded
        rates), or a mapping of coordinate names to values (rad, m) and of "NAME.rate" to rates, the others being zero.
    stepper
        "esdirk4" (the default), "newmark" or "alpha".
    tolerance
        Displacement error (m) that step control keeps.
    step
        Fixed step (s) instead of step control.
    spectral_radius
        Of the stepper "alpha" at infinite frequency, between 0 and 1.
    output
        Interval (s) between samples.
    max_steps
        The run stops early after this many steps.
    settling_tolerance
        Distance (m) to which the settling time of the tip is reported, in addition to 1 mm and 0.1 mm.
    analysis
        "nonlinear", "linear" (to first order along the rigid motion) or "quasi-static".
    check
        Also runs a twin with twice the elements, half the step and all freedoms, and the other analyses, and reports
        the differences.
    progress
        Called with the time reached (s) and the end.

    Returns
    -------
    Trajectory
        The run. One that fails returns what it reached, with the warning `flexarm.StoppedEarly`, which gives when, why
        and what to try; see `.complete` and `.failure`.

    Examples
    --------
    >>> import flexarm as fa
    >>> run = fa.simulate("rod_handler.toml", end="0.2 s")
    >>> run.complete, f"{run.time[-1]:.1f} s"
    (True, '0.2 s')
    """
    chosen = given_settings(settings)
    if chosen:
        arm = arm.changed(simulation=arm.simulation.changed(**chosen))
    wanted = arm.simulation
    stepping = settings_of(wanted)
    interval = wanted.output_interval or stepping.end / 1000
    arm, tuning = with_tuning(arm)
    line = centre_line(arm)
    compiled = line.arm
    _check_size(compiled, stepping.end, interval)
    times = sample_times(stepping.end, interval)
    if wanted.analysis == "quasi-static":
        run = quasi_static(compiled, two_sided(compiled, times))
    else:
        state, tree = begin(compiled, times, wanted.analysis)
        run = integrate(compiled, state, stepping, times, progress, tree=tree)
    info = _info(arm, compiled, stepping, run) | _servo_info(arm, compiled, run, tuning)
    info["warnings"] = [*tip_remarks(arm), *shape_remarks(arm), *out_of_range(compiled, run)]
    info["beams"] = beams_of(arm)
    if run.ok:
        if wanted.analysis != "quasi-static":
            estimate = tip_error(compiled, stepping, run, state, wanted.analysis, tree)
            info["tip_error"], info["tip_error_remark"] = estimate.error, estimate.remark
        if check:
            info["check"] = twin_differences(arm, stepping, compiled, run, wanted.analysis)
            info["beside"] = other_analyses(arm, stepping, compiled, run, wanted.analysis)
    found = recorded(arm, compiled, run, stepping, info, wanted.analysis, line)
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
