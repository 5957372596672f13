"""The arm under its unshaped and its recommended command: runs to look at."""

from __future__ import annotations

from flexarm.analyses.run.initial_state import initial_state
from flexarm.analyses.run.integrate import integrate, sample_times, settings_of
from flexarm.analyses.run.record import recorded
from flexarm.assembly import compile_arm
from flexarm.model import Arm
from flexarm.results import ShapeStudy, Trajectory

# Samples of a run: so many of each period of the fastest mode shaped for, and at least and at most so many in all.
_PER_PERIOD, _FEWEST, _MOST = 40, 600, 4000


def shape_motions(study: ShapeStudy) -> dict[str, Trajectory]:
    """The run of the first command and that of the recommended one, if there is one; none without their arms."""
    names = [study.rows[0].name, *([study.best.name] if study.best is not None else [])]
    arms = {name: study.arms[name] for name in dict.fromkeys(names) if name in study.arms}
    if not arms:
        return {}
    # all as long as the longest, so that they can be seen side by side
    end = max(arm.simulation.end or 0.0 for arm in arms.values())
    fastest = max((mode.frequency_hz for mode in study.modes if mode.shaped), default=1.0)
    samples = min(max(int(_PER_PERIOD * end * fastest), _FEWEST), _MOST)
    found = {}
    for name, arm in arms.items():
        if (run := _run(study, name, arm, end, samples)) is not None:
            found[name] = run
    return found


def _run(study: ShapeStudy, name: str, arm: Arm, end: float, samples: int) -> Trajectory | None:
    """The run under one command; None if it does not reach its end."""
    simulation = arm.simulation
    # the residual of a good command must not drown in the error of the run
    least = min((row.residual for row in study.rows if row.residual), default=simulation.tolerance)
    tolerance = max(min(simulation.tolerance, 1e-2 * least), 1e-10)
    arm = arm.changed(simulation=simulation.changed(end=end, step=None, stepper="esdirk4", tolerance=tolerance))
    compiled = compile_arm(arm)
    times = sample_times(end, end / samples)
    settings = settings_of(arm.simulation)
    run = integrate(compiled, initial_state(compiled, arm.simulation.start), settings, times)
    if not run.ok:
        return None
    stop = max(float(law.break_times[-1]) for joint in study.joints if (law := arm.motion_of(joint)) is not None)
    return recorded(arm, compiled, run, settings, {"name": arm.name, "last_switch": stop, "end": end}, "nonlinear")
