"""Eigenvalues of M ẍ + C ẋ + K x = H z, ż = F z + P x + R ẋ, solved so that the low ones keep their digits.

The stiffest mode of a fine chain lies ten decades above the lowest. So the inverse problem is solved in coordinates in
which the stiffness is the unit matrix: the low modes are then the largest eigenvalues, and rounding is measured by
them.
"""

from __future__ import annotations

import numpy as np

from flexarm.analyses.modes.drive_states import DriveStates
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError

# Decades over which a shift is sought that makes the stiffness definite.
_MOST_SHIFTS = 30
# Two modes of one frequency come out of the general problem apart by half of the digits.
_FLUTTER = 1e-6


def symmetric_modes(stiffness: Floats, mass: Floats) -> tuple[Floats, Floats, float]:
    """ω² ascending, mass-normalised shapes in columns, and the size an ω² has if there is stiffness at all.

    Solved as M φ = μ (K + σM) φ.
    """
    sigma, scale = shift(stiffness, mass)
    lower = np.linalg.cholesky(stiffness + sigma * mass)
    inner = np.linalg.solve(lower, np.linalg.solve(lower, mass).T)
    mu, vectors = np.linalg.eigh(0.5 * (inner + inner.T))
    mu, vectors = mu[::-1], vectors[:, ::-1]
    mu = np.maximum(mu, 1e-300)
    shapes = np.linalg.solve(lower.T, vectors) / np.sqrt(mu)
    return 1.0 / mu - sigma, shapes, scale


def real_modes(stiffness: Floats, mass: Floats) -> tuple[Floats, Floats, Floats, float]:
    """ω² ascending, mass-normalised shapes Φ in columns, the rows Φ⁻¹ that give modal coordinates, and the size an ω²
    has if there is stiffness at all; K need not be symmetric. Refused where modes flutter: they have no real shapes.

    Solved as M φ = μ (K + σM) φ in coordinates in which the symmetric part of K + σM is the unit matrix.
    """
    if np.array_equal(stiffness, stiffness.T):
        squares, shapes, scale = symmetric_modes(stiffness, mass)
        return squares, shapes, shapes.T @ mass, scale
    even = 0.5 * (stiffness + stiffness.T)
    sigma, scale = shift(even, mass)
    lower = np.asarray(np.linalg.cholesky(even + sigma * mass))
    mu, vectors = np.linalg.eig(np.linalg.solve(_turned(lower, stiffness + sigma * mass), _turned(lower, mass)))
    with np.errstate(divide="ignore"):
        squares = 1.0 / mu - sigma
    flutters = np.abs(np.imag(squares)) > _FLUTTER * np.abs(squares)
    if flutters.any():
        slowest = np.sqrt(np.min(np.abs(squares[flutters]))) / (2.0 * np.pi)
        raise AnalysisError(
            f"the arm does not come to rest where it stops: it flutters there at {slowest:.4g} Hz under the loads that "
            "follow it; try smaller ones"
        )
    order = np.argsort(-np.real(mu))
    squares, vectors = np.real(squares[order]), np.real(vectors[:, order])
    shapes = np.linalg.solve(lower.T, vectors)
    sizes = np.sqrt(np.sum(shapes * (mass @ shapes), axis=0))
    rows = np.linalg.solve(vectors, lower.T) * sizes[:, None]
    return squares, shapes / sizes, rows, scale


def gyroscopic_modes(stiffness: Floats, gyro: Floats, mass: Floats) -> tuple[Floats, np.ndarray]:
    """ω ascending and complex shapes in columns of M ẍ + G ẋ + K x = 0; K positive definite, G skew.

    With K = L Lᵀ, u = Lᵀx, M = N Nᵀ, R = L⁻¹N and λ = 1/μ the state (u, p = Rᵀu/μ) obeys

        μ (u, p) = [ −L⁻¹G L⁻ᵀ, −R ; Rᵀ, 0 ] (u, p),

    a skew matrix: i times it is Hermitian, so no frequency can come out complex.
    """
    n = len(stiffness)
    lower = np.asarray(np.linalg.cholesky(stiffness))
    root = np.linalg.solve(lower, _root(mass))
    skew = np.zeros((2 * n, 2 * n))
    skew[:n, :n], skew[:n, n:], skew[n:, :n] = -_turned(lower, gyro), -root, root.T
    periods, vectors = np.linalg.eigh(1j * skew)
    # they come in pairs of either sign; the positive ones turn with e^{+iωt}
    periods, vectors = periods[::-1][:n], vectors[:, ::-1][:n, :n]
    return 1.0 / np.maximum(periods, 1e-300), np.linalg.solve(lower.T, vectors)


