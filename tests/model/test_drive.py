"""Servos, motors, gears and sleeves: what a joint has beside its law."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexarm.errors import ModelError
from flexarm.model import Arm, Gear, Joint, Link, Motor, Servo, format_arm, parse_arm, part_to_dict

BEAM = {"bending_stiffness": 1, "mass_per_length": 1}
WAYS = 'must have kp and kv, position_gain and velocity_gain, frequency and inertia, or tuning = "auto"'
SIZE = st.floats(1e-6, 1e6)


def turning(**fields: Any) -> Joint:
    return Joint(type="revolute", **fields)


def sliding(**fields: Any) -> Joint:
    return Joint(type="prismatic", **fields)


def sleeve(joint: dict[str, Any] | None = None, **fields: Any) -> Link:
    along = {"type": "prismatic", "axis": "x", "at": "0.5 m", "sleeve": True, **(joint or {})}
    return Link(**{"name": "boom", "length": "2 m", "beam": BEAM, "joint": along, **fields})


def lines(error: ModelError) -> list[str]:
    return [f"{problem.place}: {problem.message}" if problem.place else problem.message for problem in error.problems]


@given(SIZE, SIZE)
def test_a_servo_designed_for_a_frequency_has_half_of_it_and_is_critically_damped(f0: float, inertia: float) -> None:
    gains = turning(motion="go", servo={"frequency": f0, "inertia": inertia}).servo_gains()
    assert gains is not None
    kp, kv = gains
    assert kp == pytest.approx(math.pi**2 * f0**2 * inertia, rel=1e-14)
    assert kv == pytest.approx(2 * math.sqrt(inertia * kp), rel=1e-14)
    # inertia s² + kv s + kp has the double root -2π (f0/2); found from rounded numbers it is off by the root of ε.
    assert np.roots([inertia, kv, kp]) == pytest.approx(-math.pi * f0, rel=1e-7)


def test_gains_are_as_given_or_left_open() -> None:
    assert turning(motion="go", servo={"kp": "2 kN m/rad", "kv": "30 N m s/rad"}).servo_gains() == (2000, 30)
    assert sliding(motion="go", servo={"kp": "2 kN/m", "kv": "30 N s/m"}).servo_gains() == (2000, 30)
    assert turning(motion="go", servo="auto").servo_gains() is None
    assert turning(motion="go").servo_gains() is None


def test_cascaded_loops_are_a_product_of_gains_and_an_integrator() -> None:
    table = {
        "position_gain": "10 1/s",
        "velocity_gain": "50 N m s/rad",
        "integral_time": "20 ms",
        "feedforward": "none",
    }
    loops = turning(motion="go", servo=table).servo_loops()
    assert loops == (500.0, 50.0, 2500.0, 10.0, 0.0)
    assert turning(motion="go", servo={"kp": 2, "kv": 1}).servo_loops() == (2.0, 1.0, 0.0, 0.0, 1.0)
    limited = turning(motion="go", servo={"tuning": "auto", "torque_limit": "2 kN m"}).servo
    assert isinstance(limited, Servo) and limited.torque_limit == 2000 and limited.fed_forward == "rigid"


def test_a_servo_is_commanded_but_not_prescribed() -> None:
    joint = {"type": "revolute", "at": 1, "motion": "go", "servo": "auto"}
    link = {"name": "a", "joint": joint, "rigid": {"mass": 1, "inertia": [1, 1, 1]}}
    arm = Arm(links=[link], motions={"go": {"kind": "constant-rate", "rate": 2}})
    command = arm.motion_of("a")
    assert command is not None and command.evaluate(3.0)[0] == 7
    assert arm.links[0].joint.drive == "servo" and not arm.links[0].joint.prescribed


def test_a_motor_is_felt_by_the_square_of_its_ratio() -> None:
    motor = {"inertia": "1e-4 kg m^2", "gear_ratio": 100, "friction": "2e-5 N m s/rad"}
    assert turning(motor=motor).felt_inertia == pytest.approx(1.0, rel=1e-15)
    assert turning(motor=motor).felt_friction == pytest.approx(0.2, rel=1e-15)
    assert turning(motor={"inertia": 3}).felt_inertia == 3
    screw = sliding(motor={"inertia": 2, "gear_ratio": "10 rev/m", "friction": 5})
    assert screw.felt_inertia == pytest.approx(2 * (20 * math.pi) ** 2, rel=1e-14)
    assert screw.felt_friction == pytest.approx(5 * (20 * math.pi) ** 2, rel=1e-14)


def test_without_a_motor_the_rotor_inertia_is_felt() -> None:
    assert turning(rotor_inertia=2).felt_inertia == 2
    assert turning(rotor_inertia=2).felt_friction == 0


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (
            "revolute",
            {
                "motion": "go",
                "servo": {"kp": "10.0 N m/rad", "kv": "0.1 N m s/rad"},
                "motor": {"inertia": "0.1 kg m²", "gear_ratio": 30.0, "friction": "0.2 N m s/rad"},
                "gear": {"stiffness": "5.0 N m/rad", "damping": "0.3 N m s/rad"},
            },
        ),
        (
            "prismatic",
            {
                "motion": "go",
                "servo": {"frequency": "2.0 Hz", "inertia": "4.0 kg"},
                "motor": {"inertia": "0.1 kg m²", "gear_ratio": "1.0 rad/m"},
                "gear": {"stiffness": "5.0 N/m", "damping": "0.3 N s/m"},
            },
        ),
        ("prismatic", {"motion": "go", "servo": "auto", "axis": "x", "sleeve": True}),
    ],
)
def test_drives_are_written_in_the_units_of_their_joint_and_come_back(kind: str, fields: dict[str, Any]) -> None:
    joint = Joint(type=kind, **fields)
    written = part_to_dict(joint)
    assert written == {"type": kind, **fields}
    link = {"name": "a", "joint": joint, "length": 1, "beam": BEAM}
    arm = Arm(links=[link], motions={"go": {"kind": "hold"}})
    assert parse_arm(format_arm(arm)) == arm


def test_parts_and_tables_make_the_same_joint() -> None:
    tables: dict[str, Any] = {"servo": {"kp": 1, "kv": 2}, "motor": {"inertia": 3}, "gear": {"stiffness": 4}}
    parts = {"servo": Servo(kp=1, kv=2), "motor": Motor(inertia=3), "gear": Gear(stiffness=4)}
    assert turning(motion="go", **tables) == turning(motion="go", **parts)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"servo": "auto"}, "servo is given, must be given with motion"),
        ({"servo": "auto", "torque": "push"}, "servo is given, must be given with motion"),
        ({"motion": "go", "servo": "autp"}, 'servo is "autp", must be "auto" or a table (did you mean "auto"?)'),
        ({"motion": "go", "servo": 5}, 'servo is 5, must be "auto" or a table'),
        (
            {"motion": "go", "servo": {}},
            f"servo: has no values, {WAYS}",
        ),
        ({"motion": "go", "servo": {"kp": 1}}, "servo: kv is missing, must be given with kp"),
        ({"motion": "go", "servo": {"inertia": 1}}, "servo: frequency is missing, must be given with inertia"),
        (
            {"motion": "go", "servo": {"kp": 1, "kv": 1, "frequency": 1}},
            f"servo: has kp and kv together with frequency, {WAYS}",
        ),
        (
            {"motion": "go", "servo": {"kp": 1, "kv": 1, "integral_time": 1}},
            "servo: integral_time is given, must be given with position_gain and velocity_gain",
        ),
        (
            {"motion": "go", "servo": {"tuning": "auto", "encoder": "link"}},
            'servo: encoder is "link", must be "motor" where no gear gives way between motor and link',
        ),
        (
            {"motion": "go", "servo": {"position_gain": 1}},
            "servo: velocity_gain is missing, must be given with position_gain",
        ),
        ({"motion": "go", "servo": {"kp": 0, "kv": 1}}, "servo: kp is 0 N m/rad, must be > 0"),
        ({"motion": "go", "servo": {"kp": 1, "kv": -1}}, "servo: kv is -1 N m s/rad, must be ≥ 0"),
        (
            {"motion": "go", "servo": {"kp": "1 N/m", "kv": 1}},
            'servo: kp is "1 N/m", must be a rotational stiffness such as "100 N m/rad"',
        ),
        (
            {"type": "prismatic", "motion": "go", "servo": {"kp": "1 N m/rad", "kv": 1}},
            'servo: kp is "1 N m/rad", must be a stiffness such as "1e4 N/m"',
        ),
        (
            {"motion": "go", "servo": {"kp": 1, "kv": 1, "delay": 1}},
            "servo: delay is not a key known here, allowed are kp, kv, position_gain, velocity_gain, integral_time, "
            "frequency, inertia, tuning, feedforward, torque_limit, encoder",
        ),
        ({"motion": "go", "servo": "auto", "start_rate": 1}, "start_rate is given, must be given with torque or free"),
        ({"motor": {"gear_ratio": 3}}, "motor: inertia is missing, must be given"),
        ({"motor": "big"}, 'motor is "big", must be a table'),
        ({"motor": {"inertia": 1, "gear_ratio": 0}}, "motor: gear_ratio is 0, must be > 0"),
        ({"motor": {"inertia": 1, "gear_ratio": "3 rad/m"}}, 'motor: gear_ratio is "3 rad/m", must be a number'),
        (
            {"type": "prismatic", "motor": {"inertia": 1}},
            'motor: gear_ratio is missing, must be given for a prismatic joint, such as "628 rad/m"',
        ),
        (
            {"type": "prismatic", "motor": Motor(inertia=1)},
            'motor: gear_ratio is missing, must be given for a prismatic joint, such as "628 rad/m"',
        ),
        (
            {"type": "prismatic", "motor": {"inertia": 1, "gear_ratio": "3 m"}},
            'motor: gear_ratio is "3 m", must be a gear ratio such as "628 rad/m"',
        ),
        (
            {"motor": {"inertia": 1}, "rotor_inertia": 1},
            "rotor_inertia is given with motor, must be left to its inertia",
        ),
        ({"gear": {}}, "gear: stiffness is missing, must be given"),
        ({"gear": {"stiffness": 0}}, "gear: stiffness is 0 N m/rad, must be > 0"),
        ({"gear": {"stiffness": 1, "damping": -1}}, "gear: damping is -1 N m s/rad, must be ≥ 0"),
        (
            {"type": "fixed", "gear": {"stiffness": 1}},
            "gear is given, a fixed joint must have only offset and rotation",
        ),
        ({"type": "fixed", "sleeve": True}, "sleeve is given, a fixed joint must have only offset and rotation"),
        ({"sleeve": True}, 'sleeve is given, must be given with type = "prismatic"'),
        ({"sleeve": "yes"}, 'sleeve is "yes", must be true or false'),
        (
            {"type": "prismatic", "sleeve": True, "zero": 1},
            "zero is given with sleeve, must be left out: the coordinate is the length outside",
        ),
    ],
)
def test_contradictory_drives_are_refused_in_one_sentence(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ModelError) as error:
        Joint(**{"type": "revolute", **fields})
    assert lines(error.value) == [sentence]


@pytest.mark.parametrize("direction", ["x", "-x", "y", [3, 4, 0], [1, 2, 3]])
def test_a_beam_slides_out_of_its_sleeve_along_itself(direction: Any) -> None:
    link = sleeve({"axis": direction}, direction=direction)
    assert link.joint.sleeve and link.joint.axis == link.direction


@pytest.mark.parametrize("at", ["0 m", "2000 mm", 1])
def test_a_sleeve_may_hold_all_of_the_beam_or_none(at: Any) -> None:
    assert 0 <= sleeve({"at": at}).joint.at <= 2


@pytest.mark.parametrize(
    ("joint", "fields", "sentence"),
    [
        (
            {},
            {"beam": None, "rigid": {"mass": 1, "inertia": 1}},
            "joint: sleeve is given for a rigid link, must be given with beam",
        ),
        (
            {"axis": "z"},
            {},
            "joint: axis is [0, 0, 1], must be the link's direction, [1, 0, 0], with sleeve",
        ),
        (
            {"axis": "-x"},
            {},
            "joint: axis is [-1, 0, 0], must be the link's direction, [1, 0, 0], with sleeve",
        ),
        ({"at": 2.1}, {}, "joint: at is 2.1 m, must be from 0 m to the link's length, 2 m, with sleeve"),
        ({"at": "-1 mm"}, {}, "joint: at is -0.001 m, must be from 0 m to the link's length, 2 m, with sleeve"),
        (
            {},
            {"hub": {"mass": 1}},
            "hub is given with joint.sleeve, must be part of the link that carries the sleeve",
        ),
        (
            {},
            {"payload": [{"mass": 1}, {"mass": 1, "at": 1}]},
            "payload[1]: at is 1 m, must be left out: only the tip stays outside joint.sleeve",
        ),
    ],
)
def test_a_sleeve_that_holds_no_beam_is_refused_in_one_sentence(
    joint: dict[str, Any], fields: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ModelError) as error:
        sleeve(joint, **fields)
    assert lines(error.value) == [sentence]


def test_a_sleeve_lies_along_z_in_a_denavit_hartenberg_row() -> None:
    joint = {"type": "prismatic", "sleeve": True, "at": 0.5}
    with pytest.raises(ModelError) as error:
        Link(name="a", joint=joint, beam=BEAM, dh={"a": 1})
    assert lines(error.value) == [
        "joint: sleeve is given with the link's dh, whose a is not 0 m, must be given with a = 0",
    ]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"points": [{"name": "p", "link": "boom", "at": 1}]}, "point[0]: at is 1 m"),
        ({"loads": [{"link": "boom", "at": 1, "force": [1, 0, 0]}]}, "load[0]: at is 1 m"),
    ],
)
def test_of_a_beam_in_a_sleeve_only_the_tip_can_be_named(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ModelError) as error:
        Arm(links=[sleeve()], **fields)
    assert lines(error.value) == [f'{sentence}, must be left out: of "boom" only the tip stays outside']


def test_what_stands_on_a_beam_in_a_sleeve_stands_on_its_tip() -> None:
    hand: dict[str, Any] = {"name": "hand", "joint": {"type": "fixed"}, "rigid": {"mass": 1, "inertia": [1, 1, 1]}}
    assert Arm(links=[sleeve(), {**hand, "parent_at": 2}]).parents == (-1, 0)
    with pytest.raises(ModelError, match=r"link\[1\]: parent_at is 1 m, must be left out"):
        Arm(links=[sleeve(), {**hand, "parent_at": 1}])


def test_an_arm_that_turns_and_slides_along_its_link_needs_no_row() -> None:
    # Naganathan's R-P arm: a vertical turn, then a beam that slides out along its own axis.
    arm = Arm(
        links=[
            {
                "name": "turret",
                "joint": {"type": "revolute", "motion": "go"},
                "rigid": {"mass": 1, "inertia": [1, 1, 1]},
            },
            sleeve({"motion": "go"}),
        ],
        motions={"go": {"kind": "cycloidal", "travel": 0.4, "duration": 1}},
    )
    command = arm.motion_of("boom")
    assert command is not None and command.evaluate(2.0)[0] == pytest.approx(0.9, rel=1e-14)
