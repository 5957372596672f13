"""`brake` on arms of every kind: formulations, gravity, servos, laws of all sorts, joints that stop apart."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.brake.residual import Measure
from flexarm.assembly import compile_arm
from tests.analyses.flexible_arms import DOWN, STILL, swinging

STOP = {"stop": {"kind": "brake", "travel_time": 1.0, "braking_time": 0.4}}


@pytest.mark.parametrize(
    ("way", "planar"), [("hermite", True), ("hencky", True), ("hermite", False), ("rigid-fe", False)]
)
def test_every_formulation_with_gravity_finds_the_beam_s_whole_periods(way, planar):
    """A stiff beam that turns slowly: the rule holds, whatever the model; gravity shifts nothing on one level."""
    arm = swinging(
        {"formulation": way},
        {"motion": "stop", "rate": 0.3},
        4,
        stiffness=200.0,
        planar=planar,
        gravity=DOWN,
        motions=STOP,
        simulation={"start": "static"},
    )
    study = fa.brake(arm, (0.25, 0.6), points=40)
    assert len(study.minima) >= 3
    for point in study.minima:
        assert point.time == pytest.approx(point.rule_time, abs=2e-3)
    causes = [cause.what for cause in study.linear.causes]
    assert "gravity" in causes
    assert sum(cause.shift for cause in study.linear.causes) == pytest.approx(
        min(study.minima, key=lambda point: point.residual).time - _rule(study), abs=1e-12
    )


def _rule(study):
    return min(study.minima, key=lambda point: point.residual).rule_time


def test_servo_s_damping_is_the_reason_it_is_reported():
    arm = swinging(
        {"formulation": "rigid-fe"},
        {"motion": "stop", "rate": 1.0, "servo": {"kp": 5e3, "kv": 100.0}},
        4,
        stiffness=200.0,
        gravity=STILL,
        motions=STOP,
        simulation={"start": "steady"},
    )
    study = fa.brake(arm, (0.3, 0.6), points=40, max_torque=100.0)
    # the rule has the periods of the closed loop's pole; what remains is what its decay does
    most = max(study.linear.causes, key=lambda cause: abs(cause.shift))
    assert (most, most.what) == (study.linear.causes[0], "damping")
    lead = max(study.linear.modes, key=lambda mode: mode.share)
    assert study.best.rule_time == pytest.approx(6.0 / lead.frequency_hz, rel=1e-12)
    times = study.best.rule_time + np.linspace(-0.01, 0.01, 401)
    least = min(times, key=lambda time: _left_swinging(lead.frequency_hz, lead.damping_ratio, time, study.window))
    # to the 100 µs that times are looked for
    assert most.time == pytest.approx(least, abs=2e-4) and most.shift > 1e-3
    # the linear arm with its dampers has the simulated minimum within a millisecond
    assert min(abs(time - study.best.time) for time in study.linear.minima) < 1e-3
    assert 0.0 < study.best.torques["beam"] < 100.0
    # what is reported of the beams stands before the lines for the model file, which end the text
    reported = study.summary()
    assert 0 < reported.index("\n\n  beams: ") < reported.index("\n\nIn the model file:")
    assert reported.splitlines()[-1].startswith("    braking_time = ")


def _left_swinging(frequency, ratio, braking_time, window):
    """The range, after a push of 1/T for a time T, of one damped oscillator, from x = Re c (e^{λT} − 1) e^{λt}."""
    omega = 2 * np.pi * frequency
    pole = omega * complex(-ratio, np.sqrt(1.0 - ratio**2))
    size = (np.exp(pole * braking_time) - 1.0) / (braking_time * 1j * pole * pole.imag)
    return np.ptp((size * np.exp(pole * np.linspace(0.0, window, 4001))).real)


def test_law_without_a_constant_rate_is_stretched_along_its_path():
    arm = swinging(
        {"formulation": "hermite"},
        {"motion": "go"},
        2,
        stiffness=200.0,
        gravity=STILL,
        motions={"go": {"kind": "bang-bang", "acceleration": 2.0, "duration": 0.7}},
    )
    study = fa.brake(arm, (0.25, 0.5), points=30, residual="y", window=0.3)
    assert study.hold == "path" and study.paste[0] == "[motion.go]"
    k = 11
    part = study.times[k] / 0.35
    law = {"kind": "bang-bang", "acceleration": 2.0 / part**2, "duration": 0.7 * part}
    stop = 0.7 * part
    run = fa.simulate(arm.changed(motions={"go": law}), end=stop + 0.3, output=2e-4)
    # the curve is run at a tolerance of 10 µm, what is reported of points at 1 µm
    assert study.residuals[k] == pytest.approx(run.range("tip", "y", after=stop, until=stop + 0.3), abs=1e-5)
    own = fa.simulate(arm, end=1.0, output=2e-4).range("tip", "y", after=0.7, until=1.0)
    assert study.given.residual == pytest.approx(own, abs=1e-6)


def test_joints_can_be_braked_alone_and_those_that_stop_apart_are_reported():
    links = [
        {
            "name": name,
            "joint": {"type": "revolute", "motion": motion, "rate": 0.5},
            "length": 0.5,
            "beam": {"bending_stiffness": 100.0, "mass_per_length": 0.5},
            "model": {"formulation": "hermite", "elements": 2},
        }
        for name, motion in (("upper", "first"), ("fore", "second"))
    ]
    motions = {
        "first": {"kind": "brake", "travel_time": 1.0, "braking_time": 0.4},
        "second": {"kind": "brake", "travel_time": 1.05, "braking_time": 0.3},
    }
    arm = fa.Arm(planar=True, gravity=STILL, links=links, motions=motions)
    together = fa.brake(arm, (0.2, 0.5), points=12, explain=False)
    assert together.joints == ("upper", "fore")  # both stop at 1.2 s
    assert any("do not stop together" in note for note in together.notes)
    alone = fa.brake(arm, (0.2, 0.5), points=12, joints=["fore"], explain=False)
    assert alone.joints == ("fore",)
    # what is left counts from where the upper arm, too, has stopped
    assert alone.stops == pytest.approx(np.maximum(1.05 + alone.times / 2.0, 1.2))


def test_arm_that_swings_too_wide_for_its_modes_is_run_to_the_end_of_the_window():
    joint = {"motion": "stop", "rate": 3.0}
    arm = swinging({"formulation": "hencky"}, joint, 3, stiffness=8.0, gravity=STILL, motions=STOP)
    study = fa.brake(arm, (0.2, 0.5), points=7, residual="y", window=0.8, explain=False)
    k = 2
    stop = 1.0 + study.times[k] / 2.0
    law = {"kind": "brake", "travel_time": 1.0, "braking_time": float(study.times[k])}
    run = fa.simulate(arm.changed(motions={"stop": law}), end=stop + 0.8, output=2e-4)
    exact = run.range("tip", "y", after=stop, until=stop + 0.8)
    assert exact > 0.1  # of a beam of 1 m: far from small
    assert study.residuals[k] == pytest.approx(exact, abs=2e-5)
    # by the modes alone it would be off by many times that
    assert abs(study.linear.residuals[k] - exact) > 1e-3


def test_the_way_across_a_beam_that_slides_is_known():
    hub = {"name": "hub", "joint": {"type": "revolute", "motion": "turn"}, "length": 0.2}
    boom = {"name": "boom", "joint": {"type": "prismatic", "axis": "x", "sleeve": True, "at": 0.4, "motion": "extend"}}
    boom |= {"length": 1.2, "beam": {"bending_stiffness": 800.0, "mass_per_length": 0.85}, "payload": {"mass": 1.0}}
    model = {"formulation": "hermite", "elements": 2, "theory": "euler"}
    arm = fa.Arm(
        name="boom",
        planar=True,
        gravity=STILL,
        links=[hub | {"rigid": {"mass": 1.0, "inertia": 0.01}}, boom | {"model": model}],
        motions={
            "turn": {"kind": "brake", "rate": 0.7, "travel_time": 1.0, "braking_time": 0.3},
            "extend": {"kind": "brake", "rate": 0.4, "travel_time": 1.0, "braking_time": 0.3, "unit": "m"},
        },
    )
    compiled = compile_arm(arm)
    measure = Measure(arm, compiled, "across", "tip", False)
    q = np.zeros((1, len(compiled.coordinate_names)))
    q[0, :2] = 0.6, 0.5
    # the way across a boom that is turned by 0.6 rad
    np.testing.assert_allclose(measure._directions(compiled, q[0]), [[-np.sin(0.6), np.cos(0.6), 0.0]], atol=1e-12)
