"""A chunk of samples compiled at once: the arrays of every sample's arm, one behind the other.

The whole way from the model file to the engine's arrays is gone once, with numbers of many samples (`flexarm.many`) at
the random places. Samples for which it would have led elsewhere than for the reference, a sample near the means, are
marked: they have to be compiled one by one, and so have all where something on the way cannot be done for many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar, final
from weakref import WeakKeyDictionary

import numpy as np

from flexarm.analyses.servo import with_servo_gains
from flexarm.compiled import CompiledArm, compile_arm
from flexarm.compiled.stacked import StackedArms
from flexarm.core.stepping import stepping_tree
from flexarm.core.types import Floats
from flexarm.many import Chunk, Many
from flexarm.studies.parameters import StudyModel

Tuple = TypeVar("Tuple", bound=tuple[Any, ...])

# The reference is so many deviations beside the means, of every parameter another: what is equal at the means alone,
# such as two times with one mean, is not equal there.
_BESIDE = 1e-3
_GOLDEN = 0.6180339887498949


@final
@dataclass(frozen=True)
class NotStacked:
    """Why the samples of a study cannot be compiled at once."""

    reason: str

    def __bool__(self) -> bool:
        return False


_references: WeakKeyDictionary[StudyModel, tuple[Floats, CompiledArm]] = WeakKeyDictionary()


def compile_many(study: StudyModel, values: Floats) -> StackedArms | NotStacked:
    """The arms of the samples with these parameters (n, p), or why they have to be compiled one by one.

    What a sample's numbers are, and whether it is fine, does not depend on the samples beside it.
    """
    rows = np.asarray(values, dtype=np.float64)
    with np.errstate(all="ignore"):
        try:
            if study not in _references:
                row = _reference_row(study)
                _references[study] = row, compile_arm(with_servo_gains(study.arm(row)))
            row, nominal = _references[study]
            return _compiled(study, row, nominal, rows)
        except Exception as error:  # whatever cannot be done for many can be done for one after the other
            return NotStacked(f"{type(error).__name__}: {' '.join(str(error).split())[:300]}")


def _reference_row(study: StudyModel) -> Floats:
    shares = (_GOLDEN * np.arange(1, len(study.parameters) + 1)) % 1.0
    means = np.array([parameter.mean for parameter in study.parameters])
    return np.asarray(means + _BESIDE * shares * np.array([parameter.deviation for parameter in study.parameters]))


def _compiled(study: StudyModel, row: Floats, nominal: CompiledArm, rows: Floats) -> StackedArms:
    chunk = Chunk(len(rows) + 1)
    whole = np.vstack([row, rows])
    finite = np.isfinite(whole)
    chunk.fine &= finite.all(axis=1)
    columns = np.ascontiguousarray(np.where(finite, whole, row).T)
    arm = with_servo_gains(study.arm_with([Many(chunk, column) for column in columns]))
    found = compile_arm(arm)
    tree = stepping_tree(found.tree, found.loads)
    return StackedArms(
        nominal=nominal,
        tree=_stacked_tuple(chunk, tree),
        plain_tree=_stacked_tuple(chunk, found.tree),
        spatial=_stacked_tuple(chunk, found.spatial),
        loads=_stacked_tuple(chunk, found.loads),
        spatial_loads=_stacked_tuple(chunk, found.spatial_loads),
        laws=_stacked_tuple(chunk, found.laws),
        commands=_stacked_tuple(chunk, found.commands),
        start=_stacked(chunk, found.start),
        start_rate=_stacked(chunk, found.start_rate),
        point_place=_stacked(chunk, found.point_place),
        point_in_plane=_stacked(chunk, found.point_in_plane),
        reach=_stacked(chunk, found.reach),
        fine=chunk.fine[1:].copy(),
    )


def _stacked_tuple(chunk: Chunk, found: Tuple) -> Tuple:
    """A named tuple of arrays with those of floats stacked."""
    return type(found)(*(_stacked(chunk, array) for array in found))


def _stacked(chunk: Chunk, array: Any) -> Any:
    """The array with the samples along its first axis; whole numbers are those of all samples."""
    if isinstance(array, Many):
        return np.ascontiguousarray(np.moveaxis(array.data[..., 1:], -1, 0))
    plain = np.asarray(array)
    if plain.dtype.kind != "f":
        return array
    return np.ascontiguousarray(np.broadcast_to(plain, (chunk.count - 1, *plain.shape)))
