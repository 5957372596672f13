"""Forward and hybrid dynamics of planar element trees (NOTATION 34–36 for two coordinates without stretch), O(n).

As in `planar_aba`, what body i hands to the body before it stays in registers where the chain goes straight on.
"""

from __future__ import annotations

from ._jit import inner, jit
from .planar_element_joint import joint_inward, joint_outward
from .planar_element_outward import element_outward
from .planar_element_rows import (
    A1X,
    A1Y,
    A2X,
    A2Y,
    AL,
    AX,
    AY,
    E1,
    E2,
    E_C1,
    E_C2,
    E_MASS,
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
    LANES,
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
    X10,
    X11,
    X12,
    X20,
    X21,
    X22,
)
from .questions import positive
from .types import (
    OK,
    T_BRANCH,
    T_COORD,
    T_COUNT,
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
    n = topology.shape[0]
    element_outward(tree, q, v, tau, q_spring, v_damper, gh, bh2, work)
    for i in range(1, n):
        if topology[i, T_BRANCH] == 1:
            for k in range(GJ, GPY + LANES, LANES):
                work[i >> 3, k + (i & 7)] = 0.0
    status = OK
    # inertia and bias of what stands on the frame of body i
    jj = hx = hy = mxx = mxy = myy = pn = px = py = 0.0
    for i in range(n - 1, 0, -1):
        row = work[i >> 3]
        e = tree.element[i >> 3]
        k = i & 7
        if topology[i, T_BRANCH] == 1:
            jj += row[GJ + k]
            hx += row[GHX + k]
            hy += row[GHY + k]
            mxx += row[GMXX + k]
            mxy += row[GMXY + k]
            myy += row[GMYY + k]
            pn += row[GPN + k]
            px += row[GPX + k]
            py += row[GPY + k]
        m = e[E_MASS + k]
        if topology[i, T_COUNT] > 0:
            tx = row[TX + k]
            ty = row[TY + k]
            cx = row[TCX + k]
            cy = row[TCY + k]
            ax = row[F1X + k]
            ay = row[F1Y + k]
            bx = row[F2X + k]
            by = row[F2Y + k]
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
            m11 = row[M11 + k] + ax * p1 + ay * p2
            m12 = row[M12 + k] + p0 + bx * p1 + by * p2
            m22 = row[M22 + k] + r0 + bx * r1 + by * r2
            u1 = row[U1 + k] - ax * px - ay * py
            u2 = row[U2 + k] - pn - bx * px - by * py
            v10 = e[E_C1 + k] + p0 + tx * p2 - ty * p1
            v11 = row[A1X + k] + p1
            v12 = row[A1Y + k] + p2
            v20 = e[E_C2 + k] + r0 + tx * r2 - ty * r1
            v21 = row[A2X + k] + r1
            v22 = row[A2Y + k] + r2
            # (13) by r_t, then the body's own
            gx = hx + tx * mxy - ty * mxx
            gy = hy + tx * myy - ty * mxy
            jj += tx * (hy + gy) - ty * (hx + gx) + row[IJ + k]
            hx = gx - row[SY + k]
            hy = gy + row[SX + k]
            mxx += m
            myy += m
            pn += tx * py - ty * px + row[PN + k]
            px += row[PX + k]
            py += row[PY + k]
            # (34)
            det = m11 * m22 - m12 * m12
            m11, status = positive(m11, status)
            det, status = positive(det, status)
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
            row[X10 + k] = x10
            row[X11 + k] = x11
            row[X12 + k] = x12
            row[X20 + k] = x20
            row[X21 + k] = x21
            row[X22 + k] = x22
            row[E1 + k] = e1
            row[E2 + k] = e2
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
            jj += row[IJ + k]
            hx -= row[SY + k]
            hy += row[SX + k]
            mxx += m
            myy += m
            pn += row[PN + k]
            px += row[PX + k]
            py += row[PY + k]
        if tree.jointed[i] == 1:
            body = (jj, hx, hy, mxx, mxy, myy, pn, px, py)
            status, body = joint_inward(tree, i, status, a, tau, q_spring, v_damper, gh, bh2, row, body)
            jj, hx, hy, mxx, mxy, myy, pn, px, py = body
        up = topology[i, T_PARENT]
        if up != i - 1:
            above = work[up >> 3]
            j = up & 7
            above[GJ + j] += jj
            above[GHX + j] += hx
            above[GHY + j] += hy
            above[GMXX + j] += mxx
            above[GMXY + j] += mxy
            above[GMYY + j] += myy
            above[GPN + j] += pn
            above[GPX + j] += px
            above[GPY + j] += py
            jj = hx = hy = mxx = mxy = myy = pn = px = py = 0.0
    _outward(tree, q, v, a, drive, work)
    return status


@inner
def _outward(tree: PlanarElementTree, q: Floats, v: Floats, a: Floats, drive: Floats, work: Floats) -> None:
    """Accelerations (14, 36) and forces of the driven joints (15); kept are those of the frames at the far nodes."""
    topology = tree.topology
    al = 0.0
    ax = -tree.gravity[0]
    ay = -tree.gravity[1]
    work[0, AL] = al
    work[0, AX] = ax
    work[0, AY] = ay
    for i in range(1, topology.shape[0]):
        up = topology[i, T_PARENT]
        if up != i - 1:
            above = work[up >> 3]
            j = up & 7
            al = above[AL + j]
            ax = above[AX + j]
            ay = above[AY + j]
        row = work[i >> 3]
        k = i & 7
        if tree.jointed[i] == 1:
            al, ax, ay = joint_outward(tree, i, q, v, a, drive, row, al, ax, ay)
        if topology[i, T_COUNT] > 0:
            c = topology[i, T_COORD]
            a1 = row[E1 + k] - row[X10 + k] * al - row[X11 + k] * ax - row[X12 + k] * ay
            a2 = row[E2 + k] - row[X20 + k] * al - row[X21 + k] * ax - row[X22 + k] * ay
            a[c] = a1
            a[c + 1] = a2
            ax += row[TCX + k] - al * row[TY + k] + row[F1X + k] * a1 + row[F2X + k] * a2
            ay += row[TCY + k] + al * row[TX + k] + row[F1Y + k] * a1 + row[F2Y + k] * a2
            al += a2
        row[AL + k] = al
        row[AX + k] = ax
        row[AY + k] = ay
