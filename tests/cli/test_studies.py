"""`flexarm montecarlo` and `flexarm reliability` from the command line."""

import json
import signal
import subprocess
import sys
import time

import pytest

from tests.studies.swings import swing

REQUIREMENTS = """
[[requirement]]
name = "A"
circle = { radius = "5 mm" }
"""


@pytest.fixture
def random_model(tmp_path):
    """A model file with a distribution and a requirement."""
    (tmp_path / "swing.toml").write_text(swing(requirements=REQUIREMENTS).text, encoding="utf-8")
    return "swing.toml"


def test_montecarlo_reports_figures_and_writes_its_study(call, random_model, tmp_path):
    answer = call(
        *("montecarlo", random_model, "--samples", "2e1", "--outputs", "tip.x,max(tip.speed)", "--times", "3"),
        *("--study", "kept", "--workers", 1, "--csv", "samples.csv"),
    )
    assert (answer.code, answer.err) == (0, "wrote samples.csv\n")
    assert "20 samples (plain, seed 1)" in answer.out
    assert "max(tip.speed)" in answer.out
    assert "wrote" not in answer.out
    lines = (tmp_path / "samples.csv").read_text().splitlines()
    assert len(lines) == 21
    assert lines[0].startswith("sample,link[0].joint.rate [rad/s],tip.x@0 [m]")
    assert {"input.toml", "study.json", "montecarlo.json"} <= {path.name for path in (tmp_path / "kept").iterdir()}
    again = call("montecarlo", random_model, "--samples", "20", "--study", "kept")
    assert (again.code, again.err) == (2, "kept: holds a study already, must be resumed (--resume) or empty\n")


def test_montecarlo_prints_pure_json(call, random_model):
    answer = call("montecarlo", random_model, "--samples", 8, "--workers", 1, "--json", "--per-parameter")
    found = json.loads(answer.out)
    assert found["samples"] == 8
    assert found["bands"][0]["name"] == "tip.x"
    assert len(found["bands"][0]["mean"]) == 41
    assert found["effects"][0]["parameter"] == "link[0].joint.rate"


def test_one_sample_is_a_model_file_that_simulate_runs(call, random_model, tmp_path):
    text = call("montecarlo", random_model, "--row", 3).out
    assert text.startswith("# sample 3 of seed 1, plain\n#   link[0].joint.rate = 1.")
    (tmp_path / "one.toml").write_text(text, encoding="utf-8")
    assert call("simulate", "one.toml", "--quiet").code == 0


@pytest.mark.parametrize("verb", ["montecarlo", "reliability", "sensitivity"])
def test_the_numbers_of_one_sample_are_reported_to_programs(call, random_model, verb):
    reported = json.loads(call(verb, random_model, "--row", 3, "--json").out)
    text = call(verb, random_model, "--row", 3).out
    (rate,) = reported["parameters"]
    assert (reported["sample"], reported["seed"], rate["name"], rate["unit"]) == (3, 1, "link[0].joint.rate", "rad/s")
    assert f"#   link[0].joint.rate = {rate['value']!r} rad/s" in text
    assert reported["text"] == text.rstrip()


def test_a_resumed_study_that_is_not_there_is_remarked(call, random_model):
    words = ("montecarlo", random_model, "--samples", 4, "--outputs", "tip.x@end", "--workers", 1, "--resume")
    answer = call(*words, "--study", "typo")
    assert (answer.code, answer.err) == (0, "there is no study in typo yet, a new one is begun\n")
    assert call(*words, "--study", "typo").err == ""
    assert call(*words, "--study", "other", "--quiet").err == ""


