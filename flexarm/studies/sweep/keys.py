"""The keys a sweep varies, each with its values: as they may stand in the model file, and as numbers in SI units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from flexarm.errors import AnalysisError, FlexarmError
from flexarm.model.reading.distributions import Path
from flexarm.model.reading.messages import quoted, shown
from flexarm.model.reading.paths import can_hold, path_of
from flexarm.model.reading.quantity import is_number
from flexarm.model.reading.units import UnitError, read_measure
from flexarm.studies.parameters.quantities import whole_number
from flexarm.studies.parameters.study_model import plain_data

MOST_KEYS, MOST_VALUES = 2, 100_000
_FORMS = 'a range such as "1 mm:4 mm:31" (from, to, how many) or a list of values'


@final
@dataclass(frozen=True)
class Key:
    """A key of the model file and the values it takes: `written` as in a file; `unit` is that of its numbers."""

    name: str
    path: Path
    written: tuple[Any, ...]
    unit: str = ""

    def __len__(self) -> int:
        return len(self.written)

    @property
    def values(self) -> tuple[Any, ...]:
        """The values in SI units where they are quantities, else as they are written."""
        numbers = [_number(value) for value in self.written]
        return self.written if any(value is None for value in numbers) else tuple(numbers)

    @property
    def numeric(self) -> bool:
        """True if every value is a quantity."""
        return all(_number(value) is not None for value in self.written)

    def in_unit(self, unit: str) -> Key:
        """The key whose values are given in a unit of the model file."""
        return replace(self, unit=unit)


def read_keys(data: Mapping[str, Any], vary: Any) -> tuple[Key, ...]:
    """The one or two keys of the raw model that are varied; whatever cannot be is refused."""
    if not isinstance(vary, Mapping) or not vary:
        raise AnalysisError(f'vary is {shown(vary)}, must map keys to values: {{"link[0].length": ("1 m", "2 m", 11)}}')
    if len(vary) > MOST_KEYS:
        raise AnalysisError(f"vary has {len(vary)} keys, must have one or two")
    keys = []
    for name, given in vary.items():
        path = path_of(str(name))
        if path is None or not can_hold(data, path):
            raise AnalysisError(f'{quoted(str(name))} is not a key of the model, must be one such as "link[0].length"')
        keys.append(Key(str(name), path, tuple(_values(str(name), given))))
    if (count := int(np.prod([len(key) for key in keys]))) > MOST_VALUES:
        raise AnalysisError(f"vary asks for {count} arms, must be at most {MOST_VALUES}")
    return tuple(keys)


def _values(name: str, given: Any) -> Sequence[Any]:
    """The values of a key, each as it may stand in a model file."""
    given = plain_data(given) if not isinstance(given, tuple) else given
    if isinstance(given, str):
        given = read_text(given)
    if isinstance(given, tuple) and len(given) == 3:
        return _spaced(name, *given)
    if not isinstance(given, list) or not given:
        raise AnalysisError(f"vary: {name} is {shown(given)}, must be {_FORMS}")
    for value in given:
        if isinstance(value, Mapping | list):
            raise AnalysisError(f"vary: {name} holds {shown(value)}, must hold single values")
    return [plain_data(value) for value in given]


def read_text(text: str) -> Any:
    """A range "FROM:TO:COUNT" as a tuple, or the values "A,B,C" as a list."""
    parts = [part.strip() for part in text.split(":")]
    if len(parts) == 3 and all(parts):
        return tuple(_word(part) for part in parts)
    return [_word(part.strip()) for part in text.split(",") if part.strip()] if len(parts) == 1 else text


def _word(text: str) -> Any:
    """A number or a truth value where the text is one, else the text."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _spaced(name: str, first: Any, last: Any, count: Any) -> list[Any]:
    """Evenly spaced values, in the unit both ends are written in."""
    number = whole_number(f"vary: the number of values of {name}", count, 2, MOST_VALUES)
    (low, unit), (high, other) = (_split(name, end) for end in (plain_data(first), plain_data(last)))
    if unit != other:
        raise AnalysisError(f"vary: {name} goes from {shown(first)} to {shown(last)}, must be in one unit")
    if low == high:
        raise AnalysisError(f"vary: {name} goes from {shown(first)} to {shown(last)}, must be two values")
    places = np.linspace(low, high, number).tolist()
    if unit:
        # twelve digits: 2.3 mm is written so, not as the 2.3000000000000003 that spacing makes of it
        return [f"{place:.12g} {unit}" for place in places]
    whole = isinstance(first, int) and isinstance(last, int) and all(place == round(place) for place in places)
    return [round(place) for place in places] if whole else [float(f"{place:.12g}") for place in places]


def _split(name: str, end: Any) -> tuple[float, str]:
    """Number and unit of one end of a range."""
    if is_number(end) and np.isfinite(end):
        return float(end), ""
    if isinstance(end, str):
        number, _, unit = end.strip().partition(" ")
        try:
            read_measure(end)
            return float(number), unit.strip()
        except (UnitError, OverflowError, ValueError):
            pass
    raise AnalysisError(f'vary: {name} has the end {shown(end)}, must be a number or a quantity such as "1 mm"')


def _number(value: Any) -> float | None:
    """A written value in SI units; None if it is no quantity."""
    if is_number(value):
        return value if isinstance(value, int) else float(value)
    if not isinstance(value, str):
        return None
    try:
        return read_measure(value)[0]
    except (UnitError, OverflowError, ValueError):
        return None


def grid_indices(keys: Iterable[Key], begin: int, end: int) -> np.ndarray:
    """Which value each key has at the points begin … end − 1 of the grid (points, keys); the last key runs fastest."""
    return np.array(np.unravel_index(np.arange(begin, end), [len(key) for key in keys])).T


def vary_of(words: Iterable[str]) -> dict[str, Any]:
    """Keys and values from texts "KEY=FROM:TO:COUNT" or "KEY=A,B,C"; a text that is neither is refused."""
    found: dict[str, Any] = {}
    for word in words:
        name, equals, text = (part.strip() for part in word.partition("="))
        if not equals or not name or not text or (":" in text and len(text.split(":")) != 3):
            raise FlexarmError(f'--vary is "{word}", must be KEY=FROM:TO:COUNT or KEY=A,B,C')
        if name in found:
            raise FlexarmError(f'--vary: "{name}" is given twice, must be given once')
        found[name] = read_text(text)
    return found
