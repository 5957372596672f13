"""The page of a Monte Carlo study: bands over time, final tip positions, histograms and effects of parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from flexarm.report.figures.bars import Bar, BarList
from flexarm.report.figures.clouds import end_points, histogram, planes, regions_about
from flexarm.report.page import Axis, Band, Figure, Line, Mark, Number, Page, Points, Rule, Section, Table, largest
from flexarm.report.result_data import Data, data_of, numbers, sentence, spoken
from flexarm.report.result_page import result_page, study_sections
from flexarm.results.engineering import digits, distinguishable, is_number, plural, prefixed_unit, quantity, share

TIME = Axis("time", "s")
# Outputs and parameters drawn one beside the other.
_MOST_OUTPUTS, _MOST_PARAMETERS = 12, 8


def page_of(result: Any, source: str = "") -> Page:
    """The page of a MonteCarlo, or of its data."""
    data = data_of(result)
    bands = data["bands"]
    unseen = unseen_vibration(data, bands, "--times")
    failed = sum((data.get("failed") or {}).values())
    ran = data["samples"] - failed
    sections = [
        Section("Outputs", [_table(data)]),
        bands_section(bands),
        Section("Final position of the tip", _ends(data)),
        Section("Histograms", _histograms(data)),
        Section("Effect of each parameter", [*_effects(data), *_deviations(data), *_scatter(data)]),
        Section(
            "Convergence",
            _convergence(data),
            "Convergence of mean and standard deviation with the number of samples.",
            minor=True,
        ),
        *study_sections(
            data,
            ("samples", str(data["samples"])),
            ("sampling", f"{data['method']}, seed {data['seed']}"),
            more=_drawn_parameters(data),
        ),
    ]
    lead = _headline(data)
    lead += f"{plural(data['samples'], 'random sample')} of the arm"
    lead += f"; {ran} ran, {failed} failed." if failed else ", all of which ran."
    return result_page(
        "montecarlo", data, sections, lead, _numbers(data), source, warnings=(*(data.get("remarks") or ()), *unseen)
    )


def _headline(data: Data) -> str:
    """A sentence on the mean and the range of the first output that varies."""
    for each in data["outputs"]:
        levels = sorted((float(level), value) for level, value in each["quantiles"].items() if 0.0 < float(level) < 1.0)
        if not is_number(each["deviation"]) or not each["deviation"] > 0.0 or len(levels) < 2:
            continue
        (low, least), (high, most) = levels[0], levels[-1]
        mean, *ends = distinguishable([each["mean"], least, most], each["unit"])
        part = f"{100.0 * (high - low):g} % of all arms lie between {ends[0]} and {ends[1]}"
        return f"{sentence(spoken(each['name']))[:-1]}: {mean} on average, {part}. "
    return "Nothing that was looked at varies. " if data["outputs"] else ""


def _numbers(data: Data) -> list[Number]:
    found = []
    for each in data["outputs"][:5]:
        spread = f"± {quantity(each['deviation'], each['unit'], 3)}" if is_number(each["deviation"]) else ""
        found.append(Number(spoken(each["name"]), quantity(each["mean"], each["unit"], 5), f"{spread} (one deviation)"))
    found.append(Number("Samples", str(data["samples"]), f"{data['method']} sampling, seed {data['seed']}"))
    return found


def _table(data: Data) -> Table:
    levels = sorted({float(level) for each in data["outputs"] for level in each["quantiles"]} - {0.0, 1.0})
    rows = []
    for each in data["outputs"]:
        unit = each["unit"]
        spread = {float(level): value for level, value in each["quantiles"].items()}
        wanted = [each["nominal"], each["mean"], *(spread.get(level) for level in (0.0, *levels, 1.0))]
        # the unit stands with the name: cells of many digits would not fit a sheet
        shown, factor = prefixed_unit(largest([value for value in wanted if is_number(value)]), unit, 5)
        nominal, mean, *places = (_bare(text) for text in distinguishable(wanted, unit, 5))
        known = (each.get("half_width"), 2), (each["deviation"], 3)
        errors = [digits(value / factor, many) if is_number(value) else "–" for value, many in known]
        name = f"{spoken(each['name'])}, {shown}" if shown else spoken(each["name"])
        rows.append([name, nominal, mean, *errors, *places])
    heads = ("output", "nominal", "mean", "± (95 %)", "deviation", "least", *_level_heads(levels), "greatest")
    return Table(heads, rows)


def _level_heads(levels: list[float]) -> list[str]:
    return [f"{100.0 * level:g} %" for level in levels]


def bands_section(bands: Sequence[Data]) -> Section:
    """The quantile bands of the signals."""
    words = "Between which values a part of the samples lies."
    return Section("Bands over time", band_figures(bands, times_apart(bands)), words)


def band_figures(bands: Sequence[Data], apart: str) -> list[Figure]:
    """The quantiles of signals over time, and the same from the nominal where that hides the spread.

    `apart` states how far the times are from one another.
    """
    found = []
    for each in bands:
        times = numbers(each["times"])
        levels = sorted(each["quantiles"], key=float)
        nominal = numbers(each["nominal"]) if each.get("nominal") is not None else None
        marks: list[Mark] = []
        about: list[Mark] = []
        pairs = [(low, high) for low, high in zip(levels, reversed(levels), strict=True) if float(low) < float(high)]
        for low, high in pairs[: len(levels) // 2]:
            name = "all samples" if float(low) == 0.0 else f"{100 * float(low):g} % to {100 * float(high):g} %"
            ends = numbers(each["quantiles"][low]), numbers(each["quantiles"][high])
            colour = 5 if float(low) == 0.0 else 0
            marks.append(Band(name, times, *ends, colour=colour))
            if nominal is not None:
                about.append(Band(name, times, ends[0] - nominal, ends[1] - nominal, colour=colour))
        middle = [numbers(each["quantiles"][level]) for level in levels if abs(float(level) - 0.5) < 1e-9]
        mean = numbers(each["mean"])
        marks.append(Line("mean", times, mean, colour=0))
        marks += [Line("median", times, median, colour=2, dash="dashed") for median in middle]
        if nominal is not None:
            marks.append(Line("nominal", times, nominal, colour=1, dash="dotted"))
            about += [Line("median", times, median - nominal, colour=2, dash="dashed") for median in middle]
            about.append(Line("mean", times, mean - nominal, colour=0))
        found.append(Figure(each["name"], TIME, Axis(each["name"], each["unit"]), marks, apart, clock=True))
        if nominal is not None and 0.0 < largest(_spread(each)) < 0.05 * np.ptp(nominal):
            title, axis = f"{each['name']}, from the nominal", Axis("from the nominal", each["unit"])
            found.append(Figure(title, TIME, axis, about, apart, clock=True))
    return found


def times_apart(bands: Sequence[Data]) -> str:
    """How far the times of bands are apart, in a sentence."""
    steps = _steps(bands)
    if not steps.size:
        return ""
    least, most = (quantity(float(step), "s", 3) for step in (steps.min(), steps.max()))
    return (
        f"At {len(steps) + 1} times, {least if least == most else f'{least} to {most}'} apart; straight between them."
    )


def unseen_vibration(data: Data, bands: Sequence[Data], remedy: str) -> list[str]:
    """A remark where the times of bands are too far apart to show how the arm vibrates."""
    steps, lowest = _steps(bands), data.get("lowest_frequency_hz")
    # a vibration takes two samples a period at the very least
    if not steps.size or not is_number(lowest) or steps.max() <= 0.5 / lowest:
        return []
    step, period = quantity(float(steps.max()), "s", 3), quantity(1.0 / lowest, "s", 3)
    return [
        f"Signals over time are taken every {step}, and the nominal arm's slowest mode has a period of {period}: "
        f"vibrations between these times are not resolved; {remedy} refines them."
    ]


def _steps(bands: Sequence[Data]) -> np.ndarray:
    return np.diff(numbers(bands[0]["times"])) if bands else np.zeros(0)


def _deviations(data: Data) -> list[Figure]:
    """The standard deviation over time, of all parameters together and of each alone."""
    found = []
    for each in data["bands"] if data["effects"] else ():
        times, spread = numbers(each["times"]), _spread(each)
        if not largest(spread) > 0.0:
            continue
        lines: list[Mark] = [Line("all together", times, spread, colour=6, dash="dashed")]
        for k, effect in enumerate(data["effects"][:7]):
            alone = next((band for band in effect["study"]["bands"] if band["name"] == each["name"]), None)
            if alone is not None:
                lines.append(Line(f"{effect['parameter']} alone", times, _spread(alone), colour=k))
        axis = Axis("standard deviation", each["unit"])
        found.append(Figure(f"Standard deviation of {each['name']}", TIME, axis, lines, clock=True))
    return found


def _spread(band: Data) -> np.ndarray:
    return np.sqrt(np.maximum(numbers(band["variance"]), 0.0))


def _ends(data: Data) -> list[Figure]:
    """A cloud of the tip's positions at the last time."""
    cloud = data.get("cloud") or {}
    names = [each["name"] for each in data["outputs"]]
    columns = [name for axis in "xyz" for name in names if name.startswith(f"tip.{axis}@") and name in cloud]
    nominal = {each["name"]: each["nominal"] for each in data["outputs"]}
    found = []
    for a, b in planes(columns, cloud):
        pair = columns[a], columns[b]
        count = len(cloud[pair[0]])
        name = "samples" if count == data["samples"] else f"the first {count} samples"
        groups = [(name, [cloud[each] for each in pair], 0)]
        time, middle = float(pair[0].partition("@")[2]), [nominal[each] for each in pair]
        regions = regions_about(data, time, ("xyz".index(pair[0][4]), "xyz".index(pair[1][4])), middle)
        title = f"Position of the tip at {pair[0].partition('@')[2]} s"
        found.append(end_points(title, pair, groups, middle, regions))
    return found


