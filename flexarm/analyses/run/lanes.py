"""Eight arms at a time: arms that differ in their numbers alone, run and seen together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from flexarm.analyses.drives import MOST_ROUNDS, integrating
from flexarm.analyses.points import Seen
from flexarm.analyses.run.initial_state import given_coordinates
from flexarm.analyses.run.integrate import Settings
from flexarm.assembly import CompiledArm
from flexarm.assembly.stacked import StackedArms
from flexarm.core.numbers.entry import command_lanes, drive_torque_lanes, observe_lanes, target_lanes
from flexarm.core.numbers.lanes import LANES, lane_zeros
from flexarm.core.sweeps.dynamics import new_work
from flexarm.core.time.equilibrium import lane_equilibrium
from flexarm.core.time.loop import advance
from flexarm.core.time.memory import Output, new_memory
from flexarm.core.tree.types import (
    ELEMENT_TREES,
    G_KI,
    G_LIMIT,
    G_LOOP,
    G_RATE,
    OK,
    RUNNING,
    S_GAIN,
    S_RATE_GAIN,
    S_REST,
    Commands,
    Floats,
    Laws,
    Loads,
    PlanarFlexTree,
    PlanarTree,
    SpatialFlexTree,
    SpatialTree,
    Tree,
)
from flexarm.errors import AnalysisError
from flexarm.model import Simulation

# Attempts at a step after which somebody may say stop.
_PORTION = 2000
_LANED = (PlanarTree, SpatialTree, PlanarFlexTree, SpatialFlexTree, *ELEMENT_TREES.values())


def why_not_laned(compiled: CompiledArm, tree: Tree, simulation: Simulation) -> str | None:
    """Why runs of arms with such a tree, before it takes its fastest form, are run one by one; None if they are not."""
    if type(tree) not in _LANED:
        return "beams in sleeves are run one by one"
    if len(compiled.commands.contact_place):
        return "joints with dry friction, stops or play are run one by one"
    if simulation.analysis != "nonlinear":
        return f"the {simulation.analysis} analysis is run one by one"
    if simulation.stepper != "esdirk4":
        return f"the stepper {simulation.stepper} is run one by one"
    if not isinstance(simulation.start, str):
        try:
            given_coordinates(compiled, simulation.start)
        except AnalysisError as error:
            return str(error)
    return None


@final
@dataclass(frozen=True, eq=False)
class Eight:
    """Eight arms of a stack: every array with the lanes as its last axis."""

    arms: StackedArms
    which: np.ndarray  # (LANES,) samples of the stack; the last stands again where there are fewer
    tree: Tree
    plain_tree: Tree
    loads: Loads
    laws: Laws
    commands: Commands
    start: Floats
    start_rate: Floats
    given_start: Mapping[str, Floats]  # (LANES,) by the names of a table simulation.start
    point_place: Floats
    point_in_plane: Floats
    reach: Floats

    @cached_property
    def work(self) -> Floats:
        """A work array for the sweeps over the plain trees."""
        return lane_zeros((*new_work(self.arms.nominal.tree).shape, LANES))

    @property
    def count(self) -> int:
        """How many coordinates each arm has."""
        return self.start.shape[0]


def by_eights(arms: StackedArms, chosen: np.ndarray) -> Iterator[Eight]:
    """The chosen samples of a stack, eight at a time."""
    if not len(chosen):
        return
    padded = np.concatenate([chosen, np.repeat(chosen[-1:], -len(chosen) % LANES)])

    def laned(array: Any) -> Any:
        """(groups, …, LANES) of (samples, …)."""
        found = lane_zeros((len(padded) // LANES, *array.shape[1:], LANES))
        found[:] = np.moveaxis(array[padded].reshape(len(found), LANES, *array.shape[1:]), 1, -1)
        return found

    def each(found: Any) -> list[Any]:
        """A named tuple of arrays for every group."""
        arrays = [laned(array) if array.dtype.kind == "f" else array for array in found]
        kinds = [array.dtype.kind == "f" for array in found]
        return [
            type(found)(*(array[g] if several else array for array, several in zip(arrays, kinds, strict=True)))
            for g in range(len(padded) // LANES)
        ]

    laned_tree = arms.tree if type(arms.tree) in _LANED else arms.plain_tree
    trees, loads, laws = each(laned_tree), each(arms.loads), each(arms.laws)
    plain = trees if arms.plain_tree is laned_tree else each(arms.plain_tree)
    commands = each(arms.commands)
    names = ("start", "start_rate", "point_place", "point_in_plane", "reach")
    others = {name: laned(getattr(arms, name)) for name in names}
    given = {name: laned(array) for name, array in arms.given_start.items()}
    for g, tree in enumerate(trees):
        which = padded[g * LANES : (g + 1) * LANES]
        yield Eight(
            arms,
            which,
            tree,
            plain[g],
            loads[g],
            laws[g],
            commands[g],
            given_start={name: array[g] for name, array in given.items()},
            **{name: array[g] for name, array in others.items()},
        )


@final
class Desk:
    """Arrays that runs which follow one another use again; for one thread."""

    def __init__(self) -> None:
        self._arrays: dict[str, Floats] = {}

    def array(self, name: str, shape: tuple[int, ...]) -> Floats:
        """The array of that name: zeros when it is new, else what was left in it."""
        found = self._arrays.get(name)
        if found is None or found.shape != shape:
            found = self._arrays[name] = lane_zeros(shape)
        return found


@final
@dataclass(frozen=True, eq=False)
class EightRuns:
    """The states of eight runs at the same times."""

    arms: Eight
    times: Floats
    q: Floats  # (m, nq, LANES)
    v: Floats
    a: Floats
    x: Floats  # (m, servos, LANES) integrators of the drives
    valid: np.ndarray  # (LANES,) True where the end was reached
    steps: np.ndarray
    desk: Desk

    def see(
        self,
        states: tuple[Floats, Floats, Floats] | None = None,
        *,
        full: bool,
        energy: bool = False,
        place: str = "seen",
    ) -> Seen:
        """Points of the arms in these or other states; forces and accelerations only if `full`, energies only if these
        are asked for.

        What is seen stands in arrays of the desk named by `place`: it lasts until the next runs there.
        """
        arms, nominal = self.arms, self.arms.arms.nominal
        m, points, nq = len(self.times), len(nominal.point_names), arms.count
        shapes = ((points, 3), (points, 3), (points, 3), (points, 4), (nq,), (3,))
        sizes = (m, m, m, m, m, m if energy else 0)
        shaped = enumerate(zip(sizes, shapes, strict=True))
        seen = Seen(*(self.desk.array(f"{place} {k}", (size, *shape, LANES)) for k, (size, shape) in shaped))
        tree = arms.plain_tree
        planar = isinstance(tree, PlanarTree | PlanarFlexTree)
        offsets = arms.point_in_plane if planar else arms.point_place
        where = (nominal.point_body, nominal.point_frame, offsets)
        given = (self.q, self.v, self.a) if states is None else states
        observe_lanes(tree, arms.loads, arms.laws, self.times, given, where, tuple(seen), arms.work, full)
        return seen


def run_eight(
    arms: Eight,
    settings: Settings,
    start: str | Mapping[str, float],
    times: Floats,
    *,
    desk: Desk | None = None,
    check: Callable[[], None] | None = None,
) -> EightRuns:
    """The runs of eight arms from the start their model wants, at the given times; `check` may raise to end them.

    Runs on one desk share their arrays: the latter overwrite the former.
    """
    q, v, a, x, valid = start_of(arms, start)
    spring = lane_zeros(arms.tree.spring.shape)
    spring[:] = arms.tree.spring
    tree: Any = arms.tree._replace(spring=spring)  # within a step the drives write into it
    memory = new_memory(tree, arms.reach)
    state, count = memory.states, memory.counts
    state.q[:], state.v[:], state.a[:] = q, v, a
    state.x[arms.commands.servo_coordinate] = x
    count.status[~valid] = OK  # they stand still
    desk = Desk() if desk is None else desk
    shape, servos = (len(times), arms.count, LANES), len(arms.commands.servo_coordinate)
    q, v, a = (desk.array(name, shape) for name in ("q", "v", "a"))
    x = desk.array("x", (len(times), servos, LANES))
    output = Output(np.ascontiguousarray(times, dtype=float), q, v, a, np.zeros((0, 3)), x)
    control = settings.control(arms.arms.nominal.reach)
    while advance(tree, arms.loads, arms.laws, arms.commands, control, memory, output, _PORTION) == RUNNING:
        if check is not None:
            check()
    reached = valid & (count.status == OK) & (count.next_output == len(times))
    return EightRuns(arms, output.time, output.q, output.v, output.a, output.x, reached, count.steps.copy(), desk)


def start_of(arms: Eight, start: str | Mapping[str, float]) -> tuple[Floats, Floats, Floats, Floats, np.ndarray]:
    """Coordinates, rates, accelerations (nq, LANES) and integrators (servos, LANES) at t = 0, and which lanes have
    them; see `initial_state`.
    """
    compiled = arms.arms.nominal
    q, v = arms.start.copy(), arms.start_rate.copy()
    a, tau = np.zeros_like(q), np.zeros_like(q)
    command_lanes(arms.laws, arms.commands, 0.0, False, q, v, a, tau)
    empty, valid = np.zeros((len(arms.commands.servo_coordinate), LANES)), np.ones(LANES, bool)
    if isinstance(start, Mapping):
        for name, (coordinate, rate) in zip(start, given_coordinates(compiled, start), strict=True):
            (v if rate else q)[coordinate] = arms.given_start[name]
        return q, v, a, empty, valid
    if start == "rest":
        return q, v, a, empty, valid
    moving = compiled.driven.copy()
    moving[compiled.commands.servo_coordinate] = True
    rates, accelerations = v.copy(), a.copy()
    rates[~moving], accelerations[compiled.free] = 0.0, 0.0
    if start == "static":
        rates[:], accelerations[:] = 0.0, 0.0
    balanced, valid = _balanced(arms, q, rates, accelerations, tau)
    x, within = _integrators(arms, balanced, rates, accelerations)
    kept = compiled.driven if start == "static" else moving
    return balanced, np.where(kept[:, None], v, 0.0), a, x, valid & within


def _balanced(arms: Eight, q: Floats, v: Floats, a: Floats, tau: Floats) -> tuple[Floats, np.ndarray]:
    """Coordinates with the free ones in equilibrium at t = 0, and the lanes in which one was found; see `balanced_to`.

    A lane that has come to its equilibrium stands still while the others go on.
    """
    compiled, gain = arms.arms.nominal, arms.commands.servo_gain
    servo, seen_through = arms.commands.servo_coordinate, arms.commands.servo_more[:, 0]
    holding = integrating(compiled)
    free = np.setdiff1d(compiled.free, servo[holding])
    size = np.where(np.array([unit == "rad" for unit in compiled.coordinate_units])[:, None], 1.0, arms.reach)
    target, rate, forward = (lane_zeros(q.shape) for _ in range(3))
    target_lanes(arms.laws, arms.commands, 0.0, False, target, rate, forward)
    valid, going = np.ones(LANES, bool), np.ones(LANES, bool)
    for _ in range(MOST_ROUNDS):
        command_lanes(arms.laws, arms.commands, 0.0, False, q.copy(), v.copy(), a.copy(), tau)
        moved = q.copy()
        for j in holding:
            c = servo[j]
            # where the integrator settles: rate θ̇_d − θ̇ + loop e = 0
            moved[c] = target[c] - (v[c] - gain[j, G_RATE] * rate[c]) / gain[j, G_LOOP]
            if seen_through[j] >= 0:
                moved[c] -= q[seen_through[j]]
        state = (moved, v, a, tau)
        found, there = lane_equilibrium(
            arms.plain_tree, arms.loads, arms.laws, state, free, size, arms.reach, arms.work
        )
        change = np.max(np.abs(found - q), axis=0, initial=0.0)
        q = np.where(going, found, q)
        valid &= there | ~going
        going &= there & (change >= 1e-13 * np.maximum(arms.reach, 1.0))
        if not np.any(seen_through >= 0) or not np.any(going):
            break
    return q, valid


def _integrators(arms: Eight, q: Floats, v: Floats, a: Floats) -> tuple[Floats, np.ndarray]:
    """Integrators (servos, LANES) that give what their joints need at t = 0, and the lanes whose drives can give it."""
    servo, gain = arms.commands.servo_coordinate, arms.commands.servo_gain
    x = np.zeros((len(servo), LANES))
    if not len(servo):
        return x, np.ones(LANES, bool)
    begun = lane_zeros((3, 1, *q.shape))
    begun[:, 0] = q, v, a
    at_q, at_v, at_a = begun
    beginning, none = np.zeros(1), lane_zeros((1, *x.shape))
    steps = np.zeros(LANES, np.int64)
    at_start = EightRuns(arms, beginning, at_q, at_v, at_a, none, np.ones(LANES, bool), steps, Desk())
    spring = arms.plain_tree.spring
    # the gains are springs and dampers of the joints
    held = spring[:, S_GAIN] * (q - spring[:, S_REST]) + spring[:, S_RATE_GAIN] * v
    needed = (at_start.see(full=True).force[0] - held)[servo]
    unlimited = lane_zeros(gain.shape)
    unlimited[:] = gain
    unlimited[:, G_LIMIT] = np.inf
    given = lane_zeros(none.shape)
    commands = arms.commands._replace(servo_gain=unlimited)
    drive_torque_lanes(arms.laws, commands, beginning, at_q, at_v, none, given)
    torque = given[0].copy()
    for j in integrating(arms.arms.nominal):
        x[j] = (needed[j] - given[0, j]) / gain[j, G_KI]
        torque[j] = needed[j]
    return x, np.all(np.abs(torque) <= gain[:, G_LIMIT] * (1.0 + 1e-9), axis=0)
