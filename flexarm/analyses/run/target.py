"""Where the command of an arm ends: the rigid target of every point, and the equilibrium of the arm next to it.

What settled, residual and settling time count from; see `flexarm.results.settling`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from flexarm.analyses.contacts import meeting
from flexarm.analyses.drives import balanced
from flexarm.analyses.equilibrium import Forces, State, commanded, equilibrium
from flexarm.analyses.points import positions, undeformed
from flexarm.analyses.run.end_of_command import rests
from flexarm.analyses.run.first_order import deflection, departing, quasi_static, see_first_order
from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import Commands, Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm, Pieces
from flexarm.model.laws.path import PathMotion

# Newton steps after which an arm is taken to have no equilibrium: one that has is found in a handful.
_MOST = 40


@final
@dataclass(frozen=True, eq=False)
class Target:
    """Where every point is to be in the end (points, 3), m, base frame; NaN where that is not known.

    `position` is the rigid target, `equilibrium` where the point settles, `sag` the elastic part of the way
    between them (the rest of it is the servos' error). `command_end` (s) is when the last motion, torque and load has
    become constant; None if that is not before the end of the run.
    """

    position: Floats
    equilibrium: Floats
    sag: Floats
    command_end: float | None
    rest: State | None  # the equilibrium, as a nonlinear analysis has it


def find_target(compiled: CompiledArm, end: float, analysis: str = "nonlinear") -> Target:
    """The target of a run that ends at a time (s), by the motions the compiled arm follows."""
    unknown = np.full((len(compiled.point_names), 3), np.nan)
    q = end_coordinates(compiled, end)
    position = positions(compiled, q[None, :])[0]
    goes_on = frozenset(c for c, law in _motions(compiled).items() if not rests(law, end) < end)
    for point, place in path_ends(compiled).items():
        position[point] = place
    position[lost_points(compiled, goes_on)] = np.nan
    when = command_end(compiled, end)
    at_rest = None if when is None else _rest(compiled, q, end, analysis)
    if at_rest is None:
        return Target(position, unknown, unknown, when, None)
    found, unbent, rest = at_rest
    return Target(position, found, found - unbent, when, rest)


def command_end(compiled: CompiledArm, end: float) -> float | None:
    """When every motion, torque and load has become constant (s); None if that is not before the end of the run."""
    arm = compiled.arm
    laws: list[Pieces | None] = [law for law in _motions(compiled).values()]
    laws += [arm.torque_of(link) for link in arm.links]
    laws += [arm.factor_of(load) for load in arm.loads]
    latest = max([rests(law, end) for law in laws], default=0.0)
    return latest if latest < end else None


def end_coordinates(compiled: CompiledArm, end: float) -> Floats:
    """The coordinates (nq,) of the rigid arm at the end of its commands; joints without one where they start."""
    q = undeformed(compiled, compiled.start)
    for c, law in _motions(compiled).items():
        q[c] = float(law.evaluate(end)[0])
    return q


def path_ends(compiled: CompiledArm) -> dict[int, Floats]:
    """Point → where its path ends (3,), m: its target where joints make up for what bends, so that the rigid arm's is
    not meant.
    """
    arm = compiled.arm
    laws = [law for law in arm.motions.values() if isinstance(law, PathMotion) and law.compensate != "nothing"]
    plans = [law.plan for law in laws if law.plan is not None]
    return {compiled.point_names.index(plan.law.point): plan.targets[0][-1] for plan in plans}


def lost_points(compiled: CompiledArm, goes_on: frozenset[int]) -> list[int]:
    """The points without a target: a joint below them is free, pushed by a torque, or among the coordinates whose
    motion goes on beyond the end of the run.
    """
    lost = set(goes_on)
    lost |= {int(c) for c in compiled.joint_coordinates if c in compiled.free} - set(followed(compiled.commands))
    names = {compiled.coordinate_names[c] for c in lost}
    arm = compiled.arm
    return [k for k, point in enumerate(arm.observed) if names & _below(arm, point.link)]


def why_no_target(compiled: CompiledArm, end: float, point: str) -> str | None:
    """Why a point has no target, in a sentence that follows its name; None if it has one."""
    arm = compiled.arm
    names = _below(arm, next(each.link for each in arm.observed if each.name == point))
    for link in arm.links:
        if link.name not in names or link.joint.type == "fixed":
            continue
        law = _motions(compiled).get(compiled.coordinate_names.index(link.name))
        if law is None and link.joint.drive in ("free", "torque"):
            drive = "is free" if link.joint.drive == "free" else "is driven by a torque"
            return f'the joint "{link.name}" {drive}: its end is not determined'
        if law is not None and not rests(law, end) < end:
            return f'the command of the joint "{link.name}" does not end within the run of {end:.6g} s'
    return None


def followed(commands: Commands) -> dict[int, int]:
    """Coordinate → the law of the motion it follows or its servo draws it to."""
    found = dict(zip(commands.motion_coordinate.tolist(), commands.motion_law.tolist(), strict=True))
    return found | dict(zip(commands.servo_coordinate.tolist(), commands.servo_law.tolist(), strict=True))


def _motions(compiled: CompiledArm) -> dict[int, Pieces]:
    """Coordinate → the motion it follows or its servo draws it to."""
    return {c: compiled.pieces[law] for c, law in followed(compiled.commands).items()}


def _below(arm: Arm, link: str) -> set[str]:
    """The names of a link and of all that carry it."""
    index = next(k for k, each in enumerate(arm.links) if each.name == link)
    names = set()
    while index >= 0:
        names.add(arm.links[index].name)
        index = arm.parents[index]
    return names


def _rest(compiled: CompiledArm, q: Floats, end: float, analysis: str) -> tuple[Floats, Floats, State | None] | None:
    """Positions (points, 3) in the equilibrium at the end of the command, those of the rigid arm with its joints there,
    and the equilibrium itself; None if there is none.
    """
    if meeting(compiled.arm):
        return None  # where it comes to rest depends on how it got there
    zero = np.zeros_like(q)
    state = State(q, zero, zero, commanded(compiled, end).tau)
    try:
        if analysis == "nonlinear":
            if len(compiled.commands.servo_coordinate):
                found = balanced(compiled, state, end)
            else:
                forces = Forces(compiled, end).inverse(q, zero, zero) - state.tau
                # without loads the arm stays as it is, but for what closures ask for
                loaded = bool(np.any(forces[compiled.free])) or compiled.closures is not None
                found = equilibrium(compiled, state, end, most=_MOST)[0] if loaded else state
            bent, unbent = positions(compiled, np.stack([found.q, undeformed(compiled, found.q)]))
            return bent, unbent, found
        return *_rest_of_first_order(compiled, state, end, analysis), None
    except (AnalysisError, np.linalg.LinAlgError):
        return None


def _rest_of_first_order(compiled: CompiledArm, state: State, end: float, analysis: str) -> tuple[Floats, Floats]:
    """The same to first order, as the analysis has it."""
    times, zero = np.array([end]), np.zeros((2, len(state.q)))
    if analysis == "quasi-static":
        found = quasi_static(compiled, times).q[0]
    else:
        free = departing(compiled, "linear")
        forces = Forces(compiled, end)
        unbalanced = (state.tau - forces.inverse(state.q, state.v, state.a))[free]
        found = state.q.copy()
        found[free] += deflection(compiled, state, free, unbalanced, end)
    both = np.stack([found, undeformed(compiled, found)])
    seen = see_first_order(compiled, np.repeat(times, 2), State(both, zero, zero, zero), after=True)
    return seen.position[0], seen.position[1]
