"""Motion laws: derivatives, continuity, switches, end positions, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexarm.errors import FlexarmError, ModelError
from flexarm.model import Joint, Link, MotionLaw, Pieces, arm_from_dict

LAWS: dict[str, dict[str, Any]] = {
    "brake": {"rate": 0.8, "travel_time": 1.25, "braking_time": 0.509},
    "constant-rate": {"rate": "3 rpm"},
    "cycloidal": {"travel": "60 deg", "duration": "2.5 s", "begin": "0.25 s"},
    "accelerate": {"travel": 1, "acceleration_time": 0.5, "constant_time": 1, "deceleration_time": 0.3},
    "trapezoidal-acceleration": {"travel": 1, "duration": 2, "ramp": 0.1},
    "bang-bang": {"acceleration": 40.4211, "duration": 0.2, "begin": 0.1},
    "spin-up": {"rate": 4, "duration": 3, "begin": 0.5},
    "polynomial": {"coefficients": [1, -2, 3, 0.5], "amplitude": 0.2, "frequency": "10 rad/s", "begin": 0.5, "end": 2},
    "table": {"times": [0, 0.5, 1.5, 2], "values": ["0 deg", "10 deg", "-30 deg", "20 deg"]},
    "hold": {},
    "s-curve": {"travel": 2, "duration": 3, "acceleration_time": 1, "jerk_time": 0.3, "begin": 0.25},
    "acceleration": {"times": [0.5, 1, 2, 2.5, 3], "values": [0, 2, -1, 0.5, 0]},
}
# Laws made of others are asked for by an arm: they have tests of their own.
MADE_OF_OTHERS = {"shaped", "sum", "path"}
VARIANTS: dict[str, MotionLaw] = {kind: MotionLaw(kind=kind, **fields) for kind, fields in LAWS.items()}
VARIANTS["natural table"] = VARIANTS["table"].changed(ends="natural")
VARIANTS["there and back"] = VARIANTS["accelerate"].changed(dwell=0.4, back=True, constant_time=0)
VARIANTS["back at once"] = VARIANTS["accelerate"].changed(back=True)
VARIANTS["triangles"] = VARIANTS["trapezoidal-acceleration"].changed(ramp=0.25)
VARIANTS["endless polynomial"] = MotionLaw(kind="polynomial", coefficients=[0, 0, 1])

VARIANTS["steps"] = MotionLaw(
    kind="acceleration", times=[0, 1, 2.5], values=[1, -2], interpolation="steps", rate="0.5 rad/s"
)

SWITCHES = {
    "brake": [1.25 - 0.509 / 2, 1.25 + 0.509 / 2],
    "constant-rate": [],
    "cycloidal": [],
    "accelerate": [0, 0.5, 1.5, 1.8],
    "trapezoidal-acceleration": [],
    "bang-bang": [0.1, 0.2, 0.3],
    "spin-up": [],
    "polynomial": [0.5, 2],
    "table": [0, 2],
    "hold": [],
    "natural table": [],
    "there and back": [0, 0.5, 0.8, 1.2, 1.7, 2.0],
    "back at once": [0, 0.5, 1.5, 1.8, 2.3, 3.3, 3.6],
    "triangles": [],
    "endless polynomial": [0],
    "s-curve": [],
    "acceleration": [],
    "steps": [0, 1, 2.5],
}


def test_every_kind_of_motion_is_tested() -> None:
    assert set(LAWS) | MADE_OF_OTHERS == {member.model_fields["kind"].default for member in MotionLaw.__subclasses__()}


@pytest.mark.parametrize("name", VARIANTS)
def test_rates_and_accelerations_are_derivatives_between_the_breaks(name: str) -> None:
    law = VARIANTS[name].pieces()
    h = 1e-4
    t = np.linspace(-0.5, 5, 1201)
    t = t[np.min(np.abs(t[:, None] - law.break_times), axis=1, initial=9) > 2 * h]
    (before, *_), (here, rate, acceleration), (after, *_) = (law.evaluate(t + dt) for dt in (-h, 0, h))
    scale = 1 + np.max(np.abs(acceleration))
    # Central differences: higher derivatives (at most 1e3 × the scale) times h²/12, and rounding eps/h².
    assert rate == pytest.approx((after - before) / (2 * h), abs=1e-5 * scale)
    assert acceleration == pytest.approx((after - 2 * here + before) / h**2, abs=1e-5 * scale)


@pytest.mark.parametrize("name", VARIANTS)
def test_position_and_rate_are_continuous(name: str) -> None:
    law = VARIANTS[name].pieces()
    left, right = (law.evaluate(law.break_times, side) for side in ("left", "right"))
    assert left[0] == pytest.approx(right[0], abs=1e-13)
    assert left[1] == pytest.approx(right[1], abs=1e-12)


@pytest.mark.parametrize("name", VARIANTS)
def test_switches_are_where_the_acceleration_jumps_and_nowhere_else(name: str) -> None:
    law = VARIANTS[name].pieces()
    assert law.switch_times == pytest.approx(SWITCHES[name], abs=1e-15)


@pytest.mark.parametrize("name", VARIANTS)
def test_laws_are_closed_under_scaling_shifting_and_adding(name: str) -> None:
    law = VARIANTS[name].pieces()
    both = law.scaled(2.0).plus(law.shifted(0.25)).raised(1.0)
    t = np.linspace(-1, 6, 300)
    for k, (total, first, second) in enumerate(
        zip(both.evaluate(t), law.evaluate(t), law.evaluate(t - 0.25), strict=True)
    ):
        assert total == pytest.approx(2 * first + second + (k == 0), abs=1e-9)


@given(st.floats(0.01, 2.5), st.floats(-5, 5))
def test_a_brake_ends_at_the_same_place_to_the_bit_whatever_its_braking_time(braking_time: float, rate: float) -> None:
    law = MotionLaw(kind="brake", travel_time=1.25, braking_time=braking_time).pieces(rate)
    value, first, second = law.evaluate(10.0)
    assert (value, first, second) == (rate * 1.25, 0.0, 0.0)
    start, end = 1.25 - braking_time / 2, 1.25 + braking_time / 2
    assert law.evaluate(start - 1e-9)[1] == rate
    assert law.evaluate(end, "left")[0] == pytest.approx(rate * 1.25, abs=1e-14)


def test_the_joint_s_rate_comes_before_the_law_s() -> None:
    law = MotionLaw(kind="brake", rate=1, travel_time=1, braking_time=1)
    assert law.pieces().evaluate(5)[0] == 1
    assert law.pieces(3).evaluate(5)[0] == 3
    with pytest.raises(FlexarmError, match="the brake law needs a rate"):
        MotionLaw(kind="brake", travel_time=1, braking_time=1).pieces()
    with pytest.raises(FlexarmError, match="the hold law takes no rate"):
        MotionLaw(kind="hold").pieces(1)


def test_a_cycloid_is_its_formula() -> None:
    t = np.linspace(0, 2.5, 50)
    s = t / 2.5
    value, first, second = MotionLaw(kind="cycloidal", travel=2, duration=2.5).pieces().evaluate(t)
    assert value == pytest.approx(2 * (s - np.sin(2 * np.pi * s) / (2 * np.pi)), abs=1e-15)
    assert first == pytest.approx(2 / 2.5 * (1 - np.cos(2 * np.pi * s)), abs=1e-14)
    assert second == pytest.approx(2 / 2.5**2 * 2 * np.pi * np.sin(2 * np.pi * s), abs=1e-14)


def test_a_spin_up_is_its_formula() -> None:
    w, T = 6.0, 15.0
    t = np.linspace(0, T, 50)
    law = MotionLaw(kind="spin-up", rate=w, duration=T).pieces()
    expected = w / T * (t**2 / 2 + (T / (2 * np.pi)) ** 2 * (np.cos(2 * np.pi * t / T) - 1))
    assert law.evaluate(t)[0] == pytest.approx(expected, abs=1e-13)
    assert law.evaluate(20.0)[0] == pytest.approx(w * (20 - T / 2), rel=1e-15)
    assert law.evaluate(-1.0) == (0, 0, 0)


def test_rest_to_rest_with_full_acceleration_reaches_the_printed_angle() -> None:
    law = MotionLaw(kind="bang-bang", acceleration="40.4211 rad/s^2", duration="0.2 s").pieces()
    assert law.evaluate(1.0)[0] == pytest.approx(0.404211, abs=1e-12)


@pytest.mark.parametrize("ramp", [0.01, 0.125, 0.2, 0.25])
def test_a_trapezoid_reaches_its_travel_with_the_acceleration_of_its_formula(ramp: float) -> None:
    law = MotionLaw(kind="trapezoidal-acceleration", travel=3, duration=2, ramp=ramp).pieces()
    t = np.linspace(0, 2, 4001)
    assert law.evaluate(2.0, "left")[0] == pytest.approx(3, abs=1e-13)
    assert np.max(law.evaluate(t)[2]) == pytest.approx(2 * 3 / (4 * (0.5 - ramp)), rel=1e-12)


def test_acceleration_rate_and_deceleration_cover_the_travel() -> None:
    law = MotionLaw(kind="accelerate", travel="60 deg", acceleration_time=0.5, constant_time=1, deceleration_time=0.5)
    assert law.pieces().evaluate(2.0, "left")[0] == pytest.approx(math.pi / 3, abs=1e-14)
    assert law.pieces().evaluate(1.0)[1] == pytest.approx(math.pi / 3 / 1.5, abs=1e-14)
    back = law.changed(back=True, dwell=1).pieces()
    assert back.evaluate([2.5, 3.0, 9.0])[0] == pytest.approx([math.pi / 3, math.pi / 3, 0], abs=1e-14)


def test_a_polynomial_keeps_its_rate_outside_and_rests_where_its_rate_is_zero() -> None:
    line = MotionLaw(kind="polynomial", coefficients=[0, 2, 1], end=1).pieces()
    assert line.evaluate([-1.0, 2.0])[0] == pytest.approx([-2.0, 7.0])
    quintic = MotionLaw(kind="polynomial", coefficients=[0, 0, 0, 10, -15, 6], end=1).pieces()
    assert tuple(quintic.evaluate(1e9)) == (1.0, 0.0, 0.0)


def test_the_printed_spin_of_the_hermitian_example() -> None:
    fields = {"coefficients": [0, 0, 25], "amplitude": 5e-4, "frequency": "10 rad/s"}
    t = np.linspace(0, 1, 11)
    rate = MotionLaw(kind="polynomial", **fields).pieces().evaluate(t)[1]
    assert rate == pytest.approx(50 * (t + 1e-4 * np.cos(10 * t)), abs=1e-13)


def test_a_table_passes_through_its_points_and_rests_outside() -> None:
    law = VARIANTS["table"].pieces()
    values = np.radians([0, 10, -30, 20])
    assert law.evaluate([0, 0.5, 1.5, 2])[0] == pytest.approx(values, abs=1e-15)
    assert tuple(law.evaluate(-5.0)) == (0, 0, 0) and law.evaluate(5.0)[1] == 0


@pytest.mark.parametrize(
    "text",
    [
        "0,0\n500,10\n1500,30\n",
        "time;angle\n0; 0\n500; 10\n1500; 30\n",
        "# ms deg\nt\ta\n0\t0\n500\t10\n1500\t30",
        "0 0\n500 10\n\n1500   30\n",
    ],
)
def test_a_csv_file_is_read_in_its_units_and_becomes_part_of_the_model(tmp_path: Path, text: str) -> None:
    (tmp_path / "path.csv").write_text(text)
    data = {
        "link": [Link(name="a", joint=Joint(type="revolute", motion="t"), rigid={"mass": 1, "inertia": [1, 1, 1]})],
        "motion": {"t": {"kind": "table", "file": "path.csv", "units": ["ms", "deg"]}},
    }
    law: Any = arm_from_dict(data, folder=tmp_path).motions["t"]
    assert law.times == pytest.approx((0, 0.5, 1.5)) and law.values == pytest.approx(np.radians([0, 10, 30]))
    assert (law.unit, law.file, law.units) == ("rad", None, None)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, 'file is "path.csv", which cannot be read (No such file or directory)'),
        (b"\xff\xfe\x00", "which is not a text file"),
        (b"t,v\n0,1\n1,x\n", "whose line 3 is not two numbers"),
        (b"0,1,2\n1,2,3\n", "whose line 2 is not two numbers"),
        (b"0,1\n1,nan\n", "whose line 2 has a number out of range"),
        (b"0,1\n", "times has 1 entries, must have 2 or more"),
        (b"", "times has 0 entries, must have 2 or more"),
        (b"0,1\n0,2\n", "times[1] is 0 s, must be > the time before it, 0 s"),
    ],
)
def test_a_bad_csv_file_is_refused_in_a_sentence(tmp_path: Path, content: bytes | None, sentence: str) -> None:
    if content is not None:
        (tmp_path / "path.csv").write_bytes(content)
    with pytest.raises(ModelError) as error:
        arm_from_dict({"link": [], "motion": {"t": {"kind": "table", "file": "path.csv"}}}, folder=tmp_path)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"kind": "brake", "travel_time": 1, "braking_time": 3},
            "braking_time is 3 s, must be ≤ twice travel_time, 2 s",
        ),
        ({"kind": "brake", "travel_time": 1, "braking_time": 0}, "braking_time is 0 s, must be > 0"),
        ({"kind": "cycloidal", "travel": "1 s", "duration": 1}, 'travel is "1 s", must be an angle or a length'),
        (
            {"kind": "spin-up", "rate": "1 m/s", "unit": "rad", "duration": 1},
            'rate is "1 m/s", must be an angular rate',
        ),
        ({"kind": "table", "times": [0, 1], "values": ["0 deg", "1 m"]}, 'values[1] is "1 m", must be an angle'),
        ({"kind": "table", "times": [0, 1]}, "values is missing, must be given unless there is file"),
        ({"kind": "table", "times": [0, 1], "values": [0]}, "values has 1 entries, must have 2 or more"),
        (
            {"kind": "table", "times": [0, 1], "values": [0, 1, 2]},
            "values has 3 entries, must have as many as times, 2",
        ),
        ({"kind": "table", "times": [1, 0], "values": [0, 1]}, "times[1] is 0 s, must be > the time before it, 1 s"),
        ({"kind": "table", "times": [0, 1], "values": [0, 1], "units": ["s", "m"]}, "units is given without file"),
        ({"kind": "table", "file": "x.csv", "units": ["m", "m"]}, 'units[0] is "m", must be a unit of time'),
        ({"kind": "polynomial", "coefficients": []}, "coefficients has 0 entries, must have 1 or more"),
        (
            {"kind": "polynomial", "coefficients": ["1 rad", "1 rad"]},
            'coefficients[1] is "1 rad", must be an angular rate',
        ),
        (
            {"kind": "polynomial", "coefficients": [1], "amplitude": 1},
            "frequency is missing, must be given with amplitude",
        ),
        ({"kind": "polynomial", "coefficients": [1], "end": -1}, "end is -1 s, must be > begin, 0 s"),
        ({"kind": "trapezoidal-acceleration", "travel": 1, "duration": 1, "ramp": 0.3}, "ramp is 0.3, must be ≤ 0.25"),
        (
            {"kind": "s-curve", "travel": 1, "duration": 1, "acceleration_time": 0.6, "jerk_time": 0.1},
            "acceleration_time is 0.6 s, must be ≤ half of duration, 0.5 s",
        ),
        (
            {"kind": "s-curve", "travel": 1, "duration": 1, "acceleration_time": 0.4, "jerk_time": 0.3},
            "jerk_time is 0.3 s, must be ≤ half of acceleration_time, 0.2 s",
        ),
        (
            {"kind": "acceleration", "times": [0, 1], "values": [0]},
            "values has 1 entries, must have as many as times, 2",
        ),
        (
            {"kind": "acceleration", "times": [0, 1], "values": [0, 1], "interpolation": "steps"},
            "values has 2 entries, must have one fewer than times, 1",
        ),
        (
            {"kind": "acceleration", "times": [0, 2, 1], "values": [0, 1, 0]},
            "times[2] is 1 s, must be > the time before it, 2 s",
        ),
        ({"kind": "wobble"}, 'kind is "wobble", must be "brake"'),
        (
            {"kind": "polynomial", "coefficients": [0] * 8 + [1], "end": 1e45},
            "has values too far apart to be computed with",
        ),
    ],
)
def test_impossible_motions_are_refused(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ModelError) as error:
        MotionLaw(**fields)
    assert sentence in str(error.value)


def test_a_motion_that_jumps_is_refused() -> None:
    class Leap(type(VARIANTS["hold"])):  # type: ignore[misc]
        def pieces(self, rate: float | None = None) -> Pieces:
            return Pieces.joined([(0.0, (0.0,)), (1.0, (1.0,))])

    with pytest.raises(ModelError, match="position jumps at 1 s, must be continuous"):
        Leap()
