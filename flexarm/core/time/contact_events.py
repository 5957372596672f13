"""Where the phase of a joint ends: blows of rigid stops, joints that come to rest and those that break away.

All of it happens at a restart of the run, see `contacts`.
"""

from __future__ import annotations

from .._jit import apart, inner
from ..numbers.views import left_out
from ..tree.types import (
    C_LOAD,
    C_LOWER,
    C_RESTITUTION,
    C_ROTOR,
    C_SPAN,
    C_STATIC,
    C_STIFFNESS,
    C_UPPER,
    OK,
    S_ROTOR,
    W_COORD,
    W_DRIVEN,
    Commands,
    Floats,
    Laws,
    Loads,
)
from .contacts import HELD, MET, NOTHING, STUCK, enter_contacts, limit_of, pressed_in, withstood
from .drives import enter_drives
from .mechanism import Mechanism, solve
from .memory import Memory, book_of, buffer_of, clock_of, stages_of, state_of


@inner
def _at_stop(row: Floats, q: float) -> float:
    """The side (−1, 1) of the rigid stop at which the joint is, else 0."""
    if row[C_STIFFNESS] > 0.0:
        return 0.0
    if q >= row[C_UPPER] - MET * row[C_SPAN]:
        return 1.0
    return -1.0 if q <= row[C_LOWER] + MET * row[C_SPAN] else 0.0


@apart
@left_out
def strike_contacts(
    tree: Mechanism,
    loads: Loads,
    laws: Laws,
    commands: Commands,
    memory: Memory,
    t: float,
    left: bool,
    q: Floats,
    v: Floats,
) -> None:
    """Let joints that come to a rigid stop be thrown back or stay there, by the balance of momentum (F4).

    The rates are those before and behind the blow; accelerations are linear in a torque, so those it makes at rest are
    a column of M⁻¹.
    """
    state, clock, stages = state_of(memory.state), clock_of(memory.clock), stages_of(memory.stages)
    count, nq = commands.contact_place.shape[0], state.q.shape[0]
    if count == 0 or clock.flagged[0] < 0.5:
        return
    still, push, none, moved, drive = stages.a[0], stages.a[1], stages.a[2], stages.a[3], stages.a[4]
    for i in range(count):
        c = commands.contact_place[i, W_COORD]
        if commands.contact_place[i, W_DRIVEN] == 0:
            tree.spring[c, S_ROTOR] = commands.contact[i, C_ROTOR]
            if abs(v[c]) < NOTHING:
                v[c] = 0.0
    for _ in range(8 * count):
        hit, fastest = -1, 0.0
        for i in range(count):
            c = commands.contact_place[i, W_COORD]
            into = _at_stop(commands.contact[i], q[c]) * v[c]
            if commands.contact_place[i, W_DRIVEN] == 0 and into > fastest:
                hit, fastest = i, into
        if hit < 0:
            break
        row, c = commands.contact[hit], commands.contact_place[hit, W_COORD]
        side = _at_stop(row, q[c])
        q[c] = limit_of(row, side)
        change = -(1.0 + row[C_RESTITUTION]) * v[c]
        blow = 1.0
        for k in range(nq):
            still[k] = push[k] = none[k] = 0.0
        solve(tree, loads, laws, t, left, q, still, none, push, q, still, 0.0, 0.0, drive, memory.work)
        for _again in range(2):
            push[c] = blow
            for k in range(nq):
                moved[k] = 0.0
            solve(tree, loads, laws, t, left, q, still, moved, push, q, still, 0.0, 0.0, drive, memory.work)
            blow *= change / (moved[c] - none[c])
        part = change / (moved[c] - none[c])
        book_of(memory.book).work[2] -= 0.5 * blow * (2.0 * v[c] + change)
        for k in range(nq):
            v[k] += part * (moved[k] - none[k])
        back = row[C_RESTITUTION] * fastest
        # thrown back by less than can be told from the stop
        low = back * back <= 2.0 * max(side * state.a[c], 0.0) * MET * row[C_SPAN]
        v[c] = 0.0 if low else -side * back
    for i in range(count):
        row, c = commands.contact[i], commands.contact_place[i, W_COORD]
        if row[C_STIFFNESS] <= 0.0:
            state.touch[c] = _at_stop(row, q[c]) if v[c] == 0.0 else 0.0
        else:
            before = state.touch[c]
            state.touch[c] = _touching(row, before, q[c], v[c])
            if t > 0.0:
                # a stop that is left while pressed in: its own damper takes what its spring still holds
                book_of(memory.book).work[2] += _stored(row, before, q[c]) - _stored(row, state.touch[c], q[c])


