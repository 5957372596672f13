"""The least value of a function of one number by golden sections, for curves with kinks: no derivative is taken."""

from __future__ import annotations

import math
from collections.abc import Callable

_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


def golden_section(function: Callable[[float], float], low: float, high: float, resolution: float) -> float:
    """Where a function with one minimum between two numbers is least, to the resolution."""
    x1, x2 = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    f1, f2 = function(x1), function(x2)
    while high - low > resolution:
        if not f1 > f2:
            high, x2, f2 = x2, x1, f1
            x1 = high - _GOLDEN * (high - low)
            f1 = function(x1)
        else:
            low, x1, f1 = x1, x2, f2
            x2 = low + _GOLDEN * (high - low)
            f2 = function(x2)
    return float(x1 if not f1 > f2 else x2)
