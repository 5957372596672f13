"""The page of a linear model: its poles in the complex plane, what its inputs do at which frequency, its matrices."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from flexarm.report.page import Axis, Figure, Line, Listing, Number, Page, Paragraphs, Points, Rule, Section, Table
from flexarm.report.result_data import Data, data_of, inputs, number, numbers
from flexarm.report.result_page import result_page
from flexarm.results.engineering import digits, percent, plural, quantity
from flexarm.results.linear_model import format_pole, frequency_response
from flexarm.results.pole import pole_cells, pole_kind
from flexarm.results.posture import describe_joints, shown

_MOST_ROWS = 60
_ROUNDING = 1e-12  # of the fastest pole
# Frequencies of a response, and responses the page has room for.
_FREQUENCIES, _MOST_LINES = 300, 240
# A larger system's response would take longer than its page is worth.
_MOST_STATES = 240


def page_of(result: Any, source: str = "") -> Page:
    """The page of a LinearModel, or of its data."""
    data = data_of(result)
    poles = _poles(data)
    sizes = [plural(len(data[f"{word}_names"]), word) for word in ("state", "input", "output")]
    sections = [
        Section("Poles", [*_plane(poles), *_table(poles)]),
        Section("Frequency response", _responses(data, poles), "For small deviations, SI units."),
        Section("Names", _names(data)),
        Section("Operating point", _operating(data)),
        Section("Matrices", _matrices(data), "ẋ = A x + B u, y = C x + D u for small deviations, SI units."),
        inputs(data),
    ]
    return result_page(
        "linearise", data, sections, _lead(data, sizes), _numbers(poles), source, warnings=_unstable(poles)
    )


def _lead(data: Data, sizes: list[str]) -> str:
    lead = f"Linear model about the equilibrium with {', '.join(sizes)}"
    if data.get("joint_states"):
        lead += f", {describe_joints(data['joint_states'])}"
    left = data.get("states_left_out")
    return f"{lead}." + (f" {plural(left, 'state')} left out, except for their static contribution." if left else "")


def _poles(data: Data) -> np.ndarray:
    """The poles, 1/s, slowest first; real parts that are nothing but rounding are none."""
    found = np.array([complex(pole["real"], pole["imag"]) for pole in data["poles"]], dtype=complex)
    if len(found):
        found.real[np.abs(found.real) <= _ROUNDING * np.abs(found).max()] = 0.0
    return found


def _upper(poles: np.ndarray) -> np.ndarray:
    """Of conjugate pairs one."""
    return poles[poles.imag >= 0.0]


def _still(poles: np.ndarray) -> np.ndarray:
    """True for poles that are zero but for rounding: a joint that is free to turn."""
    size = float(np.abs(poles).max()) if len(poles) else 0.0
    # a double pole at zero moves by the square root of the precision
    return np.abs(poles) <= 1e-7 * size


def _ratio(pole: complex) -> str:
    return percent(-pole.real / abs(pole)) if abs(pole) > 0.0 else "–"


def _numbers(poles: np.ndarray) -> list[Number]:
    swings = _upper(poles[(poles.imag != 0.0) & ~_still(poles)])
    found = [Number("Poles", str(len(poles)), f"{int(_still(poles).sum())} at zero")] if len(poles) else []
    if len(swings):
        slowest = complex(swings[0])
        found.append(
            number("Lowest frequency", abs(slowest) / (2.0 * math.pi), "Hz", f"damping ratio {_ratio(slowest)}")
        )
        found.append(number("Highest frequency", float(np.abs(swings).max()) / (2.0 * math.pi), "Hz"))
    decaying = poles[(poles.real < 0.0) & ~_still(poles)]
    if len(decaying):
        found.append(number("Slowest decay", float(1.0 / -decaying.real.max()), "s", "time to fall to 37 %"))
    return found


def _unstable(poles: np.ndarray) -> list[str]:
    """A sentence where a departure grows."""
    growing = poles[(poles.real > 0.0) & ~_still(poles)]
    if not len(growing):
        return []
    # rounding of an undamped arm's poles is no instability
    if float(growing.real.max()) <= 1e-9 * float(np.abs(poles).max()):
        return []
    doubled = quantity(math.log(2.0) / float(growing.real.max()), "s")
    kinds = " and ".join(dict.fromkeys(pole_kind(complex(pole)) for pole in growing))
    return [f"The posture is unstable by {kinds}: the fastest departure doubles every {doubled}."]


def _plane(poles: np.ndarray) -> list[Figure]:
    """All poles, and the slow ones alone where the fast ones hide them."""
    if not len(poles):
        return []
    words = "Left of the upright line departures die away; the farther from zero, the faster."
    found = [_plane_of("Poles in the complex plane", poles, words)]
    near = poles[np.abs(poles) <= 0.1 * np.abs(poles).max()]
    if 0 < len(near) < len(poles) and np.abs(near).max() > 0.0:
        found.append(_plane_of("The slow poles", near, "Those within a tenth of the fastest."))
    return found


def _plane_of(title: str, poles: np.ndarray, words: str) -> Figure:
    labels = [f"{_pole_text(pole)}: {digits(abs(pole) / (2.0 * math.pi))} Hz, {_ratio(pole)}" for pole in poles]
    points = Points("poles", poles.real, poles.imag, colour=0, labels=labels)
    axes = Axis("real part", "1/s"), Axis("imaginary part", "rad/s")
    return Figure(title, *axes, [points, Rule(0.0), Rule(0.0, "", "y")], words)


def _pole_text(pole: complex) -> str:
    sign = "+" if pole.imag > 0.0 else "−"
    return f"{digits(pole.real)} {sign} {digits(abs(pole.imag))} i" if pole.imag else digits(pole.real)


def _table(poles: np.ndarray) -> list[Any]:
    rows = []
    zeros = int(np.count_nonzero(_still(poles)))
    if zeros:
        rows.append([f"0 ({zeros} of them)" if zeros > 1 else "0", "0 Hz (free to move)", "0 %", "–"])
    for pole in _upper(poles[~_still(poles)])[:_MOST_ROWS]:
        kind = pole_kind(complex(pole))
        first, _, ratio = pole_cells(complex(pole), kind, 4)
        decay = quantity(-1.0 / pole.real, "s") if pole.real < 0.0 else "–"
        rows.append([format_pole(complex(pole)), first, kind if kind in ("flutter", "divergence") else ratio, decay])
    if not rows:
        return []
    more = len(_upper(poles[~_still(poles)])) - _MOST_ROWS
    words = f"The {_MOST_ROWS} slowest; {more} faster ones are in the matrices." if more > 0 else "Slowest first."
    return [Table(("pole, 1/s", "frequency", "damping ratio", "time constant"), rows, words=words)]


def _responses(data: Data, poles: np.ndarray) -> list[Any]:
    """Gain and phase of one output by one input, of which the reader chooses."""
    size = len(data["state_names"])
    lively = np.abs(poles[~_still(poles)])
    if not size or not len(lively) or not data["input_names"]:
        return []
    if size > _MOST_STATES:
        return [Paragraphs([f"{size} states are too many for the page; A, B, C and D from --json give the response."])]
    a, b, c, d = (_matrix(data, name) for name in "ABCD")
    omega = np.geomspace(0.1 * lively.min(), 3.0 * min(lively.max(), 1e3 * lively.min()), _FREQUENCIES)
    # peaks of light damping are narrower than the spacing: the poles' own frequencies are looked at, too
    omega = np.unique(np.append(omega, lively[(lively > omega[0]) & (lively < omega[-1])]))
    inputs, outputs = list(data["input_names"]), list(data["output_names"])
    # all inputs, and as many outputs as the page has room for: points, joints and drives come first
    outputs = outputs[: max(1, _MOST_LINES // len(inputs))]
    found = frequency_response((a, b, c[: len(outputs)], d[: len(outputs)]), omega)
    bounded = np.isfinite(found).all(axis=(1, 2))  # at the pole of an undamped mode no line can be drawn
    omega, found = omega[bounded], found[bounded]
    hertz, gains, phases = omega / (2.0 * math.pi), [], []
    for k, given in enumerate(inputs):
        for j, seen in enumerate(outputs):
            name = f"{seen} by {given}, {_per(data['output_units'][j], data['input_units'][k])}"
            gains.append(Line(name, hertz, np.abs(found[:, j, k]), colour=0))
            phases.append(Line(name, hertz, np.unwrap(np.angle(found[:, j, k])), colour=0))
    frequency = Axis("frequency", "Hz", "log", shown="Hz")
    degrees = Axis("phase", "rad", shown="°", factor=math.pi / 180.0)
    lists = (inputs, outputs)
    words = "Amplitude of the output by one unit of the input."
    if len(outputs) < len(data["output_names"]):
        words += f" Of {len(data['output_names'])} outputs the first {len(outputs)}; `response` has them all."
    return [
        Figure("Gain", frequency, Axis("gain", "", "log"), gains, words, wide=True, choose=lists),
        Figure("Phase", frequency, degrees, phases, "Of the output before the input.", wide=True, choose=lists),
    ]


def _per(output: str, given: str) -> str:
    return f"{output or '1'} per {given or '1'}"


def _matrix(data: Data, name: str) -> np.ndarray:
    rows = {"A": "state", "B": "state", "C": "output", "D": "output"}[name]
    columns = {"A": "state", "B": "input", "C": "state", "D": "input"}[name]
    return numbers(data[name]).reshape(len(data[f"{rows}_names"]), len(data[f"{columns}_names"]))


def _names(data: Data) -> list[Table]:
    rows = [(word, ", ".join(data[f"{word[:-1]}_names"]) or "none") for word in ("inputs", "outputs", "states")]
    return [Table(("", "in their order"), rows)]


def _operating(data: Data) -> list[Table]:
    units = data.get("operating_units") or {}
    joints = [name for name in data["operating_point"] if name in (data.get("joint_states") or {})]
    listed = joints or list(data["operating_point"])[:_MOST_ROWS]
    rows = [(name, shown(data["operating_point"][name], units.get(name, "rad"))) for name in listed]
    return [Table(("joint" if joints else "coordinate", "position"), rows)] if rows else []


def _matrices(data: Data) -> list[Listing]:
    """The four matrices as JSON, to be saved."""
    found = []
    for name in "ABCD":
        rows = ",\n ".join(json.dumps(row) for row in _matrix(data, name).tolist())
        size = " × ".join(map(str, _matrix(data, name).shape))
        found.append(Listing(f"{name} ({size})", f"[{rows}]\n", f"{name}.json"))
    return found
