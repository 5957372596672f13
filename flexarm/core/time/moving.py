"""Derivatives where a command switches: the switch may move with a parameter (NOTATION, section 19).

States are continuous at a switch that moves by s', but not their rates, so that the derivatives of the state at a fixed
time jump there: by (f⁻ − f⁺) s', where f are the rates on both sides.
"""

from __future__ import annotations

from .._jit import inner
from ..numbers.derivatives import changes, in_derivatives, is_nothing, sizes, together, value
from ..numbers.derived import MOVING, copied, derived
from ..numbers.lanes import lane_of
from ..tree.types import G_KI, G_KP, G_KV, G_LIMIT, G_RATE
from .commands import forces, motions, targets
from .dense import quintic, sample
from .drives import cross_limits, enter_drives, gear_angle, leave_drives, servo_torque
from .energy_book import hermite
from .esdirk import distance
from .laws import law_value
from .mechanism import solve
from .memory import buffer_of, clock_of, count_of, stages_of, state_of
from .passing import arrive, pass_limits
from .restart import rates_jump, restart

# Status of a run that has no derivative: what switches at the start moves, or two switches that fall together move
# apart and do not add up.
MOVES_AT_START, MOVE_APART = 101, 102
# Part of the time by which the beginning of a piece may miss a switch, by rounding.
_NEAR = 1e-12
# Part of their size by which switches that move together may differ.
_SAME = 1e-8

_restart = copied(restart)
_law_value, _enter_drives, _leave_drives = derived(law_value), derived(enter_drives), derived(leave_drives)
_motions, _forces, _targets = derived(motions), derived(forces), derived(targets)
_cross_limits, _servo_torque, _gear_angle = derived(cross_limits), derived(servo_torque), derived(gear_angle)


@inner
def moving_distance(weight, x, y):  # type: ignore[no-untyped-def]
    """Σ weight·|x − y| of the values and of all derivatives: an iteration goes on until these have converged too."""
    total = 0.0 * sizes(weight[0])
    for c in range(x.shape[0]):
        total += sizes(x[c] - y[c]) * value(weight[c])
    return together(total)


@inner
def moving_sample(laws, commands, memory, output, t, t_new, j):  # type: ignore[no-untyped-def]
    """See `sample`; the samples have derivatives too."""
    count = count_of(memory.counter)
    k = count.next_output[0]
    if k >= output.time.shape[0] or output.time[k] > t_new:
        return
    state, buffer = state_of(in_derivatives(memory.state)), buffer_of(in_derivatives(memory.buffer))
    stages = stages_of(in_derivatives(memory.stages))
    ruled, told = in_derivatives(laws), in_derivatives(commands)
    h = t_new - t if t_new > t else 1.0
    while k < output.time.shape[0] and output.time[k] <= t_new:
        time = output.time[k]
        part = (time - t) / h
        q, v, a = in_derivatives(output.q[k]), in_derivatives(output.v[k]), in_derivatives(output.a[k])
        x = in_derivatives(output.x[k])
        quintic(part, h, state.q, state.v, state.a, buffer.q, buffer.v, buffer.a, q, v, a)
        _motions(ruled, told, time, part > 0.0, q, v, a)
        for i in range(x.shape[0]):
            c = told.servo_coordinate[i]
            x[i] = hermite(part, h, state.x[c], buffer.x[c], state.x_rate[c], stages.x_rate[5, c])
        k += 1
    count.next_output[0] = k


@inner
def _begins(laws, law, t):  # type: ignore[no-untyped-def]
    """The last piece of a law that begins at t, or −1; a law begins with its first piece, which nothing goes before."""
    found = -1
    if law >= 0:
        for k in range(laws.first[law] + 1, laws.first[law + 1]):
            if abs(value(laws.piece[k, 0]) - t) <= _NEAR * abs(t):
                found = k
    return found


@inner
def _used(loads, commands, i):  # type: ignore[no-untyped-def]
    """The i-th use of a law by a command or a load, −1 if it has none, and −2 behind the last one."""
    n = commands.motion_law.shape[0]
    if i < n:
        return commands.motion_law[i]
    i -= n
    n = commands.torque_law.shape[0]
    if i < n:
        return commands.torque_law[i]
    i -= n
    n = commands.servo_law.shape[0]
    if i < n:
        return commands.servo_law[i]
    i -= n
    if i < n:
        return commands.servo_more[i, 1]
    i -= n
    return loads.place[i, 2] if i < loads.place.shape[0] else -2


