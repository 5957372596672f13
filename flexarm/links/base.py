"""What a formulation is given and what it hands back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import Any, Literal

import numpy as np

from flexarm.core.tree.build import Body
from flexarm.core.tree.elastic import Attachment
from flexarm.core.tree.types import Floats
from flexarm.model import Beam, BeamProperties, Formulation

# The relative motions a beam's pieces can have, with what a spring on them measures: strain and force.
Direction = Literal["axial", "shear_y", "shear_z", "torsion", "bending_y", "bending_z", "gear"]
STRAIN: dict[Direction, str] = {"torsion": "twist", "bending_y": "curvature_y", "bending_z": "curvature_z"}
FORCE: dict[Direction, str] = {
    "axial": "force_x",
    "shear_y": "shear_y",
    "shear_z": "shear_z",
    "torsion": "torque_x",
    "bending_y": "moment_y",
    "bending_z": "moment_z",
}
# The stiffness of a direction, and the key of a model file that gives it.
STIFFNESS: dict[Direction, str] = {
    "axial": "EA",
    "shear_y": "GAy",
    "shear_z": "GAz",
    "torsion": "GJ",
    "bending_y": "EIy",
    "bending_z": "EIz",
}
STIFFNESS_KEYS = {
    "EA": "axial_stiffness",
    "GAy": "shear_stiffness",
    "GAz": "shear_stiffness",
    "GJ": "torsional_stiffness",
    "EIy": "bending_stiffness",
    "EIz": "bending_stiffness",
}
UNIT: dict[Direction, str] = {
    "axial": "m",
    "shear_y": "m",
    "shear_z": "m",
    "torsion": "rad",
    "bending_y": "rad",
    "bending_z": "rad",
}


_PLACES = {each.name: k for k, each in enumerate(fields(Body))}
_EVERYTHING = attrgetter(*_PLACES)


def changed_body(body: Body, **changes: Any) -> Body:
    """The body with other values of some of its fields; a third of what `dataclasses.replace` takes."""
    values = list(_EVERYTHING(body))
    for name, value in changes.items():
        values[_PLACES[name]] = value
    return Body(*values)


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


@dataclass(frozen=True, eq=False)
class Carried:
    """What stands on a beam and moves with its section: a payload, or all that is outboard of a joint."""

    at: float  # distance along the beam (m)
    piece: RigidPiece  # in the beam's axes, from the point of its axis there
    payload: bool  # false: further links, in the posture in which the arm starts


@dataclass(frozen=True, eq=False)
class BeamSpan:
    """A beam to be cut into bodies, in its own axes: x along it from 0 to `length` (m)."""

    name: str
    beam: Beam
    length: float
    formulation: Formulation
    planar: bool
    radius: float = 0.0  # from the joint to where the beam begins (m)
    carries: tuple[Carried, ...] = ()
    places: tuple[float, ...] = ()  # between its ends, where something stands on it (m), rising
    off_hub: str = ""  # why it is not a beam on a hub that turns in the plane about a fixed axis; empty: it is one

    @property
    def uniform(self) -> bool:
        """True if the beam is the same everywhere."""
        return self.beam.uniform

    def properties(self, s: float) -> BeamProperties:
        """Stiffnesses and inertias at the distance s (m)."""
        return self._base if self.uniform else self.beam.properties(s / self.length)

    def pieces(self, begin: float, end: float) -> list[tuple[float, float]]:
        """The stretch between two distances (m) cut where values have a kink or a step."""
        inside = [f * self.length for f in self.beam.breaks if begin < f * self.length < end]
        return list(pairwise([begin, *inside, end]))

    @cached_property
    def _base(self) -> BeamProperties:
        """Those where the beam begins, and of a uniform beam everywhere."""
        return self.beam.properties(0.0)

    @property
    def payloads(self) -> tuple[Carried, ...]:
        """The payloads alone."""
        return tuple(each for each in self.carries if each.payload)


@dataclass(frozen=True)
class Station:
    """A place along a beam where a strain and the force behind it are read from some coordinates of the block."""

    position: float  # along the beam (m)
    direction: Direction
    coordinates: tuple[int, ...]  # of the block
    strain: tuple[float, ...]  # strain per unit of each
    force: tuple[float, ...]  # internal force or moment per unit of each (N or N m)
    loss: tuple[float, ...]  # the same per unit rate of each: what damping adds
    rough: bool = False  # others near it are more accurate, by an order of the element's length


@dataclass(frozen=True)
class Place:
    """A frame on the axis of a beam, with the beam's axes at rest."""

    body: int  # of the block, −1: the body that carries the beam
    along: float  # distance from the beginning of that body (m); of the carrier: from where the beam begins
    attachment: Attachment | None = None  # where the body is flexible


@dataclass(frozen=True)
class LinkBlock:
    """The bodies of one beam. Parents count within the block, −1 is the body that carries the beam. Bodies that are
    alike may be one and the same object, which says that each stands on the one before (`BEFORE`).

    Offsets and inertias are in the beam's axes, which are those of every body of the block at rest. Coordinates are
    numbered body by body: the joint coordinate of a rigid piece, the elastic ones of a flexible one.
    """

    carried: RigidPiece  # what is rigid with the carrier
    bodies: tuple[Body, ...]
    names: tuple[str, ...]  # of the coordinates
    directions: tuple[Direction, ...]  # what each coordinate is part of
    reads: Callable[[], Iterable[Station]]  # its stations, at least one; they are made when they are asked for
    place: Callable[[float], Place]  # frame at a distance along the beam
    extents: tuple[float, ...]  # how far each body reaches from its origin (m)
    units: tuple[str, ...] = ()  # of the coordinates; left out, those of the directions
    holds: bool = False  # the link's payloads are part of the bodies already
    turns: Floats | None = None  # (springs, coordinates) of a chain in one body: the turns of its springs

    @classmethod
    def of_chain(
        cls,
        carried: RigidPiece,
        place: Callable[[float], Place],
        reads: Callable[[], Iterable[Station]],
        *lists: Iterable[Any],
    ) -> LinkBlock:
        """The block of a lumped chain, of its lists of bodies, names, directions and extents."""
        bodies, names, directions, extents = map(tuple, lists)
        return cls(carried, bodies, names, directions, reads, place, extents)

    def __post_init__(self) -> None:
        if not self.units:
            object.__setattr__(self, "units", tuple([UNIT[direction] for direction in self.directions]))

    @cached_property
    def stations(self) -> tuple[Station, ...]:
        """Where strains and forces are read."""
        return tuple(self.reads())
