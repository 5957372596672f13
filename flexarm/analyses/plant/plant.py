"""An arm that steps: torques in, what is measured out, one period after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from flexarm.analyses.plant.measuring import Measuring
from flexarm.analyses.plant.outputs import Outputs
from flexarm.analyses.plant.stepper import Stepper
from flexarm.analyses.plant.torque_driven import driven_by_torque, input_links
from flexarm.analyses.run.integrate import RunFailed
from flexarm.analyses.signals.names import signal_unit
from flexarm.assembly import compile_arm
from flexarm.core.time.hold import NOT_A_NUMBER
from flexarm.core.tree.types import OK, Floats, Ints
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.parts.simulation import Simulation
from flexarm.model.reading.given import ArmLike, arm_of, quantity_of
from flexarm.model.reading.messages import shown
from flexarm.results.catalogue import effort_unit


@dataclass(frozen=True, eq=False)
class PlantState:
    """Everything a plant holds at one instant: `Plant.restore` goes on from it with the same bits."""

    time: float
    count: int
    arrays: tuple[Floats | Ints, ...]
    failed: str
    measured: dict[int, Any]  # states of the sensors
    random: dict[str, Any]  # of the generator


class Plant:
    """An arm whose torques are in your hands: `step` holds them over a period and returns what is measured at its end.

    The joints of the inputs are driven by these torques alone, whatever drives them in the model file; all others keep
    their drives, loads their laws. The torques are held exactly: the integrator ends its steps where a period ends and
    goes on with the step it had, after one sweep for the new accelerations if the torques are other ones.

    Parameters
    ----------
    arm
        An arm, or the path of its model file.
    period
        Time (s) of one step.
    inputs
        Torques by name, such as ["hub.torque"]; default: those of all joints that a motion, a servo or a torque drives.
        N m, of sliding joints N.
    outputs
        Any signals, such as ["hub.position", "tip.x"]; default: positions and rates of the inputs' joints. SI units.
        Positions, rates and accelerations of coordinates and what gauges and places of links read cost nothing; other
        signals are computed as `simulate` does, some 0.1 to 10 ms a step.
    tolerance
        Displacement error (m) that step control keeps; default: that of the model file.
    step
        Fixed step (s) in place of step control, at most a period: each step of the plant then costs the same. Modes
        that are too fast for it are damped, not followed.
    start
        How a run starts; default: as in the model file. See `reset`.

    Examples
    --------
    >>> import flexarm as fa
    >>> plant = fa.Plant("flexible_link.toml", period="2 ms", inputs=["link.torque"], outputs=["link.position"])
    >>> y = plant.reset()
    >>> for _ in range(50):
    ...     y = plant.step([1.0 - 5.0 * y[0]])
    >>> f"{plant.time:.3f} s, {y[0]:.3f} rad"
    '0.100 s, 0.011 rad'
    """

    def __init__(
        self,
        arm: ArmLike,
        period: float | str,
        inputs: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
        *,
        tolerance: float | str | None = None,
        step: float | str | None = None,
        start: str | Mapping[str, float | str] | None = None,
    ) -> None:
        given = arm_of(arm)
        self.period = quantity_of(period, "s", "period", above=0)
        links = input_links(given, inputs)
        self.arm: Arm = driven_by_torque(given, links)
        self._compiled = compiled = compile_arm(self.arm)
        self.inputs: tuple[str, ...] = tuple(f"{name}.torque" for name in links)
        if outputs is None:
            outputs = [f"{name}.{what}" for what in ("position", "rate") for name in links]
        simulation = self.arm.simulation
        self._start = simulation.start if start is None else _read_start(start)
        allowed = simulation.tolerance if tolerance is None else quantity_of(tolerance, "m", "tolerance", above=0)
        fixed = simulation.step if step is None else quantity_of(step, "s", "step", above=0)
        if isinstance(outputs, str):
            raise AnalysisError(f"outputs is {shown(outputs)}, must be a list of names")
        names = tuple(str(name) for name in outputs)
        self._measuring = Measuring(given, names, [self.period] * len(names), "the plant")
        self._stepper = Stepper(compiled, links, self._measuring.words, self.period, allowed, step=fixed)
        self.outputs: tuple[str, ...] = names
        self.output_units = tuple(signal_unit(compiled, name) for name in self.outputs)
        units = [compiled.coordinate_units[c] for c in self._stepper.joints]
        self.input_units: tuple[str, ...] = tuple(effort_unit(unit) for unit in units)
        self._kernel, self._record = self._stepper.kernel, self._stepper.record
        self._others = bool(self._stepper.outputs.others)
        self._size, self._outputs_size = len(links), len(self.outputs)
        self.random = np.random.default_rng()
        self._count, self._failed = 0, ""
        self.reset()

    def __repr__(self) -> str:
        return f"<Plant {self.arm.name!r}: {', '.join(self.inputs)} → {', '.join(self.outputs)}, {self.period:g} s>"

    @property
    def time(self) -> float:
        """The time reached, s."""
        return self._stepper.time

    @property
    def input(self) -> Floats:
        """The torques held last (inputs,), N m or N."""
        return self._stepper.torques

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """The names of the coordinates: joints, and what bends behind each."""
        return self._compiled.coordinate_names

    @property
    def state(self) -> tuple[Floats, Floats]:
        """Coordinates and rates (n,), SI units, in the order of `coordinate_names`."""
        found = self._stepper.memory.states
        return found.q.copy(), found.v.copy()

    def reset(self, start: str | Mapping[str, float | str] | None = None, *, seed: int | None = None) -> Floats:
        """The outputs (outputs,) at t = 0, where the plant is put.

        Parameters
        ----------
        start
            "rest" (undeformed), "static" (in equilibrium, joints of inputs held where they start by the torques that
            `input` then has), "steady", or a mapping of coordinates such as "hub" or "hub.position" to values (rad, m)
            and of "hub.rate" to rates, the others being as at rest; numbers or texts with a unit.
        seed
            Of `random`, the generator that belongs to this run, and of the noise of sensors among the outputs; default:
            a new one, and the sensors' own.
        """
        self._measuring.begin(seed)
        self.random = np.random.default_rng(seed)
        _, torque = self._stepper.begin(self._start if start is None else _read_start(start))
        self._count, self._failed = 0, ""
        return self._hold(torque, 0.0)

    def step(self, u: ArrayLike) -> Floats:
        """The outputs (outputs,) a period later, with the torques u held over it.

        Parameters
        ----------
        u
            Torques (inputs,) in the order of `inputs`, N m or N; a number where there is one.
        """
        self._count += 1
        return self._hold(u, self._count * self.period)

    def _hold(self, u: ArrayLike, end: float) -> Floats:
        try:
            held = np.asarray(u, float)
        except (TypeError, ValueError):
            held = np.empty((0, 0))
        if held.shape != (self._size,) or not held.flags.c_contiguous:
            held = self._read(u, held)
        y = np.empty(self._outputs_size)
        if self._failed:
            raise RunFailed(self._failed)
        status = self._kernel(self._record, held, end, y)
        if status != OK:
            self._refuse(status, held)
        if self._others:
            self._stepper.outputs.fill(self._stepper.memory, end, y)
        if self._measuring.chains:
            self._measuring.read(y, range(len(y)))
        return y

    def _read(self, u: Any, held: Floats) -> Floats:
        if held.size == self._size and held.ndim <= 1:
            return np.ascontiguousarray(held.reshape(self._size))
        self._count -= 1
        names = ", ".join(self.inputs)
        raise AnalysisError(f"u is {shown(u)}, must be {self._size} numbers: {names}")

    def _refuse(self, status: int, u: Floats) -> None:
        """Raise what stopped the plant."""
        if status == NOT_A_NUMBER:
            k = int(np.argmin(np.isfinite(u)))
            self._count -= 1
            raise AnalysisError(f"{self.inputs[k]} is {u[k]} at {self.time:.6g} s, must be a finite number")
        _, message, advice = self._stepper.reason(status)
        self._failed = f"the plant stopped at {self.time:.6g} s: {message}; try {advice}, then reset it"
        raise RunFailed(self._failed)

    def observe(self, names: Sequence[str]) -> Floats:
        """Signals (names,) of the present state, SI units.

        Parameters
        ----------
        names
            Of the list of signals, such as ["tip.x", "tip.speed"].
        """
        outputs = Outputs(self._compiled, names, self._stepper.links)
        memory = self._stepper.memory
        y = outputs.level + outputs.weights @ np.concatenate([memory.state.ravel(), self.input])
        outputs.fill(memory, self.time, y)
        return y

    def save(self) -> PlantState:
        """Everything the plant holds now, to be restored later, here or in another plant of the same arm."""
        arrays = tuple(array.copy() for array in self._stepper.arrays)
        generator = deepcopy(dict(self.random.bit_generator.state))
        return PlantState(self.time, self._count, arrays, self._failed, deepcopy(self._measuring.states), generator)

    def restore(self, state: PlantState) -> None:
        """Put the plant where it was when it was saved; what it does from there is the same to the last bit.

        Parameters
        ----------
        state
            What `save` returned.
        """
        if not isinstance(state, PlantState):
            raise AnalysisError(f"the state is {shown(state)}, must be what save() returned")
        if [array.shape for array in state.arrays] != [array.shape for array in self._stepper.arrays]:
            raise AnalysisError("the state is of another arm, must be of a plant of the same arm and inputs")
        for array, saved in zip(self._stepper.arrays, state.arrays, strict=True):
            array[:] = saved
        self.random.bit_generator.state = deepcopy(state.random)
        self._measuring.states = deepcopy(state.measured)
        self._count, self._failed = state.count, state.failed


def _read_start(start: str | Mapping[str, float | str]) -> str | Mapping[str, float]:
    """The start as a model file has it, checked; values in SI units."""
    return Simulation(start=start).start
