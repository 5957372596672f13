"""The page of a result: what the pages of all verbs have in common, put together once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flexarm.report.page import Number, Page, Section
from flexarm.report.result_data import Data, failures, inputs, parameter_table, sentence, unbroken
from flexarm.report.specification import slug


def result_page(
    kind: str,
    data: Data,
    sections: Sequence[Section],
    lead: str,
    numbers: Sequence[Number],
    source: str,
    *,
    title: str = "",
    warnings: Sequence[str] = (),
    failure: str = "",
    file: str = "",
    extra: dict[str, Any] | None = None,
) -> Page:
    """The page with the sections that hold anything, warnings as sentences and the line at its foot.

    `kind` is the verb, with more words where it has several pages. The title is the name of the arm if none is given.
    """
    title = title or str(data.get("arm") or data["arm_name"])
    return Page(
        title=title,
        kind=f"flexarm · {kind}",
        sections=sections_with_parts(sections),
        lead=unbroken(lead),
        numbers=numbers,
        warnings=[sentence(text) for text in warnings],
        failure=failure,
        source=source,
        foot=_foot(source, "All samples" if "parameters" in data else "The data"),
        file=file or f"{slug(title)}-{kind.partition(' ')[0]}",
        extra=extra or {},
    )


def study_sections(data: Data, *settings: tuple[str, str], more: Sequence[Any] = ()) -> list[Section]:
    """The last sections of a study: its random parameters (and `more` about them), failed samples, and settings."""
    return [
        Section("Random parameters", [*parameter_table(data.get("parameters") or ()), *more], minor=True),
        *failures(data),
        inputs(data, *settings),
    ]


def sections_with_parts(sections: Sequence[Section]) -> list[Section]:
    """The sections that hold anything."""
    return [section for section in sections if section.parts]


def _foot(source: str, stored: str) -> str:
    """The last line of the page."""
    from flexarm import __version__

    made = f"Made by flexarm {__version__}."
    return f"{made} {stored} are in {source}." if source else made
