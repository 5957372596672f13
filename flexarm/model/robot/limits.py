"""Where an arm leaves the limits of its description: at its start, or along what it is commanded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from flexarm.model.reading.messages import number, quoted
from flexarm.model.robot.description import Robot

if TYPE_CHECKING:
    from flexarm.model.arm import Arm

# Times at which a command is looked at, and how far, relative, a limit may be overstepped by rounding.
_LOOKS, _ROUNDING = 501, 1e-9


def limit_remarks(robot: Robot, arm: Arm) -> Iterator[str]:
    """A sentence for every joint that starts outside its range, leaves it, or is commanded faster than its limit."""
    for link in arm.links:
        joint = robot.joints.get(link.joint.name or "")
        if joint is None or joint.kind not in ("revolute", "continuous", "prismatic"):
            continue
        low = -np.inf if joint.lower is None or joint.kind == "continuous" else joint.lower
        high = np.inf if joint.upper is None or joint.kind == "continuous" else joint.upper
        slack = _ROUNDING * max(abs(value) for value in (low, high, 1.0) if np.isfinite(value))
        unit, what = link.joint.unit, f"joint {quoted(joint.name)}"
        span = f"its limits, {number(low)} to {number(high)} {unit}"
        law = arm.motion_of(link) if link.joint.drive in ("motion", "servo") else None
        if law is None:
            if not low - slack <= link.joint.at <= high + slack:
                yield f"{what} starts at {number(link.joint.at)} {unit}, outside {span}"
            continue
        switches = [float(each) for each in law.switch_times if np.isfinite(each)]
        end = arm.simulation.end if arm.simulation.end is not None else max(switches, default=1.0)
        places, rates, _ = law.evaluate(
            np.unique([*np.linspace(0.0, end, _LOOKS), *(t for t in switches if 0 <= t <= end)])
        )
        if np.min(places) < low - slack or np.max(places) > high + slack:
            yield f"{what} is led from {number(np.min(places))} to {number(np.max(places))} {unit}, outside {span}"
        fastest = float(np.max(np.abs(rates)))
        if joint.rate and fastest > joint.rate * (1 + _ROUNDING):
            allowed = f"its limit, {number(joint.rate)} {unit}/s"
            yield f"{what} is led at up to {number(fastest)} {unit}/s, faster than {allowed}"
