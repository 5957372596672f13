"""What every formulation does, whatever its traits: those of the table, and one that is made of a file and a line.

The one that is added stands for a uniform beam of a planar arm by one hinge: it has no mesh, no theory, no shear.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flexarm as fa
from flexarm.core.tree.build import Body
from flexarm.errors import AnalysisError, ModelError
from flexarm.formulations import FORMULATIONS, KEYS, Traits
from flexarm.links.base import BeamSpan, LinkBlock, Place, RigidPiece, Station

EI, RHO, LENGTH, FORCE = 30.0, 0.5, 1.0, 0.01
# Given to all, so that elements whose sections turn by themselves have what they need: next to nothing of it.
BEAM = {"bending_stiffness": EI, "mass_per_length": RHO, "shear_stiffness": 3e6, "rotary_inertia": 5e-6}
# Within which part of the first frequency one hinge, exact in its sag, comes: √13.5/3.516 − 1; the others do better.
OFF = {"one-hinge": 0.05}
VALUES: dict[str, Any] = {
    "frames": "link",
    "stiffening": False,
    "theory": "timoshenko",
    "integration": "full",
    "grading": 2.0,
    "modes": 3,
    "reduction": "clamped",
    "shapes": "pinned",
    "order": "printed",
    "kinematics": "printed",
    "nodes": (0.123,),
}
WITH: dict[str, dict[str, Any]] = {"modes": {"frames": "link"}, "reduction": {"frames": "link", "modes": 3}}


def one_hinge(span: BeamSpan) -> LinkBlock:
    """Two rigid pieces and a spring at a third of the length, which has the tip's deflection and slope."""
    hinge = span.length / 3.0
    beam = span.properties(0.0)

    def piece(length: float) -> RigidPiece:
        mass = beam.mass_per_length * length
        across = mass * length**2 / 12.0
        return RigidPiece(mass, np.array([length / 2.0, 0.0, 0.0]), np.diag([0.0, across, across]))

    outer, spring = piece(span.length - hinge), 4.0 * beam.EIz / (3.0 * span.length)
    body = Body(
        parent=-1,
        kind="revolute",
        axis=np.array([0.0, 0.0, 1.0]),
        offset=np.array([hinge, 0.0, 0.0]),
        stiffness=spring,
        mass=outer.mass,
        centre=outer.centre,
        inertia=outer.inertia,
    )
    return LinkBlock(
        carried=piece(hinge),
        bodies=(body,),
        names=("bending_z1",),
        directions=("bending_z",),
        units=("rad",),
        reads=lambda: (Station(hinge, "bending_z", (0,), (1.5 / span.length,), (spring,), (0.0,)),),
        place=lambda s: Place(-1, s) if s <= hinge else Place(0, s - hinge),
        extents=(span.length - hinge,),
    )


ONE_HINGE = Traits(one_hinge, mesh="", freedoms=("bending",), planar_only=True, lumped=True)
EVERY = pytest.mark.parametrize("word", [*FORMULATIONS, "one-hinge"])


@pytest.fixture(autouse=True)
def added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMULATIONS, "one-hinge", ONE_HINGE)


def arm(
    word: str, *, planar: bool = True, joint: Any = None, model: Any = None, beam: Any = None, **keys: Any
) -> fa.Arm:
    """A beam in this formulation, as it comes: clamped, or behind the joint."""
    link = {
        "name": "beam",
        "joint": joint or {"type": "fixed"},
        "length": LENGTH,
        "beam": BEAM if beam is None else beam,
        "model": {"formulation": word, **(model or {})},
        **keys.pop("link", {}),
    }
    return fa.Arm(planar=planar, gravity=(0, 0, 0), links=[link], **keys)


@EVERY
def test_its_model_comes_back_from_a_file(word: str) -> None:
    made = arm(word)
    assert fa.parse_arm(fa.format_arm(made)) == made


