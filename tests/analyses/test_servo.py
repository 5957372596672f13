"""Servos: a rigid link in closed form, gains by design, the errors a result speaks of, and the energy that passes."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import flexarm as fa
from flexarm.errors import AnalysisError
from flexarm.model import Servo
from tests.analyses.arms import one_link
from tests.analyses.flexible_arms import DOWN, STILL, largest, swinging, two_links
from tests.links.cantilever import WAY, WAYS, exact_thin
from tests.oracles import beams

GO = {"go": {"kind": "cycloidal", "travel": 1.2, "duration": 0.8}}
J = 0.1 + 2.0 * 0.25  # kg m², of the rigid link about its joint
KP, KV = 90.0, 8.0


def commanded(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angle and rate of the command, which begins at 0.2 rad."""
    s = np.clip(t, 0.0, 0.8) * 2 * np.pi / 0.8
    return 0.2 + 1.2 * (s - np.sin(s)) / (2 * np.pi), 1.2 / 0.8 * (1 - np.cos(s))


@pytest.mark.parametrize("gravity", [STILL, DOWN], ids=["still", "heavy"])
def test_a_rigid_link_follows_its_servo_as_the_equation_says(gravity) -> None:
    joint = {"motion": "go", "at": 0.2, "servo": {"kp": KP, "kv": KV}, "damping": 0.3, "rotor_inertia": 0.05}
    arm = one_link(joint=joint, gravity=gravity, motions=GO)
    run = fa.simulate(arm, end=1.5, tolerance=1e-10, output=0.01)

    def rhs(t: float, y: np.ndarray) -> list[float]:
        angle, rate = commanded(np.array(t))
        torque = KP * (angle - y[0]) + KV * (rate - y[1])
        return [y[1], (torque - 0.3 * y[1] + 2.0 * 0.5 * gravity[1] * np.cos(y[0])) / (J + 0.05)]

    exact = solve_ivp(
        rhs, (0.0, 1.5), [0.2, 0.0], method="DOP853", rtol=1e-12, atol=1e-13, t_eval=run.time, max_step=0.02
    )
    angle, rate = commanded(run.time)
    np.testing.assert_allclose(run.values("joint_position")[:, 0], exact.y[0], rtol=0, atol=1e-9)
    np.testing.assert_allclose(run.values("joint_velocity")[:, 0], exact.y[1], rtol=0, atol=1e-7)
    np.testing.assert_allclose(run.values("joint_error")[:, 0], exact.y[0] - angle, rtol=0, atol=1e-9)
    torque = KP * (angle - exact.y[0]) + KV * (rate - exact.y[1])
    np.testing.assert_allclose(run.values("joint_torque")[:, 0], torque, rtol=0, atol=1e-6)
    # the tip's error is the chord between where it is and where the command would have it
    here, there = (np.stack([np.cos(x), np.sin(x)], axis=1) for x in (exact.y[0], angle))
    np.testing.assert_allclose(run.values("point_error")[:, 0, :2], here - there, rtol=0, atol=1e-9)


def test_the_rigid_torque_of_a_servo_is_what_its_command_would_take() -> None:
    run = fa.simulate(one_link(joint={"motion": "go", "servo": {"kp": KP, "kv": KV}}, motions=GO), end=0.8, output=0.01)
    acceleration = 1.2 * 2 * np.pi / 0.8**2 * np.sin(2 * np.pi * run.time / 0.8)
    np.testing.assert_allclose(run.values("rigid_torque")[:, 0], J * acceleration, rtol=0, atol=1e-10)


def test_a_spring_on_the_joint_is_not_the_servos() -> None:
    # at rest the servo holds the spring: kp e = k (θ − rest)
    joint = {"motion": "stay", "at": 0.5, "servo": {"kp": KP, "kv": KV}, "stiffness": 30.0, "rest": 0.1, "damping": 5.0}
    run = fa.simulate(one_link(joint=joint, motions={"stay": {"kind": "hold"}}), start="static", end=0.5)
    error = -30.0 * 0.4 / (KP + 30.0)
    assert run.values("joint_error")[:, 0] == pytest.approx(error, rel=1e-9)
    assert run.values("joint_torque")[:, 0] == pytest.approx(-KP * error, rel=1e-9)


# --- Gains -----------------------------------------------------------------------------------------------------------


def gains_of(run: fa.Trajectory, link: str) -> tuple[float, float]:
    """The gains a run was made with."""
    gains = run.arm.link(link).joint.servo_gains()
    assert gains is not None
    return gains


