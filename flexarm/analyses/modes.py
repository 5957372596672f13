"""Which frequencies does the arm have in a posture?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal

import numpy as np

from flexarm.analyses.points import point_rates
from flexarm.analyses.posture import Forces, State, commanded, equilibrium
from flexarm.compiled import CompiledArm, compile_arm, without_servos
from flexarm.core.dynamics import spring_matrices
from flexarm.core.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.results import ModeSet

# A mode whose strain energy is shared bears the names of all that hold at least this part of it.
_SHARE = 0.25


def modes(
    arm: Arm,
    *,
    posture: Mapping[str, float] | None = None,
    joints: Literal["locked", "free"] = "locked",
    count: int = 10,
) -> ModeSet:
    """The lowest modes (Hz, damping ratios, shapes) about the static equilibrium in a posture (rad or m by joint;
    default: at t = 0).

    joints: "locked" holds every joint, "free" lets all of them move against no more than their own springs (no servo).
    """
    if joints not in ("locked", "free"):
        raise AnalysisError(f'joints is "{joints}", must be "locked" or "free"')
    if count < 1:
        raise AnalysisError(f"count is {count}, must be ≥ 1")
    compiled = without_servos(compile_arm(arm))
    state = resting(compiled, posture)
    forces = Forces(compiled)
    stiffness, damping = forces.tangent(state)
    mass = forces.mass(state.q)
    moving = compiled.elastic_coordinates if joints == "locked" else np.arange(len(compiled.coordinate_names))
    names = tuple(compiled.coordinate_names[c] for c in moving)
    units = dict(zip(compiled.coordinate_names, compiled.coordinate_units, strict=True))
    common = {
        "coordinates": names,
        "point_names": compiled.point_names,
        "posture": {joint: float(state.q[compiled.coordinate_names.index(joint)]) for joint in compiled.joint_names},
        "posture_units": {joint: units[joint] for joint in compiled.joint_names},
        "joints": joints,
        "arm_name": arm.name,
    }
    if len(moving) == 0:
        if joints == "locked":
            raise AnalysisError(
                'the arm has no flexible link: with its joints locked nothing can move; try joints = "free"'
            )
        raise AnalysisError("the arm has neither a flexible link nor a joint: nothing can move")
    block = np.ix_(moving, moving)
    squares, shapes, scale = _eigen(0.5 * (stiffness[block] + stiffness[block].T), mass[block])
    squares, shapes = squares[:count], shapes[:, :count]
    ratios = _ratios(squares, shapes, damping[block])
    floor = 1e-9 * scale
    rates = point_rates(compiled, state.q)[:, :, moving]
    return ModeSet(
        frequencies_hz=np.sqrt(np.maximum(squares, 0.0)) * (squares > floor) / (2.0 * np.pi),
        damping_ratios=ratios,
        names=_names(compiled, state.q, moving, squares, shapes, floor),
        shapes=shapes.T,
        point_shapes=np.moveaxis(rates @ shapes, -1, 0),
        **common,  # type: ignore[arg-type]
    )


def resting(compiled: CompiledArm, posture: Mapping[str, float] | None) -> State:
    """The arm at rest in a posture, every joint held, its elastic coordinates in equilibrium."""
    state = commanded(compiled, 0.0, posture)
    zero = np.zeros_like(state.q)
    hold = np.ones(len(state.q), bool)
    hold[compiled.elastic_coordinates] = False
    balanced, _, _ = equilibrium(compiled, State(state.q, zero, zero, state.tau), hold=hold)
    return balanced


def _eigen(stiffness: Floats, mass: Floats) -> tuple[Floats, Floats, float]:
    """ω² ascending, mass-normalised shapes in columns, and the size an ω² has if there is stiffness at all.

    Solved as M φ = μ (K + σM) φ: the low modes are the large μ, so that they keep their digits although the stiffest
    mode of a fine chain lies ten decades above.
    """
    diagonal = np.diag(stiffness)
    stiff = diagonal > 0.0
    sigma = 1.0
    if np.any(stiff):
        root = 1.0 / np.sqrt(diagonal[stiff])
        sigma = 1.0 / float(np.linalg.eigvalsh(root[:, None] * mass[np.ix_(stiff, stiff)] * root[None, :])[-1])
    scale = sigma
    if _definite(stiffness):
        sigma = 0.0
    while not _definite(stiffness + sigma * mass):
        sigma *= 10.0
    lower = np.linalg.cholesky(stiffness + sigma * mass)
    inner = np.linalg.solve(lower, np.linalg.solve(lower, mass).T)
    mu, vectors = np.linalg.eigh(0.5 * (inner + inner.T))
    mu, vectors = mu[::-1], vectors[:, ::-1]
    mu = np.maximum(mu, 1e-300)
    shapes = np.linalg.solve(lower.T, vectors) / np.sqrt(mu)
    return 1.0 / mu - sigma, shapes, scale


def _definite(matrix: Floats) -> bool:
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True


def _ratios(squares: Floats, shapes: Floats, damping: Floats) -> Floats:
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
    groups = _groups(compiled)
    seen: Counter[str] = Counter()
    names = []
    for square, shape in zip(squares, shapes.T, strict=True):
        if square <= floor:
            kind = "falls over" if square < -floor else "rigid-body motion"
        else:
            energy: dict[str, float] = {}
            for c, part in zip(moving, shape * (springs @ shape), strict=True):
                energy[groups[int(c)]] = energy.get(groups[int(c)], 0.0) + float(part)
            total = sum(energy.values())
            if total > 0.0:
                parts = [name for name, part in sorted(energy.items(), key=lambda x: -x[1]) if part >= _SHARE * total]
                kind = " + ".join(parts)
            else:
                kind = "swing under gravity"
        seen[kind] += 1
        names.append(f"{kind} {seen[kind]}")
    return tuple(names)


def _groups(compiled: CompiledArm) -> dict[int, str]:
    groups = {int(c): f"{name} joint" for c, name in zip(compiled.joint_coordinates, compiled.joint_names, strict=True)}
    for c, link, direction in zip(
        compiled.elastic_coordinates, compiled.elastic_links, compiled.elastic_directions, strict=True
    ):
        groups[int(c)] = f"{link} {direction.replace('_', ' ')}"
    return groups
