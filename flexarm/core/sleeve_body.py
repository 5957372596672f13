"""One beam in its sleeve as a body: inertia, bias, elastic force and the shortening of its tip (NOTATION S1–S10)."""

from __future__ import annotations

from ._jit import inner
from .sleeve import (
    BEYOND,
    H_COUNT,
    H_JX,
    H_LEAST,
    H_LENGTH,
    H_MASS,
    H_POINTS,
    H_RETARDATION,
    H_STATIONS,
    H_STIFFENS,
    H_WIDE,
    HEADER,
    POINT_HEAD,
    POINT_ROWS,
    STATION_HEAD,
    STATION_ROWS,
)
from .sleeve_columns import CHI, DEL, HB, HR, LISTS, PLACE, SB, TIP, VECTORS, B, H, J, L, S
from .sleeve_stations import add_mass, add_slopes, add_turning, clear, shear_share, station_columns
from .types import DRAWN_IN, OK, SLID_OUT, Floats


@inner
def outside(d: float, least: float) -> tuple[float, float, float]:
    """e(d) and its two derivatives, see `sleeve.elastic_length` (S2)."""
    if d >= 2.0 * least:
        return d, 1.0, 0.0
    t = max(d, 0.0) / (2.0 * least)
    return least * (1.0 + t * t * t * (2.0 - t)), t * t * (3.0 - 2.0 * t), 3.0 * t * (1.0 - t) / least


@inner
def place_status(data: Floats, d: float) -> int:
    """OK while the beam's end is between the mouth and the whole length out."""
    if d < -BEYOND * data[H_LENGTH]:
        return DRAWN_IN
    return SLID_OUT if d > (1.0 + BEYOND) * data[H_LENGTH] else OK


@inner
def own_sleeve(
    data: Floats,
    c: int,
    q: Floats,
    v: Floats,
    w0: float,
    w1: float,
    w2: float,
    rotor: float,
    inertia: Floats,
    force: Floats,
    extra: Floats,
    most: int,
) -> None:
    """Fill inertia and bias of the beam in its own axes, turning with ω: M of z = (d, η), its coupling with (α, a), and
    in the numbers J, the first moment and the bias; of the elastic forces only that on d, with the stiffness beside.
    """
    n = int(data[H_COUNT])
    m = n + 1
    d = q[c]
    rate = v[c]
    length = data[H_LENGTH]
    e, e1, e2 = outside(d, data[H_LEAST])
    tab = extra[:VECTORS]
    num = extra[VECTORS:LISTS]
    gradient = extra[LISTS : LISTS + 3 * most]
    coupling = extra[LISTS + 3 * most : LISTS + 9 * most]
    col = extra[LISTS + 9 * most : LISTS + 17 * most]
    stiff = extra[LISTS + 17 * most : LISTS + 17 * most + n * n]
    num[PLACE] = d
    clear(m, most, num, gradient, coupling, inertia, force)
    stride = STATION_HEAD + STATION_ROWS * int(data[H_WIDE])
    for g in range(int(data[H_STATIONS])):
        at = HEADER + 2 * n + g * stride
        station_columns(data, at, c, q, v, e, e1, e2, tab, col)
        add_mass(data, at, rate, e, e1, w0, w1, w2, tab, num, col, coupling, inertia, force)
        add_turning(data, at, rate, e, e1, w0, w1, w2, tab, num, col, coupling, inertia, force)
        if data[H_STIFFENS] != 0.0:
            add_slopes(data, at, most, rate, tab, num, col, gradient)
    # the part in the sleeve: the whole bar less the one outside (S8), and the foreshortening (S5)
    mu = data[H_MASS]
    whole = mu * length
    x = d - 0.5 * length
    chi = num[CHI]
    spread = whole * (x * x + length * length / 12.0) - mu * e * e * e / 3.0 - e * num[DEL]
    by_d = e1 * num[DEL] + e * num[DEL + 1]
    turned = 2.0 * whole * x * rate - mu * e * e * e1 * rate - e1 * rate * num[DEL] - e * num[DEL + 2]
    across = w1 * w1 + w2 * w2
    num[J + 3] += spread
    num[J + 5] += spread
    num[B + 1] += turned * w1
    num[B + 2] += turned * w2
    num[L + 1] += spread * w1
    num[L + 2] += spread * w2
    force[0] += 0.5 * across * (by_d + mu * e * e * e1 - 2.0 * whole * x)
    force[0] -= 0.5 * mu * e1 * rate * rate + 0.5 * num[CHI + 3]
    for r in range(3):
        w = w0 if r == 0 else (w1 if r == 1 else w2)
        j = data[H_JX + r]
        num[J + (0 if r == 0 else (3 if r == 1 else 5))] += j * (length - e)
        num[B + r] -= j * e1 * rate * w
        num[L + r] += j * (length - e) * w
        force[0] += 0.5 * j * e1 * w * w
    inertia[0] += whole - mu * e - num[CHI + 1] + rotor
    coupling[3] += whole - 0.5 * num[CHI + 1]
    for k in range(1, m):
        inertia[k] -= 0.5 * gradient[k]
        coupling[6 * k + 3] -= 0.5 * gradient[k]
        force[k] += 0.5 * across * e * gradient[most + k]
        gradient[2 * most + k] /= e
    for a in range(m):
        for b in range(a + 1, m):
            inertia[b * m + a] = inertia[a * m + b]
    num[S] += whole * x - 0.5 * chi
    num[SB] -= 0.5 * num[CHI + 3]
    _turn(m, c, v, w0, w1, w2, num, coupling)
    _shorten(rate, e, e1, e2, most, num, gradient)
    force[0] += fill_stiffness(data, c, q, e, e1, stiff)


