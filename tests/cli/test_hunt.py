"""The hunt for faults finds them, and finds none in a few cases of every kind."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from benchmarks.hunt import workers
from benchmarks.hunt.commands import NOT_HUNTED, VALUES, command, options
from benchmarks.hunt.faults import answer_fault, fault, nonsense, reading_fault
from benchmarks.hunt.mutants import mutant
from benchmarks.hunt.workers import Hunt, Worker, run_case, written
from flexarm.verbs import VERBS

GOOD = {
    "status": "ok",
    "integrator": {"analysis": "nonlinear"},
    "tip": {"x_m": 1.0, "y_m": 0.0, "z_m": 0.0},
    "errors": {"tip_m": 1e-7, "energy_balance_j": 1e-6, "energy_exchanged_j": 1.0},
    "warnings": [],
}


def test_a_case_is_a_function_of_its_number_and_the_seed():
    assert mutant(17, 1) == mutant(17, 1) and mutant(17, 1) != mutant(17, 2)
    assert command(mutant(17, 1), 17, 1) == command(mutant(17, 1), 17, 1)
    texts = [written(number, 1) for number in range(20)]
    assert len({text[1] for text in texts if text}) > 15


def test_every_verb_about_a_model_is_hunted_with_its_options():
    assert set(options()) == {verb.name for verb in VERBS} - set(NOT_HUNTED)
    drawn = [command({"link": [{"name": "rod"}]}, number, 1) for number in range(3000)]
    for verb, known in options().items():
        if verb in ("montecarlo", "reliability", "sensitivity"):
            continue  # drawn for models with distributions alone
        words = {word for each in drawn if each[0] == verb for word in each}
        assert {option.words[0] for option in known if option.words[0] in VALUES} <= words, verb


def test_studies_are_hunted_where_numbers_are_random():
    model = {"link": [{"name": "rod", "length": {"normal": ["1 m", "1 mm"]}}]}
    verbs = Counter(command(model, number, 1)[0] for number in range(300))
    assert min(verbs[verb] for verb in ("montecarlo", "reliability", "sensitivity")) > 20


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({}, None),
        ({"errors": {**GOOD["errors"], "tip_m": None}}, "neither known nor said to be unknown"),
        ({"errors": {**GOOD["errors"], "energy_balance_j": 0.9}}, "appear or vanish without a warning"),
        ({"errors": {**GOOD["errors"], "energy_balance_j": 0.9}, "warnings": ["bent"]}, "appear or vanish"),
        ({"errors": {**GOOD["errors"], "tip_m": float("nan")}}, "tip_m is nan"),
        ({"tip": {**GOOD["tip"], "y_m": None}}, "nowhere"),
    ],
)
def test_silent_nonsense_is_seen(change, reason):
    found = nonsense("simulate", json.dumps({**GOOD, **change}))
    assert (found is None) if reason is None else reason in found


@pytest.mark.parametrize(
    ("code", "printed", "said", "reason"),
    [
        (0, "frequency 3 Hz", "", None),
        (0, "frequency nan Hz", "", "no number"),
        (2, "", "model.toml: must be given", None),
        (2, "", "", "without a word"),
        (1, "", "internal error, the fault is flexarm's", "internal error"),
        (4, "", "sentence", "exit code 4"),
    ],
)
def test_answers_are_judged_by_exit_code_and_words(code, printed, said, reason):
    found = answer_fault(["modes", "model.toml"], "", code, printed, said)
    assert (found is None) if reason is None else reason in found


def test_numbers_that_are_null_are_seen_where_there_must_be_some():
    assert nonsense("modes", '{"frequencies_hz": [1.0, null]}') == "frequencies_hz.1 is null"
    assert nonsense("modes", '{"beams": [{"left_out": [{"part": null}]}]}') is None


def test_what_the_command_line_refuses_is_no_fault(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert fault(["simulate", "model.toml", "--json"], "gravity = 3", 60) is None
    assert fault(["check", "model.toml", "--sideways"], "gravity = 3", 60) is None
    for number in range(10):
        text = written(number, 5)[1]
        assert fault(["check", "model.toml"], text, 60) is None, number
        assert reading_fault(text, "model.toml")[1] is None, number


def test_files_are_counted_and_a_share_of_the_sound_ones_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(workers, "fault", lambda words, text, seconds: "found" if words[0] == "simulate" else None)
    counts: Counter[str] = Counter()
    cases = [run_case(number, Hunt(3, 1.0), counts) for number in range(60)]
    assert counts["read"] == 60 and 0 < counts["sound"] <= counts["run"] < 60
    assert sum(case is not None for case in cases) == counts["simulate"] > 0


def test_a_process_that_dies_takes_one_case_with_it(monkeypatch):
    def deadly(number, hunt, counts):
        if number == 2:
            import os

            os._exit(9)
        counts["read"] += 1

    monkeypatch.setattr(workers, "run_case", deadly)
    worker = Worker(range(5), Hunt())
    died, read = [], 0
    done = False
    while not done:
        worker.process.join()
        read += sum(int(counts["read"]) for _, counts in worker.results())
        done, case = worker.ended()
        died += [case.number] if case else []
    assert died == [2] and read == 4
