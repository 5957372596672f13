"""An arm posed by hand sags and swings as the analyses say."""

import numpy as np
import pytest

import flexarm as fa
from flexarm.viewer.posing import MODES, Poser

POSTURE = {"upper": 0.9, "rod": 0.4}


def test_sag_torques_and_modes_are_those_of_the_analyses(arm):
    poser = Poser(arm)
    posed = poser.posed(POSTURE, poser.masses())
    at_rest = fa.statics(arm, posture=POSTURE)
    assert np.allclose(posed.tip_sag, at_rest.tip_sag["tip"], rtol=0.0, atol=1e-12)
    assert list(posed.torques.values()) == pytest.approx(at_rest.joint_torque, rel=1e-9)
    modes = fa.modes(arm, posture=POSTURE, count=MODES)
    assert posed.modes.frequencies_hz == pytest.approx(modes.frequencies_hz, rel=1e-9)
    assert posed.modes.damping_ratios == pytest.approx(modes.damping_ratios, rel=1e-9)
    free = poser.posed(POSTURE, poser.masses(), free=True)
    wanted = fa.modes(arm, posture=POSTURE, joints="free", count=MODES)
    assert free.modes.frequencies_hz == pytest.approx(wanted.frequencies_hz, rel=1e-9, abs=1e-9)


def test_a_mode_is_drawn_as_the_analysis_shapes_it(arm):
    poser = Poser(arm)
    posed = poser.posed(POSTURE, poser.masses())
    lengths = np.linalg.norm(posed.shapes, axis=-1)
    assert lengths.max(axis=1) == pytest.approx(1.0, abs=1e-5)
    wanted = fa.modes(arm, posture=POSTURE, count=MODES).point_shapes[:, 0]
    drawn = posed.shapes[:, poser.drawing.tip]
    # both scaled by what moves most, which may be another point: compare directions of the tip
    for mode in range(3):
        cosine = drawn[mode] @ wanted[mode] / (np.linalg.norm(drawn[mode]) * np.linalg.norm(wanted[mode]))
        assert abs(cosine) == pytest.approx(1.0, abs=1e-6)
    # a mode with the joints held leaves the rigid link where it is
    assert lengths[:, poser.drawing.spans["upper"].end].max() < 1e-9


def test_a_payload_adds_the_sag_of_a_cantilever_with_a_load_at_its_end():
    arm = fa.parse_arm("""
gravity = [0, -9.81, 0]
planar = true
[[link]]
name = "rod"
joint = { type = "revolute" }
length = "1 m"
beam = { bending_stiffness = "500 N m^2", mass_per_length = "1 kg/m" }
model = { formulation = "rigid-fe", elements = 6 }
""")
    poser = Poser(arm)
    bare, laden = (poser.posed({"rod": 0.0}, {("rod", 0): mass}) for mass in (0.0, 0.1))
    # m g L³/3EI; six rigid finite elements are softer or stiffer by less than 1/n²
    assert bare.tip_sag[1] - laden.tip_sag[1] == pytest.approx(0.1 * 9.81 / 1500.0, rel=1.0 / 36.0)
    assert laden.modes.frequencies_hz[0] < bare.modes.frequencies_hz[0]
    again = poser.posed({"rod": 0.0}, {("rod", 0): 0.0})
    assert np.array_equal(again.sag, bare.sag)
    assert np.array_equal(again.modes.frequencies_hz, bare.modes.frequencies_hz)


def test_what_has_no_answer_is_reported_and_the_arm_still_drawn():
    rigid = fa.parse_arm("""
planar = true
gravity = [0, -9.81, 0]
[[link]]
name = "bar"
joint = { type = "revolute" }
length = "1 m"
rigid = { mass = "1 kg", inertia = "0.1 kg m^2" }
""")
    poser = Poser(rigid)
    posed = poser.posed({"bar": 0.5}, poser.masses())
    assert posed.modes is None and "no flexible link" in posed.remark
    assert np.allclose(posed.rest[-1], [np.cos(0.5), np.sin(0.5), 0.0])
    assert posed.torques["bar"] == pytest.approx(0.5 * 9.81 * np.cos(0.5))
