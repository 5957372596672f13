"""How large the parts of an arm are drawn: as their sections and inertias say, else in proportion to what is known."""

from __future__ import annotations

import math

import numpy as np

from flexarm.model import Arm, Link, Payload
from flexarm.model.parts.inertia import inertia_matrix
from flexarm.model.parts.section import Box, Circle, Custom, Rectangle, Section, Tube
from flexarm.report.arm.lofts import Floats, Outline, round_outline, square_outline

STEEL = 7850.0  # kg/m³, of payloads of unknown size
CASTING = 2000.0  # kg/m³, of rigid links with the hollows and drives inside them
# E/ρ (m²/s²) of steel, aluminium, titanium and magnesium, which differ by a few per cent
METAL = 2.6e7
# As parts of the arm's reach: what is thinner could not be seen, what is thicker would hide the arm.
_THINNEST, _THICKEST = 0.005, 0.08
_LEAST_RIGID, _MOST_RIGID = 0.012, 0.1
_LEAST_BLOCK, _MOST_BLOCK = 0.026, 0.25
_LEAST_JOINT = 0.011


def reach_of(arm: Arm) -> float:
    """How far the arm could stretch (m), all of its links in line; one metre if it has no length."""
    offsets = sum(math.hypot(*link.joint.offset) + math.hypot(*link.tip_offset) for link in arm.links)
    return sum(link.radius + link.length for link in arm.links) + offsets or 1.0


def outlines(link: Link, reach: float) -> tuple[Outline, Outline]:
    """The link's section where it begins and where it ends, at least as thick as can be seen."""
    if link.beam is None:
        side = _rigid_side(link, reach)
        return square_outline(side, side, 0.22), square_outline(side, side, 0.22)
    near, far = link.beam.section, link.beam.stations[-1][1].section
    if near is not None and far is not None:
        return _outline(near, reach), _outline(far, reach)
    begin, finish = (_metal_bar(link, part, reach) for part in (0.0, 1.0))
    return begin, finish


def hollow(link: Link) -> tuple[float, float]:
    """Which part of the section is hollow where a beam begins and ends; 0 for what is solid or not known."""
    if link.beam is None or link.beam.section is None:
        return 0.0, 0.0
    far = link.beam.stations[-1][1].section or link.beam.section
    return _hollow(link.beam.section), _hollow(far)


def joint_size(link: Link, ends: list[tuple[Outline, Floats]], reach: float, *, rolls: bool) -> tuple[float, float]:
    """Radius and half the height (m) of a revolute joint: it stands out from every link it joins.

    `ends` are the sections that meet there, with the joint's axis in their axes (x along the link).
    """
    least = _LEAST_JOINT * reach
    radius = half = least
    for outline, axis in ends:
        y, z = outline.half
        across = math.hypot(y, z) if rolls else abs(axis[1]) * z + abs(axis[2]) * y + abs(axis[0]) * max(y, z)
        radius = max(radius, 1.3 * across if not rolls else 0.95 * across)
        half = max(half, 1.18 * (abs(axis[1]) * y + abs(axis[2]) * z))
    radius = max(min(radius, _THICKEST * reach), link.radius, least)
    return radius, 0.65 * radius if rolls else max(min(half, _THICKEST * reach), 0.7 * least)


def block_sides(mass: float, inertia: Floats, reach: float) -> Floats:
    """The sides (3,) of the box that has this mass and these principal inertias (3,), within what can be drawn.

    I_x = m (b² + c²)/12 and so on; one number alone is the moment about z of a box that is as long as it is wide.
    """
    least, most = _LEAST_BLOCK * reach, _MOST_BLOCK * reach
    if mass <= 0.0:
        return np.full(3, least)
    if not np.any(inertia[:2]) and inertia[2] > 0.0:
        side = math.sqrt(6.0 * inertia[2] / mass)
        sides = np.array([side, side, 0.6 * side])
    elif np.any(inertia):
        squares = 6.0 * (inertia.sum() - 2.0 * inertia) / mass
        sides = np.sqrt(np.maximum(squares, 0.0))
    else:
        sides = np.full(3, (mass / STEEL) ** (1.0 / 3.0))
    return np.asarray(np.clip(sides, least, most))


