"""Data of a study's page in addition to its statistics: a cloud of samples, histograms, and failed samples."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.model import Arm
from flexarm.results.stored_samples import series_column
from flexarm.studies.outputs.columns import region_axes
from flexarm.studies.store.statistics import gather, quantiles
from flexarm.studies.store.store import StoredStudy, StudyError
from flexarm.verbs import VERBS

# Samples in a cloud, bins of a histogram, and failed samples that are listed.
MOST_POINTS = 3000
_LEAST_BINS, _MOST_BINS = 8, 50
_MOST_FAILED = 40
# Between which quantiles bands over time are drawn where the study itself makes none.
_BAND_LEVELS = (0.0, 0.05, 0.5, 0.95, 1.0)
# Files in which the verbs keep what they found beside the samples.
SUMMARIES = tuple(verb.name for verb in VERBS if verb.home.startswith("studies."))


def drawn_samples(stored: StoredStudy, columns: Sequence[str], samples: int | None = None) -> dict[str, Any]:
    """Of the first so many samples, or all: some points, a histogram of every column, those that failed, the input.

    cloud: column → values of the first samples that ran, random ones being as good as any; histograms: column →
    {"edges", "counts"} over all that ran; failed_samples: {"sample", "status", "reason"} of the first.
    """
    return {
        "cloud": _cloud(stored, columns, samples),
        "histograms": _histograms(stored, columns, samples),
        "failed_samples": _failed(stored, samples),
        **made_from(stored),
    }


def made_from(stored: StoredStudy) -> dict[str, Any]:
    """The provenance of a study, for its page: its input, the versions and the processor of its first run, and
    at which times its signals were taken.
    """
    study_json = stored.study_json
    kept = {name: study_json[name] for name in ("versions", "cpu") if study_json.get(name)}
    simulation = {
        key: value for key, value in study_json.items() if key.startswith("simulation.") and value is not None
    }
    times = study_json["times"] if _signals(study_json) else []
    return {"input": stored.text, "simulation": simulation, "signal_times": times, **kept}


def drawn_model(stored: StoredStudy) -> dict[str, Any]:
    """Data of the nominal arm for a page: the regions in which its file requires points to be at single times, and
    where signals were taken over time the frequency (Hz) of the arm's lowest mode, None where it has none.
    """
    from flexarm.studies.parameters.study_model import parse_study
    from flexarm.studies.reliability.requirement_tables import requirements_of

    try:
        model = parse_study(stored.text, name=str(stored.folder))
        asked = requirements_of(model)
    except FlexarmError:  # kept by another version, which knew other words
        return {"regions": [], "lowest_frequency_hz": None}
    end = stored.study_json.get("simulation.end") or model.nominal.simulation.end
    regions = [
        {"requirement": each.to_dict(), "axes": region_axes(each), "time": time}
        for each in asked
        if region_axes(each) and each.during is None
        for time in each.at or (end,)
    ]
    return {"regions": regions, "lowest_frequency_hz": _lowest(model.nominal) if _signals(stored.study_json) else None}


def nominal_arm(stored: StoredStudy) -> Arm | None:
    """The arm at the means of its numbers, None where its file is not understood."""
    from flexarm.studies.parameters.study_model import parse_study

    try:
        return parse_study(stored.text, name=str(stored.folder)).nominal
    except FlexarmError:  # kept by another version, which knew other words
        return None


def drawn_bands(stored: StoredStudy, samples: int) -> list[dict[str, Any]]:
    """The bands over time of every signal in the table: name, unit, times, mean, and quantiles by their levels."""
    study_json, found = stored.study_json, []
    for signal in _signals(study_json):
        names = [series_column(signal, time) for time in study_json["times"]]
        moments = gather(stored, names, samples).moments
        spread = quantiles(stored, names, _BAND_LEVELS, samples)
        bands = {f"{level:g}": values for level, values in zip(_BAND_LEVELS, spread, strict=True)}
        unit = study_json["units"][names[0]]
        found.append(
            {"name": signal, "unit": unit, "times": study_json["times"], "mean": moments.mean, "quantiles": bands}
        )
    return found


def _signals(study_json: Mapping[str, Any]) -> list[str]:
    """The signals that have a column at every time of the bands."""
    times, columns = study_json.get("times") or (), set(study_json["columns"])
    if len(times) < 2:
        return []
    known = dict.fromkeys(name.partition("@")[0] for name in study_json["columns"] if "@" in name)
    return [signal for signal in known if all(series_column(signal, time) in columns for time in times)]


def _lowest(arm: Arm) -> float | None:
    from flexarm.analyses.modes.modes import modes

    try:
        frequencies = modes(arm).frequencies_hz
    except FlexarmError:
        return None
    return float(frequencies[frequencies > 0.0].min()) if np.any(frequencies > 0.0) else None


def open_study(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """The page data of a study stored in a folder; an unfinished study is refused."""
    stored = StoredStudy(folder)
    kept = [path for name in SUMMARIES if (path := Path(folder) / f"{name}.json").is_file()]
    if not kept:
        raise StudyError(f"{folder}: the study was not finished, must be resumed (--resume) first")
    stored.check()
    path = max(kept, key=lambda each: each.stat().st_mtime)
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StudyError(f"{path}: cannot be read: {' '.join(str(error).split())[:120]}") from None
    if old := stored.unsealed:
        remark = f"{old} parts are of an earlier version and have no checksum of their files"
        found["remarks"] = [*found.get("remarks", ()), remark]
    if path.stem == "sweep":
        return found
    if path.stem == "sensitivity":
        return {**found, **made_from(stored), **drawn_model(stored)}
    named = [each["name"] for each in found.get("outputs", ())] or list(stored.study_json["columns"])
    drawn = drawn_samples(stored, [*stored.study_json["parameters"], *named], found.get("samples"))
    if path.stem == "reliability":
        drawn["signal_bands"] = drawn_bands(stored, found["samples"])
    return {**found, **drawn, **drawn_model(stored)}


def _cloud(stored: StoredStudy, columns: Sequence[str], samples: int | None) -> dict[str, np.ndarray]:
    found: dict[str, list[np.ndarray]] = {name: [] for name in columns}
    count = 0
    for rows in stored.blocks(columns, samples=samples):
        valid = np.flatnonzero(rows.valid)[: MOST_POINTS - count]
        for name in columns:
            found[name].append(rows.columns[name][valid])
        count += len(valid)
        if count >= MOST_POINTS:
            break
    return {name: np.concatenate([np.zeros(0), *parts]) for name, parts in found.items()}


def _histograms(stored: StoredStudy, columns: Sequence[str], samples: int | None) -> dict[str, dict[str, np.ndarray]]:
    """Two passes: how far the values reach, then how many fall into each bin."""
    low, high = np.full(len(columns), np.inf), np.full(len(columns), -np.inf)
    count = 0
    for rows in stored.blocks(columns, samples=samples):
        valid = rows.valid
        count += int(valid.sum())
        if valid.any():
            low = np.minimum(low, [rows.columns[name][valid].min() for name in columns])
            high = np.maximum(high, [rows.columns[name][valid].max() for name in columns])
    bins = int(np.clip(round(1.5 * count ** (1 / 3)) * 2, _LEAST_BINS, _MOST_BINS))
    varying = [k for k in range(len(columns)) if np.isfinite(low[k]) and high[k] - low[k] > 1e-12 * abs(high[k])]
    edges = {columns[k]: np.linspace(low[k], high[k], bins + 1) for k in varying}
    counts = {name: np.zeros(bins, np.int64) for name in edges}
    for rows in stored.blocks(list(edges), samples=samples) if edges else ():
        valid = rows.valid
        for name in edges:
            counts[name] += np.histogram(rows.columns[name][valid], edges[name])[0]
    return {name: {"edges": edges[name], "counts": counts[name]} for name in edges}


def _failed(stored: StoredStudy, samples: int | None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for rows in stored.blocks([], samples=samples):
        for k in np.flatnonzero(~rows.valid).tolist():
            if len(found) >= _MOST_FAILED:
                return found
            found.append({"sample": rows.begin + k, "status": rows.status[k], "reason": rows.reason[k]})
    return found
