"""`brake` on arms whose answer is known in closed form, and beside single runs of `simulate` and `torques`."""

from __future__ import annotations

import json

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.brake.laws import stops_of
from flexarm.analyses.brake.options import braked_arm
from flexarm.errors import FlexarmError
from tests.analyses.arms import rod_handler, spatial_rod
from tests.analyses.braked_arms import OMEGA, PERIOD, RATE, TRAVEL, left, slider
from tests.oracles.oscillator import Oscillator

RANGE = (0.2, 0.9)


@pytest.fixture(scope="module")
def study():
    return fa.brake(slider(), RANGE, residual="x")


@pytest.fixture(scope="module")
def rod():
    return fa.brake(rod_handler(), (0.4, 0.6), points=80, residual="y", window=0.5)


def _whole_periods(low, high):
    return np.arange(np.ceil(low / PERIOD), np.floor(high / PERIOD) + 1) * PERIOD


# --- The curve of a linear oscillator --------------------------------------------------------------------------------


def test_curve_of_an_oscillator_is_its_closed_form(study):
    # the curve is run at ten times the tolerance of 1 µm
    assert np.max(np.abs(study.residuals - left(study.times))) < 5e-6


def test_minima_of_an_oscillator_lie_at_whole_periods(study):
    found = [point.time for point in study.minima]
    assert found == pytest.approx(list(_whole_periods(*RANGE)), abs=1e-4)  # the resolution asked for
    assert all(point.residual < 2e-3 * left(point.time + 0.5 * PERIOD) + 2e-6 for point in study.minima)
    assert [point.rule_time for point in study.minima] == pytest.approx(list(_whole_periods(*RANGE)), rel=1e-9)


def test_maxima_of_an_oscillator_solve_tan_x_is_x(study):
    # the range is 4 v/(ω² T) |sin(ωT/2)|: its maxima are the roots of tan x = x, x = ωT/2
    fine = np.linspace(*RANGE, 200_001)
    exact = left(fine)
    peaks = fine[1:-1][(exact[1:-1] > exact[:-2]) & (exact[1:-1] > exact[2:])]
    assert [point.time for point in study.maxima] == pytest.approx(list(peaks), abs=1e-4)
    assert [point.residual for point in study.maxima] == pytest.approx(list(left(peaks)), abs=1e-6)


def test_linear_prediction_of_an_oscillator_is_its_closed_form(study):
    # sampled 400 times in three periods: a peak is missed by at most (ωh/2)²/2
    assert study.linear.residuals == pytest.approx(left(study.times), rel=5e-4, abs=1e-9)
    assert study.linear.modes[0].frequency_hz == pytest.approx(OMEGA / (2.0 * np.pi), rel=1e-9)
    assert "agree" in study.linear.sentence


def test_worst_and_model_points_are_those_of_the_closed_form(study):
    assert study.worst.residual == pytest.approx(float(np.max(left(np.linspace(*RANGE, 20_001)))), rel=1e-4)
    assert study.given.residual == pytest.approx(float(left(0.35)[0]), abs=1e-6)


@pytest.mark.parametrize("window", [None, "envelope"])
def test_envelope_energy_and_range_of_one_mode_say_the_same(window):
    options = {"points": 12, "window": window, "explain": False}
    arm = slider()
    along = fa.brake(arm, RANGE, residual=(2.0, 0.0, 0.0), **options)
    coordinate = fa.brake(arm, RANGE, residual="coordinate:mass", **options)
    energy = fa.brake(arm, RANGE, residual="energy", **options)
    exact = left(along.times)
    assert along.residuals == pytest.approx(exact, abs=5e-6)
    assert coordinate.residuals == pytest.approx(exact, abs=5e-6)
    # energy ½ m ω² A² of 3 kg, A half the range
    assert energy.residuals == pytest.approx(
        0.5 * 3.0 * OMEGA**2 * (exact / 2.0) ** 2, abs=3.0 * OMEGA**2 * 0.02 * 5e-6
    )
    assert (along.unit, coordinate.unit, energy.unit) == ("m", "m", "J")


def test_damped_minimum_is_the_one_of_the_closed_form():
    swing = Oscillator(OMEGA, 0.05)
    study = fa.brake(slider(damping=2 * 0.05 * OMEGA * 3.0), (0.6, 0.9), points=60, window="envelope", residual="x")
    fine = np.linspace(0.6, 0.9, 3001)
    x, v = np.array([swing.after_pulse(0.0, RATE / t, float(t)) for t in fine]).T
    envelope = 2.0 * np.hypot(x, v / OMEGA)
    best = fine[int(np.argmin(envelope))]
    assert study.best.time == pytest.approx(best, abs=2e-4)
    assert study.best.residual == pytest.approx(float(envelope.min()), rel=1e-3)
    causes = {cause.what: cause.shift for cause in study.linear.causes}
    assert causes["damping"] == pytest.approx(study.best.time - study.best.rule_time, abs=3e-4)


