"""Beams on hubs: chain, modes, finite rotations and particles, each against closed forms and against one another."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from . import beams
from . import timoshenko_tables as tables
from .hencky_chain import Chain, spun_history, spun_tip, torqued
from .hub_cases import (
    MEAN_ARM,
    PULSE_TIME,
    SPIN_END,
    SPUN,
    TORQUED,
    HubBeam,
    falling,
    pulse,
    spin_figures,
    spin_up,
)
from .integration import integrate
from .particle_chain import ParticleChain, extrapolated
from .stiffened_modes import ModalArm
from .turning_beam import TurningBeam

UNIT = HubBeam(L=1.0, EI=1.0, rhoA=1.0)
# a square bar of one to ten, κ = 5/6, E/G = 2.6, in units of EI, ρA, L
STUBBY = {"rhoI": 1 / 1200, "kGA": 5 / 6 * 1200 / 2.6}
EXACT = {
    "euler": beams.euler(1, EI=1.0, rhoA=1.0, L=1.0)[0],
    "timoshenko": beams.timoshenko(1, EI=1.0, rhoA=1.0, L=1.0, **STUBBY)[0],
}
# Flapping frequencies λ1, λ2 of a bare beam at η = ΩL²√(ρA/EI): Wright, Smith, Thresher & Wang, ASME J. Appl. Mech. 49
# (1982) 197-202, three decimals.
WRIGHT = {0: (3.516, 22.035), 2: (4.137, 22.615), 6: (7.360, 26.809), 12: (13.170, 37.603)}


# --- The commands ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("t", [3.0, 14.0, 16.0])
def test_spin_up_differentiates_to_its_rate_and_acceleration(t: float) -> None:
    h = 1e-4
    before, here, after = (spin_up(t + d, 4.0) for d in (-h, 0.0, h))
    # central differences leave h²/6 of third derivatives near 0.1
    assert (after[0] - before[0]) / (2 * h) == pytest.approx(here[1], rel=1e-8)
    assert (after[1] - before[1]) / (2 * h) == pytest.approx(here[2], rel=1e-8, abs=1e-9)


# --- The Hencky chain ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 3])
def test_chain_yields_to_a_tip_force_as_the_beam_does(n: int) -> None:
    beam = HubBeam(L=1.3, EI=50.0, rhoA=0.4)
    bent = 1.3**3 / (3 * 50.0)
    assert Chain(beam, n).flexibility()[-1, -1] == pytest.approx(bent, rel=1e-13)
    assert Chain(beam, n, kGA=700.0).flexibility()[-1, -1] == pytest.approx(bent + 1.3 / 700.0, rel=1e-13)


@pytest.mark.parametrize("theory", ["euler", "timoshenko"])
@pytest.mark.parametrize("n", [2, 5])
def test_chain_is_the_cubic_element_with_simpson_s_lumps(n: int, theory: str) -> None:
    data = STUBBY if theory == "timoshenko" else {"rhoI": 0.0, "kGA": np.inf}
    K, _ = tables.assembled(
        tables.cubic_element(0.5 / n, EI=1.0, kGA=min(data["kGA"], 1e12), rhoA=1.0, rhoI=0.0), 2 * n
    )
    lumps = np.zeros(2 * n + 1)
    for k in range(n):
        lumps[2 * k : 2 * k + 3] += np.array([1, 4, 1]) / (6 * n)
    root = np.sqrt(np.outer(lumps[1:], [1.0, data["rhoI"]]).ravel())
    inverse = np.linalg.eigvalsh(root[:, None] * np.linalg.inv(K[2:, 2:]) * root)[::-1]
    # a shear stiffness of 1e12 leaves 1e-10 of the highest Euler-Bernoulli frequencies
    np.testing.assert_allclose(Chain(UNIT, n, **data).frequencies()[:n], 1 / np.sqrt(inverse[:n]), rtol=2e-9)


def test_order_is_four_for_euler_bernoulli_and_two_for_timoshenko() -> None:
    for theory, data, order in (("euler", {}, 4), ("timoshenko", STUBBY, 2)):
        errors = [abs(Chain(UNIT, n, **data).frequencies()[0] / EXACT[theory] - 1) for n in (12, 24, 48)]
        np.testing.assert_allclose(np.log2(np.divide(errors[:-1], errors[1:])), order, atol=0.1)


def test_chain_with_payload_tends_to_the_beam_with_payload() -> None:
    beam = HubBeam(L=1.0, EI=1.0, rhoA=1.0, tip_mass=0.3)
    exact = beams.euler(2, EI=1.0, rhoA=1.0, L=1.0, tip_mass=0.3, tip_inertia=0.02)
    np.testing.assert_allclose(Chain(beam, 64, tip_inertia=0.02).frequencies()[:2], exact, rtol=1e-6)


def test_rotation_leaves_plain_modes_alone_and_slides_nearly_so() -> None:
    chain = Chain(SPUN, 2)
    rest = chain.frequencies()
    np.testing.assert_array_equal(chain.frequencies(8.0), rest)
    # under a tip force the slides are 1/64 of the deflection of four bars: Ω²/64² of ω² at the most
    fall = 1 - (chain.frequencies(8.0, "slides")[0] / rest[0]) ** 2
    assert 0 < fall < 3 * 8.0**2 / 64**2 / rest[0] ** 2


def test_spun_chain_in_closed_form_is_the_integrated_one() -> None:
    chain = Chain(SPUN, 2)
    times = np.array([3.0, 7.5, 14.0, 15.0, 16.0, 20.0])
    found = spun_history(chain, 4.0, 20.0)(times)[0][:, -1]
    # 0.5 m of deflection, 1e-12 a step
    np.testing.assert_allclose(found, spun_tip(chain, 4.0, times), atol=1e-9)


def test_torqued_chain_in_closed_form_is_the_integrated_one() -> None:
    chain = Chain(TORQUED, 2)
    mR = chain.masses * chain.reach
    M = np.block([[np.array([[chain.hub_inertia]]), mR[None]], [mR[:, None], np.diag(chain.masses)]])
    K = np.zeros_like(M)
    K[1:, 1:] = np.linalg.inv(chain.flexibility())

    def acceleration(t: float, x: np.ndarray, v: np.ndarray, phase: int) -> np.ndarray:
        load = -K @ x
        load[0] += pulse(t, phase)
        return np.linalg.solve(M, load)

    still = np.zeros(2 * chain.n + 1)
    history = integrate(acceleration, (0.0, PULSE_TIME, 4.0), still, still, method="DOP853", rtol=1e-11, atol=1e-13)
    times = [1.0, 2.0, 4.0]
    # the quintic between steps does not matter at ends of intervals; at 1 s it leaves 1e-9
    np.testing.assert_allclose(history(times)[0][:, [0, -1]].T, torqued(chain, times), atol=1e-8)


# --- Frequencies under rotation --------------------------------------------------------------------------------------


@pytest.mark.parametrize("eta", WRIGHT)
def test_series_flaps_as_printed(eta: float) -> None:
    squares, _ = TurningBeam(UNIT, 16).squares(eta)
    np.testing.assert_allclose(np.sqrt(squares[:2] + eta**2), WRIGHT[eta], atol=5.3e-4)


def test_series_at_rest_has_the_closed_form_with_payload() -> None:
    exact = beams.euler(3, EI=SPUN.EI, rhoA=SPUN.rhoA, L=SPUN.L, tip_mass=SPUN.tip_mass)
    np.testing.assert_allclose(np.sqrt(TurningBeam(SPUN, 16).squares()[0][:3]), exact, rtol=1e-11)


@pytest.mark.parametrize(("rate", "radius"), [(2.0, 0.0), (8.0, 0.0), (8.0, 1.5)])
def test_series_has_the_frequency_of_the_differential_equation(rate: float, radius: float) -> None:
    b = HubBeam(L=SPUN.L, EI=SPUN.EI, rhoA=SPUN.rhoA, tip_mass=SPUN.tip_mass, radius=radius)
    square = TurningBeam(b, 16).squares(rate)[0][0] + rate**2

    def left_at_the_tip(square: float) -> float:
        """Determinant of what two shots from the clamp leave of moment and of shear less the payload's inertia."""

        def rhs(x: float, y: np.ndarray) -> np.ndarray:
            tension = b.rhoA * ((radius + b.L) ** 2 - (radius + x) ** 2) / 2 + b.tip_mass * (radius + b.L)
            bend = rate**2 * (tension * y[2] - b.rhoA * (radius + x) * y[1]) + b.rhoA * square * y[0]
            return np.array([y[1], y[2], y[3], bend / b.EI])

        left = []
        for y0 in np.eye(4)[2:]:
            v, slope, curvature, third = solve_ivp(rhs, (0, b.L), y0, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
            pull = rate**2 * b.tip_mass * (radius + b.L)
            left.append([curvature, b.EI * third - pull * slope + b.tip_mass * square * v])
        return float(np.linalg.det(np.array(left)))

    assert left_at_the_tip(square * (1 - 1e-8)) * left_at_the_tip(square * (1 + 1e-8)) < 0


@pytest.mark.parametrize("rate", [2.0, 8.0])
def test_chain_of_second_order_tends_to_the_rotating_beam(rate: float) -> None:
    exact = np.sqrt(TurningBeam(SPUN, 16).squares(rate)[0][0])
    errors = [Chain(SPUN, n).frequencies(rate, "second order")[0] / exact - 1 for n in (16, 32, 64)]
    # straight bars draw in by more than the curve through their ends: order two
    np.testing.assert_allclose(np.log2(np.divide(errors[:-1], errors[1:])), 2.0, atol=0.1)
    assert abs(errors[-1]) < 1e-3


# --- Finite rotations ------------------------------------------------------------------------------------------------


def test_finite_rotations_about_a_steady_spin_have_the_frequencies_of_second_order() -> None:
    rate, arm = 8.0, TurningBeam(SPUN, 6)
    zero = np.zeros(arm.degree)
    M = arm.terms(zero, rate, zero)[0][1:, 1:]

    def force(c: np.ndarray, speeds: np.ndarray) -> np.ndarray:
        return arm.terms(c, rate, speeds)[1][1:] + arm.squares()[0] * c

    h = 1e-5
    K, C = (
        np.column_stack([(force(*(s * h * d for s in pair)) - force(*(-s * h * d for s in pair))) / (2 * h) for d in I])
        for pair, I in (((1, 0), np.eye(arm.degree)), ((0, 1), np.eye(arm.degree)))
    )
    # nothing stretches, so a straight beam feels no Coriolis force across itself
    np.testing.assert_allclose(C, 0.0, atol=1e-6)
    np.testing.assert_allclose(
        np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real)[:3], arm.squares(rate)[0][:3], rtol=1e-7
    )


