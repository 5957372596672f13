"""Forward and hybrid dynamics of planar trees with flexible bodies (NOTATION 34–36), O(n)."""

from __future__ import annotations

from ._jit import inner, jit
from .flex_planar_columns import (
    AL,
    AX,
    AY,
    CX,
    CY,
    DINV,
    DX,
    DY,
    HEAD,
    IHX,
    IHY,
    IJ,
    IMXX,
    IMXY,
    IMYY,
    PN,
    PX,
    PY,
    TCX,
    TCY,
    TX,
    TY,
    UN,
    UX,
    UY,
    ZP,
    ZX,
    ZY,
    U,
)
from .flex_planar_outward import flex_planar_loads, flex_planar_outward
from .questions import positive
from .types import (
    OK,
    PRISMATIC,
    REVOLUTE,
    S_D,
    S_K,
    S_REST,
    S_ROTOR,
    T_COORD,
    T_COUNT,
    T_DATA,
    T_DRIVEN,
    T_JOINT,
    T_PARENT,
    T_STANDS,
    Floats,
    Laws,
    Loads,
    PlanarFlexTree,
)


@inner
def eliminate(
    tree: PlanarFlexTree,
    i: int,
    tau: Floats,
    q_spring: Floats,
    v_damper: Floats,
    gh: float,
    bh2: float,
    work: Floats,
) -> int:
    """Status; takes the elastic coordinates of body i out of its inertia and bias (34)."""
    most = tree.topology[0, T_COUNT]
    n = tree.topology[i, T_COUNT]
    c = tree.topology[i, T_COORD]
    begin = tree.topology[i, T_DATA] + 4 * n
    k = tree.elastic[begin + n * n : begin + 2 * n * n]
    d = tree.elastic[begin + 2 * n * n : begin + 3 * n * n]
    row = work[i]
    v = row[HEAD + 3 * most : HEAD + 6 * most]
    x = row[HEAD + 6 * most : HEAD + 9 * most]
    force = row[HEAD + 9 * most : HEAD + 10 * most]
    e = row[HEAD + 10 * most : HEAD + 11 * most]
    m = row[HEAD + 11 * most : HEAD + 11 * most + n * n]
    status = OK
    for a in range(n):
        u = tau[c + a] - force[a]
        for b in range(n):
            u -= k[a * n + b] * q_spring[c + b] + d[a * n + b] * v_damper[c + b]
            m[a * n + b] += gh * d[a * n + b] + bh2 * k[a * n + b]
        e[a] = u
        x[a] = v[a]
        x[most + a] = v[most + a]
        x[2 * most + a] = v[2 * most + a]
    # L D Lᵀ in place, the right-hand sides carried along
    for a in range(n):
        pivot = m[a * n + a]
        pivot, status = positive(pivot, status)
        inv = 1.0 / pivot
        m[a * n + a] = inv
        for b in range(a + 1, n):
            f = m[a * n + b] * inv
            for r in range(b, n):
                m[b * n + r] -= f * m[a * n + r]
            e[b] -= f * e[a]
            x[b] -= f * x[a]
            x[most + b] -= f * x[most + a]
            x[2 * most + b] -= f * x[2 * most + a]
    for a in range(n - 1, -1, -1):
        e0 = e[a]
        x0 = x[a]
        x1 = x[most + a]
        x2 = x[2 * most + a]
        for b in range(a + 1, n):
            f = m[a * n + b]
            e0 -= f * e[b]
            x0 -= f * x[b]
            x1 -= f * x[most + b]
            x2 -= f * x[2 * most + b]
        inv = m[a * n + a]
        e[a] = e0 * inv
        x[a] = x0 * inv
        x[most + a] = x1 * inv
        x[2 * most + a] = x2 * inv
    # I −= V Δ⁻¹ Vᵀ,  p += V Δ⁻¹ u
    for a in range(n):
        v0 = v[a]
        v1 = v[most + a]
        v2 = v[2 * most + a]
        row[IJ] -= v0 * x[a]
        row[IHX] -= v0 * x[most + a]
        row[IHY] -= v0 * x[2 * most + a]
        row[IMXX] -= v1 * x[most + a]
        row[IMXY] -= v1 * x[2 * most + a]
        row[IMYY] -= v2 * x[2 * most + a]
        row[PN] += v0 * e[a]
        row[PX] += v1 * e[a]
        row[PY] += v2 * e[a]
    return status


