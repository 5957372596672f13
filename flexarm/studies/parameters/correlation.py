"""The linear correlation of random numbers, from how they depend on one another and the law of each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.studies.parameters.dependence import Dependence
from flexarm.studies.parameters.distributions import Law, quiet

# Normal scores between which the covariance is summed, and how far they are apart: beyond lies 1e-15 of either number.
_REACH, _STEP = 8.0, 0.04


def linear_correlation(laws: Sequence[Law], dependence: Dependence) -> Floats:
    """The linear correlation (p, p) of numbers with these laws and this dependence.

    By Hoeffding's formula the covariance is the integral of C(F(x), G(y)) - F(x) G(y), C the copula, over the plane.
    Summed over steps of x and y that are even in their normal scores, it is good to 1e-3 for continuous laws.
    """
    found = np.eye(len(laws))
    with quiet():
        for i, j, copula in dependence.pairs:
            found[i, j] = found[j, i] = _correlation(laws[i], laws[j], copula)
        for i, j in combinations(dependence.correlated, 2):
            strength = float(dependence.matrix[i, j])
            if strength and not (laws[i].gaussian and laws[j].gaussian):
                strength = _correlation(laws[i], laws[j], _normal_copula(strength))
            found[i, j] = found[j, i] = strength
    return found


def _normal_copula(strength: float) -> Any:
    import openturns as ot

    return ot.NormalCopula(ot.CorrelationMatrix([[1.0, strength], [strength, 1.0]]))


def _correlation(one: Law, other: Law, copula: Any) -> float:
    import openturns as ot

    edges = np.arange(-_REACH, _REACH + _STEP / 2.0, _STEP)
    scores = (edges[1:] + edges[:-1]) / 2.0
    borders, middles = (_flat(ot.Normal().computeCDF(ot.Sample(at.reshape(-1, 1)))) for at in (edges, scores))
    pairs = np.stack(np.meshgrid(middles, middles, indexing="ij"), axis=-1).reshape(-1, 2)
    excess = _flat(copula.computeCDF(ot.Sample(pairs))).reshape(len(middles), -1) - np.outer(middles, middles)
    # near 1 a probability is known to its rounding alone: where two borders round to one there is no step
    steps = [np.diff(law.quantiles(np.minimum(borders, 1.0 - 2.0**-53))) for law in (one, other)]
    covariance = float(steps[0] @ excess @ steps[1])
    return float(np.clip(covariance / (one.deviation * other.deviation), -1.0, 1.0))


def _flat(found: Any) -> Floats:
    return np.asarray(found).reshape(-1)
