"""`flexarm brake`: the residual vibration after a stop versus the braking time, and the best time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.cli import options as opt
from flexarm.cli.ending import finish, refuse_files, write_files
from flexarm.cli.output import FINE, INTERRUPTED, NOTHING_FOUND, say
from flexarm.cli.pages import Report
from flexarm.cli.progress import CountBar, kernels_announced
from flexarm.cli.verbs.simulate import interruptions
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.results import BrakeStudy


def command(
    model: opt.ModelFile,
    start: Annotated[
        str | None, typer.Option("--from", metavar="TIME", help="Shortest braking time. Default: half the model's.")
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="TIME", help="Longest braking time. Default: 1.5 times the model's.")
    ] = None,
    points: Annotated[int, typer.Option("--points", min=3, metavar="NUMBER", help="Points of the curve.")] = 200,
    residual: Annotated[
        str,
        typer.Option(
            "--residual",
            metavar="WORD",
            help='What is measured: across (range of the tip across its link), x, y, z, a direction "1,0,1", energy, '
            "or coordinate:NAME.",
        ),
    ] = "across",
    point: Annotated[str, typer.Option("--point", metavar="NAME", help="Point whose residual is measured.")] = "tip",
    window: Annotated[
        str | None,
        typer.Option(
            "--window",
            metavar="TIME",
            help='How long the residual is measured after the stop, or "envelope". Default: three periods of the '
            "slowest mode.",
        ),
    ] = None,
    hold: Annotated[
        str | None,
        typer.Option(
            "--hold",
            metavar="WORD",
            help="What stays the same: end (where it stops), begin (when braking begins) or path (slower or faster).",
        ),
    ] = None,
    joints: opt.Followed = None,
    braked: Annotated[
        list[str] | None,
        typer.Option("--joint", metavar="JOINT", help="Brake this joint; once per joint. Default: all that stop last."),
    ] = None,
    max_torque: Annotated[
        list[str] | None,
        typer.Option(
            "--max-torque",
            metavar="VALUE",
            help='Bound on the torque of drives, "60 N m" or "rod=20 N m"; give it once per joint.',
        ),
    ] = None,
    max_deceleration: Annotated[
        list[str] | None,
        typer.Option("--max-deceleration", metavar="VALUE", help='"4 rad/s^2" or "rod=200 deg/s^2"; once per joint.'),
    ] = None,
    latest_stop: Annotated[
        str | None, typer.Option("--latest-stop", metavar="TIME", help="When the arm must have stopped.")
    ] = None,
    limit: Annotated[
        str | None,
        typer.Option(
            "--limit", metavar="VALUE", help='Also find the shortest stop with no more residual, e.g. "0.2 mm".'
        ),
    ] = None,
    robust: Annotated[
        list[str] | None,
        typer.Option(
            "--robust",
            metavar="WHAT=RANGE",
            help='Also find the best time if this is uncertain: "payload=10 %", "stiffness=0.9..1.05", "length=1 %".',
        ),
    ] = None,
    robust_by: Annotated[
        str, typer.Option("--robust-by", metavar="WORD", help="worst (case) or mean of all arms in these ranges.")
    ] = "worst",
    individual: Annotated[
        bool, typer.Option("--individual", help="Also find a braking time for each joint individually.")
    ] = False,
    reasons: Annotated[
        bool, typer.Option("--reasons/--no-reasons", help="Explain why simulation and rule differ.")
    ] = True,
    resolution: Annotated[
        str, typer.Option("--resolution", metavar="TIME", help="Accuracy of the braking times of extremes.")
    ] = "0.1 ms",
    within: Annotated[
        str | None,
        typer.Option(
            "--within",
            metavar="LENGTH",
            help='Rank by when the point stays this near to its target, e.g. "1 mm". Default: the least residual, '
            "rounded up to one digit, 1 mm at the most.",
        ),
    ] = None,
    tolerance: opt.Tolerance = None,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="Also write the curve to a CSV file.")
    ] = None,
    report: Report = None,
    json: opt.Json = False,
) -> int:
    """How is the arm stopped without residual vibration?

    Runs the arm with every braking time of a range, finds the best within the bounds, and explains why whole
    periods of a mode are not the answer. Ends with 5 if no time keeps the bounds or the limit.
    """
    arm = opt.arm_in(model)
    if (start is None) != (to is None):
        raise FlexarmError("--from and --to are two ends of one range, must be given together")
    refuse_files(model, report, csv=csv)
    asked: dict[str, Any] = {
        "between": None if start is None or to is None else (opt.number_or_text(start), opt.number_or_text(to)),
        "points": points,
        "residual": _direction(residual),
        "point": point,
        "window": None if window is None else opt.number_or_text(window),
        "hold": hold,
        "joints": joints,
        "braked": braked or None,
        "max_torque": opt.by_joint("--max-torque", max_torque),
        "max_deceleration": opt.by_joint("--max-deceleration", max_deceleration),
        "latest_stop": None if latest_stop is None else opt.number_or_text(latest_stop),
        "limit": None if limit is None else opt.number_or_text(limit),
        "uncertain": opt.ranges(robust),
        "choose": robust_by,
        "individual": individual,
        "explain": reasons,
        "resolution": opt.number_or_text(resolution),
        "within": None if within is None else opt.number_or_text(within),
        "tolerance": None if tolerance is None else opt.number_or_text(tolerance),
    }
    with opt.concerning(model), interruptions() as pressed:
        try:
            found = _studied(arm, asked)
        except KeyboardInterrupt:
            say("interrupted before there was anything to report")
            return INTERRUPTED
        pressed.ignored = True
        written = write_files(found, report, csv)
    from flexarm.cli.curves import of_brake

    finish(found, model, written, json=json, curves=of_brake)
    if not found.complete:
        say(f"interrupted: {found.interrupted}")
        return INTERRUPTED
    if found.best is None or (found.limit is not None and found.shortest is None):
        return NOTHING_FOUND
    return FINE


def _studied(arm: Any, asked: dict[str, Any]) -> BrakeStudy:
    """The study, with a count on a terminal."""
    with kernels_announced(), CountBar("braking") as bar:
        from flexarm.analyses.brake.brake import brake

        return brake(arm, **asked, progress=lambda what, done, wanted: bar(what, done, wanted, phase=what))


def _direction(word: str) -> Any:
    """Three numbers, or the word itself."""
    try:
        return tuple(float(part) for part in word.split(",")) if "," in word else word
    except ValueError:
        return word
