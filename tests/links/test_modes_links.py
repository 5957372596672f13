"""Assumed modes are the exact clamped-free modes of the beam, with the shortening of second order they bring along."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.assembly import refined
from flexarm.errors import FlexarmError
from flexarm.links.small_motion import small_motion
from flexarm.model import Formulation, format_arm, parse_arm, part_to_dict
from tests.analyses.flexible_arms import two_links
from tests.oracles import beams

from .cantilever import LIMP, STUBBY, angular, cantilever
from .meshes import block, family_frequencies, fitted_order
from .rotating import flapping, lagging
from .test_rotating_beams import squares, turning

UNIT = {"bending_stiffness": 1.0, "mass_per_length": 1.0}
# Twelve digits of the lowest modes are there whatever their number; a few are left to other machines.
EXACT = 1e-11


def closed_form(count: int, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Modes φ (count, p) of Euler-Bernoulli's cantilever of 1 m and 1 kg/m at x (p,), ∫φ² = 1, and their slopes."""
    beta = beams.euler_roots(count)[:, None]
    # 2 cosh − 2 cos − σ(…) without the difference of large numbers: e^{βx} has the factor 1 − σ
    sigma = (np.cosh(beta) + np.cos(beta)) / (np.sinh(beta) + np.sin(beta))
    fading = (1 + sigma) * np.exp(-beta * x)
    rising = (np.sin(beta) - np.cos(beta) - np.exp(-beta)) / (np.sinh(beta) + np.sin(beta)) * np.exp(beta * x)
    value = 0.5 * (rising + fading) - np.cos(beta * x) + sigma * np.sin(beta * x)
    slope = beta * (0.5 * (rising - fading) + np.sin(beta * x) + sigma * np.cos(beta * x))
    return value, slope


# --- Modes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 4, 20])
def test_frequencies_of_uniform_beams_are_euler_bernoulli_s(count):
    found = family_frequencies(block("modes", beam=UNIT, planar=True, length=1.3, modes=count), "bending_z")
    np.testing.assert_allclose(found, beams.euler(count, EI=1.0, rhoA=1.0, L=1.3), rtol=EXACT)


@pytest.mark.parametrize("thickness", [0.3, 0.1, 1e-3])
@pytest.mark.parametrize("theory", ["timoshenko", "rayleigh"])
def test_frequencies_of_thick_and_thin_beams_are_timoshenko_s_and_rayleigh_s(thickness, theory):
    area, second = thickness**2, thickness**4 / 12
    shear = 5 / 6 * area / 2.6
    beam = {
        "bending_stiffness": second,
        "mass_per_length": area,
        "shear_stiffness": shear,
        "rotary_inertia": second,
    }
    found = family_frequencies(block("modes", beam=beam, planar=True, length=1.0, modes=6, theory=theory), "bending_z")
    kGA = shear if theory == "timoshenko" else np.inf
    exact = beams.timoshenko(6, EI=second, kGA=kGA, rhoA=area, rhoI=second, L=1.0)
    np.testing.assert_allclose(found, exact, rtol=EXACT)


def test_every_direction_in_space_has_its_own_modes():
    made = block("modes", beam=STUBBY, length=1.0, modes=3, freedoms="classical")
    p = fa.Beam(**STUBBY).properties()
    bar = {"rhoA": p.mass_per_length, "L": 1.0}
    exact = {
        "axial": beams.rod(3, stiffness=p.EA, inertia=p.mass_per_length, L=1.0),
        "bending_z": beams.timoshenko(3, EI=p.EIz, kGA=p.GAy, rhoI=p.jz, **bar),
        "bending_y": beams.timoshenko(3, EI=p.EIy, kGA=p.GAz, rhoI=p.jy, **bar),
        "torsion": beams.rod(3, stiffness=p.GJ, inertia=p.jx, L=1.0),
    }
    assert made.names == tuple(f"{direction}{k}" for direction in exact for k in (1, 2, 3))
    assert made.units == ("m",) * 9 + ("rad",) * 3
    for direction, frequencies in exact.items():
        np.testing.assert_allclose(family_frequencies(made, direction), frequencies, rtol=EXACT)


