"""The outward sweep of trees with flexible bodies in space (NOTATION 27–33): frames, own inertia, bias forces."""

from __future__ import annotations

from ._jit import inner
from .columns import B_JXX, B_MASS, B_MCX, B_OX, B_R00
from .flex_columns import HEAD, TC, TR, TW, C, D, I, P, R, S, T, W
from .flex_elastic import moment, own_elastic, spin
from .flex_rotation import factors
from .questions import is_zero
from .trigonometry import sincos
from .types import (
    PRISMATIC,
    REVOLUTE,
    T_COORD,
    T_COUNT,
    T_JOINT,
    T_PARENT,
    T_STANDS,
    Floats,
    SpatialFlexTree,
)


@inner
def turned(r: Floats, at: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """R (x, y, z) with R (9,) beginning at column `at`."""
    return (
        r[at] * x + r[at + 1] * y + r[at + 2] * z,
        r[at + 3] * x + r[at + 4] * y + r[at + 5] * z,
        r[at + 6] * x + r[at + 7] * y + r[at + 8] * z,
    )


@inner
def frame(tree: SpatialFlexTree, up: int, begin: int, q: Floats, v: Floats, work: Floats, i: int) -> None:
    """Fill r_t, R_t, ω_t, the bias and Y of the frame at `begin` on body `up` into row i (28–30)."""
    n = tree.topology[up, T_COUNT]
    c = tree.topology[up, T_COORD]
    row = work[i]
    base = work[up]
    y = row[HEAD : HEAD + 6 * n]
    a = tree.attachment[begin + 1 : begin + 1 + 6 * n]
    h = tree.attachment[begin + 1 + 6 * n : begin + 1 + 6 * n + n * n]
    more = tree.attachment[begin + 1 + 6 * n + n * n :]
    complete = not is_zero(more[0])
    x0 = tree.attachment[begin]
    x1 = x2 = t0 = t1 = t2 = d0 = d1 = d2 = 0.0
    u0 = u1 = u2 = fall = fall1 = fall2 = b0 = b1 = b2 = 0.0
    # Φ̂ = Φ − e_a (H_aη)ᵀ and Ψ̂ = Ψ + e_a (Q_aη)ᵀ stand in Y until they are turned
    for k in range(n):
        hk = 0.0
        dk = 0.0
        for j in range(n):
            hk += h[k * n + j] * q[c + j]
            dk += h[k * n + j] * v[c + j]
        e = q[c + k]
        d = v[c + k]
        x0 += (a[k] - 0.5 * hk) * e
        x1 += a[n + k] * e
        x2 += a[2 * n + k] * e
        t0 += a[3 * n + k] * e
        t1 += a[4 * n + k] * e
        t2 += a[5 * n + k] * e
        fall += dk * d
        y[6 * k] = a[3 * n + k]
        y[6 * k + 1] = a[4 * n + k]
        y[6 * k + 2] = a[5 * n + k]
        y[6 * k + 3] = a[k] - hk
        y[6 * k + 4] = a[n + k]
        y[6 * k + 5] = a[2 * n + k]
        if complete:
            y1 = y2 = q0 = q1 = q2 = z1 = z2 = r0 = r1 = r2 = 0.0
            for j in range(n):
                at = 1 + 5 * (k * n + j)
                qj = q[c + j]
                vj = v[c + j]
                y1 += more[at] * qj
                y2 += more[at + 1] * qj
                q0 += more[at + 2] * qj
                q1 += more[at + 3] * qj
                q2 += more[at + 4] * qj
                z1 += more[at] * vj
                z2 += more[at + 1] * vj
                r0 += more[at + 2] * vj
                r1 += more[at + 3] * vj
                r2 += more[at + 4] * vj
            x1 -= 0.5 * y1 * e
            x2 -= 0.5 * y2 * e
            t0 += 0.5 * q0 * e
            t1 += 0.5 * q1 * e
            t2 += 0.5 * q2 * e
            fall1 += z1 * d
            fall2 += z2 * d
            b0 += r0 * d
            b1 += r1 * d
            b2 += r2 * d
            y[6 * k] += q0
            y[6 * k + 1] += q1
            y[6 * k + 2] += q2
            y[6 * k + 4] -= y1
            y[6 * k + 5] -= y2
        d0 += y[6 * k] * d
        d1 += y[6 * k + 1] * d
        d2 += y[6 * k + 2] * d
        u0 += y[6 * k + 3] * d
        u1 += y[6 * k + 4] * d
        u2 += y[6 * k + 5] * d
    f0, f1, f2, g1, g2 = factors(t0 * t0 + t1 * t1 + t2 * t2)
    for k in range(n):
        # J_l Ψ̂ = Ψ̂ + f1 θ×Ψ̂ + f2 θ×(θ×Ψ̂)
        s0 = y[6 * k]
        s1 = y[6 * k + 1]
        s2 = y[6 * k + 2]
        m0 = t1 * s2 - t2 * s1
        m1 = t2 * s0 - t0 * s2
        m2 = t0 * s1 - t1 * s0
        s0 += f1 * m0 + f2 * (t1 * m2 - t2 * m1)
        s1 += f1 * m1 + f2 * (t2 * m0 - t0 * m2)
        s2 += f1 * m2 + f2 * (t0 * m1 - t1 * m0)
        y[6 * k], y[6 * k + 1], y[6 * k + 2] = turned(base, R, s0, s1, s2)
        y[6 * k + 3], y[6 * k + 4], y[6 * k + 5] = turned(base, R, y[6 * k + 3], y[6 * k + 4], y[6 * k + 5])
    if complete:
        # J_l times what rates make of θ̈ = Ψ̂η̈ + η̇ᵀQη̇
        m0 = t1 * b2 - t2 * b1
        m1 = t2 * b0 - t0 * b2
        m2 = t0 * b1 - t1 * b0
        b0 += f1 * m0 + f2 * (t1 * m2 - t2 * m1)
        b1 += f1 * m1 + f2 * (t2 * m0 - t0 * m2)
        b2 += f1 * m2 + f2 * (t0 * m1 - t1 * m0)
    # ω_r = J_l θ̇ and what is left of its derivative in the body's axes
    m0 = t1 * d2 - t2 * d1
    m1 = t2 * d0 - t0 * d2
    m2 = t0 * d1 - t1 * d0
    k0 = t1 * m2 - t2 * m1
    k1 = t2 * m0 - t0 * m2
    k2 = t0 * m1 - t1 * m0
    zd = 2.0 * (t0 * d0 + t1 * d1 + t2 * d2)
    e0, e1, e2 = turned(base, R, d0 + f1 * m0 + f2 * k0, d1 + f1 * m1 + f2 * k1, d2 + f1 * m2 + f2 * k2)
    b0, b1, b2 = turned(
        base,
        R,
        b0 + zd * (g1 * m0 + g2 * k0) + f2 * (d1 * m2 - d2 * m1),
        b1 + zd * (g1 * m1 + g2 * k1) + f2 * (d2 * m0 - d0 * m2),
        b2 + zd * (g1 * m2 + g2 * k2) + f2 * (d0 * m1 - d1 * m0),
    )
    w0 = base[W]
    w1 = base[W + 1]
    w2 = base[W + 2]
    row[TC] = b0 + w1 * e2 - w2 * e1
    row[TC + 1] = b1 + w2 * e0 - w0 * e2
    row[TC + 2] = b2 + w0 * e1 - w1 * e0
    row[TW] = w0 + e0
    row[TW + 1] = w1 + e1
    row[TW + 2] = w2 + e2
    r0, r1, r2 = turned(base, R, x0, x1, x2)
    row[T] = r0
    row[T + 1] = r1
    row[T + 2] = r2
    # ω×(ω×r + 2 Fη̇) − e_a η̇ᵀH_aη̇
    u0, u1, u2 = turned(base, R, u0, u1, u2)
    u0 = 2.0 * u0 + w1 * r2 - w2 * r1
    u1 = 2.0 * u1 + w2 * r0 - w0 * r2
    u2 = 2.0 * u2 + w0 * r1 - w1 * r0
    l0, l1, l2 = turned(base, R, fall, fall1, fall2)
    row[TC + 3] = w1 * u2 - w2 * u1 - l0
    row[TC + 4] = w2 * u0 - w0 * u2 - l1
    row[TC + 5] = w0 * u1 - w1 * u0 - l2
    # R_t = R (1 + f0 θ~ + f1 θ~²)
    for k in range(3):
        c0 = base[R + 3 * k]
        c1 = base[R + 3 * k + 1]
        c2 = base[R + 3 * k + 2]
        # rows of R times θ~ are (row × θ)
        m0 = c1 * t2 - c2 * t1
        m1 = c2 * t0 - c0 * t2
        m2 = c0 * t1 - c1 * t0
        row[TR + 3 * k] = c0 + f0 * m0 + f1 * (m1 * t2 - m2 * t1)
        row[TR + 3 * k + 1] = c1 + f0 * m1 + f1 * (m2 * t0 - m0 * t2)
        row[TR + 3 * k + 2] = c2 + f0 * m2 + f1 * (m0 * t1 - m1 * t0)


@inner
def own_rigid(tree: SpatialFlexTree, i: int, work: Floats) -> None:
    """Fill inertia and bias of the rigid body i (7)."""
    row = work[i]
    b = tree.body[i]
    m = b[B_MASS]
    inertia = row[I : I + 36]
    for k in range(36):
        inertia[k] = 0.0
    if is_zero(m) and is_zero(b[B_JXX]) and is_zero(b[B_JXX + 3]) and is_zero(b[B_JXX + 5]):
        for k in range(6):
            row[P + k] = 0.0
        for k in range(3):
            row[S + k] = 0.0
        return
    s0, s1, s2 = turned(row, R, b[B_MCX], b[B_MCX + 1], b[B_MCX + 2])
    spin(row, b[B_JXX], b[B_JXX + 1], b[B_JXX + 2], b[B_JXX + 3], b[B_JXX + 4], b[B_JXX + 5])
    moment(row, m, s0, s1, s2)
    w0 = row[W]
    w1 = row[W + 1]
    w2 = row[W + 2]
    h0 = inertia[0] * w0 + inertia[1] * w1 + inertia[2] * w2
    h1 = inertia[6] * w0 + inertia[7] * w1 + inertia[8] * w2
    h2 = inertia[12] * w0 + inertia[13] * w1 + inertia[14] * w2
    row[P] = w1 * h2 - w2 * h1
    row[P + 1] = w2 * h0 - w0 * h2
    row[P + 2] = w0 * h1 - w1 * h0
    k0 = w1 * s2 - w2 * s1
    k1 = w2 * s0 - w0 * s2
    k2 = w0 * s1 - w1 * s0
    row[P + 3] = w1 * k2 - w2 * k1
    row[P + 4] = w2 * k0 - w0 * k2
    row[P + 5] = w0 * k1 - w1 * k0


@inner
def flex_outward(tree: SpatialFlexTree, q: Floats, v: Floats, work: Floats) -> None:
    """Fill geometry, own inertia and bias forces of every body for the state q, v."""
    topology = tree.topology
    for k in range(HEAD):
        work[0, k] = 0.0
    work[0, R] = 1.0
    work[0, R + 4] = 1.0
    work[0, R + 8] = 1.0
    for i in range(1, topology.shape[0]):
        up = topology[i, T_PARENT]
        kind = topology[i, T_JOINT]
        c = topology[i, T_COORD]
        row = work[i]
        b = tree.body[i]
        if topology[i, T_STANDS] >= 0:
            frame(tree, up, topology[i, T_STANDS], q, v, work, i)
        else:
            for k in range(9):
                row[TR + k] = work[up, R + k]
            for k in range(3):
                row[TW + k] = work[up, W + k]
        w0 = row[TW]
        w1 = row[TW + 1]
        w2 = row[TW + 2]
        # R_i = R_t R_T (Rot_z)
        for k in range(3):
            r0 = row[TR + 3 * k]
            r1 = row[TR + 3 * k + 1]
            r2 = row[TR + 3 * k + 2]
            row[R + 3 * k] = r0 * b[B_R00] + r1 * b[B_R00 + 3] + r2 * b[B_R00 + 6]
            row[R + 3 * k + 1] = r0 * b[B_R00 + 1] + r1 * b[B_R00 + 4] + r2 * b[B_R00 + 7]
            row[R + 3 * k + 2] = r0 * b[B_R00 + 2] + r1 * b[B_R00 + 5] + r2 * b[B_R00 + 8]
        d0, d1, d2 = turned(row, TR, b[B_OX], b[B_OX + 1], b[B_OX + 2])
        z0 = row[R + 2]
        z1 = row[R + 5]
        z2 = row[R + 8]
        row[C] = 0.0
        row[C + 1] = 0.0
        row[C + 2] = 0.0
        e0 = e1 = e2 = 0.0
        row[W] = w0
        row[W + 1] = w1
        row[W + 2] = w2
        if kind == REVOLUTE:
            s, co = sincos(q[c])
            rate = v[c]
            for j in range(3):
                x = row[R + 3 * j]
                y = row[R + 3 * j + 1]
                row[R + 3 * j] = co * x + s * y
                row[R + 3 * j + 1] = co * y - s * x
            row[W] = w0 + z0 * rate
            row[W + 1] = w1 + z1 * rate
            row[W + 2] = w2 + z2 * rate
            row[C] = (w1 * z2 - w2 * z1) * rate
            row[C + 1] = (w2 * z0 - w0 * z2) * rate
            row[C + 2] = (w0 * z1 - w1 * z0) * rate
        elif kind == PRISMATIC:
            d0 += z0 * q[c]
            d1 += z1 * q[c]
            d2 += z2 * q[c]
            rate = 2.0 * v[c]
            e0 = z0 * rate
            e1 = z1 * rate
            e2 = z2 * rate
        row[D] = d0
        row[D + 1] = d1
        row[D + 2] = d2
        # ω×(ω×d + 2 z v)
        e0 += w1 * d2 - w2 * d1
        e1 += w2 * d0 - w0 * d2
        e2 += w0 * d1 - w1 * d0
        row[C + 3] = w1 * e2 - w2 * e1
        row[C + 4] = w2 * e0 - w0 * e2
        row[C + 5] = w0 * e1 - w1 * e0
        if topology[i, T_COUNT] > 0:
            own_elastic(tree, i, q, v, work)
        else:
            own_rigid(tree, i, work)
