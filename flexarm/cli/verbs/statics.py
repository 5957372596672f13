"""`flexarm statics`: sag, holding torques and reactions."""

from __future__ import annotations

from typing import Annotated

import typer

from flexarm.cli import options as opt
from flexarm.cli.ending import finish, write_files
from flexarm.cli.pages import Report, refuse_report
from flexarm.cli.progress import kernels_announced


def command(
    model: opt.ModelFile,
    posture: opt.Posture = None,
    joints: Annotated[
        str | None,
        typer.Option(metavar="WORD", help='"locked" holds joints under servos, too. Default: as in the model file.'),
    ] = None,
    report: Report = None,
    json: opt.Json = False,
) -> None:
    """How far does the arm sag at rest, and what holds it?

    Equilibrium under gravity and loads: the sag of every point, the torque or force of every drive, and the
    reactions in the joints. Servos hold the posture as far as their loops do: with an integrator, exactly.
    """
    refuse_report(report, model)
    arm = opt.arm_in(model)
    where = opt.read_posture(arm, posture)
    with opt.concerning(model), kernels_announced():
        from flexarm.analyses.statics import statics

        found = statics(arm, posture=where, joints=joints)
        written = write_files(found, report)
    finish(found, model, written, json=json)
