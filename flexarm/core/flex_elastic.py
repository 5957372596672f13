"""Inertia and bias of one flexible body in space, from its invariants (NOTATION 31–33)."""

from __future__ import annotations

from ._jit import inner
from .columns import B_JXX, B_MASS, B_MCX
from .flex_columns import HEAD, I, P, R, S, W
from .questions import is_zero
from .types import T_COORD, T_COUNT, T_DATA, Floats, SpatialFlexTree


@inner
def own_elastic(tree: SpatialFlexTree, i: int, q: Floats, v: Floats, work: Floats) -> None:
    """Fill inertia and bias of the flexible body i, elastic forces left out."""
    topology = tree.topology
    most = topology[0, T_COUNT]
    n = topology[i, T_COUNT]
    nn = n * n
    c = topology[i, T_COORD]
    begin = topology[i, T_DATA]
    e = tree.elastic[begin : begin + 9 * n]
    me = tree.elastic[begin + 9 * n : begin + 9 * n + nn]
    together = tree.elastic[begin + 9 * n + 3 * nn : begin + 9 * n + 13 * nn]
    row = work[i]
    b = tree.body[i]
    coupling = row[HEAD + 6 * most : HEAD + 12 * most]
    force = row[HEAD + 20 * most : HEAD + 21 * most]
    inertia = row[HEAD + 21 * most : HEAD + 21 * most + nn]
    r00 = row[R]
    r01 = row[R + 1]
    r02 = row[R + 2]
    r10 = row[R + 3]
    r11 = row[R + 4]
    r12 = row[R + 5]
    r20 = row[R + 6]
    r21 = row[R + 7]
    r22 = row[R + 8]
    # angular velocity in the body's axes
    w0 = r00 * row[W] + r10 * row[W + 1] + r20 * row[W + 2]
    w1 = r01 * row[W] + r11 * row[W + 1] + r21 * row[W + 2]
    w2 = r02 * row[W] + r12 * row[W + 1] + r22 * row[W + 2]
    qxx = w1 * w1 + w2 * w2
    qyy = w0 * w0 + w2 * w2
    qzz = w0 * w0 + w1 * w1
    qxy = -w0 * w1
    qxz = -w0 * w2
    qyz = -w1 * w2
    sx = b[B_MCX]
    sy = sz = 0.0
    wxx = wyy = wzz = wxy = wxz = wyz = 0.0
    dxx = dyy = dzz = dxy = dxz = dyz = 0.0
    ux = uy = uz = fall = cx = cy = cz = 0.0
    for k in range(n):
        h = hv = gxx = gyy = gzz = gxy = gxz = gyz = tx = ty = tz = vx = vy = vz = 0.0
        for j in range(n):
            x = q[c + j]
            u = v[c + j]
            at = 10 * (k * n + j)
            inertia[k * n + j] = me[k * n + j]
            h += together[at] * x
            hv += together[at] * u
            gxx += together[at + 1] * x
            gyy += together[at + 2] * x
            gzz += together[at + 3] * x
            gxy += together[at + 4] * x
            gxz += together[at + 5] * x
            gyz += together[at + 6] * x
            # Γ is antisymmetric: its column is minus its row
            tx -= together[at + 7] * x
            ty -= together[at + 8] * x
            tz -= together[at + 9] * x
            vx -= together[at + 7] * u
            vy -= together[at + 8] * u
            vz -= together[at + 9] * u
        x = q[c + k]
        u = v[c + k]
        axx = e[3 * n + k]
        axy = e[4 * n + k]
        axz = e[5 * n + k]
        # (31): S, W and their rates
        f0 = e[k] - h
        f1 = e[n + k]
        f2 = e[2 * n + k]
        sx += (e[k] - 0.5 * h) * x
        sy += f1 * x
        sz += f2 * x
        ux += f0 * u
        uy += f1 * u
        uz += f2 * u
        fall += hv * u
        wxx += (2.0 * axx + gxx) * x
        wyy += gyy * x
        wzz += gzz * x
        wxy += (axy + gxy) * x
        wxz += (axz + gxz) * x
        wyz += gyz * x
        dxx += 2.0 * (axx + gxx) * u
        dyy += 2.0 * gyy * u
        dzz += 2.0 * gzz * u
        dxy += (axy + 2.0 * gxy) * u
        dxz += (axz + 2.0 * gxz) * u
        dyz += 2.0 * gyz * u
        c0 = e[6 * n + k] + tx
        c1 = e[7 * n + k] + ty
        c2 = e[8 * n + k] + tz
        cx += c0 * u
        cy += c1 * u
        cz += c2 * u
        coupling[6 * k] = r00 * c0 + r01 * c1 + r02 * c2
        coupling[6 * k + 1] = r10 * c0 + r11 * c1 + r12 * c2
        coupling[6 * k + 2] = r20 * c0 + r21 * c1 + r22 * c2
        coupling[6 * k + 3] = r00 * f0 + r01 * f1 + r02 * f2
        coupling[6 * k + 4] = r10 * f0 + r11 * f1 + r12 * f2
        coupling[6 * k + 5] = r20 * f0 + r21 * f1 + r22 * f2
        # (33), third line
        bend = qxx * (axx + gxx) + qyy * gyy + qzz * gzz
        bend += qxy * (axy + 2.0 * gxy) + qxz * (axz + 2.0 * gxz) + 2.0 * qyz * gyz
        force[k] = 2.0 * (w0 * vx + w1 * vy + w2 * vz) - bend
    t0 = t1 = t2 = s1 = s2 = 0.0
    more = tree.elastic[begin + 9 * n + 13 * nn :]
    if not is_zero(more[0]):
        g = tree.gravity
        g0 = r00 * g[0] + r10 * g[1] + r20 * g[2]
        g1 = r01 * g[0] + r11 * g[1] + r21 * g[2]
        g2 = r02 * g[0] + r12 * g[1] + r22 * g[2]
        wyz2, dyz2, c0, c1, c2, t0, t1, t2, s1, s2 = products(more, n, c, q, v, row, coupling, force, qyz, g1, g2)
        wyz += wyz2
        dyz += dyz2
        cx += c0
        cy += c1
        cz += c2
        # the weight's moment about the frame is none of the base's acceleration
        t0 -= s1 * g2 - s2 * g1
        t1 -= s2 * g0
        t2 += s1 * g0
    # J = tr(W) 1 − W + J_r, the constant part of all of it in the body's row
    jxx = b[B_JXX] + wyy + wzz
    jyy = b[B_JXX + 3] + wxx + wzz
    jzz = b[B_JXX + 5] + wxx + wyy
    jxy = b[B_JXX + 1] - wxy
    jxz = b[B_JXX + 2] - wxz
    jyz = b[B_JXX + 4] - wyz
    # (33), first two lines, body axes: J̇ω + ω×(Jω + Cη̇), ω×(ω×S + 2Ṡ) − e_x η̇ᵀH0η̇
    h0 = jxx * w0 + jxy * w1 + jxz * w2 + cx
    h1 = jxy * w0 + jyy * w1 + jyz * w2 + cy
    h2 = jxz * w0 + jyz * w1 + jzz * w2 + cz
    n0 = t0 + (dyy + dzz) * w0 - dxy * w1 - dxz * w2 + w1 * h2 - w2 * h1
    n1 = t1 + (dxx + dzz) * w1 - dxy * w0 - dyz * w2 + w2 * h0 - w0 * h2
    n2 = t2 + (dxx + dyy) * w2 - dxz * w0 - dyz * w1 + w0 * h1 - w1 * h0
    k0 = w1 * sz - w2 * sy + 2.0 * ux
    k1 = w2 * sx - w0 * sz + 2.0 * uy
    k2 = w0 * sy - w1 * sx + 2.0 * uz
    p0 = w1 * k2 - w2 * k1 - fall
    p1 = w2 * k0 - w0 * k2
    p2 = w0 * k1 - w1 * k0
    row[P] = r00 * n0 + r01 * n1 + r02 * n2
    row[P + 1] = r10 * n0 + r11 * n1 + r12 * n2
    row[P + 2] = r20 * n0 + r21 * n1 + r22 * n2
    row[P + 3] = r00 * p0 + r01 * p1 + r02 * p2
    row[P + 4] = r10 * p0 + r11 * p1 + r12 * p2
    row[P + 5] = r20 * p0 + r21 * p1 + r22 * p2
    for k in range(I, I + 36):
        row[k] = 0.0
    spin(row, jxx, jxy, jxz, jyy, jyz, jzz)
    moment(
        row,
        b[B_MASS],
        r00 * sx + r01 * sy + r02 * sz,
        r10 * sx + r11 * sy + r12 * sz,
        r20 * sx + r21 * sy + r22 * sz,
    )
    # what the weight works on has all of the second order, inertia has not
    row[S] += r01 * s1 + r02 * s2
    row[S + 1] += r11 * s1 + r12 * s2
    row[S + 2] += r21 * s1 + r22 * s2


