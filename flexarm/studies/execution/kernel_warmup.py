"""Kernels compiled by one process of a machine while the others wait: cold workers would all compile the same.

What is compiled stands in the shared cache of kernels; a lock beside it lets one process at a time be the first, and an
empty file per task remembers that the task's kernels are there.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

from flexarm.core._jit import CACHE
from flexarm.core.tree.types import Floats
from flexarm.studies.execution.evaluate import Evaluate, Task
from flexarm.studies.execution.machine import cpu_class
from flexarm.studies.store.rows import OK

LOCK = "compiling.lock"


def warmed(evaluator: Evaluate, task: Task, values: Floats, folder: Path | None = CACHE) -> bool:
    """True if the evaluator's kernels may have been compiled here, by running the first of these samples under a lock.

    A failed sample may not compile everything; then the next process tries again. Without a folder for kernels every
    process compiles for itself.
    """
    if folder is None or not len(values):
        return False
    stamp = folder / f"warm-{digest(task)}"
    if stamp.exists():
        return False
    from filelock import FileLock

    with suppress(OSError):
        (folder / LOCK).touch()  # the lock itself would wait for a folder that cannot be written
        with FileLock(folder / LOCK):
            if stamp.exists():
                return False
            if evaluator(values[:1]).status == [OK]:
                stamp.touch()
            return True
    return False


def digest(task: Task) -> str:
    """A name for the task on this class of processor: a folder of kernels may be shared by several."""
    return hashlib.sha256(f"{task!r} {cpu_class()}".encode()).hexdigest()[:24]
