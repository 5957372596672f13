"""Second-order systems q̈ = a(t, q, q̇) integrated by SciPy, restarted at every switch of the command.

SciPy's own dense output is of lower order than its steps, so the history is interpolated by the quintic through
position, rate and acceleration at both ends of a step (sixth order).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp

Acceleration = Callable[[float, np.ndarray, np.ndarray, int], np.ndarray]  # (t, q, v, phase)
Jacobian = Callable[[float, np.ndarray, np.ndarray, int], np.ndarray]  # d(v, a)/d(q, v), may be approximate


@dataclass(frozen=True, eq=False)
class Segment:
    """Steps between two switches: times (k,), positions, rates and one-sided accelerations (k, n)."""

    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray


@dataclass(frozen=True, eq=False)
class History:
    """An integrated motion, callable at any time it covers."""

    segments: tuple[Segment, ...]

    @property
    def steps(self) -> int:
        """Number of accepted steps."""
        return sum(s.t.size - 1 for s in self.segments)

    def __call__(self, times: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Positions and rates (len(times), n)."""
        times = np.atleast_1d(np.asarray(times, dtype=float))
        n = self.segments[0].q.shape[1]
        q, v = np.empty((times.size, n)), np.empty((times.size, n))
        bounds = np.array([s.t[0] for s in self.segments[1:]])
        which = np.searchsorted(bounds, times, side="right")
        for j, segment in enumerate(self.segments):
            mine = which == j
            if mine.any():
                q[mine], v[mine] = _quintic(segment, times[mine])
        return q, v


def _quintic(s: Segment, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if times.min() < s.t[0] - 1e-12 or times.max() > s.t[-1] + 1e-12:
        raise ValueError("time outside the integrated interval")
    i = np.clip(np.searchsorted(s.t, times, side="right") - 1, 0, s.t.size - 2)
    h = (s.t[i + 1] - s.t[i])[:, None]
    x = (times - s.t[i])[:, None] / h
    # Taylor part from the left end, remainder x³(c3 + c4 x + c5 x²) meets the right end
    v0, a0 = h * s.v[i], h * h * s.a[i]
    gap = s.q[i + 1] - s.q[i] - v0 - 0.5 * a0
    slope = h * s.v[i + 1] - v0 - a0
    bend = h * h * s.a[i + 1] - a0
    c3 = 10.0 * gap - 4.0 * slope + 0.5 * bend
    c4 = -15.0 * gap + 7.0 * slope - bend
    c5 = 6.0 * gap - 3.0 * slope + 0.5 * bend
    q = s.q[i] + x * (v0 + x * (0.5 * a0 + x * (c3 + x * (c4 + x * c5))))
    v = (v0 + x * (a0 + x * (3.0 * c3 + x * (4.0 * c4 + x * 5.0 * c5)))) / h
    return q, v


def integrate(
    acceleration: Acceleration,
    bounds: Sequence[float],
    q0: np.ndarray,
    v0: np.ndarray,
    *,
    jacobian: Jacobian | None = None,
    method: str = "Radau",
    rtol: float = 1e-10,
    atol: float = 1e-12,
    max_step: float = np.inf,
    first_phase: int = 0,
) -> History:
    """History over bounds[0]…bounds[-1] (s), restarted at each bound; interval k is run with phase first_phase + k.

    An approximate Jacobian changes the speed of Radau's inner iteration, not what it converges to. Where a method
    of high order takes long steps, `max_step` keeps the history's interpolation as good as the steps themselves.
    """
    n = len(q0)
    y = np.concatenate([q0, v0])
    segments = []
    for k, (begin, end) in enumerate(pairwise(bounds)):
        phase = first_phase + k

        def rhs(t: float, y: np.ndarray, phase: int = phase) -> np.ndarray:
            return np.concatenate([y[n:], acceleration(t, y[:n], y[n:], phase)])

        options: dict[str, object] = {"rtol": rtol, "atol": atol, "method": method, "max_step": max_step}
        if jacobian is not None and method in ("Radau", "BDF"):
            options["jac"] = lambda t, y, phase=phase: jacobian(t, y[:n], y[n:], phase)
        answer = solve_ivp(rhs, (begin, end), y, **options)
        if not answer.success:
            raise RuntimeError(answer.message)
        y = answer.y[:, -1]
        q, v = answer.y[:n].T, answer.y[n:].T
        a = np.array([acceleration(t, qi, vi, phase) for t, qi, vi in zip(answer.t, q, v, strict=True)])
        segments.append(Segment(answer.t, q, v, a))
    return History(tuple(segments))


def extremes(
    signal: Callable[[np.ndarray], np.ndarray], begin: float, end: float, *, interval: float = 5e-5
) -> tuple[float, float]:
    """Least and largest value of a smooth signal on [begin, end], the peaks refined by a parabola."""
    times = np.linspace(begin, end, int(np.ceil((end - begin) / interval)) + 1)
    y = signal(times)

    def peak(y: np.ndarray) -> float:
        i = int(np.argmax(y))
        if i in (0, y.size - 1):
            return float(y[i])
        left, middle, right = y[i - 1 : i + 2]
        curvature = left - 2.0 * middle + right
        return float(middle - (right - left) ** 2 / (8.0 * curvature)) if curvature < 0.0 else float(middle)

    return -peak(-y), peak(y)


def spread(signal: Callable[[np.ndarray], np.ndarray], begin: float, end: float, *, interval: float = 5e-5) -> float:
    """Largest minus least value of a smooth signal on [begin, end], the peaks refined by a parabola."""
    least, largest = extremes(signal, begin, end, interval=interval)
    return largest - least
