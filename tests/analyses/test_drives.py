"""Motors behind gears: inertia and friction as felt at the joint, and gears that give way, in closed form."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from tests.analyses.arms import one_link
from tests.analyses.flexible_arms import DOWN, STILL, largest, swinging
from tests.links.cantilever import WAY
from tests.oracles.oscillator import Oscillator

pytestmark = pytest.mark.usefixtures("no_error_estimates")

J = 0.1 + 2.0 * 0.25  # kg m², of the rigid link about its joint
MOTOR = {"inertia": 2e-4, "gear_ratio": 50.0, "friction": 4e-4}
FELT, FRICTION = 2e-4 * 2500.0, 4e-4 * 2500.0  # kg m², N m s/rad at the joint
K = 300.0  # N m/rad, of the gear


def test_a_motor_is_felt_by_the_square_of_its_gear_ratio() -> None:
    arm = one_link(joint={"torque": "push", "motor": MOTOR}, torques={"push": {"kind": "constant", "value": 3.0}})
    run = fa.simulate(arm, end=2.0, tolerance=1e-10, output=0.02)
    decay = FRICTION / (J + FELT)
    # (J + n²I) θ̈ + n²b θ̇ = τ from rest
    expected = 3.0 / FRICTION * (run.time + np.expm1(-decay * run.time) / decay)
    np.testing.assert_allclose(run.values("joint_position")[:, 0], expected, rtol=0, atol=1e-9)
    assert run.values("energy_dissipated")[-1] == pytest.approx(
        np.trapezoid(FRICTION * run.values("joint_velocity")[:, 0] ** 2, run.time), rel=1e-3
    )
    assert largest(run.values("energy_balance_error")) < 1e-9


def test_a_commanded_motion_takes_the_torque_of_link_motor_and_friction() -> None:
    go = {"kind": "cycloidal", "travel": 1.0, "duration": 2.0}
    run = fa.simulate(one_link(joint={"motion": "go", "motor": MOTOR}, motions={"go": go}), end=2.0, output=0.02)
    w = np.pi
    acceleration, rate = w / 2 * np.sin(w * run.time), (1 - np.cos(w * run.time)) / 2
    np.testing.assert_allclose(
        run.values("joint_torque")[:, 0], (J + FELT) * acceleration + FRICTION * rate, rtol=0, atol=1e-11
    )


def test_a_motor_and_a_rotor_of_the_same_felt_inertia_are_one() -> None:
    torque = {"push": {"kind": "sine", "amplitude": 2.0, "period": 0.8}}
    by_motor, by_rotor = (
        fa.simulate(one_link(joint={"torque": "push", **joint}, gravity=DOWN, torques=torque), end=1.0, tolerance=1e-9)
        for joint in ({"motor": MOTOR}, {"rotor_inertia": FELT, "damping": FRICTION})
    )
    np.testing.assert_allclose(by_motor.values("joint_position"), by_rotor.values("joint_position"), rtol=0, atol=1e-12)


def test_a_motor_on_a_slide_is_felt_as_a_mass() -> None:
    link = {
        "name": "slide",
        "joint": {"type": "prismatic", "axis": "x", "torque": "push", "motor": {"inertia": 1e-5, "gear_ratio": 600.0}},
        "length": 0.2,
        "rigid": {"mass": 2.0, "inertia": 0.0},
    }
    force = {"kind": "constant", "value": 4.0, "unit": "N"}
    arm = fa.Arm(planar=True, gravity=STILL, links=[link], torques={"push": force})
    run = fa.simulate(arm, end=1.0, tolerance=1e-10)
    expected = 0.5 * 4.0 / (2.0 + 1e-5 * 600.0**2) * run.time**2
    np.testing.assert_allclose(run.values("joint_position")[:, 0], expected, rtol=0, atol=1e-10)


# --- Gears that give way ---------------------------------------------------------------------------------------------


def geared(joint: dict, damping: float = 0.0, **fields) -> fa.Arm:
    """A rigid link behind a motor and a gear that gives way."""
    motor = {"inertia": 2e-4, "gear_ratio": 50.0}
    return one_link(joint={"motor": motor, "gear": {"stiffness": K, "damping": damping}, **joint}, **fields)


def test_motor_and_link_swing_against_each_other_as_two_masses_on_a_spring() -> None:
    found = fa.modes(geared({"free": True}, 0.6), joints="free")
    omega = np.sqrt(K * (1 / FELT + 1 / J))
    assert found.frequencies_hz[0] == 0.0
    assert 2 * np.pi * found.frequencies_hz[1] == pytest.approx(omega, rel=1e-12)
    # on the relative motion: c (1/I + 1/J) = 2ζω
    assert found.damping_ratios[1] == pytest.approx(0.6 * (1 / FELT + 1 / J) / (2 * omega), rel=1e-9)
    assert found.coordinates == ("link", "link.gear")


def test_behind_a_locked_motor_the_link_swings_on_its_gear() -> None:
    found = fa.modes(geared({"locked": True}))
    assert 2 * np.pi * found.frequencies_hz[0] == pytest.approx(np.sqrt(K / J), rel=1e-12)
    assert "gear" in found.names[0]


def test_a_released_gear_shakes_motor_and_link_about_their_common_centre() -> None:
    run = fa.simulate(geared({"free": True}), end=0.5, start={"link.gear": 0.02}, tolerance=1e-11, output=0.005)
    omega = np.sqrt(K * (1 / FELT + 1 / J))
    gear = run.values("elastic_position")[:, run.labels("coordinate").index("link.gear")]
    motor = run.values("joint_position")[:, 0]
    np.testing.assert_allclose(gear, 0.02 * np.cos(omega * run.time), rtol=0, atol=1e-9)
    # no torque from outside: I θ̇_m + J (θ̇_m + ẋ) = 0
    np.testing.assert_allclose(motor, J / (J + FELT) * (0.02 - gear), rtol=0, atol=1e-9)


def test_a_link_behind_a_commanded_motor_is_an_oscillator_on_a_moving_base() -> None:
    go = {"kind": "cycloidal", "travel": 1.0, "duration": 1.0}
    run = fa.simulate(geared({"motion": "go"}, 1.5, motions={"go": go}), end=1.0, tolerance=1e-11, output=0.01)
    omega = np.sqrt(K / J)
    gear = Oscillator(omega, 1.5 / (2 * J * omega))
    twist, rate = gear.sine(run.time, 2 * np.pi, 2 * np.pi)
    np.testing.assert_allclose(run.values("elastic_position")[:, 0], twist, rtol=0, atol=1e-9)
    # the tip is ahead of the motor by the twist; the drive turns the motor and holds the gear
    angle = run.time - np.sin(2 * np.pi * run.time) / (2 * np.pi) + twist
    np.testing.assert_allclose(run.values("point_position")[:, 0, 1], np.sin(angle), rtol=0, atol=1e-9)
    acceleration = 2 * np.pi * np.sin(2 * np.pi * run.time)
    np.testing.assert_allclose(
        run.values("joint_torque")[:, 0], FELT * acceleration - K * twist - 1.5 * rate, rtol=0, atol=1e-5
    )


def test_weight_winds_up_the_gear() -> None:
    found = fa.statics(geared({"locked": True}, gravity=DOWN))
    twist = found.values[found.coordinates.index("link.gear")]
    # k x = −m g (L/2) cos x
    assert K * twist == pytest.approx(-2.0 * 9.81 * 0.5 * np.cos(twist), rel=1e-10)
    assert found.joint_torque[0] == pytest.approx(-K * twist, rel=1e-10)


@WAY
def test_the_energy_balance_of_a_flexible_link_behind_a_soft_gear_closes(way) -> None:
    joint = {
        "motion": "go",
        "servo": {"kp": 200.0, "kv": 15.0},
        "motor": MOTOR,
        "gear": {"stiffness": K, "damping": 0.2},
    }
    go = {"kind": "cycloidal", "travel": 0.8, "duration": 0.6}
    arm = swinging(way, joint, link={"damping": {"retardation": 1e-3}}, motions={"go": go})
    run = fa.simulate(arm, end=1.0, start="static", tolerance=1e-8, output=0.01)
    assert run.complete and run.labels("coordinate")[0] == "beam.gear"
    assert largest(run.values("energy_balance_error")) < 1e-6 * np.ptp(run.values("work_drives"))


@WAY
def test_a_very_stiff_gear_is_none(way) -> None:
    go = {"kind": "cycloidal", "travel": 0.8, "duration": 0.6}
    bare, stiff = (
        fa.simulate(swinging(way, {"motion": "go", **more}, motions={"go": go}), end=0.7, tolerance=1e-8, output=0.02)
        for more in ({}, {"gear": {"stiffness": 1e7, "damping": 1e3}})
    )
    # less than 20 N m on 1e7 N m/rad
    assert largest(bare.values("point_position") - stiff.values("point_position")) < 2e-6
