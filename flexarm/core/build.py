"""From a list of bodies as drawn to the arrays of a Tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from flexarm.batched import array, filled, floats, larger, real

from .columns import B_JXX, B_JYY, B_JZZ, B_MASS, B_MCX, B_OX, B_R00, B_R11, B_R22, B_WIDTH
from .elastic import Attachment, Elastic
from .invariants import attachment_row, invariants_of, laid_out
from .sleeve import Sleeve
from .types import (
    F_WIDTH,
    FIXED,
    P_ANGLE,
    P_FELT,
    P_J,
    P_MASS,
    P_MCX,
    P_MCY,
    P_RX,
    P_RY,
    P_UX,
    P_UY,
    P_WIDTH,
    PRISMATIC,
    REVOLUTE,
    S_D,
    S_DRIVEN,
    S_GAIN,
    S_K,
    S_LEVER,
    S_RATE_GAIN,
    S_REST,
    S_ROTOR,
    S_WIDTH,
    T_BRANCH,
    T_COORD,
    T_COUNT,
    T_DATA,
    T_JOINT,
    T_SLEEVE,
    T_STANDS,
    T_WIDTH,
    Floats,
    Ints,
    PlanarFlexTree,
    PlanarSleeveTree,
    PlanarTree,
    SpatialFlexTree,
    SpatialSleeveTree,
    SpatialTree,
)

# Where numbers go in an array, and the numbers.
Part = tuple[Any, Any]

KINDS = {"fixed": FIXED, "revolute": REVOLUTE, "prismatic": PRISMATIC}


def _identity() -> Floats:
    return np.eye(3)


def _zero() -> Floats:
    return np.zeros(3)


@dataclass(frozen=True, slots=True)
class Body:
    """One rigid body and the joint that carries it, in the frames of the drawing.

    `parent` counts bodies from 0, −1 is the base; `rotation` and `offset` lead from the parent's frame to the joint,
    which turns about or slides along `axis`; mass properties are in the body's own frame, the inertia about the mass
    centre. A body that stands on a flexible one does so in a frame on its axis, `attachment`, from which offset and
    rotation are counted. A flexible body (`elastic`) is fixed to what carries it and has no mass but its stations'; its
    inertia may hold what an inboard one hands to the frame it stands on (`Handed`), along its axes. So
    has a beam that slides out of a sleeve (`sleeve`), fixed at the sleeve's mouth; spring, damper, rotor and drive are
    those of the length outside, its first coordinate.
    """

    parent: int
    kind: str = "fixed"
    axis: Floats = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    rotation: Floats = field(default_factory=_identity)
    offset: Floats = field(default_factory=_zero)
    mass: float = 0.0
    centre: Floats = field(default_factory=_zero)
    inertia: Floats = field(default_factory=lambda: np.zeros((3, 3)))
    stiffness: float = 0.0
    damping: float = 0.0
    rest: float = 0.0
    rotor: float = 0.0
    driven: bool = False
    gains: tuple[float, float] = (0.0, 0.0)  # parts of stiffness and damping that are a servo's
    elastic: Elastic | None = None
    attachment: Attachment | None = None
    sleeve: Sleeve | None = None

    @property
    def flexible(self) -> bool:
        """True if the body has elastic coordinates."""
        return self.elastic is not None or self.sleeve is not None

    @property
    def coordinates(self) -> int:
        """How many coordinates the body has."""
        if self.sleeve is not None:
            return self.sleeve.count
        return self.elastic.count if self.elastic is not None else int(self.kind != "fixed")


def rotation_to(axis: Floats) -> Floats:
    """A rotation that takes z to the given unit vector; identity for z itself."""
    x, y, z = axis
    if z < 0.0:
        # half a turn about x first: the shortest turn from −z loses no digits where 1 + z does
        return rotation_to(-floats(axis)) @ np.diag([1.0, -1.0, -1.0])
    # the shortest turn: about z × axis
    return array(
        [
            [1.0 - x * x / (1.0 + z), -x * y / (1.0 + z), x],
            [-x * y / (1.0 + z), 1.0 - y * y / (1.0 + z), y],
            [-x, -y, z],
        ]
    )


def _levers(bodies: Sequence[Body], extents: Sequence[float]) -> list[float]:
    """For each body the distance from its origin to the farthest point it carries, the arm stretched out (m)."""
    reach = list(extents)
    for i in range(len(bodies) - 1, -1, -1):
        body = bodies[i]
        if body.parent >= 0:
            travel = abs(body.rest) if body.kind == "prismatic" else 0.0
            along = body.attachment.x if body.attachment is not None else 0.0
            parent = bodies[body.parent].sleeve
            along += parent.length if parent is not None else 0.0
            far = reach[i] + travel + along + real(np.linalg.norm(body.offset))
            reach[body.parent] = larger(reach[body.parent], far)
    return reach


def _elastic_levers(bodies: Sequence[Body], reach: Sequence[float], i: int) -> Floats:
    """Per elastic coordinate of body i the displacement of any point it moves, per unit (m)."""
    elastic, sleeve = bodies[i].elastic, bodies[i].sleeve
    if sleeve is not None:
        lever = sleeve.levers
    else:
        assert elastic is not None
        lever = np.max(np.linalg.norm(elastic.phi, axis=1), axis=0)
    for j, body in enumerate(bodies):
        if body.parent == i and body.attachment is not None:
            outside = reach[j] + real(np.linalg.norm(body.offset))
            moved = np.linalg.norm(body.attachment.phi, axis=0) + np.linalg.norm(body.attachment.psi, axis=0) * outside
            lever = np.maximum(lever, moved)
    return np.maximum(lever, 1e-3 * larger(reach[i], 1e-3))


class Built(NamedTuple):
    """The trees of a list of bodies."""

    spatial: SpatialTree | SpatialFlexTree
    planar: PlanarTree | PlanarFlexTree  # which a spatial arm ignores
    turns: Floats  # (n, 3, 3) per body the rotation that takes vectors of the drawing's frame into the kernel's
    frames: tuple[Ints, Ints]  # where the extra frames begin in the spatial and in the planar tree


def build_tree(
    bodies: Sequence[Body],
    *,
    gravity: Floats,
    extents: Sequence[float] | None = None,
    frames: Sequence[Attachment] = (),
) -> Built:
    """The trees of the bodies; flexible ones if any body is.

    `extents`: distance from each body's origin to its own farthest point (m); by default that of the mass centre.
    `frames`: further frames on flexible bodies, for loads and points.
    """
    n = len(bodies)
    nq = sum(body.coordinates for body in bodies)
    topology = np.zeros((n + 1, T_WIDTH), np.int64)
    topology[0, T_COORD] = -1
    row_parts: list[Part] = [((0, [B_R00, B_R11, B_R22]), 1.0)]
    plane_parts: list[Part] = []
    spring_parts: list[Part] = []
    turn: list[Floats] = []
    if extents is None:
        extents = [real(np.linalg.norm(body.centre)) for body in bodies]
    reach = _levers(bodies, extents)
    c = 0
    for i, body in enumerate(bodies):
        kind = KINDS[body.kind]
        topology[i + 1, :T_BRANCH] = (body.parent + 1, kind, c if body.coordinates else -1, int(body.driven))
        if body.parent != i - 1:
            topology[body.parent + 1, T_BRANCH] = 1
        # the kernel's frame has the joint axis for z: frame = drawing's frame · A
        a_i = rotation_to(floats(body.axis)) if kind else np.eye(3)
        a_up = turn[body.parent].T if body.parent >= 0 else np.eye(3)
        turn.append(a_i.T)
        centre = a_i.T @ body.centre
        about_origin = a_i.T @ body.inertia @ a_i + body.mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
        row_parts += [
            (np.s_[i + 1, B_R00 : B_R00 + 9], (a_up.T @ body.rotation @ a_i).ravel()),
            (np.s_[i + 1, B_OX : B_OX + 3], a_up.T @ body.offset),
            ((i + 1, B_MASS), body.mass),
            (np.s_[i + 1, B_MCX : B_MCX + 3], body.mass * centre),
            (np.s_[i + 1, B_JXX : B_JXX + 6], about_origin[[0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]]),
        ]
        r = body.rotation
        plane_parts += [
            ((P_ANGLE, i + 1), np.arctan2(r[1, 0], r[0, 0])),
            (([P_RX, P_RY], i + 1), body.offset[:2]),
            (([P_UX, P_UY], i + 1), (r @ body.axis)[:2]),
            ((P_MASS, i + 1), body.mass),
            (([P_MCX, P_MCY], i + 1), body.mass * body.centre[:2]),
            ((P_J, i + 1), body.inertia[2, 2] + body.mass * real(body.centre[:2] @ body.centre[:2])),
        ]
        if body.flexible:
            spring_parts.append((np.s_[c : c + body.coordinates, S_LEVER], _elastic_levers(bodies, reach, i)))
        if kind or body.sleeve is not None:
            lever = larger(reach[i], 1e-3) if kind == REVOLUTE else 1.0
            numbers = [body.stiffness, body.damping, body.rest, body.rotor, lever, float(body.driven), *body.gains]
            columns = [S_K, S_D, S_REST, S_ROTOR, S_LEVER, S_DRIVEN, S_GAIN, S_RATE_GAIN]
            spring_parts += [((c, column), number) for column, number in zip(columns, numbers, strict=True)]
        c += body.coordinates
    # row 0 tells of the whole tree: a serial chain of revolute joints takes the fast way
    if all(body.kind == "revolute" and body.parent == i - 1 for i, body in enumerate(bodies)):
        topology[0, T_JOINT] = REVOLUTE
    gravity = floats(gravity)
    spring, turns = filled((nq, S_WIDTH), spring_parts), filled((n, 3, 3), enumerate(turn))
    if any(body.flexible for body in bodies):
        return _flexible(bodies, topology, row_parts, plane_parts, spring, gravity, turns, frames)
    rows, plane = filled((n + 1, B_WIDTH), row_parts), filled((P_WIDTH, n + 1), plane_parts)
    nowhere = np.full(len(frames), -1, np.int64)
    return Built(
        SpatialTree(topology, rows, spring, gravity),
        PlanarTree(topology, plane, spring, gravity),
        turns,
        (nowhere, nowhere),
    )


def _flexible(
    bodies: Sequence[Body],
    rigid: Ints,
    row_parts: list[Part],
    plane_parts: list[Part],
    spring: Floats,
    gravity: Floats,
    turn: Floats,
    frames: Sequence[Attachment],
) -> Built:
    """The trees with the invariants of the flexible bodies and the frames on them laid out behind."""
    # elements that are alike share their arrays
    alike = {id(body.elastic): body.elastic for body in bodies if body.elastic is not None}
    known = {key: invariants_of(elastic) for key, elastic in alike.items()}
    found = {i: known[id(body.elastic)] for i, body in enumerate(bodies) if body.elastic is not None}
    for i, inv in found.items():
        row_parts += [((i + 1, B_MASS), inv.mass), ((i + 1, B_MCX), inv.first)]
        turned = array([real(bodies[i].inertia[a, a]) for a in range(3)])
        row_parts.append(((i + 1, [B_JXX, B_JYY, B_JZZ]), inv.inertia + turned))
        plane_parts += [((P_MASS, i + 1), inv.mass), ((P_MCX, i + 1), inv.first)]
        plane_parts += [((P_J, i + 1), inv.inertia[2] + turned[2]), ((P_FELT, i + 1), inv.felt)]
    sleeves = {i: body.sleeve for i, body in enumerate(bodies) if body.sleeve is not None}
    for i, sleeve in sleeves.items():
        mass = sleeve.mass_per_length * sleeve.length
        row_parts.append(((i + 1, B_MASS), mass))
        plane_parts.append(((P_MASS, i + 1), mass))
    trees = []
    begins = []
    for planar in (False, True):
        topology = np.zeros((len(rigid), F_WIDTH), np.int64)
        topology[:, :T_WIDTH] = rigid
        topology[:, T_STANDS] = -1
        topology[0, T_COUNT] = max(body.coordinates for body in bodies if body.flexible)
        elastic, attached, extra = _Rows(), _Rows(), []
        rows_of = {key: laid_out(inv, planar) for key, inv in known.items()}
        for i, body in enumerate(bodies):
            if body.elastic is not None:
                topology[i + 1, T_COUNT] = body.elastic.count
                topology[i + 1, T_DATA] = elastic.append(rows_of[id(body.elastic)])
            if body.sleeve is not None:
                topology[i + 1, T_COUNT], topology[i + 1, T_SLEEVE] = body.sleeve.count, 1
                topology[i + 1, T_DATA] = elastic.append(body.sleeve.laid_out())
            if body.attachment is not None:
                topology[i + 1, T_STANDS] = attached.append(attachment_row(body.attachment, planar))
        for frame in frames:
            extra.append(attached.append(attachment_row(frame, planar)))
        begins.append(np.array(extra, np.int64))
        trees.append((topology, elastic.whole(), attached.whole()))
    rows = filled((len(rigid), B_WIDTH), row_parts)
    flat = filled((len(rigid), P_WIDTH), [((place[1], place[0]), value) for place, value in plane_parts])
    (in_space, space_elastic, space_attached), (in_plane, plane_elastic, plane_attached) = trees
    kinds = (SpatialSleeveTree, PlanarSleeveTree) if sleeves else (SpatialFlexTree, PlanarFlexTree)
    return Built(
        kinds[0](in_space, rows, spring, gravity, space_elastic, space_attached),
        kinds[1](in_plane, flat, spring, gravity, plane_elastic, plane_attached),
        turn,
        (begins[0], begins[1]),
    )


class _Rows:
    """Rows of numbers laid one behind the other."""

    def __init__(self) -> None:
        self.rows: list[Floats] = []
        self.length = 0

    def append(self, row: Floats) -> int:
        """Where the row begins."""
        begin = self.length
        self.rows.append(row)
        self.length += len(row)
        return begin

    def whole(self) -> Floats:
        """All rows."""
        return np.concatenate(self.rows) if self.rows else np.zeros(1)
