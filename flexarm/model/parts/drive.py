"""What moves a joint besides its law: a motor behind a gear ratio, a gear that gives way.

Coordinates of a revolute joint are angles, of a prismatic one lengths; units that follow from that are picked by the
joint's `type`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from flexarm.model.parts.part import Part
from flexarm.model.parts.servo import DAMPING, STIFFNESS
from flexarm.model.reading.messages import either, meant, refusal, shown
from flexarm.model.reading.quantity import SIBLINGS, Quantity, Reader
from flexarm.model.reading.text import part_to_dict

# Of a prismatic joint: how far the motor turns for a metre of the slide.
RATIO = {"revolute": "", "prismatic": "rad/m"}


class Motor(Part):
    """A motor that turns `gear_ratio` times as fast as its joint."""

    always_written = ("inertia", "gear_ratio")

    inertia: Annotated[float, Quantity("kg m²", least=0)] = Field(description="about the motor's shaft")
    gear_ratio: Annotated[float, Quantity(RATIO, by="type", above=0)] = Field(
        1.0, description="motor's rate over that of the joint"
    )
    friction: Annotated[float, Quantity("N m s/rad", least=0)] = Field(0.0, description="viscous, on the motor's shaft")

    def felt(self, value: float) -> float:
        """An inertia or a friction of the shaft as it is felt at the joint."""
        return value * (self.gear_ratio * self.gear_ratio)


class Gear(Part):
    """What gives way between a motor and its link."""

    stiffness: Annotated[float, Quantity(STIFFNESS, by="type", above=0)] = Field(description="at the joint")
    damping: Annotated[float, Quantity(DAMPING, by="type", least=0)] = Field(0.0, description="at the joint")
    backlash: Annotated[float, Quantity({"revolute": "rad", "prismatic": "m"}, by="type", least=0)] = Field(
        0.0, description="play at the joint, in which nothing is transmitted: half of it to either side"
    )


class DriveTable(Reader):
    """A table on a joint whose units follow the joint's type, or one of a few words."""

    def __init__(self, part: type[Part], *words: str) -> None:
        self.part, self.words = part, words

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The part, or the word."""
        if value is None or isinstance(value, self.part):
            return value
        if isinstance(value, str) and value in self.words:
            return str(value)
        if isinstance(value, Mapping):
            # A ValidationError from here keeps its place below this key.
            context = {SIBLINGS: {"type": siblings.get("type")}}
            return self.part.__pydantic_validator__.validate_python(value, context=context)
        wanted = f"{either(self.words)} or a table" if self.words else "a table"
        raise refusal(f"is {shown(value)}, must be {wanted}{meant(value, self.words)}")

    def write(self, value: Any, owner: Any) -> Any:
        """The word, or a table in the units of the joint."""
        return part_to_dict(value, among=owner) if isinstance(value, Part) else value

    def schema(self) -> dict[str, Any]:
        """A table, or one of the words."""
        table = self.part.model_json_schema()
        return {"anyOf": [{"enum": list(self.words)}, table]} if self.words else table
