"""From measured records of an arm to the numbers of its model, with intervals."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.reading.distributions import CORRELATION, EXPERIMENT
from flexarm.model.reading.file import arm_from_dict, arm_to_dict, table_of, text_of
from flexarm.model.reading.messages import either, place_of, quoted
from flexarm.model.reading.paths import placed
from flexarm.model.reading.text import toml_text
from flexarm.results.identification import Explained, Found, Identification
from flexarm.results.measured import Measured
from flexarm.results.record_files import check_times, read_record
from flexarm.studies.identify.experiments import Experiment, Vary, experiments_in, fitting, varied
from flexarm.studies.identify.fit import LOSSES, Fit, Problem, fitted
from flexarm.studies.identify.free import Free, free_parameters
from flexarm.studies.identify.lags import lagging
from flexarm.studies.identify.trust import confounded, whiteness
from flexarm.studies.identify.twin import Twin

RecordLike = Measured | str | os.PathLike[str]
_CONTROLLER = "controller"
# 97.5 % quantile of the normal distribution.
_QUANTILE = 1.959963984540054
# Correlations of a posterior nearer to one than this are not positive definite when rounded.
_MOST_CORRELATED = 0.999


def identify(
    arm: Arm | str | os.PathLike[str],
    records: RecordLike | Sequence[RecordLike],
    *,
    vary: str | Sequence[str | Mapping[str, Any]] | None = None,
    hold_out: RecordLike | Sequence[RecordLike] = (),
    experiments: Sequence[Mapping[str, Any]] | None = None,
    loss: str = "linear",
    progress: Callable[[float, float], None] | None = None,
) -> Identification:
    """Numbers of the model that fit measured records best, with 95 % intervals.

    The arm is driven as it was when each record was taken, and what its sensors would have read is compared with what
    was measured.

    Parameters
    ----------
    arm
        The path of a model file with `[[experiment]]` tables, or an arm and `experiments`.
    records
        Records, or paths of files as `read_record` takes them; each fits the first experiment whose columns it has.
    vary
        Places of the model file to be found, such as "link[0].payload.inertia" or "sensor[base gauge].gain", or tables
        with path, within = [least, greatest] and prior = [mean, deviation]; default: those of the experiments.
    hold_out
        Records that are predicted and not fitted.
    experiments
        In place of those in the file, tables with the same keys.
    loss
        "linear" (least squares), or "soft_l1", "huber", "cauchy", which count outliers less.
    progress
        Called with the runs made and the most there can be.

    Returns
    -------
    Identification
        `.found`, `.explained()`, `.confounded`, `.fitted` (a model file), `.posterior` (a study file).

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.identify("quanser_two_link.toml", "quanser_steps.csv", vary=["sensor[strain 1].gain"])
    >>> found.explained()[0] > 0.9
    True
    """
    data, source = _raw(arm)
    if experiments is not None:
        data = {**data, EXPERIMENT: [dict(each) for each in experiments]}
    known = experiments_in(data, source)
    if loss not in LOSSES:
        raise AnalysisError(f"loss is {quoted(str(loss))}, must be {either(LOSSES)}")
    # the record drives the arm, not its controllers
    body = {key: value for key, value in data.items() if key not in (EXPERIMENT, _CONTROLLER)}
    nominal = arm_from_dict(body, source=source)
    fit_on, held = (
        [(_record(each), False) for each in _several(records)],
        [(_record(e), True) for e in _several(hold_out)],
    )
    if not fit_on:
        raise AnalysisError("records is empty, must hold one at least")
    pairs = [(record, fitting(known, record, source), out) for record, out in (*fit_on, *held)]
    wanted = _wanted(vary, [experiment for _, experiment, out in pairs if not out])
    free = free_parameters(body, nominal, wanted, source)
    if not free:
        raise AnalysisError(f"{source}: nothing is to be found, vary must name a place such as link[0].payload.inertia")
    twins = [(Twin(body, nominal, experiment, record, free), out) for record, experiment, out in pairs]
    problem = Problem([twin for twin, out in twins if not out], free)
    fit = fitted(problem, loss, progress)
    records_found = tuple(_explained(twin, fit, out) for twin, out in twins)
    remarks = [*lagging(problem, fit, [each for each in records_found if not each.held_out]), *_remarks(fit)]
    if data.get(_CONTROLLER):
        remarks.append("the controllers of the model file play no part: the inputs of the records drive the arm")
    deviations = np.sqrt(np.maximum(np.diag(fit.covariance), 0.0))
    numbers = tuple(_found(each, fit, k, float(deviations[k])) for k, each in enumerate(free))
    size = np.where(deviations > 0.0, deviations, 1.0)
    correlation = fit.covariance / np.outer(size, size)
    values = [(each.path, _written(each, float(value))) for each, value in zip(free, fit.values, strict=True)]
    return Identification(
        nominal.name,
        numbers,
        records_found,
        tuple(confounded(free, fit.values, fit.J)),
        correlation,
        loss,
        problem.tries,
        fit.converged,
        tuple(remarks),
        toml_text(placed(data, values)),
        _posterior(data, free, numbers, correlation),
        arm_from_dict(placed(body, values), source=source),
    )


def _raw(arm: Arm | str | os.PathLike[str]) -> tuple[dict[str, Any], str]:
    if isinstance(arm, Arm):
        return arm_to_dict(arm), arm.name
    text, source = text_of(arm)
    return table_of(text, source, Path(arm).parent), source


def _several(records: RecordLike | Sequence[RecordLike]) -> Sequence[RecordLike]:
    return [records] if isinstance(records, Measured | str | os.PathLike) else list(records)


def _record(given: RecordLike) -> Measured:
    if isinstance(given, Measured):
        check_times(given, given.name)
        return given
    return read_record(given)


def _wanted(vary: Any, experiments: Sequence[Experiment]) -> tuple[Vary, ...]:
    if vary is None:
        return tuple(each for experiment in experiments for each in experiment.vary)
    return varied(part.strip() for part in vary.split(",")) if isinstance(vary, str) else varied(vary)


def _explained(twin: Twin, fit: Fit, out: bool) -> Explained:
    predicted = twin.predicted(fit.values)
    interval = float(np.median(np.diff(twin.nodes)))
    white = {}
    for name, y in twin.measured.items():
        known = np.isfinite(y)
        white[name] = whiteness((predicted[name] - y)[known], interval)
    units = {sensor: twin.record.units[column] for column, sensor in twin.experiment.outputs.items()}
    return Explained(
        twin.record.name,
        twin.experiment.name,
        out,
        twin.explained(fit.values),
        {name: each.outside for name, each in white.items()},
        {name: each.memory for name, each in white.items()},
        twin.nodes,
        twin.measured,
        predicted,
        units,
    )


def _found(each: Free, fit: Fit, k: int, deviation: float) -> Found:
    value, half = float(fit.values[k]), _QUANTILE * deviation
    ends = sorted(each.value(float(fit.theta[k]) + way * half) for way in (-1.0, 1.0))
    spread = abs(each.slope(value)) * deviation
    return Found(each.name, each.unit, value, (ends[0], ends[1]), each.start, spread, each.name in fit.at_bounds)


def _remarks(fit: Fit) -> list[str]:
    found = [f"{name} is at the end of its range" for name in fit.at_bounds]
    if not fit.converged:
        found.append("the fit was ended before it had settled")
    return found


def _written(each: Free, value: float) -> float | str:
    return f"{value!r} {each.unit}" if each.unit else value


def _posterior(data: Mapping[str, Any], free: Sequence[Free], found: Sequence[Found], correlation: Floats) -> str:
    """A study file in which what was found is random: normal, or lognormal where it cannot change its sign."""
    entries: list[tuple[Any, Any]] = []
    for each, number in zip(free, found, strict=True):
        family = "lognormal" if each.logarithmic else "normal"
        entries.append(
            (each.path, {family: [_written(each, number.value), _written(each, max(number.deviation, 1e-300))]})
        )
    pairs = [
        [place_of(free[i].path), place_of(free[k].path), float(np.clip(correlation[i, k], -_MOST_CORRELATED, 0.999))]
        for i in range(len(free))
        for k in range(i + 1, len(free))
        if abs(correlation[i, k]) > 1e-3
    ]
    whole = placed(data, entries)
    if pairs:
        whole[CORRELATION] = {"pairs": pairs}
    return toml_text(whole)
