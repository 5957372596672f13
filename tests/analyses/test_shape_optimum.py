"""The direct optimum: lanes beside single runs, families that end where they should, closed forms on one mode."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.run.command_runs import Track, runs_of
from flexarm.analyses.run.initial_state import initial_state
from flexarm.analyses.run.integrate import Settings, integrate
from flexarm.analyses.shaping.commands import command_of
from flexarm.analyses.shaping.knots import Knots
from flexarm.analyses.shaping.laws import excitation
from flexarm.analyses.shaping.move import move_of
from flexarm.analyses.shaping.optimum import CommandBounds, Optimum
from flexarm.analyses.shaping.runs import Bench
from flexarm.analyses.shaping.switches import Staircase, staircase_of, switches_of
from flexarm.assembly import compile_arm, with_motions
from flexarm.errors import AnalysisError
from flexarm.results import ShapeStudy
from tests.analyses.arms import EXAMPLES, rod_handler, spatial_rod
from tests.analyses.test_shape import FREQUENCY, geared

TOLERANCE = 1e-8


@cache
def bench() -> Bench:
    """The planar arm that stops a rod."""
    arm = rod_handler()
    made = Bench(arm, move_of(arm))
    made.tighten(TOLERANCE)
    return made


@cache
def knots() -> Knots:
    """Its commands with bumps."""
    here = bench()
    return Knots(here, command_of(here.arm, here.move, "unshaped", "unshaped"), here.move.end + 0.08, 0.08)


@cache
def track() -> Track:
    """Its lanes."""
    return Track(bench().compiled, Settings(knots().stop, tolerance=TOLERANCE))


@cache
def searched(family: str | None = None, frequency: float | None = None, **options: Any) -> ShapeStudy:
    """The link behind its gear: one mode, linear whatever the motion; its frequency may be off by a part."""
    options["uncertain"] = None if frequency is None else {"frequency": frequency}
    return fa.shape(geared(), shapers=["zv"], laws=[], optimum=True, family=family, sensitivity=False, **options)


def swung(study: ShapeStudy, name: str, factor: float = 1.0) -> float:
    """How far one mode at a factor of its frequency swings at the end of a command, by the integral of its law."""
    law = study.arm(name).motion_of("link")
    assert law is not None
    return excitation(law, factor * FREQUENCY)


# --- Lanes -----------------------------------------------------------------------------------------------------------


def test_lanes_are_the_runs_of_the_single_commands():
    rng = np.random.default_rng(5)
    family, here = knots(), bench()
    many = [np.zeros(family.unknowns), *(0.05 * rng.standard_normal((3, family.unknowns)))]
    laws = [family.laws(p) for p in many]
    samples = np.tile(np.linspace(0.1, family.stop, 7), (4, 1))
    lanes = runs_of(track(), laws, np.tile(family.marks(), (4, 1)), samples)
    assert lanes.ok
    for lane, each in enumerate(laws):
        compiled = with_motions(here.compiled, each)
        start = initial_state(compiled, here.arm.simulation.start)
        run = integrate(compiled, start, Settings(family.stop, tolerance=TOLERANCE), samples[lane])
        # the same method with other steps: a few tolerances over levers of about 1 m
        assert lanes.q[lane] == pytest.approx(run.q, abs=10 * TOLERANCE)
        assert lanes.end[lane, 0] == pytest.approx(run.q[-1], abs=10 * TOLERANCE)


def test_a_lane_does_not_depend_on_those_with_it():
    rng = np.random.default_rng(6)
    family = knots()
    laws = [family.laws(p) for p in 0.05 * rng.standard_normal((5, family.unknowns))]
    marks, samples = np.tile(family.marks(), (5, 1)), np.tile(np.linspace(0.1, family.stop, 7), (5, 1))
    together = runs_of(track(), laws, marks, samples)
    for lane in range(5):
        alone = runs_of(track(), [laws[lane]], marks[:1], samples[:1])
        assert np.array_equal(alone.q[0], together.q[lane]) and np.array_equal(alone.end[0], together.end[lane])


def test_a_lane_that_goes_on_from_where_its_bump_begins_ends_as_from_the_start():
    family = knots()
    assert family.first is not None
    zero, marks = np.zeros(family.unknowns), family.marks()[None, :]
    samples = np.linspace(0.1, family.stop, 7)[None, :]
    nominal = runs_of(track(), [family.laws(zero)], marks, samples, keep=True)
    assert nominal.kept is not None
    for j in (3, family.unknowns - 1):
        p = zero.copy()
        p[j] = 0.1
        first = family.first[j : j + 1]
        begin = nominal.kept.at((0, first))
        late = runs_of(track(), [family.laws(p)], marks, samples, begin=begin, first=first, before=nominal)
        whole = runs_of(track(), [family.laws(p)], marks, samples)
        # until the bump both are the nominal run, and they go on from there with the same steps
        assert np.array_equal(late.q, whole.q) and np.array_equal(late.end, whole.end)
        assert not np.array_equal(late.end, nominal.end)


# --- Families --------------------------------------------------------------------------------------------------------


def test_bumps_change_neither_the_rate_nor_the_place_at_the_end():
    rng = np.random.default_rng(7)
    family = knots()
    p = rng.standard_normal(family.unknowns)
    command = family.command(p, "optimum")
    for joint, law in family.laws(p).items():
        base = family.base.laws[joint].evaluate(family.stop + 1.0)
        assert np.array(law.evaluate(family.stop + 1.0)) == pytest.approx(np.array(base), abs=1e-12)
        # what is searched is what is written to the model file
        instants = np.linspace(0.0, family.stop, 301)
        assert np.array(law.evaluate(instants)) == pytest.approx(
            np.array(command.laws[joint].evaluate(instants)), rel=1e-9, abs=1e-9
        )


def test_levels_of_a_staircase_lead_to_its_end_wherever_its_switches_are():
    # bang-bang, 1 rad in 2 s: ±1 rad/s²
    stairs = Staircase(np.array([0.0, 1.0, 2.0]), np.array([1.0, -1.0]), 0.0, 0.0, 1.0)
    assert stairs.led(stairs.times) == pytest.approx([1.0, -1.0], abs=1e-15)
    # a switch at s: the rate reaches 1 rad/s whenever, so levels are 1/s and −1/(2 − s)
    for s in (0.6, 1.3):
        assert stairs.led(np.array([0.0, s, 2.0])) == pytest.approx([1.0 / s, -1.0 / (2.0 - s)], rel=1e-13)
    braking = Staircase(np.array([1.0, 2.0, 3.0, 4.0]), np.array([-0.25, 0.0, -0.75]), 1.0, 1.0, 3.125)
    levels = braking.led(np.array([1.0, 2.2, 2.9, 4.0]))
    gaps = np.array([1.2, 0.7, 1.1])
    rates = 1.0 + np.concatenate([[0.0], np.cumsum(gaps * levels)])
    assert levels[1] == 0.0 and rates[-1] == pytest.approx(0.0, abs=1e-14)
    assert 1.0 + float(np.sum(gaps * 0.5 * (rates[1:] + rates[:-1]))) == pytest.approx(3.125, abs=1e-13)


def test_only_laws_of_constant_accelerations_are_staircases():
    arm = geared()
    law = arm.motion_of("link")
    assert law is not None
    found = staircase_of(law)
    travel = math.radians(2.0)
    assert found is not None and found.times == pytest.approx([0.0, 0.15, 0.35, 0.5])
    assert found.levels == pytest.approx(travel / 0.35 / 0.15 * np.array([1.0, 0.0, -1.0]), abs=1e-12)
    smooth = arm.changed(motions={"go": {"kind": "cycloidal", "travel": "2 deg", "duration": "0.5 s"}})
    curved = smooth.motion_of("link")
    assert curved is not None and staircase_of(curved) is None


def test_switches_of_all_joints_keep_their_order_at_their_bounds():
    here = bench()
    family = switches_of(here, command_of(here.arm, here.move, "unshaped", "unshaped"), 0.08)
    # a brake has but its begin and its end: nothing to move
    assert family is None
    arm = fa.parse_arm((EXAMPLES / "rod_handler.toml").read_text())
    shaped = fa.shape(arm, shapers=["zvd"], laws=[], sensitivity=False).arm("zvd")
    family = switches_of(here, command_of(shaped, here.move, "zvd", "shaper"), 0.08)
    assert family is not None and family.unknowns == 12
    for p in (family.lower, family.upper, np.where(np.arange(12) % 2, family.lower, family.upper)):
        for law in family.laws(p).values():
            assert np.all(np.diff(law.break_times) > 0.0)
        assert np.all(np.isfinite(family.samples(p)))


# --- The search ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", ["knots", "switches", None])
def test_one_mode_is_left_at_rest_by_either_family(family):
    study = searched(family)
    row = study.row("optimum")
    # the search ends at 1e-7 of the energy, 3e-4 of the swing; stepping errs by a few times 2e-5
    assert row.ratio is not None and row.ratio < 5e-4
    assert swung(study, "optimum") < 5e-4 * swung(study, "unshaped")
    assert row.duration is not None and row.duration <= 0.5 + 1.0 / FREQUENCY + 1e-9


@cache
def bounded() -> tuple[ShapeStudy, float, float]:
    """A search of switches that must leave the shaper's command, and its bounds of torque (N m) and rate (rad/s)."""
    free = searched("switches").row("optimum")
    bound, rate = 0.8 * free.peak_torque["link"], 0.95 * free.peak_rate["link"]
    return searched("switches", max_torque=bound, max_rate=rate, max_duration=1.1), bound, rate


