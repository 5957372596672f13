"""Cubic splines through a table: coefficients of the pieces, by a tridiagonal solve of their own."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from flexarm.batched import zeros

Array = npt.NDArray[np.float64]


def cubic_spline(x: Array, y: Array, *, natural: bool = False) -> Array:
    """Coefficients (n-1, 4) of the twice continuously differentiable cubic through the points, about each x[j].

    Ends are clamped to zero slope, or natural: zero second derivative.
    """
    h = np.diff(x)
    slope = np.diff(y) / h
    # Second derivatives m: h[i-1] m[i-1] + 2 (h[i-1] + h[i]) m[i] + h[i] m[i+1] = 6 (slope[i] - slope[i-1]).
    lower, middle, upper, right = (zeros(len(x), x, y) for _ in range(4))
    middle[:] = 1.0
    lower[1:-1], middle[1:-1], upper[1:-1] = h[:-1], 2 * (h[:-1] + h[1:]), h[1:]
    right[1:-1] = 6 * np.diff(slope)
    if not natural:
        middle[0], upper[0], right[0] = 2 * h[0], h[0], 6 * slope[0]
        lower[-1], middle[-1], right[-1] = h[-1], 2 * h[-1], -6 * slope[-1]
    m = _tridiagonal(lower, middle, upper, right)
    coefficients = zeros((len(h), 4), x, y)
    coefficients[:, 0] = y[:-1]
    coefficients[:, 1] = slope - h * (2 * m[:-1] + m[1:]) / 6
    coefficients[:, 2] = m[:-1] / 2
    coefficients[:, 3] = np.diff(m) / (6 * h)
    if not natural:
        coefficients[0, 1] = 0.0
    return coefficients


def _tridiagonal(lower: Array, middle: Array, upper: Array, right: Array) -> Array:
    # Thomas's algorithm; the matrix is diagonally dominant, so no pivoting is needed.
    n = len(middle)
    c, d = zeros(n, upper), zeros(n, upper)
    c[0], d[0] = upper[0] / middle[0], right[0] / middle[0]
    for i in range(1, n):
        pivot = middle[i] - lower[i] * c[i - 1]
        c[i] = upper[i] / pivot
        d[i] = (right[i] - lower[i] * d[i - 1]) / pivot
    for i in range(n - 2, -1, -1):
        d[i] = d[i] - c[i] * d[i + 1]
    return d
