"""The figures of a run over time: joints, tip, torques, energies."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from flexarm.report.page import Axis, Figure, Line, Mark, Rule, finite, largest
from flexarm.results import Trajectory
from flexarm.results.catalogue import AXES, effort_unit
from flexarm.results.engineering import is_number

TIME = Axis("time", "s")
_DEGREE = math.pi / 180.0
# Lines in one figure before they are spread over several.
_MOST_LINES = 8


def joint_motion(run: Trajectory) -> list[Figure]:
    """Positions and rates of the joints, those that turn apart from those that slide."""
    if "joint_position" not in run.variables:
        return []
    found = []
    for unit in ("rad", "m"):
        columns = [k for k, each in enumerate(_joint_units(run)) if each == unit]
        turns = unit == "rad"
        for name, title, per in (("joint_position", "Joint positions", ""), ("joint_velocity", "Joint rates", "/s")):
            if not columns or name not in run.variables:
                continue
            label = {"": "angle" if turns else "position", "/s": "rate"}[per]
            axis = Axis(label, f"{unit}{per}")
            if turns:
                axis = Axis(label, f"{unit}{per}", shown=f"°{per}", factor=_DEGREE)
            kind = "" if turns or "rad" not in _joint_units(run) else " (sliding)"
            lines = distinguishable(
                [Line(run.labels("joint")[k], run.time, run.values(name)[:, k], colour=k) for k in columns]
            )
            found.append(Figure(f"{title}{kind}", TIME, axis, lines, clock=True))
    return found


def distinguishable(lines: list[Line]) -> list[Line]:
    """The lines, one that lies on an earlier one dashed so that both are seen."""
    dashed: list[Line] = []
    for line in lines:
        same = sum(bool(np.allclose(line.y, other.y, rtol=1e-6, equal_nan=True)) for other in dashed)
        dashed.append(replace(line, dash=("solid", "dashed", "dotted")[min(same, 2)]))
    return dashed


def tip_motion(run: Trajectory) -> list[Figure]:
    """Figures of the tip's position and velocity."""
    found = []
    for name, title, label, unit in (
        ("point_position", "Position of the tip", "position", "m"),
        ("point_acceleration", "Acceleration of the tip", "acceleration", "m/s²"),
    ):
        parts = _tip(run, name)
        lines = [Line(axis, run.time, parts[axis], colour=k) for k, axis in enumerate(AXES) if axis in parts]
        if lines:
            found.append(Figure(title, TIME, Axis(label, unit), [*lines, *switch_rule(run)], clock=True))
    return found


def tip_deflection(run: Trajectory) -> list[Figure]:
    """Figures of the tip's distance from the rigid arm's tip and from its commanded position."""
    found = []
    for name, title, label in (
        ("point_deflection", "Deflection of the tip", "deflection"),
        ("point_error", "Error of the tip", "error"),
    ):
        parts = _tip(run, name)
        lines = [Line(axis, run.time, parts[axis], colour=k) for k, axis in enumerate(AXES) if axis in parts]
        size = tip_size(run, name)
        if not lines or size is None or not largest(size) > 0.0:
            continue
        whole = [Line("distance", run.time, size, colour=6, dash="dotted")] if len(lines) > 1 else []
        words = "Distance from the commanded position of the rigid arm." if name == "point_error" else ""
        marks: list[Mark] = [*lines, *whole, *switch_rule(run)]
        found.append(Figure(title, TIME, Axis(label, "m"), marks, words, clock=True, wide=name == "point_deflection"))
    return found


