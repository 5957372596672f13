"""The page of a braking study: residual vibration versus braking time, the best time, and why it is the best."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from flexarm.report.figures.side_by_side import arms_side_by_side, joints_side_by_side, tips_side_by_side
from flexarm.report.page import Axis, Figure, Line, Listing, Mark, Number, Page, Points, Rule, Section, Table
from flexarm.report.result_data import Data, data_of, factors, inputs, number, numbers, percent, remarks, sentence
from flexarm.report.result_page import result_page
from flexarm.results import engineering
from flexarm.results.braking_summary import describe_stop
from flexarm.results.engineering import at_most, digits, format_pole_cells, is_number, plural, quantity
from flexarm.results.posture import judged_with

# Of the arms that may be, so many are listed.
_ARMS_SHOWN = 12
_TIME = Axis("braking time", "s")
_HOLDS = {
    "end": "the joints stop at the same positions; braking begins earlier or later",
    "begin": "braking begins at the same time; the joints stop elsewhere",
    "path": "the whole motion is slower or faster",
}


def page_of(result: Any, source: str = "") -> Page:
    """The page of a BrakeStudy, or of its data."""
    data = data_of(result)
    runs = data.get("motions") or {}
    best = next((name for name in runs if name.startswith("best")), None)
    sections = [
        Section("Residual vibration versus braking time", _curves(data)),
        Section(
            "Before and after",
            [*arms_side_by_side(runs, best), *tips_side_by_side(runs), *joints_side_by_side(runs, data["joints"])],
            "The stop of the model file compared with the best one." if best else "",
        ),
        Section("Minima and maxima", [_extremes(data)]),
        Section("Prediction compared with simulation", _linear(data)),
        Section("Robustness to uncertain parameters", _robust(data)),
        Section("Separate braking times of the joints", _individual(data)),
        Section("In the model file", _paste(data)),
        inputs(data, *_asked(data)),
    ]
    return result_page(
        "brake",
        data,
        sections,
        _lead(data),
        _numbers(data),
        source,
        warnings=[*data["notes"], *([] if data["complete"] else [f"Interrupted: {data['interrupted']}."])],
    )


def _lead(data: Data) -> str:
    best, given = data["best"], data["given"]
    if best is None:
        return "No suitable braking time was found in the range."
    text = ""
    soonest = data.get("soonest")
    if soonest is not None and is_number(soonest["settled"]):
        text = f"Shortest settling: brake in {soonest['time']:.4f} s; the point has settled from "
        text += f"{soonest['settled']:.4f} s on. Least residual: "
    left = quantity(best["residual"], data["unit"], 3)
    text += f"{'brake' if text else 'Brake'} in {best['time']:.4f} s: the residual is {left}"
    if is_number(given["residual"]) and given["residual"] > best["residual"] > 0.0:
        times = digits(given["residual"] / best["residual"], 2)
        text += f", {times} times less than with the model's {given['time']:.4f} s"
    return text + "."


def _numbers(data: Data) -> list[Number]:
    unit, best, given = data["unit"], data["best"], data["given"]
    found = []
    soonest, brief = data.get("soonest"), data.get("brief")
    if soonest is not None and is_number(soonest["settled"]):
        near = f"within {quantity(data['within'], 'm', 2)}, from t = 0"
        found.append(Number("Settles first", f"{soonest['time']:.4f} s", f"{soonest['settled']:.4f} s, {near}"))
    if best is not None:
        kind = {"bound": "a bound stops it there"}.get(best["kind"], best["kind"])
        found.append(Number("Best braking time", f"{best['time']:.4f} s", kind))
        if brief is not None and brief["time"] < best["time"] - data["resolution"]:
            left = f"residual {quantity(brief['residual'], unit, 3)}"
            found.append(Number("As good in a shorter time", f"{brief['time']:.4f} s", left))
        found.append(number("Residual vibration", best["residual"], unit, f"stops at {best['stop']:.4f} s", 3))
    found.append(number("As in the model file", given["residual"], unit, f"in {given['time']:.4f} s", 3))
    if data["worst"] is not None:
        found.append(number("Worst residual", data["worst"]["residual"], unit, f"in {data['worst']['time']:.4f} s", 3))
    if data["limit"] is not None:
        limit = f"residual {quantity(data['limit'], unit, 3)} or less"
        shortest = data["shortest"]
        found.append(Number("Shortest stop", "none" if shortest is None else f"{shortest['time']:.4f} s", limit))
    if data["robust"] is not None and data["robust"]["best"] is not None:
        robust = data["robust"]
        remark = f"{robust['by']} of all arms within the ranges"
        found.append(Number("Robust braking time", f"{robust['best']['time']:.4f} s", remark))
    return found


def _curves(data: Data) -> list[Figure]:
    """The curve with its extremes and the choice, and the same with a logarithmic axis, which separates the minima."""
    scan, linear = numbers(data["times"]), data["linear"]
    times, residuals, allowed = _refined(data)
    marks: list[Mark] = []
    if not allowed.all():
        marks.append(Line("breaks a bound", times, np.where(allowed, np.nan, residuals), colour=6, dash="dotted"))
        # a point beyond the last allowed one joins the two lines
        near = allowed | np.append(allowed[1:], False) | np.append(False, allowed[:-1])
        marks.append(Line("simulated", times, np.where(near, residuals, np.nan), colour=0))
    else:
        marks.append(Line("simulated", times, residuals, colour=0))
    if linear is not None:
        marks.append(Line("predicted by the linear arm", scan, numbers(linear["residuals"]), colour=2, dash="dashed"))
    for word, colour in (("minima", 5), ("maxima", 3)):
        if data[word]:
            marks.append(_points(word, data[word], data["unit"], colour))
    if data["best"] is not None:
        marks.append(_points("best", [data["best"]], data["unit"], 1))
    rules = [Rule(data["best"]["time"], "best")] if data["best"] is not None else []
    given = data["given"]["time"]
    if times[0] <= given <= times[-1] and (not rules or abs(rules[0].at - given) > 1e-6):
        rules.append(Rule(given, "model"))
    if data["limit"] is not None:
        rules.append(Rule(data["limit"], "limit", "y"))
    name = str(data["measure"])
    found = [
        Figure("Residual vibration", _TIME, Axis("residual", data["unit"]), [*marks, *rules], sentence(name), wide=True)
    ]
    if np.nanmin(residuals) > 0.0:
        log = Axis("residual", data["unit"], "log")
        words = "The logarithmic axis separates the minima."
        found.append(Figure("Residual vibration, logarithmic", _TIME, log, [*marks, *rules], words, wide=True))
    settled = numbers(data.get("settled") or [])
    if np.isfinite(settled).any():
        words = f"When {describe_stop(data['within'], data['about'])}, counted from t = 0."
        rest: list[Mark] = [Line("stop", scan, numbers(data["stops"]), colour=6, dash="dashed"), *_rests(data, settled)]
        if data.get("soonest") is not None:
            rest.append(Rule(data["soonest"]["time"], "settles first"))
        found.append(
            Figure("Settling time versus braking time", _TIME, Axis("settling time", "s"), rest, words, wide=True)
        )
    if data["torques"]:
        lines = [Line(joint, scan, numbers(values)) for joint, values in data["torques"].items()]
        words = "Torques in N m, forces in N."
        found.append(
            Figure(
                "Peak drive torques versus braking time", _TIME, Axis("torque or force", ""), lines, words, wide=True
            )
        )
    return found


def _rests(data: Data, settled: np.ndarray) -> list[Mark]:
    """Settling times where the point settles, as points, because dips are narrow."""
    known = np.isfinite(settled)
    found = dict(zip(numbers(data["times"])[known].tolist(), settled[known].tolist(), strict=True))
    points = [*data["minima"], *data["maxima"], data["given"], *([data["soonest"]] if data.get("soonest") else [])]
    found |= {each["time"]: each["settled"] for each in points if is_number(each.get("settled"))}
    times = sorted(found)
    labels = [f"{time:.4f} s: at rest from {found[time]:.4f} s on" for time in times]
    return [Points("settling time", times, [found[time] for time in times], colour=0, labels=labels)]


def _refined(data: Data) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, residuals and whether bounds are kept: the curve with its refined extremes on it."""
    extremes = [*data["minima"], *data["maxima"]]
    times = np.append(numbers(data["times"]), [each["time"] for each in extremes])
    residuals = np.append(numbers(data["residuals"]), numbers([each["residual"] for each in extremes]))
    allowed = np.append(np.array(data["allowed"], dtype=bool), [not each["broken"] for each in extremes])
    order = np.argsort(times, kind="stable")
    return times[order], residuals[order], allowed[order].astype(bool)


