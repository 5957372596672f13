"""`flexarm reliability`: how often does the arm meet its requirements?"""

from __future__ import annotations

from typing import Annotated, Any

from flexarm.cli import options as opt
from flexarm.cli import study_options as stu
from flexarm.cli.ending import finish, refuse_files, write_files
from flexarm.cli.options import option
from flexarm.cli.output import DONE, INTERRUPTED, NOTHING_FOUND, say
from flexarm.cli.pages import Report

# What is counted on the bar, by method.
_EVALUATED = dict.fromkeys(("form", "sorm", "importance", "subset"), "evaluations")


def command(
    model: opt.ModelFile,
    samples: Annotated[
        str | None, option("--samples", "NUMBER", "How many samples, e.g. 1000 or 1e5. Default: 1000.")
    ] = None,
    seed: stu.Seed = 1,
    method: Annotated[
        str,
        option(
            "--method",
            "WORD",
            "plain, lhs or sobol count samples; form, sorm, importance or subset are for what is rarely missed.",
        ),
    ] = "plain",
    wanted: Annotated[
        float | None, option("--wanted", "NUMBER", "Report the tolerances needed for this reliability. Default: 0.997.")
    ] = None,
    outputs: Annotated[
        str | None,
        option(
            "--outputs",
            "LIST",
            'Also keep these of every sample: "tip.x,max(tip.deflection)"; signals get bands on the page.',
        ),
    ] = None,
    cov: Annotated[
        float | None,
        option("--cov", "NUMBER", "Coefficient of variation at which importance (default 0.05) and subset (0.25) end."),
    ] = None,
    evaluations: Annotated[
        str | None,
        option("--evaluations", "NUMBER", "Greatest number of evaluations, of the methods for rare failures."),
    ] = None,
    block: Annotated[
        int | None,
        option("--block", "NUMBER", "Samples these methods evaluate at once; a level of subset has ten blocks."),
    ] = None,
    execution: stu.Execution = stu.LOCAL,
    settings: opt.SampleSettings = opt.UNCHANGED,
    row: stu.Row = None,
    csv: stu.Csv = None,
    report: Report = None,
    json: opt.Json = False,
) -> int:
    """How often does the arm meet its requirements?

    Counts over random samples how often the requirements of the model file are met, each and all of them, with 95 %
    intervals; reports which fails most and the tolerance needed for a wanted reliability. What is missed too rarely to
    be counted is found by form, sorm, importance and subset, which also show which tolerance is to blame.
    """
    count = None if samples is None else stu.whole_number("--samples", samples)
    most = None if evaluations is None else stu.whole_number("--evaluations", evaluations, 10**18)
    random = stu.random_model(model, settings)
    refuse_files(model, report, csv=csv)
    if row is not None:
        stu.show_row(model, random, count or 1000, (seed, method, row), json=json)
        return DONE
    from flexarm.studies.reliability.reliability import reliability

    found = stu.run_study(
        reliability,
        model,
        random,
        execution,
        counted=_EVALUATED.get(method, "samples"),
        samples=count,
        seed=seed,
        method=method,
        wanted=wanted,
        outputs=stu.listed(outputs) or (),
        cov=cov,
        evaluations=most,
        block=block,
    )
    finish(found, model, write_files(found, report, csv, source=execution["folder"]), json=json)
    return _outcome(found, execution["folder"])


def _outcome(found: Any, folder: str | None) -> int:
    """The exit code; methods for what is rare may end before they know."""
    if getattr(found, "interrupted", False):
        kept = "nothing is kept without --study FOLDER"
        if folder is not None:
            kept = f"they are kept in {folder}, the same with --resume goes on"
        say(f"interrupted after {found.evaluations} evaluations; {kept}")
        return INTERRUPTED
    return NOTHING_FOUND if found.reliability is None else DONE
