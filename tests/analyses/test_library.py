"""An exported C library is the arm: the bits of `simulate` and of `Plant`, without Python, several at once."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.export import toolchain
from flexarm.links import FORMULATIONS
from tests.analyses.libraries import Library
from tests.analyses.sleeves import telescope
from tests.cli.conftest import call as call  # a fixture

EXAMPLES = Path(__file__).parents[2] / "examples"
pytestmark = pytest.mark.usefixtures("no_error_estimates")

ARM = """
name = "{name}"
gravity = [0, -9.81, 0]
planar = true
[[link]]
name = "hub"
joint = {{ type = "revolute", {hub} }}
length = "0.3 m"
rigid = {{ mass = "2 kg", inertia = "0.02 kg m^2" }}
[[link]]
name = "rod"
joint = {{ type = "revolute", at = "20 deg", {rod} }}
length = "0.6 m"
beam = {{ material = "steel", section = {{ shape = "tube", diameter = "12 mm", thickness = "1 mm" }} }}
model = {{ formulation = "{formulation}"{mesh} }}
damping = {{ ratio = 0.01 }}
payload = {{ mass = "0.2 kg" }}
[motion.turn]
kind = "cycloidal"
travel = "40 deg"
duration = "0.15 s"
[simulation]
end = "0.2 s"
output = "5 ms"
"""
SERVO = 'motion = "turn", servo = { kp = "400 N m/rad", kv = "20 N m s/rad", torque_limit = "9 N m" }'


def arm_of(formulation: str = "hermite", hub: str = 'motion = "turn"', rod: str = 'motion = "turn"') -> fa.Arm:
    mesh = f", {word} = 2" if (word := FORMULATIONS[formulation].mesh) else ""
    return fa.parse_arm(ARM.format(name=formulation, hub=hub, rod=rod, formulation=formulation, mesh=mesh))


def exported(arm: fa.Arm, folder: Path, **options) -> Library:
    # all under one name: what they have in common is turned into object code once
    fa.export(arm, folder / "arm", format="c", **options)
    return Library(folder / "arm")


@pytest.fixture(scope="module")
def servo_arm() -> fa.Arm:
    """A servo that comes to the limit of its torque, before a rod that is moved as commanded."""
    return arm_of(hub=SERVO)


@pytest.fixture(scope="module")
def library(servo_arm, tmp_path_factory) -> Library:
    return exported(servo_arm, tmp_path_factory.mktemp("library"))


def same_bits(arm: fa.Arm, library: Library) -> None:
    run = fa.simulate(arm)
    found = library.followed(run.time)
    for k, name in enumerate(library.outputs):
        assert np.array_equal(found[:, k], run.signal(name)), name


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_every_formulation_leaves_python_with_the_bits_of_simulate(formulation, tmp_path):
    arm = arm_of(formulation)
    same_bits(arm, exported(arm, tmp_path))


def test_servos_on_their_limit_leave_python_with_the_bits_of_simulate(servo_arm, library):
    same_bits(servo_arm, library)
    torque = library.followed(fa.simulate(servo_arm).time)[:, library.outputs.index("hub.torque")]
    assert np.max(np.abs(torque)) == 9.0  # N m: the limit


def test_a_beam_in_a_sleeve_leaves_python_with_the_bits_of_simulate(tmp_path):
    arm = telescope()
    same_bits(arm, exported(arm, tmp_path))


@pytest.mark.parametrize("name", ["gantry", "free_flyer", "spatial_rod"])
def test_spatial_arms_leave_python_with_the_bits_of_simulate(name, tmp_path):
    arm = fa.read_arm(EXAMPLES / f"{name}.toml")
    same_bits(arm, exported(arm, tmp_path))


def test_outputs_that_ask_for_more_than_the_state_are_those_of_simulate(servo_arm, tmp_path):
    names = ["tip.x_acceleration", "tip.speed", "tip.dy", "tip.deflection", "energy.elastic", "rod.moment_z_at_100_mm"]
    library = exported(servo_arm, tmp_path, outputs=names)
    run = fa.simulate(servo_arm)
    found = library.followed(run.time)
    for k, name in enumerate(names):
        wanted = run.signal(name)
        # deflections of arms with servos are counted from the same rigid arm; sums in another order
        assert np.allclose(found[:, k], wanted, rtol=0, atol=1e-12 * np.max(np.abs(wanted))), name


def test_it_does_not_matter_when_one_looks(servo_arm, library):
    at_ends = library.followed([0.0, 0.2])
    uneven = library.followed([0.0, *np.sort(np.random.default_rng(0).uniform(0.0, 0.2, 300)), 0.2])
    assert np.array_equal(at_ends[-1], uneven[-1])


def test_periods_that_are_added_up_end_where_the_run_ends(library):
    at_end = library.followed([0.2])[-1]
    assert library.call("reset") == 0
    for _ in range(2000):
        assert library.call("advance", 1e-4) == 0
    assert np.array_equal(library.read(), at_end)


def test_a_saved_state_goes_on_with_the_same_bits(library):
    library.followed([0.07])
    kept = library.another()
    library.call("save", kept)
    assert library.call("advance_to", 0.15) == 0
    first = library.read()
    assert library.call("restore", kept) == 0
    assert library.call("time") == 0.07
    assert library.call("advance_to", 0.15) == 0
    assert np.array_equal(library.read(), first)
    kept[:] = bytes(len(kept))
    assert library.message(library.call("restore", kept)) == "the state is of another arm"


def test_arms_run_side_by_side_in_threads(library):
    times = np.linspace(0.0, 0.2, 41)
    alone = library.followed(times)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda arm: library.followed(times, arm), [library.another() for _ in range(8)]))
    assert all(np.array_equal(each, alone) for each in together)


def test_time_does_not_go_back_and_numbers_must_be_some(library):
    library.followed([0.1])
    assert library.message(library.call("advance_to", 0.05)) == "the time asked for has passed"
    assert library.message(library.call("advance_to", float("nan"))) == "a number is none, or out of its range"
    assert library.message(library.call("set", 0, 1.0)) == "a number is none, or out of its range"
    assert library.call("time") == 0.1


def test_another_end_and_tolerance_are_those_of_simulate(servo_arm, library):
    run = fa.simulate(servo_arm, end=0.1, tolerance=1e-8)
    assert library.call("reset") == 0
    assert library.call("configure", 0.1, 1e-8, 0.0) == 0
    assert library.call("advance_to", 0.1) == 0
    assert library.read()[library.outputs.index("tip.x")] == run.signal("tip.x")[-1]


def test_torques_from_outside_give_the_bits_of_a_plant(servo_arm, tmp_path):
    inputs, outputs = ["hub.torque"], ["hub.position", "hub.rate", "tip.x", "tip.y_rate"]
    library = exported(servo_arm, tmp_path, inputs=inputs, outputs=outputs, period="2 ms")
    plant = fa.Plant(servo_arm, "2 ms", inputs=inputs, outputs=outputs)
    assert library.call("reset") == 0
    assert np.array_equal(library.read(), plant.reset())
    for k in range(60):
        torque = 3.0 * np.sin(0.3 * (k // 3))
        assert library.call("set", 0, float(torque)) == 0
        assert library.call("advance", 0.002) == 0
        assert np.array_equal(library.read(), plant.step([torque]))


def test_motions_and_targets_from_outside_are_kept(servo_arm, tmp_path):
    library = exported(servo_arm, tmp_path, inputs=["hub.target", "rod.position"], outputs=["hub.position", "tip.x"])
    assert library.inputs == ["hub.target", "rod.position", "rod.rate"]
    assert library.call("reset") == 0
    start = np.radians(20.0)
    for k in range(1, 401):
        # a turn of 0.1 rad in 0.2 s, then rest; a servo without an integrator gives way by what gravity asks of it
        t = min(2e-3 * k, 0.2)
        place, rate = 0.1 * np.sin(np.pi * t / 0.4) ** 2, 0.05 * np.pi / 0.2 * np.sin(np.pi * t / 0.2)
        for j, value in enumerate((0.2, start + place, rate)):
            assert library.call("set", j, float(value)) == 0
        assert library.call("advance", 0.002) == 0
    held = servo_arm.changed(
        links=[
            link.changed(joint=link.joint.changed(motion="still", at={"hub": 0.2, "rod": start + 0.1}[link.name]))
            for link in servo_arm.links
        ],
        motions={"still": {"kind": "hold"}},
        simulation={"end": 0.1, "start": "static"},
    )
    rest = fa.simulate(held)
    wanted = [rest.signal(name)[-1] for name in library.outputs]
    # what is left of the vibration after 0.6 s of damping by the servo and the rod
    assert np.allclose(library.read(), wanted, rtol=0, atol=2e-4)


def test_a_held_acceleration_is_a_parabola(tmp_path):
    library = exported(arm_of(), tmp_path, inputs=["hub.acceleration"], outputs=["hub.position", "hub.rate"])
    assert library.call("reset") == 0
    for _ in range(10):
        library.call("set", 0, 3.0)
        assert library.call("advance", 0.01) == 0
    for _ in range(5):
        library.call("set", 0, -6.0)
        assert library.call("advance", 0.01) == 0
    # ½·3·0.1² + 0.3·0.05 − ½·6·0.05², and back at rest
    assert np.allclose(library.read(), [0.015 + 0.015 - 0.0075, 0.0], rtol=0, atol=1e-15)


def test_the_example_in_c_compiles_and_prints_the_end_of_the_run(servo_arm, library, tmp_path):
    folder = Path(library.library._name).parent
    tools = toolchain.toolchain()
    program = tmp_path / "example"
    tools.run(
        *tools.compiler, "-Wall", "-Werror", f"{folder}/example.c", f"{folder}/libarm.a", "-lm", "-o", str(program)
    )
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    found = dict(line.split()[:2] for line in printed.splitlines())
    assert float(found["tip.x"]) == fa.simulate(servo_arm).signal("tip.x")[-1]


def test_the_shared_library_needs_libc_and_libm_alone_and_is_small(library):
    path = library.library._name
    needed = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
    names = {line.split()[0].split(".so")[0] for line in needed.splitlines()}
    assert {name for name in names if name.startswith("lib")} == {"libc", "libm"}
    assert Path(path).stat().st_size < 300_000
    assert str(EXAMPLES.parent).encode() not in Path(path).read_bytes()


def test_a_portable_library_differs_by_rounding_alone(servo_arm, tmp_path):
    library = exported(servo_arm, tmp_path, processor="x86-64", outputs=["tip.x", "tip.y"])
    run = fa.simulate(servo_arm)
    wanted = np.stack([run.signal("tip.x"), run.signal("tip.y")], axis=1)
    # far below the error that step control allows, 1e-6 m
    assert np.allclose(library.followed(run.time), wanted, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"inputs": ["rod.target"]}, "needs a servo"),
        ({"inputs": ["tip.torque"]}, "is not known"),
        ({"inputs": ["hub.torque", "hub.target"]}, "has two inputs"),
        ({"inputs": ["hub.torque"], "outputs": ["hub.torque"]}, "is an input and an output"),
        ({"outputs": []}, "must name at least one signal"),
        ({"outputs": ["tip.across"]}, "is not known outside Python"),
        ({"outputs": ["tip.x", "tip.x"]}, "given twice"),
        ({"processor": "pentium"}, "must be"),
        ({"rigid": True}, "it is for URDF and MJCF"),
    ],
)
def test_what_cannot_leave_python_is_refused(servo_arm, tmp_path, options, sentence):
    with pytest.raises(fa.FlexarmError, match=sentence):
        fa.export(servo_arm, tmp_path / "arm", format="c", **options)
    assert not (tmp_path / "arm").exists()


def test_arms_that_simulate_runs_otherwise_are_refused(servo_arm, tmp_path):
    for changes in ({"stepper": "newmark"}, {"analysis": "linear"}):
        arm = servo_arm.changed(simulation=servo_arm.simulation.changed(**changes))
        with pytest.raises(fa.FlexarmError, match="no others leave Python"):
            fa.export(arm, tmp_path / "arm", format="c")
    with pytest.raises(fa.FlexarmError, match=r"simulation\.end is missing"):
        fa.export(servo_arm.changed(simulation=servo_arm.simulation.changed(end=None)), tmp_path / "arm", format="c")


def test_controllers_stay_in_python_unless_the_caller_gives_their_torques(servo_arm, tmp_path):
    text = fa.format_arm(servo_arm)
    table = '[[controller]]\nname = "hold"\nkind = "pid"\nsample = "2 ms"\noutputs = ["hub.torque"]\nkp = 9\n'
    arm = fa.parse_arm(text + "\n" + table)
    with pytest.raises(fa.FlexarmError, match=r'controller "hold" does not leave Python.*hub\.torque among the inputs'):
        fa.export(arm, tmp_path / "arm", format="c")
    assert exported(arm, tmp_path, inputs=["hub.torque"]).inputs == ["hub.torque"]


def test_without_a_compiler_a_sentence_says_what_to_install(servo_arm, tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    monkeypatch.setattr(toolchain.importlib.util, "find_spec", lambda name: None)
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(fa.FlexarmError, match=r"there is no C compiler.*flexarm\[export\]"):
        fa.export(servo_arm, tmp_path / "arm", format="c")


def test_a_compiler_from_the_extra_links_the_same_bits(servo_arm, library, tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    monkeypatch.delenv("CC", raising=False)
    other = exported(servo_arm, tmp_path)
    assert np.array_equal(other.followed([0.1, 0.2]), library.followed([0.1, 0.2]))


def test_a_system_without_these_libraries_is_told_so(servo_arm, tmp_path, monkeypatch):
    monkeypatch.setattr(toolchain.sys, "platform", "win32")
    with pytest.raises(fa.FlexarmError, match="must be made on Linux or macOS"):
        fa.export(servo_arm, tmp_path / "arm", format="c")


def test_the_command_line_writes_the_folder_and_refuses_what_does_not_belong(call, tmp_path):
    model = str(EXAMPLES / "braked_link.toml")
    done = call("export", model, "--c", str(tmp_path / "braked"), "--outputs", "tip.x, tip.y", "--end", "0.1 s")
    assert done.code == 0, done.err
    library = Library(tmp_path / "braked")
    assert library.outputs == ["tip.x", "tip.y"]
    run = fa.simulate(model, end="0.1 s")
    assert np.array_equal(library.followed([0.1])[0], [run.signal("tip.x")[-1], run.signal("tip.y")[-1]])
    refused = call("export", model, "--urdf", str(tmp_path / "a.urdf"), "--inputs", "link.torque")
    assert refused.code != 0 and "--inputs is for --c and --fmu alone" in refused.err
    assert ctypes.sizeof(library.own) == int(library._function("size")())
