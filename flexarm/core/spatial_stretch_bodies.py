"""Far nodes, inertia, bias and forces of the bodies of a spatial stretch tree, eight at a time (NOTATION 28–33).

The compiler takes a loop over lanes to vector registers only as long as it meets some sixty places: hence several.
"""

from __future__ import annotations

from . import spatial_stretch_rows as s
from ._jit import inner
from .types import Floats


@inner
def bodies(e: Floats, row: Floats, lanes: int) -> None:
    """Fill far nodes, inertia, bias and forces on the coordinates of eight bodies whose orientations are known."""
    _far_nodes(e, row, lanes)
    _far_turns(row, lanes)
    _moments(e, row, lanes)
    _inertias(e, row, lanes)
    _springs(e, row, lanes)
    _forces(e, row, lanes)


@inner
def _far_nodes(e: Floats, row: Floats, lanes: int) -> None:
    """Fill r_t and its bias at eight far nodes, and the bodies' angular velocities in their own axes (28–30)."""
    for i in range(lanes):
        r00 = row[s.R00 + i]
        r01 = row[s.R01 + i]
        r02 = row[s.R02 + i]
        r10 = row[s.R10 + i]
        r11 = row[s.R11 + i]
        r12 = row[s.R12 + i]
        r20 = row[s.R20 + i]
        r21 = row[s.R21 + i]
        r22 = row[s.R22 + i]
        w0 = row[s.W0 + i]
        w1 = row[s.W1 + i]
        w2 = row[s.W2 + i]
        row[s.O0 + i] = r00 * w0 + r10 * w1 + r20 * w2
        row[s.O1 + i] = r01 * w0 + r11 * w1 + r21 * w2
        row[s.O2 + i] = r02 * w0 + r12 * w1 + r22 * w2
        q1 = row[s.Q1 + i]
        q2 = row[s.Q2 + i]
        q4 = row[s.Q4 + i]
        q5 = row[s.Q5 + i]
        v1 = row[s.V1 + i]
        v2 = row[s.V2 + i]
        v4 = row[s.V4 + i]
        v5 = row[s.V5 + i]
        t11 = e[s.E_T11 + i]
        t15 = e[s.E_T15 + i]
        t55 = e[s.E_T55 + i]
        t22 = e[s.E_T22 + i]
        t24 = e[s.E_T24 + i]
        t44 = e[s.E_T44 + i]
        h1 = t11 * q1 + t15 * q5
        h5 = t15 * q1 + t55 * q5
        h2 = t22 * q2 + t24 * q4
        h4 = t24 * q2 + t44 * q4
        x = e[s.E_LENGTH + i] + row[s.Q0 + i] - 0.5 * (h1 * q1 + h5 * q5 + h2 * q2 + h4 * q4)
        ux = row[s.V0 + i] - (h1 * v1 + h5 * v5 + h2 * v2 + h4 * v4)
        fall = (t11 * v1 + 2.0 * t15 * v5) * v1 + t55 * v5 * v5
        fall += (t22 * v2 + 2.0 * t24 * v4) * v2 + t44 * v4 * v4
        x0 = r00 * x + r01 * q1 + r02 * q2
        x1 = r10 * x + r11 * q1 + r12 * q2
        x2 = r20 * x + r21 * q1 + r22 * q2
        # ω×(ω×r + 2Fη̇) − e_x η̇ᵀHη̇
        u0 = 2.0 * (r00 * ux + r01 * v1 + r02 * v2) + w1 * x2 - w2 * x1
        u1 = 2.0 * (r10 * ux + r11 * v1 + r12 * v2) + w2 * x0 - w0 * x2
        u2 = 2.0 * (r20 * ux + r21 * v1 + r22 * v2) + w0 * x1 - w1 * x0
        row[s.TL0 + i] = w1 * u2 - w2 * u1 - r00 * fall
        row[s.TL1 + i] = w2 * u0 - w0 * u2 - r10 * fall
        row[s.TL2 + i] = w0 * u1 - w1 * u0 - r20 * fall
        row[s.T0 + i] = x0
        row[s.T1 + i] = x1
        row[s.T2 + i] = x2


