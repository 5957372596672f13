"""What the user reads: one sentence per mistake, all mistakes at once, each with file and place."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from flexarm.errors import AnalysisError, FlexarmError, ModelError, Problem
from flexarm.model import Link, Simulation, parse_arm


def lines(text: str) -> list[str]:
    with pytest.raises(ModelError) as error:
        parse_arm(text, "rod_handler.toml")
    return str(error.value).split("\n")


def test_the_sentence_of_the_design(rod_handler_text: str) -> None:
    found = lines(rod_handler_text.replace('"1586.5 N m^2"', "-3"))
    assert found == ["rod_handler.toml: link[2].beam: bending_stiffness is -3 N m², must be > 0"]


def test_mistakes_in_values_keys_kinds_and_names_are_reported_together(rod_handler_text: str) -> None:
    text = rod_handler_text
    for sound, wrong in [
        ('length = "200 mm"', 'lenght = "200 mm"'),
        ('mass = "0.95 kg"', 'mass = "0.95 m"'),
        ('motion = "stop", rate = "90 deg/s"', 'motion = "stopp", rate = "90 deg/s"'),
        ('kind = "brake"', 'kind = "brak"'),
        ('start = "steady"', 'start = "stedy"'),
        ('damping = { per_spring = "1 N m s/rad" }', "damping = { ratio = 1, retardation = 1 }"),
        ("planar  = true", "planer  = true"),
    ]:
        assert sound in text
        text = text.replace(sound, wrong)
    kinds = ["brake", "constant-rate", "cycloidal", "accelerate", "trapezoidal-acceleration", "s-curve", "bang-bang"]
    kinds += ["spin-up", "polynomial", "acceleration", "table", "hold", "path", "shaped"]
    assert set(lines(text)) == {
        "rod_handler.toml: link[0]: lenght is not a key known here, did you mean length?",
        'rod_handler.toml: link[1].rigid: mass is "0.95 m", must be a mass such as "0.63 kg"',
        'rod_handler.toml: link[2].joint: motion is "stopp", must be the name of a [motion.NAME] '
        '(did you mean "stop"?)',
        "rod_handler.toml: link[2].damping: has retardation and ratio of retardation, ratio and per_spring, must have "
        "exactly one",
        'rod_handler.toml: motion.stop: kind is "brak", must be ' + ", ".join(f'"{kind}"' for kind in kinds)
        + ' or "sum" (did you mean "brake"?)',
        'rod_handler.toml: simulation: start is "stedy", must be "rest", "static" or "steady" (did you mean "steady"?)',
        "rod_handler.toml: top level: planer is not a key known here, did you mean planar?",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("length", "sentence"),
    [
        ("true", 'length is true, must be a length such as "0.2 m"'),
        ("nan", "length is nan m, must be finite"),
        ("inf", "length is inf m, must be finite"),
        ("-0.2", "length is -0.2 m, must be ≥ 0"),
        ("1e60", "length is 1e+60 m, must be ≤ 1e+50 in size"),
        ("'0.2'", 'length is "0.2" without a unit, must be a length such as "0.2 m"'),
        ("'200 mmm'", 'length is "200 mmm", which has the unknown unit "mmm", must be a length such as "0.2 m"'),
        ("'0.2 kg'", 'length is "0.2 kg", must be a length such as "0.2 m"'),
        ("'long'", 'length is "long", which is not a number with a unit, must be a length such as "0.2 m"'),
        ("[1, 2]", 'length is [1, 2], must be a length such as "0.2 m"'),
        ("{ a = 1 }", 'length is a table, must be a length such as "0.2 m"'),
        ("2020-01-01", 'length is a date, must be a length such as "0.2 m"'),
        ("1" + "0" * 400, "length is a number too large to hold, must be ≤ 1e+50 in size"),
    ],
)
def test_a_length_that_is_none(rod_handler_text: str, length: str, sentence: str) -> None:
    assert lines(rod_handler_text.replace('"200 mm"', length)) == [f"rod_handler.toml: link[0]: {sentence}"]


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("simulation = 4", "simulation is 4, must be a table"),
        ("motion = 4", "motion is 4, must be a table"),
        ("motion = { a = 4 }", "a is 4, must be a table"),
        ("motion = { a = {} }", 'kind is missing, must be "brake"'),
        ("load = 5", "load is 5, must be a list"),
        ("load = [5]", "load[0] is 5, must be a table"),
        ("gravity = [0, 0]", "gravity has 2 entries, must have 3"),
        ("gravity = [0, 'a', 0]", 'gravity[1] is "a", which is not a number with a unit'),
        ("name = ''", 'name is "", must be 1 to 200 printable characters'),
        ("name = \"a\\nb\"", 'name is "a\\x0ab", must be 1 to 200 printable characters'),
        ("xyz = 1", "allowed are name, gravity, planar, link, load, support, loop, spring, point, gauge, sensor"),
        ("requirment = [{}]", "requirment is not a key known here, did you mean requirement?"),
        ("xyz = 1", "material, simulation, random, correlation, requirement"),
        ("'a.b' = 1", '"a.b" is not a key known here'),
    ],
)  # fmt: skip
def test_other_wrong_shapes(key: str, sentence: str) -> None:
    link = "[[link]]\nname = 'a'\njoint = { type = 'fixed' }\nrigid = { mass = 1, inertia = [1, 1, 1] }\n"
    (line,) = lines(key + "\n" + link)
    assert sentence in line


def test_many_mistakes_do_not_flood_the_terminal() -> None:
    found = lines("\n".join(f"x{i} = 1" for i in range(100)))
    assert len(found) == 41
    assert found[-1] == "rod_handler.toml: top level: 61 more problems are not shown"


def test_in_python_the_part_is_named_instead_of_the_file() -> None:
    with pytest.raises(ModelError) as error:
        Link(name="rod", joint={"type": "revolut"}, length="1 kg", rigid={"mass": 1, "inertia": 1})
    assert str(error.value).split("\n") == [
        'Link: joint: type is "revolut", must be "revolute", "prismatic" or "fixed" (did you mean "revolute"?)',
        'Link: length is "1 kg", must be a length such as "0.2 m"',
    ]
    assert error.value.problems[1] == Problem("", 'length is "1 kg", must be a length such as "0.2 m"')


@pytest.mark.parametrize("error", [ModelError([Problem("a", "b")], source="f"), AnalysisError("no end time")])
def test_errors_travel_between_processes(error: FlexarmError) -> None:
    again: Any = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and str(again) == str(error) and again.exit_code == 2


def test_every_error_is_a_flexarm_error() -> None:
    assert issubclass(ModelError, FlexarmError) and issubclass(AnalysisError, FlexarmError)


def test_the_name_of_a_coordinate_is_printable_in_a_message():
    with pytest.raises(ModelError) as error:
        Simulation(start={"\x1f": 1e60})
    assert str(error.value).isprintable() and r'start["\x1f"]' in str(error.value)
