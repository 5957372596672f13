"""Runs of one arm under many commands in one compiled call: a lane each, spread over the processors.

`runs_of` is the door. Behind it a compiled loop takes lane after lane through the arm's own time loop; an engine that
takes several lanes at a time through one instruction can stand in its place, as long as it fills the same `Lanes`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from flexarm.analyses.integrate import Settings
from flexarm.analyses.start import initial_state
from flexarm.compiled import CompiledArm, with_motions
from flexarm.core import steppers
from flexarm.core._jit import bound, jit
from flexarm.core.control import ERROR_BEFORE, STEP, A, Esdirk4, Memory, Output, Q, V, new_memory
from flexarm.core.stepping import stepping_tree
from flexarm.core.types import OK, RUNNING, Commands, Floats, Ints, Laws, Loads, Tree
from flexarm.model import Pieces

# Steps (times coordinates) between two looks whether somebody pressed Ctrl-C.
_PORTION = 200_000


class Moments(NamedTuple):
    """Runs in progress, from which others can go on: all a time loop keeps from step to step."""

    state: Floats  # (…, 5, nq)
    number: Floats  # (…, 16)
    counter: Ints  # (…, 8)

    def at(self, place: Any) -> Moments:
        """Copies of some of them."""
        return Moments(*(np.array(part[place], order="C") for part in self))


@dataclass(frozen=True, eq=False)
class Lanes:
    """What came of the lanes; a lane whose status is not OK did not reach its end."""

    q: Floats  # (lanes, samples, nq)
    v: Floats
    a: Floats
    end: Floats  # (lanes, 2, nq) coordinates and rates at the last mark
    status: Ints
    kept: Moments | None  # (lanes, marks, …)

    @property
    def ok(self) -> bool:
        """True if every lane reached its end."""
        return bool(np.all(self.status == OK))


class Track:
    """An arm made ready for lanes: its tree, its settings and where it starts."""

    def __init__(self, compiled: CompiledArm, settings: Settings) -> None:
        self.compiled = compiled
        self.tree = stepping_tree(compiled.tree, compiled.loads)
        self.control = settings.control(compiled.reach)
        self.start = self._started()
        self.runs = 0

    def _started(self) -> Moments:
        """The arm at t = 0, one lane; commands that begin alike begin in the same state."""
        begin = initial_state(self.compiled, self.compiled.arm.simulation.start)
        memory = new_memory(self.tree)
        memory.state[Q], memory.state[V], memory.state[A] = begin.q, begin.v, begin.a
        return Moments(memory.state[None], memory.number[None], memory.counter[None])


def runs_of(
    track: Track,
    commands: Sequence[Mapping[str, Pieces]],
    marks: Floats,
    samples: Floats,
    *,
    begin: Moments | None = None,
    first: Ints | None = None,
    before: Lanes | None = None,
    keep: bool = False,
) -> Lanes:
    """The arm under every command, sampled; all lanes in one compiled call on each processor.

    Lane i stops at marks[i] (s, rising; the last is its end) and is seen at samples[i] (s, rising). Its motions are
    commands[i], by joint. It starts at t = 0, or goes on from begin[i] at mark first[i]; what was seen earlier is then
    that of `before`, a single lane. With `keep` it can be gone on from at every mark.
    """
    lanes, nq = len(commands), len(track.compiled.coordinate_names)
    going = track.start.at(np.zeros(lanes, np.int64)) if begin is None else begin
    shape = (lanes, samples.shape[1], nq)
    q, v, a = (
        np.zeros(shape) if before is None else np.repeat(getattr(before, name), lanes, axis=0)
        for name in ("q", "v", "a")
    )
    count = marks.shape[1] if keep else 0
    snapshots = Moments(
        np.zeros((lanes, count, *going.state.shape[1:])),
        np.zeros((lanes, count, going.number.shape[1])),
        np.zeros((lanes, count, going.counter.shape[1]), np.int64),
    )
    status, pressed = np.full(lanes, RUNNING), np.zeros(1, np.int64)
    starts = np.full(lanes, -1) if first is None else np.ascontiguousarray(first, dtype=np.int64)
    packed = _packed(track.compiled, commands)
    compiled = track.compiled
    portion = max(100, _PORTION // max(nq, 1))
    given = (track.tree, compiled.loads, *packed[:2], compiled.commands, packed[2], track.control)
    filled = (marks, starts, samples, q, v, a, going, snapshots, status, pressed, portion)
    kernel = _lanes_of(type(track.tree))  # type: ignore[arg-type]

    def share(mine: Ints) -> None:
        kernel(*given, *filled, new_memory(track.tree), np.zeros((samples.shape[1], 3)), mine)

    share(np.zeros(0, np.int64))  # no lane: what has to be compiled is compiled here, once
    track.runs += lanes
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads = min(processors, lanes)
    # lanes that begin late are short: dealt out in turn
    with ThreadPoolExecutor(threads) as pool:
        try:
            for done in [pool.submit(share, np.arange(i, lanes, threads)) for i in range(threads)]:
                done.result()
        except BaseException:
            pressed[0] = 1
            raise
    return Lanes(q, v, a, np.ascontiguousarray(going.state[:, [Q, V]]), status, snapshots if keep else None)


def _packed(compiled: CompiledArm, commands: Sequence[Mapping[str, Pieces]]) -> tuple[Ints, Floats, Floats]:
    """First pieces, pieces and switches of every lane's laws, filled up to the longest."""
    arms = [with_motions(compiled, laws) for laws in commands]
    first = np.array([arm.laws.first for arm in arms])
    rows, width = (max(arm.laws.piece.shape[k] for arm in arms) for k in (0, 1))
    pieces = np.zeros((len(arms), rows, width))
    # a switch that never comes
    switches = np.full((len(arms), max(len(arm.commands.switches) for arm in arms)), np.inf)
    for lane, arm in enumerate(arms):
        piece = arm.laws.piece
        pieces[lane, : piece.shape[0], : piece.shape[1]] = piece
        switches[lane, : len(arm.commands.switches)] = arm.commands.switches
    return first, pieces, switches


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
        output = Output(samples[lane], q[lane], v[lane], a[lane], work)
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
def _lanes_of(tree: type) -> Any:
    """The loop over lanes for a class of tree."""
    kernels = {"restart": steppers._restart_of(tree), "advance": steppers._advance_of(Esdirk4, tree)}
    return jit(bound(_run_lanes, f"run_lanes_{tree.__name__}", **kernels))
