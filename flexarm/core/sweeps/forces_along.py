"""Inverse dynamics along many states in one compiled call."""

from __future__ import annotations

from .._jit import jit
from ..tree.types import Floats, Laws, Loads, Tree
from .linear import any_rnea


@jit
def forces_along(
    tree: Tree, loads: Loads, laws: Laws, t: float, q: Floats, v: Floats, a: Floats, tau: Floats, work: Floats
) -> None:
    """Fill τ (m, nq) with the generalised forces that give the accelerations a (m, nq); loads as they are at time t."""
    for k in range(q.shape[0]):
        any_rnea(tree, loads, laws, t, False, q[k], v[k], a[k], tau[k], work)
