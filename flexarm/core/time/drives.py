"""The law of a drive: cascaded loops with an integrator, feed-forward and a limit (NOTATION 40–40d).

This is the one place that knows it. Within an implicit step the integrator is eliminated: what it adds is stiffness and
damping of the joint, so the iteration matrix has it and the sweeps over the tree need not know of it.
"""

from __future__ import annotations

from .._jit import inner, jit
from ..numbers.lanes import select
from ..tree.types import G_KI, G_KP, G_KV, G_LIMIT, G_LOOP, G_RATE, G_REST, S_D, S_K, Commands, Floats, Laws
from .laws import law_value

# Part of the limit within which a drive is on it.
ON_LIMIT = 1e-9


@inner
def gear_angle(commands: Commands, j: int, q: Floats) -> float:
    """How far the gear of servo j gives way (rad, m), where its position loop sees the far side of it; else 0."""
    gear = commands.servo_more[j, 0]
    return q[gear] if gear >= 0 else 0.0 * commands.servo_gain[j, G_KP]  # type: ignore[no-any-return]


@inner
def servo_torque(
    commands: Commands, j: int, e: float, target_rate: float, rate: float, x: float, forward: float
) -> float:
    """Torque (N m, N) the loops of servo j ask for: e error of the position, x integrator, forward: fed forward."""
    gain = commands.servo_gain[j]
    # (40)
    return gain[G_KP] * e + gain[G_KV] * (gain[G_RATE] * target_rate - rate) + gain[G_KI] * x + forward  # type: ignore[no-any-return]


@inner
def integrator_rate(commands: Commands, j: int, e: float, target_rate: float, rate: float) -> float:
    """Error of the rate (rad/s, m/s) that the integrator of servo j sums."""
    gain = commands.servo_gain[j]
    return gain[G_RATE] * target_rate - rate + gain[G_LOOP] * e  # type: ignore[no-any-return]


@inner
def enter_drives(
    commands: Commands,
    target: Floats,
    target_rate: Floats,
    forward: Floats,
    share: float,
    x: Floats,
    mode: Floats,
    stiffness: Floats,
    damping: Floats,
    spring: Floats,
    q: Floats,
    tau: Floats,
) -> None:
    """Fill τ of the drives in a stage, and add what integrators and limits do to springs and dampers of the joints.

    x: predictors of the integrators, whose value is x + share · rate (s); stiffness, damping: of the joints outside a
    step.
    """
    for j in range(commands.servo_coordinate.shape[0]):
        gain = commands.servo_gain[j]
        c = commands.servo_coordinate[j]
        e = target[c] - gain[G_REST] - gear_angle(commands, j, q)
        # (40b)
        end = x[c] + share * integrator_rate(commands, j, e, target_rate[c], 0.0)
        torque = servo_torque(commands, j, e, target_rate[c], 0.0, end, forward[c])
        limited = abs(mode[c]) > 0.5
        tau[c] = select(limited, mode[c] * gain[G_LIMIT], torque)
        spring[c, S_K] = select(limited, stiffness[c] - gain[G_KP], stiffness[c] + share * gain[G_KI] * gain[G_LOOP])
        spring[c, S_D] = select(limited, damping[c] - gain[G_KV], damping[c] + share * gain[G_KI])


@inner
def leave_drives(
    commands: Commands,
    target: Floats,
    target_rate: Floats,
    forward: Floats,
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
    worst = 0.0 * share - 1.0
    for j in range(commands.servo_coordinate.shape[0]):
        gain = commands.servo_gain[j]
        c = commands.servo_coordinate[j]
        e = target[c] - q[c] - gear_angle(commands, j, q)
        limited = abs(mode[c]) > 0.5
        integrates = abs(gain[G_KI]) > 0.0
        free_rate = select(integrates, integrator_rate(commands, j, e, target_rate[c], v[c]), 0.0)
        # (40c): on the limit the integrator is led back by what the torque is cut
        held = select(integrates, (mode[c] * gain[G_LIMIT] - forward[c]) / gain[G_KV], 0.0)
        pull = select(integrates, gain[G_KI] / gain[G_KV], 0.0)
        end = select(limited, (x[c] + share * held) / (1.0 + share * pull), x[c] + share * free_rate)
        x_new[c] = end
        rate[c] = select(limited, held - pull * end, free_rate)
        torque = servo_torque(commands, j, e, target_rate[c], v[c], end, forward[c]) / gain[G_LIMIT]
        excess = select(limited, 1.0 - mode[c] * torque, abs(torque) - 1.0)
        worst = select(excess > worst, excess, worst)
    return worst


@inner
def find_modes(
    commands: Commands,
    target: Floats,
    target_rate: Floats,
    forward: Floats,
    x: Floats,
    mode: Floats,
    q: Floats,
    v: Floats,
) -> None:
    """Fill the modes of all drives anew: after a switch of the command torques may have jumped."""
    for j in range(commands.servo_coordinate.shape[0]):
        c = commands.servo_coordinate[j]
        e = target[c] - q[c] - gear_angle(commands, j, q)
        torque = servo_torque(commands, j, e, target_rate[c], v[c], x[c], forward[c])
        limit = commands.servo_gain[j, G_LIMIT]
        mode[c] = select(torque > limit, 1.0, select(-torque > limit, -1.0, 0.0))


@inner
def cross_limits(
    commands: Commands,
    target: Floats,
    target_rate: Floats,
    forward: Floats,
    x: Floats,
    mode: Floats,
    q: Floats,
    v: Floats,
    here: bool,
) -> None:
    """Let drives that have come to their limit stay on it, and those that have come back from it leave it; `here`: in
    which lanes.
    """
    for j in range(commands.servo_coordinate.shape[0]):
        c = commands.servo_coordinate[j]
        e = target[c] - q[c] - gear_angle(commands, j, q)
        torque = servo_torque(commands, j, e, target_rate[c], v[c], x[c], forward[c]) / commands.servo_gain[j, G_LIMIT]
        on = select(torque > 0.0, 1.0, -1.0)
        reached = select(abs(torque) >= 1.0 - ON_LIMIT, on, 0.0)
        kept = select(mode[c] * torque <= 1.0 + ON_LIMIT, 0.0, mode[c])
        found = select(abs(mode[c]) > 0.5, kept, reached)
        mode[c] = select(here, found, mode[c])


@jit
def drive_torques(
    laws: Laws, commands: Commands, times: Floats, q: Floats, v: Floats, x: Floats, torque: Floats
) -> None:
    """Fill the torques (m, servos; N m, N) of all servos along a run; x: their integrators (m, servos).

    A sample on a switch belongs to the step that ends there, one at t = 0 to the step that begins.
    """
    for k in range(times.shape[0]):
        for j in range(commands.servo_coordinate.shape[0]):
            c = commands.servo_coordinate[j]
            limit = commands.servo_gain[j, G_LIMIT]
            target, rate, _ = law_value(laws, commands.servo_law[j], times[k], times[k] > 0.0)
            forward = 0.0
            if commands.servo_more[j, 1] >= 0:
                forward = law_value(laws, commands.servo_more[j, 1], times[k], times[k] > 0.0)[0]
            e = target - q[k, c] - gear_angle(commands, j, q[k])
            found = servo_torque(commands, j, e, rate, v[k, c], x[k, j], forward)
            torque[k, j] = select(found > limit, limit, select(found < -limit, -limit, found))
