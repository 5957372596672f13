"""Standard space: independent normal scores on one side, the parameters' own numbers on the other."""

from __future__ import annotations

from typing import final

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.studies.execution.interrupts import take_back_interrupts
from flexarm.studies.parameters.distributions import point_of
from flexarm.studies.parameters.study_model import StudyModel

# Farther out probabilities are no longer numbers a computer has.
FARTHEST = 37.0
# Of the differences between own numbers: laws are smooth and cost nothing.
_STEP = 1e-4


@final
class StandardSpace:
    """The points u of independent standard normal numbers that stand for samples of a study's parameters.

    Scores that are correlated are L u with Cholesky's factor L; a law's number is its quantile at Φ(score), taken from
    the upper tail where the score is positive, so that it keeps its digits far out. Equal to the law of plain sampling.
    """

    def __init__(self, model: StudyModel) -> None:
        self.model = model
        self.dimension = len(model.parameters)

    @property
    def discrete(self) -> list[str]:
        """The parameters with a discrete law, whose numbers jump."""
        return [each.name for each in self.model.parameters if each.law.distribution.isDiscrete()]

    def own(self, points: Floats) -> Floats:
        """The parameters (n, p) in SI units of points (n, p); a row has the same bits whatever stands beside it."""
        import openturns as ot

        points = np.clip(np.asarray(points, dtype=float), -FARTHEST, FARTHEST)
        dependence, normal = self.model.dependence, ot.Normal()
        scores = np.zeros(points.shape)
        for i in range(self.dimension):
            for j in range(i + 1):
                if dependence.factor[i, j] != 0.0:
                    scores[:, i] += dependence.factor[i, j] * points[:, j]
        chained: dict[int, Floats] = {}
        for i, j, copula in dependence.pairs:
            given, asked = (_flat(normal.computeCDF(_column(points[:, k]))) for k in (i, j))
            # a copula knows no number at probability 1
            inside = [np.clip(each, 2.0**-1022, 1.0 - 2.0**-53) for each in (given, asked)]
            found = copula.computeConditionalQuantile(point_of(inside[1]), _column(inside[0]))
            chained[j] = np.clip(_flat(found), 2.0**-1022, 1.0 - 2.0**-53)
        values = np.empty(points.shape)
        for j, parameter in enumerate(self.model.parameters):
            law = parameter.law
            if j in chained:
                values[:, j] = law.quantiles(chained[j])
            elif law.gaussian:
                values[:, j] = parameter.mean + parameter.deviation * scores[:, j]
            else:
                far = _flat(normal.computeCDF(_column(-np.abs(scores[:, j]))))
                for tail, side in ((False, scores[:, j] <= 0.0), (True, scores[:, j] > 0.0)):
                    if side.any():
                        values[side, j] = _flat(law.distribution.computeQuantile(point_of(far[side]), tail))
        take_back_interrupts()
        return values

    def shares(self, direction: Floats, at: Floats) -> Floats:
        """The part (p,) each parameter has in a direction α of standard space, at a point; they add up to 1.

        The squares of γ = α J D / |α J D| with J = ∂u/∂x and D the deviations of the normal laws tangent to the
        parameters there (A. Der Kiureghian, Engineering Design Reliability Handbook, 2005, ch. 14). They are α² where
        parameters are independent; where they are correlated, a parameter without an influence of its own has no part.
        """
        if self.discrete:
            return direction**2 / np.sum(direction**2)
        steps = _STEP * np.eye(self.dimension)
        around = self.own(np.concatenate([at + steps, at - steps]))
        slopes = ((around[: self.dimension] - around[self.dimension :]) / (2.0 * _STEP)).T  # ∂x/∂u
        spread = np.sqrt(np.sum(slopes**2, axis=1))
        if not np.all(spread > 0.0):
            return direction**2 / np.sum(direction**2)
        # with rows of ∂x/∂u scaled to deviations, J D is the inverse of what is left
        weights = np.linalg.solve((slopes / spread[:, None]).T, direction)
        return np.asarray(weights**2 / np.sum(weights**2))


def _flat(found: object) -> Floats:
    return np.asarray(found).reshape(-1)


def _column(values: Floats) -> object:
    import openturns as ot

    return ot.Sample(np.ascontiguousarray(values).reshape(-1, 1))