def test_an_optimum_that_cannot_better_the_shaper_is_the_shaper_s_command():
    # zv leaves one undamped mode at rest but for rounding: nothing is left to be gained by other switches
    laws = searched("switches").laws("optimum")
    assert laws == searched("switches").laws("zv")
    assert [law["kind"] for law in laws.values()] == ["shaped", "accelerate"]


def test_switches_are_written_as_accelerations_in_steps():
    study, _, _ = bounded()
    (law,) = study.laws("optimum").values()
    assert (law["kind"], law["interpolation"]) == ("acceleration", "steps")
    again = fa.parse_arm(fa.format_arm(study.arm("optimum")))
    assert again == study.arm("optimum")


def test_switches_keep_bounds_of_torque_and_rate():
    study, bound, rate = bounded()
    row = study.row("optimum")
    assert row.status == "ok" and row.within, row.reason
    assert row.peak_torque["link"] <= bound and row.peak_rate["link"] <= rate
    assert swung(study, "optimum") < 5e-4 * swung(study, "unshaped")


def test_the_arm_with_damping_that_knots_cannot_calm_is_calmed_by_switches():
    study = fa.shape(rod_handler(), shapers=["zv", "zvd"], laws=[], optimum=True, sensitivity=False)
    row = study.row("optimum")
    assert row.ratio is not None and row.ratio < 0.1 * min(study.row(name).ratio or 1.0 for name in ("zv", "zvd"))


