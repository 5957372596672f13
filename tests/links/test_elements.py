"""Elements: their matrices are the exact integrals and the printed patterns, and simple states of strain are exact."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from flexarm.links.mesh import mesh_of

from . import exact_elements as exact
from .meshes import FREE, KINDS, NUMBERS, WORDS, element, mass_of, span, stiffness_of

WORD = pytest.mark.parametrize("word", WORDS)
LENGTHS = (Fraction(1, 7), Fraction(3, 2), Fraction(20))
# about z: EI, κGA, ρA, ρI of NUMBERS
SECTION = (Fraction(70), Fraction(800), Fraction(1, 2), Fraction(3, 1000))
# products and sums of some ten doubles
ROUNDING = 1e-13


def close(found: np.ndarray, expected: np.ndarray) -> None:
    """Equal to rounding, entry by entry in the size of the diagonal."""
    size = 1 / np.sqrt(np.diag(expected))
    np.testing.assert_allclose(found * np.outer(size, size), expected * np.outer(size, size), rtol=0, atol=ROUNDING)


@WORD
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("integration", ["reduced", "full"])
def test_stiffness_and_mass_are_the_exact_integrals(word, length, integration):
    kind = KINDS[word]
    if word == "hermite":
        K, M = exact.cubic(length, *SECTION)
    else:
        K, M = exact.separate(kind.nodes, length, *SECTION, reduced=integration == "reduced")
    found = element(word, length=float(length), integration=integration)
    close(stiffness_of(found), exact.as_floats(K))
    close(mass_of(found), exact.as_floats(M))


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("theory", ["rayleigh", "euler"])
def test_without_shear_the_cubic_element_is_the_classical_beam_element(length, theory):
    EI, _, rhoA, rhoI = SECTION
    K, M = exact.cubic(length, EI, None, rhoA, rhoI if theory == "rayleigh" else Fraction(0))
    found = element("hermite", length=float(length), shear=False, rotary=theory == "rayleigh")
    close(stiffness_of(found), exact.as_floats(K))
    close(mass_of(found), exact.as_floats(M))


@WORD
def test_the_other_plane_is_the_same_with_rotations_of_the_other_sign(word):
    # EI and κGA about z changed for those about y: w' = −ψ_y
    about_y = element(word, length=0.7, free=("bending_y",))
    swapped = {**NUMBERS, "bending_stiffness": (70.0, 30.0), "shear_stiffness": (1300.0, 800.0)}
    about_z = element(word, length=0.7, beam={**swapped, "rotary_inertia": (3e-3, 2e-3)})
    sign = np.tile([1.0, -1.0], KINDS[word].nodes)
    for matrix in (stiffness_of, mass_of):
        np.testing.assert_allclose(matrix(about_y), matrix(about_z) * np.outer(sign, sign), rtol=0, atol=1e-12)


def filled(pattern: list[list[float]]) -> np.ndarray:
    """A symmetric matrix from the rows of its upper triangle."""
    n = len(pattern)
    upper = np.zeros((n, n))
    for i, row in enumerate(pattern):
        upper[i, i:] = row
    return upper + np.triu(upper, 1).T


@pytest.mark.parametrize("length", [0.05, 0.4, 3.0])
def test_the_cubic_element_has_the_printed_stiffness_and_mass(length):
    # the patterns of the paper on the Hermitian Timoshenko element, its scanning errors corrected
    EI, kGA, rhoA, rhoI = (float(x) for x in SECTION)
    L, beta = length, 12 * EI / kGA
    q = beta / (beta + L**2)
    K = (EI / (L * (L**2 + beta))) * filled(
        [[12, 6 * L, -12, 6 * L], [4 * L**2 + beta, -6 * L, 2 * L**2 - beta], [12, -6 * L], [4 * L**2 + beta]]
    )
    Mbv = filled([[156, 22 * L, 54, -13 * L], [4 * L**2, 13 * L, -3 * L**2], [156, -22 * L], [4 * L**2]])
    a, b, c = -36 + 4 * q, (-11 + 2 * q) * L, (-2 + q) * L**2
    Msv = filled([[a, b, -a, b], [c, -b, c], [a, -b], [c]])
    Mbu = filled([[36, 3 * L, -36, 3 * L], [4 * L**2, -3 * L, -(L**2)], [36, -3 * L], [4 * L**2]])
    d, e, f = -48 + 24 * q, (-14 + 12 * q) * L, (-2 + 6 * q) * L**2
    Msu = filled([[d, e, -d, e], [f, -e, f], [d, -e], [f]])
    found = element("hermite", length=length)
    close(stiffness_of(found), K)
    printed = rhoA * L / 420 * Mbv + rhoA * L * q / 840 * Msv + rhoI / (30 * L) * Mbu + rhoI * q / (20 * L) * Msu
    close(mass_of(found), printed)


@pytest.mark.parametrize(("integration", "parts"), [("reduced", (4, 4)), ("full", (3, 6))])
def test_the_linear_element_has_the_printed_stiffness_and_mass(integration, parts):
    # the matrices of the thesis on nonlinear coupling: Kc on (ux, θ) and J = ρ P ⊗ diag(A, I)
    b, k = 70.0, 800.0
    rhoA, rhoI, h = 0.5, 3e-3, 0.3
    first, second = k * h / parts[0] + b / h, k * h / parts[1] - b / h
    K = filled([[k / h, k / 2, -k / h, k / 2], [first, -k / 2, second], [k / h, -k / 2], [first]])
    P = h / 6 * np.array([[2.0, 1.0], [1.0, 2.0]])
    found = element("timoshenko", length=h, integration=integration)
    close(stiffness_of(found), K)
    close(mass_of(found), np.kron(P, np.diag([rhoA, rhoI])))


@WORD
def test_rods_have_the_matrices_of_their_interpolation(word):
    nodes, L = KINDS[word].nodes, Fraction(3, 4)
    shapes = exact.lagrange(nodes, L)
    strain, move = exact.gram([exact.derivative(p) for p in shapes], L), exact.gram(shapes, L)
    for free, stiffness, inertia in (("axial", 9e3, 0.5), ("torsion", 11.0, 4e-3)):
        found = element(word, length=float(L), free=(free,))
        close(stiffness_of(found), stiffness * exact.as_floats(strain))
        close(mass_of(found), inertia * exact.as_floats(move))


@WORD
def test_stretch_torsion_and_the_two_planes_do_not_mix(word):
    whole = element(word, length=0.6, free=FREE)
    K, M = stiffness_of(whole), mass_of(whole)
    directions = ["axial", "bending_z", "bending_y", "torsion", "bending_y", "bending_z"] * KINDS[word].nodes
    for family in FREE:
        own = [c for c, direction in enumerate(directions) if direction == family]
        others = [c for c, direction in enumerate(directions) if direction != family]
        alone = element(word, length=0.6, free=(family,))
        np.testing.assert_array_equal(K[np.ix_(own, others)], 0.0)
        np.testing.assert_array_equal(M[np.ix_(own, others)], 0.0)
        np.testing.assert_allclose(K[np.ix_(own, own)], stiffness_of(alone), rtol=0, atol=1e-12 * K.max())
        np.testing.assert_allclose(M[np.ix_(own, own)], mass_of(alone), rtol=0, atol=1e-14)


# --- Patch tests -----------------------------------------------------------------------------------------------------


def nodal(word: str, length: float, field) -> np.ndarray:
    """Nodal values (u, v, w, ψx, ψy, ψz) of a field of x, node by node."""
    return np.concatenate([field(x) for x in np.linspace(0.0, length, KINDS[word].nodes)])


RIGID = {
    "along x": lambda x: [1, 0, 0, 0, 0, 0],
    "along y": lambda x: [0, 1, 0, 0, 0, 0],
    "along z": lambda x: [0, 0, 1, 0, 0, 0],
    "about x": lambda x: [0, 0, 0, 1, 0, 0],
    "about y": lambda x: [0, 0, -x, 0, 1, 0],
    "about z": lambda x: [0, x, 0, 0, 0, 1],
}


@WORD
@pytest.mark.parametrize("motion", RIGID)
@pytest.mark.parametrize("shear", [True, False])
def test_a_rigid_motion_has_no_strain_and_the_energy_of_a_rigid_body(word, motion, shear):
    whole = element(word, length=0.8, free=FREE, shear=shear or word != "hermite")
    moved = nodal(word, 0.8, RIGID[motion])
    np.testing.assert_allclose(whole.stiffness_factor() @ moved, 0.0, atol=1e-11)
    # ½ m v², ½ J ω² about the proximal end
    across = 0.5 * 0.8**3 / 3
    inertia = {"about x": 4e-3 * 0.8, "about y": across + 2e-3 * 0.8, "about z": across + 3e-3 * 0.8}
    assert moved @ mass_of(whole) @ moved == pytest.approx(inertia.get(motion, 0.5 * 0.8), rel=1e-13)


STATES = {
    "axial": lambda x: [x, 0, 0, 0, 0, 0],
    "torsion": lambda x: [0, 0, 0, x, 0, 0],
    "bending_y": lambda x: [0, 0, -x * x / 2, 0, x, 0],
    "bending_z": lambda x: [0, x * x / 2, 0, 0, 0, x],
    "shear_y": lambda x: [0, x, 0, 0, 0, 0],
    "shear_z": lambda x: [0, 0, x, 0, 0, 0],
}
STIFFNESS = {"axial": 9e3, "torsion": 11.0, "bending_y": 30.0, "bending_z": 70.0, "shear_y": 800.0, "shear_z": 1300.0}


# shear without the moment whose slope it is is no equilibrium, which is all a cubic element knows: see the next test
PATCHES = [(word, state) for word in WORDS for state in STATES if (word, state[:5]) != ("hermite", "shear")]


@pytest.mark.parametrize(("word", "state"), PATCHES)
def test_a_constant_strain_is_exact_in_strain_and_energy(word, state):
    whole = element(word, length=0.8, free=FREE)
    values = nodal(word, 0.8, STATES[state])
    for reading in (*whole.readings, *whole.tip_readings):
        expected = 1.0 if reading.name == state else 0.0
        assert reading.strain @ values == pytest.approx(expected, abs=1e-12)
        assert reading.stiffness == STIFFNESS[reading.name]
    assert values @ stiffness_of(whole) @ values == pytest.approx(STIFFNESS[state] * 0.8, rel=1e-12)


@pytest.mark.parametrize("length", [0.02, 0.8, 50.0])
def test_the_cubic_element_is_exact_under_a_force_at_its_end(length):
    L, EI, kGA = length, 70.0, 800.0
    found = element("hermite", length=L)

    def field(x: float) -> list[float]:
        # unit force at the far end, clamped at x = 0: M = L − x
        turn = (L * x - x * x / 2) / EI
        return [L * x * x / (2 * EI) - x**3 / (6 * EI) + x / kGA, turn]

    values = np.array([*field(0.0), *field(L)])
    reaction = stiffness_of(found) @ values
    np.testing.assert_allclose(reaction, [-1.0, -L, 1.0, 0.0], atol=1e-11 * max(1.0, L))
    for reading in (*found.readings, *found.tip_readings):
        force = 1.0 if reading.name == "shear_y" else L - reading.x
        assert reading.stiffness * (reading.strain @ values) == pytest.approx(force, abs=1e-12 * max(1.0, L))
    x = np.linspace(0.0, L, 7)
    np.testing.assert_allclose(found.displacement(x)[:, 1] @ values, [field(a)[0] for a in x], rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(found.rotation(x)[:, 2] @ values, [field(a)[1] for a in x], rtol=1e-12, atol=1e-15)


@WORD
@pytest.mark.parametrize("shear", [True, False])
def test_slopes_and_curvatures_are_the_derivatives_of_the_fields(word, shear):
    whole = element(word, length=0.9, free=FREE, shear=shear or word != "hermite")
    x, h = np.array([0.13, 0.45, 0.77]), 1e-4
    # the fields are cubic: the five-point derivative is exact but for rounding, 1e-16/h

    def along(field) -> np.ndarray:
        return (8 * (field(x + h) - field(x - h)) - (field(x + 2 * h) - field(x - 2 * h))) / (12 * h)

    move, turn = along(whole.displacement), along(whole.rotation)
    np.testing.assert_allclose(whole.slope(x), move[:, 1:], atol=1e-10)
    slope, psi = whole.slope(x), whole.rotation(x)
    expected = {"axial": move[:, 0], "torsion": turn[:, 0], "bending_y": turn[:, 1], "bending_z": turn[:, 2]}
    expected |= {"shear_y": slope[:, 0] - psi[:, 2], "shear_z": slope[:, 1] + psi[:, 1]}
    for name in whole.strains:
        np.testing.assert_allclose(whole.strain(name, x), expected[name], atol=1e-10)


@WORD
def test_nodes_are_where_their_coordinates_say(word):
    whole = element(word, length=0.9, free=FREE)
    places = np.linspace(0.0, 0.9, KINDS[word].nodes)
    rows = np.concatenate([whole.displacement(places), whole.rotation(places)], axis=1)
    np.testing.assert_allclose(rows.reshape(whole.count, whole.count), np.eye(whole.count), atol=1e-15)


@WORD
@pytest.mark.parametrize("integration", ["reduced", "full"])
def test_shortening_is_the_integral_of_squared_slopes_less_squared_shear(word, integration):
    whole = element(word, length=0.9, free=FREE, integration=integration)
    nodes, weights = np.polynomial.legendre.leggauss(12)
    # of the shear strain what its energy sees: its projection on constants (linear elements), on straight lines
    # (quadratic ones); summed in full, all of it
    degree = {"timoshenko": 0, "hermite": 0, "isoparametric": 1}[word] + (integration == "full")
    every, size = np.polynomial.legendre.legvander(nodes, degree), 2.0 / (2 * np.arange(degree + 1) + 1)
    x = 0.45 * (nodes + 1)
    gamma = np.stack(
        [whole.slope(x)[:, 0] - whole.rotation(x)[:, 2], whole.slope(x)[:, 1] + whole.rotation(x)[:, 1]], 1
    )
    series = np.einsum("gd,g,gan->dan", every / size, weights, gamma)
    for end in (0.2, 0.9):
        at = 0.5 * end * (nodes + 1)
        slope = whole.slope(at)
        shear = np.einsum("gd,dan->gan", np.polynomial.legendre.legvander(at / 0.45 - 1, degree), series)
        expected = np.einsum("g,gan,gam->nm", 0.5 * end * weights, slope, slope)
        expected -= np.einsum("g,gan,gam->nm", 0.5 * end * weights, shear, shear)
        slopes, shears = whole.shortening_factors(end)
        np.testing.assert_allclose(slopes.T @ slopes - shears.T @ shears, expected, atol=1e-13)


def test_an_element_without_shear_shortens_by_its_slopes_alone():
    slopes, shears = element("hermite", shear=False).shortening_factors(0.7)
    assert slopes.any() and not shears.size


@WORD
def test_an_element_of_a_taper_sums_its_stiffness_and_mass_exactly(word):
    # dimensions change linearly, so EI and ρI as fourth powers: many more points must not change anything
    beam = {"section": {"shape": "circle", "diameter": 0.1}, "material": "steel"}
    beam["end"] = {"section": {"diameter": 0.05}}
    # without shear, which linear and quadratic elements sum at fewer points on purpose
    whole = replace(mesh_of(span(word, 2, beam=beam, freedoms="classical"), KINDS[word]).elements[1], shear=False)
    nodes, weights = np.polynomial.legendre.leggauss(20)
    x, w = 0.5 * whole.length * (nodes + 1), 0.5 * whole.length * weights
    here = [whole.properties(float(at)) for at in x]
    phi, psi = whole.displacement(x), whole.rotation(x)
    rotary = w[:, None] * np.array([[p.jx, p.jy, p.jz] for p in here])
    mass = w * np.array([p.mass_per_length for p in here])
    close(mass_of(whole), np.einsum("g,gan,gam->nm", mass, phi, phi) + np.einsum("gan,ga,gam->nm", psi, rotary, psi))
    K = np.zeros((whole.count, whole.count))
    for name in whole.strains:
        rows = whole.strain(name, x)
        K += np.einsum("g,gn,gm->nm", w * whole.stiffness_at(name, x), rows, rows)
    used = np.flatnonzero(np.diag(K))
    close(stiffness_of(whole)[np.ix_(used, used)], K[np.ix_(used, used)])
