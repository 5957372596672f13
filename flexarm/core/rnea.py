"""Inverse dynamics in space (NOTATION 4, 8, 9) and the motion and energy of every body, O(n)."""

from __future__ import annotations

from ._jit import inner, jit
from .columns import (
    AF0,
    AF1,
    AF2,
    AL0,
    AL1,
    AL2,
    B_MASS,
    CA0,
    CA1,
    CA2,
    CL0,
    CL1,
    CL2,
    DX,
    DY,
    DZ,
    H02,
    H10,
    H21,
    JXX,
    JXY,
    JXZ,
    JYY,
    JYZ,
    JZZ,
    MXX,
    P0,
    P1,
    P2,
    PF0,
    PF1,
    PF2,
    PN0,
    PN1,
    PN2,
    R02,
    R12,
    R22,
    V0,
    V1,
    V2,
    W0,
    W1,
    W2,
)
from .loads import apply_loads
from .outward import outward
from .types import (
    PRISMATIC,
    REVOLUTE,
    S_D,
    S_GAIN,
    S_K,
    S_REST,
    S_ROTOR,
    T_COORD,
    T_JOINT,
    T_PARENT,
    Floats,
    Laws,
    Loads,
    SpatialTree,
)


@inner
def accelerate(tree: SpatialTree, a: Floats, work: Floats) -> None:
    """Accelerations of every body after `outward`, gravity included as the acceleration of the base (NOTATION 4)."""
    topology = tree.topology
    for j in range(3):
        work[0, AL0 + j] = 0.0
        work[0, AF0 + j] = -tree.gravity[j]
    for i in range(1, topology.shape[0]):
        up = topology[i, T_PARENT]
        kind = topology[i, T_JOINT]
        dx = work[i, DX]
        dy = work[i, DY]
        dz = work[i, DZ]
        al0 = work[up, AL0]
        al1 = work[up, AL1]
        al2 = work[up, AL2]
        work[i, AL0] = al0 + work[i, CA0]
        work[i, AL1] = al1 + work[i, CA1]
        work[i, AL2] = al2 + work[i, CA2]
        work[i, AF0] = work[up, AF0] + al1 * dz - al2 * dy + work[i, CL0]
        work[i, AF1] = work[up, AF1] + al2 * dx - al0 * dz + work[i, CL1]
        work[i, AF2] = work[up, AF2] + al0 * dy - al1 * dx + work[i, CL2]
        if kind == REVOLUTE:
            acc = a[topology[i, T_COORD]]
            for j in range(3):
                work[i, AL0 + j] += work[i, R02 + 3 * j] * acc
        elif kind == PRISMATIC:
            acc = a[topology[i, T_COORD]]
            for j in range(3):
                work[i, AF0 + j] += work[i, R02 + 3 * j] * acc


@inner
def move(tree: SpatialTree, v: Floats, work: Floats) -> None:
    """Positions and velocities of every body's origin after `outward` (NOTATION 2, 3)."""
    topology = tree.topology
    for j in range(3):
        work[0, P0 + j] = 0.0
        work[0, V0 + j] = 0.0
    for i in range(1, topology.shape[0]):
        up = topology[i, T_PARENT]
        dx = work[i, DX]
        dy = work[i, DY]
        dz = work[i, DZ]
        w0 = work[up, W0]
        w1 = work[up, W1]
        w2 = work[up, W2]
        work[i, P0] = work[up, P0] + dx
        work[i, P1] = work[up, P1] + dy
        work[i, P2] = work[up, P2] + dz
        work[i, V0] = work[up, V0] + w1 * dz - w2 * dy
        work[i, V1] = work[up, V1] + w2 * dx - w0 * dz
        work[i, V2] = work[up, V2] + w0 * dy - w1 * dx
        if topology[i, T_JOINT] == PRISMATIC:
            rate = v[topology[i, T_COORD]]
            for j in range(3):
                work[i, V0 + j] += work[i, R02 + 3 * j] * rate


