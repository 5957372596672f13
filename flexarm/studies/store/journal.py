"""The evaluations of a search through parameters: every sample once, in order, stored as a study.

A search asks for samples as it goes. It is decided by its seed, so taken up again it asks for the same ones first,
which are then known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.studies.execution.evaluate import Evaluated
from flexarm.studies.execution.runner import rows_of
from flexarm.studies.execution.worker_pool import Chunk
from flexarm.studies.store.store import StudyDirectory

# So many rows are worth a file of their own.
_PART = 256


@final
class Journal:
    """The evaluated samples of a study that is held open for writing; without a store they are kept nowhere."""

    def __init__(self, store: StudyDirectory | None, names: tuple[Sequence[str], Sequence[str]]) -> None:
        self._store, self._names = store, names
        self._waiting: list[tuple[Floats, Evaluated]] = []
        self._gaps: list[tuple[int, int]] = []
        self._cpu: str | None = None
        self._end = 0

    def before(self) -> list[tuple[bytes, Floats, str, str]]:
        """Key, outputs, status and reason of every sample an earlier run of the study has left."""
        if self._store is None:
            return []
        parameters, outputs = self._names
        found = []
        for rows in self._store.stored().blocks():
            values = np.column_stack([rows.columns[name] for name in parameters])
            numbers = np.column_stack([rows.columns[name] for name in outputs])
            for k in range(len(rows)):
                found.append((key(values[k]), numbers[k], rows.status[k], rows.reason[k]))
            self._end = rows.end
        # where a part was damaged and dropped: its samples are asked for again, and take their numbers
        self._gaps = self._store.missing(self._end)
        return found

    def add(self, chunk: Chunk) -> None:
        """Keep the samples of a chunk, whatever number it has."""
        if chunk.cpu != self._cpu:
            self.flush()
        self._cpu = chunk.cpu
        self._waiting.append((chunk.values, chunk.evaluated))
        if sum(len(values) for values, _ in self._waiting) >= _PART:
            self.flush()

    def flush(self) -> None:
        """Write pending rows to the disk."""
        if not self._waiting:
            return
        values = np.concatenate([each for each, _ in self._waiting])
        evaluated = Evaluated.joined([each for _, each in self._waiting])
        self._waiting = []
        at = 0
        while self._store is not None and at < len(values):
            begin, end = self._gaps.pop(0) if self._gaps else (self._end, self._end + len(values) - at)
            some = slice(at, at + end - begin)
            part = Evaluated(evaluated.outputs[some], evaluated.status[some], evaluated.reason[some])
            rows = rows_of(Chunk(begin, values[some], part, 0.0, self._cpu or ""), self._names)
            self._store.write(rows, cpu=self._cpu)
            if rows.end < end:
                self._gaps.insert(0, (rows.end, end))
            at, self._end = at + len(rows), max(self._end, rows.end)


def key(values: Floats) -> bytes:
    """The key that identifies a sample by the bits of its parameters (p,)."""
    return np.ascontiguousarray(values).tobytes()