def link_signals(run: Trajectory) -> list[Figure]:
    """Displacements and rotations of points in the axes of their links, and what gauges read, unless they are zero."""
    groups: dict[tuple[str, str], list[Line]] = {}
    for k, (name, unit) in enumerate(zip(run.labels("signal"), run.labels("signal_unit"), strict=True)):
        owner, _, what = name.rpartition(".")
        values = run.values("signals")[:, k]
        if what.startswith("deflection_") or what.endswith(("_rate", "_acceleration")) or not largest(values) > 1e-12:
            continue
        title = f"{owner} in its link's axes" if owner in run.labels("point") else owner
        group = groups.setdefault((title, unit), [])
        group.append(Line(what, run.time, values, colour=len(group)))
    found = []
    for (title, unit), lines in groups.items():
        label = {"m": "displacement", "rad": "rotation", "": "strain", "Pa": "stress"}.get(unit, "force or moment")
        axis = Axis(label, unit, shown="°", factor=_DEGREE) if unit == "rad" else Axis(label, unit)
        found.append(Figure(f"{title}: {label}", TIME, axis, [*lines, *switch_rule(run)], clock=True))
    return found


def torques(run: Trajectory) -> list[Figure]:
    """The drives' torques or forces, flexible compared with rigid, a figure per joint."""
    if "joint_torque" not in run.variables:
        return []
    found = []
    for k, (joint, unit) in enumerate(zip(run.labels("joint"), _joint_units(run), strict=True)):
        flexible = run.values("joint_torque")[:, k]
        if not finite(flexible).size:
            continue
        marks: list[Mark] = [Line("flexible", run.time, flexible, colour=0)]
        if "rigid_torque" in run.variables:
            marks.append(Line("rigid links", run.time, run.values("rigid_torque")[:, k], colour=1, dash="dashed"))
        label = "torque" if unit == "rad" else "force"
        found.append(Figure(joint, TIME, Axis(label, effort_unit(unit)), [*marks, *switch_rule(run)], clock=True))
    return found


def energy(run: Trajectory) -> list[Figure]:
    """The energy balance."""
    names = {
        "energy_kinetic": "kinetic",
        "energy_elastic": "elastic",
        "energy_gravity": "of gravity",
        "energy_dissipated": "dissipated",
        "work_drives": "work of the drives",
        "work_loads": "work of the loads",
    }
    lines = [
        Line(text, run.time, run.values(name), colour=k, dash="dashed" if name.startswith("work") else "solid")
        for k, (name, text) in enumerate(names.items())
        if name in run.variables and largest(run.values(name)) > 0.0
    ]
    found = []
    if lines:
        found.append(Figure("Energies and work", TIME, Axis("energy", "J"), lines, clock=True))
    if "energy_balance_error" in run.variables:
        error = Line("gained or lost", run.time, run.values("energy_balance_error"), colour=6)
        words = "The error of the energy balance."
        found.append(Figure("Error of the balance", TIME, Axis("energy", "J"), [error], words, clock=True))
    return found


def tip_size(run: Trajectory, name: str) -> np.ndarray | None:
    """The length (m) of a vector at the tip over time."""
    if "tip" not in run.labels("point") or name not in run.variables:
        return None
    return np.asarray(np.linalg.norm([run.signal(name, point="tip", axis=axis) for axis in AXES], axis=0))


def _tip(run: Trajectory, name: str) -> dict[str, np.ndarray]:
    """The components of a vector at the tip that are not zero all the time."""
    if "tip" not in run.labels("point") or name not in run.variables:
        return {}
    parts = {axis: run.signal(name, point="tip", axis=axis) for axis in AXES}
    scale = max(map(largest, parts.values()))
    return {axis: values for axis, values in parts.items() if largest(values) > 1e-9 * scale} or {"x": parts["x"]}


def _joint_units(run: Trajectory) -> tuple[str, ...]:
    return run.labels("joint_unit") or ("rad",) * len(run.labels("joint"))


def switch_rule(run: Trajectory) -> list[Rule]:
    """A mark where the command ends, or last switches if it does not end."""
    last = run.info.get("last_switch")
    inside = is_number(last) and run.time.size and run.time[0] < last < run.time[-1]
    text = "end of the command" if last == run.info.get("command_end") else "last switch"
    return [Rule(float(last), text)] if inside and last is not None else []
