"""The printed chain from the paper's velocities (13)–(17), letter by letter, and Lagrange's equations by differences.

Coordinates are the hub's angle θ, the slides w_1 … w_2n and the angles φ_1 … φ_2n of the bars against the hub. Nothing
is simplified by hand: the kinetic energy is summed from ẋ and ẏ of every mass, its matrices are second differences of
it, exact but for rounding since it is quadratic in the rates and in the slides.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eig

from .hub_cases import HubBeam


@dataclass(frozen=True)
class PrintedChain:
    """n segments of a beam without rotary inertia, Euler-Bernoulli; its payload may have some."""

    beam: HubBeam
    n: int
    tip_inertia: float = 0.0

    def velocities(self, q: np.ndarray, rate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """ẋ_j and ẏ_j of the masses j = 1 … 2n."""
        m, L, r, n = 2 * self.n, self.beam.L, self.beam.radius, self.n
        theta, w = q[0], q[1 : m + 1]
        omega, dw, dphi = rate[0], rate[1 : m + 1], rate[m + 1 :]
        x, y = np.zeros(m), np.zeros(m)
        for j in range(1, m + 1):
            slid, sliding = sum(w[:j]), sum(dw[:j])
            turning = sum(L / (2 * n) * dphi[s] for s in range(j - 1)) + L / (4 * n) * dphi[j - 1]
            # (13), (15)
            x[j - 1] = -((r + j * L / (2 * n)) * np.sin(theta) + slid * np.cos(theta)) * omega
            x[j - 1] += -sliding * np.sin(theta) - turning * np.sin(theta)
            # (14), (16)
            y[j - 1] = ((r + j * L / (2 * n)) * np.cos(theta) - slid * np.sin(theta)) * omega
            y[j - 1] += sliding * np.cos(theta) + turning * np.cos(theta)
        return x, y

    def kinetic(self, q: np.ndarray, rate: np.ndarray) -> float:
        """Kinetic energy (J) of hub, masses and payload."""
        beam, n = self.beam, self.n
        # Simpson: 2/3 of a segment in its middle, 1/6 at each end
        masses = [beam.rhoA * beam.L / n * (2 / 3 if j % 2 else 1 / 3) for j in range(1, 2 * n + 1)]
        masses[-1] = beam.rhoA * beam.L / (6 * n) + beam.tip_mass
        x, y = self.velocities(q, rate)
        hub = beam.hub_inertia + beam.rhoA * beam.L / (6 * n) * beam.radius**2
        turn = rate[0] + rate[-1]  # (17)
        return float(0.5 * (hub * rate[0] ** 2 + np.array(masses) @ (x**2 + y**2) + self.tip_inertia * turn**2))

    def springs(self) -> np.ndarray:
        """Stiffness of slides and bars' angles (4n, 4n)."""
        m, l = 2 * self.n, self.beam.L / (2 * self.n)
        turn = np.eye(m) - np.eye(m, k=-1)
        stiffness = np.zeros((2 * m, 2 * m))
        stiffness[:m, :m] = 12 * self.beam.EI / l**3 * np.eye(m)
        stiffness[m:, m:] = self.beam.EI / l * turn.T @ turn
        return stiffness

    def frequencies(self, rate: float) -> np.ndarray:
        """Angular frequencies (rad/s), lowest first, of the chain on a hub that turns at a prescribed rate."""
        m = 4 * self.n
        unit, still = np.eye(m + 1), np.zeros(m + 1)

        def second(energy) -> np.ndarray:
            """∂²/∂a∂b of an energy that is quadratic."""
            ones = [energy(unit[i]) for i in range(1, m + 1)]
            none = energy(still)
            return np.array(
                [[energy(unit[i + 1] + unit[j + 1]) - ones[i] - ones[j] + none for j in range(m)] for i in range(m)]
            )

        mass = second(lambda v: self.kinetic(still, v))
        # what the rate does to the coordinates: −∂²T/∂q², and no gyroscopic part, the hub's row being prescribed
        stiffness = self.springs() - second(lambda q: self.kinetic(q, rate * unit[0]))
        values = eig(mass, stiffness, right=False)
        assert np.max(np.abs(values.imag)) < 1e-9 * np.max(np.abs(values))
        # masses without inertia of their own have 1/ω² = 0
        positive = np.sort(values.real[values.real > 1e-9 * np.max(values.real)])[::-1]
        return 1.0 / np.sqrt(positive)
