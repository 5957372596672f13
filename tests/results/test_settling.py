"""Settling times and residuals of sampled motions, against closed forms and root finding on them."""

import numpy as np
import pytest
from scipy.optimize import brentq

from flexarm.results.settling import (
    distances,
    greatest_distance,
    greatest_distances,
    settling_time,
    settling_times,
)

DECAY, RATE = 3.0, 40.0  # 1/s, rad/s


def swing(time, amplitude=1.0):
    """Offsets and rates of a point that swings out along (0.6, 0.8, 0) while its y creeps in."""
    shape = amplitude * np.array([0.6, 0.8, 0.0])
    x = np.exp(-DECAY * time) * np.cos(RATE * time)
    v = -np.exp(-DECAY * time) * (DECAY * np.cos(RATE * time) + RATE * np.sin(RATE * time))
    return np.outer(x, shape), np.outer(v, shape)


def exact_settling(within, end=3.0):
    """The last root of |e^{−δt} cos ωt| = within, by Brent's method on a grid of half periods."""

    def out(t):
        return abs(np.exp(-DECAY * t) * np.cos(RATE * t)) - within

    grid = np.linspace(0.0, end, 20001)
    last = np.flatnonzero([out(t) > 0.0 for t in grid])[-1]
    return brentq(out, grid[last], grid[last + 1], xtol=1e-13)


@pytest.mark.parametrize("within", [0.3, 0.11, 0.02, 0.003])
def test_a_swing_settles_when_it_comes_back_for_the_last_time(within):
    time = np.linspace(0.0, 3.0, 401)
    offsets, rates = swing(time)
    # a cubic errs by (ω h)⁴ / 384 = 2e-5 of the amplitude, and the swing moves by ω times it in a second
    assert settling_time(time, offsets, rates, within) == pytest.approx(exact_settling(within), abs=2e-5)


def test_settling_times_converge_with_the_fourth_order_of_the_cubics():
    exact = exact_settling(0.05)
    errors = []
    for samples in (201, 401, 801):
        time = np.linspace(0.0, 3.0, samples)
        # the mean over shifted grids: where in an interval the moment falls must not decide
        found = []
        for shift in np.linspace(0.0, time[1], 8, endpoint=False):
            moved = np.concatenate([[0.0], time[:-1] + shift + 1e-9, [3.0]])
            found.append(abs(settling_time(moved, *swing(moved), 0.05) - exact))
        errors.append(max(found))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(orders > 3.3), (errors, orders)


def test_a_peak_between_samples_counts():
    time = np.array([0.0, 0.1, 0.2, np.nextafter(0.2, 1.0), 0.9])
    offsets = np.zeros((5, 3))
    rates = np.zeros((5, 3))
    offsets[0, 0] = 5.0
    # between 0.1 and 0.2 s the cubic with rates ±4 m/s goes out to 0.1 m and comes back
    rates[1, 0], rates[2, 0] = 4.0, -4.0
    x = brentq(lambda u: 4.0 * u * (1.0 - u / 0.1) - 0.05, 0.05, 0.1)
    assert settling_time(time, offsets, rates, 0.05) == pytest.approx(0.1 + x, abs=1e-7)
    assert settling_time(time, offsets, rates, 0.11) < 0.1
    assert settling_time(time, offsets, rates, 0.05, between=False) == pytest.approx(0.1 * (1.0 - 0.01), abs=1e-7)


def test_a_point_that_is_outside_at_the_end_has_not_settled():
    time = np.linspace(0.0, 1.0, 11)
    offsets = np.zeros((11, 3))
    offsets[:, 2] = 0.01 - 0.005 * time
    assert settling_time(time, offsets, None, 0.004) is None
    assert settling_time(time, offsets, None, 0.01) == 0.0


def test_a_point_that_passes_through_when_the_run_ends_has_not_settled():
    """A swing of 2.5 mm is within 1 mm for a seventh of its period twice in each, for ever."""
    for end in np.linspace(1.0, 1.2, 41):
        time = np.linspace(0.0, end, 1001)
        offsets = np.zeros((1001, 3))
        rates = np.zeros((1001, 3))
        offsets[:, 0] = 2.5e-3 * np.sin(RATE * time)
        rates[:, 0] = 2.5e-3 * RATE * np.cos(RATE * time)
        assert settling_time(time, offsets, rates, 1e-3) is None
    # one that decays stays: from its last way in on, as soon as a swing is over
    time = np.linspace(0.0, exact_settling(0.1) + 2.0 * np.pi / RATE, 1001)
    assert settling_time(time, *swing(time), 0.1) == pytest.approx(exact_settling(0.1), abs=1e-6)


def test_many_runs_have_the_settling_times_and_distances_of_each():
    time = np.linspace(0.0, 3.0, 301)
    parts = [swing(time, amplitude) for amplitude in (0.2, 1.0, 3.0)]
    offsets, rates = (np.stack([part[k] for part in parts], axis=-1) for k in (0, 1))
    offsets[:, :, 2] = np.nan
    found = settling_times(time, offsets, rates, 0.05)
    assert found[:2].tolist() == [settling_time(time, *part, 0.05) for part in parts[:2]]
    assert np.isnan(found[2])
    after = np.array([0.5, 1.0, 0.0])
    greatest = greatest_distances(time, offsets, rates, after=after)
    assert greatest[:2].tolist() == [
        greatest_distance(time, *part, after=t) for part, t in zip(parts[:2], after[:2], strict=True)
    ]


def test_the_residual_is_the_greatest_distance_after_a_time():
    time = np.linspace(0.0, 3.0, 601)
    offsets, rates = swing(time)
    # the first peak after 1 s: tan ωt = −δ/ω, |x| = e^{−δt} ω / √(ω² + δ²)
    turn = (np.arctan(-DECAY / RATE) + np.pi * np.ceil((RATE + np.arctan(DECAY / RATE)) / np.pi)) / RATE
    peak = np.exp(-DECAY * turn) * RATE / np.hypot(RATE, DECAY)
    begin = abs(np.exp(-DECAY) * np.cos(RATE))
    assert greatest_distance(time, offsets, rates, after=1.0) == pytest.approx(max(peak, begin), rel=1e-5)
    assert distances(offsets)[0] == pytest.approx(1.0)
