"""The modes about steady rotation: gyroscopic, damped, and some of them unstable."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from flexarm.analyses.eigen import definite, general_modes, gyroscopic_modes, symmetric_modes
from flexarm.analyses.mode_names import holders, numbered
from flexarm.analyses.modes import told_joints
from flexarm.analyses.points import point_rates
from flexarm.analyses.steady import SmallMotion, small_motion
from flexarm.analyses.trust import bent_too_far
from flexarm.compiled import CompiledArm
from flexarm.core.dynamics import spring_matrices
from flexarm.core.types import Floats
from flexarm.results import ModeSet

# A mode whose ω² is below this part of what stiffness would give is a rigid-body motion.
_FLOOR = 1e-9
# Coupling of two modes by gyroscopic forces, as part of their frequencies, below which both are real: frequencies then
# change by its square.
_UNCOUPLED = 1e-9
# Of more coordinates than this the lowest modes at rest in the rotating frame take their place: those left out are
# thousands of times faster than the rotation and add the square of that ratio.
_MOST = 300
# Parts of a complex number that are rounding: where two frequencies meet, half of the digits are lost.
_ROUNDING = 1e-6


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The modes of a small motion, lowest first: those that diverge, rigid-body motions, then by frequency.

    `values` are the eigenvalues λ (1/s) without dampers, of a pair the one with Im λ > 0 or λ > 0; `ratios` the damping
    ratios and `growth` the rates at which unstable modes grow (1/s), both with dampers. Shapes stand in columns,
    xᴴ M x = 1, and are real if all modes are.
    """

    values: np.ndarray
    ratios: Floats
    growth: Floats
    shapes: np.ndarray

    @property
    def squares(self) -> Floats:
        """ω² (1/s²), negative where a mode diverges."""
        return np.where(self.values.imag > 0.0, self.values.imag**2, -(self.values.real**2))


def modes_about_rotation(
    compiled: CompiledArm,
    rates: Mapping[str, float],
    posture: Mapping[str, float] | None,
    joints: str | Collection[str],
    count: int,
) -> ModeSet:
    """The lowest modes about steady rotation at the given rates (rad/s by joint)."""
    motion = small_motion(compiled, rates, posture, joints)
    found = spectrum(motion, count)
    q = motion.state.q
    units = dict(zip(compiled.coordinate_names, compiled.coordinate_units, strict=True))
    held = [joint for joint in compiled.joint_names if joint not in rates]
    point_motion = point_rates(compiled, q)[:, :, motion.moving]
    return ModeSet(
        frequencies_hz=np.maximum(found.values.imag, 0.0) / (2.0 * np.pi),
        damping_ratios=found.ratios,
        names=tuple(numbered_with_fate(mode_kinds(compiled, motion, found), found)),
        coordinates=tuple(compiled.coordinate_names[c] for c in motion.moving),
        shapes=found.shapes.T,
        point_names=compiled.point_names,
        point_shapes=np.moveaxis(point_motion @ found.shapes, -1, 0),
        # what an equilibrium leaves by rounding is no angle
        posture={joint: round(float(q[compiled.coordinate_names.index(joint)]), 12) + 0.0 for joint in held},
        posture_units={joint: units[joint] for joint in held},
        joints=told_joints(joints),
        arm_name=compiled.arm.name,
        spin=rates,
        growth_rates=found.growth,
        remarks=tuple(bent_too_far(compiled, q[None, :])),
        arm=compiled.arm,
        at=dict(zip(compiled.coordinate_names, q.tolist(), strict=True)),
    )


def mode_kinds(compiled: CompiledArm, motion: SmallMotion, found: Spectrum) -> list[str]:
    """What each mode is: the links and directions that hold it against its inertia."""
    springs = spring_matrices(compiled.tree, motion.state.q)[0][np.ix_(motion.moving, motion.moving)]
    kinds = []
    for value, shape in zip(found.values, found.shapes.T, strict=True):
        if value == 0.0:
            kinds.append("rigid-body motion")
            continue
        # the rotation holds joints and beams too; where it throws them out the springs tell what moves
        kind = holders(compiled, motion.moving, shape, motion.stiffness)
        kinds.append(kind or holders(compiled, motion.moving, shape, springs) or "swing under rotation")
    return kinds


