"""Strain gauges: places on the surface of a beam where strain, stress and internal forces are read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from pydantic import Field

from flexarm.model.parts.part import Part
from flexarm.model.reading.messages import Mistake, number, quoted
from flexarm.model.reading.quantity import Quantity
from flexarm.model.reading.readers import Name, OneOf

if TYPE_CHECKING:
    from flexarm.model.arm import Arm

# Outward direction of a face: the axis of the link (0 is y, 1 is z) and the sign.
FACES = {"+y": (0, 1.0), "-y": (0, -1.0), "+z": (1, 1.0), "-z": (1, -1.0)}


class Gauge(Part):
    """A strain gauge on a face of a beam, along its axis."""

    name: Annotated[str, Name()]
    link: Annotated[str, Name()]
    at: Annotated[float, Quantity("m", least=0)] = Field(0.0, description="distance along the link; default: its clamp")
    face: Annotated[Literal["+y", "-y", "+z", "-z"], OneOf(*FACES)] = Field(
        "+y", description="face of the section it is on, by the link's axes; x runs along the link"
    )
    distance: Annotated[float | None, Quantity("m", above=0, optional=True)] = Field(
        None, description="of the face from the neutral axis; default: the section's outer fibre"
    )


def face_distance(arm: Arm, gauge: Gauge) -> float | None:
    """How far (m) the gauge's face is from the neutral axis; None where the section is not known."""
    if gauge.distance is not None:
        return gauge.distance
    link = arm.link(gauge.link)
    if link.beam is None or link.beam.section is None or link.beam.section.reach is None:
        return None
    axis = FACES[gauge.face][0]
    if link.beam.uniform:
        return link.beam.section.reach[axis]
    known = [(at, each.section.reach[axis]) for at, each in link.beam.stations if each.section and each.section.reach]
    places, distances = np.array(known, dtype=float).T
    return float(np.interp(gauge.at / link.length, places, distances))


def gauge_mistakes(arm: Arm) -> Iterable[Mistake]:
    """Gauges on what is no beam, beyond its end, or on a section of unknown size."""
    for i, gauge in enumerate(arm.gauges):
        link, place = arm.link(gauge.link), ("gauge", i)
        if link.beam is None or link.joint.sleeve:
            yield (
                place,
                f"link is {quoted(link.name)}, must be one with a beam{' outside a sleeve' * (link.beam is not None)}",
            )
        elif gauge.at > link.length * (1 + 1e-9):
            yield (
                place,
                f"at is {number(gauge.at)} m, must be ≤ the length of {quoted(link.name)}, {number(link.length)} m",
            )
        elif face_distance(arm, gauge) is None:
            yield place, f"distance is missing, must be given: the section of {quoted(link.name)} has no known size"
        if arm.planar and gauge.face in ("+z", "-z"):
            yield place, f'face is "{gauge.face}", must be "+y" or "-y" in a planar arm'
