"""`flexarm reliability`: how often does the arm do what it must?"""

from __future__ import annotations

from typing import Annotated

import typer

from flexarm.cli import options as opt
from flexarm.cli import studies as stu
from flexarm.cli.answers import FINE, show, show_json, show_remark
from flexarm.cli.files import refuse_early, write_text
from flexarm.cli.screen import show_answer
from flexarm.cli.waiting import StudyBar, kernels_announced


def command(
    model: opt.ModelFile,
    samples: stu.Samples = "1000",
    seed: stu.Seed = 1,
    method: stu.Method = "plain",
    wanted: Annotated[
        float, typer.Option("--wanted", metavar="NUMBER", help="Tell the tolerances needed for this reliability.")
    ] = 0.997,
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
    json: opt.Json = False,
) -> int:
    """How often does the arm do what it must?

    Counts over random samples how often the requirements of the model file are met, each and all of them, with 95 %
    intervals; tells which fails most and the tolerance needed for a wanted reliability.
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
    if csv is not None:
        refuse_early(csv, model, "--csv")
    if row is not None:
        with opt.concerning(model):
            show(stu.sample_text(random, count, seed, method, row))
        return FINE
    with opt.concerning(model), kernels_announced(), StudyBar() as bar:
        from flexarm.studies.reliability import reliability

        try:
            found = reliability(
                random,
                samples=count,
                seed=seed,
                method=method,
                wanted=wanted,
                folder=study,
                resume=resume,
                workers=workers,
                chunk=chunk,
                cluster=cluster,
                progress=bar,
            )
        except KeyboardInterrupt:
            return stu.interrupted(bar, study)
    if csv is not None:
        write_text(csv, found.csv_blocks())
    if json:
        show_json({"model": model, **found.to_dict()})
    else:
        show_answer(found.summary())
        if csv is not None:
            show_remark(f"\nwrote {csv}")
    return FINE
