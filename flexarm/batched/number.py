"""A number with one value per sample, and an array of such numbers.

`Batch` stands where a formula expects a float or an array of floats. Arithmetic is done for all samples at once. What a
formula decides by a number (a comparison, a rounding to a whole number) is decided as in the first sample, the
reference, and the samples in which it would be decided otherwise are marked in the chunk: their values are worth
nothing from there on. A Batch never becomes a float: whatever asks for one raises `NotScalar`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any, NoReturn, final

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Truths = NDArray[np.bool_]


class NotScalar(TypeError):
    """A formula needs a single number, or a function that is not available for batches."""


@final
class Chunk:
    """The samples that are computed together; sample 0 is the reference."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.valid: Truths = np.ones(count, dtype=bool)

    def agreed(self, outcomes: Truths) -> Any:
        """The outcomes (..., samples) of the reference; samples in which any of them differs are marked."""
        reference = outcomes[..., 0]
        same = outcomes == reference[..., None]
        if not same.all():
            self.valid &= same.reshape(-1, self.count).all(axis=0)
        return bool(reference) if reference.ndim == 0 else reference.copy()

    def agreed_whole(self, numbers: NDArray[Any]) -> Any:
        """Whole numbers (..., samples) as the reference has them; samples that differ are marked."""
        self.agreed(numbers == numbers[..., :1])
        reference = numbers[..., 0]
        return int(reference) if reference.ndim == 0 else reference.astype(np.int64)

    def usable(self, values: Values) -> Values:
        """Values (..., samples) in which those of marked samples are the reference's: rubbish stops no algorithm."""
        return values if self.valid.all() else np.where(self.valid, values, values[..., :1])


def raw(value: Any) -> Any:
    """The values (..., samples) of a Batch; of anything plain what broadcasts with them."""
    if isinstance(value, Batch):
        return value.data
    if isinstance(value, float | int | np.generic):
        return value
    found = np.asarray(value)
    return found[..., None] if found.ndim else found


