"""The hunt for faults finds them, and finds none in a few cases of every kind."""

from __future__ import annotations

import json

import pytest

from benchmarks.hunt import fault, mutant, nonsense

GOOD = {
    "status": "ok",
    "integrator": {"analysis": "nonlinear"},
    "errors": {"tip_m": 1e-7, "energy_balance_j": 1e-6, "energy_exchanged_j": 1.0},
    "warnings": [],
}


def test_a_case_is_a_function_of_its_number_and_the_seed():
    assert mutant(17, 1) == mutant(17, 1)
    assert len({mutant(number, 1)[0] for number in range(20)}) > 15
    assert mutant(17, 1) != mutant(17, 2)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({}, None),
        ({"errors": {**GOOD["errors"], "tip_m": None}}, "neither known nor said to be unknown"),
        ({"errors": {**GOOD["errors"], "energy_balance_j": 0.9}}, "appear or vanish without a warning"),
        ({"errors": {**GOOD["errors"], "tip_m": float("nan")}}, "tip_m is nan"),
    ],
)
def test_silent_nonsense_is_seen(change, reason):
    found = nonsense("simulate", json.dumps({**GOOD, **change}))
    assert (found is None) if reason is None else reason in found


def test_what_the_command_line_refuses_is_no_fault(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert fault(["simulate", "model.toml", "--json"], "gravity = 3", 60) is None
    assert fault(["check", "model.toml", "--sideways"], "gravity = 3", 60) is None
    for number in range(10):
        text, words = mutant(number, 5)
        assert fault(["check", *words[1:2]], text, 60) is None, number