def test_in_space_both_bending_directions_are_left_at_rest():
    study = fa.shape(spatial_rod(), shapers=["zvd"], laws=[], optimum=True, sensitivity=False)
    before, after = study.rows[0].residual_axes, study.row("optimum").residual_axes
    assert before is not None and after is not None
    # time stepping alone may leave a few times 2e-5
    for axis in (1, 2):
        assert after[axis] < 1e-3 * before[axis]


def test_the_worst_of_the_arms_that_may_be_is_what_the_law_does_to_their_frequencies():
    study = searched(frequency=0.1)
    row, plain, zv = study.row("optimum"), searched().row("optimum"), study.row("zv")
    assert row.robust is not None and zv.robust is not None and row.robust <= zv.robust
    factors = [float(word.split("×")[1]) for word in study.arms_that_may_be]
    assert (min(factors), max(factors)) == (0.9, 1.1)
    # the tip, 1 m from the joint, swings to both sides; its sagitta is below 1e-3
    for name in ("unshaped", "zv"):
        wanted = [2.0 * swung(study, name, factor) for factor in factors]
        assert study.row(name).uncertain == pytest.approx(wanted, rel=2e-3, abs=1e-4 * max(wanted))
    # between the arms that were run, and beside the optimum that knows one arm only
    dense = np.linspace(0.9, 1.1, 41)
    worst = max(swung(study, "optimum", factor) for factor in dense)
    assert worst < 0.2 * max(swung(searched(), "optimum", factor) for factor in dense)
    assert worst < 0.2 * max(swung(study, "zv", factor) for factor in dense)
    assert plain.robust is None and "worst" in study.summary() and "residual_worst_m" in study.to_csv()