@pytest.mark.parametrize("end", [0.5, 0.05])
def test_frequencies_of_tapers_are_ritz_s(end):
    beam = {**UNIT, "end": {"bending_stiffness": end, "mass_per_length": end}}

    def profile(x: np.ndarray) -> np.ndarray:
        return 1 - (1 - end) * x

    exact = beams.tapered(4, EI=profile, rhoA=profile, L=1.0, degree=80)
    found = family_frequencies(block("modes", beam=beam, planar=True, length=1.0), "bending_z")
    np.testing.assert_allclose(found, exact, rtol=1e-9)


def test_modes_are_square_to_one_another_and_one_where_they_move_most():
    made = block("modes", modes=5)
    mass, stiffness = small_motion(made.bodies)
    size = 1 / np.sqrt(np.diag(mass))
    np.testing.assert_allclose(mass * np.outer(size, size), np.eye(len(mass)), atol=1e-10)
    assert np.all(stiffness == np.diag(np.diag(stiffness)))
    frames = [made.place(float(s)).attachment for s in np.linspace(0.0, 1.3, 801)[1:]]
    moved = np.array([[*each.phi[1, :5], *each.phi[2, 5:10], *each.psi[0, 10:]] for each in frames])
    # a high mode of a stubby beam moves most between the ends, where it is looked for every 200th of the length
    np.testing.assert_allclose(np.max(np.abs(moved), axis=0), 1.0, rtol=1e-3)
    np.testing.assert_allclose(moved[-1, [0, 1, 2, 5, 6, 7, 10, 11, 12, 13, 14]], 1.0, rtol=1e-10)


# --- The second order ------------------------------------------------------------------------------------------------


def test_integrals_of_second_order_are_those_of_the_closed_form():
    count = 4
    elastic = block("modes", beam=UNIT, planar=True, length=1.0, modes=count).bodies[0].elastic
    x, weights = np.polynomial.legendre.leggauss(80)
    x, weights = 0.5 * (x + 1), 0.5 * weights
    phi, slope = closed_form(count, x)
    np.testing.assert_allclose((phi * weights) @ phi.T, np.eye(count), atol=1e-12)
    # modes of unit mass: |φ(1)| = 2
    unit = closed_form(count, np.array([1.0]))[0][:, 0]
    np.testing.assert_allclose(np.abs(unit), 2.0, rtol=1e-10)
    scale = np.outer(unit, unit)
    own = elastic.phi[:, 1]
    np.testing.assert_allclose((own * elastic.mass[:, None]).T @ own * scale, np.eye(count), atol=1e-11)
    np.testing.assert_allclose((elastic.mass * elastic.x) @ own * unit, (phi * weights) @ x, atol=1e-12)
    # D = ρA∫xH and H0 = ρA∫H, the order of integration exchanged
    D = (slope * weights * 0.5 * (1 - x**2)) @ slope.T
    H0 = (slope * weights * (1 - x)) @ slope.T
    found = np.einsum("g,gij->ij", elastic.mass * elastic.x, elastic.shortening) * scale
    np.testing.assert_allclose(found, D, rtol=1e-9, atol=1e-9)
    # the first of it as printed in handbooks on rotating beams: ω² = ω0² + Ω²(D − 1) has D = 1.193
    assert D[0, 0] == pytest.approx(1.193, abs=1e-3)
    np.testing.assert_allclose(np.einsum("g,gij->ij", elastic.mass, elastic.shortening) * scale, H0, atol=1e-9)


