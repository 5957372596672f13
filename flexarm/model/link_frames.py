"""Frames of the links of the rigid arm, from the drawing and the joints' coordinates alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from flexarm.model.arm import Arm
    from flexarm.model.parts.link import Link

Floats = npt.NDArray[np.float64]


class Frame(NamedTuple):
    """Origins (…, 3) in metres and axes (…, 3, 3), one in every column, in the base frame."""

    origin: Floats
    axes: Floats

    def placed(self, offset: Floats) -> Floats:
        """A point (3,) of this frame in the base frame, (…, 3)."""
        return self.origin + self.axes @ offset


def link_frames(arm: Arm, joints: Mapping[str, npt.ArrayLike]) -> dict[str, Frame]:
    """The frame of every link of the unbent arm at joint coordinates (rad or m, all of one shape) by link.

    Joints left out are where they start. The frame of a beam in a sleeve slides with it.
    """
    shape = np.broadcast_shapes(*(np.shape(value) for value in joints.values()))
    found: dict[str, Frame] = {}
    for index in arm.base_to_tip:
        link = arm.links[index]
        carrier = Frame(np.zeros((*shape, 3)), np.broadcast_to(np.eye(3), (*shape, 3, 3)))
        if arm.parents[index] >= 0:
            parent = arm.links[arm.parents[index]]
            carrier = standing(parent, found[parent.name], link.parent_at)
        found[link.name] = _behind_joint(link, carrier, np.asarray(joints.get(link.name, link.joint.at), float))
    return found


def standing(link: Link, frame: Frame, at: float | None) -> Frame:
    """The frame at a distance (m) along an unbent link; None: its tip frame."""
    if at is not None:
        return Frame(frame.placed(link.point_at(at)), frame.axes)
    return Frame(frame.placed(link.tip_position), frame.axes @ link.tip_rotation_matrix)


def turned(axis: Floats, angle: npt.ArrayLike) -> Floats:
    """Rotations (…, 3, 3) by angles (rad) about a unit axis, after Rodrigues."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    angles = np.asarray(angle, float)[..., None, None]
    return np.eye(3) + np.sin(angles) * cross + (1.0 - np.cos(angles)) * (cross @ cross)


def _behind_joint(link: Link, carrier: Frame, coordinate: Floats) -> Frame:
    joint, axis = link.joint, np.array(link.joint.axis)
    axes = carrier.axes @ joint.rotation_matrix
    origin = carrier.placed(np.array(joint.offset))
    if joint.type == "revolute":
        return Frame(origin, axes @ turned(axis, joint.zero + coordinate))
    if joint.type == "prismatic":
        # what is still in the sleeve lies behind its mouth
        slid = coordinate - link.length if joint.sleeve else joint.zero + coordinate
        origin = origin + (axes @ axis) * slid[..., None]
    return Frame(origin, axes)
