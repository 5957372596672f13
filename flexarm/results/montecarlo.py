"""What a Monte Carlo study found: figures, bands over time, convergence, and the part of each parameter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from flexarm.results.beam_models import reports_beams
from flexarm.results.engineering import aligned, digits, distinguishable, plural, quantity, share
from flexarm.results.stored_samples import StudyResult, ask_studies, page_data

if TYPE_CHECKING:
    from flexarm.studies.store.rows import Rows


def half_width(standard_error: float, count: int) -> float:
    """Half the 95 % interval of a mean of so many samples, by Student's distribution; NaN of fewer than two."""
    return float(ask_studies("store.statistics", "half_width", standard_error, count))


@final
@dataclass(frozen=True)
class Figure:
    """One output over all samples that ran, in its SI unit; `quantiles` by level, 0 the least and 1 the greatest."""

    name: str
    unit: str
    nominal: float
    mean: float
    deviation: float
    count: int
    quantiles: Mapping[float, float]

    @property
    def standard_error(self) -> float:
        """Of the mean, as for independent samples; stratified ones err less."""
        return self.deviation / np.sqrt(self.count) if self.count else float("nan")

    @property
    def variance(self) -> float:
        """The deviation squared."""
        return self.deviation**2


@final
@dataclass(frozen=True, eq=False)
class Band:
    """A signal over time (s): nominal, mean, variance and quantiles by level, each an array over the times."""

    name: str
    unit: str
    times: np.ndarray
    nominal: np.ndarray
    mean: np.ndarray
    variance: np.ndarray
    quantiles: Mapping[float, np.ndarray]


@final
@dataclass(frozen=True)
class Step:
    """Mean and deviation after so many samples, of which `count` ran."""

    samples: int
    mean: float
    deviation: float
    count: int

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        return self.deviation / np.sqrt(self.count)


@final
@dataclass(frozen=True, eq=False)
class Effect:
    """A parameter random alone: its own study, and its part of every output's variance."""

    parameter: str
    alone: MonteCarlo
    shares: Mapping[str, float]