@jit
def spatial_rnea(
    tree: SpatialTree,
    loads: Loads,
    laws: Laws,
    t: float,
    left: bool,
    q: Floats,
    v: Floats,
    a: Floats,
    tau: Floats,
    work: Floats,
) -> None:
    """Fill τ with the generalised forces that give the accelerations a; the joint wrenches are left in the columns PN,
    PF.
    """
    topology = tree.topology
    spring = tree.spring
    outward(tree, q, v, work)
    if loads.place.shape[0] > 0:
        apply_loads(loads, laws, t, left, work)
    accelerate(tree, a, work)
    for i in range(topology.shape[0] - 1, 0, -1):
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        up = topology[i, T_PARENT]
        x0 = work[i, AL0]
        x1 = work[i, AL1]
        x2 = work[i, AL2]
        y0 = work[i, AF0]
        y1 = work[i, AF1]
        y2 = work[i, AF2]
        m = work[i, MXX]
        mx = work[i, H21]
        my = work[i, H02]
        mz = work[i, H10]
        # (6)
        n0 = work[i, PN0] + work[i, JXX] * x0 + work[i, JXY] * x1 + work[i, JXZ] * x2 + my * y2 - mz * y1
        n1 = work[i, PN1] + work[i, JXY] * x0 + work[i, JYY] * x1 + work[i, JYZ] * x2 + mz * y0 - mx * y2
        n2 = work[i, PN2] + work[i, JXZ] * x0 + work[i, JYZ] * x1 + work[i, JZZ] * x2 + mx * y1 - my * y0
        f0 = work[i, PF0] + m * y0 + x1 * mz - x2 * my
        f1 = work[i, PF1] + m * y1 + x2 * mx - x0 * mz
        f2 = work[i, PF2] + m * y2 + x0 * my - x1 * mx
        work[i, PN0] = n0
        work[i, PN1] = n1
        work[i, PN2] = n2
        work[i, PF0] = f0
        work[i, PF1] = f1
        work[i, PF2] = f2
        # (9)
        if kind != 0:
            zx = work[i, R02]
            zy = work[i, R12]
            zz = work[i, R22]
            force = zx * n0 + zy * n1 + zz * n2 if kind == REVOLUTE else zx * f0 + zy * f1 + zz * f2
            tau[c] = (
                force + spring[c, S_ROTOR] * a[c] + spring[c, S_K] * (q[c] - spring[c, S_REST]) + spring[c, S_D] * v[c]
            )
        # (8)
        dx = work[i, DX]
        dy = work[i, DY]
        dz = work[i, DZ]
        work[up, PN0] += n0 + dy * f2 - dz * f1
        work[up, PN1] += n1 + dz * f0 - dx * f2
        work[up, PN2] += n2 + dx * f1 - dy * f0
        work[up, PF0] += f0
        work[up, PF1] += f1
        work[up, PF2] += f2


@jit
def spatial_energy(tree: SpatialTree, q: Floats, v: Floats, work: Floats) -> tuple[float, float, float]:
    """Kinetic, elastic and gravity energy (J) (NOTATION 18)."""
    outward(tree, q, v, work)
    move(tree, v, work)
    return body_energy(tree, q, v, work)


@inner
def body_energy(tree: SpatialTree, q: Floats, v: Floats, work: Floats) -> tuple[float, float, float]:
    """Kinetic, elastic and gravity energy (J) after `outward` and `move`."""
    topology = tree.topology
    spring = tree.spring
    g = tree.gravity
    kinetic = 0.0
    gravity = 0.0
    for i in range(1, topology.shape[0]):
        m = tree.body[i, B_MASS]
        w0 = work[i, W0]
        w1 = work[i, W1]
        w2 = work[i, W2]
        v0 = work[i, V0]
        v1 = work[i, V1]
        v2 = work[i, V2]
        mx = work[i, H21]
        my = work[i, H02]
        mz = work[i, H10]
        l0 = work[i, JXX] * w0 + work[i, JXY] * w1 + work[i, JXZ] * w2
        l1 = work[i, JXY] * w0 + work[i, JYY] * w1 + work[i, JYZ] * w2
        l2 = work[i, JXZ] * w0 + work[i, JYZ] * w1 + work[i, JZZ] * w2
        kinetic += 0.5 * (m * (v0 * v0 + v1 * v1 + v2 * v2) + w0 * l0 + w1 * l1 + w2 * l2)
        kinetic += v0 * (w1 * mz - w2 * my) + v1 * (w2 * mx - w0 * mz) + v2 * (w0 * my - w1 * mx)
        for j in range(3):
            gravity -= g[j] * m * work[i, P0 + j]
        gravity -= g[0] * mx + g[1] * my + g[2] * mz
    elastic = 0.0
    for c in range(spring.shape[0]):
        x = q[c] - spring[c, S_REST]
        elastic += 0.5 * (spring[c, S_K] - spring[c, S_GAIN]) * x * x
        kinetic += 0.5 * spring[c, S_ROTOR] * v[c] * v[c]
    return kinetic, elastic, gravity