def _points(name: str, points: list[Data], unit: str, colour: int) -> Points:
    labels = [f"{each['time']:.4f} s: {quantity(each['residual'], unit, 3)}, {each['kind']}" for each in points]
    x, y = [each["time"] for each in points], [each["residual"] for each in points]
    return Points(name, x, numbers(y), colour=colour, labels=labels)


def _extremes(data: Data) -> Table:
    points = sorted((*data["minima"], *data["maxima"]), key=lambda each: each["time"])
    rows = []
    for each in (*points, data["given"]):
        word = "as in the model" if each["kind"] == "model" else each["kind"]
        if each["broken"]:
            word += f" (breaks: {', '.join(each['broken'])})"
        elif data["best"] is not None and each["time"] == data["best"]["time"]:
            word += ", best"
        ruled = each["rule_time"] is not None
        rows.append(
            [
                f"{each['time']:.4f} s",
                quantity(each["residual"], data["unit"], 3),
                f"{each['stop']:.4f} s",
                f"{each['settled']:.4f} s" if is_number(each.get("settled")) else "–",
                word,
                (each["rule"] or "") if ruled else "",
                f"{1e3 * (each['time'] - each['rule_time']):+.1f} ms" if ruled else "",
            ]
        )
    words = f"At rest: when {describe_stop(data['within'], data['about'])}, counted from t = 0."
    return Table(("braking time", "residual", "stops at", "at rest", "", "by the rule", "off by"), rows, words=words)


