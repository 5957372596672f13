"""What a kernel written for one sample and for lanes alike asks of its numbers: here for one sample.

Decisions fall lane by lane, `for j in range(LANES)`; numbers that all lanes compute at once are floats for one sample
and lanes for eight. `laned` puts what lanes do instead in the place of these functions, and eight for LANES.
"""

from __future__ import annotations

from typing import Any

from .._jit import inner
from ..tree.types import Floats

LANES = 1


@inner
def by_lanes(x: Any) -> Any:
    """The numbers in an array or a named tuple of arrays, those of all lanes in one."""
    return x


@inner
def lane_of(x: Any, j: int) -> Any:
    """The numbers of lane j in an array, or a named tuple of arrays, whose last axis is the lanes; for one sample there
    is no such axis.
    """
    return x


@inner
def in_lane(x: Any, j: int) -> float:
    """The number of lane j."""
    return x  # type: ignore[no-any-return]


@inner
def joined(row: Floats) -> Any:
    """The numbers of all lanes in a row (LANES,), in one."""
    return row[0]


@inner
def put(row: Floats, x: Any) -> None:
    """Fill a row (LANES,) with the numbers of all lanes."""
    row[0] = x


ALONE: set[Any] = set()  # kernels that lanes call one by one
LEFT_OUT: set[Any] = set()  # texts of kernels that lanes do without


def alone(function: Any) -> Any:
    """The compiled function, which lanes call one by one with the numbers of each."""
    kernel = inner(function)
    ALONE.add(kernel)
    return kernel


def left_out(function: Any) -> Any:
    """The function, not yet compiled, marked as what is done for one sample only: lanes do nothing instead."""
    LEFT_OUT.add(function.__code__)
    return function
