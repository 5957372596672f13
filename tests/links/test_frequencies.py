"""Frequencies of clamped beams converge to the exact ones with the order of the formulation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import flexarm as fa
from tests.oracles import beams

from .cantilever import (
    ELEMENTS,
    FORMULATION,
    FREQUENCY_ORDER,
    LIMP,
    STUBBY,
    WAY,
    angular,
    cantilever,
    exact_thin,
    orders,
    thin,
)

# Over a factor of four and more in elements a fit of the asymptotic error is within a few hundredths of the order; the
# highest of the modes looked at still bends within some elements at the coarse end.
FIT = 0.2
# Simpson's lumps err with both signs: the fourth power decides alone only when dozens of them stand on a wave.
ORDER_AND_MESH = {name: (order, ELEMENTS[order]) for name, order in FREQUENCY_ORDER.items()}
ORDER_AND_MESH["hencky"] = (4.0, (32, 64, 128))


def converging(make, exact: np.ndarray, order: float, elements: Sequence[int] | None = None) -> None:
    """The lowest frequencies of make(elements) tend to the exact ones; the finest are close already."""
    elements = elements or ELEMENTS[order]
    found = [angular(make(n), len(exact)) for n in elements]
    np.testing.assert_allclose(orders(found, exact, elements), order, atol=FIT)
    # linear fields have the fourth frequency high by an eighth of the square of 11/64
    np.testing.assert_allclose(found[-1], exact, rtol=4e-3 if order == 2.0 else 1e-4)


@WAY
def test_bending_tends_to_euler_bernoulli_or_the_like_of_a_thin_timoshenko_beam(way):
    word = way["formulation"]
    exact, euler = exact_thin(word, 4, L=1.3), beams.euler(4, EI=30.0, rhoA=0.5, L=1.3)
    # EI/κGAL² = 6e-6, and as much rotary inertia
    np.testing.assert_allclose(exact, euler, rtol=5e-3)
    beam = thin(word)
    converging(lambda n: cantilever(beam, n, model=way, length=1.3), exact, *ORDER_AND_MESH[word])


@WAY
def test_a_mass_and_inertia_at_the_tip_are_carried(way):
    word = way["formulation"]
    exact = exact_thin(word, 3, tip_mass=0.3, tip_inertia=0.004)
    euler = beams.euler(3, EI=30.0, rhoA=0.5, L=1.0, tip_mass=0.3, tip_inertia=0.004)
    np.testing.assert_allclose(exact, euler, rtol=5e-3)
    payload, beam = {"mass": 0.3, "inertia": 0.004}, thin(word)
    converging(lambda n: cantilever(beam, n, model=way, payload=payload), exact, *ORDER_AND_MESH[word])


@FORMULATION
def test_both_planes_bend_by_their_own_stiffness(formulation):
    beam = thin(formulation, {"bending_stiffness": (30.0, 70.0), "mass_per_length": 0.5, "polar_inertia": 1e-4})
    exact = np.sort(np.concatenate([exact_thin(formulation, 2, EI=EI) for EI in (30.0, 70.0)]))

    def make(n: int) -> fa.Arm:
        return cantilever(beam, n, planar=False, formulation=formulation)

    # two modes of each plane: a coarser chain will do
    elements = (16, 32, 64) if formulation == "hencky" else None
    converging(make, exact, FREQUENCY_ORDER[formulation], elements)


def test_rotary_inertia_alone_gives_rayleigh():
    p = fa.Beam(**STUBBY).properties()
    exact = beams.rayleigh(3, EI=p.EIz, rhoA=p.mass_per_length, rhoI=p.jz, L=1.0)
    converging(lambda n: cantilever(STUBBY, n), exact, 2.0)


def test_with_shear_free_a_stubby_beam_is_timoshenkos():
    p = fa.Beam(**STUBBY).properties()
    exact = beams.timoshenko(4, EI=p.EIz, kGA=p.GAy, rhoA=p.mass_per_length, rhoI=p.jz, L=1.0)
    # five times as long as high: shear and rotary inertia take 3 % of the first and 40 % of the fourth frequency
    bernoulli = beams.euler(4, EI=p.EIz, rhoA=p.mass_per_length, L=1.0)
    assert exact[0] < 0.98 * bernoulli[0] and exact[3] < 0.62 * bernoulli[3]
    converging(lambda n: cantilever(STUBBY, n, freedoms=("bending", "shear")), exact, 2.0)


def test_the_classical_method_has_bending_torsion_and_stretch_of_the_beam_in_space():
    p = fa.Beam(**STUBBY).properties()
    bar = {"rhoA": p.mass_per_length, "L": 1.0}
    exact = {
        "beam bending y 1": beams.timoshenko(1, EI=p.EIy, kGA=p.GAz, rhoI=p.jy, **bar)[0],
        "beam bending z 1": beams.timoshenko(1, EI=p.EIz, kGA=p.GAy, rhoI=p.jz, **bar)[0],
        "beam bending y 2": beams.timoshenko(2, EI=p.EIy, kGA=p.GAz, rhoI=p.jy, **bar)[1],
        "beam torsion 1": beams.rod(1, stiffness=p.GJ, inertia=p.jx, L=1.0)[0],
        "beam torsion 2": beams.rod(2, stiffness=p.GJ, inertia=p.jx, L=1.0)[1],
        "beam axial 1": beams.rod(1, stiffness=p.EA, inertia=p.mass_per_length, L=1.0)[0],
    }
    found = []
    for n in ELEMENTS[2.0]:
        modes = fa.modes(cantilever(STUBBY, n, planar=False, freedoms="classical"), count=10)
        by_name = dict(zip(modes.names, 2 * np.pi * modes.frequencies_hz, strict=True))
        found.append([by_name[name] for name in exact])
    values = np.array(list(exact.values()))
    np.testing.assert_allclose(orders(found, values, ELEMENTS[2.0]), 2.0, atol=FIT)
    np.testing.assert_allclose(found[-1], values, rtol=1e-3)


def test_the_classical_method_tends_to_bending_alone_where_all_else_is_stiff():
    stiff = {"shear_stiffness": 1e9, "axial_stiffness": 1e9, "torsional_stiffness": 1e9, "polar_inertia": 1e-3}
    for planar in (True, False):
        bending, classical = (
            angular(cantilever({**LIMP, **stiff}, 6, planar=planar, freedoms=words), 4)
            for words in (("bending",), "classical")
        )
        # 30 N m² against 1e9 N over the square of an element: 1e-6, with the square of the mode number
        np.testing.assert_allclose(classical, bending, rtol=2e-5)


def test_planar_and_spatial_beams_have_the_same_frequencies_in_the_plane():
    flat = angular(cantilever(STUBBY, 9, freedoms="classical"), 8)
    full = angular(cantilever(STUBBY, 9, planar=False, freedoms="classical"), 30)
    for frequency in flat:
        assert np.min(np.abs(full / frequency - 1)) < 1e-10


@pytest.mark.parametrize("direction", ["y", "z", "-x", "-z", (0.6, 0.0, -0.8), (-0.36, 0.48, 0.8)])
def test_a_beam_along_any_direction_has_the_same_frequencies(direction):
    keys = {"planar": False, "freedoms": "classical", "payload": {"mass": 40.0, "inertia": (1.0, 1.0, 1.0)}}
    along_x = angular(cantilever(STUBBY, 5, **keys), 8)
    turned = angular(cantilever(STUBBY, 5, direction=direction, hub={"radius": 0.2}, **keys), 8)
    np.testing.assert_allclose(turned, along_x, rtol=1e-9)


@WAY
def test_a_taper_in_stiffness_and_mass_tends_to_the_ritz_answer(way):
    word = way["formulation"]
    beam = thin(word, {**LIMP, "end": {"bending_stiffness": 6.0, "mass_per_length": 0.2}})
    exact = exact_thin(word, 3, EI=lambda x: 30 - 24 * x, rhoA=lambda x: 0.5 - 0.3 * x)
    converging(lambda n: cantilever(beam, n, model=way), exact, *ORDER_AND_MESH[word])


def test_a_tapered_section_with_shear_tends_to_the_ritz_answer():
    beam = {**STUBBY, "end": {"section": {"height": 0.08}}}
    values = [fa.Beam(**beam).properties(x) for x in np.linspace(0, 1, 3)]
    assert values[2].EIz == pytest.approx(values[0].EIz * 0.4**3)

    def profile(name: str):
        return lambda x: np.array([getattr(fa.Beam(**beam).properties(s), name) for s in x])

    exact = beams.tapered(
        2, EI=profile("EIz"), rhoA=profile("mass_per_length"), rhoI=profile("jz"), kGA=profile("GAy"), L=1.0, degree=24
    )
    converging(lambda n: cantilever(beam, n, freedoms=("bending", "shear")), exact, 2.0)


@WAY
def test_a_hub_carries_the_beam_outward_and_adds_its_inertia(way):
    # a free hub: the beam pinned with hub inertia; in the limit of a heavy hub it is clamped
    beam = thin(way["formulation"])

    def free(inertia: float) -> np.ndarray:
        arm = cantilever(beam, 12, model=way, hub={"radius": 0.1, "mass": 1.0, "inertia": inertia})
        turning = arm.links[0].changed(joint={"type": "revolute", "free": True})
        return 2 * np.pi * fa.modes(arm.changed(links=(turning,)), joints="free", count=3).frequencies_hz

    clamped = angular(cantilever(beam, 12, model=way), 2)
    heavy = free(1e6)
    assert heavy[0] == pytest.approx(0.0, abs=1e-2)
    np.testing.assert_allclose(heavy[1:], clamped, rtol=1e-5)
    assert free(0.01)[1] > 1.5 * clamped[0]
