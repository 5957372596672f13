"""How long a step is: proposed from the error of the one before, cut at switches, accepted or refused."""

from __future__ import annotations

import math

from .._jit import inner
from ..numbers.views import LANES, lane_of
from ..tree.types import OK, RUNNING, S_DRIVEN, S_LEVER, STEP_UNDERFLOW, TOO_MANY_STEPS, Commands, Laws, Loads
from .crossings import forget_crossing
from .mechanism import Mechanism
from .memory import Control, Memory, clock_of, count_of, state_of
from .resolution import resolved


@inner
def first_step(tree: Mechanism, control: Control, memory: Memory, j: int) -> float:
    """A cautious step after a restart (s): the accelerations alone move a point by ten times the allowed error."""
    clock = clock_of(memory.clock)
    spring, a = lane_of(tree.spring, j), lane_of(state_of(memory.state).a, j)
    moved = 0.0
    for c in range(spring.shape[0]):
        if spring[c, S_DRIVEN] == 0.0:
            moved += spring[c, S_LEVER] * abs(a[c])
    h = control.greatest_step
    if moved > 0.0:
        h = min(h, math.sqrt(20.0 * control.step_error / moved))
    if clock.step_before[j] > 0.0:
        h = max(h, 0.25 * clock.step_before[j])
    return max(min(h, control.greatest_step), control.least_step)


@inner
def propose(tree: Mechanism, loads: Loads, laws: Laws, commands: Commands, control: Control, memory: Memory) -> bool:
    """True if a lane still runs; lays out how far each of them attempts to go next. All numbers are plain ones."""
    clock, count = clock_of(memory.clock), count_of(memory.counter)
    some = False
    for j in range(LANES):
        clock.live[j] = 0.0
        if count.status[j] != RUNNING:
            continue
        count.attempt[j] = OK
        t = clock.time[j]
        if t >= control.t_end:
            count.status[j] = OK
            continue
        if count.steps[j] >= control.most_steps:
            count.status[j] = TOO_MANY_STEPS
            continue
        some = True
        switches = lane_of(commands.switches, j)
        while count.next_switch[j] < switches.shape[0] and switches[count.next_switch[j]] <= t:
            count.next_switch[j] += 1
        stop = control.t_end
        switches_there = False
        if count.next_switch[j] < switches.shape[0] and switches[count.next_switch[j]] <= stop:
            stop = switches[count.next_switch[j]]
            switches_there = True
        limit, piece_end = resolved(lane_of(laws, j), commands, loads, t, control.least_step)
        if piece_end < stop - control.least_step:
            stop = piece_end
            switches_there = False
        left = stop - t
        if control.step > 0.0:
            # equal steps up to the next switch or piece
            h = left / math.ceil(left / min(control.step, limit) * (1.0 - 1e-9))
        else:
            if count.fresh[j] == 1 and clock.step[j] <= 0.0:
                clock.step[j] = first_step(tree, control, memory, j)
            h = min(clock.step[j], control.greatest_step, limit)
            if h >= left:
                h = left
            elif h > 0.5 * left:
                h = 0.5 * left
        if clock.shortened[j] > 0.0:
            h = min(clock.shortened[j], left)
        clock.h[j] = h
        clock.stop[j] = stop
        clock.hits[j] = 0.0
        if h >= left * (1.0 - 1e-12):
            clock.hits[j] = 2.0 if switches_there else 1.0
        clock.slope[j] = 0.0
        if count.fresh[j] == 0 and clock.step_before[j] > 0.0:
            clock.slope[j] = h / clock.step_before[j]
        clock.rate[j] = clock.theta[j]
        clock.live[j] = 1.0
    return some


@inner
def allowed_error(control: Control, h: float) -> float:
    """Displacement error (m) a step of h may have: the same for every step, or its share of time.

    Methods of second order take thousands of steps, whose errors add up: only so the whole of them keeps the tolerance.
    """
    return control.step_error if control.error_time <= 0.0 else control.step_error * h / control.error_time


@inner
def accepted(control: Control, memory: Memory, error: float, j: int) -> bool:
    """True if the attempt of lane j is a step by its error (m); the length to be tried next is settled either way."""
    clock, count = clock_of(memory.clock), count_of(memory.counter)
    h = clock.h[j]
    status = count.attempt[j]
    shorter = h
    if status != OK:
        shorter = 0.25 * h
    elif control.step == 0.0:
        scaled = max(error / allowed_error(control, h), 1e-10)
        if scaled > 1.0:
            status = STEP_UNDERFLOW
            shorter = h * max(0.2, 0.9 * scaled ** (-1.0 / control.order))
        else:
            # proportional-integral control of the step
            factor = 0.9 * scaled ** (-0.7 / control.order)
            if clock.error_before[j] > 0.0:
                factor *= clock.error_before[j] ** (0.3 / control.order)
            clock.error_before[j] = scaled
            proposed = h * min(4.0, max(0.3, factor))
            # a step cut short by a switch says little about the next
            cut = (clock.hits[j] > 0.5 or clock.shortened[j] > 0.0) and h < 0.9 * clock.step[j]
            clock.step[j] = max(proposed, clock.step[j]) if cut else proposed
    if status == OK:
        return True
    forget_crossing(memory, j)
    if control.step > 0.0:
        count.status[j] = status
        return False
    count.rejected[j] += 1
    clock.step[j] = shorter
    if shorter < control.least_step:
        count.status[j] = status
    return False
