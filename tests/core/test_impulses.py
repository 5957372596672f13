"""A rate that jumps is a blow: free coordinates take it up by the balance of momentum, and the book closes."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import AnalysisError

JUMP, RATE = 0.3, 2.0
STEPPERS = ("esdirk4", "newmark", "alpha")
KNOCK = {"kind": "table", "times": [JUMP, 1.3], "values": [0.0, RATE], "interpolation": "linear"}


def hanging(planar: bool, **second: object) -> fa.Arm:
    """A driven link that carries a free one, straight ahead, without gravity."""
    free = {"type": "revolute", "axis": "z", "free": True, **second}
    first = {"mass": 1.5, "inertia": (0.1, 0.1, 0.1)}
    return fa.Arm(
        planar=planar,
        gravity=(0, 0, 0),
        motions={"knock": KNOCK},
        links=[
            {"name": "a", "joint": {"type": "revolute", "axis": "z", "motion": "knock"}, "length": 0.7, "rigid": first},
            {
                "name": "b",
                "joint": free,
                "length": 0.6,
                "rigid": {"mass": 2.0, "centre": (0.2, 0, 0), "inertia": (0.01, 0.05, 0.05)},
            },
        ],
    )


@pytest.mark.parametrize("planar", [True, False], ids=["plane", "space"])
@pytest.mark.parametrize("stepper", STEPPERS)
def test_a_free_link_turns_back_as_its_momentum_says(planar, stepper):
    run = fa.simulate(hanging(planar), end=0.31, output=1e-3, stepper=stepper)
    # about the free joint, which moves at 0.7 ω: (I + m c²)(ω + Δ) + m c 0.7 ω = 0
    m, c, inertia = 2.0, 0.2, 0.05
    wanted = -RATE - m * c * 0.7 * RATE / (inertia + m * c * c)
    k = round(JUMP / 1e-3)
    assert run.values("joint_velocity")[k, 1] == 0.0  # the sample on the jump is seen from the left
    assert run.values("joint_velocity")[k + 1, 1] == pytest.approx(wanted, rel=2e-3)
    # what the drive gave is what moves: ½ J_a ω² + ½ m v² + ½ I w²
    w, v = RATE + wanted, 0.7 * RATE + c * (RATE + wanted)
    moving = 0.5 * (0.1 + 1.5 * 0.35**2) * RATE**2 + 0.5 * m * v**2 + 0.5 * inertia * w**2
    assert run.values("work_drives")[k] == 0.0
    assert run.values("work_drives")[k + 1] == pytest.approx(moving, rel=1e-3)
    assert np.abs(run.values("energy_balance_error")).max() < 1e-6 * moving


@pytest.mark.parametrize("formulation", ["rigid-fe", "hermite", "modes"])
def test_a_blow_is_the_limit_of_ever_shorter_ramps(formulation):
    def arm(motion: dict) -> fa.Arm:
        model = {"formulation": formulation, **({"modes": 2} if formulation == "modes" else {"elements": 3})}
        beam = {"bending_stiffness": 100.0, "mass_per_length": 0.9}
        link = {"name": "b", "joint": {"type": "revolute", "motion": "go"}, "length": 1.0, "beam": beam}
        damping = {"retardation": 1e-3}
        return fa.Arm(
            planar=True,
            gravity=(0, 0, 0),
            motions={"go": motion},
            links=[{**link, "model": model, "damping": damping}],
        )

    struck = fa.simulate(arm(KNOCK), end=0.5, tolerance=1e-8)
    assert np.abs(struck.values("energy_balance_error")).max() < 1e-5 * struck.values("work_drives").max()
    apart = []
    for ramp in (4e-4, 2e-4, 1e-4):
        # the same rate from the middle of the ramp on
        rise = {"kind": "acceleration", "times": [JUMP - ramp / 2, JUMP + ramp / 2], "values": [RATE / ramp]}
        run = fa.simulate(arm({**rise, "interpolation": "steps"}), end=0.5, tolerance=1e-8)
        apart.append(np.abs(run.values("point_position")[:, 0] - struck.values("point_position")[:, 0]).max())
    assert apart[0] < 1e-3 and apart[1] < 0.6 * apart[0] and apart[2] < 0.6 * apart[1]


def test_a_servo_feels_no_blow():
    link = {"name": "a", "length": 1.0, "rigid": {"mass": 2.0, "inertia": 0.1}}
    joint = {"type": "revolute", "motion": "knock", "servo": {"kp": 90.0, "kv": 8.0}}
    run = fa.simulate(
        fa.Arm(planar=True, gravity=(0, 0, 0), motions={"knock": KNOCK}, links=[{**link, "joint": joint}]),
        end=0.301,
        output=1e-5,
    )
    k = round(JUMP / 1e-5)
    torque = run.values("joint_torque")[:, 0]
    assert torque[k] == 0.0
    assert torque[k + 1] == pytest.approx(8.0 * RATE, rel=1e-3)  # kv times the jump
    assert abs(run.values("joint_velocity")[k + 1, 0]) < 1e-3


def test_the_linear_analysis_refuses_a_jump_of_rate():
    beam = {"bending_stiffness": 100.0, "mass_per_length": 0.9}
    joint = {"type": "revolute", "motion": "knock"}
    link = {"name": "b", "joint": joint, "length": 1.0, "beam": beam, "model": {"formulation": "hermite"}}
    arm = fa.Arm(planar=True, gravity=(0, 0, 0), motions={"knock": KNOCK}, links=[link])
    with pytest.raises(AnalysisError, match=r'link "b": the rate of its motion jumps at 0.3 s, must be continuous'):
        fa.simulate(arm, end=0.5, analysis="linear")
