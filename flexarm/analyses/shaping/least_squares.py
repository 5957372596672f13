"""Small least-squares problems that NumPy has no function for."""

from __future__ import annotations

import numpy as np

from flexarm.core.tree.types import Floats


def positive_least_squares(matrix: Floats, right: Floats) -> Floats:
    """The x ≥ 0 that makes matrix @ x nearest to the right side (Lawson and Hanson's active sets)."""
    n = matrix.shape[1]
    x = np.zeros(n)
    passive = np.zeros(n, bool)
    slack = 1e-13 * float(np.max(np.abs(matrix))) * float(np.max(np.abs(right)))
    for _ in range(3 * n):
        pull = matrix.T @ (right - matrix @ x)
        pull[passive] = -np.inf
        best = int(np.argmax(pull))
        if pull[best] <= slack:
            break
        passive[best] = True
        while True:
            tried = np.zeros(n)
            tried[passive] = np.linalg.lstsq(matrix[:, passive], right, rcond=None)[0]
            if np.all(tried[passive] > 0.0):
                x = tried
                break
            # back to where the first of the falling ones reaches zero
            falling = passive & (tried <= 0.0)
            share = np.min(x[falling] / np.maximum(x[falling] - tried[falling], 1e-300))
            x = x + share * (tried - x)
            passive &= x > 1e-15
            x[~passive] = 0.0
            if not passive.any():
                break
    return x
