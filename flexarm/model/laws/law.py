"""What every command law shares: its unit, found from the unit strings, and its pieces."""

from __future__ import annotations

import csv
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import Field

from flexarm.errors import FlexarmError
from flexarm.model.laws.pieces import Pieces
from flexarm.model.parts.part import Part
from flexarm.model.reading.messages import Mistake, number, printable, quoted, refusal, shown
from flexarm.model.reading.quantity import Quantity, Reader, entries
from flexarm.model.reading.units import UnitError, read_measure, read_unit

Row = tuple[Any, ...]


class Law(Part):
    """A function of time that a joint or a load follows."""

    @classmethod
    def prepared(cls, raw: dict[str, Any]) -> dict[str, Any]:
        """The unit of the law, if not given, from the first text that has one: "0.5 m" makes it a law of lengths."""
        if raw.get("unit") is not None:
            return raw
        for name, field in cls.model_fields.items():
            for reader in field.metadata:
                if isinstance(reader, Quantity) and reader.by == "unit":
                    choices = reader.choices(raw.get(name)) - {""}
                    if len(choices) == 1:
                        return {**raw, "unit": choices.pop()}
        return raw

    def clashes(self) -> Iterable[str]:
        """Sentences about values that do not fit together."""
        return ()

    @abstractmethod
    def pieces(self, rate: float | None = None) -> Pieces:
        """The law in numeric form."""


def computed(make: Callable[[], Pieces | None]) -> Pieces | None:
    """The pieces that `make` gives; None if its numbers are too far apart to be computed with."""
    with np.errstate(all="ignore"):
        try:
            pieces = make()
        except (OverflowError, ZeroDivisionError, ValueError, FlexarmError):
            return None
    if pieces is None or not all(np.isfinite(array).all() for array in (pieces.start, pieces.poly, pieces.harmonic)):
        return None
    return pieces


TOO_FAR_APART = "has values too far apart to be computed with, must be nearer to one another"


def falling(times: Sequence[float]) -> Iterable[str]:
    """A sentence about the first time that is not after the one before it."""
    for i, (before, after) in enumerate(pairwise(times)):
        if not after > before:
            yield f"times[{i + 1}] is {number(after)} s, must be > the time before it, {number(before)} s"
            return


def ramps(
    begin: float, position: float, segments: Iterable[tuple[float, float, float]], *, rate: float = 0.0
) -> list[Row]:
    """Rows of a motion, from rest unless a rate is given, in segments (duration, first and last acceleration)."""
    rows: list[Row] = []
    t, q, v = begin, position, rate
    for duration, first, last in segments:
        if duration <= 0:
            continue
        jerk = (last - first) / duration
        rows.append((t, (q, v, first / 2, jerk / 6)))
        q += duration * (v + duration * (first / 2 + duration * jerk / 6))
        v += duration * (first + last) / 2
        t += duration
    return rows


