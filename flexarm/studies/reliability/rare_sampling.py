"""Sampling of rare events by OpenTURNS: importance sampling about design points, and subset sampling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp, log1p, sqrt
from typing import Any, final

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.studies.reliability.design_points import DesignPoint
from flexarm.studies.reliability.limit_states import LimitStates, Spent, seeded
from flexarm.studies.reliability.standard_space import StandardSpace

# Part of the importance samples that is drawn all around instead of at design points: what they do not cover is met,
# with a weight that shows in the coefficient of variation.
_AROUND = 0.15
_LEAST_SPREAD = 1.3
# Subset sampling: the part of a level's samples that is beyond the next one, and how far a step of a chain may go.
SHARE, _REACH = 0.1, 2.0
# Repeated runs estimate the error better than one run's own estimate, which assumes independent levels.
_RUNS = 4
_SMALLEST = 1e-13
_CONFIDENCE = 0.95


@final
@dataclass(frozen=True, eq=False)
class Sampled:
    """A failure probability found by sampling: its coefficient of variation and 95 % interval, None where unknown.

    `levels` are (g, probability of a smaller one) of subset sampling's first run, `runs` the probabilities of all of
    its runs; `reached` is False if no sample missed the requirement; `shares` are the importance factors (p,).
    """

    probability: float | None
    cov: float | None
    low: float | None
    high: float | None
    shares: Floats | None = None
    levels: tuple[tuple[float, float], ...] = ()
    runs: tuple[float, ...] = ()
    reached: bool = True
    complete: bool = True
    note: str = ""


def interval(probability: float, cov: float, quantile: float) -> tuple[float, float]:
    """Between which the probability lies, its logarithm being normal about the estimate."""
    width = quantile * sqrt(log1p(cov**2))
    return probability * exp(-width), min(1.0, probability * exp(width))


# --- Importance sampling ---------------------------------------------------------------------------------------------


@final
@dataclass(eq=False)
class _Drawn:
    """The points that importance sampling has drawn and their numbers over limits, as they come."""

    points: list[Floats] = field(default_factory=list)
    ratios: list[Floats] = field(default_factory=list)

    def add(self, points: Floats, ratios: Floats) -> None:
        """Note some more."""
        self.points.append(points)
        self.ratios.append(ratios)


def importance(
    states: LimitStates, points: Sequence[DesignPoint], *, seed: int, cov: float, block: int
) -> tuple[Sampled, list[Sampled]]:
    """The joint failure probability, and that of each requirement from the same samples.

    Half-way ends (Ctrl-C, no evaluations left) give what there is, with `complete` False.
    """
    import openturns as ot

    density = about(states.space, points)
    drawn = _Drawn()
    with seeded(seed, "importance"):
        event, normal = states.event(None, drawn.add), ot.Normal(states.space.dimension)
        algorithm = ot.ProbabilitySimulationAlgorithm(event, ot.ImportanceSamplingExperiment(density))
        algorithm.setStopCallback(states.stopping)
        algorithm.setBlockSize(block)
        algorithm.setMaximumCoefficientOfVariation(cov)
        algorithm.setMaximumOuterSampling(max(1, (states.most - states.evaluations) // block))
        complete = _to_its_end(states, algorithm)
    if not drawn.points:
        nothing = Sampled(None, None, None, None, complete=False)
        return nothing, [nothing for _ in states.requirements]
    where, ratios = np.concatenate(drawn.points), np.concatenate(drawn.ratios)
    sample = ot.Sample(where)
    weights = np.exp(np.asarray(normal.computeLogPDF(sample)) - np.asarray(density.computeLogPDF(sample))).reshape(-1)
    each = [_weighted(states.space, where, weights, ratios[:, k] > 1.0, complete) for k in range(ratios.shape[1])]
    joint = _weighted(states.space, where, weights, ratios.max(axis=1) > 1.0, complete)
    return joint, each


def about(space: StandardSpace, points: Sequence[DesignPoint]) -> Any:
    """Where importance samples are drawn: about all design points, requirements having equal parts, and all around."""
    import openturns as ot

    count = space.dimension
    totals: dict[int, float] = {}
    for each in points:
        totals[each.which] = totals.get(each.which, 0.0) + each.probability
    atoms = [ot.Normal(each.standard, [1.0] * count, ot.CorrelationMatrix(count)) for each in points]
    weights = [(1.0 - _AROUND) * each.probability / totals[each.which] / len(totals) for each in points]
    far = max(_LEAST_SPREAD, min(float(np.linalg.norm(each.standard)) for each in points) / sqrt(count))
    atoms.append(ot.Normal([0.0] * count, [far] * count, ot.CorrelationMatrix(count)))
    return ot.Mixture(atoms, [*weights, _AROUND])


def _to_its_end(states: LimitStates, algorithm: Any) -> bool:
    """Run it; False if it was ended before it would have ended itself."""
    try:
        states.run(algorithm)
    except (KeyboardInterrupt, Spent):
        return False
    return True


def _weighted(space: StandardSpace, where: Floats, weights: Floats, hit: Any, complete: bool) -> Sampled:
    """The estimate of weighted samples, those that miss being `hit`."""
    parts = weights * hit
    probability = float(parts.mean())
    if probability <= 0.0:
        return Sampled(0.0, None, 0.0, None, reached=False, complete=complete)
    cov = float(sqrt(parts.var() / len(parts)) / probability)
    low, high = interval(probability, cov, 1.959963984540054)
    return Sampled(probability, cov, low, high, shares_of(space, where[hit], weights[hit]), complete=complete)


def shares_of(space: StandardSpace, where: Floats, weights: Floats) -> Floats | None:
    """The importance factors (p,) estimated from points that miss the requirement, with their weights.

    Where a half-space α·u > β is missed, ⟨u⟩ = h α and ⟨u uᵀ⟩ − 1 = h β α αᵀ: what points have beyond a standard normal
    law's own moments are the directions that matter, whether they are missed on one side of them or on both.
    """
    if len(where) < 2 * space.dimension:
        return None
    shares = weights / weights.sum()
    mean = shares @ where
    nearest = where[np.argmin(np.sum(where**2, axis=1))]
    values, vectors = np.linalg.eigh((where.T * shares) @ where - np.eye(space.dimension))
    size = float(np.linalg.norm(mean))
    amounts, directions = [*np.abs(values), size**2], [*vectors.T, mean / max(size, 1e-300)]
    parts = [
        amount * space.shares(each, nearest) for amount, each in zip(amounts, directions, strict=True) if amount > 0
    ]
    return np.asarray(np.sum(parts, axis=0) / np.sum(amounts)) if parts else None


# --- Subset sampling -------------------------------------------------------------------------------------------------


def subset(states: LimitStates, which: int | None, *, seed: int, cov: float, block: int, most: int) -> Sampled:
    """The failure probability of a requirement, or of all together, from several runs of subset sampling.

    A level has ten blocks of samples. A block larger than the chains' number would let several steps begin at one and
    the same place, and the estimate spread. Runs go on until their mean has the wanted coefficient of variation or
    `most` evaluations are done.
    """
    name = "all" if which is None else states.requirements[which].name
    begun = at = states.evaluations
    found: list[_Run] = []
    longest = 0
    while True:
        with seeded(seed, f"subset {name} {len(found)}"):
            run = _subset_run(states, which, block)
        longest, at = max(longest, states.evaluations - at), states.evaluations
        if not run.complete or not run.reached:
            break
        found.append(run)
        if len(found) >= _RUNS and _spread(found)[0] <= cov:
            break
        if at - begun + longest > most:
            break
    if not found:
        return _unreached(run)
    spread, quantile = _spread(found)
    mean = float(np.mean([each.probability for each in found]))
    where = np.concatenate([each.failing for each in found])
    return Sampled(
        mean,
        spread,
        *interval(mean, spread, quantile),
        shares_of(states.space, where, np.ones(len(where))),
        found[0].levels,
        tuple(each.probability for each in found),
        complete=run.complete and len(found) >= _RUNS and spread <= cov,
    )


@final
@dataclass(frozen=True, eq=False)
class _Run:
    """One run: its probability, the levels and their coefficients of variation, and the points that miss."""

    probability: float
    levels: tuple[tuple[float, float], ...]
    covs: Floats
    failing: Floats
    reached: bool
    complete: bool


def _unreached(run: _Run) -> Sampled:
    """The result of a first run that did not reach the end, or not the limit."""
    margin, below = run.levels[-1] if run.levels else (1.0, 1.0)
    if run.complete:
        note = f"no sample missed it at {below:.1g} and less: the number came to {1.0 - margin:.4g} of its limit"
        return Sampled(0.0, None, 0.0, None, levels=run.levels, reached=False, note=note)
    note = f"{1.0 - margin:.4g} of the limit is exceeded with probability {below:.1g}, so far" if run.levels else ""
    return Sampled(None, None, None, None, levels=run.levels, reached=False, complete=False, note=note)


def _subset_run(states: LimitStates, which: int | None, block: int) -> _Run:
    """One run of subset sampling, as far as it came."""
    import openturns as ot

    calls: list[int] = []
    event = states.event(which, lambda points, ratios: calls.append(len(points)))
    algorithm = ot.SubsetSampling(event, _REACH, SHARE)
    algorithm.setStopCallback(states.stopping)
    algorithm.setBlockSize(block)
    algorithm.setMaximumOuterSampling(round(1.0 / SHARE))
    algorithm.setMinimumProbability(_SMALLEST)
    algorithm.setKeepSample(True)
    complete = True
    try:
        states.run(algorithm)
    except (KeyboardInterrupt, Spent):
        complete = False
    except (RuntimeError, TypeError, ValueError):
        # its own estimate of the variance may come out negative; all that is needed of it stands
        pass
    products = np.array(algorithm.getProbabilityEstimatePerStep())
    if not complete:
        # levels after the end are of no samples
        products = products[: int(len(calls) * SHARE + 1e-9)]
    thresholds = np.array(algorithm.getThresholdPerStep())[: len(products)]
    levels = tuple(zip(thresholds.tolist(), products.tolist(), strict=True))
    nowhere = np.zeros((0, states.space.dimension))
    if not complete or not levels or thresholds[-1] > 0.0 or not products[-1] > 0.0:
        return _Run(0.0, levels, np.zeros(0), nowhere, False, complete)
    factors = products / np.concatenate([[1.0], products[:-1]])
    # a level that all its samples reach has no variance, and no number here
    chained = np.maximum(np.nan_to_num(np.array(algorithm.getGammaPerStep()), nan=0.0), 0.0)
    # the first level is plain sampling; OpenTURNS leaves its part out
    covs = np.sqrt((1.0 + chained) * np.maximum(1.0 - factors, 0.0) * SHARE / (factors * block))
    failing = np.asarray(algorithm.getInputSample(len(levels) - 1, ot.SubsetSampling.EVENT1))
    return _Run(float(products[-1]), levels, covs, failing.reshape(-1, states.space.dimension), True, True)


def _spread(runs: Sequence[_Run]) -> tuple[float, float]:
    """Coefficient of variation of the mean of runs, and the quantile that makes a 95 % interval of it.

    From the runs' own spread, but no less than independent levels would have; fewer than four runs have the sum of
    their levels' coefficients instead, which is the worst that dependent levels can do.
    """
    import openturns as ot

    count, found = len(runs), [each.probability for each in runs]
    mean, level = float(np.mean(found)), 0.5 + _CONFIDENCE / 2.0
    if count < _RUNS:
        worst = np.array([each.probability * each.covs.sum() for each in runs])
        return float(np.linalg.norm(worst)) / (count * mean), float(ot.DistFunc.qNormal(level))
    least = np.array([each.probability * np.linalg.norm(each.covs) for each in runs])
    spread = float(np.std(found, ddof=1)) / sqrt(count)
    quantile = float(ot.DistFunc.qStudent(count - 1, level, False))
    return max(spread, float(np.linalg.norm(least)) / count) / mean, quantile
