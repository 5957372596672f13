"""An elasticity table bends a robot's links and leaves what its description has of mass and inertia."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import flexarm as fa

URDF = """<robot name="two axes">
  <link name="foot"/>
  <link name="upper">
    <inertial><origin xyz="0.2 0.01 0.02"/><mass value="6"/>
      <inertia ixx="0.02" iyy="0.11" izz="0.11" ixy="0.001" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="lower">
    <inertial><origin xyz="0.1 0 0"/><mass value="2"/>
      <inertia ixx="0.004" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="camera"/>
  <joint name="shoulder" type="revolute"><parent link="foot"/><child link="upper"/><origin xyz="0 0 0.3" rpy="0.3 0 0"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/>
    <origin xyz="0.5 0 0.1" rpy="0 0 0.4"/><axis xyz="0 1 0"/></joint>
  <joint name="mount" type="fixed"><parent link="upper"/><child link="camera"/><origin xyz="0.2 0.05 0.04"/></joint>
</robot>"""
SLIM = {"bending_stiffness": "900 N m^2", "torsional_stiffness": "700 N m^2", "mass_per_length": "2 kg/m"}


@pytest.fixture
def urdf(tmp_path: Path) -> Path:
    path = tmp_path / "two.urdf"
    path.write_text(URDF)
    return path


def test_mass_centre_and_inertia_stay_as_described(urdf):
    """Undeformed, the joints feel the mass matrix of the rigid robot; the beam's own rod inertia is subtracted once."""
    beam = {key: value for key, value in SLIM.items() if key != "torsional_stiffness"}
    bent = fa.Dynamics(fa.read_arm(urdf, elastic={"link": {"upper": {"beam": beam}}}))
    rigid = fa.Dynamics(urdf)
    joints = [bent.names.index(name) for name in rigid.names]
    rng = np.random.default_rng(0)
    for q in rng.uniform(-1.5, 1.5, (4, 2)):
        whole = np.zeros(bent.size)
        whole[joints] = q
        assert np.allclose(bent.mass_matrix(whole)[np.ix_(joints, joints)], rigid.mass_matrix(q), rtol=1e-12)
        held = bent.inverse(whole, 0 * whole, 0 * whole)[joints]
        assert np.allclose(held, rigid.inverse(q, 0 * q, 0 * q), rtol=1e-11)
        for link in ("lower", "camera"):
            assert np.allclose(bent.place(link, whole).position, rigid.place(link, q).position, atol=1e-14)
            assert np.allclose(bent.place(link, whole).rotation, rigid.place(link, q).rotation, atol=1e-14)
    assert bent.arm.mass == pytest.approx(rigid.arm.mass, rel=1e-14)


def test_a_beam_heavier_than_its_link_is_made_lighter(urdf):
    arm = fa.read_arm(urdf, elastic={"link": {"upper": {"beam": {**SLIM, "mass_per_length": "20 kg/m"}}}})
    assert arm.mass == pytest.approx(8.0, rel=1e-14)
    assert any("its density is scaled to that" in remark for remark in arm.remarks)
    own = fa.read_arm(urdf, elastic={"link": {"upper": {"beam": SLIM, "mass": "beam"}}})
    assert own.mass == pytest.approx(2.0 + 2.0 * np.hypot(0.5, 0.1), rel=1e-14)


def test_a_gear_and_a_beam_from_a_file_of_five_lines(urdf):
    table = urdf.with_suffix(".elastic.toml")
    table.write_text(
        'robot = "two.urdf"\n[link.upper]\n'
        'beam = { section = { shape = "tube", diameter = "60 mm", thickness = "2 mm" }, material = "aluminium" }\n'
        '[joint.shoulder]\ngear = { stiffness = "14 kN m/rad", damping = "30 N m s/rad" }\n'
    )
    arm = fa.read_arm(table)
    assert arm == fa.read_arm(urdf, elastic=table)
    assert arm.link("upper").joint.gear.stiffness == 14e3
    assert arm.link("upper").length == pytest.approx(np.hypot(0.5, 0.1))
    names = fa.Dynamics(table).names
    assert names[:2] == ("shoulder", "upper.gear") and "elbow" in names
    assert fa.parse_arm(fa.format_arm(arm)) == arm
    stiff, soft = (fa.statics(path, posture={"shoulder": 0.2}) for path in (urdf, table))
    assert np.linalg.norm(stiff.tip_sag["tip"]) < 1e-12 < 1e-6 < np.linalg.norm(soft.tip_sag["tip"])


