"""An exported FMU is the arm: FMPy finds it valid and runs it to the bits of `simulate`, by both interfaces."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import fmpy
import numpy as np
import pytest
from fmpy.fmi2 import FMU2Slave
from fmpy.validation import validate_fmu

import flexarm as fa
from flexarm.analyses.export.description import VERSIONS, base_units
from tests.analyses.test_library import EXAMPLES, SERVO, arm_of
from tests.cli.conftest import call as call  # a fixture

pytestmark = pytest.mark.usefixtures("no_error_estimates")
EACH = pytest.mark.parametrize("version", VERSIONS)


@pytest.fixture(scope="module")
def arm() -> fa.Arm:
    """A servo that comes to the limit of its torque, before a rod that is moved as commanded."""
    return arm_of(hub=SERVO)


@pytest.fixture(scope="module")
def units(arm, tmp_path_factory) -> dict[str, str]:
    """The arm under its own commands, by the version of the interface."""
    # under the name of the libraries of the other tests: what they have in common is made once
    return {version: written(arm, tmp_path_factory.mktemp("fmu"), fmi=version) for version in VERSIONS}


def written(arm: fa.Arm, folder: Path, **options) -> str:
    fa.export(arm, folder / "arm.fmu", format="fmu", **options)
    return str(folder / "arm.fmu")


@EACH
def test_it_is_valid_and_runs_to_the_bits_of_simulate_by_default(arm, units, version):
    assert validate_fmu(units[version]) == []
    assert fmpy.read_model_description(units[version]).fmiVersion == version
    run, found = fa.simulate(arm), fmpy.simulate_fmu(units[version])
    assert found["time"][-1] == run.time[-1]
    names = found.dtype.names[1:]
    assert "tip.x" in names and "hub.torque" in names
    for name in names:
        # the default step is the sampling interval of the model file, in sums of it
        assert found[name][-1] == run.signal(name)[-1], name
        assert np.allclose(found[name], run.signal(name), rtol=0, atol=1e-8 * np.max(np.abs(run.signal(name)))), name


@EACH
def test_the_end_of_an_experiment_is_the_end_of_the_run_and_steps_do_not_matter(arm, units, version):
    run = fa.simulate(arm, end=0.13)
    for interval in (0.13, 0.007, 1e-3):
        found = fmpy.simulate_fmu(units[version], stop_time=0.13, output_interval=interval, output=["tip.x", "tip.y"])
        assert [found["tip.x"][-1], found["tip.y"][-1]] == [run.signal("tip.x")[-1], run.signal("tip.y")[-1]]


@EACH
def test_parameters_are_those_of_the_run(arm, units, version):
    fine = fa.simulate(arm, tolerance=1e-9)
    found = fmpy.simulate_fmu(units[version], start_values={"tolerance": 1e-9}, output=["tip.x"])
    assert found["tip.x"][-1] == fine.signal("tip.x")[-1]
    started = arm.changed(simulation=arm.simulation.changed(start={"hub": 0.01, "hub.rate": 0.2}))
    values = {"hub.position_start": 0.01, "hub.rate_start": 0.2}
    found = fmpy.simulate_fmu(units[version], start_values=values, output=["tip.x"])
    assert found["tip.x"][-1] == fa.simulate(started).signal("tip.x")[-1]


@EACH
def test_a_start_time_shifts_the_clock(arm, units, version):
    found = fmpy.simulate_fmu(units[version], start_time=5.0, stop_time=5.2, output=["tip.x"])
    assert abs(found["tip.x"][-1] - fa.simulate(arm).signal("tip.x")[-1]) < 1e-12


@EACH
def test_a_controller_in_the_masters_loop_gives_the_bits_of_a_plant(arm, tmp_path, version):
    outputs = ["hub.position", "tip.x"]
    unit = written(arm, tmp_path, fmi=version, inputs=["hub.torque"], outputs=outputs, period="2 ms")
    assert validate_fmu(unit) == []
    plant = fa.Plant(arm, "2 ms", inputs=["hub.torque"], outputs=outputs)
    y = [plant.reset()]
    for _ in range(50):
        y.append(plant.step([4.0 - 30.0 * y[-1][0]]))
    model = fmpy.read_model_description(unit)
    numbers = {each.name: each.valueReference for each in model.modelVariables}
    here = fmpy.extract(unit)
    own = fmpy.instantiate_fmu(here, model, "CoSimulation")
    if version == "2.0":
        own.setupExperiment(startTime=0.0)
        own.enterInitializationMode()
        get, put = own.getReal, own.setReal
    else:
        own.enterInitializationMode(startTime=0.0)
        get, put = own.getFloat64, own.setFloat64
    own.exitInitializationMode()
    seen = [get([numbers[name] for name in outputs])]
    for k in range(50):
        put([numbers["hub.torque"]], [4.0 - 30.0 * seen[-1][0]])
        own.doStep(currentCommunicationPoint=2e-3 * k, communicationStepSize=2e-3)
        seen.append(get([numbers[name] for name in outputs]))
    own.terminate()
    own.freeInstance()
    # ends of steps are sums here and products there: rounding of times
    assert np.allclose(seen, y, rtol=0, atol=1e-12)


@EACH
def test_states_are_kept_given_back_and_serialised(units, version):
    model = fmpy.read_model_description(units[version])
    assert model.coSimulation.canGetAndSetFMUstate and model.coSimulation.canSerializeFMUstate
    number = next(each.valueReference for each in model.modelVariables if each.name == "tip.x")
    here = fmpy.extract(units[version])
    own, other = (fmpy.instantiate_fmu(here, model, "CoSimulation") for _ in range(2))
    for each in (own, other):
        if version == "2.0":
            each.setupExperiment(startTime=0.0, stopTime=0.2)
            each.enterInitializationMode()
        else:
            each.enterInitializationMode(startTime=0.0, stopTime=0.2)
        each.exitInitializationMode()

    def read(unit) -> float:
        return (unit.getReal if version == "2.0" else unit.getFloat64)([number])[0]

    def go(unit, begin: float, end: float) -> None:
        unit.doStep(currentCommunicationPoint=begin, communicationStepSize=end - begin)

    words = ("getFMUstate", "setFMUstate", "serializeFMUstate", "deSerializeFMUstate", "freeFMUstate")
    if version == "3.0":
        words = ("getFMUState", "setFMUState", "serializeFMUState", "deserializeFMUState", "freeFMUState")
    keep, give, pack, unpack, free = words
    go(own, 0.0, 0.06)
    state = getattr(own, keep)()
    there = read(own)
    packed = getattr(own, pack)(state)
    go(own, 0.06, 0.2)
    end = read(own)
    getattr(own, give)(state)
    assert read(own) == there
    go(own, 0.06, 0.2)
    assert read(own) == end
    # the other instance stands at the start all the while, and goes on from the bytes
    taken = getattr(other, unpack)(packed)
    getattr(other, give)(taken)
    go(other, 0.06, 0.2)
    assert read(other) == end
    getattr(own, free)(state)
    for each in (own, other):
        each.terminate()
        each.freeInstance()


def test_wrong_calls_are_errors_with_a_sentence(units):
    model = fmpy.read_model_description(units["2.0"])
    here = fmpy.extract(units["2.0"])
    own = FMU2Slave(guid=model.guid, unzipDirectory=here, modelIdentifier=model.coSimulation.modelIdentifier)
    own.instantiate()
    own.setupExperiment(startTime=0.0)
    own.enterInitializationMode()
    own.exitInitializationMode()
    for wrong in (
        lambda: own.doStep(currentCommunicationPoint=-1.0, communicationStepSize=0.5),
        lambda: own.setReal([1], [1e-3]),
        lambda: own.setReal([3], [1.0]),
        lambda: own.getReal([999]),
        lambda: own.getInteger([0]),
    ):
        with pytest.raises(fmpy.fmi1.FMICallException):
            wrong()
    own.freeInstance()
    stranger = FMU2Slave(guid="of another", unzipDirectory=here, modelIdentifier=model.coSimulation.modelIdentifier)
    with pytest.raises(Exception, match="instantiate"):
        stranger.instantiate()


@EACH
def test_the_binary_needs_libc_and_libm_alone_and_the_archive_is_the_same_whenever_it_is_made(
    arm, units, tmp_path, version
):
    with zipfile.ZipFile(units[version]) as archive:
        (name,) = [each for each in archive.namelist() if each.startswith("binaries/")]
        (tmp_path / "arm.so").write_bytes(archive.read(name))
        assert len(archive.read(name)) < 300_000
    needed = subprocess.run(["ldd", tmp_path / "arm.so"], capture_output=True, text=True, check=True).stdout
    names = {line.split()[0].split(".so")[0] for line in needed.splitlines()}
    assert {name for name in names if name.startswith("lib")} == {"libc", "libm"}
    seen = subprocess.run(["nm", "-D", "--defined-only", tmp_path / "arm.so"], capture_output=True, text=True).stdout
    assert all(line.split()[-1].startswith(f"fmi{version[0]}") for line in seen.splitlines())
    again = written(arm, tmp_path, fmi=version)
    assert Path(again).read_bytes() == Path(units[version]).read_bytes()


def test_units_are_products_of_base_units():
    assert base_units("N m") == {"kg": 1, "m": 2, "s": -2}
    assert base_units("rad/s²") == {"rad": 1, "s": -2}
    assert base_units("1/m") == {"m": -1}
    assert base_units("Pa") == {"kg": 1, "m": -1, "s": -2}


def test_the_command_line_writes_a_unit_of_either_version(call, tmp_path):
    model = str(EXAMPLES / "braked_link.toml")
    done = call("export", model, "--fmu", "braked.fmu", "--fmi", "3.0", "--end", "0.1 s")
    assert (done.code, done.err) == (0, "wrote braked.fmu\n")
    found = fmpy.simulate_fmu("braked.fmu")
    assert found["tip.x"][-1] == fa.simulate(model, end="0.1 s").signal("tip.x")[-1]
    for words, sentence in (
        (("--fmu", "a.fmu", "--fmi", "1.0"), 'fmi is "1.0", must be "2.0" or "3.0"'),
        (("--c", "folder", "--fmi", "2.0"), "--fmi is for --fmu alone"),
        (("--fmu", "a.fmu", "--rigid"), "--rigid is for --urdf and --mjcf alone"),
    ):
        refused = call("export", model, *words)
        assert refused.code == 2 and sentence in refused.err
