"""Statistics of a stored study in memory that does not grow with its samples, the same whatever its parts are.

Samples are taken in blocks that begin at multiples of a fixed number, whichever parts they stand in; the blocks'
moments are merged in their order (T. Chan, G. Golub, R. LeVeque, 1979).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import exp, floor, lgamma, log, sqrt
from statistics import NormalDist
from typing import final

import numpy as np

from flexarm.core.types import Floats
from flexarm.studies.rows import FINE, Rows
from flexarm.studies.store import StoredStudy

BLOCK = 1024
# Numbers of a study that are in memory at once for its quantiles (64 MB).
IN_MEMORY = 8_000_000
_BINS = 65536
CONFIDENCE = 0.95


@final
@dataclass(eq=False)
class Moments:
    """Count, mean and sum of squared deviations of columns, gathered block by block."""

    count: int
    mean: Floats
    squares: Floats

    @staticmethod
    def of(values: Floats) -> Moments:
        """Those of rows (samples, columns)."""
        if not len(values):
            return Moments(0, np.zeros(values.shape[1]), np.zeros(values.shape[1]))
        mean = values.sum(axis=0) / len(values)
        return Moments(len(values), mean, ((values - mean) ** 2).sum(axis=0))

    def merged(self, other: Moments) -> Moments:
        """Those of both together."""
        if not other.count or not self.count:
            return self if self.count else other
        count = self.count + other.count
        apart = other.mean - self.mean
        mean = self.mean + apart * (other.count / count)
        squares = self.squares + other.squares + apart**2 * (self.count * other.count / count)
        return Moments(count, mean, squares)

    @property
    def variance(self) -> Floats:
        """Unbiased; NaN for fewer than two samples."""
        return self.squares / (self.count - 1) if self.count > 1 else np.full_like(self.squares, np.nan)


@final
@dataclass(eq=False)
class Gathered:
    """Moments of columns over all samples that ran, at some numbers of samples on the way, and what failed."""

    names: tuple[str, ...]
    total: int = 0
    moments: Moments = field(default_factory=lambda: Moments(0, np.zeros(0), np.zeros(0)))
    on_the_way: list[tuple[int, Moments]] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, str] = field(default_factory=dict)  # the first of each kind


def gather(stored: StoredStudy, names: Sequence[str], samples: int) -> Gathered:
    """One pass over the first so many samples."""
    found = Gathered(tuple(names), moments=Moments(0, np.zeros(len(names)), np.zeros(len(names))))
    for rows in even_blocks(stored.blocks(names, samples=samples)):
        fine = rows.fine
        values = np.column_stack([rows.columns[name] for name in names]) if names else np.zeros((len(rows), 0))
        found.moments = found.moments.merged(Moments.of(values[fine]))
        found.total = rows.end
        for word, reason in zip(rows.status, rows.reason, strict=True):
            if word != FINE:
                found.failed[word] += 1
                found.reasons.setdefault(word, reason)
        if _is_power_of_two(rows.end) or rows.end == samples:
            found.on_the_way.append((rows.end, found.moments))
    return found


def even_blocks(parts: Iterable[Rows]) -> Iterator[Rows]:
    """The same rows in blocks that end at powers of two and at multiples of a fixed number."""
    held: list[Rows] = []
    for part in parts:
        at = 0
        while at < len(part):
            stop = min(_block_end(part.begin + at) - part.begin, len(part))
            held.append(part.some(at, stop))
            at = stop
            if held[-1].end == _block_end(held[0].begin):
                yield Rows.joined(held)
                held = []
    if held:
        yield Rows.joined(held)


def quantiles(stored: StoredStudy, names: Sequence[str], levels: Sequence[float], samples: int) -> Floats:
    """Quantiles (levels, columns) of the samples that ran, interpolated between neighbours; exact, not estimated."""
    found = np.full((len(levels), len(names)), np.nan)
    together = IN_MEMORY // max(samples, 1)
    if together == 0:
        for k, name in enumerate(names):
            found[:, k] = streamed_quantiles(lambda name=name: column_blocks(stored, name, samples), levels)  # type: ignore[misc]
        return found
    for first in range(0, len(names), together):
        some = names[first : first + together]
        parts = [
            np.column_stack([rows.columns[name][rows.fine] for name in some])
            for rows in stored.blocks(some, samples=samples)
        ]
        values = np.concatenate(parts) if parts else np.zeros((0, len(some)))
        if len(values):
            values.sort(axis=0)
            found[:, first : first + len(some)] = [_between(values, level) for level in levels]
    return found


def column_blocks(stored: StoredStudy, name: str, samples: int) -> Iterator[Floats]:
    """One column of the samples that ran, part by part."""
    for rows in stored.blocks([name], samples=samples):
        yield rows.columns[name][rows.fine]


def streamed_quantiles(stream: Callable[[], Iterator[Floats]], levels: Sequence[float]) -> Floats:
    """Quantiles of a column too long for memory, by passes over it that close in on each value."""
    count = sum(len(values) for values in stream())
    if not count:
        return np.full(len(levels), np.nan)
    places = [level * (count - 1) for level in levels]
    ranks = [rank for place in places for rank in (floor(place), min(floor(place) + 1, count - 1))]
    found = ranked(stream, ranks)
    pairs = zip(found[::2], found[1::2], places, strict=True)
    return np.array([low + (high - low) * (place - floor(place)) for low, high, place in pairs])


def ranked(stream: Callable[[], Iterator[Floats]], ranks: Sequence[int]) -> list[float]:
    """The values of a column at some ranks, 0 the least; the column is streamed as often as needed."""
    count, low, high = 0, np.inf, -np.inf
    for values in stream():
        if len(values):
            count, low, high = count + len(values), min(low, values.min()), max(high, values.max())
    if count <= IN_MEMORY:
        ordered = np.sort(np.concatenate([np.zeros(0), *stream()]))
        return [float(ordered[rank]) for rank in ranks]
    return [_ranked(stream, rank, float(low), float(high)) for rank in ranks]


def _ranked(stream: Callable[[], Iterator[Floats]], rank: int, low: float, high: float) -> float:
    """The value at a rank: the interval that holds it is cut into bins until what is left fits into memory."""
    below = 0
    while low < high:
        edges = np.linspace(low, high, _BINS + 1)
        counts = np.zeros(_BINS, np.int64)
        for values in stream():
            inside = values[(values >= low) & (values <= high)]
            counts += np.bincount(np.clip(np.searchsorted(edges, inside, "right") - 1, 0, _BINS - 1), minlength=_BINS)
        upto = np.cumsum(counts)
        k = int(np.searchsorted(upto, rank - below, "right"))
        inside_low, inside_high = edges[k], edges[k + 1]
        if counts[k] <= IN_MEMORY or (inside_low, inside_high) == (low, high):
            last = k == _BINS - 1
            kept = [v[(v >= inside_low) & ((v <= inside_high) if last else (v < inside_high))] for v in stream()]
            before = below + int(upto[k] - counts[k])
            return float(np.sort(np.concatenate(kept))[rank - before])
        below += int(upto[k] - counts[k])
        low, high = float(inside_low), float(inside_high)
    return low


def wilson(met: int, count: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's interval for a probability of which `met` of `count` samples are seen (E. Wilson, 1927)."""
    if count == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2.0)
    share = met / count
    middle = (share + z * z / (2 * count)) / (1.0 + z * z / count)
    half = z * sqrt(share * (1.0 - share) / count + (z / (2 * count)) ** 2) / (1.0 + z * z / count)
    # at the ends the interval begins or ends exactly there
    return 0.0 if met == 0 else max(middle - half, 0.0), 1.0 if met == count else min(middle + half, 1.0)


