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
def test_keys_of_finite_elements_are_refused_with_rigid_ones(key: str) -> None:
    found = sentences(formulation="rigid-fe", **{key: VALUES[key]})
    assert found == [f'{key} is given with formulation "rigid-fe", must be given with a finite-element formulation']


@pytest.mark.parametrize("key", ["frames", "stiffening", "theory", "grading"])
def test_a_formulation_from_elsewhere_may_take_them(key: str) -> None:
    assert getattr(Formulation(formulation="my own", **{key: VALUES[key]}), key) == VALUES[key]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"formulation": "hermite", "integration": "full"},
            'integration is given with formulation "hermite", must be given with "timoshenko"',
        ),
        ({"formulation": "hermite", "modes": 3}, 'modes is given, must be given with frames = "link"'),
        (
            {"formulation": "hermite", "frames": "element", "reduction": "clamped"},
            'reduction is given, must be given with frames = "link"',
        ),
        (
            {"formulation": "hermite", "frames": "link", "reduction": "clamped"},
            "reduction is given, must be given with modes > 0",
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


@pytest.mark.parametrize(
    ("key", "value", "owner"),
    [("shapes", "pinned", "modes"), ("order", "printed", "modes"), ("kinematics", "printed", "hencky")],
)
def test_what_is_one_formulation_s_own_is_refused_with_others(key: str, value: str, owner: str) -> None:
    assert getattr(Formulation(formulation=owner, **{key: value}), key) == value
    assert getattr(Formulation(formulation="my own", **{key: value}), key) == value
    for other in ("rigid-fe", "hencky", "modes", "timoshenko", "hermite", "isoparametric"):
        if other != owner:
            reported = f'{key} is given with formulation "{other}", must be given with "{owner}"'
            assert sentences(formulation=other, **{key: value}) == [reported]


def test_shapes_are_a_word_or_a_list_and_come_back_from_a_file() -> None:
    assert Formulation(formulation="modes").shapes == "payload"
    shapes = [{"direction": "bending_z", "polynomial": [0.0, 0.0, 1.0]}]
    # one table stands for a list of one
    assert Formulation(formulation="modes", shapes=shapes[0]) == Formulation(formulation="modes", shapes=shapes)
    for value in ("clamped", shapes):
        written = arm({"formulation": "modes", "shapes": value, "order": "printed"})
        assert parse_arm(format_arm(written)) == written
        assert part_to_dict(written.links[0].formulation)["shapes"] == value
        assert hash(written) == hash(parse_arm(format_arm(written)))


SQUARE = {"polynomial": [0, 0, 1]}


@pytest.mark.parametrize(
    ("shape", "sentence"),
    [
        ({}, "has none of polynomial, at and values, must have polynomial, or at and values"),
        (
            {**SQUARE, "at": [0, 1, 2]},
            "has polynomial and at of polynomial, at and values, must have polynomial, or at",
        ),
        ({"polynomial": [0, 1e-3, 1]}, "polynomial begins with 0, 0.001, must begin with 0, 0: the base is clamped"),
        ({"polynomial": [1]}, "polynomial begins with 1, must begin with 0, 0: the base is clamped"),
        ({"polynomial": [0, 0, 0]}, "polynomial is nought everywhere, must move somewhere"),
        ({**SQUARE, "rotation": [1]}, "rotation begins with 1, must begin with 0: the base is clamped"),
        ({"direction": "torsion", "polynomial": [1, 1]}, "polynomial begins with 1, must begin with 0"),
        ({"direction": "axial", "polynomial": [0, 1], "rotation": [0]}, 'rotation is given with direction "axial"'),
        ({"direction": "sway", "polynomial": [0, 0, 1]}, 'direction is "sway", must be "bending_z", "bending_y"'),
        ({"at": [0, 0.5, 1], "values": [0.1, 0.5, 1]}, "values begins with 0.1, must begin with 0"),
        ({"at": [0, 0.5, 1], "values": [0, 0.5, 0.7, 1]}, "values has 4 entries, must have as many as at, 3"),
        ({"at": [0.1, 0.5, 1], "values": [0, 0.5, 1]}, "at begins with 0.1 m, must begin with 0 m"),
        ({"at": [0, 0.5, 0.5, 1], "values": [0, 0.5, 0.6, 1]}, "at does not rise, must rise from entry to entry"),
        ({"at": [0, 1], "values": [0, 1]}, "at has 2 entries, must have 3 or more"),
        ({"at": ["0 m", "0.5 kg", 1], "values": [0, 0.5, 1]}, 'at[1] is "0.5 kg"'),
    ],
)
def test_a_shape_that_cannot_be_is_refused_in_its_place(shape: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ModelError) as error:
        Formulation(formulation="modes", shapes=[SQUARE, shape])
    assert all(problem.place == "shapes[1]" for problem in error.value.problems)
    assert any(problem.message.startswith(sentence) for problem in error.value.problems)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"shapes": "pinnd"},
            'shapes is "pinnd", must be "clamped", "payload", "pinned" or "pinned-pinned" or a list of shapes '
            '(did you mean "pinned"?)',
        ),
        ({"shapes": []}, 'shapes is [], must be "clamped", "payload", "pinned" or "pinned-pinned" or a list of shapes'),
        ({"shapes": [SQUARE], "modes": 2}, "modes is given with shapes that are listed, must be left to them"),
        (
            {"shapes": [SQUARE], "freedoms": "bending"},
            "freedoms is given with shapes that are listed, must be left to them",
        ),
        ({"order": "third"}, 'order is "third", must be "second" or "printed"'),
    ],
)
def test_shapes_and_orders_that_do_not_fit_are_refused_in_one_sentence(fields: dict[str, Any], sentence: str) -> None:
    assert sentences(formulation="modes", **fields) == [sentence]


def test_points_of_a_shape_end_with_the_link() -> None:
    points = {"at": [0, 0.5, 0.9], "values": [0, 0.5, 1]}
    with pytest.raises(
        ModelError, match=r"link\[0\]\.model\.shapes\[0\]: at ends with 0\.9 m, must end with the link's length, 1 m"
    ):
        arm({"formulation": "modes", "shapes": [points]})


def test_no_modes_may_be_said_aloud() -> None:
    assert Formulation(formulation="hermite", modes=0).modes == 0


def test_the_place_of_a_mistake_is_the_link_s_model() -> None:
    with pytest.raises(ModelError, match=r'link\[0\]\.model: frames is given with formulation "rigid-fe"'):
        arm({"formulation": "rigid-fe", "frames": "link"})