def general_modes(
    stiffness: Floats, rate: Floats, mass: Floats, drives: DriveStates | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """λ by size and complex shapes x in columns of M ẍ + C ẋ + K x = H z, ż = F z + P x + R ẋ, whatever C and K are.

    As in `gyroscopic_modes`, about λ = s ≥ 0 with K + s²M positive definite: λ = s + δ, ν = 1/δ, and with w = δx

        ν (x, z) = −S⁻¹ ( (C + 2sM) x + M w ;  z − R x ),   ν w = x,    S = [ K + sC + s²M, −H ; −P − sR, s − F ].
    """
    n = len(stiffness)
    even = 0.5 * (stiffness + stiffness.T)
    sigma, scale = shift(even, mass)
    s = float(np.sqrt(sigma))
    lower = np.asarray(np.linalg.cholesky(even + sigma * mass))
    root = np.linalg.solve(lower, _root(mass))
    count = 0 if drives is None else len(drives.own)
    if drives is not None and s == 0.0 and not _solvable(drives):
        # an undamped drive that excites nothing has λ = 0: solved from a shift next to it
        s = 1e-2 * float(np.sqrt(scale))
    stiff = np.zeros((n + count, n + count))
    moved = np.zeros((n + count, 2 * n + count))
    stiff[:n, :n] = _turned(lower, stiffness + s * rate + s * s * mass)
    moved[:n, :n], moved[:n, n : 2 * n] = _turned(lower, rate + 2.0 * s * mass), root
    if drives is not None:
        stiff[:n, n:] = -np.linalg.solve(lower, drives.force)
        stiff[n:, :n] = -np.linalg.solve(lower, (drives.position + s * drives.rate).T).T
        stiff[n:, n:] = s * np.eye(count) - drives.own
        moved[n:, :n] = -np.linalg.solve(lower, drives.rate.T).T
        moved[n:, 2 * n :] = np.eye(count)
    held = -np.linalg.solve(stiff, moved)
    state = np.zeros((2 * n + count, 2 * n + count))
    state[:n], state[2 * n :], state[n : 2 * n, :n] = held[:n], held[n:], root.T
    nu, vectors = np.linalg.eig(state)
    found = np.abs(nu) > 1e-300
    values = s + 1.0 / nu[found]
    order = np.argsort(np.abs(values), kind="stable")
    return values[order], np.linalg.solve(lower.T.astype(complex), vectors[:n, found])[:, order]


def _solvable(drives: DriveStates) -> bool:
    """True unless a drive's own states can stand anywhere: F and P together leave none of them undecided."""
    both = np.hstack([drives.own, drives.position])
    size = np.maximum(np.linalg.norm(both, axis=1, keepdims=True), 1e-300)
    return bool(np.linalg.matrix_rank(both / size) == len(both))


def shift(stiffness: Floats, mass: Floats) -> tuple[float, float]:
    """The least σ of a few for which K + σM is positive definite, zero if K is, and the size an ω² has if there is
    stiffness at all.
    """
    diagonal = np.diag(stiffness)
    stiff = diagonal > 0.0
    sigma = 1.0
    if np.any(stiff):
        root = 1.0 / np.sqrt(diagonal[stiff])
        sigma = 1.0 / float(np.linalg.eigvalsh(root[:, None] * mass[np.ix_(stiff, stiff)] * root[None, :])[-1])
    scale = sigma
    if definite(stiffness):
        return 0.0, scale
    for _ in range(_MOST_SHIFTS):
        if definite(stiffness + sigma * mass):
            return sigma, scale
        sigma *= 10.0
    _root(mass)
    raise AnalysisError(
        "the stiffness of the arm spans too many decades for its frequencies to be found; try parts whose stiffnesses "
        "and masses are nearer to one another"
    )


def definite(matrix: Floats) -> bool:
    """True if the symmetric matrix is positive definite."""
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True


def _root(mass: Floats) -> Floats:
    """N of M = N Nᵀ."""
    try:
        return np.asarray(np.linalg.cholesky(mass))
    except np.linalg.LinAlgError:
        raise AnalysisError(
            "the inertia of the arm is not positive where it is in equilibrium: the second-order link frame does not "
            'hold there; try frames = "element", fewer modes or a hub'
        ) from None


def _turned(lower: Floats, matrix: Floats) -> Floats:
    """L⁻¹ A L⁻ᵀ."""
    return np.asarray(np.linalg.solve(lower, np.linalg.solve(lower, matrix).T).T)
