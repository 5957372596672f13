"""A run taken up from the right of a switch: rates that jump, modes of drives, accelerations, powers.

A jump of a commanded rate is a blow of the drive, taken up by the arm in no time (NOTATION 23b).
"""

from __future__ import annotations

import math

from .._jit import inner
from ..numbers.lanes import select
from ..numbers.views import LANES, alone, by_lanes, joined, lane_of, put
from ..tree.types import NOT_FINITE, OK, Commands, Laws
from .commands import forces, motions, targets
from .contact_events import settle_contacts, strike_contacts
from .crossings import forget_crossing
from .drives import enter_drives, find_modes, leave_drives
from .energy_book import book_blow, book_powers, book_step
from .mechanism import solve
from .memory import Memory, buffer_of, clock_of, count_of, stages_of, state_of

# Part of the rates in a law below which a difference of its two sides is rounding.
ROUNDING = 1e-7


@alone
def rates_jump(laws: Laws, law: int, before: float, after: float, t: float) -> bool:
    """True if a law's rates before and after t differ by more than rounding."""
    apart = abs(after - before)
    if apart == 0.0:
        return False
    size = abs(before) + abs(after)
    for k in range(laws.first[law], laws.first[law + 1]):
        piece = laws.piece[k]
        # the piece that ends at t and the one that begins there
        if piece[0] == t or (k + 1 < laws.first[law + 1] and laws.piece[k + 1, 0] == t):
            size += abs(piece[1] * piece[2])
            if piece.shape[0] > 5:
                size += abs(piece[5])
    return apart > ROUNDING * size


@inner
def _struck(laws: Laws, commands: Commands, memory: Memory) -> bool:
    """True if the rate of a driven coordinate jumps in a flagged lane, which is marked as live.

    The rates to come stand in the buffer.
    """
    clock = clock_of(memory.clock)
    some = False
    for j in range(LANES):
        clock.live[j] = 0.0
        t = clock.time[j]
        if clock.flagged[j] < 0.5 or t == 0.0:
            continue
        before, after = lane_of(state_of(memory.state).v, j), lane_of(buffer_of(memory.buffer).v, j)
        for i in range(commands.motion_coordinate.shape[0]):
            c = commands.motion_coordinate[i]
            if rates_jump(lane_of(laws, j), commands.motion_law[i], before[c], after[c], t):
                clock.live[j] = 1.0
                some = True
    return some


@inner
def restart(tree, loads, laws, plain, commands, memory):  # type: ignore[no-untyped-def]
    """Fill the accelerations of the flagged lanes at their present times, taken from the right of a switch.

    Where commanded rates jump, the free coordinates take that up: M_ff Δv_f = −M_fd Δv_d. Accelerations are linear in
    those of the driven coordinates, so the difference of two solves at rest, with Δv_d and with none, is Δv_f, and that
    of the drives' forces their impulse P; their work is Pᵀ(v⁻ + v⁺)/2. Lanes whose rates do not jump get the difference
    of two equal solves. `plain`: the laws as plain numbers.
    """
    state, buffer = state_of(by_lanes(memory.state)), buffer_of(by_lanes(memory.buffer))
    stages, clock, count = stages_of(by_lanes(memory.stages)), clock_of(memory.clock), count_of(memory.counter)
    nq = state.q.shape[0]
    flagged = joined(clock.flagged) > 0.5
    t = joined(clock.time)
    zero = 0.0 * t
    left = clock.flagged[0] < 0.0  # false, but not a constant: see esdirk_step
    q, v, a, tau, x, mode = buffer.q, buffer.v, buffer.a, buffer.tau, buffer.x, buffer.scratch
    driven = commands.motion_coordinate
    q_command, v_command, forward = buffer.q_command, buffer.v_command, buffer.a_command
    for c in range(nq):
        q[c], v[c], a[c] = state.q[c], state.v[c], state.a[c]
        x[c], mode[c] = state.x[c], state.mode[c]
    motions(laws, commands, t, left, q, v, a)
    forces(laws, commands, t, left, tau)
    targets(laws, commands, t, left, q_command, v_command, forward)
    status, work = OK, by_lanes(memory.work)
    if _struck(plain, commands, memory):
        live = joined(clock.live) > 0.5
        still, jump, none, force, other = stages.a[0], stages.a[1], stages.a[2], stages.a[3], stages.a[4]
        for c in range(nq):
            still[c] = jump[c] = none[c] = force[c] = other[c] = zero
        for i in range(driven.shape[0]):
            c = driven[i]
            jump[c] = select(live, v[c] - state.v[c], zero)
        status = solve(tree, loads, laws, t, left, q, still, jump, tau, q, still, zero, zero, force, work)
        if status == OK:
            status = solve(tree, loads, laws, t, left, q, still, none, tau, q, still, zero, zero, other, work)
        for i in range(driven.shape[0]):
            c = driven[i]
            book_blow(memory, 0.5 * (force[c] - other[c]) * (state.v[c] + v[c]))
            none[c] = jump[c]  # the commanded rates are set by the command itself
        for c in range(nq):
            v[c] = v[c] + (jump[c] - none[c])
    if commands.contact_place.shape[0] > 0:
        strike_contacts(tree, loads, laws, commands, memory, t, left, q, v)
    find_modes(commands, q_command, v_command, forward, x, mode, q, v)
    rate = stages.x_rate[0]
    excess = leave_drives(commands, q_command, v_command, forward, zero, state.x, mode, q, v, x, rate)
    put(clock.excess, select(flagged, excess, joined(clock.excess)))
    enter_drives(
        commands,
        q_command,
        v_command,
        forward,
        zero,
        x,
        mode,
        buffer.stiffness,
        buffer.damping,
        tree.spring,
        q,
        tau,
    )
    if commands.contact_place.shape[0] > 0:
        settle_contacts(tree, loads, laws, commands, memory, t, left, q, v, a, tau, x, mode)
    if status == OK:
        status = solve(tree, loads, laws, t, left, q, v, a, tau, q, v, zero, zero, buffer.drive, work)
    for c in range(nq):
        state.q[c] = select(flagged, q[c], state.q[c])
        state.v[c] = select(flagged, v[c], state.v[c])
        state.a[c] = select(flagged, a[c], state.a[c])
        state.s[c] = select(flagged, a[c], state.s[c])
        state.mode[c] = select(flagged, mode[c], state.mode[c])
        state.x_rate[c] = select(flagged, rate[c], state.x_rate[c])
    book_powers(tree, loads, laws, commands, memory, t, left, state.q, state.v, state.x)
    book_step(memory, 0.0)
    for j in range(LANES):
        if clock.flagged[j] < 0.5:
            continue
        forget_crossing(memory, j)
        count.begun[j] = count.fresh[j] = 1
        clock.error_before[j] = 0.0
        found = lane_of(state_of(memory.state).a, j)
        for c in range(nq):
            if status == OK and not math.isfinite(found[c]):
                count.status[j] = NOT_FINITE
        if status != OK:
            count.status[j] = status
