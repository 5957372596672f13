"""What no formulation can model is refused in one sentence that names the link and the cure."""

from __future__ import annotations

import pytest

import flexarm as fa
from flexarm.errors import AnalysisError

from .cantilever import LIMP, NAMES, cantilever


def refusal(arm: fa.Arm) -> str:
    with pytest.raises(AnalysisError) as refused:
        fa.modes(arm)
    message = str(refused.value)
    assert "\n" not in message and '"beam"' in message and "must" in message
    return message


def test_an_unknown_formulation_is_refused_with_those_known():
    message = refusal(cantilever(LIMP, formulation="spagheti"))
    assert '"spagheti"' in message
    assert all(name in message for name in NAMES)


@pytest.mark.parametrize(
    ("freedom", "key", "planar"),
    [
        ("shear", "shear_stiffness", True),
        ("shear", "shear_stiffness", False),
        ("axial", "axial_stiffness", True),
        ("torsion", "torsional_stiffness", False),
    ],
)
def test_a_freedom_without_its_stiffness_is_refused_by_name(freedom, key, planar):
    beam = {**LIMP, "polar_inertia": 1e-4}
    assert key in refusal(cantilever(beam, planar=planar, freedoms=("bending", freedom)))


def test_torsion_of_a_planar_beam_asks_for_nothing():
    assert fa.modes(cantilever(LIMP, freedoms=("bending", "torsion"))).frequencies_hz[0] > 0


def test_a_chain_that_cannot_bend_is_refused():
    assert "bending" in refusal(cantilever({**LIMP, "axial_stiffness": 1e3}, freedoms=("axial",)))


def test_a_mode_beyond_the_last_is_refused():
    assert "damping.mode is 5" in refusal(cantilever(LIMP, 4, damping={"ratio": 0.1, "mode": 5}))


def test_a_beam_without_mass_is_refused():
    with pytest.raises(fa.FlexarmError, match="mass_per_length"):
        fa.modes(cantilever({**LIMP, "mass_per_length": 0.0}))
