"""Exudyn's timed solver loop: a model in, CPU seconds or the path of its tip out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import exudyn as exu
import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from benchmarks.candidate import Candidate
from benchmarks.timing import cpu_seconds

Solver = exu.MainSolverImplicitSecondOrder
Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Stage:
    """A stretch of time (s) solved in equal steps."""

    begin: float
    end: float
    steps: int


class Model(Protocol):
    """An assembled system with a sensor at its tip and what its solver is told.

    Newton's iteration ends when the residual falls below `newton_tolerance` of its first value or below `newton_floor`.
    """

    system: exu.MainSystem
    sensor: exu.SensorIndex
    stages: Sequence[Stage]
    linear_solver: exu.LinearSolverType
    newton_tolerance: float
    newton_floor: float

    def enter(self, stage: Stage) -> None:
        """Whatever has to be told to the model before a stage."""

    def origin(self, times: Vector) -> NDArray[np.float64]:
        """Positions (m) of the frame the tip is recorded in, one row per time."""

    def heading(self, times: Vector) -> Vector:
        """Angles (rad) of a frame in which the tip moves little: there its path between the steps is smoothest."""


Build = Callable[[], Model]


def candidate(build: Build, words: str, times: Vector, *, repeats: int = 1, finer: Sequence[Build] = ()) -> Candidate:
    """A candidate whose model is built anew for every run; its tip is seen at the times given (s).

    The time is the least of so many runs in a row: one of a few milliseconds would find cold caches.
    """
    return Candidate(
        settings=words,
        seconds=lambda: min(_seconds(build) for _ in range(repeats)),
        tip=partial(_tip, build, times),
        finer=tuple(partial(_tip, each, times) for each in finer),
    )


def _seconds(build: Build) -> float:
    """CPU time of the solver loop alone (s): assembly and initialisation left out."""
    model = build()
    total = 0.0
    for stage in model.stages:
        solver, settings = _started(model, stage, recording=False)
        total += cpu_seconds(partial(_solve, solver, model, settings))
        _finished(solver, model, settings)
    return total


def _tip(build: Build, times: Vector) -> NDArray[np.float64]:
    """Tip positions (m) at the times, by a spline through every step in the frame that turns with the heading."""
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
    turned = (path[:, 1] + 1j * path[:, 2]) * np.exp(-1j * model.heading(path[:, 0]))
    tip = CubicSpline(path[:, 0], turned)(times) * np.exp(1j * model.heading(times))
    return np.column_stack((tip.real, tip.imag))


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
    time.newton.absoluteTolerance = model.newton_floor

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
