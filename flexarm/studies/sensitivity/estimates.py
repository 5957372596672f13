"""Sobol' indices and derivatives of every column, estimated from the table of a pick-freeze design."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.studies.sensitivity.pick_freeze import FEWEST_ROWS, PickFreeze
from flexarm.studies.sensitivity.sobol_indices import Indices, pair_indices, sobol_indices, varies

# How many numbers of the table are in memory at once.
_IN_MEMORY = 10**7
# A change of the slope's sign at the nominal arm is neglected below this part of all slopes together.
_NEGLIGIBLE = 0.1
# Smallest effective number of weighted samples from which a deviation is estimated.
_FEWEST = 30


@final
@dataclass(frozen=True, eq=False)
class Shares:
    """The influence of each of p parameters on one column, in the column's unit.

    `per_deviation` is dY/dx · σ at the nominal arm; `mean_square` the mean of its square over random points, NaN
    without such points; NaN too where neighbours failed, and where the output rises, or falls, to both sides of the
    nominal arm (`turns`): the difference of two such neighbours does not describe the effect of a deviation.

    Mean and deviation are those of A and B in the rows kept.
    `narrowed` is the ratio by which the column's deviation changes if a parameter's own is halved, from all samples of
    these rows; `pairs` holds second-order indices and half their intervals.
    """

    mean: float
    deviation: float
    indices: Indices
    per_deviation: Floats
    mean_square: Floats
    narrowed: Floats
    turns: np.ndarray
    pairs: tuple[Floats, Floats] | None = None


@final
@dataclass(frozen=True, eq=False)
class Estimates:
    """The shares of every column; rows that contain a failed sample are left out entirely."""

    columns: dict[str, Shares]
    kept_rows: int
    failed: dict[str, int]
    reasons: dict[str, str]


def estimated(
    stored: Any,
    design: PickFreeze,
    columns: Sequence[str],
    nominal: Mapping[str, float],
    estimator: str = "martinez",
    *,
    paired: Sequence[str] = (),
) -> Estimates:
    """The shares of the named columns of a complete table; for those in `paired` also second-order indices.

    `nominal` holds the nominal arm's outputs. A row with a failed sample is left out entirely, as an index compares
    the samples of a row with one another. The result does not depend on how the table is divided into parts.
    """
    valid, failed, reasons = _outcomes(stored, design.samples)
    kept = np.asarray(valid[design.neighbours :].reshape(design.rows, design.width).all(axis=1))
    found: dict[str, Shares] = {}
    at_once = max(1, _IN_MEMORY // design.samples)
    steps = _steps(design)
    weights = _weights(design, kept)
    for begin in range(0, len(columns), at_once):
        names = list(columns[begin : begin + at_once])
        for name, values in _columns(stored, names, design.samples):
            found[name] = _shares(design, values, nominal[name], kept, steps, weights, estimator)
            if design.pairs and name in paired and int(kept.sum()) >= FEWEST_ROWS:
                rows = values[design.neighbours :].reshape(design.rows, design.width)[kept]
                pairs = pair_indices(rows, design.parameters, estimator, design.seed)
                found[name] = replace(found[name], pairs=pairs)
    return Estimates(found, int(kept.sum()), failed, reasons)


def _outcomes(stored: Any, samples: int) -> tuple[np.ndarray, dict[str, int], dict[str, str]]:
    """Which samples ran, how many did not by status, and the first reason of each status."""
    valid: list[np.ndarray] = []
    failed: dict[str, int] = {}
    reasons: dict[str, str] = {}
    for rows in stored.blocks([], samples=samples):
        valid.append(rows.valid)
        for word, reason in zip(rows.status, rows.reason, strict=True):
            if word != "ok":
                failed[word] = failed.get(word, 0) + 1
                reasons.setdefault(word, reason)
    return np.concatenate(valid), failed, reasons


def _columns(stored: Any, names: list[str], samples: int) -> Iterator[tuple[str, Floats]]:
    parts: dict[str, list[Floats]] = {name: [] for name in names}
    for rows in stored.blocks(names, samples=samples):
        for name in names:
            parts[name].append(rows.columns[name])
    for name in names:
        yield name, np.concatenate(parts.pop(name))


def _steps(design: PickFreeze) -> Floats:
    """How far the two neighbours are from their point (points, p, 2), in standard deviations."""
    drawn = design.draw(0, design.neighbours).reshape(-1, design.parameters, 2, design.parameters)
    at = np.einsum("kisi->kis", drawn) - design.centres[:, :, None]
    return np.abs(at) / np.array([[parameter.deviation] for parameter in design.model.parameters])


def _weights(design: PickFreeze, kept: np.ndarray) -> Floats:
    """How much more often each sample of the rows kept would come if one parameter had half its deviation (p, samples).

    X becomes mean + (X − mean)/2, whose density at x is 2 f(mean + 2 (x − mean)); every sample of a row has the law of
    all samples. NaN for a law without density, and where too few samples would count.
    """
    import openturns as ot

    count = int(kept.sum()) * design.width
    weights = np.full((design.parameters, count), np.nan)
    if count < FEWEST_ROWS * design.width:
        return weights
    values = design.draw(design.neighbours, design.samples).reshape(design.rows, design.width, -1)[kept]
    for k, parameter in enumerate(design.model.parameters):
        law = parameter.law.distribution
        if not law.isContinuous():
            continue
        x = values[:, :, k].reshape(-1)
        wide, narrow = (
            np.asarray(law.computePDF(ot.Sample.BuildFromPoint(ot.Point(at)))).reshape(-1)
            for at in (x, parameter.mean + 2.0 * (x - parameter.mean))
        )
        share = narrow / np.where(wide > 0.0, wide, np.inf)
        if share.sum() ** 2 >= _FEWEST * np.sum(share**2) > 0.0:
            weights[k] = share / share.sum()
    return weights


def _turns(nominal: float, beside: Floats, steps: Floats) -> tuple[np.ndarray, float]:
    """By which parameters (p,) the output rises, or falls, to both sides of the nominal arm; all slopes together.

    It has a kink or a turning point there, as a distance from the nominal place has. One that changes little beside
    what all parameters change is neglected: its difference is small, and so is the error it makes.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        before, after = (nominal - beside[:, 0]) / steps[:, 0], (beside[:, 1] - nominal) / steps[:, 1]
    bend = np.abs(after - before) / 2.0
    whole = np.sqrt(np.nansum(np.maximum(bend, np.abs(after + before) / 2.0) ** 2))
    return np.asarray((before * after < 0.0) & (bend > _NEGLIGIBLE * whole)), float(whole)


