"""Which programs numbers come from."""

from __future__ import annotations

import platform

import numpy as np

from flexarm.core._jit import COMPILER_VERSION


def versions() -> dict[str, str]:
    """The versions of flexarm, Python, NumPy and the compiler, as they are running now."""
    from flexarm import __version__

    return {
        "flexarm": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": COMPILER_VERSION,
    }
