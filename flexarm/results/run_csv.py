"""A run as comma-separated values: every sample, a column for every signal, its name and unit in the heading."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from flexarm.results.catalogue import effort_unit
from flexarm.results.table import NamedArray, labels_of

# Samples made into text at once: a long run is never held in memory as text.
_ROWS = 1000
_EFFORTS = ("joint_torque", "rigid_torque")


def run_csv(coordinates: Mapping[str, NamedArray], variables: Mapping[str, NamedArray]) -> Iterator[str]:
    """The blocks of the file: the heading, then samples; an empty cell is a value that is not known."""
    if "time" not in coordinates:
        return
    time = coordinates["time"].values
    sampled = {name: array for name, array in variables.items() if array.dims[:1] == ("time",)}
    heads = ["time [s]", *(head for name, array in sampled.items() for head in _heads(name, array, coordinates))]
    yield _text([heads])
    for begin in range(0, len(time), _ROWS):
        some = slice(begin, begin + _ROWS)
        parts = [time[some, None], *(array.values[some].reshape(len(time[some]), -1) for array in sampled.values())]
        rows = np.concatenate(parts, axis=1).tolist()
        # repr gives back every bit; a value differs from itself where it is NaN
        yield _text([["" if value != value else repr(value) for value in row] for row in rows])


def _heads(name: str, array: NamedArray, coordinates: Mapping[str, NamedArray]) -> Iterator[str]:
    """The names of an array's columns: what, of which joint, point or station, along which axis, in which unit."""
    labels = [labels_of(coordinates, dim) for dim in array.dims[1:]]
    for place in product(*(range(len(each)) for each in labels)):
        words = [
            *([] if name == "signals" else [name]),
            *(each[index] for each, index in zip(labels, place, strict=True)),
        ]
        unit = _unit(name, array, coordinates, place[0] if place else 0)
        yield " ".join(words) + (f" [{unit}]" if unit else "")


def _unit(name: str, array: NamedArray, coordinates: Mapping[str, NamedArray], index: int) -> str:
    """The unit of one column; where joints or coordinates turn and slide, each has its own."""
    dim = array.dims[1] if len(array.dims) > 1 else ""
    units = labels_of(coordinates, f"{dim}_unit")
    if name == "signals":
        return units[index]
    if array.unit or not units or name == "point_orientation":
        return array.unit
    if name in _EFFORTS:
        return effort_unit(units[index])
    return units[index] + ("/s²" if name.endswith("_acceleration") else "/s" if name.endswith("_velocity") else "")


def _text(rows: list[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
