"""Shaped commands: closed forms on an arm with one mode, the numbers promised on real ones, bounds and refusals."""

from __future__ import annotations

import csv
import io
import json
import math
from functools import cache
from typing import Any

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.shaping.choice import advice_of, chosen_of
from flexarm.analyses.shaping.laws import excitation
from flexarm.analyses.shaping.shapers import ei, zv, zvd
from flexarm.errors import AnalysisError
from flexarm.results import ShapeStudy
from flexarm.results.shape_study import CommandRow
from tests.analyses.arms import EXAMPLES, one_link, rod_handler, spatial_rod

GO = {"kind": "accelerate", "travel": "2 deg", "acceleration_time": "0.15 s", "constant_time": "0.2 s"}
# inertia of the link about its joint, and a gear that lets it swing at 2 Hz
INERTIA, FREQUENCY = 0.1 + 2.0 * 0.25, 2.0
STIFFNESS = INERTIA * (2.0 * math.pi * FREQUENCY) ** 2


def geared(ratio: float = 0.0, **joint: Any) -> fa.Arm:
    """A rigid link behind a gear that gives way: one mode, linear whatever the motion."""
    damping = 2.0 * ratio * math.sqrt(STIFFNESS * INERTIA)
    drive = {"motion": "go", "gear": {"stiffness": STIFFNESS, "damping": damping}, **joint}
    return one_link(joint=drive, motions={"go": GO})


@cache
def one_mode(ratio: float = 0.0) -> ShapeStudy:
    """The study of that arm."""
    return fa.shape(geared(ratio), shapers=["zv", "zvd", "ei"], laws=["cycloidal"])


@cache
def two_link(**options: Any) -> ShapeStudy:
    """The study of the planar arm with two flexible links and its optimum."""
    arm = fa.read_arm(EXAMPLES / "two_link.toml")
    return fa.shape(arm, shapers=["zv", "zvd", "ei"], laws=[], optimum=True, sensitivity=False, **options)


def residual(study: ShapeStudy, name: str) -> float:
    """What a command leaves (m)."""
    found = study.row(name).residual
    assert found is not None
    return found


def test_the_mode_at_the_stop_is_found_and_what_the_tip_swings_in_it():
    mode = one_mode().modes[0]
    assert mode.frequency_hz == pytest.approx(FREQUENCY, rel=1e-9) and mode.shaped
    law = geared().motion_of("link")
    assert law is not None
    # ẍ + ω²x = −θ̈ for the turn of the gear, 1 m to the tip
    assert mode.swing == pytest.approx(excitation(law, FREQUENCY), rel=1e-4)


def test_the_unshaped_residual_is_twice_the_swing_and_its_energy_that_of_the_spring():
    row, swing = one_mode().rows[0], one_mode().modes[0].swing
    assert row.name == "unshaped" and row.ratio == 1.0
    # across the link; the sagitta of a swing of 0.01 rad and the time stepping are below 1e-3
    assert row.residual_axes is not None and row.residual_axes[1] == pytest.approx(2.0 * swing, rel=1e-3)
    assert row.residual_energy == pytest.approx(0.5 * STIFFNESS * swing**2, rel=1e-3)


@pytest.mark.parametrize("ratio", [0.0, 0.05])
def test_zero_vibration_shapers_leave_nothing_of_the_only_mode(ratio):
    study = one_mode(ratio)
    assert study.modes[0].damping_ratio == pytest.approx(ratio, abs=1e-9)
    for name, shaper in (("zv", zv), ("zvd", zvd)):
        # what time stepping may leave: a few times 2e-5 of the unshaped residual
        assert residual(study, name) < 2e-4 * residual(study, "unshaped")
        wanted = np.array(shaper(FREQUENCY, ratio).impulses())
        assert np.array(study.row(name).impulses) == pytest.approx(wanted, rel=1e-9, abs=1e-12)


def test_residuals_at_shifted_frequencies_follow_the_sensitivity_curves():
    study = one_mode()
    for name, shaper in (("zv", zv(FREQUENCY)), ("zvd", zvd(FREQUENCY)), ("ei", ei(FREQUENCY))):
        for k, shift in enumerate(study.shifts):
            there, plain = study.row(name).sensitivity[k], study.rows[0].sensitivity[k]
            assert there is not None and plain is not None
            assert there / plain == pytest.approx(shaper.residual(FREQUENCY * (1 + shift)), abs=1e-3)


