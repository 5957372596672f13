"""Robots read from URDF move as an independent derivation has them, keep their names, and are refused in sentences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import flexarm as fa
from benchmarks.random_robot import random_urdf
from tests.robots.dense_robot import DenseRobot

# relative: rounding of two derivations over chains of up to a dozen links
CLOSE = 1e-10

LINK = (
    '<link name="{0}"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>'
    "</inertial></link>"
)
JOINT = '<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/>{4}</joint>'


def robot(*parts: str) -> str:
    return '<robot name="r">\n' + "\n".join(parts) + "\n</robot>"


def two(kind: str = "continuous", more: str = "", **names: str) -> str:
    return robot(LINK.format("a"), LINK.format("b"), JOINT.format("hinge", kind, "a", "b", more))


@pytest.mark.parametrize("seed", range(12))
def test_a_random_robot_moves_as_a_dense_derivation_says(seed):
    text = random_urdf(seed, 3 + seed)
    dense, own = DenseRobot(text), fa.Dynamics(fa.parse_arm(text))
    assert set(own.names) == set(dense.names)
    rng = np.random.default_rng(seed)
    order = [own.names.index(name) for name in dense.names]
    q, v, a = rng.uniform(-1, 1, (3, own.size))
    by_name = [dict(zip(own.names, x, strict=True)) for x in (q, v, a)]
    tau = dense.inverse(*by_name)
    M = dense.mass_matrix(by_name[0])
    size = np.max(np.abs(tau), initial=1e-3)
    assert np.allclose(own.inverse(q, v, a)[order], tau, rtol=0, atol=CLOSE * size)
    assert np.allclose(own.mass_matrix(q)[np.ix_(order, order)], M, rtol=0, atol=CLOSE * np.max(M, initial=1e-3))
    forces = np.zeros(own.size)
    forces[order] = tau
    assert np.allclose(own.forward(q, v, forces), a, rtol=0, atol=1e-8)  # times the condition of M
    for name, (T, Jv, Jw, *_) in dense.walk(*by_name).items():
        place = own.place(name, q)
        assert np.allclose(place.position, T[:3, 3], atol=1e-12)
        assert np.allclose(place.rotation, T[:3, :3], atol=1e-12)
        assert np.allclose(own.jacobian(name, q)[:, order], np.vstack([Jv, Jw]), atol=1e-12)


def test_links_and_joints_keep_their_names_whatever_they_are():
    odd = ["base", "a/b:c", 'q"uote', "läng.e", "x y", "{}[]="]
    parts = [LINK.format(name.replace('"', "&quot;")) for name in odd]
    for i in range(1, len(odd)):
        before, name = (each.replace('"', "&quot;") for each in odd[i - 1 : i + 1])
        parts.append(JOINT.format(f"j {name}", "revolute", before, name, '<limit lower="-1" upper="1"/>'))
    arm = fa.parse_arm(robot(*parts))
    assert [link.name for link in arm.links] == odd
    assert fa.Dynamics(arm).names == tuple(f"j {name}" for name in odd[1:])
    assert fa.parse_arm(fa.format_arm(arm)) == arm


def test_a_link_called_base_may_stand_anywhere():
    text = robot(
        *(LINK.format(name) for name in ("world", "base", "arm")),
        JOINT.format("one", "continuous", "world", "base", '<origin xyz="1 0 0"/>'),
        JOINT.format("two", "continuous", "base", "arm", '<origin xyz="0 1 0"/>'),
    )
    arm = fa.parse_arm(text)
    assert arm.parents == (-1, 0, 1)
    assert np.allclose(fa.Dynamics(arm).place("arm", np.zeros(2)).position, [1, 1, 0])


def test_a_mimic_joint_follows_a_prescribed_one():
    text = robot(
        *(LINK.format(name) for name in "abc"),
        JOINT.format("lead", "continuous", "a", "b", ""),
        JOINT.format("follow", "continuous", "a", "c", '<mimic joint="lead" multiplier="-2" offset="0.5"/>'),
    )
    arm = fa.parse_arm(text)
    assert arm.link("c").joint.at == 0.5
    table = {
        "joint": {"lead": {"motion": "go", "at": "0.1 rad"}},
        "motion": {"go": {"kind": "cycloidal", "travel": "1 rad", "duration": "1 s"}},
    }
    arm = read(text, table)
    lead, follow = (arm.motion_of(name).evaluate(0.4)[0] for name in "bc")
    assert follow == pytest.approx(-2 * lead + 0.5, abs=1e-15)
    with pytest.raises(fa.ModelError, match=r'joint\.lead: free is given, but joint "follow" mimics this one'):
        read(text, {"joint": {"lead": {"free": True}}})


def read(text: str, table: dict) -> fa.Arm:
    from flexarm.model.reading.file import arm_from_dict
    from flexarm.model.robot.files import robot_in
    from flexarm.model.robot.table import table_of_robot

    return arm_from_dict(table_of_robot(robot_in(text, "r.urdf", "."), table, "r.toml"), source="r.toml")


def test_a_planar_joint_has_two_slides_and_a_turn_about_its_normal():
    own = fa.Dynamics(fa.parse_arm(two("planar", '<axis xyz="0 0 2"/><origin xyz="0 0 1"/>')))
    assert own.names == ("hinge.x", "hinge.y", "hinge.turn")
    place = own.place("b", np.array([0.3, -0.2, np.pi / 2]))
    assert np.allclose(place.position, [0.3, -0.2, 1.0])
    assert np.allclose(place.rotation @ [1, 0, 0], [0, 1, 0])
    normal = np.array([1.0, 2.0, -0.5])
    tilted = fa.Dynamics(fa.parse_arm(two("planar", '<axis xyz="1 2 -0.5"/>')))
    q = np.array([0.7, 0.4, 1.1])
    assert tilted.place("b", q).position @ normal == pytest.approx(0.0, abs=1e-15)
    assert np.allclose(tilted.jacobian("b", q)[3:, 2], normal / np.linalg.norm(normal))


@pytest.mark.parametrize("floating", [True, False])
def test_a_floating_robot_keeps_its_momentum(floating):
    """Without gravity the free base answers whatever the joint does: M's rows of the slides times v̇ + bias are zero."""
    if floating:
        text = robot(
            *(LINK.format(name) for name in ("world", "a", "b")),
            JOINT.format("float", "floating", "world", "a", ""),
            JOINT.format("hinge", "continuous", "a", "b", '<origin xyz="0.3 0 0.1"/><axis xyz="0 1 0"/>'),
        )
        arm, free = read(text, {"gravity": [0, 0, 0]}), "float"
    else:
        text = two("continuous", '<origin xyz="0.3 0 0.1"/><axis xyz="0 1 0"/>')
        arm, free = read(text, {"gravity": [0, 0, 0], "base": "free"}), "a"
    own = fa.Dynamics(arm)
    names = [f"{free}.{word}" for word in ("x", "y", "z", "yaw", "pitch", "roll")]
    assert list(own.names) == [*names, "hinge"]
    assert all(arm.links[k + int(floating)].joint.free for k in range(6))
    rng = np.random.default_rng(1)
    q, v = rng.uniform(-0.5, 0.5, (2, 7))
    torque = np.zeros(7)
    torque[6] = 3.0  # an inner torque leaves linear momentum as it is
    a = own.forward(q, v, torque)
    step = 1e-5
    slides = [(own.mass_matrix(q + s * v * step) @ (v + s * a * step))[:3] for s in (1, -1)]
    assert np.allclose((slides[0] - slides[1]) / (2 * step), 0.0, atol=1e-7)
    assert np.allclose(own.mass_matrix(q)[:3, :3], 2.0 * np.eye(3), atol=1e-14)


