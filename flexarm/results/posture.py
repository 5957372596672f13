"""The posture of an arm, and how it spins, in a few words."""

import math
from collections.abc import Mapping, Sequence

from flexarm.results.engineering import digits, quantity

_STATES = {"locked": "locked", "free": "free", "servo": "under their servos"}


def posture_line(posture: Mapping[str, float], units: Mapping[str, str]) -> list[str]:
    """One line with every joint's coordinate, angles in degrees; no line where no joint is known."""
    told = [f"{joint} {shown(value, units.get(joint, 'rad'))}" for joint, value in posture.items()]
    return [f"  posture: {', '.join(told)}"] if told else []


def joints_told(joints: str | Sequence[str] | Mapping[str, str]) -> str:
    """What the joints do: "the joints locked", "the joints under their servos", or those that are free by name; of a
    mapping from joint to "locked", "free" or "servo" every kind by name where there are servos among them.
    """
    if isinstance(joints, Mapping):
        found = list(dict.fromkeys(joints.values()))
        if len(found) < 2:
            return f"the joints {_STATES[found[0] if found else 'locked']}"
        if "servo" not in found:
            return _named([name for name in joints if joints[name] == "free"], "free")
        parts = [_named([name for name in joints if joints[name] == state], state) for state in found]
        return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 2 else parts)
    if isinstance(joints, str):
        return f"the joints {_STATES.get(joints, joints)}"
    return _named(joints, "free") if joints else "the joints locked"


def _named(names: Sequence[str], state: str) -> str:
    if len(names) == 1:
        return f"joint {names[0]} {_STATES[state].replace('their servos', 'its servo')}"
    return f"the joints {', '.join(names)} {_STATES[state]}"


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
