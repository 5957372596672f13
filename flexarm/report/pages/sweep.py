"""The page of a sweep: curves of the outputs over one key, maps over two, and their extremes."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.report.page import Axis, Figure, HeatMap, Line, Mark, Number, Page, Points, Section, Table
from flexarm.report.result_data import Data, data_of, inputs, number, numbers
from flexarm.report.result_page import result_page
from flexarm.results.engineering import is_number, plural, quantity
from flexarm.results.sweep import SweptKey, where

_DEGREE = float(np.pi / 180.0)
# Curves of a signal over time in one figure: the first, the last and some between them.
_MOST_CURVES = 7
_MOST_LISTED = 60


def page_of(result: Any, source: str = "") -> Page:
    """The page of a Sweep, or of its data."""
    data = data_of(result)
    keys = [SweptKey(each["name"], each["unit"], tuple(each["values"])) for each in data["swept"]]
    shape = [len(key.values) for key in keys]
    outputs = {name: numbers(values) for name, values in data["outputs"].items()}
    single = {name: values.reshape(shape) for name, values in outputs.items() if values.ndim == 1}
    signals = {name: values for name, values in outputs.items() if values.ndim == 2}
    title = "Maps" if len(keys) == 2 else "Curves"
    sections = [
        Section(title, [_figure(data, keys, name, values) for name, values in single.items()]),
        Section("Over time", [_over_time(data, keys, name, values) for name, values in signals.items()]),
        Section("Extremes", [_extremes(data, keys, single)] if single else []),
        Section("Every arm", [_table(data, keys, single)] if single and np.prod(shape) <= _MOST_LISTED else []),
        Section("Arms that failed", _failed(data, keys)),
        inputs(data, *((key.name, _range(key)) for key in keys)),
    ]
    lost = len(data.get("failures") or ())
    warnings = [f"{plural(lost, 'arm')} could not be run"] if lost else []
    lead = f"{plural(int(np.prod(shape)), 'arm')} over {' and '.join(key.name for key in keys)}."
    return result_page(
        "sweep", data, sections, lead, _numbers(data, keys, single), source, warnings=(*warnings, *data["remarks"])
    )


def _axis(key: SweptKey) -> tuple[Axis, np.ndarray, bool]:
    """The axis of a key, its places, and whether these are numbers; words stand at 1, 2, 3 …"""
    if all(is_number(value) for value in key.values):
        degrees = key.unit == "rad"
        axis = Axis(key.name, key.unit, shown="°" if degrees else None, factor=_DEGREE if degrees else 1.0)
        return axis, numbers(key.values), True
    words = ", ".join(f"{k}: {key.text(k - 1)}" for k in range(1, len(key.values) + 1))
    return Axis(f"{key.name} ({words})"), np.arange(1.0, len(key.values) + 1.0), False


def _figure(data: Data, keys: list[SweptKey], name: str, values: np.ndarray) -> Figure:
    """A curve over one key, a map over two."""
    unit = data["units"][name]
    axis, places, measured = _axis(keys[0])
    if len(keys) == 1:
        labels = [f"{keys[0].text(k)}: {quantity(float(v), unit)}" for k, v in enumerate(values)]
        order = np.argsort(places)
        mark: Mark = Points(name, places, values, labels=labels)
        if measured:
            mark = Line(
                name, places[order], values[order], labels=[labels[k] for k in order] if len(places) < 60 else ()
            )
        return Figure(name, axis, Axis(name, unit), [mark])
    other, across, _ = _axis(keys[1])
    first, second = np.argsort(places), np.argsort(across)
    cells = values[np.ix_(first, second)].T
    return Figure(name, axis, other, [HeatMap(name, places[first], across[second], cells, unit)])


def _over_time(data: Data, keys: list[SweptKey], name: str, values: np.ndarray) -> Figure:
    """A signal of some of the arms over time."""
    chosen = np.unique(np.linspace(0, len(values) - 1, min(_MOST_CURVES, len(values))).round().astype(int))
    times = numbers(data["signal_times"])
    lines = [Line(where(keys, int(k)), times, values[k], colour=j % 8) for j, k in enumerate(chosen)]
    return Figure(name, Axis("time", "s"), Axis(name, data["units"][name]), lines, wide=True)


def _extremes(data: Data, keys: list[SweptKey], outputs: dict[str, np.ndarray]) -> Table:
    rows = []
    for name, values in outputs.items():
        if np.isfinite(values).any():
            ends = [int(pick(values)) for pick in (np.nanargmin, np.nanargmax)]
            cells = [
                text for k in ends for text in (quantity(float(values.flat[k]), data["units"][name]), where(keys, k))
            ]
            rows.append([name, *cells])
    return Table(("output", "least", "at", "greatest", "at"), rows)


def _table(data: Data, keys: list[SweptKey], outputs: dict[str, np.ndarray]) -> Table:
    rows = []
    for k in range(next(iter(outputs.values())).size):
        places = np.unravel_index(k, [len(key.values) for key in keys])
        cells = [key.text(int(p)) for key, p in zip(keys, places, strict=True)]
        found = [float(values.flat[k]) for values in outputs.values()]
        units = [data["units"][name] for name in outputs]
        texts = [quantity(v, unit) if np.isfinite(v) else "–" for v, unit in zip(found, units, strict=True)]
        rows.append([*cells, *texts])
    return Table((*(key.name for key in keys), *outputs), rows)


def _failed(data: Data, keys: list[SweptKey]) -> list[Table]:
    failures = data.get("failures") or ()
    rows = [[where(keys, each["arm"]), each["reason"]] for each in failures[:40]]
    return [Table(("arm", "reason"), rows)] if rows else []


def _range(key: SweptKey) -> str:
    if len(key.values) <= 6:
        return ", ".join(key.text(k) for k in range(len(key.values)))
    return f"{key.text(0)} to {key.text(-1)}, {len(key.values)} values"


def _numbers(data: Data, keys: list[SweptKey], outputs: dict[str, np.ndarray]) -> list[Number]:
    found = []
    for name, values in list(outputs.items())[:4]:
        if np.isfinite(values).any():
            k = int(np.nanargmin(values))
            found.append(number(f"Least {name}", float(values.flat[k]), data["units"][name], where(keys, k)))
    return found
