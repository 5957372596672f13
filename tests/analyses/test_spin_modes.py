"""Modes about steady rotation: published tables, closed forms, an independent linearisation and runs over time."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.modes.eigen import general_modes, gyroscopic_modes, symmetric_modes
from flexarm.analyses.modes.poles import poles_of
from flexarm.assembly import compile_arm
from tests.analyses.flexible_arms import three_joints
from tests.analyses.rotors import (
    ALL_WAYS,
    HUB,
    LENGTH,
    MASS,
    OFFSET,
    RHOA,
    UNIT,
    hinged,
    of_kind,
    oracle_matrices,
    poles,
    rotor,
    small_motion,
)
from tests.analyses.sleeves import telescope
from tests.analyses.test_drives import geared
from tests.links.cantilever import WAYS
from tests.links.rotating import WRIGHT, flapping, lagging
from tests.links.test_rotating_beams import MESH

MESHES = {**MESH, "modes": (1, 2e-3)}  # eight shapes of a beam at rest follow those of a fast one to that
EVERY_WAY = pytest.mark.parametrize("way", list(ALL_WAYS.values()), ids=list(ALL_WAYS))
HERMITE = WAYS["hermite"]
SKEW = {name: ALL_WAYS[name] for name in ("rigid-fe", "timoshenko", "hermite", "hermite-link")}
SKEW["modes"] = {"formulation": "modes", "modes": 2}


# --- Beams on a hub --------------------------------------------------------------------------------------------------


@EVERY_WAY
@pytest.mark.parametrize("eta", [3, 12])
def test_flapping_and_lagging_are_those_of_the_published_table(way, eta):
    elements, tolerance = MESHES[way["formulation"]]
    found = fa.modes(rotor(way, elements), spin=eta * UNIT, count=6)
    flap, lag = (of_kind(found, f"beam bending {axis}")[:2] / UNIT for axis in "yz")
    np.testing.assert_allclose(flap, WRIGHT[eta][:2], rtol=tolerance)
    # the square of a frequency errs twice as much, and as part of λ² + η²
    np.testing.assert_allclose(lag**2 + eta**2, np.array(WRIGHT[eta][:2]) ** 2, rtol=2 * tolerance)


@EVERY_WAY
def test_a_tip_mass_and_a_hub_stiffen_as_by_ritz(way):
    elements, tolerance = MESHES[way["formulation"]]
    keys: dict[str, Any] = {"hub": 0.2, "tip": 0.7 * RHOA}
    flat = fa.modes(rotor(way, elements, planar=True, **keys), spin=6 * UNIT, count=2)
    np.testing.assert_allclose(of_kind(flat, "beam") / UNIT, lagging(6.0, 0.2, 2, tip=0.7), rtol=2 * tolerance)
    full = fa.modes(rotor(way, elements, **keys), spin=6 * UNIT, count=4)
    np.testing.assert_allclose(
        of_kind(full, "beam bending y") / UNIT, flapping(6.0, 0.2, 2, tip=0.7), rtol=2 * tolerance
    )


@EVERY_WAY
def test_squares_of_flapping_and_lagging_differ_by_that_of_the_rate(way):
    rate = 7.0 * UNIT
    # elements whose axis turns freely bear an inertia against that, which falls with the fourth power of their length
    freely = {"timoshenko": 32, "isoparametric": 12} if way.get("frames") != "link" else {}
    elements = freely.get(way["formulation"], 6)
    found = fa.modes(rotor(way, elements, hub=0.3, tip=0.2), spin=rate, count=12)
    flap, lag = (of_kind(found, f"beam bending {axis}")[:2] for axis in "yz")
    # rotary inertia of 1e-8 kg m, and that of hinges of a mesh that has any, is all that is left
    np.testing.assert_allclose(flap**2 - lag**2, rate**2, rtol=1e-6)


@pytest.mark.parametrize("name", ["timoshenko", "hermite", "isoparametric"])
def test_without_shortening_rotation_softens_by_its_square_until_the_beam_diverges(name):
    way = {"formulation": name, "frames": "link", "stiffening": False}
    arm = rotor(way, 8, planar=True)
    rest = 2 * np.pi * fa.modes(arm, count=2).frequencies_hz
    slow, fast = 0.8 * rest[0], 1.5 * rest[0]
    np.testing.assert_allclose(2 * np.pi * fa.modes(arm, spin=slow, count=2).frequencies_hz, np.sqrt(rest**2 - slow**2))
    beyond = fa.modes(arm, spin=fast, count=2)
    assert beyond.frequencies_hz[0] == 0.0 and beyond.names[0] == "beam bending z 1, divergence"
    assert beyond.growth_rates[0] == pytest.approx(np.sqrt(fast**2 - rest[0] ** 2), rel=1e-6)
    assert beyond.growth_rates[1] == 0.0 and not np.any(np.isnan(beyond.shapes))
    assert "mode 1 is unstable by divergence: twice as large every" in beyond.summary()


@pytest.mark.parametrize("name", ["rigid-fe", "hermite", "hermite-link"])
def test_a_beam_that_points_inwards_is_softened_and_buckles(name):
    way, delta = WAYS[name], 1.5
    # the hub carries the beam's root at δ and turns it round
    hub = {"name": "hub", "joint": {"type": "revolute"}, "length": delta, "rigid": {"mass": 1.0, "inertia": 1.0}}
    inward = rotor(way, 24, planar=True).links[0].changed(joint={"type": "fixed", "rotation": (0.0, 0.0, np.pi)})
    arm = fa.Arm(planar=True, gravity=(0.0, 0.0, 0.0), links=[hub, inward])
    found = fa.modes(arm, spin=2.0 * UNIT, count=2)
    # hinges: a third of the square of the second mode's 4.7/24
    np.testing.assert_allclose(of_kind(found, "beam") / UNIT, lagging(2.0, -delta, 2), rtol=2e-2)
    assert found.frequencies_hz[0] < 0.9 * fa.modes(arm, count=1).frequencies_hz[0]
    # λ of the first mode falls through zero between η = 2 and 4
    beyond = small_motion(compile_arm(arm), {"hub": 4.0 * UNIT})
    assert poles_of(beyond, 1).growth_rates[0] > 0.0


# --- Hinges ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("planar", [True, False])
def test_a_hinged_blade_lags_at_its_closed_form(planar):
    arm = hinged()
    if planar:
        flat = [arm.links[0].changed(rigid={"mass": 0.0, "inertia": HUB, "centre": (0, 0, 0)})]
        flat += [arm.links[1].changed(rigid={"mass": MASS, "inertia": MASS * LENGTH**2 / 12})]
        arm = arm.changed(planar=True, links=tuple(flat))
    found = fa.modes(arm, spin="75 rpm", joints=["blade"])
    rate = 75 * 2 * np.pi / 60
    # Ω √(3e/2ℓ): centrifugal force on a slender rod hinged at e
    assert 2 * np.pi * found.frequencies_hz[0] == pytest.approx(rate * np.sqrt(1.5 * OFFSET / LENGTH), rel=1e-9)
    assert found.names == ("blade joint 1",) and found.joints == ("blade",)
    assert found.spin == {"hub": pytest.approx(rate)} and not np.iscomplexobj(found.shapes)
    assert "with joint blade free, hub spins at 7.854 rad/s (75.00 rpm)" in found.summary()


def test_a_hinged_blade_flaps_at_its_closed_form():
    found = fa.modes(hinged("y"), spin=9.0, joints=["blade"])
    assert 2 * np.pi * found.frequencies_hz[0] == pytest.approx(9.0 * np.sqrt(1 + 1.5 * OFFSET / LENGTH), rel=1e-9)


def test_a_hub_that_is_free_gives_a_rigid_body_motion_and_swings_against_the_blade():
    rate = 9.0
    found = fa.modes(hinged(), spin=rate, joints="free")
    own, static = MASS * LENGTH**2 / 3, MASS * LENGTH / 2
    whole = HUB + MASS * OFFSET**2 + own + 2 * static * OFFSET
    # the hub's momentum stays: I − (I + Se)²/J is left of the blade's inertia, Se Ω² of its stiffness
    expected = rate * np.sqrt(static * OFFSET / (own - (own + static * OFFSET) ** 2 / whole))
    assert found.names == ("rigid-body motion 1", "blade joint 1")
    assert found.frequencies_hz[0] == 0.0 and found.shapes[0].tolist() == pytest.approx([found.shapes[0, 0], 0.0])
    assert 2 * np.pi * found.frequencies_hz[1] == pytest.approx(expected, rel=1e-9)
    assert found.shapes[1, 0] / found.shapes[1, 1] == pytest.approx(-(own + static * OFFSET) / whole, rel=1e-9)


def test_a_free_joint_is_thrown_to_where_the_rotation_leaves_it():
    # under gravity along the axis the blade droops until Ω²(S e cos β + I sin β cos β) balances g S cos β
    rate, g = 9.0, 9.81
    found = fa.modes(hinged("y", gravity=(0.0, 0.0, -g)), spin=rate, joints=["blade"], posture={"blade": -0.4})
    own, static = MASS * LENGTH**2 / 3, MASS * LENGTH / 2
    beta = found.posture["blade"]
    assert rate**2 * (static * OFFSET + own * np.cos(beta)) * np.sin(beta) == pytest.approx(g * static * np.cos(beta))
    # ω² is the slope of that balance
    square = rate**2 * (static * OFFSET * np.cos(beta) + own * np.cos(2 * beta)) + g * static * np.sin(beta)
    assert 2 * np.pi * found.frequencies_hz[0] == pytest.approx(np.sqrt(square / own), rel=1e-8)


def test_a_damper_on_a_hinge_damps_and_a_damper_on_the_hub_lets_the_rate_decay():
    damper = 0.05
    own, static = MASS * LENGTH**2 / 3, MASS * LENGTH / 2
    omega = 9.0 * np.sqrt(static * OFFSET / own)
    found = fa.modes(hinged(joint={"damping": damper}), spin=9.0, joints=["blade"])
    assert 2 * np.pi * found.frequencies_hz[0] == pytest.approx(omega, rel=1e-9)
    assert found.damping_ratios[0] == pytest.approx(damper / (2 * own * omega), rel=1e-9)
    # more than critical: two real poles, −σ ± √(σ² − ω²)
    half = 3.0 * omega
    heavy = fa.modes(hinged(joint={"damping": 2 * own * half}), spin=9.0, joints=["blade"])
    pair = -half + np.sqrt(half**2 - omega**2) * np.array([1.0, -1.0])
    np.testing.assert_allclose(heavy.real_poles, pair, rtol=1e-9)
    assert len(heavy) == 0 and "time constant" in heavy.summary()
    both = fa.modes(hinged(hub_joint={"damping": damper}), spin=9.0, joints="free")
    whole = HUB + MASS * OFFSET**2 + own + 2 * static * OFFSET
    mass = np.array([[whole, own + static * OFFSET], [own + static * OFFSET, own]])
    exact = poles(mass, np.diag([damper, 0.0]), np.diag([0.0, 81.0 * static * OFFSET]))
    assert both.kinds == ("free", "oscillation") and len(both.real_poles) == 1
    assert both.damping_ratios[1] == pytest.approx(-exact[0].real / abs(exact[0]), rel=1e-8)
    # trace of −M⁻¹D: all four poles together
    slowing = -np.trace(np.linalg.solve(mass, np.diag([damper, 0.0]))) - 2 * both.poles[1].real
    assert both.real_poles[0] == pytest.approx(slowing, rel=1e-6)


# --- Gears and sleeves -----------------------------------------------------------------------------------------------


def test_a_gear_does_not_feel_that_it_turns():
    arm = geared({"locked": True})
    found = fa.modes(arm, spin=20.0)
    np.testing.assert_allclose(found.frequencies_hz, fa.modes(arm).frequencies_hz, rtol=1e-12)
    # motor and link together are free to turn, and swing against each other
    free = fa.modes(arm, spin=20.0, joints="free")
    assert free.names[0] == "rigid-body motion 1" and "gear" in free.names[1]
    np.testing.assert_allclose(free.frequencies_hz, fa.modes(arm, joints="free").frequencies_hz, rtol=1e-10)


@pytest.mark.parametrize("formulation", ["hermite", "timoshenko"])
def test_a_boom_held_in_its_sleeve_spins_as_a_fixed_beam_of_that_length(formulation):
    held, fixed = (
        fa.modes(telescope(formulation=formulation, sleeve=sleeve, gravity="[0, 0, 0]"), spin=8.0, count=4)
        for sleeve in (True, False)
    )
    np.testing.assert_allclose(held.frequencies_hz, fixed.frequencies_hz, rtol=1e-8)
    assert held.frequencies_hz[0] > fa.modes(telescope(gravity="[0, 0, 0]"), count=1).frequencies_hz[0]


# --- Coriolis forces -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("joints", ["locked", ("upper", "fore"), "free"], ids=["locked", "named", "free"])
@pytest.mark.parametrize("name", SKEW)
def test_a_skew_arm_is_coupled_as_lagrange_s_equations_say(name, joints):
    arm = three_joints(SKEW[name], 2)
    motion = small_motion(compile_arm(arm), {"column": 6.0}, None, joints)
    mass, rate, stiffness, unbalanced = oracle_matrices(arm, motion)
    assert np.max(np.abs(unbalanced)) < 1e-9
    scale = np.max(np.abs(rate))
    # the part of C that is not skew is rounding, of both
    np.testing.assert_allclose(motion.gyro, rate, rtol=0, atol=1e-12 * scale)
    found = fa.modes(arm, spin=6.0, joints=joints, count=6)
    exact = poles(mass, rate, stiffness)[:5].imag
    moving = found.frequencies_hz[found.frequencies_hz > 0.0][:5]
    # both differences err by 1e-9 of the stiffest springs at most, which the softest modes feel a little
    np.testing.assert_allclose(2 * np.pi * moving, exact, rtol=1e-6)
    assert np.iscomplexobj(found.shapes)


@pytest.mark.parametrize("name", ["hermite", "rigid-fe"])
def test_damping_ratios_are_those_of_the_coupled_arm(name):
    arm = three_joints(SKEW[name], 2)
    links = [arm.links[0], *(link.changed(damping={"retardation": 1e-3}) for link in arm.links[1:])]
    arm = arm.changed(links=tuple(links))
    motion = small_motion(compile_arm(arm), {"column": 6.0})
    mass, rate, stiffness, _ = oracle_matrices(arm, motion)
    found = fa.modes(arm, spin=6.0, count=4)
    exact = poles(mass, rate, stiffness)[:4]
    np.testing.assert_allclose(found.damping_ratios, -exact.real / np.abs(exact), rtol=1e-6)
    np.testing.assert_allclose(2 * np.pi * found.frequencies_hz, np.abs(exact), rtol=1e-6)


def test_shapes_solve_the_equations_and_only_coupled_ones_are_complex():
    motion = small_motion(compile_arm(three_joints(HERMITE, 2)), {"column": 6.0})
    found = poles_of(motion, 8)
    for value, shape in zip(found.values, found.shapes.T, strict=True):
        terms = [value**2 * motion.mass @ shape, value * motion.gyro @ shape, motion.stiffness @ shape]
        assert np.max(np.abs(sum(terms))) < 1e-8 * max(np.max(np.abs(term)) for term in terms)
    straight = fa.modes(rotor(HERMITE, 4), spin=10.0, count=4)
    assert not np.iscomplexobj(straight.shapes)


def test_a_complex_mode_is_scaled_by_the_farthest_reach_of_its_point():
    found = fa.modes(three_joints(HERMITE, 2), spin=12.0, count=4)
    turns = np.exp(1j * np.linspace(0, 2 * np.pi, 721))
    for moved in found.point_shapes[:, 0]:
        path = np.linalg.norm((moved[None, :] * turns[:, None]).real, axis=1)
        assert path.max() == pytest.approx(1.0, abs=1e-5) and path[0] == pytest.approx(1.0, abs=1e-12)
    reported = json.loads(json.dumps(found.to_dict()))
    np.testing.assert_array_equal(
        np.array(reported["shapes"]) + 1j * np.array(reported["shapes_imaginary"]), found.shapes
    )
    assert reported["spin_rad_s"] == {"column": 12.0}


# --- Runs over time --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["rigid-fe", "hermite", "hermite-link", "modes"])
def test_a_spinning_beam_vibrates_at_its_frequency(name):
    rate, way = 20.0, ALL_WAYS[name]
    arm = rotor(way, 4, planar=True, tip=0.1, rate=rate)
    mode = fa.modes(arm, spin=rate, count=1)
    # a millimetre: large deflections change the frequency by their square
    start = dict(zip(mode.coordinates, 1e-3 * mode.shapes[0], strict=True))
    period = 1 / mode.frequencies_hz[0]
    run = fa.simulate(arm, end=8.2 * period, start=start, tolerance=1e-8, output=period / 40)
    swing = run.values("elastic_position")[:, np.argmax(np.abs(mode.shapes[0]))]
    down = np.flatnonzero((swing[:-1] > 0) & (swing[1:] <= 0))
    crossings = run.time[down] + swing[down] / (swing[down] - swing[down + 1]) * np.diff(run.time)[down]
    assert len(crossings) == 8
    assert (crossings[-1] - crossings[0]) / 7 == pytest.approx(period, rel=1e-4)


def test_a_skew_arm_moves_in_its_complex_mode():
    arm = three_joints(HERMITE, 2)
    turn = arm.links[0].changed(joint={"type": "revolute", "motion": "spin"})
    held = [link.changed(joint={"type": "revolute", "axis": (0, -1, 0), "at": link.joint.at}) for link in arm.links[1:]]
    rate = 12.0
    arm = arm.changed(links=(turn, *held), motions={"spin": {"kind": "constant-rate", "rate": rate}})
    compiled = compile_arm(arm)
    motion = small_motion(compiled, {"column": rate})
    found = poles_of(motion, 1)
    omega, shape = found.values[0].imag, 1e-3 * found.shapes[:, 0]
    names = [compiled.coordinate_names[c] for c in motion.moving]
    still = motion.state.q[motion.moving]
    start = dict(zip(names, still + shape.real, strict=True))
    start |= {f"{name}.rate": value for name, value in zip(names, (1j * omega * shape).real, strict=True)}
    run = fa.simulate(arm, end=3 * 2 * np.pi / omega, start=start, tolerance=1e-8, output=0.01)
    departed = run.values("elastic_position") - still
    expected = (shape * np.exp(1j * omega * run.time)[:, None]).real
    size = np.max(np.abs(shape))
    # what is left is of second order in a departure of a thousandth
    np.testing.assert_allclose(departed, expected, rtol=0, atol=1e-2 * size)


# --- At rest, and digits ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spin", [0, 0.0, "0 rpm", {"column": 0.0}, {}])
def test_no_spin_is_the_arm_at_rest_to_the_last_bit(spin):
    arm = three_joints(HERMITE, 2)
    assert fa.modes(arm, spin=spin).to_dict() == fa.modes(arm).to_dict()


def test_named_joints_are_free_at_rest_too():
    arm = hinged(joint={"stiffness": 30.0})
    found = fa.modes(arm, joints=["blade"])
    assert 2 * np.pi * found.frequencies_hz[0] == pytest.approx(np.sqrt(30.0 / (MASS * LENGTH**2 / 3)), rel=1e-10)


def test_the_other_way_round_the_frequencies_are_the_same():
    arm = three_joints(HERMITE, 2)
    there, back = (fa.modes(arm, spin=rate, count=6).frequencies_hz for rate in (7.0, -7.0))
    np.testing.assert_allclose(there, back, rtol=1e-10)


@pytest.mark.parametrize("way", ["symmetric", "gyroscopic", "general"])
def test_low_modes_keep_their_digits_with_stiff_ones(way):
    # a chain of 150 springs fixed at one end, ω = 2 √(k/m) sin((2j − 1)π/(4n + 2)), with 30 stiffer ones bound to it
    n, stiff = 150, 30
    chain = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    chain[-1, -1] = 1.0
    exact = 2 * np.sin((2 * np.arange(1, 4) - 1) * np.pi / (4 * n + 2))
    stiffness = np.zeros((n + stiff, n + stiff))
    stiffness[:n, :n] = chain
    stiffness[n:, n:] = 1e10 * np.eye(stiff)
    mass, none = np.eye(n + stiff), np.zeros((n + stiff, n + stiff))
    if way == "symmetric":
        found = np.sqrt(symmetric_modes(stiffness, mass)[0])
    elif way == "gyroscopic":
        found = gyroscopic_modes(stiffness, none, mass)[0]
    else:
        values = general_modes(stiffness, none, mass)[0]
        found = np.sort(values.imag[values.imag > 0])
    # fourteen decades between the squares: a plain solver leaves two digits
    np.testing.assert_allclose(found[:3], exact, rtol=1e-8)


def test_many_coordinates_are_replaced_by_the_lowest_modes_in_the_rotating_frame(monkeypatch):
    arm = three_joints(HERMITE, 4)
    links = [arm.links[0], *(link.changed(damping={"retardation": 1e-3}) for link in arm.links[1:])]
    motion = small_motion(compile_arm(arm.changed(links=tuple(links))), {"column": 6.0}, None, "free")
    exact = poles_of(motion, 5)
    monkeypatch.setattr("flexarm.analyses.modes.spectra._MOST", 30)
    few = poles_of(motion, 5)
    assert len(motion.mass) == 43
    # those left out lie above 2e4 rad/s: 12 rad/s of Coriolis coupling adds the square of the ratio
    np.testing.assert_allclose(few.values, exact.values, rtol=1e-6)
    # hinges that bend the links by a millionth are damped by next to nothing
    np.testing.assert_allclose(few.ratios, exact.ratios, rtol=1e-5, atol=1e-8)


def test_gyroscopic_modes_of_a_whirling_mass_are_its_closed_form():
    # m on equal springs seen from a frame that turns with Ω: ω = √(k/m) ± Ω
    rate, omega = 0.7, 2.0
    turning = 2 * rate * np.array([[0.0, -1.0], [1.0, 0.0]])
    stiffness = (omega**2 - rate**2) * np.eye(2)
    found, shapes = gyroscopic_modes(stiffness, turning, np.eye(2))
    np.testing.assert_allclose(found, [omega - rate, omega + rate], rtol=1e-14)
    np.testing.assert_allclose(np.abs(shapes[0] / shapes[1]), 1.0, rtol=1e-12)  # circles
    # beyond Ω = √(k/m) the rotating frame sees negative stiffness, and Coriolis forces hold the mass all the same
    values, _ = general_modes((omega**2 - 9.0) * np.eye(2), 6.0 * np.array([[0.0, -1.0], [1.0, 0.0]]), np.eye(2))
    np.testing.assert_allclose(np.sort(values.imag[values.imag > 0]), [1.0, 5.0], rtol=1e-10)
    assert np.max(np.abs(values.real)) < 1e-10
