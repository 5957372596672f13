"""A flexible body that is a straight beam element: its far node, its own inertia, and the step its coordinates take.

The element's constants `e` (NOTATION 31) are S1, A, C0 (3, n), Me, K, D, H0, Gxx, Gyy, Gzz, Pxy, Pxz, Pyz (n, n), S0
(3,), J (3, 3), m, and of the far node x, H (n, n), Φ and Ψ (3, n), which pick its displacement and rotation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .algebra import E_X, Array, joined, nothing, symmetric, tilde
from .equations import equation


@equation("(28)")
def turn(factors: Sequence[Any], theta: Array) -> Array:
    """exp θ~ = 1 + f0 θ~ + f1 θ~²."""
    T = tilde(theta)
    return np.eye(3) + factors[0] * T + factors[1] * symmetric(T @ T)


@equation("(29)")
def tangent(factors: Sequence[Any], theta: Array) -> Array:
    """J_l = 1 + f1 θ~ + f2 θ~²."""
    T = tilde(theta)
    return np.eye(3) + factors[1] * T + factors[2] * symmetric(T @ T)


@equation("(29)")
def inverse_tangent(factors: Sequence[Any], theta: Array) -> Array:
    """J_l⁻¹ = 1 − ½θ~ − (f1'/f1) θ~²."""
    T = tilde(theta)
    return np.eye(3) - 0.5 * T - (factors[3] / factors[1]) * symmetric(T @ T)


@equation("(29)")
def turn_rate(factors: Sequence[Any], theta: Array, rate: Array) -> Array:
    """J_l θ̇: the far node's angular velocity against the frame, body axes (rad/s)."""
    T = tilde(theta)
    m = T @ rate
    return rate + factors[1] * m + factors[2] * (T @ m)


@equation("(30)")
def turn_bias(factors: Sequence[Any], theta: Array, rate: Array) -> Array:
    """J̇_l θ̇ = ż (f1' θ×θ̇ + f2' θ×(θ×θ̇)) + f2 θ̇×(θ×θ̇)."""
    T = tilde(theta)
    m = T @ rate
    return (2.0 * (theta @ rate)) * (factors[3] * m + factors[4] * (T @ m)) + factors[2] * (tilde(rate) @ m)


@equation("(28)")
def far_node(e: Any, R: Array, q: Array) -> Array:
    """r_t = R (ρ + Φη − ½ e_x ηᵀHη) (m)."""
    return R @ (E_X * (e.x - 0.5 * (q @ (e.H @ q))) + e.Phi @ q)


@equation("(29)")
def far_rates(e: Any, factors: Sequence[Any], R: Array, q: Array) -> Array:
    """Y = (Ω; F): what the rates of η do to the far node."""
    return joined(R @ (tangent(factors, e.Psi @ q) @ e.Psi), R @ (e.Phi - np.outer(E_X, e.H @ q)))


@equation("(30)")
def far_bias(e: Any, factors: Sequence[Any], R: Array, w: Array, q: Array, v: Array, r: Array) -> Array:
    """c_t: the acceleration of the far node without those of the frame and of η."""
    W, theta, rate = tilde(w), e.Psi @ q, e.Psi @ v
    along = R @ (e.Phi @ v - E_X * ((e.H @ q) @ v))
    angular = W @ (R @ turn_rate(factors, theta, rate)) + R @ turn_bias(factors, theta, rate)
    return joined(angular, W @ (W @ r + 2.0 * along) - R @ (E_X * (v @ (e.H @ v))))


@equation("(36)")
def rates_of_far_node(e: Any, factors: Sequence[Any], R: Array, q: Array) -> Array:
    """Y⁻¹ of an element that stretches: η̈ from ζ = Yη̈, rows by coordinate, columns by (α; a)."""
    found = nothing(len(q), 6)
    hq = e.H @ q
    B = inverse_tangent(factors, e.Psi @ q) @ R.T
    for k in range(len(q)):
        for axis in range(3):
            if e.Psi[axis, k]:
                found[k, :3] = B[axis]
            elif e.Phi[axis, k]:
                found[k, 3:] = R[:, axis]
    (along,) = [k for k in range(len(q)) if e.Phi[0, k]]
    # ü = e_x·Rᵀa + (Hη)·η̈
    rest = [k for k in range(len(q)) if k != along]
    found[along] = found[along] + hq[rest] @ found[rest]
    return found


class Moments:
    """The second moments of an element and their rates: W and G of (31)."""

    PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))

    def __init__(self, e: Any, q: Array, v: Array) -> None:
        zero = 0.0 * e.A[0]
        self.A = dict(zip(self.PAIRS, (2.0 * e.A[0], zero, zero, e.A[1], e.A[2], zero), strict=True))
        halves = [0.5 * (P + P.T) for P in (e.Pxy, e.Pxz, e.Pyz)]
        G = dict(zip(self.PAIRS, (e.Gxx, e.Gyy, e.Gzz, *halves), strict=True))
        self.Gq = {pair: G[pair] @ q for pair in self.PAIRS}
        # W − W0 = (A_ab + A_ba)η + ηᵀG_abη
        self.W = self._matrix({pair: self.A[pair] @ q + self.Gq[pair] @ q for pair in self.PAIRS})
        self.rate = self._matrix({pair: self.A[pair] @ v + 2.0 * (self.Gq[pair] @ v) for pair in self.PAIRS})

    @staticmethod
    def _matrix(entries: dict[tuple[int, int], Any]) -> Array:
        found = nothing(3, 3)
        for (a, b), entry in entries.items():
            found[a, b] = found[b, a] = entry
        return found


