"""The closed forms of beams and oscillators, each checked against a second, unrelated form."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from . import beams, elastica
from .oscillator import Oscillator

# --- Beams -----------------------------------------------------------------------------------------------------------


def test_cantilever_roots_are_the_known_ones() -> None:
    known = [1.87510407, 4.69409113, 7.85475744, 10.99554073, 14.13716839]  # Blevins, table 8-1
    np.testing.assert_allclose(beams.euler_roots(5), known, atol=5e-9)


@pytest.mark.parametrize(("mass", "inertia"), [(0.0, 0.0), (0.5, 0.0), (0.0, 0.3), (2.0, 0.1), (100.0, 10.0)])
def test_loaded_cantilever_equals_ritz(mass: float, inertia: float) -> None:
    beam = {"EI": 2.0, "rhoA": 3.0, "L": 1.5, "tip_mass": 4.5 * mass, "tip_inertia": 3.0 * 1.5**3 * inertia}
    np.testing.assert_allclose(beams.euler(6, **beam), beams.tapered(6, **beam), rtol=1e-11)


def test_heavy_tip_mass_leaves_the_massless_spring() -> None:
    first = beams.euler(1, EI=2.0, rhoA=1e-7, L=1.5, tip_mass=4.0)[0]
    assert first == pytest.approx(np.sqrt(3 * 2.0 / 1.5**3 / 4.0), rel=1e-7)


def square(slenderness: float) -> dict[str, float]:
    h = 1 / slenderness
    return {"EI": h**4 / 12, "kGA": 5 / 6 * h**2 / 2.6, "rhoA": h**2, "rhoI": h**4 / 12, "L": 1.0}


@pytest.mark.parametrize("slenderness", [0.5, 1.0, 2.0, 5.0, 20.0, 1000.0])  # the stubby ones pass the cut-off
def test_timoshenko_and_rayleigh_equal_ritz(slenderness: float) -> None:
    beam = square(slenderness)
    np.testing.assert_allclose(beams.timoshenko(8, **beam), beams.tapered(8, **beam), rtol=1e-11)
    del beam["kGA"]
    np.testing.assert_allclose(beams.rayleigh(8, **beam), beams.tapered(8, **beam), rtol=1e-11)


def test_timoshenko_tends_to_euler_with_the_square_of_thickness() -> None:
    def defect(slenderness: float) -> float:
        beam = square(slenderness)
        return 1 - beams.timoshenko(1, **beam)[0] / beams.euler(1, EI=beam["EI"], rhoA=beam["rhoA"], L=1.0)[0]

    assert defect(200) < 1e-4
    assert defect(100) / defect(200) == pytest.approx(4.0, rel=1e-2)


def test_wedge_and_cone_are_the_known_ones_and_equal_ritz() -> None:
    unit = {"EI": 1.0, "rhoA": 1.0, "L": 1.0}
    np.testing.assert_allclose(beams.wedge(3, **unit), [5.315, 15.207, 30.020], atol=5e-4)  # Kirchhoff; Conway & Dubil
    np.testing.assert_allclose(beams.cone(3, **unit), [8.719, 21.146, 38.454], atol=5e-4)
    for exact, power in ((beams.wedge(4, **unit), 1), (beams.cone(4, **unit), 2)):
        ritz = beams.tapered(
            4, EI=lambda x, p=power: (1 - x) ** (p + 2), rhoA=lambda x, p=power: (1 - x) ** p, L=1.0, degree=30
        )
        np.testing.assert_allclose(ritz, exact, rtol=1e-10)


def test_rods_equal_closed_form_and_lumped_limit() -> None:
    np.testing.assert_allclose(
        beams.rod(3, stiffness=2.0, inertia=3.0, L=1.5), np.array([0.5, 1.5, 2.5]) * np.pi * np.sqrt(2 / 3) / 1.5
    )
    heavy = beams.rod(1, stiffness=2.0, inertia=1e-7, L=1.5, tip=4.0)[0]
    assert heavy == pytest.approx(np.sqrt(2.0 / 1.5 / 4.0), rel=1e-7)


# --- Elastica --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("force", [(0, 1), (0, 10), (0, 100), (-2, 0.5), (3, -1), (0, 1e-3), (1, 1e-8), (-50, 30)])
def test_elliptic_integrals_equal_collocation(force: tuple[float, float]) -> None:
    exact = elastica.tip_force(force, EI=1.0, L=1.0)
    # collocation is asked for 1e-10 residual and has been seen to give 1e-13
    np.testing.assert_allclose(exact, elastica.loaded(EI=1.0, L=1.0, force=force), atol=1e-11)


def test_tip_load_gives_the_table_of_bisshopp_and_drucker() -> None:
    # PL²/EI = 1 and 10, deflection and shortening by L (Bisshopp & Drucker 1945; Mattiasson 1981)
    for load, down, back in ((1.0, 0.30172, 0.05643), (10.0, 0.81061, 0.55500)):
        tip = elastica.tip_force((0.0, -load * 2.0 / 1.5**2), EI=2.0, L=1.5)
        assert (-tip.y / 1.5, 1 - tip.x / 1.5) == (pytest.approx(down, abs=5e-6), pytest.approx(back, abs=5e-6))


def test_small_loads_give_the_linear_deflections() -> None:
    e = 1e-6
    tip = elastica.tip_force((0.0, e), EI=2.0, L=1.5)
    assert (tip.y, tip.rotation) == (pytest.approx(e * 1.5**3 / 6), pytest.approx(e * 1.5**2 / 4))
    assert elastica.own_weight(e, EI=2.0, L=1.5).y == pytest.approx(-e * 1.5**4 / 16)
    assert elastica.end_moment(e, EI=2.0, L=1.5).y == pytest.approx(e * 1.5**2 / 4)


@pytest.mark.parametrize("weight", [1.0, 10.0])
def test_own_weight_equals_shooting(weight: float) -> None:
    beam = {"EI": 1.0, "L": 1.0, "weight": (0.0, -weight)}
    clamp = brentq(lambda k: elastica.shot(k, **beam)[1], -weight / 2 - 1e-9, -0.3 * weight, xtol=1e-14)
    np.testing.assert_allclose(elastica.own_weight(weight, EI=1.0, L=1.0), elastica.shot(clamp, **beam)[0], atol=1e-11)


def test_end_moment_closes_the_circle_and_equals_collocation() -> None:
    np.testing.assert_allclose(elastica.end_moment(2 * np.pi, EI=1.0, L=1.0), [0, 0, 2 * np.pi], atol=1e-15)
    np.testing.assert_allclose(
        elastica.end_moment(3.0, EI=2.0, L=1.5), elastica.loaded(EI=2.0, L=1.5, moment=3.0), atol=1e-11
    )


# --- Oscillator ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("zeta", [0.0, 0.05, 1.0, 3.0])
@pytest.mark.parametrize("kind", ["free", "constant", "ramp", "sine"])
def test_oscillator_closed_forms_equal_integration(zeta: float, kind: str) -> None:
    o, start, t = Oscillator(7.0, zeta), (0.3, -1.1), np.linspace(0, 2, 9)
    base = {
        "free": lambda t: 0.0,
        "constant": lambda t: 2.5,
        "ramp": lambda t: 2.5 * t,
        "sine": lambda t: 2.5 * np.sin(4.0 * t + 0.6),
    }[kind]
    closed = {
        "free": lambda: o.free(t, *start),
        "constant": lambda: o.constant(t, 2.5, x0=start[0], v0=start[1]),
        "ramp": lambda: o.ramp(t, 2.5, x0=start[0], v0=start[1]),
        "sine": lambda: o.sine(t, 2.5, 4.0, phase=0.6, x0=start[0], v0=start[1]),
    }[kind]()

    def rhs(t: float, y: np.ndarray) -> list[float]:
        return [y[1], -2 * zeta * 7.0 * y[1] - 49.0 * y[0] - base(t)]

    y = solve_ivp(rhs, (0, 2), start, t_eval=t, method="DOP853", rtol=1e-12, atol=1e-13, max_step=0.02).y
    np.testing.assert_allclose(closed, y, atol=1e-9)


def test_oscillator_resonance_is_the_limit_of_the_sine() -> None:
    t = np.linspace(0, 2, 9)
    near = Oscillator(7.0).sine(t, 2.5, 7.0 * (1 + 1e-6))
    np.testing.assert_allclose(Oscillator(7.0).resonant(t, 2.5), near, atol=1e-4)


def test_a_pulse_of_whole_periods_leaves_nothing() -> None:
    o = Oscillator(7.0)
    period = 2 * np.pi / 7.0
    assert o.pulse_residual(3.0, 4 * period) == pytest.approx(0, abs=1e-15)
    for duration in (0.3, 1.1):
        x, v = o.after_pulse(0.0, 3.0, duration)
        assert o.pulse_residual(3.0, duration) == pytest.approx(np.hypot(x, v / 7.0), rel=1e-12)
