"""Large static deflections against the elastica, and the forces that hold a beam."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from tests.oracles import elastica

from .cantilever import CHAINS, DEFLECTION_ORDER, ELEMENTS, FORMULATION, LIMP, NAMES, SHEAR, WAY, cantilever, thin

EI, L = 30.0, 1.0
SPATIAL = {**LIMP, "polar_inertia": 1e-4}
# The elastica has no shear: so stiff a beam shears by 3e-7 of what it bends, less than the finest meshes err.
RIGID_IN_SHEAR = 3e8
# The fit is within a few hundredths but for linear elements, whose third order is still to be seen.
FIT = 0.25


def tip(arm: fa.Arm) -> np.ndarray:
    """Position (3,) of the tip in equilibrium."""
    return np.array([L, 0.0, 0.0]) + fa.statics(arm).tip_sag["tip"]


def unsheared(formulation: str, beam: dict = LIMP) -> dict:
    """The beam with no shear to speak of."""
    return thin(formulation, beam, shear=RIGID_IN_SHEAR)


def converging(make, expected: elastica.Tip, formulation: str) -> None:
    """The tip of make(elements) tends to the elastica's with the order of the formulation."""
    elements = ELEMENTS[DEFLECTION_ORDER[formulation]][-3:]
    errors = [float(np.hypot(*(tip(make(n))[:2] - expected[:2]))) for n in elements]
    order = -np.polyfit(np.log(elements), np.log(errors), 1)[0]
    assert order == pytest.approx(DEFLECTION_ORDER[formulation], abs=FIT)
    assert errors[-1] < 1e-3


@FORMULATION
@pytest.mark.parametrize("force", [(0.0, 30.0), (0.0, -150.0), (-20.0, 40.0)])
def test_a_dead_tip_load_bends_the_beam_into_the_elastica(force, formulation):
    # up to P L²/EI = 5: the tip goes 0.7 L sideways
    expected, load = elastica.tip_force(force, EI=EI, L=L), {"link": "beam", "force": (*force, 0.0)}
    beam = unsheared(formulation)
    converging(lambda n: cantilever(beam, n, formulation=formulation, loads=[load]), expected, formulation)


@FORMULATION
@pytest.mark.parametrize("load", [{"force": (-20.0, 40.0, 0.0)}, {"moment": (0.0, 0.0, 90.0)}], ids=["force", "moment"])
def test_a_beam_in_space_bends_as_one_in_the_plane(load, formulation):
    flat, full = (
        tip(cantilever(beam, 8, planar=planar, formulation=formulation, loads=[{"link": "beam", **load}]))
        for beam, planar in ((unsheared(formulation), True), (unsheared(formulation, SPATIAL), False))
    )
    np.testing.assert_allclose(full, flat, rtol=0, atol=1e-9)


@FORMULATION
@pytest.mark.parametrize("turn", [0.5, np.pi, 5.0])
def test_a_pure_end_moment_bends_the_beam_into_an_arc(turn, formulation):
    moment, beam = turn * EI / L, unsheared(formulation)

    def make(n: int) -> fa.Arm:
        return cantilever(beam, n, formulation=formulation, loads=[{"link": "beam", "moment": (0, 0, moment)}])

    # every spring, or every element from node to node, turns by its share: the sum is exact whatever their number
    assert turned(fa.statics(make(20))) == pytest.approx(turn, rel=1e-9)
    converging(make, elastica.end_moment(moment, EI=EI, L=L), formulation)


def turned(found: fa.Equilibrium) -> float:
    """Angle (rad) of the tip in the plane: sum over the springs, or over the far nodes of element frames."""
    named = zip(found.coordinates, found.values, strict=True)
    return float(sum(x for name, x in named if ".bending_z" in name or (".slope_z" in name and ".5" not in name)))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in CHAINS])
def test_a_link_frame_departs_from_the_elastica_by_the_cube_of_the_deflection(name):
    n, errors, sags = 12, [], []
    for force in (3.0, 6.0, 12.0):
        exact = elastica.tip_force((0.0, force), EI=EI, L=L)
        loads = [{"link": "beam", "force": (0.0, force, 0.0)}]
        found = tip(cantilever(thin(name), n, model={"formulation": name, "frames": "link"}, loads=loads))[1]
        # linear elements are stiffer by (1/2n)² already under the smallest load, and the elastica does not shear
        missing = force * L**3 / (3 * EI) / (4 * n**2) if name == "timoshenko" else 0.0
        missing -= force * L / SHEAR if name != "hermite" else 0.0
        errors.append(abs(found + missing - exact.y))
        sags.append(exact.y)
    # a tenth of the length is the range the second order is meant for: one to two per cent are missing there
    assert 0.1 * L < sags[-1] < 0.14 * L
    assert errors[-1] < 0.02 * sags[-1]
    assert np.polyfit(np.log(sags), np.log(errors), 1)[0] == pytest.approx(3.0, abs=0.1)