class TableFile(Reader):
    """A CSV file with two columns, time and value; units of the columns in `units`."""

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The times (s) and values (SI) in the file."""
        return self._load(value, siblings, Path())

    def _called_by_pydantic(self, value: Any, info: Any) -> Any:
        folder = (info.context or {}).get("folder")
        return self._load(value, info.data or {}, Path(folder) if folder is not None else Path())

    def _load(self, value: Any, siblings: Mapping[str, Any], folder: Path) -> Any:
        if value is None:
            return None
        if not isinstance(value, str | Path) or not str(value) or not str(value).isprintable():
            raise refusal(f"is {shown(value)}, must be the name of a CSV file")
        path = folder / value
        try:
            text = path.read_text(encoding="utf-8-sig")
        except OSError as error:
            raise refusal(f"is {quoted(str(value))}, which cannot be read ({error.strerror or error})") from None
        except ValueError:
            raise refusal(f"is {quoted(str(value))}, which is not a text file") from None
        return _columns(text, str(value), siblings.get("units") or ("s", ""))

    def write(self, value: Any, owner: Any) -> Any:
        """Never asked for: a table is written out, so that a model file stands alone."""
        return value

    def schema(self) -> dict[str, Any]:
        """The name of a file."""
        return {"type": "string", "minLength": 1}


def _columns(text: str, name: str, units: tuple[str, str]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    scales = [1.0 if not unit else read_measure(f"1 {unit}")[0] for unit in units]
    rows: list[tuple[float, float]] = []
    lines = [line.strip() for line in text.splitlines()]
    for i, line in enumerate(lines):
        if not line or line.startswith("#"):
            continue
        mark = ";" if ";" in line else "," if "," in line else "\t" if "\t" in line else " "
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=mark, skipinitialspace=True))]
        try:
            time, value = (float(cell) * scale for cell, scale in zip(cells, scales, strict=True))
        except ValueError:
            if not rows and i == next((k for k, first in enumerate(lines) if first and first[0] != "#"), 0):
                continue  # the header
            raise refusal(f"is {quoted(name)}, whose line {i + 1} is not two numbers") from None
        if not (abs(time) <= 1e50 and abs(value) <= 1e50):
            raise refusal(f"is {quoted(name)}, whose line {i + 1} has a number out of range")
        rows.append((time + 0.0, value + 0.0))
    return tuple(row[0] for row in rows), tuple(row[1] for row in rows)


class ColumnUnits(Reader):
    """The units of the two columns of a file, such as ["ms", "deg"]."""

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The two unit texts, known to be units."""
        if value is None:
            return None
        words = entries(value)
        if words is None or len(words) != 2 or not all(isinstance(word, str) for word in words):
            raise refusal(f'is {shown(value)}, must be the units of both columns, such as ["ms", "deg"]')
        for i, word in enumerate(words):
            try:
                unit = read_unit(word)
            except (UnitError, ValueError, OverflowError) as reason:
                raise refusal(f"is {shown(word)}, which {printable(str(reason))}, must be a unit", f"[{i}]") from None
            if i == 0 and not unit.dimension.fits(read_unit("s").dimension):
                raise refusal(f"is {shown(word)}, must be a unit of time", "[0]")
        return tuple(str(word) for word in words)

    def write(self, value: Any, owner: Any) -> Any:
        """Never asked for: a table is written out in SI units."""
        return value

    def schema(self) -> dict[str, Any]:
        """Two texts."""
        return {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}


class Tabulated(Law):
    """Points of a law, in the file or in a CSV file next to it."""

    _si_units: ClassVar[tuple[str, ...]] = ()

    units: Annotated[tuple[str, str] | None, ColumnUnits()] = Field(
        None, description='units of the two columns of the file, such as ["ms", "deg"]; default: SI'
    )
    file: Annotated[Any, TableFile()] = Field(
        None, description="CSV file with the columns time and value, relative to the model file"
    )

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """Points twice or not at all."""
        given = [key for key in ("times", "values") if raw.get(key) is not None]
        if raw.get("file") is not None:
            for key in given:
                yield (), f"{key} is given with file, must be one or the other"
        else:
            for key in ("times", "values"):
                if key not in given:
                    yield (), f"{key} is missing, must be given unless there is file"
            if raw.get("units") is not None:
                yield (), "units is given without file, must be given with it"

    @classmethod
    def prepared(cls, raw: dict[str, Any]) -> dict[str, Any]:
        """The unit of the law, for a file from the unit of its second column."""
        units = entries(raw.get("units"))
        if raw.get("file") is not None and raw.get("unit") is None and units and isinstance(units[-1], str):
            try:
                dimension = read_unit(units[-1]).dimension
            except (ValueError, OverflowError):
                return raw
            for unit in cls._si_units:
                if dimension.fits(read_unit(unit).dimension):
                    return {**raw, "unit": unit}
        return super().prepared(raw)

    def points(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Times (s) and values."""
        if self.file is not None:
            times, values = self.file
            return times, values
        return getattr(self, "times", None) or (), getattr(self, "values", None) or ()

    def clashes(self) -> Iterable[str]:
        """Columns of unequal length, times that do not rise, a file in another unit."""
        times, values = self.points()
        if len(times) != len(values):
            yield f"values has {len(values)} entries, must have as many as times, {len(times)}"
        elif len(times) < 2:
            yield f"times has {len(times)} entries, must have 2 or more"
        else:
            found = list(falling(times))
            if found:
                yield from found
                return
        if self.units is not None and self._si_units:
            fitting = [
                unit for unit in self._si_units if read_unit(self.units[1]).dimension.fits(read_unit(unit).dimension)
            ]
            unit = getattr(self, "unit", None)
            if not fitting or (unit is not None and unit not in fitting):
                yield f"units[1] is {quoted(self.units[1])}, must fit {quoted(unit or ' or '.join(self._si_units))}"

    def settle(self) -> None:
        """The points of a file become the law's own, so that the model stands alone."""
        if self.file is not None:
            times, values = self.file
            self._become(times=times, values=values, without=("file", "units"))