def numbered_with_fate(kinds: list[str], found: Spectrum) -> list[str]:
    """The names of the modes, those of unstable ones with what they do."""
    names = numbered(kinds)
    for k, growth in enumerate(found.growth):
        if growth > 0.0:
            names[k] += ", diverges" if found.values[k].imag == 0.0 else ", grows"
    return names


def spectrum(motion: SmallMotion, count: int) -> Spectrum:
    """The lowest modes of a small motion."""
    values, shapes = _undamped(motion)
    values, shapes = values[:count], shapes[:, :count]
    shapes = _plain(shapes / np.sqrt(np.real(np.sum(shapes.conj() * (motion.mass @ shapes), axis=0))))
    damped = _damped(motion, values, shapes)
    size = np.where(damped == 0.0, 1.0, np.abs(damped))
    ratios = np.where(values.imag > 0.0, -damped.real / size, 0.0) + 0.0
    overdamped = (values.imag > 0.0) & (damped.imag == 0.0)
    ratios[overdamped] = (-damped.real / np.where(overdamped, values.imag, 1.0))[overdamped]
    growth = np.where(damped.real > 1e-9 * np.abs(damped), damped.real, 0.0)
    return Spectrum(values, ratios, growth, shapes)


# --- Without dampers -------------------------------------------------------------------------------------------------


def _undamped(motion: SmallMotion) -> tuple[np.ndarray, np.ndarray]:
    """All λ and shapes without dampers, sorted.

    A free spinning joint θ is cyclic: without dampers its momentum M_θθ θ̇ + M_θx ẋ + G_θx x keeps its value, zero for
    a vibration, which gives θ̇ and leaves equations of the same kind for the others (Routh); θ itself is a rigid-body
    motion.
    """
    n, cyclic = len(motion.mass), motion.cyclic
    rest = np.setdiff1d(np.arange(n), cyclic)
    m, g, k = motion.mass, motion.gyro, motion.stiffness
    mass, gyro, stiffness = (matrix[np.ix_(rest, rest)] for matrix in (m, g, k))
    if len(cyclic):
        inertia = m[np.ix_(cyclic, cyclic)]
        pull, turn = m[np.ix_(cyclic, rest)], g[np.ix_(cyclic, rest)]
        moved, turned = np.linalg.solve(inertia, pull), np.linalg.solve(inertia, turn)
        mass, stiffness = mass - pull.T @ moved, stiffness + turn.T @ turned
        gyro = gyro - pull.T @ turned + turn.T @ moved
    values, inner = _pencil(mass, gyro, stiffness, motion.conservative)
    shapes = np.zeros((n, len(values) + len(cyclic)), inner.dtype if not len(cyclic) else complex)
    shapes[rest, : len(values)] = inner
    if len(cyclic):
        slow = np.where(values == 0.0, 1.0, values)
        shapes[np.ix_(cyclic, np.arange(len(values)))] = -moved @ inner - np.where(
            values == 0.0, 0.0, turned @ inner / slow
        )
        shapes[cyclic, len(values) + np.arange(len(cyclic))] = 1.0
        values = np.append(values, np.zeros(len(cyclic)))
    squares = np.where(values.imag > 0.0, values.imag**2, -(values.real**2))
    order = np.argsort(squares, kind="stable")
    return values[order], shapes[:, order]


def _pencil(mass: Floats, gyro: Floats, stiffness: Floats, conservative: bool) -> tuple[np.ndarray, np.ndarray]:
    """λ and shapes of M ẍ + G ẋ + K x = 0, in no order."""
    if not len(mass):
        return np.zeros(0, complex), np.zeros((0, 0))
    squares, shapes, scale = symmetric_modes(0.5 * (stiffness + stiffness.T), mass)
    floor = _FLOOR * scale
    omega = np.sqrt(np.maximum(np.abs(squares), floor))
    coupled = np.abs(shapes.T @ gyro @ shapes) > _UNCOUPLED * np.sqrt(np.outer(omega, omega))
    if conservative and not np.any(coupled):
        values = np.where(squares > 0.0, 1j * omega, omega)
        return np.where(np.abs(squares) <= floor, 0.0, values), shapes
    if len(mass) > _MOST:
        few = shapes[:, :_MOST]
        m, g, k = (few.T @ matrix @ few for matrix in (mass, gyro, stiffness))
        values, inner = _pencil(m, g, k, conservative)
        return values, few @ inner
    if conservative and definite(stiffness) and squares[0] > floor:
        omega, moved = gyroscopic_modes(stiffness, gyro, mass)
        return 1j * omega, moved
    values, moved = general_modes(stiffness, gyro, mass)
    # λ = 0 is a double value and lost half of its digits; K x = 0 tells such modes exactly
    away = np.abs(values) ** 2 > floor
    still = np.abs(squares) <= floor
    values, moved = values[away], moved[:, away]
    swings = np.abs(values.real) <= _ROUNDING * np.abs(values)
    stands = np.abs(values.imag) <= _ROUNDING * np.abs(values)
    values = np.where(swings, 1j * values.imag, np.where(stands, values.real, values))
    kept = (values.imag > 0.0) | ((values.imag == 0.0) & (values.real > 0.0))
    zeros = np.zeros(np.count_nonzero(still), complex)
    return np.append(zeros, values[kept]), np.hstack([shapes[:, still], moved[:, kept]])


