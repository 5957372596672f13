"""Shapes in which a beam is assumed to bend, twist or stretch: a word for a family of modes, or a list of one's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from flexarm.model.parts.part import Part
from flexarm.model.reading.messages import Mistake, either, meant, number, refusal, shown
from flexarm.model.reading.quantity import Quantity, Reader, Series, entries
from flexarm.model.reading.readers import OneOf
from flexarm.model.reading.text import part_to_dict

FAMILIES = ("clamped", "payload", "pinned", "pinned-pinned")
DIRECTIONS = ("bending_z", "bending_y", "torsion", "axial")
# What is smaller than this part of the largest is the rounding of whoever wrote it down.
_NOUGHT = 1e-9


class ModeShape(Part):
    """One shape along a link, per unit of its coordinate, from the clamp at its base to its tip."""

    always_written = ("direction",)

    direction: Annotated[Literal["bending_z", "bending_y", "torsion", "axial"], OneOf(*DIRECTIONS)] = Field(
        "bending_z", description="deflection about z or y, twist or stretch"
    )
    polynomial: Annotated[tuple[float, ...] | None, Series("")] = Field(
        None, description="coefficients of 1, ξ, ξ², ..., ξ = x/length"
    )
    at: Annotated[tuple[float, ...] | None, Series("m", fewest=3)] = Field(
        None, description="distances along the link from 0 to its length, instead of a polynomial"
    )
    values: Annotated[tuple[float, ...] | None, Series("", fewest=3)] = Field(
        None, description="of the shape at these distances, joined by a cubic spline"
    )
    rotation: Annotated[tuple[float, ...] | None, Series("")] = Field(
        None,
        description="of the section (rad/m), in the form of the shape; default: its slope, so that nothing shears",
    )

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """Neither or both forms of a shape, a rotation where there is none."""
        given = [key for key in ("polynomial", "at", "values") if raw.get(key) is not None]
        if given not in (["polynomial"], ["at", "values"]):
            found = " and ".join(given) or "none"
            yield (), f"has {found} of polynomial, at and values, must have polynomial, or at and values"
        if raw.get("rotation") is not None and raw.get("direction") in ("torsion", "axial"):
            yield (), f'rotation is given with direction "{raw["direction"]}", must be given with a bending direction'

    def mistakes(self) -> Iterable[Mistake]:
        """Points in no order, or a shape that does not begin at a clamp."""
        if self.at is not None and self.values is not None:
            for key in ("values", "rotation"):
                listed = getattr(self, key)
                if listed is not None and len(listed) != len(self.at):
                    yield (), f"{key} has {len(listed)} entries, must have as many as at, {len(self.at)}"
            if self.at[0] != 0.0:
                yield (), f"at begins with {number(self.at[0])} m, must begin with 0 m"
            if any(after <= before for before, after in zip(self.at[:-1], self.at[1:], strict=True)):
                yield (), "at does not rise, must rise from entry to entry"
        moved = self.polynomial if self.polynomial is not None else self.values or ()
        bends = self.direction.startswith("bending")
        # of a polynomial the slope at the clamp is its second coefficient; a spline takes it for nought
        first = 2 if bends and self.polynomial is not None and self.rotation is None else 1
        yield from self._clamped("values" if self.polynomial is None else "polynomial", moved, first)
        if self.rotation is not None:
            yield from self._clamped("rotation", self.rotation, 1, still=True)

    def _clamped(self, key: str, listed: tuple[float, ...], first: int, *, still: bool = False) -> Iterable[Mistake]:
        size = max(map(abs, listed), default=0.0)
        if size == 0.0:
            if not still:
                yield (), f"{key} is nought everywhere, must move somewhere"
        elif any(abs(value) > _NOUGHT * size for value in listed[:first]):
            found = ", ".join(number(value) for value in listed[:first])
            yield (), f"{key} begins with {found}, must begin with {', '.join('0' * first)}: the base is clamped"

    @property
    def end(self) -> float | None:
        """The distance (m) of the last point; None for a polynomial."""
        return None if self.at is None else self.at[-1]


class ShapesReader(Reader):
    """The word for a family of modes, or a list of shapes."""

    _list = TypeAdapter(tuple[ModeShape, ...])

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The word, or the shapes."""
        wanted = f"must be {either(FAMILIES)} or a list of shapes"
        if isinstance(value, str):
            if value not in FAMILIES:
                raise refusal(f"is {shown(value)}, {wanted}{meant(value, FAMILIES)}")
            return value
        listed = [value] if isinstance(value, Mapping | ModeShape) else entries(value)
        if not listed:
            raise refusal(f"is {shown(value)}, {wanted}")
        # A ValidationError from here keeps its place below this key.
        return self._list.validator.validate_python(tuple(listed))

    def write(self, value: Any, owner: Any) -> Any:
        """The word, or a list of tables."""
        return value if isinstance(value, str) else [part_to_dict(shape) for shape in value]

    def schema(self) -> dict[str, Any]:
        """A word, a shape or a list of them."""
        listed = {"type": "array", "items": Series("").schema()["items"], "minItems": 1}
        points = {"type": "array", "items": Quantity("m").schema(), "minItems": 3}
        shape = {
            "type": "object",
            "properties": {
                "direction": {"enum": list(DIRECTIONS)},
                "polynomial": listed,
                "at": points,
                "values": {**listed, "minItems": 3},
                "rotation": listed,
            },
            "additionalProperties": False,
        }
        return {"anyOf": [{"enum": list(FAMILIES)}, shape, {"type": "array", "items": shape, "minItems": 1}]}
