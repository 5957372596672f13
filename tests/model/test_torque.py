"""Torque laws: values, switches, scale and offset, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from flexarm.errors import FlexarmError, ModelError
from flexarm.model import TorqueLaw

T = np.linspace(-1, 5, 601) + 1e-4


def window(t: np.ndarray, begin: float, end: float) -> np.ndarray:
    return (t >= begin) & (t < end)


CASES: list[tuple[dict[str, Any], Any, list[float]]] = [
    ({"kind": "constant", "value": "2 N m"}, lambda t: 2 + 0 * t, []),
    (
        {"kind": "sine", "amplitude": 3, "period": 2, "phase": "90 deg", "begin": 0.5, "end": 2},
        lambda t: 3 * np.sin(np.pi * (t - 0.5) + np.pi / 2) * window(t, 0.5, 2),
        [0.5],
    ),
    ({"kind": "sine", "amplitude": 3, "frequency": "0.5 Hz"}, lambda t: 3 * np.sin(np.pi * t) * (t >= 0), []),
    ({"kind": "polynomial", "coefficients": [1, -1], "end": 2}, lambda t: (1 - t) * window(t, 0, 2), [0, 2]),
    (
        {"kind": "bang-bang", "amplitude": 4, "duration": 1, "begin": 1},
        lambda t: 4.0 * window(t, 1, 1.5) - 4.0 * window(t, 1.5, 2),
        [1, 1.5, 2],
    ),
    ({"kind": "table", "times": [0, 1, 3], "values": [1, 5, 0]}, lambda t: np.interp(t, [0, 1, 3], [1, 5, 0]), []),
    (
        {"kind": "table", "times": [0, 1, 3], "values": [1, 5, 0], "interpolation": "steps"},
        lambda t: np.where(t < 1, 1.0, np.where(t < 3, 5.0, 0.0)),
        [1, 3],
    ),
]


@pytest.mark.parametrize(("fields", "expected", "switches"), CASES)
def test_values_and_switches_are_those_of_the_formula(
    fields: dict[str, Any], expected: Any, switches: list[float]
) -> None:
    law = TorqueLaw(**fields).pieces()
    assert law.evaluate(T)[0] == pytest.approx(expected(T), abs=1e-13)
    assert law.switch_times == pytest.approx(switches, abs=1e-15)


def test_every_kind_of_torque_is_tested() -> None:
    assert {case[0]["kind"] for case in CASES} == {m.model_fields["kind"].default for m in TorqueLaw.__subclasses__()}


def test_a_splined_table_is_smooth_and_passes_through_its_points() -> None:
    law = TorqueLaw(kind="table", times=[0, 1, 2], values=[0, 5, 0], interpolation="spline").pieces()
    assert law.evaluate([0, 1, 2])[0] == pytest.approx([0, 5, 0], abs=1e-15)
    left, right = (law.evaluate([1.0], side) for side in ("left", "right"))
    assert left[1] == pytest.approx(right[1]) and left[2] == pytest.approx(right[2])


@pytest.mark.parametrize("fields", [case[0] for case in CASES])
def test_scale_and_offset_act_on_every_law(fields: dict[str, Any]) -> None:
    plain = TorqueLaw(**fields).pieces().evaluate(T)[0]
    assert TorqueLaw(**fields, scale=-2, offset=3).pieces().evaluate(T)[0] == pytest.approx(3 - 2 * plain, abs=1e-13)


@pytest.mark.parametrize(
    ("fields", "unit"),
    [
        ({"kind": "constant", "value": "2 N m"}, "N m"),
        ({"kind": "constant", "value": "2 kN"}, "N"),
        ({"kind": "constant", "value": 2}, None),
        ({"kind": "constant", "value": 2, "offset": "1 N m"}, "N m"),
        ({"kind": "constant", "value": "50 %"}, None),
        ({"kind": "polynomial", "coefficients": [0, "2 N m/s"]}, "N m"),
    ],
)
def test_the_unit_of_a_law_is_found_in_its_texts(fields: dict[str, Any], unit: str | None) -> None:
    assert TorqueLaw(**fields).unit == unit


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"kind": "sine", "amplitude": 1}, "has neither period nor frequency, must have exactly one"),
        ({"kind": "sine", "amplitude": 1, "period": 1, "frequency": 1}, "has both period and frequency"),
        ({"kind": "sine", "amplitude": 1, "period": 1, "begin": 2, "end": 1}, "end is 1 s, must be > begin, 2 s"),
        ({"kind": "sine", "amplitude": "1 N m", "period": 1, "offset": "1 N"}, 'amplitude is "1 N m", must be a force'),
        ({"kind": "constant", "value": "1 kg"}, 'value is "1 kg", must be a moment or a force or a number'),
    ],
)
def test_impossible_torques_are_refused(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ModelError) as error:
        TorqueLaw(**fields)
    assert sentence in str(error.value)


def test_a_torque_law_takes_no_rate() -> None:
    with pytest.raises(FlexarmError, match="takes no rate"):
        TorqueLaw(kind="constant", value=1).pieces(2)
