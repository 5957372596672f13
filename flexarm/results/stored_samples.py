"""Access of study results to their samples; `flexarm.studies` is imported by name, when needed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flexarm.studies.store.store import StoredStudy


def ask_studies(module: str, function: str, *arguments: Any) -> Any:
    """What a function of a module of `flexarm.studies`, which lies above results, makes of the arguments."""
    return getattr(import_module(f"flexarm.studies.{module}"), function)(*arguments)


def page_data(work: str, *arguments: Any) -> Any:
    """What a page shows of stored samples: by a function of `flexarm.studies.store.page_data`."""
    return ask_studies("store.page_data", work, *arguments)


# Of the results of studies: the arm at the means of its numbers, None where its file is not understood.
nominal_arm = property(lambda result: page_data("nominal_arm", result.stored))


def series_column(signal: str, time: float) -> str:
    """The name of a signal's column at a time."""
    return f"{signal}@{time:.9g}"


def csv_blocks(stored: StoredStudy, samples: int) -> Iterator[str]:
    """All samples of a study as comma-separated values, block by block: number, parameters, outputs (SI), status."""
    units = stored.study_json["units"]
    for first, rows in enumerate(stored.blocks(samples=samples)):
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        if first == 0:
            heads = [f"{name} [{units[name]}]" if units.get(name) else name for name in rows.columns]
            writer.writerow(["sample", *heads, "status", "reason"])
        columns = [values.tolist() for values in rows.columns.values()]
        for k in range(len(rows)):
            cells = ["" if values[k] != values[k] else repr(values[k]) for values in columns]
            writer.writerow([rows.begin + k, *cells, rows.status[k], rows.reason[k]])
        yield text.getvalue()
