"""Compiled kernels can never be stale: another source is another cache directory."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

import numba
import pytest

import flexarm.core

CORE = Path(flexarm.core.__file__).parent


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the engine's sources, and a cache of its own."""
    monkeypatch.setenv("FLEXARM_CACHE_DIR", str(tmp_path / "cache"))
    there = tmp_path / "core"
    shutil.copytree(CORE, there, ignore=shutil.ignore_patterns("__pycache__"))
    return there


def loaded(core: Path) -> ModuleType:
    """The copy's own door to the compiler."""
    spec = importlib.util.spec_from_file_location("copied_jit", core / "_jit.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_editing_any_file_of_the_engine_changes_the_cache_directory(copy):
    names = [loaded(copy).cache_directory()]
    for path in sorted(copy.rglob("*.py")):
        with path.open("a") as file:
            file.write("\n# another thought\n")
        names.append(loaded(copy).cache_directory())
        assert names[-1].parent == names[0].parent and names[-1] not in names[:-1], path


def test_a_file_that_comes_goes_or_is_renamed_changes_the_cache_directory(copy):
    names = [loaded(copy).cache_directory()]
    (copy / "extra.py").write_text("")
    names.append(loaded(copy).cache_directory())
    (copy / "extra.py").rename(copy / "other.py")
    names.append(loaded(copy).cache_directory())
    (copy / "other.py").unlink()
    assert loaded(copy).cache_directory() == names[0]
    assert len(set(names)) == 3


def test_the_same_source_elsewhere_has_the_same_name(copy):
    from flexarm.core import _jit

    assert loaded(copy).cache_directory().name == _jit.cache_directory().name


def test_another_compiler_or_python_changes_the_cache_directory(copy, monkeypatch):
    module = loaded(copy)
    before = module.cache_directory()
    monkeypatch.setattr(module.numba, "__version__", "0.0.1")
    assert module.cache_directory() != before
    monkeypatch.undo()


def test_a_place_that_cannot_be_written_means_no_cache_and_no_failure(tmp_path, monkeypatch):
    from flexarm.core import _jit

    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("FLEXARM_CACHE_DIR", str(blocked))
    assert _jit.cache_directory() is None


def test_the_first_compile_is_announced_once():
    from flexarm.core._jit import on_first_compile

    heard = []
    on_first_compile(lambda: heard.append("compiling"))
    for _ in range(2):
        numba.njit(lambda x: x + 1.0)(1.0)
    assert heard == ["compiling"]
