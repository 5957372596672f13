"""`flexarm sensitivity` from the command line."""

import json

import pytest

from tests.studies.swings import swing

REQUIREMENT = '\n[[requirement]]\nname = "A"\nspeed = { below = "1 m/s" }\nat = "0.2 s"\n'
WORDS = ("--samples", 64, "--workers", 1, "--outputs", "tip.x,max(tip.speed),requirement A", "--times", "3")


@pytest.fixture
def random_model(tmp_path):
    """A model file with two distributions and a requirement."""
    study = swing(length='{ normal = ["0.5 m", "5 mm"] }', requirements=REQUIREMENT)
    (tmp_path / "swing.toml").write_text(study.text, encoding="utf-8")
    return "swing.toml"


def test_sensitivity_reports_parts_and_what_to_tighten_and_writes_its_study(call, random_model, tmp_path):
    answer = call("sensitivity", random_model, *WORDS, "--study", "kept", "--csv", "samples.csv", "--indices", "i.csv")
    assert (answer.code, answer.err) == (0, "wrote samples.csv and i.csv\n")
    assert "swing: 68 samples, 16 rows of 4 (sobol, seed 1, martinez)" in answer.out
    assert "tighten link[0].joint.rate first: it makes 9" in answer.out
    assert 'the number of requirement "A"' in answer.out
    assert "wrote" not in answer.out
    assert len((tmp_path / "samples.csv").read_text().splitlines()) == 69
    # two single numbers and one signal at three times, of two parameters
    assert len((tmp_path / "i.csv").read_text().splitlines()) == 1 + 2 * (2 + 3)
    assert {"input.toml", "study.json", "sensitivity.json"} <= {path.name for path in (tmp_path / "kept").iterdir()}
    again = call("sensitivity", random_model, *WORDS, "--study", "kept", "--resume")
    assert again.out == answer.out


def test_sensitivity_prints_pure_json(call, random_model):
    answer = call("sensitivity", random_model, *WORDS, "--json", "--pairs", "--points", 1)
    found = json.loads(answer.out)
    assert found["samples"] == 2 * 2 * 2 + 64
    first = found["outputs"][0]
    assert first["tighten_first"] in first["advice"]
    assert first["parts"][0]["first_interval"][0] < first["parts"][0]["first"]
    assert first["pairs"][0]["parameters"] == ["link[0].joint.rate", "link[0].length"]
    assert [len(each["total"]) for each in found["over_time"][0]["parameters"]] == [3, 3]


def test_derivatives_alone_take_two_samples_for_each_parameter(call, random_model):
    answer = call("sensitivity", random_model, "--samples", 0, "--workers", 1, "--outputs", "tip.x@end")
    assert answer.out.startswith("swing: 4 samples\n")
    assert "by the derivatives at the nominal arm it makes" in answer.out


def test_one_sample_of_the_design_is_a_model_file(call, random_model):
    text = call("sensitivity", random_model, "--row", 1, "--samples", 64).out
    # the nominal arm with the rate a tenth of its deviation above its mean
    assert text.startswith("# sample 1 of seed 1, sobol\n#   link[0].joint.rate = 1.505 rad/s")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--samples", "3"), "swing.toml: samples is 3, must be at least 32, 8 rows of 4"),
        (("--estimator", "best"), 'estimator is "best", must be "martinez"'),
        (("--outputs", "requirement B"), 'there is no requirement "B", must be "A"'),
        (("--indices", "none/x.csv"), "nothing can be written into none"),
        (("--row", "500", "--samples", "64"), "the sample is 500, must be within 0 and 67"),
    ],
)
def test_what_cannot_be_asked_is_reported_in_a_sentence(call, random_model, words, sentence):
    answer = call("sensitivity", random_model, *words)
    assert answer.code == 2
    assert sentence in answer.err
    assert answer.err.count("\n") == 1


def test_ctrl_c_reports_what_is_kept_and_how_to_go_on(call, random_model, monkeypatch):
    from flexarm.studies.sensitivity import sensitivity

    def pressed(_model, sampling, **_options):
        sampling.progress(100, sampling.samples, 0)
        raise KeyboardInterrupt

    monkeypatch.setattr(sensitivity, "run_study", pressed)
    answer = call("sensitivity", random_model, "--samples", "1e3", "--study", "kept")
    reported = "interrupted: 100 of 1004 samples are kept in kept, the same with --resume goes on\n"
    assert (answer.code, answer.out, answer.err) == (130, "", reported)
