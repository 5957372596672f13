"""Numbers with units: text such as "0.85 mm" or "1 N m s/rad" becomes a value in SI units and its dimension.

A small table covers what drawings and data sheets use. A word the table does not know is looked up in pint, which is
imported only then because it costs half a second.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple


class Dimension(NamedTuple):
    """Exponents of length, mass, time and current; angle and cycle are kept aside to distinguish Hz from rad/s."""

    length: int = 0
    mass: int = 0
    time: int = 0
    angle: int = 0
    cycle: int = 0
    current: int = 0

    def power(self, exponent: int) -> Dimension:
        """The dimension of a unit raised to `exponent`."""
        return Dimension(*(part * exponent for part in self))

    def times(self, other: Dimension) -> Dimension:
        """The dimension of a product of two units."""
        return Dimension(*(a + b for a, b in zip(self, other, strict=True)))

    def fits(self, other: Dimension) -> bool:
        """True if length, mass, time and current agree; rad and cycle count as plain numbers."""
        return self[:3] == other[:3] and self.current == other.current


@dataclass(frozen=True)
class Unit:
    """A unit as `ratio` · π^`pi` in SI units: kept exact, so that "200 mm" is the same number as 0.2."""

    ratio: Fraction
    dimension: Dimension
    pi: int = 0

    def power(self, exponent: int) -> Unit:
        """This unit raised to a whole exponent."""
        return Unit(self.ratio**exponent, self.dimension.power(exponent), self.pi * exponent)

    def times(self, other: Unit) -> Unit:
        """The product of two units."""
        return Unit(self.ratio * other.ratio, self.dimension.times(other.dimension), self.pi + other.pi)


class UnitError(ValueError):
    """Text that is not a number with a unit; the message gives the reason."""


ONE = Unit(Fraction(1), Dimension())


def _table() -> dict[str, Unit]:
    length, mass, time = Dimension(length=1), Dimension(mass=1), Dimension(time=1)
    angle, cycle = Dimension(angle=1), Dimension(cycle=1)
    force = Dimension(1, 1, -2)
    pressure = Dimension(-1, 1, -2)
    energy = Dimension(2, 1, -2)
    power = Dimension(2, 1, -3)
    current = Dimension(current=1)
    tension = Dimension(2, 1, -3, current=-1)
    pound = Fraction("0.45359237")
    gravity = Fraction("9.80665")
    inch = Fraction("0.0254")
    entries: list[tuple[str, str, Dimension]] = [
        ("m", "1", length), ("km", "1000", length), ("dm", "0.1", length), ("cm", "0.01", length),
        ("mm", "0.001", length), ("um", "1e-6", length), ("µm", "1e-6", length), ("nm", "1e-9", length),
        ("in", "0.0254", length), ("inch", "0.0254", length), ("ft", "0.3048", length),
        ("kg", "1", mass), ("g", "0.001", mass), ("mg", "1e-6", mass), ("t", "1000", mass),
        ("s", "1", time), ("ms", "0.001", time), ("us", "1e-6", time), ("µs", "1e-6", time), ("ns", "1e-9", time),
        ("min", "60", time), ("h", "3600", time),
        ("rad", "1", angle), ("mrad", "0.001", angle), ("urad", "1e-6", angle), ("µrad", "1e-6", angle),
        ("Hz", "1", cycle.times(time.power(-1))), ("kHz", "1000", cycle.times(time.power(-1))),
        ("N", "1", force), ("kN", "1000", force), ("MN", "1e6", force), ("mN", "0.001", force),
        ("Pa", "1", pressure), ("kPa", "1e3", pressure), ("MPa", "1e6", pressure), ("GPa", "1e9", pressure),
        ("bar", "1e5", pressure),
        ("J", "1", energy), ("kJ", "1000", energy), ("Nm", "1", energy), ("kNm", "1000", energy),
        ("A", "1", current), ("mA", "0.001", current), ("V", "1", tension), ("mV", "0.001", tension),
        ("W", "1", power), ("kW", "1000", power),
        ("g0", "9.80665", Dimension(1, 0, -2)), ("%", "0.01", Dimension()),
    ]  # fmt: skip
    table = {name: Unit(Fraction(ratio), dimension) for name, ratio, dimension in entries}
    table["lb"] = Unit(pound, mass)
    table["lbf"] = Unit(pound * gravity, force)
    table["psi"] = Unit(pound * gravity / inch**2, pressure)
    table["deg"] = table["°"] = Unit(Fraction(1, 180), angle, pi=1)
    table["rev"] = Unit(Fraction(2), angle, pi=1)
    table["rpm"] = Unit(Fraction(2, 60), angle.times(time.power(-1)), pi=1)
    return table


UNITS = _table()

_NUMBER = re.compile(r"\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(?![0-9.])\s*(.*?)\s*", re.DOTALL)
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_TOKEN = re.compile(
    r"\s*(?:(?P<word>[^\W\d_⁰¹²³⁴⁵⁶⁷⁸⁹]+[0-9]*|°|%)(?:\s*(?:\^|\*\*)\s*(?P<power>[+-]?[0-9]+)|(?P<super>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+))?"
    r"|(?P<one>1)|(?P<sign>[*·⋅/()]))"
)
LONGEST_UNIT = 80
LARGEST_POWER = 9


def read_measure(text: str) -> tuple[float, Dimension]:
    """The value in SI units and the dimension of text such as "45 deg/s"; UnitError describes what is wrong with it."""
    match = _NUMBER.fullmatch(text.replace("\N{MINUS SIGN}", "-"))
    if match is None:
        raise UnitError("is not a number with a unit")
    unit = read_unit(match[2])
    return _scaled(match[1], unit), unit.dimension


def _scaled(number: str, unit: Unit) -> float:
    value = float(number)
    if unit.ratio == 1:
        exact = value
    elif len(number) < 40 and (value == 0 or 1e-60 < abs(value) < 1e60):
        # One rounding only: "0.85 mm" is the float nearest to 0.00085.
        exact = float(Fraction(number) * unit.ratio)
    else:
        exact = value * float(unit.ratio)
    return exact * math.pi**unit.pi


@lru_cache(maxsize=512)
def read_unit(text: str) -> Unit:
    """The unit named by a product, quotient and power expression; a slash divides by the next factor only."""
    if len(text) > LONGEST_UNIT:
        raise UnitError("has a unit that is too long to be one")
    unit, rest = _product(text, 0)
    if rest != len(text):
        raise UnitError(f'has a unit that cannot be read at "{text[rest : rest + 12]}"')
    return unit


def _product(text: str, at: int) -> tuple[Unit, int]:
    product, sign, expecting = ONE, 1, False
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            if not text[at:].strip():
                at = len(text)
            break
        token = match["sign"]
        if token == ")":
            break
        if token in ("*", "·", "⋅", "/"):
            if expecting or (token != "/" and at == 0):
                break
            sign, expecting, at = (-1 if token == "/" else 1), True, match.end()
            continue
        if token == "(":
            factor, at = _product(text, match.end())
            if at >= len(text) or text[at] != ")":
                raise UnitError("has a unit with an open bracket")
            at += 1
        else:
            factor, at = (ONE if match["one"] else _factor(match)), match.end()
        product, sign, expecting = product.times(factor.power(sign)), 1, False
    if expecting:
        raise UnitError("has a unit that breaks off")
    while at < len(text) and text[at].isspace():
        at += 1
    return product, at


def _factor(match: re.Match[str]) -> Unit:
    word = match["word"].replace("\N{GREEK SMALL LETTER MU}", "\N{MICRO SIGN}")
    power = int(match["power"] or (match["super"] or "1").translate(_SUPERSCRIPT)) if _readable(match) else 0
    if word not in UNITS:
        bare = word.rstrip("0123456789")
        if bare != word:
            # "kg/m3" is how many data sheets write a power.
            word, power = bare, power * int(word[len(bare) :][:3])
    if not 0 < abs(power) <= LARGEST_POWER:
        raise UnitError(f'has a unit with a power that makes no sense ("{match[0].strip()}")')
    unit = UNITS.get(word)
    return (_unit_from_pint(word) if unit is None else unit).power(power)


def _readable(match: re.Match[str]) -> bool:
    digits = match["super"]
    return digits is None or re.fullmatch(r"[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}", digits) is not None


@lru_cache(maxsize=256)
def _unit_from_pint(word: str) -> Unit:
    unknown = UnitError(f'has the unknown unit "{word}"')
    try:
        import pint

        registry = pint.get_application_registry()
        factor, base = registry.get_base_units(word)
        dimensionality = dict(base.dimensionality)
        exponents = [dimensionality.pop(name, 0) for name in ("[length]", "[mass]", "[time]", "[current]")]
    except ImportError:
        raise unknown from None
    except Exception:
        # pint raises many kinds of exception on odd text; for us they all mean the same.
        raise unknown from None
    if dimensionality or any(exponent != int(exponent) for exponent in exponents) or not math.isfinite(factor):
        raise UnitError(f'has the unit "{word}", which is not made of length, mass, time and current')
    length, mass, time, current = (int(exponent) for exponent in exponents)
    return Unit(Fraction(float(factor)), Dimension(length, mass, time, current=current))
