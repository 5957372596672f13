"""Inertia, bias and far nodes of the elements of a spatial element tree (NOTATION 28–33)."""

from __future__ import annotations

from . import spatial_element_rows as s
from ._jit import inner
from .columns import B_JXX, B_JXY, B_JXZ, B_JYY, B_JYZ, B_JZZ, B_MCX, B_MCY, B_MCZ
from .types import Floats


@inner
def far_node(e: Floats, row: Floats) -> None:
    """Fill r_t, the bias and the columns of F and Ω at the far node (28–30)."""
    length = e[s.E_LENGTH]
    turns = e[s.E_TURNS]
    t11 = e[s.E_T11]
    t15 = e[s.E_T15]
    t55 = e[s.E_T55]
    t22 = e[s.E_T22]
    t24 = e[s.E_T24]
    t44 = e[s.E_T44]
    r00 = row[s.R00]
    r01 = row[s.R01]
    r02 = row[s.R02]
    r10 = row[s.R10]
    r11 = row[s.R11]
    r12 = row[s.R12]
    r20 = row[s.R20]
    r21 = row[s.R21]
    r22 = row[s.R22]
    w0 = row[s.W0]
    w1 = row[s.W1]
    w2 = row[s.W2]
    q1 = row[s.Q1]
    q2 = row[s.Q2]
    q3 = row[s.Q3]
    q4 = row[s.Q4]
    q5 = row[s.Q5]
    v1 = row[s.V1]
    v2 = row[s.V2]
    v4 = row[s.V4]
    v5 = row[s.V5]
    wr0 = row[s.WR0]
    wr1 = row[s.WR1]
    wr2 = row[s.WR2]
    jd0 = row[s.JD0]
    jd1 = row[s.JD1]
    jd2 = row[s.JD2]
    fa = row[s.FA]
    fb = row[s.FB]
    h1 = t11 * q1 + t15 * q5
    h5 = t15 * q1 + t55 * q5
    h2 = t22 * q2 + t24 * q4
    h4 = t24 * q2 + t44 * q4
    x = length - 0.5 * (h1 * q1 + h5 * q5 + h2 * q2 + h4 * q4)
    ux = -(h1 * v1 + h5 * v5 + h2 * v2 + h4 * v4)
    fall = (t11 * v1 + 2.0 * t15 * v5) * v1 + t55 * v5 * v5
    fall += (t22 * v2 + 2.0 * t24 * v4) * v2 + t44 * v4 * v4
    row[s.T4] = h4
    row[s.T5] = h5
    x0 = r00 * x + r01 * q1 + r02 * q2
    u0 = 2.0 * (r00 * ux + r01 * v1 + r02 * v2)
    row[s.F10] = r01 - r00 * h1
    row[s.F20] = r02 - r00 * h2
    row[s.T0] = x0
    x1 = r10 * x + r11 * q1 + r12 * q2
    u1 = 2.0 * (r10 * ux + r11 * v1 + r12 * v2)
    row[s.F11] = r11 - r10 * h1
    row[s.F21] = r12 - r10 * h2
    row[s.T1] = x1
    x2 = r20 * x + r21 * q1 + r22 * q2
    u2 = 2.0 * (r20 * ux + r21 * v1 + r22 * v2)
    row[s.F12] = r21 - r20 * h1
    row[s.F22] = r22 - r20 * h2
    row[s.T2] = x2
    # ω×(ω×r + 2Fη̇) − e_x η̇ᵀHη̇
    u0 += w1 * x2 - w2 * x1
    u1 += w2 * x0 - w0 * x2
    u2 += w0 * x1 - w1 * x0
    row[s.TL0] = w1 * u2 - w2 * u1 - r00 * fall
    row[s.TL1] = w2 * u0 - w0 * u2 - r10 * fall
    row[s.TL2] = w0 * u1 - w1 * u0 - r20 * fall
    # ω×Ωη̇ + R J̇_lθ̇
    g0 = r00 * wr0 + r01 * wr1 + r02 * wr2
    g1 = r10 * wr0 + r11 * wr1 + r12 * wr2
    g2 = r20 * wr0 + r21 * wr1 + r22 * wr2
    row[s.TA0] = w1 * g2 - w2 * g1 + r00 * jd0 + r01 * jd1 + r02 * jd2
    row[s.TA1] = w2 * g0 - w0 * g2 + r10 * jd0 + r11 * jd1 + r12 * jd2
    row[s.TA2] = w0 * g1 - w1 * g0 + r20 * jd0 + r21 * jd1 + r22 * jd2
    # Ω = R J_l, J_l = 1 + f1 θ~ + f2 θ~²
    a = fa
    b = fb
    j00 = 1.0 - b * (q4 * q4 + q5 * q5)
    j11 = 1.0 - b * (q3 * q3 + q5 * q5)
    j22 = 1.0 - b * (q3 * q3 + q4 * q4)
    j01 = b * q3 * q4 - a * q5
    j10 = b * q3 * q4 + a * q5
    j02 = b * q3 * q5 + a * q4
    j20 = b * q3 * q5 - a * q4
    j12 = b * q4 * q5 - a * q3
    j21 = b * q4 * q5 + a * q3
    row[s.O30] = turns * (r00 * j00 + r01 * j10 + r02 * j20)
    row[s.O31] = turns * (r10 * j00 + r11 * j10 + r12 * j20)
    row[s.O32] = turns * (r20 * j00 + r21 * j10 + r22 * j20)
    row[s.O40] = r00 * j01 + r01 * j11 + r02 * j21
    row[s.O41] = r10 * j01 + r11 * j11 + r12 * j21
    row[s.O42] = r20 * j01 + r21 * j11 + r22 * j21
    row[s.O50] = r00 * j02 + r01 * j12 + r02 * j22
    row[s.O51] = r10 * j02 + r11 * j12 + r12 * j22
    row[s.O52] = r20 * j02 + r21 * j12 + r22 * j22


