"""Which tolerance matters? Sobol' indices and derivatives of any output of the arm, with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Unpack

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model.reading.messages import either, meant, quoted
from flexarm.results.sensitivity import OverTime, Pair, Part, Ranking, Sensitivity, near_linear
from flexarm.results.stored_samples import series_column
from flexarm.studies.outputs.columns import Plan
from flexarm.studies.parameters.correlation import linear_correlation
from flexarm.studies.parameters.given import takes_study
from flexarm.studies.parameters.settings import with_settings
from flexarm.studies.parameters.study_model import StudyModel
from flexarm.studies.reliability.requirement_tables import requirements_of
from flexarm.studies.reliability.requirements import Requirement
from flexarm.studies.sensitivity.estimates import Shares, estimated
from flexarm.studies.sensitivity.pick_freeze import FEWEST_ROWS, PickFreeze, rows_within
from flexarm.studies.sensitivity.sobol_indices import check_estimator
from flexarm.studies.store.store import keep_summary
from flexarm.studies.study import Sampling, Study, StudyOptions, run_study, split_options, takes_options

_REQUIREMENT = "requirement "


@takes_study
@takes_options
def sensitivity(
    model: StudyModel,
    *,
    outputs: Sequence[str] | None = None,
    requirements: Sequence[Requirement] | None = None,
    samples: int = 1000,
    seed: int = 1,
    method: str = "sobol",
    estimator: str = "martinez",
    pairs: bool = False,
    difference: float = 0.1,
    points: int = 0,
    times: Sequence[float | str] | int | None = None,
    **options: Unpack[StudyOptions],
) -> Sensitivity:
    """First-order and total Sobol' indices of every output with 95 % intervals, and derivatives.

    Parameters
    ----------
    model
        A study, or the path of a model file with distributions.
    outputs
        Those of `montecarlo`, and "requirement NAME"; default: also all requirements of the model file.
    requirements
        Default: those of the model file.
    samples
        Number of samples, taken in pick-freeze rows of p + 2 for p parameters, 2 p + 2 with `pairs`. 0: derivatives
        only.
    seed
        A sample is a function of the seed and its index alone.
    method, estimator
        How rows are sampled, and the estimator of the indices.
    pairs
        Also indices of second order.
    difference
        Derivatives are taken over so many standard deviations to either side of the nominal arm.
    points
        Also derivatives at this number of random arms.
    times, folder, resume, workers, chunk, progress, cluster, **settings
        As for `montecarlo`. Rows with a failed sample are left out.

    Returns
    -------
    Sensitivity
        Indices and rankings by output.

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.sensitivity("tolerances.toml", outputs=["max(tip.deflection)"], samples=0)
    >>> len(found.rankings)
    1
    """
    check_estimator(estimator)
    execution, settings = split_options(options)
    model = with_settings(model, settings)
    if not model.parameters:
        raise AnalysisError("the model has no random parameter, must have at least one")
    design = pick_freeze_design(
        model, samples=samples, seed=seed, method=method, pairs=pairs, difference=difference, points=points
    )
    words, chosen = _asked(model, outputs, requirements)
    sampling = Sampling(design.samples, seed, method, **execution)
    study = run_study(model, sampling, outputs=words, times=times, requirements=chosen, design=design)
    found = measured(study, design, estimator)
    if sampling.folder is not None:
        keep_summary(sampling.folder, "sensitivity", found.to_dict())
    return found


def pick_freeze_design(
    model: StudyModel,
    *,
    samples: int = 1000,
    seed: int = 1,
    method: str = "sobol",
    pairs: bool = False,
    difference: float = 0.1,
    points: int = 0,
) -> PickFreeze:
    """The pick-freeze design of the study; dependent parameters are refused unless only derivatives are wanted."""
    rows = rows_within(samples, len(model.parameters), pairs=pairs)
    if rows and (dependent := _dependent(model)):
        raise AnalysisError(
            f"{' and '.join(dependent[:2])} depend on one another, must be independent: the variance cannot be divided "
            "between them; remove their correlation, give them one [random.NAME], or ask for 0 samples, which "
            "gives derivatives only"
        )
    return PickFreeze(model, rows, seed, method, pairs, difference, points)


def measured(study: Study, design: PickFreeze, estimator: str = "martinez") -> Sensitivity:
    """The sensitivities estimated from a complete table."""
    model, plan = study.model, study.plan
    found = estimated(study.stored, design, plan.names, study.nominal, estimator, paired=plan.headline)
    correlation = _correlation(model)
    remarks = list(study.remarks)
    if correlation is not None:
        remarks.append("parameters depend on one another: derivatives are given, but no parts of the variance")
    if 0 < design.rows and found.kept_rows < FEWEST_ROWS:
        remarks.append(f"only {found.kept_rows} of {design.rows} rows ran, too few for indices")
    # a sample that fails fails in all of its columns
    first = found.columns[plan.names[0]]
    unknown = np.isnan(first.per_deviation) & ~first.turns
    if unknown.any():
        names = ", ".join(np.array(model.names)[unknown])
        remarks.append(f"derivatives by {names} are unknown: a neighbour of the nominal arm failed")
    end = float(model.nominal.simulation.end or plan.times[-1])
    for name in plan.headline:
        if found.columns[name].turns.any():
            by = ", ".join(np.array(model.names)[found.columns[name].turns])
            remarks.append(
                f"derivatives of {_words(plan, name, end)} by {by} are unknown: it rises, or falls, to both sides of "
                "the nominal arm"
            )

    def ranking(name: str) -> Ranking:
        shares = found.columns[name]
        linear, alone = _linear(shares.per_deviation, correlation)
        return Ranking(
            output=name,
            words=_words(plan, name, end),
            unit=plan.units[name],
            nominal=study.nominal[name],
            mean=shares.mean,
            deviation=shares.deviation,
            linear_deviation=linear,
            parts=_parts(model, shares, linear, alone),
            pairs=_second(model, shares),
        )

    return Sensitivity(
        arm_name=model.nominal.name,
        samples=design.samples,
        rows=design.rows,
        kept_rows=found.kept_rows,
        row_width=design.width,
        failed=found.failed,
        reasons=found.reasons,
        seed=design.seed,
        method=design.method,
        estimator=estimator,
        step=float(design.step),
        points=design.points,
        parameters=model.random_parameters,
        rankings={name: ranking(name) for name in plan.headline},
        over_time={signal: _over_time(plan, signal, found.columns, correlation) for signal in plan.series},
        stored=study.stored,
        remarks=tuple(remarks),
    )


def _asked(
    model: StudyModel, outputs: Sequence[str] | None, requirements: Sequence[Requirement] | None
) -> tuple[tuple[str, ...] | None, tuple[Requirement, ...]]:
    """The outputs and the requirements asked for; a requirement may be named among the outputs."""
    known = requirements_of(model) if requirements is None else tuple(requirements)
    if outputs is None:
        return None, known
    words = [word.strip() for word in outputs]
    named = [word.removeprefix(_REQUIREMENT).strip() for word in words if word.startswith(_REQUIREMENT)]
    names = [each.name for each in known]
    for name in named:
        if name not in names:
            allowed = f"must be {either(names)}{meant(name, names)}" if names else "the model has none"
            raise AnalysisError(f"there is no requirement {quoted(name)}, {allowed}")
    if requirements is None:
        known = tuple(each for each in known if each.name in named)
    return tuple(word for word in words if not word.startswith(_REQUIREMENT)), known


def _dependent(model: StudyModel) -> list[str]:
    """The names of parameters that depend on others."""
    dependence = model.dependence
    which = {*dependence.correlated, *(k for i, j, _ in dependence.pairs for k in (i, j))}
    return [model.names[k] for k in sorted(which)]


def _correlation(model: StudyModel) -> Floats | None:
    """The linear correlation of the parameters; None if they are independent."""
    if not _dependent(model):
        return None
    return linear_correlation([parameter.law for parameter in model.parameters], model.dependence)


def _linear(per_deviation: Floats, correlation: Floats | None) -> tuple[float, Floats]:
    """The deviation of a linear response with these derivatives, and the parameters' parts of its variance."""
    unknown = np.full(per_deviation.shape, np.nan)
    if correlation is not None:
        return float(np.sqrt(np.maximum(per_deviation @ correlation @ per_deviation, 0.0))), unknown
    variance = float(np.sum(per_deviation**2))
    return float(np.sqrt(variance)), per_deviation**2 / variance if variance > 0.0 else unknown