def test_a_cluster_that_is_not_there_leaves_one_sentence_and_no_traceback(random_model, tmp_path):
    words = ("montecarlo", random_model, "--samples", "4", "--cluster", "bogus")
    ended = subprocess.run(
        [sys.executable, "-m", "flexarm", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1 and 'the cluster is "bogus"' in ended.stderr


def test_settings_of_the_command_line_are_those_of_every_sample(call, random_model):
    words = ("--samples", 4, "--workers", 1, "--end", "0.45 s", "--tolerance", "1 um", "--json")
    found = json.loads(call("montecarlo", random_model, *words, "--outputs", "arm.position@end").out)
    assert found["outputs"][0]["name"] == "arm.position@0.45"
    assert 'end = "0.45 s"' in call("montecarlo", random_model, "--row", 3, "--end", "0.45 s").out
    assert json.loads(call("reliability", random_model, *words).out)["samples"] == 4


def test_reliability_reports_intervals_and_the_tolerance_needed(call, random_model):
    answer = call("reliability", random_model, "--samples", 40, "--workers", 1, "--wanted", "0.9")
    assert answer.code == 0
    assert "the requirement is met in" in answer.out
    assert "95 % interval" in answer.out
    assert "tip in a circle of 5.000 mm, at the end" in answer.out
    found = json.loads(call("reliability", random_model, "--samples", 40, "--workers", 1, "--json").out)
    assert found["requirements"][0]["met"] == found["met"]
    assert found["interval"][0] < found["reliability"] < found["interval"][1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--samples", "many"), '--samples is "many", must be a whole number such as 1000 or 1e5'),
        (("--samples", "1e20"), '--samples is "1e20", must be a whole number up to 1000000000'),
        (("--samples", "inf"), '--samples is "inf", must be a whole number up to 1000000000'),
        (("--samples", "nan"), '--samples is "nan", must be a whole number such as'),
        (("--samples", "0"), "samples is 0, must be a whole number from 1"),
        (("--outputs", "tip.q"), 'the output "tip.q" is not known'),
        (("--times", "1 m"), "--times: is"),
        (("--levels", "2"), '--levels is "2", must be numbers from 0 to 1'),
        (("--resume",), "resume is given without the folder"),
        (("--csv", "none/x.csv"), "nothing can be written into none"),
        (("--row", "5", "--samples", "3"), "the sample is 5, must be within 0 and 2"),
        (("--tolerance", "5 s"), "--tolerance is "),
        (("--output", "tip.x"), "; what is kept of a sample is named by --outputs"),
        (("--output", "2 s"), "swing.toml: simulation: output is 2 s, must be ≤ end, 0.5 s"),
        (("--workers", "2", "--cluster", "tcp://host:8786"), "workers is 2 together with cluster, must be left out"),
        (("--cluster", "somewhere"), 'the cluster is "somewhere", where no scheduler of Dask answers'),
    ],
)
def test_what_cannot_be_asked_is_reported_in_a_sentence(call, random_model, words, sentence):
    answer = call("montecarlo", random_model, *words)
    assert answer.code == 2
    assert sentence in answer.err
    assert answer.err.count("\n") == 1


def test_reliability_keeps_the_outputs_asked_for_and_draws_their_bands(call, random_model, tmp_path):
    words = ("--samples", 6, "--workers", 1, "--outputs", "tip.y", "--csv", "kept.csv", "--report", "page.html")
    assert call("reliability", random_model, *words).code == 0
    assert "tip.y@0" in (tmp_path / "kept.csv").read_text("utf-8").splitlines()[0]
    assert "Bands over time" in (tmp_path / "page.html").read_text("utf-8")


def test_a_model_without_requirements_has_no_reliability(call, tmp_path):
    (tmp_path / "plain.toml").write_text(swing().text, encoding="utf-8")
    answer = call("reliability", "plain.toml")
    assert (answer.code, answer.err.startswith("plain.toml: there is no requirement")) == (2, True)


def test_ctrl_c_leaves_a_study_that_can_be_resumed(random_model, tmp_path):
    words = [sys.executable, "-m", "flexarm", "montecarlo", random_model, "--samples", "1e6", "--study", "kept"]
    process = subprocess.Popen(
        [*words, "--workers", "2", "--chunk", "10"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    while not list(tmp_path.glob("kept/part-*")) and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert b"of 1000000 samples are kept in kept, the same with --resume goes on" in err


def test_reliability_by_form_reports_the_design_point_and_what_is_to_blame(call, random_model, tmp_path):
    answer = call("reliability", random_model, "--method", "form", "--csv", "points.csv")
    assert (answer.code, answer.err) == (0, "wrote points.csv\n")
    assert "the requirement is missed with probability" in answer.out and "by FORM" in answer.out
    assert "which tolerance is to blame: link[0].joint.rate (100 %)" in answer.out
    # where the point is stands beside how far that is from the centre
    heads = "sample,link[0].joint.rate [rad/s],tip.x@0.5 [m],tip.y@0.5 [m],requirement A [m]"
    assert (tmp_path / "points.csv").read_text().startswith(heads)
    words = (
        "--method",
        "importance",
        "--cov",
        "0.3",
        "--block",
        "20",
        "--evaluations",
        "2e3",
        "--workers",
        1,
        "--json",
    )
    found = json.loads(call("reliability", random_model, *words).out)
    # 5 mm of arc at 0.5 m is 10 mrad, and the end angle has a deviation of 20 mrad
    assert found["all"]["interval"][0] < 0.617 < found["all"]["interval"][1]


def test_reliability_refuses_options_of_other_methods_and_reports_when_nothing_is_found(call, random_model, tmp_path):
    answer = call("reliability", random_model, "--method", "form", "--samples", 10)
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert "samples is given for the method form" in answer.err
    answer = call("reliability", random_model, "--method", "form", "--cov", 0.1)
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert "cov is given for the method form, which draws no samples; must be left out" in answer.err
    far = swing(requirements='[[requirement]]\nname = "far"\nsphere = { centre = [0, 0, 0], radius = "1 m" }\n').text
    (tmp_path / "far.toml").write_text(far, encoding="utf-8")
    answer = call("reliability", "far.toml", "--method", "form")
    assert answer.code == 5
    assert '"far": no design point was found' in answer.out and "try method subset" in answer.out


def test_ctrl_c_reports_what_a_search_for_rare_failures_has_found(random_model, tmp_path):
    words = [sys.executable, "-m", "flexarm", "reliability", random_model, "--method", "subset", "--study", "kept"]
    process = subprocess.Popen(
        [*words, "--cov", "0.001", "--workers", "1"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    while not list(tmp_path.glob("kept/part-*")) and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"by subset sampling" in out or b"is not known yet (subset sampling" in out
    assert b"they are kept in kept, the same with --resume goes on" in err
