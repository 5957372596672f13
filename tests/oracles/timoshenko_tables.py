"""What two-node Timoshenko elements give for one beam: tables of frequencies, and the deflection of a turning link.

Nothing is assembled where a closed form exists: on a uniform mesh the modes of a simply supported beam are sampled
sines, which leaves a 2 × 2 eigenproblem per mode. The cubic element is made by minimising its strain energy over the
two shear angles, all integrals by Gauss points, so that no printed matrix entry is used.
"""

from __future__ import annotations

import numpy as np
from numpy.polynomial import legendre
from scipy.linalg import eigh

# two entries of the table are misprints, as its other entries and the closed forms show: (…, "0.02") marked below
TABLE_I_ASPECTS = ("0.02", "0.04", "0.06", "0.08", "0.10")  # radius of gyration / length = r / 2L of a solid circle
TABLE_I: dict[str, tuple[float, ...]] = {
    "full.n2": (51.517, 27.055, 19.245, 15.446, 13.164),  # printed as row 1
    "full.n5": (19.830, 12.936, 10.957, 9.919, 9.173),
    "full.n10": (12.913, 10.479, 9.692, 9.131, 8.623),
    "full.n20": (10.650, 9.810, 9.367, 8.932, 8.486),
    "reduced.n2": (13.686, 13.218, 12.553, 11.793, 11.017),  # printed as row 1
    "reduced.n5": (10.291, 10.052, 9.694, 9.262, 8.795),
    "reduced.n10": (9.915, 9.695, 9.364, 8.963, 8.527),
    "reduced.n20": (9.844, 9.608, 9.284, 8.891, 8.462),  # 9.844: misprint of 9.824
    "exact": (9.839, 9.580, 9.258, 8.866, 8.441),  # 9.839: misprint of 9.794
}
SHEAR_TABLE_I = 0.8864 / 2.6  # κG/E


def simply_supported(aspect: float, n: int | None, *, reduced: bool = True, shear: float = SHEAR_TABLE_I) -> float:
    """λ1 = ω1 L² √(ρA/EI) of a simply supported beam: n two-node elements over the whole beam, exact for n = None.

    `aspect` is the section's radius of gyration over the length, `shear` is κG/E.
    """
    # in units of L, EI and ρA: rotary inertia aspect², shear stiffness shear/aspect²
    k, j = shear / aspect**2, aspect**2
    if n is None:
        # v = V sin πx, θ = T cos πx
        K = np.array([[k * np.pi**2, -k * np.pi], [-k * np.pi, np.pi**2 + k]])
        M = np.diag([1.0, j])
    else:
        # v_i = V sin iφ, θ_i = T cos iφ: the assembled rows of inner nodes, the end rows then hold as well
        h, phi = 1.0 / n, np.pi / n
        c, s = np.cos(phi), np.sin(phi)
        shear_part = k * h * (1 + c) / 2 if reduced else k * h * (2 + c) / 3
        K = np.array([[2 * k * (1 - c) / h, -k * s], [-k * s, 2 * (1 - c) / h + shear_part]])
        M = h * (2 + c) / 3 * np.diag([1.0, j])
    return float(np.sqrt(eigh(K, M, eigvals_only=True)[0]))


