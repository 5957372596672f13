"""Runs of one arm side by side: the moving arm to choose from, the tip and the joints over time before and after."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from flexarm.report.arm.choices import Course
from flexarm.report.arm.moving import moving_arm
from flexarm.report.page import Axis, Figure, Line, Mark, MovingArm, Rule, largest
from flexarm.results import Trajectory
from flexarm.results.catalogue import AXES, effort_unit
from flexarm.results.engineering import is_number

TIME = Axis("time", "s")
_DEGREE = math.pi / 180.0
# The first run is what is; the ones after it what may be: another colour each, the first dashed.
_COLOURS = (1, 0, 2, 3)

Runs = Mapping[str, Trajectory]


def arms_side_by_side(runs: Runs, chosen: str | None = None) -> list[MovingArm]:
    """The moving arm with a choice among the runs, `chosen` first; nothing where no run has a centre line."""
    names = sorted(runs, key=lambda name: name != chosen)
    arms = {name: arm for name in names for arm in moving_arm(runs[name])}
    if not arms:
        return []
    # one scale for all, so that they can be compared
    scale = min(arm.scale for arm in arms.values())
    choices = [Course(name, arm.times, arm.corners, arm.deflections, scale) for name, arm in arms.items()]
    return [replace(next(iter(arms.values())), choices=choices, scale=scale)]


def tips_side_by_side(runs: Runs) -> list[Figure]:
    """The deflection of the tip, one figure for every axis along which it bends, and its size after the stop."""
    found = []
    parts = {name: _tip(run, "point_deflection") for name, run in runs.items()}
    greatest = max((largest(values) for values in parts.values() if values is not None), default=0.0)
    for r, axis in enumerate(AXES):
        drawn = {name: values[:, r] for name, values in parts.items() if values is not None}
        if not any(largest(values) > 1e-6 * greatest for values in drawn.values()):
            continue
        marks = [_line(name, k, runs[name].time, values) for k, (name, values) in enumerate(drawn.items())]
        title = f"Deflection of the tip along {axis}"
        found.append(Figure(title, TIME, Axis("deflection", "m"), [*marks, *stops(runs)], clock=True))
    return found


def joints_side_by_side(runs: Runs, joints: Any) -> list[Figure]:
    """Rate, acceleration and torque of every commanded joint, for all runs together."""
    found = []
    first = next(iter(runs.values()), None)
    if first is None:
        return []
    units = dict(zip(first.labels("joint"), first.labels("joint_unit"), strict=True))
    for joint in joints:
        if joint not in units:
            continue
        unit = units[joint]
        turns = unit == "rad"
        shown: dict[str, Any] = {"shown": "°/s", "factor": _DEGREE} if turns else {}
        effort = "torque" if turns else "force"
        for title, name, axis in (
            ("Rate", "joint_velocity", Axis("rate", f"{unit}/s", **shown)),
            (effort.capitalize(), "joint_torque", Axis(effort, effort_unit(unit))),
        ):
            lines = [
                _line(word, k, run.time, run.values(name)[:, run.labels("joint").index(joint)])
                for k, (word, run) in enumerate(runs.items())
                if name in run.variables
            ]
            if lines and any(largest(line.y) > 0.0 for line in lines):
                marks: list[Mark] = [*lines, *stops(runs)]
                found.append(Figure(f"{title} of {joint}", TIME, axis, marks, clock=True))
    return found


def stops(runs: Runs) -> list[Rule]:
    """A mark at the end of each run's command."""
    found = []
    for name, run in runs.items():
        last = run.info.get("last_switch")
        if is_number(last):
            found.append(Rule(float(last), f"stop: {name.partition(',')[0].removeprefix('as in the ')}"))
    # two marks at one place would print over each other
    apart = [rule for k, rule in enumerate(found) if all(abs(rule.at - other.at) > 1e-9 for other in found[:k])]
    return apart if len(apart) == len(found) else [Rule(apart[0].at, "stop")] if len(apart) == 1 else apart


def _line(name: str, k: int, time: Any, values: Any) -> Line:
    return Line(name, time, values, colour=_COLOURS[k % len(_COLOURS)], dash="dashed" if k == 0 else "solid")


def _tip(run: Trajectory, name: str) -> np.ndarray | None:
    if "tip" not in run.labels("point") or name not in run.variables:
        return None
    return np.asarray(run.values(name)[:, run.labels("point").index("tip")])
