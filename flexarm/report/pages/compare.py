"""The page of a comparison: error and cost of each link model, and a recommendation."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.report.page import Axis, Figure, Line, Listing, Mark, Number, Page, Points, Rule, Section, Table
from flexarm.report.result_data import Data, data_of, inputs, number, numbers, percent, remarks
from flexarm.report.result_page import result_page
from flexarm.results.catalogue import AXES
from flexarm.results.engineering import digits, is_number, quantity

_TIME = Axis("time", "s")
# Models drawn over time at once.
_MOST_LINES = 8


def page_of(result: Any, source: str = "") -> Page:
    """The page of a Comparison, or of its data."""
    data = data_of(result)
    best = _best(data)
    toml = "\n".join(best.get("toml") or ()) if best else ""
    advice: list[Any] = remarks([data["advice"]])
    if toml:
        advice.append(Listing("In the model file", toml + "\n", "model.toml", open=True))
    sections = [
        Section("Error and cost", [_cost(data), _refinement(data)]),
        Section("Recommendation", advice),
        Section("Differences versus time", _over_time(data)),
        Section("All runs", [_runs(data), *_outside(data)]),
        Section("Models", [_models(data)]),
        Section("The reference", [_reference(data), *remarks(data["notes"])]),
        inputs(data, *_asked(data)),
    ]
    kept = quantity(data["tolerance"], "m", 3)
    lead = f"{len(data['trends'])} link models compared with a converged reference; the tip must be accurate to "
    lead += f"{kept}" + ("." if data["tolerance_given"] else ", a hundredth of the greatest deflection.")
    return result_page(
        "compare",
        data,
        sections,
        lead,
        _numbers(data, best),
        source,
        warnings=[] if data["complete"] else [f"Interrupted after {len(data['rows'])} of {data['wanted']} runs."],
    )


def _asked(data: Data) -> list[tuple[str, str]]:
    models: dict[str, list[str]] = {}
    for row in data["rows"]:
        models.setdefault(str(row["model"]), []).extend([] if row["elements"] is None else [str(row["elements"])])
    given = "" if data["tolerance_given"] else " (not given: a hundredth of the greatest deflection)"
    return [
        ("analysis", str(data["analysis"])),
        ("end", quantity(data["end"], "s")),
        ("elements", "; ".join(f"{model} {', '.join(counts)}".strip() for model, counts in models.items())),
        ("tolerance of the tip's path", f"{quantity(data['tolerance'], 'm', 3)}{given}"),
        ("tolerance of integration", quantity(data["integration_tolerance"], "m", 3)),
        ("reference", str(data["reference"]["model"])),
    ]


def _best(data: Data) -> Data | None:
    return None if data["recommended"] is None else data["rows"][data["recommended"]]


def _called(row: Data) -> str:
    return f"{row['model']} {row['elements']}" if row["elements"] is not None else str(row["model"])


def _numbers(data: Data, best: Data | None) -> list[Number]:
    if best is None:
        found = [Number("Recommended", "none", "no model keeps the tolerance")]
    else:
        found = [
            Number("Recommended", _called(best), "the cheapest that keeps the tolerance and its own assumptions"),
            number("Its error", best["tip_error"], "m", "greatest of the tip's path", 2),
            number("Its cost", best["cpu_seconds"], "s", "CPU time of one run", 2),
        ]
    reference = data["reference"]
    found.append(number("Error of the reference", reference["error"], "m", reference["model"], 2))
    found.append(number("Greatest deflection", reference["peak_deflection"], "m"))
    return found


def _ran(data: Data) -> dict[str, list[Data]]:
    """The rows that ran, by model, coarse to fine."""
    found: dict[str, list[Data]] = {}
    for row in data["rows"]:
        if row["status"] == "ok" and is_number(row["tip_error"]):
            found.setdefault(row["model"], []).append(row)
    return found


def _drawn(rows: dict[str, list[Data]], along: str, best: Data | None) -> list[Mark]:
    """A line with points for every model."""
    marks: list[Mark] = []
    for k, (model, each) in enumerate(rows.items()):
        known = [row for row in each if is_number(row[along]) and row[along] > 0.0]
        if not known:
            continue
        x, y = [row[along] for row in known], [row["tip_error"] for row in known]
        labels = [
            f"{_called(row)}: {quantity(row['tip_error'], 'm', 2)}, {quantity(row['cpu_seconds'] or 0.0, 's', 2)}"
            for row in known
        ]
        dash: Any = "dashed" if k > 7 else "solid"
        marks.append(Line(model, x, y, colour=k % 8, dash=dash, labels=labels))
    if best is not None and is_number(best[along]):
        here = [best[along]], [best["tip_error"]]
        marks.append(Points("recommended", *here, colour=6, labels=[_called(best)], names=[_called(best)]))
    return marks


def _levels(data: Data) -> list[Rule]:
    return [Rule(data["tolerance"], "tolerance", "y"), Rule(data["reference"]["error"], "error of the reference", "y")]


def _cost(data: Data) -> Figure:
    marks = [*_drawn(_ran(data), "cpu_seconds", _best(data)), *_levels(data)]
    axes = Axis("CPU time of a run", "s", "log"), Axis("error of the tip's path", "m", "log")
    return Figure("Error versus cost", *axes, marks, "Low and to the left is good.", wide=True)


def _refinement(data: Data) -> Figure:
    marks = [*_drawn(_ran(data), "coordinates", _best(data)), *_levels(data)]
    axes = Axis("elastic coordinates", "", "log"), Axis("error of the tip's path", "m", "log")
    return Figure("Error versus number of coordinates", *axes, marks, wide=True)


def _over_time(data: Data) -> list[Figure]:
    """How far the tips are from the reference's, of each model its finest mesh and of all the recommended one."""
    histories = data.get("histories")
    if not histories:
        return []
    times = numbers(histories["times"])
    finest = {
        row["model"]: k
        for k, row in enumerate(data["rows"])
        if row["status"] == "ok" and histories["apart"][k] is not None
    }
    chosen = list(finest.values())[:_MOST_LINES]
    best = data["recommended"]
    if best is not None and best not in chosen:
        chosen.append(best)
    lines: list[Mark] = []
    for j, k in enumerate(chosen):
        apart = numbers(histories["apart"][k])
        name = _called(data["rows"][k]) + (" (recommended)" if k == best else "")
        # where they meet, as at the start, a logarithm has no place for the distance
        known = np.where(apart > 0.0, apart, np.nan)
        lines.append(Line(name, times, known, colour=j % 8, dash="dashed" if k == best else "solid"))
    words = "The finest mesh of every model; differences below the error of the reference are not significant."
    found = []
    if lines:
        rule = Rule(data["tolerance"], "tolerance", "y")
        axis = Axis("distance from the reference", "m", "log", least=data["reference"]["error"] / 30.0)
        found.append(
            Figure("How far the tip is from the reference's", _TIME, axis, [*lines, rule], words, clock=True, wide=True)
        )
    bent = numbers(histories["deflection"])
    scale = float(np.abs(bent).max()) if bent.size else 0.0
    parts = [
        Line(axis, times, bent[:, r], colour=r)
        for r, axis in enumerate(AXES)
        if np.abs(bent[:, r]).max() > 1e-9 * scale
    ]
    if parts:
        words = "Along the axes of the tip of the rigid arm."
        axis = Axis("deflection", "m")
        found.append(Figure("Deflection of the reference's tip", _TIME, axis, parts, words, clock=True, wide=True))
    return found


