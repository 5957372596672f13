"""How records were taken: which column is which sensor, which of them drive the arm, what is to be found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from flexarm.errors import FlexarmError
from flexarm.model.reading.distributions import EXPERIMENT
from flexarm.model.reading.messages import either, meant, quoted, shown
from flexarm.results.measured import Measured
from flexarm.studies.parameters.quantities import read_quantity

KEYS = ("name", "columns", "inputs", "locked", "vary", "bandwidth", "start")
# Hz: of a record's inputs, where nothing else is asked for.
BANDWIDTH = 20.0


@final
@dataclass(frozen=True)
class Vary:
    """A place of the model file to be found: its range, and what is known of it (mean and deviation), as written."""

    path: str
    within: tuple[Any, Any] | None = None
    prior: tuple[Any, Any] | None = None


@final
@dataclass(frozen=True)
class Experiment:
    """One way in which records are taken: column → sensor, the sensors whose columns drive the arm."""

    name: str
    columns: Mapping[str, str]
    inputs: tuple[str, ...]
    locked: tuple[str, ...] = ()
    vary: tuple[Vary, ...] = ()
    bandwidth: float = BANDWIDTH
    start: str | None = None

    @property
    def outputs(self) -> dict[str, str]:
        """Column → sensor of what the model has to predict."""
        return {column: sensor for column, sensor in self.columns.items() if sensor not in self.inputs}

    def missing(self, record: Measured) -> list[str]:
        """The columns that a record does not have."""
        return [column for column in self.columns if column not in record.columns]


def experiments_in(data: Mapping[str, Any], source: str) -> list[Experiment]:
    """The experiments in a raw model; a mistake is refused with its place."""
    entries = data.get(EXPERIMENT, [])
    if not isinstance(entries, list | tuple) or not all(isinstance(entry, Mapping) for entry in entries):
        raise FlexarmError(f"{source}: experiment is {shown(entries)}, must be tables [[experiment]]")
    found = []
    for k, entry in enumerate(entries):
        try:
            found.append(_experiment(entry, k))
        except FlexarmError as error:
            raise FlexarmError(f"{source}: experiment[{k}]: {error}") from None
    return found


def fitting(experiments: Sequence[Experiment], record: Measured, source: str) -> Experiment:
    """The first experiment all of whose columns the record has."""
    for each in experiments:
        if not each.missing(record):
            return each
    if not experiments:
        raise FlexarmError(
            f"{source}: has no [[experiment]], must have one, such as columns = {{ hub_angle_rad = SENSOR, … }} with "
            "inputs = [SENSOR]"
        )
    nearest = min(experiments, key=lambda each: len(each.missing(record)))
    gone = nearest.missing(record)
    raise FlexarmError(
        f"{record.name}: fits no [[experiment]], the nearest, {quoted(nearest.name)}, lacks the column "
        f"{quoted(gone[0])}{meant(gone[0], list(record.columns))}; the record has {', '.join(record.columns)}"
    )


def varied(words: Iterable[Any]) -> tuple[Vary, ...]:
    """Places to be found from texts, or from tables with path, within and prior."""
    found = []
    for word in words:
        if isinstance(word, Vary):
            found.append(word)
        elif isinstance(word, str):
            found.append(Vary(word.strip()))
        elif isinstance(word, Mapping) and isinstance(word.get("path"), str):
            unknown = [key for key in word if key not in ("path", "within", "prior")]
            if unknown:
                raise FlexarmError(f"vary has {unknown[0]}, must have path, within and prior alone")
            found.append(Vary(word["path"], _pair(word, "within"), _pair(word, "prior")))
        else:
            raise FlexarmError(f'vary holds {shown(word)}, must hold places such as "link[0].payload.inertia"')
    return tuple(found)


def _pair(word: Mapping[str, Any], key: str) -> tuple[Any, Any] | None:
    value = word.get(key)
    if value is None:
        return None
    if not isinstance(value, list | tuple) or len(value) != 2:
        wanted = "[least, greatest]" if key == "within" else "[mean, deviation]"
        raise FlexarmError(f"{key} of {word['path']} is {shown(value)}, must be {wanted}")
    return value[0], value[1]


def _experiment(entry: Mapping[str, Any], k: int) -> Experiment:
    for key in entry:
        if key not in KEYS:
            raise FlexarmError(f"{key} is not known, must be {either(KEYS)}{meant(key, KEYS)}")
    columns = entry.get("columns")
    if not isinstance(columns, Mapping) or not columns or not all(isinstance(each, str) for each in columns.values()):
        raise FlexarmError(f"columns is {shown(columns)}, must be a table COLUMN = SENSOR")
    inputs = _names(entry, "inputs")
    for name in inputs:
        if name not in columns.values():
            raise FlexarmError(f"inputs holds {quoted(name)}, must be a sensor of columns")
    if set(columns.values()) <= set(inputs):
        raise FlexarmError("columns has inputs alone, must have one that the model is to predict")
    bandwidth = BANDWIDTH
    if "bandwidth" in entry:
        try:
            bandwidth = read_quantity(entry["bandwidth"], "Hz", above=0.0)
        except FlexarmError as error:
            raise FlexarmError(f"bandwidth {error}") from None
    start = entry.get("start")
    if start is not None and start not in ("rest", "static", "steady"):
        raise FlexarmError(f"start is {shown(start)}, must be {either(('rest', 'static', 'steady'))}")
    vary = entry.get("vary", [])
    return Experiment(
        str(entry.get("name", f"experiment {k + 1}")),
        dict(columns),
        inputs,
        _names(entry, "locked"),
        varied(vary if isinstance(vary, list | tuple) else [vary]),
        bandwidth,
        start,
    )


def _names(entry: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = entry.get(key, [])
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        raise FlexarmError(f"{key} is {shown(value)}, must be a list of names")
    return tuple(value)
