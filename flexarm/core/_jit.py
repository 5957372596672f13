"""The one door to numba: a `jit` whose cache can never be stale.

Numba rebuilds a cached kernel when the kernel's own file changes, not when a file it imports does. So the cache
directory is named by a hash of every source file of `core`, the versions and the kind of machine: another source,
another directory.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import platform
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import event
from numba.core.dispatcher import Dispatcher
from numba.extending import overload

from flexarm.core._cache import KernelCache, level
from flexarm.core._linked import LinkedApart, LinkedOnly

F = TypeVar("F", bound=Callable[..., Any])


def _source_hash() -> str:
    """Hash of everything a compiled kernel depends on."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.relative_to(Path(__file__).parent).as_posix().encode())
        digest.update(path.read_bytes())
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    for word in (numba.__version__, python, platform.machine(), sys.platform):
        digest.update(word.encode())
    return digest.hexdigest()[:16]


def _writable(path: Path) -> bool:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(path, os.W_OK)


def shipped_directory() -> Path | None:
    """Where the kernels are that came with the package, if any are of these very sources."""
    path = Path(__file__).parents[1] / "_kernels" / _source_hash()
    return path if path.is_dir() else None


def cache_directory() -> Path | None:
    """Where compiled kernels are kept, or None if no place can be written; FLEXARM_CACHE_DIR overrides the user's
    cache.
    """
    chosen = os.environ.get("FLEXARM_CACHE_DIR")
    if chosen:
        roots = [Path(chosen)]
    else:
        home = os.environ.get("XDG_CACHE_HOME")
        roots = [Path(home) if home else Path.home() / ".cache"]
    for root in roots:
        path = root / "flexarm" / f"kernels-{_source_hash()}"
        if _writable(path):
            return path
    return None


CACHE = cache_directory()
SHIPPED = shipped_directory()
COMPILER_VERSION: str = numba.__version__

# 'contract' lets a*b + c be one instruction and changes nothing else: infinities and NaN stay visible, and lanes give
# the same bits.
_OPTIONS: dict[str, Any] = {
    "fastmath": {"contract"},
    "error_model": "numpy",
    "nogil": True,
    "boundscheck": False,
    "_nrt": False,
}
# _nrt off: kernels never allocate, so arrays need no reference counts (they cost 0.3 µs a call)
_LINKED: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": LinkedOnly}


def jit(function: F) -> F:
    """The compiled function, kept on disk where a cache directory can be written."""
    kernel = numba.njit(**_OPTIONS)(function)
    kernel._cache = KernelCache(function, CACHE, SHIPPED / level() if SHIPPED is not None and level() else None)
    return kernel  # type: ignore[no-any-return]


def inner(function: F) -> F:
    """The compiled function for other kernels only; Python must not call it.

    No door to Python is built and there is no entry in the cache, which saves some of the compiling.
    """
    return numba.njit(**_LINKED, **_OPTIONS)(function)  # type: ignore[no-any-return]


def apart(function: F) -> F:
    """The same, never written into the kernels that call it: what is seldom done then costs the others no register."""
    return numba.njit(**{**_LINKED, "pipeline_class": LinkedApart}, **_OPTIONS)(function)  # type: ignore[no-any-return]


def operation(function: F) -> F:
    """The compiled function, written into every kernel that calls it; for small things done with tuples of numbers."""
    return numba.njit(forceinline=True, **_LINKED, **_OPTIONS)(function)  # type: ignore[no-any-return]


def made_like(kernel: Any, function: Any) -> Any:
    """The function compiled for other kernels only, and written into them if the given kernel is."""
    return operation(function) if kernel.targetoptions.get("forceinline") else inner(function)


class _FirstCompile(event.Listener):
    """Calls a function once, when the first kernel is compiled and not loaded from the cache."""

    def __init__(self, call: Callable[[], None]) -> None:
        self._call: Callable[[], None] | None = call

    def on_start(self, event: Any) -> None:
        call, self._call = self._call, None
        if call is not None:
            call()

    def on_end(self, event: Any) -> None:
        """Nothing: what was compiled is used."""


def on_first_compile(call: Callable[[], None]) -> None:
    """Have a function called when a kernel has to be compiled, once in this process."""
    event.register("numba:compile", _FirstCompile(call))


def is_kernel(thing: Any) -> bool:
    """True for a compiled function."""
    return isinstance(thing, Dispatcher)


def choose(stub: Callable[..., Any], by: Callable[[type], Callable[..., Any]]) -> None:
    """Let compiled code call `stub` and get the kernel that `by` names for the class of the first argument.

    That argument is a named tuple. The choice falls when the caller is compiled: a planar run never compiles a spatial
    kernel. The kernel is called, not handed over: numba would compile what it is handed anew for every caller.
    """
    names = ", ".join(inspect.signature(stub).parameters)
    calls: dict[Callable[..., Any], Callable[..., Any]] = {}

    def call_of(kernel: Callable[..., Any]) -> Callable[..., Any]:
        if kernel not in calls:
            place: dict[str, Any] = {"kernel": kernel}
            exec(f"def call({names}):\n    return kernel({names})", place)
            calls[kernel] = place["call"]
        return calls[kernel]

    first = names.split(", ")[0]
    place: dict[str, Any] = {"call_of": call_of, "by": by}
    exec(f"def pick({names}):\n    return call_of(by({first}.instance_class))", place)
    overload(stub, jit_options={**_OPTIONS, **_LINKED}, inline="always")(place["pick"])


def bound(function: F, name: str, **names: Any) -> F:
    """A copy of a function, plain or compiled, under another name, in which the given names mean the given kernels.

    It compiles one loop for each of several kernels without the detour of `choose`, which compiles the call by itself.
    """
    function = getattr(function, "py_func", function)
    copy = types.FunctionType(function.__code__, {**function.__globals__, **names}, name)  # type: ignore[attr-defined]
    copy.__doc__, copy.__qualname__, copy.__module__ = function.__doc__, name, function.__module__
    return copy  # type: ignore[return-value]


def by_length(names: str, of: str, each: str, together: str = "return ({},)", between: str = ", ") -> Any:
    """A function of the given names, written out for as many parts as the tuple `of` has; compiled code calls it too.

    `each` is what is written for part {0}, `together` what holds the parts, `between` what stands between them. Tuples
    of numbers live in registers: code written with them costs what code written out by hand costs.
    """
    made: dict[int, Any] = {}

    def written(count: int) -> Any:
        if count not in made:
            place: dict[str, Any] = {"__name__": __name__}
            parts = between.join(each.format(k) for k in range(count))
            exec(f"def part({names}):\n    {together.format(parts)}", place)
            made[count] = place["part"]
        return made[count]

    place: dict[str, Any] = {"__name__": __name__, "written": written}
    exec(f"def whole({names}):\n    return written(len({of}))({names})", place)
    exec(f"def pick({names}):\n    return written({of}.count)", place)
    overload(place["whole"], jit_options={**_OPTIONS, **_LINKED, "forceinline": True})(place["pick"])
    return place["whole"]


def reader(count: int) -> Any:
    """A kernel that gives `count` neighbouring numbers of a row, from the index k on, as a tuple."""
    place: dict[str, Any] = {"__name__": __name__}
    exec(f"def read_{count}(row, k):\n    return ({', '.join(f'row[k + {j}]' for j in range(count))},)", place)
    return operation(place[f"read_{count}"])
