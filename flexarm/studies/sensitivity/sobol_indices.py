"""Sobol' indices of one output from the rows of a pick-freeze design, estimated by OpenTURNS, with 95 % intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model.reading.messages import either, meant, shown
from flexarm.studies.sampling.streams import uniforms

ESTIMATORS = {
    "martinez": "MartinezSensitivityAlgorithm",
    "saltelli": "SaltelliSensitivityAlgorithm",
    "jansen": "JansenSensitivityAlgorithm",
    "mauntz-kucherenko": "MauntzKucherenkoSensitivityAlgorithm",
}
# How often rows are drawn anew for the intervals of pairs: their width is then known to a tenth.
_DRAWN_ANEW = 64
# An output that changes by less than this part of its size is rounding, whose shares mean nothing.
ROUNDING = 1e-12


@final
@dataclass(frozen=True, eq=False)
class Indices:
    """First and total indices (p,) with the ends of their intervals (p, 2).

    All are NaN if the output does not vary or too few rows are left.
    """

    first: Floats
    first_interval: Floats
    total: Floats
    total_interval: Floats

    @property
    def interacting(self) -> np.ndarray:
        """True for parameters that certainly interact: the intervals of their two indices do not overlap."""
        return np.asarray(self.total_interval[:, 0] > self.first_interval[:, 1])

    @property
    def sharper(self) -> Floats:
        """The part of the variance (p,): the total index of those that interact, else the better known of the two.

        Without interaction both are the same number; the first is the better known where it is large.
        """
        first, total = (np.ptp(ends, axis=1) for ends in (self.first_interval, self.total_interval))
        return np.where(~self.interacting & (first < total), self.first, self.total)

    @staticmethod
    def unknown(parameters: int) -> Indices:
        """Indices that are unknown (NaN) for every parameter."""
        one, two = np.full(parameters, np.nan), np.full((parameters, 2), np.nan)
        return Indices(one, two, one, two)


def check_estimator(word: str) -> None:
    """Refuse an unknown estimator."""
    if word not in ESTIMATORS:
        raise AnalysisError(f"estimator is {shown(word)}, must be {either(ESTIMATORS)}{meant(word, tuple(ESTIMATORS))}")


def varies(values: Floats) -> bool:
    """True if the values differ by more than rounding."""
    return bool(len(values) and np.ptp(values) > ROUNDING * np.max(np.abs(values)))


def sobol_indices(outputs: Floats, parameters: int, estimator: str = "martinez") -> Indices:
    """The indices of one output (rows, samples of a row), each row in the order A, B, A with each parameter from B.

    Intervals are those of the estimators' normal limits for independent rows: OpenTURNS' other way, the bootstrap,
    gives total indices of Martinez and Saltelli intervals several times too wide.
    """
    if len(outputs) < 2 or not varies(outputs[:, :2]):
        return Indices.unknown(parameters)
    if parameters == 1:
        # a single parameter causes all of the variance
        return Indices(np.ones(1), np.ones((1, 2)), np.ones(1), np.ones((1, 2)))
    algorithm = _algorithm(outputs[:, : parameters + 2], parameters, estimator)
    algorithm.setUseAsymptoticDistribution(True)
    algorithm.setConfidenceLevel(0.95)
    first, total = algorithm.getFirstOrderIndicesInterval(), algorithm.getTotalOrderIndicesInterval()
    return Indices(
        np.array(algorithm.getFirstOrderIndices()),
        np.column_stack([first.getLowerBound(), first.getUpperBound()]),
        np.array(algorithm.getTotalOrderIndices()),
        np.column_stack([total.getLowerBound(), total.getUpperBound()]),
    )


def pair_indices(outputs: Floats, parameters: int, estimator: str, seed: int) -> tuple[Floats, Floats] | None:
    """Indices of second order (p, p) and the half widths of their 95 % intervals; None if there are none.

    OpenTURNS knows no intervals for them: these are 1.96 deviations of the index over rows drawn anew.
    """
    rows = len(outputs)
    if rows < 2 or parameters < 2 or not varies(outputs[:, :2]):
        return None
    found = np.array(_algorithm(outputs, parameters, estimator).getSecondOrderIndices())
    again = []
    for k in range(_DRAWN_ANEW):
        chosen = (uniforms(seed, "rows drawn anew", k * rows, (k + 1) * rows) * rows).astype(np.int64)
        if varies(outputs[chosen, :2]):
            again.append(np.array(_algorithm(outputs[chosen], parameters, estimator).getSecondOrderIndices()))
    return found, 1.96 * np.std(again, axis=0, ddof=1) if len(again) > 1 else np.full_like(found, np.nan)


def _algorithm(outputs: Floats, parameters: int, estimator: str) -> Any:
    """OpenTURNS' estimator on the rows."""
    import openturns as ot

    # it wants all of A, then all of B and so on; of the inputs it takes no more than their number
    stacked = ot.Sample.BuildFromPoint(ot.Point(outputs.T.reshape(-1)))
    return getattr(ot, ESTIMATORS[estimator])(ot.Sample(len(stacked), parameters), stacked, len(outputs))
