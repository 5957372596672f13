"""All eigenvalues λ and shapes of a small motion, by the most exact way its matrices allow.

Without dampers: Hermitian problems, which have no damping from rounding. With dampers that leave the modes apart: each
mode by itself. Everything else - dampers that couple, loads that follow the arm, drives with states of their own - is a
general problem of first order.
"""

from __future__ import annotations

import numpy as np

from flexarm.analyses.modes.eigen import definite, general_modes, gyroscopic_modes, symmetric_modes
from flexarm.analyses.modes.small_motion import SmallMotion
from flexarm.core.tree.types import Floats

# A mode whose ω² is below this part of what stiffness would give is a rigid-body motion.
_FLOOR = 1e-9
# Coupling of two modes by gyroscopic forces, as part of their frequencies, below which both are real: frequencies then
# change by its square.
_UNCOUPLED = 1e-9
# Coupling of two modes by dampers, as part of their own damping, below which each is damped by itself.
_APART = 1e-6
# Of more coordinates than this the lowest modes at rest in the rotating frame take their place, with the shapes that
# loads on the joints bend the arm to: those left out are thousands of times faster and add the square of that ratio.
_MOST = 300
# A shape of which less than this part is not in those before it adds nothing but rounding.
_NEW = 1e-4
# Parts of a complex number that are rounding: where two eigenvalues meet, half of the digits are lost.
ROUNDING = 1e-6
# Real parts of damped modes that are rounding, as part of their size.
_NO_DAMPING = 1e-10
# Out of step by less than this (rad) a damped shape is drawn as a real one.
IN_STEP = 1e-3


