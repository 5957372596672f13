"""Dry friction, stops and backlash of joints as events (NOTATION F1–F6).

Within a step every such joint keeps its phase: it slides one way or sticks, touches a stop or does not, so that what
is integrated is smooth. A step ends where a phase does, and the run begins anew from there. A joint that sticks, or
rests on a rigid stop, is held by an inertia beside which its own is nothing: the sweeps need not know of it, and its
acceleration times that inertia is the torque it withstands. All of it is done for one sample; lanes leave it out.
"""

from __future__ import annotations

import math

from .._jit import apart, inner
from ..numbers.views import left_out
from ..tree.types import (
    C_COULOMB,
    C_DAMPING,
    C_GAP,
    C_LOAD,
    C_LOWER,
    C_ROTOR,
    C_SPAN,
    C_STATIC,
    C_STIFFNESS,
    C_STRIBECK,
    C_UPPER,
    S_D,
    S_GAIN,
    S_K,
    S_REST,
    S_ROTOR,
    W_COORD,
    W_DRIVEN,
    W_LAW,
    W_SERVO,
    Commands,
    Floats,
    Laws,
)
from .laws import law_value
from .mechanism import Mechanism
from .memory import Memory, book_of, buffer_of, clock_of, state_of

# Phase of a joint that sticks; −1, 1: it slides that way, 0: it knows no dry friction.
STUCK = 2.0
# Inertia (kg m², kg) that holds a joint.
HELD = 1e40
# Rates and places (SI) below this are what that inertia leaves of them.
NOTHING = 1e-25
# Part of a travel, of a rate or of a break-away torque within which an event has been met; events are found to a tenth.
MET = 1e-8


@inner
def dry_friction(row: Floats, rate: float, drive: float) -> tuple[float, float]:
    """Size of the dry friction (N m, N) at a rate of sliding, and its slope; drive: torque or force of the drive."""
    # (F1)
    size = row[C_COULOMB] + row[C_LOAD] * abs(drive)
    if row[C_STRIBECK] <= 0.0:
        return size, 0.0
    x = rate / row[C_STRIBECK]
    fall = (row[C_STATIC] - row[C_COULOMB]) * math.exp(-x * x)
    return size + fall, -2.0 * x / row[C_STRIBECK] * fall


@inner
def withstood(row: Floats, drive: float) -> float:
    """Greatest torque (N m, N) that dry friction withstands where the joint sticks."""
    return row[C_STATIC] + row[C_LOAD] * abs(drive)  # type: ignore[no-any-return]


@inner
def driven_torque(row: Floats, needed: float, rate: float) -> float:
    """Torque (N m, N) of a drive that needs so much without dry friction, at a rate it prescribes."""
    if rate == 0.0:
        return needed
    way = 1.0 if rate > 0.0 else -1.0
    # (F5)
    whole = needed + way * dry_friction(row, abs(rate), 0.0)[0]
    return whole / (1.0 - row[C_LOAD] if whole * way > 0.0 else 1.0 + row[C_LOAD])  # type: ignore[no-any-return]


@inner
def limit_of(row: Floats, side: float) -> float:
    """The coordinate of the upper (side 1) or the lower (−1) stop."""
    return row[C_UPPER] if side > 0.0 else row[C_LOWER]  # type: ignore[no-any-return]


@inner
def pressed_in(row: Floats, side: float, q: float, v: float) -> float:
    """How far a stop that gives way is pressed in (parts of the travel): < 0 where it is not touched or would pull."""
    deep = side * (q - limit_of(row, side))
    # (F3)
    return min(deep, deep + row[C_DAMPING] / row[C_STIFFNESS] * side * v) / row[C_SPAN]  # type: ignore[no-any-return]


@inner
def _beyond(row: Floats, grip: float, touch: float, peak: float, q: float, v: float, a: float, drive: float) -> float:
    """How far a joint is beyond where its phase holds (parts of a torque, a rate or the travel; < 0: within)."""
    worst = -1.0
    soft = row[C_STIFFNESS] > 0.0
    held = grip == STUCK or (touch != 0.0 and not soft)
    if held:
        torque = HELD * a
        most = withstood(row, drive)
        # (F2): a rigid stop withstands any torque against it
        pull = abs(torque) if touch == 0.0 or soft else -touch * torque
        size = most if most > 0.0 else max(peak, abs(torque))
        worst = (pull - most) / size if size > 0.0 else -1.0
    elif grip != 0.0:
        size = max(peak, abs(v))
        worst = -grip * v / size if size > 0.0 else 0.0
    if soft:
        for k in range(2):
            side = 2.0 * k - 1.0
            pressed = pressed_in(row, side, q, v)
            worst = max(worst, -pressed if touch == side else pressed)
    elif touch == 0.0:
        worst = max(worst, (q - row[C_UPPER]) / row[C_SPAN], (row[C_LOWER] - q) / row[C_SPAN])
    return worst  # type: ignore[no-any-return]


