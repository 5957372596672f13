"""The tolerance of a run means what it says: an error at the tip, for arms that swing as for arms that are driven."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

import flexarm as fa

from .runs import fitted_order

END = 1.0
BODY = {"mass": 0.8, "inertia": (0.01, 0.02, 0.025)}


def swinging_arm() -> fa.Arm:
    """Three links that fall from a bent posture: large free motion, no stiff spring."""
    joint = {"type": "revolute", "free": True}
    return fa.Arm(
        planar=True,
        gravity=(0, -9.81, 0),
        links=[
            {"name": f"link{i}", "joint": {**joint, "at": at, "stiffness": 2.0}, "length": 0.4, "rigid": BODY}
            for i, at in enumerate((0.3, -0.9, 1.4))
        ],
    )


@lru_cache(maxsize=1)
def exact_tip() -> np.ndarray:
    """Tip (m, 3) by steps of 50 µs with the inner iteration driven to rounding: 1e-11 m."""
    return fa.simulate(swinging_arm(), end=END, output=0.01, step=5e-5, tolerance=1e-14).values("point_position")[:, 0]


def tip_error(**options) -> float:
    tip = fa.simulate(swinging_arm(), end=END, output=0.01, **options).values("point_position")[:, 0]
    return float(np.linalg.norm(tip - exact_tip(), axis=1).max())


@pytest.mark.parametrize("tolerance", [1e-4, 1e-5, 1e-6, 1e-7, 1e-8])
def test_the_tip_of_a_swinging_arm_is_within_five_times_the_tolerance(tolerance):
    # the error of a single step is controlled at a hundredth of it; how errors add up is the arm's affair
    assert tip_error(tolerance=tolerance) < 5 * tolerance


def test_the_error_falls_in_proportion_to_the_tolerance():
    tolerances = [1e-4, 1e-5, 1e-6, 1e-7, 1e-8]
    assert 0.8 < fitted_order(tolerances, [tip_error(tolerance=t) for t in tolerances]) < 1.1


def test_fixed_steps_keep_order_four_whatever_the_tolerance():
    steps = END / np.array([50, 100, 200, 400, 800])  # down to 1e-10 m, ten times what rounding leaves
    assert fitted_order(steps, [tip_error(step=h) for h in steps]) == pytest.approx(4.0, abs=0.2)


@pytest.mark.parametrize("stepper", ["newmark", "alpha"])
def test_fixed_steps_of_second_order_methods_keep_it(stepper):
    steps = END / np.array([200, 400, 800, 1600])
    assert fitted_order(steps, [tip_error(step=h, stepper=stepper) for h in steps]) == pytest.approx(2.0, abs=0.1)


def test_the_error_reported_is_near_the_error_made():
    for options in ({"tolerance": 1e-5}, {"tolerance": 1e-7}, {"step": 0.005}, {"step": 0.002, "stepper": "newmark"}):
        reported = fa.simulate(swinging_arm(), end=END, output=0.01, **options).info["tip_error"]
        made = tip_error(**options)
        assert 0.2 * made < reported < 20 * made, options
