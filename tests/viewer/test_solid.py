"""What is drawn is where the engine and the run's own data say it is."""

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.centreline import centre_line
from flexarm.analyses.points import see, undeformed
from flexarm.model.link_frames import link_frames
from flexarm.report.arm.lofts import SIDES, tessellated
from flexarm.report.arm.solid import Solid
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
    return line, Solid(arm, line.labels["line_link"], line.labels["line_distance"])


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
    drawing = Solid(arm, ["boom"] * 3, [0.0, 0.5, 1.0])
    line, _ = drawing.unbent({"boom": 0.6})
    assert np.allclose(line, [[0.0, 0.2, 0.0], [0.3, 0.2, 0.0], [0.6, 0.2, 0.0]])


def test_the_tip_of_the_scene_is_the_tip_of_the_data(run):
    played = Played(run)
    tips = run.values("point_position")[:, run.labels("point").index("tip")]
    worst = 0.0
    for time, tip in zip(run.time, tips, strict=True):
        rest, frames = played.drawing.unbent(played.joints(time))
        beam = played.drawing.vertices(rest + played.bent(time), frames)["beam"]
        # the rim of a tube's end is its sixth ring from the last
        rim = beam[-6 * SIDES : -5 * SIDES].mean(axis=0)
        worst = max(worst, float(np.linalg.norm(rim - tip)))
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
    light, heavy = (
        played.drawing.vertices(line, frames, masses={("rod", 0): mass})["payload"] for mass in (20.0, 160.0)
    )
    tip = line[played.drawing.tip]
    for ball in (light, heavy):
        assert np.allclose(0.5 * (ball.min(axis=0) + ball.max(axis=0)), tip, atol=1e-12)
    assert np.ptp(heavy, axis=0) == pytest.approx(2.0 * np.ptp(light, axis=0))


def test_every_triangle_has_its_corners(arm):
    _, drawing = drawing_of(arm)
    corners = drawing.vertices(*drawing.unbent({}))
    faces = drawing.faces
    assert set(faces) == set(corners) == {"beam", "body", "joint", "trim", "payload", "base"}
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


TWISTED = """
gravity = [0, 0, 0]

[[link]]
name = "shaft"
joint = { type = "revolute", axis = "z", at = "90 deg" }
length = "1 m"
beam = { section = { shape = "rectangle", width = "20 mm", height = "60 mm" }, material = "steel" }
model = { formulation = "hermite", elements = 2 }

[[link]]
name = "wrist"
joint = { type = "revolute", axis = "x" }
rigid = { mass = 1, inertia = [1e-3, 1e-3, 1e-3] }
"""


def test_sections_turn_with_the_twist_and_a_wrist_without_length_with_its_carrier():
    arm = fa.parse_arm(TWISTED)
    drawing = Solid(arm, ["shaft"] * 3 + ["wrist"], [0.0, 0.5, 1.0, 0.0])
    line, frames = drawing.unbent({})
    axes = drawing.axes(line, frames, np.array([0.0, 0.15, 0.3, 0.0]))
    # the shaft lies along y: its own y axis is -x, its z axis z; turned by φ about y
    for point, angle in ((0, 0.0), (1, 0.15), (2, 0.3), (3, 0.3)):
        wanted = [[0.0, 1.0, 0.0], [-np.cos(angle), 0.0, np.sin(angle)], [np.sin(angle), 0.0, np.cos(angle)]]
        assert np.allclose(axes[point].T, wanted, atol=1e-12)


def test_the_twist_of_a_run_is_that_of_saint_venant():
    run = fa.simulate(
        fa.parse_arm("""
gravity = [0, 0, 0]

[[link]]
name = "shaft"
joint = { type = "fixed" }
length = "1 m"
beam = { section = { shape = "tube", diameter = "40 mm", thickness = "2 mm" }, material = "aluminium" }
model = { formulation = "hermite", elements = 4, freedoms = ["bending", "torsion"] }

[[load]]
link = "shaft"
moment = ["30 N m", 0, 0]

[simulation]
end = "2 ms"
start = "static"
output = "1 ms"
""")
    )
    material = run.arm.links[0].beam.material_data
    shear, torsion = material.effective_shear_modulus, run.arm.links[0].beam.section.J
    along = run.values("line_distance")
    # φ = T x / (G J); kept in single precision
    assert run.values("line_twist")[-1] == pytest.approx(30.0 * along / (shear * torsion), rel=1e-5, abs=1e-9)
    assert Played(run).twisted(0.0)[-1] == pytest.approx(30.0 / (shear * torsion), rel=1e-5)


def test_no_surface_of_an_arm_lies_in_another():
    """What would flicker: two triangles of different parts in one plane, both faces the same way, at one place."""
    for arm in (fa.parse_arm(SPATIAL), fa.parse_arm(TWISTED)):
        _, drawing = drawing_of(arm)
        line, frames = drawing.unbent({})
        axes, positions = drawing.axes(line, frames), np.concatenate([line, np.zeros((1, 3))])
        flats = []
        for loft in drawing.lofts:
            mesh = tessellated(loft)
            corners = mesh.placed(positions, axes)
            a, b, c = (corners[mesh.faces[:, k]] for k in range(3))
            normal = np.cross(b - a, c - a)
            size = np.linalg.norm(normal, axis=1)
            kept = size > 1e-12
            normal = normal[kept] / size[kept, None]
            flats.append((normal, np.sum(normal * a[kept], axis=1), (a + b + c)[kept] / 3.0, np.sqrt(size[kept])))
        for k, (normal, height, middle, size) in enumerate(flats):
            for other, heights, middles, sizes in flats[:k]:
                same = (normal @ other.T > 1 - 1e-9) & (np.abs(height[:, None] - heights) < 1e-6)
                apart = np.linalg.norm(middle[:, None] - middles, axis=2)
                assert not np.any(same & (apart < 0.3 * np.minimum(size[:, None], sizes)))