def test_a_tuned_cycloid_leaves_next_to_nothing_of_the_only_mode():
    row = one_mode().row("cycloidal")
    # twelve steps of the golden section leave the duration within 1e-3 of a period
    assert row.ratio is not None and row.ratio < 5e-3
    assert (row.duration or 0.0) * FREQUENCY == pytest.approx(round((row.duration or 0.0) * FREQUENCY), abs=2e-3)


def test_every_command_ends_where_the_unshaped_one_does():
    studies = {"one mode": one_mode(), "two links": two_link(), "space": space()}
    for study in studies.values():
        ends = {}
        for name, arm in study.arms.items():
            laws = [law for joint in study.joints if (law := arm.motion_of(joint)) is not None]
            ends[name] = np.array([law.evaluate(100.0) for law in laws])
        for found in ends.values():
            assert found[:, 0] == pytest.approx(ends["unshaped"][:, 0], abs=1e-13)
            assert np.all(found[:, 1:] == 0.0)


def test_the_two_link_arm_stops_with_less_than_a_hundredth_within_one_more_period():
    study = two_link()
    row = study.row("optimum")
    period = 1.0 / study.modes[0].frequency_hz
    assert row.ratio is not None and row.ratio < 0.01
    assert row.duration is not None and row.duration <= (study.rows[0].duration or 0.0) + period * (1 + 1e-9)
    assert study.best is row


def test_the_optimum_is_never_worse_than_the_best_shaper_and_asks_for_no_more_torque_than_the_unshaped():
    study = two_link()
    row, best = study.row("optimum"), min(residual(study, name) for name in ("zv", "zvd", "ei"))
    assert residual(study, "optimum") <= best
    for joint, peak in row.peak_torque.items():
        assert peak <= study.rows[0].peak_torque[joint] * (1 + 1e-9)


def test_the_optimum_keeps_its_bounds_of_torque_rate_and_time():
    study = two_link(max_torque="3 N m", max_rate="47 deg/s", max_duration=2.8)
    row = study.row("optimum")
    assert row.status == "ok" and row.within and row.ratio is not None and row.ratio < 0.01
    assert row.peak_torque["upper arm"] <= 3.0 and row.duration == pytest.approx(2.8, abs=1e-9)
    assert max(row.peak_rate.values()) <= math.radians(47.0)
    # the shapers break them and say so
    assert study.row("zvd").beyond[0].startswith('"upper arm" needs 3.4')
    assert study.best is row


def test_where_no_command_keeps_the_bounds_that_is_said():
    study = fa.shape(
        geared(), shapers=["zv"], laws=[], optimum=True, sensitivity=False, max_torque=0.1, max_duration=0.6
    )
    row = study.row("optimum")
    assert (row.status, study.chosen) == ("not found", None)
    assert row.reason is not None
    assert row.reason.startswith("no command was found that stops within 0.6 s and keeps the bounds: the nearest")
    assert "try a longer max_duration" in row.reason
    assert study.advice.startswith("No command was found that keeps the bounds")
    assert row.reason in study.summary().replace("\n    ", " ")
    with pytest.raises(AnalysisError, match="no command is recommended, must be named"):
        study.arm()
    with pytest.raises(AnalysisError, match='the command "optimum" is not found: no command'):
        study.arm("optimum")


@cache
def space() -> ShapeStudy:
    """The study of the spatial arm with its rod."""
    return fa.shape(spatial_rod(), shapers=["zvd", "zv-simultaneous"], sensitivity=False)


def test_in_space_both_bending_directions_fall_tenfold():
    study = space()
    plain, shaped = study.rows[0].residual_axes, study.row("zvd").residual_axes
    assert plain is not None and shaped is not None
    for axis in (1, 2):
        assert shaped[axis] < 0.1 * plain[axis]
    # the two bendings of a round rod have one frequency: one shaper serves both
    assert [mode.shaped for mode in study.modes] == [True] * 4 + [False] * 2
    assert len(study.row("zvd").impulses or ()) == 9