def test_the_tip_s_frame_draws_in_with_the_slope_of_the_axis_but_not_with_shear():
    # a stubby beam: the axis is steeper than the sections turn, by the shear, which moves sections across themselves
    made = block("modes", beam=STUBBY, length=1.0, modes=2, freedoms=["bending"])
    fine = np.linspace(0.0, 1.0, 401)
    tip = made.place(1.0).attachment
    v = np.array([made.place(float(s)).attachment.phi[1, 0] if s > 0 else 0.0 for s in fine])
    turned = np.array([made.place(float(s)).attachment.psi[2, 0] if s > 0 else 0.0 for s in fine])
    slope = np.gradient(v, fine, edge_order=2)
    square = slope**2 - (slope - turned) ** 2
    drawn = np.sum(0.5 * (square[1:] + square[:-1])) * (fine[1] - fine[0])
    assert drawn < 0.999 * np.sum(slope**2) * (fine[1] - fine[0])
    assert tip.shortening[0, 0] == pytest.approx(drawn, rel=1e-4)
    assert np.all(block("modes", stiffening=False).place(1.3).attachment.shortening == 0.0)


@pytest.mark.parametrize(("eta", "delta"), [(3.0, 0.0), (6.0, 1.0)])
def test_rotation_stiffens_both_planes_as_by_the_tables(eta, delta):
    way = {"formulation": "modes", "modes": 10}
    across = np.sqrt(squares(turning(way, 1, eta, delta, planar=False), "bending_y")[:2])
    within = np.sqrt(squares(turning(way, 1, eta, delta), "bending_z")[:2])
    # ten modes at rest follow the shapes of a beam that is pulled, with the third power of their number
    np.testing.assert_allclose(across, flapping(eta, delta, 2), rtol=2e-4)
    np.testing.assert_allclose(within, lagging(eta, delta, 2), rtol=2e-4)


def spun(stiffening: bool, end: float) -> fa.Trajectory:
    """A beam brought within a second to one and a half times its first frequency."""
    arm = cantilever(LIMP, formulation="modes", model={"stiffening": stiffening})
    link = arm.links[0].changed(joint={"type": "revolute", "motion": "up"})
    up = {"kind": "spin-up", "rate": 40.0, "duration": 1.0}
    return fa.simulate(arm.changed(links=(link,), motions={"up": up}), end=end, tolerance=1e-5, output=0.01)


def test_above_the_first_frequency_only_the_stiffened_beam_holds():
    held = spun(True, 1.5)
    assert held.complete
    across = np.abs(held.values("point_deflection")[:, 0, 1])
    # it lags while it is brought up, and straightens
    assert 0.02 < across.max() < 0.2
    assert across[held.time > 1.2].max() < 0.2 * across.max()
    # without the shortening it leaves by more than its length
    lost = spun(False, 1.2)
    assert np.abs(lost.values("point_deflection")[:, 0, 1]).max() > 1.0


# --- Static and moving -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 3, 12])
def test_a_tip_force_sags_so_much_as_the_modes_allow(count):
    load = {"link": "beam", "force": (0.0, 1e-6, 0.0)}
    found = fa.statics(cantilever(LIMP, formulation="modes", model={"modes": count}, loads=[load])).tip_sag["tip"][1]
    # modes of a quarter of the mass: 4/β⁴ each of L³/EI, in the sum a third
    share = np.sum(4 / beams.euler_roots(count) ** 4)
    assert found == pytest.approx(1e-6 / 30.0 * share, rel=1e-9)
    assert share == pytest.approx(1 / 3, rel={1: 0.03, 3: 1.5e-3, 12: 3e-5}[count])


def test_a_beam_whose_tip_is_free_moves_as_that_of_finite_elements():
    def path(formulation: str, **model) -> np.ndarray:
        arm = cantilever(LIMP, 16, formulation=formulation, model={"theory": "euler", **model})
        link = arm.links[0].changed(joint={"type": "revolute", "motion": "go"})
        go = {"kind": "cycloidal", "travel": 1.0, "duration": 0.5}
        run = fa.simulate(arm.changed(links=(link,), motions={"go": go}), end=0.8, tolerance=1e-8, output=0.01)
        return run.values("point_deflection")[:, 0, :2]

    expected = path("hermite", frames="link")
    assert np.max(np.abs(path("modes", modes=6) - expected)) < 2e-4 * np.max(np.abs(expected))


