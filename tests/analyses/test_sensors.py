"""Sensors: what is read of an arm, against closed forms and SciPy's filters."""

import numpy as np
import pytest
from scipy import signal

import flexarm as fa
from flexarm.analyses.sensors.chain import Chain
from flexarm.errors import FlexarmError

pytestmark = pytest.mark.usefixtures("no_error_estimates")

# A rigid pendulum bar turned by a polynomial, gravity along −y: its motion is known in closed form.
BAR = """
planar = true
gravity = [0, -9.81, 0]
[[link]]
name = "bar"
joint = { type = "revolute", motion = "turn", motor = { inertia = "1e-5 kg m^2", gear_ratio = 50 } }
length = "0.5 m"
rigid = { mass = "1 kg", inertia = 0.1 }
[motion.turn]
kind = "polynomial"
coefficients = [0, 0, 0, "2 rad/s^3"]
amplitude = "0.05 rad"
frequency = "40 rad/s"
begin = "0 s"
end = "1 s"
[simulation]
end = "1 s"
"""


def arm(*sensors: str):
    return fa.parse_arm(BAR + "".join(f"[[sensor]]\n{each}\n" for each in sensors))


def angle(t):
    return 2.0 * t**3 + 0.05 * np.sin(40.0 * t)


@pytest.fixture(scope="module")
def run():
    """One run with a sensor of every kind."""
    return fa.simulate(
        arm(
            'name = "slow"\nkind = "encoder"\njoint = "bar"\nrate = "500 Hz"\n'
            'filter = { frequency = "2 Hz", ratio = 0.9 }',
            'name = "steep"\nkind = "encoder"\njoint = "bar"\nfilter = { frequency = "15 Hz", order = 5 }',
            'name = "edges"\nkind = "encoder"\njoint = "bar"\nlines = 256\nbefore_gear = true\nrate = "1 kHz"',
            'name = "head"\nkind = "accelerometer"\naxis = "y"',
            'name = "inward"\nkind = "accelerometer"\naxis = "x"',
            'name = "spin"\nkind = "gyroscope"\naxis = "z"\nrate = "250 Hz"\ndelay = "10 ms"',
            'name = "amperes"\nkind = "current"\njoint = "bar"\ntorque_constant = "0.1 N m/A"',
            'name = "camera"\nkind = "tracker"\naxis = "y"\nrange = 0.25\nbits = 6\nrate = "100 Hz"',
            'name = "late"\nkind = "signal"\nof = "bar.rate"\ndelay = "7.5 ms"\ngain = -2\nbias = 1',
            'name = "noisy"\nkind = "torque"\njoint = "bar"\nrate = "1 kHz"\nnoise = 0.5\nseed = 3',
        )
    )


def test_true_signals_are_those_of_the_motion_in_closed_form(run):
    t = run.time
    q, v, a = angle(t), 6 * t**2 + 2 * np.cos(40 * t), 12 * t - 80 * np.sin(40 * t)
    assert run["slow.true"] == pytest.approx(q, abs=1e-12)
    assert run["edges.true"] == pytest.approx(50 * q, abs=1e-10)
    assert run["head.true"] == pytest.approx(0.5 * a + 9.81 * np.cos(q), abs=1e-9)
    assert run["inward.true"] == pytest.approx(-0.5 * v**2 + 9.81 * np.sin(q), abs=1e-9)
    assert run["spin.true"] == pytest.approx(v, abs=1e-10)
    assert run["amperes.true"] == pytest.approx(run["bar.torque"] / (50 * 0.1), rel=1e-14)


@pytest.mark.parametrize(("name", "order"), [("slow", 2), ("steep", 5)])
def test_a_filter_gives_what_scipys_filter_gives(run, name, order):
    if name == "slow":
        w = 2 * np.pi * 2
        system = ([w**2], [1, 1.8 * w, w**2])
    else:
        system = signal.butter(order, 2 * np.pi * 15, analog=True)
    fine = np.linspace(0, 1, 20001)
    expected = signal.lsim(system, angle(fine), fine)[1]
    t = run.time if name == "steep" else np.floor(run.time * 500 + 1e-6) / 500
    # lsim takes the input for straight lines of 50 us: q'' h²/8 = 3e-8; ours for cubics of 1 ms
    assert run[f"{name}.measured"] == pytest.approx(np.interp(t, fine, expected), abs=3e-7)


def test_an_encoder_counts_four_edges_a_line_on_the_motor(run):
    step = 2 * np.pi / 1024
    counts = run["edges.measured"] / step
    assert counts == pytest.approx(np.round(counts), abs=1e-9)
    assert run["edges.measured"] == pytest.approx(50 * angle(run.time), abs=0.5 * step + 1e-9)


def test_a_converter_clips_and_rounds_and_holds(run):
    held = np.floor(run.time * 100 + 1e-6) / 100
    step = 0.5 / 64
    expected = np.clip(np.round(0.5 * np.sin(angle(held)) / step), -32, 31) * step
    agree = np.isclose(run["camera.measured"], expected, atol=1e-12)
    # a value on the edge between two codes may fall to either side by rounding
    assert agree.mean() > 0.99
    assert run["camera.measured"].max() == 31 * step


def test_delays_hold_back_and_begin_with_the_first_value(run):
    v = lambda t: 6 * t**2 + 2 * np.cos(40 * t)  # noqa: E731
    assert run["late.measured"] == pytest.approx(1 - 2 * v(np.maximum(run.time - 7.5e-3, 0)), abs=1e-8)
    taken = np.floor((run.time - 0.01) * 250 + 1e-6) / 250
    assert run["spin.measured"] == pytest.approx(v(np.maximum(taken, 0)), abs=1e-8)


