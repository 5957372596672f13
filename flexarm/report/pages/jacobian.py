"""The page of a Jacobian: what every number of the model does to signals over time."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.report.page import Axis, Figure, Line, Page, Section
from flexarm.report.result_data import data_of, inputs, numbers
from flexarm.report.result_page import result_page
from flexarm.results.engineering import plural, quantity
from flexarm.results.gradient import PART


def page_of(result: Any, source: str = "") -> Page:
    """The page of a Jacobian, or of its data."""
    data = data_of(result)
    time, slopes, values = (numbers(data[key]) for key in ("time_s", "signal_derivatives", "signals"))
    size = np.abs(numbers(data["by_values"]))
    effects = slopes * PART * np.where(size == 0.0, 1.0, size)
    sections = []
    for k, word in enumerate(data["of"]):
        unit = data["units"][k]
        lines = [Line(name, time, effects[:, k, j]) for j, name in enumerate(data["by"])]
        figures = [
            Figure("What one per cent more changes", Axis("time", "s"), Axis(word, unit), lines),
            Figure(word, Axis("time", "s"), Axis(word, unit), [Line(word, time, values[:, k])]),
        ]
        sections.append(Section(word, figures, "Each number alone, one per cent larger than it is."))
    sections.append(inputs(data, ("runs", str(data["runs"])), ("tolerance", quantity(data["tolerance_m"], "m"))))
    lead = f"What {plural(len(data['by']), 'number')} of the model mean for signals over time."
    return result_page("gradient over time", data, sections, lead, [], source, file="jacobian")
