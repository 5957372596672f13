"""The engine's own sine and cosine against the C library's."""

from __future__ import annotations

import math

import numpy as np
import pytest

from flexarm.core._jit import jit
from flexarm.core.numbers.trigonometry import sincos

UNIT = 2.0**-53  # half a unit in the last place of numbers just below one


@jit
def compiled(x: float) -> tuple[float, float]:
    """Sine and cosine as the kernels get them."""
    return sincos(x)


def both(x: float) -> tuple[float, float]:
    return compiled(float(x))


@pytest.mark.parametrize("reach", [0.785, 7.0, 100.0, 1e3, 99_999.0, 1e9])
def test_sine_and_cosine_are_right_to_one_unit_in_the_last_place(reach):
    points = np.random.default_rng(int(reach)).uniform(-reach, reach, 3000)
    found = np.array([both(x) for x in points])
    expected = np.array([(math.sin(x), math.cos(x)) for x in points])
    # the library itself is off by half a unit
    assert np.abs(found - expected).max() <= 2 * UNIT


def test_small_angles_and_zeros_of_the_functions_keep_their_relative_accuracy():
    tiny = 10.0 ** np.arange(-300, -1, 7.0)
    for x in [*tiny, *-tiny]:
        assert both(x)[0] == pytest.approx(math.sin(x), rel=4 * UNIT)
    for k in [*range(1, 200), 1001, 30_001, 63_000]:
        x = k * math.pi / 2
        s, c = both(x)
        small, found = (math.sin(x), s) if k % 2 == 0 else (math.cos(x), c)
        assert found == pytest.approx(small, rel=1e-9), k  # π/2 is carried to 86 bits beyond the point


def test_the_circle_stays_round():
    points = np.linspace(-50, 50, 4001)
    found = np.array([both(x) for x in points])
    assert np.abs(np.sum(found**2, axis=1) - 1.0).max() < 5 * UNIT


def test_numbers_that_are_none_stay_visible():
    assert all(math.isnan(x) for x in both(math.nan))
    assert both(0.0) == (0.0, 1.0)


@pytest.mark.parametrize("x", [1e16, 1e18, -1e20, 1e100, math.inf])
def test_no_angle_gives_a_sine_beyond_one(x):
    # a diverging iterate must end as NaN or stay on the circle, not feed the next sweep with huge "cosines"
    assert all(math.isnan(value) or abs(value) <= 1.0 + UNIT for value in both(x))