@pytest.mark.parametrize("elements", [3, 8, 21])
def test_a_moment_of_a_full_turn_closes_the_polygon_of_rigid_pieces(elements):
    load = {"link": "beam", "moment": (0, 0, 2 * np.pi * EI / L)}
    np.testing.assert_allclose(tip(cantilever(LIMP, elements, loads=[load])), 0.0, atol=1e-10)


@FORMULATION
def test_own_weight_bends_the_beam_into_the_heavy_elastica(formulation):
    weight = 0.5 * 200.0  # N/m: half a kilogram per metre on a heavy planet
    expected, beam = elastica.own_weight(weight, EI=EI, L=L), unsheared(formulation)
    assert expected.y < -0.3
    converging(lambda n: cantilever(beam, n, formulation=formulation, gravity=(0, -200.0, 0)), expected, formulation)


@WAY
def test_a_little_weight_sags_the_beam_as_by_the_textbook(way):
    word, n, g = way["formulation"], 8, 0.1
    found = tip(cantilever(thin(word, shear=3e3), n, model=way, gravity=(0, -g, 0)))[1]
    shear = 1 / (2 * 3e3) if word in ("timoshenko", "isoparametric") else 0.0
    # hinges have ∫x³ to half of 1/n², linear elements less; the square of the sag is 1e-7
    assert found == pytest.approx(-0.5 * g * (1 / (8 * EI) + shear), rel=8e-3 if word == "rigid-fe" else 4e-3)
    if word in ("hermite", "isoparametric"):
        assert found == pytest.approx(-0.5 * g * (1 / (8 * EI) + shear), rel=1e-6)


@FORMULATION
@pytest.mark.parametrize("axes", ["world", "link"])
def test_a_sideways_load_out_of_plane_bends_as_one_in_plane(axes, formulation):
    beam = unsheared(formulation, SPATIAL)
    across, up = (
        tip(
            cantilever(
                beam,
                8,
                planar=False,
                formulation=formulation,
                loads=[{"link": "beam", "force": force, "axes": axes}],
            )
        )
        for force in ((0, 40.0, 0), (0, 0, 40.0))
    )
    np.testing.assert_allclose(up, across[[0, 2, 1]], rtol=0, atol=1e-9)


@FORMULATION
def test_a_load_that_follows_the_tip_stays_square_to_it(formulation):
    # the follower load of Argyris & Symeonidis has no closed form: the moment at the clamp must be that of the load
    load = {"link": "beam", "force": (0, 60.0, 0), "axes": "link"}
    found = fa.statics(cantilever(thin(formulation), 16, formulation=formulation, loads=[load]))
    turn, place = turned(found), np.array([L, 0, 0]) + found.tip_sag["tip"]
    force = 60.0 * np.array([-np.sin(turn), np.cos(turn), 0.0])
    reaction, moment = found.reactions["beam"]
    np.testing.assert_allclose(reaction, -force, atol=1e-7)
    np.testing.assert_allclose(moment, -np.cross(place, force), atol=1e-7)


@FORMULATION
def test_the_joint_torque_holds_the_weight_of_the_bent_beam(formulation):
    # 8 cubic or quadratic elements, or 40 of second order, are within 1e-3
    n = 8 if DEFLECTION_ORDER[formulation] == 3.0 else 40
    payload, down = {"mass": 0.5, "inertia": 0.0}, (0, -9.81, 0)
    arm = cantilever(unsheared(formulation), n, formulation=formulation, gravity=down, payload=payload)
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


@WAY
def test_moments_at_the_stations_are_those_of_the_load_outboard(way):
    load = {"link": "beam", "force": (0, 1e-3, 0)}
    run = fa.simulate(cantilever(thin(way["formulation"]), 6, model=way, loads=[load]), end=0.01, start="static")
    s, moment = run.values("station_position"), run.values("moment_z")[0]
    # cubic elements read at the free end as well, where nothing is but the rounding of the largest
    np.testing.assert_allclose(moment, 1e-3 * (L - s), rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(run.values("curvature_z")[0], 1e-3 * (L - s) / EI, rtol=1e-6, atol=1e-12 / EI)
