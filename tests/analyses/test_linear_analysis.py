"""The linear analysis: vibration along the rigid arm's motion, of first order, in every formulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import AnalysisError
from tests.analyses.flexible_arms import DOWN, STILL, largest, swinging, two_links
from tests.links.cantilever import SELF_TURNING, WAY, WAYS

pytestmark = pytest.mark.usefixtures("no_error_estimates")

HERMITE = WAYS["hermite"]


def moved(way: dict[str, Any], travel: float, **fields: Any) -> fa.Arm:
    """A beam turned by an angle in a second."""
    go = {"kind": "cycloidal", "travel": travel, "duration": 1.0}
    return swinging(way, {"motion": "go"}, motions={"go": go}, **{"gravity": STILL, "stiffness": 40.0, **fields})


def held(way: dict[str, Any], **fields: Any) -> fa.Arm:
    """The same beam held still."""
    return swinging(way, {"locked": True}, **{"gravity": STILL, "stiffness": 40.0, **fields})


def both(arm: fa.Arm, **options: Any) -> tuple[fa.Trajectory, fa.Trajectory]:
    """A nonlinear and a linear run."""
    exact, linear = (fa.simulate(arm, analysis=analysis, **options) for analysis in ("nonlinear", "linear"))
    return exact, linear


def farthest(values: np.ndarray) -> float:
    """The largest length of the vectors along the last axis."""
    return largest(np.linalg.norm(values, axis=-1))


# --- First order, and nothing less -----------------------------------------------------------------------------------


@WAY
def test_a_smaller_motion_brings_the_linear_run_nearer_by_the_square_of_the_deflection(way) -> None:
    bent, apart, torque = [], [], []
    for travel in (0.1, 0.2, 0.4):
        exact, linear = both(moved(way, travel), end=1.2, tolerance=1e-9, output=0.02)
        bent.append(farthest(exact.values("point_deflection")))
        apart.append(farthest(exact.values("point_position") - linear.values("point_position")))
        torque.append(largest(exact.values("joint_torque") - linear.values("joint_torque")))
    assert np.polyfit(np.log(bent), np.log(apart), 1)[0] == pytest.approx(2.0, abs=0.02)
    # the drive works square to the shortening: what it misses is of third order, and what the integrator leaves
    assert np.polyfit(np.log(bent), np.log(torque), 1)[0] > 2.4
    assert torque[-1] < 1e-3 * largest(exact.values("joint_torque"))


@WAY
def test_a_smaller_load_brings_the_linear_run_nearer_by_the_square_of_the_deflection(way) -> None:
    bent, apart = [], []
    for force in (0.5, 1.0, 2.0):
        load = {"link": "beam", "force": (0.3 * force, force, 0.0), "law": "shake"}
        shake = {"kind": "sine", "amplitude": 1.0, "period": 0.5}
        arm = held(way, loads=[load], torques={"shake": shake})
        exact, linear = both(arm, end=0.5, tolerance=1e-8, output=0.02)
        bent.append(farthest(exact.values("point_deflection")))
        apart.append(farthest(exact.values("point_position") - linear.values("point_position")))
    assert np.polyfit(np.log(bent), np.log(apart), 1)[0] == pytest.approx(2.0, abs=0.03)


@WAY
@pytest.mark.parametrize("planar", [True, False], ids=["planar", "spatial"])
def test_a_mode_vibrates_at_its_frequency_for_ever(way, planar) -> None:
    arm = held(way, planar=planar)
    mode = fa.modes(arm, count=1)
    start = dict(zip(mode.coordinates, 0.3 * mode.shapes[0], strict=True))
    run = fa.simulate(arm, end=0.5, start=start, tolerance=1e-7, output=0.02, analysis="linear")
    # 0.3 m is no small deflection of a beam of 1 m, but to a linear run all are
    expected = 0.3 * mode.point_shapes[0, 0] * np.cos(2 * np.pi * mode.frequencies_hz[0] * run.time)[:, None]
    np.testing.assert_allclose(run.values("point_deflection")[:, 0], expected, rtol=0, atol=1e-6)


@WAY
def test_a_static_start_sags_as_by_the_textbook_and_stays(way) -> None:
    run = fa.simulate(held(way, gravity=DOWN, elements=8), end=0.2, start="static", tolerance=1e-9, analysis="linear")
    weight = 0.5 * 9.81
    shear = weight / (2 * 4000.0) if way["formulation"] in SELF_TURNING else 0.0
    # eight hinges have ∫x³ to half of 1/n²
    sag = -weight / (8 * 40.0) - shear
    assert run.values("point_deflection")[0, 0, 1] == pytest.approx(sag, rel=8e-3)
    assert largest(run.values("elastic_velocity")) < 1e-7
    assert largest(run.values("point_deflection")[:, 0, 0]) < 1e-9  # no shortening: it is of second order


def test_a_steady_start_of_a_bent_rotor_stays() -> None:
    payload = {"mass": 0.2, "offset": (0.0, 0.05, 0.0), "inertia": 0.0}
    arm = swinging(
        HERMITE,
        {"motion": "turn", "rate": 3.0},
        gravity=STILL,
        link={"payload": payload},
        motions={"turn": {"kind": "constant-rate"}},
    )
    run = fa.simulate(arm, start="steady", end=0.5, tolerance=1e-9, analysis="linear")
    q = run.values("elastic_position")
    assert largest(q[0]) > 1e-4
    assert largest(q - q[0]) < 1e-8


# --- Steppers, torques, servos ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["rigid-fe", "hermite", "hermite-link"])
def test_newmark_tends_to_esdirk4_with_the_square_of_its_step(name) -> None:
    arm = two_links(WAYS[name], 2)
    options = {"end": 1.0, "output": 0.05, "analysis": "linear"}
    exact = fa.simulate(arm, tolerance=1e-10, **options).values("point_position")
    apart = [
        farthest(fa.simulate(arm, stepper="newmark", step=step, **options).values("point_position") - exact)
        for step in (4e-4, 2e-4)
    ]
    # the third mode of four links' worth of elements turns by half a radian in the longer step
    assert apart[0] / apart[1] == pytest.approx(4.0, rel=0.15)
    assert apart[1] < 1e-5


@WAY
def test_linear_drive_torques_of_two_links_are_those_of_the_nonlinear_run(way) -> None:
    exact, linear = both(two_links(way, 2, gravity=DOWN), end=1.0, start="static", tolerance=1e-8, output=0.02)
    peak = farthest(exact.values("point_deflection"))
    assert farthest(exact.values("point_position") - linear.values("point_position")) < 0.02 * peak
    torque = exact.values("joint_torque")
    assert largest(torque - linear.values("joint_torque")) < 2e-3 * largest(torque)
    assert fa.torques(linear).flexible.shape == torque.shape


def test_a_servo_departs_from_its_command_to_first_order() -> None:
    apart, missed = [], []
    for travel in (0.1, 0.2, 0.4):
        servo = {"kp": 60.0, "kv": 4.0}
        go = {"kind": "cycloidal", "travel": travel, "duration": 0.6}
        arm = swinging(HERMITE, {"motion": "go", "servo": servo}, gravity=STILL, stiffness=40.0, motions={"go": go})
        exact, linear = both(arm, end=1.0, tolerance=1e-9, output=0.02)
        apart.append(farthest(exact.values("point_position") - linear.values("point_position")))
        missed.append(farthest(exact.values("point_error")))
        assert largest(exact.values("joint_error") - linear.values("joint_error")) < 0.1 * missed[-1] ** 2
    assert np.polyfit(np.log(missed), np.log(apart), 1)[0] == pytest.approx(2.0, abs=0.05)


# --- What is said ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("analysis", ["linear", "quasi-static"])
@pytest.mark.parametrize("joint", [{"free": True}, {"torque": "push"}], ids=["free", "torque"])
def test_a_joint_whose_motion_nobody_commands_is_refused(analysis, joint) -> None:
    arm = swinging(HERMITE, joint, torques={"push": {"kind": "constant", "value": 1.0}})
    with pytest.raises(AnalysisError) as refused:
        fa.simulate(arm, end=1.0, analysis=analysis)
    message = str(refused.value)
    assert f'analysis "{analysis}"' in message and '"beam"' in message and "must" in message and "\n" not in message


def test_a_linear_run_keeps_no_energy_balance() -> None:
    run = fa.simulate(moved(HERMITE, 0.4), end=0.2, analysis="linear")
    assert "energy_kinetic" in run.variables and "energy_balance_error" not in run.variables
    assert run.info["analysis"] == "linear" and "linear analysis" in run.summary()


def test_a_check_compares_the_other_analyses_with_the_run() -> None:
    arm = moved(HERMITE, 0.4)
    options = {"end": 1.2, "tolerance": 1e-7, "output": 0.02}
    run = fa.simulate(arm, check=True, **options)
    beside = run.info["beside"]
    assert list(beside) == ["linear", "quasi-static"]
    peak = farthest(run.values("point_deflection"))
    for name, found in beside.items():
        other = fa.simulate(arm, analysis=name, **options)
        here = np.searchsorted(other.time, run.time)
        apart = farthest(other.values("point_position")[here] - run.values("point_position"))
        assert found["tip"] == pytest.approx(apart, rel=1e-3)
        assert found["of_peak"] == pytest.approx(apart / peak, rel=1e-3)
        assert found["good_enough"] == (apart / peak <= 0.02)
    # a second is seven of its periods: linear will do, quasi-static will not
    assert beside["linear"]["good_enough"] and not beside["quasi-static"]["good_enough"]
    assert "linear analysis" in run.summary() and "linear is good enough" in run.summary()
    assert "quasi-static is not good enough" in run.summary()
    cheap = fa.simulate(arm, check=True, analysis="linear", **options)
    assert list(cheap.info["beside"]) == ["nonlinear"]
    assert cheap.info["beside"]["nonlinear"]["tip"] == pytest.approx(beside["linear"]["tip"], rel=1e-3)
    assert "nonlinear analysis" in cheap.summary() and "linear is good enough" in cheap.summary()


def test_nothing_stands_with_an_arm_whose_joint_is_free() -> None:
    arm = swinging(HERMITE, {"free": True, "at": -1.0})
    assert fa.simulate(arm, end=0.2, check=True).info["beside"] == {}
