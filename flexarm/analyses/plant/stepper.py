"""A run of an arm whose torques come from outside, one stretch after the other; the arrays and their record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from flexarm.analyses.drives import balanced
from flexarm.analyses.equilibrium import Forces, State
from flexarm.analyses.plant.outputs import Outputs
from flexarm.analyses.plant.torque_driven import input_pieces
from flexarm.analyses.run.initial_state import initial_state
from flexarm.analyses.run.integrate import ITERATION_SHARE, STEP_SHARE, reason_of
from flexarm.assembly import CompiledArm
from flexarm.core.time.hold import held_run, hold_of
from flexarm.core.time.memory import Esdirk4, new_memory, new_output
from flexarm.core.tree.elements import own_tree
from flexarm.core.tree.types import OK, Floats

# Part of a period below which no step is tried.
LEAST_SHARE = 1e-9


class Stepper:
    """A compiled arm with the torques of some links as inputs; `advance(u, end, y)` is a kernel's call.

    `period` (s) is the longest stretch, `tolerance` (m) what step control keeps, or the iteration where the `step` (s)
    is fixed; `times` (s) when samples are taken.
    """

    def __init__(
        self,
        compiled: CompiledArm,
        links: Sequence[str],
        outputs: Sequence[str],
        period: float,
        tolerance: float,
        times: Floats | None = None,
        step: float | None = None,
    ) -> None:
        self.compiled, self.links = compiled, tuple(links)
        self.outputs = Outputs(compiled, outputs, links)
        self.joints = np.array([compiled.coordinate_names.index(name) for name in links], np.int64)
        control = held_control(period, tolerance, step, compiled.arm.simulation.max_steps)
        # kept: a record is valid as long as its arrays are
        self.tree = own_tree(compiled.tree, compiled.loads)
        laws = compiled.laws._replace(piece=compiled.laws.piece.copy())
        self.memory = new_memory(self.tree, compiled.reach)
        servos = len(compiled.commands.servo_coordinate)
        self.output = new_output(np.zeros(0) if times is None else times, len(compiled.coordinate_names), servos)
        pieces = np.array(input_pieces(compiled, links), np.int64)
        self.held = held_run(
            *(self.tree, compiled.loads, laws, compiled.commands, control, self.memory, self.output, pieces),
            *(self.outputs.weights, self.outputs.level),
        )
        self.kernel, self.record = hold_of(self.held)
        # all that changes from step to step
        self.arrays = (*self.memory, self.tree.spring, laws.piece)
        self._fresh = tuple(array.copy() for array in self.arrays)

    def advance(self, u: Floats, end: float, y: Floats) -> int:
        """Status after going on to `end` (s) with the torques u; fills the outputs y."""
        status: int = self.kernel(self.record, u, end, y)
        if status == OK:
            self.outputs.fill(self.memory, end, y)
        return status

    @property
    def time(self) -> float:
        """The time reached, s."""
        return float(self.memory.clock[0, 0])

    @property
    def torques(self) -> Floats:
        """The torques held last (inputs,)."""
        return self.held.laws.piece[self.held.input_piece, 4].copy()

    def begin(self, start: str | Mapping[str, float]) -> tuple[State, Floats]:
        """The state at t = 0, where the run is put, and the torques there: those that hold the joints where the start
        is "static", else zero.
        """
        state, torque = start_held(self.compiled, start, self.links)
        for array, fresh in zip(self.arrays, self._fresh, strict=True):
            array[:] = fresh
        now = self.memory.states
        now.q[:], now.v[:], now.a[:] = state.q, state.v, state.a
        if state.integral is not None:
            now.x[self.compiled.commands.servo_coordinate] = state.integral
        return state, torque

    def reason(self, status: int) -> tuple[str, str, str]:
        """Word, message and advice of a status that is not OK."""
        return reason_of(status, self.compiled, self.memory.states.q)


def held_control(period: float, tolerance: float, step: float | None, max_steps: int) -> Esdirk4:
    """Settings of a run that goes from period (s) to period: tolerance (m), fixed step (s) or none."""
    sizes = (LEAST_SHARE * period, (1.0 + 1e-6) * period, ITERATION_SHARE, 12, max_steps)
    return Esdirk4(period, STEP_SHARE * tolerance, step or 0.0, *sizes)


def start_held(compiled: CompiledArm, start: str | Mapping[str, float], links: Sequence[str]) -> tuple[State, Floats]:
    """The state at t = 0, and the torques of these links there: those that hold the joints where the start is "static",
    else zero.
    """
    if start != "static":
        return initial_state(compiled, start), np.zeros(len(links))
    joints = [compiled.coordinate_names.index(name) for name in links]
    state = initial_state(compiled, "rest")
    held = compiled.driven.copy()
    held[joints] = True
    still = np.zeros_like(state.v)
    found = balanced(compiled, State(state.q, still, still.copy(), state.tau), hold=held)
    return found, Forces(compiled).inverse(found.q, found.v, found.a)[joints]
