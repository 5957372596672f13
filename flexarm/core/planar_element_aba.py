"""Forward and hybrid dynamics of planar element trees (NOTATION 34–36 for two coordinates without stretch), O(n).

As in `planar_aba`, what body i hands to the body before it stays in registers where the chain goes straight on.
"""

from __future__ import annotations

import math

from ._jit import inner, jit
from .planar_element_outward import element_outward
from .planar_element_rows import (
    A1X,
    A1Y,
    A2X,
    A2Y,
    AL,
    AX,
    AY,
    CX,
    CY,
    DINV,
    DX,
    DY,
    E1,
    E2,
    E_C1,
    E_C2,
    F1X,
    F1Y,
    F2X,
    F2Y,
    GHX,
    GHY,
    GJ,
    GMXX,
    GMXY,
    GMYY,
    GPN,
    GPX,
    GPY,
    IJ,
    M11,
    M12,
    M22,
    PN,
    PX,
    PY,
    SX,
    SY,
    TCX,
    TCY,
    TX,
    TY,
    U1,
    U2,
    UN,
    UX,
    UY,
    X10,
    X11,
    X12,
    X20,
    X21,
    X22,
    ZP,
    ZX,
    ZY,
    U,
)
from .types import (
    NOT_FINITE,
    NOT_POSITIVE,
    OK,
    P_MASS,
    PRISMATIC,
    REVOLUTE,
    S_D,
    S_K,
    S_REST,
    S_ROTOR,
    T_BRANCH,
    T_COORD,
    T_COUNT,
    T_DRIVEN,
    T_JOINT,
    T_PARENT,
    Floats,
    Laws,
    Loads,
    PlanarElementTree,
)


