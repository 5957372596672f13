"""The numbers that are found: where they stand, where they begin, their range, and the scale they are looked for on."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.model.arm import Arm
from flexarm.model.parts.part import Part
from flexarm.model.reading.distributions import Path
from flexarm.model.reading.messages import either, meant, quoted
from flexarm.model.reading.paths import can_hold, path_of, placed
from flexarm.studies.identify.experiments import Vary
from flexarm.studies.parameters.quantities import read_quantity
from flexarm.studies.parameters.reading import find
from flexarm.studies.parameters.study_model import StudyModel

# Keys of a sensor that change what is read of a run and not the run.
OBSERVED = (("gain",), ("bias",), ("delay",), ("filter", "frequency"), ("filter", "ratio"))
# A number without a range may go so many times up or down.
_FAR = 1e3
_NAMED = re.compile(r"(?P<list>link|sensor|gauge|point|load)\[(?P<name>[^\]\d][^\]]*)\]")
# Deviation of the stand-in distributions: of no consequence.
_STAND_IN = 1e-3


@final
@dataclass(frozen=True)
class Free:
    """A number to be found; SI. On a logarithmic scale where it is positive and may not change its sign."""

    name: str
    path: Path
    unit: str
    start: float
    low: float
    high: float
    prior: tuple[float, float] | None
    logarithmic: bool
    scale: float

    @property
    def observed(self) -> bool:
        """True if it changes what a sensor reads of a run, and not the run."""
        return self.path[0] == "sensor" and tuple(self.path[2:]) in OBSERVED

    @property
    def theta_limits(self) -> tuple[float, float]:
        """Its range on the scale it is looked for on."""
        return (
            self.theta(self.low) if np.isfinite(self.low) else -np.inf,
            self.theta(self.high) if np.isfinite(self.high) else np.inf,
        )

    def theta(self, value: float) -> float:
        """The number on the scale it is looked for on, zero at the start."""
        return math.log(value / self.start) if self.logarithmic else (value - self.start) / self.scale

    def value(self, theta: float) -> float:
        """The number itself."""
        return (
            self.start * math.exp(min(max(theta, -500.0), 500.0))
            if self.logarithmic
            else self.start + self.scale * theta
        )

    def slope(self, value: float) -> float:
        """How much the number changes for a change on its scale."""
        return value if self.logarithmic else self.scale


def numbered(data: Mapping[str, Any], place: str) -> Path:
    """The path of a place whose lists may be indexed by name; one that is not there is refused."""

    def index(match: re.Match[str]) -> str:
        kind, name = match["list"], match["name"].strip().strip('"')
        names = [each.get("name") for each in data.get(kind, []) if isinstance(each, Mapping)]
        if name not in names:
            known = [str(each) for each in names]
            allowed = f"must be {either(known)}{meant(name, known)}" if known else f"the file has no [[{kind}]]"
            raise FlexarmError(f"vary: there is no {kind} {quoted(name)}, {allowed}")
        return f"{kind}[{names.index(name)}]"

    path = path_of(_NAMED.sub(index, place))
    if path is None or not can_hold(data, path):
        raise FlexarmError(f'vary: {quoted(place)} is not a place of the model, must be one such as "link[0].length"')
    return path


def free_parameters(data: Mapping[str, Any], nominal: Arm, wanted: Sequence[Vary], source: str) -> list[Free]:
    """The numbers to be found, with their starts from the model file."""
    found: list[Free] = []
    for each in wanted:
        path = numbered(data, each.path)
        if any(other.path == path for other in found):
            continue
        start, unit = _start(data, nominal, path, each.path, source)
        within = None if each.within is None else [_number(each, "within", value, unit) for value in each.within]
        prior = None if each.prior is None else [_number(each, "prior", value, unit) for value in each.prior]
        if within is not None and not within[0] < within[1]:
            raise FlexarmError(f"vary: within of {each.path} is [{within[0]:.6g}, {within[1]:.6g}], must rise")
        if within is not None and not within[0] <= start <= within[1]:
            start = min(max(start, within[0]), within[1])
        logarithmic = start > 0.0 and (within is None or within[0] > 0.0)
        scale = abs(start)
        if within is not None and not logarithmic:
            scale = 0.5 * (within[1] - within[0])
        if scale == 0.0:
            # an offset of a sensor: in units of what is measured, whatever that is
            if tuple(path[2:]) != ("bias",):
                raise FlexarmError(
                    f"vary: {each.path} starts at 0, must have a range, "
                    f'{{ path = "{each.path}", within = [least, greatest] }}'
                )
            scale = 1.0
        low, high = (
            within if within is not None else ((start / _FAR, start * _FAR) if logarithmic else (-np.inf, np.inf))
        )
        pair = None if prior is None else (prior[0], prior[1])
        found.append(Free(each.path, path, unit, start, low, high, pair, logarithmic, scale))
    return found


def stood_in(data: Mapping[str, Any], free: Sequence[Free], source: str) -> StudyModel | None:
    """A study whose random parameters are those numbers that change the run, in their order; None if there are none."""
    entries = []
    for each in free:
        if not each.observed:
            size = _STAND_IN * (abs(each.start) or each.scale)
            mean, deviation = (f"{value!r} {each.unit}".strip() for value in (each.start, size))
            entries.append((each.path, {"normal": [mean, deviation] if each.unit else [each.start, size]}))
    return StudyModel(find(placed(data, entries), source), source) if entries else None


def _number(each: Vary, key: str, value: Any, unit: str) -> float:
    try:
        return read_quantity(value, unit)
    except FlexarmError as error:
        raise FlexarmError(f"vary: {key} of {each.path} {error}") from None


def _start(data: Mapping[str, Any], nominal: Arm, path: Path, place: str, source: str) -> tuple[float, str]:
    """The value in the file (SI), or the default of its key, and its unit."""
    here: Any = data
    for step in path:
        here = here.get(step) if isinstance(here, Mapping) else here[step]  # type: ignore[index]
    unit = _unit(data, path, here, place, source)
    if here is None:
        default = _default(nominal, path)
        if default is None:
            raise FlexarmError(f"vary: {place} is not in the model file, must be given there: its value is the start")
        return default, unit
    try:
        return read_quantity(here, unit), unit
    except FlexarmError as error:
        raise FlexarmError(f"vary: {place} {error}") from None


def _unit(data: Mapping[str, Any], path: Path, value: Any, place: str, source: str) -> str:
    """The unit that the model asks for at a place: found by a distribution that stands in there."""
    middle = 1.0 if value is None else value
    small = 0.001
    text = isinstance(middle, str)
    deviation: Any = small
    if text:
        number, _, word = str(middle).strip().partition(" ")
        deviation = f"{abs(float(number)) * small or small!r} {word}" if _plain(number) else middle
    elif isinstance(middle, int | float) and not isinstance(middle, bool):
        deviation = abs(middle) * small or small
        middle = float(middle)
    else:
        raise FlexarmError(f"vary: {place} is no number, must be one that can be found")
    try:
        study = StudyModel(find(placed(data, [(path, {"normal": [middle, deviation]})]), source), source)
    except FlexarmError as error:
        raise FlexarmError(f"vary: {place}: {error}") from None
    return study.parameters[0].unit


def _plain(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _default(nominal: Arm, path: Path) -> float | None:
    """The default of a key that the file leaves out."""
    fields = {(field.alias or name): name for name, field in Arm.model_fields.items()}
    here: Any = nominal
    for step in path:
        if isinstance(here, Part):
            here = getattr(here, fields.get(str(step), str(step)) if isinstance(here, Arm) else str(step), None)
        elif isinstance(here, Mapping):
            here = here.get(step)
        elif isinstance(here, tuple) and isinstance(step, int):
            here = here[step]
        else:
            return None
    return float(here) if isinstance(here, int | float) and not isinstance(here, bool) else None
