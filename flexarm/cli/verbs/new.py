"""`flexarm new`: a model file to start from."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from flexarm.cli.files import report_written, write_text
from flexarm.errors import FlexarmError

KINDS = ("planar", "spatial", "servo", "urdf")
_DEFAULT = "planar"


def command(
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="planar, spatial, servo or urdf; planar if only FILE is given.")
    ],
    file: Annotated[str | None, typer.Argument(metavar="FILE", help="The model file to write.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
) -> None:
    """Write a model file to start from.

    planar: two flexible links that turn in a plane and brake; spatial: a column and two flexible links under gravity;
    servo: two flexible links on geared servo drives. Every line that is not obvious has a comment. A file that exists
    is never replaced without --force.
    """
    kind, target = _kind_and_file(kind, file)
    path = Path(target)
    if path.is_dir():
        raise FlexarmError(f"{target}: is a folder, must be the name of a file")
    if not path.parent.is_dir():
        raise FlexarmError(f"{target}: the folder {path.parent} does not exist, must be made first")
    if path.exists() and not force:
        raise FlexarmError(f"{target}: exists already, must be replaced by --force or have another name")
    write_text(target, starter(kind).replace(" FILE", f" {_quoted(target)}"))
    report_written([target])


def starter(kind: str) -> str:
    """The text of a starter file."""
    return files("flexarm.cli").joinpath("starters", f"{kind}.toml").read_text(encoding="utf-8")


def _kind_and_file(kind: str, file: str | None) -> tuple[str, str]:
    """The kind of the starter and the name of the file; a file alone is planar."""
    from flexarm.cli.options import one_of

    if file is None and kind in KINDS:
        raise FlexarmError(f"there is no name for the file, must be given: flexarm new {kind} arm.toml")
    kind, target = (_DEFAULT, kind) if file is None else (one_of("KIND", kind, KINDS), file)
    if kind == "urdf":
        raise FlexarmError(
            "flexarm does not read URDF yet; describe the robot link by link in a model file, "
            f"starting from: flexarm new spatial {Path(target).with_suffix('.toml')}"
        )
    return kind, target


def _quoted(target: str) -> str:
    return f'"{target}"' if " " in target else target
