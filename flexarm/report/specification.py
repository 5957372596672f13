"""Figures and moving arms as the page's script reads them: JSON with numbers of arrays in it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from flexarm.report.arm.choices import choice_specification
from flexarm.report.arm.drawn import solid_specification
from flexarm.report.arrays import ArrayStore
from flexarm.report.page import Axis, Band, Bars, Figure, HeatMap, Line, Mark, Moving, MovingArm, Points, Rule, largest
from flexarm.results.engineering import prefixed_unit
from flexarm.results.jsonable import jsonable

# Frames and points of a moving line: more is not seen.
_MOVING_FRAMES, _MOVING_POINTS = 400, 120


def figure_specification(figure: Figure, store: ArrayStore, file: str) -> dict[str, Any]:
    """The figure for the script; its arrays go into the store."""
    before, store.thinned = store.thinned, False
    marks = []
    colour = 0
    for mark in figure.marks:
        if isinstance(mark, Rule):
            marks.append({"kind": "rule", "at": float(mark.at), "text": mark.text, "axis": mark.axis})
            continue
        if mark.colour is None:
            marks.append(_mark(mark, store) | {"colour": colour})
            colour += 1
        else:
            marks.append(_mark(mark, store) | {"colour": mark.colour})
            colour = max(colour, mark.colour + 1)
    thinned, store.thinned = store.thinned, before or store.thinned
    return {
        "title": figure.title,
        "x": _axis(figure.x, [_along(mark, "x") for mark in figure.marks]),
        "y": _axis(figure.y, [_along(mark, "y") for mark in figure.marks]),
        "marks": jsonable(marks),
        "clock": figure.clock,
        "equal": figure.equal,
        "choose": None if figure.choose is None else [list(names) for names in figure.choose],
        "thinned": thinned,
        "file": f"{file}-{slug(figure.title)}",
    }


def arm_specification(arm: MovingArm, store: ArrayStore, file: str = "report") -> dict[str, Any]:
    """The moving arm for the script; its arrays go into the store."""
    frames, points = np.asarray(arm.deflections).shape[:2]
    traced = arm.traced if arm.traced >= 0 else points + arm.traced
    return {
        "links": [
            {
                "name": link.name,
                "first": link.first,
                "last": link.last,
                "flexible": link.flexible,
                "joint": link.joint,
                "jointPoint": link.joint_point,
                "payloads": list(link.payloads),
            }
            for link in arm.links
        ],
        "frames": frames,
        "points": points,
        "times": store.put(arm.times),
        "corners": store.put(arm.corners, "f4"),
        "cornerPoints": [int(index) for index in arm.corner_points],
        "distances": store.put(arm.distances),
        "deflections": store.put(arm.deflections, "f4"),
        "planar": arm.planar,
        "bends": largest(arm.deflections) > 0.0,
        "scale": float(arm.scale),
        "traced": int(traced),
        "loop": arm.loop,
        "solid": None if arm.solid is None else solid_specification(arm.solid, store),
        "file": f"{file}-{slug(arm.title)}",
        "choices": [choice_specification(choice, store) for choice in arm.choices],
        "title": arm.title,
    }


def slug(title: str) -> str:
    """The title as part of a file's name."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "figure"


def _mark(mark: Mark, store: ArrayStore) -> dict[str, Any]:
    """One mark without its colour."""
    match mark:
        case Line():
            x, y = store.put_lines(mark.x, mark.y)
            dots = {} if store.thinned else {"labels": list(mark.labels)}
            return {"kind": "line", "name": mark.name, "x": x, "y": y, "dash": mark.dash, **dots}
        case Band():
            x, low, high = store.put_lines(mark.x, mark.low, mark.high)
            return {"kind": "band", "name": mark.name, "x": x, "low": low, "high": high}
        case Points():
            x, y = store.put_lines(mark.x, mark.y)
            labels = {} if store.thinned else {"labels": list(mark.labels), "names": list(mark.names)}
            return {"kind": "points", "name": mark.name, "x": x, "y": y, **labels}
        case Bars():
            heights = np.asarray(mark.heights, dtype=float)
            edges = np.arange(len(heights) + 1) - 0.5 if mark.edges is None else mark.edges
            put = {"heights": store.put(heights), "edges": store.put(edges)}
            return {"kind": "bars", "name": mark.name, "labels": list(mark.labels), **put}
        case Moving():
            return _moving(mark, store)
        case HeatMap():
            shown, factor = prefixed_unit(largest(mark.values), mark.unit, 3)
            put = {"x": store.put(mark.x), "y": store.put(mark.y), "values": store.put(mark.values, "f4")}
            return {"kind": "heat", "name": mark.name, **put, "unit": mark.unit, "shown": shown, "factor": factor}
        case _:
            raise TypeError(f"{type(mark).__name__} is not a mark")


def _moving(mark: Moving, store: ArrayStore) -> dict[str, Any]:
    values, x = np.asarray(mark.values, dtype=float), np.asarray(mark.x, dtype=float)
    frames = _some(len(values), _MOVING_FRAMES)
    points = _some(len(x), _MOVING_POINTS)
    return {
        "kind": "moving",
        "name": mark.name,
        "x": store.put(x[points]),
        "values": store.put(values[np.ix_(frames, points)], "f4"),
        "times": store.put(np.asarray(mark.times, dtype=float)[frames]),
    }


def _some(count: int, most: int) -> np.ndarray:
    """At most so many indices, evenly spread, both ends among them."""
    return np.unique(np.round(np.linspace(0, count - 1, min(count, most))).astype(int))


def _along(mark: Mark, axis: str) -> Any:
    """The values of a mark along an axis."""
    match mark:
        case Rule():
            return [mark.at] if mark.axis == axis else []
        case Bars():
            edges = [] if mark.edges is None else mark.edges
            return edges if axis == "x" else mark.heights
        case Band():
            return mark.x if axis == "x" else [largest(mark.low), largest(mark.high)]
        case Moving():
            return mark.x if axis == "x" else mark.values
        case _:
            return mark.x if axis == "x" else mark.y


def _axis(axis: Axis, values: list[Any]) -> dict[str, Any]:
    """The axis with the unit it is shown in and how much one of that is in SI."""
    shown, factor = axis.shown, axis.factor
    if shown is None:
        most = max(map(largest, values), default=0.0)
        # tenths of seconds are read more easily than hundreds of milliseconds
        plain_unit = axis.scale == "log" or (axis.unit == "s" and most >= 0.02)
        shown, factor = (axis.unit, 1.0) if plain_unit else prefixed_unit(most, axis.unit, 3)
    limits = {"least": axis.least, "most": axis.most}
    return {"label": axis.label, "unit": axis.unit, "shown": shown, "factor": factor, "scale": axis.scale, **limits}
