"""Inertia and bias of a beam that slides out of its sleeve, station by station (NOTATION S3–S9), in its own axes.

Lagrange's equations of the kinetic energy summed at fixed ξ with *material* velocities: only first derivatives of the
shapes are needed, so that elements with kinks are as good as smooth ones, and energy is kept exactly.
"""

from __future__ import annotations

from ._jit import inner
from .sleeve import H_JX, H_MASS, HEADER, STATION_HEAD, STATION_ROWS
from .sleeve_columns import (
    CD,
    CG,
    CHI,
    CN,
    CO,
    COLUMNS,
    CP,
    CPD,
    CPG,
    CR,
    CS,
    DEL,
    FO,
    NUMBERS,
    OM,
    PG,
    PGD,
    PN,
    PND,
    PNG,
    RD,
    RDD,
    RG,
    RN,
    RND,
    SB,
    SD,
    SDD,
    SG,
    SN,
    SND,
    TIP,
    UD,
    UG,
    UGD,
    UN,
    UND,
    UNG,
    VE,
    VECTORS,
    B,
    J,
    L,
    S,
    U,
)
from .types import Floats


@inner
def shear_share(beta: float, e: float) -> tuple[float, float, float]:
    """q = β/(β + e²) and its derivatives by e; zero without shear."""
    if beta == 0.0:
        return 0.0, 0.0, 0.0
    f = 1.0 / (beta + e * e)
    q = beta * f
    return q, -2.0 * e * q * f, (8.0 * e * e * f - 2.0) * q * f


@inner
def station_columns(
    data: Floats, at: int, c: int, q: Floats, v: Floats, e: float, e1: float, e2: float, tab: Floats, col: Floats
) -> None:
    """Fill the columns of the station at `at` and the vectors they add up to (S4)."""
    for k in range(VECTORS):
        tab[k] = 0.0
    out = (1.0 - data[at]) / e
    first = int(data[at + 4])
    for j in range(int(data[at + 5])):
        k = first + j
        kind = int(data[HEADER + 2 * k])
        turn = data[HEADER + 2 * k + 1]
        p, p1, p2 = shear_share(data[at + 3] if kind == 2 else data[at + 2], e)
        row = data[at + STATION_HEAD + STATION_ROWS * j : at + STATION_HEAD + STATION_ROWS * (j + 1)]
        # s = 1 or e for N and its slope, s/e for the rotation
        s = e if turn == 1.0 else 1.0
        f = 1.0 if turn == 1.0 else 1.0 / e
        f1 = (turn - 1.0) * f / e
        f2 = -2.0 * f1 / e
        a = row[0] + p * row[1]
        n = s * a
        n1 = turn * a + s * p1 * row[1]
        n2 = 2.0 * turn * p1 * row[1] + s * p2 * row[1]
        a = row[2] + p * row[3]
        t = s * a
        t1 = turn * a + s * p1 * row[3]
        t2 = 2.0 * turn * p1 * row[3] + s * p2 * row[3]
        g = n1 + out * t
        gd = e2 * g + e1 * e1 * (n2 + out * (t1 - t / e))
        g *= e1
        td = e1 * t1
        tdd = e2 * t1 + e1 * e1 * t2
        nd = e1 * n1
        # e γ goes with e as the slope by ξ does
        a = row[8] + p * row[9]
        g0 = s * a
        g1 = turn * a + s * p1 * row[9]
        g2 = e2 * g1 + e1 * e1 * (2.0 * turn * p1 * row[9] + s * p2 * row[9])
        g1 *= e1
        a = row[4] + p * row[5]
        r = f * a
        r1 = f1 * a + f * p1 * row[5]
        r2 = f2 * a + 2.0 * f1 * p1 * row[5] + f * p2 * row[5]
        a = row[6] + p * row[7]
        h = r1 + out * f * a
        hd = e2 * h + e1 * e1 * (r2 + out * (f1 * a + f * p1 * row[7] - f * a / e))
        h *= e1
        rd = e1 * r1
        x = q[c + 1 + k]
        y = v[c + 1 + k]
        # torsion has no displacement and stretch no rotation: their rows are zero, wherever they are added
        to = kind if kind < 3 else 0
        tab[U + to] += n * x
        tab[UD + to] += nd * x
        tab[UG + to] += g * x
        tab[UGD + to] += gd * x
        tab[UN + to] += n * y
        tab[UNG + to] += g * y
        tab[UND + to] += nd * y
        tab[SG + to] += t * x
        tab[SD + to] += td * x
        tab[SDD + to] += tdd * x
        tab[SN + to] += t * y
        tab[SND + to] += td * y
        tab[RG + to] += g0 * x
        tab[RD + to] += g1 * x
        tab[RDD + to] += g2 * x
        tab[RN + to] += g0 * y
        tab[RND + to] += g1 * y
        to = 3 - kind if kind > 0 else 0
        tab[PG + to] += h * x
        tab[PGD + to] += hd * x
        tab[PN + to] += r * y
        tab[PNG + to] += h * y
        tab[PND + to] += rd * y
        own = col[COLUMNS * j : COLUMNS * j + COLUMNS]
        own[CN] = n
        own[CG] = g
        own[CD] = nd
        own[CP] = r
        own[CPG] = h
        own[CPD] = rd
        own[CS] = t
        own[CR] = g0


