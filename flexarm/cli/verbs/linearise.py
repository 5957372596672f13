"""`flexarm linearise`: the arm as a control engineer wants it."""

from __future__ import annotations

from typing import Annotated

from flexarm.cli import options as opt
from flexarm.cli.ending import finish, write_files
from flexarm.cli.options import option
from flexarm.cli.pages import Report, refuse_report
from flexarm.cli.progress import kernels_announced


def command(
    model: opt.ModelFile,
    posture: opt.Posture = None,
    joints: Annotated[
        str | None,
        option(
            "--joints",
            "WORD",
            "locked (inputs are accelerations), free (torques), servo (closed loop: targets) or driven (as in the "
            "model file, servos off). Default: as in the model file.",
        ),
    ] = None,
    modes: Annotated[
        int | None,
        option(
            "--modes", "NUMBER", "Keep this number of the lowest modes, and the static response of the others.", min=1
        ),
    ] = None,
    report: Report = None,
    json: opt.Json = False,
) -> None:
    """What is the linear state-space model of the arm? A, B, C, D with names.

    Linear about rest in a posture. The text lists sizes, names and poles; --json prints the matrices too.
    """
    moved = None if joints is None else opt.one_of("--joints", joints, ("locked", "free", "servo", "driven"))
    refuse_report(report, model)
    arm = opt.arm_in(model)
    where = opt.read_posture(arm, posture)
    with opt.concerning(model), kernels_announced():
        from flexarm.analyses.linearise import linearise

        found = linearise(arm, posture=where, joints=moved, modes=modes)
        written = write_files(found, report)
    finish(found, model, written, json=json)
