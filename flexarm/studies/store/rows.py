"""Rows of a study's table: samples in order, a column for every number, and each sample's status."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import final

import numpy as np

from flexarm.core.tree.types import Floats

OK = "ok"


@final
@dataclass(frozen=True, eq=False)
class Rows:
    """Samples `begin` … `end` − 1: columns of parameters and outputs (SI), and status and reason of each sample.

    The outputs of a sample whose status is not "ok" are NaN.
    """

    begin: int
    columns: Mapping[str, Floats]
    status: Sequence[str]
    reason: Sequence[str]

    @property
    def end(self) -> int:
        """One more than the number of the last sample."""
        return self.begin + len(self.status)

    @cached_property
    def all_valid(self) -> bool:
        """True if every sample ran to its end."""
        return self.status.count(OK) == len(self.status)

    @cached_property
    def valid(self) -> np.ndarray:
        """True for the samples that ran to their end."""
        if self.all_valid:
            return np.ones(len(self.status), dtype=bool)
        return np.fromiter(map(OK.__eq__, self.status), bool, len(self.status))

    def failures(self) -> Iterator[tuple[str, str]]:
        """Status and reason of the samples that did not, in order."""
        if not self.all_valid:
            for k in np.flatnonzero(~self.valid).tolist():
                yield self.status[k], self.reason[k]

    def __len__(self) -> int:
        return len(self.status)

    def some(self, first: int, last: int) -> Rows:
        """The rows from position `first` to before `last`."""
        columns = {name: values[first:last] for name, values in self.columns.items()}
        return Rows(self.begin + first, columns, self.status[first:last], self.reason[first:last])

    def same_bits(self, other: Rows) -> bool:
        """True if both hold the same samples to the last bit; a NaN equals itself here."""
        return (
            (self.begin, self.end) == (other.begin, other.end)
            and list(self.columns) == list(other.columns)
            and all(self.columns[name].tobytes() == other.columns[name].tobytes() for name in self.columns)
            and list(self.status) == list(other.status)
            and list(self.reason) == list(other.reason)
        )

    @staticmethod
    def joined(parts: Sequence[Rows]) -> Rows:
        """Consecutive rows, joined."""
        if not parts:
            return Rows(0, {}, [], [])
        if len(parts) == 1:
            return parts[0]
        for before, after in pairwise(parts):
            if before.end != after.begin:
                raise ValueError(f"samples {before.end} to {after.begin - 1} are missing")
        columns = {name: np.concatenate([part.columns[name] for part in parts]) for name in parts[0].columns}
        status = [word for part in parts for word in part.status]
        return Rows(parts[0].begin, columns, status, [text for part in parts for text in part.reason])
