"""The arms whose differences are the derivatives of an arm's assembly: all at once with batched numbers, or one by one.

Assembly is smooth and cheap, so that central differences of fourth order of its arrays are exact to about 1e-12 of what
changes; the run itself, whose steps depend on its numbers, is never differenced.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from flexarm.analyses.contacts import refuse_any_meeting
from flexarm.analyses.run.initial_state import initial_state
from flexarm.analyses.run.lanes import Eight, by_eights, start_of, why_not_laned
from flexarm.analyses.servo import with_servo_gains
from flexarm.assembly import CompiledArm, compile_arm
from flexarm.assembly.stacked import StackedArms
from flexarm.batched import Batch, Chunk, NotScalar
from flexarm.core.tree.elements import stepping_tree
from flexarm.core.tree.types import Commands, Floats, Laws, Loads, Tree
from flexarm.errors import AnalysisError, FlexarmError
from flexarm.model.reading.messages import quoted
from flexarm.studies.derivatives.directions import OFFSETS, Directions, varied
from flexarm.studies.execution.stacked import stacked_arms
from flexarm.studies.parameters.study_model import ImpossibleSample

# The reference of a batch stands beside the nominal numbers, by so many steps: see `execution.stacked`.
_BESIDE = 0.01


@final
@dataclass(frozen=True, eq=False)
class Variants:
    """The nominal arm and those at every offset of every direction, in the order of `Directions.rows`."""

    directions: Directions
    nominal: CompiledArm
    arms: StackedArms | None  # None where arms are compiled one by one

    @cached_property
    def singles(self) -> list[CompiledArm]:
        """The arms one by one."""
        found = [self.nominal]
        for k, row in enumerate(self.directions.rows()[1:]):
            found.append(_single(self.directions, row, self.directions.places[k // len(OFFSETS)]))
        return found

    @cached_property
    def eights(self) -> list[Eight]:
        """The arms eight at a time, where they are stacked."""
        assert self.arms is not None
        return list(by_eights(self.arms, np.arange(len(self.arms))))

    @cached_property
    def engine(self) -> tuple[Tree, Loads, Laws, Commands]:
        """Tree, loads, laws and commands of the nominal arm as (values, changes per step (…, n)) in each of the
        fields of floats.
        """
        if self.arms is not None:
            tree = self._changes(self.arms.tree)
            return tree, *(self._changes(each) for each in (self.arms.loads, self.arms.laws, self.arms.commands))
        trees = [stepping_tree(each.tree, each.loads) for each in self.singles]
        if any(type(tree) is not type(trees[0]) for tree in trees):
            trees = [each.tree for each in self.singles]
        singles = self.singles
        return (
            self._changes(self._stacked(trees)),
            *(self._changes(self._stacked([getattr(each, name) for each in singles])) for name in ("loads", "laws")),
            self._changes(self._stacked([each.commands for each in singles], but=("switches",))),
        )

    @cached_property
    def start(self) -> tuple[tuple[Floats, Floats], ...]:
        """Coordinates, rates and integrators (nq or servos,) at t = 0 with their changes per step (…, n)."""
        start = self.nominal.arm.simulation.start
        if self.arms is not None:
            found = [start_of(eight, start) for eight in self.eights]
            if all(valid.all() for *_, valid in found):
                count = len(self.arms)
                rows = [np.concatenate([np.moveaxis(each[k], -1, 0) for each in found])[:count] for k in (0, 1, 3)]
                return tuple((row[0], varied(row, self.directions.count)) for row in rows)
        states = [initial_state(each, each.arm.simulation.start) for each in self.singles]
        servos = np.zeros(len(self.nominal.commands.servo_coordinate))
        stacks = (
            [state.q for state in states],
            [state.v for state in states],
            [servos if state.integral is None else state.integral for state in states],
        )
        return tuple((np.asarray(each[0], float), varied(np.array(each), self.directions.count)) for each in stacks)

    def mass(self) -> tuple[float, Floats]:
        """The mass of the arm (kg) and its derivatives (n,)."""
        directions = self.directions
        rows = [directions.study.arm(directions.ordered(row)).mass for row in directions.rows()]
        return float(rows[0]), np.asarray(varied(np.array(rows), directions.count) / directions.steps)

    def _stacked(self, found: list[Any], but: tuple[str, ...] = ()) -> Any:
        """Named tuples of arrays as one, each array of floats with the rows as its first axis."""
        first = found[0]
        parts = []
        for k, name in enumerate(first._fields):
            arrays = [np.asarray(each[k]) for each in found]
            plain = arrays[0].dtype.kind != "f"
            for j, array in enumerate(arrays):
                if name not in but and (array.shape != arrays[0].shape or (plain and np.any(array != arrays[0]))):
                    place = self.directions.places[max(j - 1, 0) // len(OFFSETS)]
                    raise AnalysisError(
                        f"by: with {quoted(place)} the build of the arm changes, not its numbers alone, so that "
                        "nothing has a derivative; it must be varied from another value"
                    )
            parts.append(arrays[0] if plain else np.stack([arrays[0]] * len(arrays) if name in but else arrays))
        return type(first)(*parts)

    def _changes(self, stacked: Any) -> Any:
        count = self.directions.count
        return type(stacked)(
            *(array if array.dtype.kind != "f" else (array[0], varied(array, count)) for array in stacked)
        )


def variants_of(directions: Directions) -> Variants:
    """The arms of all rows; refused where the arm has none at a row."""
    nominal = compile_arm(with_servo_gains(directions.arm))
    refuse_any_meeting(nominal.arm, "where derivatives of runs are asked for", "sweep varies such an arm")
    return Variants(directions, nominal, _together(directions, nominal))


def _together(directions: Directions, nominal: CompiledArm) -> StackedArms | None:
    rows = directions.rows()
    chunk = Chunk(len(rows) + 1)
    # every number of the reference is off by another part of a step
    beside = rows[0] + _BESIDE * directions.steps * (1.0 + 0.1 * np.arange(directions.count))
    columns = np.vstack([beside, rows])
    with np.errstate(all="ignore"):
        try:
            numbers = [Batch(chunk, np.ascontiguousarray(column)) for column in columns.T]
            placed = [numbers[directions.order.index(k)] for k in range(directions.count)]
            found = compile_arm(with_servo_gains(directions.study.arm_with(placed)))
            arms = stacked_arms(found, chunk, nominal)
        except (NotScalar, FlexarmError, np.linalg.LinAlgError):
            return None
    if not arms.valid.all() or why_not_laned(nominal, arms.plain_tree, nominal.arm.simulation) is not None:
        return None
    return arms


def _single(directions: Directions, row: Floats, place: str) -> CompiledArm:
    try:
        return compile_arm(with_servo_gains(directions.study.arm(directions.ordered(row))))
    except ImpossibleSample as error:
        raise AnalysisError(
            f"by: {quoted(place)} cannot be varied to both sides, so that there is no derivative: {error}"
        ) from None