# --- Bounds, limit, nothing found ------------------------------------------------------------------------------------


def test_bounds_are_kept_by_the_best_time_and_marked_on_the_curve():
    # RATE/T ≤ 1 m/s² means T ≥ 0.4 s; stop at TRAVEL + T/2 ≤ 1.81 s means T ≤ 0.62 s
    study = fa.brake(slider(), RANGE, residual="x", max_deceleration="1 m/s^2", latest_stop=TRAVEL + 0.31)
    kept = (study.times >= 0.4) & (study.times <= 0.62)
    assert np.array_equal(study.allowed, kept)
    inside = [time for time in _whole_periods(0.4, 0.62)]
    assert study.best.time == pytest.approx(inside[-1], abs=1e-4) or study.best.time == pytest.approx(
        inside[0], abs=1e-4
    )
    assert [point.allowed for point in study.minima] == [0.4 <= point.time <= 0.62 for point in study.minima]


def test_best_time_without_a_minimum_inside_is_the_bound_itself():
    # between one and a half and not quite two periods the residual falls
    low, high = 1.55 * PERIOD, 1.8 * PERIOD
    study = fa.brake(slider(), RANGE, residual="x", max_deceleration=RATE / low, latest_stop=TRAVEL + high / 2.0)
    assert study.best.kind == "bound"
    assert study.best.time == pytest.approx(high, abs=1e-4)
    assert study.best.time <= high * (1.0 + 1e-9)


def test_torque_bound_is_kept_by_a_run_with_the_best_time(rod):
    free = rod.best
    peaks = fa.torques(_braked(rod_handler(), free.time), end=2.5).flexible
    most = float(np.max(np.abs(peaks[:, 0])))
    bounded = fa.brake(
        rod_handler(), (0.4, 0.6), points=60, residual="y", window=0.5, max_torque={"upper arm": 0.95 * most}
    )
    assert bounded.best.time > free.time + 0.05
    assert bounded.best.torques["upper arm"] <= 0.95 * most
    found = fa.torques(_braked(rod_handler(), bounded.best.time), end=2.5, output=1e-3).flexible
    assert float(np.max(np.abs(found[:, 0]))) <= 0.95 * most
    # samples of the other run miss a peak by a little
    assert bounded.best.torques["upper arm"] == pytest.approx(float(np.max(np.abs(found[:, 0]))), rel=2e-3)


def test_shortest_stop_leaves_just_the_limit():
    limit = 2e-4
    study = fa.brake(slider(), RANGE, residual="x", limit="0.2 mm", explain=False)
    fine = np.linspace(*RANGE, 700_001)
    exact = float(fine[int(np.argmax(left(fine) <= limit))])
    assert study.shortest.time == pytest.approx(exact, abs=2e-4)
    assert study.shortest.residual <= limit
    bounded = fa.brake(slider(), RANGE, residual="x", limit=limit, max_deceleration=RATE / 0.6, explain=False)
    assert bounded.shortest.time >= 0.6 - 1e-9


def test_nothing_found_is_said_clearly():
    study = fa.brake(slider(), RANGE, residual="x", points=40, max_deceleration=0.1, limit=1e-6, explain=False)
    assert study.best is None and study.shortest is None and not study.allowed.any() and study.paste == ()
    assert "no braking time from 0.2 to 0.9 s keeps the bounds (deceleration of slide); slide needs 4 s" in study.notes
    assert any("leaves 1.000 µm or less: no time keeps the bounds" in note for note in study.notes)
    assert "No best time was found." in study.summary()


def test_limit_out_of_reach_names_the_least_there_is():
    study = fa.brake(slider(damping=5.0), (0.55, 0.85), residual="x", points=30, limit="1 um", explain=False)
    assert study.best is not None and study.shortest is None
    assert any("leaves 1.000 µm or less: the least is" in note for note in study.notes)


def test_best_at_an_end_of_the_range_is_reported_as_such():
    study = fa.brake(slider(), (1.55 * PERIOD, 1.8 * PERIOD), residual="x", points=20, explain=False)
    assert (study.best.kind, study.minima) == ("end of the range", ())
    assert any("end of the range" in note for note in study.notes) and any("no minimum" in note for note in study.notes)


# --- Several times ---------------------------------------------------------------------------------------------------


def test_individual_times_leave_no_more_than_one_for_all_and_keep_the_bounds():
    bound = {"rod": 3.6}
    study = fa.brake(
        rod_handler(), (0.42, 0.56), points=40, residual="y", individual=True, max_deceleration=bound, explain=False
    )
    alone = study.individual
    assert set(alone.times) == {"upper arm", "forearm", "rod"}
    assert alone.residual < 0.5 * study.best.residual
    assert all(0.42 <= time <= 0.56 for time in alone.times.values())
    assert (np.pi / 2.0) / alone.times["rod"] <= 3.6 * (1.0 + 1e-9)
    assert alone.broken == ()


