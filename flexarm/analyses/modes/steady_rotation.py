"""Steady rotation: what may spin, the equilibrium there, and the matrices of small motion about it.

In steady rotation everything behind the spinning joint turns about one axis that stands still, so that nothing changes
as seen from the rotating arm: M, G, K below are constant (NOTATION 26 gives the tangent).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np
from pydantic_core import PydanticCustomError

from flexarm.analyses.equilibrium import Forces, State, equilibrium
from flexarm.analyses.modes.joint_states import JointStates, moving_coordinates
from flexarm.analyses.modes.small_motion import SmallMotion, checked, evened, targeted
from flexarm.assembly import CompiledArm
from flexarm.core.sweeps.dynamics import without_springs
from flexarm.core.sweeps.tangent import tangent_columns
from flexarm.core.tree.columns import B_OX, B_R00
from flexarm.core.tree.types import (
    PRISMATIC,
    REVOLUTE,
    S_K,
    S_LEVER,
    T_COORD,
    T_COUNT,
    T_JOINT,
    T_PARENT,
    Floats,
    SpatialTree,
)
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.reading.given import Posture
from flexarm.model.reading.messages import either, meant, quoted
from flexarm.model.reading.quantity import Quantity

_RATE = Quantity("rad/s")
# Directions and places that differ by no more than rounding (part of their length) are the same.
_ROUNDING = 1e-9
# A step of Newton's method, as part of the arm's reach, that is no more than rounding.
_STANDS = 1e-11


# --- What spins ------------------------------------------------------------------------------------------------------


def read_rate(value: Any, what: str = "spin") -> float:
    """A rate (rad/s) from a number or a text with its unit."""
    try:
        return _RATE.read_one(value, "rad/s")
    except PydanticCustomError as error:
        assert error.context is not None
        raise AnalysisError(f"{what} {error.context['reason']}") from None


def first_revolute(arm: Arm) -> str:
    """The name of the first revolute joint, base to tip."""
    for index in arm.base_to_tip:
        if arm.links[index].joint.type == "revolute":
            return arm.links[index].name
    raise AnalysisError("spin is given, but the arm has no revolute joint: nothing can spin")


def spinning_joint(arm: Arm, name: str) -> str:
    """The name, if it is that of a revolute joint."""
    names = [link.name for link in arm.links if link.joint.type == "revolute"]
    if name in names:
        return name
    if any(link.name == name and link.joint.type == "prismatic" for link in arm.links):
        raise AnalysisError(f"spin: joint {quoted(name)} slides, must be a revolute joint")
    raise AnalysisError(f"spin: there is no revolute joint {quoted(name)}, must be {either(names)}{meant(name, names)}")


def read_spin(arm: Arm, spin: Any) -> dict[str, float]:
    """Rates (rad/s) by joint, those that are zero left out."""
    if not isinstance(spin, Mapping):
        rates = {first_revolute(arm): read_rate(spin)}
    else:
        rates = {
            spinning_joint(arm, str(name)): read_rate(value, f"spin: {quoted(str(name))}")
            for name, value in spin.items()
        }
    return {name: rate for name, rate in rates.items() if rate != 0.0}


# --- What may spin ---------------------------------------------------------------------------------------------------


def check_steady(compiled: CompiledArm, spinning: Collection[str], free: Collection[str], q: Floats) -> None:
    """Refuse, in one sentence, a rotation that cannot be steady."""
    axes = {name: _axis(compiled, name, spinning, free, q) for name in spinning}
    for name, (_, axis) in axes.items():
        _check_carriers(compiled, name, axes)
        _check_gravity(compiled, name, axis)
        _check_loads(compiled, name, axis)
        c = compiled.coordinate_names.index(name)
        if name in free and compiled.tree.spring[c, S_K] > 0.0:
            raise AnalysisError(
                f'joint "{name}" spins and is free, but has a spring, which would wind up; must have none, or be held '
                "at its rate: name the other joints as the free ones"
            )


def _inboard(compiled: CompiledArm, row: int) -> Iterator[int]:
    """The bodies that carry a body, next one first."""
    topology = compiled.spatial.topology
    while topology[row, T_PARENT] > 0:
        row = int(topology[row, T_PARENT])
        yield row


def _coordinates(compiled: CompiledArm, row: int) -> range:
    first = int(compiled.spatial.topology[row, T_COORD])
    if first < 0:
        return range(0)
    # only flexible trees hold how many a body has; a joint's body has none
    flexible = not isinstance(compiled.spatial, SpatialTree)
    return range(first, first + max(1, int(compiled.spatial.topology[row, T_COUNT]) if flexible else 1))


def _axis(
    compiled: CompiledArm, name: str, spinning: Collection[str], free: Collection[str], q: Floats
) -> tuple[Floats, Floats]:
    """A point of a joint's axis and its direction, in the base frame; refused if the joint's carrier can move."""
    row = compiled.joint_bodies[name]
    path = [row, *_inboard(compiled, row)][::-1]
    elastic = dict(zip(compiled.elastic_coordinates.tolist(), compiled.elastic_links, strict=True))
    turned, place = np.eye(3), np.zeros(3)
    for body in path:
        data = compiled.spatial.body[body]
        place = place + turned @ data[B_OX : B_OX + 3]
        turned = turned @ data[B_R00 : B_R00 + 9].reshape(3, 3)
        if body == row:
            break
        for c in _coordinates(compiled, body):
            if c in elastic:
                raise AnalysisError(
                    f'joint "{name}" cannot spin steadily: link "{elastic[c]}", which carries it, gives way, and its '
                    "axis with it; must be carried by nothing that bends, as the first joint is"
                )
            joint = compiled.coordinate_names[c]
            if joint in free and joint not in spinning:
                raise AnalysisError(
                    f'joint "{name}" cannot spin steadily: joint "{joint}", which carries it, is free; must be held: '
                    "name the joints behind it as the free ones"
                )
            kind = compiled.spatial.topology[body, T_JOINT]
            if kind == REVOLUTE:
                cos, sin = np.cos(q[c]), np.sin(q[c])
                turned = turned @ np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
            elif kind == PRISMATIC:
                place = place + turned[:, 2] * q[c]
    return place, turned[:, 2]


def _check_carriers(compiled: CompiledArm, name: str, axes: Mapping[str, tuple[Floats, Floats]]) -> None:
    """Refuse a spinning joint on another one that turns its axis about."""
    place, axis = axes[name]
    for row in _inboard(compiled, compiled.joint_bodies[name]):
        for c in _coordinates(compiled, row):
            other = compiled.coordinate_names[c]
            if other not in axes:
                continue
            at, direction = axes[other]
            apart = np.linalg.norm(np.cross(place - at, direction)) / compiled.reach
            if apart > _ROUNDING or np.linalg.norm(np.cross(axis, direction)) > _ROUNDING:
                raise AnalysisError(
                    f'joints "{other}" and "{name}" cannot both spin: the first carries the axis of the second round; '
                    "must have the same axis, or one of them must not spin"
                )


def _check_gravity(compiled: CompiledArm, name: str, axis: Floats) -> None:
    # of a planar arm the engine sees gravity in the plane alone
    gravity = compiled.tree.gravity
    across = np.linalg.norm(np.cross(gravity, axis))
    if across > _ROUNDING * np.linalg.norm(gravity):
        raise AnalysisError(
            f'gravity is {_shown(gravity)} m/s² and joint "{name}" spins about {_shown(axis)}: weight across the axis '
            "shakes the arm in every turn, and nothing is steady; gravity must be zero or along the axis"
        )


def _check_loads(compiled: CompiledArm, name: str, axis: Floats) -> None:
    """Refuse loads on what spins that do not look the same from there at all times."""
    row = compiled.joint_bodies[name]
    for load, place in zip(compiled.arm.loads, compiled.loads.place, strict=True):
        body = int(place[0])
        if body != row and row not in _inboard(compiled, body):
            continue
        where = f'the load on link "{load.link}", which spins with "{name}",'
        if load.law is not None:
            raise AnalysisError(f"{where} changes with time, and nothing is steady; must have no law")
        if load.axes == "link":
            continue
        for vector in (load.force, load.moment):
            size = float(np.linalg.norm(vector))
            if np.linalg.norm(np.cross(vector, axis)) > _ROUNDING * size:
                raise AnalysisError(
                    f"{where} keeps its direction across the axis while the arm turns, and nothing is steady; must be "
                    f'along the axis, {_shown(axis)}, or have axes = "link"'
                )


def _shown(vector: Floats) -> str:
    return "(" + ", ".join(f"{x + 0.0:.4g}" for x in np.round(vector, 12)) + ")"


# --- About it --------------------------------------------------------------------------------------------------------


def motion_about_rotation(
    compiled: CompiledArm, rates: Mapping[str, float], posture: Posture | None, joints: JointStates
) -> SmallMotion:
    """The matrices of small motion about steady rotation at the given rates (rad/s by joint).

    Elastic coordinates, free joints and those under a servo are in equilibrium under the centrifugal forces, all other
    joints held. A servo that spins has a target that spins with it.
    """
    moving = moving_coordinates(compiled, joints)
    state = _steady_state(compiled, rates, posture, joints)
    forces = Forces(compiled)
    stiffness, damping = forces.tangent(state, with_rates=False)
    block = np.ix_(moving, moving)
    stiffness, conservative = evened(compiled, state.q, moving, stiffness[block])
    if not compiled.arm.loads and not conservative:
        stiffness, conservative = 0.5 * (stiffness + stiffness.T), True
    free = set(rates) & set(joints.free)
    cyclic = np.array([k for k, c in enumerate(moving) if compiled.coordinate_names[c] in free], dtype=np.int64)
    if conservative:
        # turning the whole arm on changes nothing: the remainder there is rounding
        stiffness[cyclic], stiffness[:, cyclic] = 0.0, 0.0
    return checked(
        SmallMotion(
            compiled=compiled,
            joints=joints,
            state=state,
            moving=moving,
            mass=forces.mass(state.q)[block],
            gyro=_gyroscopic(forces, state)[block],
            damping=damping[block],
            stiffness=stiffness,
            cyclic=cyclic,
            conservative=conservative,
        )
    )


def _steady_state(
    compiled: CompiledArm, rates: Mapping[str, float], posture: Posture | None, joints: JointStates
) -> State:
    start, hold = targeted(compiled, posture, joints)
    check_steady(compiled, tuple(rates), joints.free, start.q)
    v = np.zeros_like(start.q)
    for name in joints.free:
        hold[compiled.coordinate_names.index(name)] = False
    for name, rate in rates.items():
        c = compiled.coordinate_names.index(name)
        hold[c], v[c] = True, rate
    return _balanced(compiled, State(start.q, v, np.zeros_like(v), start.tau), hold, rates)


def _balanced(compiled: CompiledArm, state: State, hold: np.ndarray, rates: Mapping[str, float]) -> State:
    """The state in equilibrium.

    An arm that is in equilibrium as it is, stable or not, stays there: a straight beam does not leave for where it
    would buckle to because of rounding. Otherwise a stable equilibrium is sought; beyond a limit there may be none, and
    of links that merely bend any that Newton's method finds is then of interest.
    """
    free, forces, now = np.flatnonzero(~hold), Forces(compiled), state.copy()
    if not free.size:
        return now
    lever = compiled.tree.spring[free, S_LEVER] / compiled.reach

    def step() -> Floats:
        stiffness = forces.tangent(now, with_rates=False)[0][np.ix_(free, free)]
        unbalanced = (forces.inverse(now.q, now.v, now.a) - now.tau)[free]
        return np.asarray(np.linalg.lstsq(stiffness, -unbalanced, rcond=None)[0])

    first = step()
    if float(np.max(np.abs(first) * lever)) < _STANDS:
        now.q[free] += first
        return now
    try:
        return equilibrium(compiled, state, hold=hold)[0]
    except AnalysisError:
        bends = set(free) <= set(compiled.elastic_coordinates)
        for _ in range(50 if bends else 0):
            moved = step()
            far = float(np.max(np.abs(moved) * lever))
            if not far <= 1.0:
                break
            now.q[free] += moved
            if far < _STANDS:
                return now
    spins = ", ".join(f'"{name}" at {rate:.6g} rad/s' for name, rate in rates.items())
    raise AnalysisError(
        f"no steady rotation found with {spins}: the centrifugal forces bend the arm beyond what its model holds, or "
        "throw a free joint out; try a lower speed, another posture or fewer free joints"
    )


def _gyroscopic(forces: Forces, state: State) -> Floats:
    """G (nq, nq): inertia forces per unit rate about a steady rotation; they are quadratic in the rates, so a central
    difference is exact whatever its step.
    """
    c = forces.compiled
    if not np.any(state.v):
        return np.zeros((len(state.q), len(state.q)))
    size = np.array([1.0 if unit == "rad" else c.reach for unit in c.coordinate_units])
    size *= float(np.max(np.abs(state.v)))
    given = (state.q, state.v, state.a)
    bare = without_springs(c.tree)
    _, gyro = tangent_columns(bare, c.loads, c.laws, forces.t, given, size, forces.work, (False, True))
    # in steady rotation the part that is not skew vanishes: the power of these forces is the change of an energy that
    # does not change
    return 0.5 * (gyro - gyro.T)
