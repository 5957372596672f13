"""`flexarm modes`: natural frequencies, damping ratios and shapes in a posture."""

from __future__ import annotations

from typing import Annotated

import typer

from flexarm.cli import options as opt
from flexarm.cli.answers import show, show_json
from flexarm.cli.waiting import kernels_announced


def command(
    model: opt.ModelFile,
    posture: opt.Posture = None,
    joints: Annotated[
        str, typer.Option("--joints", metavar="WORD", help="locked (every joint held) or free (moving on its spring).")
    ] = "locked",
    count: Annotated[int, typer.Option("--count", min=1, metavar="NUMBER", help="How many modes, lowest first.")] = 10,
    json: opt.Json = False,
) -> None:
    """Which frequencies does the arm have in a posture?

    Small vibration about the static equilibrium, joints held where the model file or --posture puts them.
    """
    from flexarm.model import read_arm

    held = opt.one_of("--joints", joints, ("locked", "free"))
    arm = read_arm(model)
    where = opt.read_posture(arm, posture)
    with opt.concerning(model), kernels_announced():
        from flexarm.analyses.modes import modes

        found = modes(arm, posture=where, joints=held, count=count)
    if json:
        show_json({"model": model, **found.to_dict()})
    else:
        show(found.summary())
