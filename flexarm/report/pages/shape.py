"""The page of shaped commands: residual vibration, duration and loads of each, and the move before and after."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.report.figures.side_by_side import TIME, arms_side_by_side, joints_side_by_side, stops, tips_side_by_side
from flexarm.report.page import Axis, Figure, Line, Listing, Mark, Number, Page, Points, Rule, Section, Table
from flexarm.report.result_data import (
    Data,
    data_of,
    factors,
    inputs,
    number,
    numbers,
    percent,
    remarks,
    sentence,
    setting,
)
from flexarm.report.result_page import result_page
from flexarm.results.catalogue import effort_unit
from flexarm.results.engineering import digits, format_pole_cells, is_number, quantity
from flexarm.results.posture import judged_with
from flexarm.results.shape_summary import describe_settling

_DEGREES: dict[str, Any] = {"shown": "°", "factor": np.pi / 180.0}

# The units of what may be bounded, by the unit of the joint's coordinate.
_BOUNDED = {"torque": effort_unit, "rate": "{}/s".format}
# The words of the page for what was asked for.
_OPTIONS = {
    "shapers": "shapers",
    "laws": "smooth laws",
    "optimum": "optimum searched",
    "family": "optimum's family",
    "vibration": "what ei leaves",
    "sensitivity": "with frequencies shifted",
}


def page_of(result: Any, source: str = "") -> Page:
    """The page of a ShapeStudy, or of its data."""
    data = data_of(result)
    runs = data.get("motions") or {}
    ran = [row for row in data["rows"] if is_number(row["residual"]) and is_number(row["duration"])]
    best = next((row for row in data["rows"] if row["name"] == data["chosen"]), None)
    sections = [
        Section("Commands", [*_trade(data, ran), _table(data), *_reasons(data)]),
        Section(
            "Before and after", [*arms_side_by_side(runs, data["chosen"]), *_command(data, runs), *_moved(data, runs)]
        ),
        Section("Robustness to frequency errors", _sensitivity(data, ran)),
        Section("Poles at the end of the move", [_modes(data)]),
        Section("Impulses of the shapers", _impulses(data)),
        Section("Recommendation", [*remarks([data["advice"]]), *remarks(data["notes"]), *_laws(best)]),
        inputs(data, *_asked(data)),
    ]
    return result_page(
        "shape",
        data,
        sections,
        sentence(data["advice"]),
        _numbers(data, best),
        source,
        warnings=[] if data["complete"] else [f"Interrupted after {len(data['rows'])} of {data['wanted']} commands."],
    )


def _numbers(data: Data, best: Data | None) -> list[Number]:
    first = data["rows"][0]
    near = f"within {quantity(data['within'], 'm', 2)}"
    found = [_settled("Unshaped settled", data, first, near)]
    if best is None:
        arrives = _arrival(data, first) is not None
        remark = "the unshaped command arrives first" if arrives else "no command is better"
        return [Number("Recommended", "none", remark), *found]
    found.insert(0, Number("Recommended", best["name"], best["kind"]))
    found.insert(1, _settled("It is settled", data, best, near))
    found.append(number("Residual vibration", best["residual"], "m", f"{percent(best['ratio'], 2)} of the unshaped", 3))
    longer = best["duration"] - first["duration"]
    remark = f"{quantity(abs(longer), 's', 3)} {'longer' if longer > 0 else 'shorter'}"
    found.append(number("Duration of the command", best["duration"], "s", remark))
    found.append(
        number("Peak deflection", best["peak_deflection"], "m", f"unshaped {_length(first['peak_deflection'])}", 3)
    )
    return found


def _arrival(data: Data, row: Data) -> float | None:
    """The settling time of the tip (s); with uncertain parameters that of the slowest arm."""
    found = row["settled"] if data["choose"] is None else row["robust_settled"]
    return found if is_number(found) else None


def _settled(title: str, data: Data, row: Data, near: str) -> Number:
    time = _arrival(data, row)
    return Number(title, "not in time" if time is None else f"at {quantity(time, 's')}", near)


def _trade(data: Data, ran: list[Data]) -> list[Figure]:
    """A figure of residual vibration versus duration."""
    if not ran:
        return []
    marks: list[Mark] = []
    kinds = {
        "unshaped": ("unshaped", 6),
        "shaper": ("shapers", 0),
        "law": ("smooth laws", 2),
        "optimum": ("optimum", 3),
    }
    for kind, (word, colour) in kinds.items():
        rows = [row for row in ran if row["kind"] == kind]
        labels = [f"{row['name']}: {_seconds(row['duration'])}, {_length(row['residual'])}" for row in rows]
        x, y = [row["duration"] for row in rows], [max(row["residual"], 1e-15) for row in rows]
        if rows:
            names = [row["name"] for row in rows]
            marks.append(Points(word, x, y, colour=colour, labels=labels, names=names))
    chosen = [row for row in ran if row["name"] == data["chosen"]]
    if chosen:
        x, y = [chosen[0]["duration"]], [max(chosen[0]["residual"], 1e-15)]
        marks.append(Points("recommended", x, y, colour=1, labels=[chosen[0]["name"]]))
    first = data["rows"][0]["residual"]
    if is_number(first) and first > 0.0:
        marks.append(Rule(first * data["target"], "good enough", "y"))
    axes = Axis("duration", "s"), Axis("residual of the tip", "m", "log")
    words = "Low and to the left is good."
    return [Figure("Residual vibration versus duration", *axes, marks, words, wide=True)]


def _table(data: Data) -> Table:
    rows = []
    for row in data["rows"]:
        verdict = row["status"] if row["status"] != "ok" else "beyond bounds" if row["beyond"] else ""
        if row["name"] == data["chosen"]:
            verdict = "recommended"
        torques = " / ".join(digits(row["peak_torque"][joint], 3) for joint in data["joints"] if row["peak_torque"])
        rows.append(
            [
                row["name"],
                _seconds(row["duration"]),
                _seconds(_arrival(data, row)),
                _length(row["residual"]),
                percent(row["ratio"], 2),
                _length(row["peak_deflection"]),
                torques or "–",
                "–" if row["residual_energy"] is None else quantity(row["residual_energy"], "J", 2),
                verdict,
            ]
        )
    units = dict.fromkeys(map(effort_unit, data["joints"].values()))
    word = "torque" if "N m" in units else "force"
    each = units if len(units) == 1 else map(effort_unit, data["joints"].values())
    torque = f"peak {word} of {' / '.join(data['joints'])} ({' / '.join(each)})"
    heads = ("command", "duration", "settled", "residual", "of unshaped", "peak deflection", torque, "energy left", "")
    words = (
        f"Settled: when the tip stays {describe_settling(data['within'], data['about'])}, from t = 0 on. "
        f"Residual: range of the tip along its worst axis within {quantity(data['window'], 's', 3)} from "
        f"{_seconds(data['counted_from'])} on, the end of the longest command."
    )
    return Table(heads, rows, words=words)


def _reasons(data: Data) -> list[Table]:
    rows = [
        [row["name"], row["reason"] or "; ".join(row["beyond"])]
        for row in data["rows"]
        if row["reason"] or row["beyond"]
    ]
    return [Table(("command", "remark"), rows)] if rows else []


def _command(data: Data, runs: Any) -> list[Figure]:
    """The command itself before and after: positions of the joints."""
    found = []
    for joint, unit in data["joints"].items():
        lines: list[Mark] = []
        for k, (name, run) in enumerate(runs.items()):
            column = run.labels("joint").index(joint)
            values = run.values("joint_position")[:, column]
            lines.append(Line(name, run.time, values, colour=(1, 0)[k % 2], dash="dashed" if k == 0 else "solid"))
        if lines:
            axis = Axis("position", unit, **(_DEGREES if unit == "rad" else {}))
            found.append(Figure(f"Position of {joint}", TIME, axis, [*lines, *stops(runs)], clock=True))
    return found


def _moved(data: Data, runs: Any) -> list[Figure]:
    return [*joints_side_by_side(runs, data["joints"]), *tips_side_by_side(runs)]


def _sensitivity(data: Data, ran: list[Data]) -> list[Any]:
    shifts = list(data["shifts"])
    if not shifts or not ran:
        return []
    first = data["rows"][0]["residual"] or 1.0
    order = np.argsort([*shifts, 0.0])
    x = numbers([*shifts, 0.0])[order]
    marks: list[Mark] = []
    rows = []
    for k, row in enumerate(each for each in ran if each["sensitivity"]):
        values = numbers([*row["sensitivity"], row["residual"]])[order] / first
        dash: Any = "solid" if row["kind"] in ("unshaped", "shaper") else "dashed"
        marks.append(Line(row["name"], x, np.maximum(values, 1e-12), colour=k % 8, dash=dash))
        rows.append([row["name"], *(percent(float(v), 2) for v in values)])
    axes = (
        Axis("error of all frequencies", "", shown="%", factor=0.01),
        Axis("residual, relative to the unshaped command", "", "log", shown="%", factor=0.01),
    )
    words = "Relative to the residual vibration of the unshaped command at the correct frequencies."
    heads = ("command", *(f"{100.0 * v:+.0f} %" if v else "0 %" for v in x))
    return [Figure("Residual vibration versus frequency error", *axes, marks, words, wide=True), Table(heads, rows)]


def _modes(data: Data) -> Table:
    rows = [
        [
            str(mode["number"]),
            *format_pole_cells(mode["frequency_hz"], mode["damping_ratio"], mode["decay"]),
            quantity(mode["swing"], "m", 3),
            mode["name"],
            "yes" if mode["shaped"] else "",
        ]
        for mode in data["modes"]
    ]
    return Table(("pole", "frequency", "damping ratio", "swing of the tip", "name", "shaped for"), rows)


def _impulses(data: Data) -> list[Figure]:
    """When each shaper repeats the command, and how much of it."""
    marks: list[Mark] = []
    shaped = [row for row in data["rows"] if row["impulses"]]
    for k, row in enumerate(shaped):
        time, size = numbers(row["impulses"]).T
        labels = [f"{row['name']}: {100.0 * a:.1f} % at {quantity(t, 's', 3)}" for t, a in zip(time, size, strict=True)]
        marks.append(Points(row["name"], time, size, colour=k % 8, labels=labels))
    axes = Axis("delay", "s"), Axis("part of the command", "", shown="%", factor=0.01)
    words = "A shaper splits the command into delayed parts."
    return [Figure("Impulses", *axes, marks, words, wide=True)] if marks else []


def _laws(best: Data | None) -> list[Listing]:
    """The laws of the recommended command, as a model file has them."""
    if best is None or not best.get("laws"):
        return []
    from flexarm.model.reading.text import toml_text

    text = toml_text({"motion": best["laws"]})
    return [Listing(f"{best['name']} in the model file", text, "motion.toml")]


def _asked(data: Data) -> list[tuple[str, str]]:
    bounds = data["bounds"]
    rows = [("good enough", f"{percent(data['target'], 2)} of the unshaped residual")]
    for kind in ("torque", "rate"):
        for joint, most in (bounds.get(kind) or {}).items():
            if is_number(most):
                unit = data["joints"].get(joint, "rad")
                rows.append((f"greatest {kind} of {joint}", quantity(most, _BOUNDED[kind](unit))))
    if is_number(bounds.get("duration")):
        rows.append(("greatest duration", _seconds(bounds["duration"])))
    shaped = ", ".join(str(mode["number"]) for mode in data["modes"] if mode["shaped"])
    rows += [
        *([("joints", judged_with(data["joint_states"]))] if data.get("joint_states") else []),
        ("poles shaped for", shaped),
        ("settled means", f"the tip stays {describe_settling(data['within'], data['about'])}"),
        ("residual counted from", f"{_seconds(data['counted_from'])} on, for {_seconds(data['window'])}"),
    ]
    if data["uncertain"]:
        rows.append(("uncertain parameters", f"{factors(data['uncertain'])}, judged by the {data['choose']}"))
    rows += [(_OPTIONS.get(name, name), setting(value)) for name, value in (data.get("options") or {}).items()]
    return rows


def _seconds(value: Any) -> str:
    return quantity(value, "s") if is_number(value) else "–"


def _length(value: Any) -> str:
    return quantity(value, "m", 3) if is_number(value) else "–"
