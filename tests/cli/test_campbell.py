"""`modes --spin` and `campbell`: the same numbers as in Python, and plain sentences for what cannot spin."""

import json

import pytest

from flexarm.analyses.campbell import campbell
from flexarm.analyses.modes.modes import modes
from flexarm.model import read_arm

ROTOR = """
name = "rotor"
planar = true
gravity = [0, 0, 0]

[[link]]
name = "hub"
joint = { type = "revolute" }
length = "50 mm"
rigid = { mass = "1 kg", inertia = "0.01 kg m^2" }

[[link]]
name = "blade"
joint = { type = "revolute", free = true, stiffness = "20 N m/rad" }
length = "0.5 m"
beam = { bending_stiffness = "100 N m^2", mass_per_length = "0.5 kg/m" }
model = { formulation = "rigid-fe", elements = 3 }
"""


@pytest.fixture
def rotor(tmp_path) -> str:
    """A model file of a hinged flexible blade on a hub."""
    (tmp_path / "rotor.toml").write_text(ROTOR, encoding="utf-8")
    return "rotor.toml"


def test_modes_about_a_rotation_are_those_of_python(call, rotor, tmp_path):
    wanted = modes(read_arm(tmp_path / rotor), spin="75 rpm", joints=["blade"], count=3)
    text = call("modes", rotor, "--spin", "75 rpm", "--free", "blade", "--count", 3)
    assert (text.code, text.out, text.err) == (0, wanted.summary() + "\n", "")
    reported = call("modes", rotor, "--spin", "hub=75 rpm", "--free", "blade", "--count", 3, "--json")
    assert json.loads(reported.out) == {"model": rotor, **wanted.to_dict()}


def test_a_campbell_diagram_is_that_of_python(call, rotor, tmp_path):
    wanted = campbell(read_arm(tmp_path / rotor), spins=(2.0, 20.0, 7), count=2, orders=2, joints=["blade"])
    words = ("--from", 2, "--to", "20 rad/s", "--steps", 6, "--count", 2, "--orders", 2, "--free", "blade")
    text = call("campbell", rotor, *words, "--csv", "curves.csv")
    assert (text.code, text.out, text.err) == (0, wanted.summary() + "\n", "wrote curves.csv\n")
    assert (tmp_path / "curves.csv").read_text(encoding="utf-8") == wanted.to_csv()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["curves.csv", "rotor.toml"]
    reported = call("campbell", rotor, *words, "--json")
    assert (reported.code, reported.err) == (0, "")
    assert json.loads(reported.out) == {"model": rotor, **wanted.to_dict()}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("modes", "--spin", "5 m"), 'rotor.toml: spin is "5 m", must be an angular rate such as "45 deg/s"'),
        (
            ("modes", "--spin", "huub=5"),
            'rotor.toml: spin: there is no revolute joint "huub", must be "hub" or "blade"',
        ),
        (("modes", "--spin", "hub=5", "--spin", "6"), '--spin is "6", must be RATE alone, or JOINT=RATE'),
        (("modes", "--spin", "hub=5", "--spin", "hub=6"), '--spin: "hub" is given twice, must be given once'),
        (("modes", "--free", "tail"), 'rotor.toml: joints: there is no joint "tail", must be one of "hub", "blade"'),
        (("modes", "--free", "hub", "--joints", "free"), "--free is given with --joints free, which frees all"),
        (("campbell", "--to", "2 kg"), 'rotor.toml: --to is "2 kg", must be an angular rate such as "45 deg/s"'),
        (("campbell", "--to", "1", "--from", "2"), "--from is 2 and --to is 1, must be rising and ≥ 0"),
        (
            ("campbell", "--to", "1", "--csv", "no/such.csv"),
            "no/such.csv: nothing can be written into no, choose another place by --csv",
        ),
        (("campbell", "--to", "1", "--csv", "."), ".: is a folder, must be a file"),
    ],
)
def test_what_cannot_be_answered_is_one_sentence_and_2(call, rotor, words, sentence):
    answer = call(words[0], rotor, *words[1:])
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(sentence) and answer.err.count("\n") == 1


def test_a_campbell_diagram_needs_its_highest_speed(call, rotor):
    answer = call("campbell", rotor)
    assert answer.code == 2 and "--to" in answer.err