def payload_sides(payload: Payload, link: Link, reach: float) -> Floats:
    """The sides (3,) of a payload along the axes of the place that carries it (m); one without mass as of 1 kg."""
    inertia = np.diag(inertia_matrix(payload.inertia, link.direction)).astype(float)
    return block_sides(payload.mass or 1.0, inertia, reach)


def payload_growth(payload: Payload, mass: float) -> float:
    """How much larger a payload is drawn with another mass (kg): of the same stuff and shape; 0 without mass."""
    return (max(mass, 0.0) / (payload.mass or 1.0)) ** (1.0 / 3.0)


def lump_sides(link: Link, reach: float) -> Floats | None:
    """The sides (3,) of a rigid link that is a lump rather than a bar, in the link's axes; None if it is a bar."""
    body = link.rigid
    if body is None or body.mass <= 0.0:
        return None
    sides = block_sides(body.mass, np.diag(link.inertia_matrix).astype(float), reach)
    if link.length <= 0.0:
        return sides if link.joint.type != "revolute" else None
    across = np.sort(sides)[1]
    return sides if across >= 0.75 * link.length else None


def _rigid_side(link: Link, reach: float) -> float:
    """The side (m) of the square bar a rigid link is drawn as: by its inertia about its own axis, else its mass."""
    mass = 0.0 if link.rigid is None else link.rigid.mass
    side = math.sqrt(mass / (link.length * CASTING)) if link.length > 0.0 else 0.0
    along = float(link.axis @ link.inertia_matrix @ link.axis)
    planar = not np.any(np.diag(link.inertia_matrix)[:2])
    if mass > 0.0 and along > 0.0 and not planar:
        side = math.sqrt(6.0 * along / mass)
    if lump_sides(link, reach) is not None:
        side = 0.0  # the lump is the link; what reaches from it to the next is a stub
    return min(max(side, _LEAST_RIGID * reach), _MOST_RIGID * reach)


def _outline(section: Section, reach: float) -> Outline:
    least = _THINNEST * reach
    if isinstance(section, Circle | Tube):
        return round_outline(max(section.diameter, least))
    if isinstance(section, Rectangle | Box):
        return square_outline(max(section.height, least), max(section.width, least))
    assert isinstance(section, Custom)
    # of an unknown shape: the solid rectangle with the same radii of gyration, or the same area
    height = math.sqrt(12.0 * section.Iz / section.area)
    width = section.area / height if section.Iy is None else math.sqrt(12.0 * section.Iy / section.area)
    return square_outline(max(height, least), max(width, least))


def _metal_bar(link: Link, fraction: float, reach: float) -> Outline:
    """The round, or where it differs the oval, bar of metal with the beam's stiffness and mass: EI/m = (E/ρ) d²/16."""
    assert link.beam is not None
    known = link.beam.properties(fraction)
    most, least = _THICKEST * reach, _THINNEST * reach
    about_y, about_z = known.EIy or known.EIz or 0.0, known.EIz or known.EIy or 0.0
    mass = known.mass_per_length
    sizes = [4.0 * math.sqrt(each / (mass * METAL)) if mass > 0.0 else least for each in (about_z, about_y)]
    height, width = (min(max(size, least), most) for size in sizes)
    whole = round_outline(1.0)
    normals = whole.normals * np.array([width, height])
    return Outline(whole.points * np.array([height, width]), normals / np.linalg.norm(normals, axis=1, keepdims=True))


def _hollow(section: Section) -> float:
    if isinstance(section, Tube):
        return section.inner_diameter / section.diameter
    if isinstance(section, Box):
        return max(1.0 - 2.0 * section.thickness / min(section.height, section.width), 0.0)
    return 0.0