@inner
def _far_turns(row: Floats, lanes: int) -> None:
    """Fill the rest of the bias at eight far nodes, ω×Ωη̇ + R J̇_lθ̇."""
    for i in range(lanes):
        r00 = row[s.R00 + i]
        r01 = row[s.R01 + i]
        r02 = row[s.R02 + i]
        r10 = row[s.R10 + i]
        r11 = row[s.R11 + i]
        r12 = row[s.R12 + i]
        r20 = row[s.R20 + i]
        r21 = row[s.R21 + i]
        r22 = row[s.R22 + i]
        w0 = row[s.W0 + i]
        w1 = row[s.W1 + i]
        w2 = row[s.W2 + i]
        wr0 = row[s.WR0 + i]
        wr1 = row[s.WR1 + i]
        wr2 = row[s.WR2 + i]
        jd0 = row[s.JD0 + i]
        jd1 = row[s.JD1 + i]
        jd2 = row[s.JD2 + i]
        g0 = r00 * wr0 + r01 * wr1 + r02 * wr2
        g1 = r10 * wr0 + r11 * wr1 + r12 * wr2
        g2 = r20 * wr0 + r21 * wr1 + r22 * wr2
        row[s.TA0 + i] = w1 * g2 - w2 * g1 + r00 * jd0 + r01 * jd1 + r02 * jd2
        row[s.TA1 + i] = w2 * g0 - w0 * g2 + r10 * jd0 + r11 * jd1 + r12 * jd2
        row[s.TA2 + i] = w0 * g1 - w1 * g0 + r20 * jd0 + r21 * jd1 + r22 * jd2


@inner
def _moments(e: Floats, row: Floats, lanes: int) -> None:
    """Fill first moments and their bias of eight bodies (31, 33)."""
    for i in range(lanes):
        o0 = row[s.O0 + i]
        o1 = row[s.O1 + i]
        o2 = row[s.O2 + i]
        q0 = row[s.Q0 + i]
        q1 = row[s.Q1 + i]
        q2 = row[s.Q2 + i]
        q4 = row[s.Q4 + i]
        q5 = row[s.Q5 + i]
        v0 = row[s.V0 + i]
        v1 = row[s.V1 + i]
        v2 = row[s.V2 + i]
        v4 = row[s.V4 + i]
        v5 = row[s.V5 + i]
        h11 = e[s.E_H11 + i]
        h15 = e[s.E_H15 + i]
        h55 = e[s.E_H55 + i]
        h22 = e[s.E_H22 + i]
        h24 = e[s.E_H24 + i]
        h44 = e[s.E_H44 + i]
        s0 = e[s.E_S0 + i]
        sv = e[s.E_SV + i]
        sz = e[s.E_SZ + i]
        sw = e[s.E_SW + i]
        sy = e[s.E_SY + i]
        h1 = h11 * q1 + h15 * q5
        h5 = h15 * q1 + h55 * q5
        h2 = h22 * q2 + h24 * q4
        h4 = h24 * q2 + h44 * q4
        x = e[s.E_MCX + i] + s0 * q0 - 0.5 * (h1 * q1 + h5 * q5 + h2 * q2 + h4 * q4)
        y = e[s.E_MCY + i] + sv * q1 + sz * q5
        z = e[s.E_MCZ + i] + sw * q2 + sy * q4
        fall = (h11 * v1 + 2.0 * h15 * v5) * v1 + h55 * v5 * v5
        fall += (h22 * v2 + 2.0 * h24 * v4) * v2 + h44 * v4 * v4
        k0 = o1 * z - o2 * y + 2.0 * (s0 * v0 - (h1 * v1 + h5 * v5 + h2 * v2 + h4 * v4))
        k1 = o2 * x - o0 * z + 2.0 * (sv * v1 + sz * v5)
        k2 = o0 * y - o1 * x + 2.0 * (sw * v2 + sy * v4)
        l0 = o1 * k2 - o2 * k1 - fall
        l1 = o2 * k0 - o0 * k2
        l2 = o0 * k1 - o1 * k0
        r00 = row[s.R00 + i]
        r01 = row[s.R01 + i]
        r02 = row[s.R02 + i]
        r10 = row[s.R10 + i]
        r11 = row[s.R11 + i]
        r12 = row[s.R12 + i]
        r20 = row[s.R20 + i]
        r21 = row[s.R21 + i]
        r22 = row[s.R22 + i]
        row[s.S0 + i] = r00 * x + r01 * y + r02 * z
        row[s.PF0 + i] = r00 * l0 + r01 * l1 + r02 * l2
        row[s.S1 + i] = r10 * x + r11 * y + r12 * z
        row[s.PF1 + i] = r10 * l0 + r11 * l1 + r12 * l2
        row[s.S2 + i] = r20 * x + r21 * y + r22 * z
        row[s.PF2 + i] = r20 * l0 + r21 * l1 + r22 * l2


