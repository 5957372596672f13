"""The page of modes: animated mode shapes, frequencies, damping, and displacements of points."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from flexarm.report.arm.choices import Swing
from flexarm.report.arm.still import line_links
from flexarm.report.figures.over_time import distinguishable
from flexarm.report.page import Axis, Bars, Figure, Line, MovingArm, Number, Page, Section, Table, largest
from flexarm.report.result_data import Data, data_of, inputs, number, numbers, posture_tables, posture_text
from flexarm.report.result_page import result_page
from flexarm.results.engineering import digits, plural, quantity
from flexarm.results.pole import format_damping_ratio, pole_cells
from flexarm.results.posture import describe_joints, describe_spin

# Modes whose shapes are drawn over the arm's length in one figure, and rows of a table of points.
_MOST_LINES = 6
# Amplitude drawn at first, per cent of the arm's reach.
_AMPLITUDE = 10


def page_of(result: Any, source: str = "") -> Page:
    """The page of a ModeSet, or of its data."""
    data = data_of(result)
    frequencies = numbers(data["frequencies_hz"])
    count = len(frequencies)
    joints = data.get("joint_states") or data["joints"]
    lead = f"{plural(count, 'mode')} with {describe_joints(joints)}{describe_spin(data.get('spin_rad_s') or {})}."
    if not data.get("spin_rad_s"):
        lead += " Small vibration about the static equilibrium."
    sections = [
        Section("Shapes", [*_swinging(data), *_along(data)]),
        Section("Frequencies and damping", [_table(data), *_real(data), *_figures(data)]),
        Section(
            "Points", _points(data), "Displacement of each point along the base axes, scaled so that the largest is 1."
        ),
        Section("Posture", posture_tables(data)),
        inputs(
            data,
            ("modes", str(count)),
            ("joints", describe_joints(joints) + describe_spin(data.get("spin_rad_s") or {})),
            ("posture", posture_text(data)),
        ),
    ]
    return result_page(
        "modes",
        data,
        sections,
        lead,
        _numbers(data, frequencies) if count else [],
        source,
        warnings=data.get("remarks") or (),
        extra={"clock": "period"},
    )


def _numbers(data: Data, frequencies: np.ndarray) -> list[Any]:
    ratios = numbers(data["damping_ratios"])
    lowest = next((k for k, f in enumerate(frequencies) if f > 0.0), 0)
    found = []
    if frequencies[lowest] > 0.0:
        found.append(number("Lowest frequency", float(frequencies[lowest]), "Hz", data["names"][lowest]))
        found.append(number("Its period", 1.0 / float(frequencies[lowest]), "s"))
        damping = format_damping_ratio(_pole(data, lowest))
        found.append(type(found[0])("Its damping ratio", damping, _dies_away(float(ratios[lowest]))))
    highest = int(np.argmax(frequencies))
    if frequencies[highest] > frequencies[lowest]:
        found.append(number("Highest shown", float(frequencies[highest]), "Hz", data["names"][highest]))
    unstable = [k for k, kind in enumerate(_kinds(data)) if kind in ("flutter", "divergence")]
    if unstable:
        growth = max(_pole(data, k).real for k in unstable)
        words = f"{data['names'][unstable[0]]}; twice as large every {quantity(math.log(2.0) / growth, 's')}"
        found.insert(0, Number("Unstable", _kinds(data)[unstable[0]], words))
    return found


def _pole(data: Data, k: int) -> complex:
    return complex(data["poles"][k]["real"], data["poles"][k]["imag"])


def _kinds(data: Data) -> list[str]:
    return list(data["kinds"])


def _dies_away(ratio: float) -> str:
    """How many swings it takes to fall to a tenth."""
    if not 0.0 < ratio < 1.0:
        return "does not decay" if ratio <= 0.0 else "does not oscillate"
    swings = math.log(10.0) / (2.0 * math.pi * ratio / math.sqrt(1.0 - ratio**2))
    return f"decays to a tenth in {digits(swings, 2)} cycles"


def _name(data: Data, k: int) -> str:
    return f"{k + 1}: {_frequency(data, k, 4)}, {data['names'][k]}"


def _frequency(data: Data, k: int, significant: int) -> str:
    first, second, _ = pole_cells(_pole(data, k), _kinds(data)[k], significant)
    return first if _kinds(data)[k] in ("oscillation", "flutter", "free") else f"{first}, {second}"


def _swinging(data: Data) -> list[MovingArm]:
    """The arm in every mode, one of them at a time."""
    line = data.get("line")
    if not line:
        return []
    place, shapes = np.asarray(line["position"]), np.asarray(line["shape"])
    reach = float(np.ptp(np.vstack([place, np.zeros(3)]), axis=0).max()) or 1.0
    choices = []
    for k, shape in enumerate(shapes):
        size = float(np.sqrt(np.sum(np.abs(shape) ** 2, axis=1)).max()) or 1.0
        choices.append(Swing(_name(data, k), 0.01 * reach / size * shape, _ratio(data, k)))
    first = np.asarray(choices[0].shape).real
    points = len(place)
    return [
        MovingArm(
            links=line_links(line),
            times=[0.0, 1.0],
            corners=np.repeat(place[None], 2, axis=0),
            corner_points=range(points),
            distances=np.arange(points, dtype=float),
            deflections=np.stack([first, first]),
            planar=bool(line["planar"]),
            scale=_AMPLITUDE,
            traced=int(np.argmax(np.sum(np.abs(shapes) ** 2, axis=(0, 2)))),
            title="The arm in each mode",
            words="Amplitudes are not to scale; the dashed line is the arm in equilibrium.",
            choices=choices,
        )
    ]


def _ratio(data: Data, k: int) -> str:
    return f"damping ratio {format_damping_ratio(_pole(data, k))}"


def _along(data: Data) -> list[Figure]:
    """The shapes over the arm's length, each along the direction in which it moves most."""
    line = data.get("line")
    if not line:
        return []
    place, shapes = np.asarray(line["position"]), np.asarray(line["shape"])
    way = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(place, axis=0), axis=1)))
    marks = []
    for k, shape in enumerate(shapes[:_MOST_LINES]):
        real = np.real(shape)
        farthest = real[int(np.argmax(np.linalg.norm(real, axis=1)))]
        size = float(np.linalg.norm(farthest))
        if size > 0.0:
            marks.append(Line(f"mode {k + 1}", way, real @ (farthest / size) / size, colour=k))
    words = "Component of each mode along the motion of its farthest point, scaled to 1 there."
    axes = Axis("distance along the arm", "m"), Axis("displacement, relative", "")
    return [Figure("Shapes along the arm", *axes, distinguishable(marks), words, wide=True)] if marks else []


