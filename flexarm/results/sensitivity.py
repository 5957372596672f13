"""What a study of sensitivity found: which parameter makes which part of an output's variance."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any, final

import numpy as np

from flexarm.results.beam_models import reports_beams
from flexarm.results.engineering import plural
from flexarm.results.jsonable import jsonable
from flexarm.results.stored_samples import StudyResult, ask_studies, page_data, series_column

if TYPE_CHECKING:
    pass


@final
@dataclass(frozen=True)
class Part:
    """What one parameter has of one output.

    first, total      Sobol' indices: its part of the variance by itself, and with all it does together with others
    ..._interval      95 %
    share             its part as well as it is known: without interaction both indices are the same number
    per_deviation     dY/dx · σ at the nominal arm, in the output's unit
    linear_share      its part of the variance if the response were linear
    mean_square       mean of (dY/dx · σ)² over random points, over the variance: not less than `total` if it is normal
    halving           by which part the output's standard deviation falls if its own is halved
    """

    parameter: str
    first: float
    first_interval: tuple[float, float]
    total: float
    total_interval: tuple[float, float]
    share: float
    per_deviation: float
    linear_share: float
    mean_square: float
    halving: float

    @property
    def interacts(self) -> bool:
        """True if it works together with others beyond doubt: the intervals of both indices are apart."""
        return self.total_interval[0] > self.first_interval[1]

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of its share."""
        return self.first_interval if self.share == self.first else self.total_interval


@final
@dataclass(frozen=True)
class Pair:
    """What two parameters do together beyond what each does by itself: an index of second order, 95 % interval."""

    parameters: tuple[str, str]
    index: float
    interval: tuple[float, float]


@final
@dataclass(frozen=True, eq=False)
class Ranking:
    """One output and what each parameter has of it; SI."""

    output: str
    words: str
    unit: str
    nominal: float
    mean: float
    deviation: float
    linear_deviation: float
    parts: tuple[Part, ...]
    pairs: tuple[Pair, ...] = ()

    @property
    def varies(self) -> bool:
        """True unless no parameter changes it."""
        known = self.deviation if isfinite(self.deviation) else self.linear_deviation
        return known != 0.0

    @property
    def known(self) -> bool:
        """True if samples or the derivatives by all parameters show which matters."""
        return self.sampled or all(isfinite(part.per_deviation) for part in self.parts)

    @property
    def sampled(self) -> bool:
        """True if its indices are known, not only its derivatives."""
        return any(isfinite(part.total) for part in self.parts)

    @cached_property
    def ranked(self) -> tuple[Part, ...]:
        """The parts, the greatest share first; without shares by the size of the derivative."""

        def size(part: Part) -> float:
            known = [value for value in (part.share, abs(part.per_deviation)) if isfinite(value)]
            return known[0] if known else -1.0

        return tuple(sorted(self.parts, key=size, reverse=True))

    @property
    def near_linear(self) -> bool:
        """True if the derivatives account for the deviation within a tenth."""
        return self.sampled and near_linear(self.deviation, self.linear_deviation)

    @property
    def tighten_first(self) -> Part:
        """The parameter whose halved deviation cuts that of the output most."""
        return max(self.ranked, key=lambda part: part.halving if isfinite(part.halving) else -1.0)

    def rivals(self) -> tuple[Part, ...]:
        """Parameters that may as well be the greatest: their intervals reach that of the first."""
        best, *others = self.ranked
        return tuple(part for part in others if part.interval[1] >= best.interval[0])

    def to_dict(self) -> dict[str, Any]:
        """The ranking in JSON's types, the greatest part first."""
        best = self.tighten_first if self.varies and self.known else None
        return jsonable(
            {
                "output": self.output,
                "unit": self.unit,
                "nominal": self.nominal,
                "mean": self.mean,
                "deviation": self.deviation,
                "linear_deviation": self.linear_deviation,
                "near_linear": self.near_linear,
                "tighten_first": None if best is None else best.parameter,
                "halving_cuts": None if best is None else best.halving,
                "parts": [vars(part) for part in self.ranked],
                "pairs": [vars(pair) for pair in self.pairs],
            }
        )


def near_linear(deviation: float, linear_deviation: float) -> bool:
    """True if a deviation is what derivatives make of it, within a tenth."""
    return deviation > 0.0 and abs(linear_deviation / deviation - 1.0) < 0.1