def linear_element(
    h: float, *, EI: float, kGA: float, rhoA: float, rhoI: float, reduced: bool = True
) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness and mass (4, 4) of the element with linear v and θ, coordinates (v1, θ1, v2, θ2), by Gauss points."""
    K, M = np.zeros((4, 4)), np.zeros((4, 4))
    for points in (1, 2):
        nodes, weights = legendre.leggauss(points)
        for x, w in zip(0.5 * (nodes + 1), 0.5 * weights * h, strict=True):
            v, turn = np.array([1 - x, 0, x, 0]), np.array([0, 1 - x, 0, x])
            slope, bend = np.array([-1, 0, 1, 0]) / h, np.array([0, -1, 0, 1]) / h
            if points == 2:
                K += w * EI * np.outer(bend, bend)
                M += w * (rhoA * np.outer(v, v) + rhoI * np.outer(turn, turn))
            if (points == 1) == reduced:
                K += w * kGA * np.outer(slope - turn, slope - turn)
    return K, M


def cubic_element(h: float, *, EI: float, kGA: float, rhoA: float, rhoI: float) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness and mass (4, 4) of the Hermitian element, coordinates (v1, φ1, v2, φ2), shear angles condensed.

    v is the cubic with end slopes φ − ψ, the shear angle ψ linear, the section turns by φ = v' + ψ.
    """
    K, M = np.zeros((6, 6)), np.zeros((6, 6))
    nodes, weights = legendre.leggauss(5)  # exact to degree 9; v² has 6
    for x, w in zip(0.5 * (nodes + 1), 0.5 * weights * h, strict=True):
        cubic = np.array([1 - 3 * x**2 + 2 * x**3, h * (x - 2 * x**2 + x**3), 3 * x**2 - 2 * x**3, h * (x**3 - x**2)])
        slope = np.array([6 * (x**2 - x) / h, 1 - 4 * x + 3 * x**2, 6 * (x - x**2) / h, 3 * x**2 - 2 * x])
        bend = np.array([(12 * x - 6) / h**2, (6 * x - 4) / h, (6 - 12 * x) / h**2, (6 * x - 2) / h])
        shear, shear_rate = np.array([0, 0, 0, 0, 1 - x, x]), np.array([0, 0, 0, 0, -1, 1]) / h

        def row(shape: np.ndarray) -> np.ndarray:
            return np.array([*shape, -shape[1], -shape[3]])

        v, turn, curvature = row(cubic), row(slope) + shear, row(bend) + shear_rate
        K += w * (EI * np.outer(curvature, curvature) + kGA * np.outer(shear, shear))
        M += w * (rhoA * np.outer(v, v) + rhoI * np.outer(turn, turn))
    T = np.vstack([np.eye(4), -np.linalg.solve(K[4:, 4:], K[4:, :4])])
    return T.T @ K @ T, T.T @ M @ T


def assembled(elements: tuple[np.ndarray, np.ndarray], n: int) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness and mass (2n + 2, 2n + 2) of n equal elements in a row, node by node (v, φ), nothing clamped."""
    K, M = np.zeros((2, 2 * n + 2, 2 * n + 2))
    for e in range(n):
        at = slice(2 * e, 2 * e + 4)
        K[at, at] += elements[0]
        M[at, at] += elements[1]
    return K, M


def turned(n: int, L: float) -> np.ndarray:
    """Nodal values (2n + 2,) of a small rigid turn about the base: v = x, φ = 1, which every element here contains."""
    return np.column_stack([np.linspace(0.0, L, n + 1), np.ones(n + 1)]).ravel()


def rotating_link_tip(n: int, *, EI: float, kGA: float, rhoA: float, rhoI: float, L: float, alpha: float) -> float:
    """Quasi-static tip deflection (m, magnitude) of a link of n linear elements turning with acceleration α."""
    K, M = assembled(linear_element(L / n, EI=EI, kGA=kGA, rhoA=rhoA, rhoI=rhoI), n)
    return abs(float(np.linalg.solve(K[2:, 2:], -alpha * (M @ turned(n, L))[2:])[-2]))


def rotating_link_exact(*, EI: float, kGA: float, rhoA: float, rhoI: float, L: float, alpha: float) -> float:
    """The same for the Timoshenko beam itself (m): bending, shear and rotary part."""
    return alpha * (11 * rhoA * L**5 / (120 * EI) + rhoA * L**3 / (3 * kGA) + rhoI * L**3 / (3 * EI))


def hermite_lambda(slenderness: float, n: int = 4) -> float:
    """λ1 = ω1 L² √(ρA/EI) of a cantilever of n cubic elements: square section, κ = 5/6, E/G = 2.6, L/h given."""
    j = 1.0 / (12.0 * slenderness**2)  # radius of gyration², in units of L, EI and ρA
    K, M = assembled(cubic_element(1.0 / n, EI=1.0, kGA=5 / 6 / 2.6 / j, rhoA=1.0, rhoI=j), n)
    # largest 1/ω² first: the lowest frequency keeps its digits
    return float(1.0 / np.sqrt(eigh(M[2:, 2:], K[2:, 2:], eigvals_only=True)[-1]))
