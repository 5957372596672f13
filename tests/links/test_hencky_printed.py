"""The bar-chain as printed is the paper's: its matrices, its frequencies, its motion on a hub, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.compare.variants import variant
from flexarm.analyses.equilibrium import Forces
from flexarm.analyses.overview import arm_overview, arm_summary
from flexarm.assembly import compile_arm
from flexarm.assembly.spans import span_of
from flexarm.errors import FlexarmError
from flexarm.links import block_of
from flexarm.links.small_motion import small_motion
from flexarm.model import format_arm, parse_arm
from tests.oracles import beams
from tests.oracles.hencky_chain import Chain, spun_history, spun_tip, torqued, torqued_with_slides
from tests.oracles.hub_cases import SPIN_TIME, SPUN, TORQUED, HubBeam
from tests.oracles.printed_chain import PrintedChain

from .cantilever import LIMP, angular, cantilever
from .hub_arms import PULSED, hub_arm
from .meshes import block, family_frequencies, fitted_order, under_tip_load

UNIT = {"bending_stiffness": 1.0, "mass_per_length": 1.0}
PRINTED: dict[str, Any] = {"formulation": "hencky", "kinematics": "printed"}
FINITE: dict[str, Any] = {"formulation": "hencky", "kinematics": "finite"}
WHOLE = HubBeam(L=1.0, EI=1.0, rhoA=1.0)
# √(ω L²√(ρA/EI)) of the first mode, massless rotations condensed: cubic elements with Simpson's lumps, in arithmetic of
# thirty digits.
ROOTS = {2: 1.875181872408, 4: 1.875101345055, 8: 1.875103780548, 16: 1.875104048858}
LOCKED = {"locked": True}
# The same chain by other arithmetic.
SAME = 1e-9


# --- Frequencies -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", ROOTS)
@pytest.mark.parametrize(("model", "within"), [(PRINTED, SAME), (FINITE, 1e-8)])
def test_massless_rotations_are_condensed_in_both_kinematics(n, model, within):
    # the finite chain's joints bear inertia that lowers the frequency by less than 1e-8 where the chain is coarsest
    # and 32 bars lose digits in their stiffness, whose condition is 3e9
    within = max(within, 1e-8) if n == 16 else within
    found = angular(hub_arm(WHOLE, {**model, "elements": n}, LOCKED), 1)[0]
    assert found == pytest.approx(ROOTS[n] ** 2, rel=within)
    assert found == pytest.approx(Chain(WHOLE, n).frequencies()[0], rel=within)


@pytest.mark.parametrize("beam", [SPUN, TORQUED])
@pytest.mark.parametrize(("model", "within"), [(PRINTED, SAME), (FINITE, 2e-7)])
def test_payload_with_inertia_and_hub_radius_are_those_of_the_flexibility(beam, model, within):
    inertia = 0.01 * beam.tip_mass * beam.L**2
    chain = Chain(beam, 3, tip_inertia=inertia)
    arm = hub_arm(beam, {**model, "elements": 3}, LOCKED, tip_inertia=inertia)
    np.testing.assert_allclose(angular(arm, 2), chain.frequencies()[:2], rtol=within)


@pytest.mark.parametrize("theory", ["rayleigh", "timoshenko"])
def test_rotary_inertia_and_shear_are_those_of_the_flexibility(theory):
    rotary, shear = 1e-3, 250.0
    own = {"rotary_inertia": rotary, "shear_stiffness": shear}
    arm = hub_arm(WHOLE, {**PRINTED, "elements": 4, "theory": theory}, LOCKED, own=own)
    chain = Chain(WHOLE, 4, rhoI=rotary, kGA=shear if theory == "timoshenko" else np.inf)
    assert len(compile_arm(arm).elastic_coordinates) == 16
    np.testing.assert_allclose(angular(arm, 6), chain.frequencies()[:6], rtol=SAME)


def test_orders_are_four_for_euler_bernoulli_and_two_for_timoshenko():
    # of the third and the fourth: lower ones err by little more than rounding does
    counts, own = (20, 26, 32), slice(2, 4)
    found = [family_frequencies(block("hencky", n, beam=UNIT, **_block()), "bending_z")[own] for n in counts]
    exact = beams.euler(4, EI=1.0, rhoA=1.0, L=1.0)[own]
    np.testing.assert_allclose(fitted_order(counts, np.array(found) / exact - 1), 4.0, atol=0.2)
    stubby, theory = {**UNIT, "shear_stiffness": 250.0, "rotary_inertia": 1e-3}, _block("timoshenko")
    found = [family_frequencies(block("hencky", n, beam=stubby, **theory), "bending_z")[own] for n in counts]
    exact = beams.timoshenko(4, EI=1.0, kGA=250.0, rhoA=1.0, rhoI=1e-3, L=1.0)[own]
    np.testing.assert_allclose(fitted_order(counts, np.array(found) / exact - 1), 2.0, atol=0.05)


def _block(theory: str = "euler") -> dict[str, Any]:
    return {"planar": True, "length": 1.0, "theory": theory, "kinematics": "printed"}


def test_the_condensed_chain_is_the_limit_of_ever_less_rotary_inertia():
    condensed = family_frequencies(block("hencky", 4, beam=UNIT, **_block()), "bending_z")[:4]
    apart = []
    for rotary in (1e-5, 1e-6, 1e-7):
        made = block("hencky", 4, beam={**UNIT, "rotary_inertia": rotary}, **_block("rayleigh"))
        apart.append(1 - family_frequencies(made, "bending_z")[:4] / condensed)
    np.testing.assert_allclose(fitted_order((1e5, 1e6, 1e7), apart), 1.0, atol=0.01)
    assert np.all(np.array(apart) > 0)


# --- The paper's equations -------------------------------------------------------------------------------------------


def test_masses_are_simpson_s_and_the_stiffness_inverts_the_flexibility():
    chain = Chain(TORQUED, 3)
    mass, stiffness = small_motion(compile_bodies(hub_arm(TORQUED, {**PRINTED, "elements": 3}, LOCKED)))
    # deflections and slides in turn; these bear a millionth of the mass of a half
    np.testing.assert_allclose(mass[::2, ::2], np.diag(chain.masses), rtol=1e-12, atol=1e-15)
    assert not mass[::2, 1::2].any()
    np.testing.assert_allclose(mass[1::2, 1::2], 1e-6 * TORQUED.rhoA * chain.half * np.eye(6), rtol=1e-12, atol=1e-20)
    np.testing.assert_allclose(np.linalg.inv(stiffness)[::2, ::2], chain.flexibility(), rtol=1e-9)


def compile_bodies(arm: fa.Arm) -> list:
    """The bodies of the arm's beam, standing on nothing."""
    return list(block_of(span_of(arm, arm.links[0])).bodies)


