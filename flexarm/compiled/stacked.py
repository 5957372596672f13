"""Arms of many samples, the arrays of one behind those of the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from flexarm.compiled import CompiledArm
from flexarm.core.stepping import stepping_tree
from flexarm.core.types import Commands, Floats, Laws, Loads, Tree


@final
@dataclass(frozen=True, eq=False)
class StackedArms:
    """Arms of n samples: names and whole numbers as in `nominal`, of floats every array with one more, first axis."""

    nominal: CompiledArm
    fine: np.ndarray  # (n,) True where the sample's numbers are those its own arm would have
    tree: Tree  # what the steppers run
    plain_tree: Tree  # the same before it took the form that is fastest
    loads: Loads
    laws: Laws
    commands: Commands
    start: Floats  # (n, nq)
    start_rate: Floats  # (n, nq)
    point_place: Floats  # (n, points, 12)
    point_in_plane: Floats  # (n, points, 3)
    reach: Floats  # (n,)
    # (n,) by the names of a table simulation.start; empty if it is a word
    given_start: Mapping[str, Floats] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.fine)

    def __bool__(self) -> bool:
        return True  # even of no samples


def stack_arms(arms: Sequence[CompiledArm]) -> StackedArms | None:
    """Arms that differ in numbers alone, stacked; None if they differ in more."""
    trees = [stepping_tree(arm.tree, arm.loads) for arm in arms]
    first = arms[0]
    try:
        names = ("start", "start_rate", "point_place", "point_in_plane")
        numbers: dict[str, Any] = {name: np.stack([getattr(arm, name) for arm in arms]) for name in names}
        return StackedArms(
            nominal=first,
            fine=np.ones(len(arms), bool),
            tree=_stacked(trees),
            plain_tree=_stacked([arm.tree for arm in arms]),
            loads=_stacked([arm.loads for arm in arms]),
            laws=_stacked([arm.laws for arm in arms]),
            commands=_stacked([arm.commands for arm in arms]),
            **numbers,
            reach=np.array([arm.reach for arm in arms]),
        )
    except ValueError:
        return None


def _stacked(tuples: Sequence[Any]) -> Any:
    """Named tuples of arrays as one: floats stacked, whole numbers common to all or refused."""
    kind = type(tuples[0])
    if any(type(each) is not kind for each in tuples):
        raise ValueError("the arms differ in their kind")
    fields = []
    for arrays in zip(*tuples, strict=True):
        if arrays[0].dtype.kind == "f":
            fields.append(np.stack(arrays))
        elif all(np.array_equal(arrays[0], other) for other in arrays[1:]):
            fields.append(arrays[0])
        else:
            raise ValueError("the arms differ in their structure")
    return kind(*fields)
