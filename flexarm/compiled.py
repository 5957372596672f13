"""From the drawing to the engine: an Arm becomes a tree of bodies with names for everything in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from flexarm.core.build import Body, build_tree
from flexarm.core.types import Commands, Floats, Ints, Laws, Loads, PlanarTree, SpatialTree, Tree
from flexarm.errors import AnalysisError
from flexarm.links import block_of
from flexarm.links.base import UNIT, BeamSpan, Direction, LinkBlock, RigidPiece
from flexarm.links.damping import damped
from flexarm.model import Arm, Link, Payload, Pieces

# Switches of different laws closer than this (s) are one.
SAME_SWITCH = 1e-12


@dataclass(frozen=True, eq=False)
class CompiledArm:
    """An arm ready for the engine. Coordinates are numbered base to tip, joints and elastic ones in one list."""

    arm: Arm
    tree: Tree  # what the steppers run: planar for planar arms
    spatial: SpatialTree  # the same bodies in space
    loads: Loads
    spatial_loads: Loads  # the same for the spatial tree, whose frames differ at slides
    laws: Laws
    commands: Commands
    coordinate_names: tuple[str, ...]
    coordinate_units: tuple[str, ...]
    joint_names: tuple[str, ...]  # links with a movable joint
    joint_coordinates: Ints
    elastic_coordinates: Ints
    elastic_directions: tuple[Direction, ...]
    elastic_links: tuple[str, ...]
    joint_bodies: Mapping[str, int]  # link → row of the body behind its joint
    point_names: tuple[str, ...]
    point_body: Ints
    point_place: Floats  # (points, 12): offset and rotation in the kernel's frame of the body
    point_in_plane: Floats  # (points, 3): offset and angle in the drawing's frame of the body, for planar arms
    stations: tuple[StationPlace, ...]
    start: Floats  # (nq,) coordinates at the start
    start_rate: Floats
    reach: float

    @property
    def driven(self) -> np.ndarray:
        """True for coordinates whose motion is prescribed."""
        return np.asarray(self.tree.spring[:, 5] == 1.0)

    @property
    def free(self) -> np.ndarray:
        """Indices of the coordinates the dynamics decides."""
        return np.flatnonzero(~self.driven)


@dataclass(frozen=True)
class StationPlace:
    """A station of a link: where, and what the coordinates there mean."""

    link: str
    position: float
    coordinates: tuple[tuple[Direction, int, float], ...]  # direction, coordinate of the arm, strain per unit


def refined(arm: Arm, factor: int) -> Arm:
    """The same arm with `factor` times the elements on every beam; damping given per spring keeps its material's
    meaning.
    """
    links = []
    for link in arm.links:
        if link.beam is not None:
            model = link.formulation.changed(elements=link.formulation.elements * factor)
            changes: dict[str, object] = {"model": model}
            if link.damping is not None and link.damping.per_spring is not None:
                changes["damping"] = link.damping.changed(per_spring=link.damping.per_spring * factor)
            links.append(link.changed(**changes))
        else:
            links.append(link)
    return arm.changed(links=tuple(links))


class _Assembly:
    """Bodies and names gathered link by link."""

    def __init__(self, arm: Arm) -> None:
        self.arm = arm
        self.bodies: list[Body] = []
        self.extents: list[float] = []
        self.names: list[str] = []
        self.units: list[str] = []
        self.directions: list[Direction | None] = []
        self.owner: list[str] = []
        self.carrier: dict[str, int] = {}
        self.first: dict[str, int] = {}
        self.blocks: dict[str, LinkBlock] = {}
        self.stations: list[StationPlace] = []

    def frame_at(self, link: Link, s: float | None) -> tuple[int, Floats, Floats]:
        """Body under a point of a link's axis, offset and rotation of the local frame there; None: the tip frame."""
        turned = link.axis_rotation
        distance = link.length if s is None else s
        body, along = self.carrier[link.name], link.radius + distance
        if link.name in self.blocks:
            inside, rest = self.blocks[link.name].place(distance)
            if inside >= 0:
                body, along = self.first[link.name] + inside, rest
        outside = body != self.carrier[link.name]
        # bodies of a block have the beam's axes, the carrier those of the link
        to_link = turned.T if outside else np.eye(3)
        offset = to_link @ (along * link.axis)
        rotation = to_link
        if s is None:
            offset = offset + rotation @ np.array(link.tip_offset)
            rotation = rotation @ link.tip_rotation_matrix
        return body, offset, rotation

    def add_body(
        self, body: Body, extent: float, name: str, unit: str, owner: str, direction: Direction | None
    ) -> None:
        self.bodies.append(body)
        self.extents.append(extent)
        if body.kind != "fixed":
            self.names.append(name)
            self.units.append(unit)
            self.directions.append(direction)
            self.owner.append(owner)

    def add_link(self, index: int) -> None:
        arm, link = self.arm, self.arm.links[index]
        joint = link.joint
        parent = arm.parents[index]
        body, offset, rotation = -1, np.zeros(3), np.eye(3)
        if parent >= 0:
            body, offset, rotation = self.frame_at(arm.links[parent], link.parent_at)
        offset = offset + rotation @ np.array(joint.offset)
        rotation = rotation @ joint.rotation_matrix
        axis = np.array(joint.axis)
        if joint.zero != 0.0:
            if joint.type == "revolute":
                rotation = rotation @ _turn_about(axis, joint.zero)
            else:
                offset = offset + rotation @ (axis * joint.zero)
        self.carrier[link.name] = len(self.bodies)
        self.add_body(
            Body(
                parent=body,
                kind=joint.type,
                axis=axis,
                rotation=rotation,
                offset=offset,
                stiffness=joint.stiffness,
                damping=joint.damping,
                rest=joint.spring_rest,
                rotor=joint.rotor_inertia,
                driven=joint.prescribed,
            ),
            float(np.linalg.norm(link.tip_position)),
            link.name,
            joint.unit,
            link.name,
            None,
        )
        self.join(self.carrier[link.name], _hub(link))
        if link.beam is not None:
            self.add_beam(link)
        else:
            assert link.rigid is not None
            self.join(self.carrier[link.name], RigidPiece(link.rigid.mass, link.mass_centre, link.inertia_matrix))
        for payload in link.payloads:
            self.join_payload(link, payload)

    def add_beam(self, link: Link) -> None:
        assert link.beam is not None
        span = BeamSpan(link.name, link.beam, link.length, link.formulation, self.arm.planar)
        block = block_of(span)
        block = damped(block, span, link)
        carrier, first = self.carrier[link.name], len(self.bodies)
        turned = link.axis_rotation
        self.join(carrier, block.carried.placed(turned, link.radius * link.axis))
        for k, body in enumerate(block.bodies):
            if body.parent < 0:
                # the first piece stands on the carrier, whose axes are the link's
                start = turned @ body.offset + link.radius * link.axis
                body = replace(body, parent=carrier, offset=start, rotation=turned @ body.rotation)
            else:
                body = replace(body, parent=first + body.parent)
            direction = block.directions[k]
            self.add_body(
                body, block.extents[k], f"{link.name}.{block.names[k]}", UNIT[direction], link.name, direction
            )
        self.first[link.name] = first
        self.blocks[link.name] = block
        places: dict[float, list[tuple[Direction, int, float]]] = {}
        zero = len(self.names) - len(block.bodies)
        for station in block.stations:
            places.setdefault(station.position, []).append(
                (station.direction, zero + station.coordinate, station.strain_per_unit)
            )
        self.stations += [StationPlace(link.name, s, tuple(found)) for s, found in places.items()]

    def join(self, body: int, piece: RigidPiece) -> None:
        old = self.bodies[body]
        whole = RigidPiece(old.mass, old.centre, old.inertia).joined(piece)
        self.bodies[body] = replace(old, mass=whole.mass, centre=whole.centre, inertia=whole.inertia)

    def join_payload(self, link: Link, payload: Payload) -> None:
        from flexarm.model.inertia import inertia_matrix

        body, offset, rotation = self.frame_at(link, payload.at)
        piece = RigidPiece(payload.mass, np.array(payload.offset), inertia_matrix(payload.inertia, link.direction))
        self.join(body, piece.placed(rotation, offset))


