"""Worker pools, which run several chunks of a study at once and hand each back when it is done."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Protocol, final

from flexarm.core.tree.types import Floats
from flexarm.studies.execution.evaluate import Evaluate, Evaluated
from flexarm.studies.execution.machine import cpu_class


@final
@dataclass(frozen=True, eq=False)
class Chunk:
    """Finished samples from `begin` on: their parameters, their outcome, the time taken (s) and the processor."""

    begin: int
    values: Floats
    evaluated: Evaluated
    seconds: float
    cpu: str


class WorkerPool(Protocol):
    """Runs the chunks submitted to it, in any order."""

    @property
    def capacity(self) -> int:
        """How many chunks to submit at once: a few more than workers, so that no worker waits for the disk."""

    def begin(self, begin: int, values: Floats) -> None:
        """Submit the samples from `begin` on, with these parameters."""

    def done(self, patience: float) -> Iterator[Chunk]:
        """Finished chunks, each once; none if nothing finishes within `patience` seconds."""

    def close(self) -> None:
        """Cancel what is in progress; closing twice does no harm."""


@final
class LocalPool:
    """A pool of evaluators on this machine, with one thread each."""

    def __init__(self, evaluators: Sequence[Evaluate]) -> None:
        self._evaluators = evaluators
        self._threads = ThreadPoolExecutor(len(evaluators))
        self._pending: set[Future[Chunk]] = set()
        self._idle: queue.SimpleQueue[Evaluate] = queue.SimpleQueue()
        for evaluator in evaluators:
            self._idle.put(evaluator)

    @property
    def capacity(self) -> int:
        """One chunk more than there are evaluators."""
        return len(self._evaluators) + 1

    def begin(self, begin: int, values: Floats) -> None:
        """Submit the samples to the next idle evaluator."""
        self._pending.add(self._threads.submit(self._run, begin, values))

    def done(self, patience: float) -> Iterator[Chunk]:
        """Finished chunks."""
        finished, self._pending = wait(self._pending, timeout=patience, return_when=FIRST_COMPLETED)
        for future in finished:
            yield future.result()

    def close(self) -> None:
        """Close the evaluators and their threads."""
        for evaluator in self._evaluators:
            evaluator.close()
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _run(self, begin: int, values: Floats) -> Chunk:
        evaluator = self._idle.get()
        began = time.monotonic()
        try:
            return Chunk(begin, values, evaluator(values), time.monotonic() - began, cpu_class())
        finally:
            self._idle.put(evaluator)
