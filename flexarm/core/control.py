"""What a stepper is told and what it keeps: settings, running state, buffers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .dynamics import new_work
from .types import S_D, S_DRIVEN, S_K, S_LEVER, S_RATE_GAIN, Floats, Ints, LinearTree, Tree

# Rows of Memory.state
Q, V, A, S, A_BEFORE = 0, 1, 2, 3, 4
# … of drives, on the coordinates that have one: integrator, its rate, and −1, 1 on the limit of its torque, else 0
X, X_RATE, MODE, STATES = 5, 6, 7, 8
# Entries of Memory.number
TIME, STEP, ERROR_BEFORE, THETA, DRIVE_WORK, LOAD_WORK, DISSIPATED = 0, 1, 2, 3, 4, 5, 6
POWER_DRIVE, POWER_LOAD, POWER_LOSS, STEP_BEFORE = 7, 8, 9, 10
MOST_WORK, ERROR_SUM = 11, 12  # greatest work of drives, of loads or lost so far (J); errors of all steps (m)
NEW_POWER_DRIVE, NEW_POWER_LOAD, NEW_POWER_LOSS = 13, 14, 15  # at the end of the step just taken
# On the way to the limit of a drive (see limits): step to try, step that leads beyond, excess at the start and after
# it, tries, the side replaced last; excess at the start and at the end of the step, greatest excess of its stages
TRY, FAR, EXCESS_NEAR, EXCESS_FAR, TRIES, SIDE, EXCESS, EXCESS_NEW, EXCESS_WITHIN, NUMBERS = range(16, 26)
# Entries of Memory.counter
STEPS, REJECTED, PASSES, NEXT_OUTPUT, NEXT_SWITCH, RESTART, LAST_STATUS = 0, 1, 2, 3, 4, 5, 6
# Rows of Memory.buffer: stage accelerations (six) and rates (six), q, v at the iterate, q*, v*, accelerations, τ,
# forces of driven
# coordinates, new algorithmic acceleration, order of the error (one entry), scratch, levers of the free coordinates,
# dampers
X0, V0, QI, VI, QP, VP, AI, TAU, DRIVE, S_NEW, ERROR_ORDER = 0, 6, 12, 13, 14, 15, 16, 17, 18, 19, 20
KEPT, WEIGHT, LOSS, LANE_BUFFERS = 21, 22, 23, 24
# … of drives: rates of the integrators in the stages (six), their predictor and their value at the end of a stage,
# springs and dampers of the joints outside a step
X_RATE0, XP, XI, SPRING, DAMPER, BUFFERS = 24, 30, 31, 32, 33, 34


class Esdirk4(NamedTuple):
    """Settings of ESDIRK4; times in s."""

    t_end: float
    step_error: float  # displacement error allowed in one step (m)
    step: float  # fixed step (s), 0 for adaptive
    least_step: float
    greatest_step: float
    iteration_tolerance: float  # part of the allowed error left to the iteration
    most_iterations: int
    most_steps: int
    reach: float  # size of the arm (m), for what counts as nothing


class Alpha(NamedTuple):
    """Settings of the generalised-α family, (20) of NOTATION; the first nine as in Esdirk4."""

    t_end: float
    step_error: float
    step: float
    least_step: float
    greatest_step: float
    iteration_tolerance: float  # part of the first iteration's work
    most_iterations: int
    most_steps: int
    reach: float
    alpha_m: float
    alpha_f: float
    beta: float
    gamma: float
    error_time: float  # a step may err by step_error for every so many seconds it takes; 0: each by step_error


Control = Esdirk4 | Alpha


class Memory(NamedTuple):
    """Everything a run in progress holds; a run can be left and taken up again at any step."""

    # (STATES, nq) q, v, a, algorithmic acceleration, acceleration at the start of the step before; states of the drives
    state: Floats
    number: Floats  # (NUMBERS,)
    counter: Ints  # (8,)
    buffer: Floats  # (BUFFERS, nq)
    work: Floats
    work_loads: Floats


class Output(NamedTuple):
    """Samples at given times."""

    time: Floats  # (m,)
    q: Floats  # (m, nq)
    v: Floats
    a: Floats
    work: Floats  # (m, 3) work of drives, work of loads, dissipated energy
    x: Floats  # (m, servos) integrators of the drives; (m, 0) where nobody asks for them


def new_memory(tree: Tree | LinearTree) -> Memory:
    """Zeroed memory for a tree."""
    nq = tree.spring.shape[0]
    buffer = np.zeros((BUFFERS, nq))
    buffer[WEIGHT] = np.where(tree.spring[:, S_DRIVEN] == 0.0, tree.spring[:, S_LEVER], 0.0)
    buffer[LOSS] = tree.spring[:, S_D] - tree.spring[:, S_RATE_GAIN]
    buffer[SPRING], buffer[DAMPER] = tree.spring[:, S_K], tree.spring[:, S_D]
    number = np.zeros(NUMBERS)
    number[THETA] = 0.5  # no rate of convergence seen yet: believe in a slow one
    return Memory(
        np.zeros((STATES, nq)),
        number,
        np.zeros(8, np.int64),
        buffer,
        new_work(tree),
        new_work(tree),
    )


def new_output(times: Floats, nq: int, servos: int = 0) -> Output:
    """Samples to be filled at the given times; NaN where a run did not get."""
    m = len(times)
    return Output(
        np.ascontiguousarray(times, dtype=float),
        np.full((m, nq), np.nan),
        np.full((m, nq), np.nan),
        np.full((m, nq), np.nan),
        np.full((m, 3), np.nan),
        np.full((m, servos), np.nan),
    )


def alpha_constants(spectral_radius: float) -> tuple[float, float, float, float]:
    """α_m, α_f, β, γ of the generalised-α method (NOTATION 20)."""
    alpha_m = (2.0 * spectral_radius - 1.0) / (spectral_radius + 1.0)
    alpha_f = spectral_radius / (spectral_radius + 1.0)
    return alpha_m, alpha_f, 0.25 * (1.0 - alpha_m + alpha_f) ** 2, 0.5 - alpha_m + alpha_f
