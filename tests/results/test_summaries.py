"""Summaries report a stranger the facts, with units and in aligned columns."""

import json

import numpy as np
import pytest

from flexarm.results import DriveTorques, Equilibrium, LinearModel, ModeSet
from flexarm.results.engineering import aligned, column, digits, quantity


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.0123456, "m", "12.35 mm"),
        (0.99996, "m", "1.000 m"),
        (-0.00099996, "m", "-1.000 mm"),
        (3.2e-7, "m", "320.0 nm"),
        (3.2e-14, "m", "3.200e-05 nm"),
        (12345.6, "N m", "12.35 kN m"),
        (12345.6, "s", "12346 s"),
        (0.25, "rad/s", "250.0 mrad/s"),
        (0.0025, "m²", "0.002500 m²"),
        (0.63, "kg", "0.6300 kg"),
        (1.5e9, "", "1.500e+09"),
        (0.0, "m", "0 m"),
        (float("nan"), "m", "unknown"),
        (None, "m", "unknown"),
    ],
)
def test_a_quantity_has_four_digits_and_a_sensible_prefix(value, unit, text):
    assert quantity(value, unit) == text


def test_a_column_shares_one_unit_and_its_decimals():
    assert column([0.00123, -0.0456, 0.0, float("nan")], "m") == ["1.23 mm", "-45.60 mm", "0.00 mm", "unknown"]
    assert column([1e-9, -1e-20], "") == ["1.000e-09", "-1.000e-20"]
    assert column([1.0, -1e-9], "m") == ["1.000 m", "0.000 m"]
    assert column([], "m") == []
    assert digits(476.190476, 3) == "476"


def test_columns_end_in_line():
    assert aligned([["a", "1"], ["bbb", "10"]], right=(1,)).splitlines() == ["  a      1", "  bbb   10"]


def test_the_summary_of_a_run_holds_every_fact(make_run):
    text = make_run(2001, check={"tip": 2.3e-5, "peak": 1e-6}, real_time_factor=500.0).summary()
    for fact in (
        "rod handler\n",
        "0 s to 2 s, 2001 samples",
        "2 joints, 3 elastic coordinates",
        "esdirk4, tolerance 1.0 µm at the tip; 412 steps, 3 rejected, 1650 iterations",
        "4.00 ms CPU time, 500 times faster than real time",
        f"x 1.200000 m, y {0.5 + 0.003 * np.sin(160.0):.6f} m, z 0.000000 m",
        "3.000 mm at t = ",
        "y 6.000 mm",
        "after the last switch of the command at t = 1.5045 s",
        "closes to 3.0 nJ, 3.0e-09 of the largest energy exchanged",
        "320 nm by the integrator's own estimate",
        "23 µm of the path, 1.0 µm of the peak deflection (twin with twice the elements, half the step, all freedoms)",
        "21.50 N m   1.0000 s          10.75 N m",
        "7.250 N   1.0000 s            3.625 N",
    ):
        assert fact in text
    assert "INCOMPLETE" not in text and "nan" not in text


def test_the_summary_of_a_run_that_stopped_leads_with_it(make_run):
    text = make_run(51, end=0.214, status="diverged", message="the step fell below 1e-12 s").summary()
    assert text.splitlines()[1].split(maxsplit=1) == [
        "INCOMPLETE",
        "stopped at t = 0.214 s: the step fell below 1e-12 s",
    ]
    assert "0 s to 0.214 s of 2 s" in text and "residual" not in text


def test_the_summary_copes_with_facts_that_are_missing(make_run):
    facts = ("stepper", "tolerance", "steps", "rejected", "iterations", "cpu_seconds", "last_switch", "tip_error")
    text = make_run(21, **dict.fromkeys(facts)).summary()
    assert "integrator" not in text and "cost" not in text and "unknown" not in text
    slow = make_run(21, cpu_seconds=8.0).summary()
    assert "8.00 s CPU time, 4.00 times slower than real time" in slow
    assert "fixed step 1.000 ms" in make_run(21, step=1e-3).summary()


def _modes(**changes):
    values = {
        "frequencies_hz": [12.5664, 78.7],
        "damping_ratios": [0.0025, 0.0155],
        "names": ("first bending", "second bending"),
        "coordinates": ("rod 1 z", "rod 2 z"),
        "shapes": [[0.5, 1.0], [-3.0, 1.0]],
        "point_names": ("elbow", "tip"),
        "point_shapes": [[[0, 0.1, 0], [0.3, -0.4, 0]], [[0, 0, 0], [0, 0, -2.0]]],
        "posture": {"shoulder": np.pi / 2, "slide": 0.25},
        "posture_units": {"slide": "m"},
        "arm_name": "rod handler",
    }
    return ModeSet(**(values | changes))


def test_modes_are_scaled_to_unit_motion_of_the_farthest_point_with_a_positive_component():
    modes = _modes()
    assert modes.point_shapes[0, 1] == pytest.approx([-0.6, 0.8, 0.0])
    assert modes.shapes[0] == pytest.approx([-1.0, -2.0])
    assert modes.point_shapes[1, 1] == pytest.approx([0.0, 0.0, 1.0])
    assert _modes(shapes=modes.shapes, point_shapes=modes.point_shapes).shapes == pytest.approx(modes.shapes)