def _parts(model: StudyModel, shares: Shares, linear_deviation: float, alone: Floats) -> tuple[Part, ...]:
    indices, variance = shares.indices, shares.deviation**2
    averaged = shares.mean_square / variance if variance > 0.0 else np.full(len(alone), np.nan)
    share = _share(shares, alone)
    halving = _halving(shares, linear_deviation, alone)

    def ends(interval: Floats, k: int) -> tuple[float, float]:
        return float(interval[k, 0]), float(interval[k, 1])

    return tuple(
        Part(
            parameter=name,
            first=float(indices.first[k]),
            first_interval=ends(indices.first_interval, k),
            total=float(indices.total[k]),
            total_interval=ends(indices.total_interval, k),
            share=float(share[k]),
            per_deviation=float(shares.per_deviation[k]),
            linear_share=float(alone[k]),
            mean_square=float(averaged[k]),
            halving=float(halving[k]),
        )
        for k, name in enumerate(model.names)
    )


def _share(shares: Shares, alone: Floats) -> Floats:
    """The parameters' parts of the variance, by their indices or else by the derivatives alone."""
    return np.where(np.isfinite(shares.indices.total), shares.indices.sharper, alone)


def _halving(shares: Shares, linear_deviation: float, alone: Floats) -> Floats:
    """By which part the deviation falls if each parameter's is halved.

    Where the output is linear in a parameter, whatever the others do, its variance falls by 3/4 of that one's share:
    this is used for nearly linear outputs. For others, samples are weighted as if the deviation were halved.
    """
    by_share = 1.0 - np.sqrt(1.0 - 0.75 * np.clip(_share(shares, alone), 0.0, 1.0))
    if not np.isfinite(shares.indices.total).any() or near_linear(shares.deviation, linear_deviation):
        return by_share
    return np.where(np.isfinite(shares.narrowed), 1.0 - shares.narrowed, by_share)


