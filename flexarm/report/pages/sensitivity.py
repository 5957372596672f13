"""The page of a sensitivity study: first-order and total Sobol' indices of every output, and derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.report.figures.bars import Bar, BarList
from flexarm.report.page import Axis, Band, Figure, Line, Mark, Number, Page, Paragraphs, Section, Table, finite
from flexarm.report.pages.montecarlo import times_apart, unseen_vibration
from flexarm.report.result_data import Data, data_of, numbers, percent, sentence, spoken
from flexarm.report.result_page import result_page, study_sections
from flexarm.results.engineering import is_number, plural, quantity
from flexarm.results.engineering import share as share_of

_TIME = Axis("time", "s")
_MOST_LINES = 8


def page_of(result: Any, source: str = "") -> Page:
    """The page of a Sensitivity, or of its data."""
    data = data_of(result)
    apart, unseen = times_apart(data["over_time"]), unseen_vibration(data, data["over_time"], "--times")
    sections = [Section(spoken(each["output"]), _ranking(each)) for each in data["outputs"]]
    sections.append(
        Section(
            "Sobol' indices versus time",
            _over_time(data),
            f"Parts of the variance, with 95 % intervals. {apart}".strip(),
        )
    )
    how = f"{data['method']}, seed {data['seed']}" + (f", {data['estimator']}" if data["rows"] else "")
    rows = f"{data['kept_rows']} of {data['rows']} kept" if data["rows"] else ""
    sections += study_sections(data, ("samples", str(data["samples"])), ("rows", rows), ("sampling", how))
    lead = sentence(data["outputs"][0]["advice"]) if data["outputs"] else ""
    return result_page(
        "sensitivity", data, sections, lead, _numbers(data), source, warnings=(*(data.get("remarks") or ()), *unseen)
    )


def _numbers(data: Data) -> list[Number]:
    found = []
    first = data["outputs"][0] if data["outputs"] else None
    if first is not None and first["tighten_first"] is not None:
        best = first["parts"][0]
        share = best["share"] if is_number(best["share"]) else best["linear_share"]
        remark = f"{best['parameter']} causes this part of the variance of {spoken(first['output'])}"
        found.append(Number("Most important parameter", share_of(share), remark))
        cut = first["halving_cuts"]
        if is_number(cut) and cut > 0.0:
            remark = f"of the standard deviation, if that of {first['tighten_first']} is halved"
            found.append(Number("Possible reduction", percent(cut, 2), remark))
        known = first["deviation"] if is_number(first["deviation"]) else first["linear_deviation"]
        if is_number(known):
            shown = quantity(known, first["unit"], 3)
            found.append(Number("Standard deviation", shown, f"of {spoken(first['output'])}"))
    found.append(Number("Samples", str(data["samples"]), plural(len(data["parameters"]), "parameter")))
    return found


def _ranking(each: Data) -> list[Any]:
    """The advice, the Sobol' indices as bars with their intervals, and the derivatives."""
    parts: list[Any] = [Paragraphs([sentence(each["advice"])])]
    if each["tighten_first"] is None:
        return parts
    sampled = [part for part in each["parts"] if is_number(part["total"])]
    if sampled:
        bars = [
            Bar(
                part["parameter"],
                part["first"],
                f"{share_of(part['first'])}, total {share_of(part['total'])}",
                part["total"],
                *_within(part["total_interval"]),
            )
            for part in sampled
        ]
        words = f"Deviation {quantity(each['deviation'], each['unit'], 3)} about a mean of "
        words += f"{quantity(each['mean'], each['unit'], 5)}."
        key = ("first-order index", "interactions", "95 % interval of the total index")
        parts.append(BarList("Sobol' indices", bars, words, most=1.0, key=key))
    derived = [part for part in each["parts"] if is_number(part["per_deviation"])]
    if derived:
        ranked = sorted(derived, key=lambda part: -abs(part["per_deviation"]))
        bars = [
            Bar(
                part["parameter"],
                abs(part["per_deviation"]),
                f"{'+' if part['per_deviation'] > 0 else ''}{quantity(part['per_deviation'], each['unit'], 3)}",
            )
            for part in ranked
        ]
        words = "Change of the output per standard deviation of the parameter, at the nominal arm."
        if sampled:
            words += " The response is nearly linear." if each["near_linear"] else " The response is not linear."
        parts.append(BarList("By derivatives", bars, words, colour=2))
    parts.append(_table(each))
    if each["pairs"]:
        pairs = [[" with ".join(p["parameters"]), share_of(p["index"]), _span(p["interval"])] for p in each["pairs"]]
        parts.append(Table(("interaction (second order)", "part of the variance", "95 %"), pairs))
    return parts


