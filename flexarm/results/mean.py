"""Means over samples in time."""

from __future__ import annotations

import numpy as np


def root_mean_square(time: np.ndarray, values: np.ndarray) -> float:
    """Root mean square by the trapezium rule, so that uneven samples count by the time they represent."""
    known = np.isfinite(values)
    time, squares = time[known], values[known] ** 2
    if not squares.size:
        return float("nan")
    span = float(time[-1] - time[0])
    if span <= 0.0:
        return float(np.sqrt(squares.mean()))
    return float(np.sqrt(np.sum(0.5 * (squares[1:] + squares[:-1]) * np.diff(time)) / span))
