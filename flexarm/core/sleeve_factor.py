"""Elimination of a sleeve's coordinates d and η from its inertia: L D Lᵀ from the first free one on (NOTATION S11)."""

from __future__ import annotations

from ._jit import inner
from .questions import positive
from .sleeve import H_RETARDATION
from .types import OK, S_D, S_K, S_REST, Floats


@inner
def load(
    data: Floats,
    spring: Floats,
    c: int,
    m: int,
    stiff: Floats,
    tau: Floats,
    q_spring: Floats,
    v_damper: Floats,
    gh: float,
    bh2: float,
    driven: bool,
    known: float,
    inertia: Floats,
    force: Floats,
    u: Floats,
    stride: int,
) -> None:
    """Add E to the inertia and fill the forces left for the coordinates into every `stride`-th number of u.

    A driven d keeps its row of the inertia, for the force it takes; its place in u is its acceleration.
    """
    n = m - 1
    slow = data[H_RETARDATION]
    for a in range(n):
        s = tau[c + 1 + a] - force[1 + a]
        for b in range(n):
            k = stiff[a * n + b]
            s -= k * (q_spring[c + 1 + b] + slow * v_damper[c + 1 + b])
            inertia[(1 + a) * m + 1 + b] += (gh * slow + bh2) * k
        if driven:
            s -= inertia[1 + a] * known
        u[(1 + a) * stride] = s
    if driven:
        u[0] = known
    else:
        held = spring[c, S_K] * (q_spring[c] - spring[c, S_REST]) + spring[c, S_D] * v_damper[c]
        u[0] = tau[c] - force[0] - held
        inertia[0] += gh * spring[c, S_D] + bh2 * spring[c, S_K]


@inner
def factor(a: Floats, n: int, first: int) -> int:
    """Status; the upper triangle of a from row `first` on becomes D Lᵀ, the diagonal 1/D."""
    status = OK
    for k in range(first, n):
        pivot = a[k * n + k]
        pivot, status = positive(pivot, status)
        inv = 1.0 / pivot
        a[k * n + k] = inv
        for b in range(k + 1, n):
            f = a[k * n + b] * inv
            for r in range(b, n):
                a[b * n + r] -= f * a[k * n + r]
    return status


@inner
def back(a: Floats, n: int, first: int, x: Floats, begin: int, stride: int) -> None:
    """x ← a⁻¹ x for the numbers begin + k·stride, k ≥ first, of a factored matrix."""
    for k in range(first, n):
        f = x[begin + k * stride] * a[k * n + k]
        for b in range(k + 1, n):
            x[begin + b * stride] -= f * a[k * n + b]
    for k in range(n - 1, first - 1, -1):
        s = x[begin + k * stride]
        for b in range(k + 1, n):
            s -= a[k * n + b] * x[begin + b * stride]
        x[begin + k * stride] = s * a[k * n + k]
