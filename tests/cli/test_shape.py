"""`flexarm shape`: a table for people, JSON for programs, a model file and a time table for the controller."""

import csv
import json
import signal

import pytest

from flexarm.model import read_arm


@pytest.fixture
def arm(tmp_path) -> str:
    """A rigid link that swings behind its gear at 2 Hz."""
    (tmp_path / "arm.toml").write_text(
        """\
name = "link behind a gear"
planar = true
gravity = [0, 0, 0]

[[link]]
name = "link"
joint = { type = "revolute", motion = "go", gear = { stiffness = "95 N m/rad" } }
length = "1 m"
rigid = { mass = "2 kg", inertia = "0.1 kg m^2" }

[motion.go]
kind = "accelerate"
travel = "2 deg"
acceleration_time = "0.15 s"
constant_time = "0.2 s"
""",
        encoding="utf-8",
    )
    return "arm.toml"


WORDS = ("--shapers", "zv,zvd", "--laws", "none", "--no-sensitivity")


def test_text_reports_the_modes_the_commands_and_which_to_take(call, arm):
    answer = call("shape", arm, "--shapers", "zv,ei")
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0] == "link behind a gear: one move under 5 other commands"
    assert all(len(line) <= 100 for line in lines)
    starts = [line.split()[0] for line in lines if line.startswith("  ")]
    named = ["unshaped", "zv", "ei", "cycloidal", "s-curve", "trapezoidal-acceleration"]
    assert [word for word in starts if word in named] == 2 * named
    assert any(line.startswith("Take ") for line in lines)


def test_the_recommended_command_is_written_as_a_model_file_and_as_a_time_table(call, arm, tmp_path):
    answer = call("shape", arm, *WORDS, "--out", "shaped.toml", "--table", "table.csv", "--interval", "5 ms")
    assert (answer.code, answer.err) == (0, "wrote shaped.toml and table.csv\n")
    assert "wrote" not in answer.out
    shaped = read_arm(tmp_path / "shaped.toml")
    assert shaped.links[0].joint.motion == "go zv" and shaped.simulation.end is not None
    with (tmp_path / "table.csv").open(encoding="utf-8") as file:
        rows = list(csv.reader(file))
    law = shaped.motion_of("link")
    assert law is not None and float(rows[2][0]) == 0.005
    assert float(rows[40][1]) == pytest.approx(float(law.evaluate(0.195)[0]), abs=1e-11)
    assert call("check", "shaped.toml").code == 0


def test_another_command_can_be_taken(call, arm, tmp_path):
    assert call("shape", arm, *WORDS, "--take", "zvd", "--out", "shaped.toml").code == 0
    assert read_arm(tmp_path / "shaped.toml").links[0].joint.motion == "go zvd"


def test_the_optimum_takes_a_family_and_arms_that_may_be(call, arm):
    words = ("--shapers", "zv", "--laws", "none", "--no-sensitivity", "--optimum", "--json")
    reported = json.loads(call("shape", arm, *words, "--family", "switches", "--robust", "frequency=5 %").out)
    row = reported["rows"][-1]
    assert (reported["choose"], reported["uncertain"]) == ("worst", {"frequency": [0.95, 1.05]})
    assert row["name"] == "optimum" and row["robust"] == max(row["uncertain"])
    assert len(reported["arms_that_may_be"]) == len(row["uncertain"])


def test_json_holds_every_row_and_csv_the_same_table(call, arm, tmp_path):
    answer = call("shape", arm, *WORDS, "--json", "--csv", "rows.csv")
    reported = json.loads(answer.out)
    assert (answer.err, reported["model"], reported["chosen"]) == ("wrote rows.csv\n", "arm.toml", "zv")
    with (tmp_path / "rows.csv").open(encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    assert [row["command"] for row in table] == [row["name"] for row in reported["rows"]] == ["unshaped", "zv", "zvd"]
    assert float(table[1]["duration_s"]) == reported["rows"][1]["duration"]


def test_where_nothing_is_found_that_is_said_and_no_file_written(call, arm, tmp_path):
    answer = call("shape", arm, *WORDS, "--max-torque", "link=0.01 N m", "--out", "shaped.toml")
    assert answer.code == 5
    assert "No command was found that keeps the bounds" in answer.out
    assert answer.err == "no command is recommended, so none is written; --take NAME writes another\n"
    assert not (tmp_path / "shaped.toml").exists()


def test_ctrl_c_reports_what_is_done_and_ends_with_130(call, arm, monkeypatch):
    def press(bar, name, *_):
        if name == "zv":
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("flexarm.cli.progress.CountBar.__call__", press)
    answer = call("shape", arm, *WORDS)
    assert (answer.code, answer.err) == (130, "interrupted after 2 of 3 commands\n")
    assert "interrupted after 2 of 3 commands" in answer.out.splitlines()[0]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--shapers", "zv,zw"), 'arm.toml: shapers holds "zw", must be "zv"'),
        (("--modes", "1,x"), '--modes is "1,x", must be whole numbers such as "1,2"'),
        (("--modes", "7"), "arm.toml: modes holds 7, must be whole numbers from 1 to 1"),
        (("--max-torque", "link=3 m"), 'arm.toml: max_torque of "link" is "3 m", must be a moment'),
        (("--max-torque", "3", "--max-torque", "4"), '--max-torque is "3", must be VALUE alone, or JOINT=VALUE'),
        (("--max-duration", "3 m"), 'arm.toml: max_duration is "3 m", must be a time'),
        (("--optimum", "--family", "steps"), 'arm.toml: family is "steps", must be "knots" or "switches"'),
        (("--robust", "payload"), '--robust is "payload", must be WHAT=RANGE such as "payload=10 %"'),
        (("--robust", "length=-1"), "arm.toml: uncertain: length is -1.0, must be a part such as 0.1"),
        (("--robust-by", "best"), 'arm.toml: choose is "best", must be "worst" or "mean"'),
        (("--interval", "0"), "--interval is 0 s, must be > 0"),
        (("--out", "arm.toml"), "arm.toml: is the model file, choose another name by --out"),
        (("--table", "."), ".: is a folder, must be a file"),
        (("--csv", "no/such.csv"), "no/such.csv: nothing can be written into no, choose another place by --csv"),
    ],
)
def test_bad_words_are_refused_in_a_sentence(call, arm, words, sentence):
    answer = call("shape", arm, *words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(sentence) and answer.err.count("\n") == 1
