"""The samples a study still lacks, run in chunks by several workers and written as they come."""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import final

from flexarm.core.types import Floats
from flexarm.errors import AnalysisError
from flexarm.studies.evaluate import Evaluate, Evaluated
from flexarm.studies.interrupts import interrupt_where_checked, take_back_interrupts
from flexarm.studies.rows import Rows
from flexarm.studies.store import StudyDirectory

Progress = Callable[[int, int, int], None]  # samples done, wanted, and failed in this run
Draw = Callable[[int, int], Floats]

# What a chunk should take (s): long enough that its file costs nothing beside it, short enough to be lost in a crash;
# longer only where a study would else have more than so many parts.
_CHUNK_SECONDS, _LONGEST, _PARTS = 2.0, 30.0, 1000
_FIRST, _LARGEST = 8, 16384
LISTEN = 0.1  # s: how soon Ctrl-C is heard while all workers are busy


@final
class _Ranges:
    """Ranges of samples handed out chunk by chunk; without a given size the chunks grow to what takes its time."""

    def __init__(self, gaps: Sequence[tuple[int, int]], chunk: int | None) -> None:
        self._gaps = deque(gaps)
        self._fixed = chunk is not None
        self.size = chunk or _FIRST
        self._rate = 0.0
        self._enough = sum(end - begin for begin, end in gaps) // _PARTS

    def next(self) -> tuple[int, int] | None:
        """The next range, None if all are handed out."""
        if not self._gaps:
            return None
        begin, end = self._gaps.popleft()
        stop = min(begin + self.size, end)
        if stop < end:
            self._gaps.appendleft((stop, end))
        return begin, stop

    def took(self, samples: int, seconds: float) -> None:
        """Learn from a chunk that is done."""
        if not self._fixed:
            # the best so far: a worker's first chunk has its start in it
            rate = self._rate = max(self._rate, samples / max(seconds, 1e-6))
            fitting = max(_CHUNK_SECONDS * rate, min(self._enough, _LONGEST * rate))
            self.size = max(1, min(int(fitting), 4 * self.size, _LARGEST))


def fill(
    store: StudyDirectory,
    samples: int,
    names: tuple[Sequence[str], Sequence[str]],
    draw: Draw,
    doors: Sequence[Evaluate],
    *,
    chunk: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Run and write what the study lacks of its samples; `names` are those of parameters and outputs.

    Which worker runs which chunk, and when, changes nothing in the table. Ctrl-C and errors leave what is written.
    """
    if chunk is not None and chunk < 1:
        raise AnalysisError(f"chunk is {chunk}, must be at least 1")
    gaps = store.missing(samples)
    ranges = _Ranges(gaps, chunk)
    done, failed = samples - sum(end - begin for begin, end in gaps), 0
    idle: queue.SimpleQueue[Evaluate] = queue.SimpleQueue()
    for door in doors:
        idle.put(door)

    def run(begin: int, values: Floats) -> tuple[int, Floats, Evaluated, float]:
        door = idle.get()
        began = time.monotonic()
        try:
            return begin, values, door(values), time.monotonic() - began
        finally:
            idle.put(door)

    pool = ThreadPoolExecutor(len(doors))
    waiting: set[Future[tuple[int, Floats, Evaluated, float]]] = set()
    try:
        with interrupt_where_checked() as check:
            if progress is not None:
                progress(done, samples, failed)
            while True:
                # one chunk more than workers is ready, so that none waits for the disk
                while len(waiting) <= len(doors) and (found := ranges.next()) is not None:
                    waiting.add(pool.submit(run, found[0], draw(*found)))
                take_back_interrupts()
                if not waiting:
                    return
                finished, waiting = wait(waiting, timeout=LISTEN, return_when=FIRST_COMPLETED)
                for future in finished:
                    begin, values, evaluated, seconds = future.result()
                    rows = rows_of(begin, values, evaluated, names)
                    store.write(rows)
                    ranges.took(len(rows), seconds)
                    done, failed = done + len(rows), failed + len(rows) - int(rows.fine.sum())
                check()
                if finished and progress is not None:
                    progress(done, samples, failed)
    finally:
        for door in doors:
            door.close()
        pool.shutdown(wait=True, cancel_futures=True)


def rows_of(begin: int, values: Floats, evaluated: Evaluated, names: tuple[Sequence[str], Sequence[str]]) -> Rows:
    """The samples from number `begin` on, as rows of the study's table."""
    parameters, outputs = names
    columns = {name: values[:, k].copy() for k, name in enumerate(parameters)}
    columns |= {name: evaluated.outputs[:, k].copy() for k, name in enumerate(outputs)}
    return Rows(begin, columns, evaluated.status, evaluated.reason)
