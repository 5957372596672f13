"""Derivatives of runs are those of closed forms, and of differences of runs that are exact to 1e-10 m."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.run.integrate import settings_of
from flexarm.errors import AnalysisError
from flexarm.studies.derivatives.gradient import SignalDerivatives
from tests.cli.conftest import call  # noqa: F401

SWING = """
name = "swing"
planar = true
gravity = [0, 0, 0]

[[link]]
name = "arm"
joint = { type = "revolute", free = true, stiffness = "8 N m/rad", damping = "0.05 N m s/rad" }
length = "0.5 m"
rigid = { mass = "1 kg", inertia = "0.02 kg m^2", centre = ["0.2 m", 0, 0] }

[simulation]
end = "0.7 s"
start = { arm = 0.3 }
"""
PUSHED = """
name = "pushed"
planar = true
gravity = [0, 0, 0]

[[link]]
name = "arm"
joint = { type = "revolute", torque = "push" }
length = "0.5 m"
rigid = { mass = "1 kg", inertia = "0.02 kg m^2", centre = ["0.2 m", 0, 0] }

[torque.push]
kind = "bang-bang"
amplitude = "2 N m"
begin = "0.1 s"
duration = "0.4 s"

[simulation]
end = "1 s"
"""
DRIVEN = """
name = "driven"
planar = true
gravity = [0, -9.81, 0]

[[link]]
name = "arm"
length = "0.8 m"
joint = { type = "revolute", at = "30 deg", motion = "lift", servo = { position_gain = 40, velocity_gain = 30, \
integral_time = "50 ms", torque_limit = "8 N m" } }
rigid = { mass = "0.8 kg", inertia = "0.04 kg m^2", centre = ["0.4 m", 0, 0] }

[[link]]
name = "rod"
length = "0.5 m"
joint = { type = "revolute", at = "-20 deg", motion = "turn" }
beam = { bending_stiffness = "40 N m^2", mass_per_length = "0.5 kg/m" }
model = { formulation = "rigid-fe", elements = 3 }
damping = { retardation = "2 ms" }
payload = { mass = "0.2 kg" }

[motion.lift]
kind = "brake"
travel_time = "0.4 s"
braking_time = "0.2 s"
rate = "60 deg/s"

[motion.turn]
kind = "brake"
travel_time = "0.4 s"
braking_time = "0.2 s"
rate = "40 deg/s"

