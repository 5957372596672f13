"""A chunk of samples compiled at once: the arrays of every sample's arm, one behind the other.

The path from the model file to the engine's arrays is taken once, with batched numbers (`flexarm.batched`) at the
random entries. Samples for which a decision would differ from that of the reference, a sample near the means, are
marked: they have to be compiled one by one, as have all samples if a step cannot be done for a batch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, final
from weakref import WeakKeyDictionary

import numpy as np

from flexarm.assembly import CompiledArm
from flexarm.assembly.stacked import StackedArms
from flexarm.batched import Batch, Chunk, NotScalar
from flexarm.core.tree.elements import stepping_tree
from flexarm.core.tree.types import Floats
from flexarm.errors import FlexarmError
from flexarm.studies.execution.known_arm import compile_sample
from flexarm.studies.parameters.study_model import StudyModel

# The reference is so many deviations beside the means, of every parameter another: what is equal at the means alone,
# such as two times with one mean, is not equal there.
_BESIDE = 1e-3
_GOLDEN = 0.6180339887498949
# Samples are compiled in blocks whose arrays stay in the cache: no more than so many samples, so many floats of their
# trees, and so many samples where a link's shapes come out of matrices much larger than its own.
_MOST = 4096
_FLOATS = 2**21
_WITH_SHAPES = 256


@final
@dataclass(frozen=True)
class NotStacked:
    """Why the samples of a study cannot be compiled at once; it counts as false."""

    reason: str

    def __bool__(self) -> bool:
        return False


_references: WeakKeyDictionary[StudyModel, tuple[Floats, CompiledArm]] = WeakKeyDictionary()


def compile_batch(study: StudyModel, values: Floats) -> StackedArms | NotStacked:
    """The arms of the samples with these parameters (n, p), or why they have to be compiled one by one.

    Neither a sample's numbers nor its validity depend on the other samples of the batch.
    """
    rows = np.asarray(values, dtype=np.float64)
    with np.errstate(all="ignore"):
        try:
            if study not in _references:
                row = _reference_row(study)
                _references[study] = row, compile_sample(study, study.arm(row))
            row, nominal = _references[study]
            size = _block(nominal)
            blocks = [rows[begin : begin + size] for begin in range(0, max(len(rows), 1), size)]
            return _joined([_compiled(study, row, nominal, block) for block in blocks])
        except (NotScalar, FlexarmError, np.linalg.LinAlgError) as error:
            # what cannot be done for a batch, or not for the reference, may be done one by one
            return NotStacked(f"{type(error).__name__}: {' '.join(str(error).split())[:300]}")


def _reference_row(study: StudyModel) -> Floats:
    shares = (_GOLDEN * np.arange(1, len(study.parameters) + 1)) % 1.0
    means = np.array([parameter.mean for parameter in study.parameters])
    return np.asarray(means + _BESIDE * shares * np.array([parameter.deviation for parameter in study.parameters]))


def _block(nominal: CompiledArm) -> int:
    """How many samples are compiled at once."""
    floats = sum(array.size for array in nominal.spatial)
    shaped = any(link.beam is not None and link.formulation.modes for link in nominal.arm.links)
    return min(_WITH_SHAPES if shaped else _MOST, max(64, _FLOATS // floats))


def _compiled(study: StudyModel, row: Floats, nominal: CompiledArm, rows: Floats) -> StackedArms:
    chunk = Chunk(len(rows) + 1)
    whole = np.vstack([row, rows])
    finite = np.isfinite(whole)
    chunk.valid &= finite.all(axis=1)
    columns = np.ascontiguousarray(np.where(finite, whole, row).T)
    arm = study.arm_with([Batch(chunk, column) for column in columns])
    found = compile_sample(study, arm)
    return stacked_arms(found, chunk, nominal)


def stacked_arms(found: CompiledArm, chunk: Chunk, nominal: CompiledArm) -> StackedArms:
    """The arms of all samples of a chunk but the first one, the reference, from the arm compiled with their numbers."""
    simulation = found.arm.simulation
    start = simulation.start
    for name in type(simulation).model_fields:
        if isinstance(getattr(simulation, name), Batch):
            raise NotScalar(f"simulation.{name} is random")
    stacked = _Stacked(chunk)
    plain, stepped = stacked.all_of(found.tree), stepping_tree(found.tree, found.loads)
    return StackedArms(
        nominal=nominal,
        tree=plain if stepped is found.tree else stacked.all_of(stepped),
        plain_tree=plain,
        loads=stacked.all_of(found.loads),
        laws=stacked.all_of(found.laws),
        commands=stacked.all_of(found.commands),
        start=stacked.of(found.start),
        start_rate=stacked.of(found.start_rate),
        given_start={} if isinstance(start, str) else {name: stacked.of(value) for name, value in start.items()},
        point_place=stacked.of(found.point_place),
        point_in_plane=stacked.of(found.point_in_plane),
        reach=stacked.of(found.reach),
        valid=chunk.valid[1:].copy(),
    )


class _Stacked:
    """Arrays with the samples along their first axis, each made once."""

    def __init__(self, chunk: Chunk) -> None:
        self.count = chunk.count - 1
        self.made: dict[int, tuple[Any, Any]] = {}

    def all_of(self, found: Any) -> Any:
        """A named tuple of arrays with those of floats stacked."""
        return type(found)(*(self.of(array) for array in found))

    def of(self, array: Any) -> Any:
        """The array stacked; whole numbers are those of all samples."""
        if id(array) not in self.made:
            # the array itself is kept too, lest another takes its place in memory
            self.made[id(array)] = (array, self._stacked(array))
        return self.made[id(array)][1]

    def _stacked(self, array: Any) -> Any:
        if isinstance(array, Batch):
            return np.ascontiguousarray(np.moveaxis(array.data[..., 1:], -1, 0))
        plain = np.asarray(array)
        if plain.dtype.kind != "f":
            return array
        return np.ascontiguousarray(np.broadcast_to(plain, (self.count, *plain.shape)))


def _joined(parts: list[StackedArms]) -> StackedArms:
    """Blocks of samples as one."""
    if len(parts) == 1:
        return parts[0]
    made: dict[int, Any] = {}

    def behind(arrays: list[Any]) -> Any:
        """Arrays one behind the other, those in tuples and tables too; whole numbers are those of all samples."""
        first = arrays[0]
        if isinstance(first, tuple):
            return type(first)(*(behind(list(each)) for each in zip(*arrays, strict=True)))  # type: ignore[call-arg]
        if isinstance(first, Mapping):
            return {name: behind([each[name] for each in arrays]) for name in first}
        if id(first) not in made:
            made[id(first)] = np.concatenate(arrays) if first.dtype.kind == "f" else first
        return made[id(first)]

    names = [field.name for field in fields(StackedArms) if field.name not in ("nominal", "valid")]
    whole = {name: behind([getattr(part, name) for part in parts]) for name in names}
    if parts[0].plain_tree is parts[0].tree:
        whole["plain_tree"] = whole["tree"]
    return StackedArms(nominal=parts[0].nominal, valid=np.concatenate([part.valid for part in parts]), **whole)
