"""Strains of a beam that slides out of its sleeve, and what they make of its stiffness (NOTATION S2, S3, S9)."""

from __future__ import annotations

from flexarm.core._jit import inner
from flexarm.core.tree.sleeve import (
    H_COUNT,
    H_LEAST,
    H_POINTS,
    H_RETARDATION,
    H_STATIONS,
    H_WIDE,
    HEADER,
    POINT_HEAD,
    POINT_ROWS,
    STATION_HEAD,
    STATION_ROWS,
)
from flexarm.core.tree.types import Floats


@inner
def outside(d: float, least: float) -> tuple[float, float, float]:
    """e(d) and its two derivatives, see `sleeve.elastic_length` (S2)."""
    if d >= 2.0 * least:
        return d, 1.0, 0.0
    t = max(d, 0.0) / (2.0 * least)
    return least * (1.0 + t * t * t * (2.0 - t)), t * t * (3.0 - 2.0 * t), 3.0 * t * (1.0 - t) / least


@inner
def shear_share(beta: float, e: float) -> tuple[float, float, float]:
    """q = β/(β + e²) and its derivatives by e; zero without shear."""
    if beta == 0.0:
        return 0.0, 0.0, 0.0
    f = 1.0 / (beta + e * e)
    q = beta * f
    return q, -2.0 * e * q * f, (8.0 * e * e * f - 2.0) * q * f


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
