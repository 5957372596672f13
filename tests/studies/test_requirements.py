"""Requirements: their geometry, what their tables may say, and what is refused."""

import numpy as np
import pytest

from flexarm.errors import AnalysisError, ModelError
from flexarm.studies.outputs.requirement_values import _turned, check_times, region_signals
from flexarm.studies.reliability.requirement_tables import requirements_from
from flexarm.studies.reliability.requirements import Requirement

GRID = np.linspace(0.0, 2.0, 1001)


def _inside(requirement, *places):
    """Whether each place is inside."""
    points = np.array(places, dtype=float)
    centres = np.repeat(np.array(requirement.centre)[None], len(points), axis=0)
    return (np.abs(region_signals(requirement, points, centres)).max(axis=0) <= requirement.limit).tolist()


def test_a_circle_looks_at_its_plane_alone():
    flat = Requirement("A", "circle", limit=0.1, centre=(1.0, 2.0))
    assert _inside(flat, (1.05, 2.08, 9.0), (1.07, 2.08, 0.0)) == [True, False]
    upright = Requirement("A", "circle", limit=0.1, centre=(1.0, 2.0), plane="xz")
    assert _inside(upright, (1.06, 9.0, 2.07), (1.06, 2.07, 9.0)) == [True, False]


def test_a_sphere_looks_at_all_three_axes():
    ball = Requirement("A", "sphere", limit=0.3, centre=(0, 0, 1))
    assert _inside(ball, (0.1, 0.2, 1.2), (0.1, 0.2, 1.21)) == [True, False]  # 0.1² + 0.2² + 0.2² = 0.3²


def test_a_box_reaches_half_its_size_to_each_side():
    box = Requirement("A", "box", centre=(1, 1, 1), size=(0.2, 0.4, 0.6))
    assert _inside(box, (1.09, 0.81, 1.29), (1.11, 1, 1), (1, 1.21, 1), (1, 1, 0.69)) == [True, False, False, False]
    assert _inside(Requirement("A", "box", centre=(1, 1), size=(0.2, 0.4)), (1.09, 0.81, 77.0)) == [True]


def test_an_ellipse_has_its_first_axis_at_its_angle():
    ellipse = Requirement("A", "ellipse", centre=(0, 0), size=(0.2, 0.05), angle=np.pi / 2)
    assert _inside(ellipse, (0, 0.19, 0), (0.19, 0, 0), (0.04, 0, 0)) == [True, False, True]
    turned = Requirement("A", "ellipse", centre=(0, 0), size=(0.2, 0.05), angle=np.pi / 6)
    along, mirrored = (0.19 * np.cos(np.pi / 6), 0.095, 0), (0.19 * np.cos(np.pi / 6), -0.095, 0)
    assert _inside(turned, along, mirrored) == [True, False]


def test_the_number_of_a_box_or_ellipse_is_the_factor_it_would_have_to_grow_by():
    for kind in ("box", "ellipse"):
        region = Requirement("A", kind, centre=(0, 0), size=(0.2, 0.2))
        half = 0.1 if kind == "box" else 0.2
        found = region_signals(region, np.array([[3 * half, 0, 0]]), np.zeros((1, 2)))
        assert np.abs(found).max() == pytest.approx(3.0, rel=1e-14)


@pytest.mark.parametrize("angle", [1e-9, 0.3, 3.0])
def test_an_orientation_is_the_angle_between_two_whichever_sign_its_quaternions_have(angle):
    axis = np.array([0.6, 0.0, 0.8])
    turned = np.array([[np.cos(angle / 2), *(np.sin(angle / 2) * axis)]])
    upright = np.array([[1.0, 0.0, 0.0, 0.0]])
    for sign in (1.0, -1.0):
        assert _turned(sign * turned, upright)[0] == pytest.approx(angle, rel=1e-12)
    assert _turned(turned, turned)[0] == 0.0


def test_instants_are_put_on_the_samples_of_a_plain_run_and_intervals_keep_their_ends():
    at = check_times(Requirement("A", "sphere", limit=1.0, at=(0.5000000000001, 0.12345)), GRID, 2.0)
    assert at.tolist() == [0.12345, GRID[250]]
    during = check_times(Requirement("A", "sphere", limit=1.0, during=(0.1001, 0.2)), GRID, 2.0)
    assert (during[0], during[-1], len(during)) == (0.1001, GRID[100], 51)


def test_a_requirement_beyond_the_end_is_refused():
    with pytest.raises(AnalysisError, match=r'requirement "A" is at 3 s, must be within 0 and the end, 2 s'):
        check_times(Requirement("A", "sphere", limit=1.0, at=(3.0,)), GRID, 2.0)


TABLES = {
    "circle": {"centre": ["-25 mm", "526 mm"], "radius": "15 mm"},
    "sphere": {"centre": [0, 0, 1], "radius": 0.1},
    "box": {"centre": "nominal", "size": ["1 mm", "2 mm"]},
    "ellipse": {"centre": [0, 0], "semi_axes": ["1 mm", "2 mm"], "angle": "30 deg"},
    "orientation": {"angle": "90 deg", "within": "1 deg"},
    "speed": {"below": "0.1 m/s"},
    "deflection": {"below": "2 mm"},
    "settled": {"by": "1.8 s", "within": "1 mm", "about": "equilibrium"},
    "settling_time": {"below": "1.8 s", "within": "1 mm"},
}


@pytest.mark.parametrize("kind", TABLES)
def test_every_kind_can_stand_in_a_file_and_comes_back_from_its_data(kind):
    (found,) = requirements_from([{"name": "A", kind: TABLES[kind]}])
    assert found.kind == kind
    assert Requirement.from_dict(found.to_dict()) == found
    assert found.words.startswith("tip ")


