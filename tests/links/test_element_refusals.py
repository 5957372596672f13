"""What finite elements cannot model is refused in one sentence that names the key; damping means what it says."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from flexarm.errors import AnalysisError
from flexarm.links import block_of
from flexarm.links.base import BeamSpan
from flexarm.links.damping import clamped_frequencies, damped
from flexarm.model import Beam, Damping
from tests.oracles import beams

from .meshes import NUMBERS, STUBBY, WORDS, block, span

WORD = pytest.mark.parametrize("word", WORDS)
SEPARATE = pytest.mark.parametrize("word", ["timoshenko", "isoparametric"])
BARE = {"bending_stiffness": 30.0, "mass_per_length": 0.5}


def refusal(word: str, **keys) -> str:
    with pytest.raises(AnalysisError) as refused:
        block(word, **keys)
    message = str(refused.value)
    assert "\n" not in message and message.startswith('link "beam": ') and "must" in message
    return message


def without(*keys: str) -> dict:
    return {key: value for key, value in NUMBERS.items() if key not in keys}


@SEPARATE
@pytest.mark.parametrize("theory", ["euler", "rayleigh"])
def test_elements_whose_sections_turn_by_themselves_know_one_theory(word, theory):
    message = refusal(word, theory=theory)
    assert f'model.theory is "{theory}"' in message and '"hermite"' in message


@SEPARATE
@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("key", ["shear_stiffness", "rotary_inertia"])
def test_elements_whose_sections_turn_by_themselves_need_shear_and_rotary_inertia(word, planar, key):
    assert f"{key} is missing" in refusal(word, beam=without(key), planar=planar)


def test_cubic_elements_need_shear_only_where_it_is_asked_for():
    beam = without("shear_stiffness", "rotary_inertia")
    assert "shear_stiffness is missing" in refusal("hermite", beam=beam, theory="timoshenko")
    assert "shear_stiffness is missing" in refusal("hermite", beam=beam, freedoms=("bending", "shear"))
    assert len(block("hermite", 2, beam=beam).names) == 10


@pytest.mark.parametrize("given", ["timoshenko", "rayleigh", "euler", None])
def test_the_theory_of_cubic_elements_is_shear_where_it_is_known(given):
    p = Beam(**STUBBY).properties()
    bar = {"EI": p.EIz, "rhoA": p.mass_per_length, "L": 1.0}
    exact = {
        "timoshenko": beams.timoshenko(1, kGA=p.GAy, rhoI=p.jz, **bar),
        "rayleigh": beams.rayleigh(1, rhoI=p.jz, **bar),
        "euler": beams.euler(1, **bar),
    }
    found = clamped_frequencies(block("hermite", 20, beam=STUBBY, planar=True, length=1.0, theory=given))[0]
    # the three differ by half a per cent and more; twenty elements are within 1e-4
    assert found == pytest.approx(exact[given or "timoshenko"][0], rel=1e-4)


def test_without_shear_stiffness_the_theory_is_rayleighs():
    found, by_name = (
        clamped_frequencies(block("hermite", 5, beam=without("shear_stiffness"), planar=True, theory=theory))
        for theory in (None, "rayleigh")
    )
    np.testing.assert_array_equal(found, by_name)


@WORD
@pytest.mark.parametrize(
    ("freedom", "key", "planar"),
    [
        ("axial", "axial_stiffness", True),
        ("axial", "axial_stiffness", False),
        ("torsion", "torsional_stiffness", False),
    ],
)
def test_a_freedom_without_its_stiffness_is_refused_by_name(word, freedom, key, planar):
    message = refusal(word, beam=without(key), planar=planar, freedoms=("bending", freedom))
    assert f"{key} is missing" in message


@WORD
def test_torsion_is_free_where_it_is_known_and_not_refused_where_it_is_not_asked_for(word):
    known = block(word, 2)
    assert "torsion" in known.directions
    assert "torsion" not in block(word, 2, beam=without("torsional_stiffness")).directions
    # the inertia is taken from what else is known: a stiffness that is given is never dropped
    assert "torsion" in block(word, 2, beam=without("polar_inertia")).directions
    assert set(block(word, 2, freedoms=("bending",)).directions) == {"bending_y", "bending_z"}
    assert set(block(word, 2, planar=True, freedoms=("bending", "torsion")).directions) == {"bending_z"}


@WORD
def test_a_beam_that_cannot_bend_is_refused(word):
    assert '"bending"' in refusal(word, freedoms=("axial",))


@WORD
def test_a_beam_without_mass_is_refused(word):
    assert "mass_per_length is 0 kg/m" in refusal(word, beam={**NUMBERS, "mass_per_length": 0.0})


@WORD
def test_modes_must_be_as_many_as_there_can_be(word):
    assert "model.modes is 3, must be ≥ 5" in refusal(word, elements=4, frames="link", modes=3)
    assert "model.modes is 900, must be ≤" in refusal(word, elements=4, frames="link", modes=900)
    assert len(block(word, 4, frames="link", modes=3, reduction="clamped").names) == 3


@WORD
def test_modes_of_element_frames_are_refused(word):
    # the model refuses it at the door; a model made another way is refused here
    loose = SimpleNamespace(**{**vars(span(word).formulation), "frames": "element", "modes": 4})
    with pytest.raises(AnalysisError, match=r'model\.modes is 4, must be given with frames = "link"'):
        block_of(BeamSpan("beam", Beam(**NUMBERS), 1.0, loose, True))  # type: ignore[arg-type]


# --- Damping ---------------------------------------------------------------------------------------------------------


def damped_block(found, **damping):
    link = SimpleNamespace(name="beam", effective_damping=Damping(**damping))
    return damped(found, span("hermite"), link)  # type: ignore[arg-type]


@pytest.mark.parametrize("word", ["rigid-fe", *WORDS])
def test_retardation_is_a_time_on_every_stiffness_and_every_force(word):
    found = damped_block(block(word, 3), retardation=2e-3)
    for body in found.bodies:
        if body.elastic is None:
            assert body.damping == 2e-3 * body.stiffness
        else:
            np.testing.assert_array_equal(body.elastic.damping, 2e-3 * body.elastic.stiffness)
    for station in found.stations:
        assert station.loss == tuple(2e-3 * force for force in station.force)


@WORD
@pytest.mark.parametrize("keys", [{"frames": "element"}, {"frames": "link"}, {"frames": "link", "modes": 6}])
@pytest.mark.parametrize("mode", [1, 3])
def test_a_ratio_is_that_of_the_clamped_mode(word, keys, mode):
    beam = block(word, 12, beam=STUBBY, planar=True, length=1.0, **keys)
    p = Beam(**STUBBY).properties()
    exact = beams.timoshenko(mode, EI=p.EIz, kGA=p.GAy, rhoA=p.mass_per_length, rhoI=p.jz, L=1.0)[-1]
    found = damped_block(beam, ratio=0.02, mode=mode).bodies[0].elastic
    time = found.damping[0, 0] / found.stiffness[0, 0]
    # ζ = time × ω/2; twelve linear elements have the third frequency 3 % high
    assert time * exact / 2 == pytest.approx(0.02, rel=4e-2)
    assert time * clamped_frequencies(beam)[mode - 1] / 2 == pytest.approx(0.02, rel=1e-12)


def test_damping_per_spring_needs_springs():
    found = damped_block(block("rigid-fe", 3, freedoms=("bending",)), per_spring=0.7)
    assert [station.loss for station in found.stations] == [(0.7,)] * 6
    assert [body.damping for body in found.bodies] == [0.7] * 6
    for word in WORDS:
        with pytest.raises(AnalysisError, match='link "beam": damping has per_spring, must have retardation or ratio'):
            damped_block(block(word, 3), per_spring=0.7)


@WORD
def test_a_mode_beyond_the_last_is_refused(word):
    with pytest.raises(AnalysisError, match=r"damping\.mode is 99, must be ≤ the number of elastic coordinates"):
        damped_block(block(word, 3), ratio=0.1, mode=99)
