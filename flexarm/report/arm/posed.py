"""Where the links of an arm lie in the posture it starts in, unbent: for a sketch, from the model alone."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from flexarm.model import Arm, Joint, Link


@dataclass(frozen=True, eq=False)
class PosedLink:
    """One link in the base frame, m: the joint, where its body begins and ends, and its tip."""

    name: str
    flexible: bool
    joint: str
    corners: np.ndarray  # (4, 3)
    payloads: np.ndarray  # (payloads, 3)


def posed(arm: Arm) -> list[PosedLink]:
    """The links in the arm's own order, every joint where it starts."""
    frames: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    found: dict[int, PosedLink] = {}
    for index in arm.base_to_tip:
        link, parent = arm.links[index], arm.parents[index]
        place, turn = np.zeros(3), np.eye(3)
        if parent >= 0:
            place, turn = _standing(arm.links[parent], *frames[parent], link.parent_at)
        place, turn = _jointed(link.joint, place, turn)
        frames[index] = place, turn
        along = [0.0, *_ends(link)]
        corners = [place + turn @ (s * link.axis) for s in along]
        corners.append(corners[-1] + turn @ np.array(link.tip_offset))
        at = [along[-1] if payload.at is None else link.radius + payload.at for payload in link.payloads]
        found[index] = PosedLink(
            link.name,
            link.beam is not None,
            link.joint.type,
            np.array(corners),
            np.array([place + turn @ (s * link.axis) for s in at]).reshape(-1, 3),
        )
    return [found[index] for index in range(len(arm.links))]


def _ends(link: Link) -> tuple[float, float]:
    """Where the body begins and ends along the link's axis; of a beam in a sleeve so much as is outside."""
    return link.radius, link.joint.at if link.joint.sleeve else link.radius + link.length


def _standing(link: Link, place: np.ndarray, turn: np.ndarray, at: float | None) -> tuple[np.ndarray, np.ndarray]:
    """The frame on a link that something stands on: at a distance along it, or the tip frame."""
    if at is not None:
        return place + turn @ ((link.radius + at) * link.axis), turn
    tip = _ends(link)[1] * link.axis + np.array(link.tip_offset)
    return place + turn @ tip, turn @ link.tip_rotation_matrix


def _jointed(joint: Joint, place: np.ndarray, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The link's frame behind its joint."""
    place = place + turn @ np.array(joint.offset)
    turn = turn @ joint.rotation_matrix
    if joint.type == "fixed" or joint.sleeve:
        return place, turn
    value = joint.at + joint.zero
    if joint.type == "prismatic":
        return place + turn @ (value * np.array(joint.axis)), turn
    return place, turn @ _turn(np.array(joint.axis), value)


def _turn(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation matrix about a unit axis (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * (cross @ cross)
