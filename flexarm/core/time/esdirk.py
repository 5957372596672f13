"""One step of ESDIRK4(3)6L (NOTATION 19): L-stable, fourth order, five implicit stages, each one or two sweeps of the
tree.

The same text serves one sample and eight in lanes: a lane that has converged or was refused stands still while the
others go on, so its numbers do not depend on them.
"""

from __future__ import annotations

import numpy as np

from .._jit import inner
from ..numbers.lanes import select
from ..numbers.views import LANES, by_lanes, in_lane, joined, put
from ..tree.types import NOT_CONVERGED, NOT_FINITE, OK, RUNNING, Commands, Floats, Laws, Loads
from .commands import forces, motions, targets
from .contacts import enter_contacts, join_contacts, watch_contacts
from .drives import enter_drives, leave_drives
from .energy_book import book_powers, book_stage
from .mechanism import Mechanism, solve
from .memory import Esdirk4, Memory, buffer_of, clock_of, count_of, stages_of, state_of

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


@inner
def distance(weight: Floats, x: Floats, y: Floats) -> float:
    """Σ weight·|x − y|, in four sums side by side."""
    n = x.shape[0]
    s0 = s1 = s2 = s3 = 0.0
    for c in range(0, n - 3, 4):
        s0 += weight[c] * abs(x[c] - y[c])
        s1 += weight[c + 1] * abs(x[c + 1] - y[c + 1])
        s2 += weight[c + 2] * abs(x[c + 2] - y[c + 2])
        s3 += weight[c + 3] * abs(x[c + 3] - y[c + 3])
    for c in range(n - n % 4, n):
        s0 += weight[c] * abs(x[c] - y[c])
    return (s0 + s1) + (s2 + s3)


@inner
def _open_stage(memory: Memory, s: int) -> bool:
    """True if the attempt of a lane is still good: such lanes work on stage s."""
    clock, count = clock_of(memory.clock), count_of(memory.counter)
    some = False
    for j in range(LANES):
        good = count.status[j] == RUNNING and count.attempt[j] == OK
        some = some or good
        clock.live[j] = 1.0 if good else 0.0
        clock.change_before[j] = 0.0
        t, h = clock.time[j], clock.h[j]
        clock.stage_time[j] = t + h if s == 5 else t + NODES[s] * h
    return some


@inner
def _iterates_on(control: Esdirk4, memory: Memory, status: int, change: float, iteration: int, nq: int) -> bool:
    """True if a lane has to iterate on; the others stand still, converged or with the reason why they were refused."""
    clock, count = clock_of(memory.clock), count_of(memory.counter)
    limit = control.iteration_tolerance * control.step_error
    more = False
    for j in range(LANES):
        if clock.live[j] == 0.0:
            continue
        count.sweeps[j] += 1
        clock.live[j] = 0.0
        # a change that rounding alone can make: it grows with the number of coordinates summed over
        nothing = 1e-15 * clock.reach[j] * (1.0 + 0.05 * nq)
        moved = in_lane(change, j)
        before = clock.change_before[j]
        theta = clock.rate[j]
        if status != OK:
            count.attempt[j] = status
            continue
        if not (moved < 1e300):
            count.attempt[j] = NOT_FINITE
            continue
        diverges = False
        if iteration > 0 and before > 0.0:
            theta = min(max(moved / before, 1e-4), 10.0)
            diverges = theta >= 0.9 and iteration > 1
        elif moved < nothing:
            theta = min(theta, 0.5)
        clock.rate[j] = theta
        # what is left after this iterate, by the geometric series of the rate seen last
        if not diverges and ((theta < 0.9 and theta / (1.0 - theta) * moved <= limit) or moved < nothing):
            continue
        if diverges or iteration == control.most_iterations - 1:
            count.attempt[j] = NOT_CONVERGED
            clock.theta[j] = 0.1
            continue
        clock.change_before[j] = moved
        clock.live[j] = 1.0
        more = True
    return more


