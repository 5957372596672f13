"""An arm that stands still, drawn as moving ones are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from flexarm.model import Arm
from flexarm.report.arm.moving import drawn_scale
from flexarm.report.arm.posed import PosedLink, posed
from flexarm.report.page import ArmLink, MovingArm, largest
from flexarm.report.result_data import Data


def sagged_arm(line: Data, words: str) -> MovingArm:
    """The arm's centre line in equilibrium, with the rigid arm dashed."""
    unbent, bent = np.asarray(line["unbent"], dtype=float), np.asarray(line["position"], dtype=float)
    away = bent - unbent
    return MovingArm(
        links=line_links(line),
        times=[0.0],
        corners=unbent[None],
        corner_points=range(len(unbent)),
        distances=np.arange(len(unbent), dtype=float),
        deflections=away[None],
        planar=bool(line["planar"]),
        scale=drawn_scale(largest(away), _reach(unbent)),
        title="The arm in equilibrium",
        words=words,
    )


def posed_arm(arm: Arm, words: str) -> MovingArm:
    """The undeformed arm in its initial posture."""
    links = posed(arm)
    corners: list[np.ndarray] = []
    drawn: list[ArmLink] = []
    for index, link in enumerate(links):
        first = len(corners)
        foot = _foot(arm, links, index)
        # an offset, or the way of a sliding joint, is drawn with the link
        if not np.allclose(foot, link.corners[0]):
            corners.append(foot)
        joint_point = len(corners)
        corners += [*link.corners[:2]]
        # a payload between the ends is a corner of its own, so that it stands where it is
        inner = [place for place in link.payloads if not np.isclose(link.corners, place).all(axis=1).any()]
        corners += sorted(inner, key=lambda place: float(np.linalg.norm(place - link.corners[1])))
        corners += [*link.corners[2:]]
        own = np.array(corners[first:])
        loads = [first + int(np.argmin(np.linalg.norm(own - place, axis=1))) for place in link.payloads]
        joint: Any = link.joint
        drawn.append(ArmLink(link.name, first, len(corners) - 1, link.flexible, joint, joint_point, loads))
    place = np.array(corners)
    return MovingArm(
        links=drawn,
        times=[0.0],
        corners=place[None],
        corner_points=range(len(place)),
        distances=np.arange(len(place), dtype=float),
        deflections=np.zeros((1, *place.shape)),
        planar=arm.planar,
        title="The arm in its initial posture",
        words=words,
    )


def _foot(arm: Arm, links: Sequence[PosedLink], index: int) -> np.ndarray:
    """Where a link stands on its parent, or on the base."""
    parent, at = arm.parents[index], arm.links[index].parent_at
    if parent < 0:
        return np.zeros(3)
    corners = links[parent].corners
    if at is None:
        return np.asarray(corners[3])
    along = corners[2] - corners[0]
    return np.asarray(corners[0] + (arm.links[parent].radius + at) * along / (float(np.linalg.norm(along)) or 1.0))


def line_links(line: Data) -> list[ArmLink]:
    """The links of an arm's line as they are drawn."""
    owner, distances = list(line["link"]), np.asarray(line["distance"], dtype=float)
    found = []
    for link in line["links"]:
        where = [j for j, name in enumerate(owner) if name == link["name"]]
        if not where:
            continue
        begin = min(reversed(where), key=lambda j: abs(distances[j] + link["radius"]))
        loads = [min(where, key=lambda j: abs(distances[j] - at)) for at in link["payloads"]]
        found.append(ArmLink(link["name"], where[0], where[-1], link["flexible"], link["joint"], begin, loads))
    return found


def _reach(place: np.ndarray) -> float:
    return float(np.ptp(np.vstack([place, np.zeros(3)]), axis=0).max()) or 1.0
