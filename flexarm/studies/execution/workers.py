"""Worker processes, which run chunks of samples and end with their study, even if it crashes.

Reading and compiling an arm is Python code and takes longer than its run, so threads would wait for the GIL.
"""

from __future__ import annotations

import os
import pickle
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any, BinaryIO, final

import numpy as np

import flexarm
from flexarm.core.tree.types import Floats
from flexarm.studies.execution.evaluate import Evaluated, Evaluator, Stopped, Task
from flexarm.studies.execution.kernel_warmup import warmed

_SIZE = struct.Struct("<Q")
_START = "import sys; sys.path.insert(0, sys.argv[1]); from flexarm.studies.execution.workers import serve; serve()"
# Linear algebra in threads of its own would only take the cores from the other workers.
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")


class WorkerDied(Exception):
    """The worker process has ended unexpectedly."""


@final
class Worker:
    """Evaluates samples in a separate process, which is started when first needed and restarted whenever it dies."""

    def __init__(self, task: Task, columns: int) -> None:
        self._task, self._columns = task, columns
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def __call__(self, values: Floats) -> Evaluated:
        """The outcome of the samples; a sample that crashes its process twice has failed."""
        found = self._tried(values)
        if found is None and len(values) > 1:
            half = len(values) // 2
            return Evaluated.joined([self(values[:half]), self(values[half:])])
        return found or self._tried(values) or died(self._columns)

    def _tried(self, values: Floats) -> Evaluated | None:
        """The outcome of the samples, None if the process died of them."""
        try:
            return self._asked(values)
        except WorkerDied:
            self._end()
        if self._closed:
            raise Stopped
        return None

    def close(self) -> None:
        """End the process; a call under way is given up."""
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()

    def _asked(self, values: Floats) -> Evaluated:
        if self._closed:
            raise Stopped
        try:
            if self._process is None:
                self._process = _started()
                _send(self._process.stdin, self._task)
            _send(self._process.stdin, values)
            answer = _receive(self._process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError):
            raise WorkerDied from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()

    def __del__(self) -> None:
        self._end()


def died(columns: int) -> Evaluated:
    """The outcome of a sample that crashes its process."""
    return Evaluated(np.full((1, columns), np.nan), ["died"], ["the process that ran it died, twice"])


def serve() -> None:
    """Evaluate chunks from stdin and write the results to stdout until stdin closes."""
    import signal

    # Ctrl-C reaches the whole group of processes: the study decides what it means
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not stand among the answers
    questions = sys.stdin.buffer
    try:
        task = _receive(questions)
        evaluator: Evaluator | Exception
        try:
            evaluator = Evaluator(task)
        except Exception as error:
            evaluator = RuntimeError(f"a worker could not begin: {error}")
        cold = True
        while True:
            values = _receive(questions)
            if isinstance(evaluator, Exception):
                _send(answers, evaluator)
                continue
            if cold:
                warmed(evaluator, task, values)
                cold = False
            _send(answers, evaluator(values))
    except (EOFError, BrokenPipeError):
        os._exit(0)


def _started() -> subprocess.Popen[bytes]:
    root = str(Path(flexarm.__file__).parents[1])
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _START, root],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **_ONE_THREAD},
    )


def _send(pipe: BinaryIO | Any, value: Any) -> None:
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    pipe.write(_SIZE.pack(len(data)))
    pipe.write(data)
    pipe.flush()


def _receive(pipe: BinaryIO | Any) -> Any:
    return pickle.loads(_exactly(pipe, _SIZE.unpack(_exactly(pipe, _SIZE.size))[0]))


def _exactly(pipe: BinaryIO | Any, count: int) -> bytes:
    data = pipe.read(count)
    if len(data) != count:
        raise EOFError
    return data
