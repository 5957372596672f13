"""Switches of several laws in one arm: times that differ by rounding are one, and a sample on a switch has one side."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa

BODY = {"mass": 0.8, "inertia": (0.01, 0.02, 0.025)}


def two_drives(first: float, second: float) -> fa.Arm:
    """Two torques that set in at the given times on two joints with springs."""
    law = {"kind": "polynomial", "coefficients": [4.0]}
    joint = {"type": "revolute", "stiffness": 30.0}
    return fa.Arm(
        planar=True,
        gravity=(0, 0, 0),
        torques={"one": {**law, "begin": first}, "two": {**law, "begin": second}},
        links=[
            {"name": "one", "joint": {**joint, "torque": "one"}, "length": 0.5, "rigid": BODY},
            {"name": "two", "joint": {**joint, "torque": "two"}, "length": 0.4, "rigid": BODY},
        ],
    )


@pytest.mark.parametrize(("first", "second"), [(0.3, 0.1 + 0.2), (0.1 + 0.2, 0.3)])
@pytest.mark.parametrize("stepper", ["esdirk4", "newmark"])
def test_switches_that_differ_by_rounding_are_one_switch(first, second, stepper):
    assert first != second
    options = {"end": 0.6, "step": 0.02, "stepper": stepper, "tolerance": 1e-12}
    near, one = (fa.simulate(two_drives(*times), **options) for times in ((first, second), (0.3, 0.3)))
    assert near.info["steps"] == one.info["steps"]
    np.testing.assert_allclose(near.values("joint_position"), one.values("joint_position"), rtol=0, atol=1e-9)


def pushed_arm() -> fa.Arm:
    """A driven link and a free one behind it; a load on the free one sets in at half a second."""
    return fa.Arm(
        planar=True,
        gravity=(0, -9.81, 0),
        motions={"turn": {"kind": "constant-rate", "rate": 1.0}},
        torques={"on": {"kind": "table", "times": [0, 0.5, 9], "values": [0, 1, 1], "interpolation": "steps"}},
        loads=[{"link": "two", "force": (0.0, 20.0, 0.0), "law": "on"}],
        links=[
            {"name": "one", "joint": {"type": "revolute", "motion": "turn"}, "length": 0.5, "rigid": BODY},
            {"name": "two", "joint": {"type": "revolute", "free": True}, "length": 0.4, "rigid": BODY},
        ],
    )


def test_a_sample_on_a_switch_shows_torque_and_acceleration_of_the_same_side():
    run = fa.simulate(pushed_arm(), end=1.0, output=0.25, tolerance=1e-9)
    beside = {}
    for side, shift in (("left", -1e-7), ("right", 1e-7)):
        times = np.array([0.5 + shift])
        near = fa.simulate(pushed_arm(), end=float(times[0]), output=float(times[0]), tolerance=1e-9)
        beside[side] = (near.values("joint_torque")[-1, 0], near.values("joint_acceleration")[-1, 1])
    here = (run.values("joint_torque")[2, 0], run.values("joint_acceleration")[2, 1])
    assert abs(beside["left"][0] - beside["right"][0]) > 0.1  # the torque does jump
    assert any(np.allclose(here, side, rtol=1e-3) for side in beside.values())


def test_a_brake_stops_where_it_says_whatever_the_step():
    arm = fa.Arm(
        planar=True,
        gravity=(0, 0, 0),
        motions={"stop": {"kind": "brake", "travel_time": 0.7, "braking_time": 0.23}},
        links=[{"name": "one", "joint": {"type": "revolute", "motion": "stop", "rate": 1.3}, "rigid": BODY}],
    )
    for options in ({"step": 0.013}, {"tolerance": 1e-3}, {"step": 0.09, "stepper": "newmark"}):
        run = fa.simulate(arm, end=1.0, **options)
        np.testing.assert_allclose(run.values("joint_position")[-1], 0.91, rtol=1e-14)
        np.testing.assert_array_equal(run.values("joint_velocity")[-1], 0.0)
