"""`flexarm compare`: the same arm through several formulations, and which one to take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.cli import options as opt
from flexarm.cli.answers import FINE, INTERRUPTED, say, show_json
from flexarm.cli.files import refuse_early, tell_written, write_text
from flexarm.cli.pages import Report, refuse_report, write_report
from flexarm.cli.screen import show_answer
from flexarm.cli.simulate import interruptions
from flexarm.cli.waiting import CountBar, kernels_announced
from flexarm.errors import FlexarmError, ModelError

if TYPE_CHECKING:
    from flexarm.results import Comparison


def command(
    model: opt.ModelFile,
    formulations: Annotated[
        str | None,
        typer.Option(
            "--formulations",
            metavar="LIST",
            help='Models to compare, with options behind a colon: "hermite,hermite:link,hencky:euler,file". '
            "Default: every formulation, hermite:link and what the file has.",
        ),
    ] = None,
    elements: Annotated[
        str,
        typer.Option("--elements", metavar="LIST", help="Elements per link; for modes, modes of each direction."),
    ] = "2,4,8,16",
    tolerance: Annotated[
        str | None,
        typer.Option(
            "--tolerance",
            metavar="LENGTH",
            help='What the path of the tip may err by, e.g. "0.1 mm". Default: 1 % of its greatest deflection.',
        ),
    ] = None,
    end: opt.End = None,
    reference: Annotated[
        str,
        typer.Option("--reference", metavar="WORD", help="The model that is refined until it stands."),
    ] = "hencky",
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="Also write the table of all runs to a CSV file.")
    ] = None,
    report: Report = None,
    json: opt.Json = False,
) -> int:
    """Which model of its flexible links does the arm need?

    Runs the same command through each formulation and number of elements, beside a reference that is refined
    until it stands; tells errors, orders and costs, and recommends the cheapest model that keeps the tolerance.

    Ctrl-C ends it and tells what is done.
    """
    arm = opt.with_settings(opt.arm_in(model), model, {"end": end})
    counts, allowed = _counts(elements), _length(tolerance)
    if csv is not None:
        refuse_early(csv, model, "--csv")
    refuse_report(report, model)
    with opt.concerning(model), interruptions() as pressed:
        try:
            found = _compared(arm, formulations, counts, allowed, reference)
        except KeyboardInterrupt:
            say("interrupted before the reference stood, there is nothing to tell")
            return INTERRUPTED
        pressed.ignored = True
        written = write_report(found, report)
        if csv is not None:
            write_text(csv, found.to_csv())
            written.insert(0, csv)
    if json:
        show_json({"model": model, **found.to_dict()})
    else:
        show_answer(found.summary())
    tell_written(written)
    if not found.complete:
        say(f"interrupted after {len(found.rows)} of {found.wanted} runs")
        return INTERRUPTED
    return FINE


def _compared(
    arm: Any, formulations: str | None, counts: list[int], allowed: float | None, reference: str
) -> Comparison:
    """The comparison, with a count where somebody watches."""
    with kernels_announced(), CountBar("comparing") as bar:
        from flexarm.analyses.compare import compare
        from flexarm.analyses.compare_variants import split_words

        return compare(
            arm,
            None if formulations is None else split_words(formulations),
            elements=counts,
            tolerance=allowed,
            reference=reference,
            progress=bar,
        )


def _counts(text: str) -> list[int]:
    """Whole numbers from a comma-separated list."""
    try:
        return [int(word) for word in text.split(",") if word.strip()]
    except ValueError:
        raise FlexarmError(f'--elements is "{text}", must be whole numbers such as "2,4,8"') from None


def _length(word: str | None) -> float | None:
    """A length in m."""
    from flexarm.model import Simulation

    if word is None:
        return None
    try:
        return Simulation(tolerance=opt.number_or_text(word)).tolerance
    except ModelError as error:
        raise FlexarmError(f"--{error.problems[0].message}") from None
