"""Quantities with units, read one by one with the model's own readers."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from pydantic_core import PydanticCustomError

from flexarm.errors import FlexarmError
from flexarm.model.quantity import Quantity


def read_quantity(value: Any, unit: str, *, above: float | None = None, least: float | None = None) -> float:
    """The value in SI units: a number is one already, text has a unit; else FlexarmError, "is …, must be …"."""
    if isinstance(value, Mapping):
        raise FlexarmError("is a table, must be a number or a text with its unit: it cannot be random")
    if isinstance(value, str):
        with suppress(ValueError):
            value = float(value)
    try:
        return Quantity(unit, above=above, least=least).read_one(value, unit)
    except PydanticCustomError as error:
        raise FlexarmError(str((error.context or {}).get("reason", error))) from None


def read_vector(value: Any, unit: str, lengths: tuple[int, ...]) -> tuple[float, ...]:
    """So many quantities as one of `lengths` says."""
    from flexarm.model.messages import shown

    if not isinstance(value, list | tuple) or len(value) not in lengths:
        raise FlexarmError(f"is {shown(value)}, must be a list of {' or '.join(map(str, lengths))} quantities")
    return tuple(read_quantity(each, unit) for each in value)
