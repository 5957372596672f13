"""Points seen from their links: displacement and rotation in the link's floating frame and from the rigid arm, with
rates and accelerations (NOTATION O1 to O4).

Axes are observed as points a metre away from an origin, so that their rates and accelerations come with them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from flexarm.analyses.points import Seen
from flexarm.assembly import CompiledArm, ObservedPoint, compile_with_points
from flexarm.core.tree.types import Floats

# A place and its first two derivatives in time.
Course = tuple[Floats, Floats, Floats]


class Frame(NamedTuple):
    """A frame over time: its origin (m, 3) and its axes (m, 3, 3), rows x, y, z in the base frame, with rates and
    accelerations.
    """

    origin: Course
    axes: Course


def watching(compiled: CompiledArm, point: str) -> CompiledArm:
    """The arm observed at a point's section and at the beginning of its link: an origin and two axes of each."""
    arm = compiled.arm
    own = next(each for each in arm.observed if each.name == point)
    link = arm.link(own.link)
    x, y = link.axis_rotation[:, 0], link.axis_rotation[:, 1]
    # behind a tip's own rotation the section's axes are the tip's; what they are at rest is taken off again
    spots: list[ObservedPoint] = []
    for where, base in ((own.at, np.array(own.offset)), (0.0, np.zeros(3))):
        for k, offset in enumerate((base, base + x, base + y)):
            spots.append(ObservedPoint(f"{len(spots)}.{k}", link.name, where, tuple(offset.tolist())))
    return compile_with_points(arm, spots)[1]


def frames(seen: Seen) -> tuple[Frame, Frame]:
    """The frames of the point's section and of its link's beginning, of an arm that is `watching`."""
    found = []
    for first in (0, 3):
        origin: list[Floats] = []
        across: list[Floats] = []
        for values in (seen.position, seen.velocity, seen.acceleration):
            origin.append(values[:, first])
            across.append(values[:, first + 1 : first + 3] - values[:, first : first + 1])
        x, y = ([each[:, k] for each in across] for k in (0, 1))
        # z = x × y and its derivatives
        z = [
            np.cross(x[0], y[0]),
            np.cross(x[1], y[0]) + np.cross(x[0], y[1]),
            np.cross(x[2], y[0]) + 2.0 * np.cross(x[1], y[1]) + np.cross(x[0], y[2]),
        ]
        axes = tuple(np.stack([x[k], y[k], z[k]], axis=1) for k in range(3))
        found.append(Frame((origin[0], origin[1], origin[2]), axes))  # type: ignore[arg-type]
    return found[0], found[1]


def displacement(section: Frame, link: Frame, at_rest: Floats) -> Course:
    """u = E (p − o) − ρ of a point in the axes E of its link's frame, (m, 3), with rates and accelerations (O1)."""
    r = tuple(a - b for a, b in zip(section.origin, link.origin, strict=True))
    E = link.axes

    def times(axes: Floats, vectors: Floats) -> Floats:
        return np.einsum("mki,mi->mk", axes, vectors)

    return (
        times(E[0], r[0]) - at_rest,
        times(E[1], r[0]) + times(E[0], r[1]),
        times(E[2], r[0]) + 2.0 * times(E[1], r[1]) + times(E[0], r[2]),
    )


def place_at_rest(section: Frame, link: Frame) -> tuple[Floats, Floats]:
    """Where the point is in its link's axes (m, 3), and how its section's axes stand in them (m, 3, 3)."""
    r = section.origin[0] - link.origin[0]
    return np.einsum("mki,mi->mk", link.axes[0], r), np.einsum("mki,mji->mkj", link.axes[0], section.axes[0])


def rotation(section: Frame, link: Frame, at_rest: Floats) -> Course:
    """Rotation vector (m, 3) of the section in its link's axes, and components there of the relative angular velocity
    and of its rate (O2).
    """
    E = link.axes
    turned = np.einsum("mki,mji->mkj", E[0], section.axes[0])
    (w_s, a_s), (w_l, a_l) = _spins(section), _spins(link)
    w, a = w_s - w_l, a_s - a_l
    rate = np.einsum("mki,mi->mk", E[0], w)
    swift = np.einsum("mki,mi->mk", E[1], w) + np.einsum("mki,mi->mk", E[0], a)
    return rotation_vector(np.einsum("mij,mkj->mik", turned, at_rest)), rate, swift


def rotation_vector(matrices: Floats) -> Floats:
    """The rotation vectors (m, 3), rad, of rotation matrices (m, 3, 3); exact for small angles."""
    R = matrices
    sine = 0.5 * np.stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=1)
    size = np.linalg.norm(sine, axis=1)
    angle = np.arctan2(size, 0.5 * (np.trace(R, axis1=1, axis2=2) - 1.0))
    factor = np.where(size > 0.0, angle / np.where(size > 0.0, size, 1.0), 1.0)
    return sine * factor[:, None]


def angular_velocity(frame: Frame) -> Floats:
    """The angular velocity (m, 3) of a frame, base axes, rad/s."""
    return _spins(frame)[0]


def _spins(frame: Frame) -> tuple[Floats, Floats]:
    """Angular velocity ½ Σ e × ė and acceleration ½ Σ e × ë (m, 3) of a frame, base axes."""
    e, first, second = frame.axes
    return 0.5 * np.cross(e, first).sum(axis=1), 0.5 * np.cross(e, second).sum(axis=1)


class SeenFromLink:
    """A point of a run seen from its link; `see` observes an arm in the run's states, or in those of the rigid arm."""

    def __init__(self, compiled: CompiledArm, point: str, see: Callable[[CompiledArm, bool], Seen]) -> None:
        watched = watching(compiled, point)
        self.section, self.link = frames(see(watched, False))
        self.rigid_section, self.rigid_link = frames(see(watched, True))
        place, turned = place_at_rest(self.rigid_section, self.rigid_link)
        self.moved = displacement(self.section, self.link, place)
        self.turned = rotation(self.section, self.link, turned)

    def deflection(self) -> Floats:
        """Displacement (m, 3) from the rigid arm in the axes its link has there (O3)."""
        off = self.section.origin[0] - self.rigid_section.origin[0]
        return np.einsum("mki,mi->mk", self.rigid_link.axes[0], off)

    def deflection_turn(self) -> Floats:
        """Rotation vector (m, 3) from the section of the rigid arm, in the axes its link has there (O4)."""
        # Σ e eᵀ_rigid turns the rigid section into the bent one, in base axes
        turn = np.einsum("mki,mkj->mij", self.section.axes[0], self.rigid_section.axes[0])
        return np.einsum("mki,mi->mk", self.rigid_link.axes[0], rotation_vector(turn))
