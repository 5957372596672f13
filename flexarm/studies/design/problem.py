"""A design as numbers: what is to be least and how far each requirement is met, with their derivatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from flexarm.analyses.run.integrate import Settings
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError, FlexarmError
from flexarm.model.reading.messages import quoted
from flexarm.studies.derivatives.asked import Asked
from flexarm.studies.derivatives.directions import Directions
from flexarm.studies.derivatives.outputs import derived_rows
from flexarm.studies.derivatives.runs import derived_run
from flexarm.studies.derivatives.variants import variants_of
from flexarm.studies.design.tables import Varied

# What an arm that cannot be, or whose run fails, is worth in parts of the objective.
_LOST = 1e3


class Judged(NamedTuple):
    """A design: its objective, its margins (limit − number)/limit, ≥ 0 where met, and their slopes by parts of the
    ranges.
    """

    objective: float
    margins: Floats
    slope: Floats  # (n,)
    margin_slopes: Floats  # (requirements, n)
    values: dict[str, float]  # the words of the objective
    numbers: Floats  # of the requirements
    failure: str = ""


@final
@dataclass(eq=False)
class Problem:
    """Judges designs u in [0, 1]ⁿ, parts of the ranges of the free numbers; every design once."""

    directions: Directions
    varied: tuple[Varied, ...]
    weights: Mapping[str, float]
    asked: Asked
    limits: Floats
    settings: Settings
    evaluations: int = 0

    def __post_init__(self) -> None:
        self._known: dict[bytes, Judged] = {}
        self.low = np.array([each.low for each in self.varied])
        self.range = np.array([each.high - each.low or 1.0 for each in self.varied])

    def numbers_at(self, u: Floats) -> Floats:
        """The free numbers (SI) of a design."""
        return np.asarray(self.low + self.range * u)

    def part_of(self, values: Floats) -> Floats:
        """The design with these numbers, within the ranges."""
        return np.clip((values - self.low) / self.range, 0.0, 1.0)

    def __call__(self, u: Floats) -> Judged:
        """The design judged."""
        key = np.ascontiguousarray(u, float).tobytes()
        if key not in self._known:
            self.evaluations += 1
            try:
                self._known[key] = self._judged(u)
            except FlexarmError as error:
                self._known[key] = self._lost(str(error))
        return self._known[key]

    def _judged(self, u: Floats) -> Judged:
        directions = self.directions.at(self.numbers_at(u))
        variants = variants_of(directions)
        plan = self.asked.plan
        count = len(self.limits)
        if plan.names:
            found = derived_rows(variants, derived_run(variants, self.settings, plan.sampled), plan)
            rows = self.asked.rows(found)
            numbers, slopes = found.values[len(plan.columns) :], found.derivatives[len(plan.columns) :]
        else:
            numbers, slopes = np.zeros(0), np.zeros((0, len(u)))
        values: dict[str, float] = {}
        objective, slope = 0.0, np.zeros(len(u))
        asked = iter(range(len(self.asked.words)))
        for word, weight in self.weights.items():
            if word == "mass":
                value, own = variants.mass()
            elif word in directions.places:
                j = directions.places.index(word)
                value, own = float(directions.values[j]), np.eye(len(u))[j]
            else:
                k = next(asked)
                value, own = float(rows.values[k]), rows.derivatives[k]
            values[word] = value
            objective += weight * value
            slope = slope + weight * own
        if not (np.isfinite(objective) and np.all(np.isfinite(numbers))):
            raise AnalysisError("its outputs are no finite numbers")
        margins = (self.limits - numbers) / self.limits
        by_part = np.nan_to_num(slopes.reshape(count, len(u)) * self.range)
        return Judged(
            objective, margins, np.nan_to_num(slope * self.range), -by_part / self.limits[:, None], values, numbers
        )

    def _lost(self, why: str) -> Judged:
        n, count = len(self.varied), len(self.limits)
        worst = max((abs(each.objective) for each in self._known.values() if not each.failure), default=1.0)
        none = np.full(count, np.nan)
        return Judged(_LOST * (worst or 1.0), np.full(count, -_LOST), np.zeros(n), np.zeros((count, n)), {}, none, why)


def limits_of(asked: Asked, names: Sequence[str] = ()) -> Floats:
    """The limits of the requirements; one without a size, or whose number jumps, is refused."""
    found = []
    for check in asked.plan.checks:
        wanted = check.requirement
        if wanted.kind == "settling_time":
            raise AnalysisError(
                f"requirement {quoted(wanted.name)} is on a settling time, which jumps; must be "
                "settled = { by = …, within = … } for a design"
            )
        if not wanted.limit > 0.0:
            raise AnalysisError(f"requirement {quoted(wanted.name)} has the limit {wanted.limit:.6g}, must be > 0")
        found.append(wanted.limit)
    return np.array(found)
