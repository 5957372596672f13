"""The parts of an arm as lofts: bars with true sections and walls, drums, blocks, rails."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from flexarm.report.arm.lofts import UPRIGHT, Floats, Loft, Outline, Ring, round_outline, square_outline

# An edge is broken by this part of a part's smallest half width: it catches the light.
_BEVEL = 0.12


def bar(
    group: str,
    link: int,
    bones: Sequence[int],
    near: Outline,
    far: Outline,
    length: float,
    *,
    inside: tuple[float, float] = (0.0, 0.0),
    before: float = 0.0,
) -> Loft:
    """A bar along the bones, its section going from one outline to the other; `inside` is the part of the outline that
    is hollow at either end, `before` (m) how far it begins before its first bone.
    """
    ratios = [far.half[r] / near.half[r] for r in range(2)]
    lean = math.atan2(sum(near.half) - sum(far.half), 2.0 * length) if length > 0.0 else 0.0
    rings = []
    for k, bone in enumerate(bones):
        part = k / max(len(bones) - 1, 1)
        scale_y, scale_z = (1.0 + (ratio - 1.0) * part for ratio in ratios)
        rings.append(Ring(bone, 0.0, scale_y, scale_z, lean))
    if before > 0.0:
        rings.insert(0, rings[0]._replace(x=-before))
    depth = 0.8 * min(near.half)
    return Loft(
        group,
        link,
        near,
        [*_end(rings[0], -1, inside[0], depth), *rings, *reversed(_end(rings[-1], 1, inside[1], depth))],
    )


def _end(ring: Ring, way: int, inside: float, depth: float) -> list[Ring]:
    """The flat end of a bar, from the middle outward; that of a tube is a rim about a dark hole."""
    flat = ring._replace(tilt=way * UPRIGHT)
    if inside <= 0.0:
        return [flat._replace(scale_y=0.0, scale_z=0.0), flat]
    rim = flat._replace(scale_y=inside * ring.scale_y, scale_z=inside * ring.scale_z)
    wall = rim._replace(tilt=math.pi)
    sunk = ring.x - way * depth
    floor = rim._replace(x=sunk)
    return [floor._replace(scale_y=0.0, scale_z=0.0), floor, wall._replace(x=sunk), wall, rim, flat]


def solid_of(
    group: str,
    link: int,
    bone: int,
    outline: Outline,
    ends: tuple[float, float],
    *,
    frame: Floats | None = None,
    origin: Floats | None = None,
    bevel: float = _BEVEL,
    payload: int = -1,
) -> Loft:
    """A straight solid on one bone, from one end to the other along the frame's x axis, its edges broken."""
    low, high = ends
    half_y, half_z = outline.half
    cut = bevel * min(half_y, half_z, 0.5 * (high - low))
    y, z = 1.0 - cut / half_y, 1.0 - cut / half_z
    slope = 0.25 * math.pi
    rings = [
        Ring(bone, low, 0.0, 0.0, -UPRIGHT),
        Ring(bone, low, y, z, -UPRIGHT),
        Ring(bone, low, y, z, -slope),
        Ring(bone, low + cut, 1.0, 1.0, -slope),
        Ring(bone, low + cut, 1.0, 1.0),
        Ring(bone, high - cut, 1.0, 1.0),
        Ring(bone, high - cut, 1.0, 1.0, slope),
        Ring(bone, high, y, z, slope),
        Ring(bone, high, y, z, UPRIGHT),
        Ring(bone, high, 0.0, 0.0, UPRIGHT),
    ]
    place: dict[str, Any] = {} if frame is None else {"frame": frame}
    if origin is not None:
        place["origin"] = origin
    return Loft(group, link, outline, rings, payload=payload, **place)