@EVERY
def test_it_knows_its_keys_and_refuses_the_others(word: str) -> None:
    traits = FORMULATIONS[word]
    for key in KEYS:
        model = {"formulation": word, key: VALUES[key], **(WITH.get(key, {}) if traits.link_frame == "option" else {})}
        if key in traits.keys:
            assert getattr(fa.Formulation(**model), key) == VALUES[key]
        else:
            with pytest.raises(ModelError, match=f'{key} is given with formulation "{word}", must be given with'):
                fa.Formulation(**{"formulation": word, key: VALUES[key]})
    if not traits.mesh:
        with pytest.raises(ModelError, match=f'elements is given with formulation "{word}", which has none'):
            fa.Formulation(formulation=word, elements=3)


@EVERY
def test_it_sags_as_a_beam_and_has_its_first_frequency(word: str) -> None:
    found = fa.statics(arm(word, loads=[{"link": "beam", "force": (0.0, FORCE, 0.0)}]))
    # four assumed modes miss a part 4/Σβ⁻⁴ of the sag, ten linear elements or hinges 1/4n² of it
    assert found.tip_sag["tip"][1] == pytest.approx(FORCE * LENGTH**3 / (3.0 * EI), rel=5e-3)
    first = 2.0 * np.pi * fa.modes(arm(word), count=1).frequencies_hz[0]
    assert first == pytest.approx(3.51602 * np.sqrt(EI / RHO) / LENGTH**2, rel=OFF.get(word, 5e-3))


@EVERY
def test_a_run_keeps_its_energy_and_can_be_reported_and_drawn(word: str) -> None:
    swing = {"swing": {"kind": "cycloidal", "travel": 1.0, "duration": 0.4}}
    turned = arm(word, joint={"type": "revolute", "motion": "swing"}, motions=swing)
    run = fa.simulate(turned, end=0.6)
    assert run.complete
    assert np.abs(run.values("energy_balance_error")).max() < 1e-3 * np.abs(run.values("energy_kinetic")).max()
    assert word in run.summary() or FORMULATIONS[word].mesh == "modes"
    line = run.values("line_deflection")
    assert np.isfinite(line).all() and np.abs(line).max() > 0.0
    assert "beam" in fa.check(turned).summary()
    assert "<svg" in turned._repr_html_()


@EVERY
def test_it_stands_in_space_or_says_why_not(word: str) -> None:
    beam = {"section": {"shape": "circle", "diameter": "10 mm"}, "material": "steel"}
    spatial = arm(word, planar=False, beam=beam)
    if FORMULATIONS[word].planar_only:
        with pytest.raises(AnalysisError, match=f'model.formulation is "{word}", must stand in a planar arm'):
            fa.modes(spatial)
    else:
        data = spatial.links[0].beam.properties()
        first = 3.51602 * np.sqrt(data.EIz / data.mass_per_length) / LENGTH**2 / (2.0 * np.pi)
        assert fa.modes(spatial, count=2).frequencies_hz == pytest.approx([first, first], rel=5e-3)


@EVERY
def test_it_is_compared_with_the_others(word: str) -> None:
    swing = {"swing": {"kind": "cycloidal", "travel": 0.2, "duration": 0.4}}
    made = arm("hermite", joint={"type": "revolute", "motion": "swing"}, motions=swing, simulation={"end": 0.6})
    found = fa.compare(made, [word], elements=(4,), tolerance=1e-3)
    assert [row.model for row in found.rows] == [word]
    assert found.rows[0].tip_error is not None
    assert word in found.summary()


@EVERY
def test_it_is_refined_where_there_is_more_of_it(word: str) -> None:
    model = fa.Formulation(formulation=word, **({"elements": 3} if FORMULATIONS[word].mesh == "elements" else {}))
    finer, mesh = model.refined(2), FORMULATIONS[word].mesh
    assert (getattr(finer, mesh) == 2 * getattr(model, mesh)) if mesh else (finer == model)
