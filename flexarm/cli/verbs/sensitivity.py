"""`flexarm sensitivity`: which tolerance matters?"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from flexarm.cli import options as opt
from flexarm.cli import study_options as stu
from flexarm.cli.ending import finish, refuse_files, write_files
from flexarm.cli.files import write_text
from flexarm.cli.options import option
from flexarm.cli.output import DONE
from flexarm.cli.pages import Report
from flexarm.errors import AnalysisError


def command(
    model: opt.ModelFile,
    samples: Annotated[
        str,
        option(
            "--samples",
            "NUMBER",
            "How many samples the indices may take, e.g. 1000 or 1e5; 0 leaves the derivatives alone.",
        ),
    ] = "1000",
    seed: stu.Seed = 1,
    method: stu.Method = "sobol",
    outputs: Annotated[
        str | None,
        option(
            "--outputs",
            "LIST",
            'As for montecarlo, and requirements: "tip.x,max(tip.deflection),requirement NAME". '
            "Default: as montecarlo, and all requirements.",
        ),
    ] = None,
    times: Annotated[
        str | None,
        option("--times", "LIST", 'Times of the indices over time, "0.5 s,1 s", or their number. Default: 41.'),
    ] = None,
    estimator: Annotated[
        str, option("--estimator", "WORD", "martinez, saltelli, jansen or mauntz-kucherenko.")
    ] = "martinez",
    pairs: Annotated[
        bool,
        typer.Option("--pairs", help="Also estimate second-order indices of pairs of parameters; takes more samples."),
    ] = False,
    difference: Annotated[
        float, option("--difference", "NUMBER", "Step of the derivatives, in standard deviations.")
    ] = 0.1,
    points: Annotated[
        int, option("--points", "NUMBER", "Also take derivatives at this number of random points.", min=0)
    ] = 0,
    execution: stu.Execution = stu.LOCAL,
    settings: opt.SampleSettings = opt.UNCHANGED,
    row: stu.Row = None,
    indices: Annotated[str | None, option("--indices", "FILE", "Also write all indices to a CSV file.")] = None,
    csv: stu.Csv = None,
    report: Report = None,
    json: opt.Json = False,
) -> int:
    """Which tolerance matters?

    Estimates the first-order and total Sobol' index of every random parameter for any output, with 95 % intervals,
    and its derivative at the nominal arm, and names the tolerance to tighten first.
    """
    count = stu.whole_number("--samples", samples)
    random = stu.random_model(model, settings)
    refuse_files(model, report, csv=csv, indices=indices)
    design: dict[str, Any] = {
        "samples": count,
        "seed": seed,
        "method": method,
        "pairs": pairs,
        "difference": difference,
        "points": points,
    }
    from flexarm.studies.sensitivity.sensitivity import pick_freeze_design, sensitivity

    if row is not None:
        with opt.concerning(model):
            rows = pick_freeze_design(random, **design)
            if row >= rows.samples:
                raise AnalysisError(f"the sample is {row}, must be within 0 and {rows.samples - 1}")
            stu.show_sample(model, random, rows.draw(row, row + 1)[0], (seed, method, row), json=json)
        return DONE
    found = stu.run_study(
        sensitivity,
        model,
        random,
        execution,
        outputs=stu.listed(outputs),
        times=stu.times_of(times),
        estimator=estimator,
        **design,
    )
    written = write_files(found, report, csv, source=execution["folder"])
    if indices is not None:
        write_text(indices, found.indices_csv())
        written.insert(0 if csv is None else 1, indices)
    from flexarm.cli.curves import of_shares

    finish(found, model, written, json=json, curves=of_shares)
    return DONE
