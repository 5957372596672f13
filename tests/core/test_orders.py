"""Fitted orders of convergence of the steppers and of their dense output, against SciPy on Lagrange's equations."""

from __future__ import annotations

import numpy as np
import pytest

from .runs import fitted_order, run, settings
from .swing import SHAPES, START, reference, swinging_engine

END = 0.5
ORDERS = {"esdirk4": 4.0, "newmark": 2.0, "alpha": 2.0}
STEPS = END / np.array([64, 128, 256, 512])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("stepper", ORDERS)
def test_fixed_steps_converge_with_the_order_of_the_method(stepper, shape):
    engine, expected = swinging_engine(shape), reference(shape, END)
    errors = []
    for step in STEPS:
        motion = run(engine.tree, settings(stepper, END, step=step), *START, np.array([END]))
        assert (motion.status, motion.steps) == (0, round(END / step))
        errors.append([np.abs(found[0] - row).max() for found, row in zip(motion.output[1:3], expected, strict=True)])
    # over a factor of eight the fit of an asymptotic error is within a few hundredths of the order
    for what in np.transpose(errors):
        assert fitted_order(STEPS, what) == pytest.approx(ORDERS[stepper], abs=0.1)


@pytest.mark.parametrize("stepper", ORDERS)
def test_damping_does_not_cost_the_order(stepper):
    engine, expected = swinging_engine("planar", 0.5), reference("planar", END, 0.5)
    errors = [
        np.abs(run(engine.tree, settings(stepper, END, step=step), *START, np.array([END])).output.q[0] - expected[0])
        for step in STEPS
    ]
    assert fitted_order(STEPS, np.max(errors, axis=1)) == pytest.approx(ORDERS[stepper], abs=0.15)


def test_dense_output_is_of_order_four_in_position_and_rate_and_three_in_acceleration():
    engine = swinging_engine("planar")
    times = np.linspace(0.0, END, 301)[1:]  # hardly ever the end of a step
    fine = run(engine.tree, settings("esdirk4", END, step=END / 4800), *START, times)
    errors = []
    for step in STEPS:
        motion = run(engine.tree, settings("esdirk4", END, step=step), *START, times)
        errors.append([np.abs(motion.output[k] - fine.output[k]).max() for k in (1, 2, 3)])
    # the quintic itself leaves h⁶, h⁵ and h⁴; the local error of a step, h⁵, costs h⁴ in the rate and h³ in the
    # acceleration between the ends of the steps
    for what, order in zip(np.transpose(errors), (4.0, 4.0, 3.0), strict=True):
        assert fitted_order(STEPS, what) == pytest.approx(order, abs=0.2)


def test_dense_output_is_the_derivative_of_itself():
    engine = swinging_engine("spatial")
    d = 1e-4
    middles = np.linspace(0.01, 0.49, 57)
    times = np.unique(np.concatenate([middles - d, middles, middles + d]))
    out = run(engine.tree, settings("esdirk4", END, step=0.013), *START, times).output
    before, here, after = (np.searchsorted(times, middles + k * d) for k in (-1, 0, 1))
    # central differences over 2d; where a step ends in between, the jump of the third derivative counts once
    np.testing.assert_allclose((out.q[after] - out.q[before]) / (2 * d), out.v[here], atol=1e-3)
    np.testing.assert_allclose((out.v[after] - out.v[before]) / (2 * d), out.a[here], atol=0.2)


@pytest.mark.parametrize("stepper", ORDERS)
def test_samples_do_not_disturb_the_steps(stepper):
    engine = swinging_engine("planar")
    few, many = (
        run(engine.tree, settings(stepper, END, step=0.01), *START, np.linspace(0, END, count)) for count in (2, 777)
    )
    np.testing.assert_array_equal(few.output.q[-1], many.output.q[-1])
    np.testing.assert_array_equal(few.output.work[-1], many.output.work[-1])
