"""Readers of quantities: how a number with a unit is taken from a model file, refused, and written back.

A reader stands in the annotation of a field, `length: Annotated[float, Quantity("m", least=0)]`; pydantic calls it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from flexarm.batched import Batch, Measured
from flexarm.model.reading.distributions import DISTRIBUTION_SCHEMA, FAMILIES, Placeholder
from flexarm.model.reading.messages import meant, number, printable, refusal, shown
from flexarm.model.reading.units import Dimension, UnitError, read_measure, read_unit

# Nothing an arm is made of is larger, and nothing that has to be there is smaller than its inverse; products and
# quotients of a few such numbers still fit into a float.
LARGEST = 1e50

# In the context of a validation: fields next to the table that is read, as siblings of its own.
SIBLINGS = "siblings"

_WORDS = {
    "m": ("a length", "0.2 m"),
    "m²": ("an area", "350 mm^2"),
    "m⁴": ("a second moment of area", "1e4 mm^4"),
    "kg": ("a mass", "0.63 kg"),
    "kg/m": ("a mass per length", "3.15 kg/m"),
    "kg/m³": ("a density", "7850 kg/m^3"),
    "kg m": ("an inertia per length", "1e-4 kg m"),
    "kg m²": ("an inertia", "6.1e-4 kg m^2"),
    "s": ("a time", "0.5 s"),
    "rad": ("an angle", "90 deg"),
    "rad/s": ("an angular rate", "45 deg/s"),
    "rad/s²": ("an angular acceleration", "40 rad/s^2"),
    "rad/m": ("a gear ratio", "628 rad/m"),
    "m/s": ("a speed", "0.5 m/s"),
    "m/s²": ("an acceleration", "9.81 m/s^2"),
    "N": ("a force", "10 N"),
    "N m": ("a moment", "2 N m"),
    "N m²": ("a bending or torsional stiffness", "1586.5 N m^2"),
    "N m/rad": ("a rotational stiffness", "100 N m/rad"),
    "N/m": ("a stiffness", "1e4 N/m"),
    "N m/A": ("a torque constant", "0.1 N m/A"),
    "N m s/rad": ("a rotational damping", "1 N m s/rad"),
    "N s/m": ("a damping", "10 N s/m"),
    "Pa": ("a pressure", "210 GPa"),
    "Hz": ("a frequency", "2 Hz"),
    "": ("a number", "0.3"),
}


class Reader(ABC):
    """Takes one value in, checked, and gives it back in the form of the model file."""

    @abstractmethod
    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The checked value; raises `refusal` with the reason. `siblings` are the fields read before it."""

    @abstractmethod
    def write(self, value: Any, owner: Any) -> Any:
        """The value as text, number or list for a model file; reading it back gives the same bits."""

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of what is accepted."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self._called_by_pydantic)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return self.schema()

    def _called_by_pydantic(self, value: Any, info: Any) -> Any:
        around = (info.context or {}).get(SIBLINGS)
        return self.read(value, {**around, **info.data} if around else info.data or {})


