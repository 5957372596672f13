"""Motions made of others: shifted copies, sums, and names that lead nowhere or back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from flexarm.errors import FlexarmError, ModelError
from flexarm.model import Arm, MotionLaw, format_arm, parse_arm

GO = {"kind": "cycloidal", "travel": "60 deg", "duration": "1 s", "begin": "0.1 s"}
STOP = {"kind": "brake", "travel_time": "2 s", "braking_time": "1 s"}
TIMES = np.linspace(-1.0, 5.0, 301)


def arm(joint: dict[str, Any], **motions: Any) -> Arm:
    """One rigid link whose joint is moved."""
    link = {"name": "a", "joint": {"type": "revolute", **joint}, "rigid": {"mass": 1, "inertia": [1, 1, 1]}}
    return Arm(links=[link], motions=motions)


def shaped(of: str, *impulses: Any) -> dict[str, Any]:
    """A shaped law."""
    return {"kind": "shaped", "of": of, "impulses": list(impulses)}


def test_a_shaped_law_is_the_sum_of_its_shifted_copies() -> None:
    plain = arm({"motion": "go"}, go=GO).motion_of("a")
    found = arm({"motion": "s"}, go=GO, s=shaped("go", [0, 0.25], ["0.3 s", 0.5], [0.6, 0.25])).motion_of("a")
    assert plain is not None and found is not None
    for k in range(3):
        wanted = sum(w * plain.evaluate(TIMES - t)[k] for t, w in ((0.0, 0.25), (0.3, 0.5), (0.6, 0.25)))
        # rounding of polynomials about other starts; accelerations are of size 10
        assert found.evaluate(TIMES)[k] == pytest.approx(wanted, abs=1e-12)


def test_the_travel_stays_whatever_the_impulses_even_if_their_sizes_are_rounded() -> None:
    for impulses in ([[0, 0.3333333], [1, 0.6666668]], [[-0.1, 1.7], [0.2, -0.7]], [[2, 1]]):
        law = arm({"motion": "s"}, go=GO, s=shaped("go", *impulses)).motion_of("a")
        assert law is not None
        value, rate, _ = law.evaluate(10.0)
        assert value == pytest.approx(np.pi / 3, abs=1e-15) and rate == 0


def test_scale_and_delay_of_the_joint_act_on_a_shaped_law_as_on_any_other() -> None:
    law = arm({"motion": "s", "scale": -2.0, "delay": 0.5, "at": 1.0}, go=GO, s=shaped("go", [0, 0.5], [0.2, 0.5]))
    bare = arm({"motion": "s"}, go=GO, s=shaped("go", [0, 0.5], [0.2, 0.5])).motion_of("a")
    found = law.motion_of("a")
    assert found is not None and bare is not None
    assert found.evaluate(TIMES)[0] == pytest.approx(1.0 - 2.0 * bare.evaluate(TIMES - 0.5)[0], abs=1e-13)


def test_a_rate_goes_to_the_law_that_takes_one_through_shapers_and_sums() -> None:
    knots = {"kind": "acceleration", "times": [0, 1, 2, 3], "values": [0, 1, -1, 0]}
    motions = {"stop": STOP, "s": shaped("stop", [-0.1, 0.5], [0.1, 0.5]), "k": knots}
    motions["all"] = {"kind": "sum", "of": ["s", "k"]}
    found = arm({"motion": "all", "rate": "3 rad/s"}, **motions).motion_of("a")
    stop, extra = MotionLaw(**STOP).pieces(3.0), MotionLaw(**knots).pieces()
    assert found is not None
    wanted = 0.5 * (stop.evaluate(TIMES + 0.1)[0] + stop.evaluate(TIMES - 0.1)[0]) + extra.evaluate(TIMES)[0]
    assert found.evaluate(TIMES)[0] == pytest.approx(wanted, abs=1e-12)


def test_an_acceleration_through_knots_integrates_to_rate_and_travel() -> None:
    law = MotionLaw(kind="acceleration", times=[1, 2, 4], values=[0, 3, 0], rate=2).pieces()
    # triangles: (1 + 2)/2 · 3 = 4.5 of rate; to the left of the start the line 2 t
    assert law.evaluate([0.0, 1.0])[0] == pytest.approx([0.0, 2.0], abs=1e-15)
    assert law.evaluate(4.0)[1] == pytest.approx(6.5, abs=1e-14)
    # ∫∫: each triangle's area times the distance of its centroid from the end, and 2 · 4 of the line
    assert law.evaluate(4.0)[0] == pytest.approx(8.0 + 1.5 * (4 - 5 / 3) + 3.0 * (4 - 8 / 3), abs=1e-13)
    steps = MotionLaw(kind="acceleration", times=[0, 1, 2], values=[2, -2], interpolation="steps").pieces()
    assert tuple(steps.evaluate(3.0)) == (2.0, 0.0, 0.0)


def test_an_s_curve_is_three_boxes_through_one_another() -> None:
    law = MotionLaw(kind="s-curve", travel=2, duration=3.0, acceleration_time=1.0, jerk_time=0.3).pieces()
    h = 1e-3
    rate = np.ones(2000) * h / 2.0
    for width in (700, 300):
        rate = np.convolve(rate, np.ones(width) / width)
    t = h * (np.arange(len(rate)) + 0.5 - 1.0)
    # the boxes are sampled: first order in the sampling step
    assert law.evaluate(t)[1] == pytest.approx(2.0 * rate / h, abs=5e-3)
    assert law.evaluate(3.0, "left")[0] == pytest.approx(2.0, abs=1e-14)


def test_laws_made_of_others_come_back_from_a_file_to_the_bit() -> None:
    motions = {"go": GO, "s": shaped("go", [0, 0.1], [7 / 3, 0.9]), "k": {"kind": "hold"}}
    made = arm({"motion": "all"}, **motions, all={"kind": "sum", "of": ["s", "k"]})
    assert parse_arm(format_arm(made)) == made
    assert 'impulses = [["0.0 s", 0.1], ["2.3333333333333335 s", 0.9]]' in format_arm(made)


def test_only_an_arm_knows_what_a_law_made_of_others_does() -> None:
    with pytest.raises(FlexarmError, match='the law is made of "go", must be asked for by Arm'):
        MotionLaw(kind="shaped", of="go", impulses=[[0, 1]]).pieces()


@pytest.mark.parametrize(
    ("motions", "sentence"),
    [
        ({"s": shaped("gone", [0, 1]), "go": GO}, 'motion.s: of is "gone", must be the name of a [motion.NAME]'),
        ({"s": shaped("s", [0, 1])}, "motion.s: of leads back to this law, must lead to others"),
        (
            {"s": shaped("t", [0, 1]), "t": {"kind": "sum", "of": ["go", "s"]}, "go": GO},
            "motion.t: of leads back to this law",
        ),
        ({"s": shaped("go", [0, 0.9]), "go": GO}, "motion.s: sizes of impulses sum to 0.9, must sum to 1"),
        ({"s": shaped("go"), "go": GO}, "motion.s: impulses is [], must be pairs of time and size"),
        ({"s": shaped("go", [0, 0.5], [1]), "go": GO}, "impulses[1] is [1], must be a time and a size"),
        ({"s": shaped("go", ["1 m", 1]), "go": GO}, 'impulses[0][0] is "1 m", must be a time'),
        ({"s": {"kind": "sum", "of": "go"}, "go": GO}, 'motion.s: of is "go", must be a list of 2 names or more'),
        ({"s": shaped("stop", [0, 1]), "stop": STOP}, "rate is missing, must be given here or in [motion.s]"),
        (
            {"s": shaped("go", [0, 1]), "go": {**GO, "travel": "1 m"}},
            'motion is "s", whose values are in m, must be in rad',
        ),
        (
            {"s": {"kind": "sum", "of": ["go", "b"]}, "go": GO, "b": {**GO, "duration": "2 s"}},
            'its motion "s" cannot be made: sines of 6.28319 and 3.14159 rad/s cannot be added',
        ),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(motions: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ModelError) as error:
        arm({"motion": "s"}, **motions)
    assert sentence in str(error.value)


def test_a_rate_that_no_part_takes_is_refused() -> None:
    with pytest.raises(ModelError, match="rate is given, which the shaped law of"):
        arm({"motion": "s", "rate": 1.0}, go=GO, s=shaped("go", [0, 1]))
