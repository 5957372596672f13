"""The quasi-static analysis: at every instant the bend that the forces of the rigid motion hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flexarm as fa
from tests.analyses.flexible_arms import DOWN, STILL, largest, swinging
from tests.links.cantilever import SELF_TURNING, WAY, WAYS

EI, RHOA = 40.0, 0.5
# A beam of 1 m that is turned with the angular acceleration α carries −ρA α x along it: 11 ρA α/120EI at the tip.
BENT = 11 * RHOA / (120 * EI)
# Sections that shear and turn by themselves add ρA α/3κGA and, by their moment −ρI α, ρI α/3EI.
ROTARY, GA = 5e-3, 100 * EI


def bent(way: dict[str, Any]) -> tuple[float, float]:
    """Deflection of the tip (m) and torque (N m) for an acceleration of −1 and 1 rad/s²."""
    if way["formulation"] not in SELF_TURNING:
        return BENT, RHOA / 3
    return BENT + RHOA / (3 * GA) + ROTARY / (3 * EI), RHOA / 3 + ROTARY


def turned(way: dict[str, Any], law: dict[str, Any], elements: int = 2, **fields: Any) -> fa.Arm:
    """A beam of 1 m whose joint follows a law."""
    return swinging(
        way, {"motion": "go"}, elements, motions={"go": law}, **{"gravity": STILL, "stiffness": EI, **fields}
    )


def across(run: fa.Trajectory) -> np.ndarray:
    """How far the tip is from the rigid beam's, square to it (m)."""
    angle = run.values("joint_position")[:, 0]
    bent = run.values("point_deflection")[:, 0]
    return bent[:, 1] * np.cos(angle) - bent[:, 0] * np.sin(angle)


@WAY
def test_a_slower_motion_brings_the_nonlinear_run_nearer(way) -> None:
    apart = []
    for duration in (2.0, 4.0, 8.0):
        arm = turned(way, {"kind": "cycloidal", "travel": 1.0, "duration": duration})
        options = {"end": duration, "output": duration / 50, "tolerance": 1e-9}
        exact, still = (fa.simulate(arm, analysis=word, **options) for word in ("nonlinear", "quasi-static"))
        peak = largest(exact.values("point_deflection"))
        apart.append(largest(across(exact) - across(still)[np.searchsorted(still.time, exact.time)]) / peak)
    # what rings is the jump of the jerk at the ends: 1/ωT of the bend
    assert -np.polyfit(np.log((2, 4, 8)), np.log(apart), 1)[0] == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize("name", ["hermite", "hermite-link"])
def test_the_bend_follows_the_acceleration_in_closed_form(name) -> None:
    arm = turned(WAYS[name], {"kind": "cycloidal", "travel": 1.0, "duration": 1.0})
    run = fa.simulate(arm, end=1.0, analysis="quasi-static", output=0.02)
    # cubic elements have the exact deflection at their nodes under any load along them
    expected = -BENT * 2 * np.pi * np.sin(2 * np.pi * run.time)
    np.testing.assert_allclose(across(run), expected, rtol=0, atol=1e-9)
    np.testing.assert_allclose(run.values("joint_torque"), run.values("rigid_torque"), rtol=0, atol=1e-9)


@WAY
def test_both_sides_of_a_switch_are_there_with_their_own_limits(way) -> None:
    # 3 rad/s² for half a second, then −3, then none; 12 hinges or linear elements are within half a per cent
    deflection, torque = bent(way)
    arm = turned(
        way, {"kind": "bang-bang", "acceleration": 3.0, "duration": 1.0}, 4, link={"model": {**way, "elements": 12}}
    )
    run = fa.simulate(arm, end=1.2, analysis="quasi-static", output=0.05)
    times = run.time
    for switch, before, after in ((0.5, 3.0, -3.0), (1.0, -3.0, 0.0)):
        at = int(np.searchsorted(times, switch))
        assert times[at] == switch and times[at - 1] == np.nextafter(switch, 0.0)
        assert across(run)[at - 1] == pytest.approx(-deflection * before, rel=5e-3)
        assert across(run)[at] == pytest.approx(-deflection * after, rel=5e-3, abs=1e-12)
        assert run.values("joint_acceleration")[[at - 1, at], 0] == pytest.approx([before, after], abs=1e-9)
        step = run.values("joint_torque")[at, 0] - run.values("joint_torque")[at - 1, 0]
        assert step == pytest.approx(torque * (after - before), rel=1e-6)
    assert np.all(np.diff(times) > 0.0)
    # nothing is between the two sides: the samples on the grid stay where they were
    assert np.all(np.isin(np.linspace(0.0, 1.2, 25), times))


def test_a_load_that_is_switched_off_has_both_sides_too() -> None:
    push = {"kind": "sine", "amplitude": 1.0, "period": 0.8, "phase": 0.6, "end": 0.5}
    load = {"link": "beam", "force": (0.0, 2.0, 0.0), "law": "push"}
    arm = turned(WAYS["hermite"], {"kind": "hold"}, loads=[load], torques={"push": push})
    run = fa.simulate(arm, end=1.0, analysis="quasi-static", output=0.1)
    at = int(np.searchsorted(run.time, 0.5))
    before = 2.0 * np.sin(2 * np.pi * 0.5 / 0.8 + 0.6) / (3 * EI)
    assert run.values("point_deflection")[[at - 1, at], 0, 1] == pytest.approx([before, 0.0], rel=1e-7, abs=1e-12)


@WAY
def test_weight_bends_the_moving_beam_by_its_posture(way) -> None:
    arm = turned(way, {"kind": "cycloidal", "travel": 1.0, "duration": 100.0}, 8, gravity=DOWN)
    run = fa.simulate(arm, end=100.0, analysis="quasi-static", output=10.0)
    # so slow that weight is all: w cos θ L⁴/8EI, with the shear of those that have any
    shear = 0.0 if way["formulation"] not in SELF_TURNING else 1 / (2 * GA)
    expected = -RHOA * 9.81 * np.cos(run.values("joint_position")[:, 0]) * (1 / (8 * EI) + shear)
    # eight hinges have ∫x³ to half of 1/n²
    np.testing.assert_allclose(across(run), expected, rtol=8e-3)


def test_a_quasi_static_run_has_no_stepper_and_no_energy_balance() -> None:
    arm = turned(WAYS["hermite"], {"kind": "cycloidal", "travel": 1.0, "duration": 1.0})
    run = fa.simulate(arm, end=1.0, analysis="quasi-static")
    assert run.complete and run.info["stepper"] is None and not run.info["steps"]
    assert "energy_balance_error" not in run.variables
    assert "quasi-static analysis" in run.summary()


def test_a_servo_on_its_command_is_bent_by_the_torque_it_gives() -> None:
    law = {"kind": "cycloidal", "travel": 1.0, "duration": 1.0}
    kp = 50.0
    joint = {"motion": "go", "servo": {"kp": kp, "kv": 3.0}}
    arm = swinging(WAYS["hermite"], joint, gravity=STILL, stiffness=EI, motions={"go": law})
    run = fa.simulate(arm, end=1.0, analysis="quasi-static", output=0.05)
    # the servo gives the torque of the rigid motion by standing behind it
    torque = RHOA / 3 * 2 * np.pi * np.sin(2 * np.pi * run.time)
    np.testing.assert_allclose(run.values("joint_error")[:, 0], -torque / kp, rtol=0, atol=1e-10)
