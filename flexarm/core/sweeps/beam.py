"""One beam that slides out of its sleeve, in its own axes: inertia, bias, stiffness, tip (NOTATION S1–S10).

Lagrange's equations of the kinetic energy summed at fixed ξ with *material* velocities: only first derivatives of the
shapes are needed, so that elements with kinks are as good as smooth ones, and energy is kept exactly. All vectors have
three numbers, in the plane too.
"""

from __future__ import annotations

from flexarm.core._jit import by_length, inner, operation, reader
from flexarm.core.tree.sleeve import (
    BEYOND,
    H_COUNT,
    H_JX,
    H_LEAST,
    H_LENGTH,
    H_MASS,
    H_STATIONS,
    H_STIFFENS,
    H_WIDE,
    HEADER,
    STATION_HEAD,
    STATION_ROWS,
)
from flexarm.core.tree.types import DRAWN_IN, OK, SLID_OUT, Floats

from .space import cross, sym, vec
from .strain import fill_stiffness, outside, shear_share
from .tuples import add_to, dot, minus, plus, put, times

# Vectors of a station. Of the displacement u = Nη: u, ∂u/∂d, Gη, ∂(Gη)/∂d, Nη̇, Gη̇, ∂(Nη̇)/∂d, where ḋG is the material
# rate of N; of the slope: value, first and second derivative by d, of its rate Tη̇ value and derivative by d; the same
# five of the shear strain times the length; of the rotation Ψη the last five of the displacement's.
U, UD, UG, UGD, UN, UNG, UND = range(0, 21, 3)
SG, SD, SDD, SN, SND, RG, RD, RDD, RN, RND = range(21, 51, 3)
PG, PGD, PN, PNG, PND = range(51, 66, 3)
# Sums: moment of inertia (6), first moment, its second derivative but for accelerations, moment of the bias, angular
# momentum still to be turned; over the squares of the slopes less those of the shear strains, weighted for the first
# moment, the moment of inertia and the tip: value, derivative by d, rate, second derivative but for accelerations.
J, S, SB, B, L, CHI, DEL, TIP = 66, 72, 75, 78, 81, 84, 88, 92
# Foreshortening of the tip: value, rate, second derivative but for accelerations.
H = 96
SUMS = 99
# Numbers of each column of a station: N, G, ∂N/∂d, Ψ, its G, ∂Ψ/∂d, slope, shear.
CN, CG, CD, CP, CPG, CPD, CS, CR, COLUMNS = range(9)
# Behind these stand, with N the greatest number of coordinates of a body: gradients of the three sums over slopes (3N),
# coupling of the coordinates with (α, a) in the body's axes (6N), columns of a station (8N), stiffness (N²).


def width(most: int) -> int:
    """Columns that a beam in a sleeve adds to its row where no body has more than `most` coordinates."""
    return SUMS + 17 * most + most * most


four = reader(4)
# the k-th of several vectors that stand one behind the other, one number each
add_along = by_length("row, k, x", of="x", each="row[k + 3 * {0}] += x[{0}]", together="{}", between="; ")


@operation
def unit(k):  # type: ignore[no-untyped-def]
    """e_k."""
    return 1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0


@inner
def place_status(data: Floats, d: float) -> int:
    """OK while the beam's end is between the mouth and the whole length out."""
    if d < -BEYOND * data[H_LENGTH]:
        return DRAWN_IN
    return SLID_OUT if d > (1.0 + BEYOND) * data[H_LENGTH] else OK


