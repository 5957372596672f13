"""Chunks of a study run by the workers of a Dask cluster; the one module that knows Dask.

A worker of the cluster hands its chunks to processes of its own, one for each of its threads (`workers.Worker`):
Python's part of a sample would let threads wait for one another, and a sample that takes its process down takes no
worker of the cluster with it. Chunks of a worker that is lost are run again by Dask. Only the client writes.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any, final
from uuid import uuid4

from distributed import Client, KilledWorker

from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model.reading.messages import shown
from flexarm.studies.execution.evaluate import Evaluated, Task
from flexarm.studies.execution.kernel_warmup import digest
from flexarm.studies.execution.machine import cpu_class, versions
from flexarm.studies.execution.worker_pool import Chunk
from flexarm.studies.execution.workers import Worker, died

_CONNECT = 10.0  # s to find the scheduler
_FIRST_WORKER = 30.0  # s a cluster may take to have its first worker
_NO_WORKER = 600.0  # s it may be without any later on
_FAREWELL = 5.0  # s to disconnect from the scheduler
_LOOK = 5.0  # s between looks at how many workers there are
_IDLE = 60.0  # s after which a worker's processes end where no chunk comes any more
_MORE = 0.25  # chunks queued at the workers per running chunk, which hides the time of transfer


# --- In the workers of the cluster -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class WorkerInfo:
    """What the numbers of a worker depend on."""

    versions: dict[str, str]
    cpu: str


@dataclass(frozen=True)
class Answer:
    """A worker's answer to a chunk: its rows (None if the worker's code differs), its time (s) and its versions."""

    evaluated: Evaluated | None
    seconds: float
    info: WorkerInfo


@final
class _Processes:
    """The processes a worker of the cluster has for one task; they end when no chunk has come for a while."""

    def __init__(self, task: Task, columns: int) -> None:
        self._task, self._columns = task, columns
        self._idle: list[Worker] = []
        self._lock = threading.Lock()
        self._rest: threading.Timer | None = None

    def run(self, values: Floats) -> Evaluated:
        """The outputs and status of the samples."""
        with self._lock:
            worker = self._idle.pop() if self._idle else Worker(self._task, self._columns)
        try:
            return worker(values)
        finally:
            with self._lock:
                self._idle.append(worker)
                if self._rest is not None:
                    self._rest.cancel()
                self._rest = threading.Timer(_IDLE, self._end)
                self._rest.daemon = True
                self._rest.start()

    def _end(self) -> None:
        with _making:
            if _processes.get(digest(self._task)) is self:
                del _processes[digest(self._task)]
        with self._lock:
            workers, self._idle = self._idle, []
        for worker in workers:
            worker.close()


_processes: dict[str, _Processes] = {}
_making = threading.Lock()


def worker_info() -> WorkerInfo:
    """What the numbers of this process depend on."""
    return WorkerInfo(versions(), cpu_class())


def run_chunk(task: Task, columns: int, wanted: dict[str, str], values: Floats) -> Answer:
    """The chunk run by a process of this worker, if its code is the wanted one."""
    began, here = time.monotonic(), worker_info()
    if here.versions != wanted:
        return Answer(None, 0.0, here)
    with _making:
        mine = _processes.setdefault(digest(task), _Processes(task, columns))
    return Answer(mine.run(values), time.monotonic() - began, here)


# --- In the study's own process --------------------------------------------------------------------------------------


@dataclass(eq=False)
class _Whole:
    """A chunk and the pieces of it that are done, by where they begin; it is cut where it takes workers down."""

    begin: int
    values: Floats
    pieces: dict[int, Evaluated] = field(default_factory=dict)
    under_way: int = 0
    seconds: float = 0.0
    cpu: str = ""


@dataclass(frozen=True, eq=False)
class _Piece:
    """Rows `first` … `last` − 1 of a chunk, for the second time if `again`."""

    whole: _Whole
    first: int
    last: int
    again: bool = False


@final
class ClusterPool:
    """The workers of a Dask cluster, those that join later too; they must all have this flexarm."""

    def __init__(self, cluster: Any, task: Task, columns: int) -> None:
        self._task, self._columns = task, columns
        self._study = uuid4().hex
        self._wanted = versions()
        self._numbers = count()
        self._under_way: dict[Any, tuple[Any, _Piece]] = {}
        self._finished: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._client, self._own = _client_of(cluster)
        try:
            self.address = str(self._client.scheduler.address)
            self._threads, self._looked, self._seen = 0, -_LOOK, time.monotonic()
            self._cpus = self._alike()
        except BaseException:
            self.close()
            raise

    @property
    def cpu(self) -> str:
        """The class of the workers' processors, all of them if there are several."""
        return " | ".join(sorted(self._cpus))

    @property
    def remarks(self) -> list[str]:
        """What the reader of the table should know."""
        if len(self._cpus) == 1:
            return []
        return [f"run on {len(self._cpus)} classes of processors, {self.cpu}: last digits differ from class to class"]

    @property
    def capacity(self) -> int:
        """Somewhat more chunks than the workers have threads."""
        if time.monotonic() - self._looked >= _LOOK:
            self._threads = sum(self._asked(self._client.nthreads).values())
            self._looked = time.monotonic()
            self._seen = self._looked if self._threads else self._seen
            if self._looked - self._seen > _NO_WORKER:
                gone = f"has had no worker for {_NO_WORKER / 60:.0f} min, must have one"
                raise AnalysisError(f"the cluster at {self.address} {gone}; a study in a folder can be resumed")
        return self._threads + int(_MORE * self._threads) + 1

    def begin(self, begin: int, values: Floats) -> None:
        """Have the samples run somewhere."""
        self._submit(_Piece(_Whole(begin, values), 0, len(values)))

    def done(self, patience: float) -> Iterator[Chunk]:
        """Chunks all of whose pieces are done."""
        finished = self._next(patience)
        for (_, piece), answer in zip(finished, self._answers([future for future, _ in finished]), strict=True):
            whole = piece.whole
            whole.under_way -= 1
            if answer is not None:
                self._cpus.add(answer.info.cpu)
                if answer.evaluated is None:
                    raise _unlike("a worker", answer.info.versions, self._wanted)
                whole.pieces[piece.first] = answer.evaluated
                whole.seconds, whole.cpu = whole.seconds + answer.seconds, answer.info.cpu
            else:
                self._killed(piece)
            if not whole.under_way:
                parts = [whole.pieces[first] for first in sorted(whole.pieces)]
                evaluated = parts[0] if len(parts) == 1 else Evaluated.joined(parts)
                yield Chunk(whole.begin, whole.values, evaluated, whole.seconds, whole.cpu or cpu_class())

    def close(self) -> None:
        """Cancel what is under way; the workers' processes end by themselves."""
        client, self._client = self._client, None
        if client is None:
            return
        with suppress(Exception):
            if self._under_way and client.status == "running":
                client.cancel([future for future, _ in self._under_way.values()], force=True)
        self._under_way.clear()
        if self._own:
            with suppress(Exception):
                client.close(timeout=_FAREWELL)

    # --- Chunks --------------------------------------------------------------------------------------------------

    def _submit(self, piece: _Piece) -> None:
        piece.whole.under_way += 1
        future = self._asked(
            self._client.submit,
            run_chunk,
            self._task,
            self._columns,
            self._wanted,
            piece.whole.values[piece.first : piece.last],
            key=(f"flexarm-chunk-{self._study}", next(self._numbers)),
            pure=False,
            retries=2,
        )
        self._under_way[future.key] = future, piece
        future.add_done_callback(self._finished.put)

    def _next(self, patience: float) -> list[tuple[Any, _Piece]]:
        """Futures that have ended, and their pieces."""
        found = []
        with suppress(queue.Empty):
            found.append(self._finished.get(timeout=patience))
            while True:
                found.append(self._finished.get_nowait())
        return [self._under_way.pop(future.key) for future in found]

    def _answers(self, futures: list[Any]) -> list[Answer | None]:
        """The answers, None for a piece that took down worker after worker; futures are let go."""
        try:
            # all at once where nothing went wrong, which is cheaper
            if all(future.status == "finished" for future in futures):
                return list(self._asked(self._client.gather, futures))
        except Exception:
            self._at_hand()
        answers: list[Answer | None] = []
        for future in futures:
            try:
                answers.append(self._asked(future.result))
            except KilledWorker:
                answers.append(None)
        return answers

    def _killed(self, piece: _Piece) -> None:
        """Cut the piece in two; a sample that is alone is run once more, then it has failed."""
        first, last = piece.first, piece.last
        if last - first > 1:
            half = (first + last) // 2
            self._submit(_Piece(piece.whole, first, half))
            self._submit(_Piece(piece.whole, half, last))
        elif not piece.again:
            self._submit(_Piece(piece.whole, first, last, again=True))
        else:
            piece.whole.pieces[first] = died(self._columns)

    # --- The cluster ---------------------------------------------------------------------------------------------

    def _asked(self, question: Any, *words: Any, **options: Any) -> Any:
        """An answer of Dask; AnalysisError if the cluster is gone."""
        try:
            return question(*words, **options)
        except KilledWorker:
            raise
        except Exception:
            self._at_hand()
            raise

    def _at_hand(self) -> None:
        """Refuse to go on without the scheduler: Dask has given up all that was under way."""
        comm = self._client.scheduler_comm
        if self._client.status != "running" or comm is None or comm.closed():
            lost = "was lost, must be there until the study ends"
            raise AnalysisError(f"the scheduler at {self.address} {lost}; a study in a folder can be resumed") from None

    def _alike(self) -> set[str]:
        """The classes of the workers' processors; workers with another code than this are refused."""
        try:
            self._client.wait_for_workers(1, timeout=_FIRST_WORKER)
        except TimeoutError:
            none = f"has no worker, must have one within {_FIRST_WORKER:.0f} s"
            raise AnalysisError(f"the cluster at {self.address} {none}") from None
        found = self._asked(self._client.run, worker_info, on_error="return")
        for address, each in found.items():
            if not isinstance(each, WorkerInfo):
                why = f"{type(each).__name__}: {' '.join(str(each).split())[:120]}"
                raise AnalysisError(f"the worker {address} cannot load this flexarm, must have it installed: {why}")
            if each.versions != self._wanted:
                raise _unlike(f"the worker {address}", each.versions, self._wanted)
        return {each.cpu for each in found.values()}


