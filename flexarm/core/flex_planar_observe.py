"""What is seen of a planar run with flexible bodies: points, joint forces, energies; power of the loads."""

from __future__ import annotations

import math

from ._jit import inner, jit
from .flex_planar_columns import AL, ANGLE, AX, AY, COS, HEAD, OX, OY, SIN, TCX, TCY, TW, TX, TY, VX, VY, W
from .flex_planar_outward import flex_planar_outward, frame
from .flex_planar_rnea import flex_planar_energy, flex_planar_move, flex_planar_rnea
from .laws import law_value
from .trigonometry import sincos
from .types import T_COORD, T_COUNT, Floats, Ints, Laws, Loads, PlanarFlexTree


@inner
def flex_planar_load_power(
    tree: PlanarFlexTree, loads: Loads, laws: Laws, t: float, left: bool, q: Floats, v: Floats, work: Floats
) -> float:
    """Power of the external loads (W)."""
    place = loads.place
    wrench = loads.wrench
    if place.shape[0] == 0:
        return 0.0
    flex_planar_outward(tree, q, v, work)
    flex_planar_move(tree, v, work)
    most = tree.topology[0, T_COUNT]
    spare = tree.topology.shape[0]
    power = 0.0
    for j in range(place.shape[0]):
        i = place[j, 0]
        factor = 1.0
        if place[j, 2] >= 0:
            factor = law_value(laws, place[j, 2], t, left)[0]
        sin = work[i, SIN]
        cos = work[i, COS]
        w = work[i, W]
        vx = work[i, VX]
        vy = work[i, VY]
        if place[j, 3] >= 0:
            s, k = sincos(frame(tree, i, place[j, 3], q, v, work, spare))
            sin, cos = sin * k + cos * s, cos * k - sin * s
            vx -= w * work[spare, TY]
            vy += w * work[spare, TX]
            w = work[spare, TW]
            c = tree.topology[i, T_COORD]
            for m in range(tree.topology[i, T_COUNT]):
                vx += work[spare, HEAD + most + m] * v[c + m]
                vy += work[spare, HEAD + 2 * most + m] * v[c + m]
        rx = cos * wrench[j, 0] - sin * wrench[j, 1]
        ry = sin * wrench[j, 0] + cos * wrench[j, 1]
        fx = wrench[j, 3]
        fy = wrench[j, 4]
        if place[j, 1] == 1:
            fx, fy = cos * fx - sin * fy, sin * fx + cos * fy
        power += factor * (fx * (vx - w * ry) + fy * (vy + w * rx) + wrench[j, 8] * w)
    return power


@jit
def flex_planar_observe(
    tree: PlanarFlexTree,
    loads: Loads,
    laws: Laws,
    times: Floats,
    q: Floats,
    v: Floats,
    a: Floats,
    point_body: Ints,
    point_frame: Ints,
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
    """Fill the arrays of `observe` for a planar arm; point_place: (points, 3) offset and angle in the point's frame,
    which begins at point_frame on a flexible body (−1: the body's own).
    """
    g = tree.gravity
    most = tree.topology[0, T_COUNT]
    spare = tree.topology.shape[0]
    for k in range(times.shape[0]):
        if full:
            flex_planar_rnea(tree, loads, laws, times[k], times[k] > 0.0, q[k], v[k], a[k], force[k], work)
        # accelerations stay where they are while the energy fills velocities and positions
        energy[k, 0], energy[k, 1], energy[k, 2] = flex_planar_energy(tree, q[k], v[k], work)
        for j in range(point_body.shape[0]):
            i = point_body[j]
            sin = work[i, SIN]
            cos = work[i, COS]
            angle = work[i, ANGLE]
            w = work[i, W]
            al = work[i, AL]
            # the base accelerates with −g inside the recursion: take it out again
            ax = work[i, AX] + g[0]
            ay = work[i, AY] + g[1]
            vx = work[i, VX]
            vy = work[i, VY]
            x = work[i, OX]
            y = work[i, OY]
            if point_frame[j] >= 0:
                turn = frame(tree, i, point_frame[j], q[k], v[k], work, spare)
                s, co = sincos(turn)
                sin, cos = sin * co + cos * s, cos * co - sin * s
                angle += turn
                tx = work[spare, TX]
                ty = work[spare, TY]
                x += tx
                y += ty
                vx -= w * ty
                vy += w * tx
                ax += work[spare, TCX] - al * ty
                ay += work[spare, TCY] + al * tx
                w = work[spare, TW]
                c = tree.topology[i, T_COORD]
                for m in range(tree.topology[i, T_COUNT]):
                    al += work[spare, HEAD + m] * a[k, c + m]
                    vx += work[spare, HEAD + most + m] * v[k, c + m]
                    vy += work[spare, HEAD + 2 * most + m] * v[k, c + m]
                    ax += work[spare, HEAD + most + m] * a[k, c + m]
                    ay += work[spare, HEAD + 2 * most + m] * a[k, c + m]
            rx = cos * point_place[j, 0] - sin * point_place[j, 1]
            ry = sin * point_place[j, 0] + cos * point_place[j, 1]
            position[k, j, 0] = x + rx
            position[k, j, 1] = y + ry
            velocity[k, j, 0] = vx - w * ry
            velocity[k, j, 1] = vy + w * rx
            if full:
                acceleration[k, j, 0] = ax - al * ry - w * w * rx
                acceleration[k, j, 1] = ay + al * rx - w * w * ry
            turns = (angle + point_place[j, 2]) / (2.0 * math.pi)
            half = math.pi * (turns - math.floor(turns + 0.5))
            orientation[k, j, 3], orientation[k, j, 0] = sincos(half)
