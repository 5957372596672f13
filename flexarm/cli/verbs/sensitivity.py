"""`flexarm sensitivity`: which tolerance matters?"""

from __future__ import annotations

from typing import Annotated

import typer

from flexarm.cli import options as opt
from flexarm.cli import study_options as stu
from flexarm.cli.ending import finish, refuse_files, write_files
from flexarm.cli.files import write_text
from flexarm.cli.output import FINE
from flexarm.cli.pages import Report
from flexarm.cli.progress import StudyBar, kernels_announced
from flexarm.errors import AnalysisError


def command(
    model: opt.ModelFile,
    samples: Annotated[
        str,
        typer.Option(
            "--samples",
            metavar="NUMBER",
            help="Number of samples for the indices, e.g. 1000 or 1e5; 0 computes derivatives only.",
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
            "--times", metavar="LIST", help='Times of the indices over time, "0.5 s,1 s", or their number. Default: 41.'
        ),
    ] = None,
    estimator: Annotated[
        str, typer.Option("--estimator", metavar="WORD", help="martinez, saltelli, jansen or mauntz-kucherenko.")
    ] = "martinez",
    pairs: Annotated[
        bool,
        typer.Option("--pairs", help="Also estimate second-order indices of pairs of parameters; takes more samples."),
    ] = False,
    difference: Annotated[
        float, typer.Option("--difference", metavar="NUMBER", help="Step of the derivatives, in standard deviations.")
    ] = 0.1,
    points: Annotated[
        int,
        typer.Option(
            "--points", min=0, metavar="NUMBER", help="Also take derivatives at this number of random points."
        ),
    ] = 0,
    study: stu.Folder = None,
    resume: stu.Resume = False,
    workers: stu.Workers = None,
    chunk: stu.Chunk = None,
    cluster: stu.Cluster = None,
    settings: opt.SampleSettings = opt.UNCHANGED,
    row: stu.Row = None,
    indices: Annotated[
        str | None, typer.Option("--indices", metavar="FILE", help="Also write all indices to a CSV file.")
    ] = None,
    csv: stu.Csv = None,
    report: Report = None,
    json: opt.Json = False,
) -> int:
    """Which tolerance matters?

    Estimates the first-order and total Sobol' index of every random parameter for any output, with 95 % intervals,
    and its derivative at the nominal arm, and names the tolerance to tighten first.
    """
    count = stu.whole_number("--samples", samples)
    random = stu.random_model(
        model,
        settings,
    )
    refuse_files(model, report, csv=csv, indices=indices)
    with opt.concerning(model), kernels_announced(), StudyBar() as bar:
        from flexarm.studies.sensitivity.sensitivity import pick_freeze_design, sensitivity

        if row is not None:
            design = pick_freeze_design(
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
    written = write_files(found, report, csv, source=study)
    if indices is not None:
        write_text(indices, found.indices_csv())
        written.insert(0 if csv is None else 1, indices)
    from flexarm.cli.curves import of_shares

    finish(found, model, written, json=json, curves=of_shares)
    return FINE
