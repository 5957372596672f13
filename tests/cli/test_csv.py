"""`--csv` of a run: every sample of every signal, to the last bit, named and with its unit."""

import csv
import io

import numpy as np
import pytest

from flexarm.results import Trajectory, open_run


def table(text: str) -> dict[str, list[str]]:
    """The columns of a CSV file."""
    head, *rows = csv.reader(io.StringIO(text))
    return dict(zip(head, zip(*rows, strict=True), strict=True))


@pytest.fixture
def kept(call, model, tmp_path):
    """A run with its CSV file."""
    answer = call("simulate", model, "--no-report", "--csv", "all.csv")
    assert (answer.code, " and all.csv (" in answer.err) == (0, True)
    return open_run(tmp_path / "pendulum.nc"), (tmp_path / "all.csv").read_text("utf-8")


def test_simulate_writes_every_sample_of_every_signal_with_names_and_units(kept):
    run, text = kept
    columns = table(text)
    assert [float(value) for value in columns["time [s]"]] == run.time.tolist()
    for name, wanted in {
        "joint_position upper arm [rad]": run.signal("joint_position", joint="upper arm"),
        "joint_velocity slide [m/s]": run.signal("joint_velocity", joint="slide"),
        "joint_torque upper arm [N m]": run.signal("joint_torque", joint="upper arm"),
        "rigid_torque slide [N]": run.signal("rigid_torque", joint="slide"),
        "point_position tip y [m]": run.signal("point_position", point="tip", axis="y"),
        "point_deflection tip x [m]": run.signal("point_deflection", point="tip", axis="x"),
        "energy_kinetic [J]": run.values("energy_kinetic"),
    }.items():
        assert [float(value) for value in columns[name]] == wanted.tolist(), name
    sampled = [array for array in run.variables.values() if array.dims[0] == "time"]
    assert len(columns) == 1 + sum(int(np.prod(array.values.shape[1:])) for array in sampled)


def test_report_writes_the_same_file_of_a_kept_run(call, kept, tmp_path):
    answer = call("report", "pendulum.nc", "--csv", "again.csv")
    assert (answer.code, answer.out) == (0, "")
    assert (tmp_path / "again.csv").read_text("utf-8") == kept[1]


def test_a_long_run_is_written_in_blocks_and_whole():
    time = np.linspace(0.0, 1.0, 2501)
    unknown = np.where(time > 0.5, np.nan, time)
    run = Trajectory.from_arrays(
        {"joint_torque": unknown[:, None]}, {"time": time, "joint": ["hub"]}, arm_text="", info={}
    )
    assert len(list(run.csv_blocks())) == 4
    found = table(run.to_csv())["joint_torque hub [N m]"]
    assert [float(value) if value else None for value in found] == [t if t <= 0.5 else None for t in time.tolist()]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("simulate", "pendulum.toml", "--csv", "pendulum.nc"), "pendulum.nc: is the name of another file of this run"),
        (("simulate", "pendulum.toml", "--csv", "pendulum.toml"), "pendulum.toml: is the model file"),
        (("simulate", "pendulum.toml", "--csv", "no/all.csv"), "no/all.csv: nothing can be written into no"),
        (("report", "pendulum.nc", "--csv", "pendulum.nc"), "pendulum.nc: is the run itself"),
        (("report", "pendulum.nc", "--csv", "pendulum.html"), "pendulum.html: is the name of the page"),
        (("report", "facts.json", "--csv", "all.csv"), "facts.json: is no run"),
    ],
)
def test_a_file_that_should_not_be_written_is_refused_before_anything_is_run(call, model, tmp_path, words, sentence):
    (tmp_path / "pendulum.nc").write_bytes(b"\x89HDF\r\n\x1a\n")
    (tmp_path / "facts.json").write_text("{}")
    before = sorted(path.name for path in tmp_path.iterdir())
    answer = call(*words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(sentence)
    assert sorted(path.name for path in tmp_path.iterdir()) == before
