"""The page of drive torques: flexible compared with rigid, over time, with peaks and means."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.report.page import Axis, Bars, Figure, Line, Mark, Number, Page, Rule, Section, Table, largest
from flexarm.report.result_data import Data, data_of, inputs, number, numbers, sentence, setting
from flexarm.report.result_page import result_page
from flexarm.results.engineering import column, digits, is_number, plural

_TIME = Axis("time", "s")
_SIDES = ("flexible", "rigid")


def _settings(data: Data) -> list[tuple[str, str]]:
    """How the run was made."""
    return [(name.replace("_", " "), setting(value)) for name, value in (data.get("options") or {}).items()]


def page_of(result: Any, source: str = "") -> Page:
    """The page of DriveTorques, or of their data."""
    data = data_of(result)
    time = numbers(data["time"])
    lead = f"{plural(len(data['joints']), 'drive')}"
    lead += f", from {digits(float(time[0]))} s to {digits(float(time[-1]))} s, " if time.size else ", "
    lead += "compared with those of the same arm with rigid links under the same joint motion."
    sections = [
        Section("Peaks and means", [_table(data), *_bars(data)]),
        Section("Over time", _figures(data)),
        Section("Effect of flexibility", _differences(data), "Flexible minus rigid."),
        inputs(data, *_settings(data)),
    ]
    broken = data.get("status", "ok") not in (None, "ok")
    return result_page(
        "torques",
        data,
        sections,
        lead,
        _numbers(data),
        source,
        warnings=data.get("remarks") or (),
        failure=sentence(str(data.get("message") or f"the run stopped early: {data['status']}")) if broken else "",
    )


def _ratio(pair: Data) -> str:
    flexible, rigid = (pair[side] for side in _SIDES)
    return digits(flexible / rigid, 3) if is_number(flexible) and is_number(rigid) and rigid > 0.0 else "–"


def _numbers(data: Data) -> list[Number]:
    """The largest torque and the largest force."""
    found = []
    for unit, name in (("N m", "Largest torque"), ("N", "Largest force")):
        peaks = {
            joint: data["peak"][joint]["flexible"]
            for joint, each in zip(data["joints"], data["units"], strict=True)
            if each == unit and is_number(data["peak"][joint]["flexible"])
        }
        if peaks:
            joint = max(peaks, key=lambda each: peaks[each])
            found.append(number(name, peaks[joint], unit, joint))
            found.append(
                number("The rigid arm's", data["peak"][joint]["rigid"], unit, f"ratio {_ratio(data['peak'][joint])}")
            )
    return found


def _table(data: Data) -> Table:
    rows = []
    for joint, unit in zip(data["joints"], data["units"], strict=True):
        cells = [joint]
        for kind in ("peak", "rms"):
            pair = data[kind][joint]
            values = [float("nan") if pair[side] is None else pair[side] for side in _SIDES]
            cells += [*column(values, unit), _ratio(pair)]
        rows.append(cells)
    heads = ("joint", "peak flexible", "rigid", "ratio", "rms flexible", "rigid", "ratio")
    return Table(heads, rows, words="Largest magnitudes among the samples, and root mean squares over time.")


def _bars(data: Data) -> list[Figure]:
    """Ratios of the peaks, if there are several joints to compare."""
    ratios = {joint: _ratio(data["peak"][joint]) for joint in data["joints"]}
    known = {joint: float(ratio) for joint, ratio in ratios.items() if ratio != "–"}
    if len(known) < 2:
        return []
    marks: list[Mark] = [
        Bars("flexible / rigid", list(known.values()), labels=list(known), colour=0),
        Rule(1.0, "rigid", "y"),
    ]
    return [Figure("Peak torques relative to the rigid arm", Axis("joint"), Axis("ratio"), marks)]


def _switch(data: Data) -> list[Rule]:
    last = data.get("last_switch")
    return [Rule(last, "last switch")] if is_number(last) else []


def _figures(data: Data) -> list[Figure]:
    """A figure per joint."""
    time, sides = numbers(data["time"]), {side: _columns(data, side) for side in _SIDES}
    found = []
    for k, (joint, unit) in enumerate(zip(data["joints"], data["units"], strict=True)):
        marks: list[Mark] = [
            Line("flexible", time, sides["flexible"][:, k], colour=0),
            Line("rigid links", time, sides["rigid"][:, k], colour=1, dash="dashed"),
            *_switch(data),
        ]
        label = "torque" if unit == "N m" else "force"
        found.append(Figure(joint, _TIME, Axis(label, unit), marks, clock=True, wide=len(data["joints"]) == 1))
    return found if time.size else []


def _differences(data: Data) -> list[Figure]:
    """What the flexible arm's drives give beyond the rigid one's, joints of one unit in one figure."""
    time = numbers(data["time"])
    away = _columns(data, "flexible") - _columns(data, "rigid")
    found = []
    for unit, label in (("N m", "torque"), ("N", "force")):
        lines: list[Mark] = [
            Line(joint, time, away[:, k], colour=k % 8)
            for k, (joint, each) in enumerate(zip(data["joints"], data["units"], strict=True))
            if each == unit
        ]
        if lines and largest([line.y for line in lines if isinstance(line, Line)]) > 0.0:
            marks = [*lines, *_switch(data)]
            found.append(Figure(f"Difference of the {label}s", _TIME, Axis(label, unit), marks, clock=True, wide=True))
    return found


def _columns(data: Data, side: str) -> np.ndarray:
    return numbers(data[side]).reshape(len(data["time"]), len(data["joints"]))
