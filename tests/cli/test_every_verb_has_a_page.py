"""Every verb that answers a question can write a page, and what it prints as JSON makes one or is refused."""

import json

import pytest

from flexarm.papers.row import judged
from flexarm.report.rendering import is_page
from flexarm.verbs import VERBS as TABLE
from tests.cli.conftest import EXAMPLES

STRIP, PENDULUM, ROD = (str(EXAMPLES / f"{name}.toml") for name in ("strip", "pendulum", "rod_handler"))
# What answers no question about an arm or a paper, and what is itself the way to a page.
WITHOUT = {"schema", "warmup", "view", "report", "new", "doctor", "export"}
WORDS = {
    "statics": ["statics", STRIP],
    "torques": ["torques", ROD],
    "linearise": ["linearise", PENDULUM],
    "check": ["check", PENDULUM, ROD],
    "reproduce": ["reproduce", "fine"],
}


@pytest.fixture(autouse=True)
def papers(monkeypatch):
    """One small paper instead of the real ones."""
    monkeypatch.setattr("flexarm.papers.PAPERS", {"fine": lambda: iter([judged("fine.f_hz", 2.0, "Hz", paper=2.1)])})
    monkeypatch.setattr("flexarm.papers.ROW_COUNTS", {"fine": 1})


def test_every_verb_that_answers_takes_report(call):
    for verb in {verb.name for verb in TABLE} - WITHOUT:
        assert "--report" in call(verb, "--help").out, verb


@pytest.mark.parametrize("verb", WORDS)
def test_a_page_is_written_where_report_says_and_the_answer_stays_alone_on_stdout(call, tmp_path, verb):
    plain, done = call(*WORDS[verb]), call(*WORDS[verb], "--report", "page.html")
    assert (done.code, done.out, done.err) == (0, plain.out, "wrote page.html\n")
    assert is_page(tmp_path / "page.html")
    printed = call(*WORDS[verb], "--report", "page.html", "--json")
    assert json.loads(printed.out) == json.loads(call(*WORDS[verb], "--json").out)


@pytest.mark.parametrize("verb", WORDS)
def test_what_it_prints_as_json_makes_a_page(call, tmp_path, verb):
    (tmp_path / "result.json").write_text(call(*WORDS[verb], "--json").out, encoding="utf-8")
    done = call("report", "result.json")
    assert (done.code, done.out) == (0, "")
    assert f"flexarm · {verb}" in (tmp_path / "result.html").read_text("utf-8")


def test_the_summary_of_a_run_is_no_run_and_says_where_that_is(call, tmp_path, model):
    (tmp_path / "result.json").write_text(call("simulate", model, "--json", "--no-report").out, encoding="utf-8")
    done = call("report", "result.json")
    sentence = "result.json: is a summary of a run without its histories, give the run itself: pendulum.nc\n"
    assert (done.code, done.out, done.err) == (2, "", sentence)
    assert not (tmp_path / "result.html").exists()


@pytest.mark.parametrize("verb", WORDS)
def test_a_file_that_is_no_page_is_refused_before_anything_is_run(call, tmp_path, verb):
    (tmp_path / "notes.txt").write_text("mine")
    done = call(*WORDS[verb], "--report", "notes.txt")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("notes.txt: exists and is not a page of flexarm")
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_model_file_that_is_not_sound_has_a_page_too(call, tmp_path, model):
    (tmp_path / "wrong.toml").write_text((tmp_path / model).read_text("utf-8").replace('"0.5 m"', '"-1 m"'), "utf-8")
    done = call("check", "wrong.toml", "--report", "page.html")
    assert done.code == 2
    assert "Not valid: wrong.toml." in (tmp_path / "page.html").read_text("utf-8")
