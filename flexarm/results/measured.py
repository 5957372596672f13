"""Measured records: columns over time, each a signal with its unit."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import final

import numpy as np

from flexarm.errors import FlexarmError


@final
@dataclass(frozen=True, eq=False)
class Measured:
    """A record: times (s), and columns by the names of their headings, in the units given there turned into SI.

    Samples that are missing are NaN.
    """

    name: str
    time: np.ndarray
    columns: Mapping[str, np.ndarray]
    units: Mapping[str, str]

    def __repr__(self) -> str:
        return f"<Measured {self.name}: {len(self.time)} samples of {', '.join(self.columns)}>"

    def __getitem__(self, name: str) -> np.ndarray:
        """A column by its name, SI."""
        if name not in self.columns:
            raise FlexarmError(f"{self.name}: there is no column {name}, must be {' or '.join(self.columns)}")
        return self.columns[name]

    @property
    def interval(self) -> float:
        """The usual time (s) between two samples."""
        return float(np.median(np.diff(self.time)))

    def renamed(self, names: Mapping[str, str]) -> Measured:
        """The record with columns under other names.

        Parameters
        ----------
        names
            Old name → new name, such as {"hub_angle_rad": "hub.position"}.
        """
        for name in names:
            self[name]
        return replace(
            self,
            columns={names.get(name, name): values for name, values in self.columns.items()},
            units={names.get(name, name): unit for name, unit in self.units.items()},
        )

    def shifted(self, time: float) -> Measured:
        """The record later by a time (s).

        Parameters
        ----------
        time
            s; negative for earlier.
        """
        return replace(self, time=self.time + time)

    def resampled(self, interval: float) -> Measured:
        """The record on an even grid: straight lines between its samples; missing ones stay missing.

        Parameters
        ----------
        interval
            Time (s) between two samples.
        """
        count = int(np.floor((self.time[-1] - self.time[0]) / interval + 1e-9)) + 1
        times = self.time[0] + interval * np.arange(count)
        return replace(self, time=times, columns={name: self.at(name, times) for name in self.columns})

    def at(self, name: str, times: np.ndarray) -> np.ndarray:
        """A column at any times (s), straight lines between its samples; NaN where one next to it is missing.

        Parameters
        ----------
        name
            Of the column.
        times
            s.
        """
        found: np.ndarray = np.interp(times, self.time, self[name])
        return found

    def cut(self, begin: float | None = None, end: float | None = None) -> Measured:
        """The part of the record between two times, which then begins at zero.

        Parameters
        ----------
        begin, end
            s; default: those of the record.
        """
        keep = (self.time >= (-np.inf if begin is None else begin)) & (self.time <= (np.inf if end is None else end))
        if not keep.any():
            raise FlexarmError(f"{self.name}: holds no samples between {begin} s and {end} s")
        columns = {name: values[keep] for name, values in self.columns.items()}
        return replace(self, time=self.time[keep] - self.time[keep][0], columns=columns)


def read_measured(path: str | os.PathLike[str]) -> Measured:
    """The record in a CSV file whose first line names the columns, "time [s],tip.across [mm]"; cells may be empty."""
    from flexarm.results.record_tables import csv_columns, si_record

    heads, values = csv_columns(Path(path))
    return si_record(Path(path).name, str(path), heads, values)