def test_noise_is_a_function_of_seed_and_name(run):
    noise = run["noisy.measured"] - run["noisy.true"]
    # 1001 samples: the deviation is known to 0.5/sqrt(2 · 1000) = 0.011, the mean to 0.016
    assert noise.std() == pytest.approx(0.5, abs=0.05) and abs(noise.mean()) < 0.08
    again = fa.simulate(arm('name = "noisy"\nkind = "torque"\njoint = "bar"\nrate = "1 kHz"\nnoise = 0.5\nseed = 3'))
    assert np.array_equal(again["noisy.measured"], run["noisy.measured"])
    other = fa.simulate(arm('name = "noisy"\nkind = "torque"\njoint = "bar"\nrate = "1 kHz"\nnoise = 0.5\nseed = 4'))
    assert abs(np.corrcoef(other["noisy.measured"] - other["noisy.true"], noise)[0, 1]) < 0.2


def test_sample_by_sample_is_the_whole_signal():
    model = arm(
        'name = "one"\nkind = "encoder"\njoint = "bar"\nrate = "1 kHz"\nnoise = 1e-4\ndelay = "3 ms"\nlines = 5000\n'
        'filter = { frequency = "20 Hz", order = 3 }'
    )
    chain = Chain(model, model.sensors[0])
    t = np.arange(200) * 1e-3
    state, found = chain.begin(angle(0.0)), []
    for value in angle(t):
        y, state = chain.update(value, state)
        found.append(y)
    # lines of 1 ms in place of cubics: q'' h²/8 = 1e-5; and an edge more or less, 3e-4
    step = 2 * np.pi / 20000
    assert np.abs(np.array(found) - chain.along(t, angle(t), t, t)).max() <= step * 1.001


def test_runs_files_and_studies_have_what_sensors_measure(run, tmp_path):
    saved = fa.open_run(run.save(tmp_path / "run.nc"))
    assert np.array_equal(saved["spin.measured"], run["spin.measured"])
    assert "spin.measured [rad/s]" in run.to_csv().partition("\n")[0]
    text = BAR.replace("0.1 }", '{ normal = ["0.1 kg m^2", "0.01 kg m^2"] } }')
    text += '[[sensor]]\nname = "feel"\nkind = "torque"\njoint = "bar"\nrate = "200 Hz"\nnoise = 0.1\n'
    text += '[[requirement]]\nname = "felt"\nsignal = "feel.measured"\nwithin = 30\nduring = ["0 s", "1 s"]\n'
    study = fa.parse_study(text)
    names = ["max(feel.measured)", "feel.measured@0.5 s"]
    found = fa.montecarlo(study, samples=3, seed=1, outputs=names).scatter(names[0], "feel.measured@0.5")
    for row, values in zip(found, study.draw(1, 0, 3), strict=True):
        alone = fa.simulate(study.arm(values))["feel.measured"]
        assert row == pytest.approx([alone.max(), alone[500]], rel=1e-9)
    assert len(set(found[:, 1])) == 3
    # the bar's inertia of 0.1 kg m² at 50 rad/s² and gravity are within the bound of 30 N m
    assert np.abs(found).max() < 30.0 and fa.reliability(study, samples=4, seed=1).joint_met == 4


@pytest.mark.parametrize(
    ("sensor", "sentence"),
    [
        ('name = "a"\nkind = "strain"', "gauge is missing"),
        ('name = "a"\nkind = "strain"\ngauge = "b"', 'gauge is "b", must be the name of a \\[\\[gauge\\]\\]'),
        ('name = "a"\nkind = "encoder"\njoint = "bra"', 'did you mean "bar"|meant "bar"|"bar"'),
        ('name = "a"\nkind = "gyroscope"\naxis = "x"', 'must be "z" in a planar arm'),
        ('name = "a"\nkind = "gyroscope"', "axis is missing"),
        ('name = "a"\nkind = "torque"\njoint = "bar"\nnoise = 1', "must be given with rate"),
        ('name = "a"\nkind = "torque"\njoint = "bar"\nbits = 8', "must be given with range"),
        ('name = "a"\nkind = "torque"\njoint = "bar"\nlines = 8', 'lines is given, must be given with kind "encoder"'),
        ('name = "a"\nkind = "current"\njoint = "bar"', "torque_constant is missing"),
        (
            'name = "a"\nkind = "torque"\njoint = "bar"\nfilter = { frequency = "2 Hz", order = 3, ratio = 1 }',
            "order = 2",
        ),
    ],
)
def test_a_sensor_that_cannot_be_is_refused(sensor, sentence):
    with pytest.raises(FlexarmError, match=sentence):
        arm(sensor)


def test_a_sensor_of_a_signal_that_is_not_there_is_refused():
    with pytest.raises(FlexarmError, match=r'sensor "a": the output "tip\.wide" is not known'):
        fa.simulate(arm('name = "a"\nkind = "signal"\nof = "tip.wide"'))


def test_a_plant_reads_sensors():
    model = arm('name = "a"\nkind = "encoder"\njoint = "bar"\nbefore_gear = true\ngain = 2\nrate = "1 kHz"')
    plant = fa.Plant(model, "1 ms", ["bar.torque"], ["a.true", "a.measured"])
    y = plant.reset(start={"bar": 0.1})
    assert y == pytest.approx([5.0, 10.0], rel=1e-12)
