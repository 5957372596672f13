"""`flexarm brake`: the residual vibration after a stop versus the braking time, and the best time."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from flexarm.cli import options as opt
from flexarm.cli.ending import finish, refuse_files, write_files
from flexarm.cli.interrupts import searching
from flexarm.cli.options import option
from flexarm.cli.output import DONE, INTERRUPTED, NOTHING_FOUND, say
from flexarm.cli.pages import Report
from flexarm.errors import FlexarmError


def command(
    model: opt.ModelFile,
    start: Annotated[str | None, option("--from", "TIME", "Shortest braking time. Default: half the model's.")] = None,
    to: Annotated[str | None, option("--to", "TIME", "Longest braking time. Default: 1.5 times the model's.")] = None,
    points: Annotated[int, option("--points", "NUMBER", "Points of the curve.", min=3)] = 200,
    residual: Annotated[
        str,
        option(
            "--residual",
            "WORD",
            'What is measured: across (range of the tip across its link), x, y, z, a direction "1,0,1", energy, '
            "coordinate:NAME, or a signal of the arm's shape such as root.strain.",
        ),
    ] = "across",
    point: Annotated[str, option("--point", "NAME", "Point whose residual is measured.")] = "tip",
    window: Annotated[
        str | None,
        option(
            "--window",
            "TIME",
            'How long the residual is measured after the stop, or "envelope". Default: three periods of the '
            "slowest mode.",
        ),
    ] = None,
    hold: Annotated[
        str | None,
        option(
            "--hold",
            "WORD",
            "What stays the same: end (where it stops), begin (when braking begins) or path (slower or faster).",
        ),
    ] = None,
    joints: opt.Followed = None,
    braked: Annotated[
        list[str] | None, option("--joint", "JOINT", "Brake this joint; once per joint. Default: all that stop last.")
    ] = None,
    max_torque: opt.MaxTorque = None,
    max_deceleration: Annotated[
        list[str] | None, option("--max-deceleration", "VALUE", '"4 rad/s^2" or "rod=200 deg/s^2"; once per joint.')
    ] = None,
    latest_stop: Annotated[str | None, option("--latest-stop", "TIME", "When the arm must have stopped.")] = None,
    limit: Annotated[
        str | None, option("--limit", "VALUE", 'Also find the shortest stop that leaves no more, e.g. "0.2 mm".')
    ] = None,
    robust: opt.Robust = None,
    robust_by: opt.RobustBy = "worst",
    individual: Annotated[
        bool, typer.Option("--individual", help="Also find a braking time for each joint individually.")
    ] = False,
    reasons: Annotated[
        bool, typer.Option("--reasons/--no-reasons", help="Explain why simulation and rule differ.")
    ] = True,
    resolution: Annotated[str, option("--resolution", "TIME", "Accuracy of the braking times of extremes.")] = "0.1 ms",
    within: Annotated[
        str | None,
        option(
            "--within",
            "LENGTH",
            'Rank by when the point stays this near to its target, e.g. "1 mm". Default: the least residual, '
            "rounded up to one digit, 1 mm at the most.",
        ),
    ] = None,
    tolerance: opt.Tolerance = None,
    csv: Annotated[str | None, option("--csv", "FILE", "Also write the curve to a CSV file.")] = None,
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
        "window": opt.number_or_text(window),
        "hold": hold,
        "joints": joints,
        "braked": braked or None,
        "max_torque": opt.by_joint("--max-torque", max_torque),
        "max_deceleration": opt.by_joint("--max-deceleration", max_deceleration),
        "latest_stop": opt.number_or_text(latest_stop),
        "limit": opt.number_or_text(limit),
        "uncertain": opt.ranges(robust),
        "choose": robust_by,
        "individual": individual,
        "explain": reasons,
        "resolution": opt.number_or_text(resolution),
        "within": opt.number_or_text(within),
        "tolerance": opt.number_or_text(tolerance),
    }
    from flexarm.analyses.brake.brake import brake

    with searching(model, "braking", nothing_before="there was anything to report", phases=True) as run:
        found = run(brake, arm, **asked)
        written = write_files(found, report, csv)
    from flexarm.cli.curves import of_brake

    finish(found, model, written, json=json, curves=of_brake)
    if not found.complete:
        say(f"interrupted: {found.interrupted}")
        return INTERRUPTED
    if found.best is None or (found.limit is not None and found.shortest is None):
        return NOTHING_FOUND
    return DONE


def _direction(word: str) -> Any:
    """Three numbers, or the word itself."""
    try:
        return tuple(float(part) for part in word.split(",")) if "," in word else word
    except ValueError:
        return word
