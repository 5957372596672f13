"""Quantities with units, read one by one with the model's own readers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from numbers import Integral
from typing import Any

from pydantic_core import PydanticCustomError

from flexarm.errors import AnalysisError, FlexarmError
from flexarm.model.reading.messages import shown
from flexarm.model.reading.quantity import Quantity, is_number


def read_quantity(value: Any, *units: str, above: float | None = None, least: float | None = None) -> float:
    """The value in SI units: a number is one already, text has a unit; else FlexarmError, "is …, must be …"."""
    if isinstance(value, Mapping):
        raise FlexarmError("is a table, must be a number or a text with its unit: it cannot be random")
    if isinstance(value, str):
        with suppress(ValueError):
            value = float(value)
    try:
        reader = Quantity({unit: unit for unit in units}, by="unit", above=above, least=least)
        return reader.read_one(value, units[0] if len(units) == 1 else None)
    except PydanticCustomError as error:
        raise FlexarmError(str((error.context or {}).get("reason", error))) from None


def whole_number(name: str, value: Any, least: int, most: int | None = None) -> int:
    """The value as a whole number, one of NumPy's too; else AnalysisError with what is allowed."""
    sound = isinstance(value, Integral) and not isinstance(value, bool)
    if not sound or value < least or (most is not None and value > most):
        allowed = f"≥ {least}" if most is None else f"from {least} to {most}"
        raise AnalysisError(f"{name} is {shown(value)}, must be a whole number {allowed}")
    return int(value)


def part_of_one(name: str, value: Any) -> float:
    """The value as a number between 0 and 1; else AnalysisError."""
    if not is_number(value) or not 0.0 < value < 1.0:
        raise AnalysisError(f"{name} is {shown(value)}, must be between 0 and 1")
    return float(value)


def times_asked(times: Any) -> tuple[float, ...] | int | None:
    """Times (s), or how many of them, as they were asked for; None leaves the choice to others."""
    if times is None:
        return None
    if isinstance(times, Integral) and not isinstance(times, bool):
        return int(times)
    if isinstance(times, str | Mapping) or not isinstance(times, Iterable):
        raise AnalysisError(f"times is {shown(times)}, must be a list of times (s), or how many")
    found = list(times)
    if not found:
        raise AnalysisError("times is [], must hold at least one time (s), or be left out")
    try:
        return tuple(read_quantity(time, "s") for time in found)
    except FlexarmError as error:
        raise AnalysisError(f"times holds a time that {error}") from None


def read_vector(value: Any, unit: str, lengths: tuple[int, ...]) -> tuple[float, ...]:
    """A vector of quantities whose length is one of `lengths`."""
    if not isinstance(value, list | tuple) or len(value) not in lengths:
        raise FlexarmError(f"is {shown(value)}, must be a list of {' or '.join(map(str, lengths))} quantities")
    return tuple(read_quantity(each, unit) for each in value)
