"""The bar-chain is the cubic beam element with Simpson's lumps: its statics, its frequencies, its finite rotations."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.links.small_motion import small_motion
from tests.oracles import beams

from .cantilever import LIMP, STUBBY, angular, cantilever
from .meshes import NUMBERS, block, family_frequencies, fitted_order, under_tip_load

UNIT = {"bending_stiffness": 1.0, "mass_per_length": 1.0}
TAPER = {
    "bending_stiffness": (30.0, 70.0),
    "mass_per_length": 0.5,
    "shear_stiffness": (800.0, 1300.0),
    "end": {"bending_stiffness": (6.0, 50.0), "mass_per_length": 0.2, "shear_stiffness": (300.0, 900.0)},
}


def square(thickness: float) -> dict[str, float]:
    """A square bar of 1 m with E = ρ = 1, E/G = 2.6 and 5/6 of its section in shear."""
    area, second = thickness**2, thickness**4 / 12
    return {
        "bending_stiffness": second,
        "mass_per_length": area,
        "shear_stiffness": 5 / 6 * area / 2.6,
        "rotary_inertia": second,
    }


def condensed(n: int) -> np.ndarray:
    """Angular frequencies (2n,) of 2n cubic elements on 1 m of EI = ρA = 1 with Simpson's lumps and massless rotations.

    From the textbook matrix of the element; no chain, no joints.
    """
    m, h = 2 * n, 0.5 / n
    element = np.array(
        [
            [12, 6 * h, -12, 6 * h],
            [6 * h, 4 * h * h, -6 * h, 2 * h * h],
            [-12, -6 * h, 12, -6 * h],
            [6 * h, 2 * h * h, -6 * h, 4 * h * h],
        ]
    )
    K, lumps = np.zeros((2 * m + 2, 2 * m + 2)), np.zeros(m + 1)
    for k in range(m):
        K[2 * k : 2 * k + 4, 2 * k : 2 * k + 4] += element / h**3
    for k in range(n):
        lumps[2 * k : 2 * k + 3] += np.array([1, 4, 1]) / (6 * n)
    flexibility = np.linalg.inv(K[2:, 2:])[::2, ::2]
    root = np.sqrt(lumps[1:])
    return 1 / np.sqrt(np.linalg.eigvalsh(root[:, None] * flexibility * root)[::-1])


# --- Statics ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 3])
@pytest.mark.parametrize(("theory", "sheared"), [("euler", 0.0), ("rayleigh", 0.0), ("timoshenko", 1.0)])
def test_a_tip_force_and_moment_bend_a_uniform_chain_exactly(n, theory, sheared):
    length = 1.3
    EIy, EIz = NUMBERS["bending_stiffness"]
    GAy, GAz = NUMBERS["shear_stiffness"]
    load = np.array([0.0, 2.0, 3.0, 0.7, 0.4, 0.5])
    found = under_tip_load(block("hencky", n, theory=theory), length, load)[1]
    # the plane of w has w' = −ψ_y
    v = 2.0 * (length**3 / (3 * EIz) + sheared * length / GAy) + 0.5 * length**2 / (2 * EIz)
    w = 3.0 * (length**3 / (3 * EIy) + sheared * length / GAz) - 0.4 * length**2 / (2 * EIy)
    turn_z = 2.0 * length**2 / (2 * EIz) + 0.5 * length / EIz
    turn_y = -3.0 * length**2 / (2 * EIy) + 0.4 * length / EIy
    twist = 0.7 * length / NUMBERS["torsional_stiffness"]
    np.testing.assert_allclose(found, [0.0, v, w, twist, turn_y, turn_z], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("n", [1, 4])
def test_joints_at_the_elastic_centres_bend_a_tapered_chain_exactly(n):
    # each plane has a centre of its own; the flexibility of a taper by quadrature
    x, weights = np.polynomial.legendre.leggauss(40)
    x, weights = 0.5 * (x + 1), 0.5 * weights
    found = under_tip_load(block("hencky", n, beam=TAPER, length=1.0), 1.0, np.array([0.0, 1.0, 1.0, 0.0, 0.0, 0.0]))[1]
    EIy, EIz = 30 - 24 * x, 70 - 20 * x
    GAy, GAz = 800 - 500 * x, 1300 - 400 * x
    v, w = weights @ ((1 - x) ** 2 / EIz + 1 / GAy), weights @ ((1 - x) ** 2 / EIy + 1 / GAz)
    # eight Gauss points on half a segment of the coarse chain
    expected = [0.0, v, w, 0.0, -weights @ ((1 - x) / EIy), weights @ ((1 - x) / EIz)]
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-15)


def test_masses_and_rotary_inertias_are_simpson_s():
    n = 3
    made = block("hencky", n, planar=True, length=1.0)
    masses = [made.carried.mass, *(body.mass for body in made.bodies if body.mass > 0.0)]
    turning = [made.carried.inertia[2, 2], *(body.inertia[2, 2] for body in made.bodies if body.mass > 0.0)]
    shares = np.array([1 / 6, 2 / 3, 1 / 3, 2 / 3, 1 / 3, 2 / 3, 1 / 6]) / n
    np.testing.assert_allclose(masses, 0.5 * shares, rtol=1e-14)
    np.testing.assert_allclose(turning, NUMBERS["rotary_inertia"][1] * shares, rtol=1e-14)


# --- Frequencies -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 4, 8])
def test_without_rotary_inertia_the_chain_is_the_cubic_element_with_massless_rotations(n):
    expected = condensed(n)[:n]
    found = family_frequencies(block("hencky", n, beam=UNIT, planar=True, length=1.0), "bending_z", "shear_y")[:n]
    # what slides and turns bear: 1e-4 (kl)⁶/288 + 1e-7 (kl)⁴/2 of the frequency, which lowers it
    kl = np.sqrt(expected) / (2 * n)
    lowered = 1e-4 * kl**6 / 288 + 1e-7 * kl**4 / 2
    assert np.all(found < expected * (1 + 1e-11))
    assert np.all(1 - found / expected < 1.5 * lowered + 1e-11)
    # of the first of the coarsest chain less than a hundred-millionth
    assert abs(found[0] / expected[0] - 1) < 1e-8


def test_the_order_is_four_for_euler_bernoulli():
    elements = (16, 32, 64)
    exact = beams.euler(3, EI=1.0, rhoA=1.0, L=1.0)
    found = [angular(cantilever(UNIT, n, formulation="hencky", model={"theory": "euler"}), 3) for n in elements]
    np.testing.assert_allclose(fitted_order(elements, np.array(found) / exact - 1), 4.0, atol=0.15)
    np.testing.assert_allclose(found[-1], exact, rtol=3e-8)


def of_a_square(theory: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Three frequencies of a bar of one to ten, found with n segments and exact."""
    beam = square(0.1)
    shear = beam["shear_stiffness"] if theory == "timoshenko" else np.inf
    exact = beams.timoshenko(3, EI=beam["bending_stiffness"], kGA=shear, rhoA=0.01, rhoI=beam["rotary_inertia"], L=1.0)
    return angular(cantilever(beam, n, formulation="hencky", model={"theory": theory}), 3), exact


