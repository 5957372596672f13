"""An arm as a few meshes: which triangles there are, and where their corners go when it moves and bends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from flexarm.model import Arm, Link, Payload
from flexarm.viewer import sizes
from flexarm.viewer.frames import Floats, Frame, link_frames, standing
from flexarm.viewer.meshes import Ball, Bar, Disc, Ints, along_line, any_square, merged, square_outline

# Meshes of one arm, one for each colour.
GROUPS = ("beams", "bodies", "joints", "payloads")
# A distance along a link may differ from the link's own by this much of its length: rounding.
_SAME = 1e-9


class Span(NamedTuple):
    """The range of a link's points in the arm's line."""

    joint: int  # its joint, where it begins if it has no hub
    begin: int
    end: int  # the last point of the link itself
    before: tuple[int, ...]  # from its carrier to its joint
    beyond: int | None  # its tip frame, if that is elsewhere


class Drawing:
    """An arm drawn along a line of points: `links` and `distances` (m) give the link and position of each point."""

    def __init__(self, arm: Arm, links: Sequence[str], distances: npt.ArrayLike) -> None:
        self.arm = arm
        self.reach = sizes.reach_of(arm)
        self.links, self.distances = tuple(links), np.asarray(distances, float)
        self.spans = {link.name: self._span(link) for link in arm.links}
        self._outlines = {link.name: sizes.outlines(link, self.reach) for link in arm.links}
        self.joint_radius = sizes.joint_radius(list(self._outlines.values()), self.reach)
        self._parts: dict[str, list[tuple[Any, Ints]]] = {group: [] for group in GROUPS}
        for link in arm.links:
            self._add_link(link)
        self._balls = [(link, payload, Ball()) for link in arm.links for payload in link.payloads]
        self._parts["payloads"] = [(None, ball.faces) for _, _, ball in self._balls]

    @property
    def faces(self) -> dict[str, Ints]:
        """The triangles (f, 3) of every mesh that has any."""
        places = self.unbent({})
        counts = {group: [len(each) for each in found] for group, found in self._pieces(*places).items()}
        return {
            group: merged([faces for _, faces in parts], counts[group]) for group, parts in self._parts.items() if parts
        }

    @property
    def tip(self) -> int:
        """Which point of the line is the arm's tip: the last of the link on which the tip is observed."""
        name = next((point.link for point in self.arm.observed if point.name == "tip"), self.arm.links[-1].name)
        span = self.spans[name]
        return span.end if span.beyond is None else span.beyond

    def unbent(self, joints: Mapping[str, float]) -> tuple[Floats, dict[str, Frame]]:
        """The line (points, 3) of the rigid arm at joint coordinates (rad or m) by link, and the links' frames."""
        frames = link_frames(self.arm, joints)
        return self.rigid_line(joints, frames), frames

    def rigid_line(self, joints: Mapping[str, Any], frames: Mapping[str, Frame]) -> Floats:
        """The line (…, points, 3) of the rigid arm whose links have these frames."""
        shape = next(iter(frames.values())).origin.shape[:-1]
        line = np.zeros((*shape, len(self.links), 3))
        for index, link in enumerate(self.arm.links):
            frame, span = frames[link.name], self.spans[link.name]
            at = np.asarray(joints.get(link.name, link.joint.at), float)
            outside = at if link.joint.sleeve else link.length
            for j in range(span.begin, span.end + 1):
                # on a beam in a sleeve a distance counts as part of what is outside
                part = self.distances[j] / link.length if link.length > 0.0 else 0.0
                along = link.radius + link.length - outside * (1.0 - part)
                line[..., j, :] = frame.origin + (frame.axes @ link.axis) * np.asarray(along)[..., None]
            if span.joint != span.begin:
                line[..., span.joint, :] = frame.origin
            if span.beyond is not None:
                line[..., span.beyond, :] = frame.placed(link.tip_position)
            for j in span.before:
                line[..., j, :] = self._carrier(index, frames, shape)
        return line

    def vertices(
        self, line: Floats, frames: Mapping[str, Frame], masses: Mapping[tuple[str, int], float] | None = None
    ) -> dict[str, Floats]:
        """The corners (v, 3) of every mesh with the arm along this line (points, 3).

        `masses` (kg) are those of payloads that differ from the drawing's, by link and number.
        """
        pieces = self._pieces(line, frames, masses)
        return {group: np.concatenate(found) for group, found in pieces.items() if found}

    def _pieces(
        self,
        line: Floats,
        frames: Mapping[str, Frame],
        masses: Mapping[tuple[str, int], float] | None = None,
    ) -> dict[str, list[Floats]]:
        axes = {link.name: self._axes(link, line, frames) for link in self.arm.links}
        found: dict[str, list[Floats]] = {
            group: [place(line, axes) for place, _ in self._parts[group]] for group in GROUPS[:-1]
        }
        found["payloads"] = []
        for link, payload, ball in self._balls:
            number = link.payloads.index(payload)
            mass = (masses or {}).get((link.name, number), payload.mass)
            centre = self._payload_place(link, payload, line, axes[link.name])
            found["payloads"].append(ball.vertices(centre, sizes.payload_radius(mass, self.reach)))
        return found

    def _span(self, link: Link) -> Span:
        """The positions of a link's points."""
        mine = [j for j, name in enumerate(self.links) if name == link.name]
        slack = _SAME * max(link.length, 1.0)
        own = [j for j in mine if -slack <= self.distances[j] <= link.length + slack]
        joint = [j for j in mine if link.radius > 0.0 and abs(self.distances[j] + link.radius) <= slack]
        before = tuple(j for j in mine if self.distances[j] < -link.radius - slack)
        beyond = [j for j in mine if self.distances[j] > link.length + slack]
        return Span((joint or own)[0], own[0], own[-1], before, beyond[0] if beyond else None)

    def _add_link(self, link: Link) -> None:
        """The bar of a link, its joint and hub, and what connects it with its carrier and its tip."""
        span, (near, far) = self.spans[link.name], self._outlines[link.name]
        name, joint, radius = link.name, link.joint, self.joint_radius

        def bar(line: Floats, axes: Mapping[str, Floats]) -> Floats:
            return body.vertices(line[span.begin : span.end + 1], axes[name])

        if span.end > span.begin:
            body = Bar(span.end - span.begin + 1, near, far)
            self._parts["bodies" if link.beam is None else "beams"].append((bar, body.faces))
        for one, two in [
            *((j, j + 1) for j in span.before),
            *([(span.end, span.beyond)] if span.beyond is not None else []),
        ]:
            self._add_strut(one, two, 0.5 * sizes.thickness(far))
        if joint.type == "revolute":
            hub = max(radius, link.radius)
            self._add_disc(link, hub, 2.4 * radius if link.radius <= radius else 1.6 * radius)
        elif joint.type == "prismatic":
            collar = max(1.6 * sizes.thickness(near), 1.2 * radius)
            self._add_collar(link, Bar(2, square_outline(collar, collar)), 3.0 * radius)

    def _add_strut(self, one: int, two: int, width: float) -> None:
        strut = Bar(2, square_outline(width, width))

        def place(line: Floats, _: Mapping[str, Floats]) -> Floats:
            ends = line[[one, two]]
            along = ends[1] - ends[0]
            length = float(np.linalg.norm(along))
            first = along / length if length > 0.0 else np.eye(3)[0]
            across = any_square(first)
            frame = np.stack([first, across, np.cross(first, across)], axis=1)
            return strut.vertices(ends, np.stack([frame, frame]))

        self._parts["bodies"].append((place, strut.faces))

    def _add_disc(self, link: Link, radius: float, height: float) -> None:
        disc, span = Disc(radius, height), self.spans[link.name]
        # the joint's axis, in the axes of the beam
        axis = link.axis_rotation.T @ np.array(link.joint.axis)

        def place(line: Floats, axes: Mapping[str, Floats]) -> Floats:
            return disc.vertices(line[span.joint], axes[link.name][0] @ axis)

        self._parts["joints"].append((place, disc.faces))

    def _add_collar(self, link: Link, collar: Bar, length: float) -> None:
        span = self.spans[link.name]
        axis = link.axis_rotation.T @ np.array(link.joint.axis)
        # a sleeve ends at its mouth, a slide's collar is held by the carrier
        ends = np.array([-length, 0.0]) if link.joint.sleeve else np.array([-0.5, 0.5]) * length
        where = span.before[-1] if span.before and not link.joint.sleeve else span.joint

        def place(line: Floats, axes: Mapping[str, Floats]) -> Floats:
            first = axes[link.name][0] @ axis
            across = any_square(first)
            frame = np.stack([first, across, np.cross(first, across)], axis=1)
            return collar.vertices(line[where] + ends[:, None] * first, np.stack([frame, frame]))

        self._parts["joints"].append((place, collar.faces))

    def _axes(self, link: Link, line: Floats, frames: Mapping[str, Frame]) -> Floats:
        """The beam's axes at every point of a link's line (points of the link, 3, 3)."""
        span = self.spans[link.name]
        return along_line(line[span.begin : span.end + 1], frames[link.name].axes @ link.axis_rotation)

    def _payload_place(self, link: Link, payload: Payload, line: Floats, axes: Floats) -> Floats:
        span = self.spans[link.name]
        offset = link.axis_rotation.T @ np.array(payload.offset)
        if payload.at is None:
            offset = link.axis_rotation.T @ (link.tip_rotation_matrix @ np.array(payload.offset))
            return line[span.end if span.beyond is None else span.beyond] + axes[-1] @ offset
        known = self.distances[span.begin : span.end + 1]
        place = [np.interp(payload.at, known, line[span.begin : span.end + 1, axis]) for axis in range(3)]
        return np.array(place) + axes[int(np.argmin(np.abs(known - payload.at)))] @ offset

    def _carrier(self, index: int, frames: Mapping[str, Frame], shape: tuple[int, ...]) -> Floats:
        """The position (…, 3) at which a link's carrier holds its joint."""
        parent = self.arm.parents[index]
        if parent < 0:
            return np.zeros((*shape, 3))
        carrier = self.arm.links[parent]
        return standing(carrier, frames[carrier.name], self.arm.links[index].parent_at).origin
