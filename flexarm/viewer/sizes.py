"""How thick the parts of an arm are drawn: as their sections say, else as a steel bar of the same mass would be."""

from __future__ import annotations

import math

from flexarm.model import Arm, Link
from flexarm.model.parts.section import Box, Circle, Custom, Rectangle, Section, Tube
from flexarm.viewer.meshes import Outline, round_outline, square_outline

STEEL = 7850.0  # kg/m³, of bars and payloads of unknown size
# As parts of the arm's reach: what is thinner could not be seen, what is thicker would hide the arm.
_THINNEST, _THICKEST = 0.005, 0.08
_LEAST_JOINT = 0.011


def reach_of(arm: Arm) -> float:
    """How far the arm could stretch (m), all of its links in line; one metre if it has no length."""
    offsets = sum(math.hypot(*link.joint.offset) + math.hypot(*link.tip_offset) for link in arm.links)
    return sum(link.radius + link.length for link in arm.links) + offsets or 1.0


def outlines(link: Link, reach: float) -> tuple[Outline, Outline]:
    """The link's section where it begins and where it ends, at least as thick as can be seen."""
    if link.beam is not None and link.beam.section is not None:
        near = link.beam.section
        far = link.beam.end.section if link.beam.end is not None and link.beam.end.section is not None else near
        return _outline(near, reach), _outline(far, reach)
    thick = (_steel_bar(link, 0.0), _steel_bar(link, 1.0))
    near_end, far_end = (round_outline(min(max(d, _THINNEST * reach), _THICKEST * reach)) for d in thick)
    return near_end, far_end


def thickness(outline: Outline) -> float:
    """The largest width of a section (m)."""
    return 2.0 * float(abs(outline.points).max())


def joint_radius(links: list[tuple[Outline, Outline]], reach: float) -> float:
    """The radius (m) of the joints of an arm: they stand out from every link they join."""
    widest = max((thickness(end) for pair in links for end in pair), default=0.0)
    return max(_LEAST_JOINT * reach, min(0.72 * widest, _THICKEST * reach))


def payload_radius(mass: float, reach: float) -> float:
    """The radius (m) of a steel ball of that mass, large enough to be seen; nothing without mass."""
    if mass <= 0.0:
        return 0.0
    return max((3.0 * mass / (4.0 * math.pi * STEEL)) ** (1.0 / 3.0), 1.2 * _LEAST_JOINT * reach)


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


def _steel_bar(link: Link, fraction: float) -> float:
    """The diameter (m) of a round steel bar with the link's mass per length."""
    if link.beam is not None:
        per_length = link.beam.properties(fraction).mass_per_length
    else:
        per_length = link.rigid.mass / link.length if link.rigid is not None and link.length > 0.0 else 0.0
    return math.sqrt(4.0 * per_length / (math.pi * STEEL))
