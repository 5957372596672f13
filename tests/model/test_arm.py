"""The arm as a whole: its tree, its commands, its names, its plane."""

from __future__ import annotations

import copy
import math
import pickle
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flexarm.errors import FlexarmError, ModelError
from flexarm.model import Arm, Joint, Link, Load, Point, arm_from_dict, format_arm, parse_arm, read_arm

EXAMPLES = Path(__file__).parents[2] / "examples"
RIGID = {"mass": 1, "inertia": [1, 1, 1]}


def link(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "joint": {"type": "revolute"}, "length": 1, "rigid": RIGID, **fields}


def arm(*links: Any, **fields: Any) -> Arm:
    return Arm(links=list(links), **fields)


def refused(*links: Any, **fields: Any) -> str:
    with pytest.raises(ModelError) as error:
        arm(*links, **fields)
    return str(error.value)


def test_every_link_hangs_on_the_one_before_unless_given() -> None:
    tree = arm(link("a"), link("b"), link("c", parent="a"), link("d", parent="base"))
    assert tree.parents == (-1, 0, 0, -1)
    assert tree.base_to_tip == (0, 1, 2, 3)


def test_carriers_come_first_whatever_the_order_in_the_file() -> None:
    tree = arm(link("hand", parent="arm"), link("arm", parent="column"), link("column", parent="base"))
    assert tree.parents == (1, 2, -1)
    assert tree.base_to_tip == (2, 1, 0)
    assert tree.observed == (Point(name="tip", link="hand"),)


def test_the_tip_is_observed_unless_the_arm_names_its_own() -> None:
    mine = {"name": "tip", "link": "a", "at": 0.5}
    assert arm(link("a"), link("b"), points=[mine]).observed == (Point(**mine),)
    other = {"name": "elbow", "link": "a"}
    assert [point.name for point in arm(link("a"), link("b"), points=[other]).observed] == ["tip", "elbow"]


def test_commands_are_the_law_scaled_delayed_and_raised_to_where_the_joint_starts() -> None:
    joint = {"type": "revolute", "at": "90 deg", "motion": "go", "rate": 2, "scale": -3, "delay": 0.5}
    machine = arm(link("a", joint=joint), motions={"go": {"kind": "constant-rate"}})
    command = machine.motion_of("a")
    assert command is not None
    assert command.evaluate(1.5)[0] == pytest.approx(math.pi / 2 - 6, abs=1e-15)
    assert machine.torque_of("a") is None


def test_a_locked_joint_is_commanded_to_stay_and_a_free_one_is_not_commanded() -> None:
    machine = arm(link("a", joint={"type": "revolute", "at": 1}), link("b", joint={"type": "revolute", "free": True}))
    command = machine.motion_of("a")
    assert command is not None and tuple(command.evaluate(7.0)) == (1, 0, 0)
    assert machine.motion_of(machine.links[1]) is None


def test_torques_and_load_factors_follow_their_laws() -> None:
    torques = {"push": {"kind": "constant", "value": "3 N m"}, "pulse": {"kind": "polynomial", "coefficients": [0, 1]}}
    loads = [{"link": "a", "force": [1, 0, 0], "law": "pulse"}, Load(link="a", moment=[0, 0, 1])]
    joint = {"type": "revolute", "torque": "push", "scale": 2}
    machine = arm(link("a", joint=joint), torques=torques, loads=loads)
    torque = machine.torque_of("a")
    assert torque is not None and torque.evaluate(0.5)[0] == 6
    assert machine.factor_of(machine.loads[0]).evaluate(0.5)[0] == 0.5
    assert machine.factor_of(machine.loads[1]).evaluate(0.5)[0] == 1


def test_the_planar_example_moves_as_described() -> None:
    machine = read_arm(EXAMPLES / "rod_handler.toml")
    ends = [machine.motion_of(part).evaluate(2.0)[0] for part in machine.links]  # type: ignore[union-attr]
    assert np.degrees(ends) == pytest.approx([90 + 56.25, 56.25, -90 + 112.5], abs=1e-12)
    switches = machine.motion_of("rod").switch_times  # type: ignore[union-attr]
    assert switches == pytest.approx([1.25 - 0.2545, 1.25 + 0.2545], abs=1e-15)


def test_the_spatial_example_weighs_what_the_paper_says() -> None:
    machine = read_arm(EXAMPLES / "spatial_rod.toml")
    rod = machine.link("rod").beam
    assert rod is not None
    p = rod.properties()
    # Printed per rigid element of 0.2 m: 0.49071 kg, 2.45355e-5 kg m² about its axis, k = 7.93252e3 N m/rad.
    assert p.mass_per_length * 0.2 == pytest.approx(0.49071, rel=1e-12)
    assert p.jx * 0.2 == pytest.approx(2.45355e-5, rel=1e-12)
    assert p.EIy == p.EIz and p.EIz / 0.2 == pytest.approx(7.93252e3, rel=1e-12)  # type: ignore[operator]
    assert machine.link("column").inertia_matrix == pytest.approx(np.diag([1.5412, 1.5412, 0.224]))
    assert machine.link("forearm").inertia_matrix == pytest.approx(np.diag([3.766, 0.032, 3.766]))


