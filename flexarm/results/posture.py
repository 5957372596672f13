"""The posture of an arm, and how it spins, in a few words."""

import math
from collections.abc import Mapping

from flexarm.results.engineering import digits, quantity


def posture_line(posture: Mapping[str, float], units: Mapping[str, str]) -> list[str]:
    """One line with every joint's coordinate, angles in degrees; no line where no joint is known."""
    told = [f"{joint} {shown(value, units.get(joint, 'rad'))}" for joint, value in posture.items()]
    return [f"  posture: {', '.join(told)}"] if told else []


def joints_told(joints: str | tuple[str, ...]) -> str:
    """Which joints may move: "the joints locked", "the joints free", or those that are free by name."""
    if isinstance(joints, str):
        return f"the joints {joints}"
    if len(joints) == 1:
        return f"joint {joints[0]} free"
    return f"the joints {', '.join(joints)} free" if joints else "the joints locked"


def spin_told(spin: Mapping[str, float]) -> str:
    """How fast it spins, to stand behind a sentence; nothing at rest."""
    told = [f"{joint} spins at {digits(rate)} rad/s ({rpm(rate)})" for joint, rate in spin.items()]
    return "".join(f", {words}" for words in told)


def rpm(rate: float) -> str:
    """A rate (rad/s) in revolutions per minute."""
    return f"{digits(rate * 30.0 / math.pi)} rpm"


def shown(value: float, unit: str) -> str:
    """A joint's coordinate for the reader: angles in degrees."""
    return f"{digits(math.degrees(value))}°" if unit == "rad" else quantity(value, unit)
