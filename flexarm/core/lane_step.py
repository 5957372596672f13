"""One attempt at a step of ESDIRK4 for eight samples at once, each lane with its own time and step; see `esdirk`.

Every lane does exactly what `esdirk_step` does, in the same order: a lane that has converged or was refused stands
still while the others go on, so its numbers do not depend on them.
"""

from __future__ import annotations

from ._jit import inner
from .control import (
    A_BEFORE,
    AI,
    DRIVE,
    ERROR_ORDER,
    KEPT,
    LOSS,
    PASSES,
    QI,
    QP,
    S_NEW,
    TAU,
    THETA,
    TIME,
    V0,
    VI,
    VP,
    WEIGHT,
    X0,
    A,
    Esdirk4,
    Q,
    V,
)
from .dynamics import solve
from .esdirk import ALTERNATING, ERROR_WEIGHT, GUESS, NODES, TABLE
from .lane_memory import BEFORE, BH2, GH, LIVE, RATE, REACH, SLOPE, STAGE_TIME, H, LaneMemory
from .lane_numbers import LANES, get_lane, in_lanes, select
from .laned import laned
from .laws import command
from .power import distance
from .types import NOT_CONVERGED, NOT_FINITE, OK, RUNNING

lane_command = laned(command)
lane_distance = laned(distance)


@inner
def _judge(control: Esdirk4, memory: LaneMemory, change, iteration: int, nq: int) -> bool:  # type: ignore[no-untyped-def]
    """True if a lane has to iterate on; the others are put to rest with their verdict."""
    number = memory.number
    limit = control.iteration_tolerance * control.step_error
    more = False
    for j in range(LANES):
        if number[LIVE, j] == 0.0:
            continue
        memory.counter[PASSES, j] += 1
        nothing = 1e-15 * number[REACH, j] * (1.0 + 0.05 * nq)
        moved = number[BH2, j] * get_lane(change, j)
        before = number[BEFORE, j]
        theta = number[RATE, j]
        number[LIVE, j] = 0.0
        if not (moved < 1e300):
            memory.attempt[j] = NOT_FINITE
            continue
        if iteration > 0 and before > 0.0:
            theta = min(max(moved / before, 1e-4), 10.0)
            number[RATE, j] = theta
            if theta >= 0.9 and iteration > 1:
                memory.attempt[j] = NOT_CONVERGED
                number[THETA, j] = 0.1
                continue
        elif moved < nothing:
            theta = min(theta, 0.5)
            number[RATE, j] = theta
        if (theta < 0.9 and theta / (1.0 - theta) * moved <= limit) or moved < nothing:
            continue
        if iteration == control.most_iterations - 1:
            memory.attempt[j] = NOT_CONVERGED
            number[THETA, j] = 0.1
            continue
        number[BEFORE, j] = moved
        number[LIVE, j] = 1.0
        more = True
    return more


@inner
def _wake(memory: LaneMemory, s: int) -> None:
    """Set the lanes whose attempt is still good to work on stage s."""
    number = memory.number
    for j in range(LANES):
        good = memory.status[j] == RUNNING and memory.attempt[j] == OK
        number[LIVE, j] = 1.0 if good else 0.0
        number[BEFORE, j] = 0.0
        t, h = number[TIME, j], number[H, j]
        number[STAGE_TIME, j] = t + h if s == 5 else t + NODES[s] * h


def lane_step(control, tree, loads, laws, commands, memory):  # type: ignore[no-untyped-def]
    """Displacement error of the step (m) in every lane; the new states are left in the buffer. See `esdirk_step`."""
    number = in_lanes(memory.number)
    state = in_lanes(memory.state)
    buffer = in_lanes(memory.buffer)
    work = in_lanes(memory.work)
    nq = state.shape[1]
    q, v, a = state[Q], state[V], state[A]
    qi, vi, qp, vp, ai = buffer[QI], buffer[VI], buffer[QP], buffer[VP], buffer[AI]
    tau, drive, weight, new = buffer[TAU], buffer[DRIVE], buffer[WEIGHT], buffer[S_NEW]
    told_q, told_v, told_a = buffer[KEPT], buffer[LOSS], buffer[ERROR_ORDER]
    driven = commands.motion_coordinate
    h, gh, bh2 = number[H], number[GH], number[BH2]
    left = control.t_end > 0.0  # true, but not a constant: see esdirk_step
    for c in range(nq):
        buffer[X0, c] = a[c]
        buffer[V0, c] = v[c]
    for s in range(1, 6):
        _wake(memory, s)
        ts = number[STAGE_TIME]
        # predictor q*, v* of (16) and first guess of the accelerations, in the order of `esdirk_step`
        for c in range(nq):
            x = TABLE[s, 0] * buffer[X0, c]
            y = TABLE[s, 0] * buffer[V0, c]
            for j in range(1, s):
                x += TABLE[s, j] * buffer[X0 + j, c]
                y += TABLE[s, j] * buffer[V0 + j, c]
            x = v[c] + h * x
            vp[c] = x
            qp[c] = q[c] + h * y + gh * x
        if s == 1:
            slope = number[SLOPE]
            for c in range(nq):
                ai[c] = a[c] + slope * (a[c] - state[A_BEFORE, c])
        else:
            known = min(s, 3)
            for c in range(nq):
                x = GUESS[s, 0] * buffer[X0, c]
                for j in range(1, known):
                    x += GUESS[s, j] * buffer[X0 + j, c]
                ai[c] = x
        xs = buffer[X0 + s]
        vs = buffer[V0 + s]
        # the command does not depend on the state: asked for once a stage
        lane_command(laws, commands, ts, left, told_q, told_v, told_a, tau)
        for iteration in range(control.most_iterations):
            live = number[LIVE] > 0.5
            for c in range(nq):
                qi[c] = qp[c] + bh2 * ai[c]
                vi[c] = vp[c] + gh * ai[c]
                xs[c] = ai[c]
                new[c] = ai[c]
            for j in range(driven.shape[0]):
                c = driven[j]
                qi[c], vi[c], new[c] = told_q[c], told_v[c], told_a[c]
            solve(tree, loads, laws, ts, left, qi, vi, new, tau, qp, vp, gh, bh2, drive, work)
            change = lane_distance(weight, new, xs)
            for c in range(nq):
                ai[c] = select(live, new[c], ai[c])
            if not _judge(control, memory, change, iteration, nq):
                break
        for c in range(nq):
            qi[c] = qp[c] + bh2 * ai[c]
            vi[c] = vp[c] + gh * ai[c]
            xs[c] = ai[c]
        # driven coordinates keep what was commanded
        for j in range(driven.shape[0]):
            qi[driven[j]] = told_q[driven[j]]
            vi[driven[j]] = told_v[driven[j]]
        for c in range(nq):
            vs[c] = vi[c]
    bound = 0.0 * h
    signed = 0.0 * h
    for c in range(nq):
        x = ERROR_WEIGHT[0] * buffer[V0, c]
        for j in range(1, 6):
            x += ERROR_WEIGHT[j] * buffer[V0 + j, c]
        e = weight[c] * x
        bound += abs(e)
        signed += e
    bound = ALTERNATING * bound
    signed = abs(signed)
    return h * select(bound > signed, bound, signed)
