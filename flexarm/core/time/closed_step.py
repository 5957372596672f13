"""A step of ESDIRK4 of an arm with closures, and what brings it back to where they are closed (NOTATION §22)."""

from __future__ import annotations

from .._jit import inner
from ..numbers.views import by_lanes
from ..tree.types import OK, Commands, Laws, Loads
from .esdirk import esdirk_step
from .mechanism import Mechanism, project
from .memory import Esdirk4, Memory, buffer_of, count_of


@inner
def closed_step(
    control: Esdirk4, tree: Mechanism, loads: Loads, laws: Laws, commands: Commands, memory: Memory
) -> float:
    """Displacement error of the step (m); the new state in the buffer is closed in coordinates and rates."""
    error = esdirk_step(control, tree, loads, laws, commands, memory)
    count, buffer = count_of(memory.counter), buffer_of(by_lanes(memory.buffer))
    if count.attempt[0] == OK:
        count.attempt[0] = project(tree, buffer.q, buffer.v, by_lanes(memory.work))
    return error