def test_torque_s_impulse_and_work_are_momentum_and_energy() -> None:
    arm = TurningBeam(MEAN_ARM, 4)
    history = arm.torqued(falling, (0.0, 0.5), rtol=1e-9, atol=1e-11)
    q, v = (x[-1] for x in history([0.25, 0.5]))
    assert arm.momentum(q[1:], v[0], v[1:]) == pytest.approx(0.5 - 0.125, rel=1e-8)
    work = quad(lambda t: falling(t, 0) * history([t])[1][0, 0], 0.0, 0.5, epsrel=1e-7, limit=200)[0]
    assert arm.energy(q[1:], v[0], v[1:]) == pytest.approx(work, rel=1e-5)


def test_a_faint_torque_moves_the_beam_as_the_fine_chain() -> None:
    faint = 1e-3
    arm = TurningBeam(TORQUED, 6)
    history = arm.torqued(lambda t, phase: faint * pulse(t, phase), (0.0, 2.0, 3.0), rtol=1e-9, atol=1e-13)
    times = [1.0, 2.0, 3.0]
    x = history(times)[0]
    theta, tip = torqued(Chain(TORQUED, 24), times)
    # the torque begins with a kink, which stirs modes that six polynomials do not have: 1e-5 of the deflection
    np.testing.assert_allclose(x[:, 0] / faint, theta, rtol=1e-6)
    np.testing.assert_allclose(arm.deflection(x[:, 1:])[:, 1] / faint, tip, atol=2e-5 * np.max(np.abs(tip)))