def test_damping_is_read_and_belongs_to_what_acts_in_the_joint():
    arm = fa.parse_arm(two("continuous", '<dynamics damping="0.7" friction="0.1"/>'))
    assert arm.link("b").joint.damping == 0.7
    plain, passive = fa.Dynamics(arm), fa.Dynamics(arm, passive=True)
    q, v, a = np.zeros(1), np.array([2.0]), np.zeros(1)
    assert passive.inverse(q, v, a) - plain.inverse(q, v, a) == pytest.approx(1.4)


def test_what_is_left_out_is_remarked_with_its_line():
    text = two("revolute", '<axis xyz="0 0 3"/>').replace(
        "</robot>", '<gazebo/>\n<gazebo/>\n<transmission name="t"/>\n<odd/>\n</robot>'
    )
    remarks = fa.parse_arm(text).remarks
    for wanted in (
        'line 4: joint "hinge" has no <limit>: it may go anywhere',
        'line 4: joint "hinge" has an axis of length 3: its direction is taken',
        "line 5: 2 <gazebo> tags are ignored",
        "line 7: a <transmission> tag is ignored",
        "line 8: a <odd> tag is not known and ignored",
    ):
        assert wanted in remarks


def test_an_inertia_no_body_has_is_taken_with_a_remark():
    text = two().replace('izz="0.1"', 'izz="0.5"', 1)
    arm = fa.parse_arm(text)
    assert arm.links[0].rigid.any_inertia
    assert any("which no body has: the largest exceeds the sum" in remark for remark in arm.remarks)
    assert fa.parse_arm(fa.format_arm(arm)) == arm


