"""How long a step may be so that no part of a command is passed over (NOTATION 23a).

Steps end where a piece of a law begins, though nothing restarts unless it jumps there. Nothing else in the loop would
see a motion that begins and ends within one step: the coordinates it drives are right at both ends of it.
"""

from __future__ import annotations

import math

from .._jit import inner
from ..numbers.views import alone
from ..tree.types import Commands, Floats, Laws, Loads

# Steps that the pieces of a law between two quiet ones take together, and a period of a sine, at the least.
MOTION_STEPS = 16.0
SINE_STEPS = 16.0
# Of motions the pieces of constant rate are quiet, of forces the constant ones.
MOTION, FORCE = 2, 1


@inner
def _varies(piece: Floats, lowest: int) -> bool:
    """True if the piece has a sine, or a power of time from the lowest on that counts."""
    varies = piece[1] != 0.0 and piece[2] != 0.0
    for k in range(4 + lowest, piece.shape[0]):
        varies = varies or piece[k] != 0.0
    return varies


@inner
def _length(laws: Laws, k: int, first: int) -> float:
    """How long piece k, not the last of its law, holds from t = 0 on (s)."""
    begin = 0.0 if k == first else max(laws.piece[k, 0], 0.0)
    return max(laws.piece[k + 1, 0] - begin, 0.0)


@inner
def _within(laws: Laws, k: int, first: int, last: int, lowest: int) -> float:
    """Longest step (s) within piece k of the law whose pieces are first to last; infinite where it is quiet."""
    if not _varies(laws.piece[k], lowest):
        return math.inf
    limit = math.inf
    if laws.piece[k, 1] != 0.0 and laws.piece[k, 2] != 0.0:
        limit = 2.0 * math.pi / (SINE_STEPS * abs(laws.piece[k, 2]))
    if k == last:
        return limit
    own = _length(laws, k, first)
    whole = own
    j = k + 1
    while j <= last and whole < MOTION_STEPS * own and _varies(laws.piece[j], lowest):
        whole = math.inf if j == last else whole + _length(laws, j, first)
        j += 1
    j = k - 1
    while j >= first and whole < MOTION_STEPS * own and _varies(laws.piece[j], lowest):
        whole += _length(laws, j, first)
        j -= 1
    return min(limit, own, whole / MOTION_STEPS)


@inner
def _of_law(laws: Laws, law: int, t: float, soon: float, lowest: int) -> tuple[float, float]:
    """Longest step (s) by which the piece of a law that holds at t is seen, and when (s) the next one begins.

    What begins within `soon` of t has begun.
    """
    first = laws.first[law]
    last = laws.first[law + 1] - 1
    lo, hi = first, last
    while lo < hi:
        mid = (lo + hi + 1) // 2
        if laws.piece[mid, 0] <= t + soon:
            lo = mid
        else:
            hi = mid - 1
    return _within(laws, lo, first, last, lowest), laws.piece[lo + 1, 0] if lo < last else math.inf


@alone
def resolved(laws: Laws, commands: Commands, loads: Loads, t: float, soon: float) -> tuple[float, float]:
    """Longest step (s) from t on by which commands and laws of loads are seen, and when (s) a next piece begins."""
    limit = math.inf
    end = math.inf
    for law in commands.motion_law:
        one, other = _of_law(laws, law, t, soon, MOTION)
        limit, end = min(limit, one), min(end, other)
    for law in commands.servo_law:
        one, other = _of_law(laws, law, t, soon, MOTION)
        limit, end = min(limit, one), min(end, other)
    for law in commands.torque_law:
        one, other = _of_law(laws, law, t, soon, FORCE)
        limit, end = min(limit, one), min(end, other)
    for law in loads.place[:, 2]:
        if law >= 0:
            one, other = _of_law(laws, law, t, soon, FORCE)
            limit, end = min(limit, one), min(end, other)
    return max(limit, soon), end
