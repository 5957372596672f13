"""One beam on a turning hub (the Hermitian element's examples): lateral tip displacement in the hub's frame.

Three models of the same beam: a Legendre series in the hub's frame without stiffening (M η̈ + (K − ω²P)η = −αc, what
small-displacement elements converge to), the same with the foreshortening of the axis (+ω²D), and, as a check of the
second, the geometrically exact beam of `geometric_arm`. The example's own mesh of cubic elements comes from
`timoshenko_tables`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import legendre
from scipy.linalg import eigh

from .geometric_arm import Arm, Beam
from .integration import History, integrate
from .timoshenko_tables import assembled, cubic_element, turned

Command = Callable[[float, int], tuple[float, float, float]]  # (t, phase) → hub angle, rate, acceleration

DIAMETER = 18.5e-3  # m
_E, _RHO, _NU, _KAPPA = 2e11, 7860.0, 0.3, 0.886364
_A, _I = 2.688025e-4, 574.985e-11
REST_ACCELERATION = 40.4211  # rad/s²


def section(L: float) -> Beam:
    """The example's beam of length L (m)."""
    return Beam(L, _E * _I, _KAPPA * _E / (2 * (1 + _NU)) * _A, _RHO * _A, _RHO * _I)


def rest_to_rest(t: float, phase: int) -> tuple[float, float, float]:
    """Acceleration for 0.1 s (phase 0), deceleration for 0.1 s (1), rest (2)."""
    a = REST_ACCELERATION
    if phase == 0:
        return 0.5 * a * t**2, a * t, a
    if phase == 1:
        return 0.01 * a - 0.5 * a * (0.2 - t) ** 2, a * (0.2 - t), -a
    return 0.01 * a, 0.0, 0.0


def spin(t: float, phase: int) -> tuple[float, float, float]:
    """The rate 50(t + 1e-4 cos 10t) rad/s from t = 0."""
    return 25 * t**2 + 5e-4 * np.sin(10 * t), 50 * (t + 1e-4 * np.cos(10 * t)), 50 * (1 - 1e-3 * np.sin(10 * t))


def spin_as_angle(t: float, phase: int) -> tuple[float, float, float]:
    """The other reading of the same right side: it is the angle."""
    return 50 * (t + 1e-4 * np.cos(10 * t)), 50 * (1 - 1e-3 * np.sin(10 * t)), -0.5 * np.cos(10 * t)


@dataclass(frozen=True, eq=False)
class Modal:
    """Linear equations of the beam in the hub's frame, η̈ + diag(w2) η − ω²(P − D) η = −α c, tip v = tip·η."""

    w2: np.ndarray
    P: np.ndarray
    D: np.ndarray
    c: np.ndarray
    tip: np.ndarray

    def history(
        self, command: Command, bounds: Sequence[float], *, stiffened: bool, rtol: float = 1e-10, atol: float = 1e-13
    ) -> History:
        """History of the coordinates from rest in the hub's frame."""
        N = self.P - self.D if stiffened else self.P

        def acceleration(t: float, x: np.ndarray, v: np.ndarray, phase: int) -> np.ndarray:
            _, omega, alpha = command(t, phase)
            return -self.w2 * x + omega**2 * (N @ x) - alpha * self.c

        zero = np.zeros_like(self.w2)
        # the quintic between steps then errs by less than 1e-7 of each mode's amplitude
        step = 0.3 / np.sqrt(self.w2[min(2, self.w2.size - 1)])
        return integrate(acceleration, bounds, zero, zero, method="DOP853", rtol=rtol, atol=atol, max_step=step)

    def tip_history(self, history: History, times: Sequence[float] | np.ndarray) -> np.ndarray:
        """Tip displacements (len(times),), m."""
        return history(times)[0] @ self.tip


def _modal(
    M: np.ndarray, K: np.ndarray, P: np.ndarray, D: np.ndarray, c: np.ndarray, tip: np.ndarray, modes: int
) -> Modal:
    size = 1 / np.sqrt(np.diag(K))
    inverse, X = eigh(M * np.outer(size, size), K * np.outer(size, size))
    keep = np.argsort(inverse)[::-1][:modes]
    w2 = 1 / inverse[keep]
    X = size[:, None] * X[:, keep] * np.sqrt(w2)  # eigh makes XᵀKX = 1; XᵀMX = 1 is wanted
    return Modal(w2, X.T @ P @ X, X.T @ D @ X, X.T @ c, X.T @ tip)


