"""Series systems: the probability that at least one of several half-spaces is hit, between Ditlevsen's bounds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.core.tree.types import Floats

# Directions nearer to one another than this are one and the same; the integral over both would lose its digits.
_SAME = 1e-9


def normal_tail(index: float) -> float:
    """Φ(−index): the probability of a standard normal number beyond the index."""
    import openturns as ot

    return float(ot.DistFunc.pNormal(-index))


def normal_index(probability: float) -> float:
    """The index β with Φ(−β) equal to a probability inside (0, 1)."""
    import openturns as ot

    return -float(ot.DistFunc.qNormal(probability))


def both(one: float, other: float, cosine: float) -> float:
    """The probability of two half-spaces at once, by their indices and the cosine between their directions."""
    import openturns as ot

    if cosine >= 1.0 - _SAME:
        return normal_tail(max(one, other))
    if cosine <= -1.0 + _SAME:
        return max(0.0, normal_tail(one) + normal_tail(other) - 1.0)
    found = float(ot.DistFunc.pNormal2D(-one, -other, cosine))
    return min(max(found, 0.0), normal_tail(max(one, other)))


def series_bounds(indices: Sequence[float], directions: Sequence[Floats]) -> tuple[float, float]:
    """Least and greatest probability of hitting at least one of half-spaces α·u > β.

    O. Ditlevsen, Journal of Structural Mechanics 7 (1979) 453: with the likeliest first,
    P₁ + Σ max(0, Pᵢ − Σⱼ Pᵢⱼ) ≤ P ≤ ΣPᵢ − Σ maxⱼ Pᵢⱼ, j < i. Exact for one and for two of them.
    """
    order = np.argsort(indices, kind="stable")
    low = high = 0.0
    for place, i in enumerate(order):
        alone = normal_tail(indices[i])
        shared = [both(indices[i], indices[j], float(np.dot(directions[i], directions[j]))) for j in order[:place]]
        low += max(0.0, alone - sum(shared))
        high += alone - max(shared, default=0.0)
    return min(low, 1.0), min(high, 1.0)
