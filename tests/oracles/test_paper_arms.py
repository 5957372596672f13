"""The papers' arms and tables: every reference against a second derivation, or against what is printed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import eigh

from . import beams, hub_beam, table_arms, two_link
from . import timoshenko_tables as tables
from .geometric_arm import Arm
from .nodal_arm import NodalArm, extrapolated

LINK = two_link.flexible().arm.links[0]
DATA = {"EI": LINK.EI, "kGA": LINK.kGA, "rhoA": LINK.rhoA, "rhoI": LINK.rhoI}
TIMES = [0.25, 0.5, 0.75, 1.0, 1.5, 2.0]

# --- one beam --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reduced", [True, False])
@pytest.mark.parametrize("n", [2, 5, 20])
def test_sampled_sines_are_the_modes_of_the_assembled_mesh(n: int, reduced: bool) -> None:
    aspect = 0.06
    element = tables.linear_element(
        1 / n, EI=1.0, kGA=tables.SHEAR_TABLE_I / aspect**2, rhoA=1.0, rhoI=aspect**2, reduced=reduced
    )
    free = np.setdiff1d(np.arange(2 * n + 2), [0, 2 * n])
    K, M = (x[np.ix_(free, free)] for x in tables.assembled(element, n))
    lowest = np.sqrt(eigh(K, M, eigvals_only=True)[0])
    assert tables.simply_supported(aspect, n, reduced=reduced) == pytest.approx(lowest, rel=1e-10)


def test_printed_table_is_met_but_for_two_misprints() -> None:
    misprints = {("reduced.n20", "0.02"), ("exact", "0.02")}
    for row, values in tables.TABLE_I.items():
        kind, _, count = row.partition(".n")
        for aspect, printed in zip(tables.TABLE_I_ASPECTS, values, strict=True):
            ours = tables.simply_supported(float(aspect), int(count) if count else None, reduced=kind != "full")
            # rounded or cut to three decimals, and single precision
            assert (abs(ours - printed) < 1.3e-3) == ((row, aspect) not in misprints), (row, aspect)


def test_turning_link_tends_to_the_beam_with_the_square_of_the_mesh() -> None:
    exact = tables.rotating_link_exact(**DATA, L=1.0, alpha=1.0)
    errors = [exact - tables.rotating_link_tip(n, **DATA, L=1.0, alpha=1.0) for n in (8, 16, 32)]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=1e-2)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=1e-2)


def test_cubic_element_has_the_printed_matrices() -> None:
    L, EI, kGA, rhoA, rhoI = 0.3, 700.0, 1e5, 2.0, 0.01
    K, M = tables.cubic_element(L, EI=EI, kGA=kGA, rhoA=rhoA, rhoI=rhoI)
    beta = 12 * EI / kGA
    q = beta / (beta + L**2)

    def pattern(a: float, b: float, c: float, d: float, e: float, f: float) -> np.ndarray:
        """The symmetric matrix of a beam: rows (a, bL, d, eL), (cL², −eL, fL²), (a, −bL), (cL²)."""
        return np.array(
            [
                [a, b * L, d, e * L],
                [b * L, c * L**2, -e * L, f * L**2],
                [d, -e * L, a, -b * L],
                [e * L, f * L**2, -b * L, c * L**2],
            ]
        )

    ratio = beta / L**2
    np.testing.assert_allclose(K, EI / (L * (L**2 + beta)) * pattern(12, 6, 4 + ratio, -12, 6, 2 - ratio), rtol=1e-12)
    printed = rhoA * L / 420 * pattern(156, 22, 4, 54, -13, -3)
    printed += rhoA * L * q / 840 * pattern(-36 + 4 * q, -11 + 2 * q, -2 + q, 36 - 4 * q, -11 + 2 * q, -2 + q)
    printed += rhoI / (30 * L) * pattern(36, 3, 4, -36, 3, -1)
    printed += (
        rhoI * q / (20 * L) * pattern(-48 + 24 * q, -14 + 12 * q, -2 + 6 * q, 48 - 24 * q, -14 + 12 * q, -2 + 6 * q)
    )
    np.testing.assert_allclose(M, printed, rtol=1e-12)


@pytest.mark.parametrize("slenderness", [2, 20, 1000])
def test_cubic_elements_tend_to_the_beam(slenderness: float) -> None:
    j = 1 / (12 * slenderness**2)
    exact = beams.timoshenko(1, EI=1.0, kGA=5 / 6 / 2.6 / j, rhoA=1.0, rhoI=j, L=1.0)[0]
    assert tables.hermite_lambda(slenderness, 32) == pytest.approx(exact, rel=3e-5)  # order 2 for stubby beams


# --- a beam on a hub -------------------------------------------------------------------------------------------------


def test_fine_mesh_and_series_agree_on_the_hub() -> None:
    beam, times = hub_beam.section(0.9), [0.02, 0.1, 0.3]
    bounds = (0.0, 0.1, 0.2, 0.3)
    tips = []
    for modal in (hub_beam.Series(beam).modal(6), hub_beam.mesh(beam, 12)):
        history = modal.history(hub_beam.rest_to_rest, bounds, stiffened=False, rtol=1e-8, atol=1e-11)
        tips.append(modal.tip_history(history, times))
    np.testing.assert_allclose(*tips, atol=1e-6)


def test_foreshortening_brings_the_series_to_the_exact_beam() -> None:
    beam, times = hub_beam.section(1.0), [0.1, 0.3]
    modal = hub_beam.Series(beam).modal(3)
    exact = hub_beam.exact_tip(beam, hub_beam.spin, times, modes=3)
    gap = {}
    for stiffened in (True, False):
        history = modal.history(hub_beam.spin, (0.0, 0.3), stiffened=stiffened, rtol=1e-8, atol=1e-11)
        gap[stiffened] = np.abs(modal.tip_history(history, times) - exact).max()
    assert gap[True] < 2e-6
    assert gap[False] > 1e-3


# --- two links -------------------------------------------------------------------------------------------------------


def test_straight_arm_is_one_cantilever() -> None:
    ours = two_link.flexible().arm.frequencies((0.0, 0.0), 3)
    np.testing.assert_allclose(ours, beams.timoshenko(3, **DATA, L=2.0) / (2 * np.pi), rtol=1e-5)


def test_power_of_the_forces_is_the_rate_of_energy() -> None:
    arm = Arm((LINK, LINK), 4, 3, gravity=(1.0, -9.81))
    random = np.random.default_rng(0)
    q, v, a = random.normal(size=(3, 2 * arm.per_link)) * 0.3
    h = 1e-6
    rate = (arm.energy(q + v * h + a * h**2 / 2, v + a * h) - arm.energy(q - v * h + a * h**2 / 2, v - a * h)) / (2 * h)
    assert arm.forces(q, v, a) @ v == pytest.approx(rate, rel=1e-8)
    M, bias = arm.terms(q, v)
    np.testing.assert_allclose(M @ a + bias + arm.stiffness @ q, arm.forces(q, v, a), rtol=1e-9, atol=1e-6)


@pytest.fixture(scope="module")
def flexible_error() -> np.ndarray:
    case = two_link.flexible(4, 3)
    return case.error(case.nonlinear(2.0, rtol=1e-5, atol=1e-7), TIMES)


def test_strain_coordinates_and_nodes_in_the_base_frame_agree(flexible_error: np.ndarray) -> None:
    case = two_link.flexible()
    arm = NodalArm(case.arm.links, 70e9 * 350e-6)
    tips = extrapolated(lambda h: arm.run(case.law, case.switches, 2.0, h), TIMES, 2e-3)
    rigid = np.array([case.rigid_tip(t) for t in TIMES])
    # stretch, and the fourth order of the extrapolated steps
    np.testing.assert_allclose(tips - rigid, flexible_error, atol=3e-7)


def test_servo_arm_agrees_with_nodes_in_the_base_frame() -> None:
    case, times = two_link.flexible(4, 3), [0.25, 0.5]
    gains = two_link.servo_gains()
    arm = NodalArm(case.arm.links, 70e9 * 350e-6)
    tips = extrapolated(lambda h: arm.run(case.law, case.switches, 0.5, h, gains=gains), times, 2e-3)
    error = case.servo_error(case.servo(0.5, *gains, rtol=1e-5), times)
    np.testing.assert_allclose(tips - [case.rigid_tip(t) for t in times], error, atol=1e-6)


def test_damped_arm_with_gravity_agrees_with_nodes_in_the_base_frame() -> None:
    case, times = two_link.tube(4, 3), [0.0, 0.25, 0.6]  # past the first switch, at 0.5 s
    arm = NodalArm(case.arm.links, 1e3 * 200e9 * 914.2e-6, gravity=(0.0, -9.81))  # a thousandfold: no stretch
    tips = extrapolated(lambda h: arm.run(case.law, case.switches, 0.6, h, static=True), times, 2e-3)
    error = case.error(case.nonlinear(0.6, rtol=1e-5, atol=1e-8), times)
    np.testing.assert_allclose(tips - [case.rigid_tip(t) for t in times], error, atol=5e-7)


def test_linear_mode_departs_from_the_nonlinear_one_by_the_square_of_the_deflection(flexible_error: np.ndarray) -> None:
    case = two_link.flexible(3, 2)
    error = case.linear_error(case.linear(1.0, rtol=1e-5, atol=1e-7), TIMES[:4])
    gap = np.abs(error - flexible_error[:4]).max()
    assert 1e-6 < gap < 2e-5  # (6 mm)²/2 m = 18 µm


# --- column and slider -----------------------------------------------------------------------------------------------


def test_column_adds_its_head_s_turn_to_the_sag() -> None:
    tube = table_arms.THREE_R
    weight = tube.rhoA * table_arms.GRAVITY
    by_hand = table_arms.cantilever_sag(tube, 2.0) + 2.0 * 0.5 * (weight * 2.0) / tube.EI
    assert -table_arms.column_sag()[1] == pytest.approx(by_hand, rel=1e-4)  # second order of 1.3 mm in 0.5 m


def test_tip_of_the_3r_arm_is_the_closed_form() -> None:
    for degrees in ((30.0, 40.0, -60.0), (-75.0, 20.0, 110.0)):
        a, b, c = np.deg2rad(degrees)
        out, up = np.cos(b) + np.cos(b + c), np.sin(b) + np.sin(b + c)
        np.testing.assert_allclose(table_arms.tip_3r(degrees), [np.cos(a) * out, np.sin(a) * out, 0.5 + up], atol=1e-12)


def test_vanishing_column_leaves_the_cantilever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_arms, "COLUMN", 1e-4)
    alone = table_arms.cantilever_frequency(table_arms.THREE_R, 2.0)
    assert table_arms.column_frequency_sideways() == pytest.approx(alone, rel=1e-3)
    assert table_arms.column_frequency_in_plane() == pytest.approx(alone, rel=1e-3)
