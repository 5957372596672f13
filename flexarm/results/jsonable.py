"""Values in JSON's types, for information kept with the arrays and for results printed by a program."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np


def jsonable(value: Any, place: str = "value") -> Any:
    """The value in JSON's types: arrays and tuples become lists, numbers that are not finite become None.

    A complex number becomes {"real", "imag"}. Anything else JSON cannot hold raises TypeError naming its place.
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, complex):
        return {"real": jsonable(value.real, place), "imag": jsonable(value.imag, place)}
    if isinstance(value, np.generic | np.ndarray):
        return jsonable(value.tolist(), place)
    if isinstance(value, Mapping):
        return {_key(key, place): jsonable(inner, f"{place}.{key}") for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(inner, f"{place}[{index}]") for index, inner in enumerate(value)]
    raise TypeError(f"{place} is a {type(value).__name__}, which JSON cannot hold")


def _key(key: Any, place: str) -> str:
    if isinstance(key, str):
        return key
    raise TypeError(f"{place} has the key {key!r}, but only text can be a key")
