"""`flexarm compare`: a table for people, JSON for programs, CSV for plots, and refusals before time is spent."""

import csv
import json
import signal

import pytest

from flexarm.model import read_arm

WORDS = ("--formulations", "modes,hermite:link,plain,timoshenko", "--elements", "2,4", "--tolerance", "0.1 mm")


@pytest.fixture
def arm(tmp_path) -> str:
    """A beam that swings and stops."""
    (tmp_path / "arm.toml").write_text(
        """\
name = "swinging beam"
planar = true
gravity = [0, 0, 0]

[[link]]
name = "beam"
joint = { type = "revolute", motion = "go" }
length = "1 m"
beam = { bending_stiffness = "2 kN m^2", mass_per_length = "0.5 kg/m" }

[motion.go]
kind = "cycloidal"
travel = "30 deg"
duration = "0.2 s"

[simulation]
end = "0.3 s"
""",
        encoding="utf-8",
    )
    return "arm.toml"


def test_text_reports_reference_runs_models_and_what_to_paste_into_the_file(call, arm):
    answer = call("compare", arm, *WORDS)
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0] == "swinging beam: 3 models of its flexible links versus a converged reference"
    assert all(len(line) <= 100 for line in lines)
    assert "  reference   hencky, 8 to " in answer.out
    assert "recommended" in answer.out and "refused [1]" in answer.out
    assert '[1] link "beam": beam: shear_stiffness is missing' in answer.out
    assert answer.out.rstrip().splitlines()[-1].startswith("    model = { formulation = ")


def test_what_is_to_be_pasted_is_a_model_file_s(call, arm, tmp_path):
    line = call("compare", arm, *WORDS).out.rstrip().splitlines()[-1].strip()
    text = (tmp_path / arm).read_text(encoding="utf-8").replace("\n[motion.go]", f"{line}\n\n[motion.go]")
    (tmp_path / "pasted.toml").write_text(text, encoding="utf-8")
    assert read_arm(tmp_path / "pasted.toml").links[0].formulation.formulation in ("modes", "hermite")


def test_json_holds_every_row_and_the_data_for_plots_and_csv_the_same_table(call, arm, tmp_path):
    answer = call("compare", arm, *WORDS, "--json", "--csv", "table.csv")
    assert (answer.code, answer.err) == (0, "wrote table.csv\n")
    reported = json.loads(answer.out)
    assert (reported["model"], reported["complete"], reported["tolerance"]) == ("arm.toml", True, 1e-4)
    assert [(row["model"], row["elements"]) for row in reported["rows"]] == [
        ("modes", 2),
        ("modes", 4),
        ("hermite:link,plain", 2),
        ("hermite:link,plain", 4),
        ("timoshenko", 2),
        ("timoshenko", 4),
    ]
    assert set(reported["plot"]) == {"modes", "hermite:link,plain"}
    assert reported["plot"]["modes"]["elements"] == [2, 4]
    assert reported["plot"]["modes"]["error"] == [row["tip_error"] for row in reported["rows"][:2]]
    with (tmp_path / "table.csv").open(encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    assert [float(row["tip_error_m"]) for row in table[:4]] == [row["tip_error"] for row in reported["rows"][:4]]
    assert (table[4]["status"], table[4]["tip_error_m"]) == ("refused", "")


def test_without_words_every_formulation_is_compared_and_the_model_of_the_file(call, arm):
    reported = json.loads(call("compare", arm, "--elements", "2", "--json").out)
    models = [row["model"] for row in reported["rows"]]
    assert models == ["file", "rigid-fe", "hencky", "timoshenko", "hermite", "isoparametric", "modes", "hermite:link"]
    # the file names no model: cubic elements, n ≥ kL = 7.855 for the third frequency of a beam by itself
    assert reported["rows"][0]["elements"] == 8


def test_ctrl_c_reports_what_is_done_and_ends_with_130(call, arm, monkeypatch):
    def press(bar, name, *_):
        if name.startswith("modes 2"):
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("flexarm.cli.progress.CountBar.__call__", press)
    answer = call("compare", arm, *WORDS)
    assert answer.code == 130
    assert answer.err == "interrupted after 1 of 6 runs\n"
    assert "interrupted after 1 of 6 runs" in answer.out.splitlines()[0]


def test_ctrl_c_before_the_reference_stands_reports_nothing(call, arm, monkeypatch):
    monkeypatch.setattr("flexarm.cli.progress.CountBar.__call__", lambda *_: signal.raise_signal(signal.SIGINT))
    answer = call("compare", arm, *WORDS)
    assert (answer.code, answer.out) == (130, "")
    assert answer.err == "interrupted before the reference had converged, there is nothing to report\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--elements", "2,x"), '--elements is "2,x", must be whole numbers such as "2,4,8"'),
        (("--elements", "0"), "arm.toml: elements holds 0, must be whole numbers from 1 to 10000"),
        (("--tolerance", "3 s"), '--tolerance is "3 s", must be a length such as "0.2 m"'),
        (("--tolerance", "-1"), "--tolerance is -1 m, must be > 0"),
        (("--end", "0"), "--end is 0 s, must be > 0"),
        (("--csv", "no/such.csv"), "no/such.csv: nothing can be written into no, choose another place by --csv"),
        (("--csv", "arm.toml"), "arm.toml: is the model file, choose another name by --csv"),
        (("--csv", "."), ".: is a folder, must be a file"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_sentence(call, arm, words, sentence):
    answer = call("compare", arm, *words)
    assert (answer.code, answer.out, answer.err) == (2, "", sentence + "\n")
