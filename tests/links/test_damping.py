"""Damping of beams: retardation time, ratio of a mode, and per spring mean what they say."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.assembly import compile_arm, refined

from .cantilever import LIMP, STUBBY, WAY, angular, cantilever, thin


@WAY
@pytest.mark.parametrize("planar", [True, False])
def test_a_retardation_time_damps_every_mode_by_half_its_frequency_times_the_time(way, planar):
    beam = thin(way["formulation"], {**LIMP, "polar_inertia": 1e-4, "bending_stiffness": (30.0, 45.0)})
    arm = cantilever(beam, 8, model=way, planar=planar, damping={"retardation": 2e-5})
    found = fa.modes(arm, count=6)
    # proportional damping: ζ_i = η ω_i / 2 without coupling, to rounding
    np.testing.assert_allclose(found.damping_ratios, 2e-5 * np.pi * found.frequencies_hz, rtol=1e-6)


def test_all_freedoms_of_a_material_with_retardation_are_damped():
    material = {"youngs_modulus": 2e11, "density": 7800.0, "poisson": 0.3, "retardation": 3e-6}
    arm = cantilever({**STUBBY, "material": material}, 6, planar=False, freedoms="classical")
    found = fa.modes(arm, count=12)
    np.testing.assert_allclose(found.damping_ratios, 3e-6 * np.pi * found.frequencies_hz, rtol=1e-6)


@WAY
@pytest.mark.parametrize("mode", [1, 3])
def test_the_ratio_given_for_a_mode_is_the_ratio_of_that_mode(way, mode):
    arm = cantilever(thin(way["formulation"]), 8, model=way, damping={"ratio": 0.02, "mode": mode})
    found = fa.modes(arm, count=4)
    assert found.damping_ratios[mode - 1] == pytest.approx(0.02, rel=1e-6)
    np.testing.assert_allclose(
        found.damping_ratios, 0.02 * found.frequencies_hz / found.frequencies_hz[mode - 1], rtol=1e-6
    )


def test_damping_per_spring_is_the_retardation_time_of_that_spring():
    # c = η k: 63 µs on 1.5865e4 N m/rad is the 1 N m s/rad of the rod handler
    eta, n = 6.3e-5, 10
    by_time = compile_arm(cantilever(LIMP, n, damping={"retardation": eta})).tree.spring
    by_spring = compile_arm(cantilever(LIMP, n, damping={"per_spring": eta * 30.0 * n})).tree.spring
    np.testing.assert_allclose(by_spring, by_time, rtol=1e-14)


def test_refining_keeps_the_damping_of_the_material():
    arm = cantilever(LIMP, 16, damping={"per_spring": 0.05})
    coarse, fine = (fa.modes(each, count=2).damping_ratios for each in (arm, refined(arm, 4)))
    np.testing.assert_allclose(fine, coarse, rtol=2e-2)


def test_no_damping_is_no_damping():
    np.testing.assert_array_equal(fa.modes(cantilever(LIMP, 8), count=4).damping_ratios, 0.0)


@WAY
def test_a_ring_down_decays_by_the_ratio_of_the_mode(way):
    arm = cantilever(thin(way["formulation"]), 4, model=way, damping={"ratio": 0.03})
    omega = angular(arm, 1)[0]
    shape = fa.modes(arm, count=1).shapes[0]
    names = compile_arm(arm).coordinate_names
    # shapes are scaled to a tip that moves by one: 0.1 mm here
    start = {name: 1e-4 * x for name, x in zip(names, shape, strict=True)}
    run = fa.simulate(arm, end=0.5, start=start, tolerance=1e-10)
    y = run.values("point_deflection")[:, 0, 1]
    damped = omega * np.sqrt(1 - 0.03**2)
    t = run.time
    expected = y[0] * np.exp(-0.03 * omega * t) * (np.cos(damped * t) + 0.03 * omega / damped * np.sin(damped * t))
    # small motion of one mode: what is left is the square of 1e-4 m
    np.testing.assert_allclose(y, expected, rtol=0, atol=1e-4 * abs(y[0]))


@pytest.mark.parametrize("damping", [{"retardation": 1e-4}, {"ratio": 0.02}])
def test_damping_changes_neither_where_a_beam_is_read_nor_which_readings_are_rough(damping):
    # at the ends of a Hermitian element the curvature is less accurate than at its Gauss points: there are both
    bare, damped = (
        compile_arm(cantilever(thin("hermite"), 4, model={"formulation": "hermite"}, **more)).stations
        for more in ({}, {"damping": damping})
    )
    assert [each.position for each in damped] == [each.position for each in bare]
    assert [each.rough for each in damped] == [each.rough for each in bare]
    assert {each.rough for each in bare} == {True, False}
