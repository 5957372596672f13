"""Power of drives, loads and dampers, for the energy book."""

from __future__ import annotations

from ._jit import inner
from .columns import V0, V1, V2, W0, W1, W2
from .drive import applied
from .laws import law_value
from .loads import turn
from .outward import outward
from .planar_geometry import AX, AY, COS, SIN, planar_outward
from .planar_geometry import W as PW
from .planar_rnea import planar_move
from .rnea import move
from .types import Commands, Floats, Laws, Loads, PlanarTree, SpatialTree


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
def drive_power(
    laws: Laws,
    commands: Commands,
    t: float,
    left: bool,
    d: Floats,
    q: Floats,
    v: Floats,
    x: Floats,
    mode: Floats,
    tau: Floats,
    drive: Floats,
) -> tuple[float, float]:
    """Power put in by the drives and power lost in the joints' dampers d (W); x, mode: integrators and limits."""
    given = 0.0
    for j in range(commands.motion_coordinate.shape[0]):
        c = commands.motion_coordinate[j]
        given += drive[c] * v[c]
    for j in range(commands.torque_coordinate.shape[0]):
        c = commands.torque_coordinate[j]
        given += tau[c] * v[c]
    for j in range(commands.servo_coordinate.shape[0]):
        c = commands.servo_coordinate[j]
        given += applied(laws, commands, j, t, left, q, v, x[c], mode[c]) * v[c]
    # four sums side by side: a single one would wait for itself
    n = v.shape[0]
    s0 = s1 = s2 = s3 = 0.0
    for c in range(0, n - 3, 4):
        s0 += d[c] * v[c] * v[c]
        s1 += d[c + 1] * v[c + 1] * v[c + 1]
        s2 += d[c + 2] * v[c + 2] * v[c + 2]
        s3 += d[c + 3] * v[c + 3] * v[c + 3]
    for c in range(n - n % 4, n):
        s0 += d[c] * v[c] * v[c]
    return given, (s0 + s1) + (s2 + s3)


@inner
def distance(weight: Floats, x: Floats, y: Floats) -> float:
    """Σ weight·|x − y|, in four sums side by side."""
    n = x.shape[0]
    s0 = s1 = s2 = s3 = 0.0
    for c in range(0, n - 3, 4):
        s0 += weight[c] * abs(x[c] - y[c])
        s1 += weight[c + 1] * abs(x[c + 1] - y[c + 1])
        s2 += weight[c + 2] * abs(x[c + 2] - y[c + 2])
        s3 += weight[c + 3] * abs(x[c + 3] - y[c + 3])
    for c in range(n - n % 4, n):
        s0 += weight[c] * abs(x[c] - y[c])
    return (s0 + s1) + (s2 + s3)
