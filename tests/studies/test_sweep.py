"""Sweeps: every arm of the grid is the arm of the model file with other values, whichever way it is run."""

import json

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import AnalysisError, FlexarmError
from flexarm.studies.sweep.keys import read_keys, vary_of

MODEL = """
name = "tube on a hub"
planar = true
gravity = [0, 0, 0]
[[link]]
name = "hub"
joint = { type = "revolute", motion = "stop", rate = "30 deg/s" }
length = "0.2 m"
rigid = { mass = "1 kg", inertia = "0.01 kg m^2" }
[[link]]
name = "tube"
joint = { type = "fixed" }
length = "1 m"
beam = { material = "steel", section = { shape = "tube", diameter = "20 mm", thickness = "2 mm" } }
model = { formulation = "hermite", elements = 2 }
[motion.stop]
kind = "brake"
travel_time = "60 ms"
braking_time = "20 ms"
[simulation]
end = "0.1 s"
start = "steady"
"""
THICKNESS, LENGTH = "link[1].beam.section.thickness", "link[1].length"
OUTPUTS = ["max(tip.deflection)", "tip.y@end"]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("sweep") / "tube.toml"
    path.write_text(MODEL)
    return path


@pytest.mark.usefixtures("no_error_estimates")
def test_an_arm_of_a_sweep_is_the_arm_of_the_file_with_that_value(file):
    found = fa.sweep(file, vary={THICKNESS: "1 mm:4 mm:3"}, outputs=OUTPUTS, workers=1)
    assert found.values == [0.001, 0.0025, 0.004] and found.units["tip.y@end"] == "m" and not found.failures
    run = fa.simulate(fa.parse_arm(MODEL.replace("2 mm", "4 mm")))
    last = run.signal("point_position", point="tip", axis="y")[-1]
    # lanes repeat a single run to rounding, or within a small part of the tolerance of 1e-6 m
    assert found.outputs["tip.y@end"][2] == pytest.approx(last, abs=1e-8)
    deflection = np.linalg.norm(run.values("point_deflection")[:, run.labels("point").index("tip")], axis=1).max()
    # the greatest between samples is no less than at them
    assert deflection <= found.outputs["max(tip.deflection)"][2] <= 1.001 * deflection


@pytest.mark.usefixtures("no_error_estimates")
def test_two_keys_make_a_grid_whose_second_key_runs_fastest(file):
    vary = {LENGTH: [0.8, "100 cm"], THICKNESS: (0.001, 0.004, 3)}
    found = fa.sweep(file, vary=vary, outputs=["tip.y@end", "tip.x"], times=[0.05, 0.1], workers=1)
    assert found.shape == (2, 3) and found.values[1] == [0.8, 0.0025] and found.outputs["tip.x"].shape == (2, 3, 2)
    other = fa.sweep(file, vary=dict(reversed(vary.items())), outputs=["tip.y@end"], workers=1)
    assert np.array_equal(other.outputs["tip.y@end"].T, found.outputs["tip.y@end"])


@pytest.mark.usefixtures("no_error_estimates")
def test_words_and_whole_numbers_are_swept_arm_by_arm(file):
    vary = {"link[1].model.formulation": ["hermite", "none"], "link[1].model.elements": "1:2:2"}
    found = fa.sweep(file, vary=vary, outputs=["tip.y@end"])
    assert found.values[:2] == [["hermite", 1], ["hermite", 2]] and list(found.failures) == [2, 3]
    run = fa.simulate(fa.parse_arm(MODEL.replace("elements = 2", "elements = 1")))
    assert found.outputs["tip.y@end"][0, 0] == run.signal("point_position", point="tip", axis="y")[-1]
    assert np.isnan(found.outputs["tip.y@end"][1]).all() and "formulation" in found.failures[2]


def test_settings_are_swept_and_the_end_is_that_of_each_arm(file):
    found = fa.sweep(file, vary={"simulation.end": ["50 ms", "100 ms"]}, outputs=["hub.position@end"])
    # at 30°/s for 50 ms, and after braking the whole travel of 30°/s × 60 ms
    assert found.outputs["hub.position@end"] == pytest.approx(np.radians([1.5, 1.8]), rel=1e-12)
    assert found.keys[0].unit == "s"


def test_a_sweep_in_a_folder_is_resumed_and_shown(file, tmp_path):
    vary = {THICKNESS: "1 mm:4 mm:5"}
    whole = fa.sweep(file, vary=vary, outputs=OUTPUTS, folder=tmp_path / "a", chunk=2, workers=1)
    part = sorted((tmp_path / "a").glob("part-*"))[1]
    part.unlink()
    again = fa.sweep(file, vary=vary, outputs=OUTPUTS, folder=tmp_path / "a", resume=True, workers=1)
    for name in OUTPUTS:
        assert again.outputs[name].tobytes() == whole.outputs[name].tobytes()
    from flexarm.studies.store.page_data import open_study

    assert open_study(tmp_path / "a")["outputs"]["tip.y@end"] == whole.outputs["tip.y@end"].tolist()
    with pytest.raises(FlexarmError, match="was begun with another model"):
        fa.sweep(file, vary={THICKNESS: "1 mm:3 mm:5"}, outputs=OUTPUTS, folder=tmp_path / "a", resume=True)


def test_what_a_sweep_found_is_json_a_table_and_a_page(file, tmp_path):
    found = fa.sweep(file, vary={THICKNESS: "1 mm:4 mm:3"}, outputs=["tip.y@end"], end="20 ms", workers=1)
    data = json.loads(json.dumps(found.to_dict()))
    assert data["values"] == [0.001, 0.0025, 0.004] and len(data["outputs"]["tip.y@end"]) == 3
    assert found.to_csv().splitlines()[0] == f"{THICKNESS} [m],tip.y@end [m],failure"
    assert "3 arms" in found.summary() and "flexarm · sweep" in found.report(tmp_path / "page.html").read_text()


@pytest.mark.parametrize(
    ("vary", "sentence"),
    [
        ({}, "must map keys to values"),
        ({"link[9].length": [1]}, "is not a key of the model"),
        ({LENGTH: "1 mm:4 s:3"}, "must be in one unit"),
        ({LENGTH: "1 m:1 m:3"}, "must be two values"),
        ({LENGTH: ("1 m", "2 m", 1)}, "must be a whole number"),
        ({LENGTH: []}, "must be a range such as"),
        ({LENGTH: [[1]]}, "must hold single values"),
        ({LENGTH: [1], THICKNESS: [1], "name": ["a"]}, "must have one or two"),
    ],
)
def test_what_cannot_be_swept_is_refused_in_one_sentence(vary, sentence):
    data = {"link": [{}, {"length": 1, "beam": {"section": {}}}]}
    with pytest.raises(AnalysisError, match=sentence):
        read_keys(data, vary)


def test_a_misspelt_key_and_a_misspelt_option_are_refused(file):
    with pytest.raises(FlexarmError, match="did you mean thickness"):
        fa.sweep(file, vary={"link[1].beam.section.thicknes": ["1 mm"]})
    for word in ("link[1].length", "=1", "a=1:2", "a=1:2:3:4"):
        with pytest.raises(FlexarmError, match="must be KEY=FROM:TO:COUNT"):
            vary_of([word])
    with pytest.raises(FlexarmError, match="given twice"):
        vary_of(["a=1", "a=2"])
