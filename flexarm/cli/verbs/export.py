"""`flexarm export`: the arm for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

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
    c: Annotated[str | None, option("--c", "FOLDER", "Write the arm as a C library, named after the folder.")] = None,
    fmu: Annotated[str | None, option("--fmu", "FILE", "Write the arm as a unit of co-simulation (FMU).")] = None,
    inputs: Annotated[
        str | None,
        option(
            "--inputs",
            "LIST",
            "Set from outside: JOINT.torque, .target, .acceleration or .position. Default: the arm's own drives.",
        ),
    ] = None,
    outputs: Annotated[
        str | None,
        option("--outputs", "LIST", 'Signals to be read, e.g. "tip.x,root.strain". Default: points, joints, gauges.'),
    ] = None,
    end: opt.End = None,
    period: Annotated[
        str | None, option("--period", "TIME", "Usual time between two looks at the arm. Default: end/1000.")
    ] = None,
    processor: Annotated[
        str | None,
        option("--processor", "LEVEL", "x86-64 (runs anywhere), x86-64-v3 (default, the bits of simulate) or native."),
    ] = None,
    fmi: Annotated[str | None, option("--fmi", "VERSION", "Interface of the FMU: 2.0 (the default) or 3.0.")] = None,
) -> None:
    """Write the arm for other programs.

    As URDF and MJCF beams become chains of rigid pieces with springs between them, gears a joint with a spring behind
    the motor's. MuJoCo takes both files; Pinocchio takes the URDF, which has the springs in tags of flexarm's own. A C
    library or an FMU is the arm as simulate runs it and needs libc and libm alone.
    """
    files = {"urdf": urdf, "mjcf": mjcf}
    programs = {"c": c, "fmu": fmu}
    wanted = {kind: target for kind, target in (files | programs).items() if target is not None}
    if not wanted:
        raise FlexarmError("there is nothing to write, must be --urdf FILE, --mjcf FILE, --c FOLDER or --fmu FILE")
    for kind, target in wanted.items():
        if kind != "c":
            refuse_early(target, model, f"--{kind}")
        elif Path(target).exists() and not Path(target).is_dir():
            raise FlexarmError(f"{target}: is a file, must be a folder")
    bent: dict[str, Any] = {"rigid": rigid or None, "elements": elements}
    run: dict[str, Any] = {"inputs": inputs, "outputs": outputs, "end": end, "period": period, "processor": processor}
    _refuse_unused(bent, files, "--urdf and --mjcf")
    _refuse_unused(run, programs, "--c and --fmu")
    _refuse_unused({"fmi": fmi}, {"fmu": fmu}, "--fmu")
    run |= {name: _listed(run[name]) for name in ("inputs", "outputs")}
    arm = opt.arm_in(model)
    with opt.concerning(model):
        from flexarm.analyses.export.export import export

        for kind, target in wanted.items():
            chosen = bent if kind in files else run | ({"fmi": fmi} if kind == "fmu" else {})
            export(arm, target, format=kind, **{name: value for name, value in chosen.items() if value is not None})
    report_written(list(wanted.values()))


def _refuse_unused(given: dict[str, Any], targets: dict[str, str | None], known: str) -> None:
    """Refuse an option where nothing is written that it is for."""
    for name, value in given.items():
        if value is not None and not any(targets.values()):
            raise FlexarmError(f"--{name} is for {known} alone")


def _listed(words: str | None) -> list[str] | None:
    return None if words is None else [word.strip() for word in words.split(",") if word.strip()]
