"""The [design] table of a model file: what is to be least, and which numbers are free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from flexarm.errors import AnalysisError
from flexarm.model.reading.messages import quoted, shown
from flexarm.model.reading.quantity import is_number
from flexarm.studies.derivatives.directions import Directions
from flexarm.studies.parameters.quantities import read_quantity

_KEYS = ("minimise", "vary")
_VARY_KEYS = ("where", "from", "to", "catalogue")


@final
@dataclass(frozen=True)
class Varied:
    """A number that is free between two bounds, or among those of a catalogue; SI."""

    where: str
    low: float
    high: float
    catalogue: tuple[float, ...] = ()


@final
@dataclass(frozen=True)
class Task:
    """What is to be least, a weighted sum of words, and what is free."""

    minimise: Mapping[str, float]
    where: tuple[str, ...]
    entries: tuple[Mapping[str, Any], ...]

    def varied(self, directions: Directions) -> tuple[Varied, ...]:
        """The free numbers with their bounds, in the units of their places."""
        return tuple(_varied(k, entry, directions.units[k]) for k, entry in enumerate(self.entries))


def read_task(table: Any) -> Task:
    """The table, checked but for units, which are those of the places it names."""
    if not isinstance(table, Mapping):
        raise AnalysisError(f"design is {shown(table)}, must be a table [design]")
    for key in table:
        if key not in _KEYS:
            raise AnalysisError(f"design.{key} is not a key known here, allowed are {', '.join(_KEYS)}")
    entries = table.get("vary")
    if not isinstance(entries, Sequence) or isinstance(entries, str) or not entries:
        raise AnalysisError("design.vary is missing, must be [[design.vary]] tables with where, from and to")
    for k, entry in enumerate(entries):
        if not isinstance(entry, Mapping) or not isinstance(entry.get("where"), str):
            raise AnalysisError(f"design.vary[{k}] is {shown(entry)}, must be a table with where, from and to")
        for key in entry:
            if key not in _VARY_KEYS:
                raise AnalysisError(
                    f"design.vary[{k}].{key} is not a key known here, allowed are {', '.join(_VARY_KEYS)}"
                )
    where = tuple(str(entry["where"]) for entry in entries)
    return Task(_minimised(table.get("minimise")), where, tuple(entries))


def _minimised(value: Any) -> dict[str, float]:
    wanted = 'must be an output such as "mass" or "residual", or a table of outputs and their weights'
    if isinstance(value, str) and value.strip():
        return {value.strip(): 1.0}
    if isinstance(value, Mapping) and value and all(is_number(weight) and weight > 0 for weight in value.values()):
        return {str(word).strip(): float(weight) for word, weight in value.items()}
    raise AnalysisError(f"design.minimise is {shown(value)}, {wanted}")


def _varied(k: int, entry: Mapping[str, Any], unit: str) -> Varied:
    place = f"design.vary[{k}]"

    def read(key: str, value: Any) -> float:
        try:
            return read_quantity(value, unit)
        except Exception as error:
            raise AnalysisError(f"{place}.{key} {error}") from None

    where = str(entry["where"])
    catalogue: tuple[float, ...] = ()
    if entry.get("catalogue") is not None:
        given = entry["catalogue"]
        if not isinstance(given, Sequence) or isinstance(given, str) or len(given) < 2:
            raise AnalysisError(f"{place}.catalogue is {shown(given)}, must be a list of at least two quantities")
        catalogue = tuple(sorted({read("catalogue", each) for each in given}))
    for key in ("from", "to"):
        if entry.get(key) is None and not catalogue:
            raise AnalysisError(f"{place}.{key} is missing, must be a bound of {quoted(where)}")
    low = read("from", entry["from"]) if entry.get("from") is not None else catalogue[0]
    high = read("to", entry["to"]) if entry.get("to") is not None else catalogue[-1]
    if catalogue:
        catalogue = tuple(each for each in catalogue if low <= each <= high)
        if not catalogue:
            raise AnalysisError(f"{place}.catalogue holds nothing between from and to")
        low, high = catalogue[0], catalogue[-1]
    if not low < high and len(catalogue) != 1:
        raise AnalysisError(f"{place}.to is {high:.6g} {unit}, must be > from, {low:.6g} {unit}")
    return Varied(where, low, high, catalogue)
