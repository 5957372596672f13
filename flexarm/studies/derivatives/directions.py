"""What is derived by: numbers of a model file, named by their paths, and how far they are varied in its assembly."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError, ModelError
from flexarm.model import Arm
from flexarm.model.reading.file import arm_to_dict
from flexarm.model.reading.messages import place_of, quoted, shown
from flexarm.model.reading.paths import can_hold, path_of
from flexarm.model.reading.quantity import is_number
from flexarm.studies.parameters.study_model import StudyModel, study_of

# Offsets, in steps, and weights of the central difference of fourth order, by which the assembly of an arm is derived.
# A step is so large a part of the number that rounding (1e-16/STEP) and the fifth derivative (STEP⁴/30) both stay
# below 1e-12 of what changes in proportion.
OFFSETS = np.array([-2.0, -1.0, 1.0, 2.0])
WEIGHTS = np.array([1.0, -8.0, 8.0, -1.0]) / 12.0
STEP = 1e-3
_WRITTEN = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(.*)")


@final
@dataclass(frozen=True, eq=False)
class Directions:
    """Numbers of a model in the order asked for; `scale` is what counts as a change of each by its whole size."""

    study: StudyModel
    places: tuple[str, ...]
    units: tuple[str, ...]
    values: Floats  # (n,) SI
    scale: Floats  # (n,)
    order: tuple[int, ...]  # where each stands among the parameters of the study

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.places)

    @property
    def steps(self) -> Floats:
        """How far each is varied (n,)."""
        return STEP * self.scale

    def at(self, values: Floats) -> Directions:
        """The same about other numbers (n,)."""
        sizes = np.maximum(np.abs(values), 1e-3 * self.scale)
        return replace(self, values=np.asarray(values, float), scale=sizes)

    @property
    def arm(self) -> Arm:
        """The arm with these numbers."""
        return self.study.arm(self.ordered(self.values))

    def rows(self) -> Floats:
        """The nominal numbers and then, for each direction, those at every offset (1 + 4 n, n)."""
        found = np.repeat(self.values[None], 1 + len(OFFSETS) * self.count, axis=0)
        for j in range(self.count):
            begin = 1 + len(OFFSETS) * j
            found[begin : begin + len(OFFSETS), j] += OFFSETS * self.steps[j]
        return found

    def ordered(self, row: Floats) -> Floats:
        """A row in the order of the study's parameters."""
        found = np.empty(self.count)
        found[list(self.order)] = row
        return found


def directions_of(arm: Arm, by: Sequence[str]) -> Directions:
    """The numbers at these paths; a path that is no place of the model, or holds no quantity, is refused."""
    if isinstance(by, str):
        by = [by]
    if not by:
        raise AnalysisError('by is empty, must name at least one number of the model, such as "link[0].length"')
    data = arm_to_dict(arm)
    places: list[str] = []
    tables: dict[str, dict[str, Any]] = {}
    for word in by:
        place, value = _found(arm, data, word)
        if place in places:
            raise AnalysisError(f"by names {quoted(place)} twice, must name every number once")
        places.append(place)
        tables[place] = {"normal": value, "sd": _spread(word, value)}
    try:
        study = study_of(arm, tables)
    except ModelError as error:
        raise AnalysisError("by: " + "; ".join(str(problem) for problem in error.problems)) from None
    order = tuple(study.names.index(place) for place in places)
    parameters = [study.parameters[k] for k in order]
    values = np.array([each.mean for each in parameters])
    natural = np.array([1.0 if value == 0.0 else abs(value) for value in values])
    return Directions(study, tuple(places), tuple(each.unit for each in parameters), values, natural, order)


def _found(arm: Arm, data: dict[str, Any], word: str) -> tuple[str, Any]:
    """The place as messages write it, and what stands there."""
    path = path_of(word) if isinstance(word, str) else None
    wanted = 'must be a place of the model such as "link[0].length"'
    if path is None or not can_hold(data, path):
        raise AnalysisError(f"by: {shown(word)} is no place of the model, {wanted}")
    if path[0] == "simulation" and path[1:2] != ("start",):
        raise AnalysisError(
            f"by: {quoted(word)} is a setting of the run, must be a number of the arm or of its command"
        )
    here: Any = data
    for step in path:
        here = here[step] if isinstance(step, int) else here.get(step)
    if here is None:
        here = _default(arm, path)
    if here is None:
        raise AnalysisError(f"by: {quoted(word)} is not given in the model, must be given there to be derived by")
    if isinstance(here, bool) or not (is_number(here) or (isinstance(here, str) and _WRITTEN.fullmatch(here))):
        raise AnalysisError(f"by: {quoted(word)} is {shown(here)}, must be one quantity")
    return place_of(path), here


def _default(arm: Any, path: Sequence[int | str]) -> float | None:
    """The number of a part that is not written because it is what it would be anyway; SI."""
    here = arm
    for step in path:
        if isinstance(step, int):
            here = here[step] if isinstance(here, tuple) and step < len(here) else None
        elif isinstance(here, Mapping):
            here = here.get(step)
        else:
            fields = getattr(type(here), "model_fields", {})
            name = next((name for name, field in fields.items() if step in (name, field.alias)), None)
            here = None if name is None else getattr(here, name)
    return float(here) if is_number(here) else None


def _spread(word: str, value: Any) -> Any:
    """A deviation with the unit of the value; no more than a formality of its distribution."""
    if not isinstance(value, str):
        return STEP * abs(float(value)) or STEP
    match = _WRITTEN.fullmatch(value)
    assert match is not None
    return f"{STEP * abs(float(match[1])) or STEP!r} {match[2]}".strip()


def varied(values: Any, count: int) -> Floats:
    """What changes of an array, given for the rows of `Directions.rows`, by one step of every direction (…, n): zero
    where it does not change, infinite entries among them.
    """
    stack = np.asarray(values, dtype=float)
    found = np.zeros((*stack.shape[1:], count))
    for j in range(count):
        begin = 1 + len(OFFSETS) * j
        own = stack[begin : begin + len(OFFSETS)]
        same = np.all(own == stack[0], axis=0)
        with np.errstate(invalid="ignore"):
            found[..., j] = np.where(same, 0.0, np.tensordot(WEIGHTS, own, axes=1))
    return found


def bent(values: Floats, count: int) -> np.ndarray:
    """True where numbers (rows, …) have a corner at the nominal one in a direction (…, n), or jump nearby.

    Second differences of smooth functions are four times as large at twice the step, those of a corner twice as large.
    """
    found = np.zeros((*values.shape[1:], count), bool)
    for j in range(count):
        begin = 1 + len(OFFSETS) * j
        far, near, next_, farther = values[begin : begin + len(OFFSETS)]
        middle = 2.0 * values[0]
        small, large = np.abs(near + next_ - middle), np.abs(far + farther - middle)
        size = np.max(np.abs(values[begin : begin + len(OFFSETS)] - values[0]), axis=0)
        found[..., j] = (small > 0.02 * size) & (large < 3.0 * small)
    return found
