"""`flexarm export`: the arm for other simulators."""

from __future__ import annotations

from typing import Annotated

import typer

from flexarm.cli import options as opt
from flexarm.cli.files import refuse_early, report_written
from flexarm.cli.options import option
from flexarm.errors import FlexarmError


def command(
    model: opt.ModelFile,
    urdf: Annotated[str | None, option("--urdf", "FILE", "Write the arm as URDF.")] = None,
    mjcf: Annotated[str | None, option("--mjcf", "FILE", "Write the arm as MJCF, for MuJoCo.")] = None,
    rigid: Annotated[
        bool, typer.Option("--rigid", help="Leave out all that bends: beams and gears are stiff.")
    ] = False,
    elements: Annotated[
        int | None,
        option("--elements", "NUMBER", "Rigid elements per beam. Default: the model's own, or 10.", min=1, max=1000),
    ] = None,
) -> None:
    """Write the arm for other simulators.

    Beams become chains of rigid pieces with springs between them, gears a joint with a spring behind the motor's.
    MuJoCo takes both files; Pinocchio takes the URDF, which has the springs in tags of flexarm's own.
    """
    wanted = {"urdf": urdf, "mjcf": mjcf}
    if urdf is None and mjcf is None:
        raise FlexarmError("there is nothing to write, must be --urdf FILE, --mjcf FILE or both")
    for kind, target in wanted.items():
        if target is not None:
            refuse_early(target, model, f"--{kind}")
    arm = opt.arm_in(model)
    with opt.concerning(model):
        from flexarm.analyses.export.export import export

        written = [target for target in wanted.values() if target is not None]
        for kind, target in wanted.items():
            if target is not None:
                export(arm, target, format=kind, rigid=rigid, elements=elements)
    report_written(written)
