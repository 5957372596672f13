"""Arrays inside a page: base64 of their bytes, each once, thinned where the page would grow too large."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

_KINDS = {"f8": "<f8", "f4": "<f4", "u2": "<u2"}


class ArrayStore:
    """The arrays of a page; `most` is how many points of a line are kept."""

    def __init__(self, most: int | None = None) -> None:
        self.most = most
        self.thinned = False
        self._packed: list[dict[str, Any]] = []
        self._known: dict[tuple[str, bytes], int] = {}

    @property
    def size(self) -> int:
        """Characters the arrays take in the page."""
        return sum(len(each["data"]) + 40 for each in self._packed)

    @property
    def packed(self) -> list[dict[str, Any]]:
        """The arrays as JSON holds them: kind, shape and base64 data."""
        return self._packed

    def put(self, values: Any, kind: str = "f8") -> int:
        """The number under which the array is kept."""
        array = np.ascontiguousarray(values, dtype=_KINDS[kind])
        data = array.tobytes()
        key = (f"{kind}{array.shape}", data)
        if key not in self._known:
            self._known[key] = len(self._packed)
            text = base64.b64encode(data).decode("ascii")
            self._packed.append({"kind": kind, "shape": list(array.shape), "data": text})
        return self._known[key]

    def put_lines(self, x: Any, *lines: Any) -> list[int]:
        """The numbers of x and of lines over it, thinned alike where they have too many points."""
        columns = [np.asarray(values, dtype=float).ravel() for values in (x, *lines)]
        if self.most is not None and len(columns[0]) > self.most:
            kept = extremes_kept(columns[1:], self.most)
            if len(kept) < len(columns[0]):
                self.thinned = True
                columns = [column[kept] for column in columns]
        return [self.put(column) for column in columns]


def extremes_kept(lines: list[np.ndarray], most: int) -> np.ndarray:
    """Indices, rising, of about `most` samples: both ends, and of every bin the least and the greatest of every line.

    Samples next to a gap (NaN) are kept too, so that a gap stays a gap.
    """
    count = len(lines[0])
    bins = max(1, most // (2 * len(lines)))
    if count <= most:
        return np.arange(count)
    width = -(-count // bins)
    kept = {0, count - 1}
    for line in lines:
        padded = np.full(width * bins, np.nan)
        padded[:count] = line
        rows = padded.reshape(bins, width)
        starts = np.arange(bins) * width
        some = np.isfinite(rows).any(axis=1)
        for fill, pick in ((np.inf, np.argmin), (-np.inf, np.argmax)):
            index = starts + pick(np.where(np.isfinite(rows), rows, fill), axis=1)
            kept.update(index[some].tolist())
        gaps = np.flatnonzero(~np.isfinite(line))
        if len(gaps):
            edges = gaps[np.append(True, np.diff(gaps) > 1) | np.append(np.diff(gaps) > 1, True)]
            kept.update(edges[: bins * 2].tolist())
    return np.array(sorted(index for index in kept if index < count))
