"""One arm under many commands: `Track.run` takes it through one after another, `runs_of` through a batch of them.

In a batch a compiled loop takes lane after lane, spread over the processors, through the arm's own time loop; an engine
that takes several lanes at a time through one instruction can stand in its place, as long as it fills the same `Lanes`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexarm.analyses.equilibrium import State
from flexarm.analyses.run.initial_state import initial_state
from flexarm.analyses.run.integrate import RunFailed, Settings, reason_of
from flexarm.assembly import CompiledArm, with_motions
from flexarm.core.time.batch import Moments, batch_of
from flexarm.core.time.loop import advance
from flexarm.core.time.mechanism import mechanism_of
from flexarm.core.time.memory import Clock, Count, Output, new_memory, new_output
from flexarm.core.time.memory import State as Rows
from flexarm.core.tree.elements import own_tree
from flexarm.core.tree.types import OK, RUNNING, Commands, Floats, Ints, Laws
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
    """An arm made ready for runs: its tree, its settings, where it starts, and all a time loop keeps."""

    def __init__(self, compiled: CompiledArm, settings: Settings) -> None:
        self.compiled = compiled
        self.tree = own_tree(compiled.tree, compiled.loads)
        self.control = settings.control(compiled.reach)
        self._memory, self._fresh = (new_memory(self.tree, compiled.reach) for _ in range(2))
        self.runs = 0

    @cached_property
    def start(self) -> Moments:
        """The arm at t = 0, one lane; commands that begin alike begin in the same state."""
        begin = self.begin(initial_state(self.compiled, self.compiled.arm.simulation.start), 0.0)
        return Moments(begin.state[None], begin.clock[None], begin.counter[None])

    def begin(self, state: State, time: float) -> Moments:
        """A run that has not begun yet, in a state at a time (s)."""
        fresh = Moments.of(self._fresh)
        rows = Rows(*fresh.state)
        rows.q[:], rows.v[:], rows.a[:] = state.q, state.v, state.a
        if state.integral is not None:
            rows.x[self.compiled.commands.servo_coordinate] = state.integral
        Clock(*fresh.clock).time[:] = time
        return fresh

    def run(self, laws: Laws, commands: Commands, start: Moments, samples: Floats) -> Output:
        """States at the samples (s), the last of which is the end, under a command; RunFailed has the reason."""
        memory = self._memory
        start.taken_up_in(memory)
        count = memory.state.shape[1]
        output = new_output(samples, count, len(commands.servo_coordinate))
        control = self.control._replace(t_end=float(samples[-1]))
        given = (self.tree, self.compiled.loads, laws, commands)
        while (status := advance(*given, control, memory, output, _portion(count))) == RUNNING:
            pass  # Ctrl-C is heard here
        if status != OK:
            _, message, advice = reason_of(status, self.compiled, memory.states.q)
            raise RunFailed(f"{message}; try {advice}")
        return output

    def reached(self) -> Moments:
        """Where the last run ended, for others to go on from: the brake may begin right there, so that their first step
        is found anew, as after any switch.
        """
        found = Moments.of(self._memory)
        Clock(*found.clock).step[:] = 0.0
        return found._replace(counter=self._fresh.counter)


def _portion(coordinates: int) -> int:
    """Steps between two looks at the keyboard."""
    return max(100, _PORTION // max(coordinates, 1))


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
    given = (compiled.loads, *packed[:2], compiled.commands, packed[2], track.control)
    filled = (marks, starts, samples, q, v, a, x, going, snapshots, pressed, _portion(nq))
    kernel = batch_of()

    def share(mine: Ints) -> None:
        # every thread has springs of its own: within a step drives write into them
        own = track.tree._replace(spring=track.tree.spring.copy())
        kernel(
            mechanism_of(own, compiled.loads),
            *given,
            *filled,
            new_memory(own, compiled.reach),
            np.zeros((samples.shape[1], 3)),
            mine,
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
    rows = Rows(*np.moveaxis(going.state, 1, 0))
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
