"""One step of ESDIRK4(3)6L (NOTATION 19): L-stable, fourth order, five implicit stages, each one or two sweeps of the
tree.
"""

from __future__ import annotations

import numpy as np

from .control import (
    A_BEFORE,
    AI,
    DAMPER,
    DRIVE,
    ERROR_ORDER,
    EXCESS_NEW,
    EXCESS_WITHIN,
    KEPT,
    LOSS,
    MODE,
    NEW_POWER_DRIVE,
    NEW_POWER_LOAD,
    NEW_POWER_LOSS,
    PASSES,
    POWER_DRIVE,
    POWER_LOAD,
    POWER_LOSS,
    QI,
    QP,
    RESTART,
    SPRING,
    STEP_BEFORE,
    TAU,
    THETA,
    V0,
    VI,
    VP,
    WEIGHT,
    X0,
    X_RATE,
    X_RATE0,
    XI,
    XP,
    A,
    Esdirk4,
    Memory,
    Q,
    V,
    X,
)
from .drive import enter_drives, leave_drives
from .dynamics import elastic_form, load_power, solve
from .laws import command
from .power import distance, drive_power
from .types import NOT_CONVERGED, NOT_FINITE, OK, Commands, Laws, Loads, Tree

G = 0.25
NODES = np.array([0.0, 1 / 2, 83 / 250, 31 / 50, 17 / 20, 1.0])
TABLE = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [1 / 4, 1 / 4, 0.0, 0.0, 0.0, 0.0],
        [8611 / 62500, -1743 / 31250, 1 / 4, 0.0, 0.0, 0.0],
        [5012029 / 34652500, -654441 / 2922500, 174375 / 388108, 1 / 4, 0.0, 0.0],
        [
            15267082809 / 155376265600,
            -71443401 / 120774400,
            730878875 / 902184768,
            2285395 / 8070912,
            1 / 4,
            0.0,
        ],
        [82889 / 524892, 0.0, 15625 / 83664, 69875 / 102672, -2260 / 8211, 1 / 4],
    ]
)
EMBEDDED = np.array(
    [4586570599 / 29645900160, 0.0, 178811875 / 945068544, 814220225 / 1159782912, -3700637 / 11593932, 61727 / 225920]
)
ERROR_WEIGHT = TABLE[5] - EMBEDDED
# First guess of the accelerations of a stage: Lagrange weights, at its node, of the polynomial through these stages.
# No more than three: a higher degree blows up what fast modes leave in them (1.4 sweeps a stage instead of 1.2).
KNOWN = ((), (0,), (0, 1), (0, 1, 2), (0, 1, 2), (0, 1, 2))
GUESS = np.zeros((6, 6))
for _s, _known in enumerate(KNOWN):
    for _j in _known:
        GUESS[_s, _j] = np.prod([(NODES[_s] - NODES[_k]) / (NODES[_j] - NODES[_k]) for _k in _known if _k != _j])
ALTERNATING = 0.3  # part of the bound that counts however the signs fall


