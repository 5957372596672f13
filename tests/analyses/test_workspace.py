"""Maps over postures are what statics and modes say of every posture, and closed forms of simple arms."""

import csv
import io
import math

import numpy as np
import pytest

import flexarm as fa

LINK = """
[[link]]
name = "{name}"
joint = {{ type = "revolute", axis = "{axis}"{joint} }}
length = "1 m"
beam = {{ section = {{ shape = "tube", diameter = "40 mm", thickness = "2 mm" }}, material = "aluminium" }}
model = {{ formulation = "{formulation}", elements = 3 }}
"""


def arm_of(formulation, *, planar):
    head = 'planar = true\ngravity = [0, "-9.81 m/s^2", 0]\n' if planar else ""
    axis = "z" if planar else "y"
    upper = LINK.format(name="upper", axis=axis, joint="", formulation=formulation)
    lower = LINK.format(name="lower", axis=axis, joint=', gear = { stiffness = "5 kN m/rad" }', formulation=formulation)
    return fa.parse_arm(f'name = "two"\n{head}{upper}{lower}payload = {{ mass = "3 kg" }}\n')


@pytest.mark.parametrize(("formulation", "planar"), [("rigid-fe", True), ("rigid-fe", False), ("hermite", True)])
def test_every_posture_is_that_of_statics_and_modes(formulation, planar):
    arm = arm_of(formulation, planar=planar)
    found = fa.workspace(arm, {"upper": ("-80 deg", "40 deg", 2), "lower": [0.3, 1.2]}, count=3)
    assert found.failures == ()
    for i, upper in enumerate(found.values[0]):
        for j, lower in enumerate(found.values[1]):
            posture = {"upper": float(upper), "lower": float(lower)}
            sag = fa.statics(arm, posture=posture).tip_sag["tip"]
            # both stop where steps are 1e-12 of the reach
            assert found.sag[i, j] == pytest.approx(sag, abs=1e-11)
            frequencies = fa.modes(arm, posture=posture, count=3, joints="locked").frequencies_hz
            # the search in a few shapes errs by the square of what gravity adds to the stiffness, here half a per cent
            assert found.frequencies_hz[i, j] == pytest.approx(frequencies, rel=3e-5)


def test_a_cantilever_has_its_closed_form_in_every_posture():
    stiffness, mass, length, g = 400.0, 0.5, 1.2, 9.81
    arm = fa.parse_arm(f"""
planar = true
gravity = [0, -{g}, 0]
[[link]]
name = "beam"
joint = {{ type = "revolute" }}
length = {length}
beam = {{ bending_stiffness = {stiffness}, mass_per_length = 1e-6 }}
model = {{ formulation = "hermite", elements = 4 }}
payload = {{ mass = {mass} }}
""")
    found = fa.workspace(arm, {"beam": ("-60 deg", "60 deg", 5)}, count=1)
    across = mass * g * np.cos(found.values[0]) * length**3 / (3 * stiffness)
    # small bending: what the weight along the beam adds is m g sin θ L² / EI = 1.5 % at most of the deflection
    assert found.sag_distance == pytest.approx(across, rel=0.02)
    assert found.stiffness == pytest.approx(3 * stiffness / length**3, rel=0.02)
    level = int(np.argmin(np.abs(found.values[0])))
    assert found.stiffness[level] == pytest.approx(3 * stiffness / length**3, rel=2e-4)
    assert found.frequencies_hz[level, 0] == pytest.approx(
        math.sqrt(3 * stiffness / (mass * length**3)) / (2 * math.pi), rel=2e-4
    )


def test_the_joints_that_matter_are_chosen():
    arm = arm_of("rigid-fe", planar=False)
    turntable = {
        "name": "turntable",
        "joint": {"type": "revolute", "axis": "z"},
        "rigid": {"mass": 1, "inertia": [1, 1, 1]},
    }
    arm = arm.changed(links=(fa.Link(**turntable), *arm.links))
    found = fa.workspace(arm, points=3, count=1)
    assert found.joints == ("upper", "lower")
    assert any("were chosen" in remark for remark in found.remarks)
    rows = list(csv.reader(io.StringIO(found.to_csv())))
    assert len(rows) == 1 + 9 and rows[0][:2] == ["upper [rad]", "lower [rad]"]


def test_where_an_arm_falls_over_it_is_said():
    """A column under its own payload beyond Euler's load has no rest near upright, and elsewhere it has."""
    arm = fa.parse_arm("""
planar = true
gravity = [0, -9.81, 0]
[[link]]
name = "beam"
joint = { type = "revolute" }
length = 1
beam = { bending_stiffness = 1, mass_per_length = 0.01 }
model = { formulation = "rigid-fe", elements = 6 }
payload = { mass = 0.15 }
""")
    found = fa.workspace(arm, {"beam": ("0 deg", "180 deg", 5)}, count=1)
    exact = [fa.statics(arm, posture={"beam": float(angle)}).tip_sag["tip"] for angle in found.values[0]]
    assert found.sag == pytest.approx(np.array(exact), abs=1e-9)


@pytest.mark.parametrize(
    ("joints", "sentence"),
    [
        ({"elbow": (0, 1)}, 'there is no joint "elbow", must be "upper" or "lower"'),
        ({"upper": ("0 deg", "1 kg")}, 'joint "upper" is "1 kg", must be an angle'),
        ({"upper": (1.0, 0.0)}, "must be rising"),
        ({"upper": (0, 1, 1)}, "must have a whole number ≥ 2"),
        ({"upper": "0 deg"}, "must be from and to"),
        ({}, "must map joints to ranges"),
    ],
)
def test_ranges_are_refused_in_a_sentence(joints, sentence):
    with pytest.raises(fa.FlexarmError) as refused:
        fa.workspace(arm_of("rigid-fe", planar=True), joints)
    assert sentence in str(refused.value)
