"""`flexarm shape`: commands without residual vibration, compared, and the one to take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from flexarm.cli import options as opt
from flexarm.cli.ending import finish, refuse_files, write_files
from flexarm.cli.files import report_written, write_text
from flexarm.cli.interrupts import searching
from flexarm.cli.options import option
from flexarm.cli.output import DONE, INTERRUPTED, NOTHING_FOUND, say
from flexarm.cli.pages import Report
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.model import Arm

_EXAMPLE = 'such as "elbow=20 N m"'


def command(
    model: opt.ModelFile,
    shapers: Annotated[
        str | None,
        option(
            "--shapers",
            "LIST",
            "Of zv, zvd, zvdd, ei (several modes in a row), zv-simultaneous, zvd-simultaneous (at once). "
            "Default: zv,zvd,ei and, for several modes, zv-simultaneous.",
        ),
    ] = None,
    laws: Annotated[
        str | None,
        option(
            "--laws",
            "LIST",
            "Smooth laws with tuned durations, of cycloidal, s-curve, trapezoidal-acceleration. "
            "Default: all, for a move from rest to rest; none: leave them out.",
        ),
    ] = None,
    modes: Annotated[
        str | None,
        option(
            "--modes", "LIST", 'Poles at the stop to shape for, e.g. "1,2". Default: those by which the tip swings.'
        ),
    ] = None,
    joints: opt.Followed = None,
    optimum: Annotated[
        bool,
        typer.Option("--optimum", help="Also search for the command with the least residual on the nonlinear arm."),
    ] = False,
    family: Annotated[
        str | None,
        option(
            "--family",
            "WORD",
            "Where the optimum is searched: knots (an acceleration on top), or switches (constant accelerations, "
            "free switching times). Default: both, switches only where knots leave a noticeable residual.",
        ),
    ] = None,
    max_torque: opt.MaxTorque = None,
    max_rate: Annotated[
        list[str] | None, option("--max-rate", "[JOINT=]VALUE", 'Bound of rates, e.g. "90 deg/s"; or once per joint.')
    ] = None,
    max_duration: Annotated[
        str | None, option("--max-duration", "TIME", 'Longest command allowed, e.g. "1.2 s".')
    ] = None,
    robust: opt.Robust = None,
    robust_by: opt.RobustBy = "worst",
    vibration: Annotated[
        float, option("--vibration", "NUMBER", "Residual that an ei shaper allows at the modelled frequency.")
    ] = 0.05,
    target: Annotated[
        float, option("--target", "NUMBER", "Part of the unshaped residual that is good enough where none settles.")
    ] = 0.01,
    within: Annotated[
        str | None,
        option(
            "--within",
            "LENGTH",
            'Rank by when the tip stays this near to its target, e.g. "1 mm". Default: --target of what the '
            "unshaped command leaves, 1 mm at the most.",
        ),
    ] = None,
    sensitivity: Annotated[
        bool,
        typer.Option("--sensitivity/--no-sensitivity", help="Also run every command with the frequencies shifted."),
    ] = True,
    take: Annotated[str | None, option("--take", "NAME", "The command to write. Default: the recommended one.")] = None,
    out: Annotated[str | None, option("--out", "FILE", "Write the arm with that command to a model file.")] = None,
    table: Annotated[str | None, option("--table", "FILE", "Write that command as a time table (CSV).")] = None,
    interval: Annotated[str, option("--interval", "TIME", "Between the lines of the time table.")] = "1 ms",
    csv: Annotated[str | None, option("--csv", "FILE", "Also write the table of all commands to a CSV file.")] = None,
    report: Report = None,
    json: opt.Json = False,
) -> int:
    """Which command brings the arm to the same place first, without residual vibration?

    Designs input shapers and smooth laws from the poles of the closed loop where the move stops, runs them all with
    the unshaped command, and recommends the one whose tip arrives first. It can be written as a model file, and as a
    time table for a controller.

    Ctrl-C ends it and reports what is done. Ends with 5 if the unshaped command arrives first.
    """
    arm = opt.arm_in(model)
    step = _time(interval, "--interval")
    given = {
        "shapers": _words(shapers),
        "laws": _words(laws),
        "modes": _numbers(modes),
        "joints": joints,
        "optimum": optimum,
        "family": family,
        "max_torque": opt.by_joint("--max-torque", max_torque, hint=_EXAMPLE),
        "max_rate": opt.by_joint("--max-rate", max_rate, hint=_EXAMPLE),
        "max_duration": opt.number_or_text(max_duration),
        "uncertain": opt.ranges(robust),
        "choose": robust_by,
        "vibration": vibration,
        "target": target,
        "within": opt.number_or_text(within),
        "sensitivity": sensitivity,
    }
    refuse_files(model, report, out=out, table=table, csv=csv)
    from flexarm.analyses.shaping.shape import shape

    with searching(model, "shaping", nothing_before="the unshaped command was run, there is nothing to report") as run:
        found = run(shape, arm, **given)
        written = write_files(found, report, csv)
        finish(found, model, (), json=json)
        nothing = take is None and found.best is None
        if nothing and (out is not None or table is not None):
            say("no command is recommended, so none is written; --take NAME writes another")
        elif out is not None:
            write_text(out, _model_text(model, arm, found.arm(take)))
            written.append(out)
        if table is not None and not nothing:
            write_text(table, found.time_table(take, step))
            written.append(table)
    report_written(written)
    if not found.complete:
        say(f"interrupted after {len(found.rows)} of {found.wanted} commands")
        return INTERRUPTED
    return DONE if found.best is not None else NOTHING_FOUND


def _model_text(model: str, before: Arm, after: Arm) -> str:
    """The model file with the new command in it; comments and units stay."""
    from flexarm.model.reading.edited import edited_text
    from flexarm.model.reading.file import text_of

    return edited_text(text_of(model)[0], before, after)


def _words(text: str | None) -> list[str] | None:
    """Words from a comma-separated list; "none" is an empty one."""
    if text is None:
        return None
    words = [word.strip() for word in text.split(",") if word.strip()]
    return [] if words == ["none"] else words


def _numbers(text: str | None) -> list[int] | None:
    """Whole numbers from a comma-separated list."""
    try:
        return None if text is None else [int(word) for word in text.split(",") if word.strip()]
    except ValueError:
        raise FlexarmError(f'--modes is "{text}", must be whole numbers such as "1,2"') from None


def _time(word: str, option: str) -> float:
    """A time in s."""
    from pydantic_core import PydanticCustomError

    from flexarm.model.reading.quantity import Quantity

    try:
        return Quantity("s", above=0).read_one(opt.number_or_text(word), "s")
    except PydanticCustomError as error:
        raise FlexarmError(f"{option} {error.message()}") from None