def _second(model: StudyModel, shares: Shares) -> tuple[Pair, ...]:
    if shares.pairs is None:
        return ()
    (index, half), names = shares.pairs, model.names
    found = [(names[i], names[j], float(index[i, j]), float(half[i, j])) for i, j in combinations(range(len(names)), 2)]
    return tuple(Pair((one, other), value, (value - off, value + off)) for one, other, value, off in found)


def _over_time(plan: Plan, signal: str, columns: dict[str, Shares], correlation: Floats | None) -> OverTime:
    shares = [columns[series_column(signal, time)] for time in plan.times]
    linear = [_linear(each.per_deviation, correlation)[1] for each in shares]
    return OverTime(
        signal=signal,
        unit=plan.units[series_column(signal, plan.times[0])],
        times=np.array(plan.times),
        deviation=np.array([each.deviation for each in shares]),
        first=np.array([each.indices.first for each in shares]),
        first_interval=np.array([each.indices.first_interval for each in shares]),
        total=np.array([each.indices.total for each in shares]),
        total_interval=np.array([each.indices.total_interval for each in shares]),
        share=np.array([_share(each, alone) for each, alone in zip(shares, linear, strict=True)]),
        per_deviation=np.array([each.per_deviation for each in shares]),
        linear_share=np.array(linear),
    )


def _words(plan: Plan, name: str, end: float) -> str:
    """A readable name of a column."""
    column = next((each for each in plan.columns if each.name == name), None)
    if column is None:
        return f"the number of {_REQUIREMENT}{quoted(name.removeprefix(_REQUIREMENT))}"
    if column.time is None:
        return name
    return f"{column.signal} at {'the end' if abs(column.time - end) <= 1e-9 * end else f'{column.time:.6g} s'}"
