"""Element matrices by exact rational integration of polynomials, derived anew from the fields of each element.

Polynomials in x are lists of fractions, lowest power first. Coordinates are (v, ψ) of every node, base to tip.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

Polynomial = list[Fraction]
Matrix = list[list[Fraction]]


def product(a: Polynomial, b: Polynomial) -> Polynomial:
    """a · b."""
    found = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            found[i + j] += x * y
    return found


def derivative(a: Polynomial) -> Polynomial:
    """da/dx."""
    return [k * c for k, c in enumerate(a)][1:] or [Fraction(0)]


def minus(a: Polynomial, b: Polynomial) -> Polynomial:
    """a − b."""
    size = max(len(a), len(b))
    padded = [p + [Fraction(0)] * (size - len(p)) for p in (a, b)]
    return [x - y for x, y in zip(*padded, strict=True)]


def integral(a: Polynomial, length: Fraction) -> Fraction:
    """∫ a dx from 0 to the length."""
    return sum((c * length ** (k + 1) / (k + 1) for k, c in enumerate(a)), Fraction(0))


def gram(rows: list[Polynomial], length: Fraction) -> Matrix:
    """∫ a_i a_j dx."""
    return [[integral(product(a, b), length) for b in rows] for a in rows]


def projected_gram(rows: list[Polynomial], length: Fraction, degree: int) -> Matrix:
    """The same of the projections of the rows on polynomials up to a degree (0 or 1): what that many + 1 Gauss points
    see of rows one degree higher, since there the next Legendre polynomial vanishes.
    """
    legendre = [[Fraction(1)], [Fraction(-1), 2 / length]][: degree + 1]
    parts = [[integral(product(row, p), length) for row in rows] for p in legendre]
    sizes = [integral(product(p, p), length) for p in legendre]
    n = len(rows)
    return [[sum(a[i] * a[j] / s for a, s in zip(parts, sizes, strict=True)) for j in range(n)] for i in range(n)]


def added(*terms: tuple[Fraction, Matrix]) -> Matrix:
    """Σ factor · matrix."""
    n = len(terms[0][1])
    return [[sum((f * m[i][j] for f, m in terms), Fraction(0)) for j in range(n)] for i in range(n)]


def as_floats(matrix: Matrix) -> np.ndarray:
    """The matrix in floating point."""
    return np.array([[float(x) for x in row] for row in matrix])


def lagrange(nodes: int, length: Fraction) -> list[Polynomial]:
    """The polynomials that are 1 at one of equally spaced nodes and 0 at the others."""
    places = [length * k / (nodes - 1) for k in range(nodes)]
    found = []
    for at in places:
        p = [Fraction(1)]
        for other in places:
            if other != at:
                p = product(p, [-other / (at - other), 1 / (at - other)])
        found.append(p)
    return found


def separate(
    nodes: int, L: Fraction, EI: Fraction, kGA: Fraction, rhoA: Fraction, rhoI: Fraction, *, reduced: bool
) -> tuple[Matrix, Matrix]:
    """K and M of the element whose v and ψ are interpolated apart; reduced: shear projected one degree down."""
    shapes, zero = lagrange(nodes, L), [Fraction(0)]
    v = [p for shape in shapes for p in (shape, zero)]
    psi = [p for shape in shapes for p in (zero, shape)]
    gamma = [minus(derivative(a), b) for a, b in zip(v, psi, strict=True)]
    shear = projected_gram(gamma, L, nodes - 2) if reduced else gram(gamma, L)
    K = added((EI, gram([derivative(p) for p in psi], L)), (kGA, shear))
    return K, added((rhoA, gram(v, L)), (rhoI, gram(psi, L)))


def cubic(L: Fraction, EI: Fraction, kGA: Fraction | None, rhoA: Fraction, rhoI: Fraction) -> tuple[Matrix, Matrix]:
    """K and M of the element with cubic v and φ = v' + ψ, its energy least over the constant ψ; None: no shear."""
    one = Fraction(1)
    hermite = [
        [one, 0 * one, -3 / L**2, 2 / L**3],
        [0 * one, one, -2 / L, 1 / L**2],
        [0 * one, 0 * one, 3 / L**2, -2 / L**3],
        [0 * one, 0 * one, -1 / L, 1 / L**2],
    ]
    # on (v1, φ1, v2, φ2, ψ): the axis leaves its nodes with the slopes φ − ψ
    v = [*hermite, [-a - b for a, b in zip(hermite[1], hermite[3], strict=True)]]
    psi = [[0 * one]] * 4 + [[one]]
    phi = [minus(derivative(a), [-c for c in b]) for a, b in zip(v, psi, strict=True)]
    K5 = gram([derivative(p) for p in phi], L)
    K5 = added((EI, K5)) if kGA is None else added((EI, K5), (kGA, gram(psi, L)))
    M5 = added((rhoA, gram(v, L)), (rhoI, gram(phi, L)))
    least = [Fraction(0)] * 4 if kGA is None else [-K5[4][j] / K5[4][4] for j in range(4)]
    T = [[Fraction(int(i == j)) for j in range(4)] for i in range(4)] + [least]

    def condensed(matrix: Matrix) -> Matrix:
        return [
            [sum(T[a][i] * matrix[a][b] * T[b][j] for a in range(5) for b in range(5)) for j in range(4)]
            for i in range(4)
        ]

    return condensed(K5), condensed(M5)
