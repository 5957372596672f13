"""`flexarm simulate`: what it writes, what it reports, and how it ends."""

import json
import signal
from pathlib import Path

import numpy as np
import pytest

from flexarm.analyses.run.simulate import simulate
from flexarm.cli.progress import RunBar
from flexarm.model import read_arm
from flexarm.results import open_run

ROD = Path(__file__).parents[2] / "examples" / "rod_handler.toml"


def test_a_run_is_summarised_and_kept_under_the_models_name(call, model, tmp_path):
    answer = call("simulate", model)
    assert answer.code == 0
    assert answer.out.startswith("two-link pendulum\n")
    assert "wrote" not in answer.out
    assert answer.err.startswith("wrote pendulum.nc (") and answer.err.count("\n") == 1
    assert " and pendulum.html (" in answer.err
    kept = open_run(tmp_path / "pendulum.nc")
    assert kept.complete
    assert kept.time[-1] == 0.2


def test_options_override_the_file_with_units_or_plain_si_numbers(call, model, tmp_path):
    words = ("--end", "50 ms", "--output", "0.005", "--stepper", "alpha", "--step", "1 ms", "--spectral-radius", "0.5")
    assert call("simulate", model, *words, "--start", "static", "--quiet").code == 0
    kept = open_run(tmp_path / "pendulum.nc")
    wanted = simulate(
        read_arm(tmp_path / "pendulum.toml"),
        end=0.05,
        output=0.005,
        stepper="alpha",
        step=1e-3,
        spectral_radius=0.5,
        start="static",
    )
    assert kept.time.size == 11
    assert np.array_equal(kept.values("point_position"), wanted.values("point_position"))


@pytest.mark.parametrize("word", ["nonlinear", "linear", "quasi-static"])
def test_the_analysis_asked_for_is_the_one_that_runs(call, model, monkeypatch, word):
    asked = []

    def remembered(arm, **_):
        asked.append(arm.simulation.analysis)
        raise KeyboardInterrupt

    monkeypatch.setattr("flexarm.cli.verbs.simulate.simulated", remembered)
    call("simulate", model, "--analysis", word)
    call("simulate", model)
    assert asked == [word, "nonlinear"]


def test_json_is_all_that_stands_on_stdout_and_agrees_with_the_run(call, model, tmp_path):
    answer = call("simulate", model, "--json", "--check", "--out", "other.nc")
    facts, run = json.loads(answer.out), open_run(tmp_path / "other.nc")
    assert (answer.code, answer.err) == (0, "")
    assert (facts["status"], facts["files"]) == ("ok", ["other.nc", "other.html"])
    assert facts["time"] == {"begin_s": 0.0, "end_s": 0.2, "reached_s": 0.2, "samples": 1001}
    assert facts["tip"]["y_m"] == run.signal("point_position", point="tip", axis="y")[-1]
    assert facts["residual"]["after_s"] == pytest.approx(0.06)
    assert facts["residual"]["y_m"] == run.residual("tip", "y")
    size = np.linalg.norm([run.signal("point_deflection", point="tip", axis=axis) for axis in "xyz"], axis=0)
    assert facts["peak_deflection"]["m"] >= size.max()
    assert facts["drives"]["upper arm"]["peak"] == np.abs(run.values("joint_torque")[:, 0]).max()
    assert facts["drives"]["slide"]["unit"] == "N"
    assert facts["errors"]["tip_m"] == run.info["tip_error"]
    assert facts["errors"]["check"]


def test_quiet_prints_nothing_and_still_writes(call, model, tmp_path):
    answer = call("simulate", model, "--quiet")
    assert (answer.code, answer.out, answer.err) == (0, "", "")
    assert (tmp_path / "pendulum.nc").exists()


@pytest.mark.parametrize("form", [(), ("--json",), ("--quiet",)])
def test_a_run_that_stops_early_is_kept_and_ends_with_3_saying_when_why_and_what_to_try(call, model, tmp_path, form):
    answer = call("simulate", model, "--max-steps", 5, *form)
    kept = open_run(tmp_path / "pendulum.nc")
    assert answer.code == 3
    assert not kept.complete
    *before, last = answer.err.splitlines()
    assert last.startswith("stopped at t = 0.") and "; try " in last
    assert last.endswith("what was reached is kept in pendulum.nc")
    assert [line[:5] for line in before] == ([] if form else ["wrote"])
    if form == ("--json",):
        facts = json.loads(answer.out)
        assert facts["status"] == "too many steps"
        assert 0.0 < facts["time"]["reached_s"] < facts["time"]["end_s"]


