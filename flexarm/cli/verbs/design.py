"""`flexarm design`: the best arm that meets its requirements."""

from __future__ import annotations

from typing import Annotated

from flexarm.cli import options as opt
from flexarm.cli.ending import finish, refuse_files, write_files
from flexarm.cli.files import write_text
from flexarm.cli.options import option
from flexarm.cli.output import DONE, NOTHING_FOUND
from flexarm.cli.pages import Report
from flexarm.cli.progress import kernels_announced


def command(
    model: opt.ModelFile,
    starts: Annotated[
        int, option("--starts", "NUMBER", "Designs to start from, the file's own first.", min=1, max=20)
    ] = 3,
    front: Annotated[
        str | None,
        option("--front", "NAME", "Vary the limit of this requirement from half to twice its size: the trade-off."),
    ] = None,
    out: Annotated[str | None, option("--out", "FILE", "Write the model file of the design (TOML).")] = None,
    report: Report = None,
    json: opt.Json = False,
) -> int:
    """Which is the lightest, quickest or calmest arm that meets its requirements?

    The file has a table [design] with what is to be least and which numbers are free, and [[requirement]] tables.
    """
    refuse_files(model, report, out=out)
    with opt.concerning(model), kernels_announced():
        from flexarm.studies.design.design import design

        found = design(model, starts=starts, front=front)
        written = write_files(found, report)
    if out is not None and found.arm is not None:
        from flexarm.model import format_arm

        write_text(out, format_arm(found.arm))
        written = [out, *written]
    finish(found, model, written, json=json)
    return DONE if found.met else NOTHING_FOUND
