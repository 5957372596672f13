"""The outward sweep in space: geometry, bias acceleration, own inertia and bias force of every body (NOTATION 1–7)."""

from __future__ import annotations

from ._jit import inner
from .columns import (
    B_JXX,
    B_JXY,
    B_JXZ,
    B_JYY,
    B_JYZ,
    B_JZZ,
    B_MASS,
    B_MCX,
    B_MCY,
    B_MCZ,
    B_OX,
    B_OY,
    B_OZ,
    B_R00,
    B_R01,
    B_R02,
    B_R10,
    B_R11,
    B_R12,
    B_R20,
    B_R21,
    B_R22,
    CA0,
    CA1,
    CA2,
    CL0,
    CL1,
    CL2,
    DX,
    DY,
    DZ,
    H00,
    H01,
    H02,
    H10,
    H11,
    H12,
    H20,
    H21,
    H22,
    JXX,
    JXY,
    JXZ,
    JYY,
    JYZ,
    JZZ,
    MXX,
    MXY,
    MXZ,
    MYY,
    MYZ,
    MZZ,
    PF0,
    PF1,
    PF2,
    PN0,
    PN1,
    PN2,
    R00,
    R01,
    R02,
    R10,
    R11,
    R12,
    R20,
    R21,
    R22,
    W0,
    W1,
    W2,
)
from .questions import is_zero
from .trigonometry import sincos
from .types import (
    PRISMATIC,
    REVOLUTE,
    T_COORD,
    T_JOINT,
    T_PARENT,
    Floats,
    SpatialTree,
)


@inner
def outward(tree: SpatialTree, q: Floats, v: Floats, work: Floats) -> None:
    """Fill geometry, own inertia and bias force of every body for the state q, v."""
    geometry(tree, q, v, work)
    for i in range(tree.topology.shape[0]):
        own_inertia(tree.body, i, work)


@inner
def geometry(tree: SpatialTree, q: Floats, v: Floats, work: Floats) -> None:
    """Fill orientation, d, angular velocity and bias acceleration of every body for the state q, v."""
    topology = tree.topology
    body = tree.body
    for j in range(CL2 + 1):
        work[0, j] = 0.0
    work[0, R00] = 1.0
    work[0, R11] = 1.0
    work[0, R22] = 1.0
    for i in range(1, topology.shape[0]):
        up = topology[i, T_PARENT]
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        u00 = work[up, R00]
        u01 = work[up, R01]
        u02 = work[up, R02]
        u10 = work[up, R10]
        u11 = work[up, R11]
        u12 = work[up, R12]
        u20 = work[up, R20]
        u21 = work[up, R21]
        u22 = work[up, R22]
        w0 = work[up, W0]
        w1 = work[up, W1]
        w2 = work[up, W2]
        # (1)
        t00 = body[i, B_R00]
        t01 = body[i, B_R01]
        t02 = body[i, B_R02]
        t10 = body[i, B_R10]
        t11 = body[i, B_R11]
        t12 = body[i, B_R12]
        t20 = body[i, B_R20]
        t21 = body[i, B_R21]
        t22 = body[i, B_R22]
        r00 = u00 * t00 + u01 * t10 + u02 * t20
        r10 = u10 * t00 + u11 * t10 + u12 * t20
        r20 = u20 * t00 + u21 * t10 + u22 * t20
        r01 = u00 * t01 + u01 * t11 + u02 * t21
        r11 = u10 * t01 + u11 * t11 + u12 * t21
        r21 = u20 * t01 + u21 * t11 + u22 * t21
        zx = u00 * t02 + u01 * t12 + u02 * t22
        zy = u10 * t02 + u11 * t12 + u12 * t22
        zz = u20 * t02 + u21 * t12 + u22 * t22
        # (2)
        ox = body[i, B_OX]
        oy = body[i, B_OY]
        oz = body[i, B_OZ]
        dx = u00 * ox + u01 * oy + u02 * oz
        dy = u10 * ox + u11 * oy + u12 * oz
        dz = u20 * ox + u21 * oy + u22 * oz
        ca0 = ca1 = ca2 = 0.0
        sx = sy = sz = 0.0
        x0 = w0
        x1 = w1
        x2 = w2
        if kind == REVOLUTE:
            sin, cos = sincos(q[c])
            r00, r01 = cos * r00 + sin * r01, cos * r01 - sin * r00
            r10, r11 = cos * r10 + sin * r11, cos * r11 - sin * r10
            r20, r21 = cos * r20 + sin * r21, cos * r21 - sin * r20
            rate = v[c]
            # (5): ω_λ × z v
            ca0 = (w1 * zz - w2 * zy) * rate
            ca1 = (w2 * zx - w0 * zz) * rate
            ca2 = (w0 * zy - w1 * zx) * rate
            x0 += zx * rate
            x1 += zy * rate
            x2 += zz * rate
        elif kind == PRISMATIC:
            dx += zx * q[c]
            dy += zy * q[c]
            dz += zz * q[c]
            slip = 2.0 * v[c]
            sx = (w1 * zz - w2 * zy) * slip
            sy = (w2 * zx - w0 * zz) * slip
            sz = (w0 * zy - w1 * zx) * slip
        e0 = w1 * dz - w2 * dy
        e1 = w2 * dx - w0 * dz
        e2 = w0 * dy - w1 * dx
        work[i, CL0] = w1 * e2 - w2 * e1 + sx
        work[i, CL1] = w2 * e0 - w0 * e2 + sy
        work[i, CL2] = w0 * e1 - w1 * e0 + sz
        work[i, CA0] = ca0
        work[i, CA1] = ca1
        work[i, CA2] = ca2
        work[i, R00] = r00
        work[i, R01] = r01
        work[i, R02] = zx
        work[i, R10] = r10
        work[i, R11] = r11
        work[i, R12] = zy
        work[i, R20] = r20
        work[i, R21] = r21
        work[i, R22] = zz
        work[i, DX] = dx
        work[i, DY] = dy
        work[i, DZ] = dz
        work[i, W0] = x0
        work[i, W1] = x1
        work[i, W2] = x2


