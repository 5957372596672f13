"""The settling of a run: settling times, the parts of its error, residual vibration and its modes."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.report.figures.spectrum import spectrum
from flexarm.report.page import Axis, Figure, Line, Mark, Number, Paragraphs, Rule, Table, largest, shown_number
from flexarm.results import Trajectory
from flexarm.results.catalogue import AXES
from flexarm.results.engineering import digits, is_number, quantity
from flexarm.results.run_settling import distance_text, equilibrium_sentence, offsets_of, settling_summary
from flexarm.results.separation import VIBRATES, parts_of, ringing_rows, vibration_after
from flexarm.results.settling import distances

TIME = Axis("time", "s")
_COLOURS = {"drive error": 1, "quasi-static": 2, "dynamic": 0}


def settling_parts(run: Trajectory) -> list[Any]:
    """The parts of the section: text, tables, figures; none if nothing is known."""
    facts = settling_summary(run)
    return [*_words(facts), *_times(facts), *_distance(run, facts), *_separated(run), *_vibration(run), *_poles(run)]


def settling_numbers(run: Trajectory) -> list[Number]:
    """The key numbers: settling time, residual, vibration."""
    facts, found = settling_summary(run), []
    if facts is not None and facts["target"] is not None and facts["within"]:
        settled = [row for row in facts["within"] if row["settling_time_s"] is not None]
        if settled:
            row = settled[-1]
            remark = f"to {distance_text(row['within_m'])} of the target, from t = 0"
            found.append(Number("Settling time of the tip", shown_number(row["settling_time_s"], "s"), remark))
        if is_number(facts["residual_m"]):
            remark = f"from the target after the command's end; {quantity(facts['distance_at_end_m'], 'm', 3)} at last"
            found.append(Number("Residual of the tip", shown_number(facts["residual_m"], "m"), remark))
    greatest = vibration_after(run)
    if greatest is not None:
        remark = "of the tip after the command's end"
        found.append(Number("Vibration", shown_number(greatest, "m"), remark))
    return found


def _words(facts: dict[str, Any] | None) -> list[Paragraphs]:
    if facts is None:
        return []
    if facts["target"] is None:
        return [Paragraphs([f"The tip has no target: {facts['reason']}."])]
    end = facts["command_end_s"]
    sentences = ["The target is where the rigid arm has the tip at the end of its command"]
    sentences[0] += f", {end:.6g} s." if is_number(end) else "."
    finest = facts["within"][-1]["within_m"] if facts["within"] else np.inf
    if is_number(facts["equilibrium_m"]) and facts["equilibrium_m"] > finest:
        sentences.append(f"The tip comes to rest {equilibrium_sentence(facts)}.")
    return [Paragraphs([" ".join(sentences)])]


def _times(facts: dict[str, Any] | None) -> list[Table]:
    """Settling times, a row for every tolerance."""
    if facts is None or not facts["within"]:
        return []

    def seconds(value: float | None) -> str:
        return "not in this run" if value is None else f"{digits(value, 4)} s"

    rows = [
        [
            distance_text(row["within_m"]),
            seconds(row["settling_time_s"]),
            "" if row["after_command_s"] is None else f"{digits(row['after_command_s'], 3)} s",
            seconds(row["equilibrium_settling_time_s"]),
        ]
        for row in facts["within"]
    ]
    heads = ("stays within", "of its target, from t = 0", "after the command's end", "of its equilibrium, from t = 0")
    return [Table(heads, rows, "Settling times of the tip")]


def _distance(run: Trajectory, facts: dict[str, Any] | None) -> list[Figure]:
    """How far the tip is from its target and from its equilibrium."""
    if facts is None:
        return []
    lines: list[Mark] = []
    for about, colour in (("target", 0), ("equilibrium", 2)):
        known = facts["target"] is not None if about == "target" else facts["equilibrium_m"] is not None
        apart = facts["equilibrium_m"] is None or facts["equilibrium_m"] > 1e-9
        if known and (about == "target" or apart or facts["target"] is None):
            size = distances(offsets_of(run, "tip", "point", about)[0])
            dash: Any = "solid" if about == "target" else "dashed"
            lines.append(Line(f"from its {about}", run.time, np.maximum(size, 1e-12), colour=colour, dash=dash))
    if not lines:
        return []
    rules = [Rule(row["within_m"], distance_text(row["within_m"]), "y") for row in facts["within"]]
    least = 0.1 * min((row["within_m"] for row in facts["within"]), default=1e-5)
    marks = [*lines, *rules, *end_rule(run)]
    return [Figure("Distance of the tip", TIME, Axis("distance", "m", "log", least=least), marks, clock=True)]


def _separated(run: Trajectory) -> list[Figure]:
    """A figure of the parts of the tip's error: drive error, sag, dynamics and vibration."""
    parts = {name: np.linalg.norm(values, axis=1) for name, values in parts_of(run).items() if name in _COLOURS}
    servos = "drive error" in parts
    names = {"quasi-static": "quasi-static deflection", "dynamic": "dynamic deflection" if servos else "vibration"}
    lines: list[Mark] = [
        Line(names.get(name, name), run.time, size, colour=_COLOURS[name])
        for name, size in parts.items()
        if largest(size) > 0.0
    ]
    if len(parts) < 2 or not lines:
        return []
    words = "Drive error: the joints are not where they are commanded. " if servos else ""
    words += "Quasi-static: bent by gravity, loads and the motion of the joints. "
    words += "Dynamic: the remaining bending." if servos else "Vibration: the remainder."
    return [Figure("Parts of the tip's error", TIME, Axis("size", "m"), [*lines, *end_rule(run)], words, True)]