@final
@reports_beams
@dataclass(frozen=True, eq=False, kw_only=True)
class MonteCarlo(StudyResult):
    """The outputs of random samples; SI. `failed` counts samples without outputs by their status."""

    samples: int
    figures: Mapping[str, Figure]
    bands: Mapping[str, Band]
    convergence: Mapping[str, tuple[Step, ...]]
    effects: tuple[Effect, ...] = ()

    def __repr__(self) -> str:
        return f"<MonteCarlo of {self.arm_name}: {plural(self.samples, 'sample')}, {self.failures} failed>"

    def table(self, *columns: str) -> Rows:
        """The rows of the study, all of them: parameters and outputs, or the named columns only."""
        rows = self.stored.table(columns or None)
        return rows if len(rows) == self.samples else rows.some(0, self.samples)

    def scatter(self, *columns: str) -> np.ndarray:
        """Points (samples that ran, columns), by default the last positions of the tip."""
        chosen = columns or tuple(name for name in self.figures if name.startswith(("tip.x@", "tip.y@", "tip.z@")))
        rows = self.table(*chosen)
        return np.column_stack([rows.columns[name][rows.valid] for name in chosen])

    def summary(self) -> str:
        """A readable summary in a few tables of plain text."""
        ran = self.samples - self.failures
        head = f"{self.arm_name}: {plural(self.samples, 'sample')} ({self.method}, seed {self.seed})"
        parts = [head + ("" if ran == self.samples else f", {ran} ran, {self.failures} failed"), *self._failed()]
        parts += ["", self._parameters(), "", self._figures()]
        if self.bands:
            times = next(iter(self.bands.values())).times
            span = f"{plural(len(times), 'time')} from {digits(times[0])} s to {digits(times[-1])} s"
            parts += ["", f"  bands at {span}: {', '.join(self.bands)}"]
        parts += self._converged()
        if self.effects:
            parts += ["", "  part of the variance each parameter has alone", self._shares()]
        return self._joined(parts)

    def found_dict(self) -> dict[str, Any]:
        """What was found, with its units."""
        return {
            "samples": self.samples,
            "outputs": [
                {
                    "name": each.name,
                    "unit": each.unit,
                    "nominal": each.nominal,
                    "mean": each.mean,
                    "variance": each.variance,
                    "deviation": each.deviation,
                    "standard_error": each.standard_error,
                    "half_width": half_width(each.standard_error, each.count),
                    "quantiles": {f"{level:g}": value for level, value in each.quantiles.items()},
                    "convergence": [
                        {"samples": step.samples, "mean": step.mean, "standard_error": step.standard_error}
                        | {"deviation": step.deviation, "half_width": half_width(step.standard_error, step.count)}
                        for step in self.convergence[each.name]
                    ],
                }
                for each in self.figures.values()
            ],
            "bands": [
                {
                    "name": band.name,
                    "unit": band.unit,
                    "times": band.times,
                    "nominal": band.nominal,
                    "mean": band.mean,
                    "variance": band.variance,
                    "quantiles": {f"{level:g}": values for level, values in band.quantiles.items()},
                }
                for band in self.bands.values()
            ],
            "effects": [
                {"parameter": each.parameter, "shares": dict(each.shares), "study": each.alone.to_dict()}
                for each in self.effects
            ],
            "remarks": self.remarks,
        }

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it: `to_dict`, and what it takes to draw samples."""
        columns = [*(name for name, *_ in self.parameters), *self.figures]
        samples = page_data("drawn_samples", self.stored, columns, self.samples)
        return self.to_dict() | samples | page_data("drawn_model", self.stored)

    # --- Tables ------------------------------------------------------------------------------------------------------

    def _failed(self) -> list[str]:
        return [f"  {count} {word}: {self.reasons.get(word, '')}" for word, count in self.failed.items()]

    def _parameters(self) -> str:
        rows = [["random", "mean", "deviation", "law"]]
        for name, unit, mean, deviation, words in self.parameters:
            rows.append([name, quantity(mean, unit, 6), quantity(deviation, unit, 3), words])
        return aligned(rows)

    def _figures(self) -> str:
        levels = sorted({level for each in self.figures.values() for level in each.quantiles} - {0.0, 1.0})
        rows = [["output", "nominal", "mean", "± (95 %)", "deviation", *(f"{100 * level:g} %" for level in levels)]]
        for each in self.figures.values():
            half = half_width(each.standard_error, each.count)
            nominal, mean, *spread = distinguishable(
                [each.nominal, each.mean, *(each.quantiles[level] for level in levels)], each.unit, 5
            )
            error, deviation = quantity(half, each.unit, 2), quantity(each.deviation, each.unit, 3)
            rows.append([each.name, nominal, mean, error, deviation, *spread])
        return aligned(rows, right=range(1, len(rows[0])))

    def _converged(self) -> list[str]:
        """How the mean of the first output came to be what it is."""
        if not self.convergence:
            return []
        name, steps = next(iter(self.convergence.items()))
        unit = self.figures[name].unit
        rows = [["samples", f"mean of {name}", "± (95 %)", "deviation"]]
        for step in steps[-6:]:
            half = quantity(half_width(step.standard_error, step.count), unit, 2)
            rows.append([str(step.samples), quantity(step.mean, unit, 5), half, quantity(step.deviation, unit, 3)])
        return ["", aligned(rows, right=range(4))] if len(rows) > 1 else []

    def _shares(self) -> str:
        names = list(self.figures)[:6]
        rows = [["parameter", *names]]
        for each in self.effects:
            rows.append([each.parameter, *(share(each.shares[name]) for name in names)])
        total = [sum(each.shares[name] for each in self.effects) for name in names]
        rows.append(["together", *(share(value) for value in total)])
        return aligned(rows, right=range(1, len(names) + 1))