@pytest.mark.parametrize(
    ("links", "fields", "sentence"),
    [
        ([], {}, "link is an empty list, must have at least one link"),
        ([link("a"), link("a")], {}, 'link[1]: name is "a" as that of link[0], must be unique'),
        ([link("base")], {}, 'link[0]: name is "base", which is taken by the ground'),
        (
            [link("arm"), link("b", parent="amr")],
            {},
            'parent is "amr", must be "base" or the name of a link (did you mean "arm"?)',
        ),
        (
            [link("a", parent="b"), link("b")],
            {},
            'link[0]: parent is "b", which leads back to this link, must lead to the base',
        ),
        ([link("a", parent="a")], {}, 'link[0]: parent is "a", which leads back to this link'),
        ([link("a", parent_at=1)], {}, "link[0]: parent_at is given on the base"),
        ([link("a"), link("b", parent_at=2)], {}, 'link[1]: parent_at is 2 m, must be ≤ the length of "a", 1 m'),
        (
            [link("a", joint={"type": "revolute", "motion": "x"})],
            {},
            'link[0].joint: motion is "x", must be the name of a [motion.NAME]',
        ),
        (
            [link("a", joint={"type": "revolute", "torque": "x"})],
            {},
            'link[0].joint: torque is "x", must be the name of a [torque.NAME]',
        ),
        (
            [link("a")],
            {"loads": [{"link": "b", "force": [1, 0, 0]}]},
            'load[0]: link is "b", must be the name of a link',
        ),
        (
            [link("a")],
            {"loads": [{"link": "a", "force": [1, 0, 0], "law": "x"}]},
            'load[0]: law is "x", must be the name of a [torque.NAME]',
        ),
        ([link("a")], {"loads": [{"link": "a"}]}, "load[0]: has neither force nor moment"),
        (
            [link("a")],
            {"loads": [{"link": "a", "at": 2, "force": [1, 0, 0]}]},
            'load[0]: at is 2 m, must be ≤ the length of "a", 1 m',
        ),
        ([link("a")], {"points": [{"name": "p", "link": "c"}]}, 'point[0]: link is "c", must be the name of a link'),
        ([link("a")], {"points": [{"name": "p", "link": "a"}] * 2}, 'point[1]: name is "p" as that of point[0]'),
        ([link("a")], {"points": [{"name": "p", "link": "a", "at": 1.1}]}, "point[0]: at is 1.1 m, must be ≤"),
        (
            [link("a")],
            {"motions": {"": {"kind": "hold"}}},
            'motion: a name is "", must be 1 to 200 printable characters',
        ),
        ([link("a")], {"motions": {5: {"kind": "hold"}}}, "motion: a name is 5, must be text"),
        ([link("a", rigid={"mass": 1, "inertia": 1})], {}, "inertia is one number, which only a planar arm can use"),
        ([link("a", rigid={"mass": 1, "inertia": [1, 1, 3]})], {}, "the largest must be ≤ the sum of the others"),
        ([link("a", payload={"mass": 1, "inertia": {"along": 3, "across": 1}})], {}, "link[0].payload[0]: inertia has"),
    ],
)
def test_parts_that_do_not_fit_are_refused(links: list[Any], fields: dict[str, Any], sentence: str) -> None:
    assert sentence in refused(*links, **fields)


@pytest.mark.parametrize(
    ("joint", "fields", "sentence"),
    [
        (
            {"motion": "go"},
            {"motions": {"go": {"kind": "constant-rate"}}},
            "rate is missing, must be given here or in [motion.go]",
        ),
        (
            {"motion": "go", "rate": 1},
            {"motions": {"go": {"kind": "hold"}}},
            'which the hold law of "go" has no use for',
        ),
        (
            {"motion": "go"},
            {"motions": {"go": {"kind": "constant-rate", "rate": "1 m/s"}}},
            'motion is "go", whose values are in m, must be in rad',
        ),
        (
            {"torque": "go"},
            {"torques": {"go": {"kind": "constant", "value": "1 N"}}},
            'torque is "go", whose values are in N, must be in N m',
        ),
        (
            {"type": "prismatic", "torque": "go"},
            {"torques": {"go": {"kind": "constant", "value": "1 N m"}}},
            "are in N m, must be in N",
        ),
    ],
)
def test_laws_that_do_not_suit_their_joint_are_refused(joint: dict[str, Any], fields: Any, sentence: str) -> None:
    assert sentence in refused(link("a", joint={"type": "revolute", **joint}), **fields)


def test_a_loop_is_found_wherever_the_search_for_it_begins() -> None:
    sentence = refused(link("c", parent="a"), link("a", parent="b"), link("b", parent="a"))
    assert sentence == 'Arm: link[1]: parent is "b", which leads back to this link, must lead to the base'


