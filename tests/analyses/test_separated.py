"""Drive error, quasi-static part and vibration of a run, against a rigid link behind a gear worked out by hand.

The motor turns by θ (inertia R), the link by θ + γ (inertia J about the joint); the gear is k γ + c γ̇:

    R θ̈ + J (θ̈ + γ̈) = kp (θ* − θ) + kv (θ̇* − θ̇),    J (θ̈ + γ̈) = −k γ − c γ̇.
"""

import numpy as np
import pytest
from scipy.linalg import eig

import flexarm as fa
from flexarm.report.pages.run import page_of
from flexarm.results.separation import vibration_after

LENGTH, J, R = 1.0, 0.8, 0.5  # m, kg m², kg m²
K, C = 2500.0, 1.0  # N m/rad, N m s/rad
TRAVEL, DURATION = 0.4, 0.25  # rad, s


def geared(servo: str = "", end: float = 1.0, duration: float = DURATION) -> fa.Arm:
    """The link, on its motion or drawn to it by a servo."""
    gear = f"gear = {{ stiffness = {K}, damping = {C} }}"
    drive = f'motion = "go", rotor_inertia = {R}, {servo} {gear}'
    return fa.parse_arm(f"""
        name = "geared link"
        gravity = [0, 0, 0]
        planar = true
        [[link]]
        name = "link"
        joint = {{ type = "revolute", axis = "z", {drive} }}
        length = {LENGTH}
        rigid = {{ mass = 1e-9, inertia = {J} }}
        [motion.go]
        kind = "cycloidal"
        travel = {TRAVEL}
        duration = {duration}
        [simulation]
        end = {end}
        tolerance = "1 nm"
    """)


def poles_by_hand(kp: float, kv: float) -> np.ndarray:
    mass = np.array([[R + J, J], [J, J]])
    damping, stiffness = np.diag([kv, C]), np.diag([kp, K])
    state = np.block(
        [[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(mass, stiffness), -np.linalg.solve(mass, damping)]]
    )
    return eig(state, right=False)


def test_the_quasi_static_part_of_a_prescribed_turn_is_the_wind_up_by_its_acceleration():
    run = fa.simulate(geared())
    tau = np.clip(run.time / DURATION, 0.0, 1.0)
    # of the cycloid
    theta = TRAVEL * (tau - np.sin(2.0 * np.pi * tau) / (2.0 * np.pi))
    rate2 = TRAVEL * 2.0 * np.pi / DURATION**2 * np.sin(2.0 * np.pi * tau) * (run.time < DURATION)
    wound = -J * rate2 / K
    parts = run.parts("tip")
    assert set(parts) == {"quasi-static", "dynamic", "vibration"}
    exact = LENGTH * np.stack(
        [np.cos(theta + wound) - np.cos(theta), np.sin(theta + wound) - np.sin(theta), np.zeros_like(theta)], axis=1
    )
    # the iteration stops at 1e-4 of the greatest wind-up, and then has made another step
    np.testing.assert_allclose(parts["quasi-static"], exact, atol=1e-7 * LENGTH)
    np.testing.assert_allclose(parts["vibration"], run.point("tip").deflection.values - exact, atol=1e-7 * LENGTH)
    # after the command nothing is held bent: all that moves is vibration, at √(k/J)
    found = run.info["ringing"]["modes"]
    assert [mode["frequency_hz"] for mode in found] == pytest.approx([np.sqrt(K / J) / (2.0 * np.pi)], rel=1e-9)
    assert found[0]["damping"] == pytest.approx(C / (2.0 * np.sqrt(K * J)), rel=1e-6)
    assert vibration_after(run) == pytest.approx(run.residual(), rel=1e-6)


def test_creeping_in_of_a_servo_is_no_vibration_and_frequencies_are_those_of_its_poles():
    kp, kv = 60.0, 60.0
    run = fa.simulate(geared(f"servo = {{ kp = {kp}, kv = {kv} }},", end=4.0, duration=0.6))
    exact = poles_by_hand(kp, kv)
    slow = np.min(np.abs(exact[np.abs(exact.imag) < 1e-9]))
    pair = exact[exact.imag > 1.0]
    assert len(pair) == 1
    found = run.info["ringing"]
    assert found["creep"]["time_constant_s"] == pytest.approx(1.0 / slow, rel=1e-6)
    assert [mode["frequency_hz"] for mode in found["modes"]] == pytest.approx(np.abs(pair) / (2.0 * np.pi), rel=1e-6)
    assert [mode["damping"] for mode in found["modes"]] == pytest.approx(-pair.real / np.abs(pair), rel=1e-5)
    # it creeps in by millimetres, and hardly shakes
    assert run.residual() > 3e-3
    assert found["creep"]["amplitude_m"] == pytest.approx(run.residual(), rel=0.05)
    # a cycloid of six of its periods leaves little in the pair
    assert 0.0 < vibration_after(run) < 0.05 * run.residual()
    shown = repr(page_of(run))
    assert "shakes most" not in shown
    assert "what moves afterwards is vibration" not in shown