class Quantity(Reader):
    """A number in SI units, or text with a unit of the same dimension.

    Where the dimension depends on the sibling key `by`, `unit` maps its values to units: the coordinate of a joint is
    an angle or a length. Without that sibling any of the units is taken.
    """

    def __init__(
        self,
        unit: str | Mapping[str, str],
        *,
        by: str = "",
        least: float | None = None,
        above: float | None = None,
        most: float | None = None,
        optional: bool = False,
    ) -> None:
        self.units: dict[str, str] = {"": unit} if isinstance(unit, str) else dict(unit)
        self.by = by
        self.least, self.above, self.most = least, above, most
        self.optional = optional

    def unit_for(self, choice: Any) -> str | None:
        """The SI unit that goes with the sibling's value; None if it is left open."""
        if not self.by:
            return self.units[""]
        return self.units.get(choice) if isinstance(choice, str) else None

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The value in SI units."""
        if value is None and self.optional:
            return None
        return self.read_one(value, self.unit_for(siblings.get(self.by)) if self.by else self.units[""])

    def read_one(self, value: Any, unit: str | None, suffix: str = "") -> float:
        """One number in SI units; `unit` None takes any of the reader's units."""
        units = [unit] if unit is not None else list(self.units.values())
        if isinstance(value, Placeholder):
            value.ask(units)
        plain: Any
        if isinstance(value, str):
            plain = _from_text(value, units, suffix)
            found = shown(value)
        elif isinstance(value, Batch):
            plain = _from_batch(value, units, suffix)
            found = f"{plain:.6g} {units[0]}".strip()
        elif is_number(value):
            plain = _from_number(value, suffix)
            found = f"{number(plain)} {units[0]}".strip() if len(units) == 1 else number(plain)
            found = found if not isinstance(value, Placeholder) else shown(value)
        else:
            raise refusal(f"is {shown(value)}, must be {_wanted(units)}{_distribution_meant(value)}", suffix)
        if not (np.isfinite(plain) if isinstance(plain, Batch) else math.isfinite(plain)):
            raise refusal(f"is {found}, must be finite", suffix)
        self._within(plain, found, suffix)
        if abs(plain) > LARGEST:
            raise refusal(f"is {found}, must be ≤ {number(LARGEST)} in size", suffix)
        if self.above == 0 and plain < 1 / LARGEST:
            raise refusal(f"is {found}, must be ≥ {number(1 / LARGEST)}", suffix)
        # Adding zero turns -0.0 into 0.0, which compares equal but would not come back from a file.
        return plain + 0.0  # type: ignore[no-any-return]

    def choices(self, value: Any) -> set[str]:
        """The values of the sibling `by` that fit the unit of a text; empty for anything but readable text."""
        if isinstance(value, Measured):
            dimension = read_unit(value.unit).dimension
        elif not isinstance(value, str):
            return set()
        else:
            try:
                dimension = read_measure(value)[1]
            except (ValueError, OverflowError):
                return set()
        return {choice for choice, unit in self.units.items() if dimension.fits(read_unit(unit).dimension)}

    def _within(self, value: float, found: str, suffix: str) -> None:
        if self.above is not None and not value > self.above:
            raise refusal(f"is {found}, must be > {number(self.above)}", suffix)
        if self.least is not None and not value >= self.least:
            raise refusal(f"is {found}, must be ≥ {number(self.least)}", suffix)
        if self.most is not None and not value <= self.most:
            raise refusal(f"is {found}, must be ≤ {number(self.most)}", suffix)

    def write(self, value: Any, owner: Any) -> Any:
        """Text with the SI unit, or a plain number where there is none."""
        unit = self.unit_for(getattr(owner, self.by, None)) if self.by else self.units[""]
        return f"{value!r} {unit}" if unit else value

    def schema(self) -> dict[str, Any]:
        """A number within the limits, text with a unit, or a distribution."""
        limits = {"minimum": self.least, "exclusiveMinimum": self.above, "maximum": self.most}
        plain = {"type": "number"} | {name: limit for name, limit in limits.items() if limit is not None}
        units = [unit for unit in self.units.values() if unit]
        accepted: list[dict[str, Any]] = [plain]
        if units:
            accepted.append({"type": "string", "description": f"a number with a unit, in SI {' or '.join(units)}"})
        return {"anyOf": [*accepted, DISTRIBUTION_SCHEMA]}


def _distribution_meant(value: Any) -> str:
    if not isinstance(value, Mapping):
        return ""
    hints = [hint for key in value if (hint := meant(key, FAMILIES))]
    return f", or a distribution{hints[0]}" if hints else ""


def _wanted(units: Sequence[str]) -> str:
    parts = [_WORDS.get(unit, (f"a quantity in {unit}", f"1 {unit}")) for unit in units]
    words, example = " or ".join(word for word, _ in parts), parts[0][1]
    return words if units[0] == "" else f'{words} such as "{example}"'


def _from_text(text: str, units: Sequence[str], suffix: str) -> float:
    try:
        value, dimension = read_measure(text)
    except UnitError as reason:
        raise refusal(f"is {shown(text)}, which {printable(str(reason))}, must be {_wanted(units)}", suffix) from None
    except (OverflowError, ValueError):
        raise refusal(f"is {shown(text)}, which cannot be read, must be {_wanted(units)}", suffix) from None
    for unit in units:
        wanted = read_unit(unit).dimension
        if dimension.fits(wanted):
            if dimension == Dimension() and unit:
                break  # "0.5" for an angle: the unit was forgotten
            return value * turns(dimension, wanted)
    if dimension == Dimension():
        raise refusal(f"is {shown(text)} without a unit, must be {_wanted(units)}", suffix)
    raise refusal(f"is {shown(text)}, must be {_wanted(units)}", suffix)


def _from_batch(value: Batch, units: Sequence[str], suffix: str) -> Batch:
    if not isinstance(value, Measured):
        return value
    dimension = read_unit(value.unit).dimension
    for unit in units:
        wanted = read_unit(unit).dimension
        if dimension.fits(wanted):
            return value * turns(dimension, wanted)
    raise refusal(f"is in {value.unit}, must be {_wanted(units)}", suffix)


def turns(found: Dimension, wanted: Dimension) -> float:
    """The factor from cycles to radians or back, where one is written for the other."""
    # One cycle is 2π rad: "2 Hz" may stand for an angular rate and "10 rad/s" for a frequency.
    if found.cycle and wanted.angle and not found.angle:
        return math.tau
    if found.angle and wanted.cycle and not found.cycle:
        return 1 / math.tau
    return 1.0


def is_number(value: Any) -> bool:
    """True for anything that counts as one real number; truth is not a number."""
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def _from_number(value: Any, suffix: str) -> float:
    try:
        return float(value)
    except (OverflowError, ValueError, TypeError):
        raise refusal(f"is a number too large to hold, must be ≤ {number(LARGEST)} in size", suffix) from None


