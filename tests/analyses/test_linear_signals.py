"""The linear model: every signal, servo targets, names that programs take, and the model with few modes."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.linalg import expm

import flexarm as fa
from flexarm.errors import AnalysisError
from tests.analyses.servo_arms import servo_arm

STILL = {"gravity": (0.0, 0.0, 0.0)}


def gain(model: fa.LinearModel, output: str, given: str, frequency: float) -> complex:
    """The response of an output to an input at a frequency (Hz)."""
    found = model.response([frequency])[0]
    return complex(found[model.output_names.index(output), model.input_names.index(given)])


def test_rates_and_accelerations_are_derivatives_of_what_they_belong_to():
    model = fa.linearise(servo_arm())
    s = 2j * np.pi * 3.0
    for given in model.input_names:
        for name in ("tip_x", "tip_y"):
            place, rate, acceleration = (gain(model, name + end, given, 3.0) for end in ("", "_rate", "_acceleration"))
            assert rate == pytest.approx(s * place, rel=1e-9)
            assert acceleration == pytest.approx(s * rate, rel=1e-9)
        for joint in ("upper_arm", "forearm"):
            place, rate = (gain(model, f"{joint}_{word}", given, 3.0) for word in ("position", "rate"))
            assert rate == pytest.approx(s * place, rel=1e-9)


def test_a_servo_comes_to_its_target_and_its_torque_is_what_its_loops_give():
    model = fa.linearise(servo_arm(**STILL))
    # at rest, without weight: the joint where it is commanded, the other not moved, no torque
    assert gain(model, "upper_arm_position", "upper_arm_target", 1e-6).real == pytest.approx(1.0, rel=1e-6)
    assert abs(gain(model, "forearm_position", "upper_arm_target", 1e-6)) < 1e-6
    torque = gain(model, "upper_arm_drive_torque", "upper_arm_target", 2.0)
    error = 1.0 - gain(model, "upper_arm_position", "upper_arm_target", 2.0)
    rate = gain(model, "upper_arm_rate", "upper_arm_target", 2.0)
    assert torque == pytest.approx(900.0 * error - 120.0 * rate, rel=1e-9)
    assert gain(model, "upper_arm_drive_torque", "upper_arm_torque", 1e4) == pytest.approx(1.0, rel=1e-2)


def test_an_arm_under_a_servo_moves_as_its_linear_model():
    # a step of the targets by a ten-thousandth: what is of second order is not seen
    step = 1e-4
    arm = servo_arm(**STILL)
    links = tuple(link.changed(joint=link.joint.changed(motion="stay", rate=None)) for link in arm.links)
    arm = arm.changed(links=links, motions={"stay": {"kind": "constant-rate", "rate": 0.0}})
    model = fa.linearise(arm)
    n = len(model.operating_point)
    start = {
        name: value - (step if name in ("upper arm", "forearm") else 0.0)
        for name, value in model.operating_point.items()
    }
    run = fa.simulate(arm, start=start, end=0.3, output=0.01, tolerance=1e-10)
    begin = np.zeros(2 * n)
    begin[[list(model.operating_point).index(name) for name in ("upper arm", "forearm")]] = -step
    seen = [model.output_names.index(name) for name in ("tip_x", "tip_y")]
    expected = np.array([model.C[seen] @ expm(model.A * t) @ begin for t in run.time])
    moved = run.values("point_position")[:, 0, :2]
    np.testing.assert_allclose(moved - moved[-1], expected - expected[-1], rtol=0, atol=2e-3 * step)
    station = next(name for name in model.output_names if name.startswith("upper_arm_moment_z"))
    reported = np.array([model.C[model.output_names.index(station)] @ expm(model.A * t) @ begin for t in run.time])
    np.testing.assert_allclose(run.values("moment_z")[:, 0], reported, rtol=0, atol=5e-3 * np.abs(reported).max())


def test_locked_joints_take_accelerations_and_give_the_torque_that_gives_them():
    model = fa.linearise(servo_arm(**STILL), joints="locked")
    assert model.input_names == ("upper_arm_acceleration", "forearm_acceleration")
    # slowly the arm is rigid: its torque is its inertia times the acceleration, the motor's among it
    found = gain(model, "forearm_drive_torque", "forearm_acceleration", 1e-2).real
    tube = np.pi / 4 * (0.05**2 - 0.046**2) * 2700.0
    rigid = 2.0 * 0.5**2 + tube * 0.5**3 / 3 + 1e-4 * 80.0**2
    assert found == pytest.approx(rigid, rel=2e-3)


def test_few_modes_keep_poles_and_statics():
    model = fa.linearise(servo_arm())
    few = fa.linearise(servo_arm(), modes=4)
    assert len(few.A) < len(model.A) and few.states_left_out == len(model.A) - len(few.A)
    exact = np.linalg.eigvals(few.A)
    for pole in few.poles():
        assert np.min(np.abs(exact - pole)) < 1e-9 * abs(pole)
        assert np.min(np.abs(model.poles() - pole)) < 1e-9 * abs(pole)
    statics = [model.D - model.C @ np.linalg.solve(model.A, model.B), few.D - few.C @ np.linalg.solve(few.A, few.B)]
    size = np.max(np.abs(statics[0]), axis=1, keepdims=True)
    # rates and accelerations have none
    np.testing.assert_allclose(statics[1], statics[0], rtol=0, atol=1e-6 * np.maximum(size, 1.0).max())
    placed = size[:, 0] > 1e-6
    one, other = (each[placed] / size[placed] for each in statics)
    np.testing.assert_allclose(other, one, rtol=0, atol=1e-6)
    # within the range of what is kept the rest is felt by the square of the ratio of frequencies
    for name in ("tip_x", "tip_y", "upper_arm_position"):
        near = gain(few, name, "upper_arm_target", 5.0)
        assert near == pytest.approx(gain(model, name, "upper_arm_target", 5.0), rel=1e-3)
    assert "left out" in few.summary()
    with pytest.raises(AnalysisError, match="modes is 0, must be ≥ 1"):
        model.reduced(0)


def test_few_modes_of_a_free_arm_keep_its_rigid_motion():
    model = fa.linearise(servo_arm(**STILL), joints="free")
    few = model.reduced(2)
    assert np.count_nonzero(few.poles() == 0.0) == 4
    for frequency in (0.01, 1.0):
        wanted = gain(model, "tip_y", "upper_arm_torque", frequency)
        assert gain(few, "tip_y", "upper_arm_torque", frequency) == pytest.approx(wanted, rel=1e-5)


def test_names_are_taken_by_python_control():
    model = fa.linearise(servo_arm())
    for names in (model.state_names, model.input_names, model.output_names):
        assert len(set(names)) == len(names) and all(name.replace("_", "").isalnum() for name in names)
    reported = json.loads(json.dumps(model.to_dict()))
    assert len(reported["output_units"]) == len(reported["output_names"])
    import control

    system = model.to_control()
    assert isinstance(system, control.StateSpace) and tuple(system.input_labels) == model.input_names
    np.testing.assert_allclose(np.sort(np.abs(system.poles())), np.sort(np.abs(model.poles())), rtol=1e-6)


def test_without_python_control_a_sentence_says_what_to_do(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "control", None)
    with pytest.raises(AnalysisError, match="python-control is not installed; try"):
        fa.linearise(servo_arm()).to_control()
