"""The law of a drive: cascaded loops with an integrator, feed-forward and a limit (NOTATION 40–40d).

This is the one place that knows it. Within an implicit step the integrator is eliminated: what it adds is stiffness and
damping of the joint, so the iteration matrix has it and the sweeps over the tree need not know of it.
"""

from __future__ import annotations

import math

from ._jit import inner, jit
from .laws import law_value
from .types import G_KI, G_KP, G_KV, G_LIMIT, G_LOOP, G_RATE, G_REST, S_D, S_K, Commands, Floats, Laws

# Part of the limit within which a drive is on it.
ON_LIMIT = 1e-9


@inner
def wanted(
    laws: Laws, commands: Commands, j: int, t: float, left: bool, q: Floats, v: Floats, x: float
) -> tuple[float, float, float]:
    """Torque (N m, N) the loops of servo j ask for, error of the rate (rad/s, m/s) its integrator x sums, torque fed
    forward.
    """
    gain = commands.servo_gain[j]
    more = commands.servo_more[j]
    c = commands.servo_coordinate[j]
    f, f1, _ = law_value(laws, commands.servo_law[j], t, left)
    e = f - q[c]
    if more[0] >= 0:
        e -= q[more[0]]
    forward = 0.0
    if more[1] >= 0:
        forward, _, _ = law_value(laws, more[1], t, left)
    # (40)
    slip = gain[G_RATE] * f1 - v[c]
    return gain[G_KP] * e + gain[G_KV] * slip + gain[G_KI] * x + forward, slip + gain[G_LOOP] * e, forward


@inner
def applied(
    laws: Laws, commands: Commands, j: int, t: float, left: bool, q: Floats, v: Floats, x: float, mode: float
) -> float:
    """Torque (N m) or force (N) that servo j gives."""
    if mode != 0.0:
        return mode * commands.servo_gain[j, G_LIMIT]
    return wanted(laws, commands, j, t, left, q, v, x)[0]


@jit
def enter_drives(
    laws: Laws,
    commands: Commands,
    t: float,
    left: bool,
    share: float,
    x: Floats,
    mode: Floats,
    stiffness: Floats,
    damping: Floats,
    spring: Floats,
    q: Floats,
    tau: Floats,
) -> None:
    """Add to τ, and to springs and dampers of the joints, what integrators and limits do in a stage.

    x: predictors of the integrators, whose value is x + share · rate (s); stiffness, damping: of the joints outside a
    step.
    """
    for j in range(commands.servo_coordinate.shape[0]):
        gain = commands.servo_gain[j]
        c = commands.servo_coordinate[j]
        if mode[c] != 0.0:
            tau[c] = mode[c] * gain[G_LIMIT]
            spring[c, S_K] = stiffness[c] - gain[G_KP]
            spring[c, S_D] = damping[c] - gain[G_KV]
        elif gain[G_KI] != 0.0 or gain[G_LIMIT] < math.inf:
            f, f1, _ = law_value(laws, commands.servo_law[j], t, left)
            e = f - gain[G_REST]
            if commands.servo_more[j, 0] >= 0:
                e -= q[commands.servo_more[j, 0]]
            # (40b)
            tau[c] += gain[G_KI] * (x[c] + share * (gain[G_RATE] * f1 + gain[G_LOOP] * e))
            spring[c, S_K] = stiffness[c] + share * gain[G_KI] * gain[G_LOOP]
            spring[c, S_D] = damping[c] + share * gain[G_KI]


@jit
def leave_drives(
    laws: Laws,
    commands: Commands,
    t: float,
    left: bool,
    share: float,
    x: Floats,
    mode: Floats,
    q: Floats,
    v: Floats,
    x_new: Floats,
    rate: Floats,
) -> float:
    """How far the worst drive is beyond where its mode holds (parts of its limit; < 0: all within); fills the
    integrators and their rates at the end of a stage. See `enter_drives`.
    """
    worst = -1.0
    for j in range(commands.servo_coordinate.shape[0]):
        gain = commands.servo_gain[j]
        limit = gain[G_LIMIT]
        ki = gain[G_KI]
        c = commands.servo_coordinate[j]
        if ki == 0.0 and limit == math.inf:
            continue
        torque, error, forward = wanted(laws, commands, j, t, left, q, v, 0.0)
        if ki != 0.0:
            if mode[c] == 0.0:
                rate[c] = error
                x_new[c] = x[c] + share * error
            else:
                # (40c)
                held = (mode[c] * limit - forward) / gain[G_KV]
                pull = ki / gain[G_KV]
                x_new[c] = (x[c] + share * held) / (1.0 + share * pull)
                rate[c] = held - pull * x_new[c]
            torque += ki * x_new[c]
        if limit < math.inf:
            worst = max(worst, abs(torque) / limit - 1.0 if mode[c] == 0.0 else 1.0 - mode[c] * torque / limit)
    return worst


@jit
def begin_drives(
    laws: Laws,
    commands: Commands,
    t: float,
    left: bool,
    x: Floats,
    mode: Floats,
    q: Floats,
    v: Floats,
    rate: Floats,
) -> float:
    """As `leave_drives`, with the modes found anew: after a switch of the command torques may have jumped."""
    for j in range(commands.servo_coordinate.shape[0]):
        limit = commands.servo_gain[j, G_LIMIT]
        c = commands.servo_coordinate[j]
        torque = wanted(laws, commands, j, t, left, q, v, x[c])[0]
        mode[c] = 0.0
        if abs(torque) > limit:
            mode[c] = 1.0 if torque > 0.0 else -1.0
    return leave_drives(laws, commands, t, left, 0.0, x, mode, q, v, x, rate)


@jit
def cross_limits(
    laws: Laws, commands: Commands, t: float, left: bool, x: Floats, mode: Floats, q: Floats, v: Floats
) -> None:
    """Let drives that have come to their limit stay on it, and those that have come back from it leave it."""
    for j in range(commands.servo_coordinate.shape[0]):
        limit = commands.servo_gain[j, G_LIMIT]
        if limit == math.inf:
            continue
        c = commands.servo_coordinate[j]
        torque = wanted(laws, commands, j, t, left, q, v, x[c])[0] / limit
        if mode[c] == 0.0:
            if abs(torque) >= 1.0 - ON_LIMIT:
                mode[c] = 1.0 if torque > 0.0 else -1.0
        elif mode[c] * torque <= 1.0 + ON_LIMIT:
            mode[c] = 0.0


@jit
def drive_torques(
    laws: Laws, commands: Commands, times: Floats, q: Floats, v: Floats, x: Floats, torque: Floats
) -> None:
    """Fill the torques (m, servos; N m, N) of all servos along a run; x: their integrators (m, servos).

    A sample on a switch belongs to the step that ends there, one at t = 0 to the step that begins.
    """
    for k in range(times.shape[0]):
        for j in range(commands.servo_coordinate.shape[0]):
            limit = commands.servo_gain[j, G_LIMIT]
            found = wanted(laws, commands, j, times[k], times[k] > 0.0, q[k], v[k], x[k, j])[0]
            torque[k, j] = min(max(found, -limit), limit)