@inner
def station_columns(
    data: Floats, at: int, c: int, q: Floats, v: Floats, e: float, e1: float, e2: float, tab: Floats, col: Floats
) -> None:
    """Fill the columns of the station at `at` and the vectors they add up to (S3, S4)."""
    for k in range(J):
        tab[k] = 0.0
    out = (1.0 - data[at]) / e
    first = int(data[at + 4])
    for j in range(int(data[at + 5])):
        k = first + j
        kind = int(data[HEADER + 2 * k])
        turn = data[HEADER + 2 * k + 1]
        p, p1, p2 = shear_share(data[at + 3] if kind == 2 else data[at + 2], e)
        row = data[at + STATION_HEAD + STATION_ROWS * j : at + STATION_HEAD + STATION_ROWS * (j + 1)]
        # s = 1 or e for N, its slope and e γ; s/e for the rotation
        s = e if turn == 1.0 else 1.0
        f = 1.0 if turn == 1.0 else 1.0 / e
        f1 = (turn - 1.0) * f / e
        f2 = -2.0 * f1 / e
        n, n1, n2 = _scaled(row, 0, s, turn, 0.0, p, p1, p2)
        t, t1, t2 = _scaled(row, 2, s, turn, 0.0, p, p1, p2)
        r, r1, r2 = _scaled(row, 4, f, f1, f2, p, p1, p2)
        b, b1, _ = _scaled(row, 6, f, f1, f2, p, p1, p2)
        g0, g1, g2 = _scaled(row, 8, s, turn, 0.0, p, p1, p2)
        g = e1 * (n1 + out * t)
        gd = e2 * (n1 + out * t) + e1 * e1 * (n2 + out * (t1 - t / e))
        h = e1 * (r1 + out * b)
        hd = e2 * (r1 + out * b) + e1 * e1 * (r2 + out * (b1 - b / e))
        nd, td, rd = e1 * n1, e1 * t1, e1 * r1
        tdd, g2, g1 = e2 * t1 + e1 * e1 * t2, e2 * g1 + e1 * e1 * g2, e1 * g1
        x = q[c + 1 + k]
        y = v[c + 1 + k]
        # torsion has no displacement and stretch no rotation: their rows are zero, wherever they are added
        to = kind if kind < 3 else 0
        add_along(tab, U + to, (n * x, nd * x, g * x, gd * x, n * y, g * y, nd * y))
        slopes = (t * x, td * x, tdd * x, t * y, td * y, g0 * x, g1 * x, g2 * x, g0 * y, g1 * y)
        add_along(tab, SG + to, slopes)
        to = 3 - kind if kind > 0 else 0
        add_along(tab, PG + to, (h * x, hd * x, r * y, h * y, rd * y))
        put(col, COLUMNS * j, (n, g, nd, r, h, rd, t, g0))


@operation
def _scaled(row, k, s, s1, s2, p, p1, p2):  # type: ignore[no-untyped-def]
    """s (A + q B) and its two derivatives by e."""
    a, b = row[k] + p * row[k + 1], row[k + 1]
    return s * a, s1 * a + s * p1 * b, s2 * a + 2.0 * s1 * p1 * b + s * p2 * b


