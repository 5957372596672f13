"""Runs as NetCDF4 files: written whole or not at all, read back to the last bit or refused.

The file is plain NetCDF4 with CF attributes, readable by xarray and by any NetCDF library. Attributes of the file hold
the complete model text, the `info` of the run as JSON and the version of this format. Behind the end of the NetCDF
data, where its readers do not look, there is a digest of all bytes before it. It is checked before HDF5 sees the file:
HDF5 reads a flipped bit silently and can loop for ever on a damaged heap. h5py and h5netcdf are imported only when a
file is written or read.
"""

import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.files import write_whole
from flexarm.results.table import NamedArray
from flexarm.results.xarray_view import attributes

FORMAT = 1
_FORMAT_NAME = "flexarm_format"
_SEAL_MARK = b"flexarm "
_SEAL_SIZE = len(_SEAL_MARK) + 16
_CHUNK_ENTRIES = 2**20


@final
@dataclass(frozen=True, eq=False)
class RunContents:
    """All that a file of a run holds."""

    coordinates: Mapping[str, NamedArray]
    variables: Mapping[str, NamedArray]
    arm_text: str
    info: dict[str, Any]

    @property
    def info_text(self) -> str:
        """The information about the run as JSON."""
        return json.dumps(self.info, ensure_ascii=False, allow_nan=False)


def write_run(contents: RunContents, path: Path) -> None:
    """Write the file under a temporary name next to `path`, then put it in place in one step.

    HDF5 works in memory: on a full disc it would fail in its destructors, where nothing can catch it.
    """
    if path.is_dir():
        raise FlexarmError(f"{path}: is a directory, a run is saved in a file")
    data = _netcdf_bytes(contents)
    write_whole(path, [data, _seal(data)])


def read_run(path: Path) -> RunContents:
    """The contents of a file written by `write_run`; one sentence of FlexarmError for any other file."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise FlexarmError(f"{path}: there is no such file") from None
    except OSError as error:
        raise FlexarmError(f"{path}: cannot be read: {error.strerror}") from error
    if data[-_SEAL_SIZE:] != _seal(memoryview(data)[:-_SEAL_SIZE]):
        if _FORMAT_NAME.encode() in data:
            raise FlexarmError(f"{path}: is a flexarm run that was cut short, damaged or changed since it was saved")
        raise FlexarmError(f"{path}: is not a flexarm run")
    import h5netcdf

    with h5netcdf.File(io.BytesIO(data), "r", decode_vlen_strings=True) as file:
        found = int(file.attrs[_FORMAT_NAME])
        if found != FORMAT:
            raise FlexarmError(f"{path}: holds a run in format {found}, this version of flexarm reads format {FORMAT}")
        return _read_contents(file)


def _netcdf_bytes(contents: RunContents) -> memoryview:
    """The NetCDF4 file of the run."""
    import h5netcdf
    import h5py

    arrays = {**contents.coordinates, **contents.variables}
    buffer = io.BytesIO()
    with h5netcdf.File(buffer, "w") as file:
        # Written first, the attributes are near the start: the rest of a file cut short still identifies it.
        file.attrs.update(
            {
                "Conventions": "CF-1.8",
                "title": str(contents.info.get("name") or "flexarm run"),
                _FORMAT_NAME: FORMAT,
                "flexarm_coordinates": " ".join(contents.coordinates),
                "flexarm_model": contents.arm_text,
                "flexarm_info": contents.info_text,
            }
        )
        file.dimensions = {
            dim: size for array in arrays.values() for dim, size in zip(array.dims, array.values.shape, strict=True)
        }
        for name, array in arrays.items():
            if array.is_text:
                text = array.values.astype(object)
                variable = file.create_variable(name, array.dims, dtype=h5py.string_dtype(), data=text)
            else:
                variable = file.create_variable(
                    name, array.dims, data=array.values, dtype=array.values.dtype, **_storage(array.values)
                )
            variable.attrs.update(attributes(array))
            beside = _auxiliary(array, contents.coordinates) if name in contents.variables else ""
            if beside:
                variable.attrs["coordinates"] = beside
    return buffer.getbuffer()


def _storage(values: np.ndarray) -> dict[str, Any]:
    """HDF5 options: checksums, so that other readers notice a flipped bit too; compression gains too little here."""
    if values.ndim == 0:
        return {}
    rows = max(1, min(values.shape[0], _CHUNK_ENTRIES * values.shape[0] // values.size))
    return {"fletcher32": True, "chunks": (rows, *values.shape[1:])}


def _auxiliary(array: NamedArray, coordinates: Mapping[str, NamedArray]) -> str:
    """The coordinates that describe the array without being named like a dimension, as CF wants them listed."""
    return " ".join(
        name for name, label in coordinates.items() if name != label.dims[0] and label.dims[0] in array.dims
    )


def _read_contents(file: Any) -> RunContents:
    coordinate_names = str(file.attrs["flexarm_coordinates"]).split()
    arrays = {}
    for name, variable in file.variables.items():
        kept = dict(variable.attrs)
        arrays[name] = NamedArray(
            variable.dimensions, variable[...], str(kept.get("units", "")), str(kept.get("long_name", ""))
        )
    return RunContents(
        coordinates={name: arrays.pop(name) for name in coordinate_names},
        variables=arrays,
        arm_text=str(file.attrs["flexarm_model"]),
        info=json.loads(file.attrs["flexarm_info"]),
    )


def _seal(data: memoryview) -> bytes:
    """The bytes that close a file: a mark and the digest of all bytes before them."""
    return _SEAL_MARK + hashlib.blake2b(data, digest_size=_SEAL_SIZE - len(_SEAL_MARK)).digest()