def test_units_are_read_at_the_door():
    found = requirements_from(
        [{"at": ["500 ms", 1], "circle": TABLES["circle"]}, {"orientation": TABLES["orientation"]}]
    )
    assert found[0] == Requirement("1", "circle", limit=0.015, centre=(-0.025, 0.526), at=(0.5, 1.0))
    half = np.sqrt(0.5)
    assert found[1].target == pytest.approx((half, 0.0, 0.0, half), abs=1e-15)


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ({}, "requirement[0]: has none of circle, sphere,"),
        ({"circle": {"radius": 1}, "speed": {"below": 1}}, "requirement[0]: has circle and speed of"),
        ({"circle": {"radius": "-1 mm"}}, 'requirement[0]: circle.radius is "-1 mm", must be > 0'),
        ({"circle": {"radius": "1 s"}}, 'requirement[0]: circle.radius is "1 s", must '),
        ({"circle": {"radus": 1}}, "requirement[0]: circle.radus is not known, must be "),
        ({"circel": {"radius": 1}}, "requirement[0]: circel is not known, must be "),
        (
            {"circle": {"radius": {"normal": ["1 m", "1 mm"]}}},
            "circle.radius is a distribution, must be given plainly: numbers of requirements are not random",
        ),
        ({"at": [{"uniform": [0, 1]}], "speed": {"below": 1}}, "at[0] is a distribution, must be given plainly"),
        ({"circle": {"radius": {"norml": [1, 2]}}}, "circle.radius is a table, must be a number or a text with its"),
        ({"at": [], "speed": {"below": 1}}, "at is [], must hold a time, or be left out for the end"),
        (
            {"orientation": {"angle": 1, "quaternion": [1, 0, 0, 0], "within": 1}},
            "orientation has angle and quaternion, must have one of them",
        ),
        ({"circle": {}}, "requirement[0]: circle.radius is missing"),
        ({"circle": {"radius": 1, "centre": [1, 2, 3]}}, "must be nominal or 2 lengths"),
        ({"circle": 3}, "requirement[0]: circle is 3, must be a table"),
        ({"at": 1, "during": [1, 2], "speed": {"below": 1}}, "has both at and during"),
        ({"during": [2, 1], "speed": {"below": 1}}, "during is [2.0, 1.0], must be two rising times"),
        ({"at": 1, "settled": TABLES["settled"]}, "has at or during together with settled"),
        ({"at": 1, "settling_time": TABLES["settling_time"]}, "must have neither at nor during"),
        ({"settling_time": {"below": 1}}, "settling_time.within is missing"),
        ({"settled": {"by": 1, "within": 1, "of": "rigid"}}, 'settled.of is "rigid", must be "point" or "elastic"'),
        ({"settled": {"by": 1, "within": 1, "about": 3}}, 'settled.about is 3, must be "target" or "equilibrium"'),
        ({"box": {"size": [1, -1]}}, "must be 2 or 3 lengths > 0"),
        ({"orientation": {"quaternion": [0, 0, 0, 0], "within": 1}}, "four numbers of a quaternion"),
    ],
)
def test_what_a_table_may_not_say_is_reported_with_its_place(entry, sentence):
    with pytest.raises(ModelError) as refused:
        requirements_from([entry], source="arm.toml")
    assert sentence in str(refused.value)
    assert str(refused.value).startswith("arm.toml: requirement[0]: ")


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"limit": "5 mm"}, 'limit is "5 mm", must be a number (SI)'),
        ({"limit": None}, "limit is "),
        ({"at": ("1 s",)}, 'at is "1 s", must be a number (SI)'),
        ({"at": "1 s"}, 'at is "1 s", must be a number (SI)'),
        ({"during": ("0 s", 1.0)}, 'during is "0 s", must be a number (SI)'),
        ({"centre": "nominl"}, 'centre is "nominl", must be nominal or 2 lengths'),
    ],
)
def test_what_a_requirement_made_in_python_may_not_hold_is_reported_in_a_sentence(fields, sentence):
    with pytest.raises(AnalysisError) as refused:
        Requirement("A", "circle", **{"limit": 1.0, **fields})
    assert str(refused.value).startswith(f'requirement "A": {sentence}')


def test_numbers_of_numpy_make_the_requirement_of_plain_ones():
    found = Requirement("A", "circle", np.float32(0.5), at=np.array([1, 2]), centre=np.array([0.0, 1.0]))
    assert found == Requirement("A", "circle", 0.5, at=(1.0, 2.0), centre=(0.0, 1.0))


def test_two_requirements_have_two_names():
    with pytest.raises(ModelError, match=r'requirement\[1\]: name is "A", which another has already'):
        requirements_from([{"name": "A", "speed": {"below": 1}}, {"name": "A", "speed": {"below": 2}}])


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ({"signal": "root.strain", "below": "5 mm"}, 'below is "5 mm", must be a number'),
        ({"signal": "hub.position", "within": "5 kg"}, 'within is "5 kg", must be an angle or a length'),
        ({"signal": "tip.across", "settled": {"by": "1 s", "within": "2 N"}}, 'settled.within is "2 N", must be a len'),
        ({"signal": "tip.foo", "below": "5 mm"}, 'signal is "tip.foo", must be a signal such as'),
    ],
)
def test_bounds_of_signals_have_their_units(entry, sentence):
    with pytest.raises(ModelError) as refused:
        requirements_from([entry])
    assert sentence in str(refused.value)


def test_a_joint_may_turn_or_slide():
    found = requirements_from([{"signal": "hub.torque", "above": "-5 N", "below": "5 N m"}])
    assert found[0].band == (-5.0, 5.0)
