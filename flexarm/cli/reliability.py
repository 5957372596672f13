"""`flexarm reliability`: how often does the arm do what it must?"""

from __future__ import annotations

from typing import Annotated

import typer

from flexarm.cli import options as opt
from flexarm.cli import studies as stu
from flexarm.cli.answers import FINE, show, show_json
from flexarm.cli.files import refuse_early, write_text
from flexarm.cli.pages import Report, refuse_report, write_report
from flexarm.cli.waiting import kernels_announced


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
    row: stu.Row = None,
    csv: stu.Csv = None,
    report: Report = None,
    json: opt.Json = False,
) -> int:
    """How often does the arm do what it must?

    Counts over random samples how often the requirements of the model file are met, each and all of them, with 95 %
    intervals; tells which fails most and the tolerance needed for a wanted reliability.
    """
    from flexarm.studies.parameters import read_study

    count = stu.whole_number("--samples", samples)
    random = read_study(model)
    if csv is not None:
        refuse_early(csv, model, "--csv")
    refuse_report(report, model)
    if row is not None:
        with opt.concerning(model):
            show(stu.sample_text(random, count, seed, method, row))
        return FINE
    with opt.concerning(model), kernels_announced(), stu.StudyBar() as bar:
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
        show(found.summary())
        if written:
            show(f"\nwrote {' and '.join(written)}")
    return FINE