def _shares(
    design: PickFreeze,
    values: Floats,
    nominal: float,
    kept: np.ndarray,
    steps: Floats,
    weights: Floats,
    estimator: str,
) -> Shares:
    p = design.parameters
    beside = values[: design.neighbours].reshape(-1, p, 2)
    change = beside[:, :, 1] - beside[:, :, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = steps.sum(axis=2)
        slopes = np.where(apart > 0.0, change / apart, np.nan)
    # a difference that is rounding is none
    slopes[np.abs(change) <= 1e-13 * np.abs(beside).max(axis=2)] = 0.0
    turns, whole = _turns(nominal, beside[0], steps[0])
    slopes[0, turns] = np.nan
    slopes[0, np.abs(slopes[0]) <= 1e-12 * whole] = 0.0
    averaged = (slopes[1:] ** 2).mean(axis=0) if design.points else np.full(p, np.nan)
    rows = values[design.neighbours :].reshape(design.rows, design.width)[kept]
    if len(rows) < FEWEST_ROWS:
        nothing = np.full(p, np.nan)
        return Shares(float("nan"), float("nan"), Indices.unknown(p), slopes[0], averaged, nothing, turns)
    both = rows[:, :2]
    deviation = float(both.std(ddof=1)) if varies(both) else 0.0
    indices = sobol_indices(rows, p, estimator)
    narrowed = _narrowed(rows.reshape(-1), weights)
    return Shares(float(both.mean()), deviation, indices, slopes[0], averaged, narrowed, turns)


def _narrowed(values: Floats, weights: Floats) -> Floats:
    """The deviation of the weighted values over that of the values, for each of the weights."""
    if not varies(values):
        return np.full(len(weights), np.nan)
    away = values - values.mean()
    # sums of products in one fixed order: a product of matrices may round otherwise on another number of threads
    means = (weights * away).sum(axis=1)
    squares = (weights * away**2).sum(axis=1)
    return np.asarray(np.sqrt(np.maximum(squares - means**2, 0.0) / np.mean(away**2)))