@inner
def own_inertia(body: Floats, i: int, work: Floats) -> None:
    """Fill J, H, M and the bias force of body i in base axes (NOTATION 6, 7)."""
    m = body[i, B_MASS]
    r00 = work[i, R00]
    r01 = work[i, R01]
    r02 = work[i, R02]
    r10 = work[i, R10]
    r11 = work[i, R11]
    r12 = work[i, R12]
    r20 = work[i, R20]
    r21 = work[i, R21]
    r22 = work[i, R22]
    w0 = work[i, W0]
    w1 = work[i, W1]
    w2 = work[i, W2]
    bxx = body[i, B_JXX]
    bxy = body[i, B_JXY]
    bxz = body[i, B_JXZ]
    byy = body[i, B_JYY]
    byz = body[i, B_JYZ]
    bzz = body[i, B_JZZ]
    if is_zero(m) and is_zero(bxx) and is_zero(byy) and is_zero(bzz):
        for j in range(JXX, PF2 + 1):
            work[i, j] = 0.0
        return
    k00 = r00 * bxx + r01 * bxy + r02 * bxz
    k01 = r00 * bxy + r01 * byy + r02 * byz
    k02 = r00 * bxz + r01 * byz + r02 * bzz
    k10 = r10 * bxx + r11 * bxy + r12 * bxz
    k11 = r10 * bxy + r11 * byy + r12 * byz
    k12 = r10 * bxz + r11 * byz + r12 * bzz
    k20 = r20 * bxx + r21 * bxy + r22 * bxz
    k21 = r20 * bxy + r21 * byy + r22 * byz
    k22 = r20 * bxz + r21 * byz + r22 * bzz
    jxx = k00 * r00 + k01 * r01 + k02 * r02
    jxy = k00 * r10 + k01 * r11 + k02 * r12
    jxz = k00 * r20 + k01 * r21 + k02 * r22
    jyy = k10 * r10 + k11 * r11 + k12 * r12
    jyz = k10 * r20 + k11 * r21 + k12 * r22
    jzz = k20 * r20 + k21 * r21 + k22 * r22
    c0 = body[i, B_MCX]
    c1 = body[i, B_MCY]
    c2 = body[i, B_MCZ]
    mx = r00 * c0 + r01 * c1 + r02 * c2
    my = r10 * c0 + r11 * c1 + r12 * c2
    mz = r20 * c0 + r21 * c1 + r22 * c2
    work[i, JXX] = jxx
    work[i, JXY] = jxy
    work[i, JXZ] = jxz
    work[i, JYY] = jyy
    work[i, JYZ] = jyz
    work[i, JZZ] = jzz
    work[i, H00] = 0.0
    work[i, H01] = -mz
    work[i, H02] = my
    work[i, H10] = mz
    work[i, H11] = 0.0
    work[i, H12] = -mx
    work[i, H20] = -my
    work[i, H21] = mx
    work[i, H22] = 0.0
    work[i, MXX] = m
    work[i, MXY] = 0.0
    work[i, MXZ] = 0.0
    work[i, MYY] = m
    work[i, MYZ] = 0.0
    work[i, MZZ] = m
    # b = (ω × Jω ; ω × (ω × mc))
    l0 = jxx * w0 + jxy * w1 + jxz * w2
    l1 = jxy * w0 + jyy * w1 + jyz * w2
    l2 = jxz * w0 + jyz * w1 + jzz * w2
    work[i, PN0] = w1 * l2 - w2 * l1
    work[i, PN1] = w2 * l0 - w0 * l2
    work[i, PN2] = w0 * l1 - w1 * l0
    e0 = w1 * mz - w2 * my
    e1 = w2 * mx - w0 * mz
    e2 = w0 * my - w1 * mx
    work[i, PF0] = w1 * e2 - w2 * e1
    work[i, PF1] = w2 * e0 - w0 * e2
    work[i, PF2] = w0 * e1 - w1 * e0