def _turn_about(axis: Floats, angle: float) -> Floats:
    """Rotation matrix about a unit axis (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross


def _hub(link: Link) -> RigidPiece:
    """The hub: mass on the joint, inertia about the joint's axis."""
    if link.hub is None:
        return RigidPiece()
    axis = np.array(link.joint.axis)
    return RigidPiece(link.hub.mass, np.zeros(3), link.hub.inertia * np.outer(axis, axis))


def _check_massless(assembly: _Assembly) -> None:
    """Refuse a free joint with nothing heavy behind it: its acceleration would be anything."""
    bodies = assembly.bodies
    heavy = [body.mass > 0.0 or bool(np.any(body.inertia != 0.0)) for body in bodies]
    for i in range(len(bodies) - 1, -1, -1):
        if heavy[i] and bodies[i].parent >= 0:
            heavy[bodies[i].parent] = True
    movable = [i for i, body in enumerate(bodies) if body.kind != "fixed"]
    for name, i in zip(assembly.names, movable, strict=True):
        if not heavy[i] and not bodies[i].driven and bodies[i].rotor == 0.0:
            raise AnalysisError(
                f'"{name}": a free joint carries no mass, must carry some, have a rotor_inertia, or be locked or driven'
            )


def _packed(laws: Sequence[Pieces], switches: Floats) -> Laws:
    """Laws in the engine's form; starts that differ from a switch by rounding are put on it."""
    width = max((law.poly.shape[1] for law in laws), default=1)
    first = np.zeros(len(laws) + 1, np.int64)
    rows = []
    for j, law in enumerate(laws):
        block = np.zeros((len(law.start), 4 + width))
        block[:, 0] = law.start
        for k, start in enumerate(law.start):
            near = switches[np.abs(switches - start) <= SAME_SWITCH]
            if len(near):
                block[k, 0] = near[0]
        block[:, 1:4] = law.harmonic
        block[:, 4 : 4 + law.poly.shape[1]] = law.poly
        rows.append(block)
        first[j + 1] = first[j] + len(block)
    return Laws(first, np.concatenate(rows) if rows else np.zeros((0, 4 + width)))