@inner
def add_mass(
    data: Floats,
    at: int,
    rate: float,
    e: float,
    e1: float,
    w: tuple[float, float, float],
    tab: Floats,
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
    rest = vec(tab, UN)
    rho = plus((xi * e, 0.0, 0.0), vec(tab, U))
    # ∂/∂d of the material velocity, of the place at fixed ξ
    gamma = plus((1.0, 0.0, 0.0), vec(tab, UG))
    by_d = plus((xi * e1, 0.0, 0.0), vec(tab, UD))
    flow = plus(times(rate, gamma), rest)
    velocity = plus(cross(w, rho), flow)
    rho_rate = plus(times(rate, by_d), rest)
    gain = times(rate, plus(plus(vec(tab, UNG), vec(tab, UND)), times(rate, vec(tab, UGD))))
    add_to(tab, SB, plus(times(dm, gain), times(dmt, plus(rest, times(rate, vec(tab, UG))))))
    add_to(tab, S, times(dm, vec(tab, U)))
    c = plus(gain, cross(w, rho_rate))
    k = cross(w, velocity)
    f = plus(c, k)
    moved = plus(times(dmt, rho), times(dm, minus(rho_rate, flow)))
    add_to(tab, B, plus(cross(moved, velocity), times(dm, cross(rho, f))))
    x, y, z = rho
    add_to(tab, J, times(dm, (y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y)))
    force[0] += dmt * dot(gamma, velocity) - 0.5 * dmd * dot(velocity, velocity)
    force[0] += dm * (dot(gamma, c) + dot(by_d, k) + dot(minus(vec(tab, UNG), vec(tab, UND)), velocity))
    add_to(coupling, 0, times(dm, cross(rho, gamma) + vec(tab, UG)))
    inertia[0] += dm * dot(gamma, gamma)
    first = int(data[at + 4])
    count = int(data[at + 5])
    for j in range(count):
        i = 1 + first + j
        kind = int(data[HEADER + 2 * (i - 1)])
        if kind == 3:
            continue
        own = col[COLUMNS * j : COLUMNS * j + COLUMNS]
        direction = unit(kind)
        n = dm * own[CN]
        across = dmt * own[CN] + dm * rate * (own[CD] - own[CG])
        force[i] += n * dot(f, direction) + across * dot(velocity, direction)
        add_to(coupling, 6 * i, times(n, cross(rho, direction) + direction))
        inertia[i] += n * dot(gamma, direction)
        for b in range(j, count):
            if int(data[HEADER + 2 * (first + b)]) == kind:
                inertia[i * m + 1 + first + b] += n * col[COLUMNS * b + CN]


@inner
def add_turning(
    data: Floats,
    at: int,
    rate: float,
    e: float,
    e1: float,
    w: tuple[float, float, float],
    tab: Floats,
    col: Floats,
    coupling: Floats,
    inertia: Floats,
    force: Floats,
) -> None:
    """Add the rotation of the section at the station (S6, S7)."""
    m = int(data[0]) + 1
    first = int(data[at + 4])
    count = int(data[at + 5])
    for r in range(3):
        jd = data[H_JX + r] * data[at + 1] * e1
        j = data[H_JX + r] * data[at + 1] * e
        jt = jd * rate
        pg = tab[PG + r]
        o = w[r] + tab[PN + r] + rate * pg
        gain = rate * (tab[PNG + r] + rate * tab[PGD + r] + tab[PND + r])
        tab[B + r] += jt * o + j * gain
        tab[L + r] += j * o
        tab[J + (0 if r == 0 else (3 if r == 1 else 5))] += j
        force[0] += jt * pg * o - 0.5 * jd * o * o + j * ((tab[PNG + r] - tab[PND + r]) * o + pg * gain)
        coupling[r] += j * pg
        inertia[0] += j * pg * pg
        for a in range(count):
            i = 1 + first + a
            kind = int(data[HEADER + 2 * (i - 1)])
            if kind == 0 or r != 3 - kind:
                continue
            own = col[COLUMNS * a : COLUMNS * a + COLUMNS]
            n = j * own[CP]
            force[i] += n * gain + (jt * own[CP] + j * rate * (own[CPD] - own[CPG])) * o
            coupling[6 * i + r] += n
            inertia[i] += n * pg
            for b in range(a, count):
                if int(data[HEADER + 2 * (first + b)]) == kind:
                    inertia[i * m + 1 + first + b] += n * col[COLUMNS * b + CP]


@inner
def add_slopes(data: Floats, at: int, most: int, rate: float, tab: Floats, col: Floats, gradient: Floats) -> None:
    """Add the squares of the slopes at the station, less those of the shear, to the sums of foreshortening (S5)."""
    xi = data[at]
    squares = (0.0, 0.0, 0.0, 0.0)
    for r in range(1, 3):
        squares = plus(squares, _square(tab, SG + r, rate))
        squares = minus(squares, _square(tab, RG + r, rate))
    first = int(data[at + 4])
    for part in range(3):
        weight = data[at + 1]
        if part == 0:
            weight *= data[H_MASS] * (1.0 - xi)
        elif part == 1:
            weight *= data[H_MASS] * 0.5 * (1.0 - xi * xi)
        add_to(tab, CHI + 4 * part, times(weight, squares))
        for j in range(int(data[at + 5])):
            kind = int(data[HEADER + 2 * (first + j)])
            if kind == 1 or kind == 2:
                own = col[COLUMNS * j + CS] * tab[SG + kind] - col[COLUMNS * j + CR] * tab[RG + kind]
                gradient[part * most + 1 + first + j] += 2.0 * weight * own


@operation
def _square(tab, k, rate):  # type: ignore[no-untyped-def]
    """s², its derivative by d, its rate and its second derivative, of the slope whose five numbers begin at k."""
    s = tab[k]
    s_rate = tab[k + 9] + rate * tab[k + 3]
    bent = s_rate * s_rate + s * rate * (2.0 * tab[k + 12] + rate * tab[k + 6])
    return s * s, 2.0 * s * tab[k + 3], 2.0 * s * s_rate, 2.0 * bent


@inner
def own_sleeve(  # type: ignore[no-untyped-def]
    data: Floats,
    c: int,
    q: Floats,
    v: Floats,
    w: tuple[float, float, float],
    rotor: float,
    inertia: Floats,
    force: Floats,
    extra: Floats,
    most: int,
):
    """J, first moment and the moment and force of the bias of the beam in its own axes, turning with ω.

    Fills the inertia of z = (d, η), its coupling with (α, a), forces, of the elastic ones only that on d, stiffness and
    the shortening of the tip.
    """
    n = int(data[H_COUNT])
    m = n + 1
    d = q[c]
    rate = v[c]
    length = data[H_LENGTH]
    e, e1, e2 = outside(d, data[H_LEAST])
    tab = extra[:SUMS]
    gradient = extra[SUMS : SUMS + 3 * most]
    coupling = extra[SUMS + 3 * most : SUMS + 9 * most]
    col = extra[SUMS + 9 * most : SUMS + 17 * most]
    stiff = extra[SUMS + 17 * most : SUMS + 17 * most + n * n]
    for k in range(SUMS + 9 * most):
        extra[k] = 0.0
    for k in range(m * m):
        inertia[k] = 0.0
    for k in range(m):
        force[k] = 0.0
    stride = STATION_HEAD + STATION_ROWS * int(data[H_WIDE])
    for g in range(int(data[H_STATIONS])):
        at = HEADER + 2 * n + g * stride
        station_columns(data, at, c, q, v, e, e1, e2, tab, col)
        add_mass(data, at, rate, e, e1, w, tab, col, coupling, inertia, force)
        add_turning(data, at, rate, e, e1, w, tab, col, coupling, inertia, force)
        if data[H_STIFFENS] != 0.0:
            add_slopes(data, at, most, rate, tab, col, gradient)
    # the part in the sleeve: the whole bar less the one outside (S8), and the foreshortening (S5)
    mu = data[H_MASS]
    whole = mu * length
    x = d - 0.5 * length
    chi, delta = four(tab, CHI), four(tab, DEL)
    spread = whole * (x * x + length * length / 12.0) - mu * e * e * e / 3.0 - e * delta[0]
    spread_rate = (2.0 * whole * x - mu * e * e * e1 - e1 * delta[0]) * rate - e * delta[2]
    across = (0.0, w[1], w[2])
    swept = dot(across, across)
    rotary = vec(data, H_JX)
    turning = (rotary[0] * w[0], rotary[1] * w[1], rotary[2] * w[2])
    inside = times(length - e, rotary)
    spin = plus(sym(tab, J), (inside[0], 0.0, 0.0, inside[1] + spread, 0.0, inside[2] + spread))
    bias = plus(vec(tab, B), minus(times(spread_rate, across), times(e1 * rate, turning)))
    momentum = plus(vec(tab, L), plus(times(spread, across), times(length - e, turning)))
    force[0] += 0.5 * swept * (e1 * delta[0] + e * delta[1] + mu * e * e * e1 - 2.0 * whole * x)
    force[0] += 0.5 * e1 * dot(turning, w) - 0.5 * mu * e1 * rate * rate - 0.5 * chi[3]
    inertia[0] += whole - mu * e - chi[1] + rotor
    coupling[3] += whole - 0.5 * chi[1]
    for k in range(1, m):
        inertia[k] -= 0.5 * gradient[k]
        coupling[6 * k + 3] -= 0.5 * gradient[k]
        force[k] += 0.5 * swept * e * gradient[most + k]
        gradient[2 * most + k] /= e
    for a in range(m):
        for b in range(a + 1, m):
            inertia[b * m + a] = inertia[a * m + b]
    # ω × the angular momentum, and ω×(ω×S) + 2 ω×Ṡ + S̈ (S7)
    first = plus(vec(tab, S), (whole * x - 0.5 * chi[0], 0.0, 0.0))
    first_rate = (0.0, 0.0, 0.0)
    for k in range(m):
        first_rate = plus(first_rate, times(v[c + k], vec(coupling, 6 * k + 3)))
    pushed = minus(vec(tab, SB), (0.5 * chi[3], 0.0, 0.0))
    pushed = plus(pushed, cross(w, plus(cross(w, first), times(2.0, first_rate))))
    # how much the tip is drawn in, twice, with gradient, rate and second derivative (S10)
    tip = four(tab, TIP)
    f = 1.0 / e
    f1 = -e1 * f * f
    f2 = f * f * (2.0 * e1 * e1 * f - e2)
    gradient[2 * most] = tip[1] * f + tip[0] * f1
    tip_rate = tip[2] * f + tip[0] * f1 * rate
    put(tab, H, (tip[0] * f, tip_rate, tip[3] * f + 2.0 * tip[2] * f1 * rate + tip[0] * rate * rate * f2))
    force[0] += fill_stiffness(data, c, q, e, e1, stiff)
    return spin, first, plus(bias, cross(w, momentum)), pushed
