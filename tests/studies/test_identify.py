"""Numbers of a model from records: what was put in comes out, and what cannot be known is said."""

import json
from pathlib import Path

import h5py
import numpy as np
import pytest
from scipy.io import savemat

import flexarm as fa
from flexarm.analyses.following import smoothed
from flexarm.errors import FlexarmError
from flexarm.studies.identify.trust import autoregression, whiteness
from tests.cli.conftest import call  # noqa: F401

pytestmark = pytest.mark.usefixtures("no_error_estimates")

EXAMPLES = Path(__file__).parents[2] / "examples"
RIG, STEPS, LARGE = (
    EXAMPLES / name for name in ("quanser_two_link.toml", "quanser_steps.csv", "quanser_large_steps.csv")
)

ARM = """
planar = true
gravity = [0, 0, 0]
[[link]]
name = "rod"
joint = { type = "revolute", torque = "off", damping = "0.5 N m s/rad" }
length = "0.5 m"
beam = { bending_stiffness = "4 N m^2", mass_per_length = "0.3 kg/m" }
model = { formulation = "hermite", elements = 1 }
damping = { retardation = "4 ms" }
payload = { mass = "0.5 kg", inertia = "1e-3 kg m^2" }
[torque.off]
kind = "constant"
value = "0 N m"
[[gauge]]
name = "root"
link = "rod"
distance = "1 mm"
[[sensor]]
name = "hub"
kind = "encoder"
joint = "rod"
[[sensor]]
name = "strain"
kind = "signal"
of = "root.strain"
gain = 1000
[[experiment]]
columns = { hub_rad = "hub", strain = "strain" }
inputs = ["hub"]
vary = ["link[rod].payload.mass", "sensor[strain].gain"]
[simulation]
tolerance = "10 um"
"""


def moved(mass=0.5, gain=1000.0, noise=0.0, seed=1, filtered=""):
    """A record of the rod, swung to and fro, with its true numbers."""
    text = ARM.replace('torque = "off", ', 'motion = "swing", ').replace('mass = "0.5 kg"', f'mass = "{mass} kg"')
    text = text.replace("gain = 1000", f"gain = {gain}\n{filtered}")
    text += 'end = "4 s"\noutput = "5 ms"\n[motion.swing]\nkind = "table"\nunit = "rad"\n'
    text += "times = [0, 0.5, 0.8, 1.4, 2, 2.3, 3, 4]\nvalues = [0, 0.2, 0, 0.5, 0.1, 0.6, 0.3, 0]\n"
    run = fa.simulate(fa.parse_arm(text))
    strain = run["strain.measured"]
    rng = np.random.default_rng(seed)
    white = rng.standard_normal(len(strain) + 20)
    coloured = np.array([white[k : k + 20].sum() for k in range(len(strain))]) / np.sqrt(20)
    strain = strain + noise * strain.std() * coloured
    return fa.Measured(
        "swing", run.time, {"hub_rad": run["hub.true"], "strain": strain}, {"hub_rad": "rad", "strain": ""}
    )


@pytest.fixture
def model(tmp_path):
    """The model file of the rod."""
    path = tmp_path / "rod.toml"
    path.write_text(ARM)
    return path


def test_what_was_put_in_comes_out_within_its_interval(model):
    found = fa.identify(model, moved(0.42, 1100.0, noise=0.03), hold_out=moved(0.42, 1100.0, noise=0.03, seed=2))
    # the intervals are of 95 %: of two numbers with one seed, three half widths are taken
    for name, value in (("link[rod].payload.mass", 0.42), ("sensor[strain].gain", 1100.0)):
        each = found[name]
        assert abs(each.value - value) < 1.5 * (each.interval[1] - each.interval[0])
        assert each.value == pytest.approx(value, rel=0.05)
    # 3 % of noise is a thousandth of the variance
    assert found.explained()[0] > 0.998 and found.explained(held_out=True)[0] > 0.998
    assert not found.confounded
    data = json.loads(json.dumps(found.to_dict()))
    assert set(data["parameters"]) == {"link[rod].payload.mass", "sensor[strain].gain"}
    assert data["explained"]["fit"] == found.explained() and data["confounded"] == []


def test_coloured_noise_widens_the_intervals():
    rng = np.random.default_rng(3)
    white = rng.standard_normal(4000)
    coloured = np.convolve(rng.standard_normal(4019), np.ones(20) / np.sqrt(20), "valid")
    assert autoregression(white, 8000)[0] == pytest.approx(1.0, rel=0.2)
    remembering = np.zeros(4000)
    for k in range(1, 4000):
        remembering[k] = 0.9 * remembering[k - 1] + white[k]
    # e_k = 0.9 e_{k-1} + w_k has the spectrum 1/(1 − 0.9)² at rest; 4000 samples know it to 14 %
    assert autoregression(remembering, 8000)[0] == pytest.approx(100.0, rel=0.4)
    assert whiteness(white, 0.01).white and not whiteness(coloured, 0.01).white
    # a moving sum forgets linearly over its 20 samples: 0.2 is reached after 16
    assert whiteness(coloured, 0.01).memory == pytest.approx(0.16, abs=0.03)