# --- Beside single runs ----------------------------------------------------------------------------------------------


def _braked(arm, time, hold="end"):
    stops = stops_of(arm, None)
    return braked_arm(arm, stops, hold, min(stop.moves for stop in stops), time)


def test_curve_is_that_of_single_runs(rod):
    for k in (3, 31, 62):
        time = float(rod.times[k])
        run = fa.simulate(_braked(rod_handler(), time), end=1.25 + time / 2.0 + 0.5, output=2e-4)
        stop = 1.25 + time / 2.0
        assert rod.stops[k] == pytest.approx(stop, abs=1e-12)
        # the curve is run at a tolerance of 10 µm
        assert rod.residuals[k] == pytest.approx(run.range("tip", "y", after=stop, until=stop + 0.5), abs=1e-5)


def test_time_of_the_model_outside_the_range_is_run_from_its_own_brake_on():
    study = fa.brake(rod_handler(), (0.3, 0.35), points=3, residual="y", window=0.5, explain=False)
    run = fa.simulate(rod_handler(), end=1.5045 + 0.5, output=2e-4)
    assert study.given.time == pytest.approx(0.509)
    assert study.given.residual == pytest.approx(run.range("tip", "y", after=1.5045, until=2.0045), abs=1e-6)


def test_best_time_pasted_into_the_file_leaves_what_was_promised(rod):
    assert rod.paste == ("[motion.stop]", f'braking_time = "{rod.best.time:.9g} s"')
    run = fa.simulate(_braked(rod_handler(), rod.best.time), end=rod.best.stop + 0.5, output=2e-4)
    residual = run.range("tip", "y", after=rod.best.stop, until=rod.best.stop + 0.5)
    assert rod.best.residual == pytest.approx(residual, abs=3e-7 + 2.0 * rod.noise)


def test_end_position_does_not_depend_on_the_braking_time(rod):
    ends = []
    for time in (0.41, rod.best.time, 0.59):
        run = fa.simulate(_braked(rod_handler(), time), end=2.0)
        ends.append(run.values("joint_position")[-1])
    assert np.ptp(ends, axis=0) == pytest.approx(0.0, abs=1e-14)


def test_in_space_the_rule_fails_and_the_best_time_is_found_all_the_same():
    arm = spatial_rod()
    study = fa.brake(arm, (1.0, 1.6), points=40, window=0.8)
    best = study.best
    assert best.kind == "minimum" and best.time - best.rule_time > 0.03
    causes = study.linear.causes
    assert sum(cause.shift for cause in causes) == pytest.approx(best.time - best.rule_time, abs=1e-12)
    most = max(causes, key=lambda cause: abs(cause.shift))
    assert most.what.startswith("the motion") and abs(most.shift) > 0.9 * (best.time - best.rule_time)

    def across(time):
        stop = 2.0 + time / 2.0
        run = fa.simulate(_braked(arm, time), end=stop + 0.8)
        kept = run.time >= stop
        # the plane across the rod, where the joints stop: the rod lies along the wrist's x
        tip = run.values("point_position")[kept][:, 0]
        turn = _link_axes(run.values("joint_position")[-1])
        return float(np.linalg.norm(np.ptp(tip @ turn.T, axis=0)))

    found = across(best.time)
    # samples every end/1000 miss a peak by 1e-4 of it
    assert found == pytest.approx(best.residual, rel=1e-3)
    assert across(best.rule_time) > 1.03 * found
    assert min(across(best.time - 0.02), across(best.time + 0.02)) > found


def _link_axes(angles):
    """Directions of the rod's y and z in the base frame, from the angles of column (z), arm and forearm (x)."""
    c, s = np.cos(angles[0]), np.sin(angles[0])
    column = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    c, s = np.cos(angles[1] + angles[2]), np.sin(angles[1] + angles[2])
    return (column @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]])).T[1:]


# --- What is asked and reported ---------------------------------------------------------------------------------------


def test_study_is_reported_in_text_json_and_csv(rod):
    text = rod.summary()
    assert "Best: brake in 0.476" in text and "6 periods of rod bending z 1" in text
    assert all(len(line) <= 100 for line in text.splitlines())
    reported = json.loads(json.dumps(rod.to_dict(), allow_nan=False))
    assert reported["best"]["time"] == rod.best.time and len(reported["residuals"]) == 80
    rows = rod.to_csv().splitlines()
    assert rows[0] == "braking_time_s,stop_s,residual_m,settled_s,linear_m,allowed"
    assert float(rows[1].split(",")[2]) == rod.residuals[0]
    assert repr(rod).startswith("<BrakeStudy of planar arm stopping a steel rod: 80 braking times")


