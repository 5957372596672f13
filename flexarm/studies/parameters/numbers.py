"""The numbers inside a distribution: each with the unit its place asks for, or a sentence why not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from flexarm.model.reading.messages import number, printable, shown
from flexarm.model.reading.quantity import LARGEST, is_number, turns
from flexarm.model.reading.units import Dimension, UnitError, read_measure, read_unit

_SPREADS = ("sd", "variance", "cov", "tolerance")


class Unsound(Exception):
    """A distribution that cannot be; its text is the sentence without the place."""


class Numbers:
    """Reads the numbers of one distribution's table in SI units; `unit` None leaves the unit open and checks none.

    A text must fit the unit of the place, a plain number is in SI units. `dimension` is that of the first text met.
    """

    def __init__(self, table: Mapping[str, Any], unit: str | None) -> None:
        self.table, self.unit = table, unit
        self.dimension: Dimension | None = None
        self.used: set[str] = set()

    def get(self, key: str) -> Any:
        """The raw value of a key; None if it is not there."""
        self.used.add(key)
        return self.table.get(key)

    def one(self, key: str, value: Any, *, power: int = 1) -> float:
        """One number of the place's unit to a power (0: a plain number)."""
        if isinstance(value, str):
            plain = self._from_text(key, value, power)
        elif is_number(value):
            try:
                plain = float(value)
            except OverflowError:
                plain = math.inf
        else:
            raise Unsound(f"{key} is {shown(value)}, must be {self._wanted(power)}")
        if not abs(plain) <= LARGEST:
            raise Unsound(f"{key} is {shown(value)}, must be finite and ≤ {number(LARGEST)} in size")
        return plain

    def positive(self, key: str, value: Any, *, power: int = 1) -> float:
        """One number > 0."""
        plain = self.one(key, value, power=power)
        if not plain > 0:
            raise Unsound(f"{key} is {shown(value)}, must be > 0")
        return plain

    def some(self, key: str, value: Any, words: Sequence[str], powers: Sequence[int] = ()) -> list[float]:
        """A list of as many numbers as there are words for them."""
        if not isinstance(value, list | tuple) or len(value) != len(words):
            found = shown(value) if not isinstance(value, list | tuple) else f"a list of {len(value)}"
            raise Unsound(f"{key} is {found}, must be [{', '.join(words)}]")
        powers = powers or [1] * len(words)
        return [self.one(f"{key}[{i}]", v, power=power) for i, (v, power) in enumerate(zip(value, powers, strict=True))]

    def spread(self, family: str) -> tuple[float, float]:
        """Mean and standard deviation: [mean, sd], or the mean beside one of sd, variance, cov and tolerance."""
        value = self.get(family)
        given = [key for key in _SPREADS if self.get(key) is not None]
        if isinstance(value, list | tuple):
            if given:
                raise Unsound(f"{given[0]} is given with {family} = [mean, sd], must be given with {family} = mean")
            mean, sd = self.some(family, value, ("mean", "sd"))
            if not sd > 0:
                raise Unsound(f"{family}[1] is {shown(value[1])}, must be > 0")
            return mean, sd
        mean = self.one(family, value)
        if len(given) != 1:
            found = " and ".join(given) or "none"
            raise Unsound(f"has {found} of sd, variance, cov and tolerance beside {family}, must have one")
        key = given[0]
        raw = self.get(key)
        if key == "sd":
            return mean, self.positive(key, raw)
        if key == "variance":
            return mean, math.sqrt(self.positive(key, raw, power=2))
        if key == "cov":
            if mean == 0:
                raise Unsound(f"cov is given with a mean of {shown(value)}, must be sd, variance or tolerance")
            return mean, abs(mean) * self.positive(key, raw, power=0)
        return mean, self.tolerance() / self.sigmas()

    def tolerance(self) -> float:
        """The number after ±."""
        raw = self.get("tolerance")
        if isinstance(raw, str):
            raw = raw.strip().removeprefix("+/-").removeprefix("±").strip()
        return self.positive("tolerance", raw)

    def sigmas(self) -> float:
        """How many standard deviations a tolerance is; 3 unless given."""
        raw = self.get("sigmas")
        return 3.0 if raw is None else self.positive("sigmas", raw, power=0)

    def finish(self) -> None:
        """Refuse unknown keys."""
        for key in self.table:
            if key not in self.used:
                allowed = ", ".join(sorted(self.used))
                raise Unsound(f"{key} is not a key known here, allowed are {allowed}")

    def _from_text(self, key: str, text: str, power: int) -> float:
        try:
            value, dimension = read_measure(text)
        except UnitError as reason:
            raise Unsound(
                f"{key} is {shown(text)}, which {printable(str(reason))}, must be {self._wanted(power)}"
            ) from None
        except (OverflowError, ValueError):
            raise Unsound(f"{key} is {shown(text)}, which cannot be read, must be {self._wanted(power)}") from None
        if power == 1 and self.dimension is None:
            self.dimension = dimension
        if power and self.unit is None:
            return value
        wanted = read_unit(self.unit or "").dimension.power(power)
        bare = dimension == Dimension() and bool(self.unit) and power > 0
        if bare or not dimension.fits(wanted):
            raise Unsound(f"{key} is {shown(text)}, must be {self._wanted(power)}")
        return value * turns(dimension, wanted) ** power

    def _wanted(self, power: int) -> str:
        if power == 0 or self.unit == "":
            return "a number"
        if self.unit is None:
            return "a number with a unit"
        return f"in {self.unit}" if power == 1 else f"in ({self.unit})²" if " " in self.unit else f"in {self.unit}²"
