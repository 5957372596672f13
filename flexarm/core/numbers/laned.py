"""Kernels for lanes, made from the kernels for numbers.

The copy of a kernel calls copies of all it calls, except where a branch on a number stands: `INSTEAD` names what each
lane then does by itself. The kernels for numbers know nothing of this and pay nothing for it.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from .._jit import bound, inner, is_kernel, made_like
from ..time.laws import law_value
from . import views
from .flex_rotation import SMALL, closed_factors, factors, near_factors
from .lanes import LANES, any_lane, get_lane, in_lanes, lane_of, select
from .questions import is_small, is_zero, positive
from .trigonometry import _within_a_quarter, is_near, near_sincos, sincos


@inner
def lane_positive(pivot, status):  # type: ignore[no-untyped-def]
    """The pivots, not a number in the lanes where they are not positive: such a lane shows by its accelerations."""
    return select(pivot > 0.0, pivot, math.nan), status


@inner
def lane_is_zero(x):  # type: ignore[no-untyped-def]
    """True if no lane has work to do; a lane without any then works with zeros."""
    return not any_lane(abs(x) > 0.0)


@inner
def lane_is_small(z):  # type: ignore[no-untyped-def]
    """True if all lanes are small."""
    return not any_lane(z >= SMALL)


@inner
def lane_is_near(x):  # type: ignore[no-untyped-def]
    """True: lanes know one way to the sine only."""
    return True


@inner
def lane_sincos(x):  # type: ignore[no-untyped-def]
    """Sine and cosine in every lane, without a branch."""
    k, s, c = _within_a_quarter(x)
    quarter = k - 4.0 * math.floor(0.25 * k)
    odd = (quarter == 1.0) | (quarter == 3.0)
    sine = select(odd, c, s)
    cosine = select(odd, s, c)
    sine = select(quarter >= 2.0, -sine, sine)
    cosine = select((quarter == 1.0) | (quarter == 2.0), -cosine, cosine)
    return sine, cosine


@inner
def lane_factors(z):  # type: ignore[no-untyped-def]
    """The factors of a finite rotation: in each lane those of the formula for its size."""
    small = z < SMALL
    a0, a1, a2, a3, a4 = near_factors(z)
    # where the series holds, the closed forms would divide by nothing
    y = select(small, 1.0, z)
    root = math.sqrt(y)
    sine, cosine = lane_sincos(root)
    b0, b1, b2, b3, b4 = closed_factors(y, root, sine, cosine)
    return (
        select(small, a0, b0),
        select(small, a1, b1),
        select(small, a2, b2),
        select(small, a3, b3),
        select(small, a4, b4),
    )


@inner
def _piece(p, t):  # type: ignore[no-untyped-def]
    """Value and derivatives of one piece of a law in every lane; see `law_value`."""
    x = t - p[0]
    f = 0.0 * t
    f1 = f
    f2 = f
    for k in range(p.shape[0] - 1, 3, -1):
        f2 = f2 * x + 2.0 * f1
        f1 = f1 * x + f
        f = f * x + p[k]
    if any_lane(abs(p[1]) > 0.0):
        sine, cosine = lane_sincos(p[2] * x + p[3])
        s = p[1] * sine
        f += s
        f1 += p[2] * (p[1] * cosine)
        f2 -= p[2] * p[2] * s
    return f, f1, f2


@inner
def lane_law_value(laws, law, t, left):  # type: ignore[no-untyped-def]
    """Value and derivatives of a law, in each lane its own law at its own time; laws.piece is in lanes."""
    first = laws.first[law]
    last = laws.first[law + 1] - 1
    f, f1, f2 = _piece(laws.piece[first], t)
    for k in range(first + 1, last + 1):
        start = laws.piece[k, 0]
        begun = start < t if left else start <= t
        if not any_lane(begun):
            break
        g, g1, g2 = _piece(laws.piece[k], t)
        f = select(begun, g, f)
        f1 = select(begun, g1, f1)
        f2 = select(begun, g2, f2)
    return f, f1, f2


@inner
def lanes_joined(row):  # type: ignore[no-untyped-def]
    """See `views.joined`."""
    return in_lanes(row)[()]


@inner
def lanes_put(row, x):  # type: ignore[no-untyped-def]
    """See `views.put`."""
    in_lanes(row)[()] = x


@inner
def nothing(*given):  # type: ignore[no-untyped-def]
    """Nothing, whatever is given."""


INSTEAD = {
    positive: lane_positive,
    is_zero: lane_is_zero,
    is_small: lane_is_small,
    is_near: lane_is_near,
    near_sincos: lane_sincos,
    sincos: lane_sincos,
    factors: lane_factors,
    law_value: lane_law_value,
    views.by_lanes: in_lanes,
    views.lane_of: lane_of,
    views.in_lane: get_lane,
    views.joined: lanes_joined,
    views.put: lanes_put,
}


@cache
def laned(kernel: Any, compiled: Any = None) -> Any:
    """The kernel for lanes that belongs to a kernel for numbers; `compiled`: by `jit` for Python; else it is
    compiled as the other one is."""
    if kernel in views.ALONE:
        return kernel
    if kernel in INSTEAD:
        return INSTEAD[kernel]
    function = kernel.py_func
    if function.__code__ in views.LEFT_OUT:
        return nothing
    used = {
        name: laned(found) for name in function.__code__.co_names if is_kernel(found := function.__globals__.get(name))
    }
    if "LANES" in function.__code__.co_names:
        used["LANES"] = LANES
    copy = bound(function, f"lanes_{function.__name__}", **used)
    return made_like(kernel, copy) if compiled is None else compiled(copy)
