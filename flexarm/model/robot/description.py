"""A robot as its description has it: links with inertia and shape, joints between them; SI units, nothing modelled."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from flexarm.model.parts.frames import Array, Triple, rotation_from_angles
from flexarm.model.parts.inertia import PRINTED_DIGITS

ORIGIN: Triple = (0.0, 0.0, 0.0)
# Kinds of joints a description may have.
KINDS = ("revolute", "continuous", "prismatic", "fixed", "planar", "floating")


@dataclass(frozen=True)
class Pose:
    """A frame on another: its origin (m) and turns about fixed x, y, z (rad)."""

    position: Triple = ORIGIN
    angles: Triple = ORIGIN

    @property
    def rotation(self) -> Array:
        """Rotation (3, 3) from this frame to the other."""
        return rotation_from_angles(self.angles)


@dataclass(frozen=True)
class Inertial:
    """Mass (kg), its centre (m) and the inertia (kg m²) about it, both in the link's axes."""

    mass: float
    centre: Triple
    inertia: tuple[Triple, Triple, Triple]


@dataclass(frozen=True)
class Geometry:
    """A shape on a link: "box" (three edges), "cylinder" and "capsule" (radius, length), "sphere" (radius) or "mesh"
    (three scales and a file); m.
    """

    kind: str
    pose: Pose
    size: tuple[float, ...] = ()
    file: str = ""
    colour: tuple[float, ...] | None = None


@dataclass(frozen=True)
class RobotLink:
    """A link; `inertial` is None where the description has none."""

    name: str
    inertial: Inertial | None = None
    visuals: tuple[Geometry, ...] = ()
    collisions: tuple[Geometry, ...] = ()
    line: int = 0


@dataclass(frozen=True)
class Mimic:
    """q = multiplier × that of the other joint + offset."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True)
class RobotJoint:
    """A joint between two links; limits are None where there are none."""

    name: str
    kind: str
    parent: str
    child: str
    pose: Pose = Pose()
    axis: Triple = (1.0, 0.0, 0.0)
    lower: float | None = None
    upper: float | None = None
    effort: float | None = None
    rate: float | None = None
    damping: float = 0.0
    friction: float = 0.0
    mimic: Mimic | None = None
    rotor_inertia: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    line: int = 0


@dataclass(frozen=True)
class Robot:
    """A tree of links; `order` has their names from the root outwards."""

    name: str
    links: dict[str, RobotLink]
    joints: dict[str, RobotJoint]
    order: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    gravity: Triple | None = None
    carried: dict[str, RobotJoint] = field(default_factory=dict)  # link → the joint that carries it
    carries: dict[str, tuple[RobotJoint, ...]] = field(default_factory=dict)  # link → the joints on it

    @property
    def root(self) -> str:
        """The link that no joint carries."""
        return self.order[0]


def turned_inertia(rotation: Array, inertia: Array) -> tuple[Triple, Triple, Triple]:
    """R I Rᵀ as rows, symmetric to the bit."""
    turned = rotation @ inertia @ rotation.T
    rows = (0.5 * (turned + turned.T)).tolist()
    return rows[0], rows[1], rows[2]


def is_impossible(inertia: Array) -> bool:
    """True if no body has this inertia (3, 3): a principal moment is negative or exceeds the sum of the others."""
    low, middle, high = np.linalg.eigvalsh(inertia)
    return bool(low < -PRINTED_DIGITS * high or high > (low + middle) * (1 + PRINTED_DIGITS))
