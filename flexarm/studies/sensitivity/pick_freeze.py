"""The design of a sensitivity study: neighbours of the nominal arm for derivatives, and pick-freeze rows for indices.

Samples are numbered so that a study can be given more of them later:

    first neighbours, two for every parameter of every point, one below and one above; point 0 is the nominal arm
    then rows: A, B, and for each parameter A with that one taken from B; with pairs also B with that one taken from A

A and B are independent. This is the design of Saltelli (Comput. Phys. Commun. 145, 2002).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model.reading.messages import shown
from flexarm.studies.parameters.dependence import Dependence
from flexarm.studies.parameters.quantities import whole_number
from flexarm.studies.parameters.study_model import StudyModel
from flexarm.studies.sampling.schemes import Sampler

# A variance cannot be estimated from fewer rows.
FEWEST_ROWS = 8


@final
@dataclass(frozen=True, eq=False)
class PickFreeze:
    """Pick-freeze rows of a model's samples, preceded by the neighbours of its nominal arm and of `points` random arms.

    Neighbours lie `step` standard deviations to either side, or at the end of a parameter's range if that is nearer.
    """

    model: StudyModel
    rows: int
    seed: int = 1
    method: str = "sobol"
    pairs: bool = False
    step: float = 0.1
    points: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", whole_number("points", self.points, 0))
        object.__setattr__(self, "seed", whole_number("seed", self.seed, 0))
        if not isinstance(self.step, int | float) or not 1e-6 <= self.step <= 3.0:
            raise AnalysisError(f"difference is {shown(self.step)}, must be from 1e-6 to 3 standard deviations")

    @property
    def parameters(self) -> int:
        """How many parameters are random."""
        return len(self.model.parameters)

    @property
    def width(self) -> int:
        """How many samples a row has."""
        return row_width(self.parameters, pairs=self.pairs)

    @property
    def neighbours(self) -> int:
        """How many samples precede the rows."""
        return 2 * self.parameters * (1 + self.points)

    @property
    def samples(self) -> int:
        """How many samples there are in all."""
        return self.neighbours + self.rows * self.width

    @property
    def description(self) -> Mapping[str, Any]:
        """What determines the samples apart from seed and method."""
        return {"kind": "exchange", "pairs": self.pairs, "step": float(self.step), "points": self.points}

    def draw(self, begin: int, end: int) -> Floats:
        """The parameters (end - begin, p) of samples begin … end - 1, SI; each a function of seed and index alone."""
        border = min(max(self.neighbours, begin), end)
        found = [self._neighbour(k) for k in range(begin, border)]
        beside = np.array(found).reshape(-1, self.parameters)
        if border == end:
            return beside
        return np.concatenate([beside, self._pick_freeze_rows(border - self.neighbours, end - self.neighbours)])

    def _pick_freeze_rows(self, begin: int, end: int) -> Floats:
        p, width = self.parameters, self.width
        first, last = begin // width, (end - 1) // width + 1
        drawn = self._pairs(first, last)
        rows = np.repeat(drawn[:, None, :p], width, axis=1)
        other = drawn[:, p:]
        rows[:, 1] = other
        for i in range(p):
            rows[:, 2 + i, i] = other[:, i]
            if width > p + 2:
                rows[:, 2 + p + i] = other
                rows[:, 2 + p + i, i] = drawn[:, i]
        return rows.reshape(-1, p)[begin - first * width : end - first * width]

    def _pairs(self, first: int, last: int) -> Floats:
        """A and B side by side (rows, 2 p)."""
        probabilities, _ = self._sampler.draw(self.seed, first, last, self.method, self.rows)
        laws = [parameter.law for parameter in self.model.parameters] * 2
        return np.column_stack([law.quantiles(probabilities[:, j]) for j, law in enumerate(laws)])

    @cached_property
    def _sampler(self) -> Sampler:
        names = tuple(f"{letter}:{name}" for letter in "AB" for name in self.model.names)
        alone = np.eye(len(names))
        return Sampler(names, Dependence(alone, alone))

    # --- Neighbours --------------------------------------------------------------------------------------------------

    def _neighbour(self, index: int) -> Floats:
        which, side = divmod(index, 2)
        point, i = divmod(which, self.parameters)
        values = self.centres[point].copy()
        parameter = self.model.parameters[i]
        away = self.step * parameter.deviation
        values[i] = np.clip(values[i] + (away if side else -away), *self._ranges[i])
        return values

    @cached_property
    def centres(self) -> Floats:
        """The points (1 + points, p) whose neighbours are drawn."""
        means = np.array([[parameter.mean for parameter in self.model.parameters]])
        if not self.points:
            return means
        names = tuple(f"derivative:{name}" for name in self.model.names)
        sampler = Sampler(names, self.model.dependence)
        probabilities, _ = sampler.draw(self.seed, 0, self.points, "plain", None)
        columns = [p.law.quantiles(probabilities[:, j]) for j, p in enumerate(self.model.parameters)]
        return np.concatenate([means, np.column_stack(columns)])

    @cached_property
    def _ranges(self) -> list[tuple[float, float]]:
        found = []
        for parameter in self.model.parameters:
            within = parameter.law.distribution.getRange()
            low = within.getLowerBound()[0] if within.getFiniteLowerBound()[0] else -np.inf
            high = within.getUpperBound()[0] if within.getFiniteUpperBound()[0] else np.inf
            found.append((low, high))
        return found


def row_width(parameters: int, *, pairs: bool) -> int:
    """How many samples a row has; with two parameters the pair needs no samples of its own."""
    return 2 + parameters * (2 if pairs and parameters > 2 else 1)


def rows_within(samples: int, parameters: int, *, pairs: bool) -> int:
    """How many complete rows the samples make; 0 for 0 samples."""
    samples = whole_number("samples", samples, 0)
    width = row_width(parameters, pairs=pairs)
    if 0 < samples < FEWEST_ROWS * width:
        raise AnalysisError(
            f"samples is {samples}, must be at least {FEWEST_ROWS * width}, {FEWEST_ROWS} rows of {width}, "
            "or 0 for the derivatives alone"
        )
    return samples // width