SHAPE = '<visual><geometry><sphere radius="1"/></geometry></visual>'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("<robot", "line 1, column 1: is not sound XML: unclosed token"),
        ("<a/>", "line 1: the outermost tag is <a>, must be <robot>"),
        ("<robot/>", "line 1: there is no <link>, must be at least one"),
        (two("screw"), 'line 4: joint "hinge": type is "screw", must be "revolute"'),
        (two("revolut"), '(did you mean "revolute"?)'),
        (two().replace('child link="b"', 'child link="c"'), 'joint "hinge": child is "c", must be the name of a link'),
        (two().replace('<child link="b"/>', ""), 'joint "hinge": has no <child link="…"/>, must have one'),
        (two("continuous", '<axis xyz="0 0 0"/>'), 'joint "hinge": axis is 0 0 0, must point somewhere'),
        (two("continuous", '<axis xyz="0 1"/>'), 'xyz is "0 1", must be three numbers'),
        (two("continuous", '<origin xyz="${l} 0 0"/>'), "macros must be expanded first"),
        (two("continuous", '<origin rpy="nan 0 0"/>'), 'rpy is "nan 0 0", must be three numbers'),
        (two("continuous", '<dynamics damping="-1"/>'), "damping is -1, must be ≥ 0"),
        (two("revolute", '<limit lower="1" upper="-1"/>'), "lower is 1, must be ≤ upper, -1"),
        (two().replace('value="1"', 'value="-1"'), 'link "a": mass is -1 kg, must be ≥ 0'),
        (two().replace('value="1"', 'value="one"'), 'link "a": value is "one", must be a number'),
        (two().replace('<mass value="1"/>', "", 1), 'link "a": <inertial> has no <mass>, must have one'),
        (two().replace('ixx="0.1"', 'ixx="-0.1"', 1), 'link "a": inertia has a negative moment'),
        (two().replace('ixx="0.1"', "", 1), 'link "a": <inertia> has no ixx, must have one'),
        (two().replace('name="b"', 'name="a"'), 'link "a" is there twice, names must be unique'),
        (robot(LINK.format("a"), LINK.format("b")), 'link "b": no joint carries it'),
        (
            robot(
                *(LINK.format(name) for name in "abc"),
                *(JOINT.format(f"j{k}", "fixed", p, c, "") for k, (p, c) in enumerate(("ab", "bc", "ac"))),
            ),
            'joint "j2": child is "c", which joint "j1" carries already',
        ),
        (
            robot(
                *(LINK.format(name) for name in "abc"),
                *(JOINT.format(f"j{k}", "fixed", p, c, "") for k, (p, c) in enumerate(("bc", "cb"))),
            ),
            'link "b": its joints lead back to itself',
        ),
        (two("continuous", '<mimic joint="hinge"/>'), 'joint "hinge": mimics itself'),
        ('<robot xmlns:xacro="x"><xacro:include filename="y"/></robot>', "is a macro, must be expanded first"),
        ('<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><robot name="&b;"/>', 'declares the entity "a"'),
        ('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="r"/>', 'declares the entity "x"'),
        ("<a>" * 300 + "</a>" * 300, "is nested more than 200 deep"),
    ],
)
def test_what_cannot_be_right_is_refused_with_its_line(text, sentence):
    with pytest.raises(fa.ModelError) as refused:
        fa.parse_arm(text, "r.urdf")
    assert sentence in str(refused.value)
    assert str(refused.value).startswith("r.urdf: line")


def test_all_mistakes_are_reported_at_once():
    text = two("screw").replace('value="1"', 'value="-1"')
    with pytest.raises(fa.ModelError) as refused:
        fa.parse_arm(text)
    assert [problem.place for problem in refused.value.problems] == ["line 2", "line 3", "line 4"]


def test_a_shape_without_inertia_is_remarked():
    text = robot(f'<link name="a">{SHAPE}</link>', LINK.format("b"), JOINT.format("hinge", "continuous", "a", "b", ""))
    assert fa.parse_arm(text).remarks == ('1 link has a shape but no <inertial> ("a") and no mass here',)


def test_every_verb_takes_the_file(tmp_path: Path):
    path = tmp_path / "two.urdf"
    path.write_text(two("continuous", '<origin xyz="0.5 0 0"/><axis xyz="0 1 0"/>'))
    assert fa.check(path).facts["joints"] == ["b"]
    assert fa.statics(path, posture={"hinge": "30 deg"}).posture["b"] == pytest.approx(np.pi / 6)