def test_numbers_that_do_the_same_are_named(model):
    found = fa.identify(model, moved(), vary=["sensor[strain].gain", "gauge[root].distance"])
    assert len(found.confounded) == 1
    assert "only their product is known" in found.confounded[0]
    assert '"sensor[strain].gain"' in found.confounded[0] and '"gauge[root].distance"' in found.confounded[0]


def test_a_filter_that_the_model_leaves_out_is_proposed(model):
    record = moved(filtered='filter = { frequency = "2 Hz", ratio = 0.9 }')
    (remark,) = fa.identify(model, record, vary=["sensor[strain].gain"]).remarks
    assert "as no beam's does" in remark and 'frequency = "2.0' in remark and "ratio = 0.9" in remark


def test_a_posterior_is_a_study_and_the_fitted_file_an_arm(model):
    found = fa.identify(model, moved(0.45, noise=0.05))
    study = fa.parse_study(found.posterior)
    means = dict(zip(study.names, [p.mean for p in study.parameters], strict=True))
    assert means["link[0].payload.mass"] == pytest.approx(found["link[rod].payload.mass"].value, rel=1e-3)
    assert fa.parse_arm(found.fitted).links[0].payloads[0].mass == found["link[rod].payload.mass"].value


def test_the_measured_rig_is_explained():
    found = fa.identify(RIG, STEPS, hold_out=[LARGE])
    # a 500 Hz record of 40 s gives 97.5 %; its small steps alone, where dry friction of the hub counts for more, 96 %
    assert found.explained()[0] > 0.955 and found.explained(held_out=True)[0] > 0.955
    # the filter of the amplifier is documented with a ratio of 0.9, and the gauge's gain with 106
    assert found["sensor[strain 1].filter.ratio"].value == pytest.approx(0.9, abs=0.2)
    assert not found.confounded


def test_a_model_of_four_states_explains_the_arm_of_daisy():
    torque, acceleration = np.loadtxt(EXAMPLES / "daisy_robot_arm.dat").T
    # one anti-periodic period: u, −u, u, the first two to come to the periodic motion, in e^{−9} of where it starts
    columns = {
        "torque": np.concatenate([torque, -torque, torque]),
        "acceleration": np.concatenate([np.full(2048, np.nan), acceleration]),
    }
    record = fa.Measured("daisy", 0.002 * np.arange(3072), columns, {"torque": "", "acceleration": ""})
    found = fa.identify(EXAMPLES / "daisy_robot_arm.toml", record)
    # any model of four states whose acceleration vanishes at rest leaves 2.4 %: least squares on the spectra
    assert found.explained()[0] > 0.97


def test_a_joint_follows_a_record(tmp_path, call):  # noqa: F811
    t = np.arange(0, 2, 0.002)
    q = 0.3 * np.sin(2 * np.pi * 1.5 * t)
    record = fa.Measured("sine", t, {"rod.position": q}, {"rod.position": "rad"})
    arm = fa.parse_arm(ARM + 'end = "1.9 s"\n')
    run = fa.simulate(arm, follow=record, bandwidth="20 Hz")
    # knots every 25 ms: the cubic through a sine errs by (ω h)⁴/384 = 8e-6 of it, its second derivative by (ω h)²/12
    assert run["rod.position"] == pytest.approx(0.3 * np.sin(2 * np.pi * 1.5 * run.time), abs=1e-5)
    (tmp_path / "rod.toml").write_text(ARM)
    rows = "".join(f"{a},{b}\n" for a, b in zip(t, q, strict=True))
    (tmp_path / "sine.csv").write_text("time [s],rod [rad]\n" + rows)
    out = str(tmp_path / "run.nc")
    done = call("simulate", str(tmp_path / "rod.toml"), "--follow", str(tmp_path / "sine.csv"), "--out", out)
    assert done.code == 0, done.err
    assert fa.open_run(out)["rod.position"][-1] == pytest.approx(q[-1], abs=1e-4)
    with pytest.raises(FlexarmError, match="no column is called after a joint"):
        fa.simulate(arm, follow=record.renamed({"rod.position": "arm"}))
    with pytest.raises(FlexarmError, match="is in m, must be in rad"):
        fa.simulate(arm, follow=fa.Measured("s", t, {"rod": q}, {"rod": "m"}))


