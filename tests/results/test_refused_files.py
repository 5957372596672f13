"""A file that is not a whole, sound run is refused in one sentence that names it."""

import numpy as np
import pytest

from flexarm.errors import FlexarmError
from flexarm.results import open_run


def _refusal(path) -> str:
    with pytest.raises(FlexarmError) as refused:
        open_run(path)
    sentence = str(refused.value)
    assert sentence.startswith(f"{path}: ") and "\n" not in sentence
    return sentence


def test_a_missing_file_is_refused(tmp_path):
    assert "there is no such file" in _refusal(tmp_path / "nowhere.nc")


def test_a_directory_is_refused(tmp_path):
    assert "cannot be read: Is a directory" in _refusal(tmp_path)


@pytest.mark.parametrize(
    "content", [b"", b"flexarm ", b"name = 'arm'\n", b"\x89HDF\r\n\x1a\n", b"CDF\x01" + bytes(500)]
)
def test_a_foreign_file_is_refused(tmp_path, content):
    path = tmp_path / "foreign.nc"
    path.write_bytes(content)
    assert "is not a flexarm run" in _refusal(path)


def test_a_netcdf_file_of_someone_else_is_refused(tmp_path):
    import xarray

    path = tmp_path / "weather.nc"
    xarray.Dataset({"rain": ("day", np.arange(5.0))}).to_netcdf(path, engine="h5netcdf")
    assert "is not a flexarm run" in _refusal(path)


def test_a_file_cut_anywhere_is_refused(make_run, tmp_path):
    whole = make_run(21).save(tmp_path / "run.nc").read_bytes()
    path = tmp_path / "cut.nc"
    for size in [8, 100, 1000, *range(5000, len(whole), len(whole) // 20), len(whole) - 1]:
        path.write_bytes(whole[:size])
        sentence = _refusal(path)
        assert "cut short" in sentence or size < 5000  # nothing of flexarm stands in the first blocks of HDF5


def test_a_file_with_any_flipped_bit_or_added_byte_is_refused(make_run, tmp_path):
    # HDF5 itself reads flipped data silently, and loops for ever on some flips in its heap: it must not see them.
    whole = make_run(21).save(tmp_path / "run.nc").read_bytes()
    path = tmp_path / "flipped.nc"
    rng = np.random.default_rng(3)
    for place in [0, len(whole) - 1, len(whole) - 20, *rng.integers(0, len(whole), 200).tolist()]:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(damaged)
        assert "damaged" in _refusal(path)
    path.write_bytes(whole + b"\0")
    assert "changed since it was saved" in _refusal(path)


def test_a_run_of_a_later_format_is_refused_with_both_numbers(make_run, tmp_path, monkeypatch):
    monkeypatch.setattr("flexarm.results.netcdf.FORMAT", 7)
    path = make_run(11).save(tmp_path / "later.nc")
    monkeypatch.undo()
    assert "format 7, this version of flexarm reads format 1" in _refusal(path)
