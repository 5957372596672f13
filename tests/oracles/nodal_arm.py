"""A second, unrelated derivation of the planar flexible arm: nodes in the base frame, a mass matrix that never changes.

Each link is a row of Lagrange elements; a node has its place (x, y) in the base frame and its section angle ψ less the
joint angles up to its link, φ = ψ + Σq, so that ψ runs through the joints unbroken. Strains are Reissner's,
ε = cos φ x' + sin φ y' − 1, γ = cos φ y' − sin φ x', κ = ψ', integrated with one Gauss point fewer than the mass: no
locking. Stretch is included here, unlike in `geometric_arm`. Trapezoidal rule with Newton's iteration; two step lengths
and Richardson's extrapolation settle the digits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import Polynomial, legendre

from .geometric_arm import Beam

Law = Callable[[float, int], tuple[float, float, float]]


def _lagrange(order: int, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values and derivatives (points, order + 1) of the Lagrange polynomials on equal nodes of [−1, 1]."""
    nodes = np.linspace(-1.0, 1.0, order + 1)
    values, slopes = np.empty((2, at.size, order + 1))
    for i, node in enumerate(nodes):
        shape = Polynomial.fromroots(np.delete(nodes, i))
        shape /= shape(node)
        values[:, i], slopes[:, i] = shape(at), shape.deriv()(at)
    return values, slopes


