"""A run gives its arrays by name, measures vibration, and cannot be changed."""

import copy
import json
import pickle

import numpy as np
import pytest

from flexarm.errors import AnalysisError
from flexarm.results import NamedArray, Trajectory

AMPLITUDE, RATE = 0.003, 80.0  # m, rad/s: as the run in conftest.py swings


def test_time_values_and_labels_come_without_xarray(make_run):
    run = make_run()
    assert run.time[[0, -1]].tolist() == [0.0, 2.0]
    assert run.values("joint_torque").shape == (201, 2)
    assert run.values("joint_unit").tolist() == ["rad", "m"]
    assert run.labels("point") == ("elbow", "tip") and run.labels("nothing") == ()
    assert (run.signal("point_position", point="tip", axis="x") == 1.2).all()
    assert repr(run) == "<Trajectory 'rod handler': 201 samples, 2 joints, 3 elastic coordinates, complete>"


def test_xarray_views_carry_names_and_units(make_run):
    run = make_run()
    assert set(run.tip) == {"position", "velocity", "orientation", "deflection"}
    assert run.tip.position.sel(axis="x").values[0] == 1.2 and run.tip.position.attrs["units"] == "m"
    assert run.point("elbow").position.dims == ("time", "axis")
    assert set(run.joints) == {"position", "velocity", "acceleration"}
    assert run.joints.joint_unit.values.tolist() == ["rad", "m"]
    assert set(run.elastic) == {"position", "velocity"} and run.elastic.velocity.attrs["units"] == "rad/s"
    assert run.torque.sel(joint="slide").max() == 7.25 and run.rigid_torque.sizes == {"time": 201, "joint": 2}
    assert set(run.energy) == {"kinetic", "elastic", "work_drives", "balance_error"}
    assert run.stations.moment_z.attrs["units"] == "N m"
    assert run.stations.station_position.values.tolist() == [0.1, 0.4, 0.6, 0.9]
    assert run.dataset is run.dataset


def test_units_of_joints_are_given_where_all_agree_and_left_out_where_they_mix(make_run):
    def unit(kinds):
        arrays = {"joint_velocity": np.zeros((1, 2)), "joint_torque": np.zeros((1, 2))}
        labels = {"time": [0.0], "joint": ["a", "b"], "joint_unit": kinds}
        run = Trajectory.from_arrays(arrays, labels, arm_text="", info={})
        return [run.variables[name].unit for name in arrays]

    assert unit(["rad", "rad"]) == ["rad/s", "N m"]
    assert unit(["m", "m"]) == ["m/s", "N"]
    assert unit(["rad", "m"]) == ["", ""]


def test_every_view_copes_with_variables_that_are_absent(make_run):
    names = tuple(make_run(5).variables)
    bare = make_run(5, drop=names)
    for view in (bare.dataset, bare.tip, bare.joints, bare.elastic, bare.energy, bare.stations):
        assert not view.data_vars
    assert "rod handler" in bare.summary()
    with pytest.raises(AnalysisError, match="the run holds no joint_torque, it holds none"):
        bare.torque  # noqa: B018
    for name in names:
        assert "rod handler" in make_run(5, drop=(name,)).summary()


def test_wrong_names_are_answered_with_the_right_ones(make_run):
    run = make_run(5)
    with pytest.raises(AnalysisError, match="no point 'hand', it has 'elbow', 'tip'"):
        run.point("hand")
    with pytest.raises(AnalysisError, match="no coordinate 'wrist', it has 'upper arm', 'slide', 'slide 1 z'"):
        run.range(coordinate="wrist")
    with pytest.raises(AnalysisError, match="needs the labels 'point', 'axis'"):
        run.signal("point_position", point="tip")
    with pytest.raises(AnalysisError, match="the run holds no speed"):
        run.values("speed")


def test_the_range_of_the_tip_is_twice_its_amplitude_to_the_cubic_s_error(make_run):
    # 10 ms samples of 80 rad/s: (ωh)⁴/384 = 1.1e-3 of the amplitude on each side.
    assert make_run().range("tip", "y") == pytest.approx(2 * AMPLITUDE, rel=1.2e-3)
    assert make_run(2001).range("tip", "y") == pytest.approx(2 * AMPLITUDE, rel=1.2e-7)
    assert make_run(2001).range(coordinate="slide 3 z") == pytest.approx(6.0, rel=1.2e-7)
    assert make_run().range("elbow", "x") == 0.0


