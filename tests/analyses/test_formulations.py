"""Every formulation in every frame obeys the laws: energy, the rigid limit, the torque of a commanded motion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import flexarm as fa
from flexarm.assembly import compile_arm
from flexarm.core.tree.elements import stepping_tree
from flexarm.core.tree.types import PlanarStretchTree, SpatialStretchTree
from tests.analyses.flexible_arms import largest, swinging
from tests.links.cantilever import SELF_TURNING, WAY

pytestmark = pytest.mark.usefixtures("no_error_estimates")

EITHER = pytest.mark.parametrize("planar", [True, False], ids=["planar", "spatial"])
GO = {"go": {"kind": "cycloidal", "travel": 1.2, "duration": 1.0}}


# Elements that stretch: as soft along the axis as a rod of rubber, so that no frequency is far above the others.
STRETCHING = pytest.mark.parametrize("formulation", ["timoshenko", "hermite"])
RUBBER = {"axial_stiffness": 4e3, "torsional_stiffness": 15.0}


def stretching(formulation: str, planar: bool, joint: Mapping[str, Any], **fields: Any) -> fa.Arm:
    """A limber beam that stretches (and twists, in space) on a revolute joint."""
    way = {"formulation": formulation, "freedoms": ["bending", "axial"] if planar else ["bending", "torsion", "axial"]}
    arm = swinging(way, joint, planar=planar, beam=RUBBER, **fields)
    tree = compile_arm(arm)
    assert type(stepping_tree(tree.tree, tree.loads)) is (PlanarStretchTree if planar else SpatialStretchTree)
    return arm


@STRETCHING
@EITHER
def test_an_undamped_beam_that_stretches_keeps_its_energy(formulation, planar) -> None:
    # in space the payload beside the axis twists it, and gravity pulls it out of the plane of its joint
    away = {} if planar else {"offset": (0.0, 0.0, 0.1)}
    gravity = (0.0, -9.81, 0.0) if planar else (0.0, -9.81, 4.0)
    link = {"hub": {"inertia": 0.05}, "payload": {"mass": 0.2, **away}}
    arm = stretching(formulation, planar, {"free": True, "at": -1.0}, link=link, gravity=gravity)
    run = fa.simulate(arm, end=2.0, tolerance=1e-9, output=0.02)
    assert run.complete
    stretch = [k for k, name in enumerate(run.labels("coordinate")) if ".u" in name]
    assert largest(run.values("elastic_position")[:, stretch]) > 1e-4
    assert largest(run.values("energy_balance_error")) < 1e-8 * np.ptp(run.values("energy_kinetic"))


@STRETCHING
@EITHER
def test_the_torque_of_a_beam_that_stretches_is_what_the_energy_asks_for(formulation, planar) -> None:
    arm = stretching(formulation, planar, {"motion": "go", "at": -0.4}, motions=GO)
    run = fa.simulate(arm, end=1.0, start="static", tolerance=1e-9, output=5e-4)
    stored = sum(run.values(f"energy_{kind}") for kind in ("kinetic", "elastic", "gravity"))
    power = run.values("joint_torque")[:, 0] * run.values("joint_velocity")[:, 0]
    # as above
    slope = CubicSpline(run.time, stored)(run.time, 1)
    assert largest((power - slope)[20:-20]) < 1e-4 * largest(power)


@WAY
def test_an_undamped_beam_that_swings_for_ten_seconds_keeps_its_energy(way) -> None:
    arm = swinging(way, {"free": True, "at": -1.0}, link={"hub": {"inertia": 0.05}})
    run = fa.simulate(arm, end=10.0, tolerance=1e-10, output=0.05)
    assert run.complete
    assert largest(run.values("point_deflection")) > 1e-3
    assert largest(run.values("energy_balance_error")) < 1e-9 * np.ptp(run.values("energy_kinetic"))


@WAY
@EITHER
def test_a_very_stiff_beam_is_a_rigid_link(way, planar) -> None:
    payload = {"mass": 0.3, "inertia": (0.0, 0.0, 0.0)}
    bent, shaken = [], []
    for stiffness in (1e4, 1e6):
        arm = swinging(
            way,
            {"motion": "go", "at": -0.4},
            4,
            stiffness=stiffness,
            planar=planar,
            link={"payload": payload},
            motions=GO,
        )
        run = fa.simulate(arm, end=1.2, start="static", tolerance=1e-8, output=0.01)
        rigid = run.values("rigid_torque")[:, 0]
        bent.append(largest(run.values("point_deflection")))
        shaken.append(largest(run.values("joint_torque")[:, 0] - rigid) / largest(rigid))
    # deflection goes with the flexibility, the torque of what rings at the ends of the motion with its square root
    assert bent[1] == pytest.approx(bent[0] / 100.0, rel=0.03)
    assert shaken[0] < 0.03 and shaken[1] < 1.2e-3
    # the rigid link in closed form
    t = np.minimum(run.time, 1.0)
    angle = -0.4 + 1.2 * (t - np.sin(2 * np.pi * t) / (2 * np.pi))
    acceleration = 1.2 * 2 * np.pi * np.sin(2 * np.pi * t)
    rotary = 0.0 if way["formulation"] not in SELF_TURNING else 5e-3
    expected = (0.5 / 3 + 0.3 + rotary) * acceleration + (0.5 * 0.5 + 0.3) * 9.81 * np.cos(angle)
    np.testing.assert_allclose(rigid, expected, rtol=0, atol=1e-10)
    tip = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    assert largest(run.values("point_position")[:, 0, :2] - tip) < 1.01 * bent[1] + 1e-9


@WAY
@EITHER
def test_the_torque_of_a_commanded_motion_is_what_the_energy_asks_for(way, planar) -> None:
    arm = swinging(way, {"motion": "go", "at": -0.4}, planar=planar, motions=GO)
    run = fa.simulate(arm, end=1.0, start="static", tolerance=1e-9, output=5e-4)
    stored = sum(run.values(f"energy_{kind}") for kind in ("kinetic", "elastic", "gravity"))
    power = run.values("joint_torque")[:, 0] * run.values("joint_velocity")[:, 0]
    # the slope of a spline through samples of 0.5 ms; its ends are left out
    slope = CubicSpline(run.time, stored)(run.time, 1)
    assert largest((power - slope)[20:-20]) < 1e-4 * largest(power)


@WAY
def test_a_beam_driven_by_the_torque_of_a_motion_makes_that_motion(way) -> None:
    commanded = swinging(way, {"motion": "go", "at": -0.4}, link={"damping": {"retardation": 2e-3}}, motions=GO)
    run = fa.simulate(commanded, end=1.0, start="static", tolerance=1e-9, output=1e-3)
    samples = {"times": run.time.tolist(), "values": run.values("joint_torque")[:, 0].tolist()}
    law = {"kind": "table", "interpolation": "spline", **samples}
    driven = commanded.links[0].changed(joint={"type": "revolute", "torque": "push", "at": -0.4})
    again = fa.simulate(
        commanded.changed(links=(driven,), torques={"push": law}),
        end=1.0,
        start=dict(zip(run.labels("coordinate"), run.values("elastic_position")[0].tolist(), strict=True)),
        tolerance=1e-9,
        output=1e-3,
    )
    # a cubic through the torque every millisecond
    assert largest(again.values("joint_position") - run.values("joint_position")) < 1e-5
    assert largest(again.values("point_position") - run.values("point_position")) < 1e-5


@WAY
@EITHER
def test_the_energy_balance_of_a_torque_driven_beam_closes(way, planar) -> None:
    across = (0.5, 1.0, 0.0) if planar else (0.5, 1.0, -0.8)
    arm = swinging(
        way,
        {"torque": "push", "at": -1.2, "damping": 0.05},
        planar=planar,
        link={"damping": {"retardation": 1e-3}, "hub": {"inertia": 0.02}, "payload": {"mass": 0.1}},
        loads=[{"link": "beam", "force": across, "at": 0.6, "law": "gust"}],
        torques={
            "push": {"kind": "sine", "amplitude": 2.0, "period": 0.7},
            "gust": {"kind": "sine", "amplitude": 1.0, "period": 0.4, "end": 0.8},
        },
    )
    run = fa.simulate(arm, end=1.5, tolerance=1e-8, output=0.01)
    exchanged = np.ptp(run.values("work_drives"))
    assert exchanged > 0.5 and np.ptp(run.values("work_loads")) > 0.01 and run.values("energy_dissipated")[-1] > 1e-3
    assert largest(run.values("energy_balance_error")) < 1e-6 * exchanged
