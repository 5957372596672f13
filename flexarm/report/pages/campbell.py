"""The page of a Campbell diagram: frequencies versus speed, multiples of the speed, and the critical speeds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from flexarm.report.page import Axis, Figure, Line, Mark, Page, Points, Section, Table, largest
from flexarm.report.result_data import Data, data_of, inputs, number, numbers, posture_text
from flexarm.report.result_page import result_page
from flexarm.results.engineering import digits, plural
from flexarm.results.posture import describe_joints, rpm

_RPM = math.pi / 30.0


def page_of(result: Any, source: str = "") -> Page:
    """The page of a Campbell, or of its data."""
    data = data_of(result)
    spins = numbers(data["spins_rad_s"])
    joints = data.get("joint_states") or data["joints"]
    lead = (
        f"{plural(len(data['modes']), 'mode')} with {describe_joints(joints)} while {data['joint']} spins at "
        f"{rpm(float(spins[0]))} to {rpm(float(spins[-1]))}. A speed is critical where a frequency is a multiple of it."
    )
    sections = [
        Section("Frequencies versus speed", [*_diagrams(data, spins), *_damping(data, spins), *_growth(data, spins)]),
        Section("Critical speeds", _critical(data)),
        Section(
            "How the frequencies rise with speed", [_rises(data, spins)], "Fitted to ω² = ω₀² + a Ω², after Southwell."
        ),
        inputs(data, *_asked(data, spins, describe_joints(joints))),
    ]
    return result_page(
        "campbell", data, sections, lead, _numbers(data, spins), source, warnings=data.get("remarks") or ()
    )


def _asked(data: Data, spins: np.ndarray, joints: str) -> list[tuple[str, str]]:
    low, high, steps = float(spins[0]), float(spins[-1]), np.diff(spins)
    speeds = f"{len(spins)} from {digits(low)} to {digits(high)} rad/s"
    if np.allclose(steps, steps[0], rtol=1e-6):
        speeds += f", {digits(float(steps[0]))} rad/s apart"
    return [
        ("spins", str(data["joint"])),
        ("speeds", speeds),
        ("joints", joints),
        ("posture", posture_text(data)),
        ("modes", str(len(data["modes"]))),
        ("multiples of the speed", f"1 to {len(data['lines'])}"),
    ]


def _numbers(data: Data, spins: np.ndarray) -> list[Any]:
    crossings = sorted(data["crossings"], key=lambda each: each["spin"])
    first = data["modes"][0] if data["modes"] else None
    found = []
    if first is not None:
        found.append(number(f"Lowest frequency {_at_first(spins)}", first["frequencies_hz"][0], "Hz", first["name"]))
    found.append(number("Highest speed", float(spins[-1]), "rad/s", rpm(float(spins[-1]))))
    made = type(found[0])
    found.append(made("Critical speeds", str(len(crossings)), "within the range"))
    if crossings:
        each = crossings[0]
        remark = f"mode {each['mode'] + 1}, {each['order']} per turn"
        found.append(made("The lowest of them", rpm(each["spin"]), remark))
    return found


def _at_first(spins: np.ndarray) -> str:
    """Where the curves begin: at rest, unless the speeds begin higher."""
    return "at rest" if spins[0] == 0.0 else f"at {rpm(float(spins[0]))}"


def _speed(spins: np.ndarray) -> Axis:
    return Axis("speed", "rad/s", shown="rpm", factor=_RPM, least=float(spins[0]), most=float(spins[-1]))


def _diagrams(data: Data, spins: np.ndarray) -> list[Figure]:
    """All modes, and where those are far above the speed the lower part alone."""
    marks: list[Mark] = []
    for k, mode in enumerate(data["modes"]):
        marks.append(Line(f"{k + 1}: {mode['name']}", spins, numbers(mode["frequencies_hz"]), colour=k % 8))
    top = largest([mode["frequencies_hz"] for mode in data["modes"]]) * 1.05 if data["modes"] else None
    for line in data["lines"]:
        name = f"{line['order']} per turn"
        marks.append(Line(name, spins, numbers(line["frequencies_hz"]), colour=6, dash="dotted"))
    if data["crossings"]:
        spots = data["crossings"]
        labels = [
            f"mode {each['mode'] + 1} is {each['order']} per turn at {rpm(each['spin'])}, "
            f"{digits(each['frequency_hz'])} Hz"
            for each in spots
        ]
        x, y = [each["spin"] for each in spots], [each["frequency_hz"] for each in spots]
        marks.append(Points("critical speeds", x, y, colour=1, labels=labels))
    words = "Dotted: multiples of the speed."
    axis = Axis("frequency", "Hz", least=0.0, most=top or None)
    found = [Figure("Campbell diagram", _speed(spins), axis, marks, words, wide=True)]
    low = 1.15 * largest([line["frequencies_hz"] for line in data["lines"]])
    if data["crossings"] and top and low < 0.5 * top:
        axis = Axis("frequency", "Hz", least=0.0, most=low)
        found.append(Figure("Its lower part", _speed(spins), axis, marks, wide=True))
    return found


def _damping(data: Data, spins: np.ndarray) -> list[Figure]:
    lines = [
        Line(f"{k + 1}: {mode['name']}", spins, numbers(mode["damping_ratios"]), colour=k % 8)
        for k, mode in enumerate(data["modes"])
    ]
    if not any(largest(line.y) > 0.0 for line in lines):
        return []
    return [Figure("Damping versus speed", _speed(spins), Axis("damping ratio", "", shown="%", factor=0.01), lines)]


def _growth(data: Data, spins: np.ndarray) -> list[Figure]:
    lines = [
        Line(f"{k + 1}: {mode['name']}", spins, numbers(mode["growth_rates"]), colour=k % 8)
        for k, mode in enumerate(data["modes"])
        if largest(mode["growth_rates"]) > 0.0
    ]
    words = "A mode that grows leaves the arm's steady rotation."
    axis = Axis("growth rate", "1/s")
    return [Figure("Growth of unstable modes", _speed(spins), axis, lines, words)] if lines else []


def _critical(data: Data) -> list[Table]:
    rows = [
        [
            rpm(each["spin"]),
            f"{digits(each['spin'])} rad/s",
            f"{digits(each['frequency_hz'])} Hz",
            str(each["order"]),
            str(each["mode"] + 1),
            data["modes"][each["mode"]]["name"],
        ]
        for each in sorted(data["crossings"], key=lambda each: each["spin"])
    ]
    return [Table(("speed", "", "frequency", "per turn", "mode", ""), rows)] if rows else []


def _rises(data: Data, spins: np.ndarray) -> Table:
    """The computed values at both ends of the curves, compared with the fit."""
    rows = []
    for k, mode in enumerate(data["modes"]):
        fit = mode["southwell"]
        rows.append(
            [
                f"mode {k + 1}, {mode['name']}",
                _hertz(mode["frequencies_hz"][0]),
                _hertz(mode["frequencies_hz"][-1]),
                _hertz(fit["rest_hz"]),
                "–" if fit["coefficient"] is None else digits(fit["coefficient"], 4),
                _hertz(fit["misfit_hz"], 2),
            ]
        )
    heads = ("mode", _at_first(spins), "at the highest speed")
    return Table((*heads, "ω₀ of the fit", "a of the fit", "largest error of the fit"), rows)


def _hertz(value: Any, significant: int = 5) -> str:
    return "–" if value is None else f"{digits(value, significant)} Hz"