def esdirk_step(
    control: Esdirk4, tree: Tree, loads: Loads, laws: Laws, commands: Commands, memory: Memory, t: float, h: float
) -> tuple[int, float, float, float, float]:
    """Status, displacement error of the step (m) and work of drives, of loads and lost in the step; the new state is
    left in the buffer.

    The accelerations in memory.state must be those at t (right limit).
    """
    state, buffer, count, number = memory.state, memory.buffer, memory.counter, memory.number
    nq = state.shape[1]
    q, v = state[Q], state[V]
    qi, vi, qp, vp, ai = buffer[QI], buffer[VI], buffer[QP], buffer[VP], buffer[AI]
    tau, drive, kept, weight = buffer[TAU], buffer[DRIVE], buffer[KEPT], buffer[WEIGHT]
    xp, xi, mode, servo = buffer[XP], buffer[XI], state[MODE], commands.servo_coordinate
    # true, but not a constant: a constant would have every kernel below compiled once more for it
    left = h > 0.0
    for c in range(nq):
        buffer[X0, c] = state[A, c]
        buffer[V0, c] = v[c]
    for i in range(servo.shape[0]):
        buffer[X_RATE0, servo[i]] = state[X_RATE, servo[i]]
    number[EXCESS_WITHIN] = -1.0
    drive_work = TABLE[5, 0] * number[POWER_DRIVE]
    load_work = TABLE[5, 0] * number[POWER_LOAD]
    lost = TABLE[5, 0] * number[POWER_LOSS]
    gh = G * h
    bh2 = G * G * h * h
    limit = control.iteration_tolerance * control.step_error
    # a change that rounding alone can make: it grows with the number of coordinates summed over
    nothing = 1e-15 * control.reach * (1.0 + 0.05 * nq)
    theta = number[THETA]
    for s in range(1, 6):
        ts = t + h if s == 5 else t + NODES[s] * h
        # predictor q*, v* of (16); row by row, which runs on vector registers
        f = TABLE[s, 0]
        xj = buffer[X0]
        vj = buffer[V0]
        for c in range(nq):
            vp[c] = f * xj[c]
            qp[c] = f * vj[c]
        for j in range(1, s):
            f = TABLE[s, j]
            xj = buffer[X0 + j]
            vj = buffer[V0 + j]
            for c in range(nq):
                vp[c] += f * xj[c]
                qp[c] += f * vj[c]
        for c in range(nq):
            vp[c] = v[c] + h * vp[c]
            qp[c] = q[c] + h * qp[c] + gh * vp[c]
        for i in range(servo.shape[0]):
            c = servo[i]
            x = 0.0
            for j in range(s):
                x += TABLE[s, j] * buffer[X_RATE0 + j, c]
            xp[c] = state[X, c] + h * x
        # first guess of the accelerations: through those already known
        if s == 1:
            if count[RESTART] == 1 or number[STEP_BEFORE] <= 0.0:
                for c in range(nq):
                    ai[c] = state[A, c]
            else:
                slope = NODES[1] * h / number[STEP_BEFORE]
                for c in range(nq):
                    ai[c] = state[A, c] + slope * (state[A, c] - state[A_BEFORE, c])
        else:
            xj = buffer[X0]
            f = GUESS[s, 0]
            for c in range(nq):
                ai[c] = f * xj[c]
            for j in range(1, s):
                f = GUESS[s, j]
                if f != 0.0:
                    xj = buffer[X0 + j]
                    for c in range(nq):
                        ai[c] += f * xj[c]
        xs = buffer[X0 + s]
        vs = buffer[V0 + s]
        before = 0.0
        converged = False
        for iteration in range(control.most_iterations):
            for c in range(nq):
                qi[c] = qp[c] + bh2 * ai[c]
                vi[c] = vp[c] + gh * ai[c]
                xs[c] = ai[c]
            command(laws, commands, ts, left, qi, vi, ai, tau)
            enter_drives(laws, commands, ts, left, gh, xp, mode, buffer[SPRING], buffer[DAMPER], tree.spring, qi, tau)
            status = solve(tree, loads, laws, ts, left, qi, vi, ai, tau, qp, vp, gh, bh2, drive, memory.work)
            count[PASSES] += 1
            if status != OK:
                return status, 0.0, 0.0, 0.0, 0.0
            change = bh2 * distance(weight, ai, xs)
            if not (change < 1e300):
                return NOT_FINITE, 0.0, 0.0, 0.0, 0.0
            if iteration > 0 and before > 0.0:
                theta = min(max(change / before, 1e-4), 10.0)
                if theta >= 0.9 and iteration > 1:
                    break
            elif change < nothing:
                theta = min(theta, 0.5)
            # what is left after this iterate, by the geometric series of the rate seen last
            if (theta < 0.9 and theta / (1.0 - theta) * change <= limit) or change < nothing:
                converged = True
                break
            before = change
        if not converged:
            number[THETA] = 0.1
            return NOT_CONVERGED, 0.0, 0.0, 0.0, 0.0
        # driven coordinates keep what was commanded
        driven = commands.motion_coordinate
        for j in range(driven.shape[0]):
            kept[j] = qi[driven[j]]
            vs[j] = vi[driven[j]]
        for c in range(nq):
            qi[c] = qp[c] + bh2 * ai[c]
            vi[c] = vp[c] + gh * ai[c]
            xs[c] = ai[c]
        for j in range(driven.shape[0]):
            qi[driven[j]] = kept[j]
            vi[driven[j]] = vs[j]
        for c in range(nq):
            vs[c] = vi[c]
        excess = leave_drives(laws, commands, ts, left, gh, xp, mode, qi, vi, xi, buffer[X_RATE0 + s])
        number[EXCESS_NEW] = excess
        number[EXCESS_WITHIN] = max(number[EXCESS_WITHIN], excess)
        if s == 5 or TABLE[5, s] != 0.0:
            given, loss = drive_power(laws, commands, ts, left, buffer[LOSS], qi, vi, xi, mode, tau, drive)
            loss += elastic_form(tree, qi, vi, 1.0, 0.0)
            load = load_power(tree, loads, laws, ts, left, qi, vi, memory.work_loads)
            drive_work += TABLE[5, s] * given
            load_work += TABLE[5, s] * load
            lost += TABLE[5, s] * loss
            number[NEW_POWER_DRIVE] = given
            number[NEW_POWER_LOAD] = load
            number[NEW_POWER_LOSS] = loss
    number[THETA] = min(max(theta, 1e-3), 0.8)
    buffer[ERROR_ORDER, 0] = 4.0
    # a bound on the displacement of any point, and what the same errors do to the outermost one with their signs: the
    # errors of fast modes alternate along a link and move its tip by far less than the bound
    f = ERROR_WEIGHT[0]
    vj = buffer[V0]
    for c in range(nq):
        kept[c] = f * vj[c]
    for j in range(1, 6):
        f = ERROR_WEIGHT[j]
        vj = buffer[V0 + j]
        for c in range(nq):
            kept[c] += f * vj[c]
    bound = 0.0
    signed = 0.0
    for c in range(nq):
        e = weight[c] * kept[c]
        bound += abs(e)
        signed += e
    error = max(abs(signed), ALTERNATING * bound)
    return OK, h * error, h * drive_work, h * load_work, h * lost