def test_a_move_that_begins_at_a_rate_begins_on_the_same_line():
    study = space()
    for joint in study.joints:
        before, after = (study.arm(name).motion_of(joint) for name in ("unshaped", "zvd"))
        assert before is not None and after is not None
        assert after.evaluate([0.0, 0.5])[0] == pytest.approx(before.evaluate([0.0, 0.5])[0], abs=1e-13)
    assert sum(time * size for time, size in study.row("zvd").impulses or ()) == pytest.approx(0.0, abs=1e-12)


def test_a_move_that_would_have_to_brake_before_it_starts_is_refused_in_its_row():
    arm = rod_handler()
    hasty = arm.changed(motions={"stop": arm.motions["stop"].changed(travel_time=0.26)})
    row = fa.shape(hasty, shapers=["zvdd"], sensitivity=False).row("zvdd")
    assert row.status == "refused" and row.reason is not None
    assert "would have to leave its rate" in row.reason and "s before the start" in row.reason


def test_a_joint_under_a_servo_is_shaped_for_the_poles_of_the_whole_loop():
    servo = {"kp": 20.0 * STIFFNESS, "kv": STIFFNESS}
    arm = geared(0.01, servo=servo, rotor_inertia=0.2 * INERTIA)
    study = fa.shape(arm, shapers=["zvd"], laws=[], sensitivity=False)
    mode = next(mode for mode in study.modes if mode.shaped)
    mass = INERTIA * np.array([[1.2, 1.0], [1.0, 1.0]])  # motor, and the link against it
    spring = np.diag([servo["kp"], STIFFNESS])
    damper = np.diag([servo["kv"], 0.02 * math.sqrt(STIFFNESS * INERTIA)])
    lower = -np.linalg.solve(mass, np.hstack([spring, damper]))
    poles = np.linalg.eigvals(np.vstack([np.eye(2, 4, 2), lower]))
    (ringing,) = poles[poles.imag > 0.0]
    assert mode.frequency_hz == pytest.approx(abs(ringing) / (2.0 * math.pi), rel=1e-9)
    assert mode.damping_ratio == pytest.approx(-ringing.real / abs(ringing), rel=1e-9)
    # the servo itself still creeps to its place: its slower pole dies out as e^{−21 t}
    assert residual(study, "zvd") < 1e-3 * residual(study, "unshaped")


def test_a_shaped_command_is_saved_read_and_simulated_like_any_other():
    study = one_mode()
    again = fa.parse_arm(fa.format_arm(study.arm("zvd")))
    assert again == study.arm("zvd")
    run = fa.simulate(again, tolerance=1e-8)
    after = run.time >= again.motion_of("link").break_times[-1]  # type: ignore[union-attr]
    tip = run.values("point_position")[after][:, 0]
    assert np.max(np.ptp(tip, axis=0)) < 2e-4 * residual(study, "unshaped")
    assert set(study.laws("zvd")) == {"go", "go zvd"}


def test_a_time_table_holds_position_rate_and_acceleration_until_the_rest():
    study = one_mode()
    rows = list(csv.reader(io.StringIO(study.time_table("zv", 0.01))))
    assert rows[0] == ["time_s", "link_rad", "link_rad/s", "link_rad/s^2"]
    table = np.array(rows[1:], dtype=float)
    law = study.arm("zv").motion_of("link")
    assert law is not None
    assert table[-2, 0] < law.break_times[-1] <= table[-1, 0] + 1e-9
    # twelve digits are written
    assert table[:, 1:] == pytest.approx(np.array(law.evaluate(table[:, 0])).T, abs=1e-11)
    for interval in (0.0, -1.0, math.inf, 1e-12):
        with pytest.raises(AnalysisError, match="interval is"):
            study.time_table("zv", interval)


def test_a_study_is_reported_in_json_and_csv():
    study = one_mode()
    reported = json.loads(json.dumps(study.to_dict()))
    assert (reported["chosen"], reported["complete"]) == ("zv", True)
    assert [row["name"] for row in reported["rows"]] == ["unshaped", "zv", "zvd", "ei", "cycloidal"]
    assert reported["rows"][1]["laws"]["go zv"]["of"] == "go"
    table = list(csv.DictReader(io.StringIO(study.to_csv())))
    assert [float(row["residual_m"]) for row in table] == [row.residual for row in study.rows]
    assert float(table[1]["residual_at_-20%_m"]) == study.rows[1].sensitivity[0]
    text = study.summary()
    assert repr(study) == "<ShapeStudy of one link: 5 commands, take zv>"
    assert "Take zv: the tip stays within" in text and all(len(line) <= 100 for line in text.splitlines())


