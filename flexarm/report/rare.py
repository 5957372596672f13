"""The page of requirements that are rarely missed: probabilities, design points, and which tolerance is to blame."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.report.bars import Bar, BarList
from flexarm.report.clouds import region_figures
from flexarm.report.page import Axis, Figure, Line, Mark, Number, Page, Points, Rule, Section, Table
from flexarm.report.rendering import sections_with_parts
from flexarm.report.specification import slug
from flexarm.report.told import (
    Data,
    amount,
    chance,
    failures,
    foot,
    inputs,
    numbers,
    parameter_table,
    percent,
    sentence,
    spoken,
    told,
    unbroken,
)
from flexarm.results.engineering import is_number, plural, quantity

_AIMED = "Samples are drawn where misses are looked for: how many miss tells nothing of the probability."
_METHODS = {"form": "FORM", "sorm": "SORM", "importance": "importance sampling", "subset": "subset sampling"}


def page_of(result: Any, source: str = "") -> Page:
    """The page of a RareReliability, or of its data."""
    data = told(result)
    method = _METHODS.get(data["method"], str(data["method"]))
    sections = [
        Section("Requirements", [_table(data)]),
        Section("Which tolerance is to blame", _blame(data)),
        Section("Design points", _points(data), "The most probable of all samples that miss a requirement."),
        Section("Where the points end", region_figures(data, data["evaluations"]), _AIMED),
        Section("Levels of subset sampling", _levels(data)),
        Section("Evaluations", _evaluations(data), "Every sample that was run, in order: above 1 the limit is missed."),
        Section("What is random", parameter_table(data.get("parameters") or ()), minor=True),
        *failures(data),
        inputs(data, ("evaluations", str(data["evaluations"])), ("method", f"{method}, seed {data['seed']}")),
    ]
    what = "a requirement is" if len(data["requirements"]) > 1 else "the requirement is"
    lead = f"How often {what} missed is not known yet."
    if is_number(data["failure"]):
        lead = f"By {method}, {what} missed with probability {_chance(data['failure'])}"
        lead += f", found from {plural(data['evaluations'], 'evaluation')}."
    troubles = [f'"{each["name"]}": {each["trouble"]}' for each in data["requirements"] if each["trouble"]]
    early = [] if data["complete"] else ["The search ended before it was done."]
    return Page(
        title=str(data["arm"]),
        kind=f"flexarm · reliability by {method}",
        sections=sections_with_parts(sections),
        lead=unbroken(lead),
        numbers=_numbers(data),
        warnings=[sentence(text) for text in (*early, *troubles, *(data.get("remarks") or ()))],
        source=source,
        foot=foot(source, "All samples"),
        file=f"{slug(str(data['arm']))}-reliability",
    )


def _numbers(data: Data) -> list[Number]:
    joint = data["all"]
    found = [Number("Failure probability", _chance(data["failure"]), _interval(data, joint))]
    if is_number(data["reliability"]):
        told_reliability = chance(data["reliability"])
        if data["failure"] is not None and data["failure"] < 1e-6:
            told_reliability = f"1 − {data['failure']:.3g}"
        found.append(Number("Reliability", told_reliability))
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
    return f"{word} {_chance(low)} … {_chance(high)}"


def _table(data: Data) -> Table:
    rows = []
    for each in data["requirements"]:
        rows.append(
            [
                each["name"],
                _what(each),
                _chance(each["failure"]),
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
    words = "Part of each parameter in how far the design point lies from the mean."
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
            curved = f", with curvatures {_chance(point['curved'])}" if is_number(point["curved"]) else ""
            words = f"Index {point['index']:.3f}; missed with probability {_chance(point['failure'])}{curved}."
            heads = ("parameter", "there", "mean", "deviations from the median", "importance")
            found.append(Table(heads, rows, f'"{each["name"]}"{count}', words))
    return found


def _levels(data: Data) -> list[Figure]:
    marks: list[Mark] = []
    for k, each in enumerate([data["all"], *data["requirements"]]):
        levels = each["levels"]
        if levels:
            x, y = [step["of_limit"] for step in levels], [step["probability"] for step in levels]
            labels = [f"level {j + 1}: {_chance(step['probability'])}" for j, step in enumerate(levels)]
            marks.append(Line(str(each["name"]), x, y, colour=k, labels=labels))
    if not marks:
        return []
    axes = Axis("number over its limit"), Axis("probability of a greater one", "", "log")
    return [Figure("From level to level", *axes, [*marks, Rule(1.0, "limit")], wide=True)]


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
    axes = Axis("evaluation"), Axis("number over its limit")
    return [Figure("How the search went", *axes, [*marks, Rule(1.0, "limit", "y")], wide=True)]


def _chance(value: Any) -> str:
    if not is_number(value):
        return "–"
    return f"{value:.3g}"
