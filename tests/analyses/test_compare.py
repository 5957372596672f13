"""`compare` from the public side: errors beside a reference that stands, and the model whose choice is known before."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.compare.reference import find_reference
from flexarm.analyses.compare.variants import variant
from flexarm.errors import AnalysisError
from flexarm.results import Comparison
from tests.oracles import beams, hub_beam
from tests.oracles.geometric_arm import Beam

SIX = ("rigid-fe", "hencky", "timoshenko", "hermite", "isoparametric", "modes")


def beam_on_a_joint(beam: dict[str, Any], motion: dict[str, Any], end: float, **link: Any) -> fa.Arm:
    """One beam whose joint follows a motion."""
    joint = {"type": "revolute", "motion": "go"}
    whole = {"name": "beam", "joint": joint, "length": 1.0, "beam": beam, **link}
    return fa.Arm(planar=True, gravity=(0, 0, 0), links=[whole], motions={"go": motion}, simulation={"end": end})


# --- A slender beam with a mass at its tip, spun up in 15 s (S. Šalinić et al.) ---------------------------------------

# no shear data are given: so stiff that it does not matter, for the elements that cannot do without
SLENDER = {
    "bending_stiffness": 6.8952e10 * 8.2189e-9,
    "mass_per_length": 2766.7 * 7.2968e-5,
    "rotary_inertia": 2766.7 * 8.2189e-9,
    "shear_stiffness": 1e9,
}


def spun_up(rate: float) -> fa.Arm:
    """The beam, spun up to a rate (rad/s)."""
    spin = {"kind": "spin-up", "rate": rate, "duration": 15.0}
    return beam_on_a_joint(SLENDER, spin, 16.0, length=8.0, payload={"mass": 0.085})


@cache
def fast() -> Comparison:
    """Spun up to 8 rad/s; two millimetres of a deflection of more than a metre are allowed."""
    return fa.compare(spun_up(8.0), tolerance=2e-3)


def test_all_six_formulations_are_within_a_per_cent_on_a_beam_spun_up_to_2_rad_per_s() -> None:
    found = fa.compare(spun_up(2.0), SIX, elements=(8, 32))
    assert found.tolerance == pytest.approx(0.01 * found.reference.peak_deflection, rel=0.01)
    for name in SIX:
        finest = found.of(name)[-1]
        assert finest.keeps and finest.tip_error <= 0.01 * found.reference.peak_deflection, name
        assert finest.peak_error < 0.01, name
        assert not finest.outside, name


def test_frames_of_links_are_outside_of_their_assumptions_at_8_rad_per_s_and_those_of_elements_are_not() -> None:
    found = fast()
    assert 0.10 < found.reference.peak_deflection / 8.0 < 0.15
    for row in found.rows:
        in_link_frame = row.model in ("modes", "hermite:link")
        assert [each.kind for each in row.outside] == (["deflection"] if in_link_frame else []), row
        assert not (in_link_frame and row.keeps)
    # more shapes do not help: what is left is what the second-order model itself is wrong by
    assert {trend.model for trend in found.trends if trend.levels_off} == {"modes", "hermite:link"}


def test_the_orders_are_those_of_large_deflections() -> None:
    orders = {trend.model: trend.order for trend in fast().trends}
    # hinges and linear elements two, cubic and quadratic ones three: from two elements on not yet to the digit
    known = {"rigid-fe": 2.0, "hencky": 2.0, "timoshenko": 2.0, "hermite": 3.0, "isoparametric": 3.0}
    for name, order in known.items():
        assert orders[name] == pytest.approx(order, abs=0.6), name


def test_the_reference_agrees_with_another_formulation_to_about_its_own_error() -> None:
    reference = fast().reference
    assert reference.stands and reference.error < 0.02 * 2e-3
    assert reference.agrees in ("hermite", "isoparametric") and reference.agrees_elements == 16
    # which has an error of its own, 2e-5 m by its order from 2, 4, 8 elements
    assert reference.agrees_to < 5e-5
    assert reference.order == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize("shear", [2e6, 2e3], ids=["slender", "stubby"])
def test_the_error_the_reference_reports_covers_what_it_misses_the_geometrically_exact_beam_by(shear) -> None:
    data = Beam(L=1.0, EI=2.0, kGA=shear, rhoA=0.5, rhoI=1e-4)
    beam = {"bending_stiffness": 2.0, "shear_stiffness": shear, "mass_per_length": 0.5, "rotary_inertia": 1e-4}
    arm = beam_on_a_joint(beam, {"kind": "polynomial", "coefficients": [0.0, 0.0, 6.0]}, 0.4)
    reference = find_reference(arm, variant("hencky"), 0.4, 1e-4)
    every = slice(None, None, 50)
    exact = hub_beam.exact_tip(
        data, lambda t, _: (6.0 * t**2, 12.0 * t, 12.0), reference.history.times[every], modes=10, strains=13
    )
    assert np.max(np.abs(exact)) > 0.3
    # 5e-7 m: what ten modes of 13 polynomials leave out, three and two more move the oracle's tip by half as much
    assert np.max(np.abs(reference.history.bent[every, 1] - exact)) < reference.error + 5e-7
    assert reference.stands
    # also where sections shear and turn far: every second joint of a chain has slide and turn in the reverse order
    assert reference.order == pytest.approx(2.0, abs=0.05)


# --- Three arms for which it is known what to take -------------------------------------------------------------------


def test_where_the_first_mode_rings_for_long_one_assumed_mode_is_taken() -> None:
    # A thin beam that moves by a few degrees and then rings thirty times: only the first frequency counts, a phase of
    # 60π times its error. Assumed modes have it exactly, one cubic element 0.5 % too high, two 0.05 %, hinges and
    # linear elements more; a fiftieth of the amplitude is allowed, the second mode has a hundredth.
    frequency = beams.euler(1, EI=100.0, rhoA=0.5, L=1.0)[0] / (2 * np.pi)
    beam = {"bending_stiffness": 100.0, "mass_per_length": 0.5}
    nudge = {"kind": "bang-bang", "acceleration": 2.0, "duration": 0.15}
    arm = beam_on_a_joint(beam, nudge, 30.0 / frequency)
    words = ("rigid-fe", "hencky", "hermite", "modes", "hermite:link")
    found = fa.compare(arm, words, elements=(1, 2, 4), tolerance=7e-5)
    assert found.reference.residual > 3e-3
    assert (found.best.model, found.best.elements, found.best.coordinates) == ("modes", 1, 1)
    assert 'model = { formulation = "modes", modes = 1 }' in found.summary()
    # the cheaper ones miss it by far, the others that keep it cost more
    assert all(not row.keeps for row in found.of("rigid-fe") + found.of("hermite")[:2] + found.of("hermite:link")[:2])
    assert found.reference.frequencies_hz[0] == pytest.approx(frequency, rel=1e-6)


def test_where_a_fast_beam_bends_far_cubic_elements_with_frames_of_their_own_are_taken() -> None:
    # order three in large deflections at the cost of order two; frames of links are cheaper and outside
    found = fast()
    # four keep it; on a busy machine eight may seem to cost the same
    assert found.best.model == "hermite" and found.best.elements in (4, 8)
    assert all(row.keeps == (row.elements >= 4) for row in found.of("hermite"))
    take = f"Take hermite with {found.best.elements} elements a link"
    assert "recommended" in found.summary() and take in found.summary()
    assert found.equal_cost == found.best.cpu_seconds
    others = {trend.model: trend.error_at_equal_cost for trend in found.trends}
    # at its own cost a model is as good as itself, or better if a finer mesh took no longer
    assert others["hermite"] <= 1.001 * found.best.tip_error
    assert all(error is None or error > others["hermite"] for name, error in others.items() if name != "hermite")


def test_where_sections_shear_no_model_without_shear_is_taken() -> None:
    # 3EI/(κGA L²) = 10 %: shear adds a tenth to the deflection under a load at the tip
    beam = {"bending_stiffness": 50.0, "mass_per_length": 1.0, "shear_stiffness": 6000.0, "rotary_inertia": 2e-3}
    swing = {"kind": "cycloidal", "travel": 0.5, "duration": 0.25}
    without = ("rigid-fe:bending", "hencky:euler", "hermite:rayleigh", "modes:euler")
    having = ("hencky", "hermite", "timoshenko", "modes", "rigid-fe")
    found = fa.compare(beam_on_a_joint(beam, swing, 0.4, length=0.5), (*without, *having), elements=(2, 8))
    for row in found.rows:
        assert [each.kind for each in row.outside] == (["shear"] if row.model in without else []), row
    assert found.best is not None and found.best.model in having
    # they cannot help it, however fine: what they leave out is there
    assert all(found.of(name)[-1].tip_error > found.tolerance for name in without)
    assert "shear adds 10 % to its deflection" in found.summary()


def test_a_link_frame_without_stiffening_is_outside_from_a_tenth_of_its_first_frequency_on() -> None:
    # it loses Ω²/ω₁² of its stiffness: 1 %, which is neglected, at a tenth of 2.64 rad/s, more than half at 2 rad/s
    slow = fa.compare(spun_up(0.2), ("hermite:link,plain",), elements=(4,))
    assert not slow.rows[0].outside and slow.rows[0].keeps
    soft = fa.compare(spun_up(2.0), ("hermite:link,plain", "hermite:plain", "hermite:link"), elements=(4,))
    assert [[each.kind for each in row.outside] for row in soft.rows] == [["speed"], [], []]
    lost = (2.0 / (2 * np.pi * soft.reference.frequencies_hz[0])) ** 2
    assert f"softens by {100 * lost:.0f} %" in soft.rows[0].outside[0].sentence
    assert soft.rows[0].peak_error > 0.2


# --- What cannot be compared -----------------------------------------------------------------------------------------


def test_a_model_that_cannot_have_the_arm_stands_in_the_table_with_its_reason_and_the_others_go_on() -> None:
    beam = {"bending_stiffness": 100.0, "mass_per_length": 0.5}
    arm = beam_on_a_joint(beam, {"kind": "cycloidal", "travel": 0.5, "duration": 0.2}, 0.3)
    found = fa.compare(arm, ("timoshenko", "hermite"), elements=(2, 4))
    assert [(row.model, row.status) for row in found.rows] == [
        ("timoshenko", "refused"),
        ("timoshenko", "refused"),
        ("hermite", "ok"),
        ("hermite", "ok"),
    ]
    assert "shear_stiffness is missing" in found.rows[0].reason
    assert "timoshenko  2–4" in found.summary()
    assert found.complete and found.best.model == "hermite"


def test_a_run_that_stops_early_stands_in_the_table_and_the_others_go_on() -> None:
    # one frame for a whip that bends by most of its length: the second-order inertia turns singular
    beam = {"bending_stiffness": 1.0, "mass_per_length": 0.5}
    whip = {"kind": "cycloidal", "travel": 1.5, "duration": 0.6}
    arm = beam_on_a_joint(beam, whip, 0.8, damping={"retardation": 1e-2}).changed(gravity=(0, 0, 0))
    free = arm.links[0].changed(joint={"type": "revolute", "torque": "push"}, hub={"inertia": 1e-4})
    push = {"kind": "sine", "amplitude": 2.0, "period": 0.8}
    arm = arm.changed(links=(free,), torques={"push": push}, motions={})
    found = fa.compare(arm, ("hermite:link", "hermite"), elements=(8,))
    stopped, ran = found.rows
    assert (stopped.status, stopped.tip_error, stopped.cpu_seconds) == ("stopped", None, None)
    assert stopped.reason.startswith("stopped at t = ") and "inertia" in stopped.reason
    assert ran.status == "ok" and ran.tip_error is not None


def test_ctrl_c_ends_it_with_what_is_done() -> None:
    beam = {"bending_stiffness": 100.0, "mass_per_length": 0.5}
    arm = beam_on_a_joint(beam, {"kind": "cycloidal", "travel": 0.5, "duration": 0.2}, 0.3)

    def press(what: str, done: int, wanted: int) -> None:
        if done == 1:
            raise KeyboardInterrupt

    found = fa.compare(arm, ("hermite", "modes"), elements=(2, 4), progress=press)
    assert not found.complete and (len(found.rows), found.wanted) == (1, 4)
    assert "interrupted after 1 of 4 runs" in found.summary()
    assert found.rows[0].cpu_seconds is not None


def test_the_damping_of_a_chain_s_springs_is_the_material_s_in_every_model() -> None:
    beam = {"bending_stiffness": 100.0, "mass_per_length": 0.5}
    motion = {"kind": "cycloidal", "travel": 0.5, "duration": 0.2}
    model = {"formulation": "rigid-fe", "elements": 5}
    springs = beam_on_a_joint(beam, motion, 0.3, model=model, damping={"per_spring": 1.0})
    # c Δ/EI = 1 × 0.2/100
    material = beam_on_a_joint(beam, motion, 0.3, model=model, damping={"retardation": 2e-3})
    words = ("hermite", "hencky", "rigid-fe", "file")
    one, two = (fa.compare(arm, words, elements=(4,), tolerance=1e-5) for arm in (springs, material))
    assert [row.tip_error for row in one.rows] == pytest.approx([row.tip_error for row in two.rows], rel=1e-6)


@pytest.mark.parametrize(
    ("words", "options", "sentence"),
    [
        (("hermit",), {}, 'formulations: "hermit" is not known, must be .* \\(did you mean "hermite"\\?\\)'),
        (("hermite:lnk",), {}, 'the option "lnk" is not known, must be .* \\(did you mean "link"\\?\\)'),
        (("rigid-fe:link",), {}, 'frames is given with formulation "rigid-fe"'),
        ((), {}, "formulations: there is none"),
        (("hermite",), {"elements": ()}, "elements: there is none"),
        (("hermite",), {"elements": (0,)}, "elements holds 0, must be whole numbers from 1"),
        (("hermite",), {"tolerance": -1.0}, "tolerance is -1 m, must be > 0"),
        (("hermite",), {"reference": "best"}, '"best" is not known'),
        (("hermite",), {"reference": "timoshenko"}, "the reference, .* name another by reference / --reference"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(words, options, sentence) -> None:
    beam = {"bending_stiffness": 100.0, "mass_per_length": 0.5}
    arm = beam_on_a_joint(beam, {"kind": "cycloidal", "travel": 0.5, "duration": 0.2}, 0.3)
    with pytest.raises(AnalysisError, match=sentence):
        fa.compare(arm, words, **options)


def test_an_arm_in_which_nothing_can_vary_or_nothing_bends_is_refused() -> None:
    bar = {"name": "bar", "joint": {"type": "revolute", "motion": "go"}, "length": 1.0}
    motion = {"go": {"kind": "cycloidal", "travel": 0.5, "duration": 0.2}}
    rigid = fa.Arm(planar=True, links=[{**bar, "rigid": {"mass": 1.0, "inertia": 0.1}}], motions=motion)
    with pytest.raises(AnalysisError, match=r"simulation\.end is missing"):
        fa.compare(rigid)
    with pytest.raises(AnalysisError, match="no link of the arm can be modelled in another way"):
        fa.compare(rigid, end=1.0)
    beam = {"bending_stiffness": 100.0, "mass_per_length": 0.5}
    still = beam_on_a_joint(beam, {"kind": "hold"}, 1.0)
    with pytest.raises(AnalysisError, match="does not bend in its run"):
        fa.compare(still)
    bent = beam_on_a_joint(beam, {"kind": "hold"}, 1.0, model={"formulation": "rigid-fe", "elements": 2})
    bent = bent.changed(simulation=bent.simulation.changed(start={"beam.bending_z1": 0.1}))
    with pytest.raises(AnalysisError, match=r'simulation\.start holds "beam\.bending_z1", must hold joints only'):
        fa.compare(bent)
