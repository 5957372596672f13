"""`flexarm new`: every starter file is valid and goes through the verbs it names; nothing of the user's is lost."""

import json
import re

import pytest

import flexarm as fa
from flexarm.cli.verbs.new import KINDS, starter

STARTERS = KINDS
WRITTEN = {"urdf": "wrote arm.toml and arm.urdf\n"}


@pytest.mark.parametrize("kind", STARTERS)
def test_a_starter_file_is_valid_and_can_be_simulated(call, kind):
    done = call("new", kind, "arm.toml")
    assert (done.code, done.out, done.err) == (0, "", WRITTEN.get(kind, "wrote arm.toml\n"))
    assert json.loads(call("check", "arm.toml", "--json").out)[0]["sound"]
    assert call("simulate", "arm.toml", "--no-report", "--quiet").code == 0
    assert call("modes", "arm.toml").code == 0


@pytest.mark.parametrize("kind", STARTERS)
def test_a_starter_file_names_itself_in_commands_that_run(call, kind, tmp_path):
    call("new", kind, "my arm.toml")
    text = (tmp_path / "my arm.toml").read_text("utf-8")
    commands = re.findall(r'^#   flexarm (\w+) "my arm\.toml"', text, re.MULTILINE)
    assert "simulate" in commands and "FILE" not in text
    for verb in set(commands) - {"simulate", "brake", "audit"}:  # those have their own test, or take seconds
        assert call(verb, "my arm.toml").code == 0, verb


def test_the_braking_time_of_the_planar_starter_can_be_improved_as_the_readme_claims():
    found = fa.brake(fa.parse_arm(starter("planar")), points=60)
    best = min(found.minima, key=lambda each: each.residual)
    # 0.24 s is a period of the first mode where the arm stops, 4.2 Hz
    assert best.time == pytest.approx(1 / 4.2, rel=0.01)
    assert best.residual < 0.1 * found.given.residual


def test_a_file_alone_is_the_planar_starter(call, tmp_path):
    assert call("new", "arm.toml").code == 0
    assert fa.read_arm(tmp_path / "arm.toml").planar


def test_a_file_that_exists_is_replaced_by_force_alone(call, tmp_path):
    (tmp_path / "arm.toml").write_text("mine")
    done = call("new", "servo", "arm.toml")
    assert (done.code, done.err) == (2, "arm.toml: exists already, must be replaced by --force or have another name\n")
    assert (tmp_path / "arm.toml").read_text() == "mine"
    assert call("new", "servo", "arm.toml", "--force").code == 0
    assert "servo" in (tmp_path / "arm.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("planr", "a.toml"),
            'KIND is "planr", must be "planar", "spatial", "servo" or "urdf" (did you mean "planar"?)',
        ),
        (("servo",), "there is no name for the file, must be given: flexarm new servo arm.toml"),
        (("planar", "nowhere/a.toml"), "nowhere/a.toml: the folder nowhere does not exist, must be made first"),
        (("planar", "."), ".: is a folder, must be the name of a file"),
    ],
)
def test_what_cannot_be_written_is_refused_in_one_sentence(call, tmp_path, words, sentence):
    done = call("new", *words)
    assert (done.code, done.out, done.err) == (2, "", f"{sentence}\n")
    assert not list(tmp_path.iterdir())
