"""A saved run comes back to the last bit, is readable by others, and is never half written."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from flexarm.errors import FlexarmError
from flexarm.results import NamedArray, Trajectory, open_run


def test_a_saved_run_is_identical_when_opened(make_run, tmp_path):
    run = make_run()
    path = run.save(tmp_path / "run.nc")
    assert path == tmp_path / "run.nc"
    opened = open_run(path)
    assert opened.identical(run)
    assert opened.info == run.info
    assert list(opened.variables) == list(run.variables)


# Bit patterns, not numbers: signed zeros, infinities, subnormals and every kind of NaN are among them.
@given(bits=arrays(np.uint64, (3, 4), elements=st.integers(0, 2**64 - 1)))
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_bit_pattern_survives(bits, tmp_path):
    time = NamedArray(("time",), np.arange(3.0), "s")
    noise = NamedArray(("time", "noise"), bits.view(np.float64))
    run = Trajectory({"noise_level": noise}, {"time": time}, "", {})
    assert open_run(run.save(tmp_path / "bits.nc")).values("noise_level").tobytes() == bits.tobytes()


def test_labels_text_and_facts_of_any_script_and_size_survive(make_run, tmp_path):
    run = make_run(11)
    joint = NamedArray(("joint",), np.array(["Schulter – links", ""]))
    odd = Trajectory(
        run.variables,
        {**run.coordinates, "joint": joint},
        "# Größe, 大きさ\n" * 20_000,
        {"note": "λ₁ = 1.875\nline", "nested": {"list": [1, 2.5, None, True]}},
    )
    assert open_run(odd.save(tmp_path / "odd.nc")).identical(odd)


def test_integers_and_single_precision_keep_their_type(tmp_path):
    time = NamedArray(("time",), np.arange(2.0), "s")
    kept = {
        "count": NamedArray(("time",), np.array([1, 2**40])),
        "coarse": NamedArray(("time",), np.array([1.5, np.nan], dtype=np.float32)),
        "constant": NamedArray((), np.array(2.5), "kg"),
    }
    run = Trajectory(kept, {"time": time}, "", {})
    assert open_run(run.save(tmp_path / "types.nc")).identical(run)


def test_arrays_without_entries_are_left_out_and_a_run_without_samples_survives(make_run, tmp_path):
    rigid = Trajectory.from_arrays(
        {"elastic_position": np.empty((3, 0)), "energy_kinetic": np.ones(3)},
        {"time": [0.0, 1.0, 2.0], "joint": [], "joint_unit": [], "coordinate": []},
        arm_text="",
        info={},
    )
    assert set(rigid.variables) == {"energy_kinetic"} and rigid.labels("coordinate") == ()
    assert open_run(rigid.save(tmp_path / "rigid.nc")).identical(rigid)
    nothing = Trajectory({}, {}, "", {"status": "diverged"})
    assert open_run(nothing.save(tmp_path / "nothing.nc")).identical(nothing)
    assert nothing.time.size == 0 and "stopped" in nothing.summary()


def test_plain_xarray_opens_the_file_and_sees_what_the_run_shows(make_run, tmp_path):
    import xarray

    run = make_run()
    with xarray.open_dataset(run.save(tmp_path / "run.nc"), engine="h5netcdf") as opened:
        xarray.testing.assert_identical(opened.load().drop_attrs(deep=False), run.dataset.drop_attrs(deep=False))
        assert opened.attrs["flexarm_model"] == run.arm_text
        assert json.loads(opened.attrs["flexarm_info"]) == run.info
        assert opened.time.attrs["units"] == "s" and opened.time.dtype == np.float64


def test_saving_replaces_the_file_and_leaves_nothing_else(make_run, tmp_path):
    path = tmp_path / "run.nc"
    path.write_text("an older file")
    run = make_run(21)
    run.save(path)
    run.save(str(path))
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.nc"]
    assert open_run(path).identical(run)
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()


def test_a_save_that_fails_half_way_keeps_the_older_file(make_run, tmp_path, monkeypatch):
    path = tmp_path / "run.nc"
    older = make_run(21)
    older.save(path)

    def no_space(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(FlexarmError, match=r"run\.nc: cannot be written: no space left on device"):
        make_run(31).save(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.nc"]
    assert open_run(path).identical(older)


@pytest.mark.parametrize("place", ["missing/run.nc", "."])
def test_a_place_that_cannot_hold_the_file_is_refused_in_one_sentence(make_run, tmp_path, place):
    with pytest.raises(FlexarmError) as refused:
        make_run(11).save(tmp_path / place)
    assert str(tmp_path) in str(refused.value) and "\n" not in str(refused.value)


def test_saving_and_reporting_need_neither_xarray_nor_the_engine(make_run, tmp_path):
    make_run(11).save(tmp_path / "run.nc")
    code = (
        "import sys; from flexarm.results import open_run; run = open_run(sys.argv[1]); run.save(sys.argv[1]);"
        "run.summary(); run.range(); print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    loaded = _python(code, str(tmp_path / "run.nc")).split()
    assert not {"xarray", "pandas", "numba", "scipy", "pydantic", "rich"} & set(loaded)


def test_a_run_opens_and_shows_everything_where_the_compiler_is_missing(make_run, tmp_path):
    make_run(11).save(tmp_path / "run.nc")
    code = (
        "import sys; sys.modules['numba'] = sys.modules['llvmlite'] = None;"
        "from flexarm import open_run; run = open_run(sys.argv[1]);"
        "print(run.summary(), run.dataset, run.tip, run.joints, run.elastic, run.torque, run.energy, run.stations);"
        "print(run.arm.name)"
    )
    assert _python(code, str(tmp_path / "run.nc")).endswith("rod handler\n")


def _python(code: str, *arguments: str) -> str:
    """What a fresh interpreter prints."""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
