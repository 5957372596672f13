"""`flexarm workspace`: maps of sag, stiffness and frequencies over postures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from flexarm.cli import options as opt
from flexarm.cli.ending import finish, refuse_files, write_files
from flexarm.cli.options import option
from flexarm.cli.pages import Report
from flexarm.cli.progress import CountBar, kernels_announced
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.model import Arm


def command(
    model: opt.ModelFile,
    joint: Annotated[
        list[str] | None,
        option(
            "--joint",
            "JOINT=FROM..TO",
            'Joint and its range, e.g. "elbow=-90 deg..90 deg"; may be given several '
            "times. Default: the two joints that matter most.",
        ),
    ] = None,
    points: Annotated[int, option("--points", "NUMBER", "Number of values per joint.", min=2)] = 50,
    point: Annotated[str, option("--point", "POINT", "Point whose sag and stiffness are computed.")] = "tip",
    count: Annotated[int, option("--count", "NUMBER", "Number of frequencies.", min=1)] = 3,
    posture: opt.Posture = None,
    report: Report = None,
    json: opt.Json = False,
    csv: Annotated[str | None, option("--csv", "FILE", "Also write every posture as comma-separated values.")] = None,
) -> None:
    """How do sag, stiffness and frequencies change over the workspace?

    Equilibrium under gravity and loads, stiffness at a point and the lowest frequencies, joints held, over a grid of
    postures.
    """
    refuse_files(model, report, csv=csv)
    arm = opt.arm_in(model)
    where = opt.read_posture(arm, posture)
    ranges = _ranges(arm, joint)
    with opt.concerning(model), kernels_announced(), CountBar("postures") as bar:
        from flexarm.analyses.workspace import workspace

        found = workspace(
            arm,
            ranges,
            points=points,
            point=point,
            count=count,
            posture=where,
            progress=lambda done, wanted: bar("", done=done, wanted=wanted),
        )
        written = write_files(found, report, csv)
    finish(found, model, written, json=json)


def _ranges(arm: Arm, words: list[str] | None) -> dict[str, Any] | None:
    """Joints and their ranges, as texts."""
    if not words:
        return None
    found: dict[str, Any] = {}
    for word in words:
        name, equals, ends = (part.strip() for part in word.partition("="))
        first, dots, last = (part.strip() for part in ends.partition(".."))
        if not equals or not dots or not first or not last:
            example = next((link.name for link in arm.links if link.joint.type != "fixed"), "elbow")
            raise FlexarmError(f'--joint is "{word}", must be JOINT=FROM..TO such as "{example}=-90 deg..90 deg"')
        if name in found:
            raise FlexarmError(f'--joint: "{name}" is given twice, must be given once')
        found[name] = (opt.number_or_text(first), opt.number_or_text(last))
    return found
