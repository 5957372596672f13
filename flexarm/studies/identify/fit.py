"""The fit itself: least squares of what the model would have measured less what was measured (I3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError, FlexarmError
from flexarm.model.reading.messages import quoted
from flexarm.studies.identify.free import Free
from flexarm.studies.identify.trust import NO_EFFECT, meat
from flexarm.studies.identify.twin import Twin
from flexarm.studies.parameters.study_model import ImpossibleSample

LOSSES = ("linear", "soft_l1", "huber", "cauchy")
# Step of differences on the scale of a number.
_STEP = 1e-3
# What an arm that cannot be run is taken to miss, in parts of the outputs' spread.
_LOST = 10.0
_MOST_TRIES = 50


@final
@dataclass(frozen=True, eq=False)
class Fit:
    """What was found: values, on their scales too; the residual's slopes there; their covariance on the scales."""

    values: Floats
    theta: Floats
    J: Floats
    covariance: Floats
    tries: int
    converged: bool
    at_bounds: tuple[str, ...]


class Problem:
    """Residuals of several twins for several numbers, every output in parts of its own spread."""

    def __init__(self, twins: Sequence[Twin], free: Sequence[Free]) -> None:
        self.twins, self.free = tuple(twins), tuple(free)
        self.tries = 0
        self._rows = [
            (twin, name, np.isfinite(values)) for twin in self.twins for name, values in twin.measured.items()
        ]
        self._places = np.cumsum([0, *(int(known.sum()) for _, _, known in self._rows)])

    def values(self, theta: Floats) -> Floats:
        """The numbers themselves."""
        return np.array([each.value(float(t)) for each, t in zip(self.free, theta, strict=True)])

    def residual(self, theta: Floats) -> Floats:
        """Predicted less measured (m,), each output over its spread."""
        self.tries += 1
        values = self.values(theta)
        try:
            predicted = {id(twin): twin.predicted(values) for twin in self.twins}
        except (ImpossibleSample, AnalysisError, np.linalg.LinAlgError) as error:
            if self.tries == 1:
                raise FlexarmError(f"the arm as it is in the model file cannot be run: {error}") from None
            return np.full(int(self._places[-1]), _LOST)
        return np.concatenate(
            [
                (predicted[id(twin)][name][known] - twin.measured[name][known]) / twin.spread[name]
                for twin, name, known in self._rows
            ]
        )

    def parts(self, whole: Floats) -> list[tuple[Twin, str, Floats]]:
        """Rows of a residual or its slopes, output by output."""
        return [
            (twin, name, whole[begin:end])
            for (twin, name, _), begin, end in zip(self._rows, self._places[:-1], self._places[1:], strict=True)
        ]

    def slopes(self, theta: Floats, *, both: bool = False) -> Floats:
        """The residual's slopes (m, p): by forward differences, or central ones."""
        at = self.residual(theta) if not both else np.zeros(0)
        columns = []
        for k, each in enumerate(self.free):
            step = _STEP if each.theta_limits[1] - theta[k] > _STEP else -_STEP
            ahead = theta.copy()
            ahead[k] += step
            if both and theta[k] - each.theta_limits[0] > _STEP and step > 0.0:
                behind = theta.copy()
                behind[k] -= step
                columns.append((self.residual(ahead) - self.residual(behind)) / (2.0 * step))
            else:
                base = at if len(at) else self.residual(theta)
                columns.append((self.residual(ahead) - base) / step)
        return np.stack(columns, axis=1)


