"""How heavy an arm is, how far it reaches, which of its links can move, and where its tip is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.batched import array, real
from flexarm.errors import AnalysisError
from flexarm.model.parts.link import Link
from flexarm.model.reading.messages import either, quoted

if TYPE_CHECKING:
    from flexarm.model.arm import Arm


def link_mass(link: Link) -> float:
    """The mass of a link with its hub and payloads, kg."""
    mass = sum(payload.mass for payload in link.payloads)
    mass += 0.0 if link.hub is None else link.hub.mass
    mass += 0.0 if link.rigid is None else link.rigid.mass
    if link.beam is not None:
        # Along a tapered tube the mass per length is quadratic: three Gauss points are exact.
        for place, weight in zip(*link.beam.quadrature(3), strict=True):
            mass += link.length * float(weight) * link.beam.properties(float(place)).mass_per_length
    return mass


def chain_length(arm: Arm, index: int, at: float | None = None) -> float:
    """The way (m) along the links from the base to a place on a link (default: its tip), joints where they start."""
    link = arm.links[index]
    length = _length(array(link.joint.offset)) + link.radius
    if link.joint.type == "prismatic" and not link.joint.sleeve:
        length += abs(link.joint.at)
    length += link.length + _length(array(link.tip_offset)) if at is None else at
    parent = arm.parents[index]
    return length if parent < 0 else length + chain_length(arm, parent, link.parent_at)


def can_move(arm: Arm, index: int, at: float | None = None) -> bool:
    """Whether a place on a link (default: its tip) can move: a joint that is not locked, or something that bends, lies
    between it and the base.
    """
    link = arm.links[index]
    if link.joint.type != "fixed" and link.joint.drive != "locked":
        return True
    if link.joint.gear is not None or (link.beam is not None and at != 0.0):
        return True
    parent = arm.parents[index]
    return parent >= 0 and can_move(arm, parent, link.parent_at)


def check_can_move(arm: Arm, name: str) -> None:
    """Refuse a point of the arm that nothing can move, where its motion is asked for."""
    point = next((each for each in arm.observed if each.name == name), None)
    if point is not None and not can_move(arm, arm.index(point.link), point.at):
        raise AnalysisError(
            f"point {quoted(name)} is on link {quoted(point.link)}, which cannot move: no joint between it and the "
            "base is free or driven and nothing there bends; must be a point that can move"
        )


def tip_remarks(arm: Arm) -> list[str]:
    """Sentences on points that may surprise: which of several ends the tip is at, and points that cannot move."""
    found = []
    if len(arm.tip_links) > 1 and not any(point.name == "tip" for point in arm.points):
        tip, *others = arm.tip_links
        found.append(
            f"the tip is taken at the end of {quoted(tip)}, the farthest from the base along the links; the arm "
            f"also ends at {listed(others)}: a point named tip in the model file chooses"
        )
    for point in arm.observed:
        if not can_move(arm, arm.index(point.link), point.at):
            found.append(f"point {quoted(point.name)} is on link {quoted(point.link)}, which cannot move")
    return found


def listed(names: Sequence[str]) -> str:
    """The names as a list in a sentence."""
    return either(names).replace(" or ", " and ")


def leaves(arm: Arm) -> tuple[int, ...]:
    """The indices of the links that carry no other."""
    return tuple(i for i in range(len(arm.links)) if i not in arm.parents)


def tip_candidates(arm: Arm) -> tuple[int, ...]:
    """The indices of the leaves among which the tip is chosen, the farthest along its chain first: those that can move,
    or all of them if none can.
    """
    ends = leaves(arm)
    movable: Sequence[int] = [i for i in ends if can_move(arm, i)] or ends
    # of leaves equally far the last one in the file
    return tuple(sorted(movable, key=lambda i: (chain_length(arm, i), i), reverse=True))


def _length(vector: Any) -> Any:
    return real(np.linalg.norm(vector))
