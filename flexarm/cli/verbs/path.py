"""`flexarm path`: where the joints must go so that the bent arm has its point on a path."""

from __future__ import annotations

from typing import Annotated

from flexarm.cli import options as opt
from flexarm.cli.ending import finish, refuse_files, write_files
from flexarm.cli.files import write_text
from flexarm.cli.options import option
from flexarm.cli.pages import Report
from flexarm.cli.progress import kernels_announced


def command(
    model: opt.ModelFile,
    motion: Annotated[
        str | None, option("--motion", "NAME", 'The [motion.NAME] with kind = "path". Default: the only one.')
    ] = None,
    compensate: Annotated[
        str | None,
        option(
            "--compensate",
            "WORD",
            "sag under weight and loads, or deflection, which counts the forces of the motion too. Default: as the "
            "model has it, else deflection.",
        ),
    ] = None,
    interval: Annotated[
        str | None,
        option("--interval", "TIME", 'Between the rows of the table, e.g. "4 ms". Default: where the path was solved.'),
    ] = None,
    out: Annotated[
        str | None, option("--out", "FILE", "Write the arm with these joint motions as tables to a model file.")
    ] = None,
    report: Report = None,
    json: opt.Json = False,
    csv: Annotated[
        str | None, option("--csv", "FILE", "Write the calibration table: joints over time, with their corrections.")
    ] = None,
) -> None:
    """Where must the joints go so that the bent arm has its point on a path?

    Leads a point along lines, arcs and curves by inverse kinematics, and moves the joints further by what weight, loads
    and the forces of the motion bend.
    """
    refuse_files(model, report, out=out, csv=csv)
    arm = opt.arm_in(model)
    with opt.concerning(model), kernels_announced():
        from flexarm.analyses.path.path import path

        found = path(arm, motion, compensate=compensate, interval=opt.number_or_text(interval))
        written = write_files(found, report, csv)
        if out is not None:
            from flexarm.model import format_arm

            write_text(out, format_arm(found.commanded_arm()))
            written.append(out)
    finish(found, model, written, json=json)