@final
@dataclass(frozen=True, eq=False)
class OverTime:
    """A signal's shares over time (s): arrays (times, p), intervals (times, p, 2); NaN where it does not vary."""

    signal: str
    unit: str
    times: np.ndarray
    deviation: np.ndarray
    first: np.ndarray
    first_interval: np.ndarray
    total: np.ndarray
    total_interval: np.ndarray
    share: np.ndarray
    per_deviation: np.ndarray
    linear_share: np.ndarray

    @property
    def leaders(self) -> np.ndarray:
        """The number of the parameter that leads at each time; -1 where nothing varies."""
        known = np.isfinite(self.share)
        return np.where(known.any(axis=1), np.where(known, self.share, -np.inf).argmax(axis=1), -1)


@final
@reports_beams
@dataclass(frozen=True, eq=False, kw_only=True)
class Sensitivity(StudyResult):
    """Which tolerance matters, for every output; SI.

    `rows` of the design were asked for and `kept_rows` hold no failed sample; a row is one sample of each kind.
    """

    samples: int
    rows: int
    kept_rows: int
    row_width: int
    estimator: str
    step: float
    points: int
    rankings: Mapping[str, Ranking]
    over_time: Mapping[str, OverTime]

    def __repr__(self) -> str:
        return f"<Sensitivity of {self.arm_name}: {plural(self.samples, 'sample')}, {self.failures} failed>"

    def __getitem__(self, output: str) -> Ranking:
        """The ranking of an output, by its column or the word it was asked for; a signal alone is that at its end."""
        if output in self.rankings:
            return self.rankings[output]
        signal, _, when = output.partition("@")
        if when not in ("", "end"):
            return self.rankings[
                series_column(signal, ask_studies("parameters.quantities", "read_quantity", when, "s"))
            ]
        if not when and signal in self.over_time:
            return self.rankings[series_column(signal, float(self.over_time[signal].times[-1]))]
        for name, ranking in self.rankings.items():
            if name.startswith(f"{signal}@") and ranking.words.endswith("at the end"):
                return ranking
        raise KeyError(output)

    @property
    def advice(self) -> str:
        """Which tolerance to tighten first for the first output, in one sentence."""
        from flexarm.results.sensitivity_summary import advice

        return advice(next(iter(self.rankings.values())))

    def summary(self) -> str:
        """A readable summary in plain text: a table with bars and a sentence for every output."""
        from flexarm.results.sensitivity_summary import format_summary

        return format_summary(self)

    def found_dict(self) -> dict[str, Any]:
        """What was found, with its units."""
        from flexarm.results.sensitivity_summary import advice

        names = [name for name, *_ in self.parameters]
        return {
            "samples": self.samples,
            "rows": self.rows,
            "kept_rows": self.kept_rows,
            "estimator": self.estimator,
            "step": self.step,
            "points": self.points,
            "outputs": [each.to_dict() | {"advice": advice(each)} for each in self.rankings.values()],
            "over_time": [
                {
                    "signal": each.signal,
                    "unit": each.unit,
                    "times": each.times,
                    "deviation": each.deviation,
                    "parameters": [
                        {
                            "parameter": name,
                            "first": each.first[:, k],
                            "first_interval": each.first_interval[:, k],
                            "total": each.total[:, k],
                            "total_interval": each.total_interval[:, k],
                            "share": each.share[:, k],
                            "per_deviation": each.per_deviation[:, k],
                            "linear_share": each.linear_share[:, k],
                        }
                        for k, name in enumerate(names)
                    ],
                }
                for each in self.over_time.values()
            ],
            "remarks": self.remarks,
        }

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it: `to_dict`, the model file and the versions."""
        return self.to_dict() | page_data("made_from", self.stored) | page_data("drawn_model", self.stored)

    def indices_csv(self) -> str:
        """The indices of every output, and of signals at every time, as comma-separated values."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        heads = ["first", "first low", "first high", "total", "total low", "total high", "per deviation [SI]"]
        writer.writerow(["output", "time [s]", "parameter", *heads, "linear share"])

        def write(output: str, time: str, parameter: str, values: list[float]) -> None:
            writer.writerow(
                [output, time, parameter, *("" if value != value else repr(float(value)) for value in values)]
            )

        for each in self.rankings.values():
            if each.output.partition("@")[0] in self.over_time and "@" in each.output:
                continue  # stands among the times below
            for part in each.parts:
                ends = [part.first, *part.first_interval, part.total, *part.total_interval]
                write(each.output, "", part.parameter, [*ends, part.per_deviation, part.linear_share])
        for series in self.over_time.values():
            for t, time in enumerate(series.times.tolist()):
                for k, (name, *_) in enumerate(self.parameters):
                    first, total = series.first_interval[t, k].tolist(), series.total_interval[t, k].tolist()
                    ends = [series.first[t, k], *first, series.total[t, k], *total]
                    write(
                        series.signal, repr(time), name, [*ends, series.per_deviation[t, k], series.linear_share[t, k]]
                    )
        return text.getvalue()
