"""Columns with headings, as files have them: names and units apart, numbers in SI units."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.results.measured import Measured

_HEAD = re.compile(r"(.*?)\s*(?:\[([^\]]*)\]|\(([^)]*)\))?\s*")
_TIMES = ("time", "t")
# Units that are taken for one where they end the name of a column: time_s, hub_angle_rad.
_SUFFIXES = ("s", "ms", "us", "rad", "mrad", "deg", "m", "mm", "um", "A", "mA", "V", "mV", "N", "Nm", "Hz", "g0")
_SI = ("m", "rad", "s", "m/s", "rad/s", "m/s²", "rad/s²", "N m", "N", "Pa", "J", "Hz", "A", "V", "N m/A")


def csv_columns(path: Path) -> tuple[list[str], np.ndarray]:
    """Headings and numbers (samples, columns) of a file of lines, with commas, semicolons or tabs between cells.

    Cells may be empty. A file without headings has none.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise FlexarmError(f"{path}: cannot be read: {reason.lower()}") from None
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    mark = next((mark for mark in (",", ";", "\t") if mark in first), ",")
    spaced = mark == "\t" or mark not in first
    rows = [
        (number, line.split() if spaced and "[" not in line else next(csv.reader([line], delimiter=mark)))
        for number, line in enumerate(lines, start=1)
        if line.strip(f"{mark} \t")
    ]
    heads = [] if rows and all(_is_number(cell) for cell in rows[0][1]) else rows[0][1] if rows else []
    body = rows[1:] if heads else rows
    if not body:
        raise FlexarmError(f"{path}: holds no samples, must have a line of headings and lines of numbers")
    width = len(heads) or len(body[0][1])
    values = np.full((len(body), width), np.nan)
    for i, (number, row) in enumerate(body):
        if len(row) != width:
            raise FlexarmError(f"{path}: line {number} has {len(row)} cells, must have {width} as the headings")
        for k, cell in enumerate(row):
            try:
                values[i, k] = float(cell) if cell.strip() else np.nan
            except ValueError:
                raise FlexarmError(f'{path}: line {number} has "{cell[:40]}", must be a number') from None
    return [head.strip() for head in heads], values


def si_record(name: str, source: str, heads: Sequence[str], values: np.ndarray) -> Measured:
    """The record of columns with these headings, in SI units; one of them must be the time."""
    from flexarm.model.reading.units import UnitError, read_unit

    names, units = [], {}
    values = np.array(values, dtype=float)
    for k, head in enumerate(heads):
        column, unit = _parted(head)
        try:
            read = read_unit(unit) if unit else None
        except UnitError as reason:
            raise FlexarmError(f'{source}: the column "{column}" is in [{unit}], which {reason}') from None
        if read is not None:
            values[:, k] *= float(read.ratio) * np.pi**read.pi
        names.append(column)
        units[column] = _si(unit)
    at = next((k for k, column in enumerate(names) if column in _TIMES), None)
    if at is None:
        at = next((k for k, column in enumerate(names) if column.rpartition("_")[0] in _TIMES), None)
    if at is None:
        raise FlexarmError(f"{source}: there is no column time, must be one such as time [s]")
    columns = {column: values[:, k] for k, column in enumerate(names) if k != at}
    return Measured(name, values[:, at], columns, {column: units[column] for column in columns})


def _parted(head: str) -> tuple[str, str]:
    """The name of a column and its unit: in brackets behind it, or behind its last underscore."""
    match = _HEAD.fullmatch(head.strip())
    assert match is not None
    name, unit = match[1], (match[2] or match[3] or "").strip()
    last = name.rpartition("_")[2]
    return (name, last) if not unit and "_" in name and last in _SUFFIXES else (name, unit)


def _si(unit: str) -> str:
    """The SI unit a unit was turned into, as far as its name is known."""
    from flexarm.model.reading.units import read_unit

    if not unit:
        return ""
    wanted = read_unit(unit).dimension
    return next((each for each in _SI if read_unit(each).dimension == wanted), "")


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
