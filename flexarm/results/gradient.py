"""What derivatives found: outputs of a run by numbers of its model file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

import numpy as np

from flexarm.results.engineering import aligned, digits, quantity
from flexarm.results.jsonable import jsonable
from flexarm.results.reported import Result, made_from

if TYPE_CHECKING:
    from flexarm.model import Arm

PART = 0.01


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Gradient(Result):
    """Outputs of a run and their exact derivatives by numbers of the model file; SI.

    `derivative` is NaN where there is none: `remarks` has why.
    """

    arm_name: str
    of: tuple[str, ...]
    by: tuple[str, ...]
    units: tuple[str, ...]  # of the outputs
    by_units: tuple[str, ...]
    by_values: np.ndarray  # (by,)
    value: np.ndarray  # (of,)
    derivative: np.ndarray  # (of, by)
    error: np.ndarray  # (of, by) estimated, of the derivatives
    remarks: tuple[str, ...] = ()
    info: Mapping[str, Any] = field(default_factory=dict, repr=False)
    arm: Arm | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        return f"<Gradient {self.arm_name!r}: {len(self.of)} outputs by {len(self.by)} numbers>"

    def by_part(self) -> np.ndarray:
        """How much each output changes if a number grows by one per cent of its size, or by 0.01 in SI units where it
        is zero (of, by).
        """
        size = np.where(self.by_values == 0.0, 1.0, np.abs(self.by_values))
        return np.asarray(self.derivative * PART * size)

    def rows(self, k: int) -> list[list[str]]:
        """Rows of texts for an output: a number, its value, the derivative, its error, and what one per cent does."""
        change = self.by_part()[k]
        found = []
        for j, name in enumerate(self.by):
            own = quantity(float(self.by_values[j]), self.by_units[j])
            slope, error = self.derivative[k, j], self.error[k, j]
            if not np.isfinite(slope):
                found.append([name, own, "none", "", ""])
                continue
            unit = derivative_unit(self.units[k], self.by_units[j])
            effect = quantity(float(change[j]), self.units[k], 3)
            found.append(
                [name, own, f"{digits(float(slope), 6)} {unit}".strip(), f"±{digits(float(error), 1)}", effect]
            )
        return found

    def summary(self) -> str:
        """The derivatives in plain text."""
        lines = [f"{self.arm_name}: derivatives of the run by {len(self.by)} numbers of the model"]
        for k, word in enumerate(self.of):
            heads = [f"{word} = {quantity(float(self.value[k]), self.units[k])}", "is", "derivative", "", "of 1 % more"]
            lines += ["", aligned([heads, *self.rows(k)], right=(1, 2, 3, 4))]
        return "\n".join([*lines, *(f"  beware: {remark}" for remark in self.remarks)])

    def to_dict(self) -> dict[str, Any]:
        """The derivatives in JSON's types, SI units."""
        return jsonable(
            {
                "arm": self.arm_name,
                "of": list(self.of),
                "by": list(self.by),
                "units": list(self.units),
                "by_units": list(self.by_units),
                "by_values": self.by_values,
                "value": self.value,
                "derivative": self.derivative,
                "derivative_error": self.error,
                "remarks": list(self.remarks),
                **self.info,
            }
        )

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it."""
        return self.to_dict() | made_from(self.arm)


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Jacobian(Result):
    """Signals of a run over time and their exact derivatives by numbers of the model file; SI."""

    arm_name: str
    of: tuple[str, ...]
    by: tuple[str, ...]
    units: tuple[str, ...]
    by_units: tuple[str, ...]
    by_values: np.ndarray  # (by,)
    time: np.ndarray  # (m,)
    value: np.ndarray  # (m, of)
    derivative: np.ndarray  # (m, of, by)
    error: np.ndarray  # (m, of, by) estimated, of the derivatives
    info: Mapping[str, Any] = field(default_factory=dict, repr=False)
    arm: Arm | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        return f"<Jacobian {self.arm_name!r}: {len(self.of)} signals by {len(self.by)} numbers, {len(self.time)} times>"

    def summary(self) -> str:
        """The largest derivatives in plain text."""
        rows = [["signal", "by", "largest derivative", "at"]]
        for k, word in enumerate(self.of):
            for j, name in enumerate(self.by):
                when = int(np.argmax(np.abs(self.derivative[:, k, j])))
                unit = derivative_unit(self.units[k], self.by_units[j])
                slope = f"{digits(float(self.derivative[when, k, j]), 6)} {unit}".strip()
                rows.append([word, name, slope, quantity(float(self.time[when]), "s")])
        head = (
            f"{self.arm_name}: {len(self.of)} signals at {len(self.time)} times by {len(self.by)} numbers of the model"
        )
        return f"{head}\n\n{aligned(rows, right=(2, 3))}"

    def to_dict(self) -> dict[str, Any]:
        """The derivatives in JSON's types, SI units."""
        return jsonable(
            {
                "arm": self.arm_name,
                "of": list(self.of),
                "by": list(self.by),
                "units": list(self.units),
                "by_units": list(self.by_units),
                "by_values": self.by_values,
                "time_s": self.time,
                "signals": self.value,
                "signal_derivatives": self.derivative,
                "signal_derivative_errors": self.error,
                **self.info,
            }
        )

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it."""
        return self.to_dict() | made_from(self.arm)


def derivative_unit(unit: str, by: str) -> str:
    """The unit of a derivative: m/(N m²)."""
    if not by:
        return unit
    below = f"({by})" if " " in by or "/" in by else by
    return f"{unit or '1'}/{below}"