@inner
def _moving(laws, loads, commands, t):  # type: ignore[no-untyped-def]
    """A piece that begins at t and moves, −1 if none does; and True if all that begin at t move alike."""
    mover, alike = -1, True
    i, before = 0, -1
    law = _used(loads, commands, i)
    while law != -2:
        k = _begins(laws, law, t)
        if k >= 0:
            shift = changes(laws.piece[k, 0])
            if not is_nothing(shift):
                mover = k
            if before >= 0:
                other = changes(laws.piece[before, 0])
                apart = together(sizes(shift - other))
                alike = alike and apart <= _SAME * together(sizes(shift) + sizes(other))
            before = k
        i += 1
        law = _used(loads, commands, i)
    return mover, alike


@inner
def _accelerate(tree, loads, laws, commands, memory, t, kept):  # type: ignore[no-untyped-def]
    """Status; fill the accelerations in the buffer and the rates of integrators in stage 0 with those on the right of
    t, the law `kept` (−1: none) taken from its left.
    """
    state, buffer = state_of(in_derivatives(memory.state)), buffer_of(in_derivatives(memory.buffer))
    stages = stages_of(in_derivatives(memory.stages))
    q, v, a, tau = buffer.q, buffer.v, buffer.a, buffer.tau
    target, rate, forward = buffer.q_command, buffer.v_command, buffer.a_command
    left = t < 0.0  # false, but not a constant: see esdirk_step
    for c in range(state.q.shape[0]):
        q[c], v[c], a[c] = state.q[c], state.v[c], state.a[c]
    _motions(laws, commands, t, left, q, v, a)
    _forces(laws, commands, t, left, tau)
    _targets(laws, commands, t, left, target, rate, forward)
    for i in range(commands.motion_coordinate.shape[0]):
        if commands.motion_law[i] == kept:
            c = commands.motion_coordinate[i]
            q[c], v[c], a[c] = _law_value(laws, kept, t, not left)
    for i in range(commands.torque_coordinate.shape[0]):
        if commands.torque_law[i] == kept:
            tau[commands.torque_coordinate[i]] = _law_value(laws, kept, t, not left)[0]
    for i in range(commands.servo_coordinate.shape[0]):
        c = commands.servo_coordinate[i]
        if commands.servo_law[i] == kept:
            target[c], rate[c], _ = _law_value(laws, kept, t, not left)
        if kept >= 0 and commands.servo_more[i, 1] == kept:
            forward[c] = _law_value(laws, kept, t, not left)[0]
    zero = 0.0 * t
    _leave_drives(commands, target, rate, forward, zero, state.x, state.mode, q, v, buffer.x, stages.x_rate[0])
    _enter_drives(
        commands,
        target,
        rate,
        forward,
        zero,
        state.x,
        state.mode,
        buffer.stiffness,
        buffer.damping,
        tree.spring,
        q,
        tau,
    )
    work = in_derivatives(memory.work)
    return solve(tree, loads, laws, t, left, q, v, a, tau, q, v, zero, zero, buffer.drive, work)


@inner
def _shift(memory, laws, moved, sign):  # type: ignore[no-untyped-def]
    """Let the derivatives of state and laws be those at a time that moves (sign 1), or again at a fixed one (−1)."""
    state = state_of(in_derivatives(memory.state))
    for c in range(state.q.shape[0]):
        state.q[c] += sign * value(state.v[c]) * moved
        state.v[c] += sign * value(state.a[c]) * moved
        state.x[c] += sign * value(state.x_rate[c]) * moved
    for k in range(laws.piece.shape[0]):
        laws.piece[k, 0] -= sign * moved


@inner
def moving_restart(tree, loads, laws, plain, commands, memory):  # type: ignore[no-untyped-def]
    """See `restart`; derivatives of the state jump where the switch moves."""
    clock, count = clock_of(memory.clock), count_of(memory.counter)
    state, buffer = state_of(in_derivatives(memory.state)), buffer_of(in_derivatives(memory.buffer))
    stages = stages_of(in_derivatives(memory.stages))
    t = clock.time[0]
    mover, alike = _moving(laws, loads, commands, t)
    if clock.flagged[0] > 0.5 and mover >= 0 and t == 0.0:
        count.status[0] = MOVES_AT_START
    moves = clock.flagged[0] > 0.5 and mover >= 0 and t > 0.0
    zero = changes(0.0 * state.q[0])
    moved = changes(laws.piece[mover, 0]) if moves else zero
    nq = state.q.shape[0]
    before = stages.a[1]
    if moves and not alike:
        for c in range(nq):
            before[c] = state.mode[c]
        for i in range(commands.motion_coordinate.shape[0]):
            law = commands.motion_law[i]
            rate, other = value(_law_value(laws, law, t, True)[1]), value(_law_value(laws, law, t, False)[1])
            if rates_jump(lane_of(plain, 0), law, rate, other, t):
                count.status[0] = MOVE_APART
    for again in range(2 if moves else 1):
        if moves and alike:
            # to a time that moves with the switch, and after the restart back to a fixed one
            _shift(memory, laws, moved, 1.0 if again == 0 else -1.0)
        if moves and not alike and again == 1:
            # accelerations are linear in those of driven coordinates and in forces: each law has a part in the jump
            for i in range(commands.servo_coordinate.shape[0]):
                c = commands.servo_coordinate[i]
                if abs(value(state.mode[c]) - value(before[c])) > 0.5:
                    count.status[0] = MOVE_APART
            for i in range(loads.place.shape[0]):
                if _begins(laws, loads.place[i, 2], t) >= 0:
                    count.status[0] = MOVE_APART
            for law in range(laws.first.shape[0] - 1):
                k = _begins(laws, law, t)
                if k < 0:
                    continue
                own = changes(laws.piece[k, 0])
                _accelerate(tree, loads, laws, commands, memory, t, law)
                for c in range(nq):
                    state.v[c] += value(buffer.a[c] - state.a[c]) * own
                    state.x[c] += value(stages.x_rate[0, c] - state.x_rate[c]) * own
        _restart(tree, loads, laws, plain, commands, memory)