def test_interrupted_study_reports_what_is_done():
    def press(what, done, wanted):
        if done == 7:
            raise KeyboardInterrupt

    study = fa.brake(slider(), RANGE, residual="x", progress=press)
    assert not study.complete and len(study.times) == 7
    assert "curve, 7 of 200 done" in study.summary()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"between": (0.6, 0.4)}, "between is 0.6 to 0.4 s, must be rising"),
        ({"between": (3.5, 4.0)}, "between begins at 3.5 s, must be < 3 s"),
        ({"between": ("1 m", 2)}, 'between is "1 m", must be a time'),
        ({"between": 3}, "between is 3, must be two braking times"),
        ({"points": 2}, "points is 2, must be ≥ 3"),
        ({"residual": "up"}, 'residual is "up", must be "across"'),
        ({"residual": (0, 0, 0)}, "must be .* three numbers: a direction"),
        ({"residual": "coordinate:spring"}, 'no coordinate "spring", the arm has "slide" or "mass"'),
        ({"point": "elbow"}, 'point is "elbow", must be "tip"'),
        ({"window": "-1 s"}, "window is .*, must be > 0"),
        ({"hold": "breath"}, 'hold is "breath", must be "end", "begin" or "path"'),
        ({"joints": ["mass"]}, '"mass" follows no motion that moves and stops it'),
        ({"joints": ["wheel"]}, 'there is no link "wheel"'),
        ({"max_torque": {"mass": 1.0}}, 'no such joint as "mass", must be "slide"'),
        ({"max_torque": "5 N m"}, 'max_torque is "5 N m", must be a force'),
        ({"limit": "3 s"}, 'limit is "3 s", must be a length'),
        ({"uncertain": {"colour": 0.1}}, '"colour" is not known, must be "payload", "stiffness" or "length"'),
        ({"uncertain": {"payload": 2.0}}, "payload is 2.0, must be a part such as 0.1"),
        ({"uncertain": {}}, "uncertain is empty"),
        ({"uncertain": {"stiffness": 0.1}}, "stiffness is given, but the arm has no beam"),
        ({"choose": "best"}, 'choose is "best", must be "worst" or "mean"'),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_sentence(options, sentence):
    with pytest.raises(FlexarmError, match=sentence) as refused:
        fa.brake(slider(), **{"residual": "x", "points": 3, **options})
    assert "\n" not in str(refused.value)


def test_arms_that_nothing_brakes_or_shakes_are_refused():
    going = slider(motions={"stop": {"kind": "constant-rate", "unit": "m"}})
    with pytest.raises(FlexarmError, match='joint "slide" never comes to rest'):
        fa.brake(going)
    still = slider().changed(links=slider().links[:1])
    with pytest.raises(FlexarmError, match="there is no residual vibration"):
        fa.brake(still)
    with pytest.raises(FlexarmError, match="nothing is braked"):
        fa.brake(still.changed(links=(still.links[0].changed(joint={"type": "prismatic", "axis": "x"}),), motions={}))


# --- What is easily got wrong ----------------------------------------------------------------------------------------


def test_a_range_that_reaches_the_first_moment_changes_nothing_for_the_others():
    # the longest brake begins at t = 0: its steady state is already slowing down and nobody else's
    whole = 2.0 * 1.25
    arm = rod_handler().changed(simulation={"start": "steady"})
    study = fa.brake(arm, (0.5, whole), points=3, residual="y", window=0.5, explain=False)
    run = fa.simulate(_braked(arm, 0.5), end=1.5 + 0.5, output=2e-4)
    assert study.residuals[0] == pytest.approx(run.range("tip", "y", after=1.5, until=2.0), abs=1e-5)


@pytest.mark.parametrize("rate", [0.4, 4e-4])
def test_minima_of_slow_moves_lie_at_whole_periods_too(rate):
    arm = slider()
    moving = arm.links[0].joint.changed(rate=rate)
    arm = arm.changed(links=(arm.links[0].changed(joint=moving), arm.links[1]))
    found = fa.brake(arm, RANGE, residual="x", explain=False)
    times = [point.time for point in found.minima]
    np.testing.assert_allclose(times, _whole_periods(*RANGE), atol=1.5e-4)
    # what the longest brake may leave at most is 2 × rate / (time × ω²) × 2, and runs are far finer than that
    assert found.tolerance <= 1e-3 * 4.0 * rate / (RANGE[1] * OMEGA)


def test_times_too_far_apart_for_the_periods_are_reported():
    sparse = fa.brake(slider(), RANGE, residual="x", points=8, explain=False)
    assert any("minima between them may be missed" in note for note in sparse.notes)
    assert not fa.brake(slider(), RANGE, residual="x", points=30, explain=False).notes
