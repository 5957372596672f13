"""Questions a kernel asks of a number. Kernels for lanes ask them of every lane: see `laned`."""

from __future__ import annotations

import math

from .._jit import inner
from ..tree.types import NOT_FINITE, NOT_POSITIVE, OK
from .flex_rotation import SMALL


@inner
def positive(pivot: float, status: int) -> tuple[float, int]:
    """The pivot, not a number if it is not positive, and the status with the first such failure."""
    if not (pivot > 0.0):
        if status == OK:
            status = NOT_POSITIVE if pivot <= 0.0 else NOT_FINITE
        pivot = math.nan
    return pivot, status


@inner
def is_zero(x: float) -> bool:
    """True if work with x may be left out."""
    return x == 0.0


@inner
def is_small(z: float) -> bool:
    """True if the factors of a rotation θ, z = θ·θ, are given by their series."""
    return z < SMALL