@dataclass(frozen=True)
class Series:
    """The beam with `degree` Legendre polynomials each for curvature and shear strain."""

    beam: Beam
    degree: int = 14

    @cached_property
    def _rows(self) -> tuple[np.ndarray, ...]:
        """Stations, weights, and rows (station, coordinate) of deflection, section angle, axis slope; tip row."""
        beam, n = self.beam, self.degree
        x, w = legendre.leggauss(2 * n + 6)
        half = beam.L / 2
        zero = np.zeros((x.size, n))
        once, twice, plain = (np.zeros((x.size + 1, n)) for _ in range(3))
        ends = np.append(x, 1.0)
        for k in range(n):
            series = np.eye(k + 1)[k]
            plain[:, k] = legendre.legval(ends, series)
            once[:, k] = half * legendre.legval(ends, legendre.legint(series, 1, lbnd=-1))
            twice[:, k] = half**2 * legendre.legval(ends, legendre.legint(series, 2, lbnd=-1))
        deflection = np.hstack([twice, once])
        angle, slope = np.hstack([once[:-1], zero]), np.hstack([once[:-1], plain[:-1]])
        return half * (x + 1), half * w, deflection[:-1], angle, slope, deflection[-1]

    def modal(self, modes: int = 10) -> Modal:
        """The lowest modes of the series."""
        beam, n = self.beam, self.degree
        s, w, v, angle, slope, tip = self._rows
        W = w[:, None]
        K = np.diag(np.concatenate([np.full(n, beam.EI), np.full(n, beam.kGA)]) * beam.L)
        K /= np.concatenate([2 * np.arange(n) + 1.0] * 2)
        P = beam.rhoA * v.T @ (W * v)
        M = P + beam.rhoI * angle.T @ (W * angle)
        # ∫ρA x ∫₀ˣ v'² = ∫ρA ½(L² − s²) v'²
        D = beam.rhoA * slope.T @ ((0.5 * (beam.L**2 - s**2) * w)[:, None] * slope)
        c = beam.rhoA * v.T @ (w * s) + beam.rhoI * angle.T @ w
        return _modal(M, K, P, D, c, tip, modes)


def mesh(beam: Beam, n: int = 4, *, softening: str = "translation") -> Modal:
    """n cubic elements in the hub's frame, all their modes, no stiffening.

    softening: "translation" −ω²∫ρA NᵀN, or "whole" −ω²M with the rotary part too.
    """
    data = {"EI": beam.EI, "kGA": beam.kGA, "rhoA": beam.rhoA, "rhoI": beam.rhoI}
    K, M = assembled(cubic_element(beam.L / n, **data), n)
    _, P = assembled(cubic_element(beam.L / n, **{**data, "rhoI": 0.0}), n)
    free = slice(2, None)
    c = (M @ turned(n, beam.L))[free]
    tip = np.zeros(2 * n)
    tip[-2] = 1.0
    P = M if softening == "whole" else P
    return _modal(M[free, free], K[free, free], P[free, free], np.zeros((2 * n, 2 * n)), c, tip, 2 * n)


def exact_tip(
    beam: Beam, command: Command, times: Sequence[float] | np.ndarray, *, modes: int = 5, strains: int = 10
) -> np.ndarray:
    """Lateral tip displacement (len(times),), m, of the geometrically exact beam with finite rotations.

    Its strains are those of the lowest linear modes, which leaves out shear waves no motion of the hub excites and
    lets an explicit method run. The modes are made of so many polynomials of curvature, one less of shear.
    """
    arm = Arm((beam,), strains, strains - 1, 2 * strains + 4)
    e = arm.elastic
    zero = np.zeros(arm.per_link)
    M0 = arm.terms(zero, zero)[0]
    size = 1 / np.sqrt(np.diag(arm.stiffness)[e])
    inverse, X = eigh(M0[np.ix_(e, e)] * np.outer(size, size))
    X = size[:, None] * X[:, ::-1][:, :modes] / np.sqrt(inverse[::-1][:modes])
    basis = np.zeros((arm.per_link, modes + 1))
    basis[0, 0], basis[1:, 1:] = 1.0, X
    stiffness = basis.T @ arm.stiffness @ basis

    def acceleration(t: float, x: np.ndarray, v: np.ndarray, phase: int) -> np.ndarray:
        _, omega, alpha = command(t, phase)
        # turning the whole picture changes nothing: the hub's angle may stay at nought
        M, h = arm.terms(basis @ np.append(0.0, x), basis @ np.append(omega, v))
        M, h = basis.T @ M @ basis, basis.T @ h
        return np.linalg.solve(M[1:, 1:], -h[1:] - M[1:, 0] * alpha - stiffness[1:, 1:] @ x)

    still = np.zeros(modes)
    step = 0.3 * np.sqrt(inverse[::-1][min(2, modes - 1)])
    history = integrate(
        acceleration, (0.0, float(max(times))), still, still, method="DOP853", rtol=1e-9, atol=1e-11, max_step=step
    )
    return np.array([arm.tip(basis @ np.append(0.0, x))[1] for x in history(times)[0]])
