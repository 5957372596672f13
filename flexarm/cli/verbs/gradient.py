"""`flexarm gradient`: exact derivatives of a run by numbers of its model file."""

from __future__ import annotations

from typing import Annotated, Any

from flexarm.cli import options as opt
from flexarm.cli import study_options as stu
from flexarm.cli.ending import finish, refuse_files, write_files
from flexarm.cli.options import option
from flexarm.cli.pages import Report
from flexarm.cli.progress import kernels_announced
from flexarm.errors import FlexarmError


def command(
    model: opt.ModelFile,
    of: Annotated[
        str,
        option(
            "--of",
            "LIST",
            'Outputs: "tip.y @ end,tip.y @ 1.5 s,max(tip.deflection),residual,peak torque", or signals such as tip.y '
            "at all times.",
        ),
    ],
    by: Annotated[
        str,
        option(
            "--by",
            "LIST",
            'Numbers of the model file: "link[1].beam.bending_stiffness,motion.stop.braking_time". Links are counted '
            "from 0.",
        ),
    ],
    times: Annotated[
        str | None, option("--times", "LIST", 'Times of signals, "0.5 s,1 s", or their number. Default: 41.')
    ] = None,
    settings: opt.SampleSettings = opt.UNCHANGED,
    report: Report = None,
    json: opt.Json = False,
) -> None:
    """What would change if a number of the model were another one?

    Exact derivatives of the run by any number of its file, carried along by the run itself: nothing is differenced.
    """
    refuse_files(model, report)
    words, names = stu.listed(of) or [], stu.listed(by) or []
    given: dict[str, Any] = dict(settings)
    arm = opt.arm_in(model)
    with opt.concerning(model), kernels_announced():
        from flexarm.studies.derivatives.gradient import gradient, jacobian
        from flexarm.studies.outputs.columns import is_series

        over_time = [is_series(word) and word not in ("residual", "peak torque") for word in words]
        if any(over_time) != all(over_time):
            raise FlexarmError(f'--of is "{of}", must hold numbers of a run alone, or signals over time alone')
        if times is not None and not all(over_time):
            raise FlexarmError("--times is given with numbers of a run, must be given with signals over time")
        found: Any
        if all(over_time):
            found = jacobian(arm, of=words, by=names, times=stu.times_of(times), **given)
        else:
            found = gradient(arm, of=words, by=names, **given)
        written = write_files(found, report)
    finish(found, model, written, json=json)