def test_differences_are_the_derivatives_of_the_exact_response():
    arm = geared()
    here = Bench(arm, move_of(arm))
    here.tighten(1e-9)
    family = Knots(here, command_of(arm, here.move, "unshaped", "unshaped"), 0.8, 0.5)
    tracks = [(Track(here.compiled, Settings(0.8, tolerance=1e-9)), here.rest)]
    search = Optimum(family, tracks, 0.5, CommandBounds(), 0.01)
    point = search._point(np.zeros(family.unknowns))
    assert point is not None
    slopes = search._differences(point)
    assert slopes is not None
    for j in range(family.unknowns):
        law = family.laws(np.eye(family.unknowns)[j])["link"].plus(family.base.laws["link"].scaled(-1.0))
        # |x| = √(inertia) ω |swing| of a mode that feels the bump alone; linear, so differences are exact
        size = math.sqrt(0.6) * 2.0 * math.pi * FREQUENCY * excitation(law, FREQUENCY)
        assert np.linalg.norm(slopes[0][:, j]) == pytest.approx(size, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"family": "knot"}, 'family is "knot", must be "knots" or "switches"'),
        ({"choose": "best"}, 'choose is "best", must be "worst" or "mean"'),
        ({"uncertain": {"mass": 0.1}}, 'uncertain: "mass" is not known, must be "payload", "stiffness", "length"'),
        ({"uncertain": {"payload": 0.1}}, "uncertain: payload is given, but the arm carries none"),
    ],
)
def test_words_that_are_not_known_are_refused(options, sentence):
    with pytest.raises(AnalysisError) as error:
        fa.shape(geared(), optimum=True, **options)
    assert str(error.value).startswith(sentence)


def test_a_move_that_is_no_staircase_and_begins_at_a_rate_has_no_switches():
    arm = geared()
    table = {"kind": "polynomial", "coefficients": [0.0, 0.2, 0.0, -0.2 / 3 / 0.25], "end": "0.5 s"}
    study = fa.shape(arm.changed(motions={"go": table}), shapers=[], optimum=True, family="switches", sensitivity=False)
    row = study.row("optimum")
    assert row.status == "not found" and "not constant between switches" in (row.reason or "")


def test_compiled_lanes_hear_ctrl_c(monkeypatch):
    from flexarm.analyses.run import command_runs as shape_lanes

    family = knots()
    laws = [family.laws(np.zeros(family.unknowns))] * 3
    marks, samples = np.tile(family.marks(), (3, 1)), np.zeros((3, 0))

    class Pressed:
        def result(self) -> None:
            raise KeyboardInterrupt

    class Pool(shape_lanes.ThreadPoolExecutor):
        def submit(self, *given: Any, **named: Any) -> Any:
            return Pressed()

    monkeypatch.setattr(shape_lanes, "ThreadPoolExecutor", Pool)
    with pytest.raises(KeyboardInterrupt):
        runs_of(track(), laws, marks, samples)


def test_compiled_arms_of_lanes_are_left_as_they_were():
    compiled = compile_arm(rod_handler())
    pieces = compiled.laws.piece.copy()
    made = Track(compiled, Settings(1.0))
    start = made.start.state.copy()
    runs_of(made, [knots().laws(np.ones(knots().unknowns))], np.array([[1.0]]), np.zeros((1, 0)))
    assert np.array_equal(made.start.state, start) and np.array_equal(compiled.laws.piece, pieces)
