"""Samples in compiled lanes: the numbers of their own runs, whoever stands beside them."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.studies.execution.evaluate import Evaluator, Task, evaluate_sample
from tests.studies.swings import BENDING

OUTPUTS = (
    "tip.x",
    "tip.deflection@0.15 s",
    "arm.torque@0.1 s",
    "max(tip.deflection)",
    "residual(tip.y)",
    "peak(tip.vy)",
)
OUTPUTS += ("energy.elastic@0.1 s", "arm.rate@0.03 s")
MODELS = {
    "rigid-fe": '{ formulation = "rigid-fe", elements = 4 }',
    "hencky": '{ formulation = "hencky", elements = 4, theory = "euler" }',
    "hermite": '{ formulation = "hermite", elements = 3, theory = "euler" }',
    "modes": '{ formulation = "modes", modes = 2, theory = "euler" }',
    "modes printed": '{ formulation = "modes", modes = 2, theory = "euler", order = "printed" }',
    "reduced elements": (
        '{ formulation = "hermite", elements = 4, theory = "euler", frames = "link", reduction = "clamped", modes = 2 }'
    ),
}


def bent(model: str, changes: dict[str, str] | None = None) -> fa.StudyModel:
    """The bending arm in a formulation, some of its text replaced."""
    text = BENDING.replace('{ formulation = "rigid-fe", elements = 4 }', MODELS[model])
    for old, new in (changes or {}).items():
        assert old in text
        text = text.replace(old, new)
    return fa.parse_study(text, name=model)


def evaluator(study: fa.StudyModel, outputs: tuple[str, ...] = OUTPUTS) -> Evaluator:
    """The evaluator of a study, in lanes."""
    made = Evaluator(Task(study.text, outputs, 3), study)
    assert made.reason is None
    return made


def alone(study: fa.StudyModel, evaluate: Evaluator, row: np.ndarray) -> np.ndarray:
    """The outputs of one sample, run as `simulate` would."""
    found, status, _ = evaluate_sample(study, evaluate.plan, row)
    assert status == "ok"
    return np.array(found)


@pytest.mark.parametrize("model", MODELS)
def test_a_sample_in_lanes_has_the_numbers_of_its_own_run(model):
    study = bent(model)
    evaluate = evaluator(study)
    values = study.draw(3, 0, 3)
    found = evaluate(values)
    assert found.status == ["ok"] * 3
    wanted = np.array([alone(study, evaluate, row) for row in values])
    # rounding, as a run gathers it; a step that the last digit decides otherwise leaves a part of the tolerance, 1e-6 m
    np.testing.assert_allclose(found.outputs, wanted, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("model", ["rigid-fe", "hermite", "modes"])
def test_so_it_has_in_space(model):
    # gravity across the plane of the motion: the beam bends both ways
    changes = {
        "planar = true": "planar = false",
        "gravity = [0, 0, 0]": "gravity = [0, 0, -9.81]",
        'mass_per_length = "0.5 kg/m"': 'mass_per_length = "0.5 kg/m", torsional_stiffness = "60 N m^2"',
    }
    study = bent(model, changes)
    evaluate = evaluator(study, ("tip.x@end", "tip.dz@0.15 s", "arm.torque@0.1 s", "max(tip.deflection)"))
    values = study.draw(3, 0, 2)
    found = evaluate(values)
    assert found.status == ["ok"] * 2
    assert np.all(found.outputs[:, 1] < -1e-3)
    np.testing.assert_allclose(found.outputs, [alone(study, evaluate, row) for row in values], rtol=1e-8, atol=1e-9)


def test_the_bits_of_a_sample_do_not_depend_on_the_others_beside_it():
    study = bent("rigid-fe")
    evaluate = evaluator(study)
    values = study.draw(1, 0, 21)
    whole = evaluate(values).outputs
    for part in (slice(0, 1), slice(5, 14), slice(20, 21)):
        assert evaluate(values[part]).outputs.tobytes() == whole[part].tobytes()
    shuffled = np.random.default_rng(2).permutation(21)
    assert evaluate(values[shuffled]).outputs.tobytes() == whole[shuffled].tobytes()


def test_commands_of_lanes_may_switch_at_different_times():
    study = bent("rigid-fe", {'braking_time = "20 ms"': 'braking_time = { normal = ["20 ms", "3 ms"] }'})
    evaluate = evaluator(study)
    values = study.draw(1, 0, 5)
    wanted = np.array([alone(study, evaluate, row) for row in values])
    np.testing.assert_allclose(evaluate(values).outputs, wanted, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("model", ["rigid-fe", "hermite", "modes"])
def test_rates_that_jump_strike_every_lane_at_its_own_time(model):
    # a cycloid shorter than a step follows the blow
    text = bent(model).text
    begin = text.index("[motion")
    end = text.index("[simulation]")
    laws = """[motion.stop]