def _unlike(who: str, theirs: dict[str, str], ours: dict[str, str]) -> AnalysisError:
    """The error that names what differs: rows computed by different code must not share a table."""
    name = next(name for name in [*ours, *theirs] if ours.get(name) != theirs.get(name))
    return AnalysisError(
        f"{who} of the cluster has {name} {theirs.get(name)}, must have {ours.get(name)} as this process"
    )


class _OwnClient(Client):
    """A client that closes itself if it finds no scheduler."""

    def start(self, **options: Any) -> None:
        """Connect; left half made it would be closed when Python ends, which fails with lines on the terminal."""
        try:
            super().start(**options)
        except BaseException:
            with suppress(Exception):
                self.close(timeout=_FAREWELL)
            self.status = "closed"
            raise


def _client_of(cluster: Any) -> tuple[Any, bool]:
    """A client of the cluster, and whether it is this study's own."""
    if isinstance(cluster, Client):
        if cluster.asynchronous or cluster.status != "running":
            raise AnalysisError(
                f"the cluster is {shown(str(cluster))}, must be a client that is connected and not async"
            )
        return cluster, False
    cluster = getattr(cluster, "scheduler_address", cluster)  # a LocalCluster and its like
    if not isinstance(cluster, str) or not cluster:
        raise AnalysisError(
            f"the cluster is {shown(cluster)}, must be a client of Dask or an address such as {_EXAMPLE}"
        )
    # what Dask logs about lost workers is either mended or reported in an error message of our own
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        return _OwnClient(cluster, timeout=_CONNECT, set_as_default=False, name="flexarm"), True
    except (OSError, ValueError, TypeError):
        nobody = "where no scheduler of Dask answers, must be an address"
        raise AnalysisError(f"the cluster is {shown(cluster)}, {nobody} such as {_EXAMPLE}") from None


_EXAMPLE = "tcp://host:8786"
