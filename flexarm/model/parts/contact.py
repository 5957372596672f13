"""Dry friction in a joint and the stops that end its travel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import Field

from flexarm.model.parts.part import Part
from flexarm.model.parts.servo import DAMPING, FORCE, STIFFNESS
from flexarm.model.reading.messages import Mistake
from flexarm.model.reading.quantity import Quantity

COORDINATE = {"revolute": "rad", "prismatic": "m"}
RATE = {"revolute": "rad/s", "prismatic": "m/s"}


class Friction(Part):
    """Friction of a joint: dry, with break-away and Stribeck's fall, and viscous (NOTATION F1–F6)."""

    coulomb: Annotated[float, Quantity(FORCE, by="type", least=0)] = Field(0.0, description="of the sliding joint")
    static: Annotated[float | None, Quantity(FORCE, by="type", least=0, optional=True)] = Field(
        None, description="greatest that holds the joint where it sticks; default: as coulomb"
    )
    stribeck_rate: Annotated[float | None, Quantity(RATE, by="type", above=0, optional=True)] = Field(
        None, description="rate over which friction falls from static to coulomb; without one it falls at once"
    )
    viscous: Annotated[float, Quantity(DAMPING, by="type", least=0)] = Field(0.0, description="per rate")
    load: Annotated[float, Quantity("", least=0, most=0.99)] = Field(
        0.0, description="part of the drive's torque or force that is added to dry friction"
    )

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """A table that says nothing, or a fall from nowhere."""
        given = [key for key in cls.model_fields if raw.get(key) is not None]
        if not given:
            yield (), "has no values, must have coulomb, static, viscous or load"
        elif "stribeck_rate" in given and "static" not in given:
            yield (), "stribeck_rate is given, must be given with static"

    def mistakes(self) -> Iterable[Mistake]:
        """A joint that breaks away before it slides."""
        if self.static is not None and self.static < self.coulomb:
            yield (), f"static is {self.static:g}, must be ≥ coulomb, {self.coulomb:g}"

    @property
    def break_away(self) -> float:
        """Greatest torque or force (N m, N) that holds the joint where it sticks, without the part of the load."""
        return self.coulomb if self.static is None else self.static

    @property
    def dry(self) -> bool:
        """True where there is more than a damper."""
        return self.break_away > 0.0 or self.load > 0.0


class Stops(Part):
    """Where the travel of a joint ends: rigid stops that throw it back, or springs and dampers beyond the limit."""

    lower: Annotated[float | None, Quantity(COORDINATE, by="type", optional=True)] = Field(
        None, description="least coordinate"
    )
    upper: Annotated[float | None, Quantity(COORDINATE, by="type", optional=True)] = Field(
        None, description="greatest coordinate"
    )
    restitution: Annotated[float | None, Quantity("", least=0, most=1, optional=True)] = Field(
        None, description="of rigid stops: part of the rate with which the joint leaves; default: 0"
    )
    stiffness: Annotated[float | None, Quantity(STIFFNESS, by="type", above=0, optional=True)] = Field(
        None, description="of a stop that gives way"
    )
    damping: Annotated[float | None, Quantity(DAMPING, by="type", least=0, optional=True)] = Field(
        None, description="of a stop that gives way"
    )

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """Stops nowhere, or of two kinds."""
        if raw.get("lower") is None and raw.get("upper") is None:
            yield (), "has neither lower nor upper, must have one of them"
        if raw.get("restitution") is not None and raw.get("stiffness") is not None:
            yield (), "has restitution and stiffness, must have only one of them"
        if raw.get("damping") is not None and raw.get("stiffness") is None:
            yield (), "damping is given, must be given with stiffness"

    def mistakes(self) -> Iterable[Mistake]:
        """Limits the wrong way round."""
        if self.lower is not None and self.upper is not None and not self.lower < self.upper:
            yield (), f"upper is {self.upper:g}, must be > lower, {self.lower:g}"

    @property
    def rigid(self) -> bool:
        """True for stops that do not give way."""
        return self.stiffness is None
