"""Eight numbers in one: what compiled code does with lanes, against NumPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numba.core.errors import TypingError

from flexarm.core._jit import jit
from flexarm.core.numbers.laned import lane_factors, lane_sincos, laned
from flexarm.core.numbers.lanes import LANES, any_lane, get_lane, in_lanes, select
from flexarm.core.numbers.questions import positive

UNIT = 2.0**-53


@jit
def _formula(x, y, out):
    a, b, c = in_lanes(x), in_lanes(y), in_lanes(out)
    total = 0.0
    for i in range(a.shape[0]):
        total += 2.0 * a[i] - b[i] / (1.0 + abs(b[i]))
        c[i] = select((a[i] > b[i]) & ~(a[i] < 0.5), math.sqrt(a[i]), -b[i])
    c[0] = total
    return any_lane(a[0] > 2.0), get_lane(a[1], 3)


def test_formulas_on_lanes_are_those_of_numpy_in_every_lane():
    rng = np.random.default_rng(4)
    x, y = rng.uniform(0.0, 1.0, (2, 5, LANES))
    out = np.zeros((5, LANES))
    reported = _formula(x, y, out)
    assert reported == (False, x[1, 3])
    np.testing.assert_array_equal(out[1:], np.where((x > y) & ~(x < 0.5), np.sqrt(x), -y)[1:])
    # a product and a sum in one instruction round once where NumPy rounds twice
    np.testing.assert_allclose(out[0], (2.0 * x - y / (1.0 + abs(y))).sum(axis=0), rtol=8 * UNIT, atol=8 * UNIT)


@jit
def _branch(x):
    if in_lanes(x)[0] > 0.0:
        return 1
    return 0


def test_a_branch_on_lanes_does_not_compile_so_that_no_lane_decides_for_another():
    with pytest.raises(TypingError):
        _branch(np.zeros((1, LANES)))


@jit
def _sines(x, sine, cosine):
    for i in range(x.shape[0]):
        in_lanes(sine)[i], in_lanes(cosine)[i] = lane_sincos(in_lanes(x)[i])


def test_sine_and_cosine_of_lanes_are_right_to_one_unit_in_the_last_place():
    x = np.random.default_rng(1).uniform(-50.0, 50.0, (200, LANES))
    sine, cosine = np.zeros_like(x), np.zeros_like(x)
    _sines(x, sine, cosine)
    # NumPy's own are off by up to a unit
    assert np.abs(sine - np.sin(x)).max() <= 4 * UNIT
    assert np.abs(cosine - np.cos(x)).max() <= 4 * UNIT


@jit
def _rotation(z, out):
    for i in range(z.shape[0]):
        f = lane_factors(in_lanes(z)[i])
        for k in range(5):
            in_lanes(out)[i, k] = f[k]


def test_every_lane_takes_the_formula_for_its_own_angle():
    z = np.geomspace(1e-6, 9.0, 6 * LANES).reshape(6, LANES)
    out = np.zeros((6, 5, LANES))
    _rotation(z, out)
    root = np.sqrt(z)
    np.testing.assert_allclose(out[:, 0], np.sin(root) / root, rtol=1e-14)
    np.testing.assert_allclose(out[:, 1], 2.0 * np.sin(root / 2) ** 2 / z, rtol=1e-13)


_positive = laned(positive)


@jit
def _pivots(x, out):
    in_lanes(out)[0], status = _positive(in_lanes(x)[0], 0)
    return status


def test_a_lane_whose_pivot_is_not_positive_becomes_no_number_and_the_others_stay():
    x = np.ones((1, LANES))
    x[0, 2], x[0, 5] = -1.0, np.nan
    out = np.zeros((1, LANES))
    assert _pivots(x, out) == 0
    assert np.isnan(out[0]).tolist() == [lane in (2, 5) for lane in range(LANES)]
