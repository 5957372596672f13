"""Statistics of a stored study in memory that does not grow with its samples, the same whatever its parts are.

Samples are taken in blocks that begin at multiples of a fixed number, whichever parts they stand in; the blocks'
moments are merged in their order (T. Chan, G. Golub, R. LeVeque, 1979).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import exp, floor, lgamma, log, sqrt
from statistics import NormalDist
from typing import final

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.studies.parameters.distributions import quiet
from flexarm.studies.store import ranks as ranking
from flexarm.studies.store.ranks import ranked
from flexarm.studies.store.rows import Rows
from flexarm.studies.store.store import StoredStudy

__all__ = ["Gathered", "Moments", "even_blocks", "gather", "quantile_ranks", "quantiles", "ranked", "wilson"]

BLOCK = 1024
# Columns that are read in one pass over a table too long for memory.
_AT_ONCE = 8
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
        # a column's numbers beside one another: they are summed in pairs, the same way whatever the other columns are
        table = np.ascontiguousarray(values.T)
        mean = table.sum(axis=1) / len(values)
        return Moments(len(values), mean, ((table - mean[:, None]) ** 2).sum(axis=1))

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
    """One pass over the first `samples` samples."""
    found = Gathered(tuple(names), moments=Moments(0, np.zeros(len(names)), np.zeros(len(names))))
    for rows in even_blocks(stored.blocks(names, samples=samples)):
        values = np.array([rows.columns[name] for name in names]).reshape(len(names), len(rows))
        found.moments = found.moments.merged(Moments.of((values if rows.all_valid else values[:, rows.valid]).T))
        found.total = rows.end
        for word, reason in rows.failures():
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
    together = ranking.IN_MEMORY // max(samples, 1) or _AT_ONCE
    counts: list[int] = []

    def ranks(count: int) -> list[int]:
        counts.append(count)
        lower = [floor(level * (count - 1)) for level in levels] if count else []
        return [rank for low in lower for rank in (low, min(low + 1, count - 1))]

    for first in range(0, len(names), together):
        some = names[first : first + together]
        values = ranking.ranked_columns(lambda some=some: _tables(stored, some, samples), ranks, len(some))  # type: ignore[misc]
        for k, level in enumerate(levels if len(values) else ()):
            low, high, place = values[2 * k], values[2 * k + 1], level * (counts[-1] - 1)
            found[k, first : first + len(some)] = low + (high - low) * (place - floor(place))
    return found


def _tables(stored: StoredStudy, names: Sequence[str], samples: int) -> Iterator[Floats]:
    """The columns of the samples that ran, (rows, columns), part by part; each column by itself in memory."""
    for rows in stored.blocks(names, samples=samples):
        values = np.array([rows.columns[name] for name in names])
        yield (values if rows.all_valid else values[:, rows.valid]).T


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
    probabilities = np.array([_binomial(count, k, level) for k in numbers])
    tail = (1.0 - confidence) / 2.0
    below = np.cumsum(probabilities)
    # rank r (0-based) lies above the quantile with probability P(number below ≤ r), and below it with P(number > r)
    low = int(np.searchsorted(below, tail, "right")) + first - 1
    high = int(np.searchsorted(below, 1.0 - tail, "left")) + first
    return (low if low >= 0 else None), (high if high < count else None)


def _binomial(count: int, k: int, level: float) -> float:
    return exp(
        lgamma(count + 1) - lgamma(k + 1) - lgamma(count - k + 1) + k * log(level) + (count - k) * log(1.0 - level)
    )


def _block_end(begin: int) -> int:
    """The end of the block that holds a sample."""
    power = 1 << begin.bit_length()
    return min(power, (begin // BLOCK + 1) * BLOCK) if begin else 1


def _is_power_of_two(count: int) -> bool:
    return count > 0 and count & (count - 1) == 0


def half_width(standard_error: float, count: int) -> float:
    """Half the 95 % interval of a mean of `count` samples, by Student's distribution; NaN of fewer than two."""
    if count < 2 or standard_error != standard_error:
        return float("nan")
    import openturns as ot

    with quiet():  # it remarks that the variance of few degrees of freedom is infinite
        return float(ot.Student(count - 1.0).computeQuantile(0.975)[0] * standard_error)
