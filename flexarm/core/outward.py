"""The outward sweep in space: geometry, bias accelerations, own inertia and bias forces of every body (NOTATION 1–7)."""

from __future__ import annotations

from ._jit import jit
from .trigonometry import sincos
from .types import (
    B_J,
    B_MASS,
    B_MC,
    B_OFF,
    B_ROT,
    PRISMATIC,
    REVOLUTE,
    T_COORD,
    T_JOINT,
    T_PARENT,
    Floats,
    SpatialTree,
)

# Columns of the work array, one row per body: orientation, d, ω, bias acceleration (angular, linear), inertia J, H, M, bias force (moment, force).
R, DX, DY, DZ, W, CA, CL, J, H, M, PN, PF = 0, 9, 10, 11, 12, 15, 18, 21, 27, 36, 42, 45


@jit
def outward(tree: SpatialTree, q: Floats, v: Floats, work: Floats) -> None:
    """Fill the first 48 columns of the work array for the state q, v."""
    topology, body = tree.topology, tree.body
    for j in range(48):
        work[0, j] = 0.0
    work[0, R] = 1.0
    work[0, R + 4] = 1.0
    work[0, R + 8] = 1.0
    for i in range(1, topology.shape[0]):
        up = topology[i, T_PARENT]
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        u00, u01, u02 = work[up, R], work[up, R + 1], work[up, R + 2]
        u10, u11, u12 = work[up, R + 3], work[up, R + 4], work[up, R + 5]
        u20, u21, u22 = work[up, R + 6], work[up, R + 7], work[up, R + 8]
        w0, w1, w2 = work[up, W], work[up, W + 1], work[up, W + 2]
        # (1)
        t00, t01, t02 = body[i, B_ROT], body[i, B_ROT + 1], body[i, B_ROT + 2]
        t10, t11, t12 = body[i, B_ROT + 3], body[i, B_ROT + 4], body[i, B_ROT + 5]
        t20, t21, t22 = body[i, B_ROT + 6], body[i, B_ROT + 7], body[i, B_ROT + 8]
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
        ox, oy, oz = body[i, B_OFF], body[i, B_OFF + 1], body[i, B_OFF + 2]
        dx = u00 * ox + u01 * oy + u02 * oz
        dy = u10 * ox + u11 * oy + u12 * oz
        dz = u20 * ox + u21 * oy + u22 * oz
        ca0 = ca1 = ca2 = 0.0
        sx = sy = sz = 0.0
        x0, x1, x2 = w0, w1, w2
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
        work[i, CL] = w1 * e2 - w2 * e1 + sx
        work[i, CL + 1] = w2 * e0 - w0 * e2 + sy
        work[i, CL + 2] = w0 * e1 - w1 * e0 + sz
        work[i, CA] = ca0
        work[i, CA + 1] = ca1
        work[i, CA + 2] = ca2
        work[i, R] = r00
        work[i, R + 1] = r01
        work[i, R + 2] = zx
        work[i, R + 3] = r10
        work[i, R + 4] = r11
        work[i, R + 5] = zy
        work[i, R + 6] = r20
        work[i, R + 7] = r21
        work[i, R + 8] = zz
        work[i, DX] = dx
        work[i, DY] = dy
        work[i, DZ] = dz
        work[i, W] = x0
        work[i, W + 1] = x1
        work[i, W + 2] = x2
        m = body[i, B_MASS]
        own_inertia(body, i, m, r00, r01, zx, r10, r11, zy, r20, r21, zz, x0, x1, x2, work)


@jit
def own_inertia(
    body: Floats,
    i: int,
    m: float,
    r00: float,
    r01: float,
    r02: float,
    r10: float,
    r11: float,
    r12: float,
    r20: float,
    r21: float,
    r22: float,
    w0: float,
    w1: float,
    w2: float,
    work: Floats,
) -> None:
    """Fill J, H, M and the bias force of body i in base axes (NOTATION 6, 7)."""
    bxx, bxy, bxz = body[i, B_J], body[i, B_J + 1], body[i, B_J + 2]
    byy, byz, bzz = body[i, B_J + 3], body[i, B_J + 4], body[i, B_J + 5]
    if m == 0.0 and bxx == 0.0 and byy == 0.0 and bzz == 0.0:
        for j in range(J, PF + 3):
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
    c0, c1, c2 = body[i, B_MC], body[i, B_MC + 1], body[i, B_MC + 2]
    mx = r00 * c0 + r01 * c1 + r02 * c2
    my = r10 * c0 + r11 * c1 + r12 * c2
    mz = r20 * c0 + r21 * c1 + r22 * c2
    work[i, J] = jxx
    work[i, J + 1] = jxy
    work[i, J + 2] = jxz
    work[i, J + 3] = jyy
    work[i, J + 4] = jyz
    work[i, J + 5] = jzz
    work[i, H] = 0.0
    work[i, H + 1] = -mz
    work[i, H + 2] = my
    work[i, H + 3] = mz
    work[i, H + 4] = 0.0
    work[i, H + 5] = -mx
    work[i, H + 6] = -my
    work[i, H + 7] = mx
    work[i, H + 8] = 0.0
    work[i, M] = m
    work[i, M + 1] = 0.0
    work[i, M + 2] = 0.0
    work[i, M + 3] = m
    work[i, M + 4] = 0.0
    work[i, M + 5] = m
    # b = (ω × Jω ; ω × (ω × mc))
    l0 = jxx * w0 + jxy * w1 + jxz * w2
    l1 = jxy * w0 + jyy * w1 + jyz * w2
    l2 = jxz * w0 + jyz * w1 + jzz * w2
    work[i, PN] = w1 * l2 - w2 * l1
    work[i, PN + 1] = w2 * l0 - w0 * l2
    work[i, PN + 2] = w0 * l1 - w1 * l0
    e0 = w1 * mz - w2 * my
    e1 = w2 * mx - w0 * mz
    e2 = w0 * my - w1 * mx
    work[i, PF] = w1 * e2 - w2 * e1
    work[i, PF + 1] = w2 * e0 - w0 * e2
    work[i, PF + 2] = w0 * e1 - w1 * e0
