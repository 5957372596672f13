"""What the figures were measured on: machine, date, versions."""

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("flexarm", "numba", "numpy", "scipy", "pin", "exudyn")


def machine() -> dict:
    """Date, processor, system and the versions of the packages compared."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in PACKAGES},
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    facts = dict(line.split(":", 1) for line in reversed(lines) if ":" in line)
    facts = {name.strip(): value.strip() for name, value in facts.items()}
    name = facts.get("model name", platform.processor())
    return f"{name} (family {facts.get('cpu family', '?')}, model {facts.get('model', '?')})"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