def quantile_ranks(count: int, level: float, confidence: float = CONFIDENCE) -> tuple[int | None, int | None]:
    """Ranks (0 is the least) of the samples between which a quantile lies with that confidence, whatever the law.

    From the binomial law of the number of samples below it; None where there are too few samples for a bound.
    """
    spread = 12.0 * sqrt(count * level * (1.0 - level)) + 12.0
    first, last = max(0, floor(count * level - spread)), min(count, floor(count * level + spread))
    numbers = range(first, last + 1)
    chances = np.array([_binomial(count, k, level) for k in numbers])
    tail = (1.0 - confidence) / 2.0
    below = np.cumsum(chances)
    # rank r (0-based) lies above the quantile with the chance P(number below ≤ r), and below it with P(number > r)
    low = int(np.searchsorted(below, tail, "right")) + first - 1
    high = int(np.searchsorted(below, 1.0 - tail, "left")) + first
    return (low if low >= 0 else None), (high if high < count else None)


def _binomial(count: int, k: int, level: float) -> float:
    return exp(
        lgamma(count + 1) - lgamma(k + 1) - lgamma(count - k + 1) + k * log(level) + (count - k) * log(1.0 - level)
    )


def _between(ordered: Floats, level: float) -> Floats:
    place = level * (len(ordered) - 1)
    lower = floor(place)
    upper = min(lower + 1, len(ordered) - 1)
    return ordered[lower] + (ordered[upper] - ordered[lower]) * (place - lower)


def _block_end(begin: int) -> int:
    """Where the block that holds a sample ends."""
    power = 1 << begin.bit_length()
    return min(power, (begin // BLOCK + 1) * BLOCK) if begin else 1


def _is_power_of_two(count: int) -> bool:
    return count > 0 and count & (count - 1) == 0