def _runs(data: Data) -> Table:
    rows = []
    for k, row in enumerate(data["rows"]):
        ran = row["status"] == "ok"
        verdict = row["status"]
        if ran:
            outside = ", ".join(each["kind"] for each in row["outside"])
            verdict = f"outside its assumptions ({outside})" if outside else "keeps it" if row["keeps"] else "misses it"
        rows.append(
            [
                row["model"],
                "–" if row["elements"] is None else str(row["elements"]),
                "–" if row["coordinates"] is None else str(row["coordinates"]),
                _length(row["tip_error"]),
                *(_part(row[key]) for key in ("peak_error", "residual_error", "frequency_error")),
                "–" if row["cpu_seconds"] is None else quantity(row["cpu_seconds"], "s", 2),
                "recommended" if k == data["recommended"] else verdict,
            ]
        )
    heads = ("model", "elements", "coordinates", "tip's path", "peak", "residual", "frequencies", "CPU time", "")
    words = "Elements of a link (of modes: modes a direction); errors against the reference."
    return Table(heads, rows, words=words)


def _outside(data: Data) -> list[Table]:
    """Why rows do not count: what they refuse, where they stop, which assumption they break."""
    rows = []
    for row in data["rows"]:
        sentences = [row["reason"]] if row["reason"] else [each["sentence"] for each in row["outside"]]
        rows += [[_called(row), text] for text in sentences if text]
    return [Table(("model", "why it does not count"), rows)] if rows else []


def _models(data: Data) -> Table:
    rows = []
    for each in data["trends"]:
        order = "–" if each["order"] is None else digits(each["order"], 2)
        if each["levels_off"] is not None:
            order = f"levels off at {quantity(each['levels_off'], 'm', 2)}"
        cheapest = "none"
        if each["cheapest"] is not None:
            row = data["rows"][each["cheapest"]]
            cheapest = f"{row['elements']} elements, {quantity(row['cpu_seconds'] or 0.0, 's', 2)}"
        rows.append([each["model"], order, _length(each["error_at_equal_cost"]), cheapest])
    cost = "equal cost" if data["equal_cost"] is None else f"{quantity(data['equal_cost'], 's', 2)} of CPU time"
    return Table(("model", "order", f"tip's path at {cost}", "cheapest that keeps the tolerance"), rows)


def _reference(data: Data) -> Table:
    reference = data["reference"]
    elements = reference["elements"]
    rows = [
        ["model", f"{reference['model']}, {elements[0]} to {elements[-1]} elements a link"],
        ["its own error", quantity(reference["error"], "m", 2)],
        ["greatest deflection", quantity(reference["peak_deflection"], "m")],
    ]
    if reference["order"] is not None:
        rows.insert(1, ["led to its limit by the order", digits(reference["order"], 2)])
    if reference["agrees"] is not None and reference["agrees_to"] is not None:
        agrees = f"{reference['agrees']} {reference['agrees_elements']} to {quantity(reference['agrees_to'], 'm', 2)}"
        rows.append(["agrees with another formulation", agrees])
    if reference["residual"] is not None and reference["rest"] is not None:
        after = f"±{quantity(reference['residual'], 'm')} after {digits(reference['rest'])} s"
        rows.append(["residual vibration", after])
    if reference["frequencies_hz"]:
        rows.append(["frequencies", ", ".join(digits(f) for f in reference["frequencies_hz"]) + " Hz"])
    return Table(("", ""), rows)


def _part(value: Any) -> str:
    return "< 0.01 %" if is_number(value) and value < 1e-4 else percent(value, 2)


def _length(value: Any) -> str:
    return quantity(value, "m", 2) if is_number(value) else "–"
