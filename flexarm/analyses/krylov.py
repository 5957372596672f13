"""K x = f by products alone: GMRES in the metric of the stiff part B of K, which a sweep or its blocks invert.

B⁻¹K is the unit matrix but for what weight, loads and motion add, which acts on smooth shapes: as many products as
there are shapes that feel it are needed, whatever the number of coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.analyses.tangent import Stiff, Tangent
from flexarm.core.tree.types import Floats

_MOST = 80


@dataclass(frozen=True, eq=False)
class Solved:
    """x of K x = f, whether it was found, and the least eigenvalue that the even part of B⁻¹K was seen to have."""

    x: Floats
    found: bool
    least: float


def solved(tangent: Tangent, stiff: Stiff, f: Floats, tolerance: float = 1e-10, most: int = _MOST) -> Solved:
    """K x = f (n,) to a part of f, both measured by B⁻¹.

    The basis V is orthonormal in B, so that with B V kept beside it no product with B is ever needed:
    ⟨v, B⁻¹w⟩ = vᵀw.
    """
    z = stiff.solve(f[:, None])
    size = float(np.sqrt(max(float(f @ z[:, 0]), 0.0)))
    if size == 0.0:
        return Solved(np.zeros_like(f), True, np.inf)
    if not np.isfinite(size):
        return Solved(np.zeros_like(f), False, np.nan)
    most = min(most, len(f))
    basis, forces = np.zeros((len(f), most + 1)), np.zeros((len(f), most + 1))
    basis[:, 0], forces[:, 0] = z[:, 0] / size, f / size
    h = np.zeros((most + 1, most))
    target = np.zeros(most + 1)
    target[0] = size
    y: Floats = np.zeros(0)
    for j in range(most):
        w = tangent.stiffness(basis[:, j : j + 1])
        z = stiff.solve(w)
        if not np.all(np.isfinite(z)):
            return Solved(np.zeros_like(f), False, np.nan)
        for _ in range(2):
            part = forces[:, : j + 1].T @ z
            z -= basis[:, : j + 1] @ part
            w -= forces[:, : j + 1] @ part
            h[: j + 1, j] += part[:, 0]
        h[j + 1, j] = np.sqrt(max(float(z[:, 0] @ w[:, 0]), 0.0))
        y = np.asarray(np.linalg.lstsq(h[: j + 2, : j + 1], target[: j + 2], rcond=None)[0], dtype=np.float64)
        left = float(np.linalg.norm(h[: j + 2, : j + 1] @ y - target[: j + 2]))
        if left <= tolerance * size or h[j + 1, j] <= 1e-14:
            break
        basis[:, j + 1], forces[:, j + 1] = z[:, 0] / h[j + 1, j], w[:, 0] / h[j + 1, j]
    count = len(y)
    inner = h[:count, :count]
    least = float(np.linalg.eigvalsh(0.5 * (inner + inner.T))[0])
    return Solved(basis[:, :count] @ y, left <= max(tolerance, 1e-12) * size, least)


def least_stiffness(tangent: Tangent, stiff: Stiff, most: int = 25) -> float:
    """The least eigenvalue of the even part of B⁻¹K that random forces find."""
    rng = np.random.default_rng(2)
    return solved(tangent, stiff, rng.standard_normal(len(tangent.moving)) / tangent.size, 1e-14, most).least
