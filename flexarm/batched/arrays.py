"""Arrays and numbers made of what is given: plain ones of floats, batched ones if a `Batch` is among the values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from flexarm.batched.number import Batch, raw

# Sizes that differ by less, relative to themselves, are equal but for rounding.
_ALIKE = 1e-9


def among(values: Iterable[Any]) -> Batch | None:
    """The first Batch among values, lists of lists of them included; None if all of them are plain."""
    for value in values:
        if type(value) is Batch:
            return value
        if isinstance(value, list | tuple):
            found = among(value)
            if found is not None:
                return found
        elif isinstance(value, Batch):
            return value
    return None


def array(values: Sequence[Any] | Any) -> Any:
    """The array of the values, lists of lists of numbers or of arrays."""
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        # a Batch refuses to become a float; looking for one beforehand would cost plain arrays more than their making
        like = among(values)
        if like is None:
            raise
    parts = [array(value) if isinstance(value, list | tuple) else value for value in values]
    shape = next(value.shape for value in parts if isinstance(value, Batch))
    found = np.empty((len(parts), *shape, like.chunk.count))
    for k, value in enumerate(parts):
        found[k] = raw(value)
    return like.like(found)


def floats(values: Any) -> Any:
    """The values as an array of floats that lie one behind the other; of many samples as they are."""
    return values if isinstance(values, Batch) else np.ascontiguousarray(values, dtype=np.float64)


def zeros(shape: int | tuple[int, ...], *given: Any) -> Any:
    """Noughts of a shape, that can hold what is given."""
    like = among(given)
    if like is None:
        return np.zeros(shape)
    return like.like(np.zeros((*((shape,) if isinstance(shape, int) else shape), like.chunk.count)))


def filled(shape: int | tuple[int, ...], parts: Iterable[tuple[Any, Any]]) -> Any:
    """Noughts of a shape with values put at places, (place, value) each."""
    parts = list(parts)
    found = zeros(shape, *(value for _, value in parts))
    for place, value in parts:
        found[place] = array(value) if isinstance(value, list | tuple) else value
    return found


def diagonal(values: Sequence[Any]) -> Any:
    """The matrix with these numbers on its diagonal."""
    return np.diag(array(values))


def real(value: Any) -> Any:
    """The number as a float; of many samples as it is."""
    return value if isinstance(value, Batch) else float(value)


def whole(value: Any) -> int:
    """The number without what is behind its point; of many samples that of the reference."""
    return int(value.chunk.agreed_whole(np.trunc(value.data))) if isinstance(value, Batch) else int(value)


def each(function: Callable[..., float], *numbers: Any) -> Any:
    """A function of numbers such as math.cos, called for every sample separately."""
    like = among(numbers)
    if like is None:
        return function(*numbers)
    columns = [np.broadcast_to(raw(number), (like.chunk.count,)).tolist() for number in numbers]
    found = np.empty(like.chunk.count)
    for k, row in enumerate(zip(*columns, strict=True)):
        try:
            found[k] = function(*row)
        except (ArithmeticError, ValueError):
            found[k], like.chunk.valid[k] = np.nan, False
            if k == 0:
                raise
    return like.like(found)


def larger(first: Any, second: Any) -> Any:
    """The larger of two numbers."""
    if isinstance(first, Batch | np.ndarray) or isinstance(second, Batch | np.ndarray):
        return np.maximum(first, second)
    return max(first, second)


def smaller(first: Any, second: Any) -> Any:
    """The smaller of two numbers."""
    if isinstance(first, Batch | np.ndarray) or isinstance(second, Batch | np.ndarray):
        return np.minimum(first, second)
    return min(first, second)


def greatest(values: Any) -> Any:
    """Along the first axis the entry that is largest in size, the last of those that are but for rounding."""
    data = values.data if isinstance(values, Batch) else values
    sizes = np.abs(data)
    last = len(data) - 1 - np.argmax((sizes >= (1.0 - _ALIKE) * sizes.max(axis=0))[::-1], axis=0)
    found = np.take_along_axis(data, last[None], axis=0)[0]
    return values.like(found) if isinstance(values, Batch) else found


def sample_of(values: Any, k: int) -> Any:
    """The values of one sample; what is plain as it is."""
    return np.ascontiguousarray(values.data[..., k]) if isinstance(values, Batch) else values


def key(number: Any) -> Any:
    """A key for the number in a dictionary; batches are equal if all their samples are."""
    return number.data.tobytes() if isinstance(number, Batch) else number


def snapped(values: Any, marks: Any, reach: float) -> Any:
    """The values (k,), each put on the first of the marks (m,), rising, that is no farther away than `reach`."""
    if not len(marks):
        return values
    like = among([values, marks])
    if like is None:
        near = np.abs(marks - values[:, None]) <= reach
        return np.where(near.any(axis=1), marks[near.argmax(axis=1)], values)
    own, found = raw(values), raw(values)
    for mark in raw(marks)[::-1]:
        found = np.where(np.abs(mark - own) <= reach, mark, found)
    return like.like(np.broadcast_to(found, (len(values), like.chunk.count)))
