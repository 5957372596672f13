"""Joints and links: drives, frames, Denavit-Hartenberg rows, bodies and what they carry."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from flexarm.errors import ModelError
from flexarm.model import Axisymmetric, Damping, Formulation, Hub, Joint, Link, Payload, Rigid
from flexarm.model.parts.frames import rotation_from_angles, rotation_onto
from flexarm.model.parts.inertia import inertia_matrix

ANGLE = st.floats(-7, 7)
RIGID = {"mass": 1, "inertia": [1, 1, 1]}
BEAM = {"bending_stiffness": 1, "mass_per_length": 1}


def turn(axis: int, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    R = np.eye(3)
    R[i, i] = R[j, j] = c
    R[i, j], R[j, i] = -s, s
    return R


@given(ANGLE, ANGLE, ANGLE)
def test_angles_turn_about_fixed_x_then_y_then_z(x: float, y: float, z: float) -> None:
    assert rotation_from_angles((x, y, z)) == pytest.approx(turn(2, z) @ turn(1, y) @ turn(0, x), abs=1e-15)


@given(st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: np.linalg.norm(v) > 0.1))
@example((-1.0, 1e-7, 1e-9))
@example((-1.0, 1e-200, 0.0))
def test_a_beam_s_axes_are_a_rotation_whose_x_is_the_link_s_direction(v: tuple[float, float, float]) -> None:
    axis = Link(name="a", joint={"type": "fixed"}, direction=v, rigid=RIGID).direction
    R = rotation_onto(axis)
    assert R[:, 0] == pytest.approx(axis, abs=1e-15)
    assert R.T @ R == pytest.approx(np.eye(3), abs=1e-14)
    assert np.linalg.det(R) == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize("direction", ["x", "y", "-x", "-y", [3, 4, 0]])
def test_in_the_plane_the_beam_s_z_is_the_link_s_z(direction: Any) -> None:
    link = Link(name="a", joint={"type": "fixed"}, direction=direction, rigid=RIGID)
    assert link.axis_rotation[:, 2] == pytest.approx([0, 0, 1], abs=0)


@pytest.mark.parametrize(
    ("fields", "drive"),
    [
        ({}, "locked"),
        ({"locked": True}, "locked"),
        ({"free": True}, "free"),
        ({"motion": "stop"}, "motion"),
        ({"motion": "stop", "servo": "auto"}, "servo"),
        ({"motion": "stop", "servo": {"kp": 1, "kv": 0}}, "servo"),
        ({"torque": "push"}, "torque"),
        ({"free": False, "motion": "a"}, "motion"),
    ],
)
def test_a_joint_has_one_drive(fields: dict[str, Any], drive: str) -> None:
    joint = Joint(type="revolute", **fields)
    assert joint.drive == drive
    assert joint.prescribed == (drive in ("locked", "motion"))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"motion": "a", "torque": "b"},
            "has motion and torque, must have only one of motion, torque, locked and free",
        ),
        ({"rate": "1 rad/s"}, "rate is given, must be given with motion"),
        ({"free": True, "delay": 1}, "delay is given, must be given with motion or torque"),
        ({"motion": "a", "start_rate": 1}, "start_rate is given, must be given with torque or free"),
        ({"type": "fixed", "at": 1}, "at is given, a fixed joint must have only offset and rotation"),
        ({"type": "fixed", "motion": "a"}, "motion is given, a fixed joint"),
        ({"at": "1 m"}, 'at is "1 m", must be an angle such as "90 deg"'),
        ({"type": "prismatic", "at": "1 deg"}, 'at is "1 deg", must be a length such as "0.2 m"'),
        ({"type": "prismatic", "stiffness": "1 N m/rad"}, "must be a stiffness such as"),
        ({"type": "revolut"}, 'must be "revolute", "prismatic" or "fixed" (did you mean "revolute"?)'),
        ({"axis": [0, 0, 0]}, "axis is [0, 0, 0], must point somewhere"),
        ({"axis": "w"}, 'axis is "w", must be "x", "y", "z", "-x", "-y" or "-z" or three numbers'),
        ({"offset": [1, 2]}, "offset has 2 entries, must have 3"),
        ({"rotation": 5}, "rotation is 5, must be a list of 3, each an angle"),
        ({"damping": -1}, "damping is -1 N m s/rad, must be ≥ 0"),
        ({"locked": "yes"}, 'locked is "yes", must be true or false'),
        ({"motion": ""}, 'motion is "", must be 1 to 200 printable characters'),
    ],
)
def test_contradictory_joints_are_refused(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ModelError) as error:
        Joint(**{"type": "revolute", **fields})
    assert sentence in str(error.value)


@given(st.tuples(*[st.floats(-1e3, 1e3)] * 3).filter(lambda v: np.linalg.norm(v) > 1e-3))
def test_normalising_an_axis_twice_changes_no_bit(v: tuple[float, float, float]) -> None:
    axis = Joint(type="revolute", axis=v).axis
    assert np.linalg.norm(axis) == pytest.approx(1, abs=1e-15)
    assert Joint(type="revolute", axis=axis).axis == axis


def test_the_spring_rests_where_the_joint_starts_unless_given() -> None:
    assert Joint(type="revolute", at="90 deg").spring_rest == np.pi / 2
    assert Joint(type="revolute", at="90 deg", rest=1).spring_rest == 1


def pose(link: Link, q: float) -> np.ndarray:
    """Parent tip frame to link tip frame at the joint coordinate q, built from the link's own fields."""
    T = np.eye(4)
    joint = link.joint
    T[:3, :3], T[:3, 3] = joint.rotation_matrix, joint.offset
    moved = np.eye(4)
    if joint.type == "revolute":
        moved[:3, :3] = turn(2, q + joint.zero)
    else:
        moved[2, 3] = q + joint.zero
    tip = np.eye(4)
    tip[:3, :3], tip[:3, 3] = link.tip_rotation_matrix, link.tip_position
    return T @ moved @ tip


