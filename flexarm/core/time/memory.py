"""Settings of a stepper, and what a run in progress keeps, of one sample or of eight in lanes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..numbers.lanes import lane_zeros
from ..numbers.rows import rows_of
from ..sweeps.dynamics import new_work
from ..tree.types import RUNNING, S_D, S_DRIVEN, S_K, S_LEVER, S_RATE_GAIN, ClosedTree, Floats, Ints, LinearTree, Tree


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
    error_time: float = 0.0  # a step may err by step_error for every so many seconds it takes; 0: each by step_error
    order: float = 4.0  # of the error in the step


class Alpha(NamedTuple):
    """Settings of the generalised-α family, (20) of NOTATION; the first ten as in Esdirk4."""

    t_end: float
    step_error: float
    step: float
    least_step: float
    greatest_step: float
    iteration_tolerance: float  # part of the first iteration's work
    most_iterations: int
    most_steps: int
    error_time: float
    order: float
    alpha_m: float
    alpha_f: float
    beta: float
    gamma: float


Control = Esdirk4 | Alpha


def alpha_constants(spectral_radius: float) -> tuple[float, float, float, float]:
    """α_m, α_f, β, γ of the generalised-α method (NOTATION 20)."""
    alpha_m = (2.0 * spectral_radius - 1.0) / (spectral_radius + 1.0)
    alpha_f = spectral_radius / (spectral_radius + 1.0)
    return alpha_m, alpha_f, 0.25 * (1.0 - alpha_m + alpha_f) ** 2, 0.5 - alpha_m + alpha_f


class State(NamedTuple):
    """Rows of Memory.state (nq): what goes from step to step."""

    q: Floats
    v: Floats
    a: Floats
    s: Floats  # algorithmic acceleration of the generalised-α family
    a_before: Floats  # at the start of the step before
    # of drives, on the coordinates that have one: integrator, its rate, and −1, 1 on the limit of its torque, else 0
    x: Floats
    x_rate: Floats
    mode: Floats
    # of joints with dry friction or stops (see contacts): −1, 1 sliding, 2 stuck; side of the stop that is touched;
    # greatest rate of sliding or torque withstood in this phase
    grip: Floats
    touch: Floats
    peak: Floats


class Clock(NamedTuple):
    """Rows of Memory.clock (LANES): numbers that every lane has for itself; s, m, J, W."""

    time: Floats
    step: Floats  # to be tried next
    step_before: Floats
    error_before: Floats  # of the step before, parts of what is allowed
    error_sum: Floats  # of all steps (m)
    theta: Floats  # rate of convergence of the iteration
    reach: Floats  # size of the arm (m), for what counts as nothing
    # on the way to the limit of a drive (see crossings): step to try, step that leads beyond, excess at the start and
    # after it, tries, the side replaced last; excess at the start and at the end of the step, greatest of its stages
    shortened: Floats
    far: Floats
    excess_near: Floats
    excess_far: Floats
    tries: Floats
    side: Floats
    excess: Floats
    excess_new: Floats
    excess_within: Floats
    # the attempt under way: its length, where it must end, what is there (1: an end, 2: a switch), the time of the
    # stage, its length in parts of the step before, or 0 where a first guess cannot lean on that
    h: Floats
    stop: Floats
    hits: Floats
    stage_time: Floats
    slope: Floats
    change_before: Floats  # of the iterate before (m)
    rate: Floats  # of convergence in this attempt
    live: Floats  # 1 in the lanes at work, else 0
    flagged: Floats  # 1 in the lanes that restart
    moved: Floats  # 1 in the lanes whose attempt is a step
    # how far a joint is beyond its phase at the end of the step and in its stages; 1 if that has ended the step
    contact: Floats
    contact_within: Floats
    touched: Floats


class Book(NamedTuple):
    """Rows of Memory.book (3): energies of drives, of loads and lost in dampers (J), and their powers (W)."""

    work: Floats  # so far
    power: Floats  # at the start of the step
    power_new: Floats  # at the end of the stage
    step: Floats  # mean power in the step
    most: Floats  # greatest size of the work so far


class Count(NamedTuple):
    """Rows of Memory.counter (LANES)."""

    status: Ints  # RUNNING until a run has ended
    attempt: Ints  # status of the attempt under way
    steps: Ints
    rejected: Ints
    sweeps: Ints
    next_output: Ints
    next_switch: Ints
    begun: Ints  # 0 where a restart is due: at the beginning, and where a run ended on a switch
    fresh: Ints  # 1 in the first step after a restart


class Buffer(NamedTuple):
    """Rows of Memory.buffer (nq)."""

    # iterate of a stage, the accelerations solved from it, predictors q*, v* of (16)
    q: Floats
    v: Floats
    a: Floats
    a_solved: Floats
    q_start: Floats
    v_start: Floats
    tau: Floats
    drive: Floats  # forces of driven coordinates
    s_new: Floats
    # command: motion of driven coordinates; of drives the target, its rate and the torque fed forward
    q_command: Floats
    v_command: Floats
    a_command: Floats
    # integrators of drives: predictor, and value at the end of a stage
    x_start: Floats
    x: Floats
    weight: Floats  # levers of the free coordinates (m per unit)
    # dampers without the gains of servos; springs and dampers of the joints outside a step
    loss: Floats
    stiffness: Floats
    damping: Floats
    scratch: Floats
    given: Floats  # torques of drives on joints with dry friction or stops


class Stages(NamedTuple):
    """Rows of Memory.stages (6, nq): accelerations, rates and rates of integrators in the stages of a step."""

    a: Floats
    v: Floats
    x_rate: Floats


state_of, clock_of, count_of = rows_of(State), rows_of(Clock), rows_of(Count)
buffer_of, stages_of, book_of = rows_of(Buffer), rows_of(Stages), rows_of(Book)


class Memory(NamedTuple):
    """Everything a run in progress holds; a run can be left and taken up again at any step. Lanes are the last axis."""

    state: Floats
    clock: Floats
    counter: Ints
    stages: Floats
    buffer: Floats
    book: Floats  # of one sample
    work: Floats
    work_loads: Floats

    @property
    def states(self) -> State:
        """The rows of the state by their names."""
        return State(*self.state)

    @property
    def clocks(self) -> Clock:
        """The numbers of every lane by their names."""
        return Clock(*self.clock)

    @property
    def counts(self) -> Count:
        """The whole numbers of every lane by their names."""
        return Count(*self.counter)

    @property
    def energies(self) -> Book:
        """The book of energies by its names."""
        return Book(*self.book)


class Output(NamedTuple):
    """Samples at given times, NaN where a run did not get; lanes are the last axis of all but the times."""

    time: Floats  # (m,)
    q: Floats  # (m, nq)
    v: Floats
    a: Floats
    work: Floats  # (m, 3) work of drives, work of loads, dissipated energy; lanes do not fill it
    x: Floats  # (m, servos) integrators of the drives; (m, 0) where nobody asks for them


def new_memory(
    tree: Tree | LinearTree | ClosedTree, reach: float | Floats = 1.0, *, clocks: int | None = None
) -> Memory:
    """Zeroed memory for a tree of one sample, or for one in lanes; reach: size of the arm (m).

    `clocks`: 1 where the last axis of a tree's arrays is not of samples but of a number's value and its derivatives.
    """
    spring = tree.spring
    lanes: tuple[int, ...] = spring.shape[2:]
    samples = (clocks,) if clocks else lanes or (1,)
    zeros = lane_zeros if lanes else np.zeros
    vector = (spring.shape[0], *lanes)
    buffer = zeros((len(Buffer._fields), *vector))
    rows = Buffer(*buffer)
    rows.weight[:] = np.where(spring[:, S_DRIVEN] == 0.0, spring[:, S_LEVER], 0.0)
    rows.loss[:] = spring[:, S_D] - spring[:, S_RATE_GAIN]
    rows.stiffness[:], rows.damping[:] = spring[:, S_K], spring[:, S_D]
    clock = zeros((len(Clock._fields), *samples))
    numbers = Clock(*clock)
    numbers.theta[:] = 0.5  # no rate of convergence seen yet: believe in a slow one
    numbers.reach[:] = reach
    count = np.zeros((len(Count._fields), *samples), np.int64)
    Count(*count).status[:] = RUNNING
    work = new_work(tree).shape
    return Memory(
        zeros((len(State._fields), *vector)),
        clock,
        count,
        zeros((len(Stages._fields), 6, *vector)),
        buffer,
        np.zeros((len(Book._fields), 3)),
        zeros((*work, *lanes)),
        np.zeros(work if not lanes else (0, 0)),
    )


def new_output(times: Floats, nq: int, servos: int = 0) -> Output:
    """Samples of one run to be filled at the given times; NaN where it did not get."""
    m = len(times)
    shapes = ((m, nq), (m, nq), (m, nq), (m, 3), (m, servos))
    return Output(np.ascontiguousarray(times, dtype=float), *(np.full(shape, np.nan) for shape in shapes))
