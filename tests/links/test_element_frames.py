"""Element frames and link frames: the same beam in two sets of coordinates, and everything a block must say."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import flexarm as fa
from flexarm.core.tree.build import parents_of
from flexarm.links.damping import clamped_frequencies
from flexarm.links.mesh import mesh_of
from flexarm.links.reduction import nodal_from_relative
from flexarm.links.small_motion import small_motion

from .meshes import KINDS, NUMBERS, STUBBY, WORDS, block, flexible, span, tip_rows, under_tip_load

WORD = pytest.mark.parametrize("word", WORDS)
FRAMES = pytest.mark.parametrize("frames", ["element", "link"])
PLANAR = pytest.mark.parametrize("planar", [True, False])
TAPER = {**NUMBERS, "end": {"bending_stiffness": (9.0, 20.0), "mass_per_length": 0.2, "shear_stiffness": 500.0}}
L = 1.3


@WORD
@PLANAR
@pytest.mark.parametrize("beam", [NUMBERS, TAPER], ids=["uniform", "tapered"])
def test_both_frames_hold_the_same_mass_and_stiffness(word, planar, beam):
    # without stiffening: with it, elements whose axis turns freely carry an inertia of their own (see below)
    keys = {"planar": planar, "freedoms": "classical", "beam": beam, "grading": 2.5, "stiffening": False}
    of_elements, of_link = (
        small_motion(block(word, 5, frames=frames, **keys).bodies) for frames in ("element", "link")
    )
    change = nodal_from_relative(mesh_of(span(word, 5, **keys), KINDS[word]))
    for relative, nodal in zip(of_elements, of_link, strict=True):
        # EA against EI/L²: rounding of the largest entry
        np.testing.assert_allclose(change.T @ nodal @ change, relative, rtol=0, atol=1e-13 * np.abs(nodal).max())


@WORD
@PLANAR
def test_both_frames_have_the_same_frequencies(word, planar):
    keys = {"planar": planar, "stiffening": False}
    relative, nodal = (clamped_frequencies(block(word, 7, frames=f, **keys)) for f in ("element", "link"))
    np.testing.assert_allclose(relative, nodal, rtol=1e-9)


@PLANAR
@pytest.mark.parametrize("word", ["timoshenko", "isoparametric"])
def test_what_keeps_the_inertia_positive_is_small_compared_with_the_error_of_the_elements(word, planar):
    slender = {**NUMBERS, "rotary_inertia": 1e-6, "shear_stiffness": 1e5}
    keys = {"planar": planar, "beam": slender}
    exact = clamped_frequencies(block("hermite", 64, **keys))[:3]
    for elements in (4, 8, 16):
        plain, kept = (clamped_frequencies(block(word, elements, stiffening=s, **keys))[:3] for s in (False, True))
        # torsion goes without it
        assert np.all(plain > kept * (1 - 1e-9)) and plain[0] > kept[0]
        assert np.all(plain - kept < 0.1 * np.abs(plain - exact) + 1e-9 * exact)


@WORD
@FRAMES
@PLANAR
def test_the_engine_finds_the_frequencies_of_the_block(word, frames, planar):
    model = {"formulation": word, "elements": 6, "frames": frames}
    link = {"name": "beam", "joint": {"type": "fixed"}, "length": L, "beam": NUMBERS, "model": model}
    found = fa.modes(fa.Arm(planar=planar, gravity=(0, 0, 0), links=[link]), count=5).frequencies_hz
    expected = clamped_frequencies(block(word, 6, frames=frames, planar=planar))[:5]
    np.testing.assert_allclose(2 * np.pi * found, expected, rtol=1e-8)


@WORD
@FRAMES
def test_a_planar_beam_is_the_plane_of_the_spatial_one(word, frames):
    flat = block(word, 3, planar=True, frames=frames, freedoms="classical")
    full = block(word, 3, planar=False, frames=frames, freedoms="classical")
    kept = [full.names.index(name) for name in flat.names]
    for flat_matrix, full_matrix in zip(small_motion(flat.bodies), small_motion(full.bodies), strict=True):
        np.testing.assert_allclose(flat_matrix, full_matrix[np.ix_(kept, kept)], rtol=0, atol=1e-12)
    for body in flat.bodies:
        assert body.elastic.phi.shape[1] == body.elastic.psi.shape[1] == body.elastic.rotary.shape[1] == 3
        assert not body.elastic.phi[:, 2].any() and not body.elastic.psi[:, :2].any()


@WORD
def test_element_frames_stand_on_one_another(word):
    found = block(word, 4, grading=3.0)
    # in space a body without mass at the tip bears half of the last element's rotary inertia
    *elements, tip = found.bodies
    assert tip.elastic is None and tip.mass == 0.0 and found.extents[-1] == 0.0
    assert np.array_equal(np.diag(tip.inertia), elements[-1].elastic.handed.rotary)
    lengths = np.array(found.extents[:-1])
    np.testing.assert_allclose(lengths[1:] / lengths[:-1], 3.0 ** (1 / 3), rtol=1e-12)
    assert lengths.sum() == pytest.approx(L, rel=1e-14)
    assert parents_of(found.bodies) == [-1, 0, 1, 2, 3]
    assert found.bodies[0].attachment is None
    for k, body in enumerate(elements):
        assert body.kind == "fixed" and body.mass == 0.0 and not body.offset.any()
        borne = elements[k - 1].elastic.handed.rotary if k else np.zeros(3)
        assert np.array_equal(np.diag(body.inertia), borne)
        n = body.elastic.count
        assert n == (KINDS[word].nodes - 1) * 5
        if k:
            under = body.attachment
            assert under.x == pytest.approx(lengths[k - 1])
            # the last five coordinates are those of the far node: v, w, twist, slope_y, slope_z
            assert np.array_equal(under.phi[:, -5:], np.eye(6)[:3, [1, 2, 3, 4, 5]])
            assert np.array_equal(under.psi[:, -5:], np.eye(6)[3:, [1, 2, 3, 4, 5]])


@WORD
@FRAMES
def test_the_stations_hold_the_mass_of_the_beam(word, frames):
    found = block(word, 5, frames=frames, beam=TAPER)
    assert sum(body.elastic.mass.sum() for body in flexible(found)) == pytest.approx(L * 0.35, rel=1e-13)
    assert found.carried.mass == 0.0
    assert sum(body.elastic.rotary[:, 2].sum() for body in flexible(found)) == pytest.approx(L * 3e-3, rel=1e-13)


def test_names_say_node_and_motion():
    planar = block("hermite", 2, planar=True, freedoms=("bending", "axial"))
    assert planar.names == ("u1", "v1", "slope_z1", "u2", "v2", "slope_z2")
    assert planar.units == ("m", "m", "rad") * 2
    assert planar.directions == ("axial", "bending_z", "bending_z") * 2
    full = block("isoparametric", 2)
    assert full.names[:10] == (
        *("v0.5", "w0.5", "twist0.5", "slope_y0.5", "slope_z0.5"),
        *("v1", "w1", "twist1", "slope_y1", "slope_z1"),
    )
    assert full.names == block("isoparametric", 2, frames="link").names
    assert full.directions[:5] == ("bending_z", "bending_y", "torsion", "bending_y", "bending_z")
    assert full.units[:5] == ("m", "m", "rad", "rad", "rad")


# --- Frames along the beam -------------------------------------------------------------------------------------------


@WORD
@FRAMES
def test_a_place_on_a_node_belongs_to_the_element_inboard(word, frames):
    found = block(word, 4, frames=frames)
    base = found.place(0.0)
    assert (base.body, base.along, base.attachment) == (-1, 0.0, None)
    for s, element in ((L / 4, 0), (L / 4 * (1 + 1e-14), 0), (L / 4 + 1e-6, 1), (0.6 * L, 2), (L, 3), (L + 1e-13, 3)):
        place = found.place(s)
        assert place.body == (element if frames == "element" else 0)
        assert place.along == pytest.approx(s - (element * L / 4 if frames == "element" else 0.0), abs=1e-12)
        assert place.attachment.x == place.along
        assert place.attachment.phi.shape == (3, found.bodies[place.body].elastic.count)


@WORD
def test_both_frames_move_every_point_of_the_axis_alike(word):
    relative, nodal = (block(word, 4, frames=frames) for frames in ("element", "link"))
    change = nodal_from_relative(mesh_of(span(word, 4), KINDS[word]))
    for s in (0.1, L / 4, 0.5, 0.97, L):
        np.testing.assert_allclose(tip_rows(nodal, s) @ change, padded(tip_rows(relative, s), nodal), atol=1e-12)


def padded(rows: np.ndarray, whole) -> np.ndarray:
    """Rows with zeros for the coordinates of elements farther out."""
    return np.hstack([rows, np.zeros((6, len(whole.names) - rows.shape[1]))])


@WORD
@FRAMES
@pytest.mark.parametrize("beam", [NUMBERS, TAPER], ids=["uniform", "tapered"])
def test_shortening_is_the_integral_of_slopes_less_shear_seen_from_outside(word, frames, beam):
    found = block(word, 3, frames=frames, beam=beam)
    nodes, weights = np.polynomial.legendre.leggauss(6)
    place = found.place(L)
    # slopes by differences of the frames' own rows, in each element that lies inboard; of the shear the mean, and in
    # quadratic elements the straight line, that its energy sees
    begin = L - place.along
    joints = sorted({begin, L, *(x for x in (L / 3, 2 * L / 3) if begin < x < L)})
    expected = np.zeros_like(place.attachment.shortening)
    h = 1e-5
    for a, b in pairwise(joints):
        drawn, gamma = [], []
        for x in 0.5 * (a + b) + 0.5 * (b - a) * nodes:
            slope = (found.place(x + h).attachment.phi - found.place(x - h).attachment.phi) / (2 * h)
            psi = found.place(x).attachment.psi
            drawn.append(slope[1:])
            gamma.append(slope[1:] - np.stack([psi[2], -psi[1]]))
        w = 0.5 * (b - a) * weights
        expected += np.einsum("g,gan,gam->nm", w, drawn, drawn)
        expected -= np.einsum("an,am->nm", *2 * (np.einsum("g,gan->an", weights / 2, gamma),)) * (b - a)
        if word == "isoparametric":
            line = np.einsum("g,gan->an", 1.5 * weights * nodes, gamma)
            expected -= np.einsum("an,am->nm", line, line) * (b - a) / 3
    # the difference over 2h leaves h² v'''
    np.testing.assert_allclose(place.attachment.shortening, expected, atol=1e-8 * np.abs(expected).max())


@WORD
@FRAMES
def test_stations_are_points_of_the_axis(word, frames):
    found = block(word, 3, frames=frames)
    begin = 0.0
    for k, body in enumerate(flexible(found)):
        for g, x in enumerate(body.elastic.x):
            place = found.place(begin + x)
            assert place.body == k
            np.testing.assert_allclose(place.attachment.phi, body.elastic.phi[g], atol=1e-13)
            np.testing.assert_allclose(place.attachment.psi, body.elastic.psi[g], atol=1e-12)
            np.testing.assert_allclose(place.attachment.shortening, body.elastic.shortening[g], atol=1e-12)
        begin += found.extents[k]


@WORD
@FRAMES
def test_stations_are_enough_for_the_stiffening_by_rotation(word, frames):
    # Σ dm x H against ∫ (∫_s x dm) (v'ᵀv' − γᵀγ) ds, element by element, with many points
    keys = {"frames": frames, "planar": True}
    mesh, found = mesh_of(span(word, 2, **keys), KINDS[word]), block(word, 2, **keys)
    nodes, weights = np.polynomial.legendre.leggauss(10)
    body, cut = found.bodies[0], mesh.per_node
    length, n = found.extents[0], body.elastic.count
    expected = np.zeros((n, n))
    for k, element in enumerate(mesh.elements[: 1 if frames == "element" else 2]):
        x = 0.5 * element.length * (nodes + 1)
        slope = element.slope(x)
        own = slice(cut, None) if k == 0 else slice(None)
        first = max(k * mesh.per_element - cut, 0)
        into = slice(first, first + slope[:, :, own].shape[2])
        outboard = 0.5 * (length**2 - (mesh.begins[k] + x) ** 2) * 0.5  # ρA ∫_s^ℓ x dx
        w = 0.5 * element.length * weights * outboard
        expected[into, into] += np.einsum("g,gan,gam->nm", w, slope[:, :, own], slope[:, :, own])
        # shear as its energy sees it: through the values at its Gauss points
        points = 0.5 * element.length * (np.polynomial.legendre.leggauss(2 if word == "isoparametric" else 1)[0] + 1)
        gamma = element.strain("shear_y", points)[:, own]
        line = np.polynomial.polynomial.polyfit(points, gamma, len(points) - 1)
        shear = np.polynomial.polynomial.polyval(x, line).T
        expected[into, into] -= np.einsum("g,gn,gm->nm", w, shear, shear)
    elastic = body.elastic
    summed = np.einsum("g,g,gnm->nm", elastic.mass, elastic.x, elastic.shortening)
    np.testing.assert_allclose(summed, expected, rtol=0, atol=1e-13)


@WORD
@FRAMES
def test_without_stiffening_nothing_shortens(word, frames):
    found = block(word, 3, frames=frames, stiffening=False)
    for body in found.bodies:
        assert not body.elastic.shortening.any()
        assert body.attachment is None or not body.attachment.shortening.any()
    assert not found.place(0.7 * L).attachment.shortening.any()


@WORD
@FRAMES
def test_matrices_are_symmetric_to_the_last_bit(word, frames):
    for body in flexible(block(word, 4, frames=frames, beam=TAPER)):
        elastic = body.elastic
        assert np.array_equal(elastic.stiffness, elastic.stiffness.T)
        assert np.array_equal(elastic.shortening, np.swapaxes(elastic.shortening, 1, 2))
        assert np.linalg.eigvalsh(elastic.stiffness)[0] > 0


# --- Strains and forces ----------------------------------------------------------------------------------------------

EXPECTED = {
    # force or moment inside at s under (Fx, Fy, Fz, Mx, My, Mz) at the tip
    "axial": lambda f, a: f[0],
    "shear_y": lambda f, a: f[1],
    "shear_z": lambda f, a: f[2],
    "torsion": lambda f, a: f[3],
    "bending_y": lambda f, a: f[4] - f[2] * a,
    "bending_z": lambda f, a: f[5] + f[1] * a,
}
STIFFNESS = {"axial": 9e3, "torsion": 11.0, "bending_y": 30.0, "bending_z": 70.0, "shear_y": 800.0, "shear_z": 1300.0}


@pytest.mark.parametrize(
    ("word", "keys"),
    [("rigid-fe", {}), *((w, {"frames": f}) for w in WORDS for f in ("element", "link"))],
    ids=lambda x: x if isinstance(x, str) else x.get("frames", ""),
)
def test_inside_is_what_balances_the_load_at_the_tip(word, keys):
    # the signs are those of the rigid finite elements, all six ways
    found = block(word, 5, freedoms="classical", **keys)
    load = np.array([3.0, -0.4, 0.7, 0.2, 1.1, -0.6])
    moved, _ = under_tip_load(found, L, load)
    assert {station.direction for station in found.stations} == set(EXPECTED)
    for station in found.stations:
        here = moved[list(station.coordinates)]
        expected = EXPECTED[station.direction](load, L - station.position)
        assert np.dot(station.force, here) == pytest.approx(expected, abs=1e-10)
        assert np.dot(station.strain, here) == pytest.approx(expected / STIFFNESS[station.direction], abs=1e-11)


@WORD
def test_strains_are_read_in_every_element_and_cubic_ones_at_the_clamp_too(word):
    found = block(word, 4, beam=STUBBY)
    for direction in ("bending_y", "bending_z", "shear_y", "shear_z", "torsion"):
        positions = np.array([s.position for s in found.stations if s.direction == direction])
        assert np.all(np.histogram(positions, bins=np.linspace(0, L * (1 + 1e-12), 5))[0] >= 1)
    bending = [s.position for s in found.stations if s.direction == "bending_z"]
    assert (0.0 in bending and bending[-1] == pytest.approx(L)) == (word == "hermite")
    assert len(set(bending)) == len(bending)