@inner
def moving_arrive(tree, loads, laws, commands, memory):  # type: ignore[no-untyped-def]
    """Let the derivatives of the accelerations be those on the right of a time where a piece of a command ended, or
    where a drive came to its limit or left it: nothing restarts there.
    """
    clock = clock_of(memory.clock)
    if clock.moved[0] < 0.5 or (clock.hits[0] < 0.5 and clock.live[0] < 0.5):
        return
    state, buffer = state_of(in_derivatives(memory.state)), buffer_of(in_derivatives(memory.buffer))
    stages = stages_of(in_derivatives(memory.stages))
    _accelerate(tree, loads, laws, commands, memory, clock.time[0], -1)
    for c in range(state.q.shape[0]):
        state.a[c] = value(state.a[c]) + changes(buffer.a[c])
        state.x_rate[c] = value(state.x_rate[c]) + changes(stages.x_rate[0, c])


@inner
def moving_limits(laws, commands, memory):  # type: ignore[no-untyped-def]
    """See `pass_limits`; the time of a crossing moves, and the rate of the drive's integrator jumps there."""
    clock = clock_of(memory.clock)
    state, buffer = state_of(in_derivatives(memory.state)), buffer_of(in_derivatives(memory.buffer))
    stages = stages_of(in_derivatives(memory.stages))
    target, rate, forward = buffer.q_command, buffer.v_command, buffer.a_command
    before, x_new, x_rate = stages.a[1], stages.a[2], stages.a[3]
    for c in range(state.q.shape[0]):
        before[c] = state.mode[c]
    here = clock.live[0] > 0.5
    _cross_limits(commands, target, rate, forward, state.x, state.mode, state.q, state.v, here)
    t = clock.time[0]
    left = t > 0.0
    for c in range(state.q.shape[0]):
        x_rate[c] = state.x_rate[c]
    _leave_drives(commands, target, rate, forward, 0.0 * t, state.x, state.mode, state.q, state.v, x_new, x_rate)
    for j in range(commands.servo_coordinate.shape[0]):
        c = commands.servo_coordinate[j]
        if abs(value(state.mode[c]) - value(before[c])) < 0.5:
            continue
        gain = commands.servo_gain[j]
        gear = commands.servo_more[j, 0]
        e = target[c] - state.q[c] - _gear_angle(commands, j, state.q)
        torque = _servo_torque(commands, j, e, rate[c], state.v[c], state.x[c], forward[c])
        side = 1.0 if value(torque) > 0.0 else -1.0
        excess = changes(torque - side * gain[G_LIMIT])
        # how fast the torque grows: (40) derived in time
        growth = value(gain[G_KP]) * value(rate[c] - state.v[c])
        if gear >= 0:
            growth -= value(gain[G_KP]) * value(state.v[gear])
        swift = value(_law_value(laws, commands.servo_law[j], t, left)[2])
        growth += value(gain[G_KV]) * (value(gain[G_RATE]) * swift - value(state.a[c]))
        growth += value(gain[G_KI]) * value(state.x_rate[c])
        if commands.servo_more[j, 1] >= 0:
            growth += value(_law_value(laws, commands.servo_more[j, 1], t, left)[1])
        if growth != 0.0:
            state.x[c] += value(x_rate[c] - state.x_rate[c]) / growth * excess
        state.x_rate[c] = x_rate[c]


MOVING[distance] = moving_distance
MOVING[sample] = moving_sample
MOVING[restart] = moving_restart
MOVING[arrive] = moving_arrive
MOVING[pass_limits] = moving_limits
