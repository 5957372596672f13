"""The bound over a box of uncertain quantities: above every arm of it, and close to the worst of them."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm.analyses.brake.worst_case import Grid, Sample, first_grid, resolving, worst_case_over

TIMES = np.linspace(0.0, 3.0, 400)


def ranges(motions):
    """The ranges of motions (…, 1, samples)."""
    return np.ptp(motions, axis=-1)[..., 0]


def two_tones(place):
    """A sum of two sines whose frequencies and sizes follow the place: greatest somewhere inside, with kinks."""
    x = place[0]
    y = place[1] if len(place) > 1 else 0.3
    slow = (1.0 + np.cos(5.0 * x + 3.0 * y - 2.3)) * np.sin((6.0 + 2.0 * x) * TIMES + y)
    return slow + 0.3 * np.sin((17.0 + 3.0 * x - y) * TIMES)


def sampled(places):
    return [Sample(float(np.ptp(y)), y[None, :]) for y in map(two_tones, places)]


@pytest.mark.parametrize("dimensions", [1, 2])
def test_bound_is_above_every_arm_and_within_the_margin_of_the_worst(dimensions):
    grid, resolved = resolving(first_grid([6.0, 2.0][:dimensions]), sampled, ranges)
    assert resolved
    found = worst_case_over(grid, sampled, ranges, 1e-3)
    count = 2001 if dimensions == 1 else 61
    brute = max(each.residual for each in sampled(Grid((count,) * dimensions).places))
    assert found.greatest <= brute * (1.0 + 1e-3) and found.bound >= brute
    assert found.bound <= found.greatest * (1.0 + 1e-3)
    assert np.ptp(two_tones(found.place)) == found.greatest


def test_few_levels_alone_miss_the_worst_which_the_bound_does_not():
    # what three arms see of a dip between them: the old way
    three = max(each.residual for each in sampled(Grid((3,)).places))
    brute = max(each.residual for each in sampled(Grid((2001,)).places))
    assert three < 0.99 * brute
    grid, _ = resolving(first_grid([6.0]), sampled, ranges)
    assert worst_case_over(grid, sampled, ranges, np.inf).bound >= brute


def test_mean_over_the_box_is_the_integral():
    # ∫∫ (1 + x)(2 + y) dx dy over the unit square = 1.5 · 2.5, exact by the trapezoidal rule
    def evaluate(places):
        return [Sample((1 + x) * (2 + y), np.array([[0.0, (1 + x) * (2 + y)]])) for x, y in places]

    assert worst_case_over(Grid((5, 3)), evaluate, ranges, np.inf).mean == pytest.approx(3.75, rel=1e-12)


def test_arm_that_cannot_be_run_is_no_worst_case():
    def evaluate(places):
        return [Sample(np.nan if x > 0.7 else 1.0, np.zeros((1, 2)), "run failed" * (x > 0.7)) for (x,) in places]

    found = worst_case_over(Grid((5,)), evaluate, ranges, 0.01)
    assert found.reasons == ("run failed",) and found.bound == np.inf
