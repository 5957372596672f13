"""Runs the missing samples of a study in chunks on a worker pool and writes them as they finish."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import final

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.studies.execution.interrupts import interrupt_where_checked, take_back_interrupts
from flexarm.studies.execution.worker_pool import Chunk, WorkerPool
from flexarm.studies.store.rows import Rows
from flexarm.studies.store.store import StudyDirectory

Progress = Callable[[int, int, int], None]  # samples done, wanted, and failed in this run
Draw = Callable[[int, int], Floats]

# What a chunk should take (s): long enough that its file costs nothing beside it, short enough to be lost in a crash;
# longer only where a study would else have more than so many parts, or so many run at once that chunks would end faster
# than one process hands them out and writes them.
_CHUNK_SECONDS, _LONGEST, _PARTS = 2.0, 60.0, 1000
_APART = 0.02
_FIRST, _LARGEST = 8, 32768
# Numbers of a chunk in memory (4 MB), several times while it is written: tables of many columns have shorter parts.
_NUMBERS = 500_000
LISTEN = 0.1  # s: how soon Ctrl-C is heard while all workers are busy


@final
class _Ranges:
    """Ranges of samples, handed out chunk by chunk; unless their size is given, chunks grow to a set duration."""

    def __init__(self, gaps: Sequence[tuple[int, int]], chunk: int | None, columns: int) -> None:
        self._gaps = deque(gaps)
        self._fixed = chunk is not None
        self.size = chunk or _FIRST
        self._rate = 0.0
        self._largest = max(1, min(_LARGEST, _NUMBERS // max(columns, 1)))
        self._enough = sum(end - begin for begin, end in gaps) // _PARTS

    def next(self) -> tuple[int, int] | None:
        """The next range; None if all have been handed out."""
        if not self._gaps:
            return None
        begin, end = self._gaps.popleft()
        stop = min(begin + self.size, end)
        if stop < end:
            self._gaps.appendleft((stop, end))
        return begin, stop

    def took(self, samples: int, seconds: float, at_once: int) -> None:
        """Adapt the size to a finished chunk, one of `at_once` that run concurrently."""
        if not self._fixed:
            # the best so far: a worker's first chunk has its start in it
            rate = self._rate = max(self._rate, samples / max(seconds, 1e-6))
            wanted = min(max(_CHUNK_SECONDS, _APART * at_once), _LONGEST)
            fitting = max(wanted * rate, min(self._enough, _LONGEST * rate))
            self.size = max(1, min(int(fitting), 4 * self.size, self._largest))


def fill(
    store: StudyDirectory,
    samples: int,
    names: tuple[Sequence[str], Sequence[str]],
    draw: Draw,
    pool: WorkerPool,
    *,
    chunk: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Run and write the missing samples of the study; `names` are those of parameters and outputs.

    The table does not depend on which worker runs which chunk, or when. Ctrl-C and errors keep what is written; the
    pool is closed at the end.
    """
    if chunk is not None and chunk < 1:
        raise AnalysisError(f"chunk is {chunk}, must be at least 1")
    gaps = store.missing(samples)
    ranges = _Ranges(gaps, chunk, sum(map(len, names)))
    done, failed = samples - sum(end - begin for begin, end in gaps), 0
    under_way = 0
    try:
        with interrupt_where_checked() as check:
            if progress is not None:
                progress(done, samples, failed)
            while True:
                while under_way < pool.capacity and (found := ranges.next()) is not None:
                    pool.begin(found[0], draw(*found))
                    under_way += 1
                take_back_interrupts()
                if not under_way:
                    return
                before = done
                for each in pool.done(LISTEN):
                    under_way -= 1
                    rows = rows_of(each, names)
                    store.write(rows, cpu=each.cpu)
                    ranges.took(len(rows), each.seconds, pool.capacity)
                    done, failed = done + len(rows), failed + len(rows) - int(rows.valid.sum())
                check()
                if done > before and progress is not None:
                    progress(done, samples, failed)
    finally:
        pool.close()


def rows_of(chunk: Chunk, names: tuple[Sequence[str], Sequence[str]]) -> Rows:
    """The chunk's rows, column by column."""
    values, outputs = (np.ascontiguousarray(table.T) for table in (chunk.values, chunk.evaluated.outputs))
    columns = dict(zip((*names[0], *names[1]), (*values, *outputs), strict=True))
    return Rows(chunk.begin, columns, chunk.evaluated.status, chunk.evaluated.reason)
