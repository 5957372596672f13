"""Runs of one arm under many commands in one compiled call: a lane each, spread over the processors.

`runs_of` is the door. Behind it a compiled loop takes lane after lane through the arm's own time loop; an engine that
takes several lanes at a time through one instruction can stand in its place, as long as it fills the same `Lanes`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from flexarm.analyses.run.initial_state import initial_state
from flexarm.analyses.run.integrate import Settings
from flexarm.assembly import CompiledArm, with_motions
from flexarm.core.mechanism import mechanism_of
from flexarm.core.time.batch import Moments, batch_of
from flexarm.core.time.memory import Count, State, new_memory
from flexarm.core.tree.elements import stepping_tree
from flexarm.core.types import OK, Floats, Ints
from flexarm.model import Pieces

# Steps (times coordinates) between two looks whether somebody pressed Ctrl-C.
_PORTION = 200_000


@dataclass(frozen=True, eq=False)
class Lanes:
    """What came of the lanes; a lane whose status is not OK did not reach its end."""

    q: Floats  # (lanes, samples, nq)
    v: Floats
    a: Floats
    x: Floats  # (lanes, samples, servos) integrators of the drives
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
        memory = new_memory(self.tree, self.compiled.reach)
        state = memory.states
        state.q[:], state.v[:], state.a[:] = begin.q, begin.v, begin.a
        if begin.integral is not None:
            state.x[self.compiled.commands.servo_coordinate] = begin.integral
        return Moments(memory.state[None], memory.clock[None], memory.counter[None])


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
    held = (lanes, samples.shape[1], len(track.compiled.commands.servo_coordinate))
    q, v, a, x = (
        np.zeros(each) if before is None else np.repeat(getattr(before, name), lanes, axis=0)
        for name, each in (("q", shape), ("v", shape), ("a", shape), ("x", held))
    )
    count = marks.shape[1] if keep else 0
    snapshots = Moments(
        *(np.zeros((lanes, count, *part.shape[1:]), part.dtype) for part in going),
    )
    pressed = np.zeros(1, np.int64)
    starts = np.zeros(lanes, np.int64) if first is None else np.ascontiguousarray(first, dtype=np.int64)
    packed = _packed(track.compiled, commands)
    compiled = track.compiled
    portion = max(100, _PORTION // max(nq, 1))
    given = (compiled.loads, *packed[:2], compiled.commands, packed[2], track.control)
    filled = (marks, starts, samples, q, v, a, x, going, snapshots, pressed, portion)
    kernel = batch_of()

    def share(mine: Ints) -> None:
        # every thread has springs of its own: within a step drives write into them
        own = track.tree._replace(spring=track.tree.spring.copy())
        kernel(
            mechanism_of(own), *given, *filled, new_memory(own, compiled.reach), np.zeros((samples.shape[1], 3)), mine
        )

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
    rows = State(*np.moveaxis(going.state, 1, 0))
    status = Count(*np.moveaxis(going.counter, 1, 0)).status[:, 0]
    return Lanes(q, v, a, x, np.stack([rows.q, rows.v], axis=1), status, snapshots if keep else None)


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