def test_particles_with_tensions_tend_to_the_series_under_torque() -> None:
    times = [0.4, 0.8]
    found = []
    for N in (5, 10, 20):
        chain = ParticleChain(TORQUED, N)
        x = chain.history((0.0, *times), torque=lambda t, phase: pulse(t, 0), rtol=1e-8, atol=1e-10)(times)[0]
        found.append(np.column_stack([x[:, 0], chain.tip(x)[:, 1]]))
    arm = TurningBeam(TORQUED, 6)
    x = arm.torqued(pulse, (0.0, 0.8), rtol=1e-9, atol=1e-12)(times)[0]
    expected = np.column_stack([x[:, 0], arm.deflection(x[:, 1:])[:, 1]])
    np.testing.assert_allclose(extrapolated(found), expected, atol=1e-5)
    # each mesh alone is a hundred times farther off
    assert np.max(np.abs(found[1] - expected)) > 1e-4


def test_particles_with_tensions_tend_to_the_series_on_a_spinning_hub() -> None:
    end, rate = 5.0, 8.0
    found = []
    for N in (4, 8, 16):
        chain = ParticleChain(SPUN, N)
        x = chain.history((0.0, end), command=lambda t: spin_up(t, rate), rtol=1e-8, atol=1e-9)([end])[0]
        found.append(chain.tip(x)[0])
    arm = TurningBeam(SPUN, 5)
    history = arm.driven(lambda t: spin_up(t, rate), (0.0, end), rtol=1e-9, atol=1e-12)
    # a metre of eight
    np.testing.assert_allclose(extrapolated(found), arm.deflection(history([end])[0])[0], rtol=5e-5)