@inner
def _turn(m: int, c: int, v: Floats, w0: float, w1: float, w2: float, num: Floats, coupling: Floats) -> None:
    """Finish the bias: ω × the angular momentum, and ω×(ω×S) + 2 ω×Ṡ + S̈ (S7)."""
    num[B] += w1 * num[L + 2] - w2 * num[L + 1]
    num[B + 1] += w2 * num[L] - w0 * num[L + 2]
    num[B + 2] += w0 * num[L + 1] - w1 * num[L]
    s0 = s1 = s2 = 0.0
    for k in range(m):
        s0 += 2.0 * coupling[6 * k + 3] * v[c + k]
        s1 += 2.0 * coupling[6 * k + 4] * v[c + k]
        s2 += 2.0 * coupling[6 * k + 5] * v[c + k]
    s0 += w1 * num[S + 2] - w2 * num[S + 1]
    s1 += w2 * num[S] - w0 * num[S + 2]
    s2 += w0 * num[S + 1] - w1 * num[S]
    num[B + 3] = num[SB] + w1 * s2 - w2 * s1
    num[B + 4] = num[SB + 1] + w2 * s0 - w0 * s2
    num[B + 5] = num[SB + 2] + w0 * s1 - w1 * s0


@inner
def _shorten(rate: float, e: float, e1: float, e2: float, most: int, num: Floats, gradient: Floats) -> None:
    """Fill how much the tip is drawn in, twice, with gradient, rate and second derivative (S10)."""
    f = 1.0 / e
    f1 = -e1 * f * f
    num[H] = num[TIP] * f
    gradient[2 * most] = num[TIP + 1] * f + num[TIP] * f1
    num[HR] = num[TIP + 2] * f + num[TIP] * f1 * rate
    num[HB] = num[TIP + 3] * f + 2.0 * num[TIP + 2] * f1 * rate
    num[HB] += num[TIP] * rate * rate * f * f * (2.0 * e1 * e1 * f - e2)


@inner
def strain(data: Floats, at: int, j: int, e: float, p: float, p1: float, turn: float) -> tuple[float, float]:
    """Column j of the strain at the point `at`, and its derivative by e (S9)."""
    a = data[at + POINT_HEAD + 2 * j]
    b = data[at + POINT_HEAD + 2 * j + 1]
    k = data[at + 1] - turn
    f = 1.0
    if k >= 1.0:
        f /= e
    if k >= 2.0:
        f /= e
    return f * (a + p * b), f * (p1 * b - k * (a + p * b) / e)


@inner
def fill_stiffness(data: Floats, c: int, q: Floats, e: float, e1: float, stiff: Floats) -> float:
    """Force of the elastic energy on d, ½ ηᵀK'η; fills K (n, n) (S9)."""
    n = int(data[H_COUNT])
    wide = int(data[H_WIDE])
    for k in range(n * n):
        stiff[k] = 0.0
    begin = HEADER + 2 * n + int(data[H_STATIONS]) * (STATION_HEAD + STATION_ROWS * wide)
    stride = POINT_HEAD + POINT_ROWS * wide
    push = 0.0
    for point in range(int(data[H_POINTS])):
        at = begin + point * stride
        first = int(data[at + 3])
        count = int(data[at + 4])
        p, p1, _ = shear_share(data[at + 2], e)
        s = 0.0
        s1 = 0.0
        for j in range(count):
            k = first + j
            row, by_e = strain(data, at, j, e, p, p1, data[HEADER + 2 * k + 1])
            s += row * q[c + 1 + k]
            s1 += by_e * q[c + 1 + k]
            for i in range(count):
                other = strain(data, at, i, e, p, p1, data[HEADER + 2 * (first + i) + 1])[0]
                stiff[k * n + first + i] += data[at] * e * row * other
        push += data[at] * e1 * s * (0.5 * s + e * s1)
    return push


@inner
def sleeve_form(data: Floats, c: int, q: Floats, x: Floats, rate: float, stiff: float) -> float:
    """xᵀ (rate·D + stiff·K) x of one beam, whose coordinates begin at c, at the length in q."""
    n = int(data[H_COUNT])
    wide = int(data[H_WIDE])
    e = outside(q[c], data[H_LEAST])[0]
    at = HEADER + 2 * n + int(data[H_STATIONS]) * (STATION_HEAD + STATION_ROWS * wide)
    total = 0.0
    for _ in range(int(data[H_POINTS])):
        first = int(data[at + 3])
        p, p1, _p2 = shear_share(data[at + 2], e)
        s = 0.0
        for j in range(int(data[at + 4])):
            turn = data[HEADER + 2 * (first + j) + 1]
            s += strain(data, at, j, e, p, p1, turn)[0] * x[c + 1 + first + j]
        total += data[at] * e * s * s
        at += POINT_HEAD + POINT_ROWS * wide
    return (rate * data[H_RETARDATION] + stiff) * total
