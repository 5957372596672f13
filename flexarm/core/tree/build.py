"""From a list of bodies as drawn to the arrays of a Tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from flexarm.batched import Batch, array, filled, floats, larger, real

from .columns import B_JXX, B_JYY, B_JZZ, B_MASS, B_MCX, B_OX, B_R00, B_R11, B_R22, B_WIDTH
from .elastic import Attachment, Elastic
from .invariants import attachment_row, invariants_of, laid_out
from .levers import ElasticLevers, levers_of
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
    T_DRIVEN,
    T_JOINT,
    T_PARENT,
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

# A parent, where it is the body before in the list: so all elements of a beam can be one and the same object.
BEFORE = -2


def _kept(values: Floats) -> Callable[[], Floats]:
    """A default that all bodies share, which nobody may write to."""
    values.flags.writeable = False
    return lambda: values


@dataclass(frozen=True, slots=True)
class Body:
    """One rigid body and the joint that carries it, in the frames of the drawing.

    `parent` counts bodies from 0, −1 is the base, BEFORE the body before it in the list; `rotation` and `offset` lead
    from the parent's frame to the joint, which turns about or slides along `axis`; mass properties are in the body's
    own frame, the inertia about the mass centre. A body that stands on a flexible one does so in a frame on its axis,
    `attachment`, from which offset and rotation are counted. A flexible body (`elastic`) is fixed to what carries it
    and has no mass but its stations'; its inertia may hold what an inboard one hands to the frame it stands on
    (`Handed`), along its axes. So has a beam that slides out of a sleeve (`sleeve`), fixed at the sleeve's mouth;
    spring, damper, rotor and drive are those of the length outside, its first coordinate.
    """

    parent: int
    kind: str = "fixed"
    axis: Floats = field(default_factory=_kept(np.array([0.0, 0.0, 1.0])))
    rotation: Floats = field(default_factory=_kept(np.eye(3)))
    offset: Floats = field(default_factory=_kept(np.zeros(3)))
    mass: float = 0.0
    centre: Floats = field(default_factory=_kept(np.zeros(3)))
    inertia: Floats = field(default_factory=_kept(np.zeros((3, 3))))
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


def parents_of(bodies: Sequence[Body]) -> list[int]:
    """The number of the body that carries each; −1: the base."""
    return [i - 1 if body.parent == BEFORE else body.parent for i, body in enumerate(bodies)]


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


def _turns(bodies: Sequence[Body]) -> Floats:
    """Per body (n, 3, 3) the rotation whose z is the axis of its joint; the frame of the drawing where it has none."""
    known: dict[bytes, Floats] = {}
    found = []
    for body in bodies:
        axis = floats(body.axis)
        name = (axis.data if isinstance(axis, Batch) else axis).tobytes() if KINDS[body.kind] else b""
        if name not in known:
            known[name] = rotation_to(axis) if name else np.eye(3)
        found.append(known[name])
    return array(found) if found else np.zeros((0, 3, 3))


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
    if extents is None:
        extents = [real(np.linalg.norm(body.centre)) for body in bodies]
    up = parents_of(bodies)
    # those that are alike are looked at once
    kinds, first = _alike(bodies, up)
    kind, alike = np.array(kinds, np.int64), [bodies[i] for i in first]
    # the kernel's frame has the joint axis for z: frame = drawing's frame · A
    turn = _turns(alike)
    stands_on = np.array([up[i] for i in first], np.int64)
    below = np.concatenate([turn[kind], np.eye(3)[None]])[stands_on]  # of the base, −1, the last: none
    rotation, offset = _stack([body.rotation for body in alike]), _stack([body.offset for body in alike], 3)
    mass, centre = array([body.mass for body in alike]), _stack([body.centre for body in alike], 3)
    inertia, axis = _stack([body.inertia for body in alike]), _stack([body.axis for body in alike], 3)
    counts = np.array([body.coordinates for body in alike], np.int64)[kind].tolist()
    topology = _topology(bodies, up, counts)
    away = np.linalg.norm(offset, axis=1)[kind]
    away = list(away) if isinstance(away, Batch) else away.tolist()
    spring = _springs(bodies, up, counts, levers_of(bodies, up, extents, away), away)
    back, back_below = np.swapaxes(turn, 1, 2), np.swapaxes(below, 1, 2)
    turned_centre = (back @ centre[:, :, None])[:, :, 0]
    about_origin = back @ inertia @ turn + mass[:, None, None] * _about(turned_centre)
    row_parts: list[Part] = [
        ((0, [B_R00, B_R11, B_R22]), 1.0),
        (np.s_[1:, B_R00 : B_R00 + 9], (back_below @ rotation @ turn).reshape(len(alike), 9)[kind]),
        (np.s_[1:, B_OX : B_OX + 3], (back_below @ offset[:, :, None])[:, :, 0][kind]),
        (np.s_[1:, B_MASS], mass[kind]),
        (np.s_[1:, B_MCX : B_MCX + 3], (mass[:, None] * turned_centre)[kind]),
        (np.s_[1:, B_JXX : B_JXX + 6], about_origin[:, [0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]][kind]),
    ]
    squared = centre[:, 0] * centre[:, 0] + centre[:, 1] * centre[:, 1]
    plane_parts: list[Part] = [
        (np.s_[P_ANGLE, 1:], np.arctan2(rotation[:, 1, 0], rotation[:, 0, 0])[kind]),
        (np.s_[[P_RX, P_RY], 1:], offset[:, :2][kind].T),
        (np.s_[[P_UX, P_UY], 1:], (rotation @ axis[:, :, None])[:, :2, 0][kind].T),
        (np.s_[P_MASS, 1:], mass[kind]),
        (np.s_[[P_MCX, P_MCY], 1:], (mass[:, None] * centre[:, :2])[kind].T),
        (np.s_[P_J, 1:], (inertia[:, 2, 2] + mass * squared)[kind]),
    ]
    back = back[kind]
    gravity = floats(gravity)
    if any(body.flexible for body in bodies):
        return _flexible(bodies, topology, row_parts, plane_parts, spring, gravity, back, frames)
    rows, plane = filled((n + 1, B_WIDTH), row_parts), filled((P_WIDTH, n + 1), plane_parts)
    nowhere = np.full(len(frames), -1, np.int64)
    return Built(
        SpatialTree(topology, rows, spring, gravity),
        PlanarTree(topology, plane, spring, gravity),
        back,
        (nowhere, nowhere),
    )


def _alike(bodies: Sequence[Body], up: Sequence[int]) -> tuple[list[int], list[int]]:
    """The kind of each body, and which body is the first of each kind: bodies that are one and the same object and
    stand on such.
    """
    known: dict[tuple[int, int], int] = {}
    kinds: list[int] = []
    first: list[int] = []
    for i, body in enumerate(bodies):
        name = id(body), id(bodies[up[i]]) if up[i] >= 0 else 0
        kind = known.get(name)
        if kind is None:
            kind = known[name] = len(first)
            first.append(i)
        kinds.append(kind)
    return kinds, first


def _stack(values: Sequence[Floats], size: int = 0) -> Floats:
    """Vectors of a size, or matrices, one behind the other."""
    return array(values) if values else np.zeros((0, size) if size else (0, 3, 3))


def _about(centre: Floats) -> Floats:
    """c·c 1 − c cᵀ for each (n, 3)."""
    squares = centre * centre
    size = squares[:, 0] + squares[:, 1] + squares[:, 2]
    return size[:, None, None] * np.eye(3) - centre[:, :, None] * centre[:, None, :]


def _topology(bodies: Sequence[Body], up: Sequence[int], counts: Sequence[int]) -> Ints:
    """The rows of the bodies behind row 0, which describes the whole tree."""
    topology = np.zeros((len(bodies) + 1, T_WIDTH), np.int64)
    if bodies:
        parents, count = np.array(up, np.int64), np.array(counts, np.int64)
        own = topology[1:]
        own[:, T_PARENT] = parents + 1
        own[:, T_JOINT] = [KINDS[body.kind] for body in bodies]
        own[:, T_COORD] = np.where(count > 0, np.cumsum(count) - count, -1)
        own[:, T_DRIVEN] = [body.driven for body in bodies]
        topology[parents[parents != np.arange(-1, len(bodies) - 1)] + 1, T_BRANCH] = 1
    topology[0, T_COORD] = -1
    # a serial chain of revolute joints takes the fast way
    if np.all(topology[1:, T_JOINT] == REVOLUTE) and not topology[:, T_BRANCH].any():
        topology[0, T_JOINT] = REVOLUTE
    return topology


def _springs(
    bodies: Sequence[Body], up: Sequence[int], counts: Sequence[int], reach: Sequence[float], away: Sequence[float]
) -> Floats:
    """A row for every coordinate: spring, damper, rotor, lever and drive."""
    carried: dict[int, list[tuple[Attachment, float]]] = {}
    levers = ElasticLevers()
    for i, body in enumerate(bodies):
        if body.attachment is not None:
            carried.setdefault(up[i], []).append((body.attachment, reach[i] + away[i]))
    parts: list[Part] = []
    jointed: list[int] = []
    arms: list[float] = []
    rows: list[list[float]] = []
    known: dict[int, list[float]] = {}
    c = 0
    for i, (body, count) in enumerate(zip(bodies, counts, strict=True)):
        if body.flexible:
            parts.append((np.s_[c : c + count, S_LEVER], levers.of(body, reach[i], carried.get(i, ()))))
        if body.kind != "fixed" or body.sleeve is not None:
            if id(body) not in known:
                driven = float(body.driven)
                known[id(body)] = [body.stiffness, body.damping, body.rest, body.rotor, driven, *body.gains]
            jointed.append(c)
            rows.append(known[id(body)])
            arms.append(larger(reach[i], 1e-3) if body.kind == "revolute" else 1.0)
        c += count
    if rows:
        columns = [S_K, S_D, S_REST, S_ROTOR, S_DRIVEN, S_GAIN, S_RATE_GAIN]
        parts += [(np.ix_(jointed, columns), array(rows)), ((jointed, S_LEVER), array(arms))]
    return filled((c, S_WIDTH), parts)


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
    bent = [i for i, body in enumerate(bodies) if body.elastic is not None]
    if bent:
        found = [known[id(bodies[i].elastic)] for i in bent]
        rows = np.array(bent) + 1
        mass, first = array([inv.mass for inv in found]), array([inv.first for inv in found])
        own = array([inv.inertia for inv in found])
        turned = array([bodies[i].inertia for i in bent])[:, range(3), range(3)]
        row_parts += [((rows, B_MASS), mass), ((rows, B_MCX), first)]
        row_parts.append((np.ix_(rows, np.array([B_JXX, B_JYY, B_JZZ])), own + turned))
        plane_parts += [((P_MASS, rows), mass), ((P_MCX, rows), first), ((P_J, rows), own[:, 2] + turned[:, 2])]
        plane_parts.append(((P_FELT, rows), np.array([inv.felt for inv in found])))
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
        frame_of: dict[int, Floats] = {}
        for i, body in enumerate(bodies):
            if body.elastic is not None:
                topology[i + 1, T_COUNT] = body.elastic.count
                topology[i + 1, T_DATA] = elastic.append(rows_of[id(body.elastic)])
            if body.sleeve is not None:
                topology[i + 1, T_COUNT], topology[i + 1, T_SLEEVE] = body.sleeve.count, 1
                topology[i + 1, T_DATA] = elastic.append(body.sleeve.laid_out())
            if body.attachment is not None:
                if id(body.attachment) not in frame_of:
                    frame_of[id(body.attachment)] = attachment_row(body.attachment, planar)
                topology[i + 1, T_STANDS] = attached.append(frame_of[id(body.attachment)])
        for frame in frames:
            extra.append(attached.append(attachment_row(frame, planar)))
        begins.append(np.array(extra, np.int64))
        trees.append((topology, elastic.whole(), attached.whole()))
    space = filled((len(rigid), B_WIDTH), row_parts)
    plane = filled((P_WIDTH, len(rigid)), plane_parts).T.copy()
    (in_space, space_elastic, space_attached), (in_plane, plane_elastic, plane_attached) = trees
    kinds = (SpatialSleeveTree, PlanarSleeveTree) if sleeves else (SpatialFlexTree, PlanarFlexTree)
    return Built(
        kinds[0](in_space, space, spring, gravity, space_elastic, space_attached),
        kinds[1](in_plane, plane, spring, gravity, plane_elastic, plane_attached),
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
