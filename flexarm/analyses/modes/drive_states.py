"""Drives in small motion: what their loops respond at once, and the states they have of their own.

    τ = kp e + kv (rate θ̇_d − θ̇) + ki z,   ż = rate θ̇_d − θ̇ + loop e,   e = θ_d − θ (− gear)          (NOTATION 40)

kp and kv are springs and dampers of the joint already (`core.tree.types.S_GAIN`, `S_RATE_GAIN`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import G_KI, G_KP, G_KV, G_LOOP, G_RATE, Floats, Ints


@dataclass(frozen=True, eq=False)
class DriveStates:
    """ż = F z + P x + R ẋ + T θ_d + U θ̇_d, and the generalised forces H z that z adds to those on the moving
    coordinates x; of departures from equilibrium.

    Columns of T and U are servos in the order of `Commands.servo_coordinate`.
    """

    names: tuple[str, ...]
    own: Floats  # F (nz, nz), 1/s
    position: Floats  # P (nz, n)
    rate: Floats  # R (nz, n)
    force: Floats  # H (n, nz)
    target: Floats  # T (nz, servos)
    target_rate: Floats  # U (nz, servos)

    def seen_in(self, basis: Floats) -> DriveStates:
        """The same for coordinates y of x = basis y."""
        return DriveStates(
            self.names,
            self.own,
            self.position @ basis,
            self.rate @ basis,
            basis.T @ self.force,
            self.target,
            self.target_rate,
        )


class Loop(NamedTuple):
    """The loops of one servo; gains per rad or m of its joint."""

    name: str
    coordinate: int
    kp: float
    kv: float
    ki: float  # of the integrator
    position: float  # gain of the position loop that the integrator sees, 1/s
    rate: float  # part of the commanded rate that is fed forward
    behind: int  # coordinate of the gear behind which the encoder sits, −1 if before it


def servo_loops(compiled: CompiledArm) -> tuple[Loop, ...]:
    """The loops of all servos of an arm, in the order of `Commands.servo_coordinate`."""
    commands = compiled.commands
    return tuple(
        Loop(
            name=compiled.coordinate_names[int(c)],
            coordinate=int(c),
            kp=float(gain[G_KP]),
            kv=float(gain[G_KV]),
            ki=float(gain[G_KI]),
            position=float(gain[G_LOOP]),
            rate=float(gain[G_RATE]),
            behind=int(more[0]),
        )
        for c, gain, more in zip(commands.servo_coordinate, commands.servo_gain, commands.servo_more, strict=True)
    )


def drive_states(compiled: CompiledArm, moving: Ints) -> DriveStates | None:
    """The states of the drives of an arm besides the coordinates that move; None where they have none."""
    loops = servo_loops(compiled)
    where = {int(c): k for k, c in enumerate(moving)}
    kept = [j for j, loop in enumerate(loops) if loop.ki != 0.0 and loop.coordinate in where]
    if not kept:
        return None
    count, n = len(kept), len(moving)
    position, rate, force = np.zeros((count, n)), np.zeros((count, n)), np.zeros((n, count))
    target, target_rate = np.zeros((count, len(loops))), np.zeros((count, len(loops)))
    for z, j in enumerate(kept):
        loop = loops[j]
        k = where[loop.coordinate]
        position[z, k], rate[z, k], force[k, z] = -loop.position, -1.0, loop.ki
        if loop.behind in where:
            position[z, where[loop.behind]] = -loop.position
        target[z, j], target_rate[z, j] = loop.position, loop.rate
    names = tuple(f"{loops[j].name}.integral" for j in kept)
    return DriveStates(names, np.zeros((count, count)), position, rate, force, target, target_rate)


def encoder_stiffness(compiled: CompiledArm, moving: Ints) -> Floats:
    """What encoders behind their gears add to the stiffness (n, n) of the moving coordinates: the motor is drawn by
    what the gear gives way, the gear by nothing.
    """
    added = np.zeros((len(moving), len(moving)))
    where = {int(c): k for k, c in enumerate(moving)}
    for loop in servo_loops(compiled):
        if loop.coordinate in where and loop.behind in where:
            added[where[loop.coordinate], where[loop.behind]] += loop.kp
    return added
