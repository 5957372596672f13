"""The centre line of a curved or twisted beam, which becomes a chain of straight ones."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from flexarm.model.parts.frames import Array, Triple, rotation_onto
from flexarm.model.parts.part import Part
from flexarm.model.reading.messages import Mistake
from flexarm.model.reading.quantity import Quantity, Vectors
from flexarm.model.reading.readers import Axis, Count
from flexarm.model.tip_path.curves import Spline

# A direction across another is so within this.
_ACROSS = 1e-9


class Curve(Part):
    """An arc, a smooth curve through points, or a straight line with a twisted section."""

    radius: Annotated[float | None, Quantity("m", above=0, optional=True)] = Field(None, description="of an arc")
    angle: Annotated[float | None, Quantity("rad", above=0, most=20 * math.pi, optional=True)] = Field(
        None, description="by which an arc turns"
    )
    towards: Annotated[Triple | None, Axis()] = Field(
        None, description="the side to which an arc bends, across the link's direction; default: y of the beam"
    )
    points: Annotated[tuple[Triple, ...] | None, Vectors("m")] = Field(
        None, description="from where the link begins, in its frame: a smooth curve leads from there through them"
    )
    twist: Annotated[float, Quantity("rad")] = Field(
        0.0, description="by which the section is turned about the centre line from base to tip, evenly"
    )
    pieces: Annotated[int, Count(1, 1000)] = Field(16, description="straight beams that stand for it")

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """Half an arc, two curves, or none."""
        given = {key for key in cls.model_fields if raw.get(key) is not None}
        if ("radius" in given) != ("angle" in given):
            yield (), "radius and angle must be given together"
        if "points" in given and {"radius", "angle", "towards"} & given:
            yield (), "has points together with an arc, must have one or the other"
        if "towards" in given and "radius" not in given:
            yield (), "towards is given, must be given with radius and angle"
        if not {"radius", "points", "twist"} & given:
            yield (), "has no values, must have radius and angle, points, or twist"

    @property
    def straight(self) -> bool:
        """True where the section is twisted and nothing else."""
        return self.radius is None and self.points is None

    def mistakes_with(self, direction: Triple) -> Iterable[Mistake]:
        """An arc that bends along its own beginning."""
        if self.towards is not None and abs(float(np.dot(self.towards, direction))) > _ACROSS:
            yield ("curve",), "towards must be across the link's direction"

    def nodes(self, direction: Triple, length: float) -> tuple[Array, Array, Array, float]:
        """Places (pieces + 1, 3) in the link's frame, m, unit tangents (3,) at both ends, and the true length, m."""
        n = self.pieces
        if self.points is not None:
            line = Spline([np.zeros(3), *(np.array(point) for point in self.points)])
            ends = line.directions(np.array([0.0, line.length]))
            return line.places(np.linspace(0.0, line.length, n + 1)), ends[0], ends[1], line.length
        along = np.array(direction)
        if self.radius is None or self.angle is None:
            return np.linspace(0.0, length, n + 1)[:, None] * along, along, along, length
        side = rotation_onto(direction)[:, 1] if self.towards is None else np.array(self.towards)
        turned = np.linspace(0.0, self.angle, n + 1)[:, None]
        places = self.radius * (np.sin(turned) * along + (1.0 - np.cos(turned)) * side)
        final = math.cos(self.angle) * along + math.sin(self.angle) * side
        return places, along, final, self.radius * self.angle
