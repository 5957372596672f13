"""What a sweep found: outputs of the arm over one or two keys of its model file."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, final

import numpy as np

from flexarm.results.engineering import aligned, plural, quantity
from flexarm.results.jsonable import jsonable
from flexarm.results.reported import Result, made_from

if TYPE_CHECKING:
    from flexarm.model import Arm


class SweptKey(NamedTuple):
    """A key of the model file, and its values: SI numbers in a unit, or words."""

    name: str
    unit: str
    values: tuple[Any, ...]

    def text(self, k: int) -> str:
        """A value for the reader."""
        value = self.values[k]
        if isinstance(value, float):
            return quantity(value, self.unit)
        return str(value).lower() if isinstance(value, bool) else str(value)

    @property
    def short(self) -> str:
        """The last word of its name."""
        return self.name.rpartition(".")[2]


def where(keys: Sequence[SweptKey], index: int) -> str:
    """What the keys are in an arm, by the last words of their names where these differ."""
    places = np.unravel_index(index, [len(key.values) for key in keys])
    short = len({key.short for key in keys}) == len(keys)
    pairs = zip(keys, places, strict=True)
    return ", ".join(f"{key.short if short else key.name} {key.text(int(k))}" for key, k in pairs)


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Sweep(Result):
    """Outputs of an arm over the values of one or two keys of its model file; SI.

    `outputs` has an array for every output, over the grid of values, and over `times` (s) behind it where the output is
    a signal; NaN where an arm cannot be or its run failed: `failures` has point → its reason.
    """

    arm_name: str
    keys: tuple[SweptKey, ...]
    outputs: Mapping[str, np.ndarray]
    units: Mapping[str, str]
    times: np.ndarray = field(default_factory=lambda: np.zeros(0))
    failures: Mapping[int, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    folder: str | None = None
    arm: Arm | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        keys = " and ".join(key.name for key in self.keys)
        return f"<Sweep of {self.arm_name}: {plural(self.size, 'arm')} over {keys}, {len(self.failures)} failed>"

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each key has."""
        return tuple(len(key.values) for key in self.keys)

    @property
    def size(self) -> int:
        """How many arms there are."""
        return int(np.prod(self.shape))

    @property
    def values(self) -> list[Any]:
        """The value of the key in every arm, or of two keys the pairs; in the order of flattened outputs."""
        if len(self.keys) == 1:
            return list(self.keys[0].values)
        return [[first, second] for first in self.keys[0].values for second in self.keys[1].values]

    def where(self, index: int) -> str:
        """What the keys are in an arm."""
        return where(self.keys, index)

    def summary(self) -> str:
        """The extremes of every output and where they are, in plain text."""
        lines = [f"{self.arm_name}: {plural(self.size, 'arm')}"]
        for key in self.keys:
            lines.append(f"  {key.name}: {key.text(0)} to {key.text(-1)}, {plural(len(key.values), 'value')}")
        heads = ["output", "least", "at", "greatest", "at"]
        rows = [heads]
        for name, values in self.outputs.items():
            if not np.isfinite(values).any():
                continue
            entries: list[str] = []
            for pick in (np.nanargmin, np.nanargmax):
                k = int(pick(values))
                entries += [quantity(float(values.flat[k]), self.units[name]), self.where(k // self._per_arm(name))]
            rows.append([name, *entries])
        lines += ["", aligned(rows, right=(1, 3))] if len(rows) > 1 else []
        if self.size <= 12 and len(self.keys) == 1:
            lines += ["", self._listed()]
        if self.failures:
            first = next(iter(self.failures))
            lines += ["", f"  {plural(len(self.failures), 'arm')} failed; {self.where(first)}: {self.failures[first]}"]
        return "\n".join([*lines, *(f"  beware: {remark}" for remark in self.remarks)])

    def to_dict(self) -> dict[str, Any]:
        """Everything in JSON's types, arm by arm."""
        return jsonable(
            {
                "arm": self.arm_name,
                "swept": [key._asdict() for key in self.keys],
                "values": self.values,
                "outputs": {
                    name: values.reshape(self.size, *values.shape[len(self.shape) :])
                    for name, values in self.outputs.items()
                },
                "units": dict(self.units),
                "signal_times": self.times,
                "failures": [{"arm": k, "reason": reason} for k, reason in self.failures.items()],
                "folder": self.folder,
                "remarks": list(self.remarks),
            }
        )

    def to_csv(self) -> str:
        """A line for every arm, SI units; signals have a column for every time."""
        heads = [f"{key.name} [{key.unit}]" if key.unit else key.name for key in self.keys]
        columns: list[list[Any]] = [list(column) for column in zip(*self._rows(), strict=True)]
        for name, values in self.outputs.items():
            unit = f" [{self.units[name]}]" if self.units[name] else ""
            flat = values.reshape(self.size, -1)
            for k in range(flat.shape[1]):
                heads.append(name + (f"@{self.times[k]:.9g}" if self._per_arm(name) > 1 else "") + unit)
                columns.append(["" if value != value else repr(value) for value in flat[:, k].tolist()])
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([*heads, "failure"])
        columns.append([self.failures.get(k, "") for k in range(self.size)])
        writer.writerows(zip(*columns, strict=True))
        return text.getvalue()

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it: `to_dict` and the model file."""
        return self.to_dict() | made_from(self.arm)

    def _rows(self) -> list[list[Any]]:
        return [[value] for value in self.values] if len(self.keys) == 1 else self.values

    def _by_arm(self, values: np.ndarray) -> np.ndarray:
        return values.reshape(self.size, *values.shape[len(self.shape) :])

    def _per_arm(self, name: str) -> int:
        return self.outputs[name].size // self.size

    def _listed(self) -> str:
        """A line for every arm, of outputs that are one number."""
        single = [name for name in self.outputs if self._per_arm(name) == 1]
        rows = [[self.keys[0].name, *single]]
        for k in range(self.size):
            rows.append([self.keys[0].text(k), *(quantity(float(self.outputs[n][k]), self.units[n]) for n in single)])
        return aligned(rows, right=range(1, len(single) + 1))
