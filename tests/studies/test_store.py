"""A study directory is whole at every moment, belongs to one process and to one input."""

import json
import multiprocessing
import os

import numpy as np
import pytest

from flexarm.studies.store.rows import Rows
from flexarm.studies.store.store import StoredStudy, StudyDirectory, StudyError

FACTS = {"samples": 100, "seed": 1, "method": "plain", "parameters": ["a"], "columns": ["b"], "cpu": "x"}
FACTS |= {"versions": {"flexarm": "1"}, "units": {"a": "m", "b": "m"}}


def _open(folder, *, text="input", resume=True, **changes):
    return StudyDirectory(folder, text, {**FACTS, "model": text, **changes}, resume=resume)


def _rows(begin, end):
    index = np.arange(begin, end, dtype=float)
    values = np.where(index % 7 == 3, np.nan, np.sin(index))
    status = ["ok" if np.isfinite(value) else "refused" for value in values]
    return Rows(begin, {"a": index, "b": values}, status, ["" if word == "ok" else "no" for word in status])


def test_what_is_written_is_read_back_to_the_last_bit_in_the_order_of_the_samples(tmp_path):
    with _open(tmp_path) as store:
        for begin, end in ((40, 100), (0, 13), (13, 40)):
            store.write(_rows(begin, end))
        assert store.missing(100) == []
    assert StoredStudy(tmp_path).table().same_bits(_rows(0, 100))


def test_the_samples_that_are_missing_are_those_between_the_parts(tmp_path):
    with _open(tmp_path) as store:
        store.write(_rows(10, 20))
        store.write(_rows(30, 31))
        assert store.missing(40) == [(0, 10), (20, 30), (31, 40)]
        assert store.missing(15) == [(0, 10)]


def test_parts_that_overlap_count_every_sample_once(tmp_path):
    with _open(tmp_path) as store:
        for begin, end in ((0, 30), (20, 60), (25, 50), (60, 100)):
            store.write(_rows(begin, end))
    assert StoredStudy(tmp_path).table().same_bits(_rows(0, 100))


def test_an_unfinished_part_is_not_seen_and_cleared_away_at_the_next_opening(tmp_path):
    with _open(tmp_path) as store:
        store.write(_rows(0, 10))
    left = tmp_path / ".unfinished-1-part-000000000010-000000000020.parquet"
    left.write_bytes(b"half")
    with _open(tmp_path) as store:
        assert store.missing(20) == [(10, 20)]
    assert not left.exists()


def _second(folder, answer):
    try:
        _open(folder).close()
        answer.put("opened")
    except StudyError as error:
        answer.put(str(error))


def test_a_second_process_is_refused_until_the_first_has_ended(tmp_path):
    context = multiprocessing.get_context("fork")
    answer = context.Queue()
    with _open(tmp_path):
        process = context.Process(target=_second, args=(tmp_path, answer))
        process.start()
        assert "another process is working on this study" in answer.get(timeout=20)
        process.join()
    _open(tmp_path).close()


def test_another_input_for_the_same_folder_is_refused_in_a_sentence(tmp_path):
    _open(tmp_path).close()
    with pytest.raises(StudyError, match=r"was begun with another model, see its input\.toml; choose another folder"):
        _open(tmp_path, text="other")
    with pytest.raises(StudyError, match=r"was begun with seed = 1, not 2; choose another folder"):
        _open(tmp_path, seed=2)
    with pytest.raises(StudyError, match=r"was begun by flexarm 1, this is 2"):
        _open(tmp_path, versions={"flexarm": "2"})


def test_the_refusal_shows_where_long_facts_differ(tmp_path):
    def requirements(kind, **more):
        return [{"name": "a long name of a requirement, longer than a line", "kind": kind, "at": [0.5], **more}]

    _open(tmp_path, requirements=requirements("circle"), columns=["tip.x@0.123456789"] * 9).close()
    for change, reported in (
        ({"requirements": requirements("sphere")}, 'requirements[0].kind = "circle", not "sphere"'),
        ({"requirements": requirements("circle", plane="xz")}, 'requirements[0].plane = null, not "xz"'),
        ({"columns": ["tip.x@0.123456789"] * 8}, "columns = 9 entries, not 8"),
        ({"columns": [*["tip.x@0.123456789"] * 8, "tip.y"]}, 'columns[8] = "tip.x@0.123456789", not "tip.y"'),
    ):
        kept = {"requirements": requirements("circle"), "columns": ["tip.x@0.123456789"] * 9}
        with pytest.raises(StudyError) as refused:
            _open(tmp_path, **{**kept, **change})
        assert f"was begun with {reported}; choose another folder" in str(refused.value)


def test_a_study_that_is_there_must_be_resumed_and_may_grow(tmp_path):
    _open(tmp_path).close()
    with pytest.raises(StudyError, match="holds a study already, must be resumed"):
        _open(tmp_path, resume=False)
    _open(tmp_path, samples=200).close()
    assert json.loads((tmp_path / "study.json").read_text())["samples"] == 200


def test_a_hypercube_cannot_grow_because_its_samples_depend_on_their_number(tmp_path):
    _open(tmp_path, method="lhs").close()
    with pytest.raises(StudyError, match="was begun with samples = 100, not 200"):
        _open(tmp_path, method="lhs", samples=200)


def test_a_resume_on_another_processor_is_reported(tmp_path):
    _open(tmp_path).close()
    with _open(tmp_path, cpu="y") as store:
        assert "another processor" in store.remarks[0]


def test_places_where_no_study_can_be_are_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StudyError, match="is a file, a study is kept in a folder"):
        _open(tmp_path / "file")
    os.rename(tmp_path / "file", tmp_path / "part-000000000000-000000000001.parquet")
    with pytest.raises(StudyError, match=r"holds parts of a study without its study\.json"):
        _open(tmp_path)
    with pytest.raises(StudyError, match=r"is no study, must hold study\.json"):
        StoredStudy(tmp_path)
