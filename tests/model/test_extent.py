"""Mass, reach and tip of an arm, and one value of it replaced by its path."""

import math

import pytest

import flexarm as fa

BRANCHED = """
name = "two hands"
[[link]]
name = "trunk"
joint = { type = "revolute", axis = "y", motion = "turn" }
length = "1 m"
rigid = { mass = "2 kg", inertia = [0.1, 0.1, 0.1] }

[[link]]
name = "long hand"
joint = { type = "revolute", axis = "y", offset = [0, "0.3 m", "0.4 m"] }
length = "0.5 m"
beam = { section = { shape = "circle", diameter = "10 mm" }, material = "stuff" }
model = { formulation = "rigid-fe", elements = 2 }
payload = { mass = "1 kg" }

[[link]]
name = "short hand"
parent = "trunk"
parent_at = "0.5 m"
joint = { type = "fixed" }
length = "0.2 m"
rigid = { mass = "0.5 kg", inertia = [0.01, 0.01, 0.01] }

[[link]]
name = "bench"
parent = "base"
joint = { type = "fixed", offset = ["9 m", 0, 0] }
length = "5 m"
rigid = { mass = 0, inertia = [0, 0, 0] }

[material.stuff]
density = 2700
youngs_modulus = "70 GPa"
shear_modulus = "26 GPa"

[motion.turn]
kind = "cycloidal"
travel = "30 deg"
duration = "0.1 s"

[simulation]
end = "0.1 s"
"""


@pytest.fixture
def arm():
    return fa.parse_arm(BRANCHED)


def test_the_tip_is_the_end_farthest_along_the_chain_that_can_move(arm):
    # the bench is farther away and stands last, but nothing can move it
    assert arm.tip_links == ("long hand", "short hand")
    assert arm.observed[0].link == "long hand"
    assert not arm.can_move("bench")
    assert arm.can_move("short hand")


def test_mass_and_reach_are_those_of_the_drawing(arm):
    beam = 2700 * math.pi / 4 * 0.01**2 * 0.5
    assert arm.mass == pytest.approx(2 + beam + 1 + 0.5, rel=1e-12)
    assert arm.reach == pytest.approx(14.0)
    assert arm.changed(links=arm.links[:3]).reach == pytest.approx(1 + 0.5 + 0.5)


def test_several_ends_are_remarked_where_the_tip_is_reported(arm):
    remark = 'the tip is taken at the end of "long hand"'
    assert any(remark in each for each in fa.statics(arm).remarks)
    assert any(remark in each for each in fa.simulate(arm).info["warnings"])


def test_a_point_that_cannot_move_is_refused_where_motion_is_asked_for(arm):
    fixed = arm.changed(points=(fa.Point(name="tip", link="bench"),))
    with pytest.raises(fa.FlexarmError, match='point "tip" is on link "bench", which cannot move'):
        fa.shape(fixed)
    assert 'point "tip" is on link "bench", which cannot move' in fa.statics(fixed).remarks


@pytest.mark.parametrize(
    ("path", "value", "read"),
    [
        ("link[1].beam.section.diameter", "12 mm", lambda arm: arm.links[1].beam.section.diameter == 0.012),
        ("link[long hand].length", 0.6, lambda arm: arm.links[1].length == 0.6),
        ('link["long hand"].joint.at', "90 deg", lambda arm: arm.links[1].joint.at == math.radians(90)),
        ("motion.turn.duration", "0.2 s", lambda arm: arm.motions["turn"].duration == 0.2),
        ("simulation.tolerance", "1 um", lambda arm: arm.simulation.tolerance == pytest.approx(1e-6)),
        ("gravity[2]", 0, lambda arm: arm.gravity == (0, 0, 0)),
    ],
)
def test_with_replaces_one_value_by_its_path(arm, path, value, read):
    other = arm.with_(path, value)
    assert read(other)
    assert fa.format_arm(arm) == fa.format_arm(fa.parse_arm(BRANCHED)), "the arm itself stays"


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("link[9].length", 1, 'the path is "link[9].length", must be one of the model file'),
        ("link[hand].length", 1, 'there is no link "hand"'),
        ("link[0].length", "3 kg", 'two hands: link[0]: length is "3 kg", must be a length'),
        ("link[0].lenght", 1, "two hands: link[0]: lenght is not a key known here, did you mean length"),
    ],
)
def test_with_refuses_in_a_sentence(arm, path, value, sentence):
    with pytest.raises(fa.FlexarmError) as refused:
        arm.with_(path, value)
    assert sentence in str(refused.value)
