"""`flexarm reproduce`: rows reported as a table or as one JSON array; a row that fails does not pass in silence."""

import json
from collections.abc import Iterator

import pytest

from flexarm.errors import AnalysisError
from flexarm.papers import Row
from flexarm.papers.row import judged

LONG = "the paper leaves the posture open, and " + "so it goes on and on, " * 10 + "to the end"


def _fine() -> Iterator[Row]:
    yield judged("fine.f1_hz", 12.5, "Hz", paper=12.5, within=0.1, note=LONG)
    yield judged("fine.f2_hz", 80.0, "Hz", note="a figure only")
    yield judged("fine.f3_hz", 200.0, "Hz", paper=1.0, within=0.1, note=LONG)


def _half() -> Iterator[Row]:
    yield Row("half.x_m", float("nan"), "m", 1.0, "differs", "")


def _lost() -> Iterator[Row]:
    yield judged("lost.x_m", 1.0, "m")
    raise AnalysisError("no equilibrium found")


@pytest.fixture(autouse=True)
def papers(monkeypatch):
    """Three small papers instead of the real ones."""
    monkeypatch.setattr("flexarm.papers.PAPERS", {"fine": _fine, "half": _half, "lost": _lost})
    monkeypatch.setattr("flexarm.papers.ROW_COUNTS", {"fine": 3, "half": 1, "lost": 4})


def test_the_table_holds_every_row_with_its_verdict_and_every_note_once(call):
    answer = call("reproduce", "fine")
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0].split() == ["quantity", "paper", "ours", "unit", "verdict", "note"]
    assert [line.split() for line in lines[1:4]] == [
        ["fine.f1_hz", "12.5", "12.50000", "Hz", "agrees", "[1]"],
        ["fine.f2_hz", "-", "80.00000", "Hz", "not", "printed", "[2]"],
        ["fine.f3_hz", "1", "200.0000", "Hz", "differs", "[1]"],
    ]
    assert sum(line.startswith("[1] ") for line in lines) == 1
    assert " ".join(LONG.split()) in " ".join(answer.out.split())
    assert lines[-1] == "3 rows: agrees 1, differs 1, not printed 1"


def test_json_is_exactly_one_array_of_rows(call):
    answer = call("reproduce", "fine", "--json")
    rows = json.loads(answer.out)
    assert (answer.code, answer.err) == (0, "")
    assert rows == [row.to_dict() for row in _fine()]
    assert list(rows[0]) == ["id", "value", "unit", "paper", "verdict", "note"]


def test_a_row_without_a_number_ends_with_4_and_is_null_in_json(call):
    answer = call("reproduce", "half", "--json")
    assert (answer.code, answer.err) == (4, "half.x_m: could not be computed\n")
    assert json.loads(answer.out)[0]["value"] is None
    assert "failed" in call("reproduce", "half").out


def test_a_paper_that_fails_ends_with_4_and_leaves_the_others_standing(call):
    answer = call("reproduce", "lost", "fine", "--json")
    assert (answer.code, answer.err) == (4, "lost: could not be computed: AnalysisError: no equilibrium found\n")
    assert len(json.loads(answer.out)) == 3


def test_an_unknown_paper_is_refused_with_2(call):
    answer = call("reproduce", "fien")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith('there is no paper "fien", must be one of fine')


def test_all_papers_are_run_if_none_is_named_and_each_once(call):
    assert [row["id"] for row in json.loads(call("reproduce", "--json").out)] == [
        *(row.id for row in _fine()),
        "half.x_m",
    ]
    assert len(json.loads(call("reproduce", "fine", "fine", "--json").out)) == 3


def test_whoever_waits_hears_how_many_rows_are_done_of_all(call, monkeypatch):
    heard = []
    monkeypatch.setattr("flexarm.cli.progress.CountBar.__call__", lambda _, *reported: heard.append(reported))
    call("reproduce", "lost", "half", "fine")
    # a paper that failed has no rows to come
    assert heard == [
        ("lost.x_m", 1, 8),
        ("half.x_m", 5, 8),
        *((f"fine.f{k}_hz", 5 + k, 8) for k in (1, 2, 3)),
    ]
