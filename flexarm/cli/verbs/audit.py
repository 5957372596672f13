"""`flexarm audit`: which link or gear of a robot costs most at the tip?"""

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
    robot: Annotated[
        str,
        typer.Argument(metavar="ROBOT", help="A URDF or MJCF file, or an elasticity table.", show_default=False),
    ],
    tip: Annotated[str | None, option("--tip", "LINK", "Where the cost counts. Default: the farthest end.")] = None,
    posture: opt.Posture = None,
    payload: Annotated[str, option("--payload", "MASS", 'A mass at the tip, e.g. "3 kg".')] = "0 kg",
    material: Annotated[str, option("--material", "NAME", "Of the links: a material of the library.")] = "aluminium",
    structure: Annotated[float, option("--structure", "PART", "The part of a link's mass that carries load.")] = 0.5,
    out: Annotated[
        str | None, option("--out", "FILE", "Write an elasticity table with all that was estimated (TOML).")
    ] = None,
    report: Report = None,
    json: opt.Json = False,
) -> None:
    """Which link or gear of a robot costs most at the tip?

    Sections are estimated from shapes, mass and inertia, gears from the effort of their joints, unless an elasticity
    table has them. Each gives way alone: how far does the tip sag, and which first frequency does that leave?
    """
    refuse_files(robot, report, out=out)
    arm = opt.arm_in(robot)
    where = opt.read_posture(arm, posture) if posture else None
    with opt.concerning(robot), kernels_announced():
        from flexarm.analyses.audit.audit import audit

        found = audit(robot, tip=tip, posture=where, payload=payload, material=material, structure=structure)
        written = write_files(found, report)
    if out is not None:
        from flexarm.analyses.audit.table import table_text

        write_text(out, table_text(found, robot, out))
        written = [out, *written]
    finish(found, robot, written, json=json)
