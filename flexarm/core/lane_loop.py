"""The time loop for eight samples at once: attempts at a step in lockstep, each lane with its own time and step.

Every lane does exactly what the loop for one sample does (`steppers`), in the same order: a lane that was refused or
has ended stands still while the others go on, so its numbers do not depend on them. There is no book of energies:
samples keep states alone.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from ._jit import bound, inner, jit
from .control import (
    A_BEFORE,
    AI,
    DRIVE,
    ERROR_BEFORE,
    LAST_STATUS,
    NEXT_OUTPUT,
    NEXT_SWITCH,
    QI,
    REJECTED,
    RESTART,
    STEP,
    STEP_BEFORE,
    STEPS,
    TAU,
    THETA,
    TIME,
    VI,
    X0,
    A,
    Esdirk4,
    Q,
    V,
)
from .dynamics import kernel_of, solve
from .esdirk import NODES, G
from .impulse import rates_jump
from .lane_entry import lanes_of, whole_fields
from .lane_memory import AT, BH2, FLAGGED, GH, HITS, LIVE, RATE, SLOPE, STOP, H, LaneMemory, LaneOutput
from .lane_numbers import LANES, get_lane, in_lanes, select
from .lane_step import lane_command, lane_step
from .laned import laned
from .laws import law_value
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
    Floats,
    Laws,
    Loads,
    Tree,
)

_ORDER = 4.0


@inner
def _first_step(spring: Floats, control: Esdirk4, memory: LaneMemory, j: int) -> float:
    """The step to begin with in a lane (s); see `steppers.first_step`."""
    moved = 0.0
    for c in range(spring.shape[0]):
        if spring[c, S_DRIVEN, j] == 0.0:
            moved += spring[c, S_LEVER, j] * abs(memory.state[A, c, j])
    h = control.greatest_step
    if moved > 0.0:
        h = min(h, math.sqrt(20.0 * control.step_error / moved))
    if memory.number[STEP_BEFORE, j] > 0.0:
        h = max(h, 0.25 * memory.number[STEP_BEFORE, j])
    return max(min(h, control.greatest_step), control.least_step)


@inner
def _propose(
    spring: Floats,
    loads: Loads,
    laws: Laws,
    commands: Commands,
    switches: Floats,
    control: Esdirk4,
    memory: LaneMemory,
) -> bool:
    """True if a lane still runs; lays out what each of them attempts next."""
    number, count = memory.number, memory.counter
    runs = False
    for j in range(LANES):
        memory.attempt[j] = OK
        number[LIVE, j] = 0.0
        if memory.status[j] != RUNNING:
            continue
        t = number[TIME, j]
        if t >= control.t_end:
            memory.status[j] = OK
            continue
        if count[STEPS, j] >= control.most_steps:
            memory.status[j] = TOO_MANY_STEPS
            continue
        runs = True
        while count[NEXT_SWITCH, j] < switches.shape[1] and switches[j, count[NEXT_SWITCH, j]] <= t:
            count[NEXT_SWITCH, j] += 1
        stop = control.t_end
        if count[NEXT_SWITCH, j] < switches.shape[1] and switches[j, count[NEXT_SWITCH, j]] < stop:
            stop = switches[j, count[NEXT_SWITCH, j]]
        one = Laws(laws.first, laws.piece[:, :, j])
        limit, piece_end = resolved(one, commands, loads, t, control.least_step)
        switches_there = stop < control.t_end
        if piece_end < stop - control.least_step:
            stop = piece_end
            switches_there = False
        left = stop - t
        if control.step > 0.0:
            h = left / math.ceil(left / min(control.step, limit) * (1.0 - 1e-9))
        else:
            if count[RESTART, j] == 1 and number[STEP, j] <= 0.0:
                number[STEP, j] = _first_step(spring, control, memory, j)
            h = min(number[STEP, j], control.greatest_step, limit)
            if h >= left:
                h = left
            elif h > 0.5 * left:
                h = 0.5 * left
        number[H, j] = h
        number[GH, j] = G * h
        number[BH2, j] = G * G * h * h
        number[STOP, j] = stop
        # 2 where the command switches
        number[HITS, j] = (2.0 if switches_there else 1.0) if h >= left * (1.0 - 1e-12) else 0.0
        number[SLOPE, j] = 0.0
        if count[RESTART, j] != 1 and number[STEP_BEFORE, j] > 0.0:
            number[SLOPE, j] = NODES[1] * h / number[STEP_BEFORE, j]
        number[RATE, j] = number[THETA, j]
        number[LIVE, j] = 1.0
    return runs


@inner
def _accepted(control: Esdirk4, memory: LaneMemory, error: float, j: int) -> bool:
    """True if the attempt of a lane is a step; the length of its next one is settled."""
    number, count = memory.number, memory.counter
    h = number[H, j]
    status = memory.attempt[j]
    if status != OK:
        count[LAST_STATUS, j] = status
        if control.step > 0.0:
            memory.status[j] = status
            return False
        count[REJECTED, j] += 1
        number[STEP, j] = 0.25 * h
        if number[STEP, j] < control.least_step:
            memory.status[j] = status
        return False
    number[THETA, j] = min(max(number[RATE, j], 1e-3), 0.8)
    if control.step == 0.0:
        scaled = max(error / control.step_error, 1e-10)
        if scaled > 1.0:
            count[REJECTED, j] += 1
            number[STEP, j] = h * max(0.2, 0.9 * scaled ** (-1.0 / _ORDER))
            count[LAST_STATUS, j] = STEP_UNDERFLOW
            if number[STEP, j] < control.least_step:
                memory.status[j] = STEP_UNDERFLOW
            return False
        factor = 0.9 * scaled ** (-0.7 / _ORDER)
        if number[ERROR_BEFORE, j] > 0.0:
            factor *= number[ERROR_BEFORE, j] ** (0.3 / _ORDER)
        number[ERROR_BEFORE, j] = scaled
        proposed = h * min(4.0, max(0.3, factor))
        cut = number[HITS, j] > 0.5 and h < 0.9 * number[STEP, j]
        number[STEP, j] = max(proposed, number[STEP, j]) if cut else proposed
    return True


@inner
def _sample(
    laws: Laws, commands: Commands, memory: LaneMemory, output: LaneOutput, t: float, t_new: float, j: int
) -> None:
    """Fill the samples of a lane in (t, t_new] by the quintic through both ends of the step (NOTATION 22)."""
    state, buffer, ends = memory.state, memory.buffer, memory.ends
    k = memory.counter[NEXT_OUTPUT, j]
    if k >= output.time.shape[0] or output.time[k] > t_new:
        return
    nq = state.shape[1]
    q0, v0, a0, q1, v1, a1 = ends[0], ends[1], ends[2], ends[3], ends[4], ends[5]
    for c in range(nq):
        q0[c], v0[c], a0[c] = state[Q, c, j], state[V, c, j], state[A, c, j]
        q1[c], v1[c], a1[c] = buffer[QI, c, j], buffer[VI, c, j], buffer[AI, c, j]
    h = t_new - t
    one = Laws(laws.first, laws.piece[:, :, j])
    while k < output.time.shape[0] and output.time[k] <= t_new:
        time = output.time[k]
        q, v, a = output.q[k, :, j], output.v[k, :, j], output.a[k, :, j]
        quintic((time - t) / h, h, q0, v0, a0, q1, v1, a1, q, v, a)
        # commands are exact
        for i in range(commands.motion_coordinate.shape[0]):
            c = commands.motion_coordinate[i]
            q[c], v[c], a[c] = law_value(one, commands.motion_law[i], time, h > 0.0)
        k += 1
    memory.counter[NEXT_OUTPUT, j] = k


@inner
def _struck(laws: Laws, commands: Commands, memory: LaneMemory) -> bool:
    """True if the rate of a driven coordinate jumps in a flagged lane, which is marked as live.

    The rates to come stand in the buffer.
    """
    some = False
    for j in range(LANES):
        memory.number[LIVE, j] = 0.0
        t = memory.number[TIME, j]
        if memory.number[FLAGGED, j] < 0.5 or t == 0.0:
            continue
        one = Laws(laws.first, laws.piece[:, :, j])
        for i in range(commands.motion_coordinate.shape[0]):
            c = commands.motion_coordinate[i]
            if rates_jump(one, commands.motion_law[i], memory.state[V, c, j], memory.buffer[VI, c, j], t):
                memory.number[LIVE, j] = 1.0
                some = True
    return some


def _restart(tree, loads, laws, told, commands, memory):  # type: ignore[no-untyped-def]
    """Fill the accelerations of the flagged lanes at their present times, taken from the right of a switch.

    `told` are the laws as plain numbers.
    """
    number, state, buffer = in_lanes(memory.number), in_lanes(memory.state), in_lanes(memory.buffer)
    work = in_lanes(memory.work)
    nq = state.shape[1]
    flagged = number[FLAGGED] > 0.5
    left = memory.number[FLAGGED, 0] < 0.0  # false, but not a constant: see esdirk_step
    q, v, a, tau, drive = buffer[QI], buffer[VI], buffer[AI], buffer[TAU], buffer[DRIVE]
    zero = 0.0 * number[FLAGGED]
    for c in range(nq):
        q[c], v[c], a[c] = state[Q, c], state[V, c], state[A, c]
    t = number[TIME]
    lane_command(laws, commands, t, left, q, v, a, tau)
    if _struck(told, commands, memory):
        # see `impulse`; lanes whose rates do not jump get the difference of two equal solves
        still, jump, none = buffer[X0], buffer[X0 + 1], buffer[X0 + 2]
        live = number[LIVE] > 0.5
        driven = commands.motion_coordinate
        for c in range(nq):
            still[c], jump[c], none[c] = zero, zero, zero
        for j in range(driven.shape[0]):
            jump[driven[j]] = select(live, v[driven[j]] - state[V, driven[j]], zero)
        solve(tree, loads, laws, t, left, q, still, jump, tau, q, still, zero, zero, drive, work)
        solve(tree, loads, laws, t, left, q, still, none, tau, q, still, zero, zero, drive, work)
        for j in range(driven.shape[0]):
            none[driven[j]] = jump[driven[j]]
        for c in range(nq):
            v[c] = v[c] + (jump[c] - none[c])
    solve(tree, loads, laws, t, left, q, v, a, tau, q, v, zero, zero, drive, work)
    for c in range(nq):
        state[Q, c] = select(flagged, q[c], state[Q, c])
        state[V, c] = select(flagged, v[c], state[V, c])
        state[A, c] = select(flagged, a[c], state[A, c])
    for j in range(LANES):
        if memory.number[FLAGGED, j] > 0.5:
            memory.counter[RESTART, j] = 1
            for c in range(nq):
                if not math.isfinite(memory.state[A, c, j]):
                    memory.status[j] = NOT_FINITE


def _loop(tree, loads, laws, commands, switches, control, memory, output, most_attempts):  # type: ignore[no-untyped-def]
    """OK when every lane has ended, RUNNING if there is more to do after so many attempts; how each lane fared is in
    memory.status.
    """
    number, count = memory.number, memory.counter
    lanes, state, buffer = in_lanes(memory.number), in_lanes(memory.state), in_lanes(memory.buffer)
    seen, pushed = lane_tree(tree), Loads(loads.place, in_lanes(loads.wrench))
    told = Commands(
        commands.motion_coordinate,
        commands.motion_law,
        commands.torque_coordinate,
        commands.torque_law,
        commands.servo_coordinate,
        commands.servo_law,
        in_lanes(commands.servo_gain),
        commands.servo_more,
        commands.switches,
    )
    ruled = Laws(laws.first, in_lanes(laws.piece))
    nq = state.shape[1]
    if count[STEPS, 0] < 0:
        for j in range(LANES):
            number[FLAGGED, j] = 1.0
            count[STEPS, j] = 0
        restart(seen, pushed, ruled, laws, told, memory)
        for j in range(LANES):
            if output.time.shape[0] > 0 and output.time[0] <= 0.0:
                for c in range(nq):
                    output.q[0, c, j] = memory.state[Q, c, j]
                    output.v[0, c, j] = memory.state[V, c, j]
                    output.a[0, c, j] = memory.state[A, c, j]
                count[NEXT_OUTPUT, j] = 1
    for _ in range(most_attempts):
        if not _propose(tree.spring, loads, laws, commands, switches, control, memory):
            return OK
        error = take_step(control, seen, pushed, ruled, told, memory)
        some = False
        for j in range(LANES):
            number[FLAGGED, j] = 0.0
            number[AT, j] = 0.0
            if memory.status[j] != RUNNING or not _accepted(control, memory, get_lane(error, j), j):
                continue
            t = number[TIME, j]
            hits = number[HITS, j] > 0.5
            t_new = number[STOP, j] if hits else t + number[H, j]
            _sample(laws, commands, memory, output, t, t_new, j)
            number[AT, j] = 1.0
            number[TIME, j] = t_new
            number[STEP_BEFORE, j] = number[H, j]
            count[STEPS, j] += 1
            count[RESTART, j] = 0
            if number[HITS, j] > 1.5:
                number[FLAGGED, j] = 1.0
                some = True
        moved = lanes[AT] > 0.5
        for c in range(nq):
            state[A_BEFORE, c] = select(moved, state[A, c], state[A_BEFORE, c])
            state[Q, c] = select(moved, buffer[QI, c], state[Q, c])
            state[V, c] = select(moved, buffer[VI, c], state[V, c])
            state[A, c] = select(moved, buffer[AI, c], state[A, c])
        if some:
            restart(seen, pushed, ruled, laws, told, memory)
            for j in range(LANES):
                if number[FLAGGED, j] > 0.5:
                    number[ERROR_BEFORE, j] = 0.0
                    if control.step == 0.0:
                        number[STEP, j] = _first_step(tree.spring, control, memory, j)
    return RUNNING


def restart(tree, loads, laws, told, commands, memory):  # type: ignore[no-untyped-def]
    """See `_restart`. Stands for the kernel that `bound` puts in its place."""
    raise TypeError("restart stands for a kernel")


def take_step(control, tree, loads, laws, commands, memory):  # type: ignore[no-untyped-def]
    """See `lane_step`. Stands for the kernel that `bound` puts in its place."""
    raise TypeError("take_step stands for a kernel")


def lane_tree(tree):  # type: ignore[no-untyped-def]
    """The tree with its numbers as lanes. Stands for what `lanes_of` makes for a class of tree."""
    raise TypeError("lane_tree stands for a kernel")


@cache
def _advance_of(kind: type, whole: tuple[str, ...]) -> Any:
    """The time loop for a class of tree."""
    name = kind.__name__
    sweep = laned(kernel_of("solve", kind))
    step = inner(bound(lane_step, f"lane_step_{name}", solve=sweep))
    begin = inner(bound(_restart, f"lane_restart_{name}", solve=sweep))
    loop = bound(_loop, f"lane_loop_{name}", take_step=step, restart=begin, lane_tree=lanes_of(kind, whole))
    return jit(loop)


def advance_lanes(
    tree: Tree,
    loads: Loads,
    laws: Laws,
    commands: Commands,
    switches: Floats,
    control: Esdirk4,
    memory: LaneMemory,
    output: LaneOutput,
    most_attempts: int,
) -> int:
    """OK when every lane has ended, RUNNING if there is more to do; all numbers have lanes as their last axis, the
    switches as their first.
    """
    kind: Any = type(tree)
    kernel = _advance_of(kind, whole_fields(tree))
    return int(kernel(tree, loads, laws, commands, switches, control, memory, output, most_attempts))
