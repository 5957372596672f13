"""Large deflections of an inextensible, unshearable cantilever in the plane: clamped at the origin along +x.

θ(s) is the angle of the tangent; a force Q carried by the section at s gives EI θ'' = Q_x sin θ − Q_y cos θ.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_bvp, solve_ivp
from scipy.optimize import brentq
from scipy.special import ellipe, ellipeinc, ellipkinc, ellipkm1


class Tip(NamedTuple):
    """Tip position (m) and rotation (rad)."""

    x: float
    y: float
    rotation: float


def end_moment(moment: float, *, EI: float, L: float) -> Tip:
    """Tip under a pure end moment (N m): an arc of constant curvature."""
    angle = moment * L / EI
    # sin x / x and (1 − cos x)/x without loss at small angles
    return Tip(L * float(np.sinc(angle / np.pi)), L * float(np.sin(angle / 2) * np.sinc(angle / 2 / np.pi)), angle)


def tip_force(force: tuple[float, float], *, EI: float, L: float) -> Tip:
    """Tip under a dead force (fx, fy) in N at the tip, on the branch that grows from the straight beam.

    With u the angle from tangent to force, u'' = (F/EI) sin u is a pendulum: it swings from u(0) = δ to u(L), where it
    turns. The answer is in elliptic integrals of modulus k = cos(u(L)/2), v = π − u:
    α = K − F(φ0), sin φ0 = cos(δ/2)/k, ∫cos v ds = (2(E − E(φ0)) − α) L/α, ∫sin v ds = 2k cos φ0 L/α.
    Under pure compression (fy = 0) the straight beam is returned.
    """
    fx, fy = force
    size = float(np.hypot(fx, fy))
    side = -1.0 if fy < 0 else 1.0
    delta = float(np.arctan2(abs(fy), fx))
    if fy == 0.0:
        return Tip(L, 0.0, 0.0)
    alpha = L * np.sqrt(size / EI)

    def integrals(u: float, turn: float) -> tuple[float, float, float]:
        """K − F(φ0), E − E(φ0) and k cos φ0 when the tip has turned by `turn` = δ − u."""
        k, p = np.cos(u / 2), np.sin(u / 2)
        m = k * k
        cos0, sin0 = np.sqrt(np.sin(delta - turn / 2) * np.sin(turn / 2)) / k, np.cos(delta / 2) / k
        phi0, phi = np.arctan2(sin0, cos0), np.arctan2(cos0, sin0 * p)
        if phi < phi0:
            # the same by K − F(φ0) = F(φ'), tan φ' = cot φ0/k': the amplitude farther from π/2 keeps its digits
            first, second = ellipkinc(phi, m), ellipeinc(phi, m) - m * sin0 * np.sin(phi)
        else:
            first, second = ellipkm1(p * p) - ellipkinc(phi0, m), ellipe(m) - ellipeinc(phi0, m)
        return float(first), float(second), float(k * cos0)

    # the angle left between tip and force shrinks like exp(−α): search for its logarithm
    x = brentq(
        lambda x: integrals(delta * np.exp(x), -delta * np.expm1(x))[0] - alpha,
        -2.0 - 1.5 * alpha - 1.0 / np.sin(delta),
        -1e-18,
        xtol=1e-18,
        rtol=4 * np.finfo(float).eps,
    )
    turn = -delta * np.expm1(x)
    _, second, swing = integrals(delta * np.exp(x), turn)
    along, across = -(2 * second - alpha) * L / alpha, 2 * swing * L / alpha
    # force direction (cos δ, sin δ), normal (sin δ, −cos δ): the tangent is cos u along it and sin u across
    x = along * np.cos(delta) + across * np.sin(delta)
    y = along * np.sin(delta) - across * np.cos(delta)
    return Tip(float(x), float(side * y), float(side * turn))


def _slope(
    s: np.ndarray, theta: np.ndarray, weight: tuple[float, float], force: tuple[float, float], EI: float, L: float
) -> np.ndarray:
    return ((force[0] + weight[0] * (L - s)) * np.sin(theta) - (force[1] + weight[1] * (L - s)) * np.cos(theta)) / EI


def loaded(
    *,
    EI: float,
    L: float,
    weight: tuple[float, float] = (0.0, 0.0),
    force: tuple[float, float] = (0.0, 0.0),
    moment: float = 0.0,
    tol: float = 1e-10,
) -> Tip:
    """Tip under a dead load per length `weight` (N/m), a tip force (N) and a tip moment (N m), by collocation.

    The load is brought on in steps from the straight beam, so that the answer is on the branch that grows from it;
    compression beyond buckling is for `tip_force`, whose branch is known.
    """
    s = np.linspace(0.0, L, 41)
    y = np.zeros((4, s.size))
    y[2] = s
    strength = max(np.hypot(*force) * L**2, np.hypot(*weight) * L**3 / 3, abs(moment) * L) / EI
    stages = np.linspace(0.0, 1.0, 2 + int(strength / 3))[1:]
    for part in stages:
        w, f, m = tuple(part * np.array(weight)), tuple(part * np.array(force)), part * moment

        def rhs(s: np.ndarray, y: np.ndarray, w: tuple = w, f: tuple = f) -> np.ndarray:
            return np.vstack([y[1], _slope(s, y[0], w, f, EI, L), np.cos(y[0]), np.sin(y[0])])

        def ends(a: np.ndarray, b: np.ndarray, m: float = m) -> np.ndarray:
            return np.array([a[0], b[1] - m / EI, a[2], a[3]])

        answer = solve_bvp(rhs, ends, s, y, tol=tol if part == 1.0 else 1e-3, max_nodes=200_000)
        if not answer.success:
            raise RuntimeError(answer.message)
        s, y = answer.x, answer.y
    return Tip(float(y[2, -1]), float(y[3, -1]), float(y[0, -1]))


def own_weight(weight: float, *, EI: float, L: float, tol: float = 1e-10) -> Tip:
    """Tip of a horizontal cantilever hanging under its own weight per length (N/m, along −y)."""
    return loaded(EI=EI, L=L, weight=(0.0, -weight), tol=tol)


def shot(
    curvature: float,
    *,
    EI: float,
    L: float,
    weight: tuple[float, float] = (0.0, 0.0),
    force: tuple[float, float] = (0.0, 0.0),
) -> tuple[Tip, float]:
    """Tip and the moment left there (N m) for a guessed curvature (1/m) at the clamp: a check on the methods above."""

    def rhs(s: float, y: np.ndarray) -> np.ndarray:
        return np.array([y[1], _slope(s, y[0], weight, force, EI, L), np.cos(y[0]), np.sin(y[0])])

    y = solve_ivp(rhs, (0.0, L), [0.0, curvature, 0.0, 0.0], method="DOP853", rtol=1e-13, atol=1e-15).y[:, -1]
    return Tip(float(y[2]), float(y[3]), float(y[0])), float(EI * y[1])
