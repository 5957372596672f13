"""Servos left to the system: the loops that were found, judged by poles closed by hand, and how the arm follows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.servo import with_tuning
from flexarm.assembly import compile_arm
from flexarm.model import Servo
from tests.analyses.arms import one_link
from tests.analyses.flexible_arms import DOWN, largest

ARM = Path(__file__).parents[2] / "examples" / "servo_arm.toml"
END = {"upper arm": np.radians(80.0), "forearm": np.radians(8.0)}


@pytest.fixture(scope="module")
def arm() -> fa.Arm:
    return fa.read_arm(ARM)


@pytest.fixture(scope="module")
def run(arm) -> fa.Trajectory:
    return fa.simulate(arm, tolerance=1e-7)


def with_servos(arm: fa.Arm, make) -> fa.Arm:
    """The arm with the servos that `make` gives for the name of a link."""
    links = [link.changed(joint=link.joint.changed(servo=make(link.name))) for link in arm.links]
    return arm.changed(links=tuple(links))


def closed_by_hand(arm: fa.Arm, posture: dict[str, float] | None, factor: float = 1.0) -> np.ndarray:
    """Poles of the arm without servos, its torques closed over cascaded loops with integrators."""
    model = fa.linearise(arm, posture=posture, joints="free")
    names = list(compile_arm(arm).coordinate_names)
    names += [f"{name}.rate" for name in names]
    n = len(model.state_names)
    assert n == len(names) and model.B.shape[1] == len(arm.links)
    joints = [link.name for link in arm.links]
    whole = np.zeros((n + len(joints), n + len(joints)))
    whole[:n, :n] = model.A
    for j, name in enumerate(joints):
        servo = arm.link(name).joint.servo
        assert isinstance(servo, Servo)
        p, kv, ti = servo.position_gain, factor * servo.velocity_gain, servo.integral_time
        error = np.zeros(n + len(joints))
        error[names.index(name)], error[names.index(f"{name}.rate")] = -p, -1.0
        if servo.encoder == "link":
            error[names.index(f"{name}.gear")] = -p
        torque = kv * error
        torque[n + j] = kv / ti
        whole[:n] += np.outer(model.B[:, j], torque)
        whole[n + j] = error
    return np.linalg.eigvals(whole)


def test_the_tuned_arm_is_stable_and_damped_with_margin_at_both_ends_of_its_command(arm) -> None:
    tuned, tuning = with_tuning(arm)
    assert tuning is not None
    first = 2 * np.pi * max(joint.frequency for joint in tuning.joints.values())
    decays = []
    for posture in (None, END):
        poles = closed_by_hand(tuned, posture)
        pairs = poles[(poles.imag > 0.0) & (np.abs(poles) < 2.0 * first)]
        assert np.min(-pairs.real / np.abs(pairs)) > 0.295
        decays.append(-np.max(poles.real))
        for factor in (0.5, 2.0):
            assert np.max(closed_by_hand(tuned, posture, factor).real) < 0.0
    # judged with a dozen modes, about the arm unbent: less than a part in a hundred beside these
    assert min(decays) == pytest.approx(tuning.decay, rel=0.02)


@pytest.mark.parametrize("encoder", ["motor", "link"])
def test_modes_and_linearise_have_the_poles_of_the_loops_closed_by_hand(arm, encoder) -> None:
    tuned = with_servos(arm, lambda name: {"tuning": "auto", "encoder": encoder})
    tuned = with_tuning(tuned)[0]
    expected = closed_by_hand(tuned, END)
    found = fa.linearise(tuned, posture=END).poles()
    assert len(found) == len(expected)
    apart = np.abs(found[:, None] - expected[None, :]).min(axis=1)
    # servos with an integrator hold the same posture as locked joints; the gear lets the link hang by milliradians
    assert np.all(apart < (1e-6 if encoder == "motor" else 1e-2) * np.abs(found))
    first = fa.modes(tuned, posture=END, joints="servo", count=1)
    pairs = expected[expected.imag > 0.0]
    assert np.min(np.abs(pairs - first.poles[0])) < (1e-6 if encoder == "motor" else 1e-2) * abs(first.poles[0])


def test_the_tuned_arm_follows_its_command_with_little_more_than_it_bends(arm, run) -> None:
    tuning = run.info["servos"]
    by_old_rule = with_servos(
        arm,
        lambda name: Servo(frequency=tuning[name]["tuned"]["frequency"], inertia=tuning[name]["tuned"]["inertia"]),
    )
    old = fa.simulate(by_old_rule)

    def errors(found: fa.Trajectory) -> np.ndarray:
        return np.linalg.norm(found.values("point_error")[:, 0], axis=1)

    bends = np.linalg.norm(run.values("point_deflection")[:, 0], axis=1).max()
    # gains by kp = π² f0² J alone leave 87 mm on the way and 32 mm when the command has ended
    assert errors(old).max() > 0.08 and errors(old)[old.time >= 0.9].max() > 0.03
    assert errors(run).max() < 1.1 * bends < 0.02
    assert errors(run)[run.time >= 0.9].max() < 6e-3
    assert largest(run.values("joint_error")) < 2e-3
    assert largest(run.values("energy_balance_error")) < 1e-6 * np.ptp(run.values("work_drives"))


def test_what_was_chosen_and_why_is_reported(arm, run) -> None:
    reported = run.summary()
    assert "velocity loops at" in reported and "stable with half and twice the gains" in reported
    for link in arm.links:
        facts = run.info["servos"][link.name]
        assert facts["feedforward"] == "rigid" and facts["encoder"] == "motor" and facts["on_limit"] == 0.0
        assert f"position loop {facts['position_gain']:.4g} 1/s" in reported


def test_a_limit_met_on_the_way_keeps_the_balance_closed(arm) -> None:
    limits = {"upper arm": 100.0, "forearm": 33.0}
    tight = with_servos(arm, lambda name: {"tuning": "auto", "torque_limit": limits[name]})
    run = fa.simulate(tight, tolerance=1e-7)
    assert run.complete
    for j, limit in enumerate(limits.values()):
        assert largest(run.values("joint_torque")[:, j]) == pytest.approx(limit, rel=1e-9)
    assert run.info["servos"]["upper arm"]["on_limit"] > 0.02
    assert largest(run.values("energy_balance_error")) < 1e-6 * np.ptp(run.values("work_drives"))


def test_rigid_links_with_torque_fed_forward_follow_without_error() -> None:
    loops = {"position_gain": 10.0, "velocity_gain": 20.0, "integral_time": 0.1, "feedforward": "rigid"}
    motor = {"inertia": 2e-4, "gear_ratio": 50.0, "friction": 4e-4}
    first = one_link(joint={"locked": True}).links[0]
    joint = {"type": "revolute", "motion": "go", "servo": loops, "motor": motor}
    links = [
        first.changed(joint={**joint, "at": 0.3, "stiffness": 5.0}),
        first.changed(name="fore", parent="link", joint={**joint, "at": -0.9, "scale": -1.4, "delay": 0.1}),
    ]
    go = {"go": {"kind": "cycloidal", "travel": 1.1, "duration": 0.7}}
    arm = fa.Arm(planar=True, gravity=DOWN, links=links, motions=go)
    run = fa.simulate(arm, end=1.0, start="static", tolerance=1e-10)
    # the table of torques is met to 1e-7 of 30 N m, and kp is 200 N m/rad
    assert largest(run.values("joint_error")) < 5e-8
    np.testing.assert_allclose(run.values("joint_torque"), run.values("rigid_torque"), rtol=0, atol=2e-5)
