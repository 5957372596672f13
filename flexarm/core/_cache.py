"""Where compiled kernels are kept: the user's own, made for this processor, and those that came with the package.

Numba names a kernel's files after the folder its source lies in, so that they are lost when anything moves. Here they
are named after the kernel alone, in a folder named after a hash of all sources, so that kernels compiled when a package
was built serve wherever it is installed. Such kernels are made for a level of processors, not for one: they are taken
where this processor has all that the level asks for and the user's own cache has nothing.
"""

from __future__ import annotations

import contextlib
import os
import time
from functools import cache
from pathlib import Path
from typing import Any

from llvmlite import binding
from numba.core import caching

try:
    import fcntl
except ImportError:  # no such locks on this system: processes that start together compile the same
    fcntl = None  # type: ignore[assignment]

# Levels of x86-64 and what each has beyond the one before it, highest first; names as LLVM has them.
_V3 = ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
LEVELS = {"x86-64-v4": (*_V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"), "x86-64-v3": _V3}
# How long a process waits for a kernel that another one is compiling (s).
_PATIENCE = 120.0
# The level a package is being built for; else kernels are made for this processor.
BUILT_FOR = os.environ.get("FLEXARM_KERNEL_LEVEL", "")


@cache
def level() -> str:
    """The highest level of processors this one belongs to, by its name; empty if there is none."""
    has = binding.get_host_cpu_features()
    return next((name for name, asked in LEVELS.items() if all(has.get(word, False) for word in asked)), "")


class _Locator(caching._CacheLocator):  # type: ignore[misc]
    """A folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get_cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """Nothing: the folder's name is a hash of all sources."""
        return ""

    def get_disambiguator(self) -> str:
        """Nothing: names of kernels are unique."""
        return "0"

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> None:
        """None: a folder is given, not found."""


class _Files(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """The files of a kernel in a folder."""

    def __init__(self, function: Any, folder: Path) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Locator(folder)
        self._filename_base = self.get_filename_base(f"{function.__module__}.{function.__qualname__}", "")


class _Folder(caching.FunctionCache):  # type: ignore[misc]
    """A kernel's place in a folder, for this processor or for a level of them."""

    def __init__(self, function: Any, folder: Path, made_for: str) -> None:
        self._name, self._py_func, self._made_for = repr(function), function, made_for
        self._impl = _Files(function, folder)
        self._cache_path = str(folder)
        self._cache_file = caching.IndexDataCacheFile(self._cache_path, self._impl.filename_base, "")
        self.enable()

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        types, processor, code = super()._index_key(sig, codegen)
        return types, self._made_for or processor, code


class KernelCache(caching._Cache):  # type: ignore[misc]
    """A kernel in the user's cache and in the one that came with the package, either of which may be missing."""

    def __init__(self, function: Any, own: Path | None, shipped: Path | None) -> None:
        self._own = None if own is None else _Folder(function, own, BUILT_FOR)
        self._shipped = None if shipped is None else _Folder(function, shipped, shipped.name)
        self._lock: int | None = None

    @property
    def cache_path(self) -> str:
        """The folder that new kernels are written to."""
        return "" if self._own is None else str(self._own.cache_path)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kernel for these types; None where this process is to compile it."""
        for place in (self._own, self._shipped):
            found = None if place is None else place.load_overload(sig, target_context)
            if found is not None:
                return found
        if self._own is None or self._lock is not None:
            return None
        # processes that start together would all compile the same: the first does, the others wait for it
        waited = self._take_lock()
        found = self._own.load_overload(sig, target_context) if waited else None
        if found is not None:
            self._release()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a kernel for these types."""
        try:
            if self._own is not None:
                self._own.save_overload(sig, data)
        finally:
            self._release()

    def _take_lock(self) -> bool:
        """True if another process had the lock of this kernel meanwhile; where there are no locks none is taken."""
        if fcntl is None or self._own is None:
            return False
        path = f"{self._own.cache_path}/{self._own._impl.filename_base}.lock"
        with contextlib.suppress(OSError):
            self._lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        waited, until = False, time.monotonic() + _PATIENCE
        while self._lock is not None and time.monotonic() < until:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                waited = True
                time.sleep(0.02)
            except OSError:
                break
        return waited

    def _release(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def enable(self) -> None:
        """It is always on."""

    def disable(self) -> None:
        """It is always on."""

    def flush(self) -> None:
        """Forget the user's own kernels."""
        if self._own is not None:
            self._own.flush()
