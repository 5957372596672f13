"""From stubby to thin the public verbs find the deflection and frequency of the textbook: nothing locks or drowns."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from tests.oracles import beams

from .cantilever import WAY, angular, cantilever

RATIOS = (2, 10, 100, 1000)
RATIO = pytest.mark.parametrize("ratio", RATIOS)
N = 16


def bar(ratio: float, way: dict, elements: int = N, **keys) -> fa.Arm:
    """A square steel bar of 1 m, `ratio` times as long as thick, that bends and shears."""
    section = {"shape": "rectangle", "width": 1 / ratio, "height": 1 / ratio}
    freedoms = ("bending", "shear") if way["formulation"] == "rigid-fe" else None
    return cantilever({"section": section, "material": "steel"}, elements, model=way, freedoms=freedoms, **keys)


def properties(ratio: float) -> fa.BeamProperties:
    """Stiffnesses and inertias of that bar."""
    return bar(ratio, {"formulation": "rigid-fe"}).links[0].beam.properties()


@WAY
@RATIO
def test_a_tip_force_sags_bars_of_any_thickness_as_by_the_textbook(way, ratio):
    p = properties(ratio)
    bend, shear = 1 / (3 * p.EIz), 1 / p.GAy
    # a thousandth of the length: squares of it are of the size 1e-6
    force = 1e-3 / (bend + shear)
    found = fa.statics(bar(ratio, way, loads=[{"link": "beam", "force": (0, force, 0)}])).tip_sag["tip"][1]
    # hinges and linear elements are stiffer by (h/2L)² in bending, cubic and quadratic ones exact
    part = 1 - 1 / (4 * N**2) if way["formulation"] in ("rigid-fe", "timoshenko") else 1.0
    assert found == pytest.approx(force * (bend * part + shear), rel=2e-6)


@WAY
def test_frequencies_are_as_good_for_thin_bars_as_for_stubby_ones(way):
    errors = []
    for ratio in RATIOS:
        p = properties(ratio)
        exact = beams.timoshenko(2, EI=p.EIz, kGA=p.GAy, rhoA=p.mass_per_length, rhoI=p.jz, L=1.0)
        errors.append(angular(bar(ratio, way), 2) / exact - 1)
    # 16 elements: a tenth of the square of 4.7/16, or a hundredth of its fourth power for quadratic fields
    assert np.all(np.abs(errors) < (2e-5 if way["formulation"] == "isoparametric" else 1e-2))
    assert np.all(np.abs(errors[-1]) < 1.6 * np.max(np.abs(errors[:2]), axis=0))


@WAY
@pytest.mark.parametrize("ratio", [100, 1000])
def test_the_lowest_frequency_is_the_same_however_many_are_asked_for(way, ratio):
    # shear of a thin bar is faster than its bending by the square of the ratio, which must not drown the latter
    arm = bar(ratio, way, 5)
    few, all_of_them = fa.modes(arm, count=1), fa.modes(arm, count=100)
    assert all_of_them.frequencies_hz[0] == few.frequencies_hz[0] > 0.0
    assert all_of_them.names[0] == few.names[0] == "beam bending z 1"
