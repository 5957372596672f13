"""Numbers with units against pint, and text that is no such thing."""

from __future__ import annotations

import math

import pint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexarm.model.reading.units import UNITS, Dimension, UnitError, read_measure, read_unit

REGISTRY = pint.UnitRegistry()
# pint calls these otherwise, or not at all.
PINT_NAMES = {"Nm": "N*m", "kNm": "kN*m", "°": "degree", "%": "percent", "g0": "standard_gravity", "rev": "turn"}


@pytest.mark.parametrize("word", UNITS)
def test_every_unit_of_the_table_agrees_with_pint(word: str) -> None:
    value, dimension = read_measure(f"1 {word}")
    known = REGISTRY.parse_units(PINT_NAMES.get(word, word))
    base = (1 * known).to_base_units()
    # One rounding each in our product and in pint's.
    assert value == pytest.approx(base.magnitude, rel=4e-16)
    names = ("[length]", "[mass]", "[time]")
    assert dimension[:3] == tuple(base.dimensionality.get(name, 0) for name in names)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("0.85 mm", 0.00085, "m"),
        ("200mm", 0.2, "m"),
        ("90 deg", math.pi / 2, "rad"),
        ("202 GPa", 202e9, "Pa"),
        ("1 N m s/rad", 1.0, "kg m²/s"),
        ("63 us", 63e-6, "s"),
        ("6.1e-4 kg m^2", 6.1e-4, "kg m²"),
        ("1586.5 N m²", 1586.5, "kg m³/s²"),
        ("1e4 mm**4", 1e-8, "m⁴"),
        ("7.85 kg/dm3", 7850.0, "kg/m³"),
        ("3 kg·m⁻¹", 3.0, "kg/m"),
        ("2 N/(m s)", 2.0, "kg/s³"),
        ("5 1/s", 5.0, "1/s"),
        ("5/s", 5.0, "1/s"),
        ("60 km/h", 60 / 3.6, "m/s"),
        ("\N{MINUS SIGN}3 m", -3.0, "m"),
        ("+.5 m", 0.5, "m"),
        ("0.3", 0.3, ""),
        ("2 %", 0.02, ""),
        ("3 μm", 3e-6, "m"),
    ],
)
def test_measures_are_read_to_the_nearest_float(text: str, value: float, unit: str) -> None:
    found, dimension = read_measure(text)
    assert found == value
    assert dimension.fits(read_unit(unit).dimension)


def test_a_slash_divides_by_the_next_factor_only() -> None:
    assert read_unit("kg/m s").dimension == Dimension(-1, 1, 1)


def test_an_unknown_word_is_looked_up_in_pint() -> None:
    assert read_measure("2 furlong") == (pytest.approx(402.336, rel=1e-5), Dimension(length=1))


@pytest.mark.parametrize(
    "text",
    ["", "m", "mm 3", "1,5 mm", "1 mmm", "1 m^", "1 m^0", "1 m^99", "1 m^2^2", "1 m /", "1 (m", "1 m)", "1 m//s",
     "1 * m", "1.2.3 m", "0x10 m", "1 m" + " m" * 60, "nan m", "inf m", "1 degC", "1 cd", "1 m²³⁴⁵", "1 m⁻", "٣ m"],
)  # fmt: skip
def test_what_is_no_measure_is_refused(text: str) -> None:
    with pytest.raises(UnitError):
        read_measure(text)


@given(st.text(max_size=30) | st.text(alphabet="0123456789.eE+-*/^() mkgsNradPµ²⁻", max_size=20))
def test_any_text_gives_a_number_or_a_unit_error(text: str) -> None:
    try:
        value, _ = read_measure(text)
    except UnitError:
        return
    assert isinstance(value, float)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_si_texts_come_back_to_the_bit(value: float) -> None:
    assert read_measure(f"{value!r} N m²/rad")[0] == value
