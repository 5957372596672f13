"""Settings given with the model file are those of every sample's run, and belong to the study."""

import pytest

import flexarm as fa
from flexarm.errors import AnalysisError, ModelError
from flexarm.studies.parameters.settings import with_settings
from flexarm.studies.store.store import StudyError
from tests.studies.swings import bending, swing

OUTPUTS = ("tip.x@end", "residual(tip.y)")


def test_settings_are_those_of_a_file_that_has_them_to_the_last_bit(tmp_path):
    given = fa.montecarlo(
        bending(), samples=4, outputs=OUTPUTS, workers=1, folder=tmp_path, end="0.15 s", tolerance="10 um", output=1e-3
    )
    text = bending().text.replace('end = "0.2 s"', 'end = 0.15\ntolerance = "10 um"\noutput = "1 ms"')
    written = fa.montecarlo(fa.parse_study(text), samples=4, outputs=OUTPUTS, workers=1)
    assert given.table().same_bits(written.table())
    assert "tip.x@0.15" in given.figures
    default = fa.montecarlo(bending(), samples=4, outputs=OUTPUTS, workers=1, end=0.15)
    assert not default.table().same_bits(given.table())
    # what is kept is the complete input, with the settings in it
    assert fa.read_study(tmp_path / "input.toml").nominal.simulation.tolerance == 1e-5
    assert given.stored.study_json["simulation.end"] == 0.15


def test_a_sample_of_such_a_study_is_the_run_simulate_makes_with_the_same_settings():
    model = bending()
    rows = fa.montecarlo(model, samples=1, outputs=("tip.x@end",), workers=1, end=0.1, tolerance=1e-4).table()
    run = fa.simulate(model.arm(model.draw(1, 0, 1)[0]), end=0.1, tolerance=1e-4)
    assert rows.columns["tip.x@0.1"][0] == run.signal("point_position", point="tip", axis="x")[-1]


def test_a_study_resumed_with_other_settings_is_refused(tmp_path):
    options = {"samples": 2, "outputs": ("tip.x@0.1 s",), "workers": 1, "folder": tmp_path}
    fa.montecarlo(swing(), **options, tolerance=1e-5)
    fa.montecarlo(swing(), **options, tolerance="10 um", resume=True)
    with pytest.raises(StudyError, match=r"was begun with simulation\.tolerance = 1e-05, not 1e-06; choose another"):
        fa.montecarlo(swing(), **options, resume=True)
    with pytest.raises(StudyError, match=r"was begun with simulation\.end = 0\.5, not 0\.4"):
        fa.montecarlo(swing(), **options, tolerance=1e-5, end=0.4, resume=True)


def test_reliability_takes_settings_too():
    at = fa.Requirement("A", "speed", limit=10.0, at=(0.2,))
    with pytest.raises(AnalysisError, match=r"0\.2"):
        fa.reliability(swing(), [at], samples=3, workers=1, end=0.1)
    assert fa.reliability(swing(), [at], samples=3, workers=1, end=0.3).reliability == 1.0


def test_a_setting_that_is_random_in_the_file_stands_in_the_models_hash_and_may_be_fixed():
    model = fa.study_of(swing(), {"simulation.tolerance": {"uniform": [1e-6, 2e-6]}})
    assert "simulation.tolerance" in model.names
    assert with_settings(model, {"tolerance": 1e-6}).names == swing().names
    from flexarm.studies.study import model_hash

    assert model_hash(model) != model_hash(swing())
    assert model_hash(with_settings(swing(), {"end": 0.3})) == model_hash(swing())


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"tolerance": -1.0}, "tolerance is -1"),
        ({"tollerance": 1.0}, "tollerance is no setting of a simulation, must be"),
        ({"end": "1 m"}, "end is"),
        ({"stepper": "euler"}, "stepper is"),
    ],
)
def test_settings_that_cannot_be_are_refused_in_a_sentence(settings, sentence):
    with pytest.raises(AnalysisError) as refused:
        fa.montecarlo(swing(), samples=2, **settings)
    assert str(refused.value).startswith(sentence)


def test_settings_that_do_not_fit_one_another_are_refused():
    with pytest.raises(ModelError, match=r"output is 0\.6 s, must be ≤ end, 0\.5 s"):
        fa.montecarlo(swing(), samples=2, output=0.6)
