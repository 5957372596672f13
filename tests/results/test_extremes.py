"""Peaks between samples are found to the order the cubic promises."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexarm.results import find_extremes
from flexarm.results.extremes import extremes_of_batch


def _order(error, counts) -> float:
    """The fitted order of convergence of the error with the number of samples."""
    return -np.polyfit(np.log(counts), np.log([error(count) for count in counts]), 1)[0]


def _lopsided(t):
    """A peak with a third derivative, as in a decaying or multi-mode vibration; its maximum is at t = 1."""
    return t * np.exp(-t), (1.0 - t) * np.exp(-t)


# Counts chosen so that the peak at t = 1 falls at the same fraction of an interval, which would else blur the order.
COUNTS = 3 * np.array([4, 8, 16, 32, 64]) + 2


def _peak_error(count, *, rates, largest_sample=False):
    time = np.linspace(0.0, 3.0 + 1.0 / 3.0, count)
    step = time[1]
    time = time - 0.4 * step + (1.0 - step * np.floor(1.0 / step))
    values, slopes = _lopsided(time)
    if largest_sample:
        return np.exp(-1.0) - values.max()
    found = find_extremes(time, values, slopes if rates else None)
    return abs(found.greatest - np.exp(-1.0))


def test_the_largest_sample_is_only_second_order():
    assert _order(lambda n: _peak_error(n, rates=False, largest_sample=True), COUNTS) == pytest.approx(2.0, abs=0.2)


def test_parabolic_slopes_are_third_order():
    assert _order(lambda n: _peak_error(n, rates=False), COUNTS) > 2.8


def test_given_rates_are_fourth_order():
    assert _order(lambda n: _peak_error(n, rates=True), COUNTS) > 3.8


@given(
    c=st.tuples(*[st.floats(-5.0, 5.0)] * 4),
    after=st.floats(0.0, 1.0),
    until=st.floats(0.0, 1.0),
)
def test_a_cubic_with_its_rates_is_exact_in_any_window(c, after, until):
    after, until = sorted((after, until))
    cubic = np.polynomial.Polynomial(c)
    time = np.array([0.0, 0.13, 0.5, 0.55, 1.0])
    found = find_extremes(time, cubic(time), cubic.deriv()(time), after=after, until=until)
    dense = np.linspace(after, until, 2001)
    # The dense samples miss a peak by at most curvature × spacing² / 8.
    slack = 1e-12 + 60.0 * (until - after) ** 2 / 2000**2 / 8
    assert 0.0 <= found.greatest - cubic(dense).max() + 1e-12 <= slack + 1e-12
    assert 0.0 <= cubic(dense).min() - found.least + 1e-12 <= slack + 1e-12
    assert after <= found.greatest_time <= until and after <= found.least_time <= until
    assert cubic(found.greatest_time) == pytest.approx(found.greatest, abs=1e-12)


def test_a_sine_of_eight_samples_per_period_is_ranged_to_a_thousandth():
    # Hermite: error ≤ h⁴/384 ω⁴ of the amplitude on each side, here (2π/8)⁴/384 = 1.0e-3.
    time = np.arange(0.05, 10.0, 0.125)
    swing = 2.0 * np.pi
    found = find_extremes(time, np.sin(swing * time), swing * np.cos(swing * time))
    assert found.span == pytest.approx(2.0, abs=2.1e-3)


def test_a_constant_has_no_range_and_one_sample_is_its_own_extreme():
    assert find_extremes(np.arange(5.0), np.full(5, 0.1)).span == 0.0
    only = find_extremes(np.array([2.0]), np.array([3.0]))
    assert (only.least, only.greatest, only.greatest_time) == (3.0, 3.0, 2.0)
    assert find_extremes(np.array([0.0, 1.0]), np.array([3.0, 5.0]), after=0.5).span == pytest.approx(1.0)


def test_samples_that_are_not_finite_are_left_out():
    time = np.linspace(0.0, 1.0, 11)
    values = time**2
    values[[4, 10]] = np.nan, np.inf
    assert find_extremes(time, values).greatest == pytest.approx(0.81)


@pytest.mark.parametrize("window", [(2.0, 3.0), (-2.0, -1.0), (0.7, 0.3)])
def test_a_window_outside_the_signal_is_refused(window):
    with pytest.raises(ValueError, match="no part of the signal"):
        find_extremes(np.linspace(0.0, 1.0, 5), np.zeros(5), after=window[0], until=window[1])


def test_a_signal_without_a_finite_sample_is_refused():
    with pytest.raises(ValueError, match="no part of the signal"):
        find_extremes(np.arange(3.0), np.full(3, np.nan), after=0.0, until=1.0)


@pytest.mark.parametrize("many", [False, True])
def test_where_a_signal_jumps_both_sides_count_and_nothing_between(many):
    switch = 0.7
    before, after = np.linspace(0.0, switch, 30), np.linspace(np.nextafter(switch, 1.0), 1.5, 20)
    time = np.concatenate([before, after])
    # one full arch, and a slow fall on the other side
    values = np.concatenate([np.sin(3.0 * before), -0.2 + 0.1 * np.cos(after - 1.0)])
    if many:
        least, greatest = (float(found[0]) for found in extremes_of_batch(time, values[:, None]))
    else:
        found = find_extremes(time, values)
        least, greatest = found.least, found.greatest
        assert found.greatest_time == pytest.approx(np.pi / 6.0, abs=1e-4)
    assert greatest == pytest.approx(1.0, abs=1e-6)
    assert least == pytest.approx(-0.2 + 0.1 * np.cos(0.5), abs=1e-9)


def test_a_jump_at_the_end_counts():
    time = np.array([0.0, 0.5, 1.0, np.nextafter(1.0, 2.0)])
    assert find_extremes(time, np.array([0.0, 1.0, 2.0, -3.0])).least == -3.0
    assert find_extremes(time, np.array([0.0, 1.0, 2.0, -3.0])).greatest == 2.0
