"""Inverse dynamics, velocities, energy and mass matrix of planar trees with flexible bodies (NOTATION 37–39)."""

from __future__ import annotations

from ._jit import inner, jit
from .flex_planar_columns import (
    AL,
    AX,
    AY,
    CX,
    CY,
    DX,
    DY,
    HEAD,
    IHX,
    IHY,
    IJ,
    IMXX,
    OX,
    OY,
    PN,
    PX,
    PY,
    SX,
    SY,
    TCX,
    TCY,
    TX,
    TY,
    VX,
    VY,
    ZX,
    ZY,
    W,
)
from .flex_planar_outward import flex_planar_loads, flex_planar_outward
from .types import (
    P_MASS,
    PRISMATIC,
    REVOLUTE,
    S_D,
    S_GAIN,
    S_K,
    S_REST,
    S_ROTOR,
    T_COORD,
    T_COUNT,
    T_DATA,
    T_JOINT,
    T_PARENT,
    T_STANDS,
    Floats,
    Laws,
    Loads,
    PlanarFlexTree,
)


@inner
def _accelerate(tree: PlanarFlexTree, a: Floats, work: Floats) -> None:
    """Fill the accelerations of the origins for given accelerations of the coordinates."""
    topology = tree.topology
    most = topology[0, T_COUNT]
    work[0, AL] = 0.0
    work[0, AX] = -tree.gravity[0]
    work[0, AY] = -tree.gravity[1]
    for i in range(1, topology.shape[0]):
        row = work[i]
        up = topology[i, T_PARENT]
        c = topology[i, T_COORD]
        al = work[up, AL]
        ax = work[up, AX]
        ay = work[up, AY]
        if topology[i, T_STANDS] >= 0:
            b = topology[up, T_COORD]
            y = row[HEAD : HEAD + 3 * most]
            ax += row[TCX] - al * row[TY]
            ay += row[TCY] + al * row[TX]
            for k in range(topology[up, T_COUNT]):
                al += y[k] * a[b + k]
                ax += y[most + k] * a[b + k]
                ay += y[2 * most + k] * a[b + k]
        row[AX] = ax - al * row[DY] + row[CX]
        row[AY] = ay + al * row[DX] + row[CY]
        if topology[i, T_JOINT] == REVOLUTE:
            al += a[c]
        elif topology[i, T_JOINT] == PRISMATIC:
            row[AX] += row[ZX] * a[c]
            row[AY] += row[ZY] * a[c]
        row[AL] = al


@inner
def own_forces(tree: PlanarFlexTree, i: int, q: Floats, v: Floats, a: Floats, tau: Floats, work: Floats) -> None:
    """Fill the forces on the coordinates of the flexible body i alone, and add what they take of the frame."""
    most = tree.topology[0, T_COUNT]
    m = tree.topology[i, T_COUNT]
    c = tree.topology[i, T_COORD]
    begin = tree.topology[i, T_DATA] + 4 * m
    me = tree.elastic[begin : begin + m * m]
    k = tree.elastic[begin + m * m : begin + 2 * m * m]
    d = tree.elastic[begin + 2 * m * m : begin + 3 * m * m]
    row = work[i]
    coupling = row[HEAD + 3 * most : HEAD + 6 * most]
    force = row[HEAD + 9 * most : HEAD + 10 * most]
    for x in range(m):
        f = force[x] + coupling[x] * row[AL] + coupling[most + x] * row[AX] + coupling[2 * most + x] * row[AY]
        for y in range(m):
            f += me[x * m + y] * a[c + y] + k[x * m + y] * q[c + y] + d[x * m + y] * v[c + y]
        tau[c + x] = f
        row[PN] += coupling[x] * a[c + x]
        row[PX] += coupling[most + x] * a[c + x]
        row[PY] += coupling[2 * most + x] * a[c + x]


