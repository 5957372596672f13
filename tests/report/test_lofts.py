"""Lofts are closed, turn their faces outward, have the size and the section they are asked for, and true normals."""

import numpy as np
import pytest

from flexarm.model import Link
from flexarm.model.parts.section import Box, Circle, Rectangle, Tube
from flexarm.report.arm import shapes, sizes
from flexarm.report.arm.bones import shortest_turns, tangents_of
from flexarm.report.arm.lofts import SIDES, merged, round_outline, square_outline, tessellated

# The section of whatever is round is a regular polygon.
POLYGON = 0.5 * SIDES * np.sin(2.0 * np.pi / SIDES)


def volume(vertices, faces):
    """By Gauss: of a closed surface with its faces outward, the same wherever it is."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return float(np.sum(a * np.cross(b, c))) / 6.0


def straight(count, length):
    points = np.zeros((count, 3))
    points[:, 0] = np.linspace(0.0, length, count)
    return points, np.broadcast_to(np.eye(3), (count, 3, 3))


def bar(count, near, far=None, length=1.0, **options):
    return tessellated(shapes.bar("beam", 0, range(count), near, far or near, length, **options))


@pytest.mark.parametrize(
    ("outline", "area"), [(square_outline(0.2, 0.1, 1e-9), 0.02), (round_outline(0.2), POLYGON * 0.01)]
)
def test_a_straight_bar_has_the_volume_of_its_section_times_its_length(outline, area):
    mesh = bar(5, outline, length=3.0)
    points, axes = straight(5, 3.0)
    assert volume(mesh.placed(points, axes), mesh.faces) == pytest.approx(3.0 * area, rel=1e-8)
    # a surface with a hole would not keep its volume when it is moved
    moved = mesh.placed(points + np.array([7.0, -5.0, 3.0]), axes)
    assert volume(moved, mesh.faces) == pytest.approx(3.0 * area, rel=1e-8)


def test_a_tube_has_the_hole_its_wall_leaves():
    mesh = bar(3, round_outline(0.2), inside=(0.75, 0.75), length=3.0)
    points, axes = straight(3, 3.0)
    # the hole is drawn as deep as 0.8 radii at either end
    solid, holes = 3.0 * POLYGON * 0.01, 2 * 0.8 * 0.1 * POLYGON * 0.01 * 0.75**2
    assert volume(mesh.placed(points, axes), mesh.faces) == pytest.approx(solid - holes, rel=1e-10)


def test_a_tapered_bar_goes_from_one_section_to_the_other():
    mesh = bar(9, square_outline(0.2, 0.1, 1e-9), square_outline(0.1, 0.05, 1e-9))
    points, axes = straight(9, 1.0)
    # of a frustum: (A + B + √AB)/3; flat quadrilaterals of a taper are cut into triangles without loss
    assert volume(mesh.placed(points, axes), mesh.faces) == pytest.approx((0.02 + 0.005 + 0.01) / 3.0, rel=1e-7)


def test_a_drum_a_block_and_a_ball_are_closed_and_of_their_size():
    axis, here, eye = np.array([1.0, 2.0, 2.0]) / 3.0, np.array([[4.0, 5.0, 6.0]]), np.eye(3)[None]
    housing = tessellated(shapes.drum(0, 0, axis, 0.1, 0.15)[0])
    corners = housing.placed(here, eye)
    assert np.ptp(corners @ axis) == pytest.approx(0.3)
    # less what its broken edges take off: 12 % of the radius at both ends
    assert 0.97 < volume(corners, housing.faces) / (POLYGON * 0.01 * 0.3) < 1.0
    block = tessellated(shapes.block("payload", 0, 0, np.array([0.1, 0.2, 0.3]), np.eye(3), np.zeros(3)))
    assert np.ptp(block.placed(here, eye), axis=0) == pytest.approx([0.1, 0.2, 0.3])
    assert 0.97 < volume(block.placed(here, eye), block.faces) / 0.006 < 1.0
    ball = tessellated(shapes.ball("joint", 0, 0, 0.5))
    corners = ball.placed(here, eye)
    assert np.linalg.norm(corners - here, axis=1) == pytest.approx(0.5)
    # a polyhedron inside the ball, of 24 by 12 facets: 2 to 4 % smaller
    assert 0.95 < volume(corners, ball.faces) / (4.0 / 3.0 * np.pi * 0.125) < 1.0


@pytest.mark.parametrize(
    "loft",
    [
        shapes.bar("beam", 0, range(4), round_outline(0.2), round_outline(0.1), 1.0, inside=(0.5, 0.5)),
        shapes.bar("beam", 0, range(4), square_outline(0.2, 0.1), square_outline(0.2, 0.1), 1.0),
        *shapes.drum(0, 0, np.array([0.0, 0.6, 0.8]), 0.1, 0.2, 0.05),
        shapes.ball("joint", 0, 0, 0.3),
    ],
)
def test_normals_are_those_of_the_triangles_they_shade(loft):
    mesh = tessellated(loft)
    points, axes = straight(4, 1.0)
    corners, normals = mesh.placed(points, axes), mesh.turned(axes)
    assert np.linalg.norm(normals, axis=1) == pytest.approx(1.0)
    a, b, c = (corners[mesh.faces[:, k]] for k in range(3))
    flat = np.cross(b - a, c - a)
    flat /= np.linalg.norm(flat, axis=1, keepdims=True)
    # between the facets of 24 sides lie 15 degrees, and rounded corners turn by 45 from one point to the next
    for k in range(3):
        assert np.sum(flat * normals[mesh.faces[:, k]], axis=1).min() > np.cos(np.radians(23.0))


def test_merged_meshes_are_the_sum_of_their_parts():
    parts = [tessellated(loft) for loft in shapes.strut(0, 0, np.array([0.3, 0.0, 0.4]), 0.02)]
    parts.append(tessellated(shapes.ball("joint", 0, 1, 0.2)))
    points, axes = straight(2, 3.0)
    whole = merged(parts)
    alone = sum(volume(part.placed(points, axes), part.faces) for part in parts)
    assert volume(whole.placed(points, axes), whole.faces) == pytest.approx(alone, rel=1e-12)


def test_tangents_lie_between_the_chords():
    angles = np.linspace(0.0, 2.5, 30)
    arc = np.column_stack([np.sin(angles), 1.0 - np.cos(angles), 0.1 * angles])
    inner = np.diff(arc[1:], axis=0) + np.diff(arc[:-1], axis=0)
    # between two chords of equal length lies the bisector
    assert np.allclose(tangents_of(arc)[1:-1], inner / np.linalg.norm(inner, axis=1)[:, None], atol=1e-9)
    assert tangents_of(arc[:1]) is None


def test_the_shortest_turn_leaves_what_is_square_to_both():
    rng = np.random.default_rng(3)
    one, *others = (v / np.linalg.norm(v) for v in rng.normal(size=(6, 3)))
    for other, turn in zip(others, shortest_turns(one, np.array(others)), strict=True):
        axis = np.cross(one, other)
        assert np.allclose(turn @ one, other) and np.allclose(turn @ axis, axis)


def beam(section, **more):
    joint = {"type": "revolute"}
    return Link(name="b", joint=joint, length=1.0, beam={"section": section, "material": "steel", **more})


def test_links_are_as_thick_as_their_sections_say():
    near, far = sizes.outlines(beam(Tube(diameter=0.05, thickness=0.002)), 1.0)
    assert np.linalg.norm(near.points, axis=1) == pytest.approx(0.025)
    assert near.half == far.half == pytest.approx((0.025, 0.025))
    near, far = sizes.outlines(beam(Rectangle(width=0.02, height=0.06), end={"section": {"height": 0.03}}), 1.0)
    assert np.ptp(near.points, axis=0) == pytest.approx([0.06, 0.02])
    assert np.ptp(far.points, axis=0) == pytest.approx([0.03, 0.02])
    # thinner than can be seen: half a per cent of the reach
    assert sizes.outlines(beam(Circle(diameter=1e-4)), 2.0)[0].half == pytest.approx((0.005, 0.005))
    assert sizes.hollow(beam(Tube(diameter=0.05, thickness=0.002))) == pytest.approx((0.92, 0.92))
    assert sizes.hollow(beam(Box(width=0.1, height=0.2, thickness=0.01))) == pytest.approx((0.8, 0.8))


def test_a_beam_without_section_is_a_round_bar_of_metal_with_its_stiffness_and_mass():
    # a steel bar of 20 mm: EI = E π d⁴/64, m = ρ π d²/4
    stiffness, mass = 206e9 * np.pi * 0.02**4 / 64.0, 7850.0 * np.pi * 0.02**2 / 4.0
    link = Link(
        name="b", joint={"type": "fixed"}, length=1.0, beam={"bending_stiffness": stiffness, "mass_per_length": mass}
    )
    # E/ρ of the common metals differs by a few per cent, its root by half of that
    assert sizes.outlines(link, 1.0)[0].half == pytest.approx((0.01, 0.01), rel=0.02)


def test_a_block_has_the_mass_and_the_inertias_it_shows():
    sides = np.array([0.3, 0.2, 0.1])
    inertia = 5.0 / 12.0 * (np.sum(sides**2) - sides**2)
    assert sizes.block_sides(5.0, inertia, 2.0) == pytest.approx(sides)
    # without inertia a cube of steel
    assert sizes.block_sides(7.85, np.zeros(3), 1.0) == pytest.approx(0.1)


def test_a_rigid_bar_is_as_thick_as_its_inertia_about_itself():
    inertia = {"along": 2.0 * 0.05**2 / 6.0, "across": 0.2}  # of a square bar of 50 mm
    link = Link(name="b", joint={"type": "fixed"}, length=1.0, rigid={"mass": 2.0, "inertia": inertia})
    assert sizes.outlines(link, 1.0)[0].half == pytest.approx((0.025, 0.025))
