"""Universal and ball joints: a top precesses as it should, a pendulum swings in two planes, round trip and refusals."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa

pytestmark = pytest.mark.usefixtures("no_error_estimates")

MASS, LEVER, ALONG, ACROSS = 1.0, 0.3, 0.02, 0.03


def body(**joint) -> dict:
    rigid = {"mass": MASS, "inertia": {"along": ALONG, "across": ACROSS}, "centre": [LEVER, 0, 0]}
    return {"name": "top", "joint": joint, "length": LEVER, "rigid": rigid}


def test_a_top_with_its_axis_level_precesses_at_the_rate_of_its_moment():
    """m g l = I ω Ω, exactly: the axis stays level, and both rates stay what they are."""
    spin = 60.0
    precession = MASS * 9.81 * LEVER / (ALONG * spin)
    turns = [{"start_rate": precession}, {}, {"start_rate": spin}]
    run = fa.simulate(fa.Arm(links=[body(type="ball", free=True, turns=turns)]), end=0.5, tolerance=1e-8)
    # the axis turns about z by the angle, and leans by none
    assert run.variable("joint_position").values[-1] == pytest.approx([0.5 * precession, 0.0, 0.5 * spin], abs=1e-9)


def test_a_universal_joint_lets_a_pendulum_swing_in_two_planes_alike():
    """f = √(m g l / (I + m l²)) / 2π, hanging along −z."""
    joint = {"type": "universal", "free": True, "turns": [{"axis": "x"}, {"axis": "y"}]}
    arm = fa.Arm(
        links=[
            {
                **body(**joint),
                "direction": "-z",
                "rigid": {"mass": MASS, "inertia": [ACROSS, ACROSS, ALONG], "centre": [0, 0, -LEVER]},
            }
        ]
    )
    frequency = np.sqrt(MASS * 9.81 * LEVER / (ACROSS + MASS * LEVER**2)) / (2 * np.pi)
    assert fa.modes(arm, count=2).frequencies_hz == pytest.approx([frequency, frequency], rel=1e-9)
    assert fa.parse_arm(fa.format_arm(arm)) == arm


def test_turns_keep_the_place_of_the_joint_and_what_stands_on_it():
    links = [
        {"name": "arm", "joint": {"type": "revolute"}, "length": 1, "rigid": {"mass": 1, "inertia": [1, 1, 1]}},
        body(type="ball", offset=[0, 0, 0.1], turns=[{"at": 0.3}, {"at": -0.2}, {"at": 0.9}]),
        {"name": "hand", "joint": {"type": "fixed"}, "length": 0.1, "rigid": {"mass": 1, "inertia": [1, 1, 1]}},
    ]
    arm = fa.Arm(links=links)
    assert [link.name for link in arm.links] == ["arm", "top.turn1", "top.turn2", "top", "hand"]
    c, s = np.cos, np.sin
    axis = np.array([c(0.3) * c(-0.2), s(0.3) * c(-0.2), -s(-0.2)])  # Rz(0.3) Ry(−0.2) e_x
    engine = fa.Dynamics(arm)
    tip = engine.place("tip", engine.coordinates()).position
    assert tip == pytest.approx(np.array([1, 0, 0.1]) + 0.4 * axis, abs=1e-12)


def test_a_ball_near_its_singular_posture_is_remarked_and_mistakes_name_the_link_of_the_file():
    text = """
[[link]]
name = "top"
joint = { type = "ball", turns = [{}, { at = "75 deg" }, {}] }
length = 0.3
rigid = { mass = 1, inertia = [1, 1, 1] }
[[link]]
name = "hand"
joint = { type = "fixed" }
rigid = { mass = 1, inertia = [1, 1, 1] }
"""
    assert "starts 15° from the posture in which its first and last turns" in fa.parse_arm(text).remarks[0]
    assert fa.parse_arm(text.replace("75 deg", "5 deg")).remarks == ()
    with pytest.raises(fa.ModelError, match=r"link\[1\]\.rigid: mass is -1 kg"):
        fa.parse_arm(text.replace('"fixed" }\nrigid = { mass = 1', '"fixed" }\nrigid = { mass = -1'))


@pytest.mark.parametrize(
    ("joint", "sentence"),
    [
        (
            {"type": "ball", "turns": [{}, {}]},
            'type is "ball", must stand on a named link of an arm, turns, if',
        ),
        ({"type": "universal", "sleeve": True}, 'sleeve is given, must be given with type = "prismatic"'),
        ({"type": "revolute", "turns": [{}, {}]}, 'turns is given, must be given with type = "universal" or "ball"'),
        ({"type": "bal"}, 'type is "bal", must be "revolute", "prismatic" or "fixed"'),
    ],
)
def test_what_is_no_such_joint_is_refused(joint, sentence):
    with pytest.raises(fa.ModelError) as refused:
        fa.Arm(links=[body(**joint)])
    assert sentence in str(refused.value)
