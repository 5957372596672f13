"""Kernels are kept by their names: they load wherever they lie, and processes that start together share the work."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import types
from pathlib import Path

import numba
import numpy as np
import pytest

from flexarm.core import _cache
from flexarm.core._cache import LEVELS, KernelCache, level
from flexarm.core._jit import inner
from flexarm.core.numbers.addresses import address_of, caller, layout_of, read_as, record_of
from flexarm.core.time.loop import advance_of
from flexarm.core.time.mechanism import mechanism_of
from flexarm.core.time.memory import Alpha, Esdirk4
from flexarm.core.tree.types import Laws

from .trees import planar_engine, random_bodies, spatial_engine


def tripled(x: float) -> float:
    """Three times a number."""
    return 3.0 * x


def kernel(own: Path | None, shipped: Path | None):
    """A kernel kept in these folders, as new in this process."""
    copy = types.FunctionType(tripled.__code__, tripled.__globals__, "tripled")
    copy.__module__, copy.__qualname__ = __name__, "tripled"
    made = numba.njit(copy)
    made._cache = KernelCache(copy, own, shipped)
    return made


def test_a_kernel_that_was_compiled_is_loaded_and_not_compiled_again(tmp_path):
    first, again = kernel(tmp_path, None), kernel(tmp_path, None)
    assert first(2.0) == again(2.0) == 6.0
    assert sum(first._cache_misses.values()) == 1 and sum(again._cache_hits.values()) == 1


def test_kernels_of_a_level_load_from_any_folder_of_its_name(tmp_path, monkeypatch):
    monkeypatch.setattr(_cache, "BUILT_FOR", "x86-64-v3")
    (tmp_path / "build").mkdir()
    kernel(tmp_path / "build", None)(2.0)
    monkeypatch.setattr(_cache, "BUILT_FOR", "")
    elsewhere = tmp_path / "package" / "x86-64-v3"
    shutil.copytree(tmp_path / "build", elsewhere)
    found = kernel(None, elsewhere)
    assert found(2.0) == 6.0 and sum(found._cache_hits.values()) == 1
    other = kernel(None, tmp_path / "package" / "x86-64-v4")
    assert other(2.0) == 6.0 and sum(other._cache_misses.values()) == 1


def test_the_level_is_the_highest_whose_features_the_processor_has(monkeypatch):
    for name, asked in LEVELS.items():
        monkeypatch.setattr(_cache.binding, "get_host_cpu_features", lambda has=asked: dict.fromkeys(has, True))
        level.cache_clear()
        assert level() == name
    monkeypatch.setattr(_cache.binding, "get_host_cpu_features", lambda: {"fma": True})
    level.cache_clear()
    assert level() == ""
    level.cache_clear()


@pytest.mark.skipif(os.name != "posix", reason="no locks of this kind")
def test_a_second_process_waits_for_the_kernel_that_the_first_compiles(tmp_path):
    code = f"""
import sys; sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from pathlib import Path
from tests.core.test_kernel_cache import kernel
made = kernel(Path({str(tmp_path)!r}), None)
assert made(2.0) == 6.0
print(sum(made._cache_misses.values()))
"""
    both = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    compiled = [process.communicate()[0].strip() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    # a miss is counted where nothing was found at first; the files are those of one compilation
    assert len(list(tmp_path.glob("*.nbc"))) == 1 and "1" in compiled


def test_a_record_is_read_as_the_arrays_it_was_made_of():
    laws = Laws(np.array([0, 2], np.int64), np.arange(12.0).reshape(2, 6))
    read = read_as(layout_of(laws), "laws_of_a_test")

    @numba.njit
    def total(record):
        found = read(record)
        return found.piece.sum() + found.first.sum(), found.piece[1, 2], found.piece.shape[0]

    assert total(record_of(laws)) == (68.0, 8.0, 2)


def test_a_record_of_arrays_with_gaps_is_refused():
    with pytest.raises(ValueError, match="without gaps"):
        record_of((np.zeros((4, 4))[:, ::2],))


def test_a_kernel_is_called_by_its_address():
    made = numba.njit(tripled)
    call = caller("tripled_of_a_test", lambda args: args[0])

    @numba.njit
    def through(address, x):
        return call(address, (x,))

    assert through(address_of(made, (numba.float64,)), 2.5) == 7.5


def test_a_function_for_kernels_only_has_no_machine_code_of_its_own():
    hidden = inner(types.FunctionType(tripled.__code__, tripled.__globals__, "hidden"))

    @numba.njit
    def outer(x):
        return hidden(x) + 1.0

    assert outer(2.0) == 7.0
    (compiled,) = hidden.overloads.values()
    assert compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name) == 0


@pytest.mark.parametrize("method", [Esdirk4, Alpha])
def test_one_time_loop_serves_trees_in_plane_and_space(method):
    engines = planar_engine(random_bodies(1, planar=True)), spatial_engine(random_bodies(1))
    seen = [mechanism_of(engine.tree, engine.loads, whole=True) for engine in engines]
    assert seen[0].solve_at != seen[1].solve_at
    assert numba.typeof(seen[0]) == numba.typeof(seen[1])
    assert advance_of(method) is advance_of(method)
