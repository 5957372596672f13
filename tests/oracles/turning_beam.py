"""A beam on a hub with finite rotations, its slope a series over the whole length; and its frequencies under rotation.

The plane is the complex plane of the hub, the beam inextensible and shearless, its coordinates the slope's: ψ = B(s) c
with ψ' a Legendre series. A particle stands at

    z(s) = e^{iθ} (R + ∫₀ˢ e^{iψ}),        z̈ = e^{iθ} [ Z (θ̈, c̈) − Rθ̇² − ∫₀ˢ (θ̇ + ψ̇)² e^{iψ} ],

Z = i (R + ∫e^{iψ}, ∫e^{iψ}B), and d'Alembert's principle reads Re Σ m Z̄ᵀz̈ + EI∫ψ'δψ' = τ on Gauss stations and the
tip. There is no floating frame's shape function for displacements, no foreshortening term and no truncation: stiffening
by rotation comes out of the integrals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import legendre
from scipy.linalg import eigh
from scipy.linalg.lapack import dposv

from .hub_cases import HubBeam
from .integration import History, integrate

Torque = Callable[[float, int], float]  # (t, phase) → N m
Command = Callable[[float], tuple[float, float, float]]  # t → hub angle, rate, acceleration


@dataclass(frozen=True, eq=False)
class TurningBeam:
    """The beam with `degree` Legendre polynomials of the curvature.

    Its coordinates c are all modes of the series at rest: polynomials converge spectrally, a few modes of a beam at
    rest do not, for the rotating beam's curvature is theirs neither at the clamp nor along the tension.
    """

    beam: HubBeam
    degree: int = 7

    @property
    def stations(self) -> int:
        """Number of Gauss stations: far more than the polynomials need, for sines and cosines of them."""
        return 2 * self.degree + 6

    @cached_property
    def gauss(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Abscissae (stations,) and weights on the beam (m), and the matrix (stations + 1, stations) that integrates.

        Its last row integrates to the tip.
        """
        x, w = legendre.leggauss(self.stations)
        half, ends = self.beam.L / 2, np.append(x, 1.0)
        values = legendre.legvander(x, self.stations - 1)
        integrals = np.column_stack(
            [legendre.legval(ends, legendre.legint(row, lbnd=-1)) for row in np.eye(self.stations)]
        )
        order = np.arange(self.stations)
        return half * (x + 1), half * w, half * integrals @ ((order + 0.5)[:, None] * (values * w[:, None]).T)

    @cached_property
    def lumps(self) -> np.ndarray:
        """Masses at the stations and the tip (stations + 1,), kg."""
        return np.append(self.beam.rhoA * self.gauss[1], self.beam.tip_mass)

    @cached_property
    def reach(self) -> np.ndarray:
        """Distances of stations and tip from the axis along the straight beam (m)."""
        return self.beam.radius + np.append(self.gauss[0], self.beam.L)

    @cached_property
    def _series(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Slope at stations and tip by the Legendre coefficients, deflection, and the diagonal of the stiffness."""
        ends, half = 2 * np.append(self.gauss[0], self.beam.L) / self.beam.L - 1, self.beam.L / 2
        once, twice = (
            np.column_stack(
                [half**k * legendre.legval(ends, legendre.legint(row, k, lbnd=-1)) for row in np.eye(self.degree)]
            )
            for k in (1, 2)
        )
        return once, twice, self.beam.EI * self.beam.L / (2 * np.arange(self.degree) + 1)

    def squares(self, rate: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """Squares of the frequencies in the plane (1/s²) at a steady rate, lowest first; shapes by the coefficients.

        Second order about the straight beam: (K + Ω²S − Ω²M) a = ω²M a, S = ∫N ψψᵀ/Ω² with the tension N. Shapes are of
        unit modal mass.
        """
        slope, deflection, stiffness = self._series
        M = deflection.T @ (self.lumps[:, None] * deflection)
        s, w, _ = self.gauss
        b = self.beam
        tension = b.rhoA * ((b.radius + b.L) ** 2 - (b.radius + s) ** 2) / 2 + b.tip_mass * (b.radius + b.L)
        K = np.diag(stiffness) + rate**2 * slope[:-1].T @ ((w * tension)[:, None] * slope[:-1])
        size = 1 / np.sqrt(np.diag(K))
        # the largest 1/(ω² + Ω²) first: the low frequencies keep their digits
        inverse, X = eigh(M * np.outer(size, size), K * np.outer(size, size))
        order = np.argsort(inverse)[::-1]
        inverse = np.maximum(inverse[order], np.finfo(float).tiny)
        return 1 / inverse - rate**2, size[:, None] * X[:, order] / np.sqrt(inverse)

    @cached_property
    def _modes(self) -> tuple[np.ndarray, np.ndarray]:
        """Slope rows (stations + 1, degree) and squared frequencies of the modes at rest."""
        squares, shapes = self.squares()
        return self._series[0] @ shapes, squares

    def terms(self, c: np.ndarray, rate: float, speeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mass matrix (1 + degree, 1 + degree) on (θ̈, c̈) and the other inertia forces."""
        B, Q = self._modes[0][:-1], self.gauss[2]
        z = np.exp(1j * (B @ c))
        R = self.beam.radius
        Z = np.empty((self.stations + 1, c.size + 1), dtype=complex)
        Z[:, 0] = R + Q @ z
        Z[:, 1:] = Q @ (z[:, None] * B)
        # multiplied by −i throughout, which a product with a conjugate does not feel: Z stands for −iZ, bias for −iz̈
        bias = 1j * (R * rate**2 + Q @ ((rate + B @ speeds) ** 2 * z))
        weighted = (self.lumps[:, None] * Z).conj().T
        M = (weighted @ Z).real
        M[0, 0] += self.beam.hub_inertia
        return M, (weighted @ bias).real

    def deflection(self, c: np.ndarray) -> np.ndarray:
        """Tip in the hub's axes from where the straight beam leaves the hub (…, 2), m: along the beam, lateral."""
        z = np.exp(1j * (np.atleast_2d(c) @ self._modes[0][:-1].T)) @ self.gauss[2][-1]
        return np.stack([z.real, z.imag], axis=-1)

    def energy(self, c: np.ndarray, rate: float, speeds: np.ndarray) -> float:
        """Kinetic and elastic energy (J)."""
        v = np.append(rate, speeds)
        return float(0.5 * v @ self.terms(c, rate, speeds)[0] @ v + 0.5 * self._modes[1] @ c**2)

    def momentum(self, c: np.ndarray, rate: float, speeds: np.ndarray) -> float:
        """Moment of momentum about the hub's axis (N m s)."""
        return float(self.terms(c, rate, speeds)[0][0] @ np.append(rate, speeds))

    def _step(self) -> float:
        """A step (s) over which the quintic between steps is as good as the steps for the modes that matter."""
        return 0.3 / float(np.sqrt(self._modes[1][min(2, self.degree - 1)]))

    def driven(
        self, command: Command, bounds: tuple[float, ...], *, rtol: float = 1e-11, atol: float = 1e-13
    ) -> History:
        """History of the coordinates c from rest on a hub that moves as commanded; restarted at each bound."""
        stiffness = self._modes[1]

        def acceleration(t: float, c: np.ndarray, speeds: np.ndarray, phase: int) -> np.ndarray:
            _, rate, alpha = command(t)
            M, h = self.terms(c, rate, speeds)
            _, found, failed = dposv(M[1:, 1:], -h[1:] - M[1:, 0] * alpha - stiffness * c)
            if failed:
                raise np.linalg.LinAlgError("mass matrix is not positive definite")
            return found

        still = np.zeros(self.degree)
        return integrate(
            acceleration, bounds, still, still, method="DOP853", rtol=rtol, atol=atol, max_step=self._step()
        )

    def torqued(
        self, torque: Torque, bounds: tuple[float, ...], *, rtol: float = 1e-11, atol: float = 1e-13
    ) -> History:
        """History of (θ, c) from rest under a torque on the hub; interval k between the bounds is phase k."""
        stiffness = np.append(0.0, self._modes[1])

        def acceleration(t: float, q: np.ndarray, v: np.ndarray, phase: int) -> np.ndarray:
            M, h = self.terms(q[1:], v[0], v[1:])
            load = -h - stiffness * q
            load[0] += torque(t, phase)
            _, found, failed = dposv(M, load)
            if failed:
                raise np.linalg.LinAlgError("mass matrix is not positive definite")
            return found

        still = np.zeros(self.degree + 1)
        return integrate(
            acceleration, bounds, still, still, method="DOP853", rtol=rtol, atol=atol, max_step=self._step()
        )