def spectrum_of(motion: SmallMotion, count: int | None = None, *, exact: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """λ (1/s), of a conjugate pair the one with Im λ > 0, and the shapes of the first ones in columns, xᴴ M x = 1; a
    double zero is listed once, and without dampers of a pair ±λ on the real axis λ > 0 alone.

    In the order: those that diverge, rigid-body motions, then by |λ|. Shapes go up to the `count`th that is no stable
    real pole, and are real if all of these are. `exact`: dampers that couple modes
    ever so little do, and shapes stay as they come out.
    """
    if not len(motion.mass):
        return np.zeros(0, complex), np.zeros((0, 0))
    if motion.drives is None and not np.any(motion.damping):
        values, shapes = _undamped(motion)
        in_step = ROUNDING
    else:
        found = _damped_apart(motion, 0.0 if exact else _APART)
        values, shapes = _damped_together(motion) if found is None else found
        in_step = IN_STEP
    order = _lowest_first(values)
    values, shapes = values[order], shapes[:, order[: _up_to(values[order], count)]]
    sizes = np.sqrt(np.real(np.sum(shapes.conj() * (motion.mass @ shapes), axis=0)))
    shapes = shapes / np.where(sizes > 0.0, sizes, 1.0)
    return values, shapes if exact else plain(shapes, in_step)


def _up_to(values: np.ndarray, count: int | None) -> int:
    """The number up to the `count`th that is no stable real pole."""
    modes = np.flatnonzero((values.imag > 0.0) | (values.real >= 0.0))
    if count is None or count > len(modes):
        return len(values)
    return int(modes[count - 1]) + 1 if count else 0


def _lowest_first(values: np.ndarray) -> np.ndarray:
    """Their order; of two of one size (a pair that flutters) the one that grows first."""
    sizes = np.abs(values)
    with np.errstate(divide="ignore"):
        decades = np.where(sizes > 0.0, np.round(np.log(sizes), 7), -np.inf)
    diverges = (values.imag == 0.0) & (values.real > 0.0)
    return np.lexsort((sizes, -values.real, np.where(diverges, -decades, decades), ~diverges))


# --- Without dampers -------------------------------------------------------------------------------------------------


def _undamped(motion: SmallMotion) -> tuple[np.ndarray, np.ndarray]:
    """λ and shapes without dampers, in no order.

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
    return values, shapes


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
    # λ = 0 is a double value and lost half of its digits; K x = 0 gives such modes exactly
    away = np.abs(values) ** 2 > floor
    still = np.abs(squares) <= floor if conservative else np.zeros(len(squares), bool)
    values, moved = _upper(values[away], moved[:, away], ROUNDING, mirrored=True)
    return np.append(np.zeros(np.count_nonzero(still), complex), values), np.hstack([shapes[:, still], moved])


# --- With dampers ----------------------------------------------------------------------------------------------------


def _damped_apart(motion: SmallMotion, apart: float) -> tuple[np.ndarray, np.ndarray] | None:
    """λ and shapes where dampers leave the modes as they are; None where they couple them, or anything else does."""
    if motion.drives is not None or not motion.conservative or np.any(motion.gyro):
        return None
    squares, shapes, scale = symmetric_modes(motion.stiffness, motion.mass)
    lost = shapes.T @ motion.damping @ shapes
    own = np.diag(lost)
    size = np.sqrt(np.abs(np.outer(own, own))) + 1e-300
    if np.any(np.abs(lost - np.diag(own)) > apart * size) or np.any(own < 0.0):
        return None
    squares = np.where(np.abs(squares) <= _FLOOR * scale, 0.0, squares)
    values: list[complex] = []
    columns: list[int] = []
    for k, (square, d) in enumerate(zip(squares, own, strict=True)):
        found = _roots(float(square), float(d))
        values += found
        columns += [k] * len(found)
    return np.array(values, complex), shapes[:, columns]


def _roots(square: float, d: float) -> list[complex]:
    """λ of λ² + d λ + ω² = 0 as they are listed: the one above the real axis, or those on it."""
    if square == 0.0:
        return [0.0, -d] if d > 0.0 else [0.0]
    inside = 0.25 * d * d - square
    if abs(inside) <= ROUNDING**2 * abs(square):
        return [complex(-0.5 * d), complex(-0.5 * d)]
    if inside < 0.0:
        return [complex(-0.5 * d, np.sqrt(-inside))]
    # of the two the one without cancellation first
    fast = -0.5 * d - np.sqrt(inside)
    slow = square / fast
    return [complex(slow)] if d == 0.0 else [complex(slow), complex(fast)]


def _damped_together(motion: SmallMotion) -> tuple[np.ndarray, np.ndarray]:
    """λ and shapes of the general problem."""
    basis, slack = _basis(motion)
    m, c, k = (basis.T @ a @ basis for a in (motion.mass, motion.gyro + motion.damping, motion.stiffness))
    if motion.conservative:
        k[slack], k[:, slack] = 0.0, 0.0
    drives = None if motion.drives is None else motion.drives.seen_in(basis)
    values, shapes = general_modes(k, c, m, drives)
    squares, still, scale = symmetric_modes(0.5 * (k + k.T), m)
    still = still[:, np.abs(squares) <= _FLOOR * scale]
    if drives is not None:
        still = still[:, np.max(np.abs(drives.position @ still), axis=0, initial=0.0) <= _FLOOR]
    if not motion.conservative:
        still = still[:, np.max(np.abs(k @ still), axis=0, initial=0.0) <= _FLOOR * float(np.max(np.abs(k)))]
    # K x = 0 gives the zeros exactly: one for each such x, two where no damper takes hold of it
    zeros = still.shape[1]
    held = np.linalg.svd(still.T @ c @ still, compute_uv=False) if zeros else np.zeros(0)
    double = int(np.count_nonzero(held <= _FLOOR * np.sqrt(scale)))
    values, shapes = values[zeros + double :], shapes[:, zeros + double :]
    values, shapes = _upper(values, shapes, _NO_DAMPING, mirrored=False)
    return np.append(np.zeros(zeros, complex), values), basis @ np.hstack([still.astype(complex), shapes])


def _basis(motion: SmallMotion) -> tuple[Floats, np.ndarray]:
    """Shapes in columns that represent all: the coordinates themselves, or of many the lowest modes and what unit loads
    on the moving joints bend the arm to; and which of the columns are known to meet no stiffness.
    """
    n = len(motion.mass)
    if n <= _MOST:
        return np.eye(n), np.zeros(n, bool)
    even = 0.5 * (motion.stiffness + motion.stiffness.T)
    squares, shapes, scale = symmetric_modes(even, motion.mass)
    joints = set(motion.compiled.joint_coordinates.tolist())
    loads = np.eye(n)[:, [k for k, c in enumerate(motion.moving) if int(c) in joints]]
    bent = np.linalg.solve(even + max(scale, -2.0 * float(squares[0])) * motion.mass, loads)
    basis = shapes[:, :_MOST]
    for one in bent.T:
        size = float(np.sqrt(one @ motion.mass @ one))
        for _ in range(2):
            one = one - basis @ (basis.T @ (motion.mass @ one))
        left = float(np.sqrt(one @ motion.mass @ one))
        if left > _NEW * size:
            basis = np.column_stack([basis, one / left])
    slack = np.zeros(basis.shape[1], bool)
    slack[:_MOST] = np.abs(squares[:_MOST]) <= _FLOOR * scale
    return basis, slack


# --- One of every pair -----------------------------------------------------------------------------------------------


def _upper(
    values: np.ndarray, shapes: np.ndarray, no_damping: float, *, mirrored: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Those above the real axis or on it, rounding taken off; mirrored: −λ of λ > 0 is listed with it."""
    sizes = np.abs(values)
    stands = np.abs(values.imag) <= ROUNDING * sizes
    swings = ~stands & (np.abs(values.real) <= no_damping * sizes)
    values = np.where(swings, 1j * values.imag, np.where(stands, values.real, values))
    kept = (values.imag > 0.0) | stands
    growing = values[stands & (values.real > 0.0)].real
    for k in np.flatnonzero(stands & (values.real < 0.0)) if mirrored else ():
        kept[k] = not np.any(np.abs(growing + values[k].real) <= ROUNDING * growing)
    return values[kept], shapes[:, kept]


def plain(shapes: np.ndarray, in_step: float) -> np.ndarray:
    """The shapes with their largest entry real, and real altogether if they all are."""
    if not np.iscomplexobj(shapes) or not shapes.size:
        return shapes
    columns = np.arange(shapes.shape[1])
    largest = shapes[np.argmax(np.abs(shapes), axis=0), columns]
    largest = np.where(largest == 0.0, 1.0, largest)
    turned = shapes * (np.conj(largest) / np.abs(largest))
    real = np.max(np.abs(turned.imag), axis=0) <= in_step * np.abs(largest)
    turned[:, real] = turned[:, real].real
    return turned.real if np.all(real) else turned
