"""Series of Legendre polynomials: their values and integrals, for one beam or for those of many samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.polynomial import legendre

from flexarm.batched import Batch, among, array
from flexarm.core.tree.types import Floats


def values_of(series: Floats, x: Floats) -> Floats:
    """Values (p, n) of series (degree + 1, n) at places x (p,) of [-1, 1]."""
    if among([series, x]) is None:
        return np.moveaxis(np.asarray(legendre.legval(x, series), dtype=np.float64), -1, 0)
    return _polynomials(x, len(series) - 1) @ series


def _polynomials(x: Any, degree: int) -> Any:
    """The polynomials (p, degree + 1) at places x (p,)."""
    if not isinstance(x, Batch):
        return legendre.legvander(x, degree)
    found: list[Any] = [np.ones_like(x), x]
    for k in range(2, degree + 1):
        found.append((found[-1] * x * (2 * k - 1) - found[-2] * (k - 1)) / k)
    return np.stack(found[: degree + 1], axis=1)


def integral_of(series: Floats) -> Floats:
    """Series (degree + 2, n) of the integrals from -1 of series (degree + 1, n)."""
    if not isinstance(series, Batch):
        return np.asarray(legendre.legint(series, lbnd=-1.0), dtype=np.float64)
    # ∫P_k = (P_{k+1} − P_{k−1})/(2k + 1), and P_k(−1) = (−1)^k
    rows: list[Any] = [0.0 * series[0] for _ in range(len(series) + 1)]
    for k, row in enumerate(series):
        part = row / (2 * k + 1)
        rows[k + 1] = rows[k + 1] + part
        if k:
            rows[k - 1] = rows[k - 1] - part
    rows[0] = 0.0 * series[0]
    rows[0] = 0.0 - sum((-1.0) ** k * row for k, row in enumerate(rows))
    return array(rows)
