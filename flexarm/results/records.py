"""Checked, read-only arrays and mappings for the fields of results."""

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

Value = TypeVar("Value")


class FrozenDict(dict[str, Value]):
    """A dictionary that refuses changes and still travels between processes and into JSON."""

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise TypeError("results cannot be changed")

    __setitem__ = __delitem__ = update = pop = popitem = clear = setdefault = __ior__ = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


def frozen_mapping(values: Mapping[str, Value]) -> Mapping[str, Value]:
    """A read-only copy of the mapping."""
    return FrozenDict(values)


def frozen_array(values: Any, shape: tuple[int, ...], what: str) -> np.ndarray:
    """A read-only array of floats, or complex numbers if they are, of the given shape; an array without entries fits
    any shape without entries.
    """
    array = np.array(values, dtype=complex if np.iscomplexobj(values) else float)
    if array.size == 0 and 0 in shape:
        array = array.reshape(shape)
    if array.shape != shape:
        raise ValueError(f"{what} has the shape {array.shape}, expected {shape}")
    array.flags.writeable = False
    return array


def set_fields(record: Any, values: Mapping[str, Any]) -> None:
    """Put checked values in place of those a frozen record was made with."""
    for name, value in values.items():
        object.__setattr__(record, name, value)
