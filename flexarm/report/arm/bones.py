"""Where the points of an arm's line hold the sections that stand on them: a bone is a point with its axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from flexarm.model import Arm, Link
from flexarm.model.link_frames import Floats, Frame

# A distance along a link may differ from the link's own by this much of its length: rounding.
_SAME = 1e-9
_LEAST = 1e-12
BASE = -1


class Span(NamedTuple):
    """The range of a link's points in the arm's line."""

    joint: int  # its joint, where it begins if it has no hub
    begin: int
    end: int  # the last point of the link itself
    before: tuple[int, ...]  # from its carrier to its joint
    beyond: int | None  # its tip frame, if that is elsewhere


def span_of(link: Link, links: tuple[str, ...], distances: Floats) -> Span:
    """The positions of a link's points."""
    mine = [j for j, name in enumerate(links) if name == link.name]
    slack = _SAME * max(link.length, 1.0)
    # the line of a link that slides begins on its carrier, though that be where the link begins
    carried = [mine.pop(0)] if link.joint.type == "prismatic" and not link.joint.sleeve and len(mine) > 1 else []
    own = [j for j in mine if -slack <= distances[j] <= link.length + slack]
    joint = [j for j in mine if link.radius > 0.0 and abs(distances[j] + link.radius) <= slack]
    before = (*carried, *(j for j in mine if distances[j] < -link.radius - slack))
    beyond = [j for j in mine if distances[j] > link.length + slack]
    return Span((joint or own)[0], own[0], own[-1], before, beyond[0] if beyond else None)


class Skeleton:
    """The bones of an arm: one for every point of its line, and last the base.

    `source` (points) is the point whose section a point's axes are; -1: the base. `carrier` (links) is the point of the
    line that carries each link, -1: the base.
    """

    def __init__(self, arm: Arm, links: tuple[str, ...], distances: Floats) -> None:
        self.arm = arm
        self.spans = [span_of(link, links, distances) for link in arm.links]
        self.order = arm.base_to_tip
        self.carrier = [self._carrier(index, distances) for index in range(len(arm.links))]
        self.source = np.arange(len(links))
        for index in self.order:
            span = self.spans[index]
            self.source[span.joint] = span.begin
            for j in span.before:
                self.source[j] = self.carrier[index]
            if span.beyond is not None:
                self.source[span.beyond] = span.end

    def _carrier(self, index: int, distances: Floats) -> int:
        parent, at = self.arm.parents[index], self.arm.links[index].parent_at
        if parent < 0:
            return BASE
        span = self.spans[parent]
        if at is None:
            return span.end
        return min(range(span.begin, span.end + 1), key=lambda j: abs(float(distances[j]) - at))

    def axes(self, line: Floats, frames: Mapping[str, Frame], twist: Floats | None = None) -> Floats:
        """The axes (points + 1, 3, 3) of every bone with the arm along this line (points, 3), one in every column.

        x is along the beam. Sections are turned the shortest way from the straight link's axes onto the line, then by
        the twist (points, rad) about it. A link without length, such as a wrist's, follows its carrier.
        """
        found = np.zeros((len(line) + 1, 3, 3))
        found[-1] = np.eye(3)
        for index in self.order:
            span = self.spans[index]
            straight = self.straight(index, frames)
            own = line[span.begin : span.end + 1]
            tangents = tangents_of(own)
            if tangents is None:
                found[span.begin : span.end + 1] = self._following(index, found, frames) @ straight
                continue
            angles = np.zeros(len(own)) if twist is None else twist[span.begin : span.end + 1]
            found[span.begin : span.end + 1] = shortest_turns(straight[:, 0], tangents) @ straight @ _rolled(angles)
        found[:-1] = found[self.source]
        return found

    def straight(self, index: int, frames: Mapping[str, Frame]) -> Floats:
        """The axes (3, 3) of the unbent beam."""
        link = self.arm.links[index]
        return np.asarray(frames[link.name].axes @ link.axis_rotation)

    def _following(self, index: int, found: Floats, frames: Mapping[str, Frame]) -> Floats:
        """How far bending has turned a link's carrier."""
        carrier, parent = self.carrier[index], self.arm.parents[index]
        if carrier == BASE:
            return np.eye(3)
        return np.asarray(found[carrier] @ self.straight(parent, frames).T)


def tangents_of(points: Floats) -> Floats | None:
    """Unit vectors (k, 3) along a line at its points (k, 3); None where it has no length."""
    steps = np.diff(points, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    if len(points) < 2 or np.any(lengths < _LEAST):
        return None
    steps = steps / lengths[:, None]
    tangents = np.concatenate([steps[:1], steps[1:] + steps[:-1], steps[-1:]])
    return np.asarray(tangents / np.maximum(np.linalg.norm(tangents, axis=1), _LEAST)[:, None])


def shortest_turns(one: Floats, others: Floats) -> Floats:
    """The rotations (k, 3, 3) that take a unit vector the shortest way to each of (k, 3)."""
    cosine = others @ one
    cross = np.cross(one, others)
    skew = np.zeros((len(others), 3, 3))
    skew[:, 0, 1], skew[:, 0, 2], skew[:, 1, 2] = -cross[:, 2], cross[:, 1], -cross[:, 0]
    skew -= np.swapaxes(skew, 1, 2)
    # turned right round there is no shortest way; the bar then lies on itself and any will do
    factor = 1.0 / np.maximum(1.0 + cosine, 1e-6)
    return np.eye(3) + skew + factor[:, None, None] * (skew @ skew)


def _rolled(angles: Floats) -> Floats:
    """Rotations (k, 3, 3) about x."""
    turns = np.broadcast_to(np.eye(3), (len(angles), 3, 3)).copy()
    turns[:, 1, 1] = turns[:, 2, 2] = np.cos(angles)
    turns[:, 2, 1] = np.sin(angles)
    turns[:, 1, 2] = -turns[:, 2, 1]
    return turns
