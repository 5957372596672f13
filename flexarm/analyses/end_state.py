"""The arm at the end of its command: its equilibrium there, and the matrices of small motion about it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexarm.analyses.equilibrium import Forces, State, commanded, equilibrium
from flexarm.analyses.modes.small_motion import evened
from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import Floats, Ints


class EndState(NamedTuple):
    """The equilibrium and M ẍ + D ẋ + K x = 0 of the coordinates no motion prescribes (`free`).

    `coupling` (free, nq) is the mass matrix with the columns of all coordinates. Loads that follow the arm make K
    unsymmetric.
    """

    state: State
    free: Ints
    mass: Floats
    damping: Floats
    stiffness: Floats
    coupling: Floats


def end_state(compiled: CompiledArm, time: float) -> EndState:
    """The arm in equilibrium under the commands of a time (s) after they have ended."""
    state = commanded(compiled, time)
    commands = compiled.commands
    q = state.q.copy()
    for c, law in zip(commands.servo_coordinate, commands.servo_law, strict=True):
        q[c] = float(compiled.pieces[law].evaluate(time)[0])
    zero = np.zeros_like(q)
    balanced, _, _ = equilibrium(compiled, State(q, zero, zero, state.tau), time)
    forces, free = Forces(compiled, time), compiled.free
    block = np.ix_(free, free)
    stiffness, damping, mass = forces.tangents(State(balanced.q, zero, zero, state.tau))
    stiffness, _ = evened(compiled, balanced.q, free, stiffness[block])
    return EndState(balanced, free, mass[block], damping[block], stiffness, mass[free])
