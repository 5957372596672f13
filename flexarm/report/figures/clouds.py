"""Samples drawn as points: where a point of the arm ends, the region it must end in, and histograms of any number."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from flexarm.report.page import Axis, Bars, Figure, Line, Points, Rule, largest
from flexarm.report.result_data import Data, amount, numbers
from flexarm.results.engineering import is_number, prefixed_unit

# Lines of a circle or an ellipse.
_ROUND = np.linspace(0.0, 2.0 * np.pi, 121)


def end_points(
    title: str,
    columns: Sequence[str],
    groups: Sequence[tuple[str, Sequence[Any], int]],
    middle: Sequence[float],
    regions: Sequence[tuple[str, np.ndarray, np.ndarray, int]] = (),
    *,
    from_where: str = "",
) -> Figure:
    """Points in two coordinates (m) counted from a middle, group by group, with outlines of regions.

    groups: name, the two coordinates, colour; regions: name, x and y from the middle, colour.
    """
    marks: list[Line | Points] = []
    for name, values, colour in groups:
        x, y = (numbers(each) - at for each, at in zip(values, middle, strict=True))
        if len(x):
            marks.append(Points(name, x, y, colour=colour))
    marks += [Line(name, x, y, colour=colour) for name, x, y, colour in regions]
    marks.append(Points(from_where or "nominal", [0.0], [0.0], colour=6))
    reach = max(largest(value) for mark in marks for value in (mark.x, mark.y))
    shown, factor = prefixed_unit(reach, "m", 3)
    axes = [
        Axis(f"{_signal(column)}, from the {from_where or 'nominal'}", "m", shown=shown, factor=factor)
        for column in columns
    ]
    return Figure(title, axes[0], axes[1], marks, wide=True, equal=True)


def planes(columns: Sequence[str], cloud: Data) -> list[tuple[int, int]]:
    """Pairs of coordinates worth a picture: those that vary."""
    varying = [k for k, name in enumerate(columns) if name in cloud and np.ptp(numbers(cloud[name])) > 0.0]
    return list(combinations(varying, 2))[:3]


def outline(wanted: Data, pair: tuple[int, int], factor: float = 1.0) -> tuple[np.ndarray, np.ndarray] | None:
    """The edge of a requirement's region about its centre (m), in two of its coordinates, `factor` times as large."""
    kind, size = wanted["kind"], numbers(wanted.get("size") or [])
    if kind in ("circle", "sphere"):
        radius = factor * wanted["limit"]
        return radius * np.cos(_ROUND), radius * np.sin(_ROUND)
    if kind == "box":
        a, b = 0.5 * factor * size[pair[0]], 0.5 * factor * size[pair[1]]
        return np.array([-a, a, a, -a, -a]), np.array([-b, -b, b, b, -b])
    if kind == "ellipse":
        c, s = np.cos(wanted.get("angle", 0.0)), np.sin(wanted.get("angle", 0.0))
        x, y = factor * size[0] * np.cos(_ROUND), factor * size[1] * np.sin(_ROUND)
        return c * x - s * y, s * x + c * y
    return None


def regions_about(
    data: Data, time: float, axes: tuple[int, int], middle: Sequence[float]
) -> list[tuple[str, np.ndarray, np.ndarray, int]]:
    """The edges of the regions the tip must be in at a time (s), in two base axes, counted from a middle (m)."""
    found: list[tuple[str, np.ndarray, np.ndarray, int]] = []
    for each in data.get("regions") or ():
        wanted, bounded = each["requirement"], list(each["axes"])
        there = wanted["point"] == "tip" and is_number(each["time"]) and abs(each["time"] - time) <= 1e-9 * abs(time)
        if not there or not set(axes) <= set(bounded):
            continue
        pair = bounded.index(axes[0]), bounded.index(axes[1])
        edge = outline(wanted, pair)
        if edge is None:
            continue
        centre = wanted["centre"]
        away = [0.0, 0.0] if isinstance(centre, str) else [centre[k] - at for k, at in zip(pair, middle, strict=True)]
        found.append((f'"{wanted["name"]}" allows', edge[0] + away[0], edge[1] + away[1], 2 + len(found)))
    return found


def region_figures(data: Data, samples: int) -> list[Figure]:
    """Samples that meet and miss each region, with its edge and, where it is known, the one that would be needed."""
    cloud = data.get("cloud") or {}
    found = []
    for each in data["requirements"]:
        columns, column = each.get("places") or (), f"requirement {each['name']}"
        if not columns or column not in cloud or any(name not in cloud for name in columns):
            continue
        wanted = each["requirement"]
        missed = numbers(cloud[column]) > wanted["limit"]
        some = "" if len(missed) >= samples else f" (of the first {len(missed)})"
        for pair in planes(columns, cloud):
            coordinates = [numbers(cloud[columns[k]]) for k in pair]
            groups = [
                (f"{int((~missed).sum())} meet it{some}", [values[~missed] for values in coordinates], 0),
                (f"{int(missed.sum())} miss it{some}", [values[missed] for values in coordinates], 1),
            ]
            regions = []
            edge = outline(wanted, pair)
            if edge is not None:
                regions.append((f"allowed ({amount(wanted['limit'], each['unit'])})", *edge, 2))
            limit = (each.get("needed") or {}).get("limit")
            larger = outline(wanted, pair, limit / wanted["limit"]) if is_number(limit) else None
            if larger is not None:
                regions.append((f"needed for {wanted_share(data)} ({amount(limit, each['unit'])})", *larger, 6))
            centre = [each["centre"][k] for k in pair]
            names = [columns[k] for k in pair]
            found.append(end_points(f'"{each["name"]}"', names, groups, centre, regions, from_where="centre"))
    return found


def wanted_share(data: Data) -> str:
    """The reliability that is wanted."""
    return f"{100.0 * data['wanted']:.6g} %"


def histogram(title: str, label: str, unit: str, found: Data, rules: Sequence[Rule] = (), words: str = "") -> Figure:
    """How often values fall where."""
    bars = Bars("samples", numbers(found["counts"]), edges=numbers(found["edges"]), colour=0)
    return Figure(title, Axis(label, unit), Axis("samples"), [bars, *rules], words)


def _signal(column: str) -> str:
    return column.partition("@")[0]
