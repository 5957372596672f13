"""Large static deflections against the elastica, and the forces that hold a beam."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from tests.oracles import elastica

from .cantilever import ELEMENTS, LIMP, NAMES, ORDER, cantilever

EI, L = 30.0, 1.0
FORMULATION = pytest.mark.parametrize("formulation", NAMES)
SPATIAL = {**LIMP, "polar_inertia": 1e-4}


def tip(arm: fa.Arm) -> np.ndarray:
    """Position (3,) of the tip in equilibrium."""
    return np.array([L, 0.0, 0.0]) + fa.statics(arm).tip_sag["tip"]


def order(errors: list[float]) -> float:
    return float(-np.polyfit(np.log(ELEMENTS), np.log(errors), 1)[0])


def converging(load: dict, expected: elastica.Tip, formulation: str) -> None:
    """The tip tends to the elastica's, in the plane and in space alike."""
    errors = []
    for n in ELEMENTS:
        flat, full = (
            tip(cantilever(beam, n, planar=planar, formulation=formulation, loads=[load]))
            for beam, planar in ((LIMP, True), (SPATIAL, False))
        )
        np.testing.assert_allclose(full, flat, rtol=0, atol=1e-9)
        errors.append(float(np.hypot(flat[0] - expected.x, flat[1] - expected.y)))
    assert order(errors) == pytest.approx(ORDER[formulation], abs=0.1)
    assert errors[-1] < 1e-3


@FORMULATION
@pytest.mark.parametrize("force", [(0.0, 30.0), (0.0, -150.0), (-20.0, 40.0)])
def test_a_dead_tip_load_bends_the_beam_into_the_elastica(force, formulation):
    # up to P L²/EI = 5: the tip goes 0.7 L sideways
    expected = elastica.tip_force(force, EI=EI, L=L)
    converging({"link": "beam", "force": (*force, 0.0)}, expected, formulation)


@FORMULATION
@pytest.mark.parametrize("turn", [0.5, np.pi, 5.0])
def test_a_pure_end_moment_bends_the_beam_into_an_arc(turn, formulation):
    moment = turn * EI / L
    arm = cantilever(LIMP, 20, formulation=formulation, loads=[{"link": "beam", "moment": (0, 0, moment)}])
    found = fa.statics(arm)
    # every spring turns by its share: the sum is exact whatever the number of elements
    assert np.sum(found.values) == pytest.approx(turn, rel=1e-9)
    converging({"link": "beam", "moment": (0, 0, moment)}, elastica.end_moment(moment, EI=EI, L=L), formulation)


@pytest.mark.parametrize("elements", [3, 8, 21])
def test_a_moment_of_a_full_turn_closes_the_polygon_of_rigid_pieces(elements):
    load = {"link": "beam", "moment": (0, 0, 2 * np.pi * EI / L)}
    np.testing.assert_allclose(tip(cantilever(LIMP, elements, loads=[load])), 0.0, atol=1e-10)


@FORMULATION
def test_own_weight_bends_the_beam_into_the_heavy_elastica(formulation):
    weight = 0.5 * 200.0  # N/m: half a kilogram per metre on a heavy planet
    expected = elastica.own_weight(weight, EI=EI, L=L)
    errors = []
    for n in ELEMENTS:
        found = tip(cantilever(LIMP, n, formulation=formulation, gravity=(0, -200.0, 0)))
        errors.append(float(np.hypot(found[0] - expected.x, found[1] - expected.y)))
    assert expected.y < -0.3
    assert order(errors) == pytest.approx(ORDER[formulation], abs=0.1)


@pytest.mark.parametrize("axes", ["world", "link"])
def test_a_sideways_load_out_of_plane_bends_as_one_in_plane(axes):
    across, up = (
        tip(cantilever(SPATIAL, 12, planar=False, loads=[{"link": "beam", "force": force, "axes": axes}]))
        for force in ((0, 40.0, 0), (0, 0, 40.0))
    )
    np.testing.assert_allclose(up, across[[0, 2, 1]], rtol=0, atol=1e-9)


