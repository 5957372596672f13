"""Numbers of many samples do what numbers do, sample by sample, and never become one number."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from flexarm.batched import (
    Batch,
    Chunk,
    NotScalar,
    array,
    diagonal,
    each,
    filled,
    greatest,
    key,
    larger,
    real,
    smaller,
    snapped,
    whole,
    zeros,
)

_COUNT = 7
_RNG = np.random.default_rng(20)


def _many(*shape: int, low: float = 0.5, high: float = 2.0) -> Batch:
    return Batch(Chunk(_COUNT), _RNG.uniform(low, high, (*shape, _COUNT)))


def _together(*shapes: tuple[int, ...]) -> list[Batch]:
    chunk = Chunk(_COUNT)
    return [Batch(chunk, _RNG.uniform(0.5, 2.0, (*shape, _COUNT))) for shape in shapes]


def _sample(value: Any, k: int) -> Any:
    if isinstance(value, tuple):
        return tuple(_sample(part, k) for part in value)
    return value.data[..., k] if isinstance(value, Batch) else value


def _assert_by_sample(function: Callable[..., Any], *values: Any, exact: bool = True) -> None:
    found = function(*values)
    for k in range(_COUNT):
        one = function(*(np.ascontiguousarray(_sample(value, k)) for value in values))
        mine = _sample(found, k)
        for a, b in zip(one, mine, strict=True) if isinstance(one, tuple) else [(one, mine)]:
            if exact:
                np.testing.assert_array_equal(b, a)
            else:
                # sums of a few terms in another order
                np.testing.assert_allclose(b, a, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize(
    "formula",
    [
        lambda a, b: a + b * 2.0 - 1 / b,
        lambda a, b: (3 - a) / (b * b + 0.5),
        lambda a, b: -abs(a - b) + np.sqrt(a),
        lambda a, b: np.maximum(a, b) * np.float64(0.3) + np.float64(2.0) * a,
        lambda a, b: np.arctan2(a, b),
        lambda a, b: np.array([1.0, 2.0, 3.0]) * a + b,
    ],
)
def test_a_formula_gives_every_sample_the_bits_of_its_own_floats(formula: Callable[..., Any]) -> None:
    _assert_by_sample(formula, *_together((), ()))


def test_functions_of_one_number_are_those_of_the_mathematics_library() -> None:
    angle = _many()
    assert each(math.cos, angle).data.tolist() == [math.cos(x) for x in angle.data.tolist()]
    assert (angle**3).data.tolist() == [x**3 for x in angle.data.tolist()]
    assert each(math.cos, 1.0) == math.cos(1.0)


def test_a_sample_no_function_is_defined_for_is_marked_and_the_others_stay_right() -> None:
    number = Batch(Chunk(3), np.array([1.0, -1.0, 4.0]))
    root = each(math.sqrt, number)
    assert root.chunk.valid.tolist() == [True, False, True]
    assert root.data[[0, 2]].tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("function", "shapes", "exact"),
    [
        (lambda a, b: np.concatenate([a, np.ones(2), b]), ((3,), (2,)), True),
        (lambda a, b: np.stack([a, b], axis=-1), ((2, 3), (2, 3)), True),
        (lambda a, b: np.hstack([a, b]), ((2, 3), (2, 2)), True),
        (lambda a, b: np.vstack([a, np.zeros((1, 3)), b]), ((2, 3), (1, 3)), True),
        (lambda a, b: np.outer(a, b), ((3,), (2,)), True),
        (lambda a: np.diag(a), ((3,),), True),
        (lambda a: np.diag(a), ((3, 3),), True),
        (lambda a: np.tril(a, -1), ((4, 4),), True),
        (lambda a: np.tile(-a, (3, 1)), ((2,),), True),
        (lambda a: np.cumsum(a, axis=0), ((4, 2),), True),
        (lambda a: np.diff(a), ((5,),), True),
        (lambda a: np.max(np.abs(a - 1.0)), ((3, 3),), True),
        (lambda a: np.sort(a), ((5,),), True),
        (lambda a: np.moveaxis(a, -1, 0), ((2, 3),), True),
        (lambda a: (a[:, None] * a[[0, 2]] + a[..., :1]).T[0], ((3,),), True),
        (lambda a: np.where(np.array([True, False]), a, 0.0), ((2,),), True),
        (lambda a, b: np.einsum("g,gan,gbm->abnm", a, b, b), ((3,), (3, 2, 2)), False),
        (lambda a, b: a @ b, ((3, 3), (3,)), False),
        (lambda a, b: a @ b, ((4, 2, 3), (3, 2)), False),
        (lambda a: np.array([[0.0, 1.0], [2.0, 0.0]]) @ a, ((2, 3),), False),
        (lambda a: a @ np.array([[0.0, 1.0], [2.0, 0.5]]), ((3, 2),), False),
        (lambda a: a.T @ a, ((9, 8),), True),
        (lambda a, b: a @ b, ((9, 8), (8, 9)), True),
        (lambda a: np.linalg.norm(a, axis=1), ((3, 3),), False),
        (lambda a: np.linalg.eigh(a.T @ a), ((9, 8),), True),
        (lambda a: np.linalg.cholesky(a.T @ a), ((9, 8),), True),
        (lambda a: np.linalg.inv(a), ((4, 4),), True),
        (lambda a: np.linalg.qr(a), ((4, 3),), True),
        (lambda a, b: np.linalg.solve(a, b), ((4, 4), (4,)), True),
        (lambda a: greatest(a - 1.2), ((5, 3),), True),
        (lambda a, b: snapped(a, np.sort(b), 0.05), ((4,), (3,)), True),
    ],
)
def test_numpy_does_to_every_sample_what_it_does_to_one(
    function: Callable[..., Any], shapes: tuple[tuple[int, ...], ...], exact: bool
) -> None:
    _assert_by_sample(function, *_together(*shapes), exact=exact)


def test_a_sample_does_not_depend_on_those_beside_it() -> None:
    data = _RNG.uniform(0.5, 2.0, (6, 4, _COUNT))

    def made(columns: list[int]) -> np.ndarray:
        a = Batch(Chunk(len(columns)), np.ascontiguousarray(data[..., columns]))
        shapes = np.linalg.eigh(a.T @ a)[1]
        return np.asarray((np.einsum("gn,gm->nm", a, a) @ shapes + a.T @ (a @ shapes)).data)

    np.testing.assert_array_equal(made([0, 3])[..., 1], made(list(range(_COUNT)))[..., 3])


def test_a_decision_is_the_references_and_samples_that_decide_otherwise_are_marked() -> None:
    number = Batch(Chunk(4), np.array([1.0, 3.0, 0.5, 1.5]))
    assert number < 2.0
    assert number.chunk.valid.tolist() == [True, False, True, True]
    assert bool(2.0 * number - 1.0)
    assert number.chunk.valid.tolist() == [True, False, False, True]
    assert whole(number) == 1 and larger(number, 1.2).data.tolist() == [1.2, 3.0, 1.2, 1.5]
    assert smaller(number, 1.2).data.tolist() == [1.0, 1.2, 0.5, 1.2]


def test_places_among_numbers_are_decisions_too() -> None:
    chunk = Chunk(3)
    times = Batch(chunk, np.array([[0.1, 0.1, 0.6], [0.5, 0.5, 0.7]]))
    assert np.searchsorted(times, 0.3) == 1
    assert chunk.valid.tolist() == [True, True, False]
    assert np.searchsorted(np.array([0.0, 1.0]), times).tolist() == [1, 1]


def test_equal_numbers_are_one_if_they_are_equal_in_the_reference() -> None:
    chunk = Chunk(3)
    times = Batch(chunk, np.array([[0.2, 0.3, 0.2], [0.1, 0.1, 0.1], [0.2, 0.3, 0.4]]))
    assert np.unique(times).data[:, :2].tolist() == [[0.1, 0.1], [0.2, 0.3]]
    assert chunk.valid.tolist() == [True, True, False]


@pytest.mark.parametrize(
    "asks",
    [
        float,
        int,
        hash,
        round,
        math.cos,
        np.array,
        np.asarray,
        lambda x: np.zeros(3).__setitem__(0, x),
        lambda x: np.add(1.0, x, out=np.zeros(())),
        lambda x: [1, 2, 3][x],
        lambda x: np.arange(3)[x],
        lambda x: np.fft.fft(Batch(x.chunk, x.data[None])),
    ],
)
def test_nothing_makes_one_number_of_many(asks: Callable[[Any], Any]) -> None:
    with pytest.raises((NotScalar, TypeError, IndexError, ValueError)):
        asks(_many())


@pytest.mark.parametrize("reaches", [lambda x: x[0], lambda x: x[:, None], len, iter])
def test_no_index_reaches_the_samples(reaches: Callable[[Any], Any]) -> None:
    with pytest.raises((IndexError, NotScalar)):
        reaches(_many())


def test_a_matrix_that_cannot_be_decomposed_marks_its_own_sample_alone() -> None:
    chunk = Chunk(3)
    found = np.linalg.cholesky(Batch(chunk, np.array([[[4.0, -1.0, 9.0]]])))
    assert chunk.valid.tolist() == [True, False, True]
    assert found.data[0, 0, [0, 2]].tolist() == [2.0, 3.0]


def test_of_plain_numbers_plain_arrays_are_made() -> None:
    assert type(array([1.0, 2.0])) is np.ndarray and array([[1, 2]]).dtype == np.float64
    assert type(zeros((2, 2), 1.0, [2.0])) is np.ndarray
    np.testing.assert_array_equal(filled((2, 2), [((0, 1), 3.0), (np.s_[1], [1.0, 2.0])]), [[0.0, 3.0], [1.0, 2.0]])
    np.testing.assert_array_equal(diagonal([1.0, 2.0]), np.diag([1.0, 2.0]))
    assert type(real(np.float64(1.0))) is float and key(0.5) == 0.5


def test_arrays_hold_numbers_of_many_samples_beside_plain_ones() -> None:
    number = _many()
    made = array([[0.0, number], [number * 2.0, 1.0]])
    assert made.shape == (2, 2)
    np.testing.assert_array_equal(made.data[1, 0], 2.0 * number.data)
    np.testing.assert_array_equal(filled((3,), [(1, number)]).data[:, 2], [0.0, number.data[2], 0.0])


def test_a_product_over_nothing_is_nothing():
    chunk = Chunk(3)
    empty = Batch(chunk, np.zeros((0, 2, 3)))
    assert np.array_equal((empty.T @ empty).data, np.zeros((2, 2, 3)))