@inner
def _inertias(e: Floats, row: Floats, lanes: int) -> None:
    """Fill inertia and its bias of eight bodies (31, 33)."""
    for i in range(lanes):
        o0 = row[s.O0 + i]
        o1 = row[s.O1 + i]
        o2 = row[s.O2 + i]
        q0 = row[s.Q0 + i]
        q1 = row[s.Q1 + i]
        q2 = row[s.Q2 + i]
        q4 = row[s.Q4 + i]
        q5 = row[s.Q5 + i]
        v0 = row[s.V0 + i]
        v1 = row[s.V1 + i]
        v2 = row[s.V2 + i]
        v4 = row[s.V4 + i]
        v5 = row[s.V5 + i]
        g11 = e[s.E_G11 + i]
        g15 = e[s.E_G15 + i]
        g55 = e[s.E_G55 + i]
        g22 = e[s.E_G22 + i]
        g24 = e[s.E_G24 + i]
        g44 = e[s.E_G44 + i]
        y11 = e[s.E_Y11 + i]
        y15 = e[s.E_Y15 + i]
        y55 = e[s.E_Y55 + i]
        z22 = e[s.E_Z22 + i]
        z24 = e[s.E_Z24 + i]
        z44 = e[s.E_Z44 + i]
        p12 = e[s.E_P12 + i]
        p14 = e[s.E_P14 + i]
        p52 = e[s.E_P52 + i]
        p54 = e[s.E_P54 + i]
        gz1 = e[s.E_GZ1 + i]
        gz5 = e[s.E_GZ5 + i]
        gy2 = e[s.E_GY2 + i]
        gy4 = e[s.E_GY4 + i]
        gx0 = e[s.E_G00 + i] * q0
        gx1 = g11 * q1 + g15 * q5
        gx5 = g15 * q1 + g55 * q5
        gx2 = g22 * q2 + g24 * q4
        gx4 = g24 * q2 + g44 * q4
        gy1 = y11 * q1 + y15 * q5
        gy5 = y15 * q1 + y55 * q5
        gz2 = z22 * q2 + z24 * q4
        gz4 = z24 * q2 + z44 * q4
        e1 = p12 * q2 + p14 * q4
        e5 = p52 * q2 + p54 * q4
        e2 = p12 * q1 + p52 * q5
        e4 = p14 * q1 + p54 * q5
        a0 = e[s.E_A0 + i]
        av = e[s.E_AV + i] + gz1 * q0
        az = e[s.E_AZ + i] + gz5 * q0
        aw = e[s.E_AW + i] - gy2 * q0
        ay = e[s.E_AY + i] - gy4 * q0
        by = gz1 * q1 + gz5 * q5
        bz = -gy2 * q2 - gy4 * q4
        # W and its rate
        wxx = (2.0 * a0 + gx0) * q0 + gx1 * q1 + gx5 * q5 + gx2 * q2 + gx4 * q4
        wyy = gy1 * q1 + gy5 * q5
        wzz = gz2 * q2 + gz4 * q4
        dxx = 2.0 * ((a0 + gx0) * v0 + gx1 * v1 + gx5 * v5 + gx2 * v2 + gx4 * v4)
        dyy = 2.0 * (gy1 * v1 + gy5 * v5)
        dzz = 2.0 * (gz2 * v2 + gz4 * v4)
        dxy = av * v1 + az * v5 + by * v0
        dxz = aw * v2 + ay * v4 + bz * v0
        dyz = e1 * v1 + e5 * v5 + e2 * v2 + e4 * v4
        xx = e[s.E_JXX + i] + wyy + wzz
        yy = e[s.E_JYY + i] + wxx + wzz
        zz = e[s.E_JZZ + i] + wxx + wyy
        xy = e[s.E_JXY + i] - av * q1 - az * q5
        xz = e[s.E_JXZ + i] - aw * q2 - ay * q4
        yz = e[s.E_JYZ + i] - q1 * e1 - q5 * e5
        # Jω + Cη̇
        m0 = xx * o0 + xy * o1 + xz * o2 + e[s.E_C3X + i] * row[s.V3 + i] - e1 * v1 - e5 * v5 + e2 * v2 + e4 * v4
        m1 = xy * o0 + yy * o1 + yz * o2 + bz * v0
        m1 += (e[s.E_C2Y + i] + gy2 * q0) * v2 + (e[s.E_C4Y + i] + gy4 * q0) * v4
        m2 = xz * o0 + yz * o1 + zz * o2 - by * v0
        m2 += (e[s.E_C1Z + i] + gz1 * q0) * v1 + (e[s.E_C5Z + i] + gz5 * q0) * v5
        n0 = (dyy + dzz) * o0 - dxy * o1 - dxz * o2 + o1 * m2 - o2 * m1
        n1 = (dxx + dzz) * o1 - dxy * o0 - dyz * o2 + o2 * m0 - o0 * m2
        n2 = (dxx + dyy) * o2 - dxz * o0 - dyz * o1 + o0 * m1 - o1 * m0
        r00 = row[s.R00 + i]
        r01 = row[s.R01 + i]
        r02 = row[s.R02 + i]
        r10 = row[s.R10 + i]
        r11 = row[s.R11 + i]
        r12 = row[s.R12 + i]
        r20 = row[s.R20 + i]
        r21 = row[s.R21 + i]
        r22 = row[s.R22 + i]
        row[s.PN0 + i] = r00 * n0 + r01 * n1 + r02 * n2
        row[s.PN1 + i] = r10 * n0 + r11 * n1 + r12 * n2
        row[s.PN2 + i] = r20 * n0 + r21 * n1 + r22 * n2
        k0 = r00 * xx + r01 * xy + r02 * xz
        k1 = r00 * xy + r01 * yy + r02 * yz
        k2 = r00 * xz + r01 * yz + r02 * zz
        row[s.JXX + i] = k0 * r00 + k1 * r01 + k2 * r02
        row[s.JXY + i] = k0 * r10 + k1 * r11 + k2 * r12
        row[s.JXZ + i] = k0 * r20 + k1 * r21 + k2 * r22
        k0 = r10 * xx + r11 * xy + r12 * xz
        k1 = r10 * xy + r11 * yy + r12 * yz
        k2 = r10 * xz + r11 * yz + r12 * zz
        row[s.JYY + i] = k0 * r10 + k1 * r11 + k2 * r12
        row[s.JYZ + i] = k0 * r20 + k1 * r21 + k2 * r22
        k0 = r20 * xx + r21 * xy + r22 * xz
        k1 = r20 * xy + r21 * yy + r22 * yz
        k2 = r20 * xz + r21 * yz + r22 * zz
        row[s.JZZ + i] = k0 * r20 + k1 * r21 + k2 * r22


