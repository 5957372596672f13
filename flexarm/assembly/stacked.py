"""Arms of many samples, the arrays of one behind those of the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import final

import numpy as np

from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import Commands, Floats, Laws, Loads, Tree


@final
@dataclass(frozen=True, eq=False)
class StackedArms:
    """Arms of n samples: names and whole numbers as in `nominal`, of floats every array with one more, first axis."""

    nominal: CompiledArm
    valid: np.ndarray  # (n,) True where the sample's numbers are those its own arm would have
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
        return len(self.valid)

    def __bool__(self) -> bool:
        return True  # even of no samples