def test_the_vibration_of_a_servo_arm_is_its_part_in_lightly_damped_poles():
    """The hand-made system from the state at the command's end: its modal part in the pair, as the tip moves by it."""
    kp, kv = 400.0, 8.0
    run = fa.simulate(geared(f"servo = {{ kp = {kp}, kv = {kv} }},", end=1.0, duration=0.1))
    mass = np.array([[R + J, J], [J, J]])
    state = np.block(
        [
            [np.zeros((2, 2)), np.eye(2)],
            [-np.linalg.solve(mass, np.diag([kp, K])), -np.linalg.solve(mass, np.diag([kv, C]))],
        ]
    )
    values, vectors = eig(state)
    k = int(np.searchsorted(run.time, 0.1))
    x = np.stack(
        [
            run.signal("joint_position", joint="link") - TRAVEL,
            run.signal("elastic_position", coordinate="link.gear"),
            run.signal("joint_velocity", joint="link"),
            run.signal("elastic_velocity", coordinate="link.gear"),
        ]
    )[:, k:]
    shares = np.linalg.solve(vectors, x.astype(complex))
    fast = (np.abs(values.imag) > 1e-6) & (-values.real < 0.5 * np.abs(values))
    assert fast.all()  # both pairs are lightly damped: all of it vibrates
    turned = (vectors[0, fast] + vectors[1, fast]) @ shares[fast]
    across = np.array([-np.sin(TRAVEL), np.cos(TRAVEL), 0.0])
    np.testing.assert_allclose(run.parts()["vibration"][k:], LENGTH * np.outer(turned.real, across), atol=1e-9)
    exact = np.sort(np.abs(values[values.imag > 0]))[::-1] / (2.0 * np.pi)
    found = sorted((mode["frequency_hz"] for mode in run.info["ringing"]["modes"]), reverse=True)
    assert found == pytest.approx(exact, rel=1e-6)
    reported = fa.modes(run.arm, posture={"link": TRAVEL}, joints="servo").frequencies_hz
    assert found[::-1] == pytest.approx(np.asarray(reported), rel=1e-9)


def test_a_drive_with_an_integrator_comes_to_rest_in_the_poles_of_its_cascade():
    """τ = Kv ε + (Kv/Ti) z, ż = ε = P e + ė: five states by hand, and what of them vibrates."""
    p, gain, reset = 6.0, 12.0, 0.2
    servo = f"servo = {{ position_gain = {p}, velocity_gain = {gain}, integral_time = {reset} }},"
    run = fa.simulate(geared(servo, end=2.0))
    mass = np.array([[R + J, J], [J, J]])
    lower = np.zeros((2, 5))
    lower[:, :2], lower[:, 2:4], lower[0, 4] = -np.diag([gain * p, K]), -np.diag([gain, C]), gain / reset
    state = np.zeros((5, 5))
    state[:2, 2:4] = np.eye(2)
    state[2:4] = np.linalg.solve(mass, lower)
    state[4, 0], state[4, 2] = -p, -1.0
    values, vectors = eig(state)
    # nothing is left of the joint's error at rest
    assert run.settling()["equilibrium_m"] == pytest.approx(0.0, abs=1e-12)
    exact = np.abs(values[values.imag > 1e-6]) / (2.0 * np.pi)
    found = [mode["frequency_hz"] for mode in run.info["ringing"]["modes"]]
    assert found and all(np.min(np.abs(exact / one - 1.0)) < 1e-6 for one in found)
    # the state at the command's end from the run itself, but for the integrator: from the torque, τ = Kv ε + ki z
    k = int(np.searchsorted(run.time, DURATION))
    error = run.signal("joint_position", joint="link")[k] - TRAVEL
    rate = run.signal("joint_velocity", joint="link")[k]
    z = (run.signal("joint_torque", joint="link")[k] - gain * (-p * error - rate)) / (gain / reset)
    gear = [run.signal(f"elastic_{what}", coordinate="link.gear")[k] for what in ("position", "velocity")]
    shares = np.linalg.solve(vectors, np.array([error, gear[0], rate, gear[1], z], complex))
    moves = (vectors[0] + vectors[1]) * shares
    fast = (np.abs(values.imag) > 1e-6) & (-values.real < 0.5 * np.abs(values))
    across = np.array([-np.sin(TRAVEL), np.cos(TRAVEL), 0.0])
    np.testing.assert_allclose(
        run.parts()["vibration"][k], LENGTH * moves[fast].sum().real * across, rtol=1e-5, atol=1e-9
    )