[simulation]
end = "0.8 s"
start = "static"
"""


def differences(arm: fa.Arm, path: str, word: str, time: float, value: float, step: float) -> float:
    """The derivative of a signal at a time by differences of fourth order of runs that are exact to 1e-10 m."""
    study = fa.study_of(arm, {path: {"normal": [value, abs(step)]}})
    found = []
    for k in (-2, -1, 1, 2):
        run = fa.prepare(study.arm([value + k * step])).run(tolerance=1e-10, output=time / 4)
        found.append(run.signal(word)[np.argmin(np.abs(run.time - time))])
    return float((found[0] - 8 * found[1] + 8 * found[2] - found[3]) / (12 * step))


def test_a_damped_swing_has_the_derivatives_of_its_closed_form():
    by = ["link[0].joint.stiffness", "link[0].joint.damping", "link[0].rigid.inertia", "simulation.start.arm"]
    found = fa.gradient(fa.parse_arm(SWING), of=["arm.position @ end", "arm.position @ 0.35 s"], by=by)
    J = 0.02 + 1.0 * 0.2**2

    def angle(k: float, d: float, inertia: float, start: float, t: float) -> float:
        decay, w0 = d / (2 * inertia), np.sqrt(k / inertia)
        w = np.sqrt(w0**2 - decay**2)
        return start * np.exp(-decay * t) * (np.cos(w * t) + decay / w * np.sin(w * t))

    given = np.array([8.0, 0.05, J, 0.3])
    for k, t in enumerate((0.7, 0.35)):
        assert found.value[k] == pytest.approx(angle(*given, t), abs=1e-7)
        for j in range(4):
            step = np.zeros(4)
            step[j] = 1e-5 * given[j]
            exact = (angle(*(given + step), t) - angle(*(given - step), t)) / (2 * step[j])
            # differences of the closed form are good to 1e-9
            assert found.derivative[k, j] == pytest.approx(exact, rel=3e-5)
            assert abs(found.derivative[k, j] - exact) <= 10 * found.error[k, j] + 1e-7 * abs(exact)


def test_a_push_whose_switches_move_has_the_derivatives_of_its_closed_form():
    # θ(t) = (A/J) [s²/2 − (s − T/2)² + (s − T)²/2] with s = t − b, each where positive: at the end A T²/4J, wherever b
    by = ["torque.push.begin", "torque.push.duration", "torque.push.amplitude"]
    found = fa.gradient(
        fa.parse_arm(PUSHED), of=["arm.position @ end", "arm.position @ 0.4 s", "arm.rate @ 0.4 s"], by=by
    )
    A, T, J, s = 2.0, 0.4, 0.06, 0.3
    wanted = [
        [0.0, A * T / (2 * J), T**2 / (4 * J)],
        [-A / J * (s - 2 * (s - T / 2)), A / J * (s - T / 2), (s**2 / 2 - (s - T / 2) ** 2) / J],
        [A / J, A / J, (s - 2 * (s - T / 2)) / J],
    ]
    np.testing.assert_allclose(found.derivative, wanted, atol=1e-7)


@pytest.mark.parametrize(
    ("path", "value", "step"),
    [
        ("link[1].beam.bending_stiffness", 40.0, 4e-2),
        ("link[0].joint.servo.velocity_gain", 30.0, 3e-2),
        ("link[0].joint.servo.torque_limit", 8.0, 8e-3),
        ("link[0].length", 0.8, 8e-4),
        ("motion.lift.rate", np.pi / 3, 1e-3),
        ("motion.lift.travel_time", 0.4, 2e-4),
        ("motion.turn.braking_time", 0.2, 2e-4),
        ("gravity[1]", -9.81, 1e-2),
    ],
)
def test_derivatives_of_a_drive_on_its_limit_are_those_of_differences_of_exact_runs(derived_drive, path, value, step):
    # two switches fall together and move apart, the drive comes to its limit and leaves it, the start is in equilibrium
    arm, found = derived_drive
    j = found.by.index(path)
    for k, word in enumerate(("tip.y", "arm.position")):
        wanted = differences(arm, path, word, 0.8, value, step)
        assert found.derivative[k, j] == pytest.approx(wanted, rel=2e-4, abs=1e-7 / abs(value))


def test_on_frozen_steps_derivatives_are_those_of_differences_of_the_same_steps():
    # with fixed steps a run is a smooth function of its numbers, and its derivative is exact
    path, value = "link[1].beam.bending_stiffness", 40.0
    text = DRIVEN.replace(', torque_limit = "8 N m"', "")
    free = fa.parse_arm(text)
    study = fa.study_of(free, {path: {"normal": [value, 0.1]}})
    signals = SignalDerivatives(free, "tip.y", path, [0.8])
    settings = replace(settings_of(free.simulation), step=2e-3)
    found = signals.at(settings)[1][0, 0, 0]
    ends = [fa.prepare(study.arm([value + k * 0.04])).run(step=2e-3).signal("tip.y")[-1] for k in (-2, -1, 1, 2)]
    exact = (ends[0] - 8 * ends[1] + 8 * ends[2] - ends[3]) / (12 * 0.04)
    # differences lose 1e-15 of 1 m over a change of 1e-6 m
    assert found == pytest.approx(exact, rel=1e-7)


@pytest.fixture(scope="module")
def derived_drive(no_error_estimates):
    by = ["link[1].beam.bending_stiffness", "link[0].joint.servo.velocity_gain", "link[0].joint.servo.torque_limit"]
    by += ["link[0].length", "motion.lift.rate", "motion.lift.travel_time", "motion.turn.braking_time", "gravity[1]"]
    arm = fa.parse_arm(DRIVEN)
    return arm, fa.gradient(arm, of=["tip.y @ end", "arm.position @ end"], by=by)


def test_a_jacobian_at_the_end_is_the_gradient(derived_drive):
    arm, wanted = derived_drive
    found = fa.jacobian(arm, of=["tip.y", "arm.position"], by=wanted.by[:4], times=[0.3, 0.8])
    assert found.value.shape == (2, 2) and found.derivative.shape == (2, 2, 4)
    np.testing.assert_allclose(found.value[-1], wanted.value, atol=1e-6)
    np.testing.assert_allclose(found.derivative[-1], wanted.derivative[:, :4], rtol=1e-3)


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("link[0].lengths", "is not given in the model"),
        ("link[3].length", "is no place of the model"),
        ("link[0].name", "must be one quantity"),
        ("simulation.end", "is a setting of the run"),
        ([], "by is empty"),
        (["link[0].length", "link[0].length"], "twice"),
    ],
)
def test_what_is_no_number_of_the_model_is_refused(by, message):
    with pytest.raises(AnalysisError, match=message):
        fa.gradient(fa.parse_arm(PUSHED), of="tip.y @ end", by=by)


@pytest.mark.parametrize(
    ("of", "message"), [("tip.y", "is a signal over time"), ([], "of is empty"), ("tip.q @ end", "is not known")]
)
def test_what_is_no_number_of_a_run_is_refused(of, message):
    with pytest.raises(AnalysisError, match=message):
        fa.gradient(fa.parse_arm(PUSHED), of=of, by="link[0].length")


def test_other_analyses_are_refused():
    with pytest.raises(AnalysisError, match="must be nonlinear"):
        fa.gradient(fa.parse_arm(PUSHED), of="tip.y @ end", by="link[0].length", analysis="linear")


def test_an_extreme_that_moves_with_a_switch_has_no_derivative():
    text = PUSHED.replace('torque = "push"', 'motion = "go"').partition("[torque.push]")[0]
    text += '[motion.go]\nkind = "bang-bang"\nacceleration = "5 rad/s^2"\nbegin = "0.1 s"\nduration = "0.4 s"\n'
    text += '[simulation]\nend = "0.6 s"\n'
    by = ["motion.go.acceleration", "motion.go.begin"]
    found = fa.gradient(fa.parse_arm(text), of="peak torque", by=by)
    # torque is inertia times acceleration, and is at its greatest from the beginning of the move on
    assert found.value[0] == pytest.approx(0.3, rel=1e-9)
    assert found.derivative[0, 0] == pytest.approx(0.06, rel=1e-9)
    assert np.isnan(found.derivative[0, 1]) and "where the command switches" in found.remarks[0]


def test_the_command_prints_what_the_function_finds(call, tmp_path):  # noqa: F811
    (tmp_path / "pushed.toml").write_text(PUSHED)
    names = "--by", "torque.push.amplitude,link[0].length"
    done = call("gradient", str(tmp_path / "pushed.toml"), "--of", "arm.position @ end,peak torque", *names, "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found["derivative"][0] == pytest.approx([0.4**2 / 0.24, 0.0], abs=1e-7)
    done = call(
        "gradient", str(tmp_path / "pushed.toml"), "--of", "tip.y", *names, "--report", str(tmp_path / "a.html")
    )
    assert done.code == 0 and "tip.y" in done.out
    assert (tmp_path / "a.html").exists()
