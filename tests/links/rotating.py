"""Frequencies of a uniform cantilever on a turning hub, by two methods without finite elements.

With ξ = x/L, η = Ω L² √(ρA/EI), δ = hub radius/L and λ = ω L² √(ρA/EI), bending out of the plane of rotation obeys

    w'''' − η² (t w')' = λ² w,      t = δ (1 − ξ) + ½ (1 − ξ²),      w = w' = 0 at 0,  w'' = w''' = 0 at 1,

and in the plane of rotation λ² is less by η² for the same shape: the load there turns with the deflection. A tip mass
of μ times the beam's adds μ (1 + δ) to t, and w''' − η² t w' + μ λ² w = 0 at 1. A beam that points inwards from its hub
has δ < 0.
"""

from __future__ import annotations

import numpy as np
from numpy.polynomial import legendre
from scipy.integrate import solve_ivp
from scipy.linalg import eigh

# Flapping frequencies λ1, λ2, λ3 of δ = 0: Wright, Smith, Thresher & Wang, Vibration modes of centrifugally stiffened
# beams, ASME J. Appl. Mech. 49 (1982) 197-202, as printed to three decimals by Bir, AIAA 2009-1035, table 3a.
WRIGHT = {
    0: (3.516, 22.035, 61.697),
    1: (3.682, 22.181, 61.842),
    2: (4.137, 22.615, 62.273),
    3: (4.797, 23.320, 62.985),
    4: (5.585, 24.273, 63.967),
    5: (6.450, 25.446, 65.205),
    6: (7.360, 26.809, 66.684),
    7: (8.300, 28.334, 68.386),
    8: (9.257, 29.995, 70.293),
    9: (10.226, 31.771, 72.387),
    10: (11.202, 33.640, 74.649),
    11: (12.184, 35.589, 77.064),
    12: (13.170, 37.603, 79.615),
}


def flapping(eta: float, delta: float = 0.0, count: int = 3, degree: int = 24, *, tip: float = 0.0) -> np.ndarray:
    """λ (count,) out of the plane of rotation by Ritz's method: curvatures are series of Legendre polynomials."""
    nodes, weights = legendre.leggauss(2 * degree + 20)
    x, w = 0.5 * (nodes + 1), 0.5 * weights
    curvature, slope, deflection = np.empty((3, degree, x.size))
    for k in range(degree):
        series = np.eye(degree)[k, : k + 1]
        curvature[k] = legendre.legval(nodes, series)
        slope[k] = legendre.legval(nodes, legendre.legint(series, lbnd=-1)) / 2
        deflection[k] = legendre.legval(nodes, legendre.legint(series, 2, lbnd=-1)) / 4
    pull = eta**2 * (delta * (1 - x) + 0.5 * (1 - x**2) + tip * (1 + delta))
    at_tip = np.array(
        [legendre.legval(1.0, legendre.legint(np.eye(degree)[k, : k + 1], 2, lbnd=-1)) / 4 for k in range(degree)]
    )
    K = (curvature * w) @ curvature.T + (slope * (w * pull)) @ slope.T
    M = (deflection * w) @ deflection.T + tip * np.outer(at_tip, at_tip)
    inverse = eigh(M, K, eigvals_only=True)[::-1]
    return 1 / np.sqrt(inverse[:count])


def lagging(eta: float, delta: float = 0.0, count: int = 3, *, tip: float = 0.0) -> np.ndarray:
    """λ (count,) in the plane of rotation."""
    return np.sqrt(flapping(eta, delta, count, tip=tip) ** 2 - eta**2)


def left_at_the_tip(frequency: float, eta: float, delta: float, tip: float = 0.0) -> float:
    """What the best of the shapes that leave the clamp properly has left of moment and shear at the tip: the
    determinant of two shots, zero at a frequency.
    """
    load = eta**2 * tip * (1 + delta)

    def rhs(x: float, y: np.ndarray) -> np.ndarray:
        w, slope, moment, shear = y
        pull, fall = eta**2 * (delta * (1 - x) + 0.5 * (1 - x**2)) + load, -(eta**2) * (delta + x)
        return np.array([slope, moment, shear, pull * moment + fall * slope + frequency**2 * w])

    ends = [solve_ivp(rhs, (0, 1), y, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1] for y in np.eye(4)[2:]]
    left = [(moment, shear - load * slope + tip * frequency**2 * w) for w, slope, moment, shear in ends]
    return float(np.linalg.det(np.array(left)))
