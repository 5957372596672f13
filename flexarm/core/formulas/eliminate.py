"""Coordinates of an element taken out of what it carries and what it is (NOTATION 34–36)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .algebra import Array, nothing, symmetric
from .equations import equation
from .joint import shift


class Stood(NamedTuple):
    """An element with what stands on its far node: inertia and bias, and the row of its coordinates."""

    I: Array  # (6, 6)
    p: Array  # (6,)
    D: Array  # (n, n) Δ
    V: Array  # (6, n)
    u: Array  # (n,)


@equation("(35)")
def stood_on(I: Array, p: Array, r: Array, c: Array, Y: Array, body: tuple[Array, ...]) -> Stood:
    """The far node's inertia and bias brought to the element's frame and added to its own; of elements whose
    coordinates are ζ, Y picks the node's motions (36).
    """
    own, b, coupling, M, u = body
    p = p + I @ c
    X, IY = shift(r), I @ Y
    return Stood(symmetric(X.T @ (I @ X)) + own, X.T @ p + b, symmetric(M + Y.T @ IY), coupling + X.T @ IY, u - Y.T @ p)


Checked = Callable[[Any], Any]


@equation("(34)")
def by_pivots(stood: Stood, positive: Checked) -> tuple[Array, Array, tuple[Array, ...]]:
    """I − V Δ⁻¹ Vᵀ, p + V Δ⁻¹ u by LDLᵀ, and L⁻¹[Vᵀ, u], 1/D, L for the accelerations."""
    n = len(stood.u)
    D, z, u = np.array(stood.D), np.array(stood.V.T), np.array(stood.u)
    inverse, L = nothing(n), nothing(n, n)
    for a in range(n):
        inverse[a] = 1.0 / positive(D[a, a])
        for b in range(a + 1, n):
            L[a, b] = D[a, b] * inverse[a]
            for c in range(b, n):
                D[b, c] = D[b, c] - L[a, b] * D[a, c]
            z[b] = z[b] - L[a, b] * z[a]
            u[b] = u[b] - L[a, b] * u[a]
    y = inverse[:, None] * z
    I, p = np.array(stood.I), np.array(stood.p)
    for r in range(6):
        p[r] = p[r] + u @ y[:, r]
        for c in range(r, 6):
            I[r, c] = I[r, c] - z[:, r] @ y[:, c]
    return symmetric(I), p, (z, u, inverse, L)


@equation("(36)")
def accelerations_by_pivots(A: Array, kept: tuple[Array, ...]) -> Array:
    """The coordinates' accelerations from that of the frame and what `by_pivots` keeps."""
    z, u, inverse, L = kept
    n = len(u)
    found = nothing(n)
    for a in range(n - 1, -1, -1):
        found[a] = (u[a] - z[a] @ A) * inverse[a]
        for b in range(a + 1, n):
            found[a] = found[a] - L[a, b] * found[b]
    return found


@equation("(34)")
def by_cofactors(stood: Stood, positive: Checked) -> tuple[Array, Array, tuple[Array, ...]]:
    """The same for two or three coordinates with one division, for which little waits: Δ⁻¹Vᵀ and Δ⁻¹u are kept."""
    D, n = np.array(stood.D), len(stood.u)
    C = nothing(n, n)
    if n == 2:
        D[0, 0] = positive(D[0, 0])
        C[0, 0], C[0, 1], C[1, 1] = D[1, 1], -D[0, 1], D[0, 0]
        minor = D[0, 0] * D[1, 1] - D[0, 1] * D[0, 1]
    else:
        D[1, 1] = positive(D[1, 1])
        C[0, 0] = positive(D[1, 1] * D[2, 2] - D[1, 2] * D[1, 2])
        C[0, 1], C[0, 2] = D[0, 2] * D[1, 2] - D[0, 1] * D[2, 2], D[0, 1] * D[1, 2] - D[0, 2] * D[1, 1]
        C[1, 1], C[1, 2] = D[0, 0] * D[2, 2] - D[0, 2] * D[0, 2], D[0, 1] * D[0, 2] - D[0, 0] * D[1, 2]
        C[2, 2] = D[0, 0] * D[1, 1] - D[0, 1] * D[0, 1]
        minor = D[0, 0] * C[0, 0] + D[0, 1] * C[0, 1] + D[0, 2] * C[0, 2]
    C, inverse = symmetric(C), 1.0 / positive(minor)
    x, e = C @ stood.V.T, C @ stood.u
    I, p = np.array(stood.I), np.array(stood.p)
    for r in range(6):
        p[r] = p[r] + (stood.u @ x[:, r]) * inverse
        for c in range(r, 6):
            I[r, c] = I[r, c] - (stood.V[r] @ x[:, c]) * inverse
    return symmetric(I), p, (x * inverse, e * inverse)


@equation("(36)")
def accelerations_by_cofactors(A: Array, kept: tuple[Array, ...]) -> Array:
    """The coordinates' accelerations from that of the frame and what `by_cofactors` keeps."""
    x, e = kept
    return e - x @ A


@equation("(36)")
def far_acceleration(A: Array, r: Array, c: Array, moved: Array) -> Array:
    """A_t = X_t A + Yη̈ + c_t, of elements that stretch with ζ for Yη̈."""
    return shift(r) @ A + moved + c
