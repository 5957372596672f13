"""Command laws evaluated inside the time loop (NOTATION 23)."""

from __future__ import annotations

import math

from .._jit import inner
from ..numbers.questions import is_zero
from ..tree.types import Laws


@inner
def law_value(laws: Laws, law: int, t: float, left: bool) -> tuple[float, float, float]:
    """Value, first and second derivative of a law at t; `left` takes the limit from the left at a switch."""
    first = laws.first[law]
    last = laws.first[law + 1] - 1
    # bisection for the last piece that starts before t (left: strictly before)
    lo, hi = first, last
    while lo < hi:
        mid = (lo + hi + 1) // 2
        start = laws.piece[mid, 0]
        if start < t or (start == t and not left):
            lo = mid
        else:
            hi = mid - 1
    p = laws.piece[lo]
    x = t - p[0]
    f = 0.0
    f1 = 0.0
    f2 = 0.0
    for k in range(p.shape[0] - 1, 3, -1):
        f2 = f2 * x + 2.0 * f1
        f1 = f1 * x + f
        f = f * x + p[k]
    if not is_zero(p[1]):
        phase = p[2] * x + p[3]
        s = p[1] * math.sin(phase)
        c = p[1] * math.cos(phase)
        f += s
        f1 += p[2] * c
        f2 -= p[2] * p[2] * s
    return f, f1, f2
