"""Shapes of assumed modes beyond the clamped ones: carrying a load, pinned, and listed in the model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.links.small_motion import frequencies, small_motion
from flexarm.model import format_arm, parse_arm
from tests.analyses.flexible_arms import two_links
from tests.oracles import beams
from tests.oracles.hub_cases import HubBeam

from .cantilever import LIMP, STUBBY, angular, cantilever
from .hub_arms import hub_arm
from .meshes import block, family_frequencies, fitted_order, under_tip_load

UNIT = {"bending_stiffness": 1.0, "mass_per_length": 1.0}
# Of the lowest modes of uniform beams all but the last digits are there.
EXACT = 1e-10
RITZ = [{"polynomial": [0, 0, 1]}, {"polynomial": [0, 0, 0, 1]}]


def own_modes(shapes: Any, count: int = 4, **keys: Any) -> fa.Arm:
    """The limber beam in such shapes."""
    model = {"shapes": shapes} if isinstance(shapes, list) else {"shapes": shapes, "modes": count}
    return cantilever(LIMP, formulation="modes", freedoms=None, model={**model, "theory": "euler"}, **keys)


# --- Carrying a load -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 3])
def test_modes_that_carry_the_payload_have_its_frequencies_however_few_they_are(count):
    payload = {"mass": 0.7, "inertia": 0.05}
    exact = beams.euler(3, EI=30.0, rhoA=0.5, L=1.0, tip_mass=0.7, tip_inertia=0.05)
    found = angular(own_modes("payload", count, payload=payload), count)
    np.testing.assert_allclose(found, exact[:count], rtol=EXACT)
    # those of the free tip put the payload's moment together of many
    assert angular(own_modes("clamped", 3, payload=payload), 1)[0] / exact[0] - 1 > 1e-3


def test_a_lever_along_the_beam_turns_with_the_tip():
    payload = {"mass": 0.7, "inertia": 0.05, "offset": [0.2, 0.0, 0.0]}
    fine = cantilever(LIMP, 24, formulation="hermite", model={"theory": "euler"}, payload=payload)
    # the third frequency of 24 cubic elements is a millionth too high
    np.testing.assert_allclose(angular(own_modes("payload", 3, payload=payload), 3), angular(fine, 3), rtol=2e-6)


def test_torsion_and_stretch_carry_what_the_tip_carries():
    p = fa.Beam(**STUBBY).properties()
    payload = {"mass": 30.0, "inertia": [4.0, 3.0, 2.0]}
    model = {"modes": 2, "shapes": "payload"}
    arm = cantilever(STUBBY, formulation="modes", freedoms="classical", model=model, planar=False, payload=payload)
    found = angular(arm, 8)
    rods = [
        beams.rod(2, stiffness=p.EA, inertia=p.mass_per_length, L=1.0, tip=30.0),
        beams.rod(2, stiffness=p.GJ, inertia=p.jx, L=1.0, tip=4.0),
    ]
    for exact in np.concatenate(rods):
        assert np.min(np.abs(found / exact - 1)) < EXACT


def test_links_outboard_are_carried_as_one_body_and_quicken_the_convergence():
    exact = fa.modes(two_links({"formulation": "hermite"}, 16)).frequencies_hz[:2]

    def errors(shapes: str, n: int) -> np.ndarray:
        found = fa.modes(two_links({"formulation": "modes", "modes": n, "shapes": shapes}, 1)).frequencies_hz[:2]
        return found / exact - 1

    # clamped modes converge with the first power of their number
    assert np.all(np.abs(errors("payload", 4)) < 1e-3 * errors("clamped", 4))
    assert np.all(np.abs(errors("payload", 4)) < 3e-5)


def test_a_bent_train_of_rigid_links_is_carried_exactly():
    # a beam that only bends moves it by its tip's deflection and slope alone
    body = {"mass": 0.4, "inertia": 0.02}
    bent = {"type": "revolute", "axis": "z", "at": 0.7, "zero": 0.1, "offset": [0.05, 0.02, 0], "locked": True}
    slid = {"type": "prismatic", "axis": "x", "at": 0.1, "zero": 0.05, "rotation": [0, 0, 0.3], "locked": True}
    forearm = {"name": "forearm", "joint": bent, "length": 0.3, "rigid": body, "hub": {"mass": 0.1, "inertia": 0.01}}
    hand = {
        "name": "hand",
        "joint": slid,
        "length": 0.1,
        "rigid": body,
        "payload": {"mass": 0.2, "offset": [0.1, 0, 0]},
    }

    def arm(model: dict[str, Any]) -> fa.Arm:
        beam = {"name": "beam", "joint": {"type": "fixed"}, "length": 1.0, "beam": LIMP, "tip_rotation": [0, 0, 0.2]}
        return fa.Arm(
            planar=True, gravity=(0, 0, 0), links=[{**beam, "model": {**model, "theory": "euler"}}, forearm, hand]
        )

    exact = angular(arm({"formulation": "hermite", "elements": 24}), 3)
    found = angular(arm({"formulation": "modes", "modes": 3, "shapes": "payload"}), 3)
    # cubic elements err by a few millionths in the third
    np.testing.assert_allclose(found, exact, rtol=3e-6)


# --- Pinned ----------------------------------------------------------------------------------------------------------


def pinned_roots(count: int) -> np.ndarray:
    """Roots of tan β = tanh β: a beam pinned at one end and free at the other."""
    start = np.pi * (np.arange(1, count + 1) + 0.25)
    for _ in range(20):
        start = np.pi * np.arange(1, count + 1) + np.arctan(np.tanh(start))
    return start


def on_a_joint(shapes: str, count: int, hub: float = 0.0) -> np.ndarray:
    """Angular frequencies of the beam on a joint that is free to turn, without the rigid motion."""
    beam = HubBeam(L=1.0, EI=1.0, rhoA=1.0, hub_inertia=hub)
    arm = hub_arm(beam, {"formulation": "modes", "modes": count, "shapes": shapes}, {"free": True})
    found = fa.modes(arm, joints="free", count=count + 1).frequencies_hz
    return 2 * np.pi * found[1:]


def test_pinned_modes_are_those_of_a_free_joint_however_few_they_are():
    for count in (1, 4):
        np.testing.assert_allclose(on_a_joint("pinned", count), pinned_roots(count) ** 2, rtol=1e-9)


def test_pinned_and_clamped_modes_converge_to_the_same_arm():
    # on a hub of a tenth of the beam's inertia
    exact = _hub_root(0.03) ** 2
    for shapes in ("clamped", "pinned", "pinned-pinned"):
        found = np.array([[on_a_joint(shapes, n, hub=0.03)[0] / exact - 1] for n in (4, 8, 16)])
        # from above, as Ritz's frequencies do; the moment at the hub that pinned shapes lack comes with order one
        assert np.all(found > -1e-9) and np.all(np.diff(found[:, 0]) < 0)
        assert found[-1, 0] < 0.02
        assert fitted_order((4, 8, 16), found)[0] > 0.9


def _hub_root(inertia: float) -> float:
    """The first β of a beam of 1 m free at one end, on a hub at the other: v = 0, v'' = −jβ⁴v'; v'' = v''' = 0."""

    def determinant(b: float) -> float:
        # v = A (cosh − cos) + B sinh + C sin from the hub, A and B + C by the hub's moment
        sh, ch, s, c = np.sinh(b), np.cosh(b), np.sin(b), np.cos(b)
        turn = -inertia * b**3 / 2  # 2A = −jβ³ (B + C)
        rows = np.array([[turn * (ch + c) + sh, turn * (ch + c) - s], [turn * (sh - s) + ch, turn * (sh - s) - c]])
        return float(np.linalg.det(rows)) / ch

    grid = np.linspace(1.0, 5.0, 400)
    values = [determinant(b) for b in grid]
    k = next(i for i in range(len(grid) - 1) if values[i] * values[i + 1] < 0)
    low, high = grid[k], grid[k + 1]
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if determinant(low) * determinant(middle) > 0 else (low, middle)
    return float(low)


def test_beams_pinned_at_both_ends_bend_like_sines():
    made = block("modes", beam=UNIT, planar=True, length=1.0, modes=3, shapes="pinned-pinned")
    x = np.linspace(0.0, 1.0, 21)[1:]
    found = np.array([made.place(float(s)).attachment.phi[1] for s in x])
    k = np.pi * np.arange(1, 4)
    # seen from the clamp, which turns with the end
    expected = np.sin(x[:, None] * k) - x[:, None] * k
    np.testing.assert_allclose(found / found[-1], expected / expected[-1], rtol=1e-9, atol=1e-9)


def test_pinned_shapes_carry_a_driven_arm_where_clamped_ones_do():
    def path(shapes: str, count: int) -> np.ndarray:
        go = {"kind": "cycloidal", "travel": 1.0, "duration": 0.5}
        beam = HubBeam(L=1.0, EI=30.0, rhoA=0.5)
        model = {"formulation": "modes", "modes": count, "shapes": shapes}
        arm = hub_arm(beam, model, {"motion": "go"}, motions={"go": go})
        return fa.simulate(arm, end=0.6, tolerance=1e-7, output=0.02).values("point_deflection")[:, 0, :2]

    expected = path("clamped", 5)
    apart = [np.max(np.abs(path("pinned", n) - expected)) / np.max(np.abs(expected)) for n in (4, 8, 16)]
    # the moment at a driven base, which pinned shapes lack, comes with an order that tends to one
    assert apart[2] < 0.1
    np.testing.assert_allclose(fitted_order((4, 8, 16), np.array(apart)[:, None]), 1.0, atol=0.25)


# --- Listed ----------------------------------------------------------------------------------------------------------


def ritz(powers: list[int]) -> np.ndarray:
    """Squares of the frequencies of ξ^p on a beam of 1 m, EI = ρA = 1, by integrals written down."""
    p = np.array(powers, dtype=float)
    mass = 1 / (p[:, None] + p + 1)
    stiffness = np.outer(p * (p - 1), p * (p - 1)) / (p[:, None] + p - 3)
    return np.sort(np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real)


def test_polynomials_give_ritz_s_frequencies():
    shapes = [{"polynomial": [0] * p + [1]} for p in (2, 3, 4)]
    made = block("modes", beam=UNIT, planar=True, length=1.0, shapes=shapes)
    np.testing.assert_allclose(frequencies(*small_motion(made.bodies)) ** 2, ritz([2, 3, 4]), rtol=1e-9)
    assert made.names == ("bending_z1", "bending_z2", "bending_z3")
    # the shapes themselves, not scaled: H = ∫(2ξ)²
    tip = made.place(1.0).attachment
    np.testing.assert_allclose(tip.phi[1], 1.0, rtol=1e-13)
    np.testing.assert_allclose(tip.shortening[0], [4 / 3, 6 / 4, 8 / 5], rtol=1e-12)


def test_points_on_a_cubic_are_the_cubic():
    at = [0.0, 0.2, 0.5, 0.6, 1.0, 1.3]
    points = [{"at": at, "values": [(x / 1.3) ** p for x in at]} for p in (2, 3)]
    splined = block("modes", beam=UNIT, planar=True, length=1.3, shapes=points)
    exact = block("modes", beam=UNIT, planar=True, length=1.3, shapes=RITZ)
    for s in (0.1, 0.55, 1.3):
        one, two = splined.place(s).attachment, exact.place(s).attachment
        np.testing.assert_allclose(one.phi, two.phi, atol=1e-13)
        np.testing.assert_allclose(one.psi, two.psi, atol=1e-12)
        np.testing.assert_allclose(one.shortening, two.shortening, atol=1e-12)
    for one, two in zip(small_motion(splined.bodies), small_motion(exact.bodies), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-11)


def test_a_measured_mode_is_as_good_as_its_points():
    # the static shape of an even load at eleven points
    x = np.linspace(0.0, 1.0, 11)
    values = (6 * x**2 - 4 * x**3 + x**4) / 3
    made = block("modes", beam=UNIT, planar=True, length=1.0, shapes=[{"at": list(x), "values": list(values)}])
    # Rayleigh's quotient of that polynomial, 162/13
    assert frequencies(*small_motion(made.bodies))[0] ** 2 == pytest.approx(162 / 13, rel=1e-4)


def test_a_tip_force_and_moment_bend_listed_cubics_exactly():
    space = {"bending_stiffness": (30.0, 70.0), "mass_per_length": 1.0, "shear_stiffness": (800.0, 1300.0)}
    # bending, and a slope of the axis without rotation of the sections: shear
    shapes = [
        {"direction": direction, **shape}
        for direction in ("bending_z", "bending_y")
        for shape in (*RITZ, {"polynomial": [0, 1], "rotation": [0]})
    ]
    shapes += [{"direction": "torsion", "polynomial": [0, 1]}, {"direction": "axial", "polynomial": [0, 1]}]
    beam = {**space, "torsional_stiffness": 11.0, "axial_stiffness": 9e3, "polar_inertia": 1e-2}
    made = block("modes", beam=beam, length=1.3, shapes=shapes)
    found = under_tip_load(made, 1.3, np.array([5.0, 2.0, 3.0, 0.7, 0.4, 0.5]))[1]
    expected = [
        5.0 * 1.3 / 9e3,
        2.0 * (1.3**3 / 210 + 1.3 / 800) + 0.5 * 1.3**2 / 140,
        3.0 * (1.3**3 / 90 + 1.3 / 1300) - 0.4 * 1.3**2 / 60,
        0.7 * 1.3 / 11,
        -3.0 * 1.3**2 / 60 + 0.4 * 1.3 / 30,
        2.0 * 1.3**2 / 140 + 0.5 * 1.3 / 70,
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-10)
    # and the forces behind them are read where they are
    shears = [station for station in made.stations if station.direction == "shear_y"]
    coordinates = under_tip_load(made, 1.3, np.array([0.0, 2.0, 0.0, 0.0, 0.0, 0.0]))[0]
    for station in shears:
        assert np.array(station.force) @ coordinates[list(station.coordinates)] == pytest.approx(2.0, rel=1e-9)


def test_without_a_rotation_nothing_shears():
    stiff = block("modes", beam=STUBBY, planar=True, length=1.0, shapes=RITZ, theory="timoshenko")
    p = fa.Beam(**STUBBY).properties()
    found = under_tip_load(stiff, 1.0, np.array([0.0, 1.0, 0.0, 0.0, 0.0, 0.0]))[1][1]
    assert found == pytest.approx(1 / (3 * p.EIz), rel=1e-12)


def test_listed_shapes_stiffen_and_damp_as_others_do():
    spin = {"kind": "spin-up", "rate": 40.0, "duration": 1.0}
    shapes = [{"polynomial": [0] * p + [1]} for p in (2, 3, 4)]

    def tip(model: dict) -> np.ndarray:
        arm = hub_arm(
            HubBeam(L=1.0, EI=30.0, rhoA=0.5),
            {"formulation": "modes", **model},
            {"motion": "up"},
            motions={"up": spin},
            link={"damping": {"ratio": 0.02}},
        )
        return fa.simulate(arm, end=1.4, tolerance=1e-6, output=0.01).values("point_deflection")[:, 0, :2]

    expected = tip({"modes": 4})
    # quartics miss the third clamped mode and little else
    assert np.max(np.abs(tip({"shapes": shapes}) - expected)) < 0.01 * np.max(np.abs(expected))


# --- The model -------------------------------------------------------------------------------------------------------


def test_a_model_of_shapes_is_written_and_read_back_and_has_no_twin():
    arm = own_modes(RITZ)
    assert parse_arm(format_arm(arm)) == arm
    assert arm.links[0].formulation.modes == 2
    shorter = own_modes("pinned").links[0].formulation
    assert (shorter.modes, shorter.changed(shapes="clamped").shapes) == (4, "clamped")
    with pytest.raises(FlexarmError, match="has shapes that are listed"):
        fa.simulate(arm, end=0.1, check=True)


def test_readings_and_families_follow_the_list():
    shapes = [{"direction": "torsion", "polynomial": [0, 1]}, *RITZ]
    made = block("modes", length=1.0, shapes=shapes, theory="rayleigh")
    # in the order of a link's directions
    assert made.names == ("bending_z1", "bending_z2", "torsion1")
    assert made.units == ("m", "m", "rad")
    assert len(family_frequencies(made, "torsion")) == 1
    assert {station.direction for station in made.stations} == {"bending_z", "torsion"}


@pytest.mark.parametrize(
    ("shapes", "sentence"),
    [
        ([RITZ[0], {"polynomial": [0, 0, 2]}], 'of direction "bending_z" are made up of one another'),
        ([{"direction": "torsion", "polynomial": [0, 1]}], r'shapes\[0\].direction is "torsion", must be "bending_z"'),
        ([{**RITZ[0], "rotation": [0, 2]}], r'shapes\[0\].rotation is given, must be given with theory "timoshenko"'),
        ([{"direction": "axial", "polynomial": [0, 1]}], "axial_stiffness is missing"),
    ],
)
def test_shapes_that_cannot_be_are_refused_in_a_sentence(shapes, sentence):
    with pytest.raises(FlexarmError, match=sentence):
        fa.modes(own_modes(shapes))
