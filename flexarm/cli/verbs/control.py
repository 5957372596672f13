"""`flexarm control`: what does a controller gain, and which one?"""

from __future__ import annotations

from typing import Annotated

import typer

from flexarm.cli import options as opt
from flexarm.cli.ending import finish, refuse_files, write_files
from flexarm.cli.files import write_text
from flexarm.cli.options import option
from flexarm.cli.pages import Report
from flexarm.cli.progress import kernels_announced


def command(
    model: opt.ModelFile,
    sample: Annotated[str, option("--sample", "TIME", "Between two samples of the controllers.")] = "1 ms",
    delay: Annotated[str, option("--delay", "TIME", 'From measuring to the torque, or "1 sample".')] = "1 sample",
    within: Annotated[str, option("--within", "LENGTH", "Where the tip counts as settled.")] = "1 mm",
    limit: Annotated[
        str | None, option("--limit", "TORQUE", 'Greatest size of each torque, e.g. "20 N m". Default: none.')
    ] = None,
    payload: Annotated[float, option("--payload", "PART", "By which part payloads may be off.")] = 0.2,
    stiffness: Annotated[float, option("--stiffness", "PART", "By which part the stiffness may be off.")] = 0.1,
    end: opt.End = None,
    out: Annotated[
        str | None, option("--out", "FILE", "Write the arm with the controller that settles first (TOML).")
    ] = None,
    report: Report = None,
    json: opt.Json = False,
) -> None:
    """What does a controller gain, and which one?

    The move of the model file with joints exactly on their command, with the controllers of the file, PD, PD and a
    shaped command, PD and feedback of the beams' moments, and LQG: residual, settling, torque, margins, and what is
    left of that where payloads and stiffness are off.
    """
    refuse_files(model, report, out=out)
    arm = opt.arm_in(model)
    with opt.concerning(model), kernels_announced():
        from flexarm.analyses.control.control import control

        found = control(
            arm,
            sample=sample,
            delay=delay,
            within=within,
            limit=limit,
            payload=payload,
            stiffness=stiffness,
            end=opt.number_or_text(end),
        )
        written = write_files(found, report)
    if out is not None:
        from flexarm.model import format_arm

        settled = [(row.settled, row.name) for row in found.rows if row.parts and row.settled is not None]
        best = min(settled)[1] if settled else None
        if best is None:
            typer.echo("no controller settles within the run: nothing is written", err=True)
        else:
            write_text(out, format_arm(found.arm_with(best)))
            written = [out, *written]
    finish(found, model, written, json=json)
