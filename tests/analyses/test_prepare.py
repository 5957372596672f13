"""An arm prepared once runs like one that is simulated anew, and a run computes what is asked of it and no more."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.run import observations
from flexarm.assembly import compile_arm
from flexarm.results.derived import Derived, Group


@pytest.fixture(scope="module")
def arm():
    return fa.read_arm("examples/rod_handler.toml")


@pytest.fixture(scope="module")
def ready(arm):
    return fa.prepare(arm)


OPTIONS = {"end": 0.2, "start": "rest", "tolerance": "10 um"}


def test_a_prepared_arm_runs_as_simulate_does_to_the_last_bit(arm, ready):
    one, other = ready.run(**OPTIONS), fa.simulate(arm, **OPTIONS)
    assert list(one.variables) == list(other.variables)
    assert all(one.variables[name].identical(other.variables[name]) for name in one.variables)
    assert one.arm_text == other.arm_text


def test_options_are_for_one_run_alone(arm, ready):
    first = ready.run(**OPTIONS)
    ready.run(end=0.1, tolerance=1e-4, stepper="newmark", step=1e-3)
    again = ready.run(**OPTIONS)
    assert np.array_equal(first.values("elastic_position"), again.values("elastic_position"))
    assert ready.arm.simulation == arm.simulation


def test_the_arm_of_a_run_has_the_options_it_was_run_with(ready):
    run = ready.run(**OPTIONS)
    assert (run.arm.simulation.end, run.arm.simulation.tolerance) == (0.2, 1e-5)
    assert fa.parse_arm(run.arm_text).simulation == run.arm.simulation


def test_a_prepared_arm_is_compiled_once(monkeypatch, ready):
    monkeypatch.setattr("flexarm.assembly._compiled", lambda *_: pytest.fail("compiled again"))
    assert ready.run(**OPTIONS).complete


def test_options_of_a_prepared_arm_are_refused_like_those_of_simulate(ready):
    with pytest.raises(fa.FlexarmError, match="stepp is no setting"):
        ready.run(stepp="newmark")
    with pytest.raises(fa.FlexarmError, match="must be > 0"):
        ready.run(end=-1)


def test_a_run_that_stops_early_warns_whoever_ran_it(ready):
    with pytest.warns(fa.StoppedEarly, match="max_steps") as caught:
        ready.run(end=0.2, max_steps=3)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ready.run(**OPTIONS)


def test_only_what_is_looked_at_is_computed(monkeypatch, ready):
    def fails(*_args, **_options):
        pytest.fail("was not asked for")

    for name in ("find_target", "quasi_static_positions", "ringing", "rigid_forces", "judged"):
        monkeypatch.setattr(observations, name, fails)
    monkeypatch.setattr("flexarm.analyses.run.record.centre_line", fails)
    monkeypatch.setattr("flexarm.analyses.run.prepare.tip_error", fails)
    run = ready.run(**OPTIONS)
    assert run.complete and run.info["steps"] > 0
    assert run.values("point_position").shape == (len(run.time), 1, 3)
    assert "line_deflection" in run.variables and "point_target" in run.variables


def test_points_seen_with_and_without_forces_are_the_same_to_the_last_bit(ready):
    light, full = ready.run(**OPTIONS), ready.run(**OPTIONS)
    full.values("joint_torque")
    for name in ("point_position", "point_velocity", "point_orientation", "energy_kinetic"):
        assert light.variables[name].identical(full.variables[name]), name


def test_a_run_that_derives_travels_to_other_processes_whole(ready):
    run = ready.run(**OPTIONS)
    other = pickle.loads(pickle.dumps(run))
    assert other.identical(run) and not isinstance(other.info, Derived)


def test_settings_change_no_compiled_number(arm):
    compiled = compile_arm(arm)
    changed = compile_arm(arm.changed(simulation=arm.simulation.changed(end=0.3, tolerance=1e-4)))
    assert all(np.array_equal(one, two) for one, two in zip(compiled.tree, changed.tree, strict=True))


def test_a_mapping_derives_each_group_once_and_drops_what_does_not_exist():
    calls = []

    def derive():
        calls.append(1)
        return {"b": 2}

    found = Derived([Group(("a",), lambda: {"a": 1}), Group(("b", "c"), derive, certain=False)])
    assert "a" in found and not calls
    assert list(found) == ["a", "b"] and found["b"] == 2 and "c" not in found
    assert len(calls) == 1 and found == {"a": 1, "b": 2} and len(found) == 2
    with pytest.raises(KeyError):
        found["c"]
