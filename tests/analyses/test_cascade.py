"""Cascaded drives against SciPy and closed forms: integrator, feed-forward, limit, encoder, steppers, books."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexarm as fa
from flexarm.errors import AnalysisError
from tests.analyses.arms import one_link
from tests.analyses.flexible_arms import DOWN, STILL, largest

GO = {"go": {"kind": "cycloidal", "travel": 1.2, "duration": 0.8}}
J, ROTOR, DAMPER, WEIGHT = 0.6, 0.05, 0.3, 2.0 * 0.5 * 9.81
P, KV, TI = 12.0, 25.0, 0.08


def command(t: float) -> tuple[float, float, float]:
    """Angle, rate and acceleration of the command, which begins at 0.2 rad."""
    s = np.clip(t, 0.0, 0.8) * 2 * np.pi / 0.8
    peak = 1.2 / 0.8
    return 0.2 + 1.2 * (s - np.sin(s)) / (2 * np.pi), peak * (1 - np.cos(s)), peak * 2 * np.pi / 0.8 * np.sin(s)


def law(t: float, y: np.ndarray, kind: str, limit: float) -> tuple[float, float]:
    """Torque of the drive and rate of its integrator, the state (angle, rate, integrator)."""
    angle, rate, acceleration = command(t)
    reported = 0.0
    if kind in ("gravity", "rigid"):
        reported = WEIGHT * np.cos(angle)
    if kind == "rigid":
        reported += (J + ROTOR) * acceleration + DAMPER * rate
    error = (0.0 if kind == "none" else rate) + P * (angle - y[0]) - y[1]
    wanted = KV * error + KV / TI * y[2] + reported
    given = float(np.clip(wanted, -limit, limit))
    # back-calculation with the tracking time Ti
    return given, error + (given - wanted) / KV


def oracle(times: np.ndarray, kind: str, limit: float) -> tuple[np.ndarray, np.ndarray]:
    """States and torques by SciPy's own equations."""

    def rhs(t: float, y: np.ndarray) -> list[float]:
        torque, rate = law(t, y, kind, limit)
        return [y[1], (torque - DAMPER * y[1] - WEIGHT * np.cos(y[0])) / (J + ROTOR), rate]

    found = solve_ivp(
        rhs, (0.0, 1.5), [0.2, 0, 0], method="DOP853", rtol=1e-11, atol=1e-12, t_eval=times, max_step=4e-3
    )
    return found.y, np.array([law(t, y, kind, limit)[0] for t, y in zip(times, found.y.T, strict=True)])


def driven(kind: str = "velocity", limit: float = np.inf, **fields) -> fa.Arm:
    """A rigid link behind a cascaded drive."""
    servo = {"position_gain": P, "velocity_gain": KV, "integral_time": TI, "feedforward": kind}
    if np.isfinite(limit):
        servo["torque_limit"] = limit
    joint = {"motion": "go", "at": 0.2, "servo": servo, "damping": DAMPER, "rotor_inertia": ROTOR}
    return one_link(joint=joint, **{"gravity": DOWN, "motions": GO, **fields})


@pytest.mark.parametrize(
    ("kind", "limit"),
    [
        ("none", np.inf),
        ("velocity", np.inf),
        ("gravity", np.inf),
        ("rigid", np.inf),
        ("velocity", 15.0),
        ("rigid", 13.0),
    ],
)
def test_a_rigid_link_follows_its_cascaded_drive_as_scipy_has_it(kind, limit) -> None:
    run = fa.simulate(driven(kind, limit), end=1.5, tolerance=1e-9, output=0.02)
    states, torque = oracle(run.time, kind, limit)
    assert run.complete
    if np.isfinite(limit):
        # the limit is met, for a good part of the time
        assert 0.2 < np.mean(np.abs(torque) > 0.9999 * limit) < 0.6
        assert largest(run.values("joint_torque")) <= limit
        assert 0.2 < run.info["servos"]["link"]["on_limit"] < 0.6
    # errors of a step add up over hundreds of them
    np.testing.assert_allclose(run.values("joint_position")[:, 0], states[0], rtol=0, atol=5e-9)
    np.testing.assert_allclose(run.values("joint_torque")[:, 0], torque, rtol=0, atol=1e-5)
    # the drive's work is that of the torque it really gives
    assert largest(run.values("energy_balance_error")) < 1e-7 * np.ptp(run.values("work_drives"))


@pytest.mark.parametrize("stepper", ["newmark", "alpha"])
def test_other_steppers_have_second_order_on_the_limit_too(stepper) -> None:
    errors = []
    for step in (2e-3, 1e-3):
        run = fa.simulate(driven("velocity", 15.0), end=1.5, stepper=stepper, step=step, output=0.05)
        errors.append(largest(run.values("joint_position")[:, 0] - oracle(run.time, "velocity", 15.0)[0][0]))
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.15)


@pytest.mark.parametrize("start", ["static", "steady"])
def test_an_integrator_starts_loaded(start) -> None:
    still = {"go": {"kind": "hold"}}
    run = fa.simulate(driven("velocity", motions=still), end=0.3, start=start)
    # nothing moves, and the drive gives what the weight takes
    assert largest(run.values("joint_position") - 0.2) < 1e-9
    assert run.values("joint_torque")[:, 0] == pytest.approx(WEIGHT * np.cos(0.2), rel=1e-8)