def _histograms(data: Data) -> list[Figure]:
    known = data.get("histograms") or {}
    found = []
    for each in data["outputs"][:_MOST_OUTPUTS]:
        if each["name"] in known:
            rules = [Rule(each["nominal"], "nominal"), Rule(each["mean"], "mean")]
            edges = known[each["name"]]["edges"]
            if abs(each["nominal"] - each["mean"]) < 0.03 * abs(edges[-1] - edges[0]):
                rules = [Rule(each["mean"], "mean, nominal")]
            found.append(
                histogram(spoken(each["name"]), spoken(each["name"]), each["unit"], known[each["name"]], rules)
            )
    return found


def _effects(data: Data) -> list[Any]:
    """The part of the variance every parameter has alone, output by output."""
    found = []
    for each in data["outputs"] if data["effects"] else ():
        shares = [(effect["parameter"], effect["shares"].get(each["name"])) for effect in data["effects"]]
        bars = [Bar(name, part, share(part)) for name, part in shares if is_number(part)]
        if bars:
            together = sum(bar.value or 0.0 for bar in bars)
            words = f"Each parameter random alone; together {share(together)} of the variance with all random."
            ranked = sorted(bars, key=lambda bar: -(bar.value or 0.0))
            found.append(
                BarList(f"Part of the variance of {spoken(each['name'])}", ranked, words, most=max(1.0, together))
            )
    return found