@inner
def _springs(e: Floats, row: Floats, lanes: int) -> None:
    """Take springs and dampers off the forces on the coordinates of eight bodies."""
    for i in range(lanes):
        x = row[s.QS1 + i]
        y = row[s.QS5 + i]
        u = row[s.VD1 + i]
        w = row[s.VD5 + i]
        k = e[s.E_K15 + i]
        d = e[s.E_D15 + i]
        row[s.U1 + i] -= e[s.E_K11 + i] * x + k * y + e[s.E_D11 + i] * u + d * w
        row[s.U5 + i] -= k * x + e[s.E_K55 + i] * y + d * u + e[s.E_D55 + i] * w
        x = row[s.QS2 + i]
        y = row[s.QS4 + i]
        u = row[s.VD2 + i]
        w = row[s.VD4 + i]
        k = e[s.E_K24 + i]
        d = e[s.E_D24 + i]
        row[s.U2 + i] -= e[s.E_K22 + i] * x + k * y + e[s.E_D22 + i] * u + d * w
        row[s.U4 + i] -= k * x + e[s.E_K44 + i] * y + d * u + e[s.E_D44 + i] * w
        row[s.U0 + i] -= e[s.E_K00 + i] * row[s.QS0 + i] + e[s.E_D00 + i] * row[s.VD0 + i]
        row[s.U3 + i] -= e[s.E_K33 + i] * row[s.QS3 + i] + e[s.E_D33 + i] * row[s.VD3 + i]