def _table(data: Data) -> Table:
    rows = []
    growth = data.get("growth_rates") or [0.0] * len(data["names"])
    for k, name in enumerate(data["names"]):
        shape = np.abs(numbers(data["shapes"][k]))
        cells = pole_cells(_pole(data, k), _kinds(data)[k])
        rows.append([str(k + 1), *cells, name, data["coordinates"][int(shape.argmax())] if shape.size else ""])
        if growth[k]:
            rows[-1][4] += f" (twice as large every {quantity(math.log(2.0) / growth[k], 's')})"
    return Table(("mode", "frequency", "period", "damping ratio", "name", "largest coordinate"), rows)


def _real(data: Data) -> list[Table]:
    """The stable real poles."""
    rows = [
        [digits(float(pole)), quantity(-1.0 / float(pole), "s"), name]
        for pole, name in zip(data.get("real_poles") or (), data.get("real_pole_names") or (), strict=True)
    ]
    words = "These motions decay without oscillating."
    return [Table(("real pole, 1/s", "time constant", "name"), rows, "Real poles", words)] if rows else []


def _figures(data: Data) -> list[Figure]:
    """Frequencies and damping as bars."""
    names = [str(k + 1) for k in range(len(data["names"]))]
    frequencies, ratios = numbers(data["frequencies_hz"]), numbers(data["damping_ratios"])
    found = []
    if largest(frequencies) > 0.0:
        bars = [Bars("frequency", frequencies, labels=names, colour=0)]
        found.append(Figure("Frequencies", Axis("mode"), Axis("frequency", "Hz"), bars))
    if largest(ratios) > 0.0:
        bars = [Bars("damping ratio", ratios, labels=names, colour=1)]
        found.append(Figure("Damping", Axis("mode"), Axis("damping ratio", "", shown="%", factor=0.01), bars))
    return found


def _points(data: Data) -> list[Table]:
    names = list(data["point_names"])
    shapes = numbers(data["point_shapes"])
    if not names or not shapes.size or not largest(shapes) > 0.0:
        return []
    imaginary = data.get("point_shapes_imaginary")
    if imaginary is not None:
        shapes = np.hypot(shapes, numbers(imaginary))
    rows = [
        [str(k + 1), name, *(f"{shapes[k, j, r] + 0.0:.3f}" for r in range(3))]
        for k in range(len(shapes))
        for j, name in enumerate(names)
    ]
    words = "" if imaginary is None else "Amplitudes: parts of the arm are out of step."
    return [Table(("mode", "point", "x", "y", "z"), rows, words=words)]
