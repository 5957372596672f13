"""He and Wang's arm: clamped modes on a turning hub, equation (17) as printed and with all terms of second order.

Modes φ_i of unit modal mass, c = ρA∫xφ, H(x) = ∫₀ˣ φ'φ'ᵀ, D = ρA∫xH = ρA∫½(L² − s²)φ'φ'ᵀ. The tip stands at
(L − ½qᵀH(L)q, φ(L)ᵀq) in the arm's axes (the paper's (4)), turned by θ. The kinetic energy to second order,

    T = ½(J + qᵀ(1 − D)q) θ̇² + θ̇ cᵀq̇ + ½q̇ᵀq̇,      J = J_h + ρAL³/3,

gives  (J + qᵀNq)θ̈ + 2θ̇q̇ᵀNq + cᵀq̈ = τ  and  q̈ + cθ̈ + (ω² − θ̇²N)q = 0  with N = 1 − D; the printed first row is
Jθ̈ + cᵀq̈ = τ, whose integral is Jθ̇ + cᵀq̇ = ∫τ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import legendre

from .beams import euler_roots
from .hub_cases import HubBeam, falling
from .integration import History, integrate


@dataclass(frozen=True, eq=False)
class ModalArm:
    """The arm with the first n modes of its beam clamped."""

    beam: HubBeam
    n: int

    @cached_property
    def _shapes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Stations and weights (m), and the modes (n, stations + 1) and their slopes; the last station is the tip."""
        x, w = legendre.leggauss(40 + 8 * self.n)
        s = (x + 1) / 2
        beta = euler_roots(self.n)[:, None]
        at = beta * np.append(s, 1.0)
        # φ = cosh − cos − σ(sinh − sin); 1 − σ written without cancellation
        less = (np.sin(beta) - np.cos(beta) - np.exp(-beta)) / (np.sinh(beta) + np.sin(beta))
        rising, falling_ = less * np.exp(at) / 2, (2 - less) * np.exp(-at) / 2
        shape = rising + falling_ - np.cos(at) + (1 - less) * np.sin(at)
        slope = beta * (rising - falling_ + np.sin(at) + (1 - less) * np.cos(at))
        b = self.beam
        unit = 1 / np.sqrt(b.rhoA * b.L)
        return s * b.L, w * b.L / 2, unit * shape, unit * slope / b.L

    @cached_property
    def squares(self) -> np.ndarray:
        """Squares of the clamped frequencies (n,), 1/s²."""
        b = self.beam
        return euler_roots(self.n) ** 4 * b.EI / (b.rhoA * b.L**4)

    @cached_property
    def tip(self) -> np.ndarray:
        """Deflection of the tip by the modal coordinates (n,), 1/√kg."""
        return self._shapes[2][:, -1]

    @cached_property
    def lever(self) -> np.ndarray:
        """c = ρA∫xφ (n,), √kg m."""
        s, w, shape, _ = self._shapes
        return self.beam.rhoA * shape[:, :-1] @ (w * s)

    @cached_property
    def drawn(self) -> np.ndarray:
        """H(L) (n, n), 1/(kg m)."""
        _, w, _, slope = self._shapes
        return (slope[:, :-1] * w) @ slope[:, :-1].T

    @cached_property
    def stiffening(self) -> np.ndarray:
        """D (n, n), a pure number."""
        s, w, _, slope = self._shapes
        return self.beam.rhoA * (slope[:, :-1] * w * (self.beam.L**2 - s**2) / 2) @ slope[:, :-1].T

    def history(
        self,
        end: float,
        *,
        second_order: bool,
        torque: Callable[[float, int], float] = falling,
        rtol: float = 1e-13,
        atol: float = 1e-14,
    ) -> History:
        """History of (θ, q) from rest under a torque on the hub."""
        J, c, N = self.beam.rigid_inertia, self.lever, np.eye(self.n) - self.stiffening

        def acceleration(t: float, x: np.ndarray, v: np.ndarray, phase: int) -> np.ndarray:
            q, rate, speed = x[1:], v[0], v[1:]
            force = rate**2 * (N @ q) - self.squares * q
            inertia, moment = J, torque(t, phase)
            if second_order:
                inertia += q @ N @ q
                moment -= 2 * rate * (speed @ N @ q)
            # q̈ = force − cθ̈ put into the first row
            alpha = (moment - c @ force) / (inertia - c @ c)
            return np.append(alpha, force - c * alpha)

        still = np.zeros(self.n + 1)
        step = 0.1 / float(np.sqrt(self.squares[0]))
        return integrate(acceleration, (0.0, end), still, still, method="DOP853", rtol=rtol, atol=atol, max_step=step)

    def place(self, x: np.ndarray) -> np.ndarray:
        """Tip in fixed axes (2,), m, of coordinates (θ, q)."""
        q = x[1:]
        z = np.exp(1j * x[0]) * (self.beam.L - 0.5 * q @ self.drawn @ q + 1j * (self.tip @ q))
        return np.array([z.real, z.imag])

    def energy(self, x: np.ndarray, v: np.ndarray) -> float:
        """Energy of second order (J)."""
        q, rate, speed = x[1:], v[0], v[1:]
        turning = self.beam.rigid_inertia + q @ (np.eye(self.n) - self.stiffening) @ q
        return float(
            0.5 * turning * rate**2 + rate * (self.lever @ speed) + 0.5 * speed @ speed + 0.5 * self.squares @ q**2
        )
