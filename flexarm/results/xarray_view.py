"""Runs as xarray objects; the only place that imports xarray, when asked for one."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.results.table import NamedArray

if TYPE_CHECKING:
    import xarray


def xarray_view(
    coordinates: Mapping[str, NamedArray],
    variables: Mapping[str, NamedArray],
    *,
    facts: Mapping[str, Any] | None = None,
) -> "xarray.Dataset":
    """An xarray Dataset of the variables with the coordinates that lie along their dimensions, units as attributes."""
    import xarray

    used = {dim for array in variables.values() for dim in array.dims}
    return xarray.Dataset(
        {name: _described(array) for name, array in variables.items()},
        coords={name: _described(array) for name, array in coordinates.items() if used.issuperset(array.dims)},
        attrs=dict(facts or {}),
    )


def _described(array: NamedArray) -> tuple[tuple[str, ...], np.ndarray, dict[str, str]]:
    return array.dims, array.values, attributes(array)


def attributes(array: NamedArray) -> dict[str, str]:
    """The unit and description under the names the CF conventions give them."""
    pairs = {"units": array.unit, "long_name": array.description}
    return {name: text for name, text in pairs.items() if text}
