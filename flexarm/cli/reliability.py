"""`flexarm reliability`: how often does the arm do what it must?"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from flexarm.cli import options as opt
from flexarm.cli import studies as stu
from flexarm.cli.answers import FINE, INTERRUPTED, NOTHING_FOUND, say, show_json
from flexarm.cli.files import refuse_early, tell_written, write_text
from flexarm.cli.pages import Report, refuse_report, write_report
from flexarm.cli.screen import show_answer
from flexarm.cli.waiting import StudyBar, kernels_announced

# What is counted on the bar, by method.
_EVALUATED = dict.fromkeys(("form", "sorm", "importance", "subset"), "evaluations")


def command(
    model: opt.ModelFile,
    samples: Annotated[
        str | None,
        typer.Option("--samples", metavar="NUMBER", help="How many samples, e.g. 1000 or 1e5. Default: 1000."),
    ] = None,
    seed: stu.Seed = 1,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="WORD",
            help="plain, lhs or sobol count samples; form, sorm, importance or subset are for what is rarely missed.",
        ),
    ] = "plain",
    wanted: Annotated[
        float | None,
        typer.Option(
            "--wanted", metavar="NUMBER", help="Tell the tolerances needed for this reliability. Default: 0.997."
        ),
    ] = None,
    outputs: Annotated[
        str | None,
        typer.Option(
            "--outputs",
            metavar="LIST",
            help='Also keep these of every sample: "tip.x,max(tip.deflection)"; signals get bands on the page.',
        ),
    ] = None,
    cov: Annotated[
        float | None,
        typer.Option(
            "--cov",
            metavar="NUMBER",
            help="Coefficient of variation at which importance (default 0.05) and subset (0.25) end.",
        ),
    ] = None,
    evaluations: Annotated[
        str | None,
        typer.Option("--evaluations", metavar="NUMBER", help="At most so many, of the methods for what is rare."),
    ] = None,
    block: Annotated[
        int | None,
        typer.Option("--block", metavar="NUMBER", help="Samples of them at once; a level of subset has ten blocks."),
    ] = None,
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
    """How often does the arm do what it must?

    Counts over random samples how often the requirements of the model file are met, each and all of them, with 95 %
    intervals; tells which fails most and the tolerance needed for a wanted reliability. What is missed too rarely to
    be counted is found by form, sorm, importance and subset, which also tell which tolerance is to blame.
    """
    count = None if samples is None else stu.whole_number("--samples", samples)
    most = None if evaluations is None else stu.whole_number("--evaluations", evaluations, 10**18)
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
            values = stu.sample_of(random, count or 1000, seed, method, row)
            stu.show_sample(model, random, values, (seed, method, row), json=json)
        return FINE
    stu.tell_if_new(study, resume=resume)
    with opt.concerning(model), kernels_announced(), StudyBar(_EVALUATED.get(method, "samples")) as bar:
        from flexarm.studies.reliability import reliability

        try:
            found = reliability(
                random,
                samples=count,
                seed=seed,
                method=method,
                wanted=wanted,
                outputs=stu.listed(outputs) or (),
                cov=cov,
                evaluations=most,
                block=block,
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
        show_answer(found.summary())
    tell_written(written)
    return _outcome(found, study)


def _outcome(found: Any, folder: str | None) -> int:
    """The exit code; methods for what is rare may end before they know."""
    if getattr(found, "interrupted", False):
        kept = "nothing is kept without --study FOLDER"
        if folder is not None:
            kept = f"they are kept in {folder}, the same with --resume goes on"
        say(f"interrupted after {found.evaluations} evaluations; {kept}")
        return INTERRUPTED
    return NOTHING_FOUND if found.reliability is None else FINE
