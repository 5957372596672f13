"""`flexarm sweep`: outputs of the arm over one or two keys of its model file."""

from __future__ import annotations

from typing import Annotated

from flexarm.cli import options as opt
from flexarm.cli import study_options as stu
from flexarm.cli.ending import finish, refuse_files, write_files
from flexarm.cli.options import option
from flexarm.cli.output import DONE
from flexarm.cli.pages import Report


def command(
    model: opt.ModelFile,
    vary: Annotated[
        list[str],
        option(
            "--vary",
            "KEY=VALUES",
            'Key of the model file and its values: "link[1].length=1 m:2 m:11" (from, to, how many) or a list, '
            '"link[1].model.elements=2,4,8"; once or twice. Links are counted from 0.',
        ),
    ],
    outputs: Annotated[
        str | None,
        option(
            "--outputs",
            "LIST",
            'Outputs of every arm: "max(tip.deflection),tip.y@end,residual(tip)", or signals such as tip.y at all '
            "times. Default: place, deflection and residual of the tip.",
        ),
    ] = None,
    times: Annotated[
        str | None, option("--times", "LIST", 'Times of signals, "0.5 s,1 s", or their number. Default: 41.')
    ] = None,
    execution: stu.Execution = stu.LOCAL,
    settings: opt.SampleSettings = opt.UNCHANGED,
    csv: Annotated[str | None, option("--csv", "FILE", "Also write every arm to a CSV file.")] = None,
    report: Report = None,
    json: opt.Json = False,
) -> int:
    """How do outputs change with a key of the model file, or with two?

    Runs the arm for every value and reports each output: curves over one key, maps over two. A sweep in a folder
    survives whatever ends it: --resume goes on.
    """
    refuse_files(model, report, csv=csv)
    given = opt.settings_in(settings, "; what is kept of an arm is named by --outputs")
    from flexarm.studies.sweep.keys import vary_of
    from flexarm.studies.sweep.sweep import sweep

    found = stu.run_study(
        sweep,
        model,
        model,
        execution,
        counted="arms",
        vary=vary_of(vary),
        outputs=stu.listed(outputs),
        times=stu.times_of(times),
        **given,
    )
    finish(found, model, write_files(found, report, csv, source=execution["folder"]), json=json)
    return DONE
