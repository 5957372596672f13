"""The least and greatest value of a sampled signal, between its samples too.

The largest *sample* misses a peak by an amount of second order in the sampling interval. Here the signal is a cubic on
every interval, through the samples and with the rates given there (fourth order) or with rates from the parabola
through three neighbouring samples (third order, fourth at a symmetric peak). Where a signal jumps it has two samples,
of both sides, at times next to each other: there is no cubic between them, nor a parabola through both.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import final

import numpy as np


@final
@dataclass(frozen=True)
class Extremes:
    """The least and greatest value of a signal, in its own unit, and when they are reached, s."""

    least: float
    least_time: float
    greatest: float
    greatest_time: float

    @property
    def span(self) -> float:
        """Greatest minus least, in the signal's unit."""
        return self.greatest - self.least


def find_extremes(
    time: np.ndarray,
    values: np.ndarray,
    rates: np.ndarray | None = None,
    *,
    after: float | None = None,
    until: float | None = None,
) -> Extremes:
    """The extremes of the signal within the window, whose ends need not fall on samples.

    A jump without samples of both sides makes the cubic overshoot. Samples that are not finite are left out.
    """
    known = np.isfinite(values) if rates is None else np.isfinite(values) & np.isfinite(rates)
    time, values = time[known], values[known]
    begin = time[0] if after is None and time.size else after
    end = time[-1] if until is None and time.size else until
    if time.size == 0 or begin is None or end is None or not max(begin, time[0]) <= min(end, time[-1]):
        raise ValueError("the window holds no part of the signal")
    if time.size == 1:
        return Extremes(float(values[0]), float(time[0]), float(values[0]), float(time[0]))
    slopes = rates[known] if rates is not None else parabolic_slopes(time, values)
    h = np.diff(time)
    c1, c2, c3 = _cubics(time, values, slopes)
    low = np.clip(begin - time[:-1], 0.0, h)
    high = np.clip(end - time[:-1], 0.0, h)
    inside = (time[:-1] <= end) & (time[1:] >= begin)
    instants = np.stack([low, high, *(np.clip(root, low, high) for root in _turning_points(c1, c2, c3, low))])
    heights = values[:-1] + instants * (c1 + instants * (c2 + instants * c3))
    samples = (time >= begin) & (time <= end)
    heights = np.concatenate([heights[:, inside].ravel(), values[samples]])
    instants = np.concatenate([(time[:-1] + instants)[:, inside].ravel(), time[samples]])
    least, greatest = heights.argmin(), heights.argmax()
    return Extremes(
        float(heights[least]),
        float(instants[least]),
        float(heights[greatest]),
        float(instants[greatest]),
    )


