"""How often does the arm meet its requirements? Requirements counted over random samples, with their confidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Any, Unpack

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model.reading.messages import either, meant, shown
from flexarm.results.rare_events import RareReliability
from flexarm.results.reliability import Needed, Reliability, Verdict
from flexarm.studies.outputs.columns import region_of
from flexarm.studies.parameters.given import takes_study
from flexarm.studies.parameters.quantities import part_of_one
from flexarm.studies.parameters.settings import with_settings
from flexarm.studies.parameters.study_model import StudyModel
from flexarm.studies.reliability.rare_events import RARE, Search, rare_reliability
from flexarm.studies.reliability.requirement_tables import requirements_of
from flexarm.studies.reliability.requirements import Requirement
from flexarm.studies.store.rows import Rows
from flexarm.studies.store.statistics import even_blocks, quantile_ranks, ranked, wilson
from flexarm.studies.store.store import keep_summary
from flexarm.studies.study import METHODS, Sampling, Study, StudyOptions, run_study, split_options, takes_options

SAMPLES = 1000
WANTED = 0.997


@takes_study
@takes_options
def reliability(
    model: StudyModel,
    requirements: Sequence[Requirement] | None = None,
    *,
    samples: int | None = None,
    seed: int = 1,
    method: str = "plain",
    wanted: float | None = None,
    cov: float | None = None,
    evaluations: int | None = None,
    block: int | None = None,
    outputs: Sequence[str] = (),
    **options: Unpack[StudyOptions],
) -> Reliability | RareReliability:
    """The probability that the requirements are met, each and all of them, with 95 % intervals.

    Parameters
    ----------
    model
        A study, or the path of a model file with distributions.
    requirements
        Default: those of the model file. A sample that failed does not meet them.
    samples
        Number of samples (1000) of the methods "plain", "lhs" and "sobol".
    seed
        A sample is a function of the seed and its index alone.
    method
        "plain", "lhs", "sobol"; "form", "sorm", "importance" and "subset" for requirements that are rarely missed.
    wanted
        Reliability (0.997) for which the necessary tolerances are found.
    cov, evaluations, block
        Rare events: coefficient of variation at which sampling ends, the most evaluations, evaluations in one batch.
    outputs, folder, resume, workers, chunk, progress, cluster, **settings
        As for `montecarlo`.

    Returns
    -------
    Reliability or RareReliability
        A verdict for every requirement and for all of them.

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.reliability("tolerances.toml", samples=64)
    >>> low, high = found.joint_interval
    >>> 0.0 <= low <= found.joint_met / 64 <= high <= 1.0
    True
    """
    execution, settings = split_options(options)
    model = with_settings(model, settings)
    chosen = tuple(requirements) if requirements is not None else requirements_of(model)
    if not chosen:
        raise AnalysisError("there is no requirement, must be given as [[requirement]] tables in the model file")
    if len({each.name for each in chosen}) != len(chosen):
        raise AnalysisError("two requirements have the same name, must have names of their own")
    if method in RARE:
        _refuse(f"the method {method}", samples=samples, wanted=wanted, chunk=execution.pop("chunk", None))
        search = Search(method, seed, cov, evaluations, block, **execution)  # type: ignore[misc]  # chunk is taken out
        return rare_reliability(model, chosen, search, outputs)
    _refuse(f"the method {method}", cov=cov, evaluations=evaluations, block=block)
    if method not in METHODS:
        known = (*METHODS, *RARE)
        raise AnalysisError(f"method is {shown(method)}, must be {either(known)}{meant(method, known)}")
    wanted = part_of_one("wanted", WANTED if wanted is None else wanted)
    count = SAMPLES if samples is None else samples
    sampling = Sampling(count, seed, method, **execution)
    study = run_study(model, sampling, outputs=tuple(outputs), times=None, requirements=chosen)
    found = counted(study, wanted)
    if sampling.folder is not None:
        keep_summary(sampling.folder, "reliability", found.to_dict())
    return found


def _refuse(method: str, **options: object) -> None:
    """Refuse options that belong to other methods."""
    for name, value in options.items():
        if value is not None:
            raise AnalysisError(f"{name} is given for {method}, which does not know it; must be left out")


def counted(study: Study, wanted: float = WANTED) -> Reliability:
    """The requirements counted over a full table."""
    requirements = [check.requirement for check in study.plan.checks]
    samples = study.sampling.samples
    names = [each.column for each in requirements]
    limits = np.array([each.limit for each in requirements])
    met = np.zeros(len(names), dtype=np.int64)
    alone = np.zeros(len(names), dtype=np.int64)
    joint = ran = 0
    failed: dict[str, int] = {}
    reasons: dict[str, str] = {}
    on_the_way = []
    for rows in even_blocks(study.stored.blocks(names, samples=samples)):
        kept = _numbers(rows, names) <= limits
        met += kept.sum(axis=0)
        joint += int(kept.all(axis=1).sum())
        alone += (~kept & ((~kept).sum(axis=1) == 1)[:, None] & rows.valid[:, None]).sum(axis=0)
        ran += int(rows.valid.sum())
        for word, reason in rows.failures():
            failed[word] = failed.get(word, 0) + 1
            reasons.setdefault(word, reason)
        if rows.end & (rows.end - 1) == 0 or rows.end == samples:
            on_the_way.append((rows.end, joint / rows.end, *wilson(joint, rows.end)))
    verdicts = [
        Verdict(
            each,
            int(met[k]),
            samples,
            *wilson(int(met[k]), samples),
            int(alone[k]),
            study.nominal[each.column],
            *region_of(study.plan.checks[k]),
        )
        for k, each in enumerate(requirements)
    ]
    needed = [_needed(_column(study, [name], np.ones(1)), samples, ran, wanted) for name in names]
    return Reliability(
        arm_name=study.model.nominal.name,
        samples=samples,
        seed=study.sampling.seed,
        method=study.sampling.method,
        failed=failed,
        reasons=reasons,
        joint_met=joint,
        joint_interval=wilson(joint, samples),
        verdicts=tuple(verdicts),
        wanted=wanted,
        needed=tuple(needed),
        common_factor=_needed(_column(study, names, limits), samples, ran, wanted),
        convergence=tuple(on_the_way),
        remarks=study.remarks,
        stored=study.stored,
        parameters=study.model.random_parameters,
    )


def _numbers(rows: Rows, names: Sequence[str]) -> Floats:
    """The requirements' numbers (samples, requirements), infinite where a sample failed."""
    values = np.column_stack([rows.columns[name] for name in names])
    values[~rows.valid] = np.inf
    return values


def _column(study: Study, names: Sequence[str], limits: Floats) -> Any:
    """A stream of the greatest number over its limit, of the samples that ran."""

    def stream() -> Iterator[Floats]:
        for rows in study.stored.blocks(names, samples=study.sampling.samples):
            yield (_numbers(rows, names)[rows.valid] / limits).max(axis=1)

    return stream


def _needed(stream: Any, samples: int, ran: int, wanted: float) -> Needed:
    """The limit that the wanted part of all samples keeps, and between which it lies with 95 % confidence.

    Failed samples lie beyond every limit; a bound that would need more samples, or falls among failed ones, is None.
    """
    low, high = quantile_ranks(samples, wanted)
    middle = max(ceil(wanted * samples - 1e-9) - 1, 0)
    ranks = [rank for rank in (low, middle, high) if rank is not None and rank < ran]
    values = dict(zip(ranks, ranked(stream, ranks), strict=True)) if ranks else {}
    return Needed(*(values.get(rank) if rank is not None else None for rank in (middle, low, high)))
