"""Where the links of an arm lie in the posture it starts in, unbent: for a sketch, from the model alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.model import Arm
from flexarm.model.link_frames import link_frames


@dataclass(frozen=True, eq=False)
class PosedLink:
    """One link in the base frame, m: the joint, where its body begins and ends, and its tip."""

    name: str
    flexible: bool
    joint: str
    corners: np.ndarray  # (4, 3)
    payloads: np.ndarray  # (payloads, 3)


def posed(arm: Arm) -> list[PosedLink]:
    """The links in the arm's own order, every joint where it starts; of a beam in a sleeve so much as is outside."""
    frames = link_frames(arm, {})
    found = []
    for link in arm.links:
        frame = frames[link.name]
        inside = link.length - link.joint.at if link.joint.sleeve else 0.0
        along = [inside, inside + link.radius, link.radius + link.length]
        corners = [frame.placed(s * link.axis) for s in along] + [frame.placed(link.tip_position)]
        at = [link.length if payload.at is None else payload.at for payload in link.payloads]
        payloads = np.array([frame.placed(link.point_at(s)) for s in at]).reshape(-1, 3)
        found.append(PosedLink(link.name, link.beam is not None, link.joint.type, np.array(corners), payloads))
    return found
