"""The page of a gradient: what every number of the model does to every output."""

from __future__ import annotations

from typing import Any

from flexarm.report.figures.bars import Bar, BarList
from flexarm.report.page import Page, Section, Table
from flexarm.report.result_data import Data, data_of, inputs, number
from flexarm.report.result_page import result_page
from flexarm.results.engineering import digits, is_number, plural, quantity
from flexarm.results.gradient import PART, derivative_unit


def page_of(result: Any, source: str = "") -> Page:
    """The page of a Gradient, or of its data."""
    data = data_of(result)
    words, names = data["of"], data["by"]
    lead = f"What {plural(len(names), 'number')} of the model {'do' if len(names) > 1 else 'does'} to the run."
    sections = [
        Section(word, [_bars(data, k), _table(data, k)], "Each number alone, one per cent larger than it is.")
        for k, word in enumerate(words)
    ]
    sections.append(inputs(data, ("runs", str(data["runs"])), ("tolerance", quantity(data["tolerance_m"], "m"))))
    numbers = [number(word, data["value"][k], data["units"][k]) for k, word in enumerate(words[:6])]
    return result_page("gradient", data, sections, lead, numbers, source, warnings=data["remarks"])


def _effect(data: Data, k: int, j: int) -> float | None:
    slope, own = data["derivative"][k][j], data["by_values"][j]
    return slope * PART * (abs(own) or 1.0) if is_number(slope) else None


def _bars(data: Data, k: int) -> BarList:
    effects = [(name, _effect(data, k, j)) for j, name in enumerate(data["by"])]
    known = sorted(((name, x) for name, x in effects if x is not None), key=lambda each: -abs(each[1]))
    bars = [Bar(name, abs(x), quantity(x, data["units"][k], 3)) for name, x in known]
    return BarList("What one per cent more changes", bars)


def _table(data: Data, k: int) -> Table:
    rows = []
    for j, name in enumerate(data["by"]):
        slope, error = data["derivative"][k][j], data["derivative_error"][k][j]
        unit = derivative_unit(data["units"][k], data["by_units"][j])
        shown = [f"{digits(slope, 6)} {unit}".strip(), digits(error, 1)] if is_number(slope) else ["none", ""]
        rows.append([name, quantity(data["by_values"][j], data["by_units"][j]), *shown])
    return Table(("number", "is", "derivative", "estimated error"), rows)