def _vibration(run: Trajectory) -> list[Figure]:
    """The vibration after the command's end, over time and over frequency; marked are poles of the arm."""
    begin = run.info.get("command_end")
    if not vibration_after(run) or not is_number(begin):
        return []
    vibration = parts_of(run)["vibration"]
    after = (run.time >= begin) & np.isfinite(vibration).all(axis=1)
    vibration = vibration[after]
    scale = largest(vibration)
    lines, spectra = [], []
    for k, axis in enumerate(AXES):
        if largest(vibration[:, k]) <= 1e-6 * scale:
            continue
        lines.append(Line(axis, run.time[after], vibration[:, k], colour=k))
        found = spectrum(run.time[after], vibration[:, k])
        if found is not None and largest(found.amplitude) > 0.0:
            spectra.append(Line(axis, found.frequency, found.amplitude, colour=k))
    words = "The motion in poles of the closed loop damped by less than half of critical." if _servos(run) else ""
    figures = [Figure("Vibration after the command's end", TIME, Axis("vibration of the tip", "m"), lines, words)]
    if spectra:
        top = max(largest(line.y) for line in spectra)
        highest = max(
            float(line.x[np.flatnonzero(line.y >= 1e-4 * top)[-1]]) for line in spectra if largest(line.y) >= top
        )
        most = min(1.3 * highest, float(spectra[0].x[-1]))
        axes = Axis("frequency", "Hz", most=most), Axis("amplitude", "m", "log", least=1e-5 * top)
        poles = [mode for mode in _modes(run) if mode["damping"] < VIBRATES and mode["frequency_hz"] < most]
        rules = [Rule(_turning(mode), quantity(mode["frequency_hz"], "Hz", 3)) for mode in poles[:4]]
        words = "Amplitudes; Hann window, mean and slope taken out."
        words += " Marked: poles of the arm; other peaks are no modes." if rules else ""
        figures.append(Figure("Spectrum of the vibration", *axes, [*spectra, *rules], words))
    return figures


def _poles(run: Trajectory) -> list[Table]:
    rows = ringing_rows(run)
    if not rows:
        return []
    heads = ("mode", "", "natural frequency", "damping", "amplitude of the tip")
    at = f"when the command ends, {run.info['ringing']['at']:.6g} s"
    loop = " with its servos closed" if _servos(run) else ""
    words = f"Poles of the arm{loop} about its final equilibrium; the amplitudes are those {at}."
    return [Table(heads, rows, "Modes of the residual vibration", words)]


def _servos(run: Trajectory) -> bool:
    return "point_error" in run.variables


def _modes(run: Trajectory) -> list[dict[str, float]]:
    found = run.info.get("ringing")
    return list(found["modes"]) if isinstance(found, dict) else []


def _turning(mode: dict[str, float]) -> float:
    """The frequency (Hz) at which a damped mode swings."""
    return float(mode["frequency_hz"] * np.sqrt(max(1.0 - mode["damping"] ** 2, 0.0)))


def end_rule(run: Trajectory) -> list[Rule]:
    """A mark where the command ends."""
    end = run.info.get("command_end")
    inside = is_number(end) and run.time.size and run.time[0] < end < run.time[-1]
    return [Rule(float(end), "end of the command")] if inside and end is not None else []
