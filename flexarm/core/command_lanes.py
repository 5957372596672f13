"""One arm under many commands: run after run through its own time loop, in one compiled call."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ._jit import bound, jit
from .control import ERROR_BEFORE, STEP, Esdirk4, Memory, Output
from .steppers import advance_of, restart_of
from .types import OK, RUNNING, Commands, Floats, Ints, Laws, Loads, Tree


class Moments(NamedTuple):
    """Runs in progress, from which others can go on: all a time loop keeps from step to step."""

    state: Floats  # (…, STATES, nq)
    number: Floats  # (…, NUMBERS)
    counter: Ints  # (…, 8)

    def at(self, place: Any) -> Moments:
        """Copies of some of them."""
        return Moments(*(np.array(part[place], order="C") for part in self))


def restart(tree, loads, laws, commands, memory):  # type: ignore[no-untyped-def]
    """Stands for the kernel of a class of tree that `bound` puts in its place."""
    raise TypeError("restart is called by compiled code only")


def advance(tree, loads, laws, commands, control, memory, output, most_steps):  # type: ignore[no-untyped-def]
    """Stands for the kernel of a class of tree that `bound` puts in its place."""
    raise TypeError("advance is called by compiled code only")


def _run_lanes(
    tree: Tree,
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
    status: Ints,
    pressed: Ints,
    portion: int,
    shared: Memory,
    work: Floats,
    mine: Ints,
) -> None:
    """Take the lanes named in `mine` through all their marks."""
    for i in range(mine.shape[0]):
        lane = mine[i]
        laws = Laws(law_first[lane], law_piece[lane])
        commanded = Commands(
            commands.motion_coordinate,
            commands.motion_law,
            commands.torque_coordinate,
            commands.torque_law,
            commands.servo_coordinate,
            commands.servo_law,
            commands.servo_gain,
            commands.servo_more,
            switches[lane],
        )
        memory = Memory(
            going.state[lane],
            going.number[lane],
            going.counter[lane],
            shared.buffer,
            shared.work,
            shared.work_loads,
        )
        output = Output(samples[lane], q[lane], v[lane], a[lane], work, x[lane])
        found = OK
        begin = starts[lane]
        if begin < 0:
            found = restart(tree, loads, laws, commanded, memory)
            begin = 0
        for k in range(begin, marks.shape[1]):
            until = Esdirk4(
                marks[lane, k],
                control.step_error,
                control.step,
                control.least_step,
                control.greatest_step,
                control.iteration_tolerance,
                control.most_iterations,
                control.most_steps,
                control.reach,
            )
            if found == OK:
                found = RUNNING
            while found == RUNNING and pressed[0] == 0:
                found = advance(tree, loads, laws, commanded, until, memory, output, portion)
            for s in range(switches.shape[1]):
                # the time loop does not look beyond its end: what jumps right there is ours to take up
                if found == OK and switches[lane, s] == marks[lane, k]:
                    found = restart(tree, loads, laws, commanded, memory)
                    memory.number[ERROR_BEFORE] = 0.0
                    memory.number[STEP] = 0.0
            if kept.state.shape[1] > 0:
                for j in range(memory.state.shape[0]):
                    for c in range(memory.state.shape[1]):
                        kept.state[lane, k, j, c] = memory.state[j, c]
                for j in range(memory.number.shape[0]):
                    kept.number[lane, k, j] = memory.number[j]
                for j in range(memory.counter.shape[0]):
                    kept.counter[lane, k, j] = memory.counter[j]
        status[lane] = found


@cache
def command_lanes_of(tree: type) -> Any:
    """The loop over lanes for a class of tree."""
    kernels = {"restart": restart_of(tree), "advance": advance_of(Esdirk4, tree)}
    return jit(bound(_run_lanes, f"run_lanes_{tree.__name__}", **kernels))