def test_modes_without_moving_points_are_scaled_by_their_largest_coordinate():
    assert _modes(point_names=(), point_shapes=[]).shapes[1] == pytest.approx([1.0, -1.0 / 3.0])
    twisting = _modes(point_shapes=1e-16 * np.ones((2, 2, 3)))
    assert twisting.shapes[0] == pytest.approx([0.5, 1.0])
    assert _modes(shapes=np.zeros((2, 2)), point_shapes=np.zeros((2, 2, 3))).shapes.tolist() == [[0.0, 0.0]] * 2


def test_the_summary_of_modes_is_a_table():
    lines = _modes().summary().splitlines()
    assert lines[0] == "rod handler: 2 modes with the joints locked"
    assert lines[1] == "  posture: shoulder 90.00°, slide 250.0 mm"
    assert " ".join(lines[4].split()) == "1 12.566 Hz 79.58 ms 0.250 % rod 2 z first bending"
    free = _modes(frequencies_hz=[0.0, 78.7], damping_ratios=[0.0, 0.01], joints="free").summary()
    assert "joints free" in free and "0 Hz (free to move)" in free
    assert len(_modes()) == 2


def test_the_summary_of_an_equilibrium_shows_sag_torques_and_reactions():
    rest = Equilibrium(
        coordinates=("rod 1 z",),
        values=[0.001],
        joint_names=("shoulder", "slide"),
        joint_torque=[15.3, -4.0],
        joint_torque_units=("N m", "N"),
        reactions={"rod": ([0, 0, 30.9], [0, -15.45, 0])},
        tip_sag={"tip": [0, 0, -0.0024]},
        residual=3e-13,
        iterations=4,
        arm_name="rod handler",
    )
    text = rest.summary()
    for fact in ("-2.400 mm", "15.30 N m", "-4.000 N", "30.90 N", "-15.45 N m", "4 iterations", "3.0e-13"):
        assert fact in text
    reported = json.loads(json.dumps(rest.to_dict(), allow_nan=False))
    assert reported["joint_torque"] == {"shoulder": 15.3, "slide": -4.0}
    assert reported["reactions"]["rod"]["moment"] == [0, -15.45, 0]
    assert "0 iterations" in Equilibrium(coordinates=(), values=[]).summary()


def test_the_poles_of_a_linear_model_are_its_eigenvalues_slowest_first():
    omega, ratio = 2.0 * np.pi * 5.0, 0.1
    block = np.array([[0.0, 1.0], [-(omega**2), -2.0 * ratio * omega]])
    A = np.block([[block, np.zeros((2, 1))], [np.zeros((1, 2)), np.array([[-2.0]])]])
    model = LinearModel(
        A=A,
        B=np.zeros((3, 1)),
        C=np.eye(3)[:2],
        D=np.zeros((2, 1)),
        state_names=("q", "q rate", "motor"),
        input_names=("torque",),
        output_names=("tip x", "tip y"),
        operating_point={"shoulder": 0.0},
    )
    damped = omega * np.sqrt(1.0 - ratio**2)
    expected = [-2.0, -ratio * omega - 1j * damped, -ratio * omega + 1j * damped]
    assert model.poles() == pytest.approx(np.array(expected))
    text = model.summary()
    for fact in ("3 states, 1 input, 2 outputs", "tip x, tip y", "5.000 Hz", "10.0 %", "-3.142 ± 31.26 i"):
        assert fact in text
    assert "time constant 500.0 ms" in text
    assert json.loads(json.dumps(model.to_dict()))["poles"][0] == {"real": -2.0, "imag": 0.0}


def test_drive_torques_show_peaks_and_root_mean_squares_side_by_side():
    # Uneven samples of 2 sin t over whole periods: rms = √2 by the trapezium rule to its second order.
    time = np.concatenate([np.linspace(0.0, np.pi, 400), np.linspace(np.pi, 2 * np.pi, 100)[1:]])
    flexible = 2.0 * np.sin(time)[:, None]
    drives = DriveTorques(time, ("shoulder",), flexible, 0.5 * flexible, ("N m",), arm_name="rod handler")
    assert drives.rms()[0] == pytest.approx([np.sqrt(2.0), np.sqrt(0.5)], rel=1e-3)
    assert drives.peaks()[0] == pytest.approx([2.0, 1.0], rel=1e-4)
    row = " ".join(drives.summary().splitlines()[-1].split())
    assert row == "shoulder 2.000 N m 1.000 N m 2.00 1.414 N m 0.707 N m 2.00"
    reported = json.loads(json.dumps(drives.to_dict()))
    assert reported["peak"]["shoulder"]["rigid"] == pytest.approx(1.0, rel=1e-4) and len(reported["time"]) == time.size
    assert "no driven joint" in DriveTorques([], (), np.empty((0, 0)), np.empty((0, 0))).summary()


@pytest.mark.parametrize(
    "build",
    [
        lambda: _modes(names=("one",)),
        lambda: Equilibrium(coordinates=("q",), values=[1.0, 2.0]),
        lambda: DriveTorques([0.0], ("a",), [[1.0]], [[1.0]], ("N m", "N")),
        lambda: LinearModel([[1.0]], [[1.0]], [[1.0]], [[1.0]], ("x",), (), ()),
    ],
)
def test_fields_that_do_not_fit_one_another_are_refused(build):
    with pytest.raises(ValueError, match=r"shape|units"):
        build()
