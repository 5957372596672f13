"""The page of a path: the point in space, its distance from the path, and the joints with their corrections."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.report.page import Axis, Figure, Line, Mark, Page, Section, Table
from flexarm.report.result_data import Data, data_of, inputs, number, numbers
from flexarm.report.result_page import result_page
from flexarm.results.engineering import plural, quantity
from flexarm.results.tip_path import WORDS

_TIME = Axis("time", "s")
_DEGREE = float(np.pi / 180.0)
_AXES = "xyz"


def page_of(result: Any, source: str = "") -> Page:
    """The page of a TipPath, or of its data."""
    data = data_of(result)
    time, seen = numbers(data["time"]), numbers(data["seen"])
    before, after = numbers(data["before_m"]), numbers(data["after_m"])
    words = WORDS[data["compensated"]]
    lead = (
        f"{plural(len(data['joints']), 'joint')} lead {data['point']} {quantity(numbers(data['along_m'])[-1], 'm')} "
        f'along "{data["motion"]}" in {quantity(float(time[-1] - time[0]), "s")}; the {words} is compensated.'
    )
    distance: list[Mark] = [
        Line("as the rigid arm", seen, before, colour=1, dash="dashed"),
        Line("compensated", seen, after, colour=0),
    ]
    sections = [
        Section("Distance from the path", [Figure("Distance", _TIME, Axis("distance", "m"), distance, wide=True)]),
        Section("In space", _views(data)),
        Section(
            "Joints", _joints(data, time), "What is commanded, and how far that is from the joints of the rigid arm."
        ),
        inputs(data),
    ]
    found = [
        number("As the rigid arm", float(np.max(before)), "m", "greatest distance of the bent arm"),
        number("Compensated", float(np.max(after)), "m", "greatest distance of the bent arm"),
    ]
    return result_page("path", data, sections, lead, found, source, warnings=data.get("remarks") or ())


def _views(data: Data) -> list[Any]:
    """The point seen along the base axes, in the planes in which the path has some size."""
    target, rigid, bent = (numbers(data[key]) for key in ("target", "bent_rigid", "bent"))
    spans = np.ptp(np.concatenate([target, rigid]), axis=0)
    planes = [(a, b) for a, b in ((0, 1), (0, 2), (1, 2)) if min(spans[a], spans[b]) > 1e-3 * np.max(spans)]
    figures: list[Any] = []
    for a, b in planes or [(0, 1)]:
        marks: list[Mark] = [
            Line("path", target[:, a], target[:, b], colour=2),
            Line("as the rigid arm", rigid[:, a], rigid[:, b], colour=1, dash="dashed"),
            Line("compensated", bent[:, a], bent[:, b], colour=0),
        ]
        figures.append(
            Figure(f"Seen in the {_AXES[a]}-{_AXES[b]} plane", Axis(_AXES[a], "m"), Axis(_AXES[b], "m"), marks)
        )
    ends = [
        ["start", *(quantity(float(x), "m") for x in target[0])],
        ["end", *(quantity(float(x), "m") for x in target[-1])],
    ]
    return [*figures, Table(("", "x", "y", "z"), ends)]


def _joints(data: Data, time: np.ndarray) -> list[Figure]:
    commanded, rigid = numbers(data["commanded"]), numbers(data["rigid"])
    figures = []
    for k, (joint, unit) in enumerate(zip(data["joints"], data["units"], strict=True)):
        angle = unit == "rad"
        axis = Axis("coordinate", unit, shown="°" if angle else None, factor=_DEGREE if angle else 1.0)
        figures.append(Figure(joint, _TIME, axis, [Line("commanded", time, commanded[:, k], colour=0)]))
        shift = Axis("correction", unit, shown="°" if angle else None, factor=_DEGREE if angle else 1.0)
        marks: list[Mark] = [Line("correction", time, commanded[:, k] - rigid[:, k], colour=1)]
        figures.append(Figure(f"{joint}: correction", _TIME, shift, marks))
    return figures