def _linear(data: Data) -> list[Any]:
    linear = data["linear"]
    if linear is None:
        return []
    modes = []
    for mode in linear["modes"]:
        periods = ", ".join(f"{time:.4f}" for time in mode["whole_periods"][:6])
        more = " …" if len(mode["whole_periods"]) > 6 else ""
        modes.append(
            [
                mode["name"],
                *format_pole_cells(mode["frequency_hz"], mode["damping_ratio"], mode.get("decay", 0.0), 4, 2),
                percent(mode["share"], 3),
                f"{periods}{more} s" if periods else "–",
            ]
        )
    heads = ("mode at the stop", "frequency", "damping", "share of the residual", "whole periods in the range")
    parts: list[Any] = []
    if linear["sentence"]:
        parts += remarks([sentence(linear["sentence"]) + _while_braking(linear)])
    parts.append(Table(heads, modes))
    if linear["causes"]:
        steps = [
            [
                f"with {each['what']}",
                f"{each['time']:.4f} s",
                f"{1e3 * each['shift']:+.2f} ms",
                quantity(each["residual"], data["unit"], 3),
            ]
            for each in linear["causes"]
        ]
        title = "From the rule of whole periods to the simulation, step by step"
        parts.append(Table(("", "minimum at", "shift", "residual"), steps, title))
    return parts


def _while_braking(linear: Data) -> str:
    push, turn, frequency = (linear[key] for key in ("push_change", "push_turn", "frequency_change"))
    if push is None or turn is None or frequency is None:
        return ""
    change = 100.0 * frequency
    frequency_text = f"changes by {engineering.percent(0.01 * change, 2, sign=True)}" if abs(change) > 1e-3 else "stays"
    return (
        f" While braking, the push of the joints on this mode changes by {100.0 * push:+.1f} % and turns by "
        f"{math.degrees(turn):.1f}°, its frequency {frequency_text}."
    )


