"""The thesis's planar arms of two flexible links: nonlinear, linear, quasi-static, and with servos at the joints.

All of it stands on `geometric_arm`. The linear mode is the tangent of the exact equations along the rigid motion, by
complex step; since strains and joint angles are the coordinates, the loads' own stiffening is in it. Two readings
without stiffening are offered beside it (`LINEAR`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import root

from .geometric_arm import Arm, Beam
from .integration import History, integrate

Law = Callable[[float, int], tuple[float, float, float]]  # (t, phase) → angle, rate, acceleration
LINEAR = ("stiffened", "H=0", "classical")

_ALUMINIUM = 70e9, 2700.0, 0.33
_STEEL = 200e9, 7850.0, 0.30


def beam(L: float, A: float, I: float, kt: float, material: tuple[float, float, float], *, beta: float = 0.0) -> Beam:
    """A link of section A (m²), I (m⁴), shear coefficient kt and retardation time beta (s)."""
    E, rho, nu = material
    return Beam(L, E * I, kt * E / (2 * (1 + nu)) * A, rho * A, rho * I, beta)


def cycloidal(travel: float, duration: float) -> Law:
    """Cycloidal motion from 0, then dwell (phase 1)."""

    def law(t: float, phase: int) -> tuple[float, float, float]:
        if phase:
            return travel, 0.0, 0.0
        w = 2 * np.pi / duration
        return (
            travel * (t / duration - np.sin(w * t) / (2 * np.pi)),
            travel / duration * (1 - np.cos(w * t)),
            travel / duration * w * np.sin(w * t),
        )

    return law


def accelerated(travel: float, up: float, constant: float, down: float) -> Law:
    """Constant acceleration (phase 0), constant rate (1), constant deceleration (2), dwell (3)."""
    rate = travel / (0.5 * up + constant + 0.5 * down)

    def law(t: float, phase: int) -> tuple[float, float, float]:
        if phase == 0:
            return 0.5 * rate / up * t**2, rate / up * t, rate / up
        if phase == 1:
            return rate * (t - 0.5 * up), rate, 0.0
        if phase == 2:
            left = up + constant + down - t
            return travel - 0.5 * rate / down * left**2, rate / down * left, -rate / down
        return travel, 0.0, 0.0

    return law


@dataclass(frozen=True, eq=False)
class Case:
    """An arm, its commanded motion (one law for all joints), and where the command switches (s, first is the start)."""

    arm: Arm
    law: Law
    switches: tuple[float, ...]
    static: bool = False

    def command(self, t: float, phase: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates, rates and accelerations (n,) of the rigid motion."""
        full = np.zeros((3, len(self.arm.links) * self.arm.per_link))
        full[:, self.arm.joints] = np.array(self.law(t, phase))[:, None]
        return full[0], full[1], full[2]

    def phase(self, t: float) -> int:
        """Phase of the command at time t; a switch belongs to the phase that begins."""
        return int(np.searchsorted(self.switches[1:], t, side="right"))

    def rigid_tip(self, t: float) -> np.ndarray:
        """Tip of the rigid arm (2,), m."""
        return self.arm.tip(self.command(t, self.phase(t))[0])

    @cached_property
    def start(self) -> np.ndarray:
        """Strains at the start: none, or those of equilibrium at rest."""
        arm, e = self.arm, self.arm.elastic
        if not self.static:
            return np.zeros(e.size)
        q = self.command(0.0, 0)[0]
        zero, scale = np.zeros_like(q), np.diag(arm.stiffness)[e]

        def out_of_balance(x: np.ndarray) -> np.ndarray:
            full = q.copy()
            full[e] = x
            return arm.forces(full, zero, zero)[e] / scale

        answer = root(out_of_balance, np.zeros(e.size), tol=1e-14)
        return np.asarray(answer.x)

    def nonlinear(self, end: float, *, rtol: float = 1e-8, atol: float = 1e-10) -> History:
        """History of the strains with the joints prescribed."""
        arm, e = self.arm, self.arm.elastic
        K, C = arm.stiffness[np.ix_(e, e)], arm.damping[np.ix_(e, e)]

        def full(t: float, x: np.ndarray, v: np.ndarray, phase: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            q, rate, accel = self.command(t, phase)
            q[e], rate[e] = x, v
            return q, rate, accel

        def acceleration(t: float, x: np.ndarray, v: np.ndarray, phase: int) -> np.ndarray:
            q, rate, accel = full(t, x, v, phase)
            M, h = arm.terms(q, rate)
            return _solve(M[np.ix_(e, e)], -(h + M @ accel)[e] - K @ x - C @ v)

        def jacobian(t: float, x: np.ndarray, v: np.ndarray, phase: int) -> np.ndarray:
            q, rate, _ = full(t, x, v, phase)
            return _companion(arm.terms(q, rate)[0][np.ix_(e, e)], C, K)

        return integrate(
            acceleration, self._bounds(end), self.start, np.zeros(e.size), jacobian=jacobian, rtol=rtol, atol=atol
        )

    def _bounds(self, end: float) -> list[float]:
        return [s for s in self.switches if s < end] + [end]

    def error(self, history: History, times: Sequence[float] | np.ndarray) -> np.ndarray:
        """Tip error (len(times), 2) of a nonlinear history, m: actual − rigid, base frame."""
        out = []
        for t, x in zip(times, history(times)[0], strict=True):
            q = self.command(t, self.phase(t))[0]
            q[self.arm.elastic] = x
            out.append(self.arm.tip(q) - self.rigid_tip(t))
        return np.array(out)

    def torques(self, history: History | None, t: float) -> np.ndarray:
        """Torques of the joints' drives (links,), N m; of the rigid arm without a history."""
        arm, e = self.arm, self.arm.elastic
        q, v, a = self.command(t, self.phase(t))
        if history is not None:
            x, rate = (z[0] for z in history(t))
            q[e], v[e] = x, rate
            M, h = arm.terms(q, v)
            a[e] = _solve(M[np.ix_(e, e)], -(h + M @ a + arm.stiffness @ q + arm.damping @ v)[e])
        return arm.forces(q, v, a)[arm.joints]

    # --- linear and quasi-static -------------------------------------------------------------------------------------

    def tangent(self, t: float, phase: int, kind: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """M, C, K and f of the linear equations of the strains at time t."""
        arm, e = self.arm, self.arm.elastic
        q, v, a = self.command(t, phase)
        step = 1e-30
        K, C = np.empty((2, e.size, e.size))
        for k, at in enumerate(e):
            probe = np.zeros(q.size, dtype=complex)
            probe[at] = 1j * step
            K[:, k] = arm.forces(q + probe, v + 0j, a + 0j)[e].imag / step
            C[:, k] = arm.forces(q + 0j, v + probe, a + 0j)[e].imag / step
        if kind != "stiffened":
            K -= self._second_order_displacements(q, v, a, own_only=kind == "H=0")[np.ix_(e, e)]
        M = arm.terms(q, v)[0][np.ix_(e, e)]
        return M, C, K, -arm.forces(q, v, a)[e]

    def _second_order_displacements(self, q: np.ndarray, v: np.ndarray, a: np.ndarray, *, own_only: bool) -> np.ndarray:
        """Hessian of Σ dm (a_s − g)·r_s(q), the rigid accelerations a_s frozen.

        own_only: just the foreshortening of each link by its own slope, along its own axis.
        """
        arm = self.arm
        B, G = arm.rows
        _, w, Q = arm.gauss
        _, J, b = arm.motion(q, v)
        total = np.zeros((q.size, q.size))
        outboard = np.zeros(2)  # Σ dm (a_s − g) beyond the link
        for i in reversed(range(len(arm.links))):
            link, half = arm.links[i], arm.links[i].L / 2
            load = link.rhoA * (J[i][:-1] @ a + b[i][:-1] - np.asarray(arm.gravity))
            # what a change of r' at a station displaces: everything beyond it
            beyond = outboard + half * ((w[:, None] * load).sum(axis=0) - Q[:-1] @ load)
            axis = np.array([np.cos(B[i, 0] @ q), np.sin(B[i, 0] @ q)])
            weight = -half * w * (beyond @ axis)
            turn, shear = B[i, :-1].copy(), G[i, :-1].copy()
            if own_only:
                own = slice(i * arm.per_link + 1, (i + 1) * arm.per_link)
                keep = np.zeros_like(turn)
                keep[:, own] = turn[:, own] + shear[:, own]
                total += keep.T @ (weight[:, None] * keep)
            else:
                cross = turn.T @ (weight[:, None] * shear)
                total += turn.T @ (weight[:, None] * turn) + cross + cross.T
            outboard = outboard + half * (w[:, None] * load).sum(axis=0)
        return total

    def linear(self, end: float, kind: str = "stiffened", *, rtol: float = 1e-8, atol: float = 1e-10) -> History:
        """History of the strains in the linear mode."""
        e = self.arm.elastic
        bounds = self._bounds(end)
        # smooth between switches: a spline through matrices 10 ms apart errs by at most 1e-7 of their change
        splines = []
        for phase, (a, b) in enumerate(pairwise(bounds)):
            grid = np.linspace(a, b, max(5, round((b - a) / 0.01) + 1))
            parts = [self.tangent(t, phase, kind) for t in grid]
            stacked = [np.hstack([M, C, K, f[:, None]]) for M, C, K, f in parts]
            splines.append(CubicSpline(grid, stacked))

        def matrices(t: float, phase: int) -> tuple[np.ndarray, ...]:
            whole, n = splines[phase](t), e.size
            return whole[:, :n], whole[:, n : 2 * n], whole[:, 2 * n : 3 * n], whole[:, -1]

        def acceleration(t: float, x: np.ndarray, v: np.ndarray, phase: int) -> np.ndarray:
            M, C, K, f = matrices(t, phase)
            return _solve(M, f - C @ v - K @ x)

        def jacobian(t: float, x: np.ndarray, v: np.ndarray, phase: int) -> np.ndarray:
            M, C, K, _ = matrices(t, phase)
            return _companion(M, C, K)

        start = np.zeros(e.size)
        if self.static:
            still = replace(self, law=lambda t, phase: (self.law(0.0, 0)[0], 0.0, 0.0))
            _, _, K, f = still.tangent(0.0, 0, kind)
            start = np.linalg.solve(K, f)
        return integrate(acceleration, bounds, start, np.zeros(e.size), jacobian=jacobian, rtol=rtol, atol=atol)

    def linear_error(self, history: History, times: Sequence[float] | np.ndarray) -> np.ndarray:
        """Tip error (len(times), 2) of a linear history, m: first order in the strains."""
        e = self.arm.elastic
        rows = [self.arm.tip_rows(self.command(t, self.phase(t))[0])[:, e] for t in times]
        return np.array([J @ x for J, x in zip(rows, history(times)[0], strict=True)])

    def quasi_static_error(self, times: Sequence[float], *, base_motion: bool = False) -> np.ndarray:
        """Tip error (len(times), 2), m, of K η = f(t): elastic stiffness alone, or with the base motion's terms."""
        e = self.arm.elastic
        out = []
        for t in times:
            q, v, a = self.command(t, self.phase(t))
            K = self.arm.stiffness[np.ix_(e, e)]
            f = -self.arm.forces(q, v, a)[e]
            if base_motion:
                K = self.tangent(t, self.phase(t), "stiffened")[2]
            out.append(self.arm.tip_rows(q)[:, e] @ np.linalg.solve(K, f))
        return np.array(out)

    # --- servos ------------------------------------------------------------------------------------------------------

    def servo(self, end: float, kp: Sequence[float], kv: Sequence[float], *, rtol: float = 1e-8) -> History:
        """History of all coordinates, joints free under T = kp(θd − θ) + kv(θ̇d − θ̇)."""
        arm = self.arm
        K, C = arm.stiffness.copy(), arm.damping.copy()
        K[arm.joints, arm.joints], C[arm.joints, arm.joints] = kp, kv

        def acceleration(t: float, x: np.ndarray, v: np.ndarray, phase: int) -> np.ndarray:
            q, rate, _ = self.command(t, phase)
            M, h = arm.terms(x, v)
            return _solve(M, K @ (q - x) + C @ (rate - v) - h)

        def jacobian(t: float, x: np.ndarray, v: np.ndarray, phase: int) -> np.ndarray:
            return _companion(arm.terms(x, v)[0], C, K)

        zero = self.command(0.0, 0)[0]
        return integrate(
            acceleration, self._bounds(end), zero, np.zeros_like(zero), jacobian=jacobian, rtol=rtol, atol=1e-10
        )

    def servo_error(self, history: History, times: Sequence[float] | np.ndarray) -> np.ndarray:
        """Tip error (len(times), 2) of a servo history, m: actual − rigid arm on the command."""
        return np.array([self.arm.tip(x) - self.rigid_tip(t) for t, x in zip(times, history(times)[0], strict=True)])


def _solve(M: np.ndarray, right: np.ndarray) -> np.ndarray:
    """M⁻¹ right, M scaled to unit diagonal first: rows of bending and shear differ by many powers of ten."""
    size = 1 / np.sqrt(np.diag(M))
    return size * np.asarray(cho_solve(cho_factor(M * np.outer(size, size)), size * right))


def _companion(M: np.ndarray, C: np.ndarray, K: np.ndarray) -> np.ndarray:
    """d(v, a)/d(q, v) of M a + C v + K q = f."""
    size = 1 / np.sqrt(np.diag(M))
    factor = cho_factor(M * np.outer(size, size))
    n = len(M)
    lower = -size[:, None] * cho_solve(factor, size[:, None] * np.hstack([K, C]))
    return np.vstack([np.hstack([np.zeros((n, n)), np.eye(n)]), lower])


# --- the thesis's arms -----------------------------------------------------------------------------------------------


def flexible(bend: int = 7, shear: int = 6) -> Case:
    """The flexible arm: two aluminium links of 1 m, both joints cycloidal by 60° in 2.5 s, no gravity."""
    link = beam(1.0, 350e-6, 1e-8, 0.8864, _ALUMINIUM)
    return Case(Arm((link, link), bend, shear), cycloidal(np.pi / 3, 2.5), (0.0, 2.5))


SERVO_INERTIA, SERVO_FREQUENCY = (2.520054, 0.315027), (3.80728, 15.22610)  # kg m², Hz


def servo_gains() -> tuple[np.ndarray, np.ndarray]:
    """kp = π² f0² J (N m/rad) and kv = 2 √(J kp) (N m s/rad) of the two joints."""
    J, f0 = np.array(SERVO_INERTIA), np.array(SERVO_FREQUENCY)
    kp = np.pi**2 * f0**2 * J
    return kp, 2 * np.sqrt(J * kp)


def tube(bend: int = 7, shear: int = 6) -> Case:
    """The tubular arm: steel tubes 100/94 mm of 1.0 and 1.5 m, gravity along −y, 5 % at the first straight mode."""
    outer, inner = 0.100, 0.094
    section = np.pi / 4 * (outer**2 - inner**2), np.pi / 64 * (outer**4 - inner**4), 0.531427

    def arm(beta: float) -> Arm:
        links = tuple(beam(L, *section, _STEEL, beta=beta) for L in (1.0, 1.5))
        return Arm(links, bend, shear, gravity=(0.0, -9.81))

    beta = 2 * 0.05 / (2 * np.pi * arm(0.0).frequencies((0.0, 0.0), 1)[0])
    return Case(arm(beta), accelerated(np.pi / 3, 0.5, 1.0, 0.5), (0.0, 0.5, 1.5, 2.0), static=True)