@inner
def own(b: Floats, e: Floats, row: Floats) -> None:
    """Fill inertia, first moment and bias of an element, and what its rotation does to the forces on η (31–33)."""
    mcx = b[B_MCX]
    mcy = b[B_MCY]
    mcz = b[B_MCZ]
    bxx = b[B_JXX]
    bxy = b[B_JXY]
    bxz = b[B_JXZ]
    byy = b[B_JYY]
    byz = b[B_JYZ]
    bzz = b[B_JZZ]
    sv = e[s.E_SV]
    sz = e[s.E_SZ]
    sw = e[s.E_SW]
    sy = e[s.E_SY]
    av = e[s.E_AV]
    az = e[s.E_AZ]
    aw = e[s.E_AW]
    ay = e[s.E_AY]
    c3x = e[s.E_C3X]
    c2y = e[s.E_C2Y]
    c4y = e[s.E_C4Y]
    c1z = e[s.E_C1Z]
    c5z = e[s.E_C5Z]
    h11 = e[s.E_H11]
    h15 = e[s.E_H15]
    h55 = e[s.E_H55]
    h22 = e[s.E_H22]
    h24 = e[s.E_H24]
    h44 = e[s.E_H44]
    g11 = e[s.E_G11]
    g15 = e[s.E_G15]
    g55 = e[s.E_G55]
    g22 = e[s.E_G22]
    g24 = e[s.E_G24]
    g44 = e[s.E_G44]
    y11 = e[s.E_Y11]
    y15 = e[s.E_Y15]
    y55 = e[s.E_Y55]
    z22 = e[s.E_Z22]
    z24 = e[s.E_Z24]
    z44 = e[s.E_Z44]
    p12 = e[s.E_P12]
    p14 = e[s.E_P14]
    p52 = e[s.E_P52]
    p54 = e[s.E_P54]
    r00 = row[s.R00]
    r01 = row[s.R01]
    r02 = row[s.R02]
    r10 = row[s.R10]
    r11 = row[s.R11]
    r12 = row[s.R12]
    r20 = row[s.R20]
    r21 = row[s.R21]
    r22 = row[s.R22]
    w0 = row[s.W0]
    w1 = row[s.W1]
    w2 = row[s.W2]
    q1 = row[s.Q1]
    q2 = row[s.Q2]
    q4 = row[s.Q4]
    q5 = row[s.Q5]
    v1 = row[s.V1]
    v2 = row[s.V2]
    v3 = row[s.V3]
    v4 = row[s.V4]
    v5 = row[s.V5]
    o0 = r00 * w0 + r10 * w1 + r20 * w2
    o1 = r01 * w0 + r11 * w1 + r21 * w2
    o2 = r02 * w0 + r12 * w1 + r22 * w2
    qxx = o1 * o1 + o2 * o2
    qyy = o0 * o0 + o2 * o2
    qzz = o0 * o0 + o1 * o1
    h1 = h11 * q1 + h15 * q5
    h5 = h15 * q1 + h55 * q5
    h2 = h22 * q2 + h24 * q4
    h4 = h24 * q2 + h44 * q4
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
    # forces on the coordinates: −b_η
    row[s.U1] += qxx * gx1 + qyy * gy1 - o0 * o1 * av - o1 * o2 * e1
    row[s.U1] += 2.0 * o0 * (p12 * v2 + p14 * v4)
    row[s.U5] += qxx * gx5 + qyy * gy5 - o0 * o1 * az - o1 * o2 * e5
    row[s.U5] += 2.0 * o0 * (p52 * v2 + p54 * v4)
    row[s.U2] += qxx * gx2 + qzz * gz2 - o0 * o2 * aw - o1 * o2 * e2
    row[s.U2] -= 2.0 * o0 * (p12 * v1 + p52 * v5)
    row[s.U4] += qxx * gx4 + qzz * gz4 - o0 * o2 * ay - o1 * o2 * e4
    row[s.U4] -= 2.0 * o0 * (p14 * v1 + p54 * v5)
    # W and its rate
    wxx = gx1 * q1 + gx5 * q5 + gx2 * q2 + gx4 * q4
    wyy = gy1 * q1 + gy5 * q5
    wzz = gz2 * q2 + gz4 * q4
    dxx = 2.0 * (gx1 * v1 + gx5 * v5 + gx2 * v2 + gx4 * v4)
    dyy = 2.0 * (gy1 * v1 + gy5 * v5)
    dzz = 2.0 * (gz2 * v2 + gz4 * v4)
    dxy = av * v1 + az * v5
    dxz = aw * v2 + ay * v4
    dyz = e1 * v1 + e5 * v5 + e2 * v2 + e4 * v4
    xx = bxx + wyy + wzz
    yy = byy + wxx + wzz
    zz = bzz + wxx + wyy
    xy = bxy - av * q1 - az * q5
    xz = bxz - aw * q2 - ay * q4
    yz = byz - q1 * e1 - q5 * e5
    # S, Ṡ, Cη̇
    sx = mcx - 0.5 * (h1 * q1 + h5 * q5 + h2 * q2 + h4 * q4)
    sy_ = mcy + sv * q1 + sz * q5
    sz_ = mcz + sw * q2 + sy * q4
    ux = -(h1 * v1 + h5 * v5 + h2 * v2 + h4 * v4)
    uy = sv * v1 + sz * v5
    uz = sw * v2 + sy * v4
    fall = (h11 * v1 + 2.0 * h15 * v5) * v1 + h55 * v5 * v5
    fall += (h22 * v2 + 2.0 * h24 * v4) * v2 + h44 * v4 * v4
    m0 = xx * o0 + xy * o1 + xz * o2 + c3x * v3 - e1 * v1 - e5 * v5 + e2 * v2 + e4 * v4
    m1 = xy * o0 + yy * o1 + yz * o2 + c2y * v2 + c4y * v4
    m2 = xz * o0 + yz * o1 + zz * o2 + c1z * v1 + c5z * v5
    # (33), body axes
    n0 = (dyy + dzz) * o0 - dxy * o1 - dxz * o2 + o1 * m2 - o2 * m1
    n1 = (dxx + dzz) * o1 - dxy * o0 - dyz * o2 + o2 * m0 - o0 * m2
    n2 = (dxx + dyy) * o2 - dxz * o0 - dyz * o1 + o0 * m1 - o1 * m0
    k0 = o1 * sz_ - o2 * sy_ + 2.0 * ux
    k1 = o2 * sx - o0 * sz_ + 2.0 * uy
    k2 = o0 * sy_ - o1 * sx + 2.0 * uz
    l0 = o1 * k2 - o2 * k1 - fall
    l1 = o2 * k0 - o0 * k2
    l2 = o0 * k1 - o1 * k0
    row[s.PN0] = r00 * n0 + r01 * n1 + r02 * n2
    row[s.PF0] = r00 * l0 + r01 * l1 + r02 * l2
    row[s.S0] = r00 * sx + r01 * sy_ + r02 * sz_
    row[s.PN1] = r10 * n0 + r11 * n1 + r12 * n2
    row[s.PF1] = r10 * l0 + r11 * l1 + r12 * l2
    row[s.S1] = r10 * sx + r11 * sy_ + r12 * sz_
    row[s.PN2] = r20 * n0 + r21 * n1 + r22 * n2
    row[s.PF2] = r20 * l0 + r21 * l1 + r22 * l2
    row[s.S2] = r20 * sx + r21 * sy_ + r22 * sz_
    a0 = r00 * xx + r01 * xy + r02 * xz
    b0 = r00 * xy + r01 * yy + r02 * yz
    c0 = r00 * xz + r01 * yz + r02 * zz
    a1 = r10 * xx + r11 * xy + r12 * xz
    b1 = r10 * xy + r11 * yy + r12 * yz
    c1 = r10 * xz + r11 * yz + r12 * zz
    a2 = r20 * xx + r21 * xy + r22 * xz
    b2 = r20 * xy + r21 * yy + r22 * yz
    c2 = r20 * xz + r21 * yz + r22 * zz
    row[s.JXX] = a0 * r00 + b0 * r01 + c0 * r02
    row[s.JXY] = a0 * r10 + b0 * r11 + c0 * r12
    row[s.JXZ] = a0 * r20 + b0 * r21 + c0 * r22
    row[s.JYY] = a1 * r10 + b1 * r11 + c1 * r12
    row[s.JYZ] = a1 * r20 + b1 * r21 + c1 * r22
    row[s.JZZ] = a2 * r20 + b2 * r21 + c2 * r22