class Batch:
    """Numbers of every sample: `shape` is that of the array a single sample would have, () for one number."""

    __slots__ = ("chunk", "data")
    __hash__ = None  # type: ignore[assignment]
    __array_priority__ = 1000

    def __init__(self, chunk: Chunk, data: Values) -> None:
        self.chunk, self.data = chunk, data

    def like(self, data: Any) -> Batch:
        """Other numbers (..., samples) of the same chunk."""
        return Batch(self.chunk, np.broadcast_to(data, (self.chunk.count,)) if np.ndim(data) == 0 else data)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array in one sample."""
        return self.data.shape[:-1]

    @property
    def ndim(self) -> int:
        """Number of its axes."""
        return self.data.ndim - 1

    @property
    def size(self) -> int:
        """Number of its entries."""
        return int(np.prod(self.shape, dtype=int))

    @property
    def reference(self) -> Any:
        """The value of the reference."""
        return self.data[..., 0]

    def __repr__(self) -> str:
        return f"<Batch {self.shape} of {self.chunk.count} samples>"

    def __format__(self, how: str) -> str:
        return format(float(self.data[0]), how) if self.ndim == 0 else repr(self)

    # What only one number has.

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise NotScalar("a batch of numbers cannot become a single number")

    __float__ = __int__ = __index__ = __complex__ = __array__ = __round__ = _refuse

    # Arithmetic.

    def _with(self, how: Callable[[Any, Any], Any], other: Any) -> Batch:
        if isinstance(other, float | int):
            return Batch(self.chunk, how(self.data, other))
        return Batch(self.chunk, how(self.data, raw(other)))

    def __add__(self, other: Any) -> Batch:
        return self._with(operator.add, other)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Batch:
        return self._with(operator.mul, other)

    __rmul__ = __mul__

    def __sub__(self, other: Any) -> Batch:
        return self._with(operator.sub, other)

    def __rsub__(self, other: Any) -> Batch:
        return Batch(self.chunk, raw(other) - self.data)

    def __truediv__(self, other: Any) -> Batch:
        return self._with(operator.truediv, other)

    def __rtruediv__(self, other: Any) -> Batch:
        return Batch(self.chunk, raw(other) / self.data)

    def __neg__(self) -> Batch:
        return Batch(self.chunk, -self.data)

    def __pos__(self) -> Batch:
        return self

    def __abs__(self) -> Batch:
        return Batch(self.chunk, np.abs(self.data))

    def __pow__(self, power: Any) -> Batch:
        if self.ndim or not isinstance(power, float | int):
            return Batch(self.chunk, self.data ** raw(power))
        if power == 2:
            return self * self
        # by the C library, as floats of Python do
        return Batch(self.chunk, np.array([value**power for value in self.data.tolist()]))

    def __rpow__(self, base: Any) -> Batch:
        return Batch(self.chunk, raw(base) ** self.data)

    def __matmul__(self, other: Any) -> Any:
        from flexarm.batched.algebra import product

        return product(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        from flexarm.batched.algebra import product

        return product(other, self)

    # Decisions.

    def _decided(self, how: Callable[[Any, Any], Any], other: Any) -> Any:
        return self.chunk.agreed(how(self.data, raw(other)))

    def __lt__(self, other: Any) -> Any:
        return self._decided(operator.lt, other)

    def __le__(self, other: Any) -> Any:
        return self._decided(operator.le, other)

    def __gt__(self, other: Any) -> Any:
        return self._decided(operator.gt, other)

    def __ge__(self, other: Any) -> Any:
        return self._decided(operator.ge, other)

    def __eq__(self, other: Any) -> Any:
        if other is None or isinstance(other, str):
            return False
        return self._decided(operator.eq, other)

    def __ne__(self, other: Any) -> Any:
        if other is None or isinstance(other, str):
            return True
        return self._decided(operator.ne, other)

    def __bool__(self) -> bool:
        if self.ndim:
            raise NotScalar("a batched array has no single truth value")
        return bool(self.chunk.agreed(self.data != 0.0))

    # As an array.

    def _key(self, key: Any) -> Any:
        """The key for the values: it must not reach the axis of the samples."""
        steps = key if isinstance(key, tuple) else (key,)
        used = 0
        for step in steps:
            if isinstance(step, Batch):
                raise NotScalar("a batch of numbers cannot be an index")
            if step is not None and step is not Ellipsis:
                used += step.ndim if isinstance(step, np.ndarray) and step.dtype == bool else 1
        if used > self.ndim:
            raise IndexError(f"{used} indices for an array of {self.ndim} axes")
        return (*steps, slice(None)) if any(step is Ellipsis for step in steps) else steps

    def __getitem__(self, key: Any) -> Batch:
        return Batch(self.chunk, self.data[self._key(key)])

    def __setitem__(self, key: Any, value: Any) -> None:
        self.data[self._key(key)] = raw(value)

    def __len__(self) -> int:
        if not self.ndim:
            raise NotScalar("one number has no length")
        return int(self.data.shape[0])

    def __iter__(self) -> Iterator[Batch]:
        return (Batch(self.chunk, self.data[i]) for i in range(len(self)))

    @property
    def T(self) -> Batch:
        """The transpose."""
        return self.transpose()

    def transpose(self) -> Batch:
        """Its axes the other way round."""
        return Batch(self.chunk, self.data.transpose(*range(self.ndim - 1, -1, -1), self.ndim))

    def reshape(self, *shape: Any) -> Batch:
        """The same entries in another shape."""
        wanted = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
        return Batch(self.chunk, self.data.reshape(*wanted, self.chunk.count))

    def ravel(self) -> Batch:
        """All entries in a row."""
        return self.reshape(self.size)

    def copy(self) -> Batch:
        """A copy."""
        return Batch(self.chunk, self.data.copy())

    def sum(self, axis: Any = None) -> Batch:
        """Sums over an axis, or over all."""
        axes = tuple(range(self.ndim)) if axis is None else self.axes(axis)
        found = self.data
        for at in sorted(axes, reverse=True):
            found = in_turn(found, at)
        return Batch(self.chunk, found)

    def axes(self, axis: int | tuple[int, ...]) -> tuple[int, ...]:
        """Axes counted from the first; the samples' is none of them."""
        return tuple(at % self.ndim for at in ((axis,) if isinstance(axis, int) else axis))

    # The protocols of NumPy.

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options:
            raise NotScalar(f"numpy.{ufunc.__name__} cannot write a batch into an array of one sample")
        if ufunc is np.matmul:
            from flexarm.batched.algebra import product

            return product(*inputs)
        found = ufunc(*(raw(value) for value in inputs))
        return self.chunk.agreed(found) if found.dtype == bool else Batch(self.chunk, found)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        from flexarm.batched.functions import FUNCTIONS

        if function not in FUNCTIONS:
            raise NotScalar(f"numpy.{function.__name__} is not available for batches")
        return FUNCTIONS[function](*args, **options)


@final
class Measured(Batch):
    """One number with the unit it is in."""

    __slots__ = ("unit",)

    def __init__(self, chunk: Chunk, data: Values, unit: str) -> None:
        super().__init__(chunk, data)
        self.unit = unit


def in_turn(data: Values, axis: int) -> Values:
    """The sum over an axis, one entry after the other: a sample's sum does not depend on the other samples."""
    parts = np.moveaxis(data, axis, 0)
    if not len(parts):
        return np.zeros(parts.shape[1:])
    found = parts[0].copy()
    for part in parts[1:]:
        found += part
    return found