@jit
def flex_planar_solve(
    tree: PlanarFlexTree,
    loads: Loads,
    laws: Laws,
    t: float,
    left: bool,
    q: Floats,
    v: Floats,
    a: Floats,
    tau: Floats,
    q_spring: Floats,
    v_damper: Floats,
    gh: float,
    bh2: float,
    drive: Floats,
    work: Floats,
) -> int:
    """Accelerations of the free coordinates into `a`, forces of the driven ones into `drive`; see `planar_solve`."""
    topology = tree.topology
    spring = tree.spring
    most = topology[0, T_COUNT]
    n = topology.shape[0]
    flex_planar_outward(tree, q, v, work)
    if loads.place.shape[0] > 0:
        flex_planar_loads(tree, loads, laws, t, left, q, v, work)
    status = OK
    for i in range(n - 1, 0, -1):
        row = work[i]
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        if topology[i, T_COUNT] > 0:
            found = eliminate(tree, i, tau, q_spring, v_damper, gh, bh2, work)
            if status == OK:
                status = found
        jj = row[IJ]
        hx = row[IHX]
        hy = row[IHY]
        mxx = row[IMXX]
        mxy = row[IMXY]
        myy = row[IMYY]
        cx = row[CX]
        cy = row[CY]
        # (10)
        pn = row[PN] + hx * cx + hy * cy
        px = row[PX] + mxx * cx + mxy * cy
        py = row[PY] + mxy * cx + myy * cy
        if kind != 0:
            if kind == REVOLUTE:
                un = jj
                ux = hx
                uy = hy
                pz = pn
                own = jj
            else:
                zx = row[ZX]
                zy = row[ZY]
                un = hx * zx + hy * zy
                ux = mxx * zx + mxy * zy
                uy = mxy * zx + myy * zy
                pz = zx * px + zy * py
                own = zx * ux + zy * uy
            row[UN] = un
            row[UX] = ux
            row[UY] = uy
            if topology[i, T_DRIVEN] == 1:
                row[ZP] = pz
                row[DINV] = own
                ud = a[c]
            else:
                # (11), (12)
                pivot = own + spring[c, S_ROTOR] + gh * spring[c, S_D] + bh2 * spring[c, S_K]
                pivot, status = positive(pivot, status)
                inv = 1.0 / pivot
                u = tau[c] - spring[c, S_K] * (q_spring[c] - spring[c, S_REST]) - spring[c, S_D] * v_damper[c] - pz
                row[DINV] = inv
                row[U] = u
                ud = u * inv
                jj -= un * un * inv
                hx -= un * ux * inv
                hy -= un * uy * inv
                mxx -= ux * ux * inv
                mxy -= ux * uy * inv
                myy -= uy * uy * inv
            pn += un * ud
            px += ux * ud
            py += uy * ud
        # (13)
        dx = row[DX]
        dy = row[DY]
        gx = hx + dx * mxy - dy * mxx
        gy = hy + dx * myy - dy * mxy
        jj += dx * (hy + gy) - dy * (hx + gx)
        hx = gx
        hy = gy
        pn += dx * py - dy * px
        up = topology[i, T_PARENT]
        if up == 0:
            continue
        above = work[up]
        if topology[i, T_STANDS] >= 0:
            # (35): the frame on the parent moves with its coordinates too
            m = topology[up, T_COUNT]
            y = row[HEAD : HEAD + 3 * most]
            coupling = above[HEAD + 3 * most : HEAD + 6 * most]
            force = above[HEAD + 9 * most : HEAD + 10 * most]
            inertia = above[HEAD + 11 * most : HEAD + 11 * most + m * m]
            tx = row[TX]
            ty = row[TY]
            pn += hx * row[TCX] + hy * row[TCY]
            px += mxx * row[TCX] + mxy * row[TCY]
            py += mxy * row[TCX] + myy * row[TCY]
            for k in range(m):
                y0 = y[k]
                y1 = y[most + k]
                y2 = y[2 * most + k]
                p0 = jj * y0 + hx * y1 + hy * y2
                p1 = hx * y0 + mxx * y1 + mxy * y2
                p2 = hy * y0 + mxy * y1 + myy * y2
                for b in range(k, m):
                    inertia[k * m + b] += p0 * y[b] + p1 * y[most + b] + p2 * y[2 * most + b]
                coupling[k] += p0 + tx * p2 - ty * p1
                coupling[most + k] += p1
                coupling[2 * most + k] += p2
                force[k] += y0 * pn + y1 * px + y2 * py
            gx = hx + tx * mxy - ty * mxx
            gy = hy + tx * myy - ty * mxy
            jj += tx * (hy + gy) - ty * (hx + gx)
            hx = gx
            hy = gy
            pn += tx * py - ty * px
        above[IJ] += jj
        above[IHX] += hx
        above[IHY] += hy
        above[IMXX] += mxx
        above[IMXY] += mxy
        above[IMYY] += myy
        above[PN] += pn
        above[PX] += px
        above[PY] += py
    _outward(tree, q, v, a, drive, work)
    return status


