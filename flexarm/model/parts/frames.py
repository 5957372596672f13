"""Frames: the rotations that place a joint on its parent and a beam along its link."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from flexarm.batched import array, each

Array = npt.NDArray[np.float64]
Triple = tuple[float, float, float]


def rotation_from_angles(angles: Triple) -> Array:
    """Rotation matrix (3, 3) of turns about fixed x, then y, then z: R = Rz Ry Rx; it turns child into parent."""
    (cx, cy, cz), (sx, sy, sz) = [[each(f, angle) for angle in angles] for f in (math.cos, math.sin)]
    return array(
        [
            [cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx],
            [sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx],
            [-sy, cy * sx, cy * cx],
        ]
    )


def angles_of(R: Array) -> tuple[float, float, float]:
    """Turns about fixed x, y, z that make the rotation R = Rz Ry Rx (rad)."""
    pitch = math.atan2(-R[2, 0], math.hypot(R[0, 0], R[1, 0]))
    if math.hypot(R[0, 0], R[1, 0]) > 1e-9:
        return math.atan2(R[2, 1], R[2, 2]), pitch, math.atan2(R[1, 0], R[0, 0])
    return math.atan2(-R[1, 2], R[1, 1]), pitch, 0.0


def rotation_onto(axis: Triple) -> Array:
    """Rotation matrix (3, 3) whose first column is the axis: the shortest turn of x onto it, about z for -x.

    It turns the beam's own axes into the link's: for axes in the x-y plane the beam's z stays the link's z.
    """
    x, y, z = axis
    across = y * y + z * z
    if x < 0 and across == 0:
        return np.diag([-1.0, -1.0, 1.0])
    # Rodrigues' formula for the turn about x × axis, f = 1/(1 + x) in the form that keeps its digits next to -x.
    f = 1 / (1 + x) if x >= 0 else (1 - x) / across
    return array([[x, -y, -z], [y, 1 - f * y * y, -f * y * z], [z, -f * y * z, 1 - f * z * z]])
