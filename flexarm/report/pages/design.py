"""The page of a design: before and after, what binds and what it costs, and the trade-off."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.report.page import Axis, Figure, Line, Page, Paragraphs, Section, Table
from flexarm.report.result_data import Data, data_of, inputs, number
from flexarm.report.result_page import result_page
from flexarm.results.engineering import is_number, plural, quantity


def page_of(result: Any, source: str = "") -> Page:
    """The page of a Design, or of its data."""
    data = data_of(result)
    sections = [
        Section("What binds", [Paragraphs(data["prices"])] if data["prices"] else []),
        Section("Free numbers", [_numbers(data)]),
        Section("Objective and requirements", [_judged(data)]),
        Section("Trade-off", [_front(data)] if data["front"] else []),
        inputs(data, ("designs judged", str(data["evaluations"]))),
    ]
    units = data["objective_units"]
    numbers = [
        number(word, value, units[word], f"before {_shown(data['objective_before'].get(word), units[word])}")
        for word, value in data["objective_after"].items()
    ]
    warnings = [] if data["met"] else [data["verdict"]]
    lead = f"{plural(len(data['designed']), 'free number')}; {data['verdict']}."
    return result_page("design", data, sections, lead, numbers, source, warnings=warnings)


def _shown(value: Any, unit: str) -> str:
    return quantity(value, unit) if is_number(value) else "–"


def _numbers(data: Data) -> Table:
    rows = []
    for j, name in enumerate(data["designed"]):
        rows.append([name, *(quantity(data[key][j], data["units"][j]) for key in ("before", "after", "low", "high"))])
    return Table(("number", "before", "after", "from", "to"), rows)


def _judged(data: Data) -> Table:
    rows = []
    for word in data["objective"]:
        unit = data["objective_units"][word]
        ends = (data["objective_before"].get(word), data["objective_after"].get(word))
        rows.append([word, *(_shown(x, unit) for x in ends), "least", ""])
    for each in data["requirements"]:
        shown = [_shown(each[key], each["unit"]) for key in ("before", "after", "limit")]
        rows.append([each["name"], *shown, "binds" if each["binds"] else "met" if each["met"] else "missed"])
    return Table(("", "before", "after", "limit", ""), rows)


def _front(data: Data) -> Figure:
    known = [each for each in data["front"] if is_number(each["least"])]
    limits, best = (np.array([each[key] for each in known], float) for key in ("limit", "least"))
    unit = next(iter(data["objective_units"].values())) if len(data["objective"]) == 1 else ""
    return Figure("Least objective under each limit", Axis("limit"), Axis("objective", unit), [Line("", limits, best)])