def fitted(problem: Problem, loss: str = "linear", progress: Callable[[float, float], None] | None = None) -> Fit:
    """The numbers that fit the records best; those without any effect are refused."""
    from scipy.optimize import least_squares

    free = problem.free
    theta = np.zeros(len(free))
    low, high = (np.array([each.theta_limits[k] for each in free]) for k in (0, 1))
    first = problem.residual(theta)
    if len(first) <= len(free):
        raise AnalysisError(
            f"the records hold {len(first)} samples, must hold more than there are numbers to be found, {len(free)}"
        )
    start = problem.slopes(theta)
    for each, column in zip(free, start.T, strict=True):
        if not np.sqrt(np.mean(column**2)) > NO_EFFECT:
            raise AnalysisError(
                f"vary: {quoted(each.name)} has no effect on anything that was measured, must be left out"
            )
    known = [(start, theta.copy())]

    def slopes(x: Floats) -> Floats:
        if np.array_equal(x, known[0][1]):
            return known[0][0]
        if progress is not None:
            progress(float(problem.tries), float(_MOST_TRIES * (len(free) + 1)))
        return problem.slopes(np.asarray(x))

    scale = np.sqrt(np.mean(first**2)) if loss != "linear" else 1.0
    options = {"bounds": (low, high), "x_scale": "jac", "xtol": 1e-5, "ftol": 1e-6, "max_nfev": _MOST_TRIES}
    found = least_squares(problem.residual, theta, slopes, loss=loss, f_scale=0.3 * scale, **options)
    weights = np.array([0.0 if each.prior is None else 1.0 for each in free])
    if weights.any():
        found = _with_priors(problem, found.x, slopes, loss, 0.3 * scale, options)
    theta = np.asarray(found.x)
    J = problem.slopes(theta, both=True)
    edge = [each.name for k, each in enumerate(free) if min(theta[k] - low[k], high[k] - theta[k]) < 1e-3]
    covariance = _covariance(problem, theta, J)
    return Fit(problem.values(theta), theta, J, covariance, problem.tries, bool(found.status > 0), tuple(edge))


def _with_priors(problem: Problem, theta: Floats, slopes: Callable, loss: str, scale: float, options: dict) -> object:  # type: ignore[type-arg]
    """The fit once more, with what is known beforehand as measurements of the numbers themselves."""
    from scipy.optimize import least_squares

    rows = _prior_rows(problem, theta)

    def whole(x: Floats) -> Floats:
        return np.concatenate([problem.residual(x), [w * (each.value(x[k]) - m) for k, each, m, w in rows]])

    def whole_slopes(x: Floats) -> Floats:
        more = np.zeros((len(rows), len(x)))
        for i, (k, each, _, w) in enumerate(rows):
            more[i, k] = w * each.slope(each.value(x[k]))
        return np.vstack([slopes(x), more])

    return least_squares(whole, theta, whole_slopes, loss=loss, f_scale=scale, **options)


def _prior_rows(problem: Problem, theta: Floats) -> list[tuple[int, Free, float, float]]:
    """Priors as rows: deviations weighed by what a residual counts, correlated as residuals are."""
    residual, J = problem.residual(theta), problem.slopes(theta)
    found = []
    for k, each in enumerate(problem.free):
        if each.prior is not None:
            counted = J[:, k] @ J[:, k]
            spread = sum(
                meat(part[:, k : k + 1], e)[0, 0]
                for (_, _, e), (_, _, part) in zip(problem.parts(residual), problem.parts(J), strict=True)
            )
            sigma = np.sqrt(max(spread, 0.0) / max(counted, np.finfo(float).tiny))
            found.append((k, each, each.prior[0], float(sigma) / each.prior[1]))
    return found


def _covariance(problem: Problem, theta: Floats, J: Floats) -> Floats:
    """(JᵀJ)⁻¹ JᵀΓJ (JᵀJ)⁻¹ (p, p) on the scales of the numbers (I4)."""
    residual = problem.residual(theta)
    H = J.T @ J
    middle = sum(
        (meat(part, e) for (_, _, e), (_, _, part) in zip(problem.parts(residual), problem.parts(J), strict=True)),
        np.zeros_like(H),
    )
    if any(each.prior is not None for each in problem.free):
        for k, each, _, w in _prior_rows(problem, theta):
            slope = w * each.slope(each.value(theta[k]))
            H[k, k] += slope**2
            assert each.prior is not None
            middle[k, k] += slope**2 * (w * each.prior[1]) ** 2
    size = np.sqrt(np.diag(H))
    inverse = np.linalg.pinv(H / np.outer(size, size), rcond=1e-14) / np.outer(size, size)
    return np.asarray(inverse @ middle @ inverse)
