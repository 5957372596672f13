"""Inverse dynamics and energy in the plane (NOTATION 4, 8, 9, 18), O(n)."""

from __future__ import annotations

from ._jit import inner, jit
from .planar_geometry import AL, AX, AY, CX, CY, DX, DY, MCX, MCY, PN, PX, PY, ZX, ZY, W, planar_loads, planar_outward
from .types import (
    P_J,
    P_MASS,
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
    plane = tree.plane
    planar_outward(tree, q, v, work)
    if loads.place.shape[0] > 0:
        planar_loads(loads, laws, t, left, work)
    work[AL, 0] = 0.0
    work[AX, 0] = -tree.gravity[0]
    work[AY, 0] = -tree.gravity[1]
    work[PN, 0] = 0.0
    work[PX, 0] = 0.0
    work[PY, 0] = 0.0
    for i in range(1, topology.shape[0]):
        up = topology[i, T_PARENT]
        al = work[AL, up]
        work[AL, i] = al
        work[AX, i] = work[AX, up] - al * work[DY, i] + work[CX, i]
        work[AY, i] = work[AY, up] + al * work[DX, i] + work[CY, i]
        if topology[i, T_JOINT] == REVOLUTE:
            work[AL, i] += a[topology[i, T_COORD]]
        elif topology[i, T_JOINT] == PRISMATIC:
            work[AX, i] += work[ZX, i] * a[topology[i, T_COORD]]
            work[AY, i] += work[ZY, i] * a[topology[i, T_COORD]]
    for i in range(topology.shape[0] - 1, 0, -1):
        c = topology[i, T_COORD]
        up = topology[i, T_PARENT]
        al = work[AL, i]
        ax = work[AX, i]
        ay = work[AY, i]
        hx = -work[MCY, i]
        hy = work[MCX, i]
        m = plane[P_MASS, i]
        n = work[PN, i] + plane[P_J, i] * al + hx * ax + hy * ay
        fx = work[PX, i] + hx * al + m * ax
        fy = work[PY, i] + hy * al + m * ay
        work[PN, i] = n
        work[PX, i] = fx
        work[PY, i] = fy
        if c >= 0:
            force = n if topology[i, T_JOINT] == REVOLUTE else work[ZX, i] * fx + work[ZY, i] * fy
            tau[c] = (
                force + spring[c, S_ROTOR] * a[c] + spring[c, S_K] * (q[c] - spring[c, S_REST]) + spring[c, S_D] * v[c]
            )
        work[PN, up] += n + work[DX, i] * fy - work[DY, i] * fx
        work[PX, up] += fx
        work[PY, up] += fy


@inner
def planar_move(tree: PlanarTree, v: Floats, work: Floats) -> None:
    """Positions and velocities of every body's origin after `planar_outward`, into PX, PY and AX, AY."""
    topology = tree.topology
    work[AX, 0] = 0.0
    work[AY, 0] = 0.0
    work[PX, 0] = 0.0
    work[PY, 0] = 0.0
    for i in range(1, topology.shape[0]):
        up = topology[i, T_PARENT]
        dx = work[DX, i]
        dy = work[DY, i]
        w_up = work[W, up]
        x = work[PX, up] + dx
        y = work[PY, up] + dy
        vx = work[AX, up] - w_up * dy
        vy = work[AY, up] + w_up * dx
        if topology[i, T_JOINT] == PRISMATIC:
            vx += work[ZX, i] * v[topology[i, T_COORD]]
            vy += work[ZY, i] * v[topology[i, T_COORD]]
        work[PX, i] = x
        work[PY, i] = y
        work[AX, i] = vx
        work[AY, i] = vy


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
        x = work[PX, i]
        y = work[PY, i]
        vx = work[AX, i]
        vy = work[AY, i]
        m = plane[P_MASS, i]
        w = work[W, i]
        mcx = work[MCX, i]
        mcy = work[MCY, i]
        kinetic += 0.5 * (m * (vx * vx + vy * vy) + plane[P_J, i] * w * w) + w * (vy * mcx - vx * mcy)
        gravity -= tree.gravity[0] * (m * x + mcx) + tree.gravity[1] * (m * y + mcy)
    elastic = 0.0
    for c in range(spring.shape[0]):
        e = q[c] - spring[c, S_REST]
        elastic += 0.5 * (spring[c, S_K] - spring[c, S_GAIN]) * e * e
        kinetic += 0.5 * spring[c, S_ROTOR] * v[c] * v[c]
    return kinetic, elastic, gravity
