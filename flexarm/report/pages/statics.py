"""The page of an equilibrium: the sagging arm, internal forces of its beams, drive torques and reactions."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.report.arm.still import sagged_arm
from flexarm.report.figures.over_time import distinguishable
from flexarm.report.page import Axis, Figure, Line, Mark, Number, Page, Section, Table, largest
from flexarm.report.result_data import Data, data_of, inputs, number, numbers, posture_tables
from flexarm.report.result_page import result_page
from flexarm.results.catalogue import AXES
from flexarm.results.engineering import column, digits, plural, quantity

# What a beam carries → title, name of the axis, unit.
_CARRIED = {
    "moment_y": ("Bending moment about the links' y axes", "bending moment", "N m"),
    "moment_z": ("Bending moment about the links' z axes", "bending moment", "N m"),
    "torque_x": ("Torsion", "torsional moment", "N m"),
    "force_x": ("Axial force", "axial force", "N"),
    "shear_y": ("Shear force along the links' y axes", "shear force", "N"),
    "shear_z": ("Shear force along the links' z axes", "shear force", "N"),
    "curvature_y": ("Curvature about the links' y axes", "curvature", "1/m"),
    "curvature_z": ("Curvature about the links' z axes", "curvature", "1/m"),
    "twist": ("Twist", "twist per length", "rad/m"),
}
# Below this part of the largest a component is rounding.
_NOTHING = 1e-9


def page_of(result: Any, source: str = "") -> Page:
    """The page of an Equilibrium, or of its data."""
    data = data_of(result)
    line = data.get("line")
    words = "The dashed line is the same arm with rigid links."
    sections = [
        Section("Equilibrium", [*([sagged_arm(line, words)] if line else []), *_sag_along(line)]),
        Section("Sag", _sag(data), "Displacement of each point from its position on the rigid arm, base frame."),
        Section("Drive torques and reactions", [*_drives(data), *_reactions(data)]),
        Section("Inside the beams", _carried(data), "At the stations along the flexible links."),
        Section("Posture", posture_tables(data)),
        inputs(data, *_solved(data)),
    ]
    return result_page(
        "statics", data, sections, _lead(data), _numbers(data), source, warnings=data.get("remarks") or ()
    )


def _lead(data: Data) -> str:
    joints, coordinates = len(data["joint_torque"]), len(data["coordinates"])
    arm = f"{plural(joints, 'joint')} and {plural(coordinates, 'elastic coordinate')}"
    return f"Equilibrium under gravity and loads at rest: {arm}."


def _numbers(data: Data) -> list[Number]:
    found = []
    sags = {point: float(np.linalg.norm(numbers(sag))) for point, sag in data["tip_sag"].items()}
    if sags:
        point = "tip" if "tip" in sags else max(sags, key=lambda name: sags[name])
        found.append(number(f"Sag of {'the tip' if point == 'tip' else point}", sags[point], "m"))
    for unit, name in (("N m", "Largest holding torque"), ("N", "Largest holding force")):
        held = {joint: abs(t) for joint, t in data["joint_torque"].items() if data["joint_torque_units"][joint] == unit}
        if held and max(held.values()) > 0.0:
            joint = max(held, key=lambda name: held[name])
            found.append(number(name, held[joint], unit, joint))
    moments = _worst_moment(data)
    if moments is not None:
        found.append(moments)
    return found


def _worst_moment(data: Data) -> Number | None:
    """The largest bending moment inside a beam."""
    stations = data.get("stations")
    if not stations:
        return None
    known = [numbers(stations["values"][name]) for name in ("moment_y", "moment_z") if name in stations["values"]]
    if not known or not largest(known) > 0.0:
        return None
    size = np.abs(np.nan_to_num(np.array(known))).max(axis=0)
    worst = int(size.argmax())
    at = quantity(float(stations["position"][worst]), "m", 3)
    return number("Largest bending moment", float(size[worst]), "N m", f"{stations['link'][worst]}, at {at}")


def _sag_along(line: Data | None) -> list[Figure]:
    """A figure of the sag along the arm."""
    if not line:
        return []
    unbent = np.asarray(line["unbent"], dtype=float)
    away = np.asarray(line["position"], dtype=float) - unbent
    if not largest(away) > 0.0:
        return []
    way = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(unbent, axis=0), axis=1)))
    lines = [
        Line(axis, way, away[:, r], colour=r)
        for r, axis in enumerate(AXES)
        if largest(away[:, r]) > _NOTHING * largest(away)
    ]
    axes = Axis("distance along the arm", "m"), Axis("sag", "m")
    return [Figure("Sag along the arm", *axes, distinguishable(lines), "Along the axes of the base frame.", wide=True)]


def _sag(data: Data) -> list[Table]:
    rows = []
    for point, sag in data["tip_sag"].items():
        parts = numbers(sag)
        rows.append([point, *column([*parts.tolist(), float(np.linalg.norm(parts))], "m")])
    return [Table(("point", *AXES, "distance"), rows)] if rows else []


def _drives(data: Data) -> list[Table]:
    units = data["joint_torque_units"]
    rows = [(joint, quantity(value, units[joint])) for joint, value in data["joint_torque"].items()]
    words = "The torque or force each drive must provide; a free joint provides none."
    return [Table(("joint", "holding torque or force"), rows, "Drives", words)] if rows else []


def _reactions(data: Data) -> list[Table]:
    rows = []
    for link, reaction in data["reactions"].items():
        force, moment = (numbers(reaction[key]).tolist() for key in ("force", "moment"))
        rows.append([link, *column(force, "N"), *column(moment, "N m")])
    heads = ("link", *(f"force {axis}" for axis in AXES), *(f"moment {axis}" for axis in AXES))
    words = "Force and moment on a link at its joint, in the base frame."
    return [Table(heads, rows, "Reactions", words)] if rows else []


def _carried(data: Data) -> list[Any]:
    """Moments, forces and curvatures along every beam, and where each is largest."""
    stations = data.get("stations")
    if not stations or not stations["link"]:
        return []
    links, at = np.array(stations["link"]), numbers(stations["position"])
    figures, rows = [], []
    for name, (title, label, unit) in _CARRIED.items():
        values = numbers(stations["values"].get(name, ()))
        if not largest(values) > 0.0:
            continue
        marks: list[Mark] = []
        for k, link in enumerate(dict.fromkeys(stations["link"])):
            where = np.flatnonzero((links == link) & np.isfinite(values))
            where = where[np.argsort(at[where], kind="stable")]
            if len(where):
                marks.append(Line(str(link), at[where], values[where], colour=k % 8))
        figures.append(Figure(title, Axis("distance from the beam's base", "m"), Axis(label, unit), marks))
        worst = int(np.nanargmax(np.abs(values)))
        rows.append([title, quantity(float(values[worst]), unit), str(links[worst]), quantity(float(at[worst]), "m")])
    table = Table(("what", "largest", "link", "at"), rows)
    return [table, *figures] if rows else []


def _solved(data: Data) -> list[tuple[str, str]]:
    residual = data["residual"]
    left = "" if residual is None else f"{digits(residual, 2)} (SI)"
    return [("iterations", str(data["iterations"])), ("largest unbalanced force", left)]
