"""Measured records: columns of a CSV file, each a signal with its unit, over time."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import final

import numpy as np

from flexarm.errors import FlexarmError

_HEAD = re.compile(r"(.*?)\s*(?:\[([^\]]*)\]|\(([^)]*)\))?\s*")


@final
@dataclass(frozen=True, eq=False)
class Measured:
    """A record: times (s), and columns by the names of their headings, in the units given there turned into SI."""

    name: str
    time: np.ndarray
    columns: Mapping[str, np.ndarray]
    units: Mapping[str, str]


def read_measured(path: str | os.PathLike[str]) -> Measured:
    """The record in a CSV file whose first line names the columns, "time [s],tip.across [mm]"; cells may be empty."""
    from flexarm.model.reading.units import UnitError, read_unit

    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise FlexarmError(f"{path}: cannot be read: {reason.lower()}") from None
    rows = [row for row in csv.reader(text.splitlines()) if any(cell.strip() for cell in row)]
    if len(rows) < 2:
        raise FlexarmError(f"{path}: holds no samples, must have a line of headings and lines of numbers")
    heads = []
    for cell in rows[0]:
        match = _HEAD.fullmatch(cell.strip())
        assert match is not None
        heads.append((match[1], (match[2] or match[3] or "").strip()))
    values = np.full((len(rows) - 1, len(heads)), np.nan)
    for i, row in enumerate(rows[1:]):
        if len(row) != len(heads):
            raise FlexarmError(f"{path}: line {i + 2} has {len(row)} cells, must have {len(heads)} as the headings")
        for k, cell in enumerate(row):
            try:
                values[i, k] = float(cell) if cell.strip() else np.nan
            except ValueError:
                raise FlexarmError(f'{path}: line {i + 2} has "{cell[:40]}", must be a number') from None
    units = {}
    for k, (name, unit) in enumerate(heads):
        try:
            read = read_unit(unit) if unit else None
        except UnitError as reason:
            raise FlexarmError(f'{path}: the column "{name}" is in [{unit}], which {reason}') from None
        if read is not None:
            values[:, k] *= float(read.ratio) * np.pi**read.pi
        units[name] = _si(unit)
    names = [name for name, _ in heads]
    if "time" not in names and "t" not in names:
        raise FlexarmError(f"{path}: there is no column time, must be one such as time [s]")
    at = names.index("time" if "time" in names else "t")
    columns = {name: values[:, k] for k, name in enumerate(names) if k != at}
    return Measured(Path(path).name, values[:, at], columns, units)


def _si(unit: str) -> str:
    """The SI unit a unit was turned into, as far as pages need its name."""
    from flexarm.model.reading.units import read_unit

    if not unit:
        return ""
    known = ("m", "rad", "s", "m/s", "rad/s", "m/s²", "rad/s²", "N m", "N", "Pa", "J", "Hz")
    wanted = read_unit(unit).dimension
    return next((each for each in known if read_unit(each).dimension == wanted), "")
