"""What is seen of a run in space: points, joint forces and energies at the sampled states."""

from __future__ import annotations

import math

from ._jit import inner, jit
from .columns import AF0, AF1, AF2, AL0, AL1, AL2, P0, P1, P2, R00, V0, V1, V2, W0, W1, W2
from .lane_numbers import select
from .loads import turn
from .outward import outward
from .rnea import body_energy, move, spatial_rnea
from .types import Floats, Ints, Laws, Loads, SpatialTree


@inner
def quaternion(r: Floats, out: Floats) -> None:
    """Unit quaternion (w, x, y, z) of a rotation matrix (9,), by its largest component."""
    t0 = 1.0 + r[0] + r[4] + r[8]
    t1 = 1.0 + r[0] - r[4] - r[8]
    t2 = 1.0 - r[0] + r[4] - r[8]
    t3 = 1.0 - r[0] - r[4] + r[8]
    x, y, z = r[7] - r[5], r[2] - r[6], r[3] - r[1]
    xy, xz, yz = r[1] + r[3], r[2] + r[6], r[5] + r[7]
    # the row of the largest: (w, x, y, z)·(4 · that component)
    greatest = t0
    a, b, c, d = t0, x, y, z
    more = t1 > greatest
    greatest = select(more, t1, greatest)
    a, b, c, d = select(more, x, a), select(more, t1, b), select(more, xy, c), select(more, xz, d)
    more = t2 > greatest
    greatest = select(more, t2, greatest)
    a, b, c, d = select(more, y, a), select(more, xy, b), select(more, t2, c), select(more, yz, d)
    more = t3 > greatest
    greatest = select(more, t3, greatest)
    a, b, c, d = select(more, z, a), select(more, xz, b), select(more, yz, c), select(more, t3, d)
    s = 0.5 / math.sqrt(greatest)
    out[0] = a * s
    out[1] = b * s
    out[2] = c * s
    out[3] = d * s


@jit
def observe(
    tree: SpatialTree,
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
    scratch: Floats,
    work: Floats,
    full: bool,
) -> None:
    """Fill positions, velocities, accelerations (m, points, 3), quaternions (m, points, 4), generalised forces (m,
    nq), energies (m, 3).

    point_place: (points, 12) offset in the body's frame and rotation from the point's frame to the body's;
    scratch: (9,). Unless `full`, accelerations and forces are left as they are.
    """
    g = tree.gravity
    for k in range(times.shape[0]):
        if full:
            spatial_rnea(tree, loads, laws, times[k], times[k] > 0.0, q[k], v[k], a[k], force[k], work)
        else:
            outward(tree, q[k], v[k], work)
        move(tree, v[k], work)
        kinetic, elastic, gravity = body_energy(tree, q[k], v[k], work)
        energy[k, 0] = kinetic
        energy[k, 1] = elastic
        energy[k, 2] = gravity
        for j in range(point_body.shape[0]):
            i = point_body[j]
            place = point_place[j]
            rx, ry, rz = turn(work, i, place[0], place[1], place[2])
            w0 = work[i, W0]
            w1 = work[i, W1]
            w2 = work[i, W2]
            l0 = work[i, AL0]
            l1 = work[i, AL1]
            l2 = work[i, AL2]
            e0 = w1 * rz - w2 * ry
            e1 = w2 * rx - w0 * rz
            e2 = w0 * ry - w1 * rx
            position[k, j, 0] = work[i, P0] + rx
            position[k, j, 1] = work[i, P1] + ry
            position[k, j, 2] = work[i, P2] + rz
            velocity[k, j, 0] = work[i, V0] + e0
            velocity[k, j, 1] = work[i, V1] + e1
            velocity[k, j, 2] = work[i, V2] + e2
            if full:
                # the base accelerates with −g inside the recursion: take it out again
                acceleration[k, j, 0] = work[i, AF0] + g[0] + l1 * rz - l2 * ry + w1 * e2 - w2 * e1
                acceleration[k, j, 1] = work[i, AF1] + g[1] + l2 * rx - l0 * rz + w2 * e0 - w0 * e2
                acceleration[k, j, 2] = work[i, AF2] + g[2] + l0 * ry - l1 * rx + w0 * e1 - w1 * e0
            for row in range(3):
                for col in range(3):
                    scratch[3 * row + col] = (
                        work[i, R00 + 3 * row] * place[3 + col]
                        + work[i, R00 + 3 * row + 1] * place[6 + col]
                        + work[i, R00 + 3 * row + 2] * place[9 + col]
                    )
            quaternion(scratch, orientation[k, j])