def test_ctrl_c_keeps_what_was_reached_and_ends_with_130(call, model, tmp_path, monkeypatch):
    monkeypatch.setattr(RunBar, "__call__", lambda *_: signal.raise_signal(signal.SIGINT))
    answer = call("simulate", model, "--step", "1 us")
    kept = open_run(tmp_path / "pendulum.nc")
    assert answer.code == 130
    last = answer.err.splitlines()[-1]
    assert last.startswith("interrupted at t = 0.")
    assert last.endswith("of 0.2 s; what was reached is kept in pendulum.nc")
    assert kept.info["status"] == "interrupted"
    assert 0.0 < kept.time[-1] < 0.2


def test_ctrl_c_before_the_first_step_writes_nothing(call, model, tmp_path, monkeypatch):
    monkeypatch.setattr("flexarm.analyses.run.simulate.centre_line", lambda _: signal.raise_signal(signal.SIGINT))
    answer = call("simulate", model)
    assert (answer.code, answer.out, answer.err) == (130, "", "interrupted before there was anything to keep\n")
    assert not (tmp_path / "pendulum.nc").exists()


def test_ctrl_c_is_python_s_own_again_after_a_run(call, model):
    before = signal.getsignal(signal.SIGINT)
    call("simulate", model, "--quiet")
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("no/such/run.nc", "the folder no/such does not exist"),
        (".", "is a folder"),
        ("pendulum.toml", "is the model file"),
        ("notes.txt", "exists and is not a run"),
    ],
)
def test_a_file_that_must_not_be_written_is_refused_before_the_run(call, model, tmp_path, monkeypatch, target, reason):
    (tmp_path / "notes.txt").write_text("dear diary", encoding="utf-8")
    monkeypatch.setattr("flexarm.cli.verbs.simulate.simulated", lambda *_: pytest.fail("it ran"))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    answer = call("simulate", model, "--out", target)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"{target}: {reason}")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_an_older_run_is_replaced(call, model, tmp_path):
    assert call("simulate", model, "--quiet", "--end", "0.1").code == 0
    assert call("simulate", model, "--quiet").code == 0
    assert open_run(tmp_path / "pendulum.nc").time[-1] == 0.2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pendulum.html", "pendulum.nc", "pendulum.toml"]


def test_no_page_is_written_where_none_is_wanted(call, model, tmp_path):
    answer = call("simulate", model, "--no-report", "--json")
    assert json.loads(answer.out)["files"] == ["pendulum.nc"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pendulum.nc", "pendulum.toml"]


def test_a_file_that_is_no_page_of_ours_is_not_replaced_by_one(call, model, tmp_path, monkeypatch):
    (tmp_path / "pendulum.html").write_text("<p>my notes", encoding="utf-8")
    monkeypatch.setattr("flexarm.cli.verbs.simulate.simulated", lambda *_: pytest.fail("it ran"))
    answer = call("simulate", model)
    assert answer.code == 2
    assert answer.err.startswith("pendulum.html: exists and is not a page of flexarm, choose another name by --out")
    assert call("simulate", model, "--out", "run.html").err.startswith("run.html: is the name of the page of the run")


def test_settling_is_reported_in_text_and_json(call):
    words = ("simulate", ROD, "--settling-tolerance", "3 mm", "--no-report", "--out", "rod.nc")
    facts = json.loads(call(*words, "--json").out)
    settling = facts["settling"]
    assert [row["within_m"] for row in settling["within"]] == [3e-3, 1e-3, 1e-4]
    row = settling["within"][0]
    assert row["after_command_s"] == pytest.approx(row["settling_time_s"] - settling["command_end_s"])
    assert settling["equilibrium_m"] == 0.0  # neither gravity nor servos
    modes = facts["vibration"]["ringing"]["modes"]
    assert modes[0]["amplitude_m"] == pytest.approx(settling["residual_m"], rel=0.01)
    text = call(*words).out
    assert f"to 3 mm at {row['settling_time_s']:.4g} s" in text
    assert "to 1 mm not in this run" in text
