"""Designs are those of closed forms, and a search that finds nothing says what is missed."""

from __future__ import annotations

import json

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import AnalysisError
from tests.cli.conftest import EXAMPLES, call  # noqa: F401

STRIP = EXAMPLES / "light_strip.toml"


@pytest.fixture(scope="module")
def strip():
    return fa.design(STRIP)


def height(sag: float) -> float:
    """h of a rectangle that sags so far under its own weight: ρ A g L⁴ = 8 E I δ, I = A h²/12."""
    steel = fa.read_arm(STRIP).links[0].beam.material_data
    return float(np.sqrt(12 * steel.density * 9.81 * 0.5**4 / (8 * steel.youngs_modulus * sag)))


def test_the_lightest_strip_has_the_height_of_its_closed_form(strip):
    assert strip.met
    # the search ends where its requirement is met to 1e-4 of the limit
    assert strip.after[0] == pytest.approx(height(1e-3), rel=2e-4)
    assert strip.after[1] == pytest.approx(0.01, rel=1e-9)
    assert strip.arm.mass == pytest.approx(strip.objective_after["mass"], rel=1e-12)


def test_what_binds_costs_what_the_closed_form_says(strip):
    # m ~ δ^(-1/2) and m ~ width
    (sag,) = strip.requirements
    mass = strip.objective_after["mass"]
    assert sag.binds and sag.price == pytest.approx(mass / (2 * 1e-3), rel=1e-3)
    (bound,) = strip.bounds
    assert bound.where == "link[0].beam.section.width" and bound.price == pytest.approx(mass / 0.01, rel=1e-3)


def test_catalogues_are_searched_by_branching():
    vary = [
        {"where": "link[0].beam.section.height", "catalogue": ["2 mm", "4 mm", "7 mm", "9 mm"]},
        {"where": "link[0].beam.section.width", "from": "10 mm", "to": "40 mm"},
    ]
    found = fa.design(STRIP, vary=vary, starts=1)
    above = min(h for h in (2e-3, 4e-3, 7e-3, 9e-3) if h >= height(1e-3))
    assert found.met and found.after == pytest.approx([above, 0.01], rel=1e-9)


def test_where_nothing_meets_the_requirements_the_nearest_is_told():
    vary = [{"where": "link[0].beam.section.height", "from": "1 mm", "to": "2 mm"}]
    found = fa.design(STRIP, vary=vary, starts=1)
    assert not found.met and found.after == pytest.approx([2e-3], rel=1e-6)
    missed = found.requirements[0].after
    assert missed > 1e-3 and "the nearest misses sag by" in found.verdict


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"vary": []}, "design.vary is missing"),
        ({"vary": [{"where": "link[0].length", "from": "2 m", "to": "1 m"}]}, "must be > from"),
        ({"vary": [{"where": "link[0].length", "form": 1}]}, "form is not a key"),
        ({"vary": [{"where": "link[0].name", "from": 0, "to": 1}]}, "must be one quantity"),
        ({"minimise": 3}, "design.minimise is 3"),
        ({"front": "sink"}, "must be the name of a requirement"),
        ({"starts": 0}, "starts is 0"),
    ],
)
def test_what_is_no_design_is_refused(options, message):
    with pytest.raises(AnalysisError, match=message):
        fa.design(STRIP, **options)


def test_a_design_that_is_none_is_no_sound_file(call, tmp_path):  # noqa: F811
    bad = tmp_path / "bad.toml"
    bad.write_text(STRIP.read_text().replace("beam.section.width", "beam.section.weight"))
    done = call("check", str(bad))
    assert done.code == 2 and "link[0].beam.section.weight" in done.err + done.out
    assert call("check", str(STRIP)).code == 0


def test_the_command_writes_the_design_and_the_trade_off(call, tmp_path):  # noqa: F811
    out = tmp_path / "best.toml"
    page = tmp_path / "design.html"
    done = call(
        "design", str(STRIP), "--starts", "1", "--front", "sag", "--out", str(out), "--report", str(page), "--json"
    )
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert fa.read_arm(out).mass == pytest.approx(found["objective_after"]["mass"], rel=1e-12)
    ratio = [
        each["least"] / found["objective_after"]["mass"] * (each["limit"] / 1e-3) ** 0.5 for each in found["front"]
    ]
    assert ratio == pytest.approx([1.0] * len(ratio), rel=1e-3)
    assert page.exists()
