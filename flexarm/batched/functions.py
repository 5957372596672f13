"""NumPy's functions for batched arrays: they act on every sample, and decisions are those of the reference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from flexarm.batched import algebra
from flexarm.batched.arrays import array
from flexarm.batched.number import Batch, NotScalar, Values, raw

FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.einsum: algebra.einsum,
    np.linalg.eigh: algebra.by_sample(np.linalg.eigh),
    np.linalg.eigvalsh: algebra.by_sample(np.linalg.eigvalsh),
    np.linalg.cholesky: algebra.by_sample(np.linalg.cholesky),
    np.linalg.inv: algebra.by_sample(np.linalg.inv),
    np.linalg.qr: algebra.by_sample(np.linalg.qr),
    np.linalg.solve: algebra.solve,
    np.linalg.norm: algebra.norm,
}


def _known(function: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def known(how: Callable[..., Any]) -> Callable[..., Any]:
        FUNCTIONS[function] = how
        return how

    return known


def _spread(like: Batch, value: Any) -> Values:
    """The numbers of every sample, whatever they are given as."""
    if isinstance(value, Batch):
        return value.data
    if isinstance(value, list | tuple):
        value = array(value)
        return _spread(like, value)
    plain = np.asarray(value, dtype=np.float64)
    return np.broadcast_to(plain[..., None], (*plain.shape, like.chunk.count))


def _all(values: Any) -> tuple[Batch, list[Values]]:
    like = algebra.one_of(*values)
    return like, [_spread(like, value) for value in values]


@_known(np.concatenate)
def _concatenate(values: Any, axis: int = 0) -> Batch:
    like, data = _all(values)
    return like.like(np.concatenate(data, axis % (data[0].ndim - 1)))


@_known(np.stack)
def _stack(values: Any, axis: int = 0) -> Batch:
    like, data = _all(values)
    return like.like(np.stack(data, axis % data[0].ndim))


@_known(np.hstack)
def _hstack(values: Any) -> Batch:
    like, data = _all(values)
    return like.like(np.concatenate(data, 0 if data[0].ndim == 2 else 1))


@_known(np.vstack)
def _vstack(values: Any) -> Batch:
    like, data = _all(values)
    return like.like(np.concatenate([x[None] if x.ndim == 2 else x for x in data], 0))


@_known(np.append)
def _append(first: Any, second: Any) -> Batch:
    return _concatenate([each if np.ndim(each) else array([each]) for each in (first, second)])


@_known(np.zeros_like)
def _zeros_like(value: Batch) -> Batch:
    return value.like(np.zeros_like(value.data))


@_known(np.ones_like)
def _ones_like(value: Batch) -> Batch:
    return value.like(np.ones_like(value.data))


@_known(np.ndim)
def _ndim(value: Batch) -> int:
    return value.ndim


@_known(np.diag)
def _diag(value: Batch) -> Batch:
    if value.ndim == 2:
        return value.like(np.ascontiguousarray(np.diagonal(value.data).T))
    n = len(value)
    found = np.zeros((n, n, value.chunk.count))
    found[range(n), range(n)] = value.data
    return value.like(found)


@_known(np.outer)
def _outer(first: Any, second: Any) -> Any:
    return first[:, None] * second[None, :]


@_known(np.tril)
def _tril(value: Batch, k: int = 0) -> Batch:
    return value * np.tri(value.shape[0], value.shape[1], k)


@_known(np.tile)
def _tile(value: Batch, times: int | tuple[int, ...]) -> Batch:
    counts = (times,) if isinstance(times, int) else times
    return value.like(np.tile(value.data, (*counts, 1)))


@_known(np.moveaxis)
def _moveaxis(value: Batch, source: int, target: int) -> Batch:
    return value.like(np.moveaxis(value.data, source % value.ndim, target % value.ndim))


@_known(np.swapaxes)
def _swapaxes(value: Batch, first: int, second: int) -> Batch:
    return value.like(np.swapaxes(value.data, first % value.ndim, second % value.ndim))


@_known(np.broadcast_to)
def _broadcast_to(value: Batch, shape: tuple[int, ...]) -> Batch:
    return value.like(np.broadcast_to(value.data, (*shape, value.chunk.count)))


@_known(np.sum)
def _sum(value: Any, axis: Any = None) -> Any:
    return (array(value) if isinstance(value, list) else value).sum(axis=axis)


@_known(np.cumsum)
def _cumsum(value: Any, axis: int = 0) -> Batch:
    value = array(value) if isinstance(value, list) else value
    return value.like(np.cumsum(value.data, axis % value.ndim))


@_known(np.diff)
def _diff(value: Batch) -> Batch:
    if value.ndim != 1:
        raise NotScalar("the differences of a matrix are not available for batches")
    return value[1:] - value[:-1]


@_known(np.max)
def _max(value: Batch, axis: int | None = None) -> Batch:
    return value.like(np.max(value.data, tuple(range(value.ndim)) if axis is None else axis % value.ndim))


@_known(np.argmax)
def _argmax(value: Batch, axis: int = 0) -> Any:
    return value.chunk.agreed_whole(np.argmax(value.data, axis % value.ndim))


@_known(np.any)
def _any_true(value: Batch) -> bool:
    return bool(value.chunk.agreed((value.data != 0.0).reshape(-1, value.chunk.count).any(axis=0)))


@_known(np.flatnonzero)
def _flatnonzero(value: Batch) -> Any:
    return np.flatnonzero(value != 0.0)


@_known(np.array_equal)
def _array_equal(first: Any, second: Any) -> bool:
    first, second = (array(each) if isinstance(each, list | tuple) else each for each in (first, second))
    if np.shape(first) != np.shape(second):
        return False
    chunk = algebra.one_of(first, second).chunk
    return bool(chunk.agreed((raw(first) == raw(second)).reshape(-1, chunk.count).all(axis=0)))


@_known(np.shape)
def _shape(value: Batch) -> tuple[int, ...]:
    return value.shape


@_known(np.where)
def _where(condition: Any, yes: Any, no: Any) -> Batch:
    like = algebra.one_of(yes, no)
    return like.like(np.where(np.asarray(condition)[..., None], raw(yes), raw(no)))


@_known(np.sort)
def _sort(value: Batch) -> Batch:
    return value.like(np.sort(value.data, axis=0))


@_known(np.unique)
def _unique(value: Batch) -> Batch:
    ordered = _sort(value)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


@_known(np.searchsorted)
def _searchsorted(sorted_values: Any, wanted: Any, side: str = "left") -> Any:
    like = algebra.one_of(sorted_values, wanted)
    places, values = raw(sorted_values), raw(wanted)
    places = places if np.ndim(places) else np.asarray(places)[None]
    values = values[..., None, :] if np.ndim(values) else values
    before = places < values if side == "left" else places <= values
    return like.chunk.agreed_whole(np.count_nonzero(before, axis=-2))
