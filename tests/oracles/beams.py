"""Natural frequencies of cantilevers: exact characteristic equations, and a spectral Ritz method for tapered ones.

Lengths in m, stiffnesses EI, GJ in N m², κGA, EA in N, ρA in kg/m, ρI in kg m, tip mass in kg, tip inertia in kg m²;
angular frequencies in rad/s, ascending. No finite elements: the exact answers are roots of closed forms, and the Ritz
answers use polynomials of high degree for the *strains*, which keeps the stiffness matrix nearly diagonal and the low
frequencies at ten digits or more.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.polynomial import legendre
from scipy.linalg import eigh
from scipy.optimize import brentq
from scipy.special import iv, jv

Profile = float | Callable[[np.ndarray], np.ndarray]  # a constant, or a function of x/L (0 at the clamp)


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    return float(brentq(function, low, high, xtol=1e-15, rtol=4 * np.finfo(float).eps))


# --- Euler-Bernoulli -------------------------------------------------------------------------------------------------


def euler_roots(count: int) -> np.ndarray:
    """Roots β_n (count,) of cos β cosh β = −1: 1.875, 4.694, …"""
    # divided by cosh β; one root in each ((n − 1)π, nπ)
    return np.array([_root(lambda b: np.cos(b) + 1 / np.cosh(b), n * np.pi, (n + 1) * np.pi) for n in range(count)])


def euler(
    count: int, *, EI: float, rhoA: float, L: float, tip_mass: float = 0.0, tip_inertia: float = 0.0
) -> np.ndarray:
    """Angular frequencies of a uniform Euler-Bernoulli cantilever with a point mass and inertia at its tip (rad/s)."""
    mass, inertia = tip_mass / (rhoA * L), tip_inertia / (rhoA * L**3)
    beta = euler_roots(count)
    # Added one at a time, mass and inertia are rank-one changes, so each new root lies between two old ones.
    stages = ([(mass, 0.0)] if mass else []) + ([(mass, inertia)] if inertia else [])
    for m, j in stages:
        lows = np.concatenate([[1e-6], beta[:-1]])
        pairs = zip(lows, beta, strict=True)
        beta = np.array([_root(lambda b, m=m, j=j: _loaded(b, m, j), low, high) for low, high in pairs])
    return beta**2 * np.sqrt(EI / rhoA) / L**2


def _loaded(b: float, m: float, j: float) -> float:
    """Characteristic function of the cantilever with tip mass m ρAL and tip inertia j ρAL³, divided by cosh β."""
    c, s, sech, th = np.cos(b), np.sin(b), 1 / np.cosh(b), np.tanh(b)
    # (1 + cos cosh) + mβ(cos sinh − sin cosh) − jβ³(sin cosh + cos sinh) + mjβ⁴(1 − cos cosh) = 0
    return sech + c + m * b * (c * th - s) - j * b**3 * (s + c * th) + m * j * b**4 * (sech - c)


# --- Rayleigh and Timoshenko -----------------------------------------------------------------------------------------


def timoshenko(count: int, *, EI: float, kGA: float, rhoA: float, rhoI: float, L: float) -> np.ndarray:
    """Angular frequencies of a uniform Timoshenko cantilever (rad/s); kGA = inf gives the Rayleigh beam."""
    r2 = rhoI / (rhoA * L**2)
    s2 = 0.0 if np.isinf(kGA) else EI / (kGA * L**2)
    scale = np.sqrt(EI / rhoA) / L**2

    def characteristic(b: float) -> float:
        # 2 + [b²(r² − s²)² + 2] cosh(bα) cos(bβ) − (r² + s²) sinh(bα)/α sin(bβ)/β = 0,
        # α², β² = ½[∓(r² + s²) + √((r² − s²)² + 4/b²)]; past the cut-off brs = 1 α is imaginary, same form.
        radical = np.sqrt((r2 - s2) ** 2 + 4 / b**2)
        beta = np.sqrt(0.5 * (r2 + s2 + radical))
        alpha2 = 2 * (1 / b**2 - r2 * s2) / (r2 + s2 + radical)  # no cancellation near the cut-off
        alpha = np.sqrt(abs(alpha2))
        if alpha2 > 0:
            even, odd, size = 1.0, np.tanh(b * alpha) / alpha, 1 / np.cosh(min(b * alpha, 700.0))
        elif alpha2 < 0:
            even, odd, size = np.cos(b * alpha), np.sin(b * alpha) / alpha, 1.0
        else:
            even, odd, size = 1.0, b, 1.0
        return (
            2 * size + (b**2 * (r2 - s2) ** 2 + 2) * even * np.cos(b * beta) - (r2 + s2) * odd * np.sin(b * beta) / beta
        )

    # Ritz values say where each root is; the closed form then settles it
    shear = None if s2 == 0.0 else 1 / s2
    guesses = tapered(count, EI=1.0, rhoA=1.0, L=1.0, rhoI=r2, kGA=shear, degree=max(30, 3 * count))
    roots = []
    for guess in guesses:
        for width in (1e-9, 1e-7, 1e-5):
            low, high = guess * (1 - width), guess * (1 + width)
            if characteristic(low) * characteristic(high) <= 0:
                roots.append(_root(characteristic, low, high))
                break
        else:
            raise RuntimeError(f"no root of the characteristic equation near {guess * scale:.6g} rad/s")
    return np.array(roots) * scale


def rayleigh(count: int, *, EI: float, rhoA: float, rhoI: float, L: float) -> np.ndarray:
    """Angular frequencies of a uniform Rayleigh cantilever: rotary inertia, no shear (rad/s)."""
    return timoshenko(count, EI=EI, kGA=np.inf, rhoA=rhoA, rhoI=rhoI, L=L)


# --- Rods ------------------------------------------------------------------------------------------------------------


def rod(count: int, *, stiffness: float, inertia: float, L: float, tip: float = 0.0) -> np.ndarray:
    """Angular frequencies (rad/s) of a fixed-free rod: axial (EA, ρA, tip mass) or torsion (GJ, ρIp, tip inertia)."""
    ratio = tip / (inertia * L)
    # cos β = ratio β sin β, one root in each ((n − 1)π, (n − ½)π]
    beta = [
        _root(lambda b: np.cos(b) - ratio * b * np.sin(b), n * np.pi + (1e-9 if n == 0 else 0.0), (n + 0.5) * np.pi)
        if ratio > 0
        else (n + 0.5) * np.pi
        for n in range(count)
    ]
    return np.array(beta) * np.sqrt(stiffness / inertia) / L


# --- Tapered ---------------------------------------------------------------------------------------------------------


def wedge(count: int, *, EI: float, rhoA: float, L: float) -> np.ndarray:
    """Angular frequencies (rad/s) of a cantilever wedge of constant width ending in an edge; EI, ρA at the clamp.

    A ∝ x, I ∝ x³ from the edge: deflections x^{-1/2} (J1, I1)(2λ√x) (Kirchhoff).
    """
    return _sharp(1, count) * np.sqrt(EI / rhoA) / L**2


def cone(count: int, *, EI: float, rhoA: float, L: float) -> np.ndarray:
    """Angular frequencies (rad/s) of a cantilever cone or pyramid ending in a point; EI, ρA at the clamp."""
    return _sharp(2, count) * np.sqrt(EI / rhoA) / L**2


def _sharp(order: int, count: int) -> np.ndarray:
    def clamped(z: float) -> float:
        return float((jv(order, z) * iv(order + 1, z) + iv(order, z) * jv(order + 1, z)) / iv(order, z))

    grid = np.linspace(0.5, (count + 3) * np.pi, 40 * (count + 3))
    values = np.array([clamped(z) for z in grid])
    changes = np.nonzero(values[:-1] * values[1:] < 0)[0][:count]
    return np.array([_root(clamped, grid[i], grid[i + 1]) for i in changes]) ** 2 / 4


def tapered(
    count: int,
    *,
    EI: Profile,
    rhoA: Profile,
    L: float,
    rhoI: Profile | None = None,
    kGA: Profile | None = None,
    tip_mass: float = 0.0,
    tip_inertia: float = 0.0,
    degree: int = 40,
) -> np.ndarray:
    """Angular frequencies (rad/s) of a cantilever whose properties vary along it: upper bounds, spectrally close.

    Without ρI no rotary inertia, without κGA no shear. Curvature and shear strain are series of Legendre polynomials;
    rotation and deflection are their integrals, so the clamp is met exactly.
    """
    nodes, weights = legendre.leggauss(2 * degree + 20)
    at, w = 0.5 * (nodes + 1), 0.5 * weights * L

    def values(profile: Profile) -> np.ndarray:
        return np.broadcast_to(np.asarray(profile(at) if callable(profile) else profile, dtype=float), at.shape)

    x = np.append(nodes, 1.0)  # the tip beside the quadrature points
    strain, rotation, deflection = np.empty((3, degree, x.size))
    for k in range(degree):
        series = np.zeros(k + 1)
        series[k] = 1.0
        once, twice = legendre.legint(series, lbnd=-1), legendre.legint(series, 2, lbnd=-1)
        strain[k] = legendre.legval(x, series)
        rotation[k] = legendre.legval(x, once) * L / 2
        deflection[k] = legendre.legval(x, twice) * (L / 2) ** 2
    zero = np.zeros_like(strain)

    def gram(a: np.ndarray, weight: np.ndarray) -> np.ndarray:
        return (a[:, :-1] * (w * weight)) @ a[:, :-1].T

    turn, bend, move = (rotation, strain, deflection)
    if kGA is not None:
        # w' = φ + γ: the shear strains move the axis without turning the sections
        turn, bend, move = (np.vstack(pair) for pair in ((rotation, zero), (strain, zero), (deflection, rotation)))
    K = gram(bend, values(EI))
    if kGA is not None:
        K += gram(np.vstack([zero, strain]), values(kGA))
    M = gram(move, values(rhoA)) + tip_mass * np.outer(move[:, -1], move[:, -1])
    M += tip_inertia * np.outer(turn[:, -1], turn[:, -1])
    if rhoI is not None:
        M += gram(turn, values(rhoI))
    # largest 1/ω² first: the low frequencies keep their digits; K made of unit diagonal before it is factored
    size = 1 / np.sqrt(np.diag(K))
    inverse = eigh(M * np.outer(size, size), K * np.outer(size, size), eigvals_only=True)[::-1]
    return 1 / np.sqrt(inverse[:count])
