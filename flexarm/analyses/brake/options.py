"""Options of a stop, read and checked: quantities with units, bounds by joint, and the lines of a model file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from pydantic_core import PydanticCustomError

from flexarm.analyses.brake.laws import TOGETHER, Stop
from flexarm.analyses.brake.runs import BrakeRuns
from flexarm.analyses.brake.search import StopBounds
from flexarm.errors import AnalysisError
from flexarm.model import Arm, MotionLaw
from flexarm.model.laws.motion import Accelerate, BangBangMotion, Brake, Cycloidal, TrapezoidalAcceleration
from flexarm.model.reading.messages import either, meant, quoted
from flexarm.model.reading.quantity import Quantity
from flexarm.results.engineering import digits

_TORQUE = {"rad": "N m", "m": "N"}
_DECELERATION = {"rad": "rad/s²", "m": "m/s²"}


def read_quantity(value: Any, unit: str, what: str) -> float:
    """A positive quantity in SI units from a number or a text with its unit."""
    try:
        return Quantity(unit, above=0).read_one(value, unit)
    except PydanticCustomError as error:
        assert error.context is not None
        raise AnalysisError(f"{what} {error.context['reason']}") from None


def read_between(between: Sequence[Any] | None, stops: Sequence[Stop], hold: str) -> tuple[tuple[float, float], str]:
    """The range of braking times (s), half to one and a half times the model's if none is given, and a remark."""
    longest = min(stop.longest(hold) for stop in stops)
    if between is None:
        own = max(stop.duration for stop in stops)
        return (0.5 * own, min(1.5 * own, longest)), ""
    if not isinstance(between, Sequence | np.ndarray) or isinstance(between, str) or len(between) != 2:
        raise AnalysisError(f"between is {between!r}, must be two braking times such as (0.4, 0.6)")
    low, high = (read_quantity(value, "s", "between") for value in between)
    if not low < high:
        raise AnalysisError(f"between is {low:.6g} to {high:.6g} s, must be rising")
    if low >= longest:
        raise AnalysisError(
            f"between begins at {low:.6g} s, must be < {longest:.6g} s: longer brakes would have to begin before the "
            "joint moves at its constant rate"
        )
    if high > longest * (1.0 + 1e-12):
        return (low, longest), f"braking times up to {longest:.6g} s only are possible, the range ends there"
    return (low, high), ""


def read_bounds(
    arm: Arm, runs: BrakeRuns, max_torque: Any, max_deceleration: Any, latest_stop: Any
) -> tuple[StopBounds, dict[str, str]]:
    """The bounds, and what they are in words."""
    described: dict[str, str] = {}
    names = [runs.compiled.coordinate_names[c] for c in runs.driven]
    units = {name: _TORQUE[arm.link(name).joint.unit] for name in names}
    torques = _by_joint(max_torque, "max_torque", units, described)
    units = {stop.joint: _DECELERATION[stop.unit] for stop in runs.stops}
    slowing = _by_joint(max_deceleration, "max_deceleration", units, described)
    latest = float("inf")
    if latest_stop is not None:
        latest = read_quantity(latest_stop, "s", "latest_stop")
        described["latest stop"] = f"≤ {digits(latest, 5)} s"
    order = [stop.joint for stop in runs.stops]
    return (
        StopBounds(
            {names.index(name): value for name, value in torques.items()},
            {order.index(name): value for name, value in slowing.items()},
            latest,
        ),
        described,
    )


def _by_joint(given: Any, what: str, units: Mapping[str, str], described: dict[str, str]) -> dict[str, float]:
    """Values by joint: of the joints named, or one for all whose unit it fits."""
    if given is None:
        return {}
    found: dict[str, float] = {}
    if isinstance(given, Mapping):
        for name, value in given.items():
            if name not in units:
                raise AnalysisError(
                    f"{what}: there is no such joint as {quoted(str(name))}, must be {either(tuple(units))}"
                    f"{meant(name, tuple(units))}"
                )
            found[name] = read_quantity(value, units[name], f"{what} of {quoted(name)}")
    else:
        first: AnalysisError | None = None
        for name, unit in units.items():
            try:
                found[name] = read_quantity(given, unit, what)
            except AnalysisError as error:
                first = first or error
        if not found and first is not None:
            raise first
    word = what.removeprefix("max_")
    for name, value in found.items():
        described[f"{word} of {name}"] = f"≤ {digits(value)} {units[name]}"
    return found


