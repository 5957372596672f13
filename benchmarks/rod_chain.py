"""Converged answers for plane arms of uniform beams, by equations that share nothing with flexarm or the rivals.

Each link is a chain of n + 1 uniform rigid rods, those at its ends half as long, with n springs EI/Δ between them. In
the absolute angles φ of all rods (l, m their lengths and masses, o_j the mass outboard of rod j)

    C φ̈ + S φ̇² = forces of springs and drives,   C_ij = μ_ij cos(φ_i − φ_j),   S_ij = μ_ij sin(φ_i − φ_j)
    μ_ij = l_i (m_j l_j / 2 + l_j o_j)  (i < j),   μ_jj = l_j² (m_j / 3 + o_j)

All joints follow one command θ(t). With the spring angles δ this makes φ = B δ + e θ, so that

    Bᵀ C B δ̈ = −k δ − Bᵀ (C e θ̈ + S φ̇²)

The chain tends to the inextensible Euler-Bernoulli beam with Δ²: two chains are extrapolated.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import Radau
from scipy.linalg import cho_factor, cho_solve

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

SPRINGS = (12, 24)  # on each link; 16 and 32 at a hundredth of the tolerance move the two-link arm's tip by 4e-8 m
TOLERANCE = 1e-5  # relative; the absolute one, in rad, is a thousandth of it


@dataclass(frozen=True)
class BeamArm:
    """Equal links in a row with a mass at the tip, all joints commanded alike; SI.

    `command` gives angle, rate and acceleration at a time, `switches` are the times where it is not smooth, the begin
    and the end of the motion among them.
    """

    links: int
    length: float
    bending_stiffness: float
    mass_per_length: float
    tip_mass: float
    command: Callable[[float], tuple[float, float, float]]
    switches: tuple[float, ...]


def converged_tip(
    arm: BeamArm, times: Vector, *, springs: tuple[int, int] = SPRINGS, tolerance: float = TOLERANCE
) -> Matrix:
    """Tip positions (m) at the times given, of the continuous beam."""
    coarse, fine = (RodChain(arm, count).tip(times, tolerance) for count in springs)
    return fine + (fine - coarse) / ((springs[1] / springs[0]) ** 2 - 1)


class RodChain:
    """The chain as a first-order system y = (δ, δ̇) with its analytic Jacobian."""

    def __init__(self, arm: BeamArm, springs: int) -> None:
        self.arm = arm
        pitch = arm.length / springs
        link = np.full(springs + 1, pitch)
        link[[0, -1]] /= 2
        self.lengths = np.tile(link, arm.links)
        masses = arm.mass_per_length * self.lengths
        outboard = masses[::-1].cumsum()[::-1] - masses + arm.tip_mass
        reach = self.lengths * (masses / 2 + outboard)
        self.coupling = np.triu(np.outer(self.lengths, reach), 1)
        self.coupling += self.coupling.T + np.diag(self.lengths**2 * (masses / 3 + outboard))  # μ
        self.stiffness = arm.bending_stiffness / pitch
        summation = np.tri(self.lengths.size)
        commanded = [link * (springs + 1) for link in range(arm.links)]
        self.by_joint = summation[:, commanded].sum(axis=1)  # e
        self.by_spring = np.delete(summation, commanded, axis=1)  # B
        self.count = arm.links * springs

    def angles(self, t: float, y: Vector) -> Vector:
        """Absolute angles of the rods (rad)."""
        return self.by_spring @ y[: self.count] + self.by_joint * self.arm.command(t)[0]

    def _solved(self, t: float, y: Vector) -> tuple[Vector, Vector, tuple[Matrix, bool], Matrix, Matrix]:
        _, rate, gain = self.arm.command(t)
        angles = self.angles(t, y)
        difference = angles[:, None] - angles
        cosines, sines = self.coupling * np.cos(difference), self.coupling * np.sin(difference)
        turning = self.by_spring @ y[self.count :] + self.by_joint * rate
        factor = cho_factor(self.by_spring.T @ cosines @ self.by_spring)
        load = self.by_spring.T @ (cosines @ self.by_joint * gain + sines @ turning**2)
        springs = cho_solve(factor, -self.stiffness * y[: self.count] - load)
        return springs, turning, factor, cosines, sines

    def rate(self, t: float, y: Vector) -> Vector:
        """dy/dt."""
        return np.concatenate((y[self.count :], self._solved(t, y)[0]))

    def jacobian(self, t: float, y: Vector) -> Matrix:
        """d(dy/dt)/dy."""
        n, B = self.count, self.by_spring
        springs, turning, factor, cosines, sines = self._solved(t, y)
        gains = B @ springs + self.by_joint * self.arm.command(t)[2]
        # ∂/∂φ_j of Σ_j μ_ij [cos φ̈_j + sin φ̇_j²] is μ_ij [sin φ̈_j − cos φ̇_j²]; on the diagonal minus the row's sum
        by_angle = sines * gains - cosines * turning**2
        by_angle -= np.diag(by_angle.sum(axis=1))
        out = np.zeros((2 * n, 2 * n))
        out[:n, n:] = np.eye(n)
        out[n:, :n] = -cho_solve(factor, B.T @ by_angle @ B + self.stiffness * np.eye(n))
        out[n:, n:] = -cho_solve(factor, B.T @ (2 * sines * turning) @ B)
        return out

    def tip(self, times: Vector, tolerance: float) -> Matrix:
        """Tip positions (m) at the times given."""
        y = np.zeros(2 * self.count)
        rows = np.empty((times.size, 2))
        rows[times == self.arm.switches[0]] = self.lengths.sum(), 0.0
        for begin, end in pairwise(self.arm.switches):
            solver = Radau(self.rate, begin, y, end, rtol=tolerance, atol=1e-3 * tolerance, jac=self.jacobian)
            while solver.status == "running":
                solver.step()
                for i in np.flatnonzero((times > solver.t_old) & (times <= solver.t)):
                    angles = self.angles(times[i], solver.dense_output()(times[i]))
                    rows[i] = self.lengths @ np.cos(angles), self.lengths @ np.sin(angles)
            y = solver.y
        return rows