def extremes_of_batch(
    time: np.ndarray,
    values: np.ndarray,
    rates: np.ndarray | None = None,
    *,
    after: np.ndarray | None = None,
    between: bool = True,
    jumps: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """The least and greatest values (n,) of signals (m, n) on the same times, each from its own `after` (n,) on.

    As `find_extremes` has them, number by number; NaN where a signal is not finite or its window holds no part of it.
    Of the samples alone unless `between`. At `jumps` (k, n) signals may jump though they have a sample of one side
    only: near them the samples alone count.
    """
    known = np.isfinite(values).all(axis=0)
    if after is not None:
        known &= after <= time[-1]
    if len(time) == 1:
        alone = np.where(known, values[0], np.nan)
        return alone, alone
    if not between:
        outside = np.zeros(values.shape, bool) if after is None else time[:, None] < after
        found = np.where(outside, np.inf, values).min(axis=0), np.where(outside, -np.inf, values).max(axis=0)
        return np.where(known, found[0], np.nan), np.where(known, found[1], np.nan)
    slopes = rates if rates is not None else parabolic_slopes(time, values)
    begin = np.full(values.shape[1], time[0]) if after is None else after
    with np.errstate(invalid="ignore"):
        before = time[:, None] < begin
        least = np.where(before, np.inf, values).min(axis=0)
        greatest = np.where(before, -np.inf, values).max(axis=0)
        _look_between(time, values, slopes, begin, least, greatest, _near_jumps(time, jumps, values.shape[1]))
    return np.where(known, least, np.nan), np.where(known, greatest, np.nan)


def _look_between(
    time: np.ndarray,
    values: np.ndarray,
    slopes: np.ndarray,
    begin: np.ndarray,
    least: np.ndarray,
    greatest: np.ndarray,
    broken: np.ndarray,
) -> None:
    """Move the extremes (n,) of samples (m, n) from `begin` (n,) on to those of the cubics between the samples.

    A cubic stays within the hull of its four control points: intervals whose hull holds nothing beyond the extremes of
    the samples need no look, which are nearly all of them.
    """
    h = np.diff(time)[:, None]
    first, last = values[:-1], values[1:]
    leaving, arriving = first + h / 3.0 * slopes[:-1], last - h / 3.0 * slopes[1:]
    beyond = (np.maximum(leaving, arriving) > greatest) | (np.minimum(leaving, arriving) < least)
    beyond |= (time[:-1, None] < begin) & (begin <= time[1:, None])  # where the window begins between samples
    beyond &= (time[1:, None] >= begin) & ~_jumps(time)[:, None] & ~broken
    i, run = np.nonzero(beyond)
    v, c1, right, size = first[i, run], slopes[i, run], slopes[i + 1, run], h[i, 0]
    mean = (last[i, run] - v) / size
    c2, c3 = (3.0 * mean - 2.0 * c1 - right) / size, (c1 + right - 2.0 * mean) / size**2
    low = np.clip(begin[run] - time[i], 0.0, size)
    for instants in (low, *(np.clip(root, low, size) for root in _turning_points(c1, c2, c3, low))):
        heights = v + instants * (c1 + instants * (c2 + instants * c3))
        np.minimum.at(least, run, heights)
        np.maximum.at(greatest, run, heights)


def _near_jumps(time: np.ndarray, jumps: np.ndarray | None, count: int) -> np.ndarray:
    """True (m − 1, n) at the intervals that hold a jump, and at their neighbours, whose slopes know of it."""
    broken = np.zeros((len(time) - 1, count), bool)
    for instants in () if jumps is None else jumps:
        at = np.searchsorted(time, instants)
        for shift in (-2, -1, 0, 1):
            within = (at + shift >= 0) & (at + shift < len(broken))
            broken[at[within] + shift, np.flatnonzero(within)] = True
    return broken


def _jumps(time: np.ndarray) -> np.ndarray:
    """True at the intervals between two samples at one time."""
    return np.asarray(np.diff(time) <= 8.0 * np.spacing(np.abs(time).max()))


def _cubics(time: np.ndarray, values: np.ndarray, slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """c1, c2, c3 of p(u) = v + c1 u + c2 u² + c3 u³ on each interval, u = t − start; zeros where the signal jumps."""
    jumps = _jumps(time)
    h = np.where(jumps, 1.0, np.diff(time)).reshape(-1, *(1,) * (values.ndim - 1))
    jumps = jumps.reshape(h.shape)
    mean = np.diff(values, axis=0) / h
    c1, right = slopes[:-1], slopes[1:]
    c2 = (3.0 * mean - 2.0 * c1 - right) / h
    c3 = (c1 + right - 2.0 * mean) / h**2
    return np.where(jumps, 0.0, c1), np.where(jumps, 0.0, c2), np.where(jumps, 0.0, c3)


def parabolic_slopes(time: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The rate at every sample of the parabola through it and its neighbours on the same side of every jump: a line
    where there are only two, zero where a sample stands alone.
    """
    slopes = np.zeros_like(values)
    edges = [0, *(np.flatnonzero(_jumps(time)) + 1).tolist(), len(time)]
    for begin, end in pairwise(edges):
        if end - begin > 1:
            part = slice(begin, end)
            slopes[part] = np.gradient(values[part], time[part], axis=0, edge_order=2 if end - begin > 2 else 1)
    return slopes


def _turning_points(c1: np.ndarray, c2: np.ndarray, c3: np.ndarray, default: np.ndarray) -> list[np.ndarray]:
    """Both roots of c1 + 2 c2 u + 3 c3 u² on every interval; `default` where a root does not exist."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # The sum avoids cancellation: one root is q / (3 c3), the other c1 / q.
        q = -(c2 + np.copysign(np.sqrt(c2**2 - 3.0 * c1 * c3), c2))
        roots = (q / (3.0 * c3), c1 / q)
    return [np.where(np.isfinite(root), root, default) for root in roots]
