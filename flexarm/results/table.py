"""Arrays that carry the names of their dimensions, their unit and a line of description."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from flexarm.results.records import frozen_mapping


@final
@dataclass(frozen=True, eq=False)
class NamedArray:
    """An array of numbers or labels with named dimensions and one unit ("" where there is none).

    The values are kept as a read-only view: whoever made the array must not write to it afterwards.
    """

    dims: tuple[str, ...]
    values: np.ndarray
    unit: str = ""
    description: str = ""

    def __post_init__(self) -> None:
        values = _storable(self.values)
        dims = tuple(self.dims)
        if values.ndim != len(dims):
            raise ValueError(f"dimensions {dims} do not fit an array of shape {values.shape}")
        if len(set(dims)) != len(dims):
            raise ValueError(f"dimensions {dims} repeat")
        values.flags.writeable = False
        object.__setattr__(self, "dims", dims)
        object.__setattr__(self, "values", values)

    def __reduce__(self) -> tuple[Any, ...]:
        # Built anew in the other process, where the values must be read-only too.
        return NamedArray, (self.dims, self.values, self.unit, self.description)

    @property
    def is_text(self) -> bool:
        """True where the values are labels, not numbers."""
        return self.values.dtype.kind == "U"

    def identical(self, other: "NamedArray") -> bool:
        """True where names, unit, type and every bit agree (so NaN equals the same NaN)."""
        mine, theirs = self.values, other.values
        return (
            (self.dims, self.unit, self.description) == (other.dims, other.unit, other.description)
            and (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape)
            and mine.tobytes() == theirs.tobytes()
        )


def _storable(values: Any) -> np.ndarray:
    """The values as a view of float, integer or fixed-width text, the kinds a NetCDF file can hold."""
    array = np.asarray(values)
    if array.dtype.kind in "fi" and array.dtype.itemsize <= 8:
        return array.view()
    labels = array.ravel().tolist()
    if array.dtype.kind in "UOT" and all(isinstance(label, str) for label in labels):
        if any("\0" in label for label in labels):
            raise ValueError("labels may not hold the character NUL")
        return np.array(labels, dtype=str).reshape(array.shape)
    raise ValueError(f"values of type {array.dtype} cannot be kept, only real numbers, integers and text")


def frozen_table(arrays: Mapping[str, NamedArray]) -> Mapping[str, NamedArray]:
    """A read-only mapping without the arrays that have no entries (an arm without joints has no joint columns)."""
    for name in arrays:
        if not name.isidentifier():
            raise ValueError(f"{name!r} is not a plain name")
    return frozen_mapping({name: array for name, array in arrays.items() if array.values.size})


def check_sizes(coordinates: Mapping[str, NamedArray], variables: Mapping[str, NamedArray]) -> None:
    """Raise ValueError where two arrays disagree on the length of a dimension."""
    sizes: dict[str, tuple[int, str]] = {}
    for name, array in [*coordinates.items(), *variables.items()]:
        for dim, size in zip(array.dims, array.values.shape, strict=True):
            known, first = sizes.setdefault(dim, (size, name))
            if size != known:
                raise ValueError(f"{name} has {size} entries along {dim}, but {first} has {known}")


def same_tables(one: Mapping[str, NamedArray], other: Mapping[str, NamedArray]) -> bool:
    """True where both hold the same names with identical arrays."""
    return one.keys() == other.keys() and all(array.identical(other[name]) for name, array in one.items())


def labels_of(coordinates: Mapping[str, NamedArray], dim: str) -> tuple[str, ...]:
    """The labels along a dimension, none if it is absent."""
    if dim not in coordinates:
        return ()
    return tuple(str(label) for label in coordinates[dim].values)


def listed(words: Iterable[str], *, most: int = 12) -> str:
    """The names in quotes, separated by commas and cut after the first `most`."""
    quoted: Sequence[str] = [f"'{word}'" for word in words]
    if not quoted:
        return "none"
    return ", ".join(quoted[:most]) + (f" and {len(quoted) - most} more" if len(quoted) > most else "")
