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
    servo: two flexible links on geared servo drives; urdf: a robot's URDF, and the table of what gives way in it.
    Every line that is not obvious has a comment. A file that exists is never replaced without --force.
    """
    kind, target = _kind_and_file(kind, file)
    texts = _robot(target) if kind == "urdf" else {target: starter(kind).replace(" FILE", f" {_quoted(target)}")}
    for name in texts:
        path = Path(name)
        if path.is_dir():
            raise FlexarmError(f"{name}: is a folder, must be the name of a file")
        if not path.parent.is_dir():
            raise FlexarmError(f"{name}: the folder {path.parent} does not exist, must be made first")
        if path.exists() and not force:
            raise FlexarmError(f"{name}: exists already, must be replaced by --force or have another name")
    for name, text in texts.items():
        write_text(name, text)
    report_written(list(texts))


def starter(kind: str) -> str:
    """The text of a starter file."""
    return _text(f"{kind}.toml")


def _text(name: str) -> str:
    return files("flexarm.cli").joinpath("starters", name).read_text(encoding="utf-8")


def _robot(target: str) -> dict[str, str]:
    """The table and the URDF it names, by the names of their files."""
    path = Path(target)
    table = target if path.suffix == ".toml" else str(path.with_suffix(".elastic.toml"))
    robot = str(path.with_name(path.name.removesuffix(".toml").removesuffix(".elastic")).with_suffix(".urdf"))
    text = starter("urdf").replace('"ROBOT"', f'"{Path(robot).name}"').replace(" ROBOT", f" {_quoted(robot)}")
    return {table: text.replace(" FILE", f" {_quoted(table)}"), robot: _text("robot.urdf")}


def _kind_and_file(kind: str, file: str | None) -> tuple[str, str]:
    """The kind of the starter and the name of the file; a file alone is planar."""
    from flexarm.cli.options import one_of

    if file is None and kind in KINDS:
        raise FlexarmError(f"there is no name for the file, must be given: flexarm new {kind} arm.toml")
    return (_DEFAULT, kind) if file is None else (one_of("KIND", kind, KINDS), file)


def _quoted(target: str) -> str:
    return f'"{target}"' if " " in target else target
