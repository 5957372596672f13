"""What verbs take from Python: paths of model files, and quantities with their unit."""

import math

import numpy as np
import pytest

import flexarm as fa

ARM = """
name = "rod"
[[link]]
name = "upper arm"
joint = { type = "revolute", axis = "y" }
length = "1 m"
beam = { bending_stiffness = "100 N m^2", mass_per_length = "1 kg/m" }
model = { formulation = "rigid-fe", elements = 4, freedoms = ["bending"] }

[simulation]
end = "0.05 s"
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "rod.toml"
    file.write_text(ARM)
    return file


def test_verbs_take_the_path_of_a_model_file(path):
    arm = fa.read_arm(path)
    assert np.array_equal(fa.simulate(str(path)).time, fa.simulate(arm).time)
    assert np.array_equal(fa.modes(path).frequencies_hz, fa.modes(arm).frequencies_hz)
    with pytest.raises(fa.FlexarmError, match="arm is 3, must be an arm or the path of a model file"):
        fa.statics(3)


def test_postures_and_settings_take_units(path):
    sag = fa.statics(path, posture={"upper arm": "45 deg"}).tip_sag["tip"]
    assert np.array_equal(sag, fa.statics(path, posture={"upper arm": math.radians(45)}).tip_sag["tip"])
    run = fa.simulate(path, end="30 ms", tolerance="0.1 mm", output="10 ms")
    assert run.time == pytest.approx([0, 0.01, 0.02, 0.03])


@pytest.mark.parametrize(
    ("posture", "sentence"),
    [
        ({"upper arm": "45 kg"}, 'posture: joint "upper arm" is "45 kg", must be an angle'),
        ({"uper arm": 1.0}, 'posture: there is no joint "uper arm", must be "upper arm"'),
        ({"upper arm": math.nan}, 'posture: joint "upper arm" is nan rad, must be finite'),
        ("45 deg", 'posture is "45 deg", must map joints to values'),
    ],
)
def test_postures_are_refused_in_a_sentence(path, posture, sentence):
    with pytest.raises(fa.FlexarmError) as refused:
        fa.statics(path, posture=posture)
    assert sentence in str(refused.value)


@pytest.mark.parametrize("verb", [fa.montecarlo, fa.reliability, fa.sensitivity])
def test_studies_of_an_arm_without_random_numbers_say_what_to_do(path, verb):
    with pytest.raises(fa.FlexarmError, match='arm "rod" has no random numbers, must be a study'):
        verb(fa.read_arm(path))
    with pytest.raises(fa.FlexarmError, match="the model holds no distribution"):
        verb(path)


def test_check_is_a_verb_of_python_too(path):
    found = fa.check(path, frequencies=True)
    assert found.to_dict()["mass_kg"] == pytest.approx(1.0)
    assert found.facts["frequencies_hz"][0] == pytest.approx(fa.modes(path).frequencies_hz[0])
    assert found.summary().startswith("rod")