@inner
def add_mass(
    data: Floats,
    at: int,
    rate: float,
    e: float,
    e1: float,
    w0: float,
    w1: float,
    w2: float,
    tab: Floats,
    num: Floats,
    col: Floats,
    coupling: Floats,
    inertia: Floats,
    force: Floats,
) -> None:
    """Add the translation of the station at `at` (S6, S7)."""
    m = int(data[0]) + 1
    xi = data[at]
    dmd = data[H_MASS] * data[at + 1] * e1
    dm = data[H_MASS] * data[at + 1] * e
    dmt = dmd * rate
    x0 = xi * e + tab[U]
    x1 = tab[U + 1]
    x2 = tab[U + 2]
    # ∂/∂d of the material velocity, of the place at fixed ξ
    g0 = 1.0 + tab[UG]
    g1 = tab[UG + 1]
    g2 = tab[UG + 2]
    d0 = xi * e1 + tab[UD]
    d1 = tab[UD + 1]
    d2 = tab[UD + 2]
    r0 = rate * g0 + tab[UN]
    r1 = rate * g1 + tab[UN + 1]
    r2 = rate * g2 + tab[UN + 2]
    v0 = w1 * x2 - w2 * x1 + r0
    v1 = w2 * x0 - w0 * x2 + r1
    v2 = w0 * x1 - w1 * x0 + r2
    s0 = rate * d0 + tab[UN]
    s1 = rate * d1 + tab[UN + 1]
    s2 = rate * d2 + tab[UN + 2]
    for r in range(3):
        a = rate * (tab[UNG + r] + rate * tab[UGD + r] + tab[UND + r])
        num[SB + r] += dm * a + dmt * (tab[UN + r] + rate * tab[UG + r])
        num[S + r] += dm * tab[U + r]
        tab[FO + r] = a
    c0 = tab[FO] + w1 * s2 - w2 * s1
    c1 = tab[FO + 1] + w2 * s0 - w0 * s2
    c2 = tab[FO + 2] + w0 * s1 - w1 * s0
    k0 = w1 * v2 - w2 * v1
    k1 = w2 * v0 - w0 * v2
    k2 = w0 * v1 - w1 * v0
    f0 = c0 + k0
    f1 = c1 + k1
    f2 = c2 + k2
    tab[FO] = f0
    tab[FO + 1] = f1
    tab[FO + 2] = f2
    tab[VE] = v0
    tab[VE + 1] = v1
    tab[VE + 2] = v2
    a0 = dmt * x0 + dm * (s0 - r0)
    a1 = dmt * x1 + dm * (s1 - r1)
    a2 = dmt * x2 + dm * (s2 - r2)
    num[B] += a1 * v2 - a2 * v1 + dm * (x1 * f2 - x2 * f1)
    num[B + 1] += a2 * v0 - a0 * v2 + dm * (x2 * f0 - x0 * f2)
    num[B + 2] += a0 * v1 - a1 * v0 + dm * (x0 * f1 - x1 * f0)
    num[J] += dm * (x1 * x1 + x2 * x2)
    num[J + 1] -= dm * x0 * x1
    num[J + 2] -= dm * x0 * x2
    num[J + 3] += dm * (x0 * x0 + x2 * x2)
    num[J + 4] -= dm * x1 * x2
    num[J + 5] += dm * (x0 * x0 + x1 * x1)
    force[0] += dmt * (g0 * v0 + g1 * v1 + g2 * v2) - 0.5 * dmd * (v0 * v0 + v1 * v1 + v2 * v2)
    force[0] += dm * (g0 * c0 + g1 * c1 + g2 * c2 + d0 * k0 + d1 * k1 + d2 * k2)
    for r in range(3):
        force[0] += dm * (tab[UNG + r] - tab[UND + r]) * tab[VE + r]
        coupling[3 + r] += dm * tab[UG + r]
    coupling[0] += dm * (x1 * g2 - x2 * g1)
    coupling[1] += dm * (x2 * g0 - x0 * g2)
    coupling[2] += dm * (x0 * g1 - x1 * g0)
    inertia[0] += dm * (g0 * g0 + g1 * g1 + g2 * g2)
    first = int(data[at + 4])
    count = int(data[at + 5])
    for j in range(count):
        k = first + j
        kind = int(data[HEADER + 2 * k])
        if kind == 3:
            continue
        n = dm * col[COLUMNS * j + CN]
        own = coupling[6 * (1 + k) : 6 * (1 + k) + 6]
        force[1 + k] += n * tab[FO + kind]
        across = rate * (col[COLUMNS * j + CD] - col[COLUMNS * j + CG])
        force[1 + k] += (dmt * col[COLUMNS * j + CN] + dm * across) * tab[VE + kind]
        if kind == 0:
            own[1] += n * x2
            own[2] -= n * x1
        elif kind == 1:
            own[0] -= n * x2
            own[2] += n * x0
        else:
            own[0] += n * x1
            own[1] -= n * x0
        own[3 + kind] += n
        inertia[1 + k] += n * ((1.0 if kind == 0 else 0.0) + tab[UG + kind])
        for b in range(j, count):
            if int(data[HEADER + 2 * (first + b)]) == kind:
                inertia[(1 + k) * m + 1 + first + b] += n * col[COLUMNS * b + CN]