def drum(link: int, bone: int, axis: Floats, radius: float, half: float, shift: float = 0.0) -> list[Loft]:
    """A revolute joint: a housing about the unit axis with a lid on either end, moved along the axis by `shift` (m)."""
    housing = solid_of(
        "joint", link, bone, round_outline(2.0 * radius), (shift - half, shift + half), frame=about(axis)
    )
    return [housing, *(_lid(link, bone, way * axis, radius, half + way * shift) for way in (-1.0, 1.0))]


def _lid(link: int, bone: int, axis: Floats, radius: float, at: float) -> Loft:
    """A disc that stands out from the end of a housing; its back is not seen and not there."""
    top, slope = at + 0.08 * radius, 0.25 * math.pi
    rings = [
        Ring(bone, at, 1.0, 1.0, slope),
        Ring(bone, top, 0.88, 0.88, slope),
        Ring(bone, top, 0.88, 0.88, UPRIGHT),
        Ring(bone, top, 0.0, 0.0, UPRIGHT),
    ]
    return Loft("trim", link, round_outline(1.3 * radius), rings, about(axis))


def block(group: str, link: int, bone: int, sides: Floats, frame: Floats, origin: Floats, *, payload: int = -1) -> Loft:
    """A box of these sides (3,) about an origin, along the axes of the frame."""
    outline = square_outline(float(sides[1]), float(sides[2]), 0.08)
    ends = (-0.5 * float(sides[0]), 0.5 * float(sides[0]))
    return solid_of(group, link, bone, outline, ends, frame=frame, origin=origin, bevel=0.08, payload=payload)


def ball(group: str, link: int, bone: int, radius: float, *, origin: Floats | None = None) -> Loft:
    """A ball."""
    angles = np.linspace(-UPRIGHT, UPRIGHT, 13).tolist()
    # a pole is a point, whatever is left of the cosine
    sizes = [0.0, *(math.cos(angle) for angle in angles[1:-1]), 0.0]
    rings = [Ring(bone, radius * math.sin(angle), size, size, angle) for angle, size in zip(angles, sizes, strict=True)]
    place: dict[str, Any] = {} if origin is None else {"origin": origin}
    return Loft(group, link, round_outline(2.0 * radius), rings, **place)


def strut(link: int, bone: int, way: Floats, width: float) -> list[Loft]:
    """A straight piece from a bone along a vector (m) in its axes; none without length."""
    length = float(np.linalg.norm(way))
    if length <= 1e-9:
        return []
    return [solid_of("body", link, bone, square_outline(width, width), (0.0, length), frame=about(way / length))]


def arrow_loft(ends: Floats, shaft: float, head: float, length: float) -> Loft:
    """An arrow between two points (2, 3), its shaft and its head of these radii, its head so long (m)."""
    way = ends[1] - ends[0]
    whole = float(np.linalg.norm(way))
    thin, lean = shaft / head, math.atan2(head, length)
    rings = [
        Ring(0, 0.0, 0.0, 0.0, -UPRIGHT),
        Ring(0, 0.0, thin, thin, -UPRIGHT),
        Ring(0, 0.0, thin, thin),
        Ring(0, whole - length, thin, thin),
        Ring(0, whole - length, thin, thin, -UPRIGHT),
        Ring(0, whole - length, 1.0, 1.0, -UPRIGHT),
        Ring(0, whole - length, 1.0, 1.0, lean),
        Ring(0, whole, 0.0, 0.0, lean),
    ]
    return Loft("trim", 0, round_outline(2.0 * head), rings, about(way / whole), ends[0])


def about(axis: Floats) -> Floats:
    """Axes (3, 3), one in every column, the first of them the given unit vector."""
    across = any_square(axis)
    return np.stack([axis, across, np.cross(axis, across)], axis=1)


def any_square(axis: Floats) -> Floats:
    """A unit vector (3,) square to the given one."""
    other = np.eye(3)[int(np.argmin(np.abs(axis)))]
    square = np.cross(axis, other)
    return np.asarray(square / np.linalg.norm(square))
