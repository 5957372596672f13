"""Beams in sleeves whose matrices can be written down: a cubic in the plane, with the mouth at rest or moving.

With u = N(ξ) p, p = (v, dφ) at the nodes, and the integrals over ξ

    M1 = ρA∫NᵀN,  𝒢 = ρA∫(1−ξ)NᵀN',  ℰ = ρA∫(1−ξ)²N'ᵀN',  K1 = EI∫N''ᵀN'',  n0 = ρA∫N,  n1 = ρA∫ξN,
    H = ρA∫(1−ξ)N'ᵀN',  D = ρA∫½(1−ξ²)N'ᵀN'

the forces on p and on d of a beam without rotary inertia or payload are the virtual power of u_tt + 2ḋu_xt + ḋ²u_xx +
d̈u_x and of the foreshortening, worked out by hand.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.polynomial import Polynomial

from flexarm.core.tree.build import Body, build_tree

from .sleeves import BEAM, LENGTH, sleeve
from .trees import Engine

RHO, EI = BEAM["mass_per_length"], BEAM["bending_stiffness"][1]
XI = Polynomial([0.0, 1.0])


def _integral(f: Polynomial) -> float:
    return float(f.integ()(1.0))


def _matrix(weight: Polynomial, one: list[Polynomial], two: list[Polynomial]) -> np.ndarray:
    return np.array([[_integral(weight * a * b) for b in two] for a in one])


# one element: the cubics of the deflection and the slope at the tip
N = [3 * XI**2 - 2 * XI**3, XI**3 - XI**2]
N1, N2 = ([f.deriv(k) for f in N] for k in (1, 2))
ONE = Polynomial([1.0])
M1, G, E = RHO * _matrix(ONE, N, N), RHO * _matrix(1 - XI, N, N1), RHO * _matrix((1 - XI) ** 2, N1, N1)
H, D = RHO * _matrix(1 - XI, N1, N1), RHO * _matrix(0.5 * (1 - XI**2), N1, N1)
K1 = EI * _matrix(ONE, N2, N2)
N0, NX = (RHO * np.array([_integral(weight * f) for f in N]) for weight in (ONE, XI))
AGAINST = np.array([_integral((XI * (1 - XI)) * f1 - f) for f, f1 in zip(N, N1, strict=True)])
ALONG = np.array([_integral((1 - XI) * f1) for f1 in N1])


class Motion:
    """A random motion of the beam, in p and in the engine's coordinates (d, v, φ), and of the mouth."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.d, self.rate, self.acc = 0.8, *rng.standard_normal(2)
        self.p, self.dp, self.ddp = 0.05 * rng.standard_normal((3, 2))
        self.w, self.alpha = rng.standard_normal(2)
        self.a0 = rng.standard_normal(2)

    def turn(self) -> tuple[float, float, float]:
        """φ and its derivatives from p₂ = dφ."""
        d, rate, acc = self.d, self.rate, self.acc
        (x, v, a) = (part[1] for part in (self.p, self.dp, self.ddp))
        first = v / d - x * rate / d**2
        return x / d, first, a / d - 2 * v * rate / d**2 + x * (2 * rate**2 / d**3 - acc / d**2)

    def forces(self) -> tuple[float, np.ndarray]:
        """Forces of the engine on d at fixed p, and on p."""
        beam = sleeve("euler", planar=True, elements=1)
        slides = [Body(k - 1, "prismatic", axis=axis) for k, axis in enumerate(np.eye(3)[:2])]
        built = build_tree([*slides, Body(1, "revolute"), Body(2, sleeve=beam)], gravity=np.zeros(3))
        turn = self.turn()
        q = np.array([0.0, 0.0, 0.0, self.d, self.p[0], turn[0]])
        v = np.array([0.0, 0.0, self.w, self.rate, self.dp[0], turn[1]])
        a = np.array([*self.a0, self.alpha, self.acc, self.ddp[0], turn[2]])
        force = Engine(built.planar).inverse(q, v, a)
        # p₂ = dφ: a force on φ is d times that on p₂, and φ falls as d grows at fixed p₂
        on_p = np.array([force[4], force[5] / self.d])
        return force[3] - force[5] * self.p[1] / self.d**2, on_p


