"""Values at given ranks of columns, exact, in memory that does not grow with the number of rows.

Columns that fit into memory are partitioned there. Longer ones are passed over three times: for their bounds, for
counts in bins between them, and for the few values in the bins that hold the ranks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from flexarm.core.tree.types import Floats

Stream = Callable[[], Iterator[Floats]]  # the same rows (rows, columns) from the beginning, block by block

# Numbers held in memory at once (16 MB).
IN_MEMORY = 2_000_000
_BINS = 65536
# Rows binned at once: with fewer the counting of bins would cost more than that of rows.
_ROWS = 65536


def ranked(stream: Callable[[], Iterator[Floats]], ranks: Sequence[int]) -> list[float]:
    """The values of one column, a stream of (rows,), at some ranks, 0 the least."""
    found = ranked_columns(lambda: (values[:, None] for values in stream()), ranks, 1)
    return [float(value) for value in found[:, 0]]


def ranked_columns(stream: Stream, ranks: Sequence[int] | Callable[[int], Sequence[int]], columns: int) -> Floats:
    """The values (ranks, columns) at the ranks of every column, 0 the least; ranks may be a function of the rows."""
    count = 0
    low, high = np.full(columns, np.inf), np.full(columns, -np.inf)
    held: list[Floats] | None = []
    for values in stream():
        if not len(values):
            continue
        count += len(values)
        low, high = np.minimum(low, values.min(axis=0)), np.maximum(high, values.max(axis=0))
        if held is not None:
            held = [*held, values] if count * columns <= IN_MEMORY else None
    wanted = np.array(ranks(count) if callable(ranks) else ranks, dtype=np.int64)
    if held is not None:
        return _selected((np.concatenate([block[:, k] for block in held]) for k in range(columns)), wanted)
    found = np.empty((len(wanted), columns))
    # as many columns in a pass as their bins have room for
    together = max(1, IN_MEMORY // _BINS)
    for first in range(0, columns, together):
        some = slice(first, first + together)
        found[:, some] = _between(lambda some=some: (b[:, some] for b in stream()), wanted, low[some], high[some])  # type: ignore[misc]
    return found


def _between(stream: Stream, ranks: np.ndarray, low: Floats, high: Floats) -> Floats:
    """The values at the ranks among those within the bounds of each column."""
    columns = range(len(low))
    counts = np.zeros((len(low), _BINS), np.int64)
    for values in _longer(stream()):
        for k in columns:
            counts[k] += np.bincount(_bins(_inside(values[:, k], low[k], high[k]), low[k], high[k]), minlength=_BINS)
    ends = np.cumsum(counts, axis=1)
    holding = [np.searchsorted(ends[k], ranks, "right") for k in columns]
    chosen = [np.unique(bins) for bins in holding]
    # where all values are in few bins the bins themselves are cut, one column and bin at a time
    crowded = [[int(b) for b in chosen[k] if counts[k, b] > IN_MEMORY // (8 * len(low))] for k in columns]
    kept: list[dict[int, list[Floats]]] = [{int(b): [] for b in chosen[k] if b not in crowded[k]} for k in columns]
    for values in _longer(stream()):
        for k in columns:
            column = _inside(values[:, k], low[k], high[k])
            bins = _bins(column, low[k], high[k])
            for b, parts in kept[k].items():
                parts.append(column[bins == b])
    found = np.empty((len(ranks), len(low)))
    for k in columns:
        for b in chosen[k]:
            these = holding[k] == b
            inner = ranks[these] - (ends[k, b] - counts[k, b])
            if int(b) in kept[k]:
                values_there = np.concatenate(kept[k][int(b)])
            else:
                found[these, k] = _crowded(stream, k, int(b), inner, (low[k], high[k]))
                continue
            found[these, k] = _selected([values_there], inner)[:, 0]
    return found


def _crowded(stream: Stream, k: int, bin_: int, ranks: np.ndarray, bounds: tuple[float, float]) -> Floats:
    """The values at the ranks among those of one bin of a column, which are too many for memory."""
    low, high = bounds

    def inside() -> Iterator[Floats]:
        for values in stream():
            column = _inside(values[:, k], low, high)
            yield column[_bins(column, low, high) == bin_][:, None]

    least, greatest = np.inf, -np.inf
    for values in inside():
        if len(values):
            least, greatest = min(least, float(values.min())), max(greatest, float(values.max()))
    if least == greatest:
        return np.full(len(ranks), least)
    return _between(inside, ranks, np.array([least]), np.array([greatest]))[:, 0]


def _bins(values: Floats, low: float, high: float) -> np.ndarray:
    """The bin of each value, which never falls where values rise: no rounding turns their order round."""
    if low == high:
        return np.zeros(len(values), np.int64)
    unit = 1.0 if np.isfinite(float(high) - float(low)) else 0.5
    place = (values * unit - low * unit) / (high * unit - low * unit) * _BINS
    return np.minimum(place, _BINS - 1.0).astype(np.int64)


def _inside(values: Floats, low: float, high: float) -> Floats:
    return values[(values >= low) & (values <= high)]


def _selected(columns: Iterable[Floats], ranks: np.ndarray) -> Floats:
    """The values (ranks, columns) at the ranks of columns in memory, which are reordered."""
    found = []
    for values in columns:
        values.partition(np.unique(ranks))
        found.append(values[ranks])
    return np.array(found).reshape(-1, len(ranks)).T


def _longer(blocks: Iterator[Floats]) -> Iterator[Floats]:
    """The same rows in longer blocks."""
    held: list[Floats] = []
    for block in blocks:
        held.append(block)
        if sum(map(len, held)) >= _ROWS:
            yield np.concatenate(held)
            held = []
    if held:
        yield np.concatenate(held)