def _scatter(data: Data) -> list[Figure]:
    """Scatter plots of the first outputs versus every parameter."""
    cloud = data.get("cloud") or {}
    found = []
    varying = [each for each in data["outputs"] if each["name"] in cloud and np.ptp(cloud[each["name"]]) > 0.0]
    for each in varying[:2]:
        for parameter in data["parameters"][:_MOST_PARAMETERS]:
            if parameter["name"] in cloud:
                points = Points("samples", cloud[parameter["name"]], cloud[each["name"]], colour=0)
                axes = Axis(parameter["name"], parameter["unit"]), Axis(spoken(each["name"]), each["unit"])
                found.append(Figure(f"{spoken(each['name'])} versus {parameter['name']}", *axes, [points]))
    return found


def _convergence(data: Data) -> list[Figure]:
    found = []
    for each in data["outputs"][:6]:
        steps = [step for step in each["convergence"] if is_number(step["standard_error"])]
        if len(steps) < 2:
            continue
        x = [step["samples"] for step in steps]
        mean = numbers([step["mean"] for step in steps])
        half = numbers([step.get("half_width") for step in steps])
        marks: list[Mark] = [Band("95 %", x, mean - half, mean + half, colour=0), Line("mean", x, mean, colour=0)]
        axes = Axis("samples", "", "log"), Axis(spoken(each["name"]), each["unit"])
        found.append(Figure(f"Mean of {spoken(each['name'])}", *axes, marks))
    return found


def _drawn_parameters(data: Data) -> list[Figure]:
    known = data.get("histograms") or {}
    return [
        histogram(each["name"], each["name"], each["unit"], known[each["name"]])
        for each in data["parameters"][:_MOST_PARAMETERS]
        if each["name"] in known
    ]


def _bare(text: str) -> str:
    """A number without its unit, a dash where it is not known."""
    return "–" if text == "unknown" else text.partition(" ")[0]
