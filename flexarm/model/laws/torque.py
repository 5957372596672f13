"""Torque laws: the torque or force of a drive over time, or the factor on a load."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Discriminator, Field, Tag

from flexarm.batched import array, real
from flexarm.errors import FlexarmError
from flexarm.model.laws.law import TOO_FAR_APART, Law, Row, Tabulated, computed
from flexarm.model.laws.pieces import Pieces
from flexarm.model.laws.spline import cubic_spline
from flexarm.model.reading.hints import TAG, tagged_by
from flexarm.model.reading.messages import Mistake, number
from flexarm.model.reading.quantity import Quantity, Series
from flexarm.model.reading.readers import OneOf

_EFFORT = {"N m": "N m", "N": "N", "": ""}

Effort = Annotated[float, Quantity(_EFFORT, by="unit")]
Time = Annotated[float, Quantity("s")]
EndTime = Annotated[float | None, Quantity("s", optional=True)]


class TorqueLaw(Law):
    """A torque, force or factor, value(t) = offset + scale × law(t); TorqueLaw(kind="sine", ...) gives a SineTorque."""

    family = "kind"

    unit: Annotated[Literal["N m", "N"] | None, OneOf("N m", "N", optional=True)] = Field(
        None, description="unit of the values; found from the unit strings"
    )
    scale: Annotated[float, Quantity("")] = 1.0
    offset: Effort = 0.0

    def mistakes(self) -> Iterable[Mistake]:
        """Values that do not fit together."""
        clashes = list(self.clashes())
        if not clashes and computed(self.pieces) is None:
            clashes = [TOO_FAR_APART]
        for sentence in clashes:
            yield (), sentence

    def clashes(self) -> Iterable[str]:
        """An end before the beginning."""
        begin, end = getattr(self, "begin", None), getattr(self, "end", None)
        if begin is not None and end is not None and end <= begin:
            yield f"end is {number(end)} s, must be > begin, {number(begin)} s"
        yield from super().clashes()

    def pieces(self, rate: float | None = None) -> Pieces:
        """The law in numeric form, scale and offset included."""
        if rate is not None:
            raise FlexarmError("a torque law takes no rate")
        return Pieces.joined(self.rows(), order=0).scaled(self.scale).raised(self.offset)

    @abstractmethod
    def rows(self) -> list[Row]:
        """The law's own rows, before scale and offset."""


class ConstantTorque(TorqueLaw):
    """The same value at all times."""

    kind: Literal["constant"] = "constant"
    value: Effort

    def rows(self) -> list[Row]:
        """One constant."""
        return [(0.0, (self.value,))]


class SineTorque(TorqueLaw):
    """amplitude × sin(2π (t - begin)/period + phase) between begin and end, zero outside."""

    kind: Literal["sine"] = "sine"
    amplitude: Effort
    period: Annotated[float | None, Quantity("s", above=0, optional=True)] = None
    frequency: Annotated[float | None, Quantity("Hz", above=0, optional=True)] = None
    phase: Annotated[float, Quantity("rad")] = 0.0
    begin: Time = 0.0
    end: EndTime = None

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """Period and frequency, or neither."""
        given = [key for key in ("period", "frequency") if raw.get(key) is not None]
        if len(given) != 1:
            found = "both period and" if given else "neither period nor"
            yield (), f"has {found} frequency, must have exactly one"

    def rows(self) -> list[Row]:
        """Zero, a sine, zero."""
        w = math.tau / self.period if self.period is not None else math.tau * (self.frequency or 0.0)
        return _between(self.begin, self.end, (0.0,), (self.amplitude, w, self.phase))


class PolynomialTorque(TorqueLaw):
    """A polynomial in t - begin between begin and end, zero outside."""

    kind: Literal["polynomial"] = "polynomial"
    coefficients: Annotated[tuple[float, ...], Series(_EFFORT, by="unit", powers=True)] = Field(
        description="of 1, t, t², ..."
    )
    begin: Time = 0.0
    end: EndTime = None

    def rows(self) -> list[Row]:
        """Zero, the polynomial, zero."""
        return _between(self.begin, self.end, self.coefficients, (0.0, 0.0, 0.0))


class BangBangTorque(TorqueLaw):
    """+amplitude for the first half, -amplitude for the second, zero outside."""

    kind: Literal["bang-bang"] = "bang-bang"
    amplitude: Effort
    duration: Annotated[float, Quantity("s", above=0)]
    begin: Time = 0.0

    def rows(self) -> list[Row]:
        """Zero, plus, minus, zero."""
        half, end = self.begin + self.duration / 2, self.begin + self.duration
        a = self.amplitude
        return [(self.begin, (0.0,)), (self.begin, (a,)), (half, (-a,)), (end, (0.0,))]


class TorqueTable(TorqueLaw, Tabulated):
    """A curve through points; before the first and after the last the end values hold."""

    _si_units = ("N m", "N", "")

    kind: Literal["table"] = "table"
    times: Annotated[tuple[float, ...] | None, Series("s", fewest=2)] = None
    values: Annotated[tuple[float, ...] | None, Series(_EFFORT, by="unit", fewest=2)] = None
    interpolation: Annotated[Literal["linear", "spline", "steps"], OneOf("linear", "spline", "steps")] = Field(
        "linear",
        description="between the points: straight lines, a natural cubic spline, or the value of the point before",
    )

    def pieces(self, rate: float | None = None) -> Pieces:
        """The law in numeric form, made once."""
        return self._pieces if rate is None else super().pieces(rate)

    @cached_property
    def _pieces(self) -> Pieces:
        return super().pieces()

    def rows(self) -> list[Row]:
        """Constant, the pieces between the points, constant."""
        times, values = (array(column) for column in self.points())
        if self.interpolation == "spline":
            coefficients = cubic_spline(times, values, natural=True)
        elif self.interpolation == "linear":
            coefficients = np.stack([values[:-1], np.diff(values) / np.diff(times)], axis=1)
        else:
            coefficients = values[:-1, np.newaxis]
        rows: list[Row] = [(real(t), tuple(row)) for t, row in zip(times[:-1], coefficients, strict=True)]
        return [(real(times[0]), (values[0],)), *rows, (real(times[-1]), (values[-1],))]


def _between(begin: float, end: float | None, poly: tuple[float, ...], sine: tuple[float, float, float]) -> list[Row]:
    rows: list[Row] = [(begin, (0.0,)), (begin, poly, sine)]
    return rows if end is None else [*rows, (end, (0.0,))]


AnyTorque = Annotated[
    Annotated[ConstantTorque, Tag(TAG + "constant")]
    | Annotated[SineTorque, Tag(TAG + "sine")]
    | Annotated[PolynomialTorque, Tag(TAG + "polynomial")]
    | Annotated[BangBangTorque, Tag(TAG + "bang-bang")]
    | Annotated[TorqueTable, Tag(TAG + "table")],
    Discriminator(tagged_by("kind")),
]
