"""The numeric form of laws: evaluation, scaling, shifting, adding."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexarm.errors import FlexarmError
from flexarm.model import Pieces
from flexarm.model.laws.spline import cubic_spline

T = np.linspace(-1, 6, 281)


@st.composite
def laws(draw: st.DrawFn, w: float = 3.0) -> Pieces:
    """Pieces with rising starts, cubics, and sines of one frequency."""
    number = st.floats(-3, 3)
    starts = sorted(draw(st.sets(st.integers(0, 40), min_size=1, max_size=4)))
    rows = []
    for j, start in enumerate([starts[0], *starts]):
        poly = draw(st.lists(number, min_size=1, max_size=4))
        sine = (draw(number), w, draw(number)) if draw(st.booleans()) else (0.0, 0.0, 0.0)
        rows.append((0.125 * (start - (1 if j == 0 else 0)), tuple(poly), sine))
    return Pieces.joined(rows)


def same(found: tuple[np.ndarray, ...], expected: tuple[np.ndarray, ...]) -> None:
    for a, b in zip(found, expected, strict=True):
        # Cubics of size 3 over 7 s reach 1e3; moving their origin costs a few roundings of that.
        assert a == pytest.approx(b, abs=1e-9)


@given(laws(), st.floats(-5, 5))
def test_scaled_multiplies_value_and_derivatives(law: Pieces, factor: float) -> None:
    same(law.scaled(factor).evaluate(T), tuple(factor * part for part in law.evaluate(T)))


@given(laws(), st.integers(-16, 16))
def test_shifted_is_the_same_law_later(law: Pieces, eighths: int) -> None:
    dt = eighths / 8
    same(law.shifted(dt).evaluate(T + dt), law.evaluate(T))
    assert law.shifted(dt).switch_times == pytest.approx(law.switch_times + dt, abs=0)


@given(laws(), st.floats(-5, 5))
def test_raised_adds_a_constant_to_the_value_alone(law: Pieces, by: float) -> None:
    value, first, second = law.evaluate(T)
    same(law.raised(by).evaluate(T), (value + by, first, second))


@given(laws(), laws(), st.sampled_from(["left", "right"]))
def test_plus_adds_value_and_derivatives_on_both_sides_of_every_break(a: Pieces, b: Pieces, side: str) -> None:
    expected = tuple(x + y for x, y in zip(a.evaluate(T, side), b.evaluate(T, side), strict=True))
    same(a.plus(b).evaluate(T, side), expected)
    same(b.plus(a).evaluate(T, side), expected)
    assert set(a.plus(b).switch_times) == set(a.switch_times) | set(b.switch_times)


@given(laws(), laws())
def test_a_shaped_command_is_a_sum_of_scaled_and_shifted_copies(a: Pieces, b: Pieces) -> None:
    shaped = a.scaled(0.5).plus(a.scaled(0.5).shifted(0.3))
    expected = tuple(0.5 * (x + y) for x, y in zip(a.evaluate(T), a.evaluate(T - 0.3), strict=True))
    # 0.3 s is no whole number of eighths, so times next to a break may round to the other side of it.
    clear = np.min(np.abs(T[:, None] - shaped.break_times), axis=1, initial=9) > 1e-9
    same(tuple(part[clear] for part in shaped.evaluate(T)), tuple(part[clear] for part in expected))


def test_breaks_that_differ_by_rounding_are_one() -> None:
    law = Pieces.joined([(0.0, (0.0,)), (0.3, (1.0,))])
    other = Pieces.joined([(0.0, (0.0,)), (0.1 + 0.2, (1.0,))])
    assert 0.1 + 0.2 != 0.3
    assert len(law.plus(other).break_times) == 1


def test_sines_of_two_frequencies_do_not_add() -> None:
    one, two = (Pieces.joined([(0.0, (0.0,), (1.0, w, 0.0))]) for w in (1.0, 2.0))
    with pytest.raises(FlexarmError, match="sines of 1 and 2 rad/s cannot be added"):
        one.plus(two)


def test_sines_of_two_frequencies_may_follow_one_another() -> None:
    one = Pieces.joined([(0.0, (0.0,)), (0.0, (0.0,), (1.0, 1.0, 0.0)), (1.0, (0.0,))])
    two = Pieces.joined([(1.0, (0.0,)), (1.0, (0.0,), (1.0, 2.0, 0.0))])
    assert one.plus(two).evaluate([0.5, 1.5])[0] == pytest.approx(np.sin([0.5, 1.0]), abs=1e-15)


def test_the_first_piece_holds_before_its_start() -> None:
    law = Pieces.joined([(1.0, (0.0, 2.0)), (2.0, (2.0,))])
    assert law.evaluate(-3.0)[0] == -8.0
    assert law.evaluate([2.0], "left")[1] == 2.0 and law.evaluate([2.0], "right")[1] == 0.0


def test_switches_are_where_the_second_derivative_of_a_motion_or_the_value_of_a_torque_jumps() -> None:
    rows = [(0.0, (0.0,)), (1.0, (0.0, 0.0, 1.0)), (2.0, (1.0, 2.0, 1.0)), (3.0, (4.0, 4.0, 1.0, 5.0))]
    assert list(Pieces.joined(rows).switch_times) == [1.0]
    assert list(Pieces.joined(rows, order=0).switch_times) == []
    assert list(Pieces.joined([*rows, (4.0, (0.0,))], order=0).switch_times) == [4.0]


def test_arrays_are_copied_and_frozen() -> None:
    start = np.zeros(1)
    law = Pieces(start, np.zeros((1, 2)), np.zeros((1, 3)), np.zeros(1, dtype=bool))
    start[0] = 5
    assert law.start[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        law.poly[0, 0] = 1


def test_shapes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(FlexarmError, match="pieces need start"):
        Pieces(np.array([0.0, 2.0, 1.0]), np.zeros((3, 1)), np.zeros((3, 3)), np.zeros(3, dtype=bool))
    with pytest.raises(FlexarmError, match='side is "up"'):
        Pieces.constant(1).evaluate(0, "up")


@pytest.mark.parametrize("natural", [True, False])
@given(data=st.data())
def test_splines_equal_scipy_s(natural: bool, data: st.DataObject) -> None:
    from scipy.interpolate import CubicSpline

    steps = data.draw(st.lists(st.floats(0.1, 2), min_size=1, max_size=8))
    x = np.concatenate([[0], np.cumsum(steps)])
    y = np.array(data.draw(st.lists(st.floats(-5, 5), min_size=len(x), max_size=len(x))))
    expected = CubicSpline(x, y, bc_type="natural" if natural else "clamped").c[::-1].T
    # Slopes reach 100 and their differences 1e4 per step squared; both solvers round there.
    assert cubic_spline(x, y, natural=natural) == pytest.approx(expected, abs=1e-9)