def test_the_window_of_the_range_need_not_fall_on_samples(make_run):
    # A quarter period on either side of a zero crossing at t = 2π/80·10.
    crossing, part = 2.0 * np.pi / RATE * 10, 0.3 / RATE
    found = make_run(2001).range("tip", "y", after=crossing - part, until=crossing + part)
    assert found == pytest.approx(2 * AMPLITUDE * np.sin(0.3), rel=1e-6)
    with pytest.raises(AnalysisError, match="no samples from 3 s to 4 s, it covers 0 s to 2 s"):
        make_run().range(after=3.0, until=4.0)


def test_the_residual_starts_at_the_last_switch(make_run):
    run = make_run(2001)
    assert run.residual("tip", "y") == run.range("tip", "y", after=1.5045)
    window = 0.2 / RATE
    along = run.residual(axis="y", window=window)
    assert along == run.range(after=1.5045, until=1.5045 + window) < AMPLITUDE
    with pytest.raises(AnalysisError, match="no switch"):
        make_run(last_switch=None).residual(axis="y")


def test_a_run_that_stopped_says_when_why_and_what_to_try(make_run):
    run = make_run(51, end=0.214, status="diverged", message="the step fell below 1e-12 s", advice="a smaller step")
    assert not run.complete
    assert run.failure == "stopped at t = 0.214 s: the step fell below 1e-12 s; try a smaller step"
    ready = make_run(status="stopped", message="stopped at t = 1 s: no convergence; try alpha")
    assert ready.failure == "stopped at t = 1 s: no convergence; try alpha"
    assert make_run().complete and make_run().failure is None


def test_the_model_comes_back_as_an_arm(make_run):
    arm = make_run(5).arm
    assert [link.name for link in arm.links] == ["upper arm", "slide"]


def test_nothing_in_a_run_can_be_changed(make_run):
    run = make_run(5)
    with pytest.raises(AttributeError):
        run.arm_text = ""
    with pytest.raises(TypeError, match="cannot be changed"):
        run.variables["more"] = run.variables["joint_torque"]
    with pytest.raises(ValueError, match="read-only"):
        run.values("joint_torque")[0, 0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        pickle.loads(pickle.dumps(run)).values("joint_torque")[0, 0] = 1.0


def test_a_run_travels_between_processes_and_copies_whole(make_run):
    run = make_run()
    _ = run.dataset
    assert pickle.loads(pickle.dumps(run)).identical(run) and copy.deepcopy(run).identical(run)
    assert not run.identical(make_run(200)) and not run.identical(make_run(steps=1))


def test_facts_become_plain_json_when_the_run_is_made(make_run):
    info = make_run(5, steps=np.int64(7), tip_error=np.nan, range=(1, np.float64(2.0)), table=np.eye(2)).info
    assert json.loads(json.dumps(info, allow_nan=False)) == info
    assert (info["steps"], info["tip_error"], info["range"], info["table"]) == (7, None, [1, 2.0], [[1, 0], [0, 1]])
    with pytest.raises(TypeError, match=r"info\.odd is a set"):
        make_run(5, odd={1})
    with pytest.raises(TypeError, match="only text can be a key"):
        make_run(5, odd={1: 2})


@pytest.mark.parametrize(
    ("arrays", "labels", "reason"),
    [
        ({"energy_kinetic": np.zeros(3)}, {"time": [0.0, 1.0]}, "3 entries along time, but time has 2"),
        ({"energy_kinetic": np.zeros((3, 1))}, {"time": [0.0] * 3}, "do not fit an array of shape"),
        ({"energy_kinetic": np.zeros(3)}, {}, "needs the coordinate time"),
        ({"speed": np.zeros(3)}, {"time": [0.0] * 3}, "speed is not a variable of a run"),
        ({}, {"colour": ["red"]}, "colour is not a coordinate of a run"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(arrays, labels, reason):
    with pytest.raises(ValueError, match=reason):
        Trajectory.from_arrays(arrays, labels, arm_text="", info={})


@pytest.mark.parametrize("values", [np.array([True]), np.array([1j]), np.array([None]), np.array(["a\0b"])])
def test_values_a_file_cannot_hold_are_refused(values):
    with pytest.raises(ValueError, match=r"cannot be kept|NUL"):
        NamedArray(("x",), values)
