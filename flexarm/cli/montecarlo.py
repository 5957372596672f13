"""`flexarm montecarlo`: what do tolerances do to the arm?"""

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
from flexarm.errors import FlexarmError


def command(
    model: opt.ModelFile,
    samples: stu.Samples = "1000",
    seed: stu.Seed = 1,
    method: stu.Method = "plain",
    outputs: Annotated[
        str | None,
        typer.Option(
            "--outputs",
            metavar="LIST",
            help='What is kept of every sample: "tip.x,tip.y@end,max(tip.deflection),residual(tip.y)". '
            "Default: path, deflection and residual of the tip, and free joints.",
        ),
    ] = None,
    times: Annotated[
        str | None,
        typer.Option("--times", metavar="LIST", help='Times of the bands, "0.5 s,1 s", or how many. Default: 41.'),
    ] = None,
    levels: Annotated[
        str, typer.Option("--levels", metavar="LIST", help="Levels of the quantile bands.")
    ] = "0.05,0.5,0.95",
    per_parameter: Annotated[
        bool, typer.Option("--per-parameter", help="Also run every parameter alone, the others at their means.")
    ] = False,
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
    csv: stu.Csv = None,
    report: Report = None,
    json: opt.Json = False,
) -> int:
    """What do tolerances do to the arm?

    Runs random samples of a model file with distributions and tells means, deviations and quantile bands of any
    output. A study in a folder survives whatever ends it: --resume goes on, to the same table bit for bit.
    """
    count = stu.whole_number("--samples", samples)
    shares = stu.numbers("--levels", levels) or []
    if not all(0.0 <= level <= 1.0 for level in shares):
        raise FlexarmError(f'--levels is "{levels}", must be numbers from 0 to 1')
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
    if csv is not None:
        refuse_early(csv, model, "--csv")
    refuse_report(report, model)
    if row is not None:
        with opt.concerning(model):
            values = stu.sample_of(random, count, seed, method, row)
            stu.show_sample(model, random, values, (seed, method, row), json=json)
        return FINE
    stu.tell_if_new(study, resume=resume)
    with opt.concerning(model), kernels_announced(), StudyBar() as bar:
        from flexarm.studies.montecarlo import montecarlo

        try:
            found = montecarlo(
                random,
                samples=count,
                seed=seed,
                method=method,
                outputs=stu.listed(outputs),
                times=stu.times_of(times),
                levels=shares,
                per_parameter=per_parameter,
                folder=study,
                resume=resume,
                workers=workers,
                chunk=chunk,
                cluster=cluster,
                progress=bar,
            )
        except KeyboardInterrupt:
            return stu.interrupted(bar, study)
    written = write_report(found, report, source=study)
    if csv is not None:
        write_text(csv, found.csv_blocks())
        written.insert(0, csv)
    if json:
        show_json({"model": model, **found.to_dict()})
    else:
        from flexarm.cli.histories import of_samples

        show_answer(found.summary(), lambda: of_samples(found))
    tell_written(written)
    return FINE
