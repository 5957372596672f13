"""Results as pages read them: JSON data by name, from the result itself or from the output of a verb's --json."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.report.page import Listing, Number, Paragraphs, Section, Table, shown_number
from flexarm.report.specification import slug
from flexarm.results import engineering
from flexarm.results.beam_models import beam_rows
from flexarm.results.engineering import digits, is_number, quantity
from flexarm.results.posture import shown
from flexarm.verbs import kinds

Data = Mapping[str, Any]

# A key that only one kind of result has → the page of that kind.
_PAGES = {kind.key: kind.page for kind in kinds() if kind.key}


def page_module(data: Data) -> str:
    """The module that makes the page of these data; data of no known kind are refused."""
    for key, page in _PAGES.items():
        if key in data:
            return f"flexarm.report.pages.{page}"
    raise FlexarmError(f"report: these data are no result with a page, must be those of {', '.join(_PAGES.values())}")


def data_of(result: Any) -> Data:
    """The data of the result for its page; data are passed on unchanged."""
    if isinstance(result, Mapping):
        return result
    data: Data = result.drawn() if hasattr(result, "drawn") else result.to_dict()
    return data


def numbers(values: Any) -> np.ndarray:
    """The values as an array of floats, NaN where there is none."""
    return np.array(values, dtype=float)


def percent(share: Any, significant: int = 3) -> str:
    """A part in per cent, a dash where it is not known."""
    return engineering.percent(share, significant) if is_number(share) else "–"


def probability_text(share: Any) -> str:
    """A probability in per cent, with enough digits to distinguish it from 0 and 1."""
    if not is_number(share):
        return "–"
    missing = min(share, 1.0 - share)
    if missing <= 0.0:
        return f"{100.0 * share:.0f} %"
    decimals = 1 if missing > 0.05 else 2 if missing > 0.005 else 3 if missing > 0.0005 else 5
    return f"{100.0 * share:.{decimals}f} %"


def amount(value: Any, unit: str) -> str:
    """A requirement's number with its unit, or the factor that it is."""
    if not is_number(value):
        return "unknown"
    if unit in ("", "rad"):
        return f"{digits(value)} rad" if unit else f"{value:.4g} ×"
    return quantity(value, unit)


def span(ends: Sequence[Any], show: Any = probability_text) -> str:
    """An interval for the reader."""
    low, high = ends
    return f"{show(low)} … {show(high)}" if low is not None or high is not None else "–"


def spoken(column: str) -> str:
    """The name of an output for the reader: tip.x@2 is tip.x at 2 s."""
    signal, at, time = column.partition("@")
    return f"{signal} at {time} s" if at else column.removeprefix("requirement ")


def unbroken(text: str) -> str:
    """The words with every number kept on one line with its unit."""
    return re.sub(r"(?<=\d) (?=\S)", "\u00a0", text)


def sentence(text: str) -> str:
    """The words as a sentence: a capital first, a full stop last."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text[-1:] in ".!?" else ".") if text else ""


def number(name: str, value: Any, unit: str = "", remark: str = "", significant: int = 4) -> Number:
    """A key number, a dash where it is not known."""
    return Number(name, shown_number(value, unit, significant), remark)


def parameter_table(parameters: Sequence[Data]) -> list[Any]:
    """A table of the random parameters and their distributions."""
    rows = [
        (
            each["name"],
            quantity(each["mean"], each["unit"], 6),
            quantity(each["deviation"], each["unit"], 3),
            each.get("words", ""),
        )
        for each in parameters
    ]
    return [Table(("parameter", "mean", "deviation", "law"), rows)] if rows else []


def failures(data: Data) -> list[Section]:
    """Failed samples: how many of each kind, and the first of each."""
    failed = data.get("failed") or {}
    if not failed:
        return []
    reasons = data.get("reasons") or {}
    kinds = [(word, str(count), reasons.get(word, "")) for word, count in failed.items()]
    parts: list[Any] = [Table(("what", "samples", "first reason"), kinds)]
    listed = [(str(each["sample"]), each["status"], each["reason"]) for each in data.get("failed_samples") or ()]
    if listed:
        title = "All of them" if len(listed) == sum(failed.values()) else f"The first {len(listed)}"
        parts.append(Table(("sample", "what", "reason"), listed, title))
    return [Section("Samples that failed", parts, "They are counted and never dropped.")]


def beam_table(beams: Sequence[Data]) -> list[Table]:
    """How the beams were modelled and what their models neglect; no table if no link is flexible."""
    rows = beam_rows(beams)
    return [Table(("", ""), rows, "How the beams are modelled")] if rows else []


def inputs(data: Data, *rows: tuple[str, str]) -> Section:
    """The model file, if known, the settings of the analysis, and the versions."""
    parts: list[Any] = []
    if data.get("input"):
        name = data.get("arm") or data.get("arm_name") or "arm"
        parts.append(Listing("Model file", data["input"], f"{slug(str(name))}.toml"))
    parts += beam_table(data.get("beams") or ())
    kept = [(name, text) for name, text in rows if text]
    if data.get("model"):
        kept.insert(0, ("model", str(data["model"])))
    if data.get("signal_times"):
        kept.append(("times of signals", times_text(data["signal_times"])))
    if data.get("folder"):
        kept.append(("samples kept in", str(data["folder"])))
    kept += [
        (name.removeprefix("simulation."), setting(value)) for name, value in (data.get("simulation") or {}).items()
    ]
    kept += [(name, str(version)) for name, version in (data.get("versions") or {}).items()]
    if data.get("cpu"):
        kept.append(("processor", str(data["cpu"])))
    if kept:
        parts.append(Table(("", ""), kept, "Settings and versions"))
    return Section("Input and settings", parts)


def times_text(times: Sequence[float]) -> str:
    """How many times, from when to when, and how far apart."""
    if len(times) == 1:
        return f"{times[0]:.6g} s"
    text = f"{len(times)} from {times[0]:.6g} to {times[-1]:.6g} s"
    steps = np.diff(times)
    return f"{text}, {quantity(float(steps[0]), 's', 3)} apart" if np.allclose(steps, steps[0], rtol=1e-6) else text


def setting(value: Any) -> str:
    """A setting for the reader: a table as its pairs, a dash where there is none."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} = {setting(inner)}" for key, inner in value.items()) or "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(setting, value)) or "none"
    return f"{value:.6g}" if isinstance(value, float) else "–" if value is None else str(value)


def factors(ranges: Data) -> str:
    """Between which multiples of itself every quantity may lie."""
    return ", ".join(f"{name} × {low:.4g} to {high:.4g}" for name, (low, high) in ranges.items())


def posture_rows(data: Data) -> list[tuple[str, str]]:
    """Every joint and where it is held; angles in degrees."""
    units = data.get("posture_units") or {}
    return [(joint, shown(value, units.get(joint, "rad"))) for joint, value in (data.get("posture") or {}).items()]


def posture_tables(data: Data) -> list[Any]:
    """Where the joints are held, none where there is no joint."""
    rows = posture_rows(data)
    return [Table(("joint", "position"), rows)] if rows else []


def posture_text(data: Data) -> str:
    """Where all joints are held, in one line."""
    return ", ".join(f"{joint} {where}" for joint, where in posture_rows(data))


def remarks(texts: Sequence[str], tone: Literal["plain", "warning"] = "plain") -> list[Any]:
    """Notes as words, none without any."""
    return [Paragraphs([sentence(text) for text in texts], tone)] if texts else []
