"""A linear model with few of its modes: the slow ones kept as they are, of the fast ones what they do to statics."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.errors import AnalysisError

# Poles within this part of one another are one place of the plane.
_SAME = 1e-6
# Left and right vectors nearer than this to a right angle belong to a pole that is double.
_LEAST = 1e-9


@dataclass(frozen=True, eq=False)
class Truncated:
    """The matrices of the smaller model, the names of its states and its poles (1/s)."""

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    names: tuple[str, ...]
    poles: np.ndarray


def truncated(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray, poles: Any, modes: int) -> Truncated | None:
    """The model with its zero and unstable poles and so many modes besides; None if that is all there is.

    With right and left vectors T_s, L_s of the slow poles and T_f, L_f of all others (L_fᵀT_s = L_sᵀT_f = 0), the fast
    part is taken statically: D − C T_f (L_fᵀ A T_f)⁻¹ L_fᵀ B.
    """
    poles = np.asarray(poles, complex)
    kept = _chosen(poles, modes)
    if len(kept) == len(poles):
        return None
    # states are measured in units that balance A: rounding is then that of the fastest pole and not of its square
    scale = _balance(a)
    a, b, c = a / scale[:, None] * scale[None, :], b / scale[:, None], c * scale[None, :]
    zeros = int(np.count_nonzero(kept == 0.0))
    # zeros are found as the complement of all other poles: a rigid-body motion has two of them and one vector
    right, left = (_vectors(matrix, poles[poles != 0.0]) for matrix in (a, a.T))
    still, still_left = _complement(left, zeros), _complement(right, zeros)
    wanted = kept[kept != 0.0]
    slow = np.hstack([still, _vectors(a, wanted)])
    slow_left = np.hstack([still_left, _vectors(a.T, wanted)])
    inner = slow_left.T @ slow
    sizes = np.linalg.svd(inner, compute_uv=False)
    if len(sizes) and sizes[-1] < _LEAST * sizes[0]:
        raise AnalysisError("modes: two of the poles to be kept are the same; try another number of modes")
    fast, fast_left = _complement(slow_left, len(a) - len(kept)), _complement(slow, len(a) - len(kept))
    statics = np.linalg.solve(fast_left.T @ a @ fast, fast_left.T @ b)
    matrix = np.linalg.solve(inner, slow_left.T @ a @ slow)
    made, names = _blocks(matrix, zeros, wanted)
    return Truncated(
        made, np.linalg.solve(inner, slow_left.T @ b), c @ slow, d - c @ fast @ statics, names, np.array(kept)
    )


def _chosen(poles: np.ndarray, modes: int) -> np.ndarray:
    """The poles that are kept, slowest first, each with its conjugate behind it."""
    kept: list[complex] = []
    counted = 0
    for pole in poles[np.argsort(np.abs(poles), kind="stable")]:
        if pole.imag < 0.0:
            continue
        always = pole == 0.0 or pole.real > 0.0
        if always or counted < modes:
            counted += not always
            kept += [pole, np.conj(pole)] if pole.imag > 0.0 else [pole]
    return np.array(kept, complex)


def _vectors(a: np.ndarray, poles: np.ndarray) -> np.ndarray:
    """A real basis of the vectors that belong to these poles: of a pair the real and the imaginary part."""
    values, vectors = np.linalg.eig(a)
    free = np.ones(len(values), bool)
    columns = []
    for pole in poles:
        if pole.imag < 0.0:
            continue
        # every pole takes the nearest free value
        apart = np.where(free, np.abs(values - pole), np.inf)
        k = int(np.argmin(apart))
        free[k] = False
        vector = vectors[:, k]
        if pole.imag > 0.0:
            free[int(np.argmin(np.where(free, np.abs(values - np.conj(pole)), np.inf)))] = False
            columns += [vector.real, vector.imag]
        else:
            columns.append(vector.real if np.linalg.norm(vector.real) > 0.1 else vector.imag)
    return np.array(columns).T if columns else np.zeros((len(a), 0))


def _complement(basis: np.ndarray, count: int) -> np.ndarray:
    """An orthonormal basis (n, count) of what is at right angles to the columns."""
    if count == 0:
        return np.zeros((len(basis), 0))
    return np.asarray(np.linalg.svd(basis, full_matrices=True)[0][:, len(basis) - count :])


def _balance(a: np.ndarray) -> np.ndarray:
    """Powers of two s for which a / s[:, None] * s[None, :] has rows and columns of like size (Parlett & Reinsch)."""
    scale, off = np.ones(len(a)), np.abs(a - np.diag(np.diag(a)))
    for _ in range(50):
        moved = False
        for k in range(len(a)):
            column, row = off[:, k].sum(), off[k].sum()
            if column == 0.0 or row == 0.0:
                continue
            factor = 2.0 ** np.round(0.5 * np.log2(row / column))
            if factor != 1.0:
                scale[k] *= factor
                off[:, k] *= factor
                off[k] /= factor
                moved = True
        if not moved:
            break
    return scale


def _blocks(matrix: np.ndarray, zeros: int, poles: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
    """The matrix with the blocks [σ, ω; −ω, σ] of the poles and nothing else, and the names of its states."""
    made = np.zeros_like(matrix)
    made[:zeros, :zeros] = matrix[:zeros, :zeros]
    names = [f"rigid_{k + 1}" for k in range(zeros)]
    at = zeros
    for number, pole in enumerate((pole for pole in poles if pole.imag >= 0.0), start=1):
        if pole.imag > 0.0:
            made[at : at + 2, at : at + 2] = [[pole.real, pole.imag], [-pole.imag, pole.real]]
            names += [f"mode_{number}_cos", f"mode_{number}_sin"]
            at += 2
        else:
            made[at, at] = pole.real
            names.append(f"mode_{number}")
            at += 1
    return made, tuple(names)