@inner
def products(
    more: Floats,
    n: int,
    c: int,
    q: Floats,
    v: Floats,
    row: Floats,
    coupling: Floats,
    force: Floats,
    qyz: float,
    gy: float,
    gz: float,
) -> tuple[float, float, float, float, float, float, float, float, float, float]:
    """What products of the coordinates add (31a): W_yz, its rate, Cη̇, Ċη̇ and the first moment across the axis.

    Adds to the coupling with α and to the forces on the coordinates; gy, gz: gravity along the body's y and z axes.
    """
    ayz = more[1 : 1 + n]
    together = more[1 + n : 1 + n + 5 * n * n]
    wyz = dyz = cx = cy = cz = bx = by = bz = sy = sz = 0.0
    for k in range(n):
        zx = zy = zz = ux = uy = uz = hy = hz = 0.0
        for j in range(n):
            x = q[c + j]
            u = v[c + j]
            at = 5 * (k * n + j)
            zx += together[at] * x
            zy += together[at + 1] * x
            zz += together[at + 2] * x
            ux += together[at] * u
            uy += together[at + 1] * u
            uz += together[at + 2] * u
            hy += together[at + 3] * x
            hz += together[at + 4] * x
        x = q[c + k]
        u = v[c + k]
        wyz += ayz[k] * x
        dyz += ayz[k] * u
        cx += zx * u
        cy += zy * u
        cz += zz * u
        bx += ux * u
        by += uy * u
        bz += uz * u
        sy -= 0.5 * hy * x
        sz -= 0.5 * hz * x
        force[k] += gy * hy + gz * hz - qyz * ayz[k]
        coupling[6 * k] += row[R] * zx + row[R + 1] * zy + row[R + 2] * zz
        coupling[6 * k + 1] += row[R + 3] * zx + row[R + 4] * zy + row[R + 5] * zz
        coupling[6 * k + 2] += row[R + 6] * zx + row[R + 7] * zy + row[R + 8] * zz
    return wyz, dyz, cx, cy, cz, bx, by, bz, sy, sz