@apart
@left_out
def enter_contacts(
    tree: Mechanism,
    laws: Laws,
    commands: Commands,
    memory: Memory,
    t: float,
    left: bool,
    q: Floats,
    v: Floats,
    tau: Floats,
) -> None:
    """Add dry friction and stops to τ, springs and dampers of a stage, behind `enter_drives`."""
    state, buffer, spring = state_of(memory.state), buffer_of(memory.buffer), tree.spring
    for i in range(commands.contact_place.shape[0]):
        c = commands.contact_place[i, W_COORD]
        if commands.contact_place[i, W_DRIVEN] == 1:
            continue
        row = commands.contact[i]
        if commands.contact_place[i, W_SERVO] == 0:
            tau[c] = 0.0
            if commands.contact_place[i, W_LAW] >= 0:
                tau[c] = law_value(laws, commands.contact_place[i, W_LAW], t, left)[0]
            spring[c, S_K], spring[c, S_D] = buffer.stiffness[c], buffer.damping[c]
        # what the gains of a servo give stands in spring and damper
        gain = spring[c, S_K] - buffer.stiffness[c] + spring[c, S_GAIN]
        drive = tau[c] - gain * (q[c] - spring[c, S_REST]) - (spring[c, S_D] - buffer.loss[c]) * v[c]
        buffer.given[c] = drive
        grip, touch = state.grip[c], state.touch[c]
        soft = row[C_STIFFNESS] > 0.0
        spring[c, S_ROTOR] = HELD if grip == STUCK or (touch != 0.0 and not soft) else row[C_ROTOR]
        if abs(grip) == 1.0:
            size, slope = dry_friction(row, grip * v[c], drive)
            # tangent at the iterate: the rest of it is a damper
            tau[c] += slope * v[c] - grip * size
            spring[c, S_D] += slope
        if not soft:
            continue
        gap = row[C_GAP] > 0.0
        if touch != 0.0:
            tau[c] += row[C_STIFFNESS] * (limit_of(row, touch) - spring[c, S_REST])
            if not gap:
                spring[c, S_K] += row[C_STIFFNESS]
                spring[c, S_D] += row[C_DAMPING]
        elif gap:
            spring[c, S_K] -= row[C_STIFFNESS]
            spring[c, S_D] -= row[C_DAMPING]


@apart
@left_out
def watch_contacts(commands: Commands, memory: Memory, q: Floats, v: Floats, a: Floats, stage: int) -> None:
    """Note how far the worst joint is beyond where its phase holds, at the end of a stage and in all so far."""
    state, buffer, clock = state_of(memory.state), buffer_of(memory.buffer), clock_of(memory.clock)
    worst = within = -1.0
    for i in range(commands.contact_place.shape[0]):
        c = commands.contact_place[i, W_COORD]
        if commands.contact_place[i, W_DRIVEN] == 1:
            continue
        found = _beyond(
            commands.contact[i], state.grip[c], state.touch[c], state.peak[c], q[c], v[c], a[c], buffer.given[c]
        )
        worst = max(worst, found)
        # a joint that has hardly begun to slide has no rate that could be compared with
        if abs(state.grip[c]) != 1.0 or state.peak[c] > 0.0:
            within = max(within, found)
    clock.contact[0] = worst
    clock.contact_within[0] = within if stage == 1 else max(clock.contact_within[0], within)


@apart
@left_out
def join_contacts(commands: Commands, memory: Memory) -> None:
    """Let the joints have their say where the step ends, beside the drives."""
    if commands.contact_place.shape[0] > 0:
        clock = clock_of(memory.clock)
        clock.excess_new[0] = max(clock.excess_new[0], clock.contact[0])
        clock.excess_within[0] = max(clock.excess_within[0], clock.contact_within[0])


@apart
@left_out
def note_contacts(commands: Commands, memory: Memory) -> None:
    """Keep the greatest rate of every joint that slides, and the greatest torque of one that is held."""
    state = state_of(memory.state)
    for i in range(commands.contact_place.shape[0]):
        c = commands.contact_place[i, W_COORD]
        if abs(state.grip[c]) == 1.0:
            state.peak[c] = max(state.peak[c], abs(state.v[c]))
        elif state.grip[c] == STUCK or (state.touch[c] != 0.0 and commands.contact[i, C_STIFFNESS] <= 0.0):
            state.peak[c] = max(state.peak[c], abs(HELD * state.a[c]))
        else:
            state.peak[c] = 0.0


@apart
@left_out
def begin_anew(commands: Commands, memory: Memory) -> None:
    """Flag the lane for a restart if its step has ended where the phase of a joint does."""
    clock = clock_of(memory.clock)
    if clock.live[0] > 0.5 and commands.contact_place.shape[0] > 0 and clock.contact[0] > -MET:
        clock.flagged[0] = clock.touched[0] = 1.0


@apart
def contact_powers(laws: Laws, commands: Commands, memory: Memory, t: float, left: bool, q: Floats, v: Floats) -> None:
    """Add to the powers of the book (W) what dry friction and stops take, and what drives give against them."""
    state, buffer, power = state_of(memory.state), buffer_of(memory.buffer), book_of(memory.book).power_new
    for i in range(commands.contact_place.shape[0]):
        row, c = commands.contact[i], commands.contact_place[i, W_COORD]
        if commands.contact_place[i, W_DRIVEN] == 1:
            more = (driven_torque(row, buffer.drive[c], v[c]) - buffer.drive[c]) * v[c]
            power[0] += more
            power[2] += more
            continue
        if commands.contact_place[i, W_LAW] >= 0:
            power[0] += (law_value(laws, commands.contact_place[i, W_LAW], t, left)[0] - buffer.tau[c]) * v[c]
        if abs(state.grip[c]) == 1.0:
            power[2] += state.grip[c] * v[c] * dry_friction(row, state.grip[c] * v[c], buffer.given[c])[0]
        if row[C_STIFFNESS] > 0.0:
            touched = 1.0 if state.touch[c] != 0.0 else 0.0
            power[2] += (touched - row[C_GAP]) * row[C_DAMPING] * v[c] * v[c]