def test_a_steady_motion_without_feed_forward_begins_with_its_lag() -> None:
    turn = {"go": {"kind": "constant-rate"}}
    servo = {"position_gain": P, "velocity_gain": KV, "integral_time": TI, "feedforward": "none"}
    joint = {"motion": "go", "rate": 3.0, "servo": servo, "damping": DAMPER}
    run = fa.simulate(one_link(joint=joint, gravity=STILL, motions=turn), end=0.3, start="steady")
    # P e = θ̇: the lag of a position loop
    assert run.values("joint_error")[:, 0] == pytest.approx(-3.0 / P, rel=1e-9)
    assert run.values("joint_torque")[:, 0] == pytest.approx(3.0 * DAMPER, rel=1e-7)


def test_a_drive_that_cannot_hold_its_arm_is_refused_in_a_sentence() -> None:
    with pytest.raises(AnalysisError, match=r'"link": joint\.servo\.torque_limit is 5 N m, must be ≥ 9\.61'):
        fa.simulate(driven("velocity", 5.0), end=0.1, start="static")


@pytest.mark.parametrize("analysis", ["linear", "nonlinear"])
def test_small_motions_of_a_drive_are_those_of_its_characteristic_equation(analysis) -> None:
    """J s³ + (d + Kv) s² + (Kv P + Kv/Ti) s + Kv P/Ti = 0, started off its target."""
    hold = {"go": {"kind": "hold"}}
    arm = driven("velocity", gravity=STILL, motions=hold)
    run = fa.simulate(arm, end=0.5, start={"link": 0.2 + 1e-3}, tolerance=1e-10, output=0.01, analysis=analysis)
    inertia = J + ROTOR
    roots = np.roots([inertia, DAMPER + KV, KV * P + KV / TI, KV * P / TI])
    # y(0) = 1, y'(0) = 0, and the integrator empty: J y'' = −Kv P y(0)
    start = np.array([1.0, 0.0, -KV * P / inertia])
    weights = np.linalg.solve(np.vander(roots, 3, increasing=True).T, start)
    expected = 0.2 + 1e-3 * np.real(np.exp(np.outer(run.time, roots)) @ weights)
    np.testing.assert_allclose(run.values("joint_position")[:, 0], expected, rtol=0, atol=2e-9)


# --- Behind a gear that gives way -------------------------------------------------------------------------------------

K, GEAR_D, MOTOR = 300.0, 1.5, 0.5  # N m/rad, N m s/rad, kg m² at the joint


def geared(encoder: str, **fields) -> fa.Arm:
    """A rigid link behind a motor, a soft gear and a cascaded drive."""
    servo = {"position_gain": 8.0, "velocity_gain": 15.0, "integral_time": 0.15, "encoder": encoder}
    joint = {"motion": "go", "at": 0.2, "servo": servo, "rotor_inertia": MOTOR}
    joint |= {"gear": {"stiffness": K, "damping": GEAR_D}}
    return one_link(joint=joint, **{"gravity": DOWN, "motions": GO, **fields})


@pytest.mark.parametrize("encoder", ["motor", "link"])
def test_the_position_loop_closes_on_the_side_of_its_encoder(encoder) -> None:
    run = fa.simulate(geared(encoder), end=1.2, tolerance=1e-9, output=0.02)

    def rhs(t: float, y: np.ndarray) -> list[float]:
        motor, link, motor_rate, link_rate, x = y
        angle, rate, _ = command(t)
        error = rate + 8.0 * (angle - (link if encoder == "link" else motor)) - motor_rate
        torque = 15.0 * error + 15.0 / 0.15 * x
        wound = K * (link - motor) + GEAR_D * (link_rate - motor_rate)
        return [
            motor_rate,
            link_rate,
            (torque + wound) / MOTOR,
            (-wound - WEIGHT * np.cos(link)) / J,
            error,
        ]

    exact = solve_ivp(
        rhs, (0.0, 1.2), [0.2, 0.2, 0, 0, 0], method="DOP853", rtol=1e-11, atol=1e-12, t_eval=run.time, max_step=0.01
    )
    np.testing.assert_allclose(run.values("joint_position")[:, 0], exact.y[0], rtol=0, atol=5e-9)
    gear = run.values("elastic_position")[:, 0]
    np.testing.assert_allclose(gear, exact.y[1] - exact.y[0], rtol=0, atol=5e-9)
    assert largest(run.values("energy_balance_error")) < 1e-6 * np.ptp(run.values("work_drives"))


@pytest.mark.parametrize("encoder", ["motor", "link"])
def test_at_rest_an_integrator_leaves_no_error_where_its_encoder_looks(encoder) -> None:
    run = fa.simulate(geared(encoder, motions={"go": {"kind": "hold"}}), end=0.2, start="static")
    motor, gear = run.values("joint_position")[:, 0], run.values("elastic_position")[:, 0]
    assert largest(motor + (gear if encoder == "link" else 0.0) - 0.2) < 1e-9
    # the gear is wound up by the weight
    assert K * gear == pytest.approx(-WEIGHT * np.cos(motor + gear), rel=1e-7)


def test_a_quasi_static_run_with_an_encoder_on_the_link_is_refused_in_a_sentence() -> None:
    with pytest.raises(AnalysisError, match='"link" has its encoder on the link, must have it on the motor'):
        fa.simulate(geared("link"), end=0.8, analysis="quasi-static")


def test_a_quasi_static_drive_with_an_integrator_gives_the_torque_of_the_rigid_arm() -> None:
    run = fa.simulate(driven("velocity"), end=0.8, analysis="quasi-static", output=0.05)
    assert largest(run.values("joint_error")) == 0.0
    np.testing.assert_allclose(run.values("joint_torque"), run.values("rigid_torque"), rtol=0, atol=1e-9)
