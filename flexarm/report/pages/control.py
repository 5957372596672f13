"""The page of controllers side by side."""

from __future__ import annotations

from typing import Any

from flexarm.report.figures.bars import Bar, BarList
from flexarm.report.page import Page, Section, Table
from flexarm.report.result_data import Data, data_of, inputs, number
from flexarm.report.result_page import result_page
from flexarm.results.engineering import digits, quantity


def page_of(result: Any, source: str = "") -> Page:
    """The page of a ControlStudy, or of its data."""
    data = data_of(result)
    rows = data["controlled"]
    lead = (
        f"The same move with each controller; settled is the tip within {quantity(data['within_m'], 'm')} of its "
        f"target. Torques act {data['delay']} after a measurement, every {quantity(data['sample_s'], 's')}."
    )
    sections = [
        Section("Residual vibration", [_bars(rows), _table(rows)], "Greatest distance of the tip after the command."),
        Section(
            "Arms that are off", [_varied(rows)] if rows and rows[0]["varied"] else [], "Designs for the nominal arm."
        ),
        Section("Designs", [Table(("controller", "design"), [[row["name"], row["words"]] for row in rows])]),
        inputs(data),
    ]
    settled = [row for row in rows if row["settled_s"] is not None]
    first = min(settled, key=lambda row: row["settled_s"]) if settled else None
    numbers = [number("First mode", data["frequency_hz"], "Hz", "where the command ends")]
    if first is not None:
        numbers.insert(0, number("Settles first", first["settled_s"], "s", first["name"]))
    warnings = [f"{row['name']}: {row['failure']}" for row in rows if row["failure"]]
    return result_page("control", data, sections, lead, numbers, source, warnings=warnings)


def _bars(rows: list[Data]) -> BarList:
    known = [row for row in rows if row["residual_m"] is not None]
    bars = [Bar(row["name"], row["residual_m"], quantity(row["residual_m"], "m", 3)) for row in known]
    return BarList("Residual of the tip", bars)


def _cell(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    return quantity(value, unit) if unit else digits(value, 4)


def _table(rows: list[Data]) -> Table:
    keys = (
        ("residual_m", "m"),
        ("settled_s", "s"),
        ("torque", ""),
        ("decay", ""),
        ("gain_margin", ""),
        ("delay_margin_s", "s"),
    )
    heads = ("controller", "residual", "settled", "torque N m", "decay 1/s", "gain margin", "delay margin")
    cells = [[row["name"], *(_cell(row[key], unit) for key, unit in keys)] for row in rows]
    return Table(
        heads, cells, words="Margins: the factor on all torques, and the further delay, that make the loop unstable."
    )


def _varied(rows: list[Data]) -> Table:
    names = [each["name"] for each in rows[0]["varied"]]
    cells = [
        [row["name"], *("failed" if v["failure"] else _cell(v["residual_m"], "m") for v in row["varied"])]
        for row in rows
    ]
    return Table(("controller", *names), cells, words="Residual of the tip.")
