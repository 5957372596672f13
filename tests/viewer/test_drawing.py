"""What is drawn is where the engine and the run's own data say it is."""

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.centreline import centre_line
from flexarm.analyses.points import see, undeformed
from flexarm.viewer.drawing import Drawing
from flexarm.viewer.frames import link_frames
from flexarm.viewer.playing import Played

SPATIAL = """
name = "column, slide and boom"

[[link]]
name = "column"
joint = { type = "revolute", axis = "z", at = "20 deg", rotation = [0, "10 deg", 0] }
length = "0.5 m"
direction = "z"
rigid = { mass = "5 kg", inertia = [0.1, 0.1, 0.02] }
tip_rotation = ["30 deg", 0, 0]

[[link]]
name = "slide"
joint = { type = "prismatic", axis = "y", at = "0.2 m", zero = "0.1 m", offset = [0, 0, "0.05 m"] }
length = "0.3 m"
rigid = { mass = "2 kg", inertia = [0.01, 0.02, 0.02] }

[[link]]
name = "boom"
parent = "slide"
parent_at = "0.1 m"
joint = { type = "revolute", axis = [0, 1, 1] }
length = "1 m"
direction = [1, 1, 0]
beam = { section = { shape = "rectangle", width = "20 mm", height = "40 mm" }, material = "steel" }
model = { formulation = "rigid-fe", elements = 3, freedoms = ["bending"] }
"""


def drawing_of(arm):
    line = centre_line(arm)
    return line, Drawing(arm, line.labels["line_link"], line.labels["line_distance"])


@pytest.mark.parametrize("which", ["planar", "spatial"])
def test_the_rigid_arm_is_drawn_where_the_engine_has_it(which, arm):
    line, drawing = drawing_of(arm if which == "planar" else fa.parse_arm(SPATIAL))
    compiled = line.compiled
    q = undeformed(compiled, np.random.default_rng(5).normal(size=(4, len(compiled.coordinate_names))))
    still = np.zeros_like(q)
    engine = line.positions(see(compiled, np.zeros(4), q, still, still))
    joints = {name: q[:, c] for name, c in zip(compiled.joint_names, compiled.joint_coordinates, strict=True)}
    drawn = drawing.rigid_line(joints, link_frames(drawing.arm, joints))
    # two ways through the same few rotations: rounding
    assert np.abs(drawn - engine).max() < 1e-14


def test_a_beam_in_a_sleeve_is_drawn_from_its_mouth_to_its_tip():
    arm = fa.parse_arm("""
[[link]]
name = "boom"
joint = { type = "prismatic", axis = "x", at = "0.4 m", sleeve = true, offset = [0, "0.2 m", 0] }
length = "1 m"
beam = { section = { shape = "circle", diameter = "20 mm" }, material = "steel" }
model = { formulation = "hermite", elements = 2 }
""")
    drawing = Drawing(arm, ["boom"] * 3, [0.0, 0.5, 1.0])
    line, _ = drawing.unbent({"boom": 0.6})
    assert np.allclose(line, [[0.0, 0.2, 0.0], [0.3, 0.2, 0.0], [0.6, 0.2, 0.0]])


def test_the_tip_of_the_scene_is_the_tip_of_the_data(run):
    played = Played(run)
    tips = run.values("point_position")[:, run.labels("point").index("tip")]
    worst = 0.0
    for time, tip in zip(run.time, tips, strict=True):
        rest, frames = played.drawing.unbent(played.joints(time))
        beam = played.drawing.vertices(rest + played.bent(time), frames)["beams"]
        # the last corner of a bar is the middle of its end
        worst = max(worst, float(np.linalg.norm(beam[-1] - tip)))
    # deflections are kept in single precision, and here they are below 0.1 m
    assert worst < 1e-8
    assert np.abs(played.path(1.0) - tips).max() < 1e-8
    assert played.largest == pytest.approx(np.abs(run.values("line_deflection")).max(), rel=0.5)


def test_enlarging_moves_the_tip_by_its_deflection_and_the_rigid_arm_not_at_all(run):
    played = Played(run)
    deflection = run.values("point_deflection")[:, run.labels("point").index("tip")]
    assert np.abs(played.path(51.0) - played.path(1.0) - 50.0 * deflection).max() < 1e-6
    assert played.tip_deflection() == pytest.approx(np.linalg.norm(deflection, axis=1), abs=1e-8)


def test_a_run_saved_without_its_line_is_drawn_alike(run):
    kept = {name: array for name, array in run.variables.items() if not name.startswith("line_")}
    labels = {
        name: array for name, array in run.coordinates.items() if not name.startswith("line_") and name != "frame_time"
    }
    without = Played(fa.Trajectory(kept, labels, run.arm_text, run.info))
    played = Played(run)
    assert without.times.tolist() == played.times.tolist()
    assert np.abs(without.deflection - played.deflection).max() < 1e-8  # single precision in the file
    assert without.drawing.links == played.drawing.links


def test_between_two_frames_the_arm_goes_straight(run):
    played = Played(run)
    first, second = played.times[10], played.times[11]
    middle = 0.5 * (played.bent(first) + played.bent(second))
    assert np.allclose(played.bent(0.5 * (first + second)), middle, atol=1e-15)
    assert np.array_equal(played.bent(-1.0), played.bent(0.0))
    assert np.array_equal(played.bent(1e3), played.bent(played.end))


def test_payloads_stand_on_the_line_and_grow_with_their_mass(run):
    played = Played(run)
    rest, frames = played.drawing.unbent(played.joints(0.0))
    line = rest + played.bent(0.0)
    light, heavy = (played.drawing.vertices(line, frames, {("rod", 0): mass})["payloads"] for mass in (20.0, 160.0))
    tip = line[played.drawing.tip]
    for ball in (light, heavy):
        assert np.allclose(0.5 * (ball.min(axis=0) + ball.max(axis=0)), tip, atol=1e-12)
    assert np.ptp(heavy, axis=0) == pytest.approx(2.0 * np.ptp(light, axis=0))


def test_every_triangle_has_its_corners(arm):
    _, drawing = drawing_of(arm)
    corners = drawing.vertices(*drawing.unbent({}))
    faces = drawing.faces
    assert set(faces) == set(corners) == {"beams", "bodies", "joints", "payloads"}
    for group, triangles in faces.items():
        assert triangles.min() == 0 and triangles.max() == len(corners[group]) - 1


def test_a_wrist_without_length_is_drawn():
    arm = fa.parse_arm("""
[[link]]
name = "boom"
joint = { type = "revolute", axis = "y", at = "20 deg" }
length = "1 m"
rigid = { mass = 1, inertia = [0.1, 0.1, 0.1] }

[[link]]
name = "wrist"
joint = { type = "revolute", axis = "x" }
rigid = { mass = "0.5 kg", inertia = [1e-3, 1e-3, 1e-3] }

[[link]]
name = "tool"
joint = { type = "revolute", axis = "y" }
length = "0.1 m"
rigid = { mass = "0.5 kg", inertia = [1e-3, 1e-3, 1e-3] }
payload = { mass = 1 }
""")
    _, drawing = drawing_of(arm)
    line, frames = drawing.unbent({"wrist": 0.3})
    meshes = drawing.vertices(line, frames)
    for group, faces in drawing.faces.items():
        assert np.isfinite(meshes[group]).all()
        assert faces.max() == len(meshes[group]) - 1
