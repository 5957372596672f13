"""Vectors and matrices of numbers of any kind."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]  # of floats, or of numbers that remember

E_X = np.array([1.0, 0.0, 0.0])
E_Z = np.array([0.0, 0.0, 1.0])


def nothing(*shape: int) -> Array:
    """Zeros that may be replaced by numbers of any kind."""
    return np.full(shape, 0.0, dtype=object)


def vector(*entries: Any) -> Array:
    """The vector of these entries."""
    return np.array(entries, dtype=object)


def tilde(a: Array) -> Array:
    """The cross-product matrix: ã b = a × b."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]], dtype=object)


def about_z(sin: Any, cos: Any) -> Array:
    """Rot_z of an angle."""
    return np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]], dtype=object)


def symmetric(m: Array) -> Array:
    """The symmetric matrix with the upper triangle of m: the lower one is never computed."""
    out = np.array(m, dtype=object)
    for i in range(len(out)):
        for j in range(i):
            out[i, j] = out[j, i]
    return out


def upper(m: Array) -> Array:
    """The upper triangle of m, zeros below: what is kept of a symmetric matrix."""
    out = np.array(m, dtype=object)
    for i in range(len(out)):
        out[i, :i] = 0.0
    return out


def joined(angular: Array, linear: Array) -> Array:
    """The 6-vector (angular; linear), or six rows of three and three."""
    return np.concatenate([angular, linear])