@jit
def element_solve(
    tree: PlanarElementTree,
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
    rows = tree.rows
    element = tree.element
    n = topology.shape[0]
    element_outward(tree, q, v, tau, q_spring, v_damper, gh, bh2, work)
    for i in range(1, n):
        if topology[i, T_BRANCH] == 1:
            for k in range(GJ, GPY + 1):
                work[k, i] = 0.0
    status = OK
    # inertia and bias of what stands on the frame of body i
    jj = hx = hy = mxx = mxy = myy = pn = px = py = 0.0
    for i in range(n - 1, 0, -1):
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        if topology[i, T_BRANCH] == 1:
            jj += work[GJ, i]
            hx += work[GHX, i]
            hy += work[GHY, i]
            mxx += work[GMXX, i]
            mxy += work[GMXY, i]
            myy += work[GMYY, i]
            pn += work[GPN, i]
            px += work[GPX, i]
            py += work[GPY, i]
        m = rows[P_MASS, i]
        if topology[i, T_COUNT] > 0:
            tx = work[TX, i]
            ty = work[TY, i]
            cx = work[TCX, i]
            cy = work[TCY, i]
            ax = work[F1X, i]
            ay = work[F1Y, i]
            bx = work[F2X, i]
            by = work[F2Y, i]
            # (35): Y = (0, 1; F1, F2)
            pn += hx * cx + hy * cy
            px += mxx * cx + mxy * cy
            py += mxy * cx + myy * cy
            p0 = hx * ax + hy * ay
            p1 = mxx * ax + mxy * ay
            p2 = mxy * ax + myy * ay
            r0 = jj + hx * bx + hy * by
            r1 = hx + mxx * bx + mxy * by
            r2 = hy + mxy * bx + myy * by
            m11 = work[M11, i] + ax * p1 + ay * p2
            m12 = work[M12, i] + p0 + bx * p1 + by * p2
            m22 = work[M22, i] + r0 + bx * r1 + by * r2
            u1 = work[U1, i] - ax * px - ay * py
            u2 = work[U2, i] - pn - bx * px - by * py
            v10 = element[E_C1, i] + p0 + tx * p2 - ty * p1
            v11 = work[A1X, i] + p1
            v12 = work[A1Y, i] + p2
            v20 = element[E_C2, i] + r0 + tx * r2 - ty * r1
            v21 = work[A2X, i] + r1
            v22 = work[A2Y, i] + r2
            # (13) by r_t, then the body's own
            gx = hx + tx * mxy - ty * mxx
            gy = hy + tx * myy - ty * mxy
            jj += tx * (hy + gy) - ty * (hx + gx) + work[IJ, i]
            hx = gx - work[SY, i]
            hy = gy + work[SX, i]
            mxx += m
            myy += m
            pn += tx * py - ty * px + work[PN, i]
            px += work[PX, i]
            py += work[PY, i]
            # (34)
            det = m11 * m22 - m12 * m12
            if not (det > 0.0 and m11 > 0.0):
                if status == OK:
                    status = NOT_POSITIVE if (det <= 0.0 or m11 <= 0.0) else NOT_FINITE
                det = math.nan
            inv = 1.0 / det
            i11 = m22 * inv
            i12 = -m12 * inv
            i22 = m11 * inv
            x10 = i11 * v10 + i12 * v20
            x11 = i11 * v11 + i12 * v21
            x12 = i11 * v12 + i12 * v22
            x20 = i12 * v10 + i22 * v20
            x21 = i12 * v11 + i22 * v21
            x22 = i12 * v12 + i22 * v22
            e1 = i11 * u1 + i12 * u2
            e2 = i12 * u1 + i22 * u2
            work[X10, i] = x10
            work[X11, i] = x11
            work[X12, i] = x12
            work[X20, i] = x20
            work[X21, i] = x21
            work[X22, i] = x22
            work[E1, i] = e1
            work[E2, i] = e2
            jj -= v10 * x10 + v20 * x20
            hx -= v10 * x11 + v20 * x21
            hy -= v10 * x12 + v20 * x22
            mxx -= v11 * x11 + v21 * x21
            mxy -= v11 * x12 + v21 * x22
            myy -= v12 * x12 + v22 * x22
            pn += v10 * e1 + v20 * e2
            px += v11 * e1 + v21 * e2
            py += v12 * e1 + v22 * e2
        else:
            jj += work[IJ, i]
            hx -= work[SY, i]
            hy += work[SX, i]
            mxx += m
            myy += m
            pn += work[PN, i]
            px += work[PX, i]
            py += work[PY, i]
        # a row of zeros where the joint sits on its parent's frame
        dx = work[DX, i]
        dy = work[DY, i]
        if kind != 0 or dx != 0.0 or dy != 0.0:
            cx = work[CX, i]
            cy = work[CY, i]
            # (10)
            pn += hx * cx + hy * cy
            px += mxx * cx + mxy * cy
            py += mxy * cx + myy * cy
            if kind != 0:
                if kind == REVOLUTE:
                    un = jj
                    ux = hx
                    uy = hy
                    pz = pn
                    own = jj
                else:
                    zx = work[ZX, i]
                    zy = work[ZY, i]
                    un = hx * zx + hy * zy
                    ux = mxx * zx + mxy * zy
                    uy = mxy * zx + myy * zy
                    pz = zx * px + zy * py
                    own = zx * ux + zy * uy
                work[UN, i] = un
                work[UX, i] = ux
                work[UY, i] = uy
                if topology[i, T_DRIVEN] == 1:
                    work[ZP, i] = pz
                    work[DINV, i] = own
                    ud = a[c]
                else:
                    # (11), (12)
                    pivot = own + spring[c, S_ROTOR] + gh * spring[c, S_D] + bh2 * spring[c, S_K]
                    if not (pivot > 0.0):
                        if status == OK:
                            status = NOT_POSITIVE if pivot <= 0.0 else NOT_FINITE
                        pivot = math.nan
                    inv = 1.0 / pivot
                    u = tau[c] - spring[c, S_K] * (q_spring[c] - spring[c, S_REST]) - spring[c, S_D] * v_damper[c] - pz
                    work[DINV, i] = inv
                    work[U, i] = u
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
            gx = hx + dx * mxy - dy * mxx
            gy = hy + dx * myy - dy * mxy
            jj += dx * (hy + gy) - dy * (hx + gx)
            hx = gx
            hy = gy
            pn += dx * py - dy * px
        up = topology[i, T_PARENT]
        if up != i - 1:
            work[GJ, up] += jj
            work[GHX, up] += hx
            work[GHY, up] += hy
            work[GMXX, up] += mxx
            work[GMXY, up] += mxy
            work[GMYY, up] += myy
            work[GPN, up] += pn
            work[GPX, up] += px
            work[GPY, up] += py
            jj = hx = hy = mxx = mxy = myy = pn = px = py = 0.0
    _outward(tree, q, v, a, drive, work)
    return status


@inner
def _outward(tree: PlanarElementTree, q: Floats, v: Floats, a: Floats, drive: Floats, work: Floats) -> None:
    """Accelerations (14, 36) and forces of the driven joints (15); kept are those of the frames at the far nodes."""
    topology = tree.topology
    spring = tree.spring
    al = 0.0
    ax = -tree.gravity[0]
    ay = -tree.gravity[1]
    work[AL, 0] = al
    work[AX, 0] = ax
    work[AY, 0] = ay
    for i in range(1, topology.shape[0]):
        up = topology[i, T_PARENT]
        if up != i - 1:
            al = work[AL, up]
            ax = work[AX, up]
            ay = work[AY, up]
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        if kind != 0 or work[DX, i] != 0.0 or work[DY, i] != 0.0:
            bx = ax - al * work[DY, i]
            by = ay + al * work[DX, i]
            if kind != 0:
                push = work[UN, i] * al + work[UX, i] * bx + work[UY, i] * by
                if topology[i, T_DRIVEN] == 1:
                    acc = a[c]
                    held = spring[c, S_K] * (q[c] - spring[c, S_REST]) + spring[c, S_D] * v[c]
                    drive[c] = push + work[ZP, i] + (work[DINV, i] + spring[c, S_ROTOR]) * acc + held
                else:
                    acc = (work[U, i] - push) * work[DINV, i]
                    a[c] = acc
                if kind == PRISMATIC:
                    bx += work[ZX, i] * acc
                    by += work[ZY, i] * acc
                else:
                    al += acc
            ax = bx + work[CX, i]
            ay = by + work[CY, i]
        if topology[i, T_COUNT] > 0:
            a1 = work[E1, i] - work[X10, i] * al - work[X11, i] * ax - work[X12, i] * ay
            a2 = work[E2, i] - work[X20, i] * al - work[X21, i] * ax - work[X22, i] * ay
            a[c] = a1
            a[c + 1] = a2
            ax += work[TCX, i] - al * work[TY, i] + work[F1X, i] * a1 + work[F2X, i] * a2
            ay += work[TCY, i] + al * work[TX, i] + work[F1Y, i] * a1 + work[F2Y, i] * a2
            al += a2
        work[AL, i] = al
        work[AX, i] = ax
        work[AY, i] = ay
