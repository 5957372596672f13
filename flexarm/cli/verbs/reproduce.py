"""`flexarm reproduce`: are the papers' results reproduced?"""

from __future__ import annotations

import math
import shutil
import textwrap
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import count
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.cli import options as opt
from flexarm.cli.files import report_written
from flexarm.cli.output import DEBUG, DONE, NOT_REPRODUCED, say, show_json
from flexarm.cli.pages import Report, refuse_report, write_report
from flexarm.cli.progress import CountBar, kernels_announced
from flexarm.cli.terminal import show_result

if TYPE_CHECKING:
    from flexarm.papers import Row


def command(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Papers to run. Default: all.", show_default=False)
    ] = None,
    report: Report = None,
    json: opt.Json = False,
) -> int:
    """Are the papers' results reproduced?

    Computes every case anew and prints the paper's number next to ours with a verdict: agrees, differs, or not
    printed (the paper gives no number). What a paper concludes in words holds or does not hold. Notes explain why.
    """
    refuse_report(report)
    rows: list[Row] = []
    failed: list[str] = []
    with kernels_announced():
        from flexarm.papers import PAPERS, ROW_COUNTS, reproduce

        chosen = list(dict.fromkeys(names or PAPERS))
        if unknown := [name for name in chosen if name not in PAPERS]:
            reproduce(unknown)  # refuses them in its own words
        with CountBar("reproducing") as bar:
            wanted = sum(ROW_COUNTS[name] for name in chosen)
            for number, name in enumerate(chosen):
                before = sum(ROW_COUNTS[each] for each in chosen[:number])
                try:
                    rows += reproduce([name], progress=_progress(bar, before, wanted))
                except Exception as error:
                    # One paper that fails must not take the others with it.
                    if DEBUG.get():
                        raise
                    failed.append(f"{name}: could not be computed: {type(error).__name__}: {error}")
    failed += [f"{row.id}: could not be computed" for row in rows if not math.isfinite(row.value)]
    written = write_report(_page_data(rows, failed, chosen), report) if report is not None else []
    if json:
        show_json([row.to_dict() for row in rows], lines=True)
    elif rows:
        show_result(table(rows))
    report_written(written)
    for sentence in failed:
        say(sentence)
    return NOT_REPRODUCED if failed else DONE


def _page_data(rows: Sequence[Row], failed: Sequence[str], names: Sequence[str]) -> dict[str, Any]:
    """What the page shows: the rows, what failed, and the model files of the papers."""
    from importlib.resources import files

    from flexarm.analyses.versions import versions
    from flexarm.results.jsonable import jsonable

    found = sorted(files("flexarm.papers").iterdir(), key=lambda each: each.name)
    models = {
        each.name: each.read_text(encoding="utf-8")
        for each in found
        if each.name.endswith(".toml") and each.name.startswith(tuple(f"{name}_" for name in names))
    }
    numbers = jsonable([row.to_dict() for row in rows])
    return {"reproduced": numbers, "failed": list(failed), "inputs": models, "versions": versions()}


def _progress(bar: CountBar, before: int, wanted: int) -> Callable[[str], None]:
    """What hears of every row of a paper; so many rows are those of the papers before it."""
    done = count(before + 1)
    return lambda row: bar(row, next(done), wanted)


def table(rows: Sequence[Row]) -> str:
    """The rows in aligned columns, the notes below, each once."""
    from flexarm.results.engineering import aligned, plural

    notes = list(dict.fromkeys(row.note for row in rows if row.note))
    lines = [["quantity", "paper", "ours", "unit", "verdict", "note"]]
    for row in rows:
        mark = f"[{notes.index(row.note) + 1}]" if row.note else ""
        lines.append([row.id, _shown(row.paper, ".6g"), _shown(row.value, "#.7g"), row.unit, row.verdict, mark])
    parts = [aligned(lines, right=(1, 2), indent="")]
    if notes:
        parts.append("\n".join(_note(index + 1, note) for index, note in enumerate(notes)))
    counts = Counter(row.verdict for row in rows)
    verdicts = ", ".join(f"{verdict} {counts[verdict]}" for verdict in sorted(counts))
    parts.append(f"{plural(len(rows), 'row')}: {verdicts}")
    return "\n\n".join(parts)


def _shown(value: float | None, form: str) -> str:
    if value is None:
        return "-"
    return format(value, form) if math.isfinite(value) else "failed"


def _note(number: int, note: str) -> str:
    width = min(max(shutil.get_terminal_size((100, 24)).columns, 60), 110)
    mark = f"[{number}] "
    return textwrap.fill(note, width, initial_indent=mark, subsequent_indent=" " * len(mark))
