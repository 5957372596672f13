"""The time loop, compiled whole: steps, error control, restarts at switches of the command, dense output."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from ._jit import bound, inner, jit
from .alpha import alpha_step, unbalanced_work
from .control import (
    A_BEFORE,
    AI,
    DAMPER,
    DISSIPATED,
    DRIVE,
    DRIVE_WORK,
    ERROR_BEFORE,
    ERROR_ORDER,
    ERROR_SUM,
    EXCESS,
    LAST_STATUS,
    LOAD_WORK,
    LOSS,
    MODE,
    MOST_WORK,
    NEW_POWER_DRIVE,
    NEXT_OUTPUT,
    NEXT_SWITCH,
    POWER_DRIVE,
    POWER_LOAD,
    POWER_LOSS,
    QI,
    REJECTED,
    RESTART,
    S_NEW,
    SPRING,
    STEP,
    STEP_BEFORE,
    STEPS,
    TAU,
    TIME,
    TRY,
    VI,
    X_RATE,
    X_RATE0,
    XI,
    A,
    Alpha,
    Control,
    Esdirk4,
    Memory,
    Output,
    Q,
    S,
    V,
    X,
)
from .drive import begin_drives, cross_limits, enter_drives
from .dynamics import elastic_form, load_power, solve, sweeps_of
from .esdirk import esdirk_step
from .impulse import impulse
from .laws import command
from .limits import AGAIN, CROSS, forget_crossing, judge_crossing
from .power import drive_power
from .quintic import quintic
from .resolution import resolved
from .types import (
    NOT_FINITE,
    OK,
    RUNNING,
    S_DRIVEN,
    S_LEVER,
    STEP_UNDERFLOW,
    TOO_MANY_STEPS,
    Commands,
    Laws,
    LinearTree,
    Loads,
    Tree,
)


def _restart(tree: Tree, loads: Loads, laws: Laws, commands: Commands, memory: Memory) -> int:
    """Status of the accelerations and powers at the present time, taken from the right of a switch."""
    state, buffer, number, count = memory.state, memory.buffer, memory.number, memory.counter
    t = number[TIME]
    left = number[STEP_BEFORE] < 0.0  # false, but not a constant: see esdirk_step
    tau, drive = buffer[TAU], buffer[DRIVE]
    command(laws, commands, t, left, buffer[QI], buffer[VI], buffer[AI], tau)
    struck = OK if number[TIME] == 0.0 else blow(tree, loads, laws, commands, memory, t, left, tau)
    if struck != OK:
        return struck
    command(laws, commands, t, left, state[Q], state[V], state[A], tau)
    x, mode = state[X], state[MODE]
    number[EXCESS] = begin_drives(laws, commands, t, left, x, mode, state[Q], state[V], state[X_RATE])
    forget_crossing(number)
    enter_drives(laws, commands, t, left, 0.0, x, mode, buffer[SPRING], buffer[DAMPER], tree.spring, state[Q], tau)
    status = solve(
        tree, loads, laws, t, left, state[Q], state[V], state[A], tau, state[Q], state[V], 0.0, 0.0, drive, memory.work
    )
    for c in range(tree.spring.shape[0]):
        state[S, c] = state[A, c]
        if status == OK and not math.isfinite(state[A, c]):
            status = NOT_FINITE
    given, loss = drive_power(laws, commands, t, left, buffer[LOSS], state[Q], state[V], x, mode, tau, drive)
    loss += elastic_form(tree, state[Q], state[V], 1.0, 0.0)
    number[POWER_DRIVE] = given
    number[POWER_LOAD] = load_power(tree, loads, laws, t, left, state[Q], state[V], memory.work_loads)
    number[POWER_LOSS] = loss
    count[RESTART] = 1
    return status


@inner
def sample(
    laws: Laws,
    commands: Commands,
    memory: Memory,
    output: Output,
    t: float,
    t_new: float,
    work_new: tuple[float, float, float],
) -> None:
    """Fill the samples in (t, t_new] by the quintic through both ends of the step (NOTATION 22); commands are exact."""
    state, buffer, number, count = memory.state, memory.buffer, memory.number, memory.counter
    h = t_new - t
    k = count[NEXT_OUTPUT]
    while k < output.time.shape[0] and output.time[k] <= t_new:
        x = (output.time[k] - t) / h
        y = 1.0 - x
        q, v, a = output.q[k], output.v[k], output.a[k]
        quintic(x, h, state[Q], state[V], state[A], buffer[QI], buffer[VI], buffer[AI], q, v, a)
        command(laws, commands, output.time[k], h > 0.0, q, v, a, buffer[TAU])
        # work: cubic Hermite with the powers at both ends
        b1 = x * x * (3.0 - 2.0 * x)
        c0 = x * y * y
        c1 = -x * x * y
        for j in range(3):
            w0 = number[DRIVE_WORK + j]
            w1 = w0 + work_new[j]
            output.work[k, j] = (
                (1.0 - b1) * w0 + b1 * w1 + h * (c0 * number[POWER_DRIVE + j] + c1 * number[NEW_POWER_DRIVE + j])
            )
        for j in range(output.x.shape[1]):
            c = commands.servo_coordinate[j]
            x0, x1 = state[X, c], buffer[XI, c]
            output.x[k, j] = (1.0 - b1) * x0 + b1 * x1 + h * (c0 * state[X_RATE, c] + c1 * buffer[X_RATE0 + 5, c])
        k += 1
    count[NEXT_OUTPUT] = k


@inner
def first_step(tree: Tree, control: Control, memory: Memory) -> float:
    """A cautious step after a restart (s): the accelerations alone move a point by ten times the allowed error."""
    moved = 0.0
    for c in range(tree.spring.shape[0]):
        if tree.spring[c, S_DRIVEN] == 0.0:
            moved += tree.spring[c, S_LEVER] * abs(memory.state[A, c])
    h = control.greatest_step
    if moved > 0.0:
        h = min(h, math.sqrt(20.0 * control.step_error / moved))
    if memory.number[STEP_BEFORE] > 0.0:
        h = max(h, 0.25 * memory.number[STEP_BEFORE])
    return max(min(h, control.greatest_step), control.least_step)


@inner
def _each_step(control: Control, h: float) -> float:
    """Displacement error (m) a step may have: the same for every step."""
    return control.step_error


@inner
def _by_time(control: Alpha, h: float) -> float:
    """Displacement error (m) a step of h may have: its share of time.

    Methods of second order take thousands of steps, whose errors add up: only so the whole of them keeps the tolerance.
    """
    return control.step_error if control.error_time <= 0.0 else control.step_error * h / control.error_time


def blow(tree, loads, laws, commands, memory, t, left, tau):  # type: ignore[no-untyped-def]
    """See `impulse`. Stands for the kernel that `bound` puts in its place."""
    raise TypeError("blow is called by compiled code only")


def allowed_error(control, h):  # type: ignore[no-untyped-def]
    """Displacement error (m) a step may have. Stands for the kernel that `bound` puts in its place."""
    raise TypeError("allowed_error is called by compiled code only")


def take_step(control, tree, loads, laws, commands, memory, t, h):  # type: ignore[no-untyped-def]
    """One step of the method at hand; see `esdirk_step`. Stands for the kernel that `bound` puts in its place."""
    raise TypeError("take_step is called by compiled code only")


def _loop(
    tree: Tree,
    loads: Loads,
    laws: Laws,
    commands: Commands,
    control: Control,
    memory: Memory,
    output: Output,
    most_steps: int,
) -> int:
    """Status after at most `most_steps` further steps: OK at the end, RUNNING if there is more to do, else why it
    stopped.
    """
    state, buffer, number, count = memory.state, memory.buffer, memory.number, memory.counter
    nq = state.shape[1]
    switches = commands.switches
    for _ in range(most_steps):
        t = number[TIME]
        if t >= control.t_end:
            return OK
        if count[STEPS] >= control.most_steps:
            return TOO_MANY_STEPS
        while count[NEXT_SWITCH] < switches.shape[0] and switches[count[NEXT_SWITCH]] <= t:
            count[NEXT_SWITCH] += 1
        stop = control.t_end
        if count[NEXT_SWITCH] < switches.shape[0] and switches[count[NEXT_SWITCH]] < stop:
            stop = switches[count[NEXT_SWITCH]]
        limit, piece_end = resolved(laws, commands, loads, t, control.least_step)
        switches_there = stop < control.t_end
        if piece_end < stop - control.least_step:
            stop = piece_end
            switches_there = False
        left = stop - t
        if control.step > 0.0:
            # equal steps up to the next switch or piece
            h = left / math.ceil(left / min(control.step, limit) * (1.0 - 1e-9))
        else:
            if count[RESTART] == 1 and number[STEP] <= 0.0:
                number[STEP] = first_step(tree, control, memory)
            h = min(number[STEP], control.greatest_step, limit)
            if h >= left:
                h = left
            elif h > 0.5 * left:
                h = 0.5 * left
        if number[TRY] > 0.0:
            h = min(number[TRY], left)
        hits = h >= left * (1.0 - 1e-12)
        status, error, drive_work, load_work, lost = take_step(control, tree, loads, laws, commands, memory, t, h)
        if status != OK:
            count[LAST_STATUS] = status
            forget_crossing(number)
            if control.step > 0.0:
                return status
            count[REJECTED] += 1
            number[STEP] = 0.25 * h
            if number[STEP] < control.least_step:
                return status
            continue
        order = buffer[ERROR_ORDER, 0]
        if control.step == 0.0:
            scaled = max(error / allowed_error(control, h), 1e-10)
            if scaled > 1.0:
                forget_crossing(number)
                count[REJECTED] += 1
                number[STEP] = h * max(0.2, 0.9 * scaled ** (-1.0 / order))
                count[LAST_STATUS] = STEP_UNDERFLOW
                if number[STEP] < control.least_step:
                    return STEP_UNDERFLOW
                continue
            # proportional-integral control of the step
            factor = 0.9 * scaled ** (-0.7 / order)
            if number[ERROR_BEFORE] > 0.0:
                factor *= number[ERROR_BEFORE] ** (0.3 / order)
            number[ERROR_BEFORE] = scaled
            proposed = h * min(4.0, max(0.3, factor))
            # a step cut short by a switch says little about the next
            cut = (hits or number[TRY] > 0.0) and h < 0.9 * number[STEP]
            number[STEP] = max(proposed, number[STEP]) if cut else proposed
        verdict = judge_crossing(number, h, control.least_step)
        if verdict == AGAIN:
            count[REJECTED] += 1
            continue
        number[ERROR_SUM] += error
        t_new = stop if hits else t + h
        sample(laws, commands, memory, output, t, t_new, (drive_work, load_work, lost))
        number[DRIVE_WORK] += drive_work
        number[LOAD_WORK] += load_work
        number[DISSIPATED] += lost
        for j in range(3):
            number[MOST_WORK] = max(number[MOST_WORK], abs(number[DRIVE_WORK + j]))
        for c in range(nq):
            state[A_BEFORE, c] = state[A, c]
            state[Q, c] = buffer[QI, c]
            state[V, c] = buffer[VI, c]
            state[A, c] = buffer[AI, c]
            state[S, c] = buffer[S_NEW, c]
        for j in range(commands.servo_coordinate.shape[0]):
            c = commands.servo_coordinate[j]
            state[X, c] = buffer[XI, c]
            state[X_RATE, c] = buffer[X_RATE0 + 5, c]
        if verdict == CROSS:
            cross_limits(laws, commands, t_new, h > 0.0, state[X], state[MODE], state[Q], state[V])
            number[EXCESS] = 0.0
        for j in range(3):
            number[POWER_DRIVE + j] = number[NEW_POWER_DRIVE + j]
        number[TIME] = t_new
        number[STEP_BEFORE] = h
        count[STEPS] += 1
        count[RESTART] = 0
        if hits and switches_there:
            status = restart(tree, loads, laws, commands, memory)
            if status != OK:
                return status
            number[ERROR_BEFORE] = 0.0
            if control.step == 0.0:
                number[STEP] = first_step(tree, control, memory)
    return OK if number[TIME] >= control.t_end else RUNNING


def _named(what: str, tree: type) -> str:
    """The name of a kernel made for a class of tree: the cache on disk tells kernels by their names."""
    return f"{what}_{tree.__name__}"


@cache
def restart_of(tree: type) -> Any:
    """The restart for a class of tree."""
    sweeps = sweeps_of(tree)
    struck = inner(bound(impulse, _named("impulse", tree), **sweeps))
    return jit(bound(_restart, _named("restart", tree), blow=struck, **sweeps))


@cache
def advance_of(method: type, tree: type) -> Any:
    """The time loop of a method for a class of tree."""
    sweeps = sweeps_of(tree)
    step: Any
    allowed: Any
    if method is Esdirk4:
        step = bound(esdirk_step, _named("esdirk_step", tree), **sweeps)
        allowed = _each_step
    else:
        work = inner(bound(unbalanced_work, _named("unbalanced_work", tree), **sweeps))
        step = bound(alpha_step, _named("alpha_step", tree), unbalanced_work=work, **sweeps)
        allowed = _by_time
    name = _named(f"advance_{method.__name__.lower()}", tree)
    return jit(bound(_loop, name, take_step=inner(step), allowed_error=allowed, restart=restart_of(tree)))


def restart(tree: Tree | LinearTree, loads: Loads, laws: Laws, commands: Commands, memory: Memory) -> int:
    """Status of the accelerations and powers at the present time, taken from the right of a switch."""
    kernel = restart_of(type(tree))  # type: ignore[arg-type]
    return int(kernel(tree, loads, laws, commands, memory))


def advance(
    tree: Tree | LinearTree,
    loads: Loads,
    laws: Laws,
    commands: Commands,
    control: Control,
    memory: Memory,
    output: Output,
    most_steps: int,
) -> int:
    """Status after at most `most_steps` further steps of the method whose settings are given; see `_loop`."""
    kernel = advance_of(type(control), type(tree))  # type: ignore[arg-type]
    return int(kernel(tree, loads, laws, commands, control, memory, output, most_steps))
