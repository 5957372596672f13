"""Bad input ends with 2 and one sentence per problem; a fault of our own with 1 and a request to report it."""

import pytest

VERBS = ("simulate", "modes", "statics", "torques", "linearise")


@pytest.mark.parametrize("verb", ["check", *VERBS])
def test_a_missing_file_is_one_sentence_and_2(call, verb):
    answer = call(verb, "nowhere.toml")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "nowhere.toml: the file: was not found\n"


@pytest.mark.parametrize("verb", VERBS)
def test_all_mistakes_of_a_file_are_reported_each_in_its_line(call, model, tmp_path, verb):
    text = (tmp_path / model).read_text(encoding="utf-8")
    text = text.replace('"100 N m^2"', '"-3 N m^2"').replace('motion = "stop"', 'motion = "go"')
    (tmp_path / model).write_text(text, encoding="utf-8")
    answer = call(verb, model)
    assert (answer.code, answer.out) == (2, "")
    lines = answer.err.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("pendulum.toml: link[") for line in lines)
    assert 'link[1].beam: bending_stiffness is "-3 N m^2", must be > 0' in answer.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--end", "5 kg"), '--end is "5 kg", must be a time such as "0.5 s"'),
        (("--end", "-1"), "--end is -1 s, must be > 0"),
        (("--end", "nan"), "--end is nan s, must be finite"),
        (("--tolerance", "1 s"), '--tolerance is "1 s", must be a length such as "0.2 m"'),
        (("--stepper", "euler"), '--stepper is "euler", must be "esdirk4", "newmark" or "alpha"'),
        (("--start", "rets"), '--start is "rets", must be "rest", "static" or "steady" (did you mean "rest"?)'),
        (("--spectral-radius", "3"), "--spectral-radius is 3, must be ≤ 1"),
        (("--max-steps", "0"), "--max-steps is 0, must be a whole number from 1 to 1000000000"),
        (("--output", "1"), "pendulum.toml: simulation: output is 1 s, must be ≤ end, 0.2 s"),
    ],
)
@pytest.mark.parametrize("verb", ["simulate", "torques"])
def test_a_bad_setting_is_reported_with_its_option(call, model, verb, words, sentence):
    answer = call(verb, model, *words)
    assert (answer.code, answer.out, answer.err) == (2, "", sentence + "\n")


def test_an_analysis_that_is_none_is_reported_with_its_option(call, model):
    answer = call("simulate", model, "--analysis", "linaer")
    sentence = '--analysis is "linaer", must be "nonlinear", "linear" or "quasi-static" (did you mean "linear"?)'
    assert (answer.code, answer.out, answer.err) == (2, "", sentence + "\n")


def test_several_bad_settings_are_reported_together(call, model):
    answer = call("simulate", model, "--end", "5 kg", "--step", "x", "--output", "run.nc")
    assert answer.code == 2
    assert [line.partition(" ")[0] for line in answer.err.splitlines()] == ["--end", "--step", "--output"]
    assert answer.err.endswith("the file is named by --out\n")


def test_a_question_without_an_answer_is_reported_with_its_file(call, model, tmp_path):
    text = (tmp_path / model).read_text(encoding="utf-8")
    (tmp_path / model).write_text(text.replace('end = "0.2 s"', ""), encoding="utf-8")
    answer = call("simulate", model)
    assert answer.code == 2
    assert answer.err.startswith("pendulum.toml: simulation.end is missing")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("slide", '--posture is "slide", must be JOINT=VALUE such as "upper arm=30 deg"'),
        ("=1", '--posture is "=1", must be JOINT=VALUE such as "upper arm=30 deg"'),
        ("slide=", '--posture is "slide=", must be JOINT=VALUE such as "upper arm=30 deg"'),
        ("slide=30 deg", '--posture: "slide" is "30 deg", must be a length such as "0.2 m"'),
        ("upper arm=inf", '--posture: "upper arm" is inf rad, must be finite'),
        (
            "uper arm=1",
            '--posture: there is no joint "uper arm", must be "upper arm" or "slide" (did you mean "upper arm"?)',
        ),
    ],
)
@pytest.mark.parametrize("verb", ["modes", "statics", "linearise"])
def test_a_bad_posture_is_reported_with_its_option(call, model, verb, words, sentence):
    answer = call(verb, model, "--posture", words)
    assert (answer.code, answer.out, answer.err) == (2, "", sentence + "\n")


def test_a_joint_put_in_two_places_is_refused(call, model):
    answer = call("modes", model, "--posture", "slide=0", "--posture", "slide=1 mm")
    assert (answer.code, answer.err) == (2, '--posture: "slide" is given twice, must be given once\n')


@pytest.mark.parametrize(
    ("verb", "known"),
    [("modes", '"locked", "free" or "servo"'), ("linearise", '"locked", "free", "servo" or "driven"')],
)
def test_an_unknown_way_to_hold_the_joints_is_refused(call, model, verb, known):
    answer = call(verb, model, "--joints", "stuck")
    assert (answer.code, answer.err) == (2, f'--joints is "stuck", must be {known}\n')


@pytest.mark.parametrize(
    "words", [["simulat"], ["simulate"], ["simulate", "x", "--nonsense"], ["modes", "x", "--count", "0"]]
)
def test_a_wrong_call_shows_the_usage_and_ends_with_2(call, words):
    answer = call(*words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("Usage: flexarm")


def _broken(*_: object, **__: object) -> None:
    raise ZeroDivisionError("division\nby zero")


def test_a_fault_of_our_own_ends_with_1_and_asks_for_a_report_without_a_traceback(call, model, monkeypatch):
    monkeypatch.setattr("flexarm.analyses.modes.modes.modes", _broken)
    answer = call("modes", model)
    assert (answer.code, answer.out) == (1, "")
    first, second = answer.err.splitlines()
    assert first == "internal error, the fault is flexarm's and not yours: ZeroDivisionError: division by zero"
    assert second.startswith("please report it")


@pytest.mark.parametrize("before", [True, False])
def test_debug_anywhere_on_the_line_lets_the_traceback_through(call, model, monkeypatch, before):
    monkeypatch.setattr("flexarm.analyses.modes.modes.modes", _broken)
    with pytest.raises(ZeroDivisionError):
        call("--debug", "modes", model) if before else call("modes", model, "--debug")


def test_a_run_too_large_for_the_memory_is_refused_in_a_sentence(call, model, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("flexarm.analyses.run.simulate.simulate", full)
    answer = call("simulate", model)
    assert answer.code == 2
    assert answer.err.startswith("there is not enough memory")