@pytest.fixture(params=range(5), ids=lambda seed: f"seed{seed}")
def motion(request: pytest.FixtureRequest) -> Motion:
    """A random motion."""
    return Motion(int(request.param))


def test_the_mouth_at_rest_leaves_mass_gyroscopic_and_stiffness_matrices(motion):
    motion.w, motion.alpha, motion.a0 = 0.0, 0.0, np.zeros(2)
    d, rate, acc, p = motion.d, motion.rate, motion.acc, motion.p
    stiffness = K1 / d**3 + acc * G - rate**2 / d * E - acc * H
    expected = d * M1 @ motion.ddp + 2 * rate * G @ motion.dp + stiffness @ p
    np.testing.assert_allclose(motion.forces()[1], expected, rtol=0, atol=1e-13 * np.abs(K1 @ p).max() / d**3)


def test_a_moving_mouth_softens_stiffens_and_pushes_the_beam_aside(motion):
    d, rate, acc, p, w = motion.d, motion.rate, motion.acc, motion.p, motion.w
    stiffness = K1 / d**3 + acc * G - rate**2 / d * E
    stiffness = stiffness - w**2 * d * M1 + w**2 * d * D - (motion.a0[0] + acc) * H
    # 2ωḋ is the Coriolis acceleration of a rigid bar that slides out
    pushed = (motion.a0[1] + 2 * w * rate) * d * N0 + motion.alpha * d**2 * NX
    expected = d * M1 @ motion.ddp + 2 * rate * G @ motion.dp + stiffness @ p + pushed
    np.testing.assert_allclose(motion.forces()[1], expected, rtol=0, atol=1e-13 * np.abs(K1 @ p).max() / d**3)


def _drive(motion: Motion) -> float:
    """The drive force with the mouth at rest: m d̈ + pᵀ𝒢ᵀp̈ + 2σpᵀℰṗ + (d̈/d − ½σ²)pᵀℰp + ½pᵀK'p + Z̈."""
    d, rate, acc, p, dp = motion.d, motion.rate, motion.acc, motion.p, motion.dp
    shear = rate / d
    # Z = −½ pᵀHp, H constant
    bent = -(dp @ H @ dp + p @ H @ motion.ddp)
    return (
        RHO * LENGTH * acc
        + p @ G.T @ motion.ddp
        + 2 * shear * p @ E @ dp
        + (acc / d - 0.5 * shear**2) * p @ E @ p
        - 1.5 * p @ K1 @ p / d**4
        + bent
    )


def test_the_drive_force_with_the_mouth_at_rest(motion):
    motion.w, motion.alpha, motion.a0 = 0.0, 0.0, np.zeros(2)
    assert motion.forces()[0] == pytest.approx(_drive(motion), abs=1e-12)


def test_the_drive_force_with_a_moving_mouth(motion):
    d, p, w = motion.d, motion.p, motion.w
    on_x = RHO * LENGTH
    on_y = RHO * ALONG @ p
    on_turn = RHO * d * AGAINST @ p
    of_inertia = RHO * (d**2 - (LENGTH - d) ** 2) + p @ (M1 - D) @ p
    expected = _drive(motion) + on_x * motion.a0[0] + on_y * motion.a0[1] + on_turn * motion.alpha
    expected += -2 * w * d * N0 @ motion.dp - 0.5 * w**2 * of_inertia
    assert motion.forces()[0] == pytest.approx(expected, abs=1e-12)


def test_a_straight_beam_is_a_rigid_bar_that_slides():
    motion = Motion(7)
    motion.p, motion.dp, motion.ddp = np.zeros((3, 2))
    middle = motion.d - 0.5 * LENGTH
    expected = RHO * LENGTH * (motion.acc + motion.a0[0] - motion.w**2 * middle)
    assert motion.forces()[0] == pytest.approx(expected, rel=1e-13)