def _plain(shapes: np.ndarray) -> np.ndarray:
    """The shapes with their largest entry real, and real altogether if they all are."""
    if not np.iscomplexobj(shapes):
        return shapes
    columns = np.arange(shapes.shape[1])
    largest = shapes[np.argmax(np.abs(shapes), axis=0), columns]
    turned = shapes * (np.conj(largest) / np.abs(largest))
    real = np.max(np.abs(turned.imag), axis=0) <= _ROUNDING * np.abs(largest)
    turned[:, real] = turned[:, real].real
    return turned.real if np.all(real) else turned


# --- With dampers ----------------------------------------------------------------------------------------------------


def _damped(motion: SmallMotion, values: np.ndarray, shapes: np.ndarray) -> np.ndarray:
    """λ of every mode with dampers; a mode that no longer swings has −ζω, real.

    Each is the one whose shape is nearest; where there is none, dampers change it to first order.
    """
    if not np.any(motion.damping):
        return values
    lost = np.real(np.sum(shapes.conj() * (motion.damping @ shapes), axis=0))
    turned = np.sum(shapes.conj() * (motion.gyro @ shapes), axis=0)
    # (2λM + G) δλ = −λD along the shape
    safe = np.where(values == 0.0, 1.0, values)
    alone = -lost / (2.0 + turned / safe)
    moved, vectors = _all_damped(motion)
    above = np.flatnonzero((moved.imag >= 0.0) & (np.abs(moved) > 0.0))
    near = alike(shapes, vectors[:, above], motion.mass)
    found = values.astype(complex)
    for k, value in enumerate(values):
        if value == 0.0:
            continue
        best = int(np.argmax(near[k]))
        exact = moved[above[best]]
        swings = abs(exact.imag) > _ROUNDING * abs(exact)
        if near[k, best] > 0.5 and swings == (value.imag > 0.0) and (swings or exact.real > 0.0):
            found[k] = exact
            near[:, best] = 0.0
        elif value.imag > 0.0:
            ratio = -alone[k].real / value.imag
            found[k] = value.imag * (-ratio + 1j * np.sqrt(1.0 - ratio**2) if abs(ratio) < 1.0 else -ratio)
        else:
            found[k] = value + alone[k].real
    return found


def _all_damped(motion: SmallMotion) -> tuple[np.ndarray, np.ndarray]:
    rate = motion.gyro + motion.damping
    if len(rate) <= _MOST:
        return general_modes(motion.stiffness, rate, motion.mass)
    few = symmetric_modes(0.5 * (motion.stiffness + motion.stiffness.T), motion.mass)[1][:, :_MOST]
    values, inner = general_modes(*(few.T @ matrix @ few for matrix in (motion.stiffness, rate, motion.mass)))
    return values, few @ inner


def alike(one: np.ndarray, other: np.ndarray, mass: Floats) -> Floats:
    """How alike shapes are (columns × columns), from 0 to 1: the square of the cosine between them, measured by the
    mass.
    """
    crossed = np.abs(one.conj().T @ mass @ other) ** 2
    own = np.real(np.sum(one.conj() * (mass @ one), axis=0))
    others = np.real(np.sum(other.conj() * (mass @ other), axis=0))
    return np.asarray(crossed / (np.outer(own, others) + 1e-300))
