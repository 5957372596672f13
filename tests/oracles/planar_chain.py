"""The planar arm that stops a steel rod (Lipiński), in absolute angles with a dense mass matrix.

Bodies in series: two arms, the rod's first half element (rigid with the rod joint), n − 1 full elements and a half one,
each a rod with its mass centre at mid-length. With r_k = Σ_i b_ki e(θ_i), where b_ki is the length of body i (half of
it for i = k, none beyond k), T = ½ Σ_ij C_ij cos(θ_i − θ_j) θ̇_i θ̇_j + ½ Σ J_i θ̇_i², C = bᵀ diag(m) b, hence

    Σ_j (C_ij cos(θ_i − θ_j) + J_i δ_ij) θ̈_j + Σ_j C_ij sin(θ_i − θ_j) θ̇_j² = moment on body i.

Arms and rod joint are prescribed; springs and dampers of the n spring-damper elements act on differences of angles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh
from scipy.linalg.lapack import dposv
from scipy.optimize import minimize_scalar, root

from .brake import Brake
from .integration import History, integrate, spread

BENDING_STIFFNESS = 1586.5  # N m²
MASS_PER_LENGTH = 3.15  # kg/m
ROD_LENGTH = 1.0  # m
ARMS = ((0.2, 0.63, 0.00061), (0.3, 0.95, 0.001781))  # m, kg, kg m² about the mass centre
TRAVEL_TIME = 1.25  # s
START = (np.pi / 2, 0.0, -np.pi / 2)  # joint angles, rad: arms up, rod along +x
RATES = (np.pi / 4, np.pi / 4, np.pi / 2)  # joint rates, rad/s
DRIVEN = 3  # bodies with a prescribed angle


@dataclass(frozen=True)
class Chain:
    """The arm with a rod of n spring-damper elements; c10 is the damping of one of them (N m s/rad) were n ten."""

    n: int = 10
    c10: float = 1.0

    @cached_property
    def lengths(self) -> np.ndarray:
        """Lengths of all bodies (n + 3,), m."""
        segment = ROD_LENGTH / self.n
        return np.array([*(a[0] for a in ARMS), segment / 2, *[segment] * (self.n - 1), segment / 2])

    @cached_property
    def masses(self) -> np.ndarray:
        """Masses of all bodies (n + 3,), kg."""
        return np.array([*(a[1] for a in ARMS), *(MASS_PER_LENGTH * self.lengths[2:])])

    @cached_property
    def inertias(self) -> np.ndarray:
        """Moments of inertia about the mass centres (n + 3,), kg m²; thin rods."""
        return np.array([*(a[2] for a in ARMS), *(self.masses[2:] * self.lengths[2:] ** 2 / 12)])

    @property
    def stiffness(self) -> float:
        """Stiffness of a spring (N m/rad): k = EI/Δ."""
        return BENDING_STIFFNESS * self.n / ROD_LENGTH

    @property
    def damping(self) -> float:
        """Damping of a spring-damper element (N m s/rad): c = ηk, so it grows with n."""
        return self.c10 * self.n / 10

    @cached_property
    def levers(self) -> np.ndarray:
        """b_ki (m): mass centre of body k = Σ_i b_ki e(θ_i)."""
        return np.tril(np.tile(self.lengths, (self.lengths.size, 1)), -1) + np.diag(self.lengths / 2)

    @cached_property
    def coupling(self) -> np.ndarray:
        """C_ij (kg m²)."""
        return self.levers.T @ (self.masses[:, None] * self.levers)

    @cached_property
    def _free_inertia(self) -> np.ndarray:
        return np.diag(self.inertias[DRIVEN:])

    def mass_matrix(self, angles: np.ndarray) -> np.ndarray:
        """Mass matrix in absolute angles (n + 3, n + 3), kg m²."""
        return self.coupling * np.cos(np.subtract.outer(angles, angles)) + np.diag(self.inertias)

    def centrifugal(self, angles: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """Σ_j C_ij sin(θ_i − θ_j) θ̇_j² (n + 3,), N m."""
        return (self.coupling * np.sin(np.subtract.outer(angles, angles))) @ rates**2

    def angles(self, joints: np.ndarray, bends: np.ndarray) -> np.ndarray:
        """Absolute angles or rates (n + 3,) from those of the joints and of the spring-damper elements."""
        return np.concatenate([joints, bends]).cumsum()

    def bend_acceleration(
        self, joints: tuple[np.ndarray, np.ndarray, np.ndarray], bends: np.ndarray, rates: np.ndarray
    ) -> np.ndarray:
        """Second derivatives of the relative angles of the spring-damper elements (n,), rad/s²."""
        theta, omega = self.angles(joints[0], bends), self.angles(joints[1], rates)
        # C_ij e^{i(θ_i − θ_j)} holds cosine and sine at once; only the rows of the free bodies are needed
        z = np.exp(1j * theta)
        Z = self.coupling[DRIVEN:] * (z[DRIVEN:, None] * z.conj())
        M = Z.real[:, DRIVEN:] + self._free_inertia
        spring = self.stiffness * bends + self.damping * rates
        moment = -spring
        moment[:-1] += spring[1:]  # each spring also turns the body it stands on
        driven = np.cumsum(joints[2])
        _, alpha, failed = dposv(M, moment - Z.imag @ (omega * omega) - Z.real[:, :DRIVEN] @ driven)
        if failed:
            raise np.linalg.LinAlgError("mass matrix is not positive definite")
        alpha[1:] -= alpha[:-1].copy()
        alpha[0] -= driven[-1]
        return alpha

    def joint_torques(
        self, joints: tuple[np.ndarray, np.ndarray, np.ndarray], bends: np.ndarray, rates: np.ndarray
    ) -> np.ndarray:
        """Torques of the three drives (N m): each carries the rate of change of momentum of all that is outboard."""
        theta, omega = self.angles(joints[0], bends), self.angles(joints[1], rates)
        alpha = self.angles(joints[2], self.bend_acceleration(joints, bends, rates))
        moment = self.mass_matrix(theta) @ alpha + self.centrifugal(theta, omega)
        return np.cumsum(moment[::-1])[::-1][:DRIVEN]

    def tip(self, angles: np.ndarray) -> np.ndarray:
        """Tip (…, 2) in m from absolute angles (…, n + 3)."""
        return np.stack([np.cos(angles) @ self.lengths, np.sin(angles) @ self.lengths], axis=-1)

    def energy(self, angles: np.ndarray, rates: np.ndarray) -> float:
        """Kinetic plus elastic energy (J)."""
        return float(
            0.5 * rates @ self.mass_matrix(angles) @ rates
            + 0.5 * self.stiffness * np.sum(np.diff(angles)[DRIVEN - 1 :] ** 2)
        )


def stop(braking_time: float) -> Brake:
    """The command: the three joint angles over time."""
    return Brake(START, RATES, TRAVEL_TIME, braking_time)


def frequencies(n: int = 10) -> np.ndarray:
    """Undamped frequencies (n,) of the rod with all joints locked, Hz, ascending."""
    chain = Chain(n)
    sums = np.tril(np.ones((n, n)))  # absolute angles of the free bodies from the relative ones
    M = sums.T @ chain.mass_matrix(np.zeros(n + DRIVEN))[DRIVEN:, DRIVEN:] @ sums
    # 1/ω² as the eigenvalue: the low frequencies keep their digits
    inverse = eigh(M, chain.stiffness * np.eye(n), eigvals_only=True)
    return 1.0 / np.sqrt(inverse[::-1]) / (2 * np.pi)


@lru_cache(maxsize=16)
def _steady(n: int) -> tuple[float, ...]:
    chain = Chain(n, 0.0)
    joints, still = stop(1.0).motion(0.0, 0), np.zeros(n)
    answer = root(lambda d: chain.bend_acceleration(joints, d, still), still, tol=1e-14)
    left = np.abs(chain.bend_acceleration(joints, answer.x, still)).max()
    scale = np.abs(chain.bend_acceleration(joints, still, still)).max()
    if left > 1e-8 * scale:
        raise RuntimeError(f"steady start not found: residual {left:.1e} rad/s²")
    return tuple(answer.x)


def steady_start(n: int = 10) -> np.ndarray:
    """Relative angles (n,), rad, at which the moving rod has neither rate nor acceleration of bending at t = 0."""
    return np.array(_steady(n))


@dataclass(frozen=True)
class Tolerance:
    """How the motion is integrated: rtol 1e-7, atol 1e-9 already gives ranges to 3e-8 in a fifth of the time.

    "DOP853" is an explicit method of order eight, an independent check for n ≤ 10 and light damping.
    """

    rtol: float = 1e-10
    atol: float = 1e-12
    method: str = "Radau"


TIGHT = Tolerance()
LOOSE = Tolerance(1e-7, 1e-9)


def _run(
    chain: Chain,
    command: Brake,
    bounds: Sequence[float],
    state: tuple[np.ndarray, np.ndarray],
    phase: int,
    to: Tolerance,
) -> History:
    n = chain.n
    sums = np.tril(np.ones((n, n)))

    def acceleration(t: float, q: np.ndarray, v: np.ndarray, phase: int) -> np.ndarray:
        return chain.bend_acceleration(command.motion(t, phase), q, v)

    def jacobian(t: float, q: np.ndarray, v: np.ndarray, phase: int) -> np.ndarray:
        M = chain.mass_matrix(chain.angles(command.motion(t, phase)[0], q))[DRIVEN:, DRIVEN:]
        flexible = np.linalg.inv(sums.T @ M @ sums)  # springs and dampers alone: the stiff part
        return np.block([[np.zeros((n, n)), np.eye(n)], [-chain.stiffness * flexible, -chain.damping * flexible]])

    return integrate(
        acceleration, bounds, *state, jacobian=jacobian, method=to.method, rtol=to.rtol, atol=to.atol, first_phase=phase
    )


@lru_cache(maxsize=8)
def _cruise(n: int, c: float, to: Tolerance) -> History:
    """The constant-rate motion before any braking, shared by all braking times."""
    return _run(Chain(n, c), stop(0.0), (0.0, TRAVEL_TIME), (steady_start(n), np.zeros(n)), 0, to)


def simulate(
    n: int = 10,
    c: float = 1.0,
    braking_time: float = 0.509,
    end: float = 2.0,
    start: str | ArrayLike = "steady",
    *,
    to: Tolerance = TIGHT,
) -> History:
    """Relative angles and rates of the n spring-damper elements from 0 to end (s); c is for ten elements.

    start: "steady", "rest" (undeformed), or the relative angles (rad); the rates start at zero.
    """
    if isinstance(start, str):
        bends = {"steady": steady_start(n), "rest": np.zeros(n)}[start]
    else:
        bends = np.array(start, dtype=float)
    command = stop(braking_time)
    return _run(Chain(n, c), command, command.switches(end), (bends, np.zeros(n)), 0, to)


def tip_of(history: History, times: np.ndarray, n: int, braking_time: float) -> np.ndarray:
    """Tip positions (len(times), 2), m, base frame."""
    command, chain = stop(braking_time), Chain(n)
    joints = np.array([command.motion(t, command.phase(t))[0] for t in times])
    return chain.tip(np.cumsum(np.hstack([joints, history(times)[0]]), axis=1))


def tip_history(
    times: ArrayLike,
    n: int = 10,
    c: float = 1.0,
    braking_time: float = 0.509,
    start: str | ArrayLike = "steady",
    *,
    to: Tolerance = TIGHT,
) -> np.ndarray:
    """Tip positions (len(times), 2), m, base frame."""
    times = np.asarray(times, dtype=float)
    return tip_of(simulate(n, c, braking_time, float(times.max()), start, to=to), times, n, braking_time)


def drive_torques(
    times: ArrayLike, n: int = 10, c: float = 1.0, braking_time: float = 0.509, *, to: Tolerance = TIGHT
) -> np.ndarray:
    """Torques of the three drives (len(times), 3), N m, from the steady start."""
    times = np.asarray(times, dtype=float)
    command, chain = stop(braking_time), Chain(n, c)
    q, v = simulate(n, c, braking_time, float(times.max()), to=to)(times)
    motions = [command.motion(t, command.phase(t)) for t in times]
    return np.array([chain.joint_torques(m, *state) for m, *state in zip(motions, q, v, strict=True)])


def residual_ranges(
    n: int = 10, c: float = 1.0, braking_time: float = 0.509, *, window: float = 0.5, to: Tolerance = TIGHT
) -> tuple[float, float]:
    """Range (max − min) in `window` after the stop of the tip's y (m) and of the first spring-damper angle (rad)."""
    command = stop(braking_time)
    end = command.stop + window
    q, v = _cruise(n, c, to)([command.begin])
    history = _run(Chain(n, c), command, (command.begin, command.stop, end), (q[0], v[0]), 1, to)
    height = spread(lambda t: tip_of(history, t, n, braking_time)[:, 1], command.stop, end)
    first = spread(lambda t: history(t)[0][:, 0], command.stop, end)
    return height, first


def extreme_braking_time(
    n: int = 10,
    c: float = 1.0,
    between: tuple[float, float] = (0.44, 0.52),
    *,
    worst: bool = False,
    grid: int = 17,
    xtol: float = 1e-7,
    to: Tolerance = LOOSE,
) -> tuple[float, float]:
    """Braking time (s) with the least (or the most) range of the tip's y after the stop, and that range (m)."""
    sign = -1.0 if worst else 1.0

    def cost(braking_time: float) -> float:
        return sign * residual_ranges(n, c, float(braking_time), to=to)[0]

    times = np.linspace(*between, grid)
    costs = [cost(t) for t in times]
    i = int(np.argmin(costs))
    near = (times[max(i - 1, 0)], times[min(i + 1, grid - 1)])
    fine = minimize_scalar(cost, bounds=near, method="bounded", options={"xatol": xtol})
    best, value = (fine.x, fine.fun) if fine.fun < costs[i] else (times[i], costs[i])
    return float(best), float(sign * value)
