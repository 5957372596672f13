"""One set of poles in every verb: servos, follower loads, real poles, rigid-body motions."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from scipy.linalg import eigvals

import flexarm as fa
from flexarm.analyses.brake import stop as brake_rest
from flexarm.analyses.modes.drive_states import DriveStates
from flexarm.analyses.modes.eigen import general_modes
from flexarm.analyses.modes.poles import closed_loop_poles
from flexarm.analyses.servo import with_servo_gains
from flexarm.analyses.shaping import move as shape_move
from flexarm.assembly import compile_arm
from flexarm.errors import AnalysisError
from tests.analyses.servo_arms import servo_arm

# --- Servo arms ------------------------------------------------------------------------------------------------------


def upper(values: np.ndarray) -> np.ndarray:
    """Pairs, the one above the real axis, by size."""
    values = np.asarray(values)
    above = values[values.imag > 1e-6 * np.abs(values)]
    return above[np.argsort(np.abs(above))]


def test_every_verb_reports_the_same_closed_loop_poles():
    arm = servo_arm()
    posture = {"upper arm": 0.3, "forearm": "-40 deg"}
    found = fa.modes(arm, posture=posture, joints="servo", count=6)
    # an independent way: SciPy's eigenvalues of the state matrix
    model = fa.linearise(arm, posture=posture, joints="servo")
    exact = upper(eigvals(model.A))[:6]
    np.testing.assert_allclose(found.poles, exact, rtol=1e-7)
    np.testing.assert_allclose(upper(model.poles())[:6], found.poles, rtol=1e-10)
    np.testing.assert_allclose(2 * np.pi * found.frequencies_hz, np.abs(exact), rtol=1e-7)
    np.testing.assert_allclose(found.damping_ratios, -exact.real / np.abs(exact), rtol=1e-6)
    compiled = compile_arm(with_servo_gains(arm))
    at_rest = closed_loop_poles(compiled, posture, count=6)
    np.testing.assert_allclose(upper(at_rest.values), found.poles, rtol=1e-10)


def test_brake_and_shape_have_the_poles_of_the_posture_in_which_they_stop():
    arm = servo_arm()
    compiled = compile_arm(with_servo_gains(arm))
    after = 10.0
    ends = {link.name: float(arm.motion_of(link).evaluate(after)[0]) for link in arm.links}
    wanted = fa.modes(arm, posture=ends, count=4).poles
    np.testing.assert_allclose(upper(shape_move.EndOfMove(compiled, shape_move.move_of(arm)).poles.values)[:4], wanted)
    braked = brake_rest.swing_of(brake_rest.motion_at_stop(compiled, [], after), damped=True)
    np.testing.assert_allclose(upper(braked.roots)[:4], wanted, rtol=1e-6)


def test_campbell_at_a_standstill_reports_the_closed_loop_poles():
    arm = servo_arm().changed(gravity=(0.0, 0.0, 0.0))
    found = fa.modes(arm, joints="servo", count=3)
    diagram = fa.campbell(arm, spins=[0.0, 0.5], joints="servo", count=3)
    np.testing.assert_allclose(np.sort(diagram.frequencies_hz[0]), found.frequencies_hz, rtol=1e-6)
    np.testing.assert_allclose(np.sort(diagram.damping_ratios[0]), np.sort(found.damping_ratios), rtol=1e-5)
    assert diagram.joints == "servo" and "the joints under their servos" in diagram.summary()


def test_real_poles_of_a_servo_are_reported_as_such():
    arm = servo_arm()
    found = fa.modes(arm, count=4)
    values = eigvals(fa.linearise(arm).A)
    real = values[np.abs(values.imag) <= 1e-6 * np.abs(values)].real
    assert len(found.real_poles) >= 1
    for pole in found.real_poles:
        assert np.min(np.abs(real - pole)) < 1e-7 * abs(pole)
    reported = json.loads(json.dumps(found.to_dict()))
    assert reported["time_constants_s"] == pytest.approx((-1.0 / found.real_poles).tolist())
    assert "real pole, 1/s" in found.summary() and "time constant" in found.summary()


def test_joints_are_as_in_the_file_unless_something_is_said():
    arm = servo_arm()
    assert fa.modes(arm, count=2).to_dict() == fa.modes(arm, joints="servo", count=2).to_dict()
    assert fa.modes(arm, count=1).joint_states == {"upper arm": "servo", "forearm": "servo"}
    forearm = arm.links[1].changed(joint=arm.links[1].joint.changed(servo=None))
    mixed = fa.modes(arm.changed(links=(arm.links[0], forearm)), count=2)
    assert mixed.joint_states == {"upper arm": "servo", "forearm": "locked"}
    assert "joint upper arm under its servo and joint forearm locked" in mixed.summary()
    for word in ("locked", "free"):
        found = fa.modes(arm, joints=word, count=1)
        assert set(found.joint_states.values()) == {word} and f"the joints {word}" in found.summary()
    # a servo that holds still is not locked: its spring gives way
    locked = fa.modes(arm, joints="locked", count=1).frequencies_hz[0]
    assert fa.modes(arm, count=1).frequencies_hz[0] < 0.99 * locked


def test_servo_is_refused_where_there_is_none():
    arm = servo_arm()
    links = tuple(link.changed(joint=link.joint.changed(servo=None)) for link in arm.links)
    for verb in (fa.modes, fa.linearise):
        with pytest.raises(AnalysisError, match=r"no joint of the arm has a servo; must be"):
            verb(arm.changed(links=links), joints="servo")


def test_a_rigid_link_under_a_servo_has_the_poles_of_its_equation():
    # J s² + kv s + kp − m g L/2 sin θ = 0 where the servo has given way to: kp (θ_d − θ) = m g L/2 cos θ
    mass, length, kp, kv = 2.0, 0.6, 30.0, 1.5
    inertia = mass * length**2 / 3.0
    joint: dict[str, Any] = {"type": "revolute", "motion": "stay", "servo": {"kp": kp, "kv": kv}}
    link = {"name": "rod", "joint": joint, "length": length, "rigid": {"mass": mass, "inertia": mass * length**2 / 12}}
    arm = fa.Arm(
        planar=True, gravity=(0.0, -9.81, 0.0), links=[link], motions={"stay": {"kind": "constant-rate", "rate": 0.0}}
    )
    found = fa.modes(arm, posture={"rod": 0.2})
    angle, moment = found.posture["rod"], mass * 9.81 * length / 2.0
    assert kp * (0.2 - angle) == pytest.approx(moment * np.cos(angle), rel=1e-9)
    exact = upper(np.roots([inertia, kv, kp - moment * np.sin(angle)]))
    np.testing.assert_allclose(found.poles, exact, rtol=1e-9)
    assert 'the servo of joint "rod" gives way to its load by' in found.summary()


def test_a_drive_with_an_integrator_is_a_pole_more():
    # J θ̈ = kp (−θ) + kv (−θ̇) + ki z,  ż = −θ̇ − loop θ: a cubic
    inertia, kp, kv, ki, loop = 0.7, 40.0, 5.0, 60.0, 4.0
    one = np.ones((1, 1))
    drives = DriveStates(("z",), 0 * one, -loop * one, -one, ki * one, loop * one, one)
    values = general_modes(kp * one, kv * one, inertia * one, drives)[0]
    exact = np.roots([inertia, kv, kp + ki, loop * ki])
    np.testing.assert_allclose(np.sort_complex(values), np.sort_complex(exact), rtol=1e-12)
    # nothing hears of it: what it remembers stands anywhere
    deaf = DriveStates(("z",), 0 * one, 0 * one, -one, 0 * one, one, one)
    values = general_modes(kp * one, kv * one, inertia * one, deaf)[0]
    np.testing.assert_allclose(np.min(np.abs(values)), 0.0, atol=1e-12)
    np.testing.assert_allclose(upper(values), upper(np.roots([inertia, kv, kp])), rtol=1e-12)


# --- Loads that follow the arm ---------------------------------------------------------------------------------------


def column(load: float, **changes: Any) -> fa.Arm:
    """A cantilever of EI = 1 N m², 1 kg/m and 1 m, pushed at its tip (N) along its own axis."""
    link = {
        "name": "column",
        "joint": {"type": "revolute"},
        "length": 1.0,
        "beam": {"bending_stiffness": 1.0, "mass_per_length": 1.0},
        "model": {"formulation": "hermite", "elements": 12},
        **changes,
    }
    loads = [{"link": "column", "force": (-load, 0.0, 0.0), "axes": "link"}] if load else []
    return fa.Arm(planar=True, gravity=(0.0, 0.0, 0.0), links=[link], loads=loads)


def beck(load: float) -> np.ndarray:
    """The first two ω (rad/s) of Beck's column below flutter, from its characteristic equation.

    P² + 2ω² + 2ω² cos α cosh β + P ω sin α sinh β = 0 with α², β² = √(P²/4 + ω²) ± P/2 (Beck 1952).
    """

    def left(omega: np.ndarray) -> np.ndarray:
        root = np.sqrt(load**2 / 4 + omega**2)
        alpha, beta = np.sqrt(root + load / 2), np.sqrt(root - load / 2)
        swing = 2 * omega**2 * np.cos(alpha) * np.cosh(beta) + load * omega * np.sin(alpha) * np.sinh(beta)
        return load**2 + 2 * omega**2 + swing

    grid = np.linspace(0.5, 30.0, 4001)
    found = []
    for k in np.flatnonzero(np.diff(np.sign(left(grid))))[:2]:
        low, high = grid[k], grid[k + 1]
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if left(middle) * left(low) > 0 else (low, middle)
        found.append(low)
    return np.array(found)


@pytest.mark.parametrize("load", [0.0, 10.0, 18.0])
def test_a_column_under_a_follower_load_has_becks_frequencies(load):
    found = fa.modes(column(load), count=2)
    exact = beck(load)
    # twelve cubic elements
    np.testing.assert_allclose(2 * np.pi * found.frequencies_hz, exact, rtol=2e-4)
    if load == 10.0:
        np.testing.assert_allclose(found.frequencies_hz, [0.8237, 2.9582], rtol=1e-4)
    assert found.kinds == ("oscillation", "oscillation") and not np.any(found.damping_ratios)
    np.testing.assert_allclose(upper(eigvals(fa.linearise(column(load)).A))[:2].imag, 2 * np.pi * found.frequencies_hz)


def test_becks_column_flutters_beyond_its_critical_load():
    # 20.0509 EI/L² (Beck 1952)
    assert "flutter" not in fa.modes(column(20.0), count=2).kinds
    found = fa.modes(column(20.1), count=2)
    assert found.kinds == ("flutter", "oscillation") and found.names[0].endswith("flutter")
    assert found.growth_rates[0] > 0.0 and found.damping_ratios[0] < 0.0
    assert "mode 1 is unstable by flutter" in found.summary()
    assert found.to_dict()["kinds"] == ["flutter", "oscillation"]
    model = fa.linearise(column(20.1))
    assert "unstable by flutter" in model.summary() and "flutter" in model.to_dict()["kinds"]
    diagram = fa.campbell(column(20.1), spins=[0.0, 0.01], count=2)
    np.testing.assert_allclose(diagram.growth_rates[0].max(), found.growth_rates[0], rtol=1e-5)


def test_a_dead_load_beyond_eulers_diverges():
    arm = column(0.0)
    dead = {"link": "column", "force": (-3.0, 0.0, 0.0)}  # π²/4 is 2.467
    found = fa.modes(arm.changed(loads=[dead]), count=2)
    assert found.kinds == ("divergence", "oscillation")
    assert found.frequencies_hz[0] == 0.0 and found.growth_rates[0] > 0.0
    assert "divergence" in found.names[0] and "mode 1 is unstable by divergence" in found.summary()
    held = fa.modes(arm.changed(loads=[{**dead, "force": (-2.4, 0.0, 0.0)}]), count=1)
    assert held.kinds == ("oscillation",)


# --- Zeros and faults ------------------------------------------------------------------------------------------------


def test_what_is_free_to_move_has_no_frequency_from_rounding():
    arm = servo_arm().changed(gravity=(0.0, 0.0, 0.0))
    found = fa.modes(arm, joints="free", count=4)
    assert found.kinds[:2] == ("free", "free") and np.all(found.frequencies_hz[:2] == 0.0)
    assert found.summary().count("0 Hz (free to move)") == 2 and "e-0" not in found.summary().split("moves most")[1]
    model = fa.linearise(arm, joints="free")
    assert np.count_nonzero(model.poles() == 0.0) == 4 and "0 (4 of them)" in model.summary()
    assert np.count_nonzero(np.abs(model.poles()) < 1e-3) == 4


def test_undamped_arms_have_no_damping_from_rounding():
    found = fa.modes(column(12.0, model={"formulation": "hermite", "elements": 40}), count=30)
    assert np.all(found.damping_ratios == 0.0) and found.summary().count(" 0 %") == 30


def test_matrices_that_are_no_numbers_are_one_sentence(monkeypatch):
    from flexarm.analyses.equilibrium import Forces

    mass = Forces.mass
    monkeypatch.setattr(Forces, "mass", lambda self, q: np.nan * mass(self, q))
    with pytest.raises(AnalysisError, match="not finite; try"):
        fa.modes(column(0.0))


def test_eigenvalues_that_do_not_converge_are_one_sentence(monkeypatch):
    def fails(*_: Any) -> None:
        raise np.linalg.LinAlgError("Eigenvalues did not converge")

    monkeypatch.setattr("flexarm.analyses.modes.spectra.symmetric_modes", fails)
    with pytest.raises(AnalysisError, match=r"cannot be found: inertia and stiffness .*; try"):
        fa.modes(column(0.0))