def test_a_load_that_follows_the_tip_stays_square_to_it():
    # the follower load of Argyris & Symeonidis has no closed form: the moment at the clamp must be that of the load
    load = {"link": "beam", "force": (0, 60.0, 0), "axes": "link"}
    found = fa.statics(cantilever(LIMP, 24, loads=[load]))
    turn, place = float(np.sum(found.values)), np.array([L, 0, 0]) + found.tip_sag["tip"]
    force = 60.0 * np.array([-np.sin(turn), np.cos(turn), 0.0])
    reaction, moment = found.reactions["beam"]
    np.testing.assert_allclose(reaction, -force, atol=1e-7)
    np.testing.assert_allclose(moment, -np.cross(place, force), atol=1e-7)


def test_the_joint_torque_holds_the_weight_of_the_bent_beam():
    arm = cantilever(LIMP, 40, gravity=(0, -9.81, 0), payload={"mass": 0.5, "inertia": 0.0})
    held = arm.links[0].changed(joint={"type": "revolute", "locked": True})
    found = fa.statics(arm.changed(links=(held,)))
    sag = elastica.loaded(EI=EI, L=L, weight=(0, -0.5 * 9.81), force=(0, -0.5 * 9.81))
    assert found.tip_sag["tip"][1] == pytest.approx(sag.y, rel=1e-3)
    # the beam's weight acts nearly at the middle, the payload at the tip: both a little nearer than undeformed
    straight = 0.5 * 9.81 * 0.5 + 0.5 * 9.81 * 1.0
    assert 0.995 * straight < found.joint_torque[0] < straight
    np.testing.assert_allclose(found.reactions["beam"][0], [0, 9.81, 0], atol=1e-9)


@pytest.mark.parametrize("freedoms", [("bending", "shear"), ("bending", "axial"), "classical"])
def test_small_loads_stretch_twist_and_shear_by_the_textbook(freedoms):
    stiff = {"shear_stiffness": 900.0, "axial_stiffness": 5e3, "torsional_stiffness": 12.0, "polar_inertia": 1e-4}
    small = 1e-4
    load = {"link": "beam", "force": (small, small, 0.0), "moment": (small, 0, 0)}
    found = fa.statics(cantilever({**LIMP, **stiff}, 50, planar=False, freedoms=freedoms, loads=[load]))
    bend = small * L**3 / (3 * EI) * (1 - 1 / (4 * 50**2))  # a chain of hinges is stiffer by (Δ/2L)²
    shear = small * L / 900.0 if "shear" in freedoms or freedoms == "classical" else 0.0
    stretch = small * L / 5e3 if "axial" in freedoms or freedoms == "classical" else 0.0
    sag = found.tip_sag["tip"]
    assert sag[1] == pytest.approx(bend + shear, rel=1e-4)
    # bending shortens by the square of the load
    assert sag[0] == pytest.approx(stretch, abs=1e-4 * small)
    if freedoms == "classical":
        twist = sum(x for name, x in zip(found.coordinates, found.values, strict=True) if "torsion" in name)
        assert twist == pytest.approx(small * L / 12.0, rel=1e-9)


@FORMULATION
def test_moments_at_the_stations_are_those_of_the_load_outboard(formulation):
    load = {"link": "beam", "force": (0, 1e-3, 0)}
    arm = cantilever(LIMP, 10, formulation=formulation, loads=[load])
    run = fa.simulate(arm, end=0.1, start="static")
    s = np.array(run.coordinates["station_position"].values)
    np.testing.assert_allclose(run.values("moment_z")[0], 1e-3 * (L - s), rtol=1e-6)
    np.testing.assert_allclose(run.values("curvature_z")[0], 1e-3 * (L - s) / EI, rtol=1e-6)
