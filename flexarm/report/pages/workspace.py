"""The page of a workspace: maps of sag, stiffness and frequencies over the joints and over where the point is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from flexarm.report.page import Axis, Figure, HeatMap, Line, Number, Page, Section, Table, largest
from flexarm.report.result_data import Data, data_of, inputs, number, numbers, posture_tables
from flexarm.report.result_page import result_page
from flexarm.results.engineering import plural, quantity
from flexarm.results.workspace import coordinate

_DEGREE = float(np.pi / 180.0)


def page_of(result: Any, source: str = "") -> Page:
    """The page of a Workspace, or of its data."""
    data = data_of(result)
    maps = list(_maps(data))
    words = "All joints are held; the other joints stay where the posture below has them."
    sections = [
        Section(
            "Maps", [figure for title, values, unit in maps for figure in _figures(data, title, values, unit)], words
        ),
        Section("Extremes", [_extremes(data, maps)]),
        Section("Posture of the other joints", posture_tables(data)),
        inputs(data),
    ]
    failed = data.get("failures") or 0
    lost = [f"{plural(failed, 'posture')} without equilibrium: {data.get('first_failure')}"] if failed else []
    return result_page(
        "workspace",
        data,
        sections,
        _lead(data),
        _numbers(data, maps),
        source,
        warnings=(*lost, *(data.get("remarks") or ())),
    )


def _maps(data: Data) -> Iterable[tuple[str, np.ndarray, str]]:
    """Title, values over the grid, unit."""
    if largest(data["sag_distance"]) > 0.0:  # else nothing loads the arm
        yield f"Sag of {data['point']}", numbers(data["sag_distance"]), "m"
    yield "Least stiffness", numbers(data["stiffness"]), "N/m"
    frequencies = numbers(data["frequencies_hz"])
    for k in range(frequencies.shape[-1]):
        yield f"Frequency {k + 1}", frequencies[..., k], "Hz"


def _axes(data: Data) -> list[tuple[Axis, np.ndarray]]:
    found = []
    for joint, grid in data["joints"].items():
        degrees = grid["unit"] == "rad"
        axis = Axis(joint, grid["unit"], shown="°" if degrees else None, factor=_DEGREE if degrees else 1.0)
        found.append((axis, numbers(grid["values"])))
    return found


def _figures(data: Data, title: str, values: np.ndarray, unit: str) -> list[Figure]:
    """One map over the first two joints; of one joint a line, of more than two the worst over the others."""
    axes = _axes(data)
    if len(axes) == 1:
        return [Figure(title, axes[0][0], Axis(title, unit), [Line(title, axes[0][1], values)])]
    words = ""
    while values.ndim > 2:
        pick = np.nanmax if title.startswith("Sag") else np.nanmin
        values = pick(values, axis=-1)
        words = "The worst over the other joints."
    (x, xs), (y, ys) = axes[:2]
    return [Figure(title, x, y, [HeatMap(title, xs, ys, values.T, unit)], words)]


def _where(data: Data, shape: tuple[int, ...], index: int) -> str:
    places = np.unravel_index(index, shape)
    joints = zip(data["joints"].items(), places, strict=True)
    return ", ".join(f"{joint} {coordinate(each['values'][k], each['unit'])}" for (joint, each), k in joints)


def _extremes(data: Data, maps: list[tuple[str, np.ndarray, str]]) -> Table:
    rows = []
    for title, values, unit in maps:
        if not np.isfinite(values).any():
            continue
        low, high = int(np.nanargmin(values)), int(np.nanargmax(values))
        rows.append(
            [
                title,
                *(
                    text
                    for k in (low, high)
                    for text in (quantity(values.flat[k], unit), _where(data, values.shape, k))
                ),
            ]
        )
    return Table(("", "least", "at", "greatest", "at"), rows)


def _numbers(data: Data, maps: list[tuple[str, np.ndarray, str]]) -> list[Number]:
    found = []
    for title, values, unit in maps[:3]:
        if np.isfinite(values).any():
            worst = int(np.nanargmax(values) if unit == "m" else np.nanargmin(values))
            name = "Largest sag" if unit == "m" else title if unit == "N/m" else "Lowest frequency"
            found.append(number(name, float(values.flat[worst]), unit, _where(data, values.shape, worst)))
    return found


def _lead(data: Data) -> str:
    count = int(np.prod([len(each["values"]) for each in data["joints"].values()]))
    return f"Statics and lowest frequencies in {plural(count, 'posture')} of {' and '.join(data['joints'])}."
