"""Beams of finite elements: no locking, frequencies and deflections that converge with the order of their element."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm.links.base import Direction
from flexarm.links.damping import clamped_frequencies
from flexarm.model import Beam
from tests.oracles import beams

from .meshes import NUMBERS, STUBBY, WORDS, block, family_frequencies, fitted_order, under_tip_load

WORD = pytest.mark.parametrize("word", WORDS)
ELEMENTS = (8, 16, 32, 64)
# Order of frequencies in the length of an element. A cubic deflection gives 4; the constant shear angle that goes with
# it follows a varying shear force with 2, which decides for stubby beams.
SHEARED = {"timoshenko": 2.0, "hermite": 2.0, "isoparametric": 4.0}
RODS = {"timoshenko": 2.0, "hermite": 2.0, "isoparametric": 4.0}
# Over a factor of eight in elements a fit of the asymptotic error is within a few hundredths of the order.
FIT = 0.1


def slender(ratio: float) -> dict:
    """A square steel bar of 1 m, `ratio` times as long as thick."""
    side = 1.0 / ratio
    return {"section": {"shape": "rectangle", "width": side, "height": side}, "material": "steel"}


RATIOS = (2, 5, 10, 30, 100, 300, 1000)


@WORD
@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("elements", [1, 4, 12])
def test_a_tip_force_bends_as_by_the_textbook_from_stubby_to_thin(word, ratio, elements):
    p = Beam(**slender(ratio)).properties()
    bend, shear = 1 / (3 * p.EIz), 1 / p.GAy
    found = under_tip_load(block(word, elements, beam=slender(ratio), planar=True, length=1.0), 1.0, np.eye(6)[1])[1]
    # linear elements are stiffer by (h/2L)² in bending; cubic ones and quadratic ones with two points exact
    part = 1 - 1 / (4 * elements**2) if word == "timoshenko" else 1.0
    # shear is stiffer than bending by the square of the ratio: so many digits are lost
    lost = 1e-13 + 1e-15 * ratio**2
    assert found[1] == pytest.approx(bend * part + shear, rel=lost)
    # and the section at the tip turns by L²/2EI whatever the element
    assert found[5] == pytest.approx(1 / (2 * p.EIz), rel=lost)


@pytest.mark.parametrize("ratio", RATIOS)
def test_full_integration_of_linear_elements_locks(ratio):
    # two points add κGA h²/12 to EI: nothing for a stubby beam, everything for a thin one
    p, n = Beam(**slender(ratio)).properties(), 12
    keys = {"beam": slender(ratio), "planar": True, "length": 1.0, "integration": "full"}
    found = under_tip_load(block("timoshenko", n, **keys), 1.0, np.eye(6)[1])[1]
    locked = p.EIz + p.GAy / (12 * n**2)
    assert found[1] == pytest.approx((1 - 1 / (4 * n**2)) / (3 * locked) + 1 / p.GAy, rel=1e-10)
    if ratio == 1000:
        assert found[1] < 1e-3 / (3 * p.EIz)


@WORD
def test_frequencies_are_as_good_for_thin_beams_as_for_stubby_ones(word):
    errors = []
    for ratio in RATIOS:
        p = Beam(**slender(ratio)).properties()
        exact = beams.timoshenko(2, EI=p.EIz, kGA=p.GAy, rhoA=p.mass_per_length, rhoI=p.jz, L=1.0)
        found = clamped_frequencies(block(word, 16, beam=slender(ratio), planar=True, length=1.0))[:2]
        errors.append(found / exact - 1)
    # 16 elements: a tenth of the square, or a hundredth of the fourth power, of 4.7/16, and no more for the thin ones
    assert np.all(np.abs(errors) < (1e-2 if SHEARED[word] == 2.0 else 2e-5))
    assert np.all(np.abs(errors[-1]) < 1.6 * np.max(np.abs(errors[:3]), axis=0))


def converging(exact: np.ndarray, order: float, tight: float, direction: Direction = "bending_z", **keys) -> None:
    """The lowest frequencies of a direction tend to the exact ones with the order; the finest are `tight`."""
    word = keys.pop("word")
    found = [family_frequencies(block(word, n, **keys), direction)[: len(exact)] for n in ELEMENTS]
    errors = np.array(found) / exact - 1
    np.testing.assert_allclose(fitted_order(ELEMENTS, errors), order, atol=FIT)
    assert np.all(np.abs(errors[-1]) < tight)


@WORD
@pytest.mark.parametrize("frames", ["element", "link"])
def test_a_stubby_beam_tends_to_timoshenkos(word, frames):
    p = Beam(**STUBBY).properties()
    exact = beams.timoshenko(4, EI=p.EIz, kGA=p.GAy, rhoA=p.mass_per_length, rhoI=p.jz, L=1.0)
    keys = {"beam": STUBBY, "planar": True, "length": 1.0, "frames": frames}
    converging(exact, SHEARED[word], 2.1e-3 if SHEARED[word] == 2.0 else 1e-6, word=word, **keys)


@pytest.mark.parametrize("theory", ["euler", "rayleigh"])
def test_a_cubic_element_without_shear_is_of_fourth_order(theory):
    p = Beam(**STUBBY).properties()
    if theory == "euler":
        exact = beams.euler(4, EI=p.EIz, rhoA=p.mass_per_length, L=1.0)
    else:
        exact = beams.rayleigh(4, EI=p.EIz, rhoA=p.mass_per_length, rhoI=p.jz, L=1.0)
    keys = {"beam": STUBBY, "planar": True, "length": 1.0, "theory": theory}
    converging(exact, 4.0, 1e-6, word="hermite", **keys)


def test_a_thin_beam_of_cubic_elements_is_of_fourth_order_where_bending_decides():
    beam = slender(3000)
    p = Beam(**beam).properties()
    exact = beams.timoshenko(3, EI=p.EIz, kGA=p.GAy, rhoA=p.mass_per_length, rhoI=p.jz, L=1.0)
    found = [clamped_frequencies(block("hermite", n, beam=beam, planar=True, length=1.0))[:3] for n in (8, 16, 32)]
    np.testing.assert_allclose(fitted_order((8, 16, 32), np.array(found) / exact - 1), 4.0, atol=FIT)


@WORD
@pytest.mark.parametrize("direction", ["torsion", "axial"])
def test_torsion_and_stretch_tend_to_those_of_the_rod(word, direction):
    p = Beam(**NUMBERS).properties()
    stiffness, inertia = (p.GJ, p.jx) if direction == "torsion" else (p.EA, p.mass_per_length)
    exact = beams.rod(2, stiffness=stiffness, inertia=inertia, L=1.3)
    converging(exact, RODS[word], 1e-3 if RODS[word] == 2.0 else 1e-6, direction, word=word, freedoms="classical")


@WORD
@pytest.mark.parametrize("direction", ["bending_y", "bending_z"])
def test_both_planes_bend_by_their_own_stiffness(word, direction):
    p = Beam(**NUMBERS).properties()
    EI, kGA, rhoI = (p.EIy, p.GAz, p.jy) if direction == "bending_y" else (p.EIz, p.GAy, p.jz)
    exact = beams.timoshenko(3, EI=EI, kGA=kGA, rhoA=p.mass_per_length, rhoI=rhoI, L=1.3)
    tight = 2e-3 if SHEARED[word] == 2.0 else 1e-6
    converging(exact, SHEARED[word], tight, direction, word=word, freedoms=("bending",))


@WORD
@pytest.mark.parametrize("frames", ["element", "link"])
def test_a_taper_tends_to_the_ritz_answer(word, frames):
    beam = {**STUBBY, "end": {"section": {"height": 0.08}}}

    def profile(name: str):
        return lambda x: np.array([getattr(Beam(**beam).properties(s), name) for s in x])

    exact = beams.tapered(
        2, EI=profile("EIz"), rhoA=profile("mass_per_length"), rhoI=profile("jz"), kGA=profile("GAy"), L=1.0, degree=24
    )
    keys = {"beam": beam, "planar": True, "length": 1.0, "frames": frames}
    converging(exact, SHEARED[word], 1e-3 if SHEARED[word] == 2.0 else 1e-6, word=word, **keys)


def test_a_taper_without_shear_keeps_the_fourth_order_of_the_cubic_element():
    beam = {
        "bending_stiffness": 30.0,
        "mass_per_length": 0.5,
        "end": {"bending_stiffness": 6.0, "mass_per_length": 0.2},
    }
    exact = beams.tapered(3, EI=lambda x: 30 - 24 * x, rhoA=lambda x: 0.5 - 0.3 * x, L=1.0)
    converging(exact, 4.0, 1e-6, word="hermite", beam=beam, planar=True, length=1.0)


@WORD
def test_a_graded_mesh_keeps_the_order(word):
    p = Beam(**STUBBY).properties()
    exact = beams.timoshenko(3, EI=p.EIz, kGA=p.GAy, rhoA=p.mass_per_length, rhoI=p.jz, L=1.0)
    keys = {"beam": STUBBY, "planar": True, "length": 1.0, "grading": 4.0}
    converging(exact, SHEARED[word], 4e-3 if SHEARED[word] == 2.0 else 2e-6, word=word, **keys)


@WORD
@pytest.mark.parametrize("elements", [1, 4, 9])
def test_moments_and_shear_under_own_weight_are_exact_at_the_points_of_gauss(word, elements):
    length, weight = 1.3, 2.0
    beam = block(word, elements, planar=True, length=length, frames="link")
    elastic = beam.bodies[0].elastic
    load = weight / 0.5 * np.einsum("g,gn->n", elastic.mass, elastic.phi[:, 1])
    moved = np.linalg.solve(elastic.stiffness, load)
    h = length / elements
    for station in beam.stations:
        found = float(np.dot(station.force, moved[list(station.coordinates)]))
        outboard = length - station.position
        if station.direction == "shear_y":
            assert found == pytest.approx(weight * outboard, abs=1e-9)
            continue
        # linear elements lump the load of half an element at each node; cubic ones leave out its fixed-end moment
        at_node = abs(station.position / h - round(station.position / h)) < 1e-9
        left_out = {"timoshenko": 1 / 8, "hermite": -1 / 12 if at_node else 0.0, "isoparametric": 0.0}[word]
        assert found == pytest.approx(weight * (outboard**2 / 2 + left_out * h**2), abs=1e-9)