@pytest.mark.parametrize("tip_inertia", [0.0, 0.002])
def test_the_kinetic_energy_is_that_of_the_printed_velocities(tip_inertia):
    compiled = compile_arm(hub_arm(TORQUED, {**PRINTED, "elements": 2}, {"free": True}, tip_inertia=tip_inertia))
    printed = PrintedChain(TORQUED, 2, tip_inertia)
    rng, forces = np.random.default_rng(1), Forces(compiled)
    names = [name.removeprefix("beam.") for name in compiled.coordinate_names[1:]]
    assert names[:6] == ["v1", "slide1", "v2", "slide2", "v3", "slide3"]
    assert names[6:] == ["v4", "slope_z4" if tip_inertia else "slide4"]

    def seen(joints: np.ndarray) -> np.ndarray:
        """θ and the chain's coordinates for θ, the slides and the slopes of the bars; linear, so rates alike."""
        slides, slopes = joints[1:5], joints[5:]
        deflections = np.cumsum(slides) + TORQUED.L / 4 * (np.cumsum(slopes) - 0.5 * slopes)
        last = slopes[-1] if tip_inertia else slides[-1]
        return np.append(joints[0], np.stack([deflections, np.append(slides[:3], last)], axis=1).ravel())

    for _ in range(5):
        q, rate = rng.standard_normal((2, 9)) * np.array([1.0, *[0.1] * 8])
        y = seen(rate)
        # what the slides that are coordinates bear themselves
        borne = 1e-6 * TORQUED.rhoA * TORQUED.L / 4 * float(np.sum(rate[1 : 4 if tip_inertia else 5] ** 2))
        assert y @ forces.mass(seen(q)) @ y - borne == pytest.approx(2.0 * printed.kinetic(q, rate), rel=1e-11)


def test_rotation_lowers_its_frequencies_by_what_the_slides_are():
    arm = hub_arm(SPUN, {**PRINTED, "elements": 2}, {"motion": "turn"}, motions={"turn": {"kind": "hold"}})
    found = [2 * np.pi * fa.modes(arm, spin=rate, count=3).frequencies_hz for rate in (0.0, 2.0, 8.0)]
    for rate, each in zip((0.0, 2.0, 8.0), found, strict=True):
        # the Lagrangian of the printed velocities; the slides' own inertia takes 1e-9 of the first, more of the others
        np.testing.assert_allclose(each, PrintedChain(SPUN, 2).frequencies(rate)[:3], rtol=1e-6)
        assert each[0] == pytest.approx(PrintedChain(SPUN, 2).frequencies(rate)[0], rel=1e-8)
    assert [each[0] for each in found] == pytest.approx([2.644604, 2.644192, 2.636283], abs=5e-7)


