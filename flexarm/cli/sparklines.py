"""A curve in one line of text, as small bars of eight heights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

BARS = "▁▂▃▄▅▆▇█"
ASCII_BARS = "_.-:=+*#"
_FLAT = 3  # the height of a curve that does not change
_NARROWEST = 2


def sparkline(values: Sequence[float], width: int, *, places: Sequence[float] | None = None, bars: str = BARS) -> str:
    """The curve in `width` characters (an even number of them), blank where it is not known.

    Two neighbouring characters share the values between them and show the least and the greatest in the order they
    come, so no peak is lost, however many values there are. Between values that lie far apart it is interpolated.
    `places` (rising) are those of the values; without them they stand at equal distances.
    """
    curve = cells(values, width, places)
    known = curve[np.isfinite(curve)]
    if not known.size:
        return " " * len(curve)
    low, high = float(known.min()), float(known.max())
    # Halves first: the difference of two large numbers may be larger than any number.
    span = 0.5 * high - 0.5 * low
    with np.errstate(invalid="ignore"):
        heights = np.full(len(curve), _FLAT) if span == 0.0 else (0.5 * curve - 0.5 * low) / span * (len(bars) - 1)
    return "".join(
        bars[round(float(height))] if np.isfinite(value) else " "
        for value, height in zip(curve, np.where(np.isfinite(curve), heights, 0.0), strict=True)
    )


def cells(values: Sequence[float], width: int, places: Sequence[float] | None = None) -> np.ndarray:
    """One value for every character, NaN where the curve is not known."""
    found = np.asarray(values, dtype=float)
    where = np.arange(len(found), dtype=float) if places is None else np.asarray(places, dtype=float)
    found = np.where(np.isfinite(found), found, np.nan)
    count = max(width // 2, _NARROWEST // 2) * 2
    if not len(found):
        return np.full(count, np.nan)
    begin, end = float(where[0]), float(where[-1])
    if end <= begin:
        return np.full(count, found[0])
    middles = begin + (np.arange(count) + 0.5) * (end - begin) / count
    curve = np.interp(middles, where, found)
    owners = np.array([cell_of(place, begin, end, count) for place in where])
    for first in range(0, count, 2):
        inside = np.flatnonzero(owners // 2 == first // 2)
        inside_known = inside[np.isfinite(found[inside])]
        if len(inside_known) == 1:
            curve[owners[inside_known[0]]] = found[inside_known[0]]
        elif len(inside_known):
            least = inside_known[np.argmin(found[inside_known])]
            greatest = inside_known[np.argmax(found[inside_known])]
            curve[first], curve[first + 1] = found[min(least, greatest)], found[max(least, greatest)]
    return curve


def cell_of(place: float, begin: float, end: float, width: int) -> int:
    """The number of the character a place between the ends falls into."""
    if not end > begin:
        return 0
    return min(max(int((place - begin) / (end - begin) * width), 0), width - 1)
