"""Bodies and names of an arm, gathered link by link."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flexarm.assembly.spans import hub_of, payload_piece, span_of, turn_about
from flexarm.batched import array, key, real
from flexarm.core.tree.build import BEFORE, Body, parents_of
from flexarm.core.tree.elastic import Attachment
from flexarm.core.tree.sleeve import LEAST_PART
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.links import block_of
from flexarm.links.base import Direction, LinkBlock, RigidPiece, changed_body
from flexarm.links.damping import damped
from flexarm.model import Arm, Link, Payload

if TYPE_CHECKING:
    from flexarm.links.sleeve import SleeveStation


@dataclass(frozen=True)
class Reading:
    """A strain and the force behind it at a station, from some coordinates of the arm."""

    direction: Direction
    coordinates: tuple[int, ...]
    strain: tuple[float, ...]
    force: tuple[float, ...]
    loss: tuple[float, ...]

    def strains(self, q: Floats) -> Floats:
        """The strain at coordinates (m, nq)."""
        return np.asarray(q[:, list(self.coordinates)] @ self.strain)

    def forces(self, q: Floats, v: Floats) -> Floats:
        """The force behind it, with what damping adds."""
        where = list(self.coordinates)
        return np.asarray(q[:, where] @ self.force + v[:, where] @ self.loss)


@dataclass(frozen=True, eq=False)
class SleeveReading:
    """The same on a beam in a sleeve, whose rows change with the length outside."""

    station: SleeveStation
    first: int  # coordinate that is the length outside

    @property
    def direction(self) -> Direction:
        """What is read."""
        return self.station.direction

    def strains(self, q: Floats) -> Floats:
        """The strain at coordinates (m, nq)."""
        return self.station.strains(q[:, self.first :], q[:, self.first :])

    def forces(self, q: Floats, v: Floats) -> Floats:
        """The force behind it, with what damping adds."""
        z, rate = q[:, self.first :], v[:, self.first :]
        station = self.station
        return station.stiffness * (station.strains(z, z) + station.retardation * station.strains(z, rate))


@dataclass(frozen=True)
class StationPlace:
    """A station of a link: where, and what can be read there; on a beam in a sleeve where it is when all is out."""

    link: str
    position: float
    readings: tuple[Reading | SleeveReading, ...]
    rough: bool = False  # stations near it are more accurate


@dataclass(frozen=True)
class AttachedFrame:
    """Where something stands on the arm: a body, a frame on its axis if it is flexible, an offset and a rotation."""

    body: int  # −1: the base
    offset: Floats
    rotation: Floats
    attachment: Attachment | None = None


@dataclass(frozen=True, eq=False)
class FlexibleSpan:
    """A flexible body of the arm and the displacement of its end per coordinate."""

    link: str
    first: int  # of its coordinates
    phi: Floats  # (3, n)
    length: float
    # "element" or "link"; "printed": a chain of small motions; "sleeve": the coordinate before is the length outside
    frames: str

    def bend(self, q: Floats) -> float:
        """The greatest deflection at the coordinates (m, nq) of the arm, as part of the length."""
        bent = np.linalg.norm(q[:, self.first : self.first + self.phi.shape[1]] @ self.phi.T, axis=1)
        if self.frames == "sleeve":
            return float(np.max(bent / np.maximum(q[:, self.first - 1], LEAST_PART * self.length)))
        return float(np.max(bent)) / self.length


class Assembly:
    """Bodies, their coordinates' names and what stands where."""

    def __init__(self, arm: Arm) -> None:
        self.arm = arm
        self.bodies: list[Body] = []
        self.extents: list[float] = []
        self.names: list[str] = []
        self.units: list[str] = []
        self.directions: list[Direction | None] = []
        self.owner: list[str] = []
        self.carrier: dict[str, int] = {}
        self.joint_body: dict[str, int] = {}
        self.first: dict[str, int] = {}
        self.blocks: dict[str, LinkBlock] = {}
        self.stations: dict[str, Callable[[], list[StationPlace]]] = {}  # of links that have some
        self.spans: list[FlexibleSpan] = []

    def frame_at(self, link: Link, s: float | None) -> AttachedFrame:
        """The local frame at a point of a link's axis; None: the tip frame."""
        distance = link.length if s is None else s
        carrier = self.carrier[link.name]
        body, along, attachment = carrier, link.radius + distance, None
        if link.name in self.blocks:
            place = self.blocks[link.name].place(distance)
            if place.body >= 0:
                body, along, attachment = self.first[link.name] + place.body, place.along, place.attachment
        # bodies of a block have the beam's axes, the carrier those of the link
        rotation = link.axis_rotation.T if body != carrier else np.eye(3)
        offset = np.zeros(3) if attachment is not None else rotation @ (along * link.axis)
        if s is None:
            offset = offset + rotation @ array(link.tip_offset)
            rotation = rotation @ link.tip_rotation_matrix
        return AttachedFrame(body, offset, rotation, attachment)

    def add_body(self, body: Body, extent: float) -> int:
        """Row of the new body among the bodies."""
        self.bodies.append(body)
        self.extents.append(extent)
        return len(self.bodies) - 1

    def add_coordinate(self, name: str, unit: str, owner: str, direction: Direction | None) -> None:
        """Name the next coordinate."""
        self.names.append(name)
        self.units.append(unit)
        self.owner.append(owner)
        self.directions.append(direction)

    def add_link(self, index: int) -> None:
        """Joint, body and payloads of a link."""
        link = self.arm.links[index]
        if link.joint.sleeve:
            self.add_sleeve(index)
        else:
            self.add_joint(index)
            self.join(self.carrier[link.name], hub_of(link))
        if link.rigid is not None:
            self.join(self.carrier[link.name], RigidPiece(link.rigid.mass, link.mass_centre, link.inertia_matrix))
        elif not link.joint.sleeve:
            self.add_beam(link)
        if link.name not in self.blocks or not self.blocks[link.name].holds:
            for payload in link.payloads:
                self.join_payload(link, payload)

    def jointed(self, index: int) -> Body:
        """The massless body behind a link's joint."""
        arm, link = self.arm, self.arm.links[index]
        joint = link.joint
        parent = arm.parents[index]
        stands = AttachedFrame(-1, np.zeros(3), np.eye(3))
        if parent >= 0:
            stands = self.frame_at(arm.links[parent], link.parent_at)
        offset = stands.offset + stands.rotation @ array(joint.offset)
        rotation = stands.rotation @ joint.rotation_matrix
        axis = array(joint.axis)
        if joint.zero != 0.0:
            if joint.type == "revolute":
                rotation = rotation @ turn_about(axis, joint.zero)
            else:
                offset = offset + rotation @ (axis * joint.zero)
        kp, kv = joint.servo_gains() or (0.0, 0.0)
        return Body(
            parent=stands.body,
            attachment=stands.attachment,
            kind=joint.type,
            axis=axis,
            rotation=rotation,
            offset=offset,
            stiffness=joint.stiffness + kp,
            damping=joint.damping + joint.felt_friction + kv,
            rest=joint.spring_rest,
            rotor=joint.felt_inertia,
            driven=joint.prescribed,
            gains=(kp, kv),
        )

    def add_joint(self, index: int) -> None:
        """The body behind a joint; a gear that gives way stands between it and the motor's."""
        link, joint = self.arm.links[index], self.arm.links[index].joint
        extent = real(np.linalg.norm(link.tip_position))
        row = self.add_body(self.jointed(index), extent)
        self.joint_body[link.name] = row
        if joint.type != "fixed":
            self.add_coordinate(link.name, joint.unit, link.name, None)
            if joint.gear is not None:
                row = self.add_body(
                    Body(
                        parent=row,
                        kind=joint.type,
                        axis=array(joint.axis),
                        stiffness=joint.gear.stiffness,
                        damping=joint.gear.damping,
                    ),
                    extent,
                )
                self.add_coordinate(f"{link.name}.gear", joint.unit, link.name, "gear")
        self.carrier[link.name] = row

    def add_sleeve(self, index: int) -> None:
        """A beam that slides out of its sleeve: one body at the mouth, the joint's coordinate its first."""
        from flexarm.links.sleeve import sleeve_block

        link, zero = self.arm.links[index], len(self.names)
        assert link.beam is not None
        if link.joint.gear is not None:
            raise AnalysisError(
                f'link "{link.name}": joint.gear is given with joint.sleeve, must be left out: the beam follows its '
                "drive rigidly"
            )
        span = span_of(self.arm, link)
        block, stations = sleeve_block(span, link)
        body, sleeve = self.jointed(index), block.bodies[0].sleeve
        assert sleeve is not None
        turned = body.rotation @ link.axis_rotation
        row = self.add_body(changed_body(body, kind="fixed", rotation=turned, sleeve=sleeve), link.length)
        self.add_coordinate(link.name, link.joint.unit, link.name, None)
        for name, unit, direction in zip(block.names, block.units, block.directions, strict=True):
            self.add_coordinate(f"{link.name}.{name}", unit, link.name, direction)
        self.spans.append(FlexibleSpan(link.name, zero + 1, sleeve.tip_phi, link.length, "sleeve"))
        # nothing stands on what carries the sleeve: all there is of the link is the body itself
        self.carrier[link.name] = -1
        self.joint_body[link.name] = self.first[link.name] = row
        self.blocks[link.name] = block

        def read() -> list[StationPlace]:
            """The stations of the link."""
            places: dict[float, list[SleeveReading]] = {}
            for station in stations:
                places.setdefault(station.position, []).append(SleeveReading(station, zero))
            return [StationPlace(link.name, s, tuple(found)) for s, found in places.items()]

        self.stations[link.name] = read

    def add_beam(self, link: Link) -> None:
        """The bodies of a beam, standing on the body behind its joint."""
        span = span_of(self.arm, link)
        block = damped(block_of(span), span, link)
        carrier, first, zero = self.carrier[link.name], len(self.bodies), len(self.names)
        turned = link.axis_rotation
        self.join(carrier, block.carried.placed(turned, link.radius * link.axis))
        at = zero
        frames: str = link.formulation.frames
        if block.turns is not None:
            # of chains only one that is printed is a flexible body
            frames = "printed"
            self.check_hub(link)
        for body, extent in zip(block.bodies, block.extents, strict=True):
            if body.elastic is not None:
                end = body.elastic.phi[int(np.argmax(body.elastic.x))]
                self.spans.append(FlexibleSpan(link.name, at, end, extent, frames))
            at += body.coordinates
            if body.parent == -1:
                # the first piece stands on the carrier, whose axes are the link's
                start = turned @ body.offset + link.radius * link.axis
                body = changed_body(body, parent=carrier, offset=start, rotation=turned @ body.rotation)
            elif body.parent != BEFORE:
                body = changed_body(body, parent=first + body.parent)
            self.add_body(body, extent)
        self.names += [f"{link.name}.{name}" for name in block.names]
        self.units += block.units
        self.directions += block.directions
        self.owner += [link.name] * len(block.names)
        self.first[link.name] = first
        self.blocks[link.name] = block

        def read() -> list[StationPlace]:
            """The stations of the link."""
            places: dict[object, tuple[float, list[Reading]]] = {}
            rough = set()
            for station in block.stations:
                where = tuple(zero + c for c in station.coordinates)
                reading = Reading(station.direction, where, station.strain, station.force, station.loss)
                places.setdefault(key(station.position), (station.position, []))[1].append(reading)
                if station.rough:
                    rough.add(key(station.position))
            return [StationPlace(link.name, s, tuple(found), k in rough) for k, (s, found) in places.items()]

        self.stations[link.name] = read

    def all_stations(self) -> tuple[StationPlace, ...]:
        """The stations of all links."""
        return tuple(place for read in self.stations.values() for place in read())

    def join(self, body: int, piece: RigidPiece) -> None:
        """Make a rigid piece part of a rigid body."""
        old = self.bodies[body]
        whole = RigidPiece(old.mass, old.centre, old.inertia).joined(piece)
        self.bodies[body] = changed_body(old, mass=whole.mass, centre=whole.centre, inertia=whole.inertia)

    def join_payload(self, link: Link, payload: Payload) -> None:
        """A payload: part of the rigid body under it, or a body of its own on a flexible one."""
        stands = self.frame_at(link, payload.at)
        piece = payload_piece(link, payload)
        if stands.attachment is None:
            self.join(stands.body, piece.placed(stands.rotation, stands.offset))
            return
        row = self.add_body(
            Body(parent=stands.body, attachment=stands.attachment, offset=stands.offset, rotation=stands.rotation),
            real(np.linalg.norm(piece.centre)),
        )
        self.join(row, piece)

    def check_hub(self, link: Link) -> None:
        """Refuse a printed chain on a free joint without inertia: the chain's masses can stay where they are."""
        hub = self.bodies[self.carrier[link.name]]
        inertia = hub.rotor + real(hub.axis @ hub.inertia @ hub.axis) + hub.mass * real(hub.centre @ hub.centre)
        if hub.kind == "revolute" and not hub.driven and inertia == 0.0:
            raise AnalysisError(
                f'link "{link.name}": hub.inertia is 0 kg m² on a free joint with model.kinematics "printed", must '
                "be > 0: bars that turn small leave the joint none"
            )

    def check_massless(self) -> None:
        """Refuse a free joint with nothing heavy behind it: its acceleration would be anything."""
        bodies, up = self.bodies, parents_of(self.bodies)
        alike = {id(body): body for body in bodies}
        weighs = {
            name: body.mass > 0.0 or bool(np.any(body.inertia != 0.0)) or body.flexible for name, body in alike.items()
        }
        heavy = [weighs[id(body)] for body in bodies]
        for i in range(len(bodies) - 1, -1, -1):
            if heavy[i] and up[i] >= 0:
                heavy[up[i]] = True
        for i, body in enumerate(bodies):
            if not heavy[i] and body.kind != "fixed" and not body.driven and body.rotor == 0.0:
                name = self.names[sum(each.coordinates for each in bodies[:i])]
                raise AnalysisError(
                    f'"{name}": a free joint carries no mass, must carry some, have a rotor_inertia, or be locked '
                    "or driven"
                )
