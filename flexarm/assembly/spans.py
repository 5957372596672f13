"""A link's beam as its formulation is given it: what stands on it, and whether it is a beam on a hub."""

from __future__ import annotations

import numpy as np

from flexarm.batched import array, diagonal
from flexarm.core.tree.types import Floats
from flexarm.links.base import BeamSpan, Carried, RigidPiece
from flexarm.model import Arm, Link, Payload
from flexarm.model.attachments import node_positions
from flexarm.model.parts.inertia import inertia_matrix

# Gauss points along a beam: exact for the inertia of one whose mass per length is of degree five.
_POINTS = 4


def span_of(arm: Arm, link: Link) -> BeamSpan:
    """The beam of a link."""
    assert link.beam is not None
    return BeamSpan(
        link.name,
        link.beam,
        link.length,
        link.formulation,
        arm.planar,
        link.radius,
        _carried(arm, link),
        node_positions(arm, link),
        _off_hub(arm, link),
    )


def hub_of(link: Link) -> RigidPiece:
    """The hub: mass on the joint, inertia about the joint's axis."""
    if link.hub is None:
        return RigidPiece()
    axis = array(link.joint.axis)
    return RigidPiece(link.hub.mass, np.zeros(3), link.hub.inertia * np.outer(axis, axis))


def turn_about(axis: Floats, angle: float) -> Floats:
    """Rotation matrix about a unit axis (Rodrigues)."""
    x, y, z = axis
    cross = array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross


def payload_piece(link: Link, payload: Payload) -> RigidPiece:
    """A payload in the axes of the place that carries it."""
    return RigidPiece(payload.mass, array(payload.offset), inertia_matrix(payload.inertia, link.direction))


def _children(arm: Arm, link: Link) -> list[Link]:
    index = arm.links.index(link)
    return [child for child, parent in zip(arm.links, arm.parents, strict=True) if parent == index]


def _carried(arm: Arm, link: Link) -> tuple[Carried, ...]:
    """Payloads and, if it asks for them, further links on a beam, each from the point of the axis it stands on."""
    standing = [(payload.at, payload_piece(link, payload), True) for payload in link.payloads]
    if link.formulation.shapes == "payload":
        standing += [(child.parent_at, _outboard(arm, child), False) for child in _children(arm, link)]
    found = []
    for at, piece, payload in standing:
        # the places of a link have its axes, the beam its own
        piece = piece if at is not None else piece.placed(link.tip_rotation_matrix, array(link.tip_offset))
        turned = piece.placed(link.axis_rotation.T, np.zeros(3))
        found.append(Carried(link.length if at is None else at, turned, payload))
    return tuple(found)


def _outboard(arm: Arm, link: Link) -> RigidPiece:
    """A link and all that stands on it, unbent and as it starts, in the axes of the place that carries it."""
    whole = hub_of(link).joined(_body(link))
    standing = [(payload.at, payload_piece(link, payload)) for payload in link.payloads]
    standing += [(child.parent_at, _outboard(arm, child)) for child in _children(arm, link)]
    # a beam in a sleeve begins inside
    back = link.length - link.joint.at if link.joint.sleeve else 0.0
    for at, piece in standing:
        place = link.tip_position if at is None else link.point_at(at)
        rotation = link.tip_rotation_matrix if at is None else np.eye(3)
        whole = whole.joined(piece.placed(rotation, place - back * link.axis))
    joint = link.joint
    axis, rotation, offset = array(joint.axis), joint.rotation_matrix, array(joint.offset)
    if joint.type == "revolute":
        rotation = rotation @ turn_about(axis, joint.zero + joint.at)
    elif joint.type == "prismatic" and not joint.sleeve:
        offset = offset + rotation @ (axis * (joint.zero + joint.at))
    return whole.placed(rotation, offset)


def _body(link: Link) -> RigidPiece:
    """The rigid body or the unbent beam of a link, in its own axes."""
    if link.rigid is not None:
        return RigidPiece(link.rigid.mass, link.mass_centre, link.inertia_matrix)
    assert link.beam is not None
    back = link.length - link.joint.at if link.joint.sleeve else 0.0
    whole = RigidPiece()
    for xi, weight in zip(*link.beam.quadrature(_POINTS), strict=True):
        here, share = link.beam.properties(float(xi)), float(weight) * link.length
        own = share * diagonal([here.jx, here.jy, here.jz])
        centre = link.point_at(float(xi) * link.length) - back * link.axis
        turned = RigidPiece(share * here.mass_per_length, np.zeros(3), own).placed(link.axis_rotation, centre)
        whole = whole.joined(turned)
    return whole


def _off_hub(arm: Arm, link: Link) -> str:
    """Why a link is not a beam on a hub that turns in the plane about a fixed axis; empty if it is one."""
    parent = arm.parents[arm.links.index(link)]
    children = _children(arm, link)
    if not arm.planar:
        return "the arm is a spatial one"
    if parent >= 0:
        return f'the link stands on "{arm.links[parent].name}"'
    if children:
        return f'the link carries "{children[0].name}"'
    if link.joint.type == "prismatic":
        return "its joint slides"
    backwards = [each.name for each in arm.links if each.joint.type == "revolute" and each.joint.axis[2] < 0.0]
    return f'"{backwards[0]}" turns about -z' if backwards else ""
