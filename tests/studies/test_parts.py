"""A part bears the digest of its bytes: any damage is found by whoever reads it, and only its samples are run again."""

import json
import shutil

import numpy as np
import pyarrow.parquet as parquet
import pytest

from flexarm.studies.store.parts import DamagedPart, Part, list_parts, read_part, write_part
from flexarm.studies.store.store import StoredStudy, StudyDirectory, StudyError

from .test_store import _open, _rows


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A study of two parts that nobody changes."""
    folder = tmp_path_factory.mktemp("study")
    with _open(folder) as store:
        store.write(_rows(0, 50))
        store.write(_rows(50, 100))
    return folder


@pytest.fixture
def study(kept, tmp_path):
    """The same, to be damaged."""
    return shutil.copytree(kept, tmp_path / "study")


def test_every_flipped_byte_of_a_part_is_found_whatever_columns_are_read(kept, tmp_path):
    part = list_parts(kept)[0]
    data = part.path.read_bytes()
    copied = Part(part.begin, part.end, tmp_path / part.path.name, part.digest)
    for at in range(0, len(data), 7):
        damaged = bytearray(data)
        damaged[at] ^= 1 << at % 8
        copied.path.write_bytes(damaged)
        for columns in ([], ["a"], None) if at % 49 == 0 else ([],):
            with pytest.raises(DamagedPart, match="its bytes do not fit the checksum in its name"):
                read_part(copied, columns)


@pytest.mark.parametrize("damage", [lambda data: data[:-100], lambda data: data + b"\0", lambda data: b""])
def test_a_part_that_is_cut_short_or_longer_is_found(study, damage):
    part = list_parts(study)[1]
    part.path.write_bytes(damage(part.path.read_bytes()))
    with pytest.raises(StudyError, match="samples 50 to 99 must be run again"):
        StoredStudy(study).table(["a"])


def test_what_is_read_of_a_damaged_study_is_a_sentence_with_all_samples_to_run_again(study):
    with _open(study, samples=150) as store:
        store.write(_rows(100, 150))
    first, _, last = list_parts(study)
    for part in (first, last):
        data = bytearray(part.path.read_bytes())
        data[-20] ^= 1
        part.path.write_bytes(data)
    reported = (
        r"and 1 more: damaged on the disk; samples 0 to 49, 100 to 149 must be run again, .* with --resume runs these"
    )
    for read in (StoredStudy(study).table, StoredStudy(study).check, lambda: list(StoredStudy(study).blocks([]))):
        with pytest.raises(StudyError, match=reported):
            read()


@pytest.mark.parametrize("where", np.linspace(0.01, 0.99, 9).tolist())
def test_a_study_that_is_resumed_drops_what_is_damaged_and_ends_in_the_identical_table(study, where):
    before = {part.path.name for part in list_parts(study)}
    path = list_parts(study)[0].path
    data = bytearray(path.read_bytes())
    data[int(where * len(data))] ^= 0x10
    path.write_bytes(data)
    with _open(study) as store:
        assert store.missing(100) == [(0, 50)]
        assert store.remarks == ["samples 0 to 49 were damaged on the disk and are computed anew"]
        store.write(_rows(0, 50))
    assert StoredStudy(study).table().same_bits(_rows(0, 100))
    # the same samples in the same bytes, to the digests in their names
    assert {part.path.name for part in list_parts(study)} == before


def test_one_part_in_the_place_of_another_is_found(study):
    one, two = list_parts(study)
    one.path.write_bytes(two.path.read_bytes())
    with _open(study) as store:
        assert store.missing(100) == [(0, 50)]


def test_a_part_of_the_same_samples_takes_the_place_of_the_one_before(study):
    with _open(study) as store:
        store.write(_rows(0, 50), cpu="another")
        assert len(list_parts(study)) == 2
    with _open(study) as store:
        store.write(_rows(0, 50), cpu="a third")
    assert [part[:2] for part in list_parts(study)] == [(0, 50), (50, 100)]


def test_a_writer_killed_between_two_renames_leaves_every_sample_once(study):
    # the new part is there, the one before not yet removed
    write_part(study, _rows(0, 50), "another")
    assert len(list_parts(study)) == 3
    assert StoredStudy(study).table().same_bits(_rows(0, 100))
    with _open(study) as store:
        assert store.missing(100) == []


# --- Studies of earlier versions -------------------------------------------------------------------------------------


def unsealed(study) -> list[Part]:
    """The parts under the names of earlier versions."""
    for part in list_parts(study):
        part.path.rename(study / f"part-{part.begin:012d}-{part.end:012d}.parquet")
    return list_parts(study)


def test_parts_of_an_earlier_version_open_and_get_a_digest_when_the_study_is_resumed(study):
    assert [part.digest for part in unsealed(study)] == [None, None]
    stored = StoredStudy(study)
    assert stored.unsealed == 2
    assert stored.table().same_bits(_rows(0, 100)) and list(stored.table(["b"]).columns) == ["b"]
    with _open(study) as store:
        assert store.remarks == ["2 parts of an earlier version had no checksum of their files and have one now"]
    assert StoredStudy(study).unsealed == 0
    assert StoredStudy(study).table().same_bits(_rows(0, 100))


def test_damaged_numbers_of_an_earlier_version_are_found_whatever_columns_are_read(study):
    part = unsealed(study)[0]
    table = parquet.read_table(part.path)
    column = table.column("a").to_numpy().copy()
    column[7] += 1e-9
    changed = table.set_column(1, "a", [column])
    parquet.write_table(changed.replace_schema_metadata(table.schema.metadata), part.path)
    with pytest.raises(StudyError, match="samples 0 to 49 must be run again"):
        StoredStudy(study).table(["b"])
    with _open(study) as store:
        assert store.missing(100) == [(0, 50)]


def test_a_report_of_a_damaged_study_is_refused_with_the_samples_to_run_again(study):
    from flexarm.studies.store.page_data import open_study

    # of a sensitivity study a page shows the summary alone: its parts are looked at all the same
    (study / "sensitivity.json").write_text(json.dumps({"samples": 100}))
    part = list_parts(study)[1]
    data = bytearray(part.path.read_bytes())
    data[30] ^= 4
    part.path.write_bytes(data)
    with pytest.raises(StudyError, match="samples 50 to 99 must be run again"):
        open_study(study)


def test_a_folder_with_parts_alone_is_no_study(kept, tmp_path):
    shutil.copy(list_parts(kept)[0].path, tmp_path)
    with pytest.raises(StudyError, match=r"holds parts of a study without its study\.json"):
        StudyDirectory(tmp_path, "input", {"samples": 1}, resume=True)
