"""Products and decompositions of batched matrices.

A sample's result is the same whatever samples stand beside it: sums are taken in the order of their terms, or each
sample's matrix goes through the linear algebra library by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from flexarm.batched.arrays import among, floats
from flexarm.batched.number import Batch, NotScalar, Values

# A product of more multiplications than this is left to the linear algebra library.
_BY_LIBRARY = 256


def one_of(*values: Any) -> Batch:
    """The first Batch among values of which one is known to be it."""
    found = among(values)
    assert found is not None
    return found


def product(a: Any, b: Any) -> Batch:
    """The matrix product a @ b, of which at least one is a Batch."""
    left: Any = floats(a)
    right: Any = floats(b)
    one_row, one_column = left.ndim == 1, right.ndim == 1
    left = left[None, :] if one_row else left
    right = right[:, None] if one_column else right
    rows, inner, columns = left.shape[-2], left.shape[-1], right.shape[-1]
    if inner != right.shape[-2]:
        raise ValueError(f"shapes {left.shape} and {right.shape} do not fit together")
    if inner == 0:
        like = left if isinstance(left, Batch) else right
        found = like.like(np.zeros((rows, columns, like.chunk.count)))
    elif rows * inner * columns > _BY_LIBRARY:
        found = _stacked(left, right)
    elif not isinstance(left, Batch) and left.ndim == 2:
        found = _rows_of(left, right)
    elif not isinstance(right, Batch) and right.ndim == 2:
        found = _swapped(_rows_of(right.T, _swapped(left)))
    else:
        found = left[..., :, 0, None] * right[..., None, 0, :]
        for k in range(1, inner):
            found = found + left[..., :, k, None] * right[..., None, k, :]
    if one_column:
        found = found[..., 0]
    return found[..., 0] if one_row and one_column else found[..., 0, :] if one_row else found


def _rows_of(plain: Values, right: Batch) -> Batch:
    """plain @ right; what is multiplied by nought is left out."""
    shape = (*right.data.shape[:-3], plain.shape[0], *right.data.shape[-2:])
    found = np.zeros(shape)
    for i, row in enumerate(plain.tolist()):
        out = found[..., i, :, :]
        for k, factor in enumerate(row):
            if factor == 1.0:
                out += right.data[..., k, :, :]
            elif factor != 0.0:
                out += factor * right.data[..., k, :, :]
    return right.like(found)


def _swapped(matrix: Batch) -> Batch:
    return matrix.like(np.swapaxes(matrix.data, -2, -3))


def first_axis(value: Any) -> Values:
    """The numbers with the samples along the first axis, one matrix behind the other; rubbish put right.

    A matrix that is the transpose of what lies in memory stays one, so that the library sums as for one sample.
    """
    if not isinstance(value, Batch):
        return np.asarray(value, dtype=np.float64)
    found = np.moveaxis(value.chunk.usable(value.data), -1, 0)
    if value.ndim == 2 and value.data.strides[0] < value.data.strides[1]:
        return np.ascontiguousarray(found.swapaxes(1, 2)).swapaxes(1, 2)
    return np.ascontiguousarray(found)


def _last_axis(like: Batch, found: Values) -> Batch:
    return like.like(np.ascontiguousarray(np.moveaxis(found, 0, -1)))


def _stacked(left: Any, right: Any) -> Batch:
    if isinstance(left, Batch) and isinstance(right, Batch) and _is_transpose(left.data, right.data):
        own = first_axis(right)
        return _last_axis(left, np.matmul(own.swapaxes(1, 2), own))
    return _last_axis(one_of(left, right), np.matmul(first_axis(left), first_axis(right)))


def _is_transpose(left: Values, right: Values) -> bool:
    """True if the one is the transpose of the other, which the library sees in a single sample too."""
    turned = right.swapaxes(0, 1)
    return (
        left.ndim == 3
        and left.ctypes.data == right.ctypes.data
        and (left.shape, left.strides) == (turned.shape, turned.strides)
    )


def einsum(subscripts: str, *operands: Any) -> Batch:
    """NumPy's einsum with the samples as one more letter."""
    inputs, _, output = subscripts.partition("->")
    letters = inputs.split(",")
    known = [word + "Z" if isinstance(value, Batch) else word for word, value in zip(letters, operands, strict=True)]
    data = [value.data if isinstance(value, Batch) else value for value in operands]
    return one_of(*operands).like(np.einsum(f"{','.join(known)}->{output}Z", *data))


def by_sample(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of numpy.linalg for batches; samples for which it fails are marked."""

    def called(*operands: Any, **options: Any) -> Any:
        like = one_of(*operands)
        data = [first_axis(value) for value in operands]
        try:
            found = function(*data, **options)
        except np.linalg.LinAlgError:
            for k in range(1, like.chunk.count):
                own = [x[k] if isinstance(value, Batch) else x for x, value in zip(data, operands, strict=True)]
                try:
                    function(*own, **options)
                except np.linalg.LinAlgError:
                    like.chunk.valid[k] = False
            found = function(*(first_axis(value) for value in operands), **options)
        if isinstance(found, tuple):
            return tuple(_last_axis(like, part) for part in found)
        return _last_axis(like, found)

    return called


def solve(matrix: Any, right: Any) -> Any:
    """x of matrix x = right, which is one column or a matrix."""
    if right.ndim == 1:
        return by_sample(np.linalg.solve)(matrix, right[:, None])[:, 0]
    return by_sample(np.linalg.solve)(matrix, right)


def norm(value: Batch, axis: int | None = None) -> Batch:
    """Euclidean length, of all or along an axis."""
    if value.ndim > 1 and axis is None:
        raise NotScalar("the norm of a matrix is not available for batches")
    squares = (value * value).sum(axis=0 if axis is None else axis)
    return squares.like(np.sqrt(squares.data))
