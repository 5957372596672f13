"""The page of an identification: what was found, what it explains, what is left."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.report.page import Axis, Figure, Line, Listing, Page, Paragraphs, Section, Table
from flexarm.report.result_data import Data, data_of, inputs, number, percent
from flexarm.report.result_page import result_page
from flexarm.report.specification import slug
from flexarm.results.engineering import digits

_TIME = Axis("time", "s")


def page_of(result: Any, source: str = "") -> Page:
    """The page of an Identification, or of its data."""
    data = data_of(result)
    numbers = []
    for record in data["records"]:
        for name, found in record["outputs"].items():
            where = f"{name}, {record['record']}"
            words = "Explained of a record held out" if record["held_out"] else "Explained of a record fitted"
            numbers.append(number(words, found["explained"], "", where))
    sections = [
        Section("What was found", [_table(data), *_sentences(data)], "Values with intervals of 95 %."),
        Section(
            "Measured and predicted",
            [figure for figure in _figures(data)],
            "What the sensors read, what the model would have read, and the difference.",
        ),
        Section("Records", [_records(data)], "Share of the variance that the model explains, and what is left."),
        Section("Fitted model", _fitted(data), minor=True),
        inputs(data, ("loss", str(data["loss"])), ("evaluations", str(data["evaluations"]))),
    ]
    count = len(data["parameters"])
    lead = f"{count} {'number' if count == 1 else 'numbers'} of the model, found from what was measured."
    return result_page("identify", data, sections, lead, numbers[:6], source, warnings=data.get("remarks") or ())


def _table(data: Data) -> Table:
    rows = []
    for name, each in data["parameters"].items():
        low, high = each["interval"]
        unit = each["unit"]
        rows.append(
            [
                name,
                f"{digits(each['value'], 5)} {unit}".strip(),
                f"{digits(low, 4)} … {digits(high, 4)}",
                f"{digits(each['start'], 5)} {unit}".strip(),
            ]
        )
    return Table(("", "value", "95 % interval", "before"), rows)


def _sentences(data: Data) -> list[Paragraphs]:
    return [Paragraphs(list(data["confounded"]))] if data["confounded"] else []


def _records(data: Data) -> Table:
    rows = [
        [
            record["record"],
            "held out" if record["held_out"] else "fitted",
            name,
            percent(found["explained"], 4),
            "white" if found["white"] else f"coloured, remembers {digits(found['memory_s'], 2)} s",
        ]
        for record in data["records"]
        for name, found in record["outputs"].items()
    ]
    return Table(("record", "", "sensor", "explained", "what is left"), rows)


def _figures(data: Data) -> list[Figure]:
    found = []
    for record, series in zip(data["records"], data.get("series") or (), strict=False):
        time = np.array(series["time"], dtype=float)
        for name, values in series["measured"].items():
            measured = np.array(values, dtype=float)
            predicted = np.array(series["predicted"][name], dtype=float)
            unit = series["units"].get(name, "")
            axis = Axis(name, unit)
            lines = [
                Line("measured", time, measured, colour=0),
                Line("predicted", time, predicted, colour=1),
                Line("difference", time, measured - predicted, colour=6, dash="dotted"),
            ]
            found.append(Figure(f"{name}: {record['record']}", _TIME, axis, lines, wide=True))
    return found


def _fitted(data: Data) -> list[Listing]:
    text = data.get("fitted")
    return [Listing("Model file with what was found", text, f"{slug(str(data['arm']))}-fitted.toml")] if text else []