@inner
def esdirk_step(
    control: Esdirk4, tree: Mechanism, loads: Loads, laws: Laws, commands: Commands, memory: Memory
) -> float:
    """Displacement error of the step (m); the new state is left in the buffer, and why a lane was refused in its count.

    The accelerations in the state must be those at its time (right limit).
    """
    state, buffer = state_of(by_lanes(memory.state)), buffer_of(by_lanes(memory.buffer))
    stages, clock = stages_of(by_lanes(memory.stages)), clock_of(memory.clock)
    work = by_lanes(memory.work)
    nq = state.q.shape[0]
    x, y = stages.a, stages.v
    q, v, a, tau = buffer.q, buffer.v, buffer.a, buffer.tau
    q_start, v_start, a_solved = buffer.q_start, buffer.v_start, buffer.a_solved
    q_command, v_command, a_command = buffer.q_command, buffer.v_command, buffer.a_command
    driven, servo = commands.motion_coordinate, commands.servo_coordinate
    h = joined(clock.h)
    gh = G * h
    bh2 = gh * gh
    # true, but not a constant: a constant would have every kernel below compiled once more for it
    left = control.t_end > 0.0
    within = 0.0 * h - 1.0
    excess = within
    for c in range(nq):
        x[0, c] = state.a[c]
        y[0, c] = state.v[c]
        stages.x_rate[0, c] = state.x_rate[c]
    # stages to come have no weight, but what a refused step left there may be no number
    for s in range(1, 6):
        for c in range(nq):
            x[s, c] = 0.0
            y[s, c] = 0.0
    book_stage(memory, TABLE[5, 0], 0.0)
    for s in range(1, 6):
        if not _open_stage(memory, s):
            return h
        t = joined(clock.stage_time)
        # predictor q*, v* of (16), each in a loop of its own: so they run on vector registers
        b0, b1, b2, b3, b4 = TABLE[s, 0], TABLE[s, 1], TABLE[s, 2], TABLE[s, 3], TABLE[s, 4]
        for c in range(nq):
            v_start[c] = state.v[c] + h * (b0 * x[0, c] + b1 * x[1, c] + b2 * x[2, c] + b3 * x[3, c] + b4 * x[4, c])
        for c in range(nq):
            rate = b0 * y[0, c] + b1 * y[1, c] + b2 * y[2, c] + b3 * y[3, c] + b4 * y[4, c]
            q_start[c] = state.q[c] + h * rate + gh * v_start[c]
        for i in range(servo.shape[0]):
            c = servo[i]
            rate = b0 * stages.x_rate[0, c]
            for k in range(1, s):
                rate += TABLE[s, k] * stages.x_rate[k, c]
            buffer.x_start[c] = state.x[c] + h * rate
        # first guess of the accelerations: through those already known
        if s == 1:
            slope = NODES[1] * joined(clock.slope)
            for c in range(nq):
                a[c] = state.a[c] + slope * (state.a[c] - state.a_before[c])
        else:
            b0, b1, b2 = GUESS[s, 0], GUESS[s, 1], GUESS[s, 2]
            for c in range(nq):
                a[c] = b0 * x[0, c] + b1 * x[1, c] + b2 * x[2, c]
        # the command does not depend on the state: asked for once a stage
        motions(laws, commands, t, left, q_command, v_command, a_command)
        targets(laws, commands, t, left, q_command, v_command, a_command)
        forces(laws, commands, t, left, tau)
        before = x[s]
        for iteration in range(control.most_iterations):
            live = joined(clock.live) > 0.5
            for c in range(nq):
                q[c] = q_start[c] + bh2 * a[c]
                v[c] = v_start[c] + gh * a[c]
            for c in range(nq):
                before[c] = a[c]
                a_solved[c] = a[c]
            for i in range(driven.shape[0]):
                c = driven[i]
                q[c], v[c], a_solved[c] = q_command[c], v_command[c], a_command[c]
            enter_drives(
                commands,
                q_command,
                v_command,
                a_command,
                gh,
                buffer.x_start,
                state.mode,
                buffer.stiffness,
                buffer.damping,
                tree.spring,
                q,
                tau,
            )
            if commands.contact_place.shape[0] > 0:
                enter_contacts(tree, laws, commands, memory, t, left, q, v, tau)
            status = solve(
                tree, loads, laws, t, left, q, v, a_solved, tau, q_start, v_start, gh, bh2, buffer.drive, work
            )
            change = bh2 * distance(buffer.weight, a_solved, before)
            for c in range(nq):
                a[c] = select(live, a_solved[c], a[c])
            if not _iterates_on(control, memory, status, change, iteration, nq):
                break
        for c in range(nq):
            q[c] = q_start[c] + bh2 * a[c]
            v[c] = v_start[c] + gh * a[c]
        # driven coordinates keep what was commanded
        for i in range(driven.shape[0]):
            c = driven[i]
            q[c], v[c] = q_command[c], v_command[c]
        for c in range(nq):
            x[s, c] = a[c]
            y[s, c] = v[c]
        excess = leave_drives(
            commands,
            q_command,
            v_command,
            a_command,
            gh,
            buffer.x_start,
            state.mode,
            q,
            v,
            buffer.x,
            stages.x_rate[s],
        )
        within = select(excess > within, excess, within)
        if commands.contact_place.shape[0] > 0:
            watch_contacts(commands, memory, q, v, a, s)
        if s == 5 or TABLE[5, s] != 0.0:
            book_powers(tree, loads, laws, commands, memory, t, left, q, v, buffer.x)
            book_stage(memory, 0.0, TABLE[5, s])
    put(clock.excess_new, excess)
    put(clock.excess_within, within)
    if commands.contact_place.shape[0] > 0:
        join_contacts(commands, memory)
    # a bound on the displacement of any point, and what the same errors do to the outermost one with their signs: the
    # errors of fast modes alternate along a link and move its tip by far less than the bound
    w, error = ERROR_WEIGHT, buffer.scratch
    for c in range(nq):
        error[c] = w[0] * y[0, c] + w[1] * y[1, c] + w[2] * y[2, c] + w[3] * y[3, c] + w[4] * y[4, c] + w[5] * y[5, c]
    bound = 0.0 * h
    signed = bound
    for c in range(nq):
        e = buffer.weight[c] * error[c]
        bound += abs(e)
        signed += e
    bound = ALTERNATING * bound
    signed = abs(signed)
    return h * select(bound > signed, bound, signed)
