"""What a step does where it ends on the limit of a drive, or where a piece of a command does."""

from __future__ import annotations

from .._jit import inner
from ..numbers.views import by_lanes, joined, left_out
from ..tree.types import Commands, Laws, Loads
from .drives import cross_limits
from .mechanism import Mechanism
from .memory import Memory, buffer_of, clock_of, state_of


@inner
def pass_limits(laws: Laws, commands: Commands, memory: Memory) -> None:
    """Let the drives change their modes in the lanes whose step ends on a crossing."""
    state, buffer = state_of(by_lanes(memory.state)), buffer_of(by_lanes(memory.buffer))
    q_command, v_command, forward = buffer.q_command, buffer.v_command, buffer.a_command
    here = joined(clock_of(memory.clock).live) > 0.5
    cross_limits(commands, q_command, v_command, forward, state.x, state.mode, state.q, state.v, here)


@inner
@left_out
def arrive(tree: Mechanism, loads: Loads, laws: Laws, commands: Commands, memory: Memory) -> None:
    """Nothing: only derivatives jump where a piece of a command ends, see `moving`."""
