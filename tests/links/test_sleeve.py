"""Beams in sleeves as the formulations make them: at any length they are the ordinary beam of that length."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm.core.tree.sleeve import stiffness_at
from flexarm.errors import AnalysisError
from flexarm.links.sleeve import sleeve_mesh, sleeve_of

from .meshes import NUMBERS, WORDS, block, span

LENGTH = 1.3
LENGTHS = (LENGTH, 0.4, 0.01)
KEYS = {
    "plain": {},
    "graded": {"grading": 3.0},
    "stretching": {"freedoms": ("bending", "torsion", "axial")},
}


@pytest.fixture(params=WORDS)
def word(request: pytest.FixtureRequest) -> str:
    """Name of a formulation."""
    return str(request.param)


def _theories(word: str) -> tuple[str, ...]:
    return ("timoshenko", "rayleigh", "euler") if word == "hermite" else ("timoshenko",)


@pytest.mark.parametrize("planar", [True, False], ids=["plane", "space"])
@pytest.mark.parametrize("keys", list(KEYS))
def test_the_stiffness_at_a_length_is_that_of_the_beam_of_that_length(word, keys, planar):
    for theory in _theories(word):
        options = {**KEYS[keys], "theory": theory, "planar": planar}
        data = sleeve_of(sleeve_mesh(span(word, 3, length=LENGTH, **options))).laid_out()
        for d in LENGTHS:
            expected = block(word, 3, length=d, frames="link", **options).bodies[0].elastic.stiffness
            z = np.zeros(1 + len(expected))
            z[0] = d
            found = stiffness_at(data, z)[0]
            np.testing.assert_allclose(found[1:, 1:], expected, rtol=0, atol=1e-13 * np.abs(expected).max())
            assert np.all(found[0] == 0.0)  # a straight beam does not push


def test_full_integration_is_kept():
    options = {"integration": "full", "planar": True}
    data = sleeve_of(sleeve_mesh(span("timoshenko", 3, length=LENGTH, **options))).laid_out()
    expected = block("timoshenko", 3, length=0.4, frames="link", **options).bodies[0].elastic.stiffness
    z = np.zeros(1 + len(expected))
    z[0] = 0.4
    np.testing.assert_allclose(stiffness_at(data, z)[0][1:, 1:], expected, rtol=0, atol=1e-13 * np.abs(expected).max())


def test_stations_carry_the_whole_beam_and_the_tip_moves_with_the_last_node(word):
    mesh = sleeve_mesh(span(word, 3, length=LENGTH, grading=2.0))
    sleeve = sleeve_of(mesh)
    assert sleeve.weight.sum() == pytest.approx(1.0, rel=1e-14)
    assert np.all((sleeve.xi > 0.0) & (sleeve.xi < 1.0))
    last = mesh.count - mesh.per_node
    for rows in (sleeve.tip_phi, sleeve.tip_psi):
        np.testing.assert_array_equal(rows[:, :last], 0.0)
    np.testing.assert_array_equal(np.vstack([sleeve.tip_phi[1:], sleeve.tip_psi])[:, last:], np.eye(mesh.per_node))


def test_levers_bound_what_a_unit_of_a_coordinate_moves():
    sleeve = sleeve_of(sleeve_mesh(span("hermite", 2, length=LENGTH, theory="euler", planar=True)))
    # deflection of a node: 1; slope: 4/27 of the element's length at a third of it, seen at Gauss points
    assert sleeve.levers[0] == 1.0
    assert sleeve.levers[1] == pytest.approx(1.0, rel=0.03)
    assert sleeve.levers[2] == pytest.approx(4.0 / 27.0 * 0.5 * LENGTH, rel=0.05)


def test_a_chain_of_rigid_pieces_cannot_slide():
    with pytest.raises(AnalysisError, match=r'formulation is "rigid-fe" with joint\.sleeve, must be one whose'):
        sleeve_mesh(span("rigid-fe", 3, length=LENGTH))


def test_a_taper_cannot_slide():
    tapered = {**NUMBERS, "end": {"mass_per_length": 0.2}}
    with pytest.raises(AnalysisError, match=r"beam\.end is given with joint\.sleeve"):
        sleeve_mesh(span("hermite", 3, length=LENGTH, beam=tapered))
