"""Command laws inside the time loop: value, rate and acceleration of the piece that holds, on each side of a switch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexarm.core.time.commands import command
from flexarm.core.tree.types import Laws

from .runs import commands

STARTS = np.array([0.0, 0.4, 1.1, 1.1000001, 2.5])
RNG = np.random.default_rng(4)
# one law of five pieces between two others: starts, amplitude, frequency, phase, four coefficients
PIECES = np.column_stack([STARTS, RNG.standard_normal((5, 7))])
PIECES[1, 1] = 0.0  # a piece without a harmonic
TABLE = Laws(np.array([0, 1, 6, 7]), np.vstack([np.zeros(8), PIECES, np.ones(8)]))


def engine_value(t: float, left: bool) -> tuple[float, float, float]:
    q, v, a, tau = np.full((4, 3), np.nan)
    command(TABLE, commands(motion=[(1, 1)], torque=[(2, 1)]), float(t), left, q, v, a, tau)
    assert tau[2] == q[1] and np.isnan(q[[0, 2]]).all() and np.isnan(tau[[0, 1]]).all()
    return q[1], v[1], a[1]


def plain_value(t: float, left: bool) -> tuple[float, float, float]:
    j = max(0, np.searchsorted(STARTS, t, side="left" if left else "right") - 1)
    start, A, w, p, *c = PIECES[j]
    x, poly = t - start, np.polynomial.Polynomial(c)
    return (
        poly(x) + A * np.sin(w * x + p),
        poly.deriv()(x) + A * w * np.cos(w * x + p),
        poly.deriv(2)(x) - A * w * w * np.sin(w * x + p),
    )


@given(t=st.floats(-1.0, 4.0) | st.sampled_from(STARTS.tolist()), left=st.booleans())
def test_value_rate_and_acceleration_are_those_of_the_piece_that_holds(t, left):
    np.testing.assert_allclose(engine_value(t, left), plain_value(t, left), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("j", range(1, 5))
def test_at_a_switch_each_side_has_its_own_value(j):
    t = STARTS[j]
    for left, near in ((True, np.nextafter(t, -1)), (False, np.nextafter(t, 9))):
        np.testing.assert_allclose(engine_value(t, left), engine_value(near, left), rtol=1e-12, atol=1e-12)
    assert abs(engine_value(t, True)[0] - engine_value(t, False)[0]) > 1e-3
