"""Kernels for numbers with derivatives, made from the kernels for numbers as `laned` makes those for lanes.

Decisions of the time loop are those of the values, with one number to each: the clock knows no derivatives, so the
steps of a run are frozen and its derivatives are those of what the run computes. What differs stands in `INSTEAD`, and
in `MOVING` what only derivatives need to know: that switches of a command move (`time.moving`).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from .._jit import bound, inner, is_kernel, made_like
from . import views
from .derivatives import chained, in_derivatives, is_nothing, value
from .laned import nothing
from .lanes import lane_of
from .questions import is_zero
from .trigonometry import is_near, near_sincos, sincos


@inner
def derived_sincos(x):  # type: ignore[no-untyped-def]
    """Sine and cosine with their derivatives."""
    sine, cosine = sincos(value(x))
    return chained(x, sine, cosine), chained(x, cosine, -sine)


@inner
def derived_is_near(x):  # type: ignore[no-untyped-def]
    """See `is_near`."""
    return is_near(value(x))


@inner
def derived_is_zero(x):  # type: ignore[no-untyped-def]
    """True if x is zero and does not change."""
    return is_nothing(x)


@inner
def derived_joined(row):  # type: ignore[no-untyped-def]
    """See `views.joined`: what the clock knows has no derivatives."""
    return row[0]


@inner
def derived_put(row, x):  # type: ignore[no-untyped-def]
    """See `views.put`."""
    row[0] = value(x)


@inner
def derived_in_lane(x, j):  # type: ignore[no-untyped-def]
    """See `views.in_lane`."""
    return value(x)


INSTEAD = {
    # there is one lane, number 0, and that of a number with derivatives is its value
    is_zero: derived_is_zero,
    is_near: derived_is_near,
    near_sincos: derived_sincos,
    sincos: derived_sincos,
    views.by_lanes: in_derivatives,
    views.lane_of: lane_of,
    views.in_lane: derived_in_lane,
    views.joined: derived_joined,
    views.put: derived_put,
}
# Parts of the time loop that derivatives do otherwise; `time.moving` fills it.
MOVING: dict[Any, Any] = {}


@cache
def derived(kernel: Any, compiled: Any = None) -> Any:
    """The kernel for numbers with derivatives that belongs to a kernel for numbers; see `laned`."""
    if kernel in views.ALONE:
        return kernel
    if kernel in INSTEAD:
        return INSTEAD[kernel]
    if kernel in MOVING:
        return MOVING[kernel]
    return copied(kernel, compiled)


def copied(kernel: Any, compiled: Any = None) -> Any:
    """The copy of a kernel, whatever stands in its place."""
    function = kernel.py_func
    if function.__code__ in views.LEFT_OUT:
        return nothing
    used = {
        name: derived(found)
        for name in function.__code__.co_names
        if is_kernel(found := function.__globals__.get(name))
    }
    copy = bound(function, f"derived_{function.__name__}", **used)
    return made_like(kernel, copy) if compiled is None else compiled(copy)
