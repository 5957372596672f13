"""Commands at a time: motions of driven coordinates, forces of pushed ones, targets of drives."""

from __future__ import annotations

from .._jit import inner, jit
from ..tree.types import G_REST, Commands, Floats, Laws
from .drives import gear_angle, servo_torque
from .laws import law_value


@inner
def motions(laws: Laws, commands: Commands, t: float, left: bool, q: Floats, v: Floats, a: Floats) -> None:
    """Fill q, v, a of the driven coordinates."""
    for j in range(commands.motion_coordinate.shape[0]):
        c = commands.motion_coordinate[j]
        q[c], v[c], a[c] = law_value(laws, commands.motion_law[j], t, left)


@inner
def forces(laws: Laws, commands: Commands, t: float, left: bool, tau: Floats) -> None:
    """Fill τ of the pushed coordinates."""
    for j in range(commands.torque_coordinate.shape[0]):
        tau[commands.torque_coordinate[j]] = law_value(laws, commands.torque_law[j], t, left)[0]


@inner
def targets(laws: Laws, commands: Commands, t: float, left: bool, q: Floats, v: Floats, forward: Floats) -> None:
    """Fill targets of drives, their rates and the torques fed forward, on the coordinates that have a drive."""
    for j in range(commands.servo_coordinate.shape[0]):
        c = commands.servo_coordinate[j]
        q[c], v[c], _ = law_value(laws, commands.servo_law[j], t, left)
        forward[c] = 0.0
        if commands.servo_more[j, 1] >= 0:
            forward[c] = law_value(laws, commands.servo_more[j, 1], t, left)[0]


@jit
def command(laws: Laws, commands: Commands, t: float, left: bool, q: Floats, v: Floats, a: Floats, tau: Floats) -> None:
    """Fill q, v, a of the driven coordinates and τ of the pushed ones with the command at t.

    Of a drive: what depends on neither the joint nor its integrator; its gains are springs and dampers of the joint.
    """
    motions(laws, commands, t, left, q, v, a)
    forces(laws, commands, t, left, tau)
    for j in range(commands.servo_coordinate.shape[0]):
        target, rate, _ = law_value(laws, commands.servo_law[j], t, left)
        forward = 0.0
        if commands.servo_more[j, 1] >= 0:
            forward = law_value(laws, commands.servo_more[j, 1], t, left)[0]
        e = target - commands.servo_gain[j, G_REST] - gear_angle(commands, j, q)
        tau[commands.servo_coordinate[j]] = servo_torque(commands, j, e, rate, 0.0, 0.0, forward)
