"""Quadratic forms of the flexible bodies' stiffness and damping; rigid trees have none beside their joints."""

from __future__ import annotations

from flexarm.core.tree.types import T_COORD, T_COUNT, T_DATA, T_SLEEVE, Floats

from .kinds import FLEXIBLE, SLEEVES, AnyTree
from .space import VECTORS
from .strain import sleeve_form


def elastic_form(tree: AnyTree, q: Floats, x: Floats, rate: float, stiff: float) -> float:
    """xᵀ (rate·D + stiff·K) x over all flexible bodies at the coordinates q."""
    total = 0.0
    if FLEXIBLE:
        for i in range(1, tree.topology.shape[0]):
            n = tree.topology[i, T_COUNT]
            c = tree.topology[i, T_COORD]
            begin = tree.topology[i, T_DATA]
            if SLEEVES and tree.topology[i, T_SLEEVE] == 1:
                total += sleeve_form(tree.elastic[begin:], c, q, x, rate, stiff)
                continue
            for k in range(n):
                s = 0.0
                for j in range(n):
                    at = begin + (VECTORS + n + k) * n + j
                    s += (stiff * tree.elastic[at] + rate * tree.elastic[at + n * n]) * x[c + j]
                total += s * x[c + k]
    return total
