"""`flexarm montecarlo`: what do tolerances do to the arm?"""

from __future__ import annotations

from typing import Annotated

import typer

from flexarm.cli import options as opt
from flexarm.cli import study_options as stu
from flexarm.cli.ending import finish, refuse_files, write_files
from flexarm.cli.options import option
from flexarm.cli.output import DONE
from flexarm.cli.pages import Report
from flexarm.errors import FlexarmError


def command(
    model: opt.ModelFile,
    samples: stu.Samples = "1000",
    seed: stu.Seed = 1,
    method: stu.Method = "plain",
    outputs: Annotated[
        str | None,
        option(
            "--outputs",
            "LIST",
            'Outputs kept of every sample: "tip.x,tip.y@end,max(tip.deflection),residual(tip.y)". '
            "Default: path, deflection and residual of the tip, and free joints.",
        ),
    ] = None,
    times: Annotated[
        str | None, option("--times", "LIST", 'Times of the bands, "0.5 s,1 s", or their number. Default: 41.')
    ] = None,
    levels: Annotated[str, option("--levels", "LIST", "Levels of the quantile bands.")] = "0.05,0.5,0.95",
    per_parameter: Annotated[
        bool, typer.Option("--per-parameter", help="Also run every parameter alone, the others at their means.")
    ] = False,
    execution: stu.Execution = stu.LOCAL,
    settings: opt.SampleSettings = opt.UNCHANGED,
    row: stu.Row = None,
    csv: stu.Csv = None,
    report: Report = None,
    json: opt.Json = False,
) -> int:
    """What do tolerances do to the arm?

    Runs random samples of a model file with distributions and reports means, deviations and quantile bands of any
    output. A study in a folder survives whatever ends it: --resume goes on, to the same table bit for bit.
    """
    count = stu.whole_number("--samples", samples)
    shares = stu.numbers("--levels", levels) or []
    if not all(0.0 <= level <= 1.0 for level in shares):
        raise FlexarmError(f'--levels is "{levels}", must be numbers from 0 to 1')
    random = stu.random_model(model, settings)
    refuse_files(model, report, csv=csv)
    if row is not None:
        stu.show_row(model, random, count, (seed, method, row), json=json)
        return DONE
    from flexarm.studies.montecarlo import montecarlo

    found = stu.run_study(
        montecarlo,
        model,
        random,
        execution,
        samples=count,
        seed=seed,
        method=method,
        outputs=stu.listed(outputs),
        times=stu.times_of(times),
        levels=shares,
        per_parameter=per_parameter,
    )
    from flexarm.cli.curves import of_samples

    finish(found, model, write_files(found, report, csv, source=execution["folder"]), json=json, curves=of_samples)
    return DONE