def test_a_load_s_law_is_a_plain_factor() -> None:
    torques = {"push": {"kind": "constant", "value": "3 N m"}}
    loads = [{"link": "a", "force": [1, 0, 0], "law": "push"}]
    assert 'law is "push", whose values are in N m, must be plain numbers' in refused(
        link("a"), torques=torques, loads=loads
    )


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"joint": {"type": "revolute", "axis": "x"}}, "link[0].joint: axis is [1, 0, 0], must be z in a planar arm"),
        ({"joint": {"type": "prismatic", "axis": "z"}}, "link[0].joint: axis is [0, 0, 1], must lie in the x-y plane"),
        ({"joint": {"type": "revolute", "offset": [0, 0, 1]}}, "joint.offset is [0, 0, 1], must lie in the x-y plane"),
        (
            {"joint": {"type": "revolute", "rotation": [1, 0, 0]}},
            "joint.rotation is [1, 0, 0] rad, must turn about z alone",
        ),
        ({"direction": "z"}, "direction is [0, 0, 1], must lie in the x-y plane"),
        ({"tip_offset": [0, 0, 1]}, "tip_offset is [0, 0, 1], must lie"),
        ({"tip_rotation": [0, 1, 0]}, "tip_rotation is [0, 1, 0] rad, must turn about z alone"),
        ({"rigid": {"mass": 1, "inertia": 1, "centre": [0, 0, 1]}}, "rigid.centre is [0, 0, 1], must lie"),
        ({"payload": {"mass": 1, "offset": [0, 0, 1]}}, "payload[0].offset is [0, 0, 1], must lie"),
    ],
)
def test_a_planar_arm_stays_in_its_plane(fields: dict[str, Any], sentence: str) -> None:
    assert sentence in refused(link("a", **fields), planar=True)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"loads": [{"link": "a", "force": [0, 0, 1]}]}, "load[0]: force is [0, 0, 1] N, must lie"),
        ({"loads": [{"link": "a", "moment": [1, 0, 0]}]}, "load[0]: moment is [1, 0, 0] N m, must be about z"),
        ({"points": [{"name": "p", "link": "a", "offset": [0, 0, 1]}]}, "point[0]: offset is [0, 0, 1] m, must lie"),
    ],
)
def test_what_acts_on_a_planar_arm_stays_in_its_plane(fields: dict[str, Any], sentence: str) -> None:
    assert sentence in refused(link("a"), planar=True, **fields)


def test_a_planar_arm_takes_one_number_for_inertia_and_either_sense_of_z() -> None:
    joint = {"type": "revolute", "axis": "-z", "rotation": [0, 0, "30 deg"]}
    flat = arm(link("a", joint=joint, rigid={"mass": 1, "inertia": 2}, direction=[1, 1, 0]), planar=True)
    assert flat.links[0].inertia_matrix[2, 2] == 2


def test_printed_digits_may_break_the_triangle_inequality_by_a_millionth() -> None:
    arm(link("a", rigid={"mass": 1, "inertia": [1, 1, 2 * (1 + 5e-7)]}))


def test_dictionaries_parts_and_arrays_build_the_same_arm() -> None:
    a = arm_from_dict({"link": [link("a")], "gravity": [0, 0, 0]})
    part = Link(name="a", joint=Joint(type="revolute"), length=np.float64(1), rigid=RIGID)
    assert arm(part, gravity=np.zeros(3)) == a == Arm(link=(part,), gravity=("0 m/s^2", 0, np.int64(0)))


def test_links_may_come_one_by_one() -> None:
    parts = [Link(**link("a")), Link(**link("b"))]
    assert Arm(links=(part for part in parts)) == arm(*parts)
    with pytest.raises(ModelError, match='motion is "x", must be the name of a'):
        Arm(links=iter([link("a", joint={"type": "revolute", "motion": "x"})]))
    with pytest.raises(ModelError, match="must have at least one link"):
        Arm(links=deque())


def test_arms_are_hashed_copied_and_pickled(every_key_arm: Arm) -> None:
    again = pickle.loads(pickle.dumps(every_key_arm))
    assert again == every_key_arm == copy.deepcopy(every_key_arm)
    assert hash(again) == hash(every_key_arm)
    beam = again.link("boom").beam
    assert beam is not None and beam.material_data == every_key_arm.materials["my alloy"]


def test_arms_are_frozen_to_the_bottom(every_key_arm: Arm) -> None:
    with pytest.raises(Exception, match="frozen"):
        every_key_arm.planar = True  # type: ignore[misc]
    with pytest.raises(TypeError):
        every_key_arm.motions["stop"] = None  # type: ignore[index]


def test_a_changed_arm_is_checked_again(every_key_arm: Arm) -> None:
    assert every_key_arm.changed(name="b").links == every_key_arm.links
    with pytest.raises(ModelError, match="must be the name of a"):
        every_key_arm.changed(motions={})


def test_a_link_that_is_not_there_is_named() -> None:
    with pytest.raises(
        FlexarmError, match='there is no link "armm", must be "arm" or "hand" \\(did you mean "arm"\\?\\)'
    ):
        arm(link("arm"), link("hand")).link("armm")


def test_a_load_of_zero_is_a_number_as_any_other() -> None:
    arm = Arm(links=[link("a")], loads=[{"link": "a", "force": [0, 0, 0]}, {"link": "a", "moment": ("0 N m", 0, 0)}])
    assert parse_arm(format_arm(arm)) == arm
