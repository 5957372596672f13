"""Reissner's beam in the plane: sections turn by φ, shear by γ across themselves and stretch by ε along their normal.

x' = (1 + ε) cos φ − γ sin φ,    y' = (1 + ε) sin φ + γ cos φ,    M = EI φ',  N = EA ε,  Q = GA γ
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq


class Tip(NamedTuple):
    """Tip position (m) and rotation (rad)."""

    x: float
    y: float
    rotation: float


def cantilever(force: tuple[float, float], *, EI: float, GA: float, EA: float = np.inf, L: float) -> Tip:
    """Tip of a cantilever along x under a dead force (N) at its tip, by shooting for the moment at the clamp."""
    fx, fy = force

    def along(_: float, state: np.ndarray) -> list[float]:
        phi, moment = state[:2]
        # the section at s carries the force of the tip: N along its normal, Q across
        epsilon = (fx * np.cos(phi) + fy * np.sin(phi)) / EA
        gamma = (fy * np.cos(phi) - fx * np.sin(phi)) / GA
        dx = (1 + epsilon) * np.cos(phi) - gamma * np.sin(phi)
        dy = (1 + epsilon) * np.sin(phi) + gamma * np.cos(phi)
        return [moment / EI, fx * dy - fy * dx, dx, dy]

    def end(moment: float) -> np.ndarray:
        return solve_ivp(along, (0.0, L), [0.0, moment, 0.0, 0.0], rtol=1e-10, atol=1e-12).y[:, -1]

    size = float(np.hypot(fx, fy)) * L
    found = end(brentq(lambda moment: end(moment)[1] / size, 0.0, 1.5 * size, xtol=1e-12 * size))
    return Tip(float(found[2]), float(found[3]), float(found[0]))


def column(euler: float, shear: float) -> float:
    """Critical load (N) of a column that does not stretch (Haringx): P (1 + P/GA) = P_Euler."""
    return 0.5 * shear * (np.sqrt(1.0 + 4.0 * euler / shear) - 1.0)
