"""Which tolerance matters, for arms whose answer is known: the same table however it is run, and one plain sentence."""

import json
import runpy
from pathlib import Path

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import AnalysisError
from flexarm.results.sensitivity_summary import advice
from flexarm.studies.store.store import StoredStudy, StudyError
from tests.studies.swings import LENGTH, RATE, RATE_DEVIATION, TRAVEL, bending, swing

EXAMPLES = Path(__file__).parents[2] / "examples"
LENGTH_DEVIATION = 0.005  # m
LENGTH_LAW = f'{{ normal = ["{LENGTH} m", "{LENGTH_DEVIATION} m"] }}'
RATE_NAME, LENGTH_NAME = "link[0].joint.rate", "link[0].length"
REQUIREMENTS = """
[[requirement]]
name = "stops there"
circle = { radius = "5 mm" }

[[requirement]]
name = "is not fast"
speed = { below = "1 m/s" }
at = "0.2 s"
"""
SAMPLES = 256
OUTPUTS = ("tip.x", "arm.position@end", "max(tip.speed)")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A study run in one go."""
    folder = tmp_path_factory.mktemp("whole")
    return fa.sensitivity(
        swing(length=LENGTH_LAW), outputs=OUTPUTS, samples=SAMPLES, times=5, pairs=True, folder=folder, workers=1
    )


def _part(ranking, name):
    return next(part for part in ranking.parts if part.parameter == name)


def test_derivatives_of_a_swinging_link_are_those_of_its_closed_form(whole):
    angle = RATE * TRAVEL  # tip.x = length · cos(rate · travel time) when it has stopped
    by_rate = -LENGTH * TRAVEL * np.sin(angle) * RATE_DEVIATION
    by_length = np.cos(angle) * LENGTH_DEVIATION
    ranking = whole["tip.x"]
    # a step of a tenth of a deviation leaves (0.1 · 0.02)²/6 of the sine; the run itself is exact to rounding
    assert _part(ranking, RATE_NAME).per_deviation == pytest.approx(by_rate, rel=1e-5)
    assert _part(ranking, LENGTH_NAME).per_deviation == pytest.approx(by_length, rel=1e-5)
    assert ranking.linear_deviation == pytest.approx(np.hypot(by_rate, by_length), rel=1e-5)


def test_indices_agree_with_the_derivatives_where_the_response_is_near_linear(whole):
    for ranking in whole.rankings.values():
        assert ranking.near_linear
        assert ranking.ranked[0].parameter == RATE_NAME
        for part in ranking.parts:
            # 64 scrambled rows; the indices' own intervals are ± 0.1 to 0.2
            assert part.share == pytest.approx(part.linear_share, abs=0.06)
            # an interval of a share that is all is a point, and its index rounding
            for low, high in (part.first_interval, part.total_interval):
                assert low - 1e-12 <= part.linear_share <= high + 1e-12


def test_a_parameter_the_output_does_not_know_has_no_part_of_it(whole):
    ranking = whole["arm.position@end"]
    # the angle is prescribed: rate times time, to rounding
    assert _part(ranking, LENGTH_NAME).total == pytest.approx(0.0, abs=1e-12)
    assert _part(ranking, RATE_NAME).first == pytest.approx(1.0, abs=1e-12)
    assert _part(ranking, RATE_NAME).halving == pytest.approx(0.5, abs=1e-12)


def test_one_sentence_says_what_to_tighten_with_the_number(whole):
    rate = _part(whole["tip.x"], RATE_NAME)
    assert whole.advice == (
        f"tighten {RATE_NAME} first: it makes {100.0 * rate.share:.0f} % of the variance of tip.x at the end; "
        f"halving its deviation would cut the standard deviation by {100.0 * rate.halving:.0f} % "
        f"(these samples cannot decide whether {LENGTH_NAME} matters more)"
    )
    # of the greatest speed the length has a tenth, which no interval makes the greater part
    assert advice(whole["max(tip.speed)"]).endswith(" %")
    # 1 − √(1 − 3/4 of the share)
    assert rate.halving == pytest.approx(1.0 - np.sqrt(1.0 - 0.75 * rate.share), rel=1e-12)
    text = whole.summary()
    assert whole.advice in text and "█" in text and "tip.x: " in text


def test_indices_over_time_end_in_those_of_the_end_and_begin_with_the_length_alone(whole):
    series = whole.over_time["tip.x"]
    assert series.times.tolist() == pytest.approx([0.0, 0.125, 0.25, 0.375, 0.5])
    last = whole["tip.x"]
    assert series.total[-1].tolist() == [part.total for part in last.parts]
    # nothing has turned yet
    assert series.first[0] == pytest.approx([0.0, 1.0], abs=0.1)
    assert series.linear_share[0].tolist() == [0.0, 1.0]
    assert series.leaders.tolist()[0] == 1 and series.leaders.tolist()[-1] == 0


def test_the_table_and_the_answer_are_the_same_to_the_last_bit_whatever_chunks_and_workers(tmp_path, whole):
    options = {"outputs": OUTPUTS, "times": 5, "pairs": True, "folder": tmp_path}
    again = fa.sensitivity(swing(length=LENGTH_LAW), samples=SAMPLES, chunk=37, workers=2, **options)
    assert again.stored.table().same_bits(whole.stored.table())
    assert {**again.to_dict(), "folder": ""} == {**whole.to_dict(), "folder": ""}


def test_an_interrupted_study_goes_on_and_ends_in_the_same_table(tmp_path, whole):
    def stop(done: int, _wanted: int, _failed: int) -> None:
        if done > 100:
            raise KeyboardInterrupt

    options = {"outputs": OUTPUTS, "times": 5, "pairs": True, "folder": tmp_path, "workers": 1, "chunk": 30}
    model = swing(length=LENGTH_LAW)
    with pytest.raises(KeyboardInterrupt):
        fa.sensitivity(model, samples=SAMPLES, progress=stop, **options)
    kept = sum(len(rows) for rows in StoredStudy(tmp_path).blocks())
    assert 100 < kept < SAMPLES
    again = fa.sensitivity(model, samples=SAMPLES, resume=True, **options)
    assert again.stored.table().same_bits(whole.stored.table())
    assert {**again.to_dict(), "folder": ""} == {**whole.to_dict(), "folder": ""}
    reported = json.loads((tmp_path / "sensitivity.json").read_text(encoding="utf-8"))
    assert reported == again.to_dict()
    # more samples are more rows: those that are there stay
    more = fa.sensitivity(model, samples=SAMPLES + 40, resume=True, **options)
    assert more.rows == whole.rows + 10
    assert more.stored.table().some(0, whole.samples).same_bits(whole.stored.table())
    with pytest.raises(StudyError, match="was begun with design"):
        fa.sensitivity(model, samples=SAMPLES, resume=True, **{**options, "pairs": False})


def test_failed_samples_cost_their_row_and_are_reported():
    model = swing(length=f'{{ normal = ["{LENGTH} m", "0.3 m"] }}')
    found = fa.sensitivity(model, outputs=("tip.x@end",), samples=160, workers=1)
    rows = found.stored.table()
    negative = rows.columns[LENGTH_NAME] < 0.0
    assert found.failed == {"impossible": int(negative.sum())}
    lost = negative[4:].reshape(40, 4).any(axis=1)
    assert (found.rows, found.kept_rows) == (40, 40 - int(lost.sum()))
    assert (
        f"{negative.sum()} samples failed; {lost.sum()} rows with such a sample left out as a whole" in found.summary()
    )


def test_a_neighbour_that_fails_leaves_its_derivative_unknown():
    # 0.1 deviations below its mean the length is negative
    model = swing(length='{ lognormal = ["0.01 m", "0.2 m"], shift = "-0.5 m" }')
    found = fa.sensitivity(model, outputs=("tip.x@end",), samples=0, workers=1)
    assert np.isnan(_part(found["tip.x@end"], LENGTH_NAME).per_deviation)
    assert f"derivatives by {LENGTH_NAME} are unknown: a neighbour of the nominal arm failed" in found.summary()
    json.dumps(found.to_dict(), allow_nan=False)


def test_requirements_are_outputs_too():
    model = swing(length=LENGTH_LAW, requirements=REQUIREMENTS)
    found = fa.sensitivity(model, outputs=("requirement is not fast", "tip.y@end"), samples=64, workers=1)
    assert list(found.rankings) == ["tip.y@0.5", "requirement is not fast"]
    ranking = found["requirement is not fast"]
    # at constant rate the speed is rate × length
    assert _part(ranking, RATE_NAME).per_deviation == pytest.approx(RATE_DEVIATION * LENGTH, rel=1e-6)
    assert _part(ranking, LENGTH_NAME).per_deviation == pytest.approx(RATE * LENGTH_DEVIATION, rel=1e-6)
    assert 'the variance of the number of requirement "is not fast"' in found.summary()
    every = fa.sensitivity(model, samples=0, workers=1)
    assert {"requirement stops there", "requirement is not fast", "tip.x@0.5"} <= set(every.rankings)
    # how far from the nominal place: least there, so that no derivative reports of it
    chosen = fa.sensitivity(
        model, outputs=(), requirements=[fa.Requirement("near", "circle", 0.01)], samples=64, workers=1
    )
    assert list(chosen.rankings) == ["requirement near"]
    assert not chosen["requirement near"].near_linear
    assert ": not linear" in chosen.summary()


def test_derivatives_report_nothing_where_an_output_turns_at_the_nominal_arm():
    # how far the tip is from its nominal place grows to either side of it
    model = swing(length=LENGTH_LAW, requirements=REQUIREMENTS)
    found = fa.sensitivity(model, outputs=("requirement stops there", "tip.y@end"), samples=0, workers=1)
    ranking, reported = found["requirement stops there"], found.to_dict()["outputs"][1]
    assert all(np.isnan(part.per_deviation) and np.isnan(part.linear_share) for part in ranking.parts)
    assert ranking.varies and not ranking.known
    assert reported["tighten_first"] is reported["halving_cuts"] is None
    assert advice(ranking) == (
        'what to tighten for the number of requirement "stops there" is unknown, for its derivatives by '
        f"{RATE_NAME} and {LENGTH_NAME} at the nominal arm are: take samples"
    )
    assert f"by {RATE_NAME}, {LENGTH_NAME} are unknown: it rises, or falls, to both sides" in found.summary()
    assert found["tip.y@end"].known
    sampled = fa.sensitivity(model, outputs=("requirement stops there",), samples=64, workers=1)
    assert sampled.advice.startswith(f"tighten {RATE_NAME} first: it makes ")


DEPENDENT = f'\n[correlation]\npairs = [["{RATE_NAME}", "{LENGTH_NAME}", 0.6]]\n'


def test_dependent_parameters_have_derivatives_but_no_parts():
    model = swing(length=LENGTH_LAW, requirements=DEPENDENT)
    with pytest.raises(AnalysisError) as refused:
        fa.sensitivity(model, samples=100)
    assert str(refused.value).startswith(f"{RATE_NAME} and {LENGTH_NAME} depend on one another, must be independent")
    found = fa.sensitivity(model, outputs=("tip.x@end",), samples=0, workers=1)
    ranking = found["tip.x@end"]
    one, other = (part.per_deviation for part in ranking.parts)
    # two normal numbers with the correlation 0.6; its integral is good to many digits
    assert ranking.linear_deviation == pytest.approx(np.sqrt(one**2 + other**2 + 1.2 * one * other), rel=1e-6)
    assert all(np.isnan(part.linear_share) for part in ranking.parts)
    assert "no parts of the variance" in found.summary()
    assert f"one deviation of {RATE_NAME} changes tip.x at the end most" in found.advice


def test_a_bending_arm_owes_its_greatest_deflection_to_its_stiffness():
    found = fa.sensitivity(bending(), outputs=("max(tip.deflection)",), samples=64, workers=1)
    ranking = found["max(tip.deflection)"]
    # a 5 % softer beam bends 5 % more, a 0.25 % longer one about four times 0.25 %: shares of 25 to 1 or so
    assert ranking.near_linear
    assert ranking.tighten_first.parameter == "link[0].beam.bending_stiffness"
    assert ranking.tighten_first.share > 0.9
    assert ranking.tighten_first.share == pytest.approx(ranking.tighten_first.linear_share, abs=0.06)


def test_the_example_prints_the_parts_of_its_formula(capsys):
    runpy.run_path(str(EXAMPLES / "which_tolerance.py"))
    head, *rows, reported = capsys.readouterr().out.splitlines()
    assert head.split("  ")[0] == "part of the variance"
    for row in rows:
        by_samples, by_derivatives, by_formula = (float(word.rstrip("%")) for word in row.split()[1:])
        # differences over a tenth of a deviation, four elements: to the digit printed; 40 rows to a few hundredths
        assert by_derivatives == pytest.approx(by_formula, abs=0.11)
        assert by_samples == pytest.approx(by_formula, abs=5.0)
    assert reported.startswith("tighten link[0].beam.section.height first: it makes 7")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"samples": 31}, "samples is 31, must be at least 32, 8 rows of 4, or 0"),
        ({"estimator": "jensen"}, 'estimator is "jensen", must be'),
        ({"method": "mc"}, 'method is "mc", must be'),
        ({"difference": 9.0}, "difference is 9, must be from 1e-6 to 3"),
        ({"outputs": ["requirement none"]}, 'there is no requirement "none", the model has none'),
        ({"outputs": ["tap.x"]}, 'the output "tap.x" names no point'),
        ({"outputs": []}, "outputs: there is none"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_anything_runs(options, sentence):
    with pytest.raises(AnalysisError) as refused:
        fa.sensitivity(swing(length=LENGTH_LAW), **options)
    assert sentence in str(refused.value)


def test_a_ranking_is_found_by_the_word_it_was_asked_for(whole):
    last = whole.rankings["tip.x@0.5"]
    assert all(whole[word] is last for word in ("tip.x", "tip.x@end", "tip.x@0.5", "tip.x@500 ms"))
    for word in ("tip.y", "tip.x@0.25 s"):
        with pytest.raises(KeyError):
            whole[word]


def test_indices_are_written_as_a_table(whole):
    lines = whole.indices_csv().splitlines()
    assert lines[0].startswith("output,time [s],parameter,first,first low,first high,total")
    # two single outputs and one signal at five times, of two parameters each
    assert len(lines) == 1 + 2 * (2 + 5)
    assert lines[1].startswith(f"arm.position@0.5,,{RATE_NAME},")
    assert whole.to_csv().splitlines()[0].startswith(f"sample,{RATE_NAME} [rad/s],{LENGTH_NAME} [m],tip.x@0 [m]")
