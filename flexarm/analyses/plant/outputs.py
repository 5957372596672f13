"""Outputs of a run in progress: linear ones as weights for the kernel, all others computed as `simulate` does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.analyses.run.integrate import Run
from flexarm.analyses.signals.names import OF_COORDINATES, OF_GAUGES, PLACE, canonical, signal_unit
from flexarm.analyses.signals.observed import OneObserved, States
from flexarm.assembly import CompiledArm
from flexarm.core.time.memory import Memory, State
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model.reading.messages import quoted


class Outputs:
    """Signals of an arm in progress, by their names; `weights` and `level` are what the kernel makes them of.

    Coordinates, their rates and accelerations, torques that are inputs, and what gauges and places of links read are
    linear in the state. Those that are not are in `others`.
    """

    def __init__(self, compiled: CompiledArm, names: Sequence[str], inputs: Sequence[str]) -> None:
        if isinstance(names, str):
            raise AnalysisError(f"outputs is {quoted(names)}, must be a list of names")
        self.compiled, self.names = compiled, tuple(str(name) for name in names)
        self.units = tuple(signal_unit(compiled, name) for name in self.names)
        nq = len(compiled.coordinate_names)
        entries = len(State._fields) * nq
        self.weights = np.zeros((len(self.names), entries + len(inputs)))
        self.level = np.zeros(len(self.names))
        self.others: dict[int, str] = {}
        for k, name in enumerate(self.names):
            owner, _, what = canonical(name).rpartition(".")
            if what == "measured":
                raise AnalysisError(
                    f"the output {quoted(name)} is what a sensor makes of the past, known of a whole run alone; "
                    f"must be {quoted(f'{owner}.true')}"
                )
            if what == "distance":
                raise AnalysisError(f"the output {quoted(name)} needs a command that ends, which torques do not have")
            if what in OF_COORDINATES:
                row = State._fields.index({"position": "q", "rate": "v", "acceleration": "a"}[what])
                self.weights[k, row * nq + compiled.coordinate_names.index(owner)] = 1.0
            elif what == "torque" and owner in inputs:
                self.weights[k, entries + list(inputs).index(owner)] = 1.0
            elif (what in OF_GAUGES or PLACE.fullmatch(what)) and not compiled.sleeves:
                self.level[k], self.weights[k, : 2 * nq] = _along(compiled, name)
            else:
                self.others[k] = name

    def fill(self, memory: Memory, time: float, y: Floats) -> None:
        """Fill the outputs that the kernel does not."""
        if not self.others:
            return
        observed = OneObserved(self.compiled, _sample(self.compiled, memory, time), "nonlinear")
        for k, name in self.others.items():
            y[k] = observed.signal(name)[0, 0]


def _along(compiled: CompiledArm, name: str) -> tuple[float, Floats]:
    """What a gauge or a place of a link reads at q = v = 0, and its weights over q and v: both linear (NOTATION O5)."""
    nq = len(compiled.coordinate_names)
    q, v = np.zeros((2 * nq + 1, nq)), np.zeros((2 * nq + 1, nq))
    q[1 : nq + 1], v[nq + 1 :] = np.eye(nq), np.eye(nq)
    values = OneObserved(compiled, States(np.zeros(len(q)), q, v, np.zeros_like(q)), "nonlinear").signal(name)[:, 0]
    return float(values[0]), values[1:] - values[0]


def _sample(compiled: CompiledArm, memory: Memory, time: float) -> Run:
    """The present state as a run of one sample."""
    state = memory.states
    q, v, a = (x[None].copy() for x in (state.q, state.v, state.a))
    x = state.x[compiled.commands.servo_coordinate][None].copy()
    numbers = (time, 0, 0, 0, 0.0, 0.0, 0.0)
    return Run(np.array([time]), q, v, a, np.zeros((1, 3)), "ok", "", "", *numbers, x)