@inner
def couplings(e: Floats, gh: float, bh2: float, row: Floats) -> None:
    """Fill the coupling of the coordinates with the frame's motion and their own inertia with what a step adds."""
    sv = e[s.E_SV]
    sz = e[s.E_SZ]
    sw = e[s.E_SW]
    sy = e[s.E_SY]
    c3x = e[s.E_C3X]
    c2y = e[s.E_C2Y]
    c4y = e[s.E_C4Y]
    c1z = e[s.E_C1Z]
    c5z = e[s.E_C5Z]
    h11 = e[s.E_H11]
    h15 = e[s.E_H15]
    h55 = e[s.E_H55]
    h22 = e[s.E_H22]
    h24 = e[s.E_H24]
    h44 = e[s.E_H44]
    p12 = e[s.E_P12]
    p14 = e[s.E_P14]
    p52 = e[s.E_P52]
    p54 = e[s.E_P54]
    r00 = row[s.R00]
    r01 = row[s.R01]
    r02 = row[s.R02]
    r10 = row[s.R10]
    r11 = row[s.R11]
    r12 = row[s.R12]
    r20 = row[s.R20]
    r21 = row[s.R21]
    r22 = row[s.R22]
    q1 = row[s.Q1]
    q2 = row[s.Q2]
    q4 = row[s.Q4]
    q5 = row[s.Q5]
    h1 = h11 * q1 + h15 * q5
    h5 = h15 * q1 + h55 * q5
    h2 = h22 * q2 + h24 * q4
    h4 = h24 * q2 + h44 * q4
    e1 = p12 * q2 + p14 * q4
    e5 = p52 * q2 + p54 * q4
    e2 = p12 * q1 + p52 * q5
    e4 = p14 * q1 + p54 * q5
    row[s.N10] = r02 * c1z - r00 * e1
    row[s.N20] = r00 * e2 + r01 * c2y
    row[s.N30] = r00 * c3x
    row[s.N40] = r00 * e4 + r01 * c4y
    row[s.N50] = r02 * c5z - r00 * e5
    row[s.L10] = r01 * sv - r00 * h1
    row[s.L20] = r02 * sw - r00 * h2
    row[s.L40] = r02 * sy - r00 * h4
    row[s.L50] = r01 * sz - r00 * h5
    row[s.N11] = r12 * c1z - r10 * e1
    row[s.N21] = r10 * e2 + r11 * c2y
    row[s.N31] = r10 * c3x
    row[s.N41] = r10 * e4 + r11 * c4y
    row[s.N51] = r12 * c5z - r10 * e5
    row[s.L11] = r11 * sv - r10 * h1
    row[s.L21] = r12 * sw - r10 * h2
    row[s.L41] = r12 * sy - r10 * h4
    row[s.L51] = r11 * sz - r10 * h5
    row[s.N12] = r22 * c1z - r20 * e1
    row[s.N22] = r20 * e2 + r21 * c2y
    row[s.N32] = r20 * c3x
    row[s.N42] = r20 * e4 + r21 * c4y
    row[s.N52] = r22 * c5z - r20 * e5
    row[s.L12] = r21 * sv - r20 * h1
    row[s.L22] = r22 * sw - r20 * h2
    row[s.L42] = r22 * sy - r20 * h4
    row[s.L52] = r21 * sz - r20 * h5
    for k in range(7):
        row[s.M11 + k] = e[s.E_M11 + k] + gh * e[s.E_D11 + k] + bh2 * e[s.E_K11 + k]


