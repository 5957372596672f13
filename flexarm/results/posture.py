"""The posture and spin of an arm, as text."""

import math
from collections.abc import Mapping, Sequence

from flexarm.results.engineering import digits, quantity

_STATES = {"locked": "locked", "free": "free", "servo": "under their servos"}


def posture_line(posture: Mapping[str, float], units: Mapping[str, str]) -> list[str]:
    """One line with every joint's coordinate, angles in degrees; no line where no joint is known."""
    entries = [f"{joint} {shown(value, units.get(joint, 'rad'))}" for joint, value in posture.items()]
    return [f"  posture: {', '.join(entries)}"] if entries else []


def describe_joints(joints: str | Sequence[str] | Mapping[str, str]) -> str:
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


def judged_with(states: Mapping[str, str]) -> str:
    """What the joints do while a command is judged, from joint to "locked", "free" or "servo"."""
    words = {"locked": "on the command", "free": "free", "servo": "under servo"}
    parts = [(words[state], [name for name in states if states[name] == state]) for state in words]
    found = [(word, names) for word, names in parts if names]
    if len(found) == 1:
        return found[0][0]
    return "; ".join(f"{', '.join(names)} {word}" for word, names in found)


def _named(names: Sequence[str], state: str) -> str:
    if len(names) == 1:
        return f"joint {names[0]} {_STATES[state].replace('their servos', 'its servo')}"
    return f"the joints {', '.join(names)} {_STATES[state]}"


def describe_spin(spin: Mapping[str, float]) -> str:
    """The spin, to end a sentence with; nothing at standstill."""
    entries = [f"{joint} spins at {digits(rate)} rad/s ({rpm(rate)})" for joint, rate in spin.items()]
    return "".join(f", {words}" for words in entries)


def rpm(rate: float) -> str:
    """A rate (rad/s) in revolutions per minute."""
    return f"{digits(rate * 30.0 / math.pi)} rpm"


def shown(value: float, unit: str) -> str:
    """A joint's coordinate for the reader: angles in degrees."""
    return f"{digits(math.degrees(value))}°" if unit == "rad" else quantity(value, unit)
