"""`flexarm workspace` on the command line."""

import json

import pytest

MODEL = """
planar = true
gravity = [0, -9.81, 0]
[[link]]
name = "upper arm"
joint = { type = "revolute" }
length = 1
beam = { bending_stiffness = 100, mass_per_length = 1 }
model = { formulation = "rigid-fe", elements = 2, freedoms = ["bending"] }
"""


@pytest.fixture
def model(tmp_path):
    file = tmp_path / "arm.toml"
    file.write_text(MODEL)
    return file


def test_maps_are_printed_written_and_shown(call, model, tmp_path):
    options = ["--joint", "upper arm=0 deg..90 deg", "--points", "3"]
    page, table = tmp_path / "map.html", tmp_path / "map.csv"
    answer = call("workspace", model, *options, "--report", page, "--csv", table)
    assert answer.code == 0 and "3 postures, all joints held" in answer.out
    assert "flexarm · workspace" in page.read_text() and len(table.read_text().splitlines()) == 4
    reported = json.loads(call("workspace", model, *options, "--json").out)
    assert len(reported["sag_distance"]) == 3 and reported["sag_distance"][0] > reported["sag_distance"][2]


def test_a_range_that_is_none_is_refused(call, model):
    answer = call("workspace", model, "--joint", "upper arm=90")
    assert answer.code == 2 and '--joint is "upper arm=90", must be JOINT=FROM..TO' in answer.err
