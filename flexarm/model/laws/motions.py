"""Motions by name: every kind of law, those that are made of others among them, and what a joint gets of a name."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from flexarm.errors import FlexarmError
from flexarm.model.laws.motion import (
    Accelerate,
    AccelerationKnots,
    BangBangMotion,
    Brake,
    ConstantRate,
    Cycloidal,
    Hold,
    MotionLaw,
    MotionTable,
    PolynomialMotion,
    SCurve,
    SpinUp,
    TrapezoidalAcceleration,
)
from flexarm.model.laws.path import PathMotion
from flexarm.model.laws.pieces import Pieces
from flexarm.model.reading.hints import TAG, tagged_by
from flexarm.model.reading.messages import Mistake, number, refusal, shown
from flexarm.model.reading.quantity import Quantity, Reader, entries
from flexarm.model.reading.readers import Name

# Sizes of impulses may be rounded to so many digits; the law divides them by their sum.
_ROUNDED = 1e-6


class Impulses(Reader):
    """Pairs of a time (s) and a size."""

    _time, _size = Quantity("s"), Quantity("")

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The pairs."""
        rows = entries(value)
        if not rows:
            raise refusal(f'is {shown(value)}, must be pairs of time and size such as [[0, 0.5], ["0.2 s", 0.5]]')
        pairs = []
        for i, row in enumerate(rows):
            pair = entries(row)
            if pair is None or len(pair) != 2:
                raise refusal(f"is {shown(row)}, must be a time and a size", f"[{i}]")
            pairs.append(
                (self._time.read_one(pair[0], "s", f"[{i}][0]"), self._size.read_one(pair[1], "", f"[{i}][1]"))
            )
        return tuple(pairs)

    def write(self, value: Any, owner: Any) -> Any:
        """Pairs of a text in s and a plain number."""
        return [[f"{time!r} s", size] for time, size in value]

    def schema(self) -> dict[str, Any]:
        """A list of pairs."""
        one = {"type": ["number", "string"]}
        pair = {"type": "array", "items": one, "minItems": 2, "maxItems": 2}
        return {"type": "array", "items": pair, "minItems": 1}


class Names(Reader):
    """Two names or more."""

    _name = Name()

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The names."""
        words = entries(value)
        if words is None or len(words) < 2:
            raise refusal(f"is {shown(value)}, must be a list of 2 names or more")
        return tuple(self._name.read(word, siblings) for word in words)

    def write(self, value: Any, owner: Any) -> Any:
        """A list."""
        return list(value)

    def schema(self) -> dict[str, Any]:
        """A list of texts."""
        return {"type": "array", "items": self._name.schema(), "minItems": 2}


class _MadeOfOthers:
    """What laws share that name other laws of the same model file."""

    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The laws it is made of."""

    @abstractmethod
    def joined(self, parts: Sequence[Pieces]) -> Pieces:
        """The law, from the pieces of those it is made of."""

    def pieces(self, rate: float | None = None) -> Pieces:
        """Refused: only an arm knows the laws that are named."""
        listed = ", ".join(f'"{name}"' for name in self.names())
        raise FlexarmError(f"the law is made of {listed}, must be asked for by Arm.motion_of")


class Shaped(_MadeOfOthers, MotionLaw):
    """Copies of another law, each later by an impulse's time and as large as its share of all sizes."""

    kind: Literal["shaped"] = "shaped"
    of: Annotated[str, Name()] = Field(description="name of the motion law that is shaped")
    impulses: Annotated[tuple[tuple[float, float], ...], Impulses()] = Field(
        description="pairs of time and size; sizes sum to one, so that the travel stays"
    )

    def mistakes(self) -> Iterable[Mistake]:
        """Sizes that would change the travel."""
        total = sum(size for _, size in self.impulses)
        if not abs(total - 1) <= _ROUNDED:
            yield (), f"sizes of impulses sum to {number(total)}, must sum to 1"

    def names(self) -> tuple[str, ...]:
        """The law that is shaped."""
        return (self.of,)

    def joined(self, parts: Sequence[Pieces]) -> Pieces:
        """The sum of the shifted copies."""
        total = sum(size for _, size in self.impulses)
        (law,) = parts
        copies = [law.scaled(size / total).shifted(time) for time, size in self.impulses]
        return _summed(copies)


class SumOfMotions(_MadeOfOthers, MotionLaw):
    """Several laws at once; a joint's rate goes to those that take one."""

    kind: Literal["sum"] = "sum"
    of: Annotated[tuple[str, ...], Names()] = Field(description="names of the motion laws that are added")

    def mistakes(self) -> Iterable[Mistake]:
        """None: what does not fit is seen by the arm."""
        return ()

    def names(self) -> tuple[str, ...]:
        """The laws that are added."""
        return self.of

    def joined(self, parts: Sequence[Pieces]) -> Pieces:
        """Their sum."""
        return _summed(parts)


def _summed(parts: Sequence[Pieces]) -> Pieces:
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.plus(part)
    return whole


AnyMotion = Annotated[
    Annotated[Brake, Tag(TAG + "brake")]
    | Annotated[ConstantRate, Tag(TAG + "constant-rate")]
    | Annotated[Cycloidal, Tag(TAG + "cycloidal")]
    | Annotated[Accelerate, Tag(TAG + "accelerate")]
    | Annotated[TrapezoidalAcceleration, Tag(TAG + "trapezoidal-acceleration")]
    | Annotated[SCurve, Tag(TAG + "s-curve")]
    | Annotated[BangBangMotion, Tag(TAG + "bang-bang")]
    | Annotated[SpinUp, Tag(TAG + "spin-up")]
    | Annotated[PolynomialMotion, Tag(TAG + "polynomial")]
    | Annotated[AccelerationKnots, Tag(TAG + "acceleration")]
    | Annotated[MotionTable, Tag(TAG + "table")]
    | Annotated[Hold, Tag(TAG + "hold")]
    | Annotated[PathMotion, Tag(TAG + "path")]
    | Annotated[Shaped, Tag(TAG + "shaped")]
    | Annotated[SumOfMotions, Tag(TAG + "sum")],
    Discriminator(tagged_by("kind")),
]

Motions = Mapping[str, AnyMotion]


def motion_pieces(motions: Motions, name: str, rate: float | None = None) -> Pieces:
    """The law of that name in numeric form, with the joint's rate if it takes one."""
    law = motions[name]
    if not isinstance(law, _MadeOfOthers):
        return law.pieces(rate)
    if rate is not None and not takes_rate(motions, name):
        raise FlexarmError(f"the {law.kind} law takes no rate")
    return law.joined(
        [motion_pieces(motions, part, rate if takes_rate(motions, part) else None) for part in law.names()]
    )


def parts_of(motions: Motions, name: str) -> list[Any]:
    """The laws that are not made of others which the law of that name leads to, itself if it is none."""
    law = motions[name]
    if not isinstance(law, _MadeOfOthers):
        return [law]
    return [part for named in law.names() for part in parts_of(motions, named)]


def takes_rate(motions: Motions, name: str) -> bool:
    """True if the joint's rate has a meaning for the law of that name."""
    return any(part.takes_rate for part in parts_of(motions, name))


def lacks_rate(motions: Motions, name: str) -> bool:
    """True if the law of that name needs a rate from the joint."""
    return any(part.takes_rate and getattr(part, "rate", None) is None for part in parts_of(motions, name))


def units_of(motions: Motions, name: str) -> set[str]:
    """The units the law of that name and its parts are in, as far as they are known."""
    return {unit for part in [motions[name], *parts_of(motions, name)] if (unit := part.unit) is not None}