@inner
def add_turning(
    data: Floats,
    at: int,
    rate: float,
    e: float,
    e1: float,
    w0: float,
    w1: float,
    w2: float,
    tab: Floats,
    num: Floats,
    col: Floats,
    coupling: Floats,
    inertia: Floats,
    force: Floats,
) -> None:
    """Add the rotation of the section at the station (S6, S7)."""
    m = int(data[0]) + 1
    tab[OM] = w0
    tab[OM + 1] = w1
    tab[OM + 2] = w2
    for r in range(3):
        jd = data[H_JX + r] * data[at + 1] * e1
        j = data[H_JX + r] * data[at + 1] * e
        jt = jd * rate
        pg = tab[PG + r]
        o = tab[OM + r] + tab[PN + r] + rate * pg
        c = rate * (tab[PNG + r] + rate * tab[PGD + r] + tab[PND + r])
        tab[OM + r] = o
        tab[CO + r] = c
        num[B + r] += jt * o + j * c
        num[L + r] += j * o
        num[J + (0 if r == 0 else (3 if r == 1 else 5))] += j
        force[0] += jt * pg * o - 0.5 * jd * o * o + j * ((tab[PNG + r] - tab[PND + r]) * o + pg * c)
        coupling[r] += j * pg
        inertia[0] += j * pg * pg
    first = int(data[at + 4])
    count = int(data[at + 5])
    for a in range(count):
        k = first + a
        kind = int(data[HEADER + 2 * k])
        if kind == 0:
            continue
        r = 3 - kind
        j = data[H_JX + r] * data[at + 1] * e
        jt = data[H_JX + r] * data[at + 1] * e1 * rate
        n = j * col[COLUMNS * a + CP]
        across = rate * (col[COLUMNS * a + CPD] - col[COLUMNS * a + CPG])
        force[1 + k] += n * tab[CO + r] + (jt * col[COLUMNS * a + CP] + j * across) * tab[OM + r]
        coupling[6 * (1 + k) + r] += n
        inertia[1 + k] += n * tab[PG + r]
        for b in range(a, count):
            if int(data[HEADER + 2 * (first + b)]) == kind:
                inertia[(1 + k) * m + 1 + first + b] += n * col[COLUMNS * b + CP]


@inner
def add_slopes(
    data: Floats, at: int, most: int, rate: float, tab: Floats, num: Floats, col: Floats, gradient: Floats
) -> None:
    """Add the squares of the slopes at the station, less those of the shear, to the sums of foreshortening (S5)."""
    xi = data[at]
    value = slope = quick = bent = 0.0
    for r in range(1, 3):
        s = tab[SG + r]
        ds = tab[SN + r] + rate * tab[SD + r]
        value += s * s
        slope += 2.0 * s * tab[SD + r]
        quick += 2.0 * s * ds
        bent += 2.0 * (ds * ds + s * rate * (2.0 * tab[SND + r] + rate * tab[SDD + r]))
        s = tab[RG + r]
        ds = tab[RN + r] + rate * tab[RD + r]
        value -= s * s
        slope -= 2.0 * s * tab[RD + r]
        quick -= 2.0 * s * ds
        bent -= 2.0 * (ds * ds + s * rate * (2.0 * tab[RND + r] + rate * tab[RDD + r]))
    first = int(data[at + 4])
    for part in range(3):
        weight = data[at + 1]
        if part == 0:
            weight *= data[H_MASS] * (1.0 - xi)
        elif part == 1:
            weight *= data[H_MASS] * 0.5 * (1.0 - xi * xi)
        to = (CHI, DEL, TIP)[part]
        num[to] += weight * value
        num[to + 1] += weight * slope
        num[to + 2] += weight * quick
        num[to + 3] += weight * bent
        for j in range(int(data[at + 5])):
            kind = int(data[HEADER + 2 * (first + j)])
            if kind == 1 or kind == 2:
                own = col[COLUMNS * j + CS] * tab[SG + kind] - col[COLUMNS * j + CR] * tab[RG + kind]
                gradient[part * most + 1 + first + j] += 2.0 * weight * own


@inner
def clear(m: int, most: int, num: Floats, gradient: Floats, coupling: Floats, inertia: Floats, force: Floats) -> None:
    """Set all sums to zero but the acceleration of a driven length."""
    for k in range(NUMBERS - 4):
        num[k] = 0.0
    for k in range(3 * most):
        gradient[k] = 0.0
    for k in range(6 * m):
        coupling[k] = 0.0
    for k in range(m * m):
        inertia[k] = 0.0
    for k in range(m):
        force[k] = 0.0
