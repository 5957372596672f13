"""Driven joints follow their laws exactly, whatever the stepper, and the order of links in a file means nothing."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa

BODY = {"mass": 0.8, "inertia": (0.01, 0.02, 0.025)}
MOTIONS = {
    "brake": {"kind": "brake", "rate": 1.3, "travel_time": 0.6, "braking_time": 0.31},
    "constant-rate": {"kind": "constant-rate", "rate": -0.7},
    "cycloidal": {"kind": "cycloidal", "travel": 1.1, "duration": 0.7, "begin": 0.1},
    "accelerate": {"kind": "accelerate", "travel": 1.0, "acceleration_time": 0.2, "constant_time": 0.3, "back": True},
    "trapezoidal": {"kind": "trapezoidal-acceleration", "travel": 0.9, "duration": 0.8},
    "bang-bang": {"kind": "bang-bang", "acceleration": 7.0, "duration": 0.53},
    "spin-up": {"kind": "spin-up", "rate": 2.0, "duration": 0.6},
    "polynomial": {"kind": "polynomial", "coefficients": [0.0, 0.1, -0.4, 0.9]},
    "table": {"kind": "table", "times": [0.0, 0.2, 0.5, 0.9], "values": [0.0, 0.3, -0.1, 0.4]},
    "hold": {"kind": "hold"},
}


def arm(law: dict) -> fa.Arm:
    """A joint that follows a law, scaled and delayed, and a link that swings behind it."""
    driven = {"type": "revolute", "motion": "law", "at": 0.2, "scale": -1.4, "delay": 0.05}
    return fa.Arm(
        planar=True,
        gravity=(0, -9.81, 0),
        motions={"law": law},
        links=[
            {"name": "one", "joint": driven, "length": 0.5, "rigid": BODY},
            {"name": "two", "joint": {"type": "revolute", "free": True}, "length": 0.4, "rigid": BODY},
        ],
    )


@pytest.mark.parametrize("kind", MOTIONS)
@pytest.mark.parametrize("options", [{}, {"step": 0.013}, {"step": 0.01, "stepper": "newmark"}, {"stepper": "alpha"}])
def test_a_driven_joint_is_where_its_law_says(kind, options):
    here = arm(MOTIONS[kind])
    run = fa.simulate(here, end=1.0, output=0.01, **options)
    law = here.motion_of("one")
    expected = np.array(law.evaluate(run.time))
    beside = np.array(law.evaluate(run.time, side="left"))
    found = np.array([run.values(f"joint_{name}")[:, 0] for name in ("position", "velocity", "acceleration")])
    np.testing.assert_allclose(found[:2], expected[:2], rtol=0, atol=1e-13)
    # on a switch the acceleration is that of either side
    off = np.minimum(np.abs(found[2] - expected[2]), np.abs(found[2] - beside[2]))
    assert off.max() < 1e-11


@pytest.mark.parametrize("stepper", ["esdirk4", "newmark"])
def test_links_may_be_listed_in_any_order(stepper):
    swing = {"type": "revolute", "free": True, "stiffness": 5.0}
    links = [
        {"name": "one", "parent": "base", "joint": {**swing, "at": 0.3}, "length": 0.5, "rigid": BODY},
        {"name": "two", "parent": "one", "joint": {**swing, "at": -0.4}, "length": 0.4, "rigid": BODY},
        {"name": "side", "parent": "one", "parent_at": 0.2, "joint": {**swing, "at": 1}, "length": 0.3, "rigid": BODY},
    ]
    points = [{"name": "tip", "link": "two"}, {"name": "other", "link": "side"}]
    runs = [
        fa.simulate(
            fa.Arm(gravity=(0, -9.81, 0), links=[links[i] for i in order], points=points),
            end=0.5,
            step=0.005,
            stepper=stepper,
            tolerance=1e-12,
        )
        for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2))
    ]
    for run in runs[1:]:
        # sums in another order, and the inner iteration stops a little elsewhere
        np.testing.assert_allclose(run.values("point_position"), runs[0].values("point_position"), rtol=0, atol=1e-9)
        for name in ("one", "two", "side"):
            columns = [r.values("joint_position")[:, r.labels("joint").index(name)] for r in (run, runs[0])]
            np.testing.assert_allclose(*columns, rtol=0, atol=1e-9)
