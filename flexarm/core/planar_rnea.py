"""Inverse dynamics and energy in the plane (NOTATION 4, 8, 9, 18), O(n)."""

from __future__ import annotations

from ._jit import inner, jit
from .planar_aba import AL, AX, AY, CX, CY, DX, DY, HX, HY, MXX, PN, PX, PY, ZX, ZY, J, W, planar_loads, planar_outward
from .types import (
    P_J,
    P_MASS,
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
    PlanarTree,
)


@jit
def planar_rnea(
    tree: PlanarTree,
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
    PX, PY.
    """
    topology = tree.topology
    spring = tree.spring
    planar_outward(tree, q, v, work)
    if loads.place.shape[0] > 0:
        planar_loads(loads, laws, t, left, work)
    work[0, AL] = 0.0
    work[0, AX] = -tree.gravity[0]
    work[0, AY] = -tree.gravity[1]
    work[0, PN] = 0.0
    work[0, PX] = 0.0
    work[0, PY] = 0.0
    for i in range(1, topology.shape[0]):
        up = topology[i, T_PARENT]
        al = work[up, AL]
        work[i, AL] = al
        work[i, AX] = work[up, AX] - al * work[i, DY] + work[i, CX]
        work[i, AY] = work[up, AY] + al * work[i, DX] + work[i, CY]
        if topology[i, T_JOINT] == REVOLUTE:
            work[i, AL] += a[topology[i, T_COORD]]
        elif topology[i, T_JOINT] == PRISMATIC:
            work[i, AX] += work[i, ZX] * a[topology[i, T_COORD]]
            work[i, AY] += work[i, ZY] * a[topology[i, T_COORD]]
    for i in range(topology.shape[0] - 1, 0, -1):
        c = topology[i, T_COORD]
        up = topology[i, T_PARENT]
        al = work[i, AL]
        ax = work[i, AX]
        ay = work[i, AY]
        hx = work[i, HX]
        hy = work[i, HY]
        m = work[i, MXX]
        n = work[i, PN] + work[i, J] * al + hx * ax + hy * ay
        fx = work[i, PX] + hx * al + m * ax
        fy = work[i, PY] + hy * al + m * ay
        work[i, PN] = n
        work[i, PX] = fx
        work[i, PY] = fy
        if c >= 0:
            force = n if topology[i, T_JOINT] == REVOLUTE else work[i, ZX] * fx + work[i, ZY] * fy
            tau[c] = (
                force + spring[c, S_ROTOR] * a[c] + spring[c, S_K] * (q[c] - spring[c, S_REST]) + spring[c, S_D] * v[c]
            )
        work[up, PN] += n + work[i, DX] * fy - work[i, DY] * fx
        work[up, PX] += fx
        work[up, PY] += fy


@inner
def planar_move(tree: PlanarTree, v: Floats, work: Floats) -> None:
    """Positions and velocities of every body's origin after `planar_outward`, into PX, PY and AX, AY."""
    topology = tree.topology
    work[0, AX] = 0.0
    work[0, AY] = 0.0
    work[0, PX] = 0.0
    work[0, PY] = 0.0
    for i in range(1, topology.shape[0]):
        up = topology[i, T_PARENT]
        dx = work[i, DX]
        dy = work[i, DY]
        w_up = work[up, W]
        x = work[up, PX] + dx
        y = work[up, PY] + dy
        vx = work[up, AX] - w_up * dy
        vy = work[up, AY] + w_up * dx
        if topology[i, T_JOINT] == PRISMATIC:
            vx += work[i, ZX] * v[topology[i, T_COORD]]
            vy += work[i, ZY] * v[topology[i, T_COORD]]
        work[i, PX] = x
        work[i, PY] = y
        work[i, AX] = vx
        work[i, AY] = vy


@jit
def planar_energy(tree: PlanarTree, q: Floats, v: Floats, work: Floats) -> tuple[float, float, float]:
    """Kinetic, elastic and gravity energy (J) (NOTATION 18)."""
    planar_outward(tree, q, v, work)
    planar_move(tree, v, work)
    topology = tree.topology
    spring = tree.spring
    plane = tree.plane
    kinetic = 0.0
    gravity = 0.0
    for i in range(1, topology.shape[0]):
        x = work[i, PX]
        y = work[i, PY]
        vx = work[i, AX]
        vy = work[i, AY]
        m = plane[i, P_MASS]
        w = work[i, W]
        mcx = work[i, HY]
        mcy = -work[i, HX]
        kinetic += 0.5 * (m * (vx * vx + vy * vy) + plane[i, P_J] * w * w) + w * (vy * mcx - vx * mcy)
        gravity -= tree.gravity[0] * (m * x + mcx) + tree.gravity[1] * (m * y + mcy)
    elastic = 0.0
    for c in range(spring.shape[0]):
        e = q[c] - spring[c, S_REST]
        elastic += 0.5 * spring[c, S_K] * e * e
        kinetic += 0.5 * spring[c, S_ROTOR] * v[c] * v[c]
    return kinetic, elastic, gravity