def entries(value: Any) -> list[Any] | None:
    """The entries of a list, tuple or array; None if the value is not one."""
    if isinstance(value, list | tuple):
        return list(value)
    listed = getattr(value, "tolist", None)
    if callable(listed) and getattr(value, "ndim", 0) > 0:
        return list(listed())
    return None


class Vector(Quantity):
    """Three numbers of one dimension."""

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """Three values in SI units."""
        if value is None and self.optional:
            return None
        parts = entries(value)
        unit = self.units[""]
        if parts is None:
            raise refusal(f"is {shown(value)}, must be a list of 3, each {_wanted([unit])}")
        if len(parts) != 3:
            raise refusal(f"has {len(parts)} entries, must have 3")
        return tuple(self.read_one(part, unit, f"[{i}]") for i, part in enumerate(parts))

    def write(self, value: Any, owner: Any) -> Any:
        """Three texts with the SI unit; plain zeros are left bare."""
        unit = self.units[""]
        return [f"{part!r} {unit}" if unit and part else part for part in value]

    def schema(self) -> dict[str, Any]:
        """A list of three."""
        return {"type": "array", "items": super().schema(), "minItems": 3, "maxItems": 3}


class Vectors(Vector):
    """A list of points."""

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The points in SI units."""
        if value is None:
            return None
        rows = entries(value)
        if not rows:
            raise refusal(f"is {shown(value)}, must be a list of points such as [[1, 0, 0], [1, 0.2, 0]]")
        unit, found = self.units[""], []
        for i, row in enumerate(rows):
            parts = entries(row)
            if parts is None or len(parts) != 3:
                raise refusal(f"is {shown(row)}, must be a list of 3", f"[{i}]")
            found.append(tuple(self.read_one(part, unit, f"[{i}][{k}]") for k, part in enumerate(parts)))
        return tuple(found)

    def write(self, value: Any, owner: Any) -> Any:
        """A list of lists."""
        return [Vector.write(self, row, owner) for row in value]

    def schema(self) -> dict[str, Any]:
        """A list of lists of three."""
        return {"type": "array", "items": Vector.schema(self), "minItems": 1}


class Pair(Quantity):
    """One number for both transverse axes, or two: about (or along) y and z."""

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """Two values in SI units."""
        if value is None and self.optional:
            return None
        unit = self.units[""]
        parts = entries(value)
        if parts is None:
            one = self.read_one(value, unit)
            return (one, one)
        if len(parts) != 2:
            raise refusal(f"has {len(parts)} entries, must be one number or two (y and z)")
        return tuple(self.read_one(part, unit, f"[{i}]") for i, part in enumerate(parts))

    def write(self, value: Any, owner: Any) -> Any:
        """One text if both are equal, else two."""
        texts = [f"{part!r} {self.units['']}" if self.units[""] else part for part in value]
        return texts[0] if value[0] == value[1] else texts

    def schema(self) -> dict[str, Any]:
        """One value or two."""
        one = super().schema()
        return {"anyOf": [one, {"type": "array", "items": one, "minItems": 2, "maxItems": 2}]}


class Series(Quantity):
    """A list of numbers; with `powers` the unit of the i-th is divided by s^i: coefficients of a polynomial in time."""

    def __init__(self, unit: str | Mapping[str, str], *, by: str = "", fewest: int = 1, powers: bool = False) -> None:
        super().__init__(unit, by=by)
        self.fewest, self.powers = fewest, powers

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """Values in SI units."""
        parts = entries(value)
        if parts is None:
            raise refusal(f"is {shown(value)}, must be a list of numbers")
        if len(parts) < self.fewest:
            raise refusal(f"has {len(parts)} entries, must have {self.fewest} or more")
        unit = self.unit_for(siblings.get(self.by)) if self.by else self.units[""]
        if not self.powers:
            return tuple(self.read_one(part, unit, f"[{i}]") for i, part in enumerate(parts))
        return tuple(self._power(unit, i).read_one(part, None, f"[{i}]") for i, part in enumerate(parts))

    def choices(self, value: Any) -> set[str]:
        """The values of the sibling that fit the unit of the first text in the list."""
        for i, part in enumerate(entries(value) or []):
            if isinstance(part, str | Measured):
                scaled = {choice: _per_second(unit, i if self.powers else 0) for choice, unit in self.units.items()}
                return Quantity(scaled, by=self.by).choices(part)
        return set()

    def _power(self, unit: str | None, exponent: int) -> Quantity:
        units = self.units.values() if unit is None else [unit]
        return Quantity({base: _per_second(base, exponent) for base in units}, by="unit")

    def write(self, value: Any, owner: Any) -> Any:
        """Plain numbers in SI units: a long column of units would only hide them."""
        return list(value)

    def schema(self) -> dict[str, Any]:
        """A list of values."""
        one = {"type": ["number", "string"]} if self.powers else super().schema()
        return {"type": "array", "items": one, "minItems": self.fewest}


def _per_second(unit: str, exponent: int) -> str:
    if exponent == 0:
        return unit
    return f"{unit or '1'}/s" + (f"^{exponent}" if exponent > 1 else "")