def test_a_spin_up_bends_it_as_the_printed_lagrangian_does():
    rate = 8.0
    up = {"kind": "spin-up", "rate": rate, "duration": SPIN_TIME}
    arm = hub_arm(SPUN, {**PRINTED, "elements": 2}, {"motion": "up"}, motions={"up": up})
    run = fa.simulate(arm, end=30.0, tolerance=1e-7, output=0.1)
    # the last coordinate but one is the tip's deflection across the hub's radius
    found = run.values("elastic_position")[:, -2]
    exact = spun_history(Chain(SPUN, 2), rate, 30.0, "slides")(run.time)[0][:, -1]
    assert np.max(np.abs(found - exact)) < 1e-6
    assert np.max(np.abs(found - spun_tip(Chain(SPUN, 2), rate, run.time))) > 1e-3
    assert "its small motions are good" in run.summary()


def test_a_torque_turns_and_bends_it_as_by_its_momenta():
    run = fa.simulate(hub_arm(TORQUED, {**PRINTED, "elements": 2}, **PULSED), end=5.0, tolerance=1e-8, output=0.05)
    angle, tip = torqued_with_slides(Chain(TORQUED, 2), run.time)
    # the integrator reports an error of a few times its tolerance over ten periods
    assert np.max(np.abs(run.values("joint_position")[:, 0] - angle)) < 2e-7
    assert np.max(np.abs(run.values("elastic_position")[:, -2] - tip)) < 2e-7
    # without the slides it would be another
    assert np.max(np.abs(torqued(Chain(TORQUED, 2), run.time)[1] - tip)) > 1e-6
    # no torque, no damping, no energy gone
    after = run.time > 2.0
    energy = (run.values("energy_kinetic") + run.values("energy_elastic"))[after]
    assert np.ptp(energy) < 1e-6 * energy[0]


# --- Beside the finite chain -----------------------------------------------------------------------------------------


def arm_of(kinematics: str, **keys: Any) -> fa.Arm:
    """A limber beam in either kinematics; `keys` as those of a cantilever."""
    model = {"theory": "euler", "kinematics": kinematics, **keys.pop("model", {})}
    return cantilever(LIMP | keys.pop("own", {}), 3, formulation="hencky", model=model, **keys)


@pytest.mark.parametrize(
    "keys",
    [
        {"own": {"end": {"bending_stiffness": 6.0, "mass_per_length": 0.2}}},
        {"model": {"grading": 3.0}},
        {"payload": [{"mass": 0.3, "inertia": 0.01, "at": 0.4}, {"mass": 0.1, "offset": [0.05, 0, 0]}]},
        {"payload": {"mass": 0.3, "at": 0.0}, "hub": {"radius": 0.2}},
        {"payload": {"mass": 0.3}, "tip_offset": [0.1, 0, 0]},
        {"own": {"shear_stiffness": 400.0, "rotary_inertia": 1e-3}, "model": {"theory": "timoshenko"}},
    ],
)
def test_small_motions_are_those_of_the_finite_chain(keys):
    # what the finite chain's joints bear lowers a frequency by 1e-4 (kl)⁶/288 + 1e-7 (kl)⁴/2: kl ≤ 2 where graded
    printed, finite = arm_of("printed", **keys), arm_of("finite", **keys)
    np.testing.assert_allclose(angular(printed, 3), angular(finite, 3), rtol=3e-5)
    assert parse_arm(format_arm(printed)) == printed


@pytest.mark.parametrize("damping", [{"ratio": 0.03}, {"retardation": 1e-4}, {"per_spring": 0.02}])
def test_damping_is_that_of_the_finite_chain(damping):
    ratios = [fa.modes(arm_of(each, damping=damping), count=3).damping_ratios for each in ("printed", "finite")]
    np.testing.assert_allclose(*ratios, rtol=3e-5)


def test_dampers_on_the_springs_are_read_with_them():
    stations = compile_arm(arm_of("printed", damping={"per_spring": 0.02})).stations
    assert len(stations) == 6
    for station in stations:
        shear, moment = station.readings
        assert not any(shear.loss)
        # c over EI/l
        np.testing.assert_allclose(moment.loss, 0.02 / 180.0 * np.array(moment.force), rtol=1e-12)


