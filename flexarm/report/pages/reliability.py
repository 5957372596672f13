"""The page of a reliability study: how often requirements are met, which samples miss, and the tolerances needed."""

from __future__ import annotations

from typing import Any

from flexarm.report.figures.bars import Bar, BarList
from flexarm.report.figures.clouds import histogram, region_figures, wanted_share
from flexarm.report.page import Axis, Band, Figure, Line, Mark, Number, Page, Rule, Section, Table
from flexarm.report.pages.montecarlo import bands_section, unseen_vibration
from flexarm.report.result_data import Data, amount, data_of, numbers, probability_text, sentence, span
from flexarm.report.result_page import result_page, study_sections
from flexarm.results.engineering import is_number, plural

# Failed samples it takes to say what they have in common.
_ENOUGH = 10


def page_of(result: Any, source: str = "") -> Page:
    """The page of a Reliability, or of its data."""
    data = data_of(result)
    bands = data.get("signal_bands") or []
    unseen = unseen_vibration(data, bands, "montecarlo with --times")
    sections = [
        Section("Requirements", [_missed_bars(data), _table(data)]),
        Section(
            "Final positions of the points",
            region_figures(data, data["samples"]),
            "Counted from the centre of the region that must hold them.",
        ),
        bands_section(bands),
        Section("Margins to the limits", _margins(data)),
        Section("Parameters of the samples that miss", _blame(data)),
        Section("Convergence", _convergence(data), "The reliability as samples are added, with its 95 % interval."),
        *study_sections(
            data, ("samples", str(data["samples"])), ("sampling", f"{data['method']}, seed {data['seed']}")
        ),
    ]
    several = "all requirements are met" if len(data["requirements"]) > 1 else "the requirement is met"
    lead = f"In {probability_text(data['reliability'])} of {plural(data['samples'], 'random sample')} {several}; "
    low, high = data["interval"]
    lead += f"with 95 % confidence it is between {probability_text(low)} and {probability_text(high)}."
    return result_page(
        "reliability", data, sections, lead, _numbers(data), source, warnings=(*(data.get("remarks") or ()), *unseen)
    )


def _numbers(data: Data) -> list[Number]:
    found = [
        Number("Reliability", probability_text(data["reliability"]), f"95 % interval {span(data['interval'])}"),
        Number("Samples that miss", str(data["samples"] - data["met"]), f"of {data['samples']}"),
    ]
    if len(data["requirements"]) > 1:
        worst = next(each for each in data["requirements"] if each["name"] == data["worst"])
        found.append(
            Number("Missed most", data["worst"], f"in {probability_text(1.0 - worst['reliability'])} of the samples")
        )
    factor = data["common_factor"]
    word = "all limits" if len(data["requirements"]) > 1 else "the limit"
    known = f"{factor['limit']:.4g} ×" if is_number(factor["limit"]) else "unknown"
    found.append(Number(f"Needed for {wanted_share(data)}", known, f"{word}; {_between(factor)}"))
    return found


def _between(factor: Data) -> str:
    low, high = factor["low"], factor["high"]
    if not is_number(low) or not is_number(high):
        return "more samples are needed for a bound on that"
    return f"95 % interval {low:.4g} … {high:.4g}"


def _missed_bars(data: Data) -> BarList:
    bars = []
    for each in data["requirements"]:
        missed = 1.0 - each["reliability"]
        low, high = each["interval"]
        alone = each["missed_alone"] / data["samples"]
        text = f"{probability_text(missed)}, alone {probability_text(alone)}"
        bars.append(Bar(each["name"], alone, text, missed, 1.0 - high, 1.0 - low))
    low, high = data["interval"]
    missed = 1.0 - data["reliability"]
    if len(bars) > 1:
        bars.append(Bar("any of them", None, probability_text(missed), missed, 1.0 - high, 1.0 - low))
    key = ("the only one missed", "missed", "95 % interval")
    return BarList("How often each is missed", sorted(bars, key=lambda bar: -(bar.whole or 0.0)), key=key, colour=1)


def _table(data: Data) -> Table:
    rows = []
    for each in data["requirements"]:
        unit = each["unit"]
        need = each["needed"]
        rows.append(
            [
                each["name"],
                each.get("words") or each["requirement"]["kind"],
                probability_text(each["reliability"]),
                span(each["interval"]),
                amount(each["nominal"], unit),
                amount(need["limit"], unit),
                f"{amount(need['low'], unit)} … {amount(need['high'], unit)}",
            ]
        )
    heads = ("requirement", "what", "met", "95 % interval", "nominal", f"needed for {wanted_share(data)}", "95 %")
    return Table(heads, rows)


def _margins(data: Data) -> list[Figure]:
    """How the number of every requirement is spread, with its limit and the one needed."""
    known = data.get("histograms") or {}
    found = []
    for each in data["requirements"]:
        column = f"requirement {each['name']}"
        if column not in known:
            continue
        rules = [Rule(each["requirement"]["limit"], "limit")]
        if is_number(each["needed"]["limit"]):
            rules.append(Rule(each["needed"]["limit"], f"needed for {wanted_share(data)}"))
        label = each["requirement"]["kind"] if each["unit"] else "size of the region needed"
        words = sentence(each["words"]) if each.get("words") else ""
        found.append(histogram(f'"{each["name"]}"', label, each["unit"], known[column], rules, words))
    return found


def _blame(data: Data) -> list[BarList]:
    """How far the parameters of samples that miss are from the others', on average."""
    cloud = data.get("cloud") or {}
    parameters = [each for each in data.get("parameters") or () if each["name"] in cloud and each["deviation"]]
    found = []
    for each in data["requirements"]:
        column = f"requirement {each['name']}"
        if column not in cloud:
            continue
        missed = numbers(cloud[column]) > each["requirement"]["limit"]
        count = int(missed.sum())
        if not parameters or count < _ENOUGH or count > len(missed) - _ENOUGH:
            continue
        bars = []
        for parameter in parameters:
            scores = (numbers(cloud[parameter["name"]]) - parameter["mean"]) / parameter["deviation"]
            shift = float(scores[missed].mean() - scores[~missed].mean())
            spread = float(scores[missed].var(ddof=1) / count)
            spread += float(scores[~missed].var(ddof=1) / (len(missed) - count))
            half = 1.96 * spread**0.5
            text = f"{shift:+.2f} ± {half:.2g} deviations"
            bars.append(
                Bar(parameter["name"], abs(shift), text, low=max(abs(shift) - half, 0.0), high=abs(shift) + half)
            )
        ranked = sorted(bars, key=lambda bar: -(bar.value or 0.0))
        words = (
            "How far the parameter lies, on average, from where it is in samples that meet the requirement, in "
            "standard deviations; a parameter that misses to both sides shows nothing here."
        )
        found.append(BarList(f'Samples that miss "{each["name"]}"', ranked, words, colour=1, key=("shift", "", "95 %")))
    return found


def _convergence(data: Data) -> list[Figure]:
    steps = data["convergence"]
    if len(steps) < 2:
        return []
    x = [step["samples"] for step in steps]
    marks: list[Mark] = [
        Band("95 % interval", x, [step["low"] for step in steps], [step["high"] for step in steps], colour=0),
        Line("reliability", x, [step["reliability"] for step in steps], colour=0),
        Rule(data["wanted"], "wanted", "y"),
    ]
    axes = Axis("samples", "", "log"), Axis("reliability", "", shown="%", factor=0.01)
    return [Figure("Reliability versus number of samples", *axes, marks, wide=True)]
