"""`flexarm brake`: text for people, JSON for programs, CSV for plots, and an exit code if nothing was found."""

import csv
import json
import signal

import pytest

WORDS = ("--from", "0.3 s", "--to", "0.6", "--points", "30")


@pytest.fixture
def arm(tmp_path) -> str:
    """A beam with a payload that turns and stops."""
    (tmp_path / "arm.toml").write_text(
        """\
name = "stopping beam"
planar = true
gravity = [0, 0, 0]

[[link]]
name = "beam"
joint = { type = "revolute", motion = "stop", rate = "30 deg/s" }
length = "1 m"
beam = { bending_stiffness = "0.5 kN m^2", mass_per_length = "0.5 kg/m" }
model = { formulation = "rigid-fe", elements = 4 }
payload = { mass = "0.5 kg" }

[motion.stop]
kind = "brake"
travel_time = "1 s"
braking_time = "0.45 s"
""",
        encoding="utf-8",
    )
    return "arm.toml"


def test_text_reports_extremes_choice_rule_and_what_to_paste(call, arm):
    answer = call("brake", arm, *WORDS, "--limit", "0.1 mm")
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0] == "stopping beam: residual vibration after the stop versus the braking time"
    assert all(len(line) <= 100 for line in lines)
    assert "Best: brake in " in answer.out and "Shortest stop with a residual of 100 µm or less: " in answer.out
    assert "from the rule to the simulation, step by step" in answer.out
    at = next(k for k, line in enumerate(lines) if line.strip() == "[motion.stop]")
    assert lines[at + 1].strip().startswith('braking_time = "0.')


def test_json_and_csv_hold_the_curve_and_the_best_time(call, arm, tmp_path):
    answer = call("brake", arm, *WORDS, "--json", "--csv", "curve.csv", "--max-torque", "beam=100 N m", "--no-reasons")
    assert (answer.code, answer.err) == (0, "wrote curve.csv\n")
    reported = json.loads(answer.out)
    assert (reported["model"], reported["complete"], reported["hold"], reported["unit"]) == (
        "arm.toml",
        True,
        "end",
        "m",
    )
    assert reported["times"][0] == 0.3 and reported["times"][-1] == 0.6 and len(reported["residuals"]) == 30
    assert reported["best"]["kind"] == "minimum" and reported["linear"]["causes"] == []
    assert reported["best"]["torques"]["beam"] < 100.0
    with (tmp_path / "curve.csv").open(encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    assert [float(row["residual_m"]) for row in table] == reported["residuals"]
    assert {row["allowed"] for row in table} == {"1"}


def test_robust_choice_and_direction_are_read_from_words(call, arm):
    words = (
        "--robust",
        "payload=2 %",
        "--robust",
        "stiffness=0.99..1.02",
        "--robust-by",
        "mean",
        "--residual",
        "0,2,0",
    )
    reported = json.loads(call("brake", arm, "--from", "0.3", "--to", "0.6", "--points", "4", *words, "--json").out)
    assert reported["robust"]["ranges"] == {"payload": [0.98, 1.02], "stiffness": [0.99, 1.02]}
    assert reported["robust"]["by"] == "mean" and len(reported["robust"]["arms"]) >= 25
    assert reported["measure"] == "range of tip along (0, 1, 0)"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--latest-stop", "1 s"), "No best time was found."),
        (("--limit", "1 pm"), "No stop has a residual of "),
    ],
)
def test_nothing_found_ends_with_5_and_is_reported(call, arm, words, sentence):
    answer = call("brake", arm, *WORDS, "--no-reasons", *words)
    assert answer.code == 5
    assert sentence in answer.out and "beware: no braking time from 0.3 to 0.6 s" in " ".join(answer.out.split())


def test_ctrl_c_reports_what_is_done_and_ends_with_130(call, arm, monkeypatch):
    def press(bar, name, done, *_, **__):
        if (name, done) == ("curve", 5):
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("flexarm.cli.progress.CountBar.__call__", press)
    answer = call("brake", arm, *WORDS)
    assert answer.code == 130
    assert answer.err == "interrupted: curve, 5 of 30 done\n"
    assert "interrupted: curve, 5 of 30 done" in answer.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--from", "0.3"), "--from and --to are two ends of one range, must be given together"),
        (("--from", "0.3", "--to", "0.2"), "arm.toml: between is 0.3 to 0.2 s, must be rising"),
        (("--max-torque", "=3"), '--max-torque is "=3", must be VALUE alone, or JOINT=VALUE once per joint'),
        (
            ("--max-torque", "beam=3", "--max-torque", "beam=4"),
            '--max-torque: "beam" is given twice, must be given once',
        ),
        (("--robust", "payload"), '--robust is "payload", must be WHAT=RANGE such as "payload=10 %"'),
        (("--hold", "on"), 'arm.toml: hold is "on", must be "end", "begin" or "path"'),
        (("--csv", "arm.toml"), "arm.toml: is the model file, choose another name by --csv"),
        (("--csv", "."), ".: is a folder, must be a file"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_sentence(call, arm, words, sentence):
    answer = call("brake", arm, *words)
    assert (answer.code, answer.out, answer.err) == (2, "", sentence + "\n")


def test_random_numbers_are_taken_at_their_means_and_that_is_reported(call, arm, tmp_path):
    text = (tmp_path / arm).read_text(encoding="utf-8")
    (tmp_path / "random.toml").write_text(
        text.replace('length = "1 m"', 'length = { normal = ["1 m", "1 mm"] }'), encoding="utf-8"
    )
    answer = call("brake", "random.toml", *WORDS, "--no-reasons")
    assert (answer.code, answer.err) == (0, "random.toml: 1 random number is taken at the mean\n")
    alone = call("brake", arm, *WORDS, "--no-reasons")
    assert _without_cost(answer.out) == _without_cost(alone.out)


def _without_cost(text):
    return [line for line in text.splitlines() if not line.strip().startswith("cost")]
