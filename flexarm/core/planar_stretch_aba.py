"""Forward and hybrid dynamics of planar stretch trees (NOTATION 34–36 in the accelerations ζ of the far nodes), O(n).

As in `planar_aba`, what body i hands to the body before it stays in registers where the chain goes straight on.
"""

from __future__ import annotations

import math

from ._jit import inner, jit
from .planar_element_joint import joint_inward, joint_outward
from .planar_element_rows import (
    AL,
    AX,
    AY,
    COS,
    E_MASS,
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
    PN,
    PX,
    PY,
    SIN,
    SX,
    SY,
    TCX,
    TCY,
    TX,
    TY,
)
from .planar_stretch_outward import stretch_outward
from .planar_stretch_rows import (
    D00,
    D01,
    D02,
    D11,
    D12,
    D22,
    E0,
    E1,
    E2,
    RHO_X,
    RHO_Y,
    SIGMA,
    V00,
    V01,
    V02,
    V10,
    V11,
    V12,
    V20,
    V21,
    V22,
)
from .types import (
    NOT_FINITE,
    NOT_POSITIVE,
    OK,
    T_BRANCH,
    T_COORD,
    T_COUNT,
    T_PARENT,
    Floats,
    Laws,
    Loads,
    PlanarStretchTree,
)


@jit
def stretch_solve(
    tree: PlanarStretchTree,
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
    stretch_outward(tree, q, v, tau, q_spring, v_damper, gh, bh2, work)
    for i in range(1, n):
        if topology[i, T_BRANCH] == 1:
            for k in range(GJ, GPY + LANES, LANES):
                work[i >> 3, k + (i & 7)] = 0.0
    status = OK
    # inertia and bias of what stands on the frame of body i
    jj = hx = hy = mxx = mxy = myy = pn = px = py = 0.0
    for i in range(n - 1, 0, -1):
        row = work[i >> 3]
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
        m = tree.element[i >> 3, E_MASS + k]
        if topology[i, T_COUNT] > 0:
            tx = row[TX + k]
            ty = row[TY + k]
            cx = row[TCX + k]
            cy = row[TCY + k]
            # (35) with Y = 1
            pn += hx * cx + hy * cy
            px += mxx * cx + mxy * cy
            py += mxy * cx + myy * cy
            d00 = row[D00 + k] + jj
            d01 = row[D01 + k] + hx
            d02 = row[D02 + k] + hy
            d11 = row[D11 + k] + mxx
            d12 = row[D12 + k] + mxy
            d22 = row[D22 + k] + myy
            u0 = row[E0 + k] - pn
            u1 = row[E1 + k] - px
            u2 = row[E2 + k] - py
            gx = hx + tx * mxy - ty * mxx
            gy = hy + tx * myy - ty * mxy
            v00 = row[V00 + k] + jj + tx * hy - ty * hx
            v01 = row[V01 + k] + gx
            v02 = row[V02 + k] + gy
            v10 = row[V10 + k] + hx
            v11 = row[V11 + k] + mxx
            v12 = row[V12 + k] + mxy
            v20 = row[V20 + k] + hy
            v21 = row[V21 + k] + mxy
            v22 = row[V22 + k] + myy
            # (13) by r_t, then the body's own
            jj += tx * (hy + gy) - ty * (hx + gx) + row[IJ + k]
            hx = gx - row[SY + k]
            hy = gy + row[SX + k]
            mxx += m
            myy += m
            pn += tx * py - ty * px + row[PN + k]
            px += row[PX + k]
            py += row[PY + k]
            # (34) by cofactors: one product and sum of each number waits for the division
            i00 = d11 * d22 - d12 * d12
            i01 = d02 * d12 - d01 * d22
            i02 = d01 * d12 - d02 * d11
            i11 = d00 * d22 - d02 * d02
            i12 = d01 * d02 - d00 * d12
            i22 = d00 * d11 - d01 * d01
            det = d00 * i00 + d01 * i01 + d02 * i02
            if not (det > 0.0 and i00 > 0.0 and d11 > 0.0):
                if status == OK:
                    status = NOT_POSITIVE if (det <= 0.0 or i00 <= 0.0 or d11 <= 0.0) else NOT_FINITE
                det = math.nan
            inv = 1.0 / det
            x00 = i00 * v00 + i01 * v01 + i02 * v02
            x01 = i01 * v00 + i11 * v01 + i12 * v02
            x02 = i02 * v00 + i12 * v01 + i22 * v02
            x10 = i00 * v10 + i01 * v11 + i02 * v12
            x11 = i01 * v10 + i11 * v11 + i12 * v12
            x12 = i02 * v10 + i12 * v11 + i22 * v12
            x20 = i00 * v20 + i01 * v21 + i02 * v22
            x21 = i01 * v20 + i11 * v21 + i12 * v22
            x22 = i02 * v20 + i12 * v21 + i22 * v22
            jj -= (v00 * x00 + v01 * x01 + v02 * x02) * inv
            hx -= (v00 * x10 + v01 * x11 + v02 * x12) * inv
            hy -= (v00 * x20 + v01 * x21 + v02 * x22) * inv
            mxx -= (v10 * x10 + v11 * x11 + v12 * x12) * inv
            mxy -= (v10 * x20 + v11 * x21 + v12 * x22) * inv
            myy -= (v20 * x20 + v21 * x21 + v22 * x22) * inv
            pn += (u0 * x00 + u1 * x01 + u2 * x02) * inv
            px += (u0 * x10 + u1 * x11 + u2 * x12) * inv
            py += (u0 * x20 + u1 * x21 + u2 * x22) * inv
            row[V00 + k] = x00 * inv
            row[V01 + k] = x01 * inv
            row[V02 + k] = x02 * inv
            row[V10 + k] = x10 * inv
            row[V11 + k] = x11 * inv
            row[V12 + k] = x12 * inv
            row[V20 + k] = x20 * inv
            row[V21 + k] = x21 * inv
            row[V22 + k] = x22 * inv
            row[E0 + k] = (i00 * u0 + i01 * u1 + i02 * u2) * inv
            row[E1 + k] = (i01 * u0 + i11 * u1 + i12 * u2) * inv
            row[E2 + k] = (i02 * u0 + i12 * u1 + i22 * u2) * inv
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
def _outward(tree: PlanarStretchTree, q: Floats, v: Floats, a: Floats, drive: Floats, work: Floats) -> None:
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
            z0 = row[E0 + k] - row[V00 + k] * al - row[V10 + k] * ax - row[V20 + k] * ay
            z1 = row[E1 + k] - row[V01 + k] * al - row[V11 + k] * ax - row[V21 + k] * ay
            z2 = row[E2 + k] - row[V02 + k] * al - row[V12 + k] * ax - row[V22 + k] * ay
            # η̈ = Y⁻¹ζ
            a[c] = row[SIGMA + k] * z0 + row[RHO_X + k] * z1 + row[RHO_Y + k] * z2
            a[c + 1] = row[COS + k] * z2 - row[SIN + k] * z1
            a[c + 2] = z0
            ax += row[TCX + k] - al * row[TY + k] + z1
            ay += row[TCY + k] + al * row[TX + k] + z2
            al += z0
        row[AL + k] = al
        row[AX + k] = ax
        row[AY + k] = ay
