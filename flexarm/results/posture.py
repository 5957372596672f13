"""The posture of an arm in one line."""

import math
from collections.abc import Mapping

from flexarm.results.engineering import digits, quantity


def posture_line(posture: Mapping[str, float], units: Mapping[str, str]) -> list[str]:
    """One line with every joint's coordinate, angles in degrees; no line where no joint is known."""
    shown = [f"{joint} {_shown(value, units.get(joint, 'rad'))}" for joint, value in posture.items()]
    return [f"  posture: {', '.join(shown)}"] if shown else []


def _shown(value: float, unit: str) -> str:
    return f"{digits(math.degrees(value))}°" if unit == "rad" else quantity(value, unit)