@inner
def _outward(tree: PlanarFlexTree, q: Floats, v: Floats, a: Floats, drive: Floats, work: Floats) -> None:
    """Accelerations (14, 36) and forces of the driven joints (15)."""
    topology = tree.topology
    spring = tree.spring
    most = topology[0, T_COUNT]
    work[0, AL] = 0.0
    work[0, AX] = -tree.gravity[0]
    work[0, AY] = -tree.gravity[1]
    for i in range(1, topology.shape[0]):
        row = work[i]
        up = topology[i, T_PARENT]
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        al = work[up, AL]
        ax = work[up, AX]
        ay = work[up, AY]
        if topology[i, T_STANDS] >= 0:
            m = topology[up, T_COUNT]
            b = topology[up, T_COORD]
            y = row[HEAD : HEAD + 3 * most]
            ax += row[TCX] - al * row[TY]
            ay += row[TCY] + al * row[TX]
            for k in range(m):
                al += y[k] * a[b + k]
                ax += y[most + k] * a[b + k]
                ay += y[2 * most + k] * a[b + k]
        bx = ax - al * row[DY]
        by = ay + al * row[DX]
        if kind != 0:
            push = row[UN] * al + row[UX] * bx + row[UY] * by
            if topology[i, T_DRIVEN] == 1:
                acc = a[c]
                held = spring[c, S_K] * (q[c] - spring[c, S_REST]) + spring[c, S_D] * v[c]
                drive[c] = push + row[ZP] + (row[DINV] + spring[c, S_ROTOR]) * acc + held
            else:
                acc = (row[U] - push) * row[DINV]
                a[c] = acc
            if kind == PRISMATIC:
                bx += row[ZX] * acc
                by += row[ZY] * acc
            else:
                al += acc
        ax = bx + row[CX]
        ay = by + row[CY]
        row[AL] = al
        row[AX] = ax
        row[AY] = ay
        if topology[i, T_COUNT] > 0:
            own_accelerations(tree, i, a, work)


@inner
def own_accelerations(tree: PlanarFlexTree, i: int, a: Floats, work: Floats) -> None:
    """Fill the accelerations of the elastic coordinates of body i, whose own is known (36)."""
    most = tree.topology[0, T_COUNT]
    c = tree.topology[i, T_COORD]
    row = work[i]
    x = row[HEAD + 6 * most : HEAD + 9 * most]
    e = row[HEAD + 10 * most : HEAD + 11 * most]
    for k in range(tree.topology[i, T_COUNT]):
        a[c + k] = e[k] - x[k] * row[AL] - x[most + k] * row[AX] - x[2 * most + k] * row[AY]