def compile_arm(arm: Arm) -> CompiledArm:
    """The arm as the engine sees it; refuses, in one sentence, what no formulation can model."""
    assembly = _Assembly(arm)
    for index in arm.base_to_tip:
        assembly.add_link(index)
    _check_massless(assembly)
    spatial, planar, turns = build_tree(assembly.bodies, gravity=np.array(arm.gravity), extents=assembly.extents)
    # the planar kernel turns about +z only
    flat = arm.planar and all(link.joint.type != "revolute" or link.joint.axis[2] > 0.0 for link in arm.links)
    tree: Tree = planar if flat else spatial
    coordinate = {name: c for c, name in enumerate(assembly.names)}
    laws: list[Pieces] = []
    motion: list[tuple[int, int]] = []
    torque: list[tuple[int, int]] = []
    switches: list[float] = []
    start = np.zeros(len(assembly.names))
    start_rate = np.zeros(len(assembly.names))
    for link in arm.links:
        if link.joint.type == "fixed":
            continue
        c = coordinate[link.name]
        start[c], start_rate[c] = link.joint.at, link.joint.start_rate
        for pieces, group in ((arm.motion_of(link), motion), (arm.torque_of(link), torque)):
            if pieces is not None:
                group.append((c, len(laws)))
                laws.append(pieces)
                switches.extend(pieces.switch_times.tolist())
    spatial_loads, load_laws = _loads(arm, assembly, turns, len(laws))
    drawn = np.broadcast_to(np.eye(3), turns.shape)
    loads = _loads(arm, assembly, drawn, len(laws))[0] if flat else spatial_loads
    for pieces in load_laws:
        switches.extend(pieces.switch_times.tolist())
    laws += load_laws
    point_body, point_place, point_in_plane = _points(arm, assembly, turns)
    elastic = [c for c, direction in enumerate(assembly.directions) if direction is not None]
    joints = [c for c, direction in enumerate(assembly.directions) if direction is None]
    times = np.unique(np.array(switches))
    # switches of several laws that differ by rounding are one
    keep = np.append(True, np.diff(times) > SAME_SWITCH) if len(times) else np.zeros(0, bool)
    reach = max((float(lever) for lever in spatial.spring[:, 4]), default=1.0)
    return CompiledArm(
        arm=arm,
        tree=tree,
        spatial=spatial,
        loads=loads,
        spatial_loads=spatial_loads,
        laws=_packed(laws, times[keep]),
        commands=Commands(
            np.array([c for c, _ in motion], np.int64),
            np.array([law for _, law in motion], np.int64),
            np.array([c for c, _ in torque], np.int64),
            np.array([law for _, law in torque], np.int64),
            times[keep],
        ),
        coordinate_names=tuple(assembly.names),
        coordinate_units=tuple(assembly.units),
        joint_names=tuple(assembly.names[c] for c in joints),
        joint_coordinates=np.array(joints, np.int64),
        elastic_coordinates=np.array(elastic, np.int64),
        elastic_directions=tuple(d for d in assembly.directions if d is not None),
        elastic_links=tuple(assembly.owner[c] for c in elastic),
        joint_bodies={name: body + 1 for name, body in assembly.carrier.items()},
        point_names=tuple(point.name for point in arm.observed),
        point_body=point_body,
        point_place=point_place,
        point_in_plane=point_in_plane,
        stations=tuple(assembly.stations),
        start=start,
        start_rate=start_rate,
        reach=reach,
    )


