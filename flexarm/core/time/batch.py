"""One arm under many commands: run after run through its own time loop, in one compiled call."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .._jit import bound, inner, jit
from ..tree.types import OK, RUNNING, Commands, Floats, Ints, Laws, Loads
from .loop import advance_of
from .mechanism import Mechanism
from .memory import Esdirk4, Memory, Output, count_of


class Moments(NamedTuple):
    """Runs in progress, from which others can go on: all a time loop keeps from step to step."""

    state: Floats  # (…, rows, nq)
    clock: Floats  # (…, rows, 1)
    counter: Ints  # (…, rows, 1)

    @classmethod
    def of(cls, memory: Memory) -> Moments:
        """A copy of a run in progress."""
        return cls(memory.state.copy(), memory.clock.copy(), memory.counter.copy())

    def taken_up_in(self, memory: Memory) -> None:
        """Let a run go on from here."""
        memory.state[:], memory.clock[:], memory.counter[:] = self

    def at(self, place: Any) -> Moments:
        """Copies of some of them."""
        return Moments(*(np.array(part[place], order="C") for part in self))


def advance(tree, loads, laws, commands, control, memory, output, most_attempts):  # type: ignore[no-untyped-def]
    """Stands for the kernel of a class of tree that `bound` puts in its place."""
    raise TypeError("advance is called by compiled code only")


@inner
def _copy(rows: Any, to: Any) -> None:
    """Fill an array with another."""
    for i in range(rows.shape[0]):
        for c in range(rows.shape[1]):
            to[i, c] = rows[i, c]


def _run_batch(
    tree: Mechanism,
    loads: Loads,
    law_first: Ints,
    law_piece: Floats,
    commands: Commands,
    switches: Floats,
    control: Esdirk4,
    marks: Floats,
    starts: Ints,
    samples: Floats,
    q: Floats,
    v: Floats,
    a: Floats,
    x: Floats,
    going: Moments,
    kept: Moments,
    pressed: Ints,
    portion: int,
    shared: Memory,
    work: Floats,
    mine: Ints,
) -> None:
    """Take the runs named in `mine` through all their marks."""
    for i in range(mine.shape[0]):
        run = mine[i]
        laws = Laws(law_first[run], law_piece[run])
        commanded = Commands(
            commands.motion_coordinate,
            commands.motion_law,
            commands.torque_coordinate,
            commands.torque_law,
            commands.servo_coordinate,
            commands.servo_law,
            commands.servo_gain,
            commands.servo_more,
            switches[run],
            commands.contact_place,
            commands.contact,
        )
        memory = Memory(
            going.state[run],
            going.clock[run],
            going.counter[run],
            shared.stages,
            shared.buffer,
            shared.book,
            shared.work,
            shared.work_loads,
        )
        count = count_of(memory.counter)
        output = Output(samples[run], q[run], v[run], a[run], work, x[run])
        for k in range(starts[run], marks.shape[1]):
            until = Esdirk4(
                marks[run, k],
                control.step_error,
                control.step,
                control.least_step,
                control.greatest_step,
                control.iteration_tolerance,
                control.most_iterations,
                control.most_steps,
                control.error_time,
                control.order,
            )
            if count.status[0] == OK:
                count.status[0] = RUNNING
            while count.status[0] == RUNNING and pressed[0] == 0:
                advance(tree, loads, laws, commanded, until, memory, output, portion)
            if count.status[0] == OK and count.begun[0] == 0:
                # the time loop does not look beyond its end: what jumps right there is taken up here
                count.status[0] = RUNNING
                advance(tree, loads, laws, commanded, until, memory, output, 0)
                if count.status[0] == RUNNING:
                    count.status[0] = OK
            if kept.state.shape[1] > 0:
                _copy(memory.state, kept.state[run, k])
                _copy(memory.clock, kept.clock[run, k])
                _copy(memory.counter, kept.counter[run, k])


@cache
def batch_of() -> Any:
    """The loop over runs."""
    return jit(bound(_run_batch, "run_batch", advance=advance_of(Esdirk4)))
