"""Which frequencies does the arm have in a posture, at rest or in steady rotation?"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

import numpy as np

from flexarm.analyses.eigen import symmetric_modes
from flexarm.analyses.mode_names import holders, numbered
from flexarm.analyses.points import point_rates
from flexarm.analyses.posture import Forces, State, commanded, equilibrium
from flexarm.compiled import CompiledArm, compile_arm, without_servos
from flexarm.compiled.loaded_shapes import shape_remarks
from flexarm.core.dynamics import spring_matrices
from flexarm.core.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.given import takes_arm
from flexarm.results import ModeSet

Rate = float | str


@takes_arm
def modes(
    arm: Arm,
    *,
    spin: Rate | Mapping[str, Rate] | None = None,
    posture: Mapping[str, float] | None = None,
    joints: Literal["locked", "free"] | Collection[str] = "locked",
    count: int = 10,
) -> ModeSet:
    """The lowest modes (Hz, damping ratios, shapes) about the static equilibrium in a posture (rad or m by joint;
    default: at t = 0), or about steady rotation.

    joints: "locked" holds every joint, "free" lets all of them move against no more than their own springs (no servo),
    names of joints let these alone move.
    spin: rate of the first revolute joint (rad/s, or text such as "75 rpm"), or rates by joint. Free joints then find
    the place where the rotation leaves them; a spinning joint that is not free keeps its rate.
    """
    if count < 1:
        raise AnalysisError(f"count is {count}, must be ≥ 1")
    rates = {}
    if spin is not None:
        from flexarm.analyses.steady import read_spin

        rates = read_spin(arm, spin)
    compiled = without_servos(compile_arm(arm))
    if rates:
        from flexarm.analyses.spinning import modes_about_rotation

        return modes_about_rotation(compiled, rates, posture, joints, count)
    moving_coordinates(compiled, joints)  # for what it refuses, before the equilibrium is looked for
    return modes_about(compiled, resting(compiled, posture), joints, count)


def modes_about(compiled: CompiledArm, state: State, joints: str | Collection[str], count: int) -> ModeSet:
    """The lowest modes (Hz, damping ratios, shapes) about a state of equilibrium at rest."""
    moving = moving_coordinates(compiled, joints)
    forces = Forces(compiled)
    stiffness, damping = forces.tangent(state)
    mass = forces.mass(state.q)
    block = np.ix_(moving, moving)
    squares, shapes, scale = symmetric_modes(0.5 * (stiffness[block] + stiffness[block].T), mass[block])
    squares, shapes = squares[:count], shapes[:, :count]
    ratios = damping_ratios(squares, shapes, damping[block])
    floor = 1e-9 * scale
    rates_of_points = point_rates(compiled, state.q)[:, :, moving]
    units = dict(zip(compiled.coordinate_names, compiled.coordinate_units, strict=True))
    return ModeSet(
        frequencies_hz=np.sqrt(np.maximum(squares, 0.0)) * (squares > floor) / (2.0 * np.pi),
        damping_ratios=ratios,
        names=_names(compiled, state.q, moving, squares, shapes, floor),
        coordinates=tuple(compiled.coordinate_names[c] for c in moving),
        shapes=shapes.T,
        point_names=compiled.point_names,
        point_shapes=np.moveaxis(rates_of_points @ shapes, -1, 0),
        posture={joint: float(state.q[compiled.coordinate_names.index(joint)]) for joint in compiled.joint_names},
        posture_units={joint: units[joint] for joint in compiled.joint_names},
        joints=told_joints(joints),
        arm_name=compiled.arm.name,
        remarks=tuple(shape_remarks(compiled.arm)),
        arm=compiled.arm,
        at=dict(zip(compiled.coordinate_names, state.q.tolist(), strict=True)),
    )


def free_joints(compiled: CompiledArm, joints: str | Collection[str]) -> tuple[str, ...]:
    """The names of the joints that may move, base to tip."""
    if isinstance(joints, str):
        if joints not in ("locked", "free"):
            raise AnalysisError(f'joints is "{joints}", must be "locked" or "free"')
        return compiled.joint_names if joints == "free" else ()
    for name in joints:
        if name not in compiled.joint_names:
            known = ", ".join(f'"{joint}"' for joint in compiled.joint_names)
            raise AnalysisError(f'joints: there is no joint "{name}", must be one of {known}')
    return tuple(name for name in compiled.joint_names if name in joints)


def told_joints(joints: str | Collection[str]) -> str | tuple[str, ...]:
    """What a result tells of the joints: the word, or the names of those that may move."""
    return joints if isinstance(joints, str) else tuple(joints)


def moving_coordinates(compiled: CompiledArm, joints: str | Collection[str]) -> np.ndarray:
    """The coordinates that may move, base to tip: the elastic ones and those of free joints; refused if there are
    none.
    """
    free = [compiled.coordinate_names.index(name) for name in free_joints(compiled, joints)]
    moving = np.array(sorted({*compiled.elastic_coordinates.tolist(), *free}), dtype=int)
    if len(moving) == 0:
        if joints == "free":
            raise AnalysisError("the arm has neither a flexible link nor a joint: nothing can move")
        raise AnalysisError(
            'the arm has no flexible link: with its joints locked nothing can move; try joints = "free"'
        )
    return moving


def resting(compiled: CompiledArm, posture: Mapping[str, float] | None) -> State:
    """The arm at rest in a posture, every joint held, its elastic coordinates in equilibrium."""
    state = commanded(compiled, 0.0, posture)
    zero = np.zeros_like(state.q)
    hold = np.ones(len(state.q), bool)
    hold[compiled.elastic_coordinates] = False
    balanced, _, _ = equilibrium(compiled, State(state.q, zero, zero, state.tau), hold=hold)
    return balanced


def damping_ratios(squares: Floats, shapes: Floats, damping: Floats) -> Floats:
    """Damping ratios, from the complex eigenvalues of the modes coupled by the dampers."""
    coupled = shapes.T @ damping @ shapes
    omega = np.sqrt(np.maximum(squares, 0.0))
    alone = np.diag(coupled) / np.where(omega > 0.0, 2.0 * omega, np.inf)
    scale = np.sqrt(np.abs(np.outer(np.diag(coupled), np.diag(coupled)))) + 1e-300
    if np.all(np.abs(coupled - np.diag(np.diag(coupled))) <= 1e-6 * scale) or np.any(alone >= 1.0):
        return alone
    m = len(squares)
    matrix = np.block([[np.zeros((m, m)), np.eye(m)], [-np.diag(squares), -coupled]])
    values = np.linalg.eigvals(matrix)
    above = values[values.imag > 0.0]
    above = above[np.argsort(np.abs(above))]
    if len(above) != np.count_nonzero(omega > 0.0):
        return alone
    ratios = alone.copy()
    ratios[omega > 0.0] = -above.real / np.abs(above)
    return ratios


def _names(
    compiled: CompiledArm, q: Floats, moving: np.ndarray, squares: Floats, shapes: Floats, floor: float
) -> tuple[str, ...]:
    """What each mode is: the links and directions that hold its strain energy, and its number among its like."""
    springs = spring_matrices(compiled.tree, q)[0][np.ix_(moving, moving)]
    kinds = []
    for square, shape in zip(squares, shapes.T, strict=True):
        if square <= floor:
            kinds.append("falls over" if square < -floor else "rigid-body motion")
        else:
            kinds.append(holders(compiled, moving, shape, springs) or "swing under gravity")
    return tuple(numbered(kinds))
