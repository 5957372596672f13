"""`flexarm campbell`: frequencies over the speed of rotation, and the critical speeds."""

from __future__ import annotations

from typing import Annotated

from flexarm.cli import options as opt
from flexarm.cli.ending import finish, refuse_files, write_files
from flexarm.cli.options import option
from flexarm.cli.pages import Report
from flexarm.cli.progress import CountBar, kernels_announced
from flexarm.errors import FlexarmError


def command(
    model: opt.ModelFile,
    to: Annotated[str, option("--to", "RATE", 'Highest speed, e.g. "20 rad/s" or "200 rpm".')],
    start: Annotated[str, option("--from", "RATE", "Lowest speed.")] = "0",
    steps: Annotated[int, option("--steps", "NUMBER", "Number of steps between the two speeds.", min=1)] = 20,
    joint: Annotated[
        str | None, option("--joint", "JOINT", "Which joint spins. Default: the first revolute one.")
    ] = None,
    posture: opt.Posture = None,
    joints: opt.Joints = None,
    free: opt.Free = None,
    count: Annotated[int, option("--count", "NUMBER", "Number of modes, lowest first.", min=1)] = 6,
    orders: Annotated[
        int, option("--orders", "NUMBER", "Critical speeds up to this multiple of the speed.", min=1)
    ] = 4,
    report: Report = None,
    json: opt.Json = False,
    csv: Annotated[str | None, option("--csv", "FILE", "Also write the curves as comma-separated values.")] = None,
) -> None:
    """How do the frequencies change with the speed of rotation?

    Modes are tracked from speed to speed by their shapes; critical speeds are those of which a frequency is a
    multiple.
    """
    held = opt.read_joints(joints, free)
    arm = opt.arm_in(model)
    where = opt.read_posture(arm, posture)
    refuse_files(model, report, csv=csv)
    with opt.concerning(model), kernels_announced(), CountBar("speeds") as bar:
        from flexarm.analyses.campbell import campbell
        from flexarm.analyses.modes.steady_rotation import read_rate

        ends = [read_rate(opt.number_or_text(word), option) for option, word in (("--from", start), ("--to", to))]
        if not 0.0 <= ends[0] < ends[1]:
            raise FlexarmError(f"--from is {start} and --to is {to}, must be rising and ≥ 0")
        found = campbell(
            arm,
            spins=(*ends, steps + 1),
            joint=joint,
            posture=where,
            joints=held,
            count=count,
            orders=orders,
            progress=lambda speed: bar(f"{speed:.4g} rad/s", wanted=steps + 1),
        )
    from flexarm.cli.curves import of_speeds

    finish(found, model, write_files(found, report, csv), json=json, curves=of_speeds)