def _table(each: Data) -> Table:
    rows = []
    for part in each["parts"]:
        rows.append(
            [
                part["parameter"],
                share_of(part["first"]),
                _span(part["first_interval"]),
                share_of(part["total"]),
                _span(part["total_interval"]),
                quantity(part["per_deviation"], each["unit"], 3) if is_number(part["per_deviation"]) else "–",
                share_of(part["linear_share"]),
                percent(part["halving"], 2),
            ]
        )
    heads = ("parameter", "first-order", "95 %", "total", "95 %", "per deviation", "linear", "cut if halved")
    return Table(heads, rows)


def _over_time(data: Data) -> list[Figure]:
    found = []
    for each in data["over_time"]:
        times = numbers(each["times"])
        chosen = each["parameters"][:_MOST_LINES]
        for key, words in (("total", "Total"), ("first", "First-order")):
            marks: list[Mark] = []
            for k, part in enumerate(chosen):
                interval = numbers(part[f"{key}_interval"])
                if interval.ndim == 2:
                    # no index lies beyond 0 and 1, but what is estimated may, and stands in its own interval
                    line = numbers(part[key])
                    low, high = (interval[:, j].clip(np.fmin(line, 0.0), np.fmax(line, 1.0)) for j in (0, 1))
                    marks.append(Band(f"{part['parameter']}, 95 %", times, low, high, colour=k))
            marks += [Line(part["parameter"], times, numbers(part[key]), colour=k) for k, part in enumerate(chosen)]
            title = f"{words} Sobol' indices of {each['signal']}"
            found.append(Figure(title, _TIME, _share([part[key] for part in chosen]), marks, clock=True, wide=True))
        lines: list[Mark] = [Line("deviation", times, numbers(each["deviation"]), colour=6, dash="dashed")]
        lines += [
            Line(part["parameter"], times, abs(numbers(part["per_deviation"])), colour=k)
            for k, part in enumerate(chosen)
        ]
        words = "Change per standard deviation of each parameter, by derivatives; dashed: with all parameters random."
        axis = Axis("change", each["unit"])
        found.append(
            Figure(
                f"Change of {each['signal']} per standard deviation", _TIME, axis, lines, words, clock=True, wide=True
            )
        )
    return found


def _share(lines: Any) -> Axis:
    """An axis from 0 to the whole variance, extended to hold all estimates."""
    known = finite([numbers(line) for line in lines])
    least, most = known.min(initial=0.0) - 0.02, known.max(initial=1.0) + 0.02
    return Axis("part of the variance", "", shown="%", factor=0.01, least=float(least), most=float(most))


def _within(interval: Any) -> tuple[float | None, float | None]:
    """The interval within 0 and 1: no index lies beyond, whatever a normal limit says."""
    low, high = interval
    if not is_number(low) or not is_number(high):
        return None, None
    return min(max(low, 0.0), 1.0), min(max(high, 0.0), 1.0)


def _span(interval: Any) -> str:
    low, high = _within(interval)
    return "–" if low is None or high is None else f"{100.0 * low:.0f} … {100.0 * high:.0f} %"
