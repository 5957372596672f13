"""Distributions in a model file: how they are recognised, and their placeholders while units are found.

An arm is made of numbers; `flexarm.studies` reads a file with distributions and makes an arm of every sample of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from flexarm.errors import ModelError, Problem

Path = tuple[int | str, ...]

# The key that makes a table a distribution; no part of a model has a key of such a name.
FAMILIES = (
    *("normal", "lognormal", "uniform", "triangular", "beta", "gamma", "gumbel", "weibull"),
    *("discrete", "openturns", "random"),
)
DISTRIBUTION_SCHEMA = {
    "description": "a distribution",
    "anyOf": [{"type": "object", "required": [family]} for family in FAMILIES],
}
# The outermost tables that only a study reads: distributions with a name, and how parameters depend on one another.
RANDOM = "random"
CORRELATION = "correlation"
# What the arm must do, and what of it is to be designed, as tables an arm can be read without.
REQUIREMENT = "requirement"
DESIGN = "design"
# How records of the arm were taken, and what is to be identified from them.
EXPERIMENT = "experiment"
OF_STUDIES = (RANDOM, CORRELATION, REQUIREMENT, DESIGN, EXPERIMENT)
# Tables whose keys are names the user gives, so that none of them can make the table a distribution.
_NAMES: tuple[Path, ...] = ((), ("motion",), ("torque",), ("material",), ("simulation", "start"))


class HasDistributions(ModelError):
    """A model file with distributions, read by what needs one arm."""


class Placeholder:
    """A number that stands for a distribution while the model is read, and remembers the units asked of it."""

    units: tuple[str, ...] = ()

    def __init__(self, *_: Any) -> None:
        self.units = ()

    def ask(self, units: Sequence[str]) -> None:
        """Remember the units that are allowed at its place."""
        self.units = tuple(units)

    def words(self) -> str:
        """What a message calls it."""
        return f"a distribution about {self}"


class TextPlaceholder(Placeholder, str):
    """A stand with a unit."""

    def words(self) -> str:
        """What a message calls it."""
        return f'a distribution about "{str.__str__(self)}"'


class NumberPlaceholder(Placeholder, float):
    """A stand without a unit."""

    def words(self) -> str:
        """What a message calls it."""
        return f"a distribution about {float(self):.6g}"


def distributions_in(data: Any, path: Path = ()) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The places of a raw model where a distribution stands, and its table."""
    if isinstance(data, Mapping):
        if path not in _NAMES and any(family in data for family in FAMILIES):
            yield path, data
            return
        for key, value in data.items():
            if isinstance(value, Mapping | list | tuple) and (path or key not in OF_STUDIES):
                yield from distributions_in(value, (*path, key))
    elif isinstance(data, list | tuple):
        for i, value in enumerate(data):
            if isinstance(value, Mapping | list | tuple):
                yield from distributions_in(value, (*path, i))


def refuse_distributions(data: Mapping[str, Any], source: str) -> None:
    """Raise HasDistributions with every place where the model holds one; nothing happens if it holds none."""
    from flexarm.model.reading.messages import place_of

    places = [place_of(path) for path, _ in distributions_in(data)]
    places += [key for key in (RANDOM, CORRELATION) if key in data]
    if places:
        wanted = "must be read by flexarm.read_study, whose nominal is the arm at the means"
        raise HasDistributions([Problem(place, f"holds a distribution, {wanted}") for place in places], source=source)
