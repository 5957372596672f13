"""Settling in studies: the same numbers as `simulate`, in lanes and one by one, whatever servo errs."""

import numpy as np
import pytest
from scipy.optimize import brentq

import flexarm as fa
from flexarm.errors import AnalysisError
from flexarm.studies.execution.evaluate import Evaluator, Task, evaluate_sample
from flexarm.studies.reliability.requirement_tables import requirements_of

WORDS = (
    "settling_time(tip@1 mm)",
    "settling_time(tip@20 mm)",
    "residual(tip)",
    "residual(tip of elastic)",
    "tip.distance@end",
)
ARM = """
name = "servo arm"
gravity = [0, -9.81, 0]
planar = true
[[link]]
name = "link"
joint = { type = "revolute", axis = "z", motion = "move", servo = { kp = { uniform = [900, 1100] }, kv = 60 } }
length = "1 m"
beam = { bending_stiffness = 400, mass_per_length = 0.2 }
model = { formulation = "hermite", elements = 2 }
damping = { retardation = "4 ms" }
payload = { mass = 0.2 }
[motion.move]
kind = "cycloidal"
travel = 0.5
duration = { uniform = [0.3, 0.5] }
[simulation]
end = "1.5 s"
start = "static"
[[requirement]]
name = "there"
settled = { by = "0.9 s", within = "2 mm" }
[[requirement]]
name = "unbent"
settled = { by = "0.9 s", within = "2 mm", of = "elastic" }
[[requirement]]
name = "soon"
settling_time = { within = "20 mm", below = "0.8 s" }
"""


def study_of_arm() -> fa.StudyModel:
    """The servo arm with a random stiffness of its servo and a random duration of its move."""
    return fa.parse_study(ARM, name="servo arm")


def evaluator(words: tuple[str, ...] = WORDS) -> Evaluator:
    """The evaluator of its samples."""
    study = study_of_arm()
    return Evaluator(Task(study.text, words, 3, requirements_of(study)), study)


def test_samples_in_lanes_and_alone_and_in_simulate_settle_at_the_same_time():
    evaluate = evaluator()
    assert evaluate.reason is None
    study, plan = evaluate.study, evaluate.plan
    values = study.draw(1, 0, 9)
    rows = evaluate(values).outputs
    for k in (0, 8):
        alone, status, _ = evaluate_sample(study, plan, values[k])
        assert status == "ok"
        np.testing.assert_allclose(rows[k], alone, rtol=1e-7, atol=1e-9)
    run = fa.simulate(fa.parse_arm(fa.format_arm(study.arm(values[0]))))
    row = dict(zip(plan.names, rows[0].tolist(), strict=True))
    near = {"rel": 1e-6, "abs": 1e-9}
    assert run.settling_time(within="1 mm") is None  # it hangs in its servo: no less than the run is long
    assert row["settling_time(tip@1 mm)"] == pytest.approx(1.5)
    assert row["settling_time(tip@20 mm)"] == pytest.approx(run.settling_time(within="20 mm"), **near)
    assert row["requirement soon"] == row["settling_time(tip@20 mm)"]
    assert row["residual(tip)"] == pytest.approx(run.residual(), **near)
    assert row["residual(tip of elastic)"] == pytest.approx(run.residual(of="elastic"), **near)
    facts = run.settling()
    assert facts is not None
    assert row["tip.distance@1.5"] == pytest.approx(facts["distance_at_end_m"], **near)


def test_a_servo_that_errs_is_not_settled_though_its_link_is_nearly_straight():
    """kp θ = m g L …: the servo lets its joint sink by some 4 mm at the tip, the link bends by 1.7 mm."""
    evaluate = evaluator()
    values = np.array([[parameter.mean for parameter in evaluate.study.parameters]])
    row = dict(zip(evaluate.plan.names, evaluate(values).outputs[0].tolist(), strict=True))
    turn = brentq(lambda x: 1000.0 * x + 9.81 * (0.2 + 0.1) * np.cos(0.5 + x), -0.1, 0.1)
    drive = 2.0 * abs(np.sin(turn / 2.0))
    sag = np.cos(0.5) * 9.81 * (0.2 / 3.0 + 0.2 / 8.0) / 400.0
    # both along the same arc; the bent link leans by sag/L more
    assert row["requirement there"] == pytest.approx(drive + sag, rel=2e-2)
    assert row["requirement unbent"] == pytest.approx(sag, rel=2e-2)
    assert row["requirement there"] > 2e-3 > row["requirement unbent"]


def test_settling_about_the_equilibrium_is_found_one_by_one():
    words = ("settling_time(tip@1 mm about equilibrium)", "residual(tip about equilibrium)")
    evaluate = evaluator(words)
    assert evaluate.reason == "equilibria are found one by one"
    values = evaluate.study.draw(1, 0, 1)
    row = evaluate(values).outputs[0]
    run = fa.simulate(fa.parse_arm(fa.format_arm(evaluate.study.arm(values[0]))))
    assert row[0] == pytest.approx(run.settling_time(within="1 mm", about="equilibrium"), rel=1e-9)
    assert row[1] == pytest.approx(run.residual(about="equilibrium"), rel=1e-9)


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("settling_time(tip)", "has no distance, must be such as settling_time"),
        ("settling_time(tip@1 kg)", "the distance is"),
        ("settling_time(toe@1 mm)", "names no point"),
        ("residual(tip about elastic)", "must be of elastic or about equilibrium"),
    ],
)
def test_words_that_mean_nothing_are_refused(word, sentence):
    with pytest.raises(AnalysisError, match=sentence):
        evaluator((word,))


def test_a_limit_beyond_the_end_of_the_run_is_refused():
    late = fa.Requirement("late", "settling_time", 2.0, within=1e-3)
    study = study_of_arm()
    with pytest.raises(AnalysisError, match=r"must be before the end of the run, 1\.5 s"):
        Evaluator(Task(study.text, ("tip.x@end",), 3, (late,)), study)


def test_a_free_joint_has_nothing_to_settle_at():
    text = ARM.replace('motion = "move", servo = { kp = { uniform = [900, 1100] }, kv = 60 }', "free = true")
    text = text[: text.index("[motion.move]")] + text[text.index("[simulation]") : text.index("[[requirement]]")]
    study = fa.parse_study(text.replace("mass = 0.2 }", "mass = { uniform = [0.1, 0.2] } }"), name="free")
    with pytest.raises(AnalysisError, match='has no target: the joint "link" is free'):
        Evaluator(Task(study.text, ("settling_time(tip@1 mm)",), 3), study)
