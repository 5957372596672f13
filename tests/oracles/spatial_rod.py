"""The spatial arm that stops a steel rod (Lipiński), by dense Jacobians in base axes.

Column, two arms and wrist are prescribed, so only their closed-form motion enters. The rod has ten spring-damper
elements, each a universal joint: a turn about local y, then about local z. For rod body i with mass centre c_i, spin
ω_i and unit axes a_k through p_k of all the turns before it,

    ċ_i = … + Σ_k a_k × (c_i − p_k) q̇_k,    ω_i = … + Σ_k a_k q̇_k,    M = Σ_i m_i JvᵀJv + JωᵀI_iJω,

and the bias is the projection of the inertia forces left when q̈ = 0, from the derivatives of the same Jacobians:
d/dt[a_k × (c_i − p_k)] = ȧ_k × (c_i − p_k) + a_k × (ċ_i − ṗ_k), ȧ_k = (spin of the body that carries the axis) × a_k.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh
from scipy.optimize import root

from .brake import Brake
from .integration import History, integrate, spread

COLUMN, ARM, WRIST = 0.7, 1.5, 0.08  # m
ROD_LENGTH, DIAMETER = 2.0, 0.02  # m
MASS_PER_LENGTH = 2.45355  # kg/m
BENDING_STIFFNESS = 7.93252e3 * 0.2  # N m², from the printed spring of a 0.2 m segment
TRAVEL_TIME = 2.0  # s
START = (0.0, np.pi / 4, -np.pi / 2)  # rad
RATES = (np.pi / 4, np.pi / 4, np.pi / 2)  # rad/s


@dataclass(frozen=True, eq=False)
class Carrier:
    """Motion of the frame the rod is clamped to: rotation into base axes, origin, and their rates, all in base axes."""

    R: np.ndarray
    p: np.ndarray
    omega: np.ndarray
    velocity: np.ndarray
    alpha: np.ndarray
    acceleration: np.ndarray


def carrier(joints: np.ndarray, rates: np.ndarray, accelerations: np.ndarray) -> Carrier:
    """Motion of the wrist's tip for given joint angles, rates and accelerations (rad, s).

    In axes turning with the column the arm stays in the y-z plane: y(t), z(t) there, then the column's spin about z.
    """
    w, dw = rates[0], accelerations[0]
    up, both = joints[1], joints[1] + joints[2]
    du, db = rates[1], rates[1] + rates[2]
    ddu, ddb = accelerations[1], accelerations[1] + accelerations[2]
    reach = ARM + WRIST
    y, z = ARM * np.cos(up) + reach * np.cos(both), COLUMN + ARM * np.sin(up) + reach * np.sin(both)
    dy = -ARM * np.sin(up) * du - reach * np.sin(both) * db
    dz = ARM * np.cos(up) * du + reach * np.cos(both) * db
    ddy = -ARM * (np.sin(up) * ddu + np.cos(up) * du**2) - reach * (np.sin(both) * ddb + np.cos(both) * db**2)
    ddz = ARM * (np.cos(up) * ddu - np.sin(up) * du**2) + reach * (np.cos(both) * ddb - np.sin(both) * db**2)
    c, s = np.cos(joints[0]), np.sin(joints[0])
    Rz = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    cb, sb = np.cos(both), np.sin(both)
    Rx = np.array([[1.0, 0.0, 0.0], [0.0, cb, -sb], [0.0, sb, cb]])
    return Carrier(
        R=Rz @ Rx,
        p=Rz @ np.array([0.0, y, z]),
        omega=Rz @ np.array([db, 0.0, w]),
        velocity=Rz @ np.array([-w * y, dy, dz]),
        # the x axis of the column's frame turns with it
        alpha=Rz @ np.array([ddb, w * db, dw]),
        acceleration=Rz @ np.array([-dw * y - 2.0 * w * dy, ddy - w * w * y, ddz]),
    )


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    # np.cross spends most of its time on axis bookkeeping
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    out[..., 0] = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    out[..., 1] = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    out[..., 2] = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return out


class Rod:
    """The rod of n universal spring-damper elements; coordinates in the order y1, z1, y2, z2, …"""

    def __init__(self, n: int = 10, c10: float = 10.0) -> None:
        segment = ROD_LENGTH / n
        self.n = n
        self.first_half = segment / 2
        self.lengths = np.array([segment] * (n - 1) + [segment / 2])
        self.masses = MASS_PER_LENGTH * self.lengths
        self.across = self.masses * self.lengths**2 / 12
        self.along = self.masses * (DIAMETER / 2) ** 2 / 2
        self.stiffness = BENDING_STIFFNESS / segment
        self.damping = c10 * n / 10
        self._before = (np.arange(2 * n) // 2 <= np.arange(n)[:, None])[..., None].astype(float)

    def _geometry(self, base: Carrier, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Turning axes (2n, 3), element points (n, 3), mass centres (n, 3) and long axes (n, 3)."""
        n = self.n
        axes, points, long = np.empty((2 * n, 3)), np.empty((n, 3)), np.empty((n, 3))
        c, s = np.cos(q), np.sin(q)
        x, y, z = base.R.T
        point = base.p + self.first_half * x
        for j in range(n):
            cy, sy, cz, sz = c[2 * j], s[2 * j], c[2 * j + 1], s[2 * j + 1]
            points[j], axes[2 * j] = point, y
            x, z = cy * x - sy * z, sy * x + cy * z  # turn about y
            axes[2 * j + 1] = z
            x, y = cz * x + sz * y, cz * y - sz * x  # turn about z
            long[j] = x
            point = point + self.lengths[j] * x
        return axes, points, points + 0.5 * self.lengths[:, None] * long, long

    def equations(self, base: Carrier, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mass matrix (2n, 2n), kg m², and bias (2n,), N m: M q̈ + bias = torques of springs and dampers."""
        axes, points, centres, long = self._geometry(base, q)
        turning = axes * v[:, None]
        after = base.omega + np.cumsum(turning, axis=0)  # spin of the body behind each single turn
        carried = np.vstack([base.omega, after[:-1]])
        spin = after[1::2]
        axes_rate = _cross(carried, axes)
        alpha = base.alpha + np.cumsum(axes_rate * v[:, None], axis=0)[1::2]

        pieces = self.lengths[:, None] * _cross(spin, long)
        point_rates = (
            base.velocity
            + _cross(base.omega, points[0] - base.p)
            + np.cumsum(np.vstack([np.zeros(3), pieces[:-1]]), axis=0)
        )
        centre_rates = point_rates + 0.5 * pieces

        where = np.repeat(points, 2, axis=0)
        levers = centres[:, None] - where
        Jv = _cross(axes, levers) * self._before
        Jw = axes * self._before
        Jv_rate = _cross(axes_rate, levers) + _cross(axes, centre_rates[:, None] - np.repeat(point_rates, 2, axis=0))
        acceleration = (
            base.acceleration
            + _cross(base.alpha, centres - base.p)
            + _cross(base.omega, centre_rates - base.velocity)
            + np.tensordot(Jv_rate * self._before, v, axes=(1, 0))
        )

        # I_i = across·1 + (along − across) x xᵀ
        extra = self.along - self.across
        about = np.einsum("iks,is->ik", Jw, long)
        flat_v, flat_w = Jv.transpose(1, 0, 2).reshape(2 * self.n, -1), Jw.transpose(1, 0, 2).reshape(2 * self.n, -1)
        M = (
            (flat_v * np.repeat(self.masses, 3)) @ flat_v.T
            + (flat_w * np.repeat(self.across, 3)) @ flat_w.T
            + (about.T * extra) @ about
        )

        def times_inertia(u: np.ndarray) -> np.ndarray:
            return self.across[:, None] * u + (extra * np.einsum("is,is->i", u, long))[:, None] * long

        moment = times_inertia(alpha) + _cross(spin, times_inertia(spin))
        bias = flat_v @ (self.masses[:, None] * acceleration).ravel() + flat_w @ moment.ravel()
        return M, bias

    def acceleration(self, base: Carrier, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Second derivatives of the coordinates (2n,), rad/s²."""
        M, bias = self.equations(base, q, v)
        return np.linalg.solve(M, -bias - self.stiffness * q - self.damping * v)

    def tip(self, base: Carrier, q: np.ndarray) -> np.ndarray:
        """Tip of the rod (3,), m, base axes."""
        _, points, _, long = self._geometry(base, q)
        return points[-1] + self.lengths[-1] * long[-1]


def stop(braking_time: float) -> Brake:
    """The command: column, first and second arm angle over time."""
    return Brake(START, RATES, TRAVEL_TIME, braking_time)


def frequencies(n: int = 10) -> np.ndarray:
    """Undamped frequencies (2n,) of the rod with all joints locked, Hz, ascending; in pairs, one for each plane."""
    rod, zero = Rod(n), np.zeros(3)
    M, _ = rod.equations(carrier(np.array(START), zero, zero), np.zeros(2 * n), np.zeros(2 * n))
    inverse = eigh(M, rod.stiffness * np.eye(2 * n), eigvals_only=True)
    return 1.0 / np.sqrt(inverse[::-1]) / (2 * np.pi)


def steady_start(n: int = 10) -> np.ndarray:
    """Coordinates (2n,), rad, at which the moving rod has neither rate nor acceleration of bending at t = 0."""
    rod, base, still = Rod(n), carrier(*stop(1.0).motion(0.0, 0)), np.zeros(2 * n)
    # residual in angles: torque left over by the spring's stiffness
    answer = root(lambda q: q + rod.equations(base, q, still)[1] / rod.stiffness, still, tol=1e-15)
    left = np.abs(answer.x + rod.equations(base, answer.x, still)[1] / rod.stiffness).max()
    if left > 1e-12:
        raise RuntimeError(f"steady start not found: residual {left:.1e} rad")
    return answer.x


def simulate(
    n: int = 10,
    c: float = 10.0,
    braking_time: float = 2.0,
    end: float = 4.0,
    start: str | ArrayLike = "steady",
    *,
    method: str = "Radau",
    rtol: float = 1e-7,
    atol: float = 1e-9,
) -> History:
    """Coordinates and rates (2n) of the spring-damper elements from 0 to end (s); c (N m s/rad) is for ten elements."""
    rod, command = Rod(n, c), stop(braking_time)
    if isinstance(start, str):
        q0 = {"steady": steady_start(n), "rest": np.zeros(2 * n)}[start]
    else:
        q0 = np.array(start, dtype=float)

    def acceleration(t: float, q: np.ndarray, v: np.ndarray, phase: int) -> np.ndarray:
        return rod.acceleration(carrier(*command.motion(t, phase)), q, v)

    def jacobian(t: float, q: np.ndarray, v: np.ndarray, phase: int) -> np.ndarray:
        M, _ = rod.equations(carrier(*command.motion(t, phase)), q, v)
        flexible, zero = np.linalg.inv(M), np.zeros((2 * n, 2 * n))
        return np.block([[zero, np.eye(2 * n)], [-rod.stiffness * flexible, -rod.damping * flexible]])

    bounds = command.switches(end)
    return integrate(acceleration, bounds, q0, np.zeros(2 * n), jacobian=jacobian, method=method, rtol=rtol, atol=atol)


def tip_history(times: ArrayLike, n: int = 10, c: float = 10.0, braking_time: float = 2.0) -> np.ndarray:
    """Tip positions (len(times), 3), m, base axes, from the steady start."""
    times = np.asarray(times, dtype=float)
    command, rod = stop(braking_time), Rod(n, c)
    q, _ = simulate(n, c, braking_time, float(times.max()))(times)
    return np.array(
        [rod.tip(carrier(*command.motion(t, command.phase(t))), qi) for t, qi in zip(times, q, strict=True)]
    )


def residual_ranges(
    n: int = 10,
    c: float = 10.0,
    braking_time: float = 2.0,
    *,
    window: float = 1.0,
    method: str = "Radau",
    rtol: float = 1e-7,
    atol: float = 1e-9,
) -> tuple[float, float]:
    """Range (max − min, rad) in `window` after the stop of the first element's two angles, about y and about z."""
    begin = stop(braking_time).stop
    end = begin + window
    history = simulate(n, c, braking_time, end, method=method, rtol=rtol, atol=atol)
    first, second = (spread(lambda t, k=k: history(t)[0][:, k], begin, end) for k in (0, 1))
    return first, second