@jit
def flex_planar_rnea(
    tree: PlanarFlexTree,
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
    """Fill τ with the generalised forces that give the accelerations a (37)."""
    topology = tree.topology
    spring = tree.spring
    most = topology[0, T_COUNT]
    flex_planar_outward(tree, q, v, work)
    if loads.place.shape[0] > 0:
        flex_planar_loads(tree, loads, laws, t, left, q, v, work)
    _accelerate(tree, a, work)
    n = topology.shape[0]
    # each body alone: what its own motion takes
    for i in range(1, n):
        row = work[i]
        al = row[AL]
        ax = row[AX]
        ay = row[AY]
        row[PN] += row[IJ] * al + row[IHX] * ax + row[IHY] * ay
        row[PX] += row[IHX] * al + row[IMXX] * ax
        row[PY] += row[IHY] * al + row[IMXX] * ay
        if topology[i, T_COUNT] > 0:
            own_forces(tree, i, q, v, a, tau, work)
    for i in range(n - 1, 0, -1):
        row = work[i]
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        px = row[PX]
        py = row[PY]
        if kind != 0:
            f = row[PN] if kind == REVOLUTE else row[ZX] * px + row[ZY] * py
            held = spring[c, S_K] * (q[c] - spring[c, S_REST]) + spring[c, S_D] * v[c]
            tau[c] = f + spring[c, S_ROTOR] * a[c] + held
        up = topology[i, T_PARENT]
        pn = row[PN] + row[DX] * py - row[DY] * px
        if topology[i, T_STANDS] >= 0:
            b = topology[up, T_COORD]
            shape = row[HEAD : HEAD + 3 * most]
            for x in range(topology[up, T_COUNT]):
                tau[b + x] += shape[x] * pn + shape[most + x] * px + shape[2 * most + x] * py
            pn += row[TX] * py - row[TY] * px
        work[up, PN] += pn
        work[up, PX] += px
        work[up, PY] += py


@inner
def flex_planar_move(tree: PlanarFlexTree, v: Floats, work: Floats) -> None:
    """Fill positions and velocities of the origins; the outward sweep must have been done."""
    topology = tree.topology
    most = topology[0, T_COUNT]
    for k in range(VX, OY + 1):
        work[0, k] = 0.0
    for i in range(1, topology.shape[0]):
        row = work[i]
        up = topology[i, T_PARENT]
        c = topology[i, T_COORD]
        w = work[up, W]
        vx = work[up, VX]
        vy = work[up, VY]
        x = work[up, OX]
        y = work[up, OY]
        if topology[i, T_STANDS] >= 0:
            b = topology[up, T_COORD]
            shape = row[HEAD : HEAD + 3 * most]
            vx -= w * row[TY]
            vy += w * row[TX]
            x += row[TX]
            y += row[TY]
            for k in range(topology[up, T_COUNT]):
                w += shape[k] * v[b + k]
                vx += shape[most + k] * v[b + k]
                vy += shape[2 * most + k] * v[b + k]
        vx -= w * row[DY]
        vy += w * row[DX]
        if topology[i, T_JOINT] == PRISMATIC:
            vx += row[ZX] * v[c]
            vy += row[ZY] * v[c]
        row[VX] = vx
        row[VY] = vy
        row[OX] = x + row[DX]
        row[OY] = y + row[DY]


@inner
def own_energy(tree: PlanarFlexTree, i: int, q: Floats, v: Floats, work: Floats) -> tuple[float, float]:
    """Kinetic energy of the coordinates of the flexible body i, and its elastic energy (J)."""
    most = tree.topology[0, T_COUNT]
    n = tree.topology[i, T_COUNT]
    c = tree.topology[i, T_COORD]
    begin = tree.topology[i, T_DATA] + 4 * n
    me = tree.elastic[begin : begin + n * n]
    k = tree.elastic[begin + n * n : begin + 2 * n * n]
    row = work[i]
    coupling = row[HEAD + 3 * most : HEAD + 6 * most]
    kinetic = 0.0
    elastic = 0.0
    for x in range(n):
        f = coupling[x] * row[W] + coupling[most + x] * row[VX] + coupling[2 * most + x] * row[VY]
        g = 0.0
        for y in range(n):
            f += 0.5 * me[x * n + y] * v[c + y]
            g += k[x * n + y] * q[c + y]
        kinetic += f * v[c + x]
        elastic += 0.5 * g * q[c + x]
    return kinetic, elastic


@jit
def flex_planar_energy(tree: PlanarFlexTree, q: Floats, v: Floats, work: Floats) -> tuple[float, float, float]:
    """Kinetic, elastic and gravity energy (J) (39); leaves places and velocities of the origins behind."""
    topology = tree.topology
    spring = tree.spring
    flex_planar_outward(tree, q, v, work)
    flex_planar_move(tree, v, work)
    kinetic = 0.0
    elastic = 0.0
    gravity = 0.0
    for i in range(1, topology.shape[0]):
        row = work[i]
        m = tree.plane[i, P_MASS]
        w = row[W]
        vx = row[VX]
        vy = row[VY]
        kinetic += 0.5 * (m * (vx * vx + vy * vy) + row[IJ] * w * w) + w * (vy * row[SX] - vx * row[SY])
        gravity -= tree.gravity[0] * (m * row[OX] + row[SX]) + tree.gravity[1] * (m * row[OY] + row[SY])
        if topology[i, T_COUNT] > 0:
            moving, bent = own_energy(tree, i, q, v, work)
            kinetic += moving
            elastic += bent
    for c in range(spring.shape[0]):
        e = q[c] - spring[c, S_REST]
        elastic += 0.5 * (spring[c, S_K] - spring[c, S_GAIN]) * e * e
        kinetic += 0.5 * spring[c, S_ROTOR] * v[c] * v[c]
    return kinetic, elastic, gravity