def test_a_servo_by_frequency_and_inertia_has_half_the_frequency_and_is_critically_damped() -> None:
    joint = {"motion": "go", "servo": {"frequency": 3.8, "inertia": J}}
    arm = one_link(joint=joint, motions=GO)
    run = fa.simulate(arm, end=0.1)
    kp, kv = gains_of(run, "link")
    assert run.info["servo_gains"] == {"link": [kp, kv]}
    assert f"kp {kp:.2f} N m/rad, kv {kv:.2f} N m s/rad, feed-forward velocity" in run.summary()
    assert kp == pytest.approx(np.pi**2 * 3.8**2 * J, rel=1e-12)
    assert kv == pytest.approx(2 * np.sqrt(J * kp), rel=1e-12)
    # released 0.1 rad beside its command a critically damped servo comes back without crossing it
    still = arm.changed(motions={"go": {"kind": "hold"}})
    run = fa.simulate(still, end=2.0, start={"link": 0.1}, tolerance=1e-9)
    rate = np.pi * 3.8
    expected = 0.1 * np.exp(-rate * run.time) * (1 + rate * run.time)
    np.testing.assert_allclose(run.values("joint_position")[:, 0], expected, rtol=0, atol=1e-8)


@WAY
def test_automatic_gains_are_those_of_the_inertia_and_the_clamped_frequency(way) -> None:
    word = way["formulation"]
    # thin: bending alone decides
    link = {"beam": {"bending_stiffness": 30.0, "mass_per_length": 0.5, "shear_stiffness": 3e6, "rotary_inertia": 5e-6}}
    link["model"] = {**way, "elements": 12, "freedoms": ["bending"]}
    arm = swinging(way, {"motion": "go", "servo": "auto"}, gravity=STILL, link=link, motions=GO)
    run = fa.simulate(arm, end=0.05)
    tuned = run.info["servos"]["beam"]["tuned"]
    # the rotary inertia of 5e-6 kg m is 3e-5 of the whole
    assert tuned["inertia"] == pytest.approx(0.5 / 3, rel=1e-4 if word != "rigid-fe" else 1e-3)
    # a dozen hinges or linear elements have the first frequency to half of 1/n²
    assert 2 * np.pi * tuned["frequency"] == pytest.approx(exact_thin(word, 1)[0], rel=3e-3)
    servo = run.arm.link("beam").joint.servo
    assert isinstance(servo, Servo) and servo.fed_forward == "rigid" and servo.integral_time is not None
    assert servo.velocity_gain == pytest.approx(2 * np.pi * tuned["bandwidth"] * tuned["inertia"], rel=1e-12)
    kp, kv = gains_of(run, "beam")
    assert (kp, kv) == pytest.approx((servo.velocity_gain * servo.position_gain, servo.velocity_gain), rel=1e-12)


def test_automatic_gains_count_what_the_joint_carries_and_its_drive() -> None:
    payload = {"mass": 0.3, "inertia": 0.004}
    hub = {"inertia": 0.02}
    joint = {"motion": "go", "servo": "auto", "motor": {"inertia": 1e-4, "gear_ratio": 20.0}}
    link = {"payload": payload, "hub": hub, "model": {"formulation": "hermite", "elements": 6}}
    run = fa.simulate(swinging(WAYS["hermite"], joint, link=link, stiffness=30.0, motions=GO), end=0.05)
    tuned = run.info["servos"]["beam"]["tuned"]
    assert tuned["inertia"] == pytest.approx(0.5 / 3 + 0.3 + 0.004 + 0.02 + 1e-4 * 400.0, rel=1e-9)
    exact = beams.euler(1, EI=30.0, rhoA=0.5, L=1.0, tip_mass=0.3, tip_inertia=0.004)[0]
    assert 2 * np.pi * tuned["frequency"] == pytest.approx(exact, rel=1e-4)


def test_automatic_gains_of_two_links_are_those_of_the_worst_posture_of_the_command() -> None:
    arm = two_links(WAYS["hermite"], 4)
    links = [link.changed(joint=link.joint.changed(servo="auto")) for link in arm.links]
    links[1] = links[1].changed(joint=links[1].joint.changed(at=np.pi / 2))
    hold = {name: {"kind": "hold"} for name in arm.motions}
    run = fa.simulate(arm.changed(links=links, motions=hold), end=0.05)
    shoulder, elbow = (SimpleNamespace(**run.info["servos"][link.name]["tuned"]) for link in run.arm.links)
    m, rotary = 0.945, 2.7e-5
    # the fore link stands square to the upper: its mass centre is √(1 + ¼) from the shoulder
    assert elbow.inertia == pytest.approx(m / 3 + rotary, rel=1e-6)
    assert shoulder.inertia == pytest.approx(m / 3 + m / 12 + m * 1.25 + 2 * rotary, rel=1e-6)
    assert 2 * np.pi * elbow.frequency == pytest.approx(beams.euler(1, EI=700.0, rhoA=m, L=1.0)[0], rel=1e-3)
    assert shoulder.frequency < 0.5 * elbow.frequency
    locked = fa.modes(arm, posture={"fore": np.pi / 2}, count=1).frequencies_hz[0]
    assert shoulder.frequency == pytest.approx(locked, rel=1e-6)


