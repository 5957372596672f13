"""Triangles of what is drawn: bars along a line, discs about an axis, balls.

Corners that are to be seen as such have their points once for every side, so that smooth shading stays right.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SIDES = 20  # of whatever is round
_LEAST = 1e-12


class Outline(NamedTuple):
    """A section's edge: points (n, 2) along the link's y and z axes (m), and between which of them there are faces."""

    points: Floats
    edges: Ints  # (e, 2)


def round_outline(diameter: float) -> Outline:
    """The edge of a circle."""
    angles = np.arange(SIDES) * (2.0 * np.pi / SIDES)
    numbers = np.arange(SIDES)
    points = 0.5 * diameter * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return Outline(points, np.stack([numbers, (numbers + 1) % SIDES], axis=1))


def square_outline(height: float, width: float) -> Outline:
    """The edge of a rectangle, height along y and width along z."""
    y, z = 0.5 * height, 0.5 * width
    corners = np.array([[y, z], [-y, z], [-y, -z], [y, -z]])
    # every side has its own two points
    points = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1).reshape(8, 2)
    return Outline(points, np.arange(8).reshape(4, 2))


class Bar:
    """A bar whose axis is given point by point, its sections going from one outline to another of the same kind."""

    def __init__(self, stations: int, near: Outline, far: Outline | None = None) -> None:
        far = near if far is None else far
        share = np.linspace(0.0, 1.0, stations)[:, None, None]
        rows = (1.0 - share) * near.points + share * far.points
        # the ends have points of their own: they are flat
        self._outlines = np.concatenate([rows[:1], rows, rows[-1:]])
        self._rows = np.array([0, *range(stations), stations - 1])
        n = len(near.points)
        self.faces = np.concatenate(
            [
                *(_strip(near.edges, row * n, (row + 1) * n) for row in range(1, stations)),
                _fan(near.edges, 0, 2 * n + stations * n, turned=True),
                _fan(near.edges, (stations + 1) * n, 2 * n + stations * n + 1, turned=False),
            ]
        )

    def vertices(self, points: Floats, axes: Floats) -> Floats:
        """The mesh's points (v, 3) with the axis at (stations, 3) and the sections' axes (stations, 3, 3)."""
        place, turn = points[self._rows], axes[self._rows]
        sides = (
            place[:, None, :]
            + self._outlines[:, :, :1] * turn[:, None, :, 1]
            + self._outlines[:, :, 1:] * turn[:, None, :, 2]
        )
        return np.concatenate([sides.reshape(-1, 3), points[:1], points[-1:]])


class Disc:
    """A short cylinder about the z axis of its own frame."""

    def __init__(self, radius: float, height: float) -> None:
        self._bar = Bar(2, round_outline(2.0 * radius))
        self._ends = np.array([-0.5 * height, 0.5 * height])
        self.faces = self._bar.faces

    def vertices(self, centre: Floats, axis: Floats) -> Floats:
        """The mesh's points (v, 3) about a unit axis."""
        points = centre + self._ends[:, None] * axis
        across = any_square(axis)
        frame = np.stack([axis, across, np.cross(axis, across)], axis=1)
        return self._bar.vertices(points, np.stack([frame, frame]))


class Ball:
    """A ball of radius one."""

    def __init__(self) -> None:
        rings = SIDES // 2
        polar = np.linspace(0.0, np.pi, rings + 1)
        angles = np.arange(SIDES) * (2.0 * np.pi / SIDES)
        ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        self._points = np.concatenate(
            [np.column_stack([np.sin(p) * ring, np.full(SIDES, np.cos(p))]) for p in polar],
        )
        numbers = np.arange(SIDES)
        edges = np.stack([(numbers + 1) % SIDES, numbers], axis=1)
        self.faces = np.concatenate([_strip(edges, row * SIDES, (row + 1) * SIDES) for row in range(rings)])

    def vertices(self, centre: Floats, radius: float) -> Floats:
        """The mesh's points (v, 3)."""
        return centre + radius * self._points


def arrow_mesh(ends: Floats, shaft: float, head: float, length: float) -> tuple[Floats, Ints]:
    """Corners (v, 3) and triangles (f, 3) of an arrow between two points (2, 3), its head so long and wide (m)."""
    along = ends[1] - ends[0]
    along = along / np.linalg.norm(along)
    across = any_square(along)
    frame = np.stack([along, across, np.cross(along, across)], axis=1)
    axes = np.stack([frame, frame])
    neck = ends[1] - length * along
    stick, cone = Bar(2, round_outline(2.0 * shaft)), Bar(2, round_outline(2.0 * head), round_outline(1e-3 * head))
    parts = [stick.vertices(np.stack([ends[0], neck]), axes), cone.vertices(np.stack([neck, ends[1]]), axes)]
    return np.concatenate(parts), merged([stick.faces, cone.faces], [len(part) for part in parts])


def any_square(axis: Floats) -> Floats:
    """A unit vector (3,) square to the given one."""
    other = np.eye(3)[int(np.argmin(np.abs(axis)))]
    square = np.cross(axis, other)
    return np.asarray(square / np.linalg.norm(square))


def along_line(points: Floats, axes: Floats) -> Floats:
    """The axes (k, 3, 3) at points (k, 3) of a bent line: the straight link's, turned the shortest way onto the line.

    Twist about the line itself is not seen by it.
    """
    steps = np.diff(points, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    # a link without length, such as a wrist's, has one point and no direction of its own
    if len(points) < 2 or np.any(lengths < _LEAST):
        return np.broadcast_to(axes, (len(points), 3, 3))
    steps = steps / lengths[:, None]
    tangents = np.concatenate([steps[:1], steps[1:] + steps[:-1], steps[-1:]])
    tangents /= np.maximum(np.linalg.norm(tangents, axis=1), _LEAST)[:, None]
    return np.asarray(shortest_turns(axes[:, 0], tangents) @ axes)


def shortest_turns(one: Floats, others: Floats) -> Floats:
    """The rotations (k, 3, 3) that take a unit vector the shortest way to each of (k, 3)."""
    cosine = others @ one
    cross = np.cross(one, others)
    skew = np.zeros((len(others), 3, 3))
    skew[:, 0, 1], skew[:, 0, 2], skew[:, 1, 2] = -cross[:, 2], cross[:, 1], -cross[:, 0]
    skew -= np.swapaxes(skew, 1, 2)
    # turned right round there is no shortest way; the bar then lies on itself and any will do
    factor = 1.0 / np.maximum(1.0 + cosine, 1e-6)
    return np.eye(3) + skew + factor[:, None, None] * (skew @ skew)


def merged(faces: list[Ints], counts: list[int]) -> Ints:
    """The triangles of several meshes as of one whose points stand one after the other."""
    starts = np.cumsum([0, *counts[:-1]])
    return np.concatenate([each + start for each, start in zip(faces, starts, strict=True)])


def _strip(edges: Ints, near: int, far: int) -> Ints:
    a, b = edges[:, 0], edges[:, 1]
    return np.concatenate(
        [np.stack([a + near, b + near, b + far], axis=1), np.stack([a + near, b + far, a + far], axis=1)]
    )


def _fan(edges: Ints, start: int, centre: int, *, turned: bool) -> Ints:
    a, b = edges[:, 0] + start, edges[:, 1] + start
    if turned:
        a, b = b, a
    return np.stack([a, b, np.full(len(edges), centre)], axis=1)
