"""modes, statics, linearise and torques: text for people, JSON for programs, the same numbers as in Python."""

import json

import numpy as np
import pytest

from flexarm.analyses.linearise import linearise
from flexarm.analyses.modes.modes import modes
from flexarm.analyses.run.simulate import simulate
from flexarm.analyses.statics import statics
from flexarm.analyses.torques import torques
from flexarm.model import read_arm

POSTURE = {"upper arm": np.radians(-45.0), "slide": 0.02}
WORDS = ("--posture", "upper arm=-45 deg", "--posture", "slide=0.02")


@pytest.mark.parametrize("verb", [modes, statics, linearise])
def test_text_is_the_summary_of_the_result_and_json_the_result_itself(call, model, tmp_path, verb):
    wanted = verb(read_arm(tmp_path / model), posture=POSTURE)
    text = call(verb.__name__, model, *WORDS)
    assert (text.code, text.err) == (0, "")
    assert text.out == wanted.summary() + "\n"
    reported = call(verb.__name__, model, *WORDS, "--json")
    assert (reported.code, reported.err) == (0, "")
    assert json.loads(reported.out) == {"model": model, **wanted.to_dict()}


def test_modes_count_and_joints_are_handed_on(call, model, tmp_path):
    wanted = modes(read_arm(tmp_path / model), joints="free", count=3)
    reported = json.loads(call("modes", model, "--joints", "free", "--count", 3, "--json").out)
    assert reported["frequencies_hz"] == wanted.frequencies_hz.tolist()
    assert (reported["joints"], len(reported["names"])) == ("free", 3)


def test_linearise_takes_accelerations_for_inputs_of_driven_joints(call, model):
    reported = json.loads(call("linearise", model, "--joints", "driven", "--json").out)
    assert reported["input_names"] == ["upper_arm_acceleration", "slide_acceleration"]


def test_torques_of_a_model_and_of_its_kept_run_are_the_same(call, model, tmp_path):
    wanted = torques(simulate(read_arm(tmp_path / model)))
    text = call("torques", model)
    assert (text.code, text.out, text.err) == (0, wanted.summary() + "\n", "")
    call("simulate", model, "--quiet")
    kept = json.loads(call("torques", "pendulum.nc", "--json").out)
    assert kept == {"model": "pendulum.nc", "status": "ok", **wanted.to_dict()}


def test_torques_of_a_run_that_stops_early_end_with_3(call, model):
    answer = call("torques", model, "--max-steps", 5)
    assert answer.code == 3
    assert answer.err.startswith("stopped at t = 0.")
    assert "kept" not in answer.err


def test_a_finished_run_takes_no_settings(call, model):
    call("simulate", model, "--quiet")
    answer = call("torques", "pendulum.nc", "--end", "1")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "--end given with a finished run, must be given with a model file\n"


def test_schema_is_json_on_stdout_or_in_a_file(call, tmp_path):
    printed = json.loads(call("schema").out)
    assert printed["title"] == "flexarm model file"
    answer = call("schema", "--out", "arm.schema.json")
    assert (answer.code, answer.out, answer.err) == (0, "", "wrote arm.schema.json\n")
    assert json.loads((tmp_path / "arm.schema.json").read_text(encoding="utf-8")) == printed
    assert [path.name for path in tmp_path.iterdir()] == ["arm.schema.json"]


@pytest.mark.parametrize(("target", "reason"), [("no/such.json", "cannot be written"), (".", "is a folder")])
def test_a_schema_that_cannot_be_written_is_refused(call, target, reason):
    answer = call("schema", "--out", target)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"{target}: {reason}")