@inner
def own_rigid(b: Floats, row: Floats) -> None:
    """Fill inertia, first moment and bias of a rigid body (7)."""
    w0 = row[s.W0]
    w1 = row[s.W1]
    w2 = row[s.W2]
    for k in range(3):
        row[s.S0 + k] = (
            row[s.R00 + 3 * k] * b[B_MCX] + row[s.R00 + 3 * k + 1] * b[B_MCY] + row[s.R00 + 3 * k + 2] * b[B_MCZ]
        )
    k = 0
    for x in range(3):
        r0 = row[s.R00 + 3 * x]
        r1 = row[s.R00 + 3 * x + 1]
        r2 = row[s.R00 + 3 * x + 2]
        a0 = r0 * b[B_JXX] + r1 * b[B_JXY] + r2 * b[B_JXZ]
        a1 = r0 * b[B_JXY] + r1 * b[B_JYY] + r2 * b[B_JYZ]
        a2 = r0 * b[B_JXZ] + r1 * b[B_JYZ] + r2 * b[B_JZZ]
        for y in range(x, 3):
            row[s.JXX + k] = a0 * row[s.R00 + 3 * y] + a1 * row[s.R00 + 3 * y + 1] + a2 * row[s.R00 + 3 * y + 2]
            k += 1
    m0 = row[s.JXX] * w0 + row[s.JXY] * w1 + row[s.JXZ] * w2
    m1 = row[s.JXY] * w0 + row[s.JYY] * w1 + row[s.JYZ] * w2
    m2 = row[s.JXZ] * w0 + row[s.JYZ] * w1 + row[s.JZZ] * w2
    row[s.PN0] = w1 * m2 - w2 * m1
    row[s.PN1] = w2 * m0 - w0 * m2
    row[s.PN2] = w0 * m1 - w1 * m0
    k0 = w1 * row[s.S2] - w2 * row[s.S1]
    k1 = w2 * row[s.S0] - w0 * row[s.S2]
    k2 = w0 * row[s.S1] - w1 * row[s.S0]
    row[s.PF0] = w1 * k2 - w2 * k1
    row[s.PF1] = w2 * k0 - w0 * k2
    row[s.PF2] = w0 * k1 - w1 * k0
