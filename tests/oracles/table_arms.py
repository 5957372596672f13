"""The thesis's spatial arms (tables III and IV): where the tip is, how far it sags, how fast it shakes first.

Kinematics by the printed 4 × 4 matrices. The 3-R arm is an upright column of 0.5 m (the kink) with two links of 1 m
that make one straight beam of 2 m when stretched; in the vertical plane that is a planar arm of `geometric_arm`, out of
it a Ritz series of its own: column bending and twist, arm bending and twist. The R-P arm, clamped at the slider, is a
cantilever of the length outside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.polynomial import legendre
from scipy.linalg import eigh
from scipy.optimize import root

from . import beams
from .geometric_arm import Arm, Beam

GRAVITY = 9.81
TABLE_III = ((0.0, 90.0, 0.5), (1.0, 0.0, 0.0), (1.0, 0.0, 0.0))  # link length (m), twist (°), kink length (m)
COLUMN, REACH = 0.5, 2.0  # m


def transform(a: float, twist: float, theta: float, s: float) -> np.ndarray:
    """The printed matrix (5.7) between neighbouring Hartenberg-Denavit frames; angles in rad."""
    ca, sa, ct, st = np.cos(twist), np.sin(twist), np.cos(theta), np.sin(theta)
    return np.array(
        [[ct, -ca * st, sa * st, a * ct], [st, ca * ct, -sa * ct, a * st], [0.0, sa, ca, s], [0.0, 0.0, 0.0, 1.0]]
    )


def tip_3r(degrees: tuple[float, float, float]) -> np.ndarray:
    """Tip (3,) of the rigid 3-R arm in the base frame (m), joint angles in degrees."""
    T = np.eye(4)
    for (a, twist, s), theta in zip(TABLE_III, degrees, strict=True):
        T = T @ transform(a, np.deg2rad(twist), np.deg2rad(theta), s)
    return T[:3, 3]


@dataclass(frozen=True)
class Tube:
    """A beam that also twists: planar properties per unit length and GJ, ρIp."""

    EI: float
    kGA: float
    rhoA: float
    rhoI: float
    GJ: float
    rhoIp: float

    def beam(self, L: float) -> Beam:
        """A link of length L."""
        return Beam(L, self.EI, self.kGA, self.rhoA, self.rhoI)


def tube(A: float, I: float, kt: float, E: float, rho: float, nu: float) -> Tube:
    """Properties of a round tube, J = 2I."""
    G = E / (2 * (1 + nu))
    return Tube(E * I, kt * G * A, rho * A, rho * I, 2 * G * I, 2 * rho * I)


THREE_R = tube(915e-6, 1.08e-6, 0.531427, 200e9, 7850.0, 0.30)
R_P = tube(315e-6, 1e-8, 0.71026, 70e9, 2700.0, 0.33)


def cantilever_sag(tube: Tube, L: float) -> float:
    """Tip deflection (m) of a horizontal cantilever under its own weight: bending and shear."""
    w = tube.rhoA * GRAVITY
    return w * L**4 / (8 * tube.EI) + w * L**2 / (2 * tube.kGA)


def cantilever_frequency(tube: Tube, L: float) -> float:
    """First frequency (Hz) of the Timoshenko cantilever."""
    return float(beams.timoshenko(1, EI=tube.EI, kGA=tube.kGA, rhoA=tube.rhoA, rhoI=tube.rhoI, L=L)[0] / (2 * np.pi))


def column_arm(bend: int = 8, shear: int = 8) -> Arm:
    """Column and stretched arm in their vertical plane (y up); posture (90°, −90°)."""
    return Arm((THREE_R.beam(COLUMN), THREE_R.beam(REACH)), bend, shear, gravity=(0.0, -GRAVITY))


def column_sag() -> np.ndarray:
    """Displacement (2,) of the tip (outwards, up), m, of the stretched arm on its flexible column at rest."""
    arm = column_arm()
    e = arm.elastic
    q = np.zeros(2 * arm.per_link)
    q[arm.joints] = np.pi / 2, -np.pi / 2
    scale = np.diag(arm.stiffness)[e]

    def bent(x: np.ndarray) -> np.ndarray:
        full = q.copy()
        full[e] = x
        return full

    zero = np.zeros_like(q)
    x = root(lambda x: arm.forces(bent(x), zero, zero)[e] / scale, np.zeros(e.size), tol=1e-15).x
    return arm.tip(bent(x)) - arm.tip(q)


def column_frequency_in_plane() -> float:
    """First frequency (Hz) of column and arm in their vertical plane."""
    return float(column_arm().frequencies((np.pi / 2, -np.pi / 2), 1)[0])


def column_frequency_sideways(degree: int = 10) -> float:
    """First frequency (Hz) across the vertical plane: the column bends and twists, the arm bends and twists."""
    x, w = legendre.leggauss(2 * degree + 4)
    ends = np.append(x, 1.0)
    n = degree
    columns = {"column": 0, "column shear": n, "twist": 2 * n, "arm": 3 * n, "arm shear": 4 * n, "arm twist": 5 * n}

    def rows(name: str, times: int, half: float) -> np.ndarray:
        """Rows (stations and end, 6n) of a strain series integrated so many times."""
        out = np.zeros((ends.size, 6 * n))
        for k in range(n):
            series = np.eye(k + 1)[k]
            integral = legendre.legint(series, times, lbnd=-1) if times else series
            out[:, columns[name] + k] = half**times * legendre.legval(ends, integral)
        return out

    short, long = COLUMN / 2, REACH / 2
    column_y = rows("column", 2, short) + rows("column shear", 1, short)
    column_tilt, column_twist = rows("column", 1, short), rows("twist", 1, short)
    reach = (long * (ends + 1))[:, None]
    # the arm stands on the column's head: carried along, turned about the column's axis, rolled by its tilt
    arm_y = column_y[-1] + reach * column_twist[-1] + rows("arm", 2, long) + rows("arm shear", 1, long)
    arm_turn, arm_roll = column_twist[-1] + rows("arm", 1, long), -column_tilt[-1] + rows("arm twist", 1, long)

    def gram(row: np.ndarray, half: float) -> np.ndarray:
        return row[:-1].T @ ((half * w)[:, None] * row[:-1])

    t = THREE_R
    M = t.rhoA * (gram(column_y, short) + gram(arm_y, long)) + t.rhoI * (
        gram(column_tilt, short) + gram(arm_turn, long)
    )
    M += t.rhoIp * (gram(column_twist, short) + gram(arm_roll, long))
    K = np.zeros_like(M)
    for name, stiffness, half in (
        ("column", t.EI, short),
        ("column shear", t.kGA, short),
        ("twist", t.GJ, short),
        ("arm", t.EI, long),
        ("arm shear", t.kGA, long),
        ("arm twist", t.GJ, long),
    ):
        K += stiffness * gram(rows(name, 0, half), half)
    size = 1 / np.sqrt(np.diag(K))
    inverse = eigh(M * np.outer(size, size), K * np.outer(size, size), eigvals_only=True)[-1]
    return float(1 / (2 * np.pi * np.sqrt(inverse)))
