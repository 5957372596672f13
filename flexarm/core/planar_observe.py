"""What is seen of a planar run: points, joint forces and energies at the sampled states."""

from __future__ import annotations

import math

from ._jit import inner, jit
from .planar_geometry import AL, ANGLE, AX, AY, COS, PX, PY, SIN, W
from .planar_rnea import planar_energy, planar_rnea
from .trigonometry import sincos
from .types import Floats, Ints, Laws, Loads, PlanarTree


@inner
def _lever(work: Floats, i: int, point_place: Floats, j: int) -> tuple[float, float]:
    """From the origin of body i to point j, along the base axes."""
    sin = work[SIN, i]
    cos = work[COS, i]
    return (
        cos * point_place[j, 0] - sin * point_place[j, 1],
        sin * point_place[j, 0] + cos * point_place[j, 1],
    )


@jit
def planar_observe(
    tree: PlanarTree,
    loads: Loads,
    laws: Laws,
    times: Floats,
    q: Floats,
    v: Floats,
    a: Floats,
    point_body: Ints,
    point_place: Floats,
    position: Floats,
    velocity: Floats,
    acceleration: Floats,
    orientation: Floats,
    force: Floats,
    energy: Floats,
    work: Floats,
    full: bool,
) -> None:
    """Fill the arrays of `observe` for a planar arm; point_place: (points, 3) offset and angle in the body's frame."""
    g = tree.gravity
    for k in range(times.shape[0]):
        if full:
            planar_rnea(tree, loads, laws, times[k], times[k] > 0.0, q[k], v[k], a[k], force[k], work)
            for j in range(point_body.shape[0]):
                i = point_body[j]
                w = work[W, i]
                rx, ry = _lever(work, i, point_place, j)
                # the base accelerates with −g inside the recursion: take it out again
                acceleration[k, j, 0] = work[AX, i] + g[0] - work[AL, i] * ry - w * w * rx
                acceleration[k, j, 1] = work[AY, i] + g[1] + work[AL, i] * rx - w * w * ry
        # the energy leaves positions and velocities of the origins behind
        energy[k, 0], energy[k, 1], energy[k, 2] = planar_energy(tree, q[k], v[k], work)
        for j in range(point_body.shape[0]):
            i = point_body[j]
            w = work[W, i]
            rx, ry = _lever(work, i, point_place, j)
            turns = (work[ANGLE, i] + point_place[j, 2]) / (2.0 * math.pi)
            half = math.pi * (turns - math.floor(turns + 0.5))
            orientation[k, j, 3], orientation[k, j, 0] = sincos(half)
            position[k, j, 0] = rx + work[PX, i]
            position[k, j, 1] = ry + work[PY, i]
            velocity[k, j, 0] = -w * ry + work[AX, i]
            velocity[k, j, 1] = w * rx + work[AY, i]
