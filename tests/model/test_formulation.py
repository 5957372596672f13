"""How a beam is modelled: what each key means alone and beside the others."""

from __future__ import annotations

from typing import Any

import pytest

from flexarm.errors import ModelError
from flexarm.model import Arm, Formulation, format_arm, parse_arm, part_to_dict

FINITE_ELEMENTS = ["frames", "stiffening", "theory", "integration", "grading", "modes", "reduction"]
VALUES: dict[str, Any] = {
    "frames": "link",
    "stiffening": False,
    "theory": "euler",
    "integration": "full",
    "grading": 2.0,
    "modes": 3,
    "reduction": "clamped",
}


def sentences(**fields: Any) -> list[str]:
    with pytest.raises(ModelError) as error:
        Formulation(**fields)
    return [problem.message for problem in error.value.problems]


def arm(model: dict[str, Any], **link: Any) -> Arm:
    beam = {"bending_stiffness": 1, "mass_per_length": 1}
    return Arm(links=[{"name": "a", "joint": {"type": "fixed"}, "length": 1, "beam": beam, "model": model, **link}])


def test_what_is_not_said_is_left_to_the_formulation() -> None:
    plain = Formulation(formulation="hermite")
    assert plain.freedoms is None and plain.theory is None
    assert (plain.frames, plain.stiffening, plain.integration, plain.grading) == ("element", True, "reduced", 1.0)
    assert (plain.modes, plain.reduction) == (0, "craig-bampton")


def test_freedoms_come_in_their_usual_order() -> None:
    assert Formulation(freedoms="classical").freedoms == ("bending", "torsion", "shear", "axial")
    assert Formulation(freedoms=["axial", "bending"]).freedoms == ("bending", "axial")
    assert Formulation(freedoms="bending").freedoms == ("bending",)


def test_every_key_comes_back_from_a_file() -> None:
    model = {"formulation": "timoshenko", "elements": 4, "freedoms": ["bending", "axial"], **VALUES}
    written = arm(model)
    assert parse_arm(format_arm(written)) == written
    assert part_to_dict(written.links[0].formulation) == model


@pytest.mark.parametrize("key", FINITE_ELEMENTS)
@pytest.mark.parametrize("word", [{}, {"formulation": "rigid-fe"}])
def test_keys_of_finite_elements_are_refused_beside_rigid_ones(key: str, word: dict[str, str]) -> None:
    found = sentences(**word, **{key: VALUES[key]})
    assert found == [f'{key} is given beside formulation "rigid-fe", must stand beside one of finite elements']


@pytest.mark.parametrize("key", ["frames", "stiffening", "theory", "grading"])
def test_a_formulation_from_elsewhere_may_take_them(key: str) -> None:
    assert getattr(Formulation(formulation="my own", **{key: VALUES[key]}), key) == VALUES[key]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"formulation": "hermite", "integration": "full"},
            'integration is given beside formulation "hermite", must stand beside "timoshenko"',
        ),
        ({"formulation": "hermite", "modes": 3}, 'modes is given, must stand beside frames = "link"'),
        (
            {"formulation": "hermite", "frames": "element", "reduction": "clamped"},
            'reduction is given, must stand beside frames = "link"',
        ),
        (
            {"formulation": "hermite", "frames": "link", "reduction": "clamped"},
            "reduction is given, must stand beside modes > 0",
        ),
        (
            {"formulation": "hermite", "freedoms": "classical", "theory": "euler"},
            'theory is "euler", must be "timoshenko" where freedoms hold "shear"',
        ),
        (
            {"formulation": "hermite", "freedoms": ["shear"], "theory": "rayleigh"},
            'theory is "rayleigh", must be "timoshenko" where freedoms hold "shear"',
        ),
        ({"formulation": "hermite", "grading": 0.009}, "grading is 0.009, must be ≥ 0.01"),
        ({"formulation": "hermite", "grading": "101"}, 'grading is "101", must be ≤ 100'),
        ({"formulation": "hermite", "frames": "body"}, 'frames is "body", must be "element" or "link"'),
        ({"formulation": "hermite", "stiffening": 1}, "stiffening is 1, must be true or false"),
        (
            {"formulation": "hermite", "theory": "timoshenk"},
            'theory is "timoshenk", must be "timoshenko", "rayleigh" or "euler" (did you mean "timoshenko"?)',
        ),
        ({"formulation": "timoshenko", "integration": "half"}, 'integration is "half", must be "reduced" or "full"'),
        (
            {"formulation": "hermite", "frames": "link", "modes": -1},
            "modes is -1, must be a whole number from 0 to 10000",
        ),
        (
            {"formulation": "hermite", "frames": "link", "modes": 2, "reduction": "guyan"},
            'reduction is "guyan", must be "clamped" or "craig-bampton"',
        ),
    ],
)
def test_contradictory_models_are_refused_in_one_sentence(fields: dict[str, Any], sentence: str) -> None:
    assert sentences(**fields) == [sentence]


def test_no_modes_may_be_said_aloud() -> None:
    assert Formulation(formulation="hermite", modes=0).modes == 0


def test_the_place_of_a_mistake_is_the_link_s_model() -> None:
    with pytest.raises(ModelError, match=r'link\[0\]\.model: frames is given beside formulation "rigid-fe"'):
        arm({"frames": "link"})
