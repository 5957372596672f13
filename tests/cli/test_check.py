"""`flexarm check`: what a model holds, reported to people and to programs."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from flexarm.analyses.overview import arm_overview, arm_summary
from flexarm.analyses.statics import statics
from flexarm.assembly import compile_arm
from flexarm.model import parse_arm, read_arm
from flexarm.model.extent import link_mass
from flexarm.studies.parameters.study_model import read_study
from tests.cli.conftest import EXAMPLES

FILES = sorted(EXAMPLES.glob("*.toml"))

TAPERED = """\
gravity = [0, 0, -9.81]

[[link]]
name = "boom"
joint = { type = "revolute", axis = [0, 1, 1], torque = "push" }
length = "2 m"
hub = { radius = "0.1 m", mass = "3 kg", inertia = "0.01 kg m^2" }
payload = [{ mass = "1 kg", at = "1 m" }, { mass = "2 kg" }]

[link.beam]
material = "steel"
section = { shape = "tube", diameter = "100 mm", thickness = "3 mm" }
end = { section = { diameter = "40 mm" } }

[[load]]
link = "boom"
force = [0, 0, "-3 N"]
law = "pulse"

[torque.push]
kind = "constant"
value = "1 N m"

[torque.pulse]
kind = "table"
times = [0, 1, 2]
values = [0, 1, 0]
"""


def nominal(path):
    """The arm of a file, at its means if it holds distributions."""
    return read_study(path).nominal if "normal = " in path.read_text() else read_arm(path)


ARMS = [nominal(path) for path in FILES] + [parse_arm(TAPERED)]


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_every_example_is_sound(call, path):
    answer = call("check", path)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"{path} is valid\n")


@pytest.mark.parametrize("arm", ARMS, ids=[*(path.stem for path in FILES), "tapered"])
def test_the_masses_of_the_links_add_up_to_the_weight_the_base_carries(arm):
    # Rigid finite elements share out the beam's mass by a rule exact for a linear change, 1e-3 for a quadratic one.
    if any(link.joint.free for link in arm.links):
        held = [link.changed(joint=link.joint.changed(free=False)) for link in arm.links]
        arm = arm.changed(links=tuple(held))  # nothing carries an arm that flies
    weighed = statics(arm.changed(gravity=(0.0, -10.0, 0.0), loads=(), supports=(), controllers=()))
    force, _ = weighed.reactions[arm.links[0].name]
    assert 10.0 * sum(map(link_mass, arm.links)) == pytest.approx(float(np.linalg.norm(force)), rel=1e-3)


def test_the_overview_names_links_drives_and_the_times_commands_switch(call, model):
    out = call("check", model).out
    for word in (
        "two-link pendulum",
        "planar, gravity 9.810 m/s² along -y",
        "2 joints and 4 elastic coordinates; 2 prescribed, 4 free",
        "1.900 kg",
        "0 s to 0.2 s, steady start, esdirk4, tolerance 1.0 µm",
        "revolute z     30°   stop     rigid, 1 payload",
        "prismatic x   10.00 mm   locked   beam, 4 rigid-fe elements",
        "stop      brake motion   upper arm   0.04 s, 0.06 s",
    ):
        assert " ".join(word.split()) in " ".join(out.split())


def test_hubs_loads_odd_axes_and_factors_are_reported():
    text = " ".join(arm_overview(compile_arm(parse_arm(TAPERED))).split())
    for word in (
        "revolute (0, 0.7071, 0.7071)",
        "2 payloads, hub",
        "force 3.000 N on boom",
        "no end time given",
        "pulse table factor load on boom",
        "push constant torque boom never",
    ):
        assert word in text


DRIVEN = """\
[[link]]
name = "arm"
length = "1 m"
beam = { bending_stiffness = 1, mass_per_length = 1 }
model = { formulation = "hermite", frames = "link", modes = 3, freedoms = ["bending", "axial"] }

