"""The arm braked as its model has it and as is best: two runs to look at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flexarm.analyses.brake.laws import stops_of
from flexarm.analyses.brake.runs import BrakeRuns
from flexarm.analyses.brake.search import LATE
from flexarm.analyses.brake.stop import motion_at_stop
from flexarm.analyses.run.initial_state import initial_state
from flexarm.analyses.run.integrate import integrate
from flexarm.analyses.run.record import recorded
from flexarm.core.tree.types import Floats
from flexarm.model import Arm
from flexarm.results import Trajectory
from flexarm.results.braking import BrakeStudy

# Samples of a run: per period of the slowest mode, and the least and the most in all.
_PER_PERIOD, _FEWEST, _MOST = 60, 600, 4000
# Periods of the slowest mode after the stop, where the study looks at the state there alone.
_PERIODS = 3.0


def brake_motions(study: BrakeStudy) -> dict[str, Trajectory]:
    """The runs with the model's braking time and with the best one, if there is one; none without the arm."""
    if study.arm is None:
        return {}
    stops = stops_of(study.arm, study.joints)
    between = float(study.times[0]), float(study.times[-1])
    runs = BrakeRuns(study.arm, stops, study.hold, between, tolerance=study.tolerance)
    given = np.array([stop.duration for stop in stops])
    wanted = {f"as in the model, {study.given.time:.4g} s": given}
    if study.best is not None:
        wanted[f"best, {study.best.time:.4f} s"] = np.full(len(stops), study.best.time)
    compiled = runs.commanded(given)
    period = motion_at_stop(compiled, stops, runs.last_stop(given) + LATE).period
    window = _PERIODS * period if study.window is None else study.window
    # both as long as the longer, so that they can be compared
    end = max(runs.last_stop(times) for times in wanted.values()) + window
    samples = np.linspace(0.0, end, int(np.clip(_PER_PERIOD * end / period, _FEWEST, _MOST)) + 1)
    found = {name: _run(study.arm, runs, times, samples) for name, times in wanted.items()}
    return {name: run for name, run in found.items() if run is not None}


def _run(arm: Arm, runs: BrakeRuns, times: Floats, samples: Floats) -> Trajectory | None:
    """The run with these braking times; None if it does not reach its end."""
    compiled = runs.commanded(times)
    settings = replace(runs.settings, end=float(samples[-1]))
    run = integrate(compiled, initial_state(compiled, arm.simulation.start), settings, samples)
    if not run.ok:
        return None
    info = {"name": arm.name, "last_switch": runs.last_stop(times), "end": float(samples[-1])}
    return recorded(arm, compiled, run, settings, info, "nonlinear")
