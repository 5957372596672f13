"""Quadratic forms of the flexible bodies' stiffness and damping; rigid trees have none beside their joints."""

from __future__ import annotations

from ._jit import inner
from .types import T_COORD, T_COUNT, T_DATA, Floats, PlanarFlexTree, SpatialFlexTree, Tree


@inner
def no_form(tree: Tree, q: Floats, x: Floats, rate: float, stiff: float) -> float:
    """Zero: no body of the tree is flexible."""
    return 0.0


@inner
def block_form(elastic: Floats, begin: int, n: int, c: int, x: Floats, rate: float, stiff: float) -> float:
    """xᵀ (rate·D + stiff·K) x of one body whose K begins at `begin`."""
    total = 0.0
    for a in range(n):
        s = 0.0
        for b in range(n):
            k = begin + a * n + b
            s += (stiff * elastic[k] + rate * elastic[k + n * n]) * x[c + b]
        total += s * x[c + a]
    return total


@inner
def planar_form(tree: PlanarFlexTree, q: Floats, x: Floats, rate: float, stiff: float) -> float:
    """xᵀ (rate·D + stiff·K) x over all flexible bodies."""
    total = 0.0
    for i in range(1, tree.topology.shape[0]):
        n = tree.topology[i, T_COUNT]
        if n > 0:
            begin = tree.topology[i, T_DATA] + 4 * n + n * n
            total += block_form(tree.elastic, begin, n, tree.topology[i, T_COORD], x, rate, stiff)
    return total


@inner
def spatial_form(tree: SpatialFlexTree, q: Floats, x: Floats, rate: float, stiff: float) -> float:
    """xᵀ (rate·D + stiff·K) x over all flexible bodies."""
    total = 0.0
    for i in range(1, tree.topology.shape[0]):
        n = tree.topology[i, T_COUNT]
        if n > 0:
            begin = tree.topology[i, T_DATA] + 9 * n + n * n
            total += block_form(tree.elastic, begin, n, tree.topology[i, T_COORD], x, rate, stiff)
    return total
