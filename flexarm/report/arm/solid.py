"""An arm as a solid: the lofts it is made of, and where their corners go when it moves, bends and twists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from flexarm.model import Arm
from flexarm.model.link_frames import Floats, Frame, link_frames, standing
from flexarm.report.arm import sizes
from flexarm.report.arm.bones import Skeleton, Span
from flexarm.report.arm.lofts import Ints, Loft, Mesh, merged, tessellated
from flexarm.report.arm.parts import parts_of, up_of

# What is drawn in one material each, and its colour.
MATERIALS: dict[str, tuple[int, int, int]] = {
    "beam": (94, 129, 172),
    "body": (184, 191, 200),
    "joint": (58, 64, 74),
    "trim": (138, 147, 160),
    "payload": (176, 122, 72),
    "base": (98, 105, 117),
}

Masses = Mapping[tuple[str, int], float]  # kg, by link and number among its payloads
Ranges = Mapping[str, tuple[float, float]]  # of sliding joints, m


class Solid:
    """An arm drawn along a line of points: `links` and `distances` (m) give the link and position of each point.

    `ranges` are the coordinates between which sliding joints move (m); left out, they stay where they start.
    """

    def __init__(
        self, arm: Arm, links: Sequence[str], distances: npt.ArrayLike, *, ranges: Ranges | None = None
    ) -> None:
        self.arm = arm
        self.reach = sizes.reach_of(arm)
        self.links, self.distances = tuple(links), np.asarray(distances, float)
        self.skeleton = Skeleton(arm, self.links, self.distances)
        self.lofts: list[Loft] = parts_of(arm, self.skeleton, self.distances, self.reach, ranges or {})

    @property
    def groups(self) -> list[str]:
        """The materials that occur."""
        return [group for group in MATERIALS if any(loft.group == group for loft in self.lofts)]

    @cached_property
    def meshes(self) -> dict[str, Mesh]:
        """The triangles of every material."""
        return {
            group: merged([tessellated(loft) for loft in self.lofts if loft.group == group]) for group in self.groups
        }

    @property
    def faces(self) -> dict[str, Ints]:
        """The triangles (f, 3) of every material."""
        return {group: mesh.faces for group, mesh in self.meshes.items()}

    @property
    def tip(self) -> int:
        """Which point of the line is the arm's tip: the last of the link on which the tip is observed."""
        name = next((point.link for point in self.arm.observed if point.name == "tip"), self.arm.links[-1].name)
        span = self.span(name)
        return span.end if span.beyond is None else span.beyond

    @property
    def foot(self) -> float:
        """How high (m) the underside of the base is, along the upward direction; 0 for an arm that nothing holds."""
        base = self.meshes.get("base")
        return 0.0 if base is None else float((base.places @ up_of(self.arm)).min())

    @property
    def thick(self) -> float:
        """How far (m) anything but the base and rails reaches from the point of the line that holds it, at most."""
        reaches = [
            float(np.linalg.norm(tessellated(loft).places - (loft.origin if loft.payload >= 0 else 0.0), axis=1).max())
            for loft in self.lofts
            if loft.group in ("joint", "payload", "beam")
        ]
        return max(reaches, default=0.0)

    def span(self, link: str) -> Span:
        """The range of a link's points."""
        return self.skeleton.spans[self.arm.index(link)]

    def unbent(self, joints: Mapping[str, float]) -> tuple[Floats, dict[str, Frame]]:
        """The line (points, 3) of the rigid arm at joint coordinates (rad or m) by link, and the links' frames."""
        frames = link_frames(self.arm, joints)
        return self.rigid_line(joints, frames), frames

    def rigid_line(self, joints: Mapping[str, npt.ArrayLike], frames: Mapping[str, Frame]) -> Floats:
        """The line (…, points, 3) of the rigid arm whose links have these frames."""
        shape = next(iter(frames.values())).origin.shape[:-1]
        line = np.zeros((*shape, len(self.links), 3))
        for index, link in enumerate(self.arm.links):
            frame, span = frames[link.name], self.skeleton.spans[index]
            at = np.asarray(joints.get(link.name, link.joint.at), float)
            for j in range(span.begin, span.end + 1):
                along = np.asarray(link.radius + self.distances[j])
                if link.joint.sleeve:
                    # on a beam in a sleeve a distance counts as part of what is outside
                    along = link.radius + link.length - at * (1.0 - self.distances[j] / link.length)
                line[..., j, :] = frame.origin + (frame.axes @ link.axis) * along[..., None]
            if span.joint != span.begin:
                line[..., span.joint, :] = frame.origin
            if span.beyond is not None:
                line[..., span.beyond, :] = frame.placed(link.tip_position)
            for j in span.before:
                line[..., j, :] = self._carried_at(index, frames, shape)
        return line

    def axes(self, line: Floats, frames: Mapping[str, Frame], twist: Floats | None = None) -> Floats:
        """The axes (points + 1, 3, 3) of the bones: every point of the line (points, 3), and the base."""
        return self.skeleton.axes(line, frames, twist)

    def vertices(
        self,
        line: Floats,
        frames: Mapping[str, Frame],
        twist: Floats | None = None,
        masses: Masses | None = None,
        *,
        shrunk: float = 0.0,
    ) -> dict[str, Floats]:
        """The corners (v, 3) of every material with the arm along this line (points, 3), twisted by (points) rad.

        `masses` (kg) are those of payloads that differ from the drawing's; `shrunk` (m) is how far all surfaces
        lie inside their own.
        """
        axes = self.axes(line, frames, twist)
        positions = np.concatenate([line, np.zeros((1, 3))])
        found = {group: mesh.placed(positions, axes) for group, mesh in self.meshes.items()}
        if shrunk:
            found = {group: places - shrunk * self.meshes[group].turned(axes) for group, places in found.items()}
        if "payload" in found:
            found["payload"] = self._laden(masses or {}).placed(positions, axes)
        return found

    def _laden(self, masses: Masses) -> Mesh:
        """The payloads with other masses: grown or shrunk about their mass centres."""
        parts = []
        for loft in (each for each in self.lofts if each.group == "payload"):
            link, mesh = self.arm.links[loft.link], tessellated(loft)
            payload = link.payloads[loft.payload]
            growth = sizes.payload_growth(payload, masses.get((link.name, loft.payload), payload.mass))
            parts.append(mesh._replace(places=loft.origin + growth * (mesh.places - loft.origin)))
        return merged(parts)

    def _carried_at(self, index: int, frames: Mapping[str, Frame], shape: tuple[int, ...]) -> Floats:
        """The position (…, 3) at which a link's carrier holds its joint."""
        parent = self.arm.parents[index]
        if parent < 0:
            return np.zeros((*shape, 3))
        carrier = self.arm.links[parent]
        return standing(carrier, frames[carrier.name], self.arm.links[index].parent_at).origin
