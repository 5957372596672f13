"""What a command may ask for, read from numbers or texts, and what a run makes of it."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic_core import PydanticCustomError

from flexarm.analyses.shaping.optimum import CommandBounds
from flexarm.analyses.shaping.runs import Measures
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.reading.messages import either, meant, quoted
from flexarm.model.reading.quantity import Quantity
from flexarm.results.engineering import digits, quantity

Value = float | str
Limits = Value | Mapping[str, Value] | None

_TORQUE = {"rad": "N m", "m": "N"}
_RATE = {"rad": "rad/s", "m": "m/s"}


def read_bounds(arm: Arm, joints: list[str], torque: Limits, rate: Limits, duration: Value | None) -> CommandBounds:
    """Bounds in SI units; one value holds for all commanded joints it fits."""
    return CommandBounds(
        _by_joint(arm, joints, torque, _TORQUE, "max_torque"),
        _by_joint(arm, joints, rate, _RATE, "max_rate"),
        None if duration is None else _read(duration, ["s"], "max_duration"),
    )


def read_distance(within: Value) -> float:
    """A distance (m) to which the tip is to settle."""
    return _read(within, ["m"], "within")


def _by_joint(arm: Arm, joints: list[str], given: Limits, units: Mapping[str, str], key: str) -> dict[str, float]:
    if given is None:
        return {}
    if isinstance(given, Mapping):
        found = {}
        for name, value in given.items():
            if name not in joints:
                known = either(joints)
                raise AnalysisError(
                    f"{key}: no commanded joint is called {quoted(str(name))}, must be {known}{meant(name, joints)}"
                )
            found[name] = _read(value, [units[arm.link(name).joint.unit]], f"{key} of {quoted(name)}")
        return found
    fitting = sorted({units[arm.link(name).joint.unit] for name in joints}, reverse=True)
    value = _read(given, fitting, key)
    found = {}
    for name in joints:
        unit = units[arm.link(name).joint.unit]
        if not isinstance(given, str) or unit in Quantity({each: each for each in fitting}, by="unit").choices(given):
            found[name] = value
    return found


def _read(value: Value, units: list[str], key: str) -> float:
    reader = Quantity({unit: unit for unit in units}, by="unit", above=0)
    try:
        return reader.read_one(value, units[0] if len(units) == 1 else None)
    except PydanticCustomError as error:
        raise AnalysisError(f"{key} {error.message()}") from None


def broken(arm: Arm, bounds: CommandBounds, found: Measures, duration: float) -> tuple[str, ...]:
    """A sentence for each bound a run breaks."""
    broken = []
    if bounds.duration is not None and duration > bounds.duration * (1.0 + 1e-9):
        broken.append(f"takes {digits(duration)} s, more than {digits(bounds.duration)} s")
    for name, most in bounds.torque.items():
        if found.torque[name] > most * (1.0 + 1e-9):
            unit = _TORQUE[arm.link(name).joint.unit]
            broken.append(f'"{name}" needs {quantity(found.torque[name], unit)}, more than {quantity(most, unit)}')
    for name, most in bounds.rate.items():
        if found.rate[name] > most * (1.0 + 1e-9):
            unit = _RATE[arm.link(name).joint.unit]
            broken.append(f'"{name}" reaches {quantity(found.rate[name], unit)}, more than {quantity(most, unit)}')
    return tuple(broken)
