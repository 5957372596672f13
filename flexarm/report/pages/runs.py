"""The page of several runs, and measured records, over one another: a figure for every signal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.report.figures.over_time import TIME, distinguishable
from flexarm.report.page import Axis, Figure, Line, Mark, Page, Points, Section, Table, largest
from flexarm.report.result_page import sections_with_parts
from flexarm.results import Trajectory
from flexarm.results.catalogue import effort_unit
from flexarm.results.engineering import plural, quantity
from flexarm.results.measured import Measured

# Measured samples are drawn as points where there are few.
_FEW = 80
_DEGREE = float(np.pi / 180.0)


def page_of(shown: Sequence[Any], source: str = "", *, names: Sequence[str] = (), signals: Sequence[str] = ()) -> Page:
    """The page of runs and records; `names` are what they are called, `signals` what is drawn of them."""
    runs = [each for each in shown if isinstance(each, Trajectory)]
    if not runs or len(runs) + sum(isinstance(each, Measured) for each in shown) != len(shown):
        raise FlexarmError("report: a page of several shows runs, and measured records beside them; there is no run")
    called = list(names) or [each.name for each in shown]
    called = [name if called.count(name) == 1 else f"{name} ({k + 1})" for k, name in enumerate(called)]
    wanted = list(signals) or _usual(runs, [each for each in shown if isinstance(each, Measured)])
    figures, rows = [], []
    for word in wanted:
        marks, unit = _marks(list(zip(called, shown, strict=True)), word)
        if marks:
            figures.append(Figure(word, TIME, _axis(word, unit), marks, clock=False))
            rows += _rows(word, unit, marks)
    sections = [
        Section("Signals", figures),
        Section("In numbers", [Table(("signal", "run", "least", "greatest", "last"), rows)] if rows else []),
        Section("Which runs", [Table(("", "arm", "samples", "to"), list(map(_about, called, shown)))]),
    ]
    counts = [plural(len(runs), "run")]
    if len(shown) > len(runs):
        counts.append(plural(len(shown) - len(runs), "measured record"))
    return Page(
        title=" and ".join(called) if len(called) < 4 else f"{called[0]} and {len(called) - 1} more",
        kind="flexarm · runs",
        sections=sections_with_parts(sections),
        lead=f"{' and '.join(counts)}, {plural(len(figures), 'signal')}.",
        source=source,
        file="runs",
    )


def _usual(runs: Sequence[Trajectory], records: Sequence[Measured]) -> list[str]:
    """What is drawn unless it is chosen: all that was measured, the tip, the joints, their drives, and gauges."""
    found = [name for record in records for name in record.columns]
    for run in runs:
        axes = "xy" if run.arm.planar else "xyz"
        if "tip" in run.labels("point"):
            found += [f"tip.{axis}" for axis in axes] + ["tip.deflection"]
            found += [name for name in ("tip.across", "tip.turn") if name in run.labels("signal")]
        found += [f"{joint}.{word}" for word in ("position", "torque") for joint in run.labels("joint")]
        found += [f"{gauge.name}.strain" for gauge in run.arm.gauges]
    return list(dict.fromkeys(found))


def _marks(shown: Sequence[tuple[str, Any]], word: str) -> tuple[list[Mark], str]:
    """A line for every run that has the signal, and the unit; records of few samples are points."""
    lines: list[Line] = []
    points: list[Mark] = []
    unit, refusal = "", None
    for k, (name, each) in enumerate(shown):
        if isinstance(each, Measured):
            if word in each.columns:
                unit = unit or each.units[word]
                kind: Any = Points if len(each.time) <= _FEW else Line
                points.append(kind(name, each.time, each.columns[word], colour=k % 8))
            continue
        try:
            values = each.signal(word)
        except FlexarmError as error:
            refusal = refusal or error
            continue
        unit = _unit(each, word) or unit
        if np.isfinite(values).any():
            lines.append(Line(name, each.time, values, colour=k % 8))
    if not lines and not points and refusal is not None:
        raise refusal
    return [*distinguishable(lines), *points], unit


def _unit(run: Trajectory, word: str) -> str:
    owner, _, what = word.rpartition(".")
    if word in run.labels("signal"):
        return run.labels("signal_unit")[run.labels("signal").index(word)]
    for dim in ("joint", "coordinate"):
        if owner in run.labels(dim):
            own = run.labels(f"{dim}_unit")[run.labels(dim).index(owner)]
            return effort_unit(own) if what == "torque" else own + {"rate": "/s", "acceleration": "/s²"}.get(what, "")
    if owner == "energy":
        return "J"
    return {"rate": "m/s", "acceleration": "m/s²"}.get(what.rpartition("_")[2], "m/s" if what == "speed" else "m")


def _axis(word: str, unit: str) -> Axis:
    return Axis(word, unit, shown="°", factor=_DEGREE) if unit == "rad" else Axis(word, unit)


def _rows(word: str, unit: str, marks: Sequence[Any]) -> list[list[str]]:
    rows = []
    for mark in marks:
        y = np.asarray(mark.y, dtype=float)
        known = y[np.isfinite(y)]
        if known.size and largest(known) >= 0.0:
            rows.append([word, mark.name, *(quantity(float(v), unit) for v in (known.min(), known.max(), known[-1]))])
    return rows


def _about(name: str, each: Any) -> list[str]:
    last = f"{float(each.time[-1]):.6g} s" if len(each.time) else "–"
    return [name, "measured" if isinstance(each, Measured) else each.name, str(len(each.time)), last]
