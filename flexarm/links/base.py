"""What a formulation is given and what it hands back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from flexarm.core.build import Body
from flexarm.core.types import Floats
from flexarm.model import Beam, BeamProperties, Formulation

# The relative motions a beam's pieces can have, with what a spring on them measures: strain and force.
Direction = Literal["axial", "shear_y", "shear_z", "torsion", "bending_y", "bending_z"]
STRAIN: dict[Direction, str] = {"torsion": "twist", "bending_y": "curvature_y", "bending_z": "curvature_z"}
FORCE: dict[Direction, str] = {
    "axial": "force_x",
    "shear_y": "shear_y",
    "shear_z": "shear_z",
    "torsion": "torque_x",
    "bending_y": "moment_y",
    "bending_z": "moment_z",
}
UNIT: dict[Direction, str] = {
    "axial": "m",
    "shear_y": "m",
    "shear_z": "m",
    "torsion": "rad",
    "bending_y": "rad",
    "bending_z": "rad",
}


@dataclass(frozen=True)
class BeamSpan:
    """A beam to be cut into bodies, in its own axes: x along it from 0 to `length` (m)."""

    name: str
    beam: Beam
    length: float
    formulation: Formulation
    planar: bool

    def properties(self, s: float) -> BeamProperties:
        """Stiffnesses and inertias at the distance s (m)."""
        return self.beam.properties(s / self.length)


@dataclass(frozen=True)
class RigidPiece:
    """Mass, centre and central inertia of a rigid piece, in the axes of the body that carries it."""

    mass: float = 0.0
    centre: Floats = field(default_factory=lambda: np.zeros(3))
    inertia: Floats = field(default_factory=lambda: np.zeros((3, 3)))

    def joined(self, other: RigidPiece) -> RigidPiece:
        """Both pieces as one."""
        mass = self.mass + other.mass
        if mass == 0.0:
            return RigidPiece(0.0, np.zeros(3), self.inertia + other.inertia)
        centre = (self.mass * self.centre + other.mass * other.centre) / mass
        inertia = self.inertia + other.inertia
        for piece in (self, other):
            r = piece.centre - centre
            inertia = inertia + piece.mass * (r @ r * np.eye(3) - np.outer(r, r))
        return RigidPiece(mass, centre, inertia)

    def placed(self, rotation: Floats, offset: Floats) -> RigidPiece:
        """The piece in the axes of a body in which its own axes are turned and shifted."""
        return RigidPiece(self.mass, offset + rotation @ self.centre, rotation @ self.inertia @ rotation.T)


@dataclass(frozen=True)
class Station:
    """Where along a beam a coordinate measures a strain and a force."""

    position: float  # along the beam (m)
    coordinate: int  # coordinate of the block
    direction: Direction
    strain_per_unit: float  # strain per unit of the coordinate, 1/m for a rotation over one segment


@dataclass(frozen=True)
class LinkBlock:
    """The bodies of one beam. Parents count within the block, −1 is the body that carries the beam.

    Offsets and inertias are in the beam's axes, which are those of every body of the block at rest.
    """

    carried: RigidPiece  # what is rigid with the carrier
    bodies: tuple[Body, ...]
    names: tuple[str, ...]  # of the coordinates, one per body
    directions: tuple[Direction, ...]
    stations: tuple[Station, ...]
    place: Callable[
        [float], tuple[int, float]
    ]  # distance along the beam → body (−1: carrier), distance from its origin
    extents: tuple[float, ...]  # how far each body reaches from its origin (m)
