"""Records read from files of several kinds: CSV, NetCDF, MATLAB's of both generations, ROS 2 bags."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.results.measured import Measured
from flexarm.results.record_tables import csv_columns, si_record

_ROBOTS = (".mcap", ".db3", ".bag")


def read_record(
    path: str | os.PathLike[str],
    *,
    names: Sequence[str] | None = None,
    interval: float | None = None,
) -> Measured:
    """The measured record in a file, in SI units.

    A column is called as its heading; its unit stands in brackets behind the name, "hub angle [deg]", or is its last
    part, "hub_angle_rad". One column is the time. A cell that is empty is a missing sample.

    Parameters
    ----------
    path
        A CSV file (also .txt and .dat), a NetCDF file (.nc) with the dimension time, or a MATLAB file (.mat) with
        vectors of one length.
    names
        Headings of the columns, in place of those in the file.
    interval
        Time (s) between two samples of a file without a column of times.

    Returns
    -------
    Measured
        Times (s), columns by name, and their units.

    Examples
    --------
    >>> import flexarm as fa
    >>> fa.read_record("quanser_steps.csv")
    <Measured quanser_steps.csv: 2000 samples of reference_rad, hub_angle_rad, strain_angle_rad>
    """
    source, kind = Path(path), Path(path).suffix.lower()
    if kind in _ROBOTS:
        raise FlexarmError(
            f"{source}: is a bag of messages, which is not read here; must be CSV, .nc or .mat: rosbags or mcap write "
            "a topic's fields as columns"
        )
    if not source.is_file():
        raise FlexarmError(f"{source}: there is no such file")
    reader = {".nc": _netcdf, ".mat": _matlab}.get(kind, csv_columns)
    heads, values = reader(source)
    if names is not None:
        if len(names) != values.shape[1]:
            raise FlexarmError(f"{source}: has {values.shape[1]} columns, names has {len(names)}, must be as many")
        heads = list(names)
    if not heads:
        raise FlexarmError(f"{source}: has no headings, must have a first line such as time [s],hub [rad], or names")
    if interval is not None:
        heads = ["time [s]", *heads]
        values = np.column_stack([interval * np.arange(len(values)), values])
    found = si_record(source.name, str(source), heads, values)
    check_times(found, str(source))
    return found


def check_times(record: Measured, source: str) -> None:
    """Refuse a record whose time does not rise, or that is not known."""
    if not np.isfinite(record.time).all():
        k = int(np.argmin(np.isfinite(record.time)))
        raise FlexarmError(f"{source}: sample {k + 1} has no time, must have one")
    falls = np.diff(record.time) <= 0.0
    if falls.any():
        k = int(np.argmax(falls))
        before, after = record.time[k], record.time[k + 1]
        word = "stands still" if after == before else "runs backwards"
        raise FlexarmError(
            f"{source}: the time {word} at sample {k + 2}, {after:.9g} s after {before:.9g} s, must rise"
        )
    if len(record.time) < 4:
        raise FlexarmError(f"{source}: holds {len(record.time)} samples, must hold 4 at least")


def _netcdf(path: Path) -> tuple[list[str], np.ndarray]:
    import h5netcdf

    try:
        with h5netcdf.File(path, "r", decode_vlen_strings=True) as file:
            found = {}
            for name, variable in file.variables.items():
                if tuple(variable.dimensions) == ("time",) and variable.dtype.kind in "fiu":
                    unit = str(variable.attrs.get("units", ""))
                    found[f"{name} [{unit}]" if unit else name] = np.asarray(variable[...], dtype=float)
    except (OSError, ValueError) as error:
        raise FlexarmError(f"{path}: cannot be read as NetCDF: {str(error).splitlines()[0]}") from None
    if not found:
        raise FlexarmError(f"{path}: has no variable along the dimension time, must have some")
    return list(found), np.column_stack(list(found.values()))


def _matlab(path: Path) -> tuple[list[str], np.ndarray]:
    """Vectors of one length in a file of MATLAB 5 to 7.2 (SciPy) or 7.3 (HDF5)."""
    import h5py

    vectors: dict[str, np.ndarray] = {}
    try:
        if h5py.is_hdf5(path):
            with h5py.File(path, "r") as file:
                file.visititems(lambda name, item: _gather_hdf(name, item, vectors))
        else:
            from scipy.io import loadmat

            _gather(loadmat(path, squeeze_me=True, struct_as_record=True), vectors)
    except (OSError, ValueError, TypeError, NotImplementedError) as error:
        raise FlexarmError(f"{path}: cannot be read as a MATLAB file: {str(error).splitlines()[0]}") from None
    lengths = [len(values) for values in vectors.values()]
    longest = max(lengths, default=0)
    kept = {name: values for name, values in vectors.items() if len(values) == longest > 1}
    if not kept:
        raise FlexarmError(f"{path}: holds no vectors, must hold some of one length, time among them")
    return list(kept), np.column_stack(list(kept.values()))


def _gather(table: Mapping[str, Any], vectors: dict[str, np.ndarray], prefix: str = "") -> None:
    for name, value in table.items():
        if name.startswith("__"):
            continue
        array = np.asarray(value)
        if array.dtype.names is not None and array.size == 1:
            record = array.reshape(-1)[0]
            _gather({each: record[each] for each in array.dtype.names}, vectors, f"{prefix}{name}.")
        elif array.dtype.kind in "fiub" and array.ndim == 1:
            vectors[prefix + name] = array.astype(float)


def _gather_hdf(name: str, item: Any, vectors: dict[str, np.ndarray]) -> None:
    array = np.asarray(item) if hasattr(item, "dtype") and not name.startswith("#") else np.empty(0)
    if array.dtype.kind in "fiu" and array.size == max(array.shape, default=0) and array.size > 1:
        vectors[name.replace("/", ".")] = array.reshape(-1).astype(float)
