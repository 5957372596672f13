"""`flexarm check`: is the model file valid, and what does it describe?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.cli import options as opt
from flexarm.cli.files import report_written
from flexarm.cli.output import BAD_INPUT, DONE, remark, say, show, show_json
from flexarm.cli.pages import Report, refuse_report, write_report
from flexarm.cli.progress import kernels_announced
from flexarm.cli.terminal import show_result
from flexarm.errors import FlexarmError, ModelError

if TYPE_CHECKING:
    from flexarm.assembly import CompiledArm
    from flexarm.model import Arm
    from flexarm.studies.reliability.requirements import Requirement


def command(
    models: Annotated[list[str], typer.Argument(metavar="MODEL", help="Model files (TOML).", show_default=False)],
    frequencies: Annotated[
        bool, typer.Option("--frequencies", help="Also compute the lowest frequencies with all joints locked.")
    ] = False,
    report: Report = None,
    json: opt.Json = False,
) -> int:
    """Is the model file valid, and what does it describe?

    Checks every file, prints what it holds, and names every mistake with its place. Nothing is simulated. The page of
    --report shows the arm and its lowest frequencies too.
    """
    for model in models:
        refuse_report(report, model)
    answers: list[dict[str, Any]] = []
    shown: list[dict[str, Any]] = []  # of the page, which shows the model files, too
    for index, model in enumerate(models):
        try:
            facts, text = _checked(model, frequencies)
            answers.append({"model": model, "sound": True, **facts})
            shown.append(answers[-1] if report is None else {**answers[-1], **_more(model, facts)})
            if not json:
                show_result(("\n" if index else "") + f"{model} is valid\n\n{text}")
        except FlexarmError as error:
            say(str(error))
            answers.append({"model": model, "sound": False, "problems": _problems(error)})
            shown.append(answers[-1])
    written = write_report(_page_data(shown), report) if report is not None else []
    if json:
        show_json(answers)
    elif len(models) > 1:
        show(f"\n{sum(answer['sound'] for answer in answers)} of {len(models)} files are valid")
    report_written(written)
    return DONE if all(answer["sound"] for answer in answers) else BAD_INPUT


def _checked(model: str, frequencies: bool) -> tuple[dict[str, Any], str]:
    """What is in the file, for programs and for people."""
    arm, study = opt.arm_and_study(model)
    with opt.concerning(model):
        from flexarm.analyses.check import check
        from flexarm.assembly import compile_arm
        from flexarm.model.reading.messages import quoted

        with kernels_announced():
            found = check(arm, frequencies=frequencies)
        facts, text = found.to_dict(), found.summary()
        if study is not None:
            facts = {**facts, "random": study.to_dict()["parameters"]}
            text = f"{text}\n\n{study.table('  ')}"
        _check_design(model, arm)
        if required := _required(model, compile_arm(arm, closed=True)):
            facts = {**facts, "requirements": [each.to_dict() for each in required]}
            text = "\n".join([text, "", *(f"  required as {quoted(each.name)}: {each.words}" for each in required)])
    return facts, text


def _lowest(arm: Arm) -> list[float]:
    """The lowest frequencies, Hz; none where nothing bends."""
    from flexarm.analyses.check import check

    found: list[float] = check(arm, frequencies=True).to_dict()["frequencies_hz"]
    return found


def _more(model: str, facts: dict[str, Any]) -> dict[str, Any]:
    """What the page shows besides the overview: the model file and the frequencies."""
    from flexarm.model import format_arm

    arm, _ = opt.arm_and_study(model)
    more: dict[str, Any] = {"input": format_arm(arm)}
    try:
        with kernels_announced():
            more["frequencies_hz"] = facts.get("frequencies_hz") or _lowest(arm)
    except FlexarmError as error:
        # not requested: the file is sound all the same
        remark(f"{model}: the page has no frequencies: {error}")
    return more


def _page_data(shown: list[dict[str, Any]]) -> dict[str, Any]:
    from flexarm.analyses.versions import versions

    return {"checked": shown, "versions": versions()}


def _required(model: str, compiled: CompiledArm) -> Sequence[Requirement]:
    """The requirements in the file, of points the arm has and at times of its run."""
    from flexarm.model.reading.distributions import REQUIREMENT
    from flexarm.model.reading.file import table_of, text_of

    text, source = text_of(model)
    entries = table_of(text, source, Path(model).parent).get(REQUIREMENT, [])
    if not entries and isinstance(entries, list):
        return ()
    from flexarm.studies.outputs.requirement_values import check_fits
    from flexarm.studies.reliability.requirement_tables import requirements_from

    found = requirements_from(entries, source=source)
    for each in found:
        check_fits(each, compiled)
    return found


def _check_design(model: str, arm: Arm) -> None:
    """Refuse a table [design] that is none, or that frees what is no number of the model."""
    from flexarm.model.reading.distributions import DESIGN
    from flexarm.model.reading.file import table_of, text_of

    text, source = text_of(model)
    table = table_of(text, source, Path(model).parent).get(DESIGN)
    if table is not None:
        from flexarm.studies.derivatives.directions import directions_of
        from flexarm.studies.design.tables import read_task

        task = read_task(table)
        task.varied(directions_of(arm, task.where))


def _problems(error: FlexarmError) -> list[dict[str, str]]:
    if isinstance(error, ModelError):
        return [{"place": problem.place, "message": problem.message} for problem in error.problems]
    return [{"place": "", "message": str(error)}]
