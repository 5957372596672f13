"""`flexarm compare`: the same arm through several formulations, and which one to take."""

from __future__ import annotations

from typing import Annotated

from flexarm.cli import options as opt
from flexarm.cli.ending import finish, refuse_files, write_files
from flexarm.cli.interrupts import searching
from flexarm.cli.options import option
from flexarm.cli.output import DONE, INTERRUPTED, say
from flexarm.cli.pages import Report
from flexarm.errors import FlexarmError, ModelError


def command(
    model: opt.ModelFile,
    formulations: Annotated[
        str | None,
        option(
            "--formulations",
            "LIST",
            'Models to compare, with options behind a colon: "hermite,hermite:link,hencky:euler,file". '
            "Default: every formulation, hermite:link and what the file has.",
        ),
    ] = None,
    elements: Annotated[
        str, option("--elements", "LIST", "Elements per link; for modes, modes of each direction.")
    ] = "2,4,8,16",
    tolerance: Annotated[
        str | None,
        option(
            "--tolerance",
            "LENGTH",
            'Allowed error of the path of the tip, e.g. "0.1 mm". Default: 1 % of its greatest deflection.',
        ),
    ] = None,
    end: opt.End = None,
    reference: Annotated[
        str, option("--reference", "WORD", "The model that is refined until it converges.")
    ] = "hencky",
    csv: Annotated[str | None, option("--csv", "FILE", "Also write the table of all runs to a CSV file.")] = None,
    report: Report = None,
    json: opt.Json = False,
) -> int:
    """Which model of its flexible links does the arm need?

    Runs the same command through each formulation and number of elements and compares with a reference refined
    until it converges; reports errors, orders and costs, and recommends the cheapest model that keeps the tolerance.

    Ctrl-C ends it and reports what is done.
    """
    arm = opt.with_settings(opt.arm_in(model), model, {"end": end})
    counts, allowed = _counts(elements), _length(tolerance)
    refuse_files(model, report, csv=csv)
    from flexarm.analyses.compare.compare import compare
    from flexarm.analyses.compare.variants import split_words

    models = None if formulations is None else split_words(formulations)
    with searching(model, "comparing", nothing_before="the reference had converged, there is nothing to report") as run:
        found = run(compare, arm, models, elements=counts, tolerance=allowed, reference=reference)
        written = write_files(found, report, csv)
    finish(found, model, written, json=json)
    if not found.complete:
        say(f"interrupted after {len(found.rows)} of {found.wanted} runs")
        return INTERRUPTED
    return DONE


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
