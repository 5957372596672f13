"""Meshes are closed, turn their faces outward, and have the size they are asked for."""

import numpy as np
import pytest

from flexarm.model import Link
from flexarm.model.parts.section import Circle, Rectangle, Tube
from flexarm.viewer import sizes
from flexarm.viewer.meshes import (
    SIDES,
    Ball,
    Bar,
    Disc,
    along_line,
    merged,
    round_outline,
    shortest_turns,
    square_outline,
)

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


@pytest.mark.parametrize(("outline", "area"), [(square_outline(0.2, 0.1), 0.02), (round_outline(0.2), POLYGON * 0.01)])
def test_a_straight_bar_has_the_volume_of_its_section_times_its_length(outline, area):
    bar = Bar(5, outline)
    points, axes = straight(5, 3.0)
    assert volume(bar.vertices(points, axes), bar.faces) == pytest.approx(3.0 * area, rel=1e-12)
    # a surface with a hole would not keep its volume when it is moved
    assert volume(bar.vertices(points + np.array([7.0, -5.0, 3.0]), axes), bar.faces) == pytest.approx(
        3.0 * area, rel=1e-11
    )


def test_a_tapered_bar_goes_from_one_section_to_the_other():
    bar = Bar(9, square_outline(0.2, 0.1), square_outline(0.1, 0.05))
    points, axes = straight(9, 1.0)
    # of a frustum: (A + B + √AB)/3; flat quadrilaterals of a taper are cut into triangles without loss
    assert volume(bar.vertices(points, axes), bar.faces) == pytest.approx((0.02 + 0.005 + 0.01) / 3.0, rel=1e-12)


def test_a_disc_and_a_ball_are_closed_and_of_their_size():
    disc = Disc(0.1, 0.3)
    axis = np.array([1.0, 2.0, 2.0]) / 3.0
    corners = disc.vertices(np.array([4.0, 5.0, 6.0]), axis)
    assert volume(corners, disc.faces) == pytest.approx(POLYGON * 0.01 * 0.3, rel=1e-10)
    assert np.ptp(corners @ axis) == pytest.approx(0.3)
    ball = Ball()
    corners = ball.vertices(np.array([1.0, 2.0, 3.0]), 0.5)
    assert np.linalg.norm(corners - [1.0, 2.0, 3.0], axis=1) == pytest.approx(0.5)
    # a polyhedron inside the ball, of 20 by 10 facets: 4 % smaller
    assert 0.95 < volume(corners, ball.faces) / (4.0 / 3.0 * np.pi * 0.125) < 1.0


def test_merged_meshes_are_the_sum_of_their_parts():
    disc, ball = Disc(0.1, 0.3), Ball()
    one, two = disc.vertices(np.zeros(3), np.eye(3)[2]), ball.vertices(np.array([3.0, 0.0, 0.0]), 0.2)
    faces = merged([disc.faces, ball.faces], [len(one), len(two)])
    whole = volume(one, disc.faces) + volume(two, ball.faces)
    assert volume(np.concatenate([one, two]), faces) == pytest.approx(whole, rel=1e-12)


def test_sections_follow_the_line_and_stay_rotations():
    angles = np.linspace(0.0, 2.5, 30)
    arc = np.column_stack([np.sin(angles), 1.0 - np.cos(angles), 0.1 * angles])
    axes = along_line(arc, np.eye(3))
    assert np.allclose(axes @ np.swapaxes(axes, 1, 2), np.eye(3), atol=1e-12)
    assert np.allclose(np.linalg.det(axes), 1.0)
    inner = np.diff(arc[1:], axis=0) + np.diff(arc[:-1], axis=0)
    # between two chords of equal length lies the bisector
    assert np.allclose(axes[1:-1, :, 0], inner / np.linalg.norm(inner, axis=1)[:, None], atol=1e-9)


def test_the_shortest_turn_leaves_what_is_square_to_both():
    rng = np.random.default_rng(3)
    one, *others = (v / np.linalg.norm(v) for v in rng.normal(size=(6, 3)))
    for other, turn in zip(others, shortest_turns(one, np.array(others)), strict=True):
        axis = np.cross(one, other)
        assert np.allclose(turn @ one, other) and np.allclose(turn @ axis, axis)


def test_links_are_as_thick_as_their_sections_say():
    def beam(section, **more):
        joint = {"type": "revolute"}
        return Link(name="b", joint=joint, length=1.0, beam={"section": section, "material": "steel", **more})

    near, far = sizes.outlines(beam(Tube(diameter=0.05, thickness=0.002)), 1.0)
    assert np.linalg.norm(near.points, axis=1) == pytest.approx(0.025)
    assert sizes.thickness(near) == sizes.thickness(far) == pytest.approx(0.05)
    near, far = sizes.outlines(beam(Rectangle(width=0.02, height=0.06), end={"section": {"height": 0.03}}), 1.0)
    assert np.ptp(near.points, axis=0) == pytest.approx([0.06, 0.02])
    assert np.ptp(far.points, axis=0) == pytest.approx([0.03, 0.02])
    # thinner than can be seen: half a per cent of the reach
    assert sizes.thickness(sizes.outlines(beam(Circle(diameter=1e-4)), 2.0)[0]) == pytest.approx(0.01)


def test_what_has_no_section_is_a_steel_bar_and_a_payload_a_steel_ball():
    bar = Link(name="b", joint={"type": "fixed"}, length=0.2, rigid={"mass": 0.63, "inertia": 0.0})
    width = sizes.thickness(sizes.outlines(bar, 1.0)[0])
    assert np.pi * width**2 / 4.0 * 0.2 * 7850.0 == pytest.approx(0.63)
    assert 4.0 / 3.0 * np.pi * sizes.payload_radius(8.0, 1.0) ** 3 * 7850.0 == pytest.approx(8.0)
    assert sizes.payload_radius(0.0, 1.0) == 0.0