[link.joint]
type = "revolute"
motion = "spin"
rate = "90 deg/s"
servo = { frequency = "1 Hz", inertia = "2 kg m^2" }
motor = { inertia = "1e-4 kg m^2", gear_ratio = 100 }
gear = { stiffness = "5 N m/rad" }

[[link]]
name = "boom"
length = "1 m"
beam = { bending_stiffness = 1, mass_per_length = 1 }
model = { formulation = "timoshenko" }

[link.joint]
type = "prismatic"
axis = "x"
sleeve = true
at = "0.5 m"
motion = "stay"
servo = { position_gain = 5, velocity_gain = "2 N s/m", torque_limit = "9 N" }

[motion.spin]
kind = "constant-rate"

[motion.stay]
kind = "hold"

[simulation]
end = "1 s"
analysis = "quasi-static"
"""


@pytest.fixture
def driven():
    """An arm with drives as far as the overview looks at the compiled one."""
    arm = parse_arm(DRIVEN)
    names = tuple(link.name for link in arm.links)
    return SimpleNamespace(
        arm=arm, joint_names=names, elastic_coordinates=(), free=(0, 1), driven=np.zeros(2, bool), point_names=("tip",)
    )


def test_servos_motors_gears_sleeves_and_frames_are_reported(driven):
    text = " ".join(arm_overview(driven).split())
    for word in (
        "spin, 90°/s, servo, motor, gear",
        "beam, 14 hermite elements, in the link's frame, reduced to 3 modes",
        "arm 14 hermite elements (bending, axial)",
        "left out torsion (torsional_stiffness not known); shear of arm (shear_stiffness not known); stretch of boom",
        "prismatic x, sleeve 500.0 mm stay, servo beam, 10 timoshenko elements 1.00 m",
        "simulation quasi-static, 0 s to 1 s, rest start, esdirk4",
        "position loop 5.000 1/s, velocity loop 2.000 N s/m, no integrator, feed-forward velocity, limit 9.000 N",
    ):
        assert word in text


def test_programs_are_reported_of_gains_and_what_is_felt_at_the_joint(driven):
    arm, boom = json.loads(json.dumps(arm_summary(driven)))["links"]
    servo = arm["servo"]
    assert arm["drive"] == "servo" and (servo["kp"], servo["kv"]) == pytest.approx((2 * np.pi**2, 4 * np.pi))
    assert (servo["feedforward"], servo["torque_limit"], servo["encoder"]) == ("velocity", None, "motor")
    assert (arm["felt_inertia"], arm["gear"]) == (pytest.approx(1.0), {"stiffness": 5.0, "damping": 0.0})
    assert (arm["frames"], arm["modes"], arm["freedoms"]) == ("link", 3, ["bending", "axial"])
    servo = boom["servo"]
    assert (boom["sleeve"], servo["kp"], servo["torque_limit"]) == (True, 10, 9)
    assert boom["freedoms"] == ["bending", "shear"]
    assert "gear" not in boom and "felt_inertia" not in boom and "frames" not in boom


def test_a_file_with_distributions_is_taken_at_its_means_which_is_reported(call, model, tmp_path):
    text = (tmp_path / model).read_text(encoding="utf-8")
    plain = call("check", model, "--json")
    random = text.replace('length = "0.8 m"', 'length = { normal = ["0.8 m", "1 mm"] }')
    (tmp_path / model).write_text(random, encoding="utf-8")
    answer = call("check", model, "--json")
    (found,), (expected,) = json.loads(answer.out), json.loads(plain.out)
    (parameter,) = found.pop("random")
    assert found == expected and (parameter["name"], parameter["mean"]) == ("link[1].length", 0.8)
    assert "link[1].length  normal, mean 0.8 m, deviation 0.001 m" in call("check", model).out
    answer = call("statics", model)
    assert answer.code == 0 and "pendulum.toml: 1 random number is taken at the mean\n" in answer.err
    (tmp_path / model).write_text(random.replace("1 mm", "1 kg"), encoding="utf-8")
    answer = call("check", model)
    assert answer.code == 2 and answer.err == 'pendulum.toml: link[1].length: normal[1] is "1 kg", must be in m\n'


def test_frequencies_are_reported_on_demand(call, model):
    answer = call("check", model, "--frequencies")
    assert "frequencies with all joints locked: " in answer.out
    # damped by its retardation of 1 ms the fourth mode creeps: it has no frequency
    assert len(json.loads(call("check", model, "--frequencies", "--json").out)[0]["frequencies_hz"]) == 3


def test_a_bad_file_among_good_ones_does_not_hide_them_but_ends_with_2(call, model, tmp_path):
    (tmp_path / "bad.toml").write_text("name = 3\nlink = 4\n", encoding="utf-8")
    answer = call("check", "bad.toml", model)
    assert answer.code == 2
    assert "pendulum.toml is valid" in answer.out
    assert answer.out.endswith("1 of 2 files are valid\n")
    assert all(line.startswith("bad.toml: top level: ") for line in answer.err.splitlines())


def test_json_holds_one_entry_per_file_sound_or_not(call, model, tmp_path):
    (tmp_path / "bad.toml").write_text("name = 3\nlink = 4\n", encoding="utf-8")
    answer = call("check", "--json", "bad.toml", model)
    bad, good = json.loads(answer.out)
    assert answer.code == 2
    assert (bad["model"], bad["sound"], len(bad["problems"])) == ("bad.toml", False, 2)
    assert (good["model"], good["sound"], good["mass_kg"]) == (model, True, pytest.approx(1.9))
    assert good["links"][1] == {
        "name": "slide",
        "on": "upper arm",
        "joint": "prismatic",
        "drive": "locked",
        "axis": [1.0, 0.0, 0.0],
        "at": 0.01,
        "at_unit": "m",
        "body": "beam",
        "length_m": 0.8,
        "mass_kg": pytest.approx(0.4),
        "formulation": "rigid-fe",
        "elements": 4,
        "freedoms": ["bending"],
    }
    assert good["commands"] == [
        {"law": "stop", "kind": "brake motion", "drives": "upper arm", "switches_s": [0.04, 0.06]}
    ]


REQUIRED = """
[[requirement]]
name = "there"
circle = { radius = "5 mm" }
at = "1 s"
"""


@pytest.mark.parametrize("length", ['"2 m"', '{ normal = ["2 m", "1 mm"] }'], ids=["plain", "random"])
@pytest.mark.parametrize(
    ("was", "now", "sentence"),
    [
        ("circle", "circel", "requirement[0]: circel is not known, must be "),
        ('"5 mm"', '{ normal = ["5 mm", "1 mm"] }', "requirement[0]: circle.radius is a distribution, must be given"),
        ('at = "1 s"', 'point = "tipp"', "tipp"),
        ('at = "1 s"', 'at = "9 s"', 'requirement "there" is at 9 s, must be within 0 and the end, 2 s'),
        ("[[requirement]]", "[requirement]", "requirement: is a table"),
    ],
)
def test_requirements_are_checked_too(call, tmp_path, length, was, now, sentence):
    text = TAPERED.replace('length = "2 m"', f"length = {length}") + '[simulation]\nend = "2 s"\n' + REQUIRED
    path = tmp_path / "arm.toml"
    path.write_text(text)
    answer = call("check", path)
    assert answer.code == 0
    assert 'required as "there": tip in a circle of 5 mm, at 1 s' in answer.out.replace("5.000", "5")
    path.write_text(text.replace(was, now))
    answer = call("check", path)
    assert answer.code == 2
    assert sentence in answer.err and answer.err.count("\n") == 1
    reported = json.loads(call("check", path, "--json").out)[0]
    assert reported["sound"] is False and sentence in answer.err
