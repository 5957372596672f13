"""Numbers with derivatives compute what the rules of calculus give, and branch as their values do."""

from __future__ import annotations

import math

import numpy as np
import pytest

from flexarm.core._jit import inner, jit
from flexarm.core.numbers.derivatives import DIRECTIONS, in_derivatives
from flexarm.core.numbers.derived import derived
from flexarm.core.numbers.flex_rotation import factors
from flexarm.core.numbers.questions import is_zero
from flexarm.core.numbers.trigonometry import sincos
from flexarm.core.time.derived_run import seeded


@inner
def formula(x, y):  # type: ignore[no-untyped-def]
    """Everything kernels do with numbers, in one."""
    s, c = sincos(x)
    total = 2.0 * x - x * y / 3.0 + 1.5 / y - math.sqrt(y) * s + abs(-x) * c
    total -= (y - 1.0) / x
    if x > 0.5:
        total += math.sin(y) - math.cos(x * y) + 4.0
    if not is_zero(y - 2.0):
        total *= y - 1.0
    return total


def by_hand(x: float, y: float) -> tuple[float, float, float]:
    """The formula for x > 0.5 and its partial derivatives."""
    s, c, root = math.sin(x), math.cos(x), math.sqrt(y)
    f = 2 * x - x * y / 3 + 1.5 / y - root * s + x * c - (y - 1) / x + math.sin(y) - math.cos(x * y) + 4
    fx = 2 - y / 3 - root * c + c - x * s + (y - 1) / x**2 + y * math.sin(x * y)
    fy = -x / 3 - 1.5 / y**2 - 0.5 * s / root - 1 / x + math.cos(y) + x * math.sin(x * y)
    return f * (y - 1), fx * (y - 1), fy * (y - 1) + f


_formula, _factors = derived(formula), derived(factors)


@jit
def fill_formula(given, found):  # type: ignore[no-untyped-def]
    """Fill the formula of pairs of numbers with derivatives."""
    pairs, values = in_derivatives(given), in_derivatives(found)
    for k in range(values.shape[0]):
        values[k] = _formula(pairs[k, 0], pairs[k, 1])


@jit
def fill_factors(given, found):  # type: ignore[no-untyped-def]
    """Fill the factors of a finite rotation."""
    z, values = in_derivatives(given), in_derivatives(found)
    for k in range(z.shape[0]):
        values[k, 0], values[k, 1], values[k, 2], values[k, 3], values[k, 4] = _factors(z[k])


def test_derivatives_are_those_of_calculus_to_rounding():
    rng = np.random.default_rng(3)
    points = rng.uniform(0.6, 7.0, (40, 2))
    changes = rng.standard_normal((40, 2, DIRECTIONS))
    found = seeded(np.zeros(40))
    fill_formula(seeded(points, changes), found)
    for (x, y), change, row in zip(points, changes, found, strict=True):
        f, fx, fy = by_hand(x, y)
        assert row[0] == pytest.approx(f, rel=1e-13, abs=1e-13)
        np.testing.assert_allclose(row[1:], fx * change[0] + fy * change[1], rtol=1e-12, atol=1e-12)


def test_what_is_zero_but_changes_is_not_left_out():
    # y − 2 is zero: the factor y − 1 is one, and its change counts only if y changes
    still, moving = seeded([[1.0, 2.0]]), seeded([[1.0, 2.0]])
    moving[0, 1, 1] = 1.0
    found = seeded(np.zeros(2))
    fill_formula(np.concatenate([still, moving]), found)
    f, _, fy = by_hand(1.0, 2.0)
    assert found[0, 0] == pytest.approx(f) and np.all(found[0, 1:] == 0.0)
    assert found[1, 1] == pytest.approx(fy, rel=1e-13)


def test_the_factors_of_a_rotation_have_their_own_derivatives_on_both_branches():
    # f1' and f2' are among the factors themselves
    z = np.array([0.01, 0.2, 0.3, 4.0])
    given, found = seeded(z), seeded(np.zeros((4, 5)))
    given[:, 1] = 1.0
    fill_factors(given, found)
    np.testing.assert_allclose(found[:, 1:3, 1], found[:, 3:5, 0], rtol=1e-11)