@inner
def _stored(row: Floats, touch: float, q: float) -> float:
    """Energy (J) in the spring of the stop that is touched."""
    deep = touch * (q - limit_of(row, touch)) if touch != 0.0 else 0.0
    return 0.5 * row[C_STIFFNESS] * deep * deep  # type: ignore[no-any-return]


@inner
def _touching(row: Floats, before: float, q: float, v: float) -> float:
    """The side (−1, 1) of the stop that gives way and is touched, else 0."""
    for k in range(2):
        side = 2.0 * k - 1.0
        deep = side * (q - limit_of(row, side)) / row[C_SPAN]
        pressed = pressed_in(row, side, q, v)
        on = pressed > 0.0
        if abs(deep) <= MET:
            on = side * v > 0.0 or (v == 0.0 and before == side)
        elif deep > 0.0 and abs(pressed) <= MET:
            on = before != side
        if on:
            return side
    return 0.0


@apart
@left_out
def settle_contacts(
    tree: Mechanism,
    loads: Loads,
    laws: Laws,
    commands: Commands,
    memory: Memory,
    t: float,
    left: bool,
    q: Floats,
    v: Floats,
    a: Floats,
    tau: Floats,
    x: Floats,
    mode: Floats,
) -> None:
    """Find the phases of all joints, and leave τ and springs as they are in these.

    What has come to rest is held first; then the joint that would have to withstand most beyond what it can is let go,
    one after the other.
    """
    state, buffer, clock = state_of(memory.state), buffer_of(memory.buffer), clock_of(memory.clock)
    count = commands.contact_place.shape[0]
    if count == 0 or clock.flagged[0] < 0.5:
        return
    share = stages_of(memory.stages).v[1]
    for i in range(count):
        row, c = commands.contact[i], commands.contact_place[i, W_COORD]
        share[c] = 1.0
        if commands.contact_place[i, W_DRIVEN] == 1 or row[C_STATIC] + row[C_LOAD] <= 0.0:
            continue
        grip = state.grip[c]
        if abs(grip) == 1.0 and grip * v[c] > MET * state.peak[c]:
            continue
        if grip == STUCK and v[c] == 0.0:
            # one that was held up to here and whose step has ended on that breaks away
            share[c] = 1.0 - MET if clock.touched[0] > 0.5 else 1.0 + 0.1 * MET
            continue
        state.peak[c] = 0.0
        if abs(grip) != 1.0 and v[c] != 0.0:
            state.grip[c] = 1.0 if v[c] > 0.0 else -1.0
        else:
            v[c] = 0.0
            state.grip[c] = STUCK
    clock.touched[0] = 0.0
    for _ in range(2 * count + 2):
        enter_drives(
            commands,
            buffer.q_command,
            buffer.v_command,
            buffer.a_command,
            0.0,
            x,
            mode,
            buffer.stiffness,
            buffer.damping,
            tree.spring,
            q,
            tau,
        )
        enter_contacts(tree, laws, commands, memory, t, left, q, v, tau)
        if solve(tree, loads, laws, t, left, q, v, a, tau, q, v, 0.0, 0.0, buffer.drive, memory.work) != OK:
            return
        freed, most = -1, 0.0
        for i in range(count):
            row, c = commands.contact[i], commands.contact_place[i, W_COORD]
            touch = state.touch[c] if row[C_STIFFNESS] <= 0.0 else 0.0
            if commands.contact_place[i, W_DRIVEN] == 1 or (state.grip[c] != STUCK and touch == 0.0):
                continue
            torque = HELD * a[c]
            pull = abs(torque) if touch == 0.0 else -touch * torque
            over = pull - share[c] * withstood(row, buffer.given[c])
            if over > most or (over == most and freed < 0 and over > 0.0):
                freed, most = i, over
        if freed < 0:
            return
        c = commands.contact_place[freed, W_COORD]
        if state.grip[c] == STUCK:
            state.grip[c] = 1.0 if a[c] > 0.0 else -1.0
        state.peak[c] = 0.0
        if commands.contact[freed, C_STIFFNESS] <= 0.0:
            state.touch[c] = 0.0