def _robust(data: Data) -> list[Any]:
    robust = data["robust"]
    if robust is None:
        return []
    unit, times = data["unit"], numbers(data["times"])
    ranges = factors(robust["ranges"])
    marks: list[Mark] = [
        Line("worst", times, numbers(robust["worst"]), colour=1),
        Line("mean", times, numbers(robust["mean"]), colour=2),
        Line("as modelled", times, numbers(data["residuals"]), colour=0, dash="dashed"),
    ]
    best = robust["best"]
    if best is not None:
        marks.append(Rule(best["time"], f"best by the {robust['by']}"))
    if data["best"] is not None:
        marks.append(Rule(data["best"]["time"], "best as modelled"))
    parts: list[Any] = [
        Figure(
            "Residual vibration of uncertain arms", _TIME, Axis("residual", unit), marks, f"For {ranges}.", wide=True
        )
    ]
    if best is None:
        return [*parts, *remarks(["No braking time keeps the bounds for all arms."], "warning")]
    bounded = robust["by"] == "worst"
    size = at_most if bounded else quantity
    text = f"Brake in {best['time']:.4f} s: the {robust['by']} residual of all arms within these ranges is "
    text += f"{'≤ ' * bounded}{size(best['residual'], unit, 3)}"
    if bounded and robust.get("worst_arm"):
        text += f" ({', '.join(f'{name} × {x:.4g}' for name, x in robust['worst_arm'].items())})"
    text += f", the arm as modelled {quantity(robust['nominal'], unit, 3)}."
    if data["best"] is not None and robust["at_nominal_best"] is not None:
        text += f" In {data['best']['time']:.4f} s the {robust['by']} residual would be "
        text += f"{size(robust['at_nominal_best'], unit, 3)}."
    if not robust.get("certain", True):
        text += " So many arms would be needed to bound the worst to three digits that it is bounded more roughly."
    each = sorted(zip(robust["residuals"], robust["arms"], strict=False), key=lambda pair: -pair[0])
    rows = [[arm, quantity(left, unit, 3)] for left, arm in each[:_ARMS_SHOWN]]
    words = f"The {_ARMS_SHOWN} worst of {len(each)} arms of the grid." if len(each) > _ARMS_SHOWN else ""
    return [*remarks([text]), *parts, *([Table(("arm", "residual at that time"), rows, words=words)] if rows else [])]


def _individual(data: Data) -> list[Table]:
    alone = data["individual"]
    if alone is None:
        return []
    rows = [[joint, f"{time:.4f} s"] for joint, time in alone["times"].items()]
    words = f"Residual {quantity(alone['residual'], data['unit'], 3)}; the arm stops at {alone['stop']:.4f} s."
    return [Table(("joint", "braking time"), rows, words=words)]


def _paste(data: Data) -> list[Listing]:
    return (
        [Listing("The best time", "\n".join(data["paste"]) + "\n", "motion.toml", open=True)] if data["paste"] else []
    )


def _asked(data: Data) -> list[tuple[str, str]]:
    over = "from the state at the stop" if data["window"] is None else f"{quantity(data['window'], 's', 3)} after it"
    times = data["times"]
    rows = [
        ("braked", ", ".join(data["joints"])),
        *([("joints", judged_with(data["joint_states"]))] if data.get("joint_states") else []),
        ("held fixed", _HOLDS.get(data["hold"], str(data["hold"]))),
        ("residual", f"{data['measure']}, {over}"),
        ("braking times", f"{len(times)} from {times[0]:.6g} to {times[-1]:.6g} s"),
        *((f"bound: {what}", str(value)) for what, value in data["bounds"].items()),
    ]
    rows.append(("settled means", describe_stop(data["within"], data["about"])))
    if is_number(data["limit"]):
        rows.append(("allowed residual", quantity(data["limit"], data["unit"], 3)))
    if data["robust"] is not None:
        rows.append(
            ("uncertain parameters", f"{factors(data['robust']['ranges'])}, judged by the {data['robust']['by']}")
        )
    rows.append(("separate times of the joints", "no" if data["individual"] is None else "yes"))
    rows.append(("times refined to", quantity(data["resolution"], "s", 3)))
    rows.append(("tolerance of integration", quantity(data["tolerance"], "m", 3)))
    if is_number(data["noise"]):
        errors = f"± {quantity(data['noise'], data['unit'], 2)}, on the curve ± "
        rows.append(("error of residuals", errors + quantity(data["curve_error"], data["unit"], 2)))
    rows.append(("cost", f"{plural(data['runs'], 'run')}, {quantity(data['cpu_seconds'], 's', 2)} of CPU time"))
    return rows
