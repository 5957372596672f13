"""A run with its derivatives in seven directions, by the one time loop (NOTATION, section 19)."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .._jit import jit
from ..numbers.derivatives import DIRECTIONS
from ..numbers.derived import derived
from ..numbers.lanes import LANES, lane_zeros
from ..tree.types import Commands, Floats, Laws, Loads, Tree
from . import moving
from .loop import advance_of
from .mechanism import DERIVED, mechanism_of
from .memory import Alpha, Control, Memory, Output, new_memory

__all__ = [
    "DIRECTIONS",
    "MOVES_AT_START",
    "MOVE_APART",
    "advance_derived",
    "derived_memory",
    "derived_output",
    "seeded",
]

MOVES_AT_START, MOVE_APART = moving.MOVES_AT_START, moving.MOVE_APART


def seeded(values: Any, changes: Any = None) -> Floats:
    """Values (…) with derivatives (…, DIRECTIONS), or with none, as the kernels take them: (…, LANES)."""
    values = np.asarray(values, dtype=float)
    found = lane_zeros((*values.shape, LANES))
    found[..., 0] = values
    if changes is not None:
        found[..., 1:] = changes
    return found


@cache
def _advance_of(method: type) -> Any:
    return derived(advance_of(method), jit)


def derived_memory(tree: Tree, reach: float) -> Memory:
    """Zeroed memory for a tree whose last axis has values and derivatives; reach: size of the arm (m)."""
    return new_memory(tree, reach, clocks=1)


def derived_output(times: Floats, nq: int, servos: int = 0) -> Output:
    """Samples to be filled at the given times, with derivatives; NaN where the run did not get."""
    m = len(times)
    arrays = [lane_zeros((m, count, LANES)) for count in (nq, nq, nq, servos)]
    for array in arrays:
        array[:] = np.nan
    q, v, a, x = arrays
    return Output(np.ascontiguousarray(times, dtype=float), q, v, a, np.zeros((0, 3)), x)


def advance_derived(
    tree: Tree,
    loads: Loads,
    laws: Laws,
    commands: Commands,
    control: Control,
    memory: Memory,
    output: Output,
    most_attempts: int,
) -> int:
    """Status after at most so many attempts at a step; see `advance`. All arrays of floats have one axis more."""
    mechanism = mechanism_of(tree, loads, whole=isinstance(control, Alpha), numbers=DERIVED)
    loop: Any = _advance_of(type(control))  # type: ignore[arg-type]
    loop(mechanism, loads, laws, commands, control, memory, output, most_attempts)
    return int(memory.counts.status[0])
