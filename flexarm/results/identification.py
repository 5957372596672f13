"""What records say of an arm: numbers with intervals, what they explain, what they cannot tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

import numpy as np

from flexarm.results.engineering import aligned, digits, percent, plural
from flexarm.results.jsonable import jsonable
from flexarm.results.reported import Result, made_from

if TYPE_CHECKING:
    from flexarm.model import Arm


@final
@dataclass(frozen=True)
class Found:
    """A number that was found: its value with a 95 % interval, where it stood before; SI."""

    name: str
    unit: str
    value: float
    interval: tuple[float, float]
    start: float
    deviation: float
    at_bound: bool = False


@final
@dataclass(frozen=True, eq=False)
class Explained:
    """What the model explains of a record: the share of each output's variance, and how white what is left is.

    Arrays are at the times (s) at which both were compared, SI.
    """

    record: str
    experiment: str
    held_out: bool
    shares: Mapping[str, float]
    outside: Mapping[str, float]
    memory: Mapping[str, float]
    time: np.ndarray = field(repr=False)
    measured: Mapping[str, np.ndarray] = field(repr=False)
    predicted: Mapping[str, np.ndarray] = field(repr=False)
    units: Mapping[str, str] = field(repr=False)

    @property
    def share(self) -> float:
        """The mean share of its outputs."""
        return float(np.mean(list(self.shares.values())))


@final
@dataclass(frozen=True, eq=False)
class Identification(Result):
    """Numbers of an arm identified from records, SI; `fitted` is the arm's model file with them."""

    arm_name: str
    found: tuple[Found, ...]
    records: tuple[Explained, ...]
    confounded: tuple[str, ...]
    correlation: np.ndarray = field(repr=False)
    loss: str = "linear"
    tries: int = 0
    converged: bool = True
    remarks: tuple[str, ...] = ()
    fitted: str = field(default="", repr=False)
    posterior: str = field(default="", repr=False)
    arm: Arm | None = field(default=None, repr=False)

    def __getitem__(self, name: str) -> Found:
        """A number by its name."""
        return next(each for each in self.found if each.name == name)

    @property
    def values(self) -> dict[str, float]:
        """The numbers by name, SI."""
        return {each.name: each.value for each in self.found}

    def explained(self, *, held_out: bool = False) -> list[float]:
        """The share of the variance explained, record by record: of those fitted, or of those held out."""
        return [each.share for each in self.records if each.held_out == held_out]

    def summary(self) -> str:
        """What was found, in plain text."""
        heads = ["", "value", "95 % interval", "before"]
        rows = [
            [
                each.name,
                _shown(each.value, each.unit),
                f"{digits(each.interval[0], 4)} … {digits(each.interval[1], 4)}",
                _shown(each.start, each.unit),
            ]
            for each in self.found
        ]
        lines = [
            f"{self.arm_name}: {plural(len(self.found), 'number')} from "
            f"{plural(sum(not each.held_out for each in self.records), 'record')}",
            "",
            aligned([heads, *rows], right=(1, 2, 3)),
            "",
        ]
        for each in self.records:
            words = "held out" if each.held_out else "fitted"
            shares = ", ".join(f"{name} {percent(share, 2)}" for name, share in each.shares.items())
            lines.append(f"  {each.record} ({words}): explained {shares}")
        coloured = [name for each in self.records for name, part in each.outside.items() if part > 0.15]
        if coloured:
            longest = max(max(each.memory.values()) for each in self.records)
            lines.append(
                f"  what is left is not white (it remembers up to {digits(longest, 2)} s): the intervals allow for that"
            )
        lines += [f"  {sentence}" for sentence in self.confounded]
        lines += [f"  beware: {remark}" for remark in self.remarks]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """What was found in JSON's types, SI units."""
        return jsonable(
            {
                "arm": self.arm_name,
                "parameters": {
                    each.name: {
                        "value": each.value,
                        "interval": list(each.interval),
                        "unit": each.unit,
                        "start": each.start,
                        "deviation": each.deviation,
                        "at_bound": each.at_bound,
                    }
                    for each in self.found
                },
                "explained": {"fit": self.explained(), "held_out": self.explained(held_out=True)},
                "confounded": list(self.confounded),
                "records": [
                    {
                        "record": each.record,
                        "experiment": each.experiment,
                        "held_out": each.held_out,
                        "outputs": {
                            name: {
                                "explained": share,
                                "white": each.outside[name] <= 0.15,
                                "autocorrelations_outside": each.outside[name],
                                "memory_s": each.memory[name],
                            }
                            for name, share in each.shares.items()
                        },
                    }
                    for each in self.records
                ],
                "correlation": self.correlation.tolist(),
                "loss": self.loss,
                "evaluations": self.tries,
                "converged": self.converged,
                "remarks": list(self.remarks),
            }
        )

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it."""
        series = [
            {
                "time": each.time.tolist(),
                "measured": {name: values.tolist() for name, values in each.measured.items()},
                "predicted": {name: values.tolist() for name, values in each.predicted.items()},
                "units": dict(each.units),
            }
            for each in self.records
        ]
        return self.to_dict() | {"series": jsonable(series), "fitted": self.fitted} | made_from(self.arm)


def _shown(value: float, unit: str) -> str:
    return f"{digits(value, 5)} {unit}".strip()