def test_forces_are_read_at_the_joints():
    made = block("hencky", 3, beam=UNIT, **_block())
    # a moment would act on slopes that have no coordinates of their own
    found = under_tip_load(made, 1.0, np.array([0.0, 2.0, 0.0, 0.0, 0.0, 0.0]))[0]
    for station in made.stations:
        force = np.array(station.force) @ found[list(station.coordinates)]
        exact = 2.0 if station.direction == "shear_y" else 2.0 * (1.0 - station.position)
        assert force == pytest.approx(exact, rel=1e-9)
        if station.direction == "bending_z":
            assert np.array(station.strain) @ found == pytest.approx(exact, rel=1e-9)


def test_weight_sags_it_and_swings_it_as_the_finite_chain_where_little_bends():
    stiff = {"bending_stiffness": 3000.0}
    sag = [
        fa.statics(arm_of(each, own=stiff, gravity=(0.0, -9.81, 0.0))).tip_sag["tip"][1]
        for each in ("printed", "finite")
    ]
    assert sag[0] == pytest.approx(sag[1], rel=1e-6)
    swung = []
    for each in ("printed", "finite"):
        arm = arm_of(each, own=stiff, gravity=(0.0, -9.81, 0.0))
        link = arm.links[0].changed(joint={"type": "revolute", "free": True, "axis": "z"}, hub={"inertia": 0.01})
        run = fa.simulate(arm.changed(links=(link,)), end=0.5, tolerance=1e-7, output=0.05)
        swung.append(run.values("joint_position")[:, 0])
    # the tip bends by a thousandth
    np.testing.assert_allclose(swung[0], swung[1], atol=1e-3)


# --- What is reported and refused -------------------------------------------------------------------------------------


def test_words_of_compare_and_of_the_overview_describe_what_is_printed():
    assert variant("hencky:printed").keys == {"kinematics": "printed"}
    assert variant("hencky:printed").meshes((8, 64)) == (8, 16)
    assert variant("modes:printed").keys == {"order": "printed"}
    assert variant("modes:payload,printed").keys == {"shapes": "payload", "order": "printed"}
    with pytest.raises(FlexarmError, match='the option "printed" is not known'):
        variant("hermite:printed")
    compiled = compile_arm(hub_arm(TORQUED, {**PRINTED, "elements": 2}, LOCKED))
    assert "2 hencky elements, as printed, 1 payload, hub" in arm_overview(compiled)
    assert arm_summary(compiled)["links"][0]["kinematics"] == "printed"


FOREARM = {"name": "forearm", "joint": {"type": "fixed"}, "rigid": {"mass": 1, "inertia": 1}}


@pytest.mark.parametrize(
    ("model", "otherwise"),
    [({"formulation": "modes", "order": "printed"}, "second"), ({**PRINTED, "elements": 2}, "finite")],
)
@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"planar": False}, "the arm is a spatial one"),
        ({"joint": {"type": "prismatic", "axis": "y"}}, "its joint slides"),
        ({"joint": {"type": "revolute", "axis": "-z"}}, '"beam" turns about -z'),
        ({"outboard": FOREARM}, 'the link carries "forearm"'),
        ({"inboard": FOREARM}, 'the link stands on "forearm"'),
        ({"payload": {"mass": 1.0, "offset": [0, 0.01, 0]}}, "a payload has its mass centre 0.01 m off the beam"),
    ],
)
def test_what_is_no_beam_on_a_hub_is_refused(model, otherwise, changes, found):
    link = {"name": "beam", "joint": {"type": "fixed"}, "length": 1.0, "beam": UNIT, "model": model}
    link |= {key: value for key, value in changes.items() if key in ("joint", "payload")}
    links = [changes.get("inboard"), link, changes.get("outboard")]
    arm = fa.Arm(planar=changes.get("planar", True), links=[each for each in links if each is not None])
    with pytest.raises(FlexarmError) as refused:
        compile_arm(arm)
    assert found in str(refused.value) and f'must be "{otherwise}"' in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_free_hub_must_have_inertia():
    with pytest.raises(FlexarmError, match=r"hub\.inertia is 0 kg m² on a free joint"):
        compile_arm(hub_arm(WHOLE, PRINTED, {"free": True}))
    assert compile_arm(hub_arm(WHOLE, {**PRINTED, "theory": "rayleigh"}, {"free": True}, own={"rotary_inertia": 1e-3}))


def test_bars_that_stretch_are_not_printed():
    with pytest.raises(FlexarmError, match=r'model\.freedoms holds "axial", must hold "bending" alone'):
        compile_arm(arm_of("printed", own={"axial_stiffness": 1e3}, freedoms=("bending", "axial")))