@given(st.floats(-2, 2), ANGLE, st.floats(-2, 2), ANGLE, st.floats(-3, 3), st.sampled_from(["revolute", "prismatic"]))
def test_a_denavit_hartenberg_row_places_the_next_link(
    a: float, alpha: float, d: float, theta: float, q: float, kind: str
) -> None:
    row = {"a": a, "alpha": alpha, "d": d, "theta": theta}
    link = Link(name="a", joint={"type": kind}, rigid=RIGID, dh=row)
    along = q if kind == "prismatic" else 0.0
    expected = np.eye(4)
    expected[:3, :3] = turn(2, theta + (q if kind == "revolute" else 0.0))
    expected[2, 3] = d + along
    shift = np.eye(4)
    shift[:3, :3], shift[0, 3] = turn(0, alpha), a
    assert pose(link, q) == pytest.approx(expected @ shift, abs=1e-14)
    assert link.dh is None and link.length == abs(a)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"length": 1}, "length is given with dh, must be left to it"),
        ({"tip_rotation": [0, 0, 1]}, "tip_rotation is given with dh"),
        ({"joint": {"type": "revolute", "axis": "x"}}, "joint: axis is given with the link's dh"),
        ({"joint": Joint(type="revolute", offset=[0, 0, 1])}, "joint: offset is given with the link's dh"),
        ({"dh": {"a": "1 deg"}}, 'dh: a is "1 deg", must be a length'),
    ],
)
def test_a_row_with_what_it_replaces_is_refused(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ModelError) as error:
        Link(**{"name": "a", "joint": {"type": "revolute"}, "rigid": RIGID, "dh": {"a": 1}, **fields})
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "has neither rigid nor beam, must have exactly one"),
        ({"rigid": RIGID, "beam": BEAM, "length": 1}, "has both rigid and beam, must have exactly one"),
        ({"beam": BEAM}, "length is 0 m, must be > 0 for a beam"),
        ({"rigid": RIGID, "length": "-1 m"}, 'length is "-1 m", must be ≥ 0'),
        ({"rigid": RIGID, "model": {}}, "model is given for a rigid link, must be given with beam"),
        ({"rigid": RIGID, "damping": {"ratio": 0.1}}, "damping is given for a rigid link"),
        ({"rigid": RIGID, "payload": {"mass": 1, "at": 1}}, "payload[0]: at is 1 m, must be ≤ the link's length, 0 m"),
        ({"rigid": {"mass": 1}}, "rigid: inertia is missing"),
        ({"rigid": {"mass": 1, "inertia": [[1, 2], [3, 4], [5, 6]]}}, "inertia is not a 3 by 3 matrix"),
        ({"rigid": {"mass": 1, "inertia": [[1, 0, 0], [1, 1, 0], [0, 0, 1]]}}, "is not a symmetric matrix"),
        ({"rigid": {"mass": 1, "inertia": [[1, 2, 0], [2, 1, 0], [0, 0, 1]]}}, "has a negative principal moment"),
        ({"rigid": {"mass": 1, "inertia": [1, -1, 1]}}, "inertia[1] is -1 kg m², must be ≥ 0"),
        ({"rigid": {"mass": 1, "inertia": {"along": 1}}}, "rigid.inertia: across is missing"),
        ({"length": 1, "beam": BEAM, "damping": {}}, "damping: has none of retardation, ratio and per_spring"),
        ({"length": 1, "beam": BEAM, "damping": {"ratio": 1, "per_spring": 1}}, "has ratio and per_spring of"),
        ({"length": 1, "beam": BEAM, "damping": {"per_spring": 1, "mode": 2}}, "mode is given with per_spring"),
        ({"length": 1, "beam": BEAM, "model": {"elements": 0}}, "elements is 0, must be a whole number from 1 to"),
        ({"length": 1, "beam": BEAM, "model": {"elements": 2.5}}, "elements is 2.5, must be a whole number"),
        ({"length": 1, "beam": BEAM, "model": {"freedoms": ["bend"]}}, 'freedoms is ["bend"], must be a list of'),
    ],
)
def test_contradictory_links_are_refused(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ModelError) as error:
        Link(name="a", joint={"type": "revolute"}, **fields)
    assert sentence in str(error.value)


