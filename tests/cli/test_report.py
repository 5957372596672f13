"""`flexarm report`: a page of a kept run."""

import json

import pytest

from flexarm.report.rendering import is_page


@pytest.fixture
def kept(call, model):
    """A run in a file, without a page."""
    assert call("simulate", model, "--no-report", "--quiet").code == 0
    return "pendulum.nc"


def test_the_page_is_next_to_the_run(call, kept, tmp_path):
    answer = call("report", kept)
    assert (answer.code, answer.out) == (0, "")
    assert answer.err.startswith("wrote pendulum.html (")
    assert is_page(tmp_path / "pendulum.html")


def test_the_page_goes_where_it_is_wanted_and_replaces_an_older_one(call, kept, tmp_path):
    for _ in range(2):
        answer = call("report", kept, "--out", "look.html", "--json")
        assert json.loads(answer.out) == {"run": "pendulum.nc", "files": ["look.html"]}
    assert "pendulum.nc" in (tmp_path / "look.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("missing.nc",), "missing.nc: there is no such file"),
        (("pendulum.toml",), "pendulum.toml: is not a flexarm run"),
        (("pendulum.nc", "--out", "no/page.html"), "no/page.html: the folder no does not exist"),
        (("pendulum.nc", "--out", "pendulum.nc"), "pendulum.nc: exists and is not a page of flexarm"),
        (("pendulum.nc", "--out", "."), ".: is a folder"),
    ],
)
def test_what_cannot_be_shown_or_written_is_refused_in_a_sentence(call, kept, words, reason):
    answer = call("report", *words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(reason)
