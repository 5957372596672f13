"""Tangents of the forces by the coordinates and the rates, column by column in one compiled call (NOTATION 26)."""

from __future__ import annotations

import numpy as np

from .._jit import jit
from ..tree.types import Floats, Laws, Loads, Tree
from .linear import any_rnea

# Five-point central difference: forces are trigonometric in the angles, so h⁴/30 and eps/h are both near 1e-13 here.
STEP = 1e-3
OFFSETS = (-2.0, -1.0, 1.0, 2.0)
WEIGHTS = (1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0)


@jit
def _columns(
    tree: Tree,
    loads: Loads,
    laws: Laws,
    t: float,
    q: Floats,
    v: Floats,
    a: Floats,
    size: Floats,
    by_q: Floats,
    by_v: Floats,
    tau: Floats,
    work: Floats,
) -> None:
    """Fill the rows of ∂r/∂q and ∂r/∂v transposed, as far as each of them has rows; q and v come back as they were."""
    n = q.shape[0]
    for j in range(by_q.shape[0]):
        at = q[j]
        h = STEP * size[j]
        for i in range(n):
            by_q[j, i] = 0.0
        for k in range(4):
            q[j] = at + OFFSETS[k] * h
            any_rnea(tree, loads, laws, t, False, q, v, a, tau, work)
            weight = WEIGHTS[k] / h
            for i in range(n):
                by_q[j, i] += weight * tau[i]
        q[j] = at
    for j in range(by_v.shape[0]):
        at = v[j]
        h = size[j]
        # forces are quadratic in the rates: two points are exact
        v[j] = at + h
        any_rnea(tree, loads, laws, t, False, q, v, a, tau, work)
        for i in range(n):
            by_v[j, i] = tau[i] / (2.0 * h)
        v[j] = at - h
        any_rnea(tree, loads, laws, t, False, q, v, a, tau, work)
        for i in range(n):
            by_v[j, i] -= tau[i] / (2.0 * h)
        v[j] = at


def tangent_columns(
    tree: Tree,
    loads: Loads,
    laws: Laws,
    t: float,
    state: tuple[Floats, Floats, Floats],
    size: Floats,
    work: Floats,
    wanted: tuple[bool, bool] = (True, True),
) -> tuple[Floats, Floats]:
    """∂r/∂q and ∂r/∂v (nq, nq) of the forces at a state q, v, a; one that is not wanted is zero.

    `size` (nq,) is what a large change of a coordinate is: a radian, or the arm's size.
    """
    q, v, a = (np.array(part, dtype=float) for part in state)
    n = len(q)
    by_q, by_v = (np.zeros((n if each else 0, n)) for each in wanted)
    _columns(tree, loads, laws, float(t), q, v, a, size, by_q, by_v, np.zeros(n), work)
    found = [part.T if each else np.zeros((n, n)) for part, each in zip((by_q, by_v), wanted, strict=True)]
    return found[0], found[1]