def test_the_hub_moves_everything_outwards() -> None:
    hub = Hub(radius="5 cm", mass=1, inertia=0.3)
    link = Link(
        name="a", joint={"type": "revolute"}, length=2, direction="y", rigid=RIGID, hub=hub, tip_offset=[0, 0, 0.1]
    )
    assert link.mass_centre == pytest.approx([0, 1.05, 0])
    assert link.tip_position == pytest.approx([0, 2.05, 0.1])
    assert link.point_at(0.5) == pytest.approx([0, 0.55, 0])


def test_inertias_become_matrices_in_the_link_s_axes() -> None:
    assert inertia_matrix(2.0, (1, 0, 0)) == pytest.approx(np.diag([0, 0, 2]))
    assert inertia_matrix((1.0, 2.0, 3.0), (1, 0, 0)) == pytest.approx(np.diag([1, 2, 3]))
    round_body = Axisymmetric(along=1, across=5)
    assert inertia_matrix(round_body, (0, 0, 1)) == pytest.approx(np.diag([5, 5, 1]))
    R = rotation_onto((0.6, 0.0, 0.8))
    assert inertia_matrix(round_body, (0.6, 0.0, 0.8)) == pytest.approx(R @ np.diag([1, 5, 5]) @ R.T)


def test_one_payload_or_many() -> None:
    link = Link(name="a", joint={"type": "fixed"}, rigid=RIGID, payload={"mass": 1})
    assert link.payloads == (Payload(mass=1),)
    link = Link(name="a", joint={"type": "fixed"}, rigid=RIGID, payloads=[Payload(mass=1), {"mass": 2}])
    assert [payload.mass for payload in link.payloads] == [1, 2]


def test_a_beam_says_nothing_and_gets_cubic_elements_whose_number_is_left_to_the_arm() -> None:
    link = Link(name="a", joint={"type": "fixed"}, length=1, beam=BEAM)
    assert link.formulation == Formulation(formulation="hermite")
    assert link.formulation.elements == 0
    assert link.effective_damping is None


def test_parts_are_frozen_and_changed_makes_a_checked_copy() -> None:
    rigid = Rigid(mass=1, inertia=2)
    with pytest.raises(Exception, match="frozen"):
        rigid.mass = 2  # type: ignore[misc]
    assert rigid.changed(mass="2 kg") == Rigid(mass=2, inertia=2)
    with pytest.raises(ModelError, match="mass is -1 kg, must be ≥ 0"):
        rigid.changed(mass=-1)


def test_changed_takes_the_names_of_python_and_of_model_files() -> None:
    link = Link(name="a", joint={"type": "fixed"}, length=1, beam=BEAM, payload={"mass": 1})
    for name in ("payload", "payloads"):
        assert [payload.mass for payload in link.changed(**{name: {"mass": 2}}).payloads] == [2]
        assert link.changed(**{name: None}).payloads == ()


def test_damping_says_which_of_three_ways() -> None:
    assert Damping(ratio="5 %").mode == 1
    assert Damping(retardation="63 us").retardation == 63e-6


def test_an_axis_has_no_negative_zeros():
    # "y" brings back (0, 1, 0), so that is what is kept
    axis = Joint(type="revolute", axis=[0, 2, -5e-324]).axis
    assert not np.any(np.signbit(axis))


@pytest.mark.parametrize("length", [5e-324, 1e-12])
def test_a_beam_too_short_for_its_stiffness_to_be_a_number_is_refused(length):
    joint, beam = {"type": "fixed"}, {"bending_stiffness": 1.0, "mass_per_length": 1.0}
    with pytest.raises(ModelError, match="must be ≥ 1e-09 m for a beam"):
        Link(name="a", joint=joint, length=length, beam=beam)
    assert Link(name="a", joint=joint, length=1e-6, beam=beam).length == 1e-6
    assert Link(name="a", joint=joint, length=length, rigid=RIGID).length == length
