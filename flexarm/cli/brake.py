"""`flexarm brake`: what is left shaking after a stop, over the braking time, and the best time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.cli import options as opt
from flexarm.cli.answers import FINE, INTERRUPTED, NOTHING_FOUND, say, show_json
from flexarm.cli.files import refuse_early, tell_written, write_text
from flexarm.cli.pages import Report, refuse_report, write_report
from flexarm.cli.screen import show_answer
from flexarm.cli.simulate import interruptions
from flexarm.cli.waiting import CountBar, kernels_announced
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
    point: Annotated[str, typer.Option("--point", metavar="NAME", help="Which point is looked at.")] = "tip",
    window: Annotated[
        str | None,
        typer.Option(
            "--window",
            metavar="TIME",
            help='How long after the stop, or "envelope". Default: three periods of the slowest mode.',
        ),
    ] = None,
    hold: Annotated[
        str | None,
        typer.Option(
            "--hold",
            metavar="WORD",
            help="What stays: end (where it stops), begin (when braking begins) or path (the way, slower or faster).",
        ),
    ] = None,
    joints: Annotated[
        list[str] | None,
        typer.Option("--joint", metavar="JOINT", help="Brake this joint; once per joint. Default: all that stop last."),
    ] = None,
    max_torque: Annotated[
        list[str] | None,
        typer.Option(
            "--max-torque", metavar="VALUE", help='Bound on the drives, "60 N m" or "rod=20 N m"; once per joint.'
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
            "--limit", metavar="VALUE", help='Also find the shortest stop that leaves no more, e.g. "0.2 mm".'
        ),
    ] = None,
    robust: Annotated[
        list[str] | None,
        typer.Option(
            "--robust",
            metavar="WHAT=RANGE",
            help='Also the best time if this is uncertain: "payload=10 %", "stiffness=0.9..1.05", "length=1 %".',
        ),
    ] = None,
    robust_by: Annotated[
        str, typer.Option("--robust-by", metavar="WORD", help="worst (case) or mean of all arms in these ranges.")
    ] = "worst",
    individual: Annotated[
        bool, typer.Option("--individual", help="Also a braking time for every joint by itself.")
    ] = False,
    reasons: Annotated[
        bool, typer.Option("--reasons/--no-reasons", help="Tell why simulation and rule differ.")
    ] = True,
    resolution: Annotated[
        str, typer.Option("--resolution", metavar="TIME", help="To which extremes are refined.")
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
    """How is the arm stopped so that nothing is left shaking?

    Runs the arm with every braking time of a range, tells the best within the bounds, and why it is not what whole
    periods of a mode would say. Ends with 5 if no time keeps the bounds or the limit.
    """
    arm = opt.arm_in(model)
    if (start is None) != (to is None):
        raise FlexarmError("--from and --to are two ends of one range, must be given together")
    if csv is not None:
        refuse_early(csv, model, "--csv")
    refuse_report(report, model)
    asked: dict[str, Any] = {
        "between": None if start is None or to is None else (opt.number_or_text(start), opt.number_or_text(to)),
        "points": points,
        "residual": _direction(residual),
        "point": point,
        "window": None if window is None else opt.number_or_text(window),
        "hold": hold,
        "joints": joints or None,
        "max_torque": _by_joint("--max-torque", max_torque),
        "max_deceleration": _by_joint("--max-deceleration", max_deceleration),
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
            say("interrupted before there was anything to tell")
            return INTERRUPTED
        pressed.ignored = True
        written = write_report(found, report)
        if csv is not None:
            write_text(csv, found.to_csv())
            written.insert(0, csv)
    if json:
        show_json({"model": model, **found.to_dict()})
    else:
        from flexarm.cli.histories import of_brake

        show_answer(found.summary(), lambda: of_brake(found))
    tell_written(written)
    if not found.complete:
        say(f"interrupted: {found.interrupted}")
        return INTERRUPTED
    if found.best is None or (found.limit is not None and found.shortest is None):
        return NOTHING_FOUND
    return FINE


def _studied(arm: Any, asked: dict[str, Any]) -> BrakeStudy:
    """The study, with a count where somebody watches."""
    with kernels_announced(), CountBar("braking") as bar:
        from flexarm.analyses.brake import brake

        return brake(arm, **asked, progress=lambda what, done, wanted: bar(what, done, wanted, phase=what))


def _direction(word: str) -> Any:
    """Three numbers, or the word itself."""
    try:
        return tuple(float(part) for part in word.split(",")) if "," in word else word
    except ValueError:
        return word


def _by_joint(option: str, words: Sequence[str] | None) -> Any:
    """One value for all joints, or values by joint; None if nothing is given."""
    if not words:
        return None
    if len(words) == 1 and "=" not in words[0]:
        return opt.number_or_text(words[0])
    found: dict[str, Any] = {}
    for word in words:
        name, equals, value = (part.strip() for part in word.rpartition("="))
        if not equals or not name or not value:
            raise FlexarmError(f'{option} is "{word}", must be VALUE alone, or JOINT=VALUE once per joint')
        if name in found:
            raise FlexarmError(f'{option}: "{name}" is given twice, must be given once')
        found[name] = opt.number_or_text(value)
    return found
