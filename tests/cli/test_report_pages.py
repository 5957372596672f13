"""`--report` on every verb, and `flexarm report` on what verbs keep."""

import json

import pytest

from flexarm.report.rendering import is_page
from tests.report.results import EXAMPLES, RANDOM, ROTOR

ROD = str(EXAMPLES / "rod_handler.toml")


def test_verbs_write_a_page_where_report_says(call, tmp_path):
    (tmp_path / "rotor.toml").write_text(ROTOR)
    for verb, words in {
        "modes": ["modes", ROD, "--count", "2"],
        "campbell": ["campbell", "rotor.toml", "--to", "10 rad/s", "--steps", "2", "--count", "1"],
        "compare": ["compare", ROD, "--formulations", "rigid-fe", "--elements", "2"],
        "brake": ["brake", ROD, "--from", "0.45", "--to", "0.5", "--points", "3", "--no-reasons"],
        "shape": ["shape", ROD, "--shapers", "zv", "--laws", "none", "--no-sensitivity"],
    }.items():
        done = call(*words, "--report", f"{verb}.html")
        assert done.code == 0, done.err
        assert is_page(tmp_path / f"{verb}.html")
        assert f"{verb}.html" in done.out + done.err


def test_studies_write_a_page_and_their_folder_makes_the_same(call, tmp_path):
    (tmp_path / "random.toml").write_text(RANDOM)
    words = ["--workers", "1", "--study", "kept"]
    for verb, more in {
        "montecarlo": ["--samples", "4", "--outputs", "tip.x@end"],
        "reliability": ["--samples", "4"],
        "sensitivity": ["--samples", "0", "--outputs", "tip.x@end"],
    }.items():
        folder = [word if word != "kept" else verb for word in words]
        done = call(verb, "random.toml", *folder, *more, "--report", "page.html")
        assert done.code == 0, done.err
        assert call("report", verb).code == 0
        assert (tmp_path / f"{verb}.html").read_bytes() == (tmp_path / "page.html").read_bytes()


def test_report_makes_a_page_of_what_a_verb_printed(call, tmp_path):
    (tmp_path / "modes.json").write_text(call("modes", ROD, "--count", "2", "--json").out)
    done = call("report", "modes.json", "--json")
    assert json.loads(done.out) == {"run": "modes.json", "files": ["modes.html"]}
    assert is_page(tmp_path / "modes.html")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["modes", ROD, "--report", "nowhere/page.html"], "nothing can be written into nowhere"),
        (["modes", "model.toml", "--report", "model.toml"], "model.toml: is the model file"),
        (["brake", ROD, "--report", "notes.txt"], "notes.txt: exists and is not a page of flexarm"),
        (["compare", ROD, "--report", "."], "is a folder, a page is kept in a file"),
        (["report", "list.json"], "list.json: is not what a verb prints with --json"),
        (["report", "broken.json"], "broken.json: cannot be read"),
        (["report", "missing.json"], "missing.json: there is no such file"),
        (["report", "facts.json"], "these data are no result with a page"),
        (["report", "."], "is no study, must hold study.json"),
    ],
)
def test_pages_that_cannot_be_are_refused_before_anything_is_run(call, tmp_path, words, sentence):
    (tmp_path / "model.toml").write_text(ROTOR)
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "list.json").write_text("[1]")
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "facts.json").write_text("{}")
    before = sorted(path.name for path in tmp_path.iterdir())
    done = call(*words)
    assert done.code == 2
    assert sentence in done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert (tmp_path / "notes.txt").read_text() == "mine"
