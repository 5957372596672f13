"""How every verb ends: its table and its page written, the answer printed, and the files named."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from flexarm.cli.files import refuse_early, report_written, write_text
from flexarm.cli.output import show_json
from flexarm.cli.pages import refuse_report, write_report
from flexarm.cli.terminal import show_result

if TYPE_CHECKING:
    from flexarm.cli.curves import Histories


def refuse_files(model: str, report: str | None, **others: str | None) -> None:
    """Refuse files that cannot or should not be written before time is spent; `others` by their options."""
    for option, target in others.items():
        if target is not None:
            refuse_early(target, model, f"--{option}")
    refuse_report(report, model)


def write_files(found: Any, report: str | None, csv: str | None = None, *, source: str | None = None) -> list[str]:
    """The table and the page of a result written where they are wanted: their names."""
    written = []
    if csv is not None:
        write_text(csv, found.csv_blocks() if hasattr(found, "csv_blocks") else found.to_csv())
        written.append(csv)
    return written + write_report(found, report, source=source)


def finish(
    found: Any,
    model: str,
    written: Sequence[str],
    *,
    json: bool,
    curves: Callable[[Any], Histories | None] | None = None,
    more: Mapping[str, Any] | None = None,
) -> None:
    """Print the answer, as text with its curves or as JSON with what `more` has, and name the files."""
    if json:
        show_json({"model": model, **(more or {}), **found.to_dict()})
    else:
        show_result(found.summary(), None if curves is None else lambda: curves(found))
    report_written(written)
