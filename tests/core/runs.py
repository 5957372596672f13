"""Runs of the steppers on bare trees, without the layers above the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from flexarm.core.time.loop import advance
from flexarm.core.time.memory import Alpha, Control, Esdirk4, Memory, Output, alpha_constants, new_memory, new_output
from flexarm.core.tree.types import (
    G_KP,
    G_KV,
    G_LIMIT,
    G_RATE,
    G_REST,
    G_WIDTH,
    OK,
    RUNNING,
    Commands,
    Laws,
    Loads,
    Tree,
    no_loads,
)

from .trees import no_laws

STEPPERS = ("esdirk4", "newmark", "alpha")


def commands(
    *,
    motion: Sequence[tuple[int, int]] = (),
    torque: Sequence[tuple[int, int]] = (),
    servo: Sequence[tuple[int, int]] = (),
    gains: Sequence[tuple[float, float, float]] = (),
    switches: Sequence[float] = (),
) -> Commands:
    """Which law (second) moves, pushes or leads which coordinate (first), a servo's gains, and when anything jumps."""
    columns = [np.array([pair[k] for pair in pairs], np.int64) for pairs in (motion, torque, servo) for k in (0, 1)]
    told = np.zeros((len(gains), G_WIDTH))
    told[:, [G_KP, G_KV, G_REST]] = np.array(gains, float).reshape(-1, 3)
    told[:, G_RATE], told[:, G_LIMIT] = 1.0, np.inf
    return Commands(*columns, told, np.full((len(gains), 2), -1), np.array(switches, float))


def settings(stepper: str, end: float, *, step: float = 0.0, step_error: float = 1e-13) -> Control:
    """Settings with the inner iteration driven to rounding, so that only the method's own error is left."""
    if stepper == "esdirk4":
        return Esdirk4(end, step_error, step, 1e-13, end, 1e-3, 40, 10**7)
    constants = (0.0, 0.0, 0.25, 0.5) if stepper == "newmark" else alpha_constants(0.8)
    return Alpha(end, step_error, step, 1e-13, end, 1e-24, 60, 10**7, 0.0, 3.0, *constants)


def begin(tree: Tree, loads: Loads, laws: Laws, command: Commands, memory: Memory) -> int:
    """Status of the accelerations and powers at the present time, taken from the right of a switch."""
    nothing = new_output(np.zeros(0), tree.spring.shape[0])
    status = advance(tree, loads, laws, command, settings("esdirk4", 1.0), memory, nothing, 0)
    return OK if status == RUNNING else status


class Motion(NamedTuple):
    """A run: its samples, what it kept, and the status of the engine."""

    output: Output
    memory: Memory
    status: int

    @property
    def steps(self) -> int:
        """Accepted steps."""
        return int(self.memory.counts.steps[0])


def run(
    tree: Tree,
    control: Control,
    q: np.ndarray,
    v: np.ndarray,
    times: np.ndarray,
    *,
    loads: Loads | None = None,
    laws: Laws | None = None,
    command: Commands | None = None,
) -> Motion:
    """The motion from q, v at t = 0, sampled at the given times (s)."""
    loads, laws = no_loads() if loads is None else loads, no_laws() if laws is None else laws
    command = commands() if command is None else command
    memory, output = new_memory(tree), new_output(times, len(q))
    memory.states.q[:], memory.states.v[:] = q, v
    return Motion(output, memory, advance(tree, loads, laws, command, control, memory, output, 10**7))


def fitted_order(steps: Sequence[float], errors: Sequence[float]) -> float:
    """Slope of log error over log step by least squares."""
    return float(np.polyfit(np.log(steps), np.log(errors), 1)[0])