@inner
def _forces(e: Floats, row: Floats, lanes: int) -> None:
    """Take what rotation does to them off the forces on the coordinates of eight bodies: −b_η (33)."""
    for i in range(lanes):
        o0 = row[s.O0 + i]
        o1 = row[s.O1 + i]
        o2 = row[s.O2 + i]
        q0 = row[s.Q0 + i]
        q1 = row[s.Q1 + i]
        q2 = row[s.Q2 + i]
        q4 = row[s.Q4 + i]
        q5 = row[s.Q5 + i]
        v0 = row[s.V0 + i]
        v1 = row[s.V1 + i]
        v2 = row[s.V2 + i]
        v4 = row[s.V4 + i]
        v5 = row[s.V5 + i]
        xx = o1 * o1 + o2 * o2
        yy = o0 * o0 + o2 * o2
        zz = o0 * o0 + o1 * o1
        xy = -o0 * o1
        xz = -o0 * o2
        yz = -o1 * o2
        g15 = e[s.E_G15 + i]
        y15 = e[s.E_Y15 + i]
        g24 = e[s.E_G24 + i]
        z24 = e[s.E_Z24 + i]
        p12 = e[s.E_P12 + i]
        p14 = e[s.E_P14 + i]
        p52 = e[s.E_P52 + i]
        p54 = e[s.E_P54 + i]
        gz1 = e[s.E_GZ1 + i]
        gz5 = e[s.E_GZ5 + i]
        gy2 = e[s.E_GY2 + i]
        gy4 = e[s.E_GY4 + i]
        u0 = xx * (e[s.E_A0 + i] + e[s.E_G00 + i] * q0) + xy * (gz1 * q1 + gz5 * q5) - xz * (gy2 * q2 + gy4 * q4)
        row[s.U0 + i] += u0 + 2.0 * (o1 * (gy2 * v2 + gy4 * v4) + o2 * (gz1 * v1 + gz5 * v5))
        u1 = xx * (e[s.E_G11 + i] * q1 + g15 * q5) + yy * (e[s.E_Y11 + i] * q1 + y15 * q5)
        u1 += xy * (e[s.E_AV + i] + gz1 * q0) + yz * (p12 * q2 + p14 * q4)
        row[s.U1 + i] += u1 + 2.0 * (o0 * (p12 * v2 + p14 * v4) - o2 * gz1 * v0)
        u5 = xx * (g15 * q1 + e[s.E_G55 + i] * q5) + yy * (y15 * q1 + e[s.E_Y55 + i] * q5)
        u5 += xy * (e[s.E_AZ + i] + gz5 * q0) + yz * (p52 * q2 + p54 * q4)
        row[s.U5 + i] += u5 + 2.0 * (o0 * (p52 * v2 + p54 * v4) - o2 * gz5 * v0)
        u2 = xx * (e[s.E_G22 + i] * q2 + g24 * q4) + zz * (e[s.E_Z22 + i] * q2 + z24 * q4)
        u2 += xz * (e[s.E_AW + i] - gy2 * q0) + yz * (p12 * q1 + p52 * q5)
        row[s.U2 + i] += u2 - 2.0 * (o0 * (p12 * v1 + p52 * v5) + o1 * gy2 * v0)
        u4 = xx * (g24 * q2 + e[s.E_G44 + i] * q4) + zz * (z24 * q2 + e[s.E_Z44 + i] * q4)
        u4 += xz * (e[s.E_AY + i] - gy4 * q0) + yz * (p14 * q1 + p54 * q5)
        row[s.U4 + i] += u4 - 2.0 * (o0 * (p14 * v1 + p54 * v5) + o1 * gy4 * v0)
