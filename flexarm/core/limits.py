"""Steps that end where the torque of a drive comes to its limit or leaves it.

Within a step every drive keeps its mode, so that what is integrated is smooth; a step that would carry a drive beyond
is taken anew, up to the crossing. Torques are continuous there, so nothing has to begin anew.
"""

from __future__ import annotations

from ._jit import inner
from .control import (
    EXCESS,
    EXCESS_FAR,
    EXCESS_NEAR,
    EXCESS_NEW,
    EXCESS_WITHIN,
    FAR,
    SIDE,
    TRIES,
    TRY,
)
from .drive import ON_LIMIT
from .types import Floats

ACCEPT, CROSS, AGAIN = 0, 1, 2
# A drive that comes back within a step may have been beyond by so much of its limit.
WITHIN = 1e-3
_MOST_TRIES = 40


@inner
def forget_crossing(number: Floats) -> None:
    """No crossing is being looked for."""
    number[TRY] = 0.0
    number[FAR] = 0.0
    number[TRIES] = 0.0


@inner
def judge_crossing(number: Floats, h: float, least: float) -> int:
    """What becomes of a step of length h: ACCEPT, CROSS (it ends on a crossing), or AGAIN with the length in TRY."""
    excess = number[EXCESS_NEW]
    if number[FAR] == 0.0:
        if excess <= ON_LIMIT:
            number[TRY] = 0.0
            if number[EXCESS_WITHIN] > WITHIN and h > 1e3 * least:
                number[TRY] = 0.5 * h
                return AGAIN
            number[EXCESS] = excess
            return ACCEPT
        number[EXCESS_NEAR] = min(number[EXCESS], 0.0)
        number[SIDE] = 0.0
    number[TRIES] += 1.0
    if abs(excess) <= ON_LIMIT or h <= least or number[TRIES] > _MOST_TRIES:
        forget_crossing(number)
        return CROSS
    # regula falsi; the side that stays twice is made to count less (Illinois)
    side = 1.0 if excess > 0.0 else -1.0
    twice = side == number[SIDE]
    number[SIDE] = side
    if excess > 0.0:
        number[FAR] = h
        number[EXCESS_FAR] = excess
        if twice:
            number[EXCESS_NEAR] *= 0.5
        verdict = AGAIN
    else:
        # a good step, and the crossing lies behind it
        number[FAR] -= h
        number[EXCESS] = excess
        number[EXCESS_NEAR] = excess
        if twice:
            number[EXCESS_FAR] *= 0.5
        verdict = ACCEPT
    part = number[EXCESS_NEAR] / (number[EXCESS_NEAR] - number[EXCESS_FAR])
    number[TRY] = max(min(max(part, 1e-3), 0.99) * number[FAR], 0.5 * least)
    return verdict