def test_smoothing_takes_what_is_above_the_bandwidth_away():
    t = np.arange(0, 4, 0.002)
    slow, fast = np.sin(2 * np.pi * 1.0 * t), np.sin(2 * np.pi * 100.0 * t)
    record = fa.Measured("two", t, {"x": slow + fast}, {"x": ""})
    knots, values = smoothed(record, "x", 10.0)
    inner = (knots > 0.3) & (knots < 3.7)
    assert values[inner] == pytest.approx(np.sin(2 * np.pi * knots[inner]), abs=0.02)


def test_records_are_read_from_all_kinds_of_files(tmp_path):
    t, x = np.arange(5) * 0.1, np.array([1.0, 2.0, np.nan, 4.0, 5.0])
    rows = list(zip(t, x, strict=True))
    cells = [f"{1e3 * a},{'' if b != b else b}\n" for a, b in rows]
    (tmp_path / "a.csv").write_text("time [ms],hub [deg]\n" + "".join(cells))
    (tmp_path / "b.csv").write_text("time_s,hub_deg\n" + "".join(f"{a},{b}\n" for a, b in rows))
    savemat(tmp_path / "c.mat", {"time_s": t, "hub_deg": x})
    with h5py.File(tmp_path / "d.mat", "w") as file:
        file["time_s"], file["hub_deg"] = t[:, None], x[:, None]
    (tmp_path / "e.dat").write_text("".join(f"  {b}\n" for b in x if b == b))
    for name, column in (("a.csv", "hub"), ("b.csv", "hub_deg"), ("c.mat", "hub_deg")):
        record = fa.read_record(tmp_path / name)
        assert record.time == pytest.approx(t) and record.units[column] == "rad"
        assert record[column] == pytest.approx(np.radians(x), nan_ok=True)
    assert fa.read_record(tmp_path / "d.mat")["hub_deg"] == pytest.approx(np.radians(x), nan_ok=True)
    plain = fa.read_record(tmp_path / "e.dat", names=["force [N]"], interval=0.5)
    assert plain.time == pytest.approx([0, 0.5, 1.0, 1.5]) and plain.units["force"] == "N"
    run = fa.simulate(fa.parse_arm(ARM + 'end = "0.1 s"\n'))
    assert fa.read_record(tmp_path / "a.csv").resampled(0.05).time == pytest.approx(np.arange(9) * 0.05)
    assert run.complete


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("time_s,x\n0,1\n0.1,1\n0.05,2\n1,3\n", r"the time runs backwards at sample 3, 0\.05 s after 0\.1 s"),
        ("time_s,x\n0,1\n0,1\n1,2\n2,3\n", "the time stands still at sample 2"),
        ("x,y\n0,1\n0,1\n1,2\n2,3\n", "there is no column time"),
        ("time_s,x [furlong per]\n0,1\n1,2\n2,3\n3,4\n", "which has"),
        ("time_s,x\n0,1\n1,2\n", "holds 2 samples"),
    ],
)
def test_a_record_that_cannot_be_is_refused(tmp_path, text, sentence):
    (tmp_path / "r.csv").write_text(text)
    with pytest.raises(FlexarmError, match=sentence):
        fa.read_record(tmp_path / "r.csv")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"vary": ["link[bar].payload.mass"]}, 'there is no link "bar"'),
        ({"vary": ["link[rod].payload.weight"]}, "weight"),
        ({"vary": ["link[rod].joint.damping"]}, "has no effect on anything that was measured"),
        ({"loss": "quartic"}, 'loss is "quartic", must be'),
        ({"columns": {"hub": "hub", "strain": "strain"}, "inputs": ["hub"]}, 'lacks the column "hub"'),
        ({"columns": {"hub_rad": "hat", "strain": "strain"}}, 'there is no sensor "hat"'),
        ({"columns": {"hub_rad": "strain", "strain": "hub"}, "inputs": ["hub"]}, "hub_rad is in rad"),
        ({"columns": {"hub_rad": "hub"}, "inputs": ["hub"]}, "columns has inputs alone"),
        ({"columns": {"strain": "strain"}, "input": ["hub"]}, 'did you mean "inputs"'),
        ({"columns": {"strain": "strain"}, "vary": []}, "nothing is to be found"),
    ],
)
def test_what_cannot_be_identified_is_refused(model, change, sentence):
    t = np.arange(0, 1, 0.01)
    columns = {"hub_rad": 0.1 * np.sin(9 * t), "strain": np.sin(9 * t)}
    record = fa.Measured("r", t, columns, {"hub_rad": "rad", "strain": ""})
    if "columns" in change:
        change = {"experiments": [{"vary": ["sensor[strain].gain"], **change}]}
    with pytest.raises(FlexarmError, match=sentence):
        fa.identify(model, record, **change)
