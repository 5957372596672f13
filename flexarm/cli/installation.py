"""What flexarm finds on this machine: versions, processor, kernels, extras, a browser and folders it may write."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

# Extra → what it is for; extras of those who develop flexarm are not listed.
EXTRAS = {
    "viewer": "the arm live in a browser (view)",
    "cluster": "studies on a Dask cluster (--cluster)",
    "control": "linear models handed to python-control",
    "video": "films of a run as GIF",
    "mujoco": "robots from MJCF files",
    "gym": "arms as environments of Gymnasium",
    "export": "a C compiler for libraries and FMUs, where the machine has none",
}
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox", "msedge")


def installation() -> dict[str, Any]:
    """Everything `flexarm doctor` reports, in JSON's types; `problems` has a sentence for each thing that is wrong."""
    from flexarm import __file__ as here
    from flexarm import __version__

    packages, extras = _packages()
    found: dict[str, Any] = {
        "flexarm": {"version": __version__, "folder": str(Path(here).parent)},
        "python": {"version": platform.python_version(), "executable": sys.executable},
        "system": platform.platform(),
        "processor": _processor(),
        "kernels": _kernels(),
        "browser": _browser(),
        "packages": packages,
        "extras": extras,
        "writable": _writable(),
    }
    return {**found, "problems": _problems(found)}


def _packages() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The packages flexarm needs, and its extras, each with what is installed."""
    try:
        lines = requires("flexarm") or []
    except PackageNotFoundError:  # run from its sources
        return [], []
    needed, wanted = [], {name: list[dict[str, Any]]() for name in EXTRAS}
    for line in lines:
        requirement, _, marker = (part.strip() for part in line.partition(";"))
        extra = re.search(r"""extra\s*==\s*['"](\w+)['"]""", marker)
        if extra is None:
            needed.append(_package(requirement))
        elif extra[1] in wanted:
            wanted[extra[1]].append(_package(requirement))
    extras = [
        {"name": name, "for": EXTRAS[name], "installed": all(each["enough"] for each in each_of), "packages": each_of}
        for name, each_of in wanted.items()
    ]
    return needed, extras


def _package(requirement: str) -> dict[str, Any]:
    """A package with the version that is installed, and whether that is enough."""
    name = re.match(r"[\w.-]+", requirement)[0]  # type: ignore[index]
    asked = requirement[len(name) :].strip()
    try:
        have = version(name)
    except PackageNotFoundError:
        return {"name": name, "required": asked, "installed": None, "enough": False}
    try:
        from packaging.specifiers import SpecifierSet

        enough = SpecifierSet(asked).contains(have, prereleases=True)
    except ImportError:  # then it is there, and of which age cannot be judged
        enough = True
    return {"name": name, "required": asked, "installed": have, "enough": enough}


def _processor() -> dict[str, Any]:
    from flexarm.studies.execution.machine import cores, cpu_class

    return {"name": cpu_class(), "cores": cores()}


def _kernels() -> dict[str, Any]:
    """Where compiled kernels are kept, how many there are, and what those of other versions take."""
    try:
        from flexarm.core._jit import CACHE
    except ImportError as error:
        return {"folder": None, "count": 0, "bytes": 0, "other_versions": 0, "other_bytes": 0, "error": str(error)}
    if CACHE is None:
        return {"folder": None, "count": 0, "bytes": 0, "other_versions": 0, "other_bytes": 0}
    others = [path for path in CACHE.parent.glob("kernels-*") if path != CACHE]
    return {
        "folder": str(CACHE),
        "count": sum(1 for _ in CACHE.rglob("*.nbc")),
        "bytes": _size(CACHE),
        "other_versions": len(others),
        "other_bytes": sum(map(_size, others)),
    }


def _size(folder: Path) -> int:
    """What the files in a folder take, bytes; files that vanish meanwhile take nothing."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total


def _browser() -> str | None:
    """The browser in which pages would be opened."""
    import webbrowser

    for name in _BROWSERS:
        if place := shutil.which(name):
            return place
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return None
    return str(getattr(found, "name", "") or type(found).__name__)


def _writable() -> dict[str, bool]:
    """Folders flexarm writes to, and whether it may."""
    return {str(path): os.access(path, os.W_OK) for path in (Path.cwd(), Path(tempfile.gettempdir()))}


def _problems(found: dict[str, Any]) -> list[str]:
    problems = []
    for each in found["packages"]:
        if each["installed"] is None:
            problems.append(f"{each['name']} is not installed, must be {each['name']}{each['required']}")
        elif not each["enough"]:
            problems.append(f"{each['name']} is {each['installed']}, must be {each['required']}")
    kernels = found["kernels"]
    if kernels.get("error"):
        problems.append(f"the compiler cannot be loaded: {kernels['error']}")
    elif kernels["folder"] is None:
        problems.append(
            "compiled kernels cannot be kept, so every run compiles anew: set FLEXARM_CACHE_DIR to a writable folder"
        )
    problems += [f"nothing can be written into {path}" for path, fine in found["writable"].items() if not fine]
    return problems
