"""The time loop, compiled whole: steps, error control, restarts at switches of the command, dense output.

There is one, for one sample and for eight in lanes: attempts at a step fall in lockstep, each lane with its own time
and step, and a lane that was refused or has ended stands still while the others go on, so its numbers do not depend on
them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .._jit import bound, inner, jit
from ..numbers.laned import laned
from ..numbers.lanes import select
from ..numbers.views import LANES, by_lanes, in_lane, joined
from ..tree.types import OK, RUNNING, ClosedTree, Commands, Laws, LinearTree, Loads, Tree
from .alpha import alpha_step
from .contacts import begin_anew, note_contacts
from .crossings import AGAIN, CROSS, judge_crossing
from .dense import sample
from .energy_book import book_step
from .esdirk import esdirk_step
from .mechanism import mechanism_of
from .memory import Alpha, Control, Esdirk4, Memory, Output, buffer_of, clock_of, count_of, stages_of, state_of
from .passing import arrive, pass_limits
from .restart import restart
from .step_control import accepted, propose


def take_step(control, tree, loads, laws, commands, memory):  # type: ignore[no-untyped-def]
    """One step of the method at hand; see `esdirk_step`. Stands for the kernel that `bound` puts in its place."""
    raise TypeError("take_step is called by compiled code only")


@inner
def _due(memory: Memory) -> bool:
    """True if a lane begins, or goes on from a switch on which it had ended: such lanes are flagged."""
    clock, count = clock_of(memory.clock), count_of(memory.counter)
    some = False
    for j in range(LANES):
        due = count.begun[j] == 0 and count.status[j] == RUNNING
        clock.flagged[j] = 1.0 if due else 0.0
        some = some or due
    return some


@inner
def _settle(
    laws: Laws, commands: Commands, control: Control, memory: Memory, output: Output, error: float
) -> tuple[bool, bool]:
    """True if a lane's step ends on a switch, and if one ends on the limit of a drive; every lane's attempt is judged,
    and those that are steps sampled and marked as moved.
    """
    clock, count = clock_of(memory.clock), count_of(memory.counter)
    switched = crossed = False
    for j in range(LANES):
        clock.flagged[j] = clock.moved[j] = clock.live[j] = 0.0
        if count.status[j] != RUNNING or not accepted(control, memory, in_lane(error, j), j):
            continue
        verdict = judge_crossing(memory, j, control.least_step)
        if verdict == AGAIN:
            count.rejected[j] += 1
            continue
        clock.theta[j] = min(max(clock.rate[j], 1e-3), 0.8)
        clock.error_sum[j] += in_lane(error, j)
        t = clock.time[j]
        t_new = clock.stop[j] if clock.hits[j] > 0.5 else t + clock.h[j]
        sample(laws, commands, memory, output, t, t_new, j)
        book_step(memory, clock.h[j])
        clock.moved[j] = 1.0
        clock.time[j] = t_new
        clock.step_before[j] = clock.h[j]
        count.steps[j] += 1
        count.fresh[j] = 0
        if verdict == CROSS:
            clock.live[j] = 1.0
            clock.excess[j] = 0.0
            crossed = True
        if clock.hits[j] > 1.5:
            # what jumps at the very end of a run is left to whoever goes on from there
            count.begun[j] = 0
            clock.step[j] = 0.0
            switched = switched or t_new < control.t_end
        if t_new >= control.t_end:
            count.status[j] = OK
    return switched, crossed


def advance_loop(tree, loads, laws, commands, control, memory, output, most_attempts):  # type: ignore[no-untyped-def]
    """Make at most so many attempts at a step; how each lane fares is in its count: RUNNING until it has ended."""
    state, buffer = state_of(by_lanes(memory.state)), buffer_of(by_lanes(memory.buffer))
    stages, clock = stages_of(by_lanes(memory.stages)), clock_of(memory.clock)
    seen, pushed, ruled, told = by_lanes(tree), by_lanes(loads), by_lanes(laws), by_lanes(commands)
    nq = state.q.shape[0]
    if _due(memory):
        restart(seen, pushed, ruled, laws, told, memory)
        for j in range(LANES):
            if clock.flagged[j] > 0.5:
                sample(laws, commands, memory, output, clock.time[j], clock.time[j], j)
    for _ in range(most_attempts):
        if not propose(tree, loads, laws, commands, control, memory):
            return
        error = take_step(control, seen, pushed, ruled, told, memory)
        switched, crossed = _settle(laws, commands, control, memory, output, error)
        moved = joined(clock.moved) > 0.5
        for c in range(nq):
            state.a_before[c] = select(moved, state.a[c], state.a_before[c])
            state.q[c] = select(moved, buffer.q[c], state.q[c])
            state.v[c] = select(moved, buffer.v[c], state.v[c])
            state.a[c] = select(moved, buffer.a[c], state.a[c])
            state.s[c] = select(moved, buffer.s_new[c], state.s[c])
        for i in range(commands.servo_coordinate.shape[0]):
            c = commands.servo_coordinate[i]
            state.x[c] = select(moved, buffer.x[c], state.x[c])
            state.x_rate[c] = select(moved, stages.x_rate[5, c], state.x_rate[c])
        if crossed:
            pass_limits(ruled, told, memory)
        arrive(seen, pushed, ruled, told, memory)
        if commands.contact_place.shape[0] > 0:
            note_contacts(commands, memory)
        if switched or (crossed and commands.contact_place.shape[0] > 0):
            _due(memory)
            if commands.contact_place.shape[0] > 0:
                begin_anew(commands, memory)
            restart(seen, pushed, ruled, laws, told, memory)


_STEPS = {Esdirk4: esdirk_step, Alpha: alpha_step}


@cache
def advance_of(method: type, lanes: bool = False, closed: bool = False) -> Any:
    """The time loop of a method, for one sample or for lanes; `closed`: of trees with closures."""
    if closed:
        from .closed_step import closed_step

        return jit(bound(advance_loop, "advance_closed", take_step=closed_step))
    loop = jit(bound(advance_loop, f"advance_{method.__name__.lower()}", take_step=_STEPS[method]))
    return laned(loop, jit) if lanes else loop


def advance(
    tree: Tree | LinearTree | ClosedTree,
    loads: Loads,
    laws: Laws,
    commands: Commands,
    control: Control,
    memory: Memory,
    output: Output,
    most_attempts: int,
) -> int:
    """Status after at most so many attempts at a step by the method whose settings are given: OK at the end, RUNNING if
    there is more to do, else why it stopped. Of arms in lanes it is OK when all have ended: each has its own.
    """
    lanes = tree.spring.ndim == 3
    kernel = advance_of(type(control), lanes, isinstance(tree, ClosedTree))  # type: ignore[arg-type]
    kernel(
        mechanism_of(tree, loads, whole=isinstance(control, Alpha)),
        loads,
        laws,
        commands,
        control,
        memory,
        output,
        most_attempts,
    )
    status = memory.counts.status
    if lanes:
        return RUNNING if np.any(status == RUNNING) else OK
    return int(status[0])
