"""Which parts an arm is drawn with: bars and lumps, joints, rails, payloads, and what it stands on."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from flexarm.model import Arm, Link, Payload
from flexarm.model.link_frames import Floats
from flexarm.report.arm import shapes, sizes
from flexarm.report.arm.bones import BASE, Skeleton
from flexarm.report.arm.lofts import Loft, Outline, round_outline, square_outline

# Two directions are one where their cosine is above this.
_SAME_WAY = 0.9
# Beams of one section that meet at a smaller angle than this (its cosine) are drawn as one that is curved.
_CURVED = 0.87


def parts_of(
    arm: Arm, skeleton: Skeleton, distances: Floats, reach: float, ranges: Mapping[str, tuple[float, float]]
) -> list[Loft]:
    """All lofts of the arm; bones are the points of its line, and last the base."""
    return _Parts(arm, skeleton, distances, reach, ranges).lofts


def up_of(arm: Arm) -> Floats:
    """The direction away from gravity; without gravity z."""
    strength = math.hypot(*arm.gravity)
    return -np.array(arm.gravity) / strength if strength > 0.0 else np.array([0.0, 0.0, 1.0])


def floats(arm: Arm, index: int) -> bool:
    """True for a link that nothing holds: behind free joints of bodies without mass, as a spacecraft is modelled."""
    while True:
        link = arm.links[index]
        if not link.joint.free:
            return False
        if arm.parents[index] < 0:
            return True
        index = arm.parents[index]
        if not _is_nothing(arm.links[index]):
            return False


def _is_nothing(link: Link) -> bool:
    """True for a link without body: a joint on the way to the next."""
    return link.rigid is not None and link.rigid.mass == 0.0 and link.length == 0.0


class _Parts:
    """The lofts of one arm, link by link."""

    def __init__(
        self,
        arm: Arm,
        skeleton: Skeleton,
        distances: Floats,
        reach: float,
        ranges: Mapping[str, tuple[float, float]],
    ) -> None:
        self.arm, self.skeleton, self.reach, self.ranges = arm, skeleton, reach, ranges
        self.distances = distances
        self.base = len(distances)
        self.outlines = [sizes.outlines(link, reach) for link in arm.links]
        self.lofts: list[Loft] = []
        for index in range(len(arm.links)):
            self._add_body(index)
            self._add_joint(index)
            self._add_payloads(index)

    def _add_body(self, index: int) -> None:
        """The bar of a link or its lump, and the piece to its tip frame."""
        link, span = self.arm.links[index], self.skeleton.spans[index]
        near, far = self.outlines[index]
        if span.end > span.begin:
            bones = range(span.begin, span.end + 1)
            before = self._slid_back(index) if link.rigid is not None else 0.0
            group = "body" if link.beam is None else "beam"
            inside = sizes.hollow(link)
            self.lofts.append(shapes.bar(group, index, bones, near, far, link.length, inside=inside, before=before))
        sides = sizes.lump_sides(link, self.reach)
        to_beam = link.axis_rotation.T
        if sides is not None:
            centre = to_beam @ (link.mass_centre - link.radius * link.axis)
            self.lofts.append(shapes.block("body", index, span.begin, sides, to_beam, centre))
        if span.beyond is not None:
            way = to_beam @ np.array(link.tip_offset)
            self.lofts += shapes.strut(index, span.end, way, 1.5 * min(far.half))

    def _slid_back(self, index: int) -> float:
        """How far (m) a bar that slides along itself reaches back, through what guides it."""
        link = self.arm.links[index]
        if link.joint.type != "prismatic" or link.joint.sleeve or not self._slides_along(link):
            return 0.0
        return max(self._range(link)[1] + link.joint.zero, 0.0) + 3.0 * max(self.outlines[index][0].half)

    @staticmethod
    def _slides_along(link: Link) -> bool:
        return link.length > 0.0 and float(np.dot(link.joint.axis, link.direction)) > _SAME_WAY

    def _range(self, link: Link) -> tuple[float, float]:
        low, high = self.ranges.get(link.name, (link.joint.at, link.joint.at))
        return min(low, link.joint.at), max(high, link.joint.at)

    def _add_joint(self, index: int) -> None:
        link, span = self.arm.links[index], self.skeleton.spans[index]
        kind = link.joint.type
        held = not floats(self.arm, index)
        if _is_nothing(link) and not held:
            return
        foot = self.base if self.skeleton.carrier[index] == BASE else self.skeleton.carrier[index]
        near = self.outlines[index][0]
        if any(link.joint.offset):
            foot = span.before[0] if span.before else foot
            width = 1.3 * self._thickness_about(index)
            self.lofts += shapes.strut(index, foot, self._in_carrier(index) @ np.array(link.joint.offset), width)
        if kind == "revolute":
            self._add_drum(index, held)
        elif link.joint.sleeve:
            self._add_guide(index, span.joint, np.array([-1.0, 0.0]))
        elif kind == "prismatic":
            self._add_slide(index, foot)
        elif self.arm.parents[index] >= 0 and not _is_nothing(self.arm.links[self.arm.parents[index]]):
            self._add_knuckle(index, near)
        if self.arm.parents[index] < 0 and held:
            self._add_base(index)

    def _in_carrier(self, index: int) -> Floats:
        """Rotation (3, 3) from the frame a link stands on to the axes of the bone that carries it."""
        parent = self.arm.parents[index]
        if parent < 0:
            return np.eye(3)
        carrier = self.arm.links[parent]
        tip = carrier.tip_rotation_matrix if self.arm.links[index].parent_at is None else np.eye(3)
        return np.asarray(carrier.axis_rotation.T @ tip)

    def _axis_in_carrier(self, index: int) -> Floats:
        joint = self.arm.links[index].joint
        return np.asarray(self._in_carrier(index) @ joint.rotation_matrix @ np.array(joint.axis))

    def _thickness_about(self, index: int) -> float:
        """The smaller half width (m) of what meets at a joint, that of the link alone at the base."""
        own = min(self.outlines[index][0].half)
        parent = self.arm.parents[index]
        if parent < 0 or self.arm.links[parent].length == 0.0:
            return own if self.arm.links[index].length > 0.0 else max(own, 0.012 * self.reach)
        return min(self.outlines[parent][1].half)

    def _add_drum(self, index: int, held: bool) -> None:
        link, span, parent = self.arm.links[index], self.skeleton.spans[index], self.arm.parents[index]
        own = link.axis_rotation.T @ np.array(link.joint.axis)
        ends: list[tuple[Outline, Floats]] = [(self.outlines[index][0], own)] if link.length > 0.0 else []
        on_carrier = self._axis_in_carrier(index)
        behind = parent >= 0 and self.arm.links[parent].length > 0.0 and not any(link.joint.offset)
        if behind:
            ends.append((self.outlines[parent][1], on_carrier))
        # a joint that rolls a link about itself sits behind or before the place where others turn
        shift, rolls = 0.0, False
        if behind and abs(on_carrier[0]) > _SAME_WAY:
            shift, rolls = -math.copysign(1.0, on_carrier[0]), True
        elif link.length > 0.0 and abs(own[0]) > _SAME_WAY:
            shift, rolls = math.copysign(1.0, own[0]), True
        radius, half = sizes.joint_size(link, ends, self.reach, rolls=rolls)
        # on the base it stands just above the end of its link: two surfaces in one plane would flicker
        shift *= 1.03 if parent < 0 and held else 1.6
        self.lofts += shapes.drum(index, span.joint, own, radius, half, shift * half)

    def _add_slide(self, index: int, foot: int) -> None:
        """A link that slides: along itself through a guide on its carrier, or on a rail there."""
        link, span = self.arm.links[index], self.skeleton.spans[index]
        axis = self._axis_in_carrier(index)
        origin = self._in_carrier(index) @ np.array(link.joint.offset)
        if self._slides_along(link):
            self._add_guide(index, foot, np.array([-0.6, 0.6]), axis, origin)
            return
        low, high = (each + link.joint.zero for each in self._range(link))
        width = max(1.2 * self._thickness_about(index), 0.012 * self.reach)
        sides = sizes.lump_sides(link, self.reach)
        over = 2.2 * width if sides is None else 0.5 * float(np.abs(np.array(link.joint.axis)) @ sides) + 0.8 * width
        frame = shapes.about(axis)
        outline = square_outline(1.4 * width, width, 0.1)
        self.lofts.append(
            shapes.solid_of("trim", index, foot, outline, (low - over, high + over), frame=frame, origin=origin)
        )
        own = link.axis_rotation.T @ np.array(link.joint.axis)
        if sides is None:
            carriage = square_outline(2.2 * width, 1.9 * width, 0.12)
            ends = (-1.6 * width, 1.6 * width)
            self.lofts.append(shapes.solid_of("joint", index, span.joint, carriage, ends, frame=shapes.about(own)))

    def _add_guide(
        self, index: int, bone: int, ends: Floats, axis: Floats | None = None, origin: Floats | None = None
    ) -> None:
        """The housing through which a bar slides."""
        near = self.outlines[index][0]
        height, width = (2.0 * (1.25 * half + 0.15 * max(near.half)) for half in near.half)
        length = 3.2 * max(near.half)
        frame = np.eye(3)
        if axis is not None:
            # about the axis alone the bar may lie any way
            frame, height, width = shapes.about(axis), max(height, width), max(height, width)
        outline = square_outline(height, width, 0.18)
        low, high = (float(end) * length for end in ends)
        self.lofts.append(shapes.solid_of("joint", index, bone, outline, (low, high), frame=frame, origin=origin))

    def _add_knuckle(self, index: int, near: Outline) -> None:
        """What joins two links that are fixed to one another: a collar, or a ball where they turn a corner."""
        link, span, parent = self.arm.links[index], self.skeleton.spans[index], self.arm.parents[index]
        carrier = self.arm.links[parent]
        if link.length == 0.0:
            return
        direction = self._in_carrier(index) @ link.joint.rotation_matrix @ link.axis
        if (
            link.beam is not None
            and link.beam == carrier.beam
            and direction[0] > _CURVED
            and not any(link.joint.offset)
        ):
            return  # pieces of one curved beam
        thick = max(*near.half, *(self.outlines[parent][1].half if carrier.length > 0.0 else (0.0,)))
        if carrier.length > 0.0 and direction[0] < _SAME_WAY:
            self.lofts.append(shapes.ball("joint", index, span.joint, 1.25 * thick))
        elif link.beam is not None:
            size = 1.5 * max(near.half) + 0.004 * self.reach
            outline = round_outline(2.0 * size)
            self.lofts.append(shapes.solid_of("joint", index, span.joint, outline, (-0.4 * size, 1.4 * size)))

    def _add_payloads(self, index: int) -> None:
        link, span = self.arm.links[index], self.skeleton.spans[index]
        to_beam = link.axis_rotation.T
        for number, payload in enumerate(link.payloads):
            if payload.at is not None and payload.at < link.length and not any(payload.offset):
                self._add_clamp(index, number, payload)
                continue
            turn, bone = to_beam @ link.tip_rotation_matrix, span.end if span.beyond is None else span.beyond
            if payload.at is not None:
                turn, bone = to_beam, self._point_at(index, payload.at)
            offset = turn @ np.array(payload.offset)
            sides = sizes.payload_sides(payload, link, self.reach)
            if np.linalg.norm(offset) > 0.5 * max(sides) and payload.mass > 0.0:
                self.lofts += shapes.strut(index, bone, offset, 1.1 * min(self.outlines[index][1].half))
            self.lofts.append(shapes.block("payload", index, bone, sides, turn, offset, payload=number))

    def _add_clamp(self, index: int, number: int, payload: Payload) -> None:
        """A payload on the way along a link: a block around it of the steel it weighs."""
        link = self.arm.links[index]
        near, far = self.outlines[index]
        part = (payload.at or 0.0) / link.length
        half = [a + (b - a) * part for a, b in zip(near.half, far.half, strict=True)]
        outline = square_outline(2.5 * half[0], 2.5 * half[1], 0.1)
        area = 4.0 * (1.25**2 - 1.0) * half[0] * half[1]
        length = min(max((payload.mass or 1.0) / (sizes.STEEL * area), 0.8 * max(half)), 5.0 * max(half))
        bone = self._point_at(index, payload.at or 0.0)
        self.lofts.append(
            shapes.solid_of("payload", index, bone, outline, (-0.5 * length, 0.5 * length), payload=number)
        )

    def _point_at(self, index: int, at: float) -> int:
        span = self.skeleton.spans[index]
        return min(range(span.begin, span.end + 1), key=lambda j: abs(float(self.distances[j]) - at))

    def _add_base(self, index: int) -> None:
        """What the arm stands on: a flange under a joint that turns about the upright, else a pedestal."""
        link = self.arm.links[index]
        up = up_of(self.arm)
        mine = [loft for loft in self.lofts if loft.link == index and loft.group == "joint"]
        radius = max((max(loft.outline.half) for loft in mine), default=0.02 * self.reach)
        upright = abs(float(self._axis_in_carrier(index) @ up)) > _SAME_WAY and link.joint.type == "revolute"
        frame = shapes.about(up)
        low = 0.0
        if upright and not any(link.joint.offset):
            low = min((ring.x for loft in mine for ring in loft.rings), default=0.0)
        elif not any(link.joint.offset):
            low = -1.7 * radius
            outline = square_outline(1.5 * radius, 1.5 * radius, 0.15)
            self.lofts.append(shapes.solid_of("base", index, self.base, outline, (low, -0.2 * radius), frame=frame))
        plate = round_outline(3.6 * radius)
        ends = (low - 0.35 * radius, low + 0.02 * radius)
        self.lofts.append(shapes.solid_of("base", index, self.base, plate, ends, frame=frame, bevel=0.4))