def test_the_order_is_two_for_timoshenko():
    elements = (16, 32, 64)
    errors = [found / exact - 1 for found, exact in (of_a_square("timoshenko", n) for n in elements)]
    np.testing.assert_allclose(fitted_order(elements, errors), 2.0, atol=0.05)
    np.testing.assert_allclose(errors[-1], 0.0, atol=3e-5)


def test_rotary_inertia_alone_gives_rayleigh():
    found, exact = of_a_square("rayleigh", 64)
    np.testing.assert_allclose(found, exact, rtol=1e-5)


@pytest.mark.parametrize(("direction", "stiffness", "inertia"), [("torsion", "GJ", "jx"), ("axial", "EA", None)])
def test_torsion_and_stretch_are_those_of_rods_with_order_two(direction, stiffness, inertia):
    elements = (8, 16, 32)
    p = fa.Beam(**STUBBY).properties()
    inertia = p.mass_per_length if inertia is None else p.jx
    exact = beams.rod(2, stiffness=getattr(p, stiffness), inertia=inertia, L=1.0)
    found = [
        family_frequencies(
            block("hencky", n, beam=STUBBY, length=1.0, freedoms=["bending", "torsion", "axial"]), direction
        )[:2]
        for n in elements
    ]
    np.testing.assert_allclose(fitted_order(elements, np.array(found) / exact - 1), 2.0, atol=0.1)


