"""Limit states whose probabilities are known: an evaluator that computes numbers from parameters without any arm."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import flexarm as fa
from flexarm.studies.execution.evaluate import Evaluated
from flexarm.studies.execution.worker_pool import LocalPool
from flexarm.studies.reliability.limit_states import LimitStates
from flexarm.studies.reliability.rare_events import Answer, Search, answered
from flexarm.studies.reliability.standard_space import StandardSpace
from tests.studies.swings import swing

NORMALS = {
    "link[0].length": {"normal": [0.5, 0.01]},
    "link[0].joint.rate": {"normal": [1.5, 0.05]},
    "link[0].rigid.mass": {"normal": [1.0, 0.1]},
    "link[0].rigid.inertia": {"normal": [0.02, 0.001]},
}


class FormulaEvaluator:
    """Numbers (n, requirements) of samples by a formula; a sample without a finite number is impossible."""

    def __init__(self, formula: Callable[[np.ndarray], np.ndarray]) -> None:
        self.formula = formula
        self.sizes: list[int] = []

    def __call__(self, values: np.ndarray) -> Evaluated:
        """The outcome of the samples."""
        self.sizes.append(len(values))
        numbers = np.array(self.formula(values), dtype=float).reshape(len(values), -1)
        valid = np.isfinite(numbers).all(axis=1)
        numbers[~valid] = np.nan
        status = ["ok" if each else "impossible" for each in valid]
        return Evaluated(numbers, status, ["" if each else "no such arm" for each in valid])

    def close(self) -> None:
        """Nothing is to be ended."""


def normals(count: int) -> fa.StudyModel:
    """A study of so many independent normal parameters."""
    return fa.study_of(
        swing(rate='"1.5 rad/s"', length='{ normal = ["0.5 m", "10 mm"] }'), dict(list(NORMALS.items())[:count])
    )


def states_of(model, formula, limits, *, most=200_000, check=lambda: None) -> LimitStates:
    """The limit states of numbers that are a formula of the parameters."""
    wanted = [fa.Requirement(f"R{k}", "speed", limit=limit) for k, limit in enumerate(limits)]
    return LimitStates(StandardSpace(model), wanted, LocalPool([FormulaEvaluator(formula)]), most=most, check=check)


def scores(model: fa.StudyModel, formula) -> Callable[[np.ndarray], np.ndarray]:
    """A formula of normal scores as one of parameters that are normal and independent."""
    mean = np.array([each.mean for each in model.parameters])
    deviation = np.array([each.deviation for each in model.parameters])
    return lambda values: formula((values - mean) / deviation)


def solved(model, formula, limits, method: str, *, most=200_000, check=lambda: None, **options) -> Answer:
    """What a method finds of these limit states."""
    states = states_of(model, formula, limits, most=most, check=check)
    try:
        return answered(states, Search(method, evaluations=most, **options), [0.0] * len(limits))
    finally:
        states.close()