def _loads(arm: Arm, assembly: _Assembly, turns: Floats, first_law: int) -> tuple[Loads, list[Pieces]]:
    place = np.zeros((len(arm.loads), 3), np.int64)
    wrench = np.zeros((len(arm.loads), 9))
    laws: list[Pieces] = []
    for j, load in enumerate(arm.loads):
        body, offset, rotation = assembly.frame_at(arm.link(load.link), load.at)
        follows = load.axes == "link"
        law = -1
        if load.law is not None:
            law = first_law + len(laws)
            laws.append(arm.factor_of(load))
        place[j] = (body + 1, int(follows), law)
        axes = turns[body] @ rotation if follows else np.eye(3)
        wrench[j] = np.concatenate([turns[body] @ offset, axes @ np.array(load.force), axes @ np.array(load.moment)])
    return Loads(place, wrench), laws


def _points(arm: Arm, assembly: _Assembly, turns: Floats) -> tuple[Ints, Floats, Floats]:
    bodies = np.zeros(len(arm.observed), np.int64)
    places = np.zeros((len(arm.observed), 12))
    in_plane = np.zeros((len(arm.observed), 3))
    for j, point in enumerate(arm.observed):
        body, offset, rotation = assembly.frame_at(arm.link(point.link), point.at)
        offset = offset + rotation @ np.array(point.offset)
        bodies[j] = body + 1
        places[j, :3] = turns[body] @ offset
        places[j, 3:] = (turns[body] @ rotation).ravel()
        in_plane[j] = (offset[0], offset[1], np.arctan2(rotation[1, 0], rotation[0, 0]))
    return bodies, places, in_plane


__all__ = ["CompiledArm", "PlanarTree", "StationPlace", "compile_arm", "refined"]