kind = "sum"
of = ["knock", "jerk"]

[motion.knock]
kind = "table"
times = [{ uniform = ["49 ms", "51 ms"] }, "200 ms"]
values = [0, "0.3 rad"]
interpolation = "linear"

[motion.jerk]
kind = "cycloidal"
travel = "0.01 rad"
duration = "0.2 ms"
begin = "120 ms"

"""
    study = fa.parse_study(text[:begin] + laws + text[end:], name="struck")
    evaluate = evaluator(study)
    values = study.draw(1, 0, 3)
    wanted = np.array([alone(study, evaluate, row) for row in values])
    np.testing.assert_allclose(evaluate(values).outputs, wanted, rtol=1e-7, atol=1e-8)
    # whoever stands beside it
    assert evaluate(values[1:2]).outputs.tobytes() == evaluate(values).outputs[1:2].tobytes()


def test_a_load_that_follows_a_law_and_gravity_reach_every_lane():
    load = """
[[load]]
link = "arm"
force = [0, { normal = ["2 N", "0.2 N"] }, 0]
law = "push"

[torque.push]
kind = "sine"
amplitude = 1.0
frequency = "30 Hz"
"""
    text = bent("rigid-fe", {"gravity = [0, 0, 0]": "gravity = [0, -9.81, 0]"}).text
    study = fa.parse_study(text + load, name="pushed")
    evaluate = evaluator(study)
    values = study.draw(1, 0, 3)
    wanted = np.array([alone(study, evaluate, row) for row in values])
    np.testing.assert_allclose(evaluate(values).outputs, wanted, rtol=1e-8, atol=1e-9)


def test_a_sample_that_fails_has_its_reason_and_leaves_its_neighbours_alone():
    study = bent("rigid-fe", {'"0.8 m", "2 mm"': '"0.8 m", "0.6 m"'})
    evaluate = evaluator(study)
    values = study.draw(1, 0, 24)
    negative = values[:, study.names.index("link[0].length")] < 0.0
    assert 0 < negative.sum() < 24
    found = evaluate(values)
    assert [word == "impossible" for word in found.status] == negative.tolist()
    assert all("length" in text for text in np.array(found.reason)[negative])
    assert found.outputs[~negative].tobytes() == evaluate(values[~negative]).outputs.tobytes()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({'start = "steady"': 'start = "steady"\nstepper = "newmark"\nstep = "1 ms"'}, "the stepper newmark"),
        ({'start = "steady"': 'start = "steady"\nanalysis = "linear"'}, "the linear analysis"),
        (
            {'end = "0.2 s"': 'end = "0.2 s"\ntolerance = { uniform = ["1e-6 m", "2e-6 m"] }'},
            "settings in [simulation] are random",
        ),
    ],
)
def test_what_has_no_lanes_is_run_one_by_one_and_says_why(changes, words):
    evaluate = Evaluator(Task(bent("rigid-fe", changes).text, ("tip.x@end",), 3))
    assert words in str(evaluate.reason)
    assert not evaluate.laned


def test_samples_may_begin_at_random_states():
    start = '{ "arm.bending_z1" = { normal = [0, 0.01] }, "arm.bending_z2.rate" = { normal = [0, 0.1] } }'
    study = bent("rigid-fe", {'start = "steady"': f"start = {start}"})
    evaluate = evaluator(study)
    values = study.draw(1, 0, 3)
    found = evaluate(values).outputs
    np.testing.assert_allclose(found, [alone(study, evaluate, row) for row in values], rtol=1e-8, atol=1e-9)
    assert np.ptp(found[:, 0]) > 1e-3


def test_a_start_that_names_nothing_is_reported_for_every_sample():
    study = bent("rigid-fe", {'start = "steady"': 'start = { "arm.nonsense" = { normal = [0, 0.01] } }'})
    evaluate = Evaluator(Task(study.text, ("tip.x@end",), 3))
    found = evaluate(study.draw(1, 0, 2))
    assert not evaluate.laned
    assert found.status == ["refused"] * 2
    assert all('no coordinate "arm.nonsense"' in text for text in found.reason)
