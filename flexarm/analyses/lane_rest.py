"""The equilibrium of eight arms at once; see `posture.equilibrium`, whose result it shares to rounding."""

from __future__ import annotations

import numpy as np

from flexarm.core.lane_entry import tangent_lanes
from flexarm.core.lane_numbers import LANES
from flexarm.core.types import S_LEVER, Floats, Laws, Loads, Tree

_STEP = 1e-3  # of the central differences, in radians or arms' sizes
_MOST = 40


def lane_equilibrium(
    tree: Tree,
    given: tuple[Loads, Laws],
    state: tuple[Floats, Floats, Floats, Floats],
    held: np.ndarray,
    sizes: Floats,
    reach: Floats,
    work: Floats,
) -> tuple[Floats, np.ndarray]:
    """Coordinates (nq, LANES) with those that are not held in equilibrium, and the lanes in which one was found.

    `sizes` (nq, LANES) tells what a large change of a coordinate is: a radian, or the arm's size. Plain Newton steps: a
    lane in which they do not lead straight to a stable equilibrium is left to the careful way.
    """
    q, v, a, tau = (np.ascontiguousarray(x) for x in state)
    q = q.copy()
    free = np.flatnonzero(~held)
    found = np.zeros(LANES, bool)
    if free.size == 0:
        return q, ~found
    lost = np.zeros(LANES, bool)
    lever = tree.spring[free, S_LEVER]
    filled = (np.zeros_like(q), np.zeros((len(free), len(free), LANES)), np.zeros_like(q))
    last = np.full(LANES, np.inf)
    for _ in range(_MOST):
        tangent_lanes(tree, *given, (q, v, a), free, _STEP * sizes, filled, work)
        r = (filled[0] - tau)[free]
        change, definite = _newton(np.moveaxis(filled[1], -1, 0), r)
        largest = np.max(np.abs(change) / sizes[free], axis=0)
        lost |= ~definite | ~(largest < 0.5)
        going = ~(found | lost)
        q[np.ix_(free, going)] += change[:, going]
        moved = np.max(np.abs(change) * lever, axis=0)
        # quadratic until rounding keeps the last digits moving
        found |= going & ((moved < 1e-12 * reach) | ((0.5 * last < moved) & (moved < 1e-6 * reach)))
        last = moved
        if np.all(found | lost):
            break
    return q, found


def _newton(stiffness: Floats, r: Floats) -> tuple[Floats, np.ndarray]:
    """−K⁻¹ r (nf, LANES) in every lane, and the lanes in which K is positive definite."""
    definite = np.ones(LANES, bool)
    symmetric = 0.5 * (stiffness + stiffness.transpose(0, 2, 1))
    try:
        np.linalg.cholesky(symmetric)
    except np.linalg.LinAlgError:
        for lane in range(LANES):
            try:
                np.linalg.cholesky(symmetric[lane])
            except np.linalg.LinAlgError:
                definite[lane] = False
    stiffness = np.where(definite[:, None, None], stiffness, np.eye(stiffness.shape[1]))
    # LAPACK takes the lanes one by one: what becomes of one does not depend on the others
    return np.asarray(-np.linalg.solve(stiffness, r.T[:, :, None])[:, :, 0].T, dtype=float), definite