def test_commands_points_and_random_numbers_stand_in_the_table_too(urdf):
    table = urdf.with_suffix(".toml")
    table.write_text(
        'robot = "two.urdf"\ngravity = [0, 0, -1.62]\n[joint.elbow]\nmotion = "swing"\n'
        '[link.lower]\npayload = { mass = { normal = ["1 kg", "0.1 kg"] }, offset = ["0.3 m", 0, 0] }\n'
        '[motion.swing]\nkind = "cycloidal"\ntravel = "1 rad"\nduration = "1 s"\n'
        '[[point]]\nname = "tip"\nlink = "lower"\noffset = ["0.3 m", 0, 0]\n[simulation]\nend = "1 s"\n'
    )
    study = fa.read_study(table)
    assert len(study.parameters) == 1
    assert study.nominal.link("lower").payloads[0].mass == 1.0
    assert study.nominal.gravity == (0, 0, -1.62)
    run = fa.simulate(study.nominal)
    assert run.time[-1] == 1.0


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"link": {"uper": {"beam": SLIM}}}, 'top level: link.uper names no link of the robot (did you mean "upper"?)'),
        ({"joint": {"knee": {}}}, "top level: joint.knee names no joint of the robot"),
        ({"joint": {"elbow": {"axis": "x"}}}, "joint.elbow: axis is not a key known here, which the description has"),
        ({"link": {"upper": {"beem": SLIM}}}, 'link.upper: beem is not a key known here (did you mean "beam"?)'),
        ({"link": {"lower": {"beam": SLIM}}}, "link.lower: the end of the beam is not clear: no joint stands on it"),
        ({"link": {"upper": {"beam": SLIM, "to": "knee"}}}, 'link.upper: to is "knee", must be a joint away'),
        ({"link": {"upper": {"length": "1 m"}}}, "link.upper: length is given, must be given with beam"),
        ({"link": {"upper": {"beam": SLIM, "mass": "x"}}}, 'link.upper: mass is "x", must be "description" or "beam"'),
        ({"base": "loose"}, 'top level: base is "loose", must be "fixed" or "free"'),
        ({"planar": True}, "top level: planar is given with robot, must be left out"),
        ({"link": []}, "top level: link is [], must be tables [link.NAME] with robot"),
        ({"joint": {"elbow": {"gear": {"stiffness": -1}}}}, 'joint "elbow".gear: stiffness is -1'),
        ({"link": {"upper": {"beam": {}}}}, 'link "upper".beam: has no values'),
    ],
)
def test_a_table_that_cannot_be_right_is_refused_by_name(urdf, table, sentence):
    with pytest.raises(fa.ModelError) as refused:
        fa.read_arm(urdf, elastic=table)
    assert sentence in str(refused.value)


def test_a_robot_that_is_not_there_is_refused(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text('robot = "nowhere.urdf"')
    with pytest.raises(fa.ModelError, match=r'top level: robot is "nowhere\.urdf", which was not found'):
        fa.read_arm(path)
    with pytest.raises(fa.ModelError, match="is not the description of a robot"):
        fa.read_arm(path, elastic={})


def test_what_leaves_the_limits_is_remarked(urdf):
    table = {
        "joint": {"shoulder": {"motion": "go", "at": 0.5}},
        "motion": {"go": {"kind": "cycloidal", "travel": "2 rad", "duration": "0.5 s"}},
    }
    urdf.write_text(URDF.replace('upper="2"', 'upper="2" velocity="7"'))
    remarks = fa.read_arm(urdf, elastic=table).remarks
    assert 'joint "shoulder" is led from 0.5 to 2.5 rad, outside its limits, -2 to 2 rad' in remarks
    assert 'joint "shoulder" is led at up to 8 rad/s, faster than its limit, 7 rad/s' in remarks
    assert fa.read_arm(urdf, elastic={"joint": {"shoulder": {"at": -3.0}}}).remarks == (
        'joint "shoulder" starts at -3 rad, outside its limits, -2 to 2 rad',
    )
    assert fa.read_arm(urdf).remarks == ()