def test_what_the_tip_carries_is_approached_with_the_first_order():
    # free ends have no moment: that of a second link is put together of ever more modes of a beam that carries nothing
    counts, bare = (4, 8, 16), {"formulation": "modes", "shapes": "clamped"}
    exact = fa.modes(two_links({"formulation": "hermite"}, 16)).frequencies_hz[:2]
    found = [fa.modes(two_links({**bare, "modes": n}, 1)).frequencies_hz[:2] for n in counts]
    errors = np.array(found) / exact - 1
    assert np.all(errors > 0) and errors[0, 0] < 0.015
    np.testing.assert_allclose(fitted_order(counts, errors), 1.0, atol=0.15)


def test_strains_and_moments_are_read_from_the_clamp_to_the_tip():
    made = block("modes", beam=UNIT, planar=True, length=1.0, modes=2)
    readings = [station for station in made.stations if station.direction == "bending_z"]
    assert [station.position for station in readings] == pytest.approx(np.linspace(0, 1, 7))
    # φ'' of a mode of unit mass is 2β² at the clamp and none at the free end
    beta = beams.euler_roots(2)
    np.testing.assert_allclose(np.abs(readings[0].force), beta**2, rtol=1e-10)
    np.testing.assert_allclose(readings[-1].force, 0.0, atol=1e-9)


# --- The model -------------------------------------------------------------------------------------------------------


def test_four_modes_in_the_link_s_frame_unless_said_otherwise():
    plain = Formulation(formulation="modes")
    assert (plain.modes, plain.frames) == (4, "link")
    assert len(block("modes", planar=True).names) == 4
    assert Formulation(formulation="modes", frames="link", modes=7).modes == 7
    # another formulation does not inherit what was not said
    other = plain.changed(formulation="hermite")
    assert (other.modes, other.frames) == (0, "element")


def test_a_model_of_modes_is_written_and_read_back():
    arm = cantilever(LIMP, formulation="modes")
    assert parse_arm(format_arm(arm)) == arm
    assert part_to_dict(arm.links[0].formulation)["modes"] == 4


def test_elements_play_no_part_and_refinement_takes_more_modes():
    arm = cantilever(LIMP, 3, formulation="modes")
    np.testing.assert_array_equal(angular(arm, 4), angular(cantilever(LIMP, 30, formulation="modes"), 4))
    finer = refined(arm, 2).links[0].formulation
    assert (finer.modes, finer.elements) == (8, 3)


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        ({"modes": 0}, 'modes is 0 with formulation "modes", must be ≥ 1'),
        ({"frames": "element"}, 'frames is "element" with formulation "modes", must be "link"'),
        ({"reduction": "clamped"}, 'reduction is given with formulation "modes"'),
        ({"grading": 2.0}, 'grading is given with formulation "modes"'),
        ({"integration": "full"}, 'integration is given with formulation "modes"'),
    ],
)
def test_keys_that_mean_nothing_with_modes_are_refused(model, sentence):
    with pytest.raises(FlexarmError, match=sentence):
        cantilever(LIMP, formulation="modes", model=model)


@pytest.mark.parametrize(
    ("beam", "keys", "word"),
    [
        (LIMP, {"model": {"modes": 101}}, "model.modes is 101, must be from 1 to 100"),
        (LIMP, {"model": {"theory": "timoshenko"}}, "shear_stiffness is missing"),
        (LIMP, {"freedoms": ("bending", "torsion"), "planar": False}, "torsional_stiffness is missing"),
        ({**LIMP, "axial_stiffness": 1.0}, {"freedoms": ("axial",)}, "a beam that cannot bend is rigid"),
        (LIMP, {"damping": {"per_spring": 1.0}}, "per_spring"),
    ],
)
def test_what_cannot_be_modelled_is_refused_in_a_sentence(beam, keys, word):
    with pytest.raises(FlexarmError, match=word):
        fa.modes(cantilever(beam, formulation="modes", **keys))
