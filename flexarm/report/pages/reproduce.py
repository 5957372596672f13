"""The page of reproductions: the papers' numbers compared with ours, verdicts, reasons and differences."""

from __future__ import annotations

from collections import Counter
from typing import Any

from flexarm.report.page import Axis, Figure, Listing, Mark, Number, Page, Paragraphs, Points, Section, Table
from flexarm.report.result_data import Data, inputs, percent, sentence
from flexarm.report.result_page import result_page
from flexarm.results.engineering import is_number, plural

_VERDICTS = {
    "agrees": ("agree", "with the paper's number"),
    "differs": ("differ", "the notes say why"),
    "not printed": ("are not printed", "by the paper"),
    "holds": ("hold", "of the paper's claims in words"),
    "does not hold": ("do not hold", "of the paper's claims in words"),
}
# Verdicts on numbers; the others judge what a paper says in words.
_OF_NUMBERS = ("agrees", "differs", "not printed")
# Numbers that agree to the last digit kept have no place on a logarithmic axis.
_LEAST = 1e-12


def page_of(data: Data, source: str = "") -> Page:
    """The page of the rows in `reproduced`; `failed` are sentences, `inputs` model files by name, `versions`."""
    rows = list(data["reproduced"])
    papers = list(dict.fromkeys(_paper(row) for row in rows))
    counts = Counter(row["verdict"] for row in rows)
    sections = [Section("Verdicts", [*_apart(rows), _counts(rows, papers)])]
    sections += [Section(paper, _table([row for row in rows if _paper(row) == paper])) for paper in papers]
    files = [Listing(name, text, name) for name, text in (data.get("inputs") or {}).items()]
    sections += [
        Section("Model files", files),
        inputs({"versions": data.get("versions")}, ("papers", ", ".join(papers))),
    ]
    verdicts = [f"{counts[verdict]} {said}" for verdict, (said, _) in _VERDICTS.items() if counts[verdict]]
    return result_page(
        "reproduce",
        data,
        sections,
        f"{plural(len(rows), 'row')} of {plural(len(papers), 'paper')}, all recomputed: {', '.join(verdicts)}.",
        [
            Number(verdict[:1].upper() + verdict[1:], str(counts[verdict]), remark)
            for verdict, (_, remark) in _VERDICTS.items()
            if counts[verdict] or verdict in _OF_NUMBERS
        ],
        source,
        title="The papers' cases",
        failure=" ".join(sentence(text) for text in data.get("failed") or ()),
        file="reproductions",
    )


def _paper(row: Data) -> str:
    """The paper a row belongs to: the first word of its name, or the second of a claim's."""
    return str(row["id"]).removeprefix("claim.").partition(".")[0].partition(" ")[0].partition("/")[0]


def _difference(row: Data) -> float | None:
    """Ours less the paper's as part of the paper's; None where there is none."""
    ours, paper = row["value"], row["paper"]
    return (ours - paper) / abs(paper) if is_number(ours) and is_number(paper) and paper != 0.0 else None


def _apart(rows: list[Any]) -> list[Figure]:
    """The relative differences of all rows that have a number to compare with."""
    marks: list[Mark] = []
    for k, verdict in enumerate(_OF_NUMBERS[:2]):
        known = [(j, row, _difference(row)) for j, row in enumerate(rows) if row["verdict"] == verdict]
        drawn = [(j + 1, max(abs(away), _LEAST), row) for j, row, away in known if away is not None]
        if drawn:
            x, y, of = zip(*drawn, strict=True)
            labels = [f"{row['id']}: {percent(away, 2)}" for row, away in zip(of, y, strict=True)]
            marks.append(Points(verdict, x, y, colour=k, labels=labels))
    if not marks:
        return []
    words = "Every row below in its order; a number printed with three digits cannot be met more closely than 0.1 %."
    axes = Axis("row"), Axis("relative difference", "", "log")
    return [Figure("Differences from the papers' numbers", *axes, marks, words, wide=True)]


def _counts(rows: list[Any], papers: list[str]) -> Table:
    counted = []
    for paper in papers:
        counts = Counter(row["verdict"] for row in rows if _paper(row) == paper)
        counted.append([paper, str(sum(counts.values())), *(str(counts[verdict]) for verdict in _VERDICTS)])
    return Table(("paper", "rows", *_VERDICTS), counted)


def _table(rows: list[Any]) -> list[Any]:
    """The rows of one paper, notes below, each once."""
    notes = list(dict.fromkeys(row["note"] for row in rows if row["note"]))
    lines = []
    for row in rows:
        away = _difference(row)
        lines.append(
            [
                str(row["id"]),
                "–" if row["paper"] is None else f"{row['paper']:.6g}",
                f"{row['value']:.7g}" if is_number(row["value"]) else "failed",
                row["unit"],
                "–" if away is None else percent(away, 2),
                row["verdict"],
                f"[{notes.index(row['note']) + 1}]" if row["note"] else "",
            ]
        )
    heads = ("quantity", "paper", "ours", "unit", "difference", "verdict", "note")
    paragraphs = [Paragraphs([f"[{k + 1}] {sentence(note)}" for k, note in enumerate(notes)])] if notes else []
    return [Table(heads, lines), *paragraphs]
