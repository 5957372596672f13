"""The page of rare failures: probabilities, design points, and the importance of each tolerance."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.report.figures.bars import Bar, BarList
from flexarm.report.figures.clouds import region_figures
from flexarm.report.page import Axis, Figure, Line, Mark, Number, Page, Points, Rule, Section, Table
from flexarm.report.result_data import Data, amount, data_of, numbers, percent, probability_text, spoken
from flexarm.report.result_page import result_page, study_sections
from flexarm.results.engineering import is_number, plural, quantity

_AIMED = "Samples are drawn where misses are looked for: how many miss does not give the probability."
_METHODS = {"form": "FORM", "sorm": "SORM", "importance": "importance sampling", "subset": "subset sampling"}


def page_of(result: Any, source: str = "") -> Page:
    """The page of a RareReliability, or of its data."""
    data = data_of(result)
    method = _METHODS.get(data["method"], str(data["method"]))
    sections = [
        Section("Requirements", [_table(data)]),
        Section("Importance of the tolerances", _blame(data)),
        Section("Design points", _points(data), "The most probable samples that miss a requirement."),
        Section("Final positions of the points", region_figures(data, data["evaluations"]), _AIMED),
        Section("Levels of subset sampling", _levels(data)),
        Section(
            "Evaluations", _evaluations(data), "Every sample that was run, in order: above 1 the limit is exceeded."
        ),
        *study_sections(data, ("evaluations", str(data["evaluations"])), ("method", f"{method}, seed {data['seed']}")),
    ]
    what = "a requirement is" if len(data["requirements"]) > 1 else "the requirement is"
    lead = f"The probability that {what} missed is not known yet."
    if is_number(data["failure"]):
        lead = f"By {method}, {what} missed with probability {_probability_text(data['failure'])}"
        lead += f", found from {plural(data['evaluations'], 'evaluation')}."
    troubles = [f'"{each["name"]}": {each["trouble"]}' for each in data["requirements"] if each["trouble"]]
    early = [] if data["complete"] else ["The search ended before it was done."]
    return result_page(
        f"reliability by {method}",
        data,
        sections,
        lead,
        _numbers(data),
        source,
        warnings=(*early, *troubles, *(data.get("remarks") or ())),
    )


def _numbers(data: Data) -> list[Number]:
    joint = data["all"]
    found = [Number("Failure probability", _probability_text(data["failure"]), _interval(data, joint))]
    if is_number(data["reliability"]):
        reliability = probability_text(data["reliability"])
        if data["failure"] is not None and data["failure"] < 1e-6:
            reliability = f"1 − {data['failure']:.3g}"
        found.append(Number("Reliability", reliability))
    if is_number(joint["index"]):
        found.append(Number("Reliability index", f"{joint['index']:.3f}", "the probability is Φ(−β)"))
    if is_number(joint["cov"]):
        found.append(Number("Coefficient of variation", percent(joint["cov"], 2)))
    found.append(Number("Evaluations", str(data["evaluations"])))
    return found


def _interval(data: Data, each: Data) -> str:
    low, high = each["interval"]
    if not is_number(low) or not is_number(high):
        return ""
    word = "bounds" if data["method"] in ("form", "sorm") else "95 % interval"
    return f"{word} {_probability_text(low)} … {_probability_text(high)}"


def _table(data: Data) -> Table:
    rows = []
    for each in data["requirements"]:
        rows.append(
            [
                each["name"],
                _what(each),
                _probability_text(each["failure"]),
                _interval(data, each).removeprefix("95 % interval ").removeprefix("bounds ") or "–",
                f"{each['index']:.3f}" if is_number(each["index"]) else "–",
                amount(each["nominal"], each.get("unit", "")),
            ]
        )
    bounds = "bounds" if data["method"] in ("form", "sorm") else "95 % interval"
    return Table(("requirement", "what", "missed", bounds, "index", "nominal"), rows)


def _what(each: Data) -> str:
    if each.get("words"):
        return str(each["words"])
    wanted = each.get("requirement") or {}
    limit = amount(wanted.get("limit"), each.get("unit", ""))
    return f"{wanted.get('point', 'tip')}: {wanted.get('kind', '')} {limit}"


def _blame(data: Data) -> list[BarList]:
    """The importance factors of all requirements together, and of each where there are several."""
    found = []
    several = len(data["requirements"]) > 1
    if data["blame"]:
        title = "Importance, all requirements together" if several else "Importance"
        found.append(_shares(title, data["blame"]))
    for each in data["requirements"] if several else ():
        if each["blame"]:
            found.append(_shares(f'Importance for "{each["name"]}"', each["blame"]))
    return found


def _shares(title: str, shares: Data) -> BarList:
    ranked = sorted(shares.items(), key=lambda pair: -pair[1])
    words = "Share of each parameter in the squared distance of the design point from the mean."
    return BarList(title, [Bar(name, share, percent(share)) for name, share in ranked], words, most=1.0, colour=1)


def _points(data: Data) -> list[Table]:
    units = {each["name"]: (each["unit"], each["mean"]) for each in data.get("parameters") or ()}
    found = []
    for each in data["requirements"]:
        for k, point in enumerate(each["design_points"]):
            rows = []
            for name, value in point["own"].items():
                unit, mean = units.get(name, ("", None))
                rows.append(
                    [
                        name,
                        quantity(value, unit, 6),
                        quantity(mean, unit, 6) if is_number(mean) else "–",
                        f"{point['standard'][name] + 0.0:+.3f}",
                        percent(point["blame"].get(name)),
                    ]
                )
            count = f", {k + 1} of {len(each['design_points'])}" if len(each["design_points"]) > 1 else ""
            curved = f", with curvatures {_probability_text(point['curved'])}" if is_number(point["curved"]) else ""
            words = (
                f"Index {point['index']:.3f}; missed with probability {_probability_text(point['failure'])}{curved}."
            )
            heads = ("parameter", "there", "mean", "deviations from the median", "importance")
            found.append(Table(heads, rows, f'"{each["name"]}"{count}', words))
    return found


def _levels(data: Data) -> list[Figure]:
    marks: list[Mark] = []
    for k, each in enumerate([data["all"], *data["requirements"]]):
        levels = each["levels"]
        if levels:
            x, y = [step["of_limit"] for step in levels], [step["probability"] for step in levels]
            labels = [f"level {j + 1}: {_probability_text(step['probability'])}" for j, step in enumerate(levels)]
            marks.append(Line(str(each["name"]), x, y, colour=k, labels=labels))
    if not marks:
        return []
    axes = Axis("number / limit"), Axis("probability of exceedance", "", "log")
    return [Figure("Probability versus level", *axes, [*marks, Rule(1.0, "limit")], wide=True)]


def _evaluations(data: Data) -> list[Figure]:
    """The number of every requirement over its limit, sample by sample."""
    cloud = data.get("cloud") or {}
    marks: list[Mark] = []
    for k, each in enumerate(data["requirements"]):
        column = f"requirement {each['name']}"
        limit = (each.get("requirement") or {}).get("limit")
        if column in cloud and is_number(limit):
            values = numbers(cloud[column]) / limit
            marks.append(Points(spoken(column), np.arange(1, len(values) + 1), values, colour=k))
    if not marks:
        return []
    axes = Axis("evaluation"), Axis("number / limit")
    return [Figure("Evaluations of the search", *axes, [*marks, Rule(1.0, "limit", "y")], wide=True)]


def _probability_text(value: Any) -> str:
    if not is_number(value):
        return "–"
    return f"{value:.3g}"