@dataclass(frozen=True, eq=False)
class NodalArm:
    """The arm stretched along x at the start; `EA` (N) is the axial stiffness of every link."""

    links: Sequence[Beam]
    EA: float
    elements: int = 2
    order: int = 3
    gravity: tuple[float, float] = (0.0, 0.0)

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return len(self.links) * self.elements * self.order + 1

    @property
    def size(self) -> int:
        """Number of coordinates: x, y, ψ of every node, then the joint angles."""
        return 3 * self.nodes + len(self.links)

    @property
    def joints(self) -> np.ndarray:
        """Places of the joint angles."""
        return np.arange(3 * self.nodes, self.size)

    @property
    def tip(self) -> np.ndarray:
        """Places of the tip's x and y."""
        return 3 * (self.nodes - 1) + np.arange(2)

    @cached_property
    def stretched(self) -> np.ndarray:
        """Coordinates of the unloaded arm along x."""
        out = np.zeros(self.size)
        at, steps = 0.0, self.elements * self.order
        for i, link in enumerate(self.links):
            places = 3 * (i * steps + np.arange(steps + 1))
            out[places] = at + np.linspace(0.0, link.L, steps + 1)
            at += link.L
        return out

    def _points(self, count: int) -> list[tuple[Beam, float, np.ndarray]]:
        """Gauss points: link, weight (m), and rows (6, size) for x, y, φ, x', y', κ."""
        gauss, weights = legendre.leggauss(count)
        values, slopes = _lagrange(self.order, gauss)
        out = []
        for i, link in enumerate(self.links):
            h = link.L / self.elements
            for e in range(self.elements):
                places = 3 * ((i * self.elements + e) * self.order + np.arange(self.order + 1))
                for k in range(count):
                    rows = np.zeros((6, self.size))
                    for axis in range(3):
                        rows[axis, places + axis] = values[k]
                        rows[3 + axis, places + axis] = 2 / h * slopes[k]
                    rows[2, self.joints[: i + 1]] = 1.0
                    out.append((link, weights[k] * h / 2, rows))
        return out

    @cached_property
    def _inertia(self) -> tuple[np.ndarray, np.ndarray]:
        M, weight = np.zeros((self.size, self.size)), np.zeros(self.size)
        for link, w, rows in self._points(self.order + 1):
            M += w * (link.rhoA * rows[:2].T @ rows[:2] + link.rhoI * np.outer(rows[2], rows[2]))
            weight += w * link.rhoA * np.asarray(self.gravity) @ rows[:2]
        return M, weight

    @cached_property
    def _strained(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows (4, points, size) for φ, x', y', κ, stiffnesses (3, points) with weights, retardation (points,)."""
        points = self._points(self.order)
        rows = np.array([r[2:] for _, _, r in points]).transpose(1, 0, 2)
        stiffness = np.array([[w * self.EA, w * b.kGA, w * b.EI] for b, w, _ in points]).T
        return rows, stiffness, np.array([b.retardation for b, _, _ in points])

    def internal(self, u: np.ndarray, v: np.ndarray, rate_factor: float) -> tuple[np.ndarray, np.ndarray]:
        """Elastic and damping forces, and their tangent ∂/∂u + rate_factor ∂/∂v."""
        (turn, x, y, bend), stiffness, retardation = self._strained
        angle, dx, dy = turn @ u, x @ u, y @ u
        c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
        stretch, shear = c[:, 0] * dx + s[:, 0] * dy - 1, c[:, 0] * dy - s[:, 0] * dx
        B = np.stack([c * x + s * y + shear[:, None] * turn, c * y - s * x - (1 + stretch)[:, None] * turn, bend])
        stress = stiffness * (np.stack([stretch, shear, bend @ u]) + retardation * (B @ v))
        K = np.einsum("kpi,kp,kpj->ij", B, stiffness * (1 + retardation * rate_factor), B, optimize=True)
        # the stresses' own part
        N, Q = stress[0][:, None], stress[1][:, None]
        cross = ((-s * N - c * Q) * x + (c * N - s * Q) * y).T @ turn
        K += cross + cross.T - turn.T @ (((1 + stretch)[:, None] * N + shear[:, None] * Q) * turn)
        return np.einsum("kpi,kp->i", B, stress), K

    def run(
        self,
        law: Law,
        switches: Sequence[float],
        end: float,
        step: float,
        *,
        gains: tuple[np.ndarray, np.ndarray] | None = None,
        static: bool = False,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Times (s) and tip positions (·, 2), m; all joints follow the law, or servos of the given gains do."""
        M, weight = self._inertia
        held = [0, 1, 2, *([] if gains else self.joints)]
        free = np.setdiff1d(np.arange(self.size), held)
        block = np.ix_(free, free)

        def unbalanced(
            u: np.ndarray, v: np.ndarray, a: np.ndarray, t: float, phase: int, factor: float
        ) -> tuple[np.ndarray, np.ndarray]:
            force, K = self.internal(u, v, factor)
            out = M @ a + force - weight
            if gains:
                angle, rate, _ = law(t, phase)
                out[self.joints] -= gains[0] * (angle - u[self.joints]) + gains[1] * (rate - v[self.joints])
                K[self.joints, self.joints] += gains[0] + factor * gains[1]
            return out[free], K[block]

        u, v, a = self.stretched.copy(), np.zeros(self.size), np.zeros(self.size)
        if not gains:
            v[self.joints] = law(0.0, 0)[1]
            v[1 : 3 * self.nodes : 3] = v[self.joints[0]] * u[0 : 3 * self.nodes : 3]  # one joint: a rigid start
        for _ in range(10 if static else 0):
            r, K = unbalanced(u, v, a, 0.0, 0, 0.0)
            u[free] -= np.linalg.solve(K, r)
        starts = [round(s / step) for s in switches]
        tips, count, phase = [u[self.tip]], round(end / step), 0
        for i in range(count):
            if i in starts:
                phase = starts.index(i)
                a = np.zeros(self.size)
                if not gains:
                    a[self.joints] = law(i * step, phase)[2]
                a[free] = np.linalg.solve(M[block], -unbalanced(u, v, a, i * step, phase, 0.0)[0])
            t = (i + 1) * step
            ahead, rate = u + step * v + step**2 / 4 * a, v + step / 2 * a
            a = a.copy()
            if not gains:
                angle, speed, a[self.joints] = law(t, phase)
                ahead[self.joints] = angle - step**2 / 4 * a[self.joints]
                rate[self.joints] = speed - step / 2 * a[self.joints]
            for _ in range(20):
                r, K = unbalanced(ahead + step**2 / 4 * a, rate + step / 2 * a, a, t, phase, 2 / step)
                change = np.linalg.solve(M[block] + step**2 / 4 * K, -r)
                a[free] += change
                if np.abs(change).max() * step**2 < 1e-12:
                    break
            u, v = ahead + step**2 / 4 * a, rate + step / 2 * a
            tips.append(u[self.tip])
        return step * np.arange(count + 1), np.array(tips)


def extrapolated(
    run: Callable[[float], tuple[np.ndarray, np.ndarray]], times: Sequence[float], step: float
) -> np.ndarray:
    """Tips (len(times), 2) of a run at step and step/2, extrapolated to step nought; the times are whole steps."""
    coarse, fine = (run(h)[1][[round(t / h) for t in times]] for h in (step, step / 2))
    return (4 * fine - coarse) / 3
