"""A run under its own commands, seen at any time: what an arm that left Python does between two looks at it.

Steps are those of `simulate` whatever the times asked for: the run goes on by whole steps until it is beyond the time,
and what lies between the ends of the last one is the dense output of that step. So looks cost nothing in accuracy, and
what is seen at a time has the bits of a sample there.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .._jit import bound, jit
from ..numbers.addresses import layout_of, read_as, record_of
from ..tree.types import OK, RUNNING, Floats, Ints
from .dense import sample
from .hold import Held, attempts, see
from .mechanism import Mechanism
from .memory import Esdirk4, Memory, Output, clock_of, count_of

# What `follow` returns beside the status of a run.
TIME_PASSED = -3


class Followed(NamedTuple):
    """A run and how it is seen, as arrays alone: what a record can hold."""

    held: Held
    before: Floats  # the rows of the state at the start of the last step
    begun: Floats  # (1,) when that was (s)
    seen: Output  # one sample; its rows of q, v and a lie one after the other in `now`
    now: Floats  # (3, nq)


def read(record: Ints) -> Followed:
    """The run of a record. Stands for the function that `bound` puts in its place."""
    raise TypeError("read is called by compiled code only")


def follow_loop(record, t, end, y):  # type: ignore[no-untyped-def]
    """Status after the run has been followed to t (s), of its end (s); fills the state seen there and the outputs y.
    OK, TIME_PASSED if the last step began after t, or why the run stopped.
    """
    run = read(record)
    held = run.held
    memory, switches = held.memory, held.commands.switches
    clock, count = clock_of(memory.clock), count_of(memory.counter)
    if t < run.begun[0]:
        return TIME_PASSED
    s, a = held.settings, held.sweeps
    tree = Mechanism(held.spring, held.tree, a[0], a[1], a[2], a[3], a[4])
    state, before = memory.state, run.before
    # a run begins with its accelerations; a restart on a switch is left to the step behind it
    first = clock.time[0] == 0.0 and count.begun[0] == 0
    while first or clock.time[0] < t:
        stop = end
        for k in range(switches.shape[0]):
            if switches[k] > clock.time[0]:
                stop = min(stop, switches[k])
                break
        control = Esdirk4(stop, s[0], s[1], s[2], s[3], s[4], int(s[5]), int(s[6]), s[7], s[8])
        for part in range(2):
            # first what is due at the beginning, then the step: no restart may spoil what lies behind it
            if part == 1 and first:
                break
            if part == 0 and count.begun[0] == 1:
                continue
            if part == 1:
                run.begun[0] = clock.time[0]
                for i in range(state.shape[0]):
                    for c in range(state.shape[1]):
                        before[i, c] = state[i, c]
            count.status[0] = RUNNING
            attempts(held.advance[0], tree, held.loads, held.laws, held.commands, control, memory, held.output, part)
            if count.status[0] != OK and count.status[0] != RUNNING:
                return count.status[0]
        if first:
            first = False
            for i in range(state.shape[0]):
                for c in range(state.shape[1]):
                    before[i, c] = state[i, c]
    seen = run.seen
    seen.time[0] = t
    count.next_output[0] = 0
    then = Memory(
        before, memory.clock, memory.counter, memory.stages, memory.buffer, memory.book, memory.work, memory.work_loads
    )
    sample(held.laws, held.commands, then, seen, run.begun[0], clock.time[0], 0)
    see(held, run.now, run.begun[:0], y)
    return OK


@cache
def _follow_of(layout: Any) -> Any:
    return jit(bound(follow_loop, "follow", read=read_as(layout, "followed")))


def follow_of(run: Followed) -> tuple[Any, Ints]:
    """The kernel (record, t, end, y) → status, and the record; valid as long as the arrays of the run are."""
    return _follow_of(layout_of(run)), record_of(run)


def followed_run(held: Held) -> Followed:
    """The run with room for what is seen of it; it has made no step."""
    nq = held.memory.state.shape[1]
    now = np.zeros((3, nq))
    servos = len(held.commands.servo_coordinate)
    seen = Output(np.zeros(1), now[0:1], now[1:2], now[2:3], np.zeros((1, 3)), np.zeros((1, servos)))
    return Followed(held, np.zeros_like(held.memory.state), np.zeros(1), seen, now)