def test_ctrl_c_keeps_what_is_done():
    def press(what: str, done: int, wanted: int) -> None:
        if what == "zv":
            raise KeyboardInterrupt

    study = fa.shape(geared(), shapers=["zv", "zvd"], laws=[], sensitivity=False, progress=press)
    assert [row.name for row in study.rows] == ["unshaped", "zv"] and not study.complete
    assert "interrupted after 2 of 3 commands" in study.summary()


@pytest.mark.parametrize(
    ("arm", "options", "sentence"),
    [
        (lambda: one_link(joint={"motion": "go"}, motions={"go": GO}), {}, "the arm has no flexible link, nothing of"),
        (lambda: one_link(joint={}), {}, 'point "tip" is on link "link", which cannot move: no joint between it'),
        (
            lambda: one_link(
                joint={"motion": "spin", "gear": {"stiffness": 1.0}},
                motions={"spin": {"kind": "constant-rate", "rate": 1}},
            ),
            {},
            'the motion of joint "link" never comes to rest, must end at rest',
        ),
        (
            lambda: one_link(joint={"torque": "t"}, torques={"t": {"kind": "constant", "value": 1}}),
            {},
            'joint "link" is driven by a torque, must follow a motion',
        ),
        (geared, {"shapers": ["zw"]}, 'shapers holds "zw", must be "zv"'),
        (geared, {"laws": ["cycloid"]}, 'laws holds "cycloid", must be "cycloidal"'),
        (geared, {"modes": [2]}, "modes holds 2, must be whole numbers from 1 to 1"),
        (geared, {"modes": []}, "modes: there is none, must be at least one number"),
        (geared, {"target": 0.0}, "target is 0, must be > 0"),
        (geared, {"max_torque": "3 m"}, 'max_torque is "3 m", must be a moment'),
        (geared, {"max_torque": {"elbow": 1}}, 'max_torque: no commanded joint is called "elbow", must be "link"'),
        (geared, {"max_rate": {"link": -1}}, 'max_rate of "link" is -1 rad/s, must be > 0'),
        (geared, {"max_duration": "2 m"}, 'max_duration is "2 m", must be a time'),
        (geared, {"vibration": 0.9, "shapers": ["ei"]}, None),
    ],
)
def test_what_cannot_be_shaped_is_refused_in_a_sentence(arm, options, sentence):
    if sentence is None:
        row = fa.shape(arm(), laws=[], sensitivity=False, **options).row("ei")
        assert row.status == "refused" and "the vibration an ei shaper leaves is 0.9" in (row.reason or "")
        return
    with pytest.raises(AnalysisError) as error:
        fa.shape(arm(), **options)
    assert str(error.value).startswith(sentence)


def test_a_command_that_leaves_nothing_needs_no_shaping():
    # three boxes of which one is a period long, and the tip 1 m from the joint
    calm = {"kind": "s-curve", "travel": 1e-9, "duration": 2.0, "acceleration_time": 1.0, "jerk_time": 0.5}
    arm = geared().changed(motions={"go": calm})
    with pytest.raises(AnalysisError, match="there is nothing to shape"):
        fa.shape(arm)


def test_smooth_laws_are_for_moves_from_rest_to_rest():
    back = geared().changed(motions={"go": {**GO, "back": True, "dwell": 0.1}})
    study = fa.shape(back, shapers=[], laws=["cycloidal"], sensitivity=False)
    assert study.row("cycloidal").status == "refused"
    assert "returns to where it starts" in (study.row("cycloidal").reason or "")
    assert study.chosen is None and study.advice.startswith("No command was found with less residual vibration")


def test_what_arms_that_may_be_leave_is_compared_with_what_they_leave_unshaped():
    rows = [
        CommandRow("unshaped", "unshaped", residual=1e-3, ratio=1.0, robust=4e-2),
        CommandRow("zv", "shaper", duration=1.1, residual=5e-4, ratio=0.5, robust=1e-2),
    ]
    assert chosen_of(rows, 0.01) == 1
    assert "10.0 mm, 25 %" in advice_of(rows, 1, 0.01)


def test_a_family_without_an_optimum_is_refused():
    with pytest.raises(AnalysisError, match='family is "knots" but no optimum is searched'):
        fa.shape(rod_handler(), family="knots")
