"""Inverse dynamics along many states in one compiled call."""

from __future__ import annotations

from ._jit import jit
from .linear import any_rnea
from .types import Floats, Laws, Loads, Tree


@jit
def forces_along(
    tree: Tree, loads: Loads, laws: Laws, q: Floats, v: Floats, a: Floats, tau: Floats, work: Floats
) -> None:
    """Fill τ (m, nq) with the generalised forces that give the accelerations a (m, nq); laws of loads at t = 0."""
    for k in range(q.shape[0]):
        any_rnea(tree, loads, laws, 0.0, False, q[k], v[k], a[k], tau[k], work)
