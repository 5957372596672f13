"""What the build has computed once and need not compute again.

A value is kept under a hash of what it was computed from: flexarm itself, the examples, the oracles, the versions of
Python and NumPy, the module that computed it, and the words that say what it is. Change any of them, and it is computed
anew; values of another state of flexarm are thrown away when a build begins.
"""

from __future__ import annotations

import hashlib
import json
import platform
import shutil
import sys
from collections.abc import Callable, Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from filelock import FileLock

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "docs-kept"
_SOURCES = ("flexarm", "examples", "tests/oracles")
_ENDINGS = {".py", ".toml", ".urdf", ".js", ".css", ".html", ".csv"}


@cache
def state() -> str:
    """A hash of everything that answers of flexarm depend on."""
    files = sorted(
        path
        for folder in _SOURCES
        for path in (ROOT / folder).rglob("*")
        if path.suffix in _ENDINGS and "__pycache__" not in path.parts
    )
    versions = [platform.python_version(), *(f"{name} {_version(name)}" for name in ("numpy", "numba", "matplotlib"))]
    return _hash([*versions, *(f"{path.relative_to(ROOT)} {_digest(path)}" for path in files)])


def kept(words: str, compute: Callable[[], Any]) -> Any:
    """The value (of JSON's types) that `words` stand for, computed by `compute` unless it is kept."""
    place = place_of(words, compute.__module__)
    place.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(place.with_suffix(".lock")):  # one process computes a value, another that wants it waits
        if place.exists():
            return json.loads(place.read_text(encoding="utf-8"))
        value = compute()
        put(place, json.dumps(value))
        return value


def place_of(words: str, module: str) -> Path:
    """The file in which the value is kept."""
    source = sys.modules[module].__file__
    assert source is not None
    return KEPT / state() / f"{_hash([words, module, _digest(Path(source))])}.json"


def put(place: Path, text: str) -> None:
    """Write a kept file whole or not at all."""
    place.parent.mkdir(parents=True, exist_ok=True)
    half = place.with_suffix(".half")
    half.write_text(text, encoding="utf-8")
    half.replace(place)


def forget_others() -> None:
    """Remove what was kept of other states of flexarm."""
    for folder in KEPT.glob("*"):
        if folder.is_dir() and folder.name != state():
            shutil.rmtree(folder, ignore_errors=True)


def _version(name: str) -> str:
    """The version installed; commands and tables can be made without the package that draws."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _digest(path: Path) -> str:
    return hashlib.blake2b(path.read_bytes(), digest_size=12).hexdigest()


def _hash(words: Iterable[str]) -> str:
    return hashlib.blake2b("\0".join(words).encode(), digest_size=12).hexdigest()
