"""An arm as a program without Python runs it: its arrays, its kernels, and what is read of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.analyses.export.inputs import compiled_with, inputs_of
from flexarm.analyses.export.outputs import Look, looks_of, usual_outputs
from flexarm.analyses.plant.outputs import Outputs
from flexarm.analyses.plant.stepper import held_control, start_held
from flexarm.analyses.plant.torque_driven import input_links
from flexarm.analyses.run.initial_state import initial_state
from flexarm.analyses.run.integrate import Settings, settings_of
from flexarm.analyses.servo import with_tuning
from flexarm.assembly import CompiledArm, compile_arm
from flexarm.core.sweeps.dynamics import new_work
from flexarm.core.time.follow import Followed, followed_run
from flexarm.core.time.hold import ACCELERATION, RATE, Held, held_run
from flexarm.core.time.memory import new_memory, new_output
from flexarm.core.tree.elements import own_tree
from flexarm.core.tree.types import Floats, Ints, Tree
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.reading.messages import quoted

# How long the default period is where an arm runs under its own commands: this part of the run.
SAMPLES = 1000


@dataclass(frozen=True, eq=False)
class Program:
    """A compiled arm made ready to leave Python, at its start."""

    compiled: CompiledArm
    tree: Tree  # the one that is stepped
    run: Held | Followed  # Held: the inputs are held over periods; Followed: it runs under its own commands
    inputs: tuple[str, ...]
    input_units: tuple[str, ...]
    input_start: Floats
    outputs: tuple[str, ...]
    output_units: tuple[str, ...]
    looks: tuple[Look, ...]
    work: Floats  # room of the observer
    end: float  # s, of the run; 0 where there is none
    period: float  # s, usual time between two looks
    tolerance: float  # m
    step: float  # s, fixed; 0 for step control

    @property
    def held(self) -> Held:
        """The run itself."""
        return self.run if isinstance(self.run, Held) else self.run.held

    @property
    def mutable(self) -> tuple[Floats | Ints, ...]:
        """All arrays that change as it runs; the others are tables of the arm."""
        held = self.held
        own = (*held.memory, held.spring, held.laws.piece, held.settings)
        if isinstance(self.run, Held):
            return own
        return (*own, self.run.before, self.run.begun, *self.run.seen, self.run.now)


def program_of(
    arm: Arm,
    inputs: Sequence[str],
    outputs: Sequence[str] | None,
    end: float | None,
    period: float | None,
) -> Program:
    """The arm with these inputs and outputs (None: the usual ones); end and period in s, None: as in the model file."""
    simulation = arm.simulation if end is None else arm.simulation.changed(end=end)
    arm = arm.changed(simulation=simulation)
    if simulation.analysis != "nonlinear" or simulation.stepper != "esdirk4":
        raise AnalysisError(
            f'simulation asks for analysis "{simulation.analysis}" and stepper "{simulation.stepper}", must be '
            '"nonlinear" and "esdirk4" in a library: no others leave Python'
        )
    refuse_controllers_without_inputs(arm, inputs)
    return _with_inputs(arm, inputs, outputs, period) if inputs else _by_itself(arm, outputs, period)


def refuse_controllers_without_inputs(arm: Arm, inputs: Sequence[str]) -> None:
    """Refuse controllers of a model file whose torques the caller does not give."""
    given = [] if isinstance(inputs, str) else [str(name) for name in inputs]
    for controller in arm.controllers:
        for link in input_links(arm, controller.outputs):
            if f"{link}.torque" not in given:
                raise AnalysisError(
                    f"controller {quoted(controller.name)} does not leave Python: its loop must be closed from "
                    f"outside, with {link}.torque among the inputs, or its table be left out"
                )


def _by_itself(arm: Arm, outputs: Sequence[str] | None, period: float | None) -> Program:
    """The arm under its own commands."""
    if arm.simulation.end is None:
        raise AnalysisError(
            "simulation.end is missing, must be given to a library that runs the arm's own commands: in the model "
            "file, or as end / --end"
        )
    tuned, _ = with_tuning(arm)
    compiled = compile_arm(tuned)
    settings = settings_of(tuned.simulation)
    tree = own_tree(compiled.tree, compiled.loads)
    names = usual_outputs(compiled) if outputs is None else outputs
    linear, looks, units = looks_of(compiled, names, ())
    run = followed_run(_run_of(compiled, tree, settings, linear))
    state = initial_state(compiled, tuned.simulation.start)
    _begin(compiled, run.held, state.q, state.v, state.a, state.integral)
    usual = tuned.simulation.output_interval or settings.end / SAMPLES
    return Program(
        compiled,
        tree,
        run,
        (),
        (),
        np.zeros(0),
        linear.names,
        units,
        looks,
        new_work(compiled.tree),
        settings.end,
        usual if period is None else period,
        settings.tolerance,
        settings.step or 0.0,
    )


def _run_of(compiled: CompiledArm, tree: Tree, settings: Settings, linear: Outputs) -> Held:
    laws = compiled.laws._replace(piece=compiled.laws.piece.copy())
    servos = len(compiled.commands.servo_coordinate)
    given: Any = (
        *(tree, compiled.loads, laws, compiled.commands, settings.control(compiled.reach)),
        new_memory(tree, compiled.reach),
        new_output(np.zeros(0), len(compiled.coordinate_names), servos),
        *(np.zeros(0, np.int64), linear.weights, linear.level),
    )
    return held_run(*given)


def _begin(compiled: CompiledArm, held: Held, q: Floats, v: Floats, a: Floats, integral: Floats | None) -> None:
    now = held.memory.states
    now.q[:], now.v[:], now.a[:] = q, v, a
    if integral is not None:
        now.x[compiled.commands.servo_coordinate] = integral


def _with_inputs(arm: Arm, words: Sequence[str], outputs: Sequence[str] | None, period: float | None) -> Program:
    """The arm with inputs that are held over periods as a plant holds them."""
    inputs = inputs_of(arm, words)
    simulation = arm.simulation
    if period is None:
        period = simulation.output_interval or (1e-3 if simulation.end is None else simulation.end / SAMPLES)
    compiled, laws, pieces, kinds = compiled_with(arm, inputs)
    names = [each.name for each in inputs]
    if outputs is None:
        outputs = [name for name in usual_outputs(compiled) if name not in names]
    elif twice := [name for name in outputs if name in names]:
        raise AnalysisError(f"{quoted(twice[0])} is an input and an output, must be one of them")
    linear, looks, units = looks_of(compiled, outputs, ())
    tree = own_tree(compiled.tree, compiled.loads)
    control = held_control(period, simulation.tolerance, simulation.step, simulation.max_steps)
    memory, servos = new_memory(tree, compiled.reach), len(compiled.commands.servo_coordinate)
    output = new_output(np.zeros(0), len(compiled.coordinate_names), servos)
    given = (tree, compiled.loads, laws, compiled.commands, control, memory, output)
    weights = np.pad(linear.weights, ((0, 0), (0, len(inputs))))
    held = held_run(*given, pieces, weights, linear.level, kinds)
    torques = [each.link for each in inputs if each.what == "torque"]
    state, torque = start_held(compiled, simulation.start, torques)
    _begin(compiled, held, state.q, state.v, state.a, state.integral)
    begun = laws.piece[pieces, np.where(kinds == RATE, 5, 4)]
    begun = np.where(kinds == ACCELERATION, 0.0, begun)
    begun[[k for k, each in enumerate(inputs) if each.what == "torque"]] = torque
    return Program(
        compiled,
        tree,
        held,
        tuple(names),
        tuple(each.unit(compiled) for each in inputs),
        begun,
        linear.names,
        units,
        looks,
        new_work(compiled.tree),
        0.0,
        period,
        simulation.tolerance,
        simulation.step or 0.0,
    )


def coordinates_to_start(program: Program) -> Mapping[str, int]:
    """The joints whose places and rates at the start may be given, with their coordinates: those no motion drives."""
    compiled = program.compiled
    free = {c: name for c, name in enumerate(compiled.coordinate_names) if not compiled.driven[c]}
    return {free[int(c)]: int(c) for c in compiled.joint_coordinates if int(c) in free}