def test_graded_segments_tend_to_the_same_frequencies():
    exact = beams.euler(2, EI=30.0, rhoA=0.5, L=1.0)
    found = angular(cantilever(LIMP, 16, formulation="hencky", model={"grading": 3.0}), 2)
    np.testing.assert_allclose(found, exact, rtol=2e-5)


def test_no_direction_is_without_inertia_even_on_a_free_joint():
    # bars that turn to and fro in turn move neither masses nor slides
    joint = {"type": "revolute", "axis": "z", "free": True}
    for n in (1, 2, 8):
        made = block("hencky", n, beam=UNIT, planar=True, length=1.0)
        mass, _ = small_motion(made.bodies)
        size = 1 / np.sqrt(np.diag(mass))
        assert np.linalg.eigvalsh(mass * np.outer(size, size))[0] > 1e-10
    arm = cantilever(LIMP, 4, formulation="hencky", gravity=(0.0, -9.81, 0.0))
    link = arm.links[0].changed(joint=joint)
    run = fa.simulate(arm.changed(links=(link,)), end=0.3, start={"beam": -1.0}, tolerance=1e-7)
    assert run.complete
    # joules of a beam that swings down from −1 rad
    assert np.max(np.abs(run.values("energy_balance_error"))) < 1e-4


# --- Motion ----------------------------------------------------------------------------------------------------------


def spun(formulation: str, elements: int, rate: float, **model) -> fa.Trajectory:
    """A beam brought to a rate about its clamp within a second, and half a second more."""
    arm = cantilever(LIMP, elements, formulation=formulation, model=model)
    link = arm.links[0].changed(joint={"type": "revolute", "motion": "up"})
    up = {"kind": "spin-up", "rate": rate, "duration": 1.0}
    return fa.simulate(arm.changed(links=(link,), motions={"up": up}), end=1.5, tolerance=1e-7, output=0.01)


def test_spin_above_the_first_frequency_is_that_of_finite_elements():
    # 27.2 rad/s is the first frequency at rest
    expected = spun("hermite", 8, 40.0, theory="euler").values("point_deflection")[:, 0, :2]
    peak = np.max(np.abs(expected))
    assert 0.02 < peak < 0.3
    errors = []
    for n in (4, 8, 16):
        run = spun("hencky", n, 40.0, theory="euler")
        assert run.complete
        errors.append(np.max(np.abs(run.values("point_deflection")[:, 0, :2] - expected)) / peak)
    # straight bars draw in by more than the curve: order two
    assert errors[-1] < 2e-3
    np.testing.assert_allclose(fitted_order((4, 8, 16), np.array(errors)[:, None]), 2.0, atol=0.3)


# --- Refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "word"),
    [
        ({"frames": "link"}, "frames"),
        ({"stiffening": False}, "stiffening"),
        ({"modes": 3}, "modes"),
        ({"reduction": "clamped"}, "reduction"),
        ({"integration": "full"}, "integration"),
    ],
)
def test_what_bars_do_not_know_is_refused_by_name(model, word):
    with pytest.raises(FlexarmError, match=f'{word} is given with formulation "hencky"'):
        cantilever(LIMP, formulation="hencky", model=model)


@pytest.mark.parametrize(
    ("beam", "keys", "word"),
    [
        (LIMP, {"model": {"theory": "timoshenko"}}, "shear_stiffness is missing"),
        (LIMP, {"freedoms": ("bending", "axial")}, "axial_stiffness is missing"),
        (LIMP, {"freedoms": ("bending", "torsion"), "planar": False}, "torsional_stiffness is missing"),
        ({**LIMP, "axial_stiffness": 1.0}, {"freedoms": ("axial",)}, "a beam that cannot bend is rigid"),
    ],
)
def test_what_the_beam_does_not_say_is_asked_for(beam, keys, word):
    with pytest.raises(FlexarmError, match=word):
        fa.modes(cantilever(beam, formulation="hencky", **keys))
