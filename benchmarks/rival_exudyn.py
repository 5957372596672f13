"""Exudyn: settings and the timed solver loop of the planar case, in the two forms that proved fastest.

Explicit integrators are not offered: the damped springs hold them to more than 12 000 steps at ten elements (several
times the CPU time of the implicit ones) and put them out of reach at fifty and two hundred.
"""

from collections.abc import Callable
from functools import partial

import exudyn as exu
import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from benchmarks.candidate import Candidate
from benchmarks.exudyn_models import RodOfBodies, RodTree, Stage
from benchmarks.planar_case import SAMPLE_TIMES, PlanarCase
from benchmarks.timing import cpu_seconds

Solver = exu.MainSolverImplicitSecondOrder
Model = RodTree | RodOfBodies
Build = Callable[[], Model]

NAME = "Exudyn"
VERSION = exu.config.Version()

# Second-order methods: the error falls with the square of the step, and steps around 0.6 ms meet 1e-5 m.
TREE_STEPS = (3400,)
BODY_STEPS = (2000, 2200, 2400, 2800)
LARGEST_TREE = 50  # its dense mass matrix costs the square of the links: at two hundred it takes four times longer


def planar_candidates(case: PlanarCase) -> list[Candidate]:
    """Both forms at step counts around the fewest that meet the error."""
    out = []
    if case.elements <= LARGEST_TREE:
        for steps in TREE_STEPS:
            words = f"kinematic tree in the moving frame, generalised-α 0.9, modified Newton, {steps} steps"
            out.append(_candidate(partial(RodTree, case, steps), words))
    for steps in BODY_STEPS:
        words = f"plane bodies and joints, sparse, generalised-α 0.9, modified Newton, {steps} steps"
        out.append(_candidate(partial(RodOfBodies, case, steps), words))
    return out


def _candidate(build: Build, words: str) -> Candidate:
    return Candidate(settings=words, seconds=partial(_seconds, build), tip=partial(_tip, build))


def _seconds(build: Build) -> float:
    """CPU time of the solver loop alone (s): assembly and initialisation left out."""
    model = build()
    total = 0.0
    for stage in model.stages:
        solver, settings = _started(model, stage, recording=False)
        total += cpu_seconds(partial(_solve, solver, model, settings))
        _finished(solver, model, settings)
    return total


def _tip(build: Build) -> NDArray[np.float64]:
    """Tip positions (m) at the sample times, by a spline through every step."""
    model = build()
    rows = []
    for stage in model.stages:
        solver, settings = _started(model, stage, recording=True)
        _solve(solver, model, settings)
        _finished(solver, model, settings)
        rows.append(np.array(model.system.GetSensorStoredData(model.sensor))[:, :3])
    path = np.vstack(rows)
    path = path[np.append(True, np.diff(path[:, 0]) > 1e-9)]  # a restart records its first instant again
    path[:, 1:] += model.origin(path[:, 0])
    return CubicSpline(path[:, 0], path[:, 1:])(SAMPLE_TIMES)


def _started(model: Model, stage: Stage, *, recording: bool) -> tuple[Solver, exu.SimulationSettings]:
    settings = exu.SimulationSettings()
    settings.solution.file.write = False
    settings.solution.solverInformationFileName = ""
    settings.solution.sensors.active = recording
    settings.solution.sensors.writePeriod = 1e-9  # every step
    settings.displayComputationTime = settings.displayStatistics = settings.displayGlobalTimers = False
    settings.parallel.numberOfThreads = 1
    settings.linearSolver.solverType = model.linear_solver
    settings.linearSolver.reuseAnalyzedPattern = True

    time = settings.timeIntegration
    time.verboseMode = time.verboseModeFile = time.stepInformation = 0
    time.adaptiveStep = False
    time.startTime, time.endTime, time.numberOfSteps = stage.begin, stage.end, stage.steps
    time.generalizedAlpha.spectralRadius = 0.9
    time.newton.useModifiedNewton = True
    time.newton.modifiedNewtonJacUpdatePerStep = False
    time.newton.relativeTolerance = model.newton_tolerance

    model.enter(stage)
    solver = Solver()
    solver.InitializeSolver(model.system, settings)
    return solver, settings


def _solve(solver: Solver, model: Model, settings: exu.SimulationSettings) -> None:
    if not solver.SolveSteps(model.system, settings):
        raise RuntimeError(f"Exudyn stopped at t = {solver.it.currentTime} s")


def _finished(solver: Solver, model: Model, settings: exu.SimulationSettings) -> None:
    """End the run and make its last state the next one's first."""
    solver.FinalizeSolver(model.system, settings)
    data = model.system.systemData
    data.SetODE2Coordinates(data.GetODE2Coordinates(), exu.ConfigurationType.Initial)
    data.SetODE2Coordinates_t(data.GetODE2Coordinates_t(), exu.ConfigurationType.Initial)