def test_a_servo_that_carries_nothing_flexible_has_no_automatic_gains() -> None:
    with pytest.raises(AnalysisError, match=r'"link".*"auto"'):
        fa.simulate(one_link(joint={"motion": "go", "servo": "auto"}, motions=GO), end=0.1)


# --- Flexible links --------------------------------------------------------------------------------------------------


@WAY
@pytest.mark.parametrize("planar", [True, False], ids=["planar", "spatial"])
def test_the_energy_balance_of_a_servo_closes(way, planar) -> None:
    joint = {"motion": "go", "at": -0.5, "servo": {"kp": KP, "kv": KV}, "damping": 0.1, "stiffness": 2.0}
    arm = swinging(way, joint, planar=planar, link={"damping": {"retardation": 1e-3}}, motions=GO)
    run = fa.simulate(arm, end=1.2, start="static", tolerance=1e-8, output=0.01)
    assert run.complete
    exchanged = np.ptp(run.values("work_drives"))
    assert exchanged > 0.1
    assert largest(run.values("energy_balance_error")) < 1e-6 * exchanged
    # what the servo gives is its torque along the joint's way
    power = run.values("joint_torque")[:, 0] * run.values("joint_velocity")[:, 0]
    work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(run.time))])
    assert largest(run.values("work_drives") - work) < 5e-3 * exchanged


@WAY
def test_a_servo_of_great_gain_is_a_prescribed_motion(way) -> None:
    apart = []
    prescribed = fa.simulate(
        swinging(way, {"motion": "go"}, motions=GO), end=0.8, start="static", tolerance=1e-8, output=0.02
    )
    for kp in (1e4, 4e4):
        joint = {"motion": "go", "servo": {"kp": kp, "kv": 2 * np.sqrt(0.17 * kp)}}
        run = fa.simulate(swinging(way, joint, motions=GO), end=0.8, start="static", tolerance=1e-8, output=0.02)
        assert run.labels("joint") == ("beam",)
        apart.append(largest(run.values("point_position") - prescribed.values("point_position")))
    # the error is the torque over the gain
    assert apart[0] < 5e-3
    assert apart[0] / apart[1] == pytest.approx(4.0, rel=0.2)


@pytest.mark.parametrize("analysis", ["nonlinear", "linear"])
@pytest.mark.parametrize("start", ["rest", "steady"])
def test_a_servo_on_a_steady_motion_begins_with_it(analysis, start) -> None:
    joint = {"motion": "turn", "rate": 3.0, "servo": {"kp": KP, "kv": KV}}
    arm = swinging(WAYS["hermite"], joint, gravity=STILL, motions={"turn": {"kind": "constant-rate"}})
    run = fa.simulate(arm, end=0.2, start=start, analysis=analysis)
    assert run.values("joint_velocity")[:, 0] == pytest.approx(3.0, abs=1e-9)
    assert largest(run.values("joint_error")) < 1e-9


def test_a_servo_without_an_integrator_gives_way_to_the_weight_of_its_arm() -> None:
    joint = {"motion": "go", "at": 0.3, "servo": {"kp": 50.0, "kv": 1.0}}
    arm = one_link(joint=joint, motions=GO, gravity=DOWN)
    # kp (θ_d − θ) = m g L/2 cos θ
    angle = brentq(lambda x: 50.0 * (0.3 - x) - 9.81 * np.cos(x), -1.0, 0.3, xtol=1e-14)
    found = fa.statics(arm)
    assert found.posture["link"] == pytest.approx(angle, abs=1e-10)
    assert found.joint_sag["link"] == pytest.approx(angle - 0.3, abs=1e-10)
    assert found.joint_torque[0] == pytest.approx(9.81 * np.cos(angle), rel=1e-9)
    # the tip hangs below where the command would have it
    assert found.tip_sag["tip"][1] == pytest.approx(np.sin(angle) - np.sin(0.3), abs=1e-10)
    held = fa.statics(arm, joints="locked")
    assert held.posture["link"] == 0.3
    assert held.joint_torque[0] == pytest.approx(9.81 * np.cos(0.3), rel=1e-10)


@pytest.mark.parametrize(
    "servo",
    [
        {"position_gain": 4.0, "velocity_gain": 10.0, "integral_time": 0.2},
        {"kp": 50.0, "kv": 1.0, "feedforward": "gravity"},
    ],
    ids=["integrator", "gravity fed forward"],
)
def test_a_servo_that_knows_or_learns_the_weight_does_not_give_way(servo) -> None:
    arm = one_link(joint={"motion": "go", "at": 0.3, "servo": servo}, motions=GO, gravity=DOWN)
    found = fa.statics(arm, posture={"link": -0.4})
    assert found.joint_sag["link"] == pytest.approx(0.0, abs=1e-10)
    assert found.posture["link"] == pytest.approx(-0.4, abs=1e-10)
    assert found.joint_torque[0] == pytest.approx(9.81 * np.cos(0.4), rel=1e-9)
