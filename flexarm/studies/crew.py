"""Who runs the chunks of a study: several at once, handed back as they are done."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Protocol, final

from flexarm.core.types import Floats
from flexarm.studies.evaluate import Evaluate, Evaluated
from flexarm.studies.machine import cpu_class


@final
@dataclass(frozen=True, eq=False)
class Chunk:
    """Samples from `begin` on that were run: their parameters, what became of them, how long (s) and on what."""

    begin: int
    values: Floats
    evaluated: Evaluated
    seconds: float
    cpu: str


class Crew(Protocol):
    """Chunks given to it are run, in whatever order, by whomever."""

    @property
    def room(self) -> int:
        """How many chunks it wants at once: a few more than it runs, so that none of it waits for the disk."""

    def begin(self, begin: int, values: Floats) -> None:
        """Have the samples from `begin` on with these parameters run."""

    def done(self, patience: float) -> Iterator[Chunk]:
        """Chunks that are done, each once; none if nothing is within so many seconds."""

    def close(self) -> None:
        """Give up what is under way; closing twice does no harm."""


@final
class LocalCrew:
    """Doors on this machine, a thread for each."""

    def __init__(self, doors: Sequence[Evaluate]) -> None:
        self._doors = doors
        self._pool = ThreadPoolExecutor(len(doors))
        self._waiting: set[Future[Chunk]] = set()
        self._idle: queue.SimpleQueue[Evaluate] = queue.SimpleQueue()
        for door in doors:
            self._idle.put(door)

    @property
    def room(self) -> int:
        """One chunk more than doors."""
        return len(self._doors) + 1

    def begin(self, begin: int, values: Floats) -> None:
        """Have the samples run by the next door that is idle."""
        self._waiting.add(self._pool.submit(self._run, begin, values))

    def done(self, patience: float) -> Iterator[Chunk]:
        """Chunks that are done."""
        finished, self._waiting = wait(self._waiting, timeout=patience, return_when=FIRST_COMPLETED)
        for future in finished:
            yield future.result()

    def close(self) -> None:
        """End the doors and their threads."""
        for door in self._doors:
            door.close()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _run(self, begin: int, values: Floats) -> Chunk:
        door = self._idle.get()
        began = time.monotonic()
        try:
            return Chunk(begin, values, door(values), time.monotonic() - began, cpu_class())
        finally:
            self._idle.put(door)