def _about(W: Array) -> Array:
    """tr(W) 1 − W."""
    return np.eye(3) * (W[0, 0] + W[1, 1] + W[2, 2]) - W


@equation("(31)")
def first_moment(e: Any, q: Array) -> Array:
    """S = S0 + S1η − ½ e_x ηᵀH0η, body axes (kg m)."""
    return e.S0 + e.S1 @ q - E_X * (0.5 * (q @ (e.H0 @ q)))


@equation("(31)")
def couplings(e: Any, q: Array) -> tuple[Array, Array]:
    """C and Ŝ: what η̈ does to the moment and to the force of the frame, body axes."""
    gyro = [e.Pyz - e.Pyz.T, e.Pxz.T - e.Pxz, e.Pxy - e.Pxy.T]
    return e.C0 + np.array([q @ gamma for gamma in gyro]), e.S1 - np.outer(E_X, e.H0 @ q)


@equation("(31–33)")
def own(e: Any, R: Array, w: Array, q: Array, v: Array) -> tuple[Array, Array, Array, Array]:
    """J, S, b and the coupling (6, n) of η with (α; a), all in base axes."""
    o = R.T @ w
    O, moments = tilde(o), Moments(e, q, v)
    J = e.J + _about(moments.W)
    S = first_moment(e, q)
    C, Sh = couplings(e, q)
    # (33)
    b_w = _about(moments.rate) @ o + O @ (J @ o + C @ v)
    b_v = O @ (O @ S + 2.0 * (Sh @ v)) - E_X * (v @ (e.H0 @ v))
    return symmetric(R @ symmetric(J) @ R.T), R @ S, joined(R @ b_w, R @ b_v), joined(R @ C, R @ Sh)


@equation("(33)")
def own_force(e: Any, R: Array, w: Array, q: Array, v: Array) -> Array:
    """b_η = 2 Σ_c ω_c Γ_cᵀη̇ − Σ_ab Q_ab (A_abᵀ + G_abη), Q = ω·ω 1 − ωωᵀ."""
    o = R.T @ w
    moments = Moments(e, q, v)
    gyro = (e.Pyz - e.Pyz.T, e.Pxz.T - e.Pxz, e.Pxy - e.Pxy.T)
    found = sum(((2.0 * o[c]) * (v @ gamma) for c, gamma in enumerate(gyro)), nothing(len(q)))
    for a, b in Moments.PAIRS:
        if a == b:
            Q = sum(o[c] * o[c] for c in range(3) if c != a)
            found = found - Q * (0.5 * moments.A[a, b] + moments.Gq[a, b])
        else:
            found = found + (o[a] * o[b]) * (moments.A[a, b] + 2.0 * moments.Gq[a, b])
    return found


@equation("(34)")
def step_inertia(e: Any, gh: Any, bh2: Any) -> Array:
    """M_ηη + γhD + βh²K."""
    return symmetric(e.Me + gh * e.D + bh2 * e.K)


@equation("(34)")
def step_force(e: Any, tau: Array, b: Array, q_spring: Array, v_damper: Array) -> Array:
    """u = τ_η − b_η − Kη* − Dη̇*."""
    return tau - b - e.K @ q_spring - e.D @ v_damper
