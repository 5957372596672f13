"""Steps that end where the torque of a drive comes to its limit or leaves it.

Within a step every drive keeps its mode, so that what is integrated is smooth; a step that would carry a drive beyond
is taken anew, up to the crossing. Torques are continuous there, so nothing has to begin anew.
"""

from __future__ import annotations

from .._jit import inner
from .drives import ON_LIMIT
from .memory import Memory, clock_of

ACCEPT, CROSS, AGAIN = 0, 1, 2
# A drive that comes back within a step may have been beyond by so much of its limit.
WITHIN = 1e-3
_MOST_TRIES = 40


@inner
def forget_crossing(memory: Memory, j: int) -> None:
    """No crossing is being looked for in lane j."""
    clock = clock_of(memory.clock)
    clock.shortened[j] = 0.0
    clock.far[j] = 0.0
    clock.tries[j] = 0.0


@inner
def judge_crossing(memory: Memory, j: int, least: float) -> int:
    """What becomes of the step of lane j: ACCEPT, CROSS (it ends on a crossing), or AGAIN, shortened."""
    clock = clock_of(memory.clock)
    h = clock.h[j]
    excess = clock.excess_new[j]
    if clock.far[j] == 0.0:
        if excess <= ON_LIMIT:
            clock.shortened[j] = 0.0
            if clock.excess_within[j] > WITHIN and h > 1e3 * least:
                clock.shortened[j] = 0.5 * h
                return AGAIN
            clock.excess[j] = excess
            return ACCEPT
        clock.excess_near[j] = min(clock.excess[j], 0.0)
        clock.side[j] = 0.0
    clock.tries[j] += 1.0
    if abs(excess) <= ON_LIMIT or h <= least or clock.tries[j] > _MOST_TRIES:
        forget_crossing(memory, j)
        return CROSS
    # regula falsi; the side that stays twice is made to count less (Illinois)
    side = 1.0 if excess > 0.0 else -1.0
    twice = side == clock.side[j]
    clock.side[j] = side
    if excess > 0.0:
        clock.far[j] = h
        clock.excess_far[j] = excess
        if twice:
            clock.excess_near[j] *= 0.5
        verdict = AGAIN
    else:
        # a good step, and the crossing lies behind it
        clock.far[j] -= h
        clock.excess[j] = excess
        clock.excess_near[j] = excess
        if twice:
            clock.excess_far[j] *= 0.5
        verdict = ACCEPT
    part = clock.excess_near[j] / (clock.excess_near[j] - clock.excess_far[j])
    clock.shortened[j] = max(min(max(part, 1e-3), 0.99) * clock.far[j], 0.5 * least)
    return verdict
