"""The linear model: its poles are the modes, and small motions follow it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

import flexarm as fa

from .cantilever import WAY, cantilever, thin


def hung(way: dict, elements: int = 3) -> fa.Arm:
    """A heavy beam hanging from a free sprung hinge that has a rotor, damped."""
    # sections that turn by themselves as heavy and as soft in shear as in a stubby beam: no pole far beyond the others
    beam = thin(way["formulation"], shear=3e3, rotary=5e-3)
    arm = cantilever(beam, elements, model=way, gravity=(0, -9.81, 0), damping={"retardation": 1e-3})
    joint = {"type": "revolute", "torque": "push", "at": -1.2, "stiffness": 8.0, "rest": -1.2, "rotor_inertia": 0.02}
    link = arm.links[0].changed(joint=joint)
    return arm.changed(links=(link,), torques={"push": {"kind": "constant", "value": 0.0}})


@WAY
def test_poles_are_the_frequencies_and_damping_ratios_of_the_modes(way):
    arm = hung(way)
    poles = np.linalg.eigvals(fa.linearise(arm, joints="free").A)
    upper = poles[poles.imag > 0]
    upper = upper[np.argsort(np.abs(upper))][:3]
    modes = fa.modes(arm, joints="free", count=100)
    # rounding of the fastest pole beside the slowest
    np.testing.assert_allclose(np.abs(upper) / (2 * np.pi), modes.frequencies_hz[:3], rtol=1e-7)
    # of the damping of the hinge's swing NumPy's eigenvalues of A keep four digits beside those of a stiff chain
    np.testing.assert_allclose(-upper.real / np.abs(upper), modes.damping_ratios[:3], rtol=1e-4)


@WAY
def test_a_small_motion_follows_the_linear_model(way):
    arm = hung(way)
    model = fa.linearise(arm, joints="free")
    rest, n = model.operating_point, len(model.state_names) // 2
    # the hinge, a bend and a rate of turning; metres and radians alike
    start = np.zeros(2 * n)
    start[0], start[2], start[n] = 1e-5, -1e-6, 2e-4
    given = {name: rest[name] + x for name, x in zip(rest, start[:n], strict=True)}
    given |= {f"{name}.rate": x for name, x in zip(rest, start[n:], strict=True)}
    held = arm.changed(torques={"push": {"kind": "constant", "value": hold_torque(arm)}})
    run = fa.simulate(held, end=0.5, output=0.05, start=given, tolerance=1e-11)
    tip = run.values("point_position")[:, 0, :2]
    expected = np.array([model.C[:2] @ expm(model.A * t) @ start for t in run.time])
    still = fa.simulate(held, end=0.05, output=0.05, start={k: v for k, v in rest.items()}, tolerance=1e-11)
    moved = tip - still.values("point_position")[0, 0, :2]
    # the square of 1e-5 rad is left
    np.testing.assert_allclose(moved, expected, rtol=0, atol=1e-8)
    assert np.abs(expected).max() > 1e-6


def hold_torque(arm: fa.Arm) -> float:
    """Torque (N m) that holds the hinge where it starts."""
    return float(fa.statics(arm).joint_torque[0])


def test_an_input_torque_accelerates_by_the_inverse_of_the_mass_matrix():
    rod = {"mass": 2.0, "inertia": (0.001, 0.05, 0.05)}
    link = {"name": "rod", "joint": {"type": "revolute", "free": True}, "length": 0.7, "rigid": rod}
    model = fa.linearise(fa.Arm(gravity=(0, 0, 0), links=[link]), joints="free")
    assert model.input_names == ("rod_torque",)
    np.testing.assert_allclose(model.B, [[0.0], [1 / (0.05 + 2.0 * 0.35**2)]], rtol=1e-12)
    assert model.C[model.output_names.index("tip_y")] == pytest.approx([0.7, 0.0])
