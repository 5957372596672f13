"""Tables that the build computes, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from docs.making.measured import comparison, paper_rows, verification
from flexarm.formulations import FORMULATIONS
from flexarm.results.engineering import quantity

_MARKS = {"good": "✓", "fair": "○", "poor": "✗"}
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def verification_table() -> str:
    """Formulations down, closed forms across: error and mark."""
    found = verification()
    cases = list(dict.fromkeys(each["case"] for each in found))
    rows = [["formulation", *cases]]
    for way in dict.fromkeys(each["way"] for each in found):
        cells = [_checked(each) for each in found if each["way"] == way]
        rows.append([f"`{way.partition(',')[0]}`{''.join(way.partition(',')[1:])}", *cells])
    return markdown(rows)


def _checked(each: dict[str, Any]) -> str:
    if each["case"] == "fitted order":
        return f"{each['ours']:.2f}\u00a0of\u00a0{each['exact']:g}\u00a0{_MARKS[each['mark']]}"
    return f"{percent(each['error'])}\u00a0{_MARKS[each['mark']]}"


def formulation_table(*words: str) -> str:
    """What one formulation errs by and costs, mesh by mesh, on the arm of two flexible links."""
    wanted = set(words)
    found = comparison()
    rows = [["model", "elements a link", "coordinates", "tip path", "residual", "frequencies", "CPU time"]]
    for row in found["rows"]:
        if row["model"] not in wanted:
            continue
        rows.append(
            [
                f"`{row['model']}`",
                str(row["elements"]),
                str(row["coordinates"]),
                size(row["tip_error"], "m"),
                percent(row["residual_error"]),
                percent(row["frequency_error"]),
                size(row["cpu_seconds"], "s"),
            ]
        )
    orders = {each["model"]: each["order"] for each in found["trends"] if each["model"] in wanted}
    told = [f"`{model}` converges with order {order:.1f} here" for model, order in orders.items() if order is not None]
    reference = found["reference"]
    about = (
        f"Beside a reference whose own error is about {size(reference['error'], 'm')}; "
        f"greatest deflection {size(reference['peak_deflection'], 'm')}."
    )
    return markdown(rows) + "\n\n" + " ".join([about, *(f"{each}." for each in told)])


def closed_forms(formulation: str) -> str:
    """One formulation against every closed form."""
    rows = [["closed form", "frames", "ours", "exact", "error"]]
    for each in verification():
        name, _, frame = each["way"].partition(", ")
        if name != formulation:
            continue
        ours, exact = f"{each['ours']:.6g}", f"{each['exact']:.6g}"
        if each["case"] in ("large deflection", "energy balance"):
            ours, exact = "–", "–"  # there the error itself is what was measured
        error = percent(each["error"]) if each["case"] != "fitted order" else "–"
        rows.append([each["case"], frame or "element", ours, exact, f"{error} {_MARKS[each['mark']]}"])
    if FORMULATIONS[formulation].link_frame != "option":
        rows = [[*row[:1], *row[2:]] for row in rows]
    return markdown(rows)


def reproduction_table(paper: str, *prefixes: str) -> str:
    """The rows of a paper: its number, ours, the verdict; with prefixes only rows whose ids begin so."""
    chosen = [row for row in paper_rows(paper) if not prefixes or row["id"].startswith(prefixes)]
    rows = [["row", "paper", "flexarm", "unit", "verdict"]]
    for row in chosen:
        printed = "–" if row["paper"] is None else f"{row['paper']:.6g}"
        verdict = f"**{row['verdict']}**" if row["verdict"] == "differs" else row["verdict"]
        rows.append([f"`{row['id'].removeprefix(paper + '.')}`", printed, f"{row['value']:.6g}", row["unit"], verdict])
    notes = list(dict.fromkeys(row["note"] for row in chosen if row["note"] and row["paper"] is not None))
    return "\n".join([markdown(rows), "", *(f"- {note[0].upper()}{note[1:]}." for note in notes)])


def verdict_counts() -> str:
    """How the rows of every paper came out."""
    from flexarm.papers import PAPERS, VERDICTS

    rows = [["paper", *VERDICTS]]
    for paper in PAPERS:
        verdicts = [row["verdict"] for row in paper_rows(paper)]
        rows.append([f"`{paper}`", *(str(verdicts.count(word)) for word in VERDICTS)])
    return markdown(rows)


def claim_table(paper: str) -> str:
    """What a paper concludes in words: the verdict, the number that decides, and why."""
    rows = [["claim", "verdict", "number", "what is said, and what decides"]]
    for row in paper_rows(paper):
        if row["id"].startswith("claim."):
            verdict = f"**{row['verdict']}**" if row["verdict"] == "does not hold" else row["verdict"]
            note = f"{row['note'][0].upper()}{row['note'][1:]}."
            name = row["id"].removeprefix(f"claim.{paper}.")
            rows.append([f"`{name}`", verdict, f"{row['value']:.4g} {row['unit']}".rstrip(), note])
    return markdown(rows)


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """The rows as a Markdown table, the first its head."""
    lines = [_line(rows[0]), _line(["---"] * len(rows[0])), *(_line(row) for row in rows[1:])]
    return "\n".join(lines)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def percent(part: float | None) -> str:
    """A relative error as an engineer writes it."""
    if part is None:
        return "–"
    # none of these may break over two lines of a narrow table
    if part < 1e-12:
        return "<\u00a010⁻¹²"
    if part < 1e-4:
        digit, _, power = f"{part:.0e}".partition("e-")
        return f"{digit}·10⁻{power.lstrip('0').translate(_RAISED)}"
    return f"{100.0 * part:.2g}\u00a0%" if part < 1.0 else ">\u00a0100\u00a0%"


def size(value: float | None, unit: str) -> str:
    """A number with a prefixed unit, to two digits."""
    return "–" if value is None else quantity(value, unit, 2)


TABLES: dict[str, Callable[..., str]] = {
    "verification": verification_table,
    "formulation": formulation_table,
    "closed-forms": closed_forms,
    "reproduction": reproduction_table,
    "verdicts": verdict_counts,
    "claims": claim_table,
}
