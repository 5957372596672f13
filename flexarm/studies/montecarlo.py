"""What do tolerances do to the arm? Means, deviations and bands of its outputs over random samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from flexarm.errors import AnalysisError
from flexarm.model.reading.messages import shown
from flexarm.model.reading.quantity import is_number
from flexarm.results.montecarlo import Band, Effect, Figure, MonteCarlo, Step
from flexarm.results.stored_samples import series_column
from flexarm.studies.parameters.given import takes_study
from flexarm.studies.parameters.settings import with_settings
from flexarm.studies.parameters.study_model import StudyModel
from flexarm.studies.store.statistics import gather, quantiles
from flexarm.studies.store.store import keep_summary
from flexarm.studies.study import Sampling, Study, StudyOptions, run_study, split_options, takes_options

LEVELS = (0.05, 0.5, 0.95)


@takes_study
@takes_options
def montecarlo(
    model: StudyModel,
    *,
    samples: int = 1000,
    seed: int = 1,
    method: str = "plain",
    outputs: Sequence[str] | None = None,
    times: Sequence[float | str] | int | None = None,
    levels: Sequence[float] = LEVELS,
    per_parameter: bool = False,
    **options: Unpack[StudyOptions],
) -> MonteCarlo:
    """Statistics of the outputs over random samples of the arm: means, deviations, quantile bands, convergence.

    Parameters
    ----------
    model
        A study, or the path of a model file with distributions.
    samples
        Number of samples.
    seed
        A sample is a function of the seed and its index alone.
    method
        "plain", "lhs" or "sobol".
    outputs
        Names such as "tip.x", "tip.y@end" or "max(tip.deflection)".
    times
        Times (s) of the quantile bands, or their number.
    levels
        Quantiles.
    per_parameter
        Also runs one study for each parameter alone.
    folder, resume
        A study in a folder can be resumed after whatever ended it, and ends in the same table bit for bit.
    workers, chunk
        Number of threads, and of samples in a task; neither changes the result.
    progress
        Called with samples done and wanted.
    cluster
        A Dask client, or the address of its scheduler; the table is the same.
    **settings
        Those of `simulate` (end, tolerance, output, …).

    Returns
    -------
    MonteCarlo
        Statistics with their standard errors, and the table of samples.

    Examples
    --------
    >>> import flexarm as fa
    >>> model = fa.study_of(fa.read_arm("rod_handler.toml"), {"link[2].length": {"normal": [1.0, 1e-3]}})
    >>> found = fa.montecarlo(model, samples=16, outputs=["max(tip.deflection)"], end="0.1 s")
    >>> found.samples, found.failed
    (16, {})
    """
    execution, settings = split_options(options)
    model = with_settings(model, settings)
    for level in levels:
        if not is_number(level) or not 0.0 <= level <= 1.0:
            raise AnalysisError(f"levels holds {shown(level)}, must hold numbers from 0 to 1")
    sampling = Sampling(samples, seed, method, **execution)
    study = run_study(model, sampling, outputs=outputs, times=times)
    found = evaluated(study, levels)
    effects = []
    for k, parameter in enumerate(model.parameters if per_parameter else ()):
        place = None if sampling.folder is None else Path(sampling.folder) / f"only-{k:02d}"
        alone = replace(sampling, folder=place, resume=sampling.resume and place is not None and place.exists())
        study = run_study(model.only([parameter.name]), alone, outputs=outputs, times=times)
        effects.append(_effect(parameter.name, study, found))
    found = replace(found, effects=tuple(effects))
    if sampling.folder is not None:
        keep_summary(sampling.folder, "montecarlo", found.to_dict())
    return found


def evaluated(study: Study, levels: Sequence[float] = LEVELS) -> MonteCarlo:
    """The statistics of a complete table."""
    samples, plan = study.sampling.samples, study.plan
    names = plan.names
    gathered = gather(study.stored, names, samples)
    chosen = tuple(sorted({0.0, *levels, 1.0}))
    spread = quantiles(study.stored, names, chosen, samples)
    index = {name: k for k, name in enumerate(names)}
    units, moments = plan.units, gathered.moments

    def figure(name: str) -> Figure:
        k = index[name]
        return Figure(
            name,
            units[name],
            study.nominal[name],
            float(moments.mean[k]) if moments.count else float("nan"),
            float(np.sqrt(moments.variance[k])),
            moments.count,
            {level: float(spread[j, k]) for j, level in enumerate(chosen)},
        )

    bands = {}
    for signal in plan.series:
        columns = [index[series_column(signal, time)] for time in plan.times]
        bands[signal] = Band(
            signal,
            units[names[columns[0]]],
            np.array(plan.times),
            np.array([study.nominal[names[k]] for k in columns]),
            moments.mean[columns],
            moments.variance[columns],
            {level: spread[j, columns] for j, level in enumerate(chosen)},
        )
    heads = plan.headline
    return MonteCarlo(
        arm_name=study.model.nominal.name,
        samples=samples,
        failed=dict(gathered.failed),
        reasons=dict(gathered.reasons),
        seed=study.sampling.seed,
        method=study.sampling.method,
        parameters=study.model.random_parameters,
        figures={name: figure(name) for name in heads},
        bands=bands,
        convergence={name: _steps(gathered.on_the_way, index[name]) for name in heads},
        remarks=study.remarks,
        stored=study.stored,
    )


def _steps(on_the_way: Sequence[tuple[int, Any]], column: int) -> tuple[Step, ...]:
    """How mean and deviation came to be what they are."""
    return tuple(
        Step(count, float(moments.mean[column]), float(np.sqrt(moments.variance[column])), moments.count)
        for count, moments in on_the_way
        if moments.count > 1
    )


def _effect(name: str, alone: Study, whole: MonteCarlo) -> Effect:
    """What one parameter alone does, beside all together."""
    found = evaluated(alone)
    shares = {}
    for column, figure in found.figures.items():
        together = whole.figures[column].deviation
        shares[column] = (figure.deviation / together) ** 2 if together > 0.0 else float("nan")
    return Effect(name, found, shares)
