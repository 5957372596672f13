"""Runs with their derivatives: seven directions at a time by the one time loop (NOTATION, section 19)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from flexarm.analyses.run.integrate import RunFailed, Settings, reason_of
from flexarm.core.time.derived_run import (
    DIRECTIONS,
    MOVE_APART,
    MOVES_AT_START,
    advance_derived,
    derived_memory,
    derived_output,
    seeded,
)
from flexarm.core.tree.types import OK, RUNNING, Floats
from flexarm.errors import AnalysisError
from flexarm.studies.derivatives.directions import STEP
from flexarm.studies.derivatives.variants import Variants

# Attempts at a step after which Ctrl-C is heard.
_PORTION = 2000
# What the run carries along is what changes with so large a part of each number: of the size of the motion itself, so
# that the iteration of a step leaves the same error in it.
_PART = 0.003

_WHY = {
    MOVES_AT_START: "what switches at t = 0 s moves with a number that is derived by, and has a derivative to one side "
    "only; the switch must be later",
    MOVE_APART: "two switches that fall together move apart, and what they do does not add up, so that there is a "
    "derivative to one side only; they must be at different times",
}


@final
@dataclass(frozen=True, eq=False)
class DerivedRun:
    """States at the times and their derivatives by each number, SI."""

    times: Floats
    q: Floats  # (m, nq)
    v: Floats
    a: Floats
    x: Floats  # (m, servos) integrators of the drives
    dq: Floats  # (m, nq, n)
    dv: Floats
    da: Floats
    dx: Floats
    steps: int
    sweeps: int


def derived_run(variants: Variants, settings: Settings, times: Floats) -> DerivedRun:
    """The run of the nominal arm at the given times, with its derivatives; refused where it has none, or fails."""
    count = variants.directions.count
    engine, start = variants.engine, variants.start
    parts = [
        _seven(variants, engine, start, range(begin, min(begin + DIRECTIONS, count)), settings, times)
        for begin in range(0, count, DIRECTIONS)
    ]
    states, steps, sweeps = parts[0]
    scale = _PART * variants.directions.scale
    changes = []
    for k in range(4):
        joined = np.concatenate([part[0][k][..., 1:] for part in parts], axis=-1)[..., :count]
        changes.append(joined / scale)
    q, v, a, x = (np.ascontiguousarray(each[..., 0]) for each in states)
    dq, dv, da, dx = changes
    return DerivedRun(np.asarray(times, float), q, v, a, x, dq, dv, da, dx, steps, sweeps)


def _seven(
    variants: Variants, engine: Any, start: Any, chosen: range, settings: Settings, times: Floats
) -> tuple[list[Floats], int, int]:
    """States (m, …, 1 + DIRECTIONS), steps and sweeps of a run with some of the directions."""
    some = slice(chosen.start, chosen.stop)

    def of(value: Floats, change: Floats) -> Floats:
        whole = np.zeros((*value.shape, DIRECTIONS))
        # changes are per step
        whole[..., : len(chosen)] = change[..., some] * (_PART / STEP)
        return seeded(value, whole)

    def each(part: Any) -> Any:
        return type(part)(*(of(*field) if isinstance(field, tuple) else field for field in part))

    compiled = variants.nominal
    tree, loads, laws, commands = (each(part) for part in engine)
    memory = derived_memory(tree, compiled.reach)
    state = memory.states
    servo = commands.servo_coordinate
    q, v, x = (of(*part) for part in start)
    state.q[:], state.v[:], state.x[servo] = q, v, x
    output = derived_output(times, len(q), len(servo))
    control = settings.control(compiled.reach)
    status = RUNNING
    while status == RUNNING:
        status = advance_derived(tree, loads, laws, commands, control, memory, output, _PORTION)
    if status in _WHY:
        raise AnalysisError(f"at t = {float(memory.clocks.time[0]):.6g} s {_WHY[status]}")
    count = memory.counts
    if status != OK:
        reached = state.q[..., 0]
        _, message, advice = reason_of(status, compiled, reached if np.isfinite(reached).all() else q[..., 0])
        raise RunFailed(f"the run stopped at t = {float(memory.clocks.time[0]):.4g} s: {message}; try {advice}")
    return [output.q, output.v, output.a, output.x], int(count.steps[0]), int(count.sweeps[0])
