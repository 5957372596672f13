"""Streamed statistics are those NumPy and SciPy find on the full table, and do not depend on the parts."""

import numpy as np
import pytest
from scipy import stats

from flexarm.studies.store import ranks
from flexarm.studies.store.rows import Rows
from flexarm.studies.store.statistics import even_blocks, gather, quantile_ranks, quantiles, ranked, wilson

N = 5000


class _Parts:
    """Rows as a stored study hands them out, in parts of a given size."""

    def __init__(self, size: int) -> None:
        random = np.random.default_rng(7)
        x = 1e6 + random.normal(size=N)  # far from zero: a sum of squares would lose all digits
        y = random.exponential(size=N)
        failed = random.random(N) < 0.01
        x[failed] = y[failed] = np.nan
        status = ["refused" if each else "ok" for each in failed]
        self.rows = Rows(0, {"x": x, "y": y}, status, ["why" if each else "" for each in failed])
        self.size = size

    def blocks(self, columns=None, *, samples=N):
        """The rows, part by part."""
        for begin in range(0, samples, self.size):
            yield self.rows.some(begin, min(begin + self.size, samples))


@pytest.mark.parametrize("size", [1, 7, 1024, 1500, N])
def test_blocks_do_not_depend_on_the_parts(size):
    ends = [block.end for block in even_blocks(_Parts(size).blocks())]
    assert ends == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3072, 4096, N]


def test_moments_have_the_same_bits_whatever_the_parts_and_are_those_of_numpy():
    one, other = (gather(_Parts(size), ("x", "y"), N) for size in (13, 640))
    assert one.moments.mean.tobytes() == other.moments.mean.tobytes()
    assert one.moments.variance.tobytes() == other.moments.variance.tobytes()
    rows = _Parts(1).rows
    table = np.column_stack([rows.columns["x"], rows.columns["y"]])[rows.valid]
    # a mean of 5000 numbers keeps all but a few of its last bits, a variance about a mean of 1e6 ten digits of sixteen
    np.testing.assert_allclose(one.moments.mean, table.mean(axis=0), rtol=1e-14)
    np.testing.assert_allclose(one.moments.variance, table.var(axis=0, ddof=1), rtol=1e-9)
    assert one.failed == {"refused": int((~rows.valid).sum())}
    half = one.on_the_way[-5]
    assert half[0] == 512
    np.testing.assert_allclose(half[1].mean, table[: int(rows.valid[:512].sum())].mean(axis=0), rtol=1e-14)


@pytest.mark.parametrize("in_memory", [10**7, 300])
def test_quantiles_are_exact_in_memory_and_streamed(monkeypatch, in_memory):
    monkeypatch.setattr(ranks, "IN_MEMORY", in_memory)
    levels = (0.0, 0.003, 0.5, 0.95, 1.0)
    rows = _Parts(1).rows
    for name in ("x", "y"):
        wanted = np.quantile(rows.columns[name][rows.valid], levels)
        # the interpolation between neighbours is one multiplication
        np.testing.assert_allclose(quantiles(_Parts(700), [name], levels, N)[:, 0], wanted, rtol=1e-14)


def test_ranks_are_found_among_equal_values_too(monkeypatch):
    monkeypatch.setattr(ranks, "IN_MEMORY", 10)
    values = np.repeat([1.0, 2.0, 2.0 + 1e-15, 5.0], [40, 100, 3, 60])
    found = ranked(lambda: iter(np.array_split(values, 7)), [0, 39, 40, 139, 140, 143, 202])
    assert found == [1.0, 1.0, 2.0, 2.0, 2.0 + 1e-15, 5.0, 5.0]


@pytest.mark.parametrize("scale", [1.0, 5e-324, 1e300, 1.7e308])
def test_ranks_of_many_columns_are_found_in_passes_whatever_their_scale(monkeypatch, scale):
    random = np.random.default_rng(3)
    table = np.column_stack([random.normal(size=3000), random.integers(-1, 2, 3000), random.standard_cauchy(3000)])
    with np.errstate(under="ignore"):
        table = np.round(1e3 * table) * scale if scale < 1.0 else table / np.abs(table).max(axis=0) * scale
    wanted = [0, 1, 1499, 2990, 2999]
    ordered = np.sort(table, axis=0)[wanted]
    for in_memory in (10**7, 400):
        monkeypatch.setattr(ranks, "IN_MEMORY", in_memory)
        found = ranks.ranked_columns(lambda: iter(np.array_split(table, 11)), wanted, 3)
        assert found.tobytes() == ordered.tobytes()


@pytest.mark.parametrize(("met", "count"), [(0, 10), (10, 10), (3, 7), (997, 1000), (50, 100), (999999, 1000000)])
def test_the_interval_is_wilsons(met, count):
    found = stats.binomtest(met, count).proportion_ci(method="wilson")
    np.testing.assert_allclose(wilson(met, count), (found.low, found.high), rtol=1e-12, atol=1e-15)


def test_an_interval_without_samples_is_everything():
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("count", "level"), [(100, 0.5), (1000, 0.997), (5000, 0.997), (10**6, 0.9)])
def test_a_quantile_lies_between_the_ranks_with_the_wanted_confidence_and_no_closer_ranks_do(count, level):
    low, high = quantile_ranks(count, level)
    law = stats.binom(count, level)
    assert low is not None
    assert law.cdf(low) <= 0.025 < law.cdf(low + 1)
    if high is None:
        assert law.cdf(count - 1) < 0.975
    else:
        assert law.sf(high) <= 0.025 < law.sf(high - 1)
