"""Power of drives, loads and dampers, for the energy book."""

from __future__ import annotations

from ._jit import inner
from .columns import V0, V1, V2, W0, W1, W2
from .laws import law_value
from .loads import turn
from .outward import outward
from .planar_geometry import AX, AY, COS, SIN, planar_outward
from .planar_geometry import W as PW
from .planar_rnea import planar_move
from .rnea import move
from .types import S_D, S_DRIVEN, Floats, Laws, Loads, PlanarTree, SpatialTree, Tree


@inner
def spatial_load_power(
    tree: SpatialTree, loads: Loads, laws: Laws, t: float, left: bool, q: Floats, v: Floats, work: Floats
) -> float:
    """Power of the external loads (W)."""
    place = loads.place
    wrench = loads.wrench
    if place.shape[0] == 0:
        return 0.0
    outward(tree, q, v, work)
    move(tree, v, work)
    power = 0.0
    for j in range(place.shape[0]):
        i = place[j, 0]
        factor = 1.0
        if place[j, 2] >= 0:
            factor = law_value(laws, place[j, 2], t, left)[0]
        rx, ry, rz = turn(work, i, wrench[j, 0], wrench[j, 1], wrench[j, 2])
        fx = wrench[j, 3]
        fy = wrench[j, 4]
        fz = wrench[j, 5]
        nx = wrench[j, 6]
        ny = wrench[j, 7]
        nz = wrench[j, 8]
        if place[j, 1] == 1:
            fx, fy, fz = turn(work, i, fx, fy, fz)
            nx, ny, nz = turn(work, i, nx, ny, nz)
        w0 = work[i, W0]
        w1 = work[i, W1]
        w2 = work[i, W2]
        vx = work[i, V0] + w1 * rz - w2 * ry
        vy = work[i, V1] + w2 * rx - w0 * rz
        vz = work[i, V2] + w0 * ry - w1 * rx
        power += factor * (fx * vx + fy * vy + fz * vz + nx * w0 + ny * w1 + nz * w2)
    return power


@inner
def planar_load_power(
    tree: PlanarTree, loads: Loads, laws: Laws, t: float, left: bool, q: Floats, v: Floats, work: Floats
) -> float:
    """Power of the external loads (W)."""
    place = loads.place
    wrench = loads.wrench
    if place.shape[0] == 0:
        return 0.0
    planar_outward(tree, q, v, work)
    planar_move(tree, v, work)
    power = 0.0
    for j in range(place.shape[0]):
        i = place[j, 0]
        factor = 1.0
        if place[j, 2] >= 0:
            factor = law_value(laws, place[j, 2], t, left)[0]
        sin = work[SIN, i]
        cos = work[COS, i]
        w = work[PW, i]
        rx = cos * wrench[j, 0] - sin * wrench[j, 1]
        ry = sin * wrench[j, 0] + cos * wrench[j, 1]
        fx = wrench[j, 3]
        fy = wrench[j, 4]
        if place[j, 1] == 1:
            fx, fy = cos * fx - sin * fy, sin * fx + cos * fy
        power += factor * (fx * (work[AX, i] - w * ry) + fy * (work[AY, i] + w * rx) + wrench[j, 8] * w)
    return power


@inner
def drive_power(tree: Tree, v: Floats, tau: Floats, drive: Floats) -> tuple[float, float]:
    """Power put in by the drives and power lost in the dampers (W)."""
    spring = tree.spring
    given = 0.0
    lost = 0.0
    for c in range(spring.shape[0]):
        force = drive[c] if spring[c, S_DRIVEN] == 1.0 else tau[c]
        given += force * v[c]
        lost += spring[c, S_D] * v[c] * v[c]
    return given, lost