def test_slow_spin_of_finite_rotations_is_nearly_the_plain_chain() -> None:
    rate = 0.05
    arm = TurningBeam(SPUN, 4)
    history = arm.driven(lambda t: spin_up(t, rate), (0.0, 15.0, SPIN_END), rtol=1e-9, atol=1e-13)
    finite = spin_figures(lambda t: arm.deflection(history(t)[0])[:, 1])
    plain = spin_figures(lambda t: spun_tip(Chain(SPUN, 16), rate, t))
    # stiffening is (0.05/2.6)² of the square of the frequency
    np.testing.assert_allclose(finite, plain, rtol=1e-3)


# --- He and Wang -----------------------------------------------------------------------------------------------------


def test_modal_integrals_are_their_definitions() -> None:
    arm = ModalArm(UNIT, 4)
    beta = beams.euler_roots(4)
    np.testing.assert_allclose(np.abs(arm.lever), 2 / beta**2, rtol=1e-12)
    np.testing.assert_allclose(np.abs(arm.tip), 2.0, rtol=1e-12)
    b = beta[0]
    sigma = (np.cosh(b) + np.cos(b)) / (np.sinh(b) + np.sin(b))

    def drawn(x: float) -> float:
        """∫₀ˣ φ'² of the first mode."""

        def slope(s: float) -> float:
            return b * (np.sinh(b * s) + np.sin(b * s) - sigma * (np.cosh(b * s) - np.cos(b * s)))

        return quad(lambda s: slope(s) ** 2, 0.0, x)[0]

    assert arm.drawn[0, 0] == pytest.approx(drawn(1.0), rel=1e-11)
    assert arm.stiffening[0, 0] == pytest.approx(quad(lambda x: x * drawn(x), 0.0, 1.0)[0], rel=1e-10)


def test_stiffened_modes_rotate_as_the_beam() -> None:
    rate = 40.0
    arm = ModalArm(MEAN_ARM, 8)
    squares = np.linalg.eigvalsh(np.diag(arm.squares) + rate**2 * (arm.stiffening - np.eye(8)))
    exact = TurningBeam(MEAN_ARM, 16).squares(rate)[0]
    # Ritz bounds from above; modes at rest approach slowly
    assert squares[0] > exact[0]
    assert squares[0] == pytest.approx(exact[0], rel=1e-2)


def test_printed_equation_keeps_its_momentum_and_second_order_its_energy() -> None:
    arm = ModalArm(MEAN_ARM, 3)
    end = 1.2
    x, v = (y[-1] for y in arm.history(end, second_order=False, rtol=1e-11)([0.0, end]))
    momentum = arm.beam.rigid_inertia * v[0] + arm.lever @ v[1:]
    assert momentum == pytest.approx(end - end**2 / 2, rel=1e-11)
    history = arm.history(end, second_order=True, rtol=1e-11)
    x, v = (y[-1] for y in history([0.0, end]))
    work = quad(lambda t: falling(t, 0) * history([t])[1][0, 0], 0.0, end, epsrel=1e-9, limit=400)[0]
    assert arm.energy(x, v) == pytest.approx(work, rel=1e-7)


def test_second_order_is_nearer_to_finite_rotations_than_the_printed_equation() -> None:
    end = 0.4
    arm = TurningBeam(MEAN_ARM, 5)
    exact = arm.torqued(falling, (0.0, end), rtol=1e-8, atol=1e-10)([end])[0][0, 0]
    modal = ModalArm(MEAN_ARM, 4)
    printed, second = (modal.history(end, second_order=o, rtol=1e-9)([end])[0][0, 0] for o in (False, True))
    assert abs(second - exact) < 0.2 * abs(printed - exact)
