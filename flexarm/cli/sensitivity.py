"""`flexarm sensitivity`: which tolerance matters?"""

from __future__ import annotations

from typing import Annotated

import typer

from flexarm.cli import options as opt
from flexarm.cli import studies as stu
from flexarm.cli.answers import FINE, show_json
from flexarm.cli.files import refuse_early, tell_written, write_text
from flexarm.cli.pages import Report, refuse_report, write_report
from flexarm.cli.screen import show_answer
from flexarm.cli.waiting import StudyBar, kernels_announced
from flexarm.errors import AnalysisError


def command(
    model: opt.ModelFile,
    samples: Annotated[
        str,
        typer.Option(
            "--samples",
            metavar="NUMBER",
            help="How many samples the indices may take, e.g. 1000 or 1e5; 0 leaves the derivatives alone.",
        ),
    ] = "1000",
    seed: stu.Seed = 1,
    method: stu.Method = "sobol",
    outputs: Annotated[
        str | None,
        typer.Option(
            "--outputs",
            metavar="LIST",
            help='As for montecarlo, and requirements: "tip.x,max(tip.deflection),requirement NAME". '
            "Default: as montecarlo, and all requirements.",
        ),
    ] = None,
    times: Annotated[
        str | None,
        typer.Option(
            "--times", metavar="LIST", help='Times of the indices over time, "0.5 s,1 s", or how many. Default: 41.'
        ),
    ] = None,
    estimator: Annotated[
        str, typer.Option("--estimator", metavar="WORD", help="martinez, saltelli, jansen or mauntz-kucherenko.")
    ] = "martinez",
    pairs: Annotated[bool, typer.Option("--pairs", help="Also what two parameters do together; more samples.")] = False,
    difference: Annotated[
        float, typer.Option("--difference", metavar="NUMBER", help="Of the derivatives, in standard deviations.")
    ] = 0.1,
    points: Annotated[
        int, typer.Option("--points", min=0, metavar="NUMBER", help="Also derivatives at so many random points.")
    ] = 0,
    study: stu.Folder = None,
    resume: stu.Resume = False,
    workers: stu.Workers = None,
    chunk: stu.Chunk = None,
    cluster: stu.Cluster = None,
    end: opt.End = None,
    start: opt.Start = None,
    analysis: opt.Analysis = None,
    stepper: opt.Stepper = None,
    tolerance: opt.Tolerance = None,
    step: opt.Step = None,
    spectral_radius: opt.SpectralRadius = None,
    output: opt.Output = None,
    max_steps: opt.MaxSteps = None,
    row: stu.Row = None,
    indices: Annotated[
        str | None, typer.Option("--indices", metavar="FILE", help="Also write all indices to a CSV file.")
    ] = None,
    csv: stu.Csv = None,
    report: Report = None,
    json: opt.Json = False,
) -> int:
    """Which tolerance matters?

    Tells which part of the variance of any output each random parameter makes, by itself and together with others,
    with 95 % intervals, beside the derivatives at the nominal arm; and which tolerance to tighten first.
    """
    count = stu.whole_number("--samples", samples)
    random = stu.random_model(
        model,
        {
            "end": end,
            "start": start,
            "analysis": analysis,
            "stepper": stepper,
            "tolerance": tolerance,
            "step": step,
            "spectral_radius": spectral_radius,
            "output": output,
            "max_steps": max_steps,
        },
    )
    for option, target in (("--csv", csv), ("--indices", indices)):
        if target is not None:
            refuse_early(target, model, option)
    refuse_report(report, model)
    with opt.concerning(model), kernels_announced(), StudyBar() as bar:
        from flexarm.studies.sensitivity import exchange_of, sensitivity

        if row is not None:
            design = exchange_of(
                random, samples=count, seed=seed, method=method, pairs=pairs, difference=difference, points=points
            )
            if row >= design.samples:
                raise AnalysisError(f"the sample is {row}, must be within 0 and {design.samples - 1}")
            stu.show_sample(model, random, design.draw(row, row + 1)[0], (seed, method, row), json=json)
            return FINE
        stu.tell_if_new(study, resume=resume)
        try:
            found = sensitivity(
                random,
                outputs=stu.listed(outputs),
                samples=count,
                seed=seed,
                method=method,
                estimator=estimator,
                pairs=pairs,
                difference=difference,
                points=points,
                times=stu.times_of(times),
                folder=study,
                resume=resume,
                workers=workers,
                chunk=chunk,
                cluster=cluster,
                progress=bar,
            )
        except KeyboardInterrupt:
            return stu.interrupted(bar, study)
    pages = write_report(found, report, source=study)
    if csv is not None:
        write_text(csv, found.csv_blocks())
    if indices is not None:
        write_text(indices, found.indices_csv())
    if json:
        show_json({"model": model, **found.to_dict()})
    else:
        from flexarm.cli.histories import of_shares

        show_answer(found.summary(), lambda: of_shares(found))
    tell_written([name for name in (csv, indices, *pages) if name is not None])
    return FINE
