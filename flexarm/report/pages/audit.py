"""The page of an audit: what every link and gear of a robot would cost at the tip."""

from __future__ import annotations

from typing import Any

from flexarm.report.figures.bars import Bar, BarList
from flexarm.report.page import Page, Section, Table
from flexarm.report.result_data import Data, data_of, inputs, number
from flexarm.report.result_page import result_page
from flexarm.results.engineering import column, quantity


def page_of(result: Any, source: str = "") -> Page:
    """The page of an Audit, or of its data."""
    data = data_of(result)
    costs = data["costs"]
    lead = f"What would cost most at {data['audited_tip']} if it gave way alone, in the posture that is given below."
    posture = {name: f"{value:.4g}" for name, value in data["posture"].items()}
    sections = [
        Section("Ranking", [_bars(costs), _table(costs)], f"Assumed: {data['assumed']}."),
        inputs(data, *posture.items()),
    ]
    numbers = [
        number("Sag of all together", data["sag_m"], "m"),
        number("First frequency", data["frequency_hz"], "Hz", "of all together"),
        number("Costs most", costs[0]["sag_m"], "m", f"{costs[0]['name']} ({costs[0]['kind']})"),
    ]
    return result_page("audit", data, sections, lead, numbers, source, warnings=data.get("remarks") or ())


def _bars(costs: list[Data]) -> BarList:
    bars = [Bar(f"{cost['name']} ({cost['kind']})", cost["sag_m"], quantity(cost["sag_m"], "m", 3)) for cost in costs]
    return BarList("Sag of the tip", bars)


def _table(costs: list[Data]) -> Table:
    sags = column([cost["sag_m"] for cost in costs], "m")
    frequencies = column([cost["frequency_hz"] for cost in costs], "Hz")
    rows = [
        [cost["name"], cost["kind"], sag, frequency, cost["stiffness"], cost["source"]]
        for cost, sag, frequency in zip(costs, sags, frequencies, strict=True)
    ]
    heads = ("gives way", "kind", "sag of the tip", "first frequency", "stiffness", "from")
    return Table(heads, rows, words="Each alone, everything else rigid; joints held.")
