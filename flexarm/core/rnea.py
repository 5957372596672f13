"""Inverse dynamics in space (NOTATION 4, 8, 9) and the motion and energy of every body, O(n)."""

from __future__ import annotations

from ._jit import jit
from .aba import AF, AL, SPATIAL_WORK, apply_loads
from .outward import CA, CL, DX, DY, DZ, PF, PN, H, J, M, R, W, outward
from .types import (
    PRISMATIC,
    REVOLUTE,
    S_D,
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

# Columns of the work array beyond those of `aba`: position and velocity of the body's origin.
P, V = SPATIAL_WORK, SPATIAL_WORK + 3
RNEA_WORK = SPATIAL_WORK + 8


@jit
def accelerate(tree: SpatialTree, a: Floats, work: Floats) -> None:
    """Accelerations of every body after `outward`, gravity included as the acceleration of the base (NOTATION 4)."""
    topology = tree.topology
    for j in range(3):
        work[0, AL + j] = 0.0
        work[0, AF + j] = -tree.gravity[j]
    for i in range(1, topology.shape[0]):
        up = topology[i, T_PARENT]
        kind = topology[i, T_JOINT]
        dx, dy, dz = work[i, DX], work[i, DY], work[i, DZ]
        al0, al1, al2 = work[up, AL], work[up, AL + 1], work[up, AL + 2]
        work[i, AL] = al0 + work[i, CA]
        work[i, AL + 1] = al1 + work[i, CA + 1]
        work[i, AL + 2] = al2 + work[i, CA + 2]
        work[i, AF] = work[up, AF] + al1 * dz - al2 * dy + work[i, CL]
        work[i, AF + 1] = work[up, AF + 1] + al2 * dx - al0 * dz + work[i, CL + 1]
        work[i, AF + 2] = work[up, AF + 2] + al0 * dy - al1 * dx + work[i, CL + 2]
        if kind == REVOLUTE:
            acc = a[topology[i, T_COORD]]
            for j in range(3):
                work[i, AL + j] += work[i, R + 2 + 3 * j] * acc
        elif kind == PRISMATIC:
            acc = a[topology[i, T_COORD]]
            for j in range(3):
                work[i, AF + j] += work[i, R + 2 + 3 * j] * acc


@jit
def move(tree: SpatialTree, v: Floats, work: Floats) -> None:
    """Positions and velocities of every body's origin after `outward` (NOTATION 2, 3)."""
    topology = tree.topology
    for j in range(3):
        work[0, P + j] = 0.0
        work[0, V + j] = 0.0
    for i in range(1, topology.shape[0]):
        up = topology[i, T_PARENT]
        dx, dy, dz = work[i, DX], work[i, DY], work[i, DZ]
        w0, w1, w2 = work[up, W], work[up, W + 1], work[up, W + 2]
        work[i, P] = work[up, P] + dx
        work[i, P + 1] = work[up, P + 1] + dy
        work[i, P + 2] = work[up, P + 2] + dz
        work[i, V] = work[up, V] + w1 * dz - w2 * dy
        work[i, V + 1] = work[up, V + 1] + w2 * dx - w0 * dz
        work[i, V + 2] = work[up, V + 2] + w0 * dy - w1 * dx
        if topology[i, T_JOINT] == PRISMATIC:
            rate = v[topology[i, T_COORD]]
            for j in range(3):
                work[i, V + j] += work[i, R + 2 + 3 * j] * rate


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
    """Fill τ with the generalised forces that give the accelerations a; the joint wrenches are left in the columns PN, PF."""
    topology, spring = tree.topology, tree.spring
    outward(tree, q, v, work)
    if loads.place.shape[0] > 0:
        apply_loads(loads, laws, t, left, work)
    accelerate(tree, a, work)
    for i in range(topology.shape[0] - 1, 0, -1):
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        up = topology[i, T_PARENT]
        x0, x1, x2 = work[i, AL], work[i, AL + 1], work[i, AL + 2]
        y0, y1, y2 = work[i, AF], work[i, AF + 1], work[i, AF + 2]
        m = work[i, M]
        mx, my, mz = work[i, H + 7], work[i, H + 2], work[i, H + 3]
        # (6)
        n0 = work[i, PN] + work[i, J] * x0 + work[i, J + 1] * x1 + work[i, J + 2] * x2 + my * y2 - mz * y1
        n1 = work[i, PN + 1] + work[i, J + 1] * x0 + work[i, J + 3] * x1 + work[i, J + 4] * x2 + mz * y0 - mx * y2
        n2 = work[i, PN + 2] + work[i, J + 2] * x0 + work[i, J + 4] * x1 + work[i, J + 5] * x2 + mx * y1 - my * y0
        f0 = work[i, PF] + m * y0 + x1 * mz - x2 * my
        f1 = work[i, PF + 1] + m * y1 + x2 * mx - x0 * mz
        f2 = work[i, PF + 2] + m * y2 + x0 * my - x1 * mx
        work[i, PN] = n0
        work[i, PN + 1] = n1
        work[i, PN + 2] = n2
        work[i, PF] = f0
        work[i, PF + 1] = f1
        work[i, PF + 2] = f2
        # (9)
        if kind != 0:
            zx, zy, zz = work[i, R + 2], work[i, R + 5], work[i, R + 8]
            force = zx * n0 + zy * n1 + zz * n2 if kind == REVOLUTE else zx * f0 + zy * f1 + zz * f2
            tau[c] = (
                force + spring[c, S_ROTOR] * a[c] + spring[c, S_K] * (q[c] - spring[c, S_REST]) + spring[c, S_D] * v[c]
            )
        # (8)
        dx, dy, dz = work[i, DX], work[i, DY], work[i, DZ]
        work[up, PN] += n0 + dy * f2 - dz * f1
        work[up, PN + 1] += n1 + dz * f0 - dx * f2
        work[up, PN + 2] += n2 + dx * f1 - dy * f0
        work[up, PF] += f0
        work[up, PF + 1] += f1
        work[up, PF + 2] += f2


@jit
def spatial_energy(tree: SpatialTree, q: Floats, v: Floats, work: Floats) -> tuple[float, float, float]:
    """Kinetic, elastic and gravity energy (J) (NOTATION 18)."""
    outward(tree, q, v, work)
    move(tree, v, work)
    return body_energy(tree, q, v, work)


@jit
def body_energy(tree: SpatialTree, q: Floats, v: Floats, work: Floats) -> tuple[float, float, float]:
    """Kinetic, elastic and gravity energy (J) after `outward` and `move`."""
    topology, spring, g = tree.topology, tree.spring, tree.gravity
    kinetic = 0.0
    gravity = 0.0
    for i in range(1, topology.shape[0]):
        m = tree.body[i, 12]
        w0, w1, w2 = work[i, W], work[i, W + 1], work[i, W + 2]
        v0, v1, v2 = work[i, V], work[i, V + 1], work[i, V + 2]
        mx, my, mz = work[i, H + 7], work[i, H + 2], work[i, H + 3]
        l0 = work[i, J] * w0 + work[i, J + 1] * w1 + work[i, J + 2] * w2
        l1 = work[i, J + 1] * w0 + work[i, J + 3] * w1 + work[i, J + 4] * w2
        l2 = work[i, J + 2] * w0 + work[i, J + 4] * w1 + work[i, J + 5] * w2
        kinetic += 0.5 * (m * (v0 * v0 + v1 * v1 + v2 * v2) + w0 * l0 + w1 * l1 + w2 * l2)
        kinetic += v0 * (w1 * mz - w2 * my) + v1 * (w2 * mx - w0 * mz) + v2 * (w0 * my - w1 * mx)
        for j in range(3):
            gravity -= g[j] * m * work[i, P + j]
        gravity -= g[0] * mx + g[1] * my + g[2] * mz
    elastic = 0.0
    for c in range(spring.shape[0]):
        x = q[c] - spring[c, S_REST]
        elastic += 0.5 * spring[c, S_K] * x * x
        kinetic += 0.5 * spring[c, S_ROTOR] * v[c] * v[c]
    return kinetic, elastic, gravity
