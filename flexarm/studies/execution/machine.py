"""The machine a study runs on, as far as the last bits of its numbers depend on it."""

from __future__ import annotations

import hashlib
import os
import platform
from functools import cache
from pathlib import Path

# Flags that decide which instructions compiled code may use.
_INSTRUCTIONS = ("fma", "avx", "avx2", "avx512f", "avx512vl", "avx512dq", "avx512bw", "neon", "asimd", "sve")


@cache
def cpu_class() -> str:
    """Architecture, model and instruction sets of the processor: within one such class the same bits come out."""
    model, flags = platform.processor(), ""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    for line in lines:
        key, _, value = (part.strip() for part in line.partition(":"))
        if key == "model name" and not flags:
            model = value
        if key in ("flags", "Features"):
            flags = " ".join(word for word in _INSTRUCTIONS if word in value.split())
            break
    digest = hashlib.sha256(f"{model} {flags}".encode()).hexdigest()[:8]
    return f"{platform.machine()} {model} ({flags or 'instruction sets unknown'}) {digest}"


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def code_hash() -> str:
    """Hash of all source files a number of a study may depend on."""
    import flexarm

    digest = hashlib.sha256()
    root = Path(flexarm.__file__).parent
    for package in ("analyses", "assembly", "batched", "core", "links", "model", "results", "studies"):
        for path in sorted((root / package).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


def versions() -> dict[str, str]:
    """What the numbers of a study depend on beside the processor."""
    from flexarm.analyses.versions import versions as running

    found = running()
    return {**found, "flexarm": f"{found['flexarm']} (code {code_hash()})"}
