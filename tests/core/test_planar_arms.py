"""An arm declared planar moves as the same arm in space: joints, slides, loads, payloads, beams along any direction."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa

SHOWN = (
    "joint_position",
    "joint_velocity",
    "joint_torque",
    "point_position",
    "point_velocity",
    "point_acceleration",
    "energy_kinetic",
    "energy_gravity",
    "work_drives",
    "work_loads",
)


def both(links: list[dict], **keys) -> tuple[fa.Trajectory, fa.Trajectory]:
    """The run of the planar and of the spatial arm; inertias are given about all three axes."""
    arms = (fa.Arm(planar=planar, gravity=(0.5, -9.81, 0), links=links, **keys) for planar in (True, False))
    flat, full = (fa.simulate(arm, end=0.4, output=0.01, step=0.001, tolerance=1e-10) for arm in arms)
    return flat, full


def same(flat: fa.Trajectory, full: fa.Trajectory) -> None:
    for name in SHOWN:
        x, y = flat.values(name), full.values(name)
        # the iteration of a step stops at 1e-12 m, in the accelerations at the square of the step less
        np.testing.assert_allclose(x, y, rtol=0, atol=1e-7 * (np.abs(y).max() + 1e-3), err_msg=name)


BODY = {"mass": 0.8, "inertia": (0.01, 0.02, 0.025)}
SWING = {"type": "revolute", "free": True, "stiffness": 15.0, "start_rate": 2.0}


def test_with_joints_about_minus_z():
    down = {**SWING, "axis": "-z", "at": 0.4}
    same(
        *both(
            [
                {"name": "one", "joint": SWING, "length": 0.5, "rigid": BODY},
                {"name": "two", "joint": down, "length": 0.4, "rigid": BODY},
            ]
        )
    )


@pytest.mark.parametrize("axes", ["world", "link"])
def test_with_a_loaded_link_on_a_slide(axes):
    slide = {"type": "prismatic", "axis": (0.6, 0.8, 0.0), "free": True, "stiffness": 80.0, "at": 0.1}
    loads = [{"link": "two", "at": 0.1, "force": (3.0, -1.0, 0), "moment": (0, 0, 0.7), "axes": axes}]
    same(
        *both(
            [
                {"name": "one", "joint": SWING, "length": 0.5, "rigid": BODY},
                {"name": "two", "joint": slide, "length": 0.4, "rigid": BODY},
            ],
            loads=loads,
        )
    )


def test_a_load_in_link_axes_on_a_free_slide_gives_force_over_mass():
    arm = fa.Arm(
        planar=True,
        gravity=(0, 0, 0),
        links=[{"name": "cart", "joint": {"type": "prismatic", "axis": "x", "free": True}, "rigid": BODY}],
        loads=[{"link": "cart", "force": (2.0, 0, 0), "axes": "link"}],
    )
    run = fa.simulate(arm, end=1.0)
    np.testing.assert_allclose(run.values("joint_position")[-1, 0], 0.5 * 2.0 / 0.8, rtol=1e-12)


def test_with_a_beam_along_any_direction_a_payload_a_hub_and_a_branch():
    beam = {"bending_stiffness": 30.0, "mass_per_length": 0.5}
    payload = {"mass": 0.2, "inertia": (1e-4, 2e-4, 2e-4), "offset": (0.02, 0.03, 0)}
    same(
        *both(
            [
                {"name": "one", "joint": SWING, "length": 0.5, "rigid": BODY},
                {
                    "name": "two",
                    "joint": {"type": "revolute", "motion": "move", "at": 0.3, "rotation": (0, 0, 0.4)},
                    "length": 0.6,
                    "direction": (-0.8, 0.6, 0.0),
                    "beam": beam,
                    "model": {"formulation": "rigid-fe", "elements": 4, "freedoms": ["bending"]},
                    "tip_offset": (0.05, -0.02, 0),
                    "tip_rotation": (0, 0, 0.5),
                    "hub": {"radius": 0.05, "mass": 0.3, "inertia": 0.001},
                    "payload": payload,
                },
                {
                    "name": "side",
                    "parent": "two",
                    "parent_at": 0.4,
                    "joint": {**SWING, "offset": (0, 0.05, 0)},
                    "length": 0.2,
                    "rigid": BODY,
                },
            ],
            motions={"move": {"kind": "cycloidal", "travel": 1.0, "duration": 0.3}},
            # the spatial beam must not bend out of the plane: nothing pushes it there
            points=[{"name": "mid", "link": "two", "at": 0.3, "offset": (0, 0.01, 0)}],
            loads=[{"link": "two", "at": 0.45, "force": (0.5, 0.2, 0), "axes": "link"}],
        )
    )
