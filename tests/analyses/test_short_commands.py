"""No step passes over a command: motions of a fraction of a step, sines, short pulses, and the book that shows it."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa

BEGIN, SHORT, TRAVEL = 0.7, 4e-4, 0.04
M, K = 0.5, 2000.0  # the load of the slide, on a spring across it
MOTIONS = {
    "cycloidal": {"travel": TRAVEL, "duration": SHORT, "begin": BEGIN},
    "s-curve": {
        "travel": TRAVEL,
        "duration": SHORT,
        "acceleration_time": 0.4 * SHORT,
        "jerk_time": 0.1 * SHORT,
        "begin": BEGIN,
    },
    "trapezoidal-acceleration": {"travel": TRAVEL, "duration": SHORT, "begin": BEGIN},
    "bang-bang": {"acceleration": 4 * TRAVEL / SHORT**2, "duration": SHORT, "begin": BEGIN},
    "table": {"times": [BEGIN, BEGIN + SHORT / 2, BEGIN + SHORT], "values": [0.0, TRAVEL / 2, TRAVEL]},
}
STEPPERS = ("esdirk4", "newmark", "alpha")


def slide(kind: str) -> fa.Arm:
    """A slide that travels 40 mm in 0.4 ms and carries a mass on a spring along its way."""
    load = {"type": "prismatic", "axis": "x", "free": True, "stiffness": K}
    body = {"inertia": (0.1, 0.1, 0.1)}
    return fa.Arm(
        gravity=(0, 0, 0),
        motions={"go": {"kind": kind, **MOTIONS[kind]}},
        links=[
            {
                "name": "slide",
                "joint": {"type": "prismatic", "axis": "x", "motion": "go"},
                "rigid": {"mass": 1.0, **body},
            },
            {"name": "load", "joint": load, "rigid": {"mass": M, **body}},
        ],
    )


@pytest.mark.parametrize("stepper", STEPPERS)
@pytest.mark.parametrize("kind", MOTIONS)
def test_a_motion_of_less_than_a_step_leaves_the_vibration_it_must(kind, stepper):
    # the mass stays where it is while the slide goes: afterwards it swings about the new place with the whole travel
    run = fa.simulate(slide(kind), end=1.0, tolerance=1e-5, stepper=stepper)
    w = np.sqrt(K / M)
    after = run.time > BEGIN + SHORT
    # the middle of the motion is when the spring is stretched; what it gives within 0.4 ms is (w SHORT)² small
    exact = -TRAVEL * np.cos(w * (run.time[after] - BEGIN - SHORT / 2))
    np.testing.assert_allclose(run.values("joint_position")[after, 1], exact, rtol=0, atol=5e-5)
    assert run.info["warnings"] == []
    # between, the slide moves at 100 m/s and more: beside that energy the book closes to a hundred thousandth
    passed = 0.5 * (TRAVEL / SHORT) ** 2
    assert run.values("work_drives")[-1] == pytest.approx(0.5 * K * TRAVEL**2, abs=1e-5 * passed)
    assert np.abs(run.values("energy_balance_error")).max() < 1e-5 * passed


@pytest.mark.parametrize("step", [0.01, 0.1])
def test_a_fixed_step_is_shortened_for_a_motion_shorter_than_it(step):
    run = fa.simulate(slide("cycloidal"), end=1.0, step=step, stepper="newmark")
    assert run.values("work_drives")[-1] == pytest.approx(0.5 * K * TRAVEL**2, rel=0.1)


def test_a_sine_faster_than_the_samples_is_stepped_through():
    # a rigid arm driven by a sine of 200 Hz for a second: nothing but the law itself limits the step
    sine = {"kind": "polynomial", "coefficients": [0.0], "amplitude": 0.01, "frequency": 200.0, "phase": np.pi / 2}
    link = {"name": "a", "joint": {"type": "revolute", "motion": "go"}, "length": 1.0}
    arm = fa.Arm(
        planar=True,
        gravity=(0, 0, 0),
        motions={"go": sine},
        links=[{**link, "rigid": {"mass": 2.0, "inertia": 0.1}}],
    )
    run = fa.simulate(arm, end=1.0)
    exact = 0.5 * 0.6 * (0.01 * 2 * np.pi * 200.0) ** 2 * np.sin(2 * np.pi * 200.0 * run.time) ** 2
    np.testing.assert_allclose(run.values("energy_kinetic"), exact, rtol=0, atol=1e-9 * exact.max())
    assert np.abs(run.values("energy_balance_error")).max() < 1e-3 * exact.max()


def test_a_balance_that_stays_open_is_a_warning():
    # average acceleration far beyond what it resolves: the vibration of 22 rad/s with steps of 0.25 s
    cart = {"type": "prismatic", "axis": "x", "free": True, "stiffness": 400.0, "start_rate": 1.0}
    arm = fa.Arm(gravity=(0, 0, 0), links=[{"name": "c", "joint": cart, "rigid": {"mass": 0.8, "inertia": (1, 1, 1)}}])
    run = fa.simulate(arm, end=2.0, step=0.25, stepper="newmark")
    (warning,) = run.info["warnings"]
    assert warning.startswith("the energy balance does not close: ") and "try a smaller step" in warning
    assert warning in run.summary().replace("\n", " ")
    assert fa.simulate(arm, end=2.0).info["warnings"] == []
