"""Planar serial arms of beams with finite rotations; their coordinates are curvature and shear strain, Legendre series.

Link i stands on the tip section of link i − 1, turned by the joint angle q_i. Along it (arc s, absolute angle Θ)

    Θ(s) = Θ_tip(i−1) + q_i + ∫₀ˢ κ,    r(s) = r_tip(i−1) + ∫₀ˢ [cos Θ − γ sin Θ, sin Θ + γ cos Θ],

with the curvature κ and the shear strain γ polynomials: the geometrically exact (Reissner) beam without stretch. There
is no floating frame and no foreshortening term; stiffening by rotation comes out of the integrals. The equations are
d'Alembert's on Gauss stations, ∫ Jᵀ(ρA r̈) + Bᵀ(ρI Θ̈) + elastic = generalised forces, J = ∂r/∂q, B = ∂Θ/∂q.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import legendre
from scipy.linalg import eigh


@dataclass(frozen=True)
class Beam:
    """A uniform link: SI units; `retardation` (s) is the ratio of damping to stiffness of its material."""

    L: float
    EI: float
    kGA: float
    rhoA: float
    rhoI: float
    retardation: float = 0.0


@dataclass(frozen=True, eq=False)
class Arm:
    """The arm; coordinates per link: joint angle, `bend` coefficients of κ, `shear` coefficients of γ."""

    links: Sequence[Beam]
    bend: int = 8
    shear: int = 8
    stations: int = 20
    gravity: tuple[float, float] = (0.0, 0.0)

    @property
    def per_link(self) -> int:
        """Number of coordinates of a link."""
        return 1 + self.bend + self.shear

    @cached_property
    def joints(self) -> np.ndarray:
        """Places of the joint angles among the coordinates."""
        return np.arange(len(self.links)) * self.per_link

    @cached_property
    def elastic(self) -> np.ndarray:
        """Places of the strains' coefficients among the coordinates."""
        return np.setdiff1d(np.arange(len(self.links) * self.per_link), self.joints)

    @cached_property
    def gauss(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Nodes and weights on [−1, 1], and the matrix (stations + 1, stations) that integrates from −1 to nodes, 1."""
        x, w = legendre.leggauss(self.stations)
        ends = np.append(x, 1.0)
        Q = np.zeros((self.stations + 1, self.stations))
        for k in range(self.stations):
            series = np.zeros(k + 1)
            series[k] = 1.0
            # projection on P_k by the same Gauss points, then the integral of P_k
            Q += np.outer(
                legendre.legval(ends, legendre.legint(series, lbnd=-1)), (k + 0.5) * w * legendre.legval(x, series)
            )
        return x, w, Q

    @cached_property
    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """∂Θ/∂q and ∂γ/∂q (links, stations + 1, coordinates); the last station is the tip."""
        x, _, _ = self.gauss
        ends = np.append(x, 1.0)
        B = np.zeros((len(self.links), ends.size, len(self.links) * self.per_link))
        G = np.zeros_like(B)
        for i, link in enumerate(self.links):
            if i:
                B[i] = B[i - 1, -1]
            at = i * self.per_link
            B[i, :, at] = 1.0
            for k in range(self.bend):
                B[i, :, at + 1 + k] = link.L / 2 * legendre.legval(ends, legendre.legint(np.eye(k + 1)[k], lbnd=-1))
            for k in range(self.shear):
                G[i, :, at + 1 + self.bend + k] = legendre.legval(ends, np.eye(k + 1)[k])
        return B, G

    @cached_property
    def stiffness(self) -> np.ndarray:
        """Elastic stiffness (coordinates, coordinates), diagonal: ∫P_k² = L/(2k + 1); nothing on the joints."""
        diagonal = np.zeros(len(self.links) * self.per_link)
        for i, link in enumerate(self.links):
            at = i * self.per_link + 1
            diagonal[at : at + self.bend] = link.EI * link.L / (2 * np.arange(self.bend) + 1)
            diagonal[at + self.bend : at + self.bend + self.shear] = link.kGA * link.L / (2 * np.arange(self.shear) + 1)
        return np.diag(diagonal)

    @cached_property
    def damping(self) -> np.ndarray:
        """Damping matrix: each link's retardation times its stiffness."""
        times = np.repeat([link.retardation for link in self.links], self.per_link)
        return times[:, None] * self.stiffness

    def motion(self, q: np.ndarray, v: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray]]:
        """Per link, stations and tip: positions (·, 2), Jacobians (·, 2, n), accelerations at q̈ = 0 (·, 2)."""
        B, G = self.rows
        Q = self.gauss[2]
        place, turn, bias = [], [], []
        r0, J0, b0 = np.zeros(2), np.zeros((2, q.size)), np.zeros(2)
        for i, link in enumerate(self.links):
            inner = slice(0, self.stations)
            angle, rate = B[i, inner] @ q, B[i, inner] @ v
            strain, strain_rate = G[i, inner] @ q, G[i, inner] @ v
            c, s = np.cos(angle), np.sin(angle)
            dx, dy = c - strain * s, s + strain * c
            # differentiate [c − γs, s + γc] once by the coordinates, twice by time
            Jx = -dy[:, None] * B[i, inner] - s[:, None] * G[i, inner]
            Jy = dx[:, None] * B[i, inner] + c[:, None] * G[i, inner]
            bx = -dx * rate**2 - 2 * strain_rate * rate * c
            by = -dy * rate**2 - 2 * strain_rate * rate * s
            half = link.L / 2
            place.append(r0 + half * (Q @ np.column_stack([dx, dy])))
            turn.append(J0 + half * np.stack([Q @ Jx, Q @ Jy], axis=1))
            bias.append(b0 + half * (Q @ np.column_stack([bx, by])))
            r0, J0, b0 = place[-1][-1], turn[-1][-1], bias[-1][-1]
        return place, turn, bias

    def tip(self, q: np.ndarray) -> np.ndarray:
        """Position of the tip (2,), m."""
        return self.motion(q, np.zeros_like(q))[0][-1][-1]

    def tip_rows(self, q: np.ndarray) -> np.ndarray:
        """∂tip/∂q (2, coordinates)."""
        return self.motion(q, np.zeros_like(q))[1][-1][-1]

    def terms(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mass matrix, and inertia forces at q̈ = 0 less gravity (both without springs and dampers)."""
        _, J, b = self.motion(q, v)
        B, _ = self.rows
        M, h = np.zeros((q.size, q.size), dtype=q.dtype), np.zeros(q.size, dtype=q.dtype)
        for i, link in enumerate(self.links):
            w = self.gauss[1] * link.L / 2
            for axis in range(2):
                rows = J[i][:-1, axis]
                M += link.rhoA * rows.T @ (w[:, None] * rows)
                h += link.rhoA * rows.T @ (w * (b[i][:-1, axis] - self.gravity[axis]))
            M += link.rhoI * B[i, :-1].T @ (w[:, None] * B[i, :-1])
        return M, h

    def forces(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Generalised forces (coordinates,) that the motion takes: torques at joints, nought on strains if it is free.

        Works on complex numbers as well, for derivatives by complex step.
        """
        _, J, b = self.motion(q, v)
        B, _ = self.rows
        total = self.stiffness @ q + self.damping @ v
        for i, link in enumerate(self.links):
            w = self.gauss[1] * link.L / 2
            for axis in range(2):
                rows = J[i][:-1, axis]
                total = total + link.rhoA * rows.T @ (w * (rows @ a + b[i][:-1, axis] - self.gravity[axis]))
            total = total + link.rhoI * B[i, :-1].T @ (w * (B[i, :-1] @ a))
        return total

    def energy(self, q: np.ndarray, v: np.ndarray) -> float:
        """Kinetic, elastic and gravity energy (J)."""
        place, _, _ = self.motion(q, v)
        M, _ = self.terms(q, v)
        weight = sum(
            link.rhoA * link.L / 2 * float(self.gauss[1] @ (place[i][:-1] @ np.asarray(self.gravity)))
            for i, link in enumerate(self.links)
        )
        return 0.5 * float(v @ M @ v + q @ self.stiffness @ q) - weight

    def frequencies(self, posture: Sequence[float], count: int) -> np.ndarray:
        """Lowest frequencies (Hz) about the unloaded arm with all joints locked."""
        q = np.zeros(len(self.links) * self.per_link)
        q[self.joints] = posture
        M, _ = self.terms(q, np.zeros_like(q))
        e = np.ix_(self.elastic, self.elastic)
        size = 1 / np.sqrt(np.diag(self.stiffness)[self.elastic])
        inverse = eigh(M[e] * np.outer(size, size), eigvals_only=True)[::-1]
        return 1 / (2 * np.pi * np.sqrt(inverse[:count]))
