"""A raw model with distributions becomes parameters: laws in SI units, the places they stand at, how they depend.

What unit a place asks for is known to the model alone. So each distribution is first stood in for by a number near its
middle, the model is read, and the stand records the unit that was wanted; then the distribution is read in that unit.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flexarm.batched import Batch, Measured
from flexarm.errors import ModelError, Problem
from flexarm.model.arm import Arm
from flexarm.model.reading.distributions import (
    CORRELATION,
    OF_STUDIES,
    RANDOM,
    NumberPlaceholder,
    Path,
    Placeholder,
    TextPlaceholder,
    distributions_in,
)
from flexarm.model.reading.file import TOP, arm_from_dict, arm_to_dict
from flexarm.model.reading.messages import either, meant, place_of, shown
from flexarm.model.reading.paths import placed
from flexarm.model.reading.units import Dimension, read_unit
from flexarm.studies.parameters.dependence import Dependence, read_dependence
from flexarm.studies.parameters.distributions import Law, read_law
from flexarm.studies.parameters.numbers import Unsound


@dataclass(frozen=True)
class Parameter:
    """One random number of a model: its name is its place in the file, or random.NAME; SI units."""

    name: str
    unit: str
    mean: float
    deviation: float
    words: str
    paths: tuple[Path, ...] = field(repr=False)
    law: Law = field(repr=False, compare=False)

    @property
    def places(self) -> tuple[str, ...]:
        """The places of the model file where the number stands."""
        return tuple(place_of(path) for path in self.paths)

    def written(self, value: float) -> float | str:
        """A value as it may stand in the model file, with its unit."""
        return f"{float(value)!r} {self.unit}" if self.unit else float(value)

    def entries(self, value: float | Batch) -> list[tuple[Path, Any]]:
        """A value for each of its places: a plain number, with the unit only where a law finds its own unit by it."""
        laws = ("motion", "torque")
        if isinstance(value, Batch):
            measured = Measured(value.chunk, value.data, self.unit) if self.unit else value
            return [(path, measured if path[0] in laws else value) for path in self.paths]
        return [(path, self.written(value) if path[0] in laws else float(value)) for path in self.paths]


@dataclass(frozen=True)
class Found:
    """What is in a raw model with distributions; `data` stands alone, with the points of CSV files in it."""

    data: dict[str, Any]
    parameters: tuple[Parameter, ...]
    dependence: Dependence
    nominal: Arm


# Settings all samples share: they are compared at the same times.
_SHARED = (("simulation", "end"), ("simulation", "output"))


@dataclass
class _Uses:
    table: Mapping[str, Any]
    paths: list[Path]


def find(data: Mapping[str, Any], source: str, folder: str | os.PathLike[str] | None = None) -> Found:
    """The parameters and the nominal arm of a raw model; ModelError names every mistake with its place."""
    body = {key: value for key, value in data.items() if key not in OF_STUDIES}
    uses = _uses(data, body, source, folder)
    middles, problems = _read(uses, dict.fromkeys(uses))
    _raise(problems, source)
    stands = {path: _stand(middles[name]) for name, use in uses.items() for path in use.paths}
    arm_from_dict(placed(body, stands.items()), source=source, folder=folder)
    units, problems = _units(uses, stands, middles)
    laws, more = _read(uses, units)
    _raise([*problems, *more], source)
    parameters = tuple(
        Parameter(name, units[name] or "", law.mean, law.deviation, law.words, tuple(uses[name].paths), law)
        for name, law in laws.items()
    )
    try:
        dependence = read_dependence(data.get(CORRELATION), [parameter.name for parameter in parameters])
    except Unsound as reason:
        raise ModelError([Problem(CORRELATION, str(reason))], source=source) from None
    means = [entry for parameter in parameters for entry in parameter.entries(parameter.mean)]
    nominal = arm_from_dict(placed(body, means), source=source, folder=folder)
    return Found(_alone(data, nominal), parameters, dependence, nominal)


def _uses(data: Mapping[str, Any], body: Mapping[str, Any], source: str, folder: Any) -> dict[str, _Uses]:
    named = data.get(RANDOM, {})
    if not isinstance(named, Mapping):
        raise ModelError([Problem(TOP, f"random is {shown(named)}, must be tables [random.NAME]")], source=source)
    uses: dict[str, _Uses] = {}
    problems = []
    for path, table in distributions_in(body):
        if path in _SHARED:
            problems.append(
                Problem(place_of(path), "is a distribution, must be one time for all samples, which are compared at it")
            )
            continue
        if RANDOM not in table:
            uses[place_of(path)] = _Uses(table, [path])
            continue
        name = table[RANDOM]
        extra = [key for key in table if key != RANDOM]
        if extra:
            problems.append(Problem(place_of(path), f"{extra[0]} is given with random, must be left to [random.NAME]"))
        elif not isinstance(name, str) or not isinstance(named.get(name), Mapping):
            known = either(named) if named else "the name of a [random.NAME], of which there is none"
            problems.append(Problem(place_of(path), f"random is {shown(name)}, must be {known}{meant(name, named)}"))
        else:
            uses.setdefault(place_of((RANDOM, name)), _Uses(named[name], [])).paths.append(path)
    for name, table in named.items():
        place = place_of((RANDOM, name))
        if not isinstance(table, Mapping):
            problems.append(Problem(RANDOM, f"{name} is {shown(table)}, must be a distribution"))
        elif place not in uses and not problems:
            problems.append(Problem(place, f'is used nowhere, must stand somewhere as {{ random = "{name}" }}'))
    _raise(problems, source)
    if not uses:
        # A misspelt family becomes an ordinary mistake, whose message is more helpful.
        arm_from_dict(body, source=source, folder=folder)
        wanted = 'must hold one, such as length = { normal = ["0.53 m", "1 mm"] }'
        raise ModelError([Problem(TOP, f"the model holds no distribution, {wanted}")], source=source)
    return uses


def _read(uses: Mapping[str, _Uses], units: Mapping[str, str | None]) -> tuple[dict[str, Law], list[Problem]]:
    laws, problems = {}, []
    for name, use in uses.items():
        try:
            laws[name] = read_law(use.table, units[name])
        except Unsound as reason:
            problems.append(Problem(name, str(reason)))
    return laws, problems


def _stand(law: Law) -> Placeholder:
    d = law.dimension
    if d is None or d == Dimension():
        return NumberPlaceholder(law.mean)
    # Hz is a cycle per second: what it took from the time is given back.
    exponents = {"m": d.length, "kg": d.mass, "s": d.time + d.cycle, "rad": d.angle, "Hz": d.cycle, "A": d.current}
    factors = [unit if power == 1 else f"{unit}^{power}" for unit, power in exponents.items() if power]
    return TextPlaceholder(f"{law.mean!r} {' '.join(factors)}")


def _units(
    uses: Mapping[str, _Uses], stands: Mapping[Path, Placeholder], laws: Mapping[str, Law]
) -> tuple[dict[str, str | None], list[Problem]]:
    units: dict[str, str | None] = {}
    problems = []
    for name, use in uses.items():
        asked: list[str | None] = []
        for path in use.paths:
            if not stands[path].units:
                problems.append(
                    Problem(place_of(path), "is a distribution, must be given plainly: only quantities are random")
                )
            else:
                asked.append(_fitting(stands[path].units, laws[name].dimension))
        if len(set(asked)) > 1:
            found = " and ".join(sorted(str(unit or "no unit") for unit in set(asked)))
            problems.append(Problem(name, f"is used where {found} are asked for, must be used for one unit"))
        units[name] = asked[0] if asked else None
    return units, problems


def _fitting(asked: tuple[str, ...], dimension: Dimension | None) -> str | None:
    if len(asked) == 1:
        return asked[0]
    if dimension is not None:
        return next((unit for unit in asked if dimension.fits(read_unit(unit).dimension)), None)
    # Plain numbers where an angle or a length may stand: they are taken as they are.
    return None


def _alone(data: Mapping[str, Any], nominal: Arm) -> dict[str, Any]:
    whole = dict(data)
    for key in ("motion", "torque"):
        laws = whole.get(key, {})
        filed = [name for name, law in laws.items() if isinstance(law, Mapping) and law.get("file") is not None]
        if filed:
            written = arm_to_dict(nominal)[key]
            given = {name: {k: v for k, v in laws[name].items() if k not in ("file", "units")} for name in filed}
            whole[key] = {**laws, **{name: {**written[name], **given[name]} for name in filed}}
    return whole


def _raise(problems: list[Problem], source: str) -> None:
    if problems:
        raise ModelError(problems, source=source)
