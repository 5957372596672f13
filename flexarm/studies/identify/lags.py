"""Phase lags that no beam has: a sensor's filter that the model leaves out, noticed and proposed (I7)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.analyses.sensors.filters import LowPass
from flexarm.core.tree.types import Floats
from flexarm.errors import FlexarmError
from flexarm.model.parts.sensor import Filter
from flexarm.model.reading.messages import quoted
from flexarm.results.engineering import digits, percent
from flexarm.results.identification import Explained
from flexarm.studies.identify.fit import Fit, Problem

# An output that is explained so well needs no other sensor, and a filter has to explain so much more to be proposed.
_WELL = 0.95
_MORE = 0.03


def lagging(problem: Problem, fit: Fit, found: Sequence[Explained]) -> list[str]:
    """A sentence for each output whose sensor has no filter where one would explain far more."""
    sentences = []
    for twin, each in zip(problem.twins, found, strict=True):
        for name, share in each.shares.items():
            if share >= _WELL or twin.nominal.sensors[twin.sensors[name]].filter is not None:
                continue
            best = _with_filter(problem, fit, name)
            if best is None or best[0] < share + _MORE:
                continue
            reached, frequency, ratio = best
            lag = np.degrees(np.arctan2(2.0 * ratio, 1.0 / 0.5 - 0.5)) if frequency > 0 else 0.0
            sentences.append(
                f"what {quoted(name)} reads lags behind the model by a phase that grows with frequency as no beam's "
                f"does ({lag:.0f}° at {digits(0.5 * frequency, 2)} Hz): filter = {{ frequency = "
                f'"{digits(frequency, 3)} Hz", ratio = {digits(ratio, 2)} }} on that sensor explains '
                f"{percent(reached, 3)} in place of {percent(share, 3)}"
            )
    return sentences


def _with_filter(problem: Problem, fit: Fit, name: str) -> tuple[float, float, float] | None:
    """The share explained with a filter of order two on a sensor, everything fitted anew, and the filter's numbers."""
    from scipy.optimize import least_squares

    def residual(x: Floats) -> Floats:
        values = problem.values(x[:-2])
        wanted = LowPass(Filter(frequency=float(np.exp(x[-2])), ratio=float(np.exp(x[-1]))))
        parts = []
        for twin in problem.twins:
            try:
                predicted = twin.predicted(values)
            except FlexarmError:
                return np.full(sum(len(t.nodes) * len(t.measured) for t in problem.twins), 10.0)
            for each, y in twin.measured.items():
                read = wanted.along(twin.nodes, predicted[each]) if each == name else predicted[each]
                parts.append(np.where(np.isfinite(y), (read - y) / twin.spread[each], 0.0))
        return np.concatenate(parts)

    low = [each.theta_limits[0] for each in problem.free]
    high = [each.theta_limits[1] for each in problem.free]
    best: tuple[float, float, float] | None = None
    top = 0.5 * max(twin.experiment.bandwidth for twin in problem.twins)
    for begin in (1.0, 3.0):
        x0 = np.concatenate([np.zeros(len(low)), [np.log(min(begin, top)), 0.0]])
        bounds = ([*low, np.log(0.05), np.log(0.2)], [*high, np.log(top), np.log(3.0)])
        found = least_squares(residual, x0, bounds=bounds, x_scale="jac", diff_step=1e-3, max_nfev=25, ftol=1e-5)
        rows = sum(int(np.isfinite(twin.measured[name]).sum()) for twin in problem.twins if name in twin.measured)
        at, error = 0, 0.0
        for twin in problem.twins:
            for each in twin.measured:
                part = found.fun[at : at + len(twin.nodes)]
                at += len(twin.nodes)
                error += float(part @ part) if each == name else 0.0
        reached = 1.0 - error / rows
        if best is None or reached > best[0]:
            best = (reached, float(np.exp(found.x[-2])), float(np.exp(found.x[-1])))
    return best
