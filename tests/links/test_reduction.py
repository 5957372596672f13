"""A few shapes in place of all nodal values: what they keep, how they converge, how they are scaled."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm.links.damping import clamped_frequencies
from flexarm.links.small_motion import frequencies, small_motion
from tests.oracles import beams

from .meshes import STUBBY, WORDS, block, tip_rows, under_tip_load

WORD = pytest.mark.parametrize("word", WORDS)
WAY = pytest.mark.parametrize("reduction", ["clamped", "craig-bampton"])
ROUND = {"section": {"shape": "circle", "diameter": 0.05}, "material": "steel"}
L = 1.3


def reduced(word: str, modes: int, elements: int = 8, **keys):
    return block(word, elements, frames="link", modes=modes, **keys)


def with_payload(found, mass: float, inertia: float) -> np.ndarray:
    """Clamped frequencies (rad/s) with a mass and an inertia at the tip."""
    M, K = small_motion(found.bodies)
    rows = tip_rows(found, L)
    load = np.array([mass] * 3 + [inertia] * 3)
    return frequencies(M + rows.T @ (load[:, None] * rows), K)


@WORD
@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("modes", [1, 4, 9])
def test_clamped_modes_keep_the_lowest_frequencies(word, planar, modes):
    full = clamped_frequencies(block(word, 8, planar=planar))
    found = reduced(word, modes, planar=planar, reduction="clamped")
    np.testing.assert_allclose(clamped_frequencies(found), full[:modes], rtol=1e-10)


@WORD
@WAY
@pytest.mark.parametrize("planar", [True, False])
def test_all_modes_are_all_coordinates(word, reduction, planar):
    # as many shapes as nodal values: nothing is lost, whatever hangs on the tip
    full = block(word, 3, planar=planar, stiffening=False)
    found = reduced(word, len(full.names), 3, planar=planar, reduction=reduction)
    np.testing.assert_allclose(with_payload(found, 0.4, 0.02), with_payload(full, 0.4, 0.02), rtol=1e-8)


@WORD
def test_static_tip_shapes_make_every_tip_load_exact(word):
    load = np.array([0.0, 0.3, -0.5, 0.2, 0.4, -0.1])
    full = under_tip_load(block(word, 8), L, load)[1]
    # five shapes: v, w, twist and two rotations of the tip
    static = under_tip_load(reduced(word, 5), L, load)[1]
    np.testing.assert_allclose(static, full, rtol=1e-9)
    modal = under_tip_load(reduced(word, 5, reduction="clamped"), L, load)[1]
    assert np.max(np.abs(modal[1:] / full[1:] - 1)) > 0.05


@WORD
def test_forces_inside_under_a_tip_load_are_those_of_the_full_beam(word):
    load = np.array([0.0, 0.3, -0.5, 0.2, 0.4, -0.1])
    full, few = block(word, 6, frames="link"), reduced(word, 6, 6)
    of_full, of_few = (under_tip_load(found, L, load)[0] for found in (full, few))
    for one, other in zip(full.stations, few.stations, strict=True):
        assert (one.position, one.direction) == (other.position, other.direction)
        expected = np.dot(one.force, of_full[list(one.coordinates)])
        assert np.dot(other.force, of_few[list(other.coordinates)]) == pytest.approx(expected, abs=1e-9)


@WORD
def test_frequencies_with_a_payload_converge_and_faster_with_static_shapes(word):
    full = with_payload(block(word, 10, planar=True), 0.5, 0.05)[:3]
    errors = {}
    for reduction in ("clamped", "craig-bampton"):
        counts = (4, 6, 10)
        found = [with_payload(reduced(word, m, 10, planar=True, reduction=reduction), 0.5, 0.05)[:3] for m in counts]
        errors[reduction] = np.array(found) / full - 1
        # fewer shapes are a stiffer beam, and more never make it worse
        assert np.all(errors[reduction] > -1e-9)
        assert np.all(np.diff(errors[reduction], axis=0) < 1e-9)
    assert np.all(errors["craig-bampton"][-1] < 1e-4)
    assert np.all(errors["craig-bampton"][:, 0] < 1e-2 * errors["clamped"][:, 0] + 1e-9)


@WORD
@WAY
def test_shapes_are_mass_orthogonal_and_lowest_first(word, reduction):
    found = reduced(word, 9, reduction=reduction, freedoms="classical", beam=STUBBY)
    M, K = small_motion(found.bodies)
    size = 1 / np.sqrt(np.diag(M))
    np.testing.assert_allclose(M * np.outer(size, size), np.eye(9), atol=1e-10)
    squares = np.diag(K) / np.diag(M)
    np.testing.assert_allclose(K * np.outer(size, size), np.diag(squares), atol=1e-10 * squares.max())
    assert np.all(np.diff(squares) >= 0)
    elastic = found.bodies[0].elastic
    assert np.array_equal(elastic.stiffness, elastic.stiffness.T)
    assert np.array_equal(elastic.shortening, np.swapaxes(elastic.shortening, 1, 2))


@WORD
@WAY
def test_a_round_beam_has_shapes_of_one_plane_each(word, reduction):
    # both planes have the same frequencies: any mixture would be a mode too
    found = reduced(word, 8, beam=ROUND, reduction=reduction)
    elastic = found.bodies[0].elastic
    rows = np.concatenate([elastic.phi, elastic.psi], axis=1)
    moving = {"bending_z": [1, 5], "bending_y": [2, 4], "torsion": [3]}
    for k, direction in enumerate(found.directions):
        still = [row for row in range(6) if row not in moving[direction]]
        assert not rows[:, still, k].any()
    assert {"bending_y", "bending_z", "torsion"} == set(found.directions)
    bending = [direction for direction in found.directions if direction != "torsion"]
    assert bending[:4] == ["bending_z", "bending_y"] * 2


@WORD
@WAY
def test_a_shape_is_one_where_its_nodes_move_most(word, reduction):
    found = reduced(word, 9, reduction=reduction, freedoms="classical", beam=STUBBY)
    assert found.names == tuple(f"mode{k + 1}" for k in range(9))
    assert [unit == "rad" for unit in found.units] == [direction == "torsion" for direction in found.directions]
    places = [found.place(L * (k + 1) / 8).attachment for k in range(8)]
    if word == "isoparametric":
        places += [found.place(L * (k + 0.5) / 8).attachment for k in range(8)]
    for k, direction in enumerate(found.directions):
        part = "psi" if direction == "torsion" else "phi"
        values = np.array([getattr(place, part)[:, k] for place in places])
        assert np.max(values) == pytest.approx(1.0, rel=1e-12)
        assert np.max(np.abs(values)) == pytest.approx(1.0, rel=1e-12)


@WORD
def test_shortening_is_that_of_the_full_beam_in_the_same_shape(word):
    full, few = block(word, 5, frames="link", planar=True), reduced(word, 3, 5, planar=True)
    # shapes of the reduced beam as nodal values, read where the nodes are
    halves = 2 if word == "isoparametric" else 1
    places = [few.place(L * (k + 1) / (5 * halves)).attachment for k in range(5 * halves)]
    basis = np.concatenate([[place.phi[1], place.psi[2]] for place in places])
    for s in (0.31 * L, L):
        expected = basis.T @ full.place(s).attachment.shortening @ basis
        np.testing.assert_allclose(few.place(s).attachment.shortening, expected, atol=1e-12)
    elastic, whole = few.bodies[0].elastic, full.bodies[0].elastic
    np.testing.assert_allclose(elastic.shortening, basis.T @ whole.shortening @ basis, atol=1e-12)
    assert not reduced(word, 3, 5, planar=True, stiffening=False).bodies[0].elastic.shortening.any()


def test_low_modes_of_a_fine_mesh_keep_their_digits():
    # the nodal stiffness of 200 cubic elements has a condition of 1e10, that of the element frames a small one
    found = reduced("hermite", 3, 200, planar=True, theory="euler", reduction="clamped")
    exact = beams.euler(3, EI=70.0, rhoA=0.5, L=L)
    np.testing.assert_allclose(clamped_frequencies(found), exact, rtol=2e-9)