# --- In a model file -------------------------------------------------------------------------------------------------


def braked_arm(arm: Arm, stops: Sequence[Stop], hold: str, origin: float, time: float) -> Arm | None:
    """The arm with this braking time (s) in its motion laws; None if no kind of law can express it."""
    laws = _laws(arm, stops, hold, origin, time)
    if laws is None:
        return None
    return arm.changed(motions={**arm.motions, **{name: law for name, (law, _) in laws.items()}})


def pasted(arm: Arm, stops: Sequence[Stop], hold: str, origin: float, time: float) -> tuple[str, ...]:
    """Changes to the model file for this braking time (s), line by line; empty if no law can express it."""
    lines: list[str] = []
    for name, (law, keys) in (_laws(arm, stops, hold, origin, time) or {}).items():
        key = name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else f'"{name}"'
        lines.append(f"[motion.{key}]")
        written = law.model_dump()
        units = {"travel": law.unit or "rad", "acceleration": f"{law.unit or 'rad'}/s^2"}
        lines += [f'{each} = "{written[each]:.9g} {units.get(each, "s")}"' for each in keys]
    return tuple(lines)


def _laws(
    arm: Arm, stops: Sequence[Stop], hold: str, origin: float, time: float
) -> dict[str, tuple[MotionLaw, tuple[str, ...]]] | None:
    """The laws with this braking time by name, with the keys that change."""
    found: dict[str, tuple[MotionLaw, tuple[str, ...]]] = {}
    braked = {stop.joint: stop for stop in stops}
    for link in arm.links:
        name = link.joint.motion
        if name is None or name not in {arm.link(joint).joint.motion for joint in braked}:
            continue
        if link.name not in braked:
            return None  # the law also moves a joint that is not braked
        changed = _changed(arm.motions[name], braked[link.name], hold, origin - link.joint.delay, time)
        if changed is None:
            return None
        found[name] = changed
    return found


def _changed(
    law: MotionLaw, stop: Stop, hold: str, origin: float, time: float
) -> tuple[MotionLaw, tuple[str, ...]] | None:
    s = time / stop.duration
    changes: dict[str, float] = {}
    if isinstance(law, Brake) and hold != "path":
        changes = {"braking_time": time}
        if hold == "begin":
            changes["travel_time"] = law.travel_time + 0.5 * (time - law.braking_time)
    elif isinstance(law, Accelerate) and not law.back and hold != "path":
        changes = {"deceleration_time": time}
        if hold == "end":
            changes["constant_time"] = max(law.constant_time + 0.5 * (stop.duration - time), 0.0)
        else:
            down, steady = stop.duration, law.acceleration_time / 2 + law.constant_time
            changes["travel"] = law.travel * (steady + time / 2) / (steady + down / 2)
    elif hold == "path" and isinstance(law, Cycloidal | TrapezoidalAcceleration | BangBangMotion | Accelerate):
        if abs(law.begin - origin) > TOGETHER:
            return None
        if isinstance(law, Accelerate):
            down = law.acceleration_time if law.deceleration_time is None else law.deceleration_time
            changes = {"acceleration_time": law.acceleration_time * s, "deceleration_time": down * s}
            for key in ("constant_time", "dwell"):
                if getattr(law, key):
                    changes[key] = getattr(law, key) * s
        else:
            changes = {"duration": law.duration * s}
            if isinstance(law, BangBangMotion):
                changes["acceleration"] = law.acceleration / s**2
    if not changes:
        return None
    return law.changed(**changes), tuple(changes)
