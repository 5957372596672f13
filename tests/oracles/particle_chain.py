"""A beam on a hub as particles on inextensible massless links: fixed Cartesian axes, tensions as multipliers.

Node k of N stands at z_k in the complex plane, link k has the direction e_k = (z_k − z_{k−1})/Δ; springs EI/Δ between
neighbouring links and 2EI/Δ at the clamp. Nothing is known of slopes as coordinates or of a frame that turns: the
particles obey m_k z̈_k = f_k − λ_k e_k + λ_{k+1} e_{k+1} and the tensions λ the second derivative of |z_k − z_{k−1}|² =
Δ², a tridiagonal system; what rounding and steps leave of the lengths decays (Baumgarte) within periods of the chain.
Errors are of even powers of Δ, so that two or three meshes can be extrapolated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.linalg import solve_banded

from .hub_cases import HubBeam
from .integration import History, integrate


@dataclass(frozen=True, eq=False)
class ParticleChain:
    """The beam cut into N links; state (θ, Re z, Im z) without node 0, which the hub carries."""

    beam: HubBeam
    N: int

    @property
    def link(self) -> float:
        """Length of a link (m)."""
        return self.beam.L / self.N

    @cached_property
    def masses(self) -> np.ndarray:
        """Masses of the nodes (N + 1,), kg: the trapezoidal rule, and the point mass."""
        masses = np.full(self.N + 1, self.beam.rhoA * self.link)
        masses[[0, -1]] /= 2
        masses[-1] += self.beam.tip_mass
        return masses

    @cached_property
    def springs(self) -> np.ndarray:
        """Stiffnesses between the hub and link 1, link 1 and 2, … (N,), N m/rad."""
        springs = np.full(self.N, self.beam.EI / self.link)
        springs[0] *= 2
        return springs

    @cached_property
    def start(self) -> np.ndarray:
        """The straight beam along the first axis (2N + 1,)."""
        along = self.beam.radius + self.link * np.arange(1, self.N + 1)
        return np.concatenate([[0.0], along, np.zeros(self.N)])

    def accelerations(
        self, x: np.ndarray, v: np.ndarray, *, torque: float = 0.0, hub: float | None = None
    ) -> np.ndarray:
        """Second derivatives of the state under a torque on the hub, or with the hub's own acceleration given."""
        N, R, m = self.N, self.beam.radius, self.masses
        turn = np.exp(1j * x[0])
        z = np.append(R * turn, x[1 : N + 1] + 1j * x[N + 1 :])
        speed = np.append(1j * R * v[0] * turn, v[1 : N + 1] + 1j * v[N + 1 :])
        e = np.diff(z) / self.link
        directions = np.append(turn, e)
        bends = np.angle(directions[1:] * directions[:-1].conj())
        moments = -self.springs * bends
        on_links = moments - np.append(moments[1:], 0.0)
        f = np.zeros(N + 1, dtype=complex)
        pull = 1j * on_links * e / self.link
        f[1:] += pull
        f[:-1] -= pull
        # node 0 only turns with the hub: its acceleration is known but for λ_1, z̈_0 = known + give λ_1
        known, give = -R * v[0] ** 2 * turn, 0j
        if hub is None:
            inertia = self.beam.hub_inertia + m[0] * R**2
            alpha = (torque - moments[0] + R * (turn.conj() * f[0]).imag) / inertia
            per_tension = R * (turn.conj() * e[0]).imag / inertia
            known, give = known + 1j * R * alpha * turn, 1j * R * per_tension * turn
        else:
            alpha, per_tension = hub, 0.0
            known = known + 1j * R * alpha * turn
        bare = np.append(known, f[1:] / m[1:])
        # row k: Re ē_k (z̈_k − z̈_{k−1}) = −|ż_k − ż_{k−1}|²/Δ − 2rġ − r²g,  g = Δ(|e_k|² − 1)/2
        decay = np.sqrt(self.beam.EI / self.beam.rhoA) / self.link**2  # a quarter of the highest frequency
        right = -(np.abs(np.diff(speed)) ** 2) / self.link - (e.conj() * np.diff(bare)).real
        right -= 2 * decay * (e.conj() * np.diff(speed)).real + decay**2 * self.link * (np.abs(e) ** 2 - 1) / 2
        bands = np.zeros((3, N))
        neighbours = (e[:-1].conj() * e[1:]).real / m[1:N]
        bands[0, 1:], bands[2, :-1] = neighbours, neighbours
        bands[1] = -1 / m[1:]
        bands[1, 1:] -= 1 / m[1:N]
        bands[1, 0] -= (e[0].conj() * give).real
        tension = solve_banded((1, 1), bands, right)
        a = bare[1:] - tension * e / m[1:]
        a[:-1] += tension[1:] * e[1:] / m[1:N]
        return np.concatenate([[alpha + per_tension * tension[0]], a.real, a.imag])

    def history(
        self,
        bounds: Sequence[float],
        *,
        torque: Callable[[float, int], float] | None = None,
        command: Callable[[float], tuple[float, float, float]] | None = None,
        rtol: float = 1e-10,
        atol: float = 1e-12,
    ) -> History:
        """History of the state from rest, under a torque or on a hub that moves as commanded; DOP853."""

        def acceleration(t: float, x: np.ndarray, v: np.ndarray, phase: int) -> np.ndarray:
            if command is not None:
                return self.accelerations(x, v, hub=command(t)[2])
            return self.accelerations(x, v, torque=torque(t, phase) if torque else 0.0)

        return integrate(
            acceleration, bounds, self.start, np.zeros_like(self.start), method="DOP853", rtol=rtol, atol=atol
        )

    def tip(self, x: np.ndarray) -> np.ndarray:
        """Tip in the hub's axes from the clamp (…, 2), m: along the straight beam, lateral."""
        x = np.atleast_2d(x)
        z = (x[:, self.N] + 1j * x[:, 2 * self.N]) * np.exp(-1j * x[:, 0]) - self.beam.radius
        return np.stack([z.real, z.imag], axis=-1)


def extrapolated(values: Sequence[np.ndarray]) -> np.ndarray:
    """Limit of values on meshes each half as fine as the next, errors in even powers of the mesh (Romberg)."""
    rows = [np.asarray(v, dtype=float) for v in values]
    power = 4.0
    while len(rows) > 1:
        rows = [(power * fine - coarse) / (power - 1) for coarse, fine in pairwise(rows)]
        power *= 4
    return rows[0]