@inner
def spin(row: Floats, xx: float, xy: float, xz: float, yy: float, yz: float, zz: float) -> None:
    """Fill the rotary block of the inertia, R J Rᵀ, from J in the body's axes."""
    for a in range(3):
        r0 = row[R + 3 * a]
        r1 = row[R + 3 * a + 1]
        r2 = row[R + 3 * a + 2]
        t0 = r0 * xx + r1 * xy + r2 * xz
        t1 = r0 * xy + r1 * yy + r2 * yz
        t2 = r0 * xz + r1 * yz + r2 * zz
        for b in range(a + 1):
            value = t0 * row[R + 3 * b] + t1 * row[R + 3 * b + 1] + t2 * row[R + 3 * b + 2]
            row[I + 6 * a + b] = value
            row[I + 6 * b + a] = value


@inner
def moment(row: Floats, m: float, s0: float, s1: float, s2: float) -> None:
    """Fill the coupling and the mass of the inertia from the first moment, base axes."""
    row[S] = s0
    row[S + 1] = s1
    row[S + 2] = s2
    row[I + 4] = row[I + 24] = -s2
    row[I + 5] = row[I + 30] = s1
    row[I + 9] = row[I + 19] = s2
    row[I + 11] = row[I + 31] = -s0
    row[I + 15] = row[I + 20] = -s1
    row[I + 16] = row[I + 26] = s0
    row[I + 21] = row[I + 28] = row[I + 35] = m
