"""Braking times for arms that are not known exactly: judged by all of them, not by three."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.brake import lanes as brake_lanes
from flexarm.analyses.brake.laws import stops_of
from flexarm.analyses.brake.robust import varied
from flexarm.analyses.brake.runs import BrakeRuns
from flexarm.analyses.points import see
from flexarm.results.engineering import at_most
from flexarm.results.extremes import find_extremes
from tests.analyses.arms import rod_handler
from tests.analyses.braked_arms import left, slider

FACTORS = np.linspace(0.6, 1.4, 401)
ASKED = {"residual": "x", "window": 1.0, "points": 61, "uncertain": {"payload": "40 %"}, "explain": False}


def closed_form(times, summed):
    """The worst or the mean over the payloads, from the closed form of every arm."""
    curves = np.array([left(times, factor) for factor in FACTORS])
    if summed == "worst":
        return curves.max(axis=0)
    return (0.5 * (curves[0] + curves[-1]) + curves[1:-1].sum(axis=0)) / (len(FACTORS) - 1)


def test_worst_is_a_bound_over_the_whole_range_and_the_best_time_that_of_the_closed_form():
    study = fa.brake(slider(), (0.3, 0.9), **ASKED)
    fine = np.linspace(0.3, 0.9, 601)
    worst = closed_form(fine, "worst")
    k = int(np.argmin(worst))
    best = study.robust.best
    there = float(closed_form(np.array([best.time]), "worst")[0])
    # three digits are reported: the bound is above the worst of 401 arms and within 0.1 % and the runs' error of it
    assert there <= best.residual + 1e-7 and best.residual <= 1.001 * there + 1e-7
    assert there <= 1.005 * worst[k]
    assert study.robust.seen <= best.residual and study.robust.certain
    # … which three arms would not have shown
    three = max(float(left(best.time, factor)[0]) for factor in (0.6, 1.0, 1.4))
    assert three < 0.97 * best.residual or best.residual == pytest.approx(three, rel=2e-3)
    on_curve = closed_form(study.times, "worst")
    assert np.all(study.robust.worst >= on_curve - 1e-5)
    assert np.all(study.robust.worst <= 1.15 * on_curve + 1e-5)
    assert study.robust.at_nominal_best >= best.residual
    assert f"≤ {at_most(best.residual, 'm', 3)}" in " ".join(study.summary().split())


def test_mean_is_the_integral_over_the_range():
    study = fa.brake(slider(), (0.3, 0.9), **ASKED, choose="mean")
    fine = np.linspace(0.3, 0.9, 601)
    mean = closed_form(fine, "mean")
    # the trapezoidal rule over a grid that resolves the motion: 1 %
    assert study.robust.best.residual == pytest.approx(float(mean.min()), rel=0.01)
    assert study.robust.mean == pytest.approx(closed_form(study.times, "mean"), rel=0.02, abs=2e-5)


def test_no_arm_of_201_is_worse_than_the_bound_of_the_rod_handler():
    arm = rod_handler()
    asked = {"residual": "y", "window": 0.5, "points": 9, "explain": False}
    study = fa.brake(arm, (0.47, 0.52), **asked, uncertain={"stiffness": "10 %"})
    best = study.robust.best
    each = [_left(varied(arm, "stiffness", factor), best.time) for factor in np.linspace(0.9, 1.1, 201)]
    assert max(each) <= best.residual <= 1.001 * max(each)
    for time in (0.475, 0.51):
        assert max(_left(varied(arm, "stiffness", f), time) for f in np.linspace(0.9, 1.1, 9)) > 0.999 * best.residual


def test_combinations_of_ranges_are_bounded_too():
    arm = rod_handler()
    asked = {"residual": "y", "window": 0.4, "points": 3, "explain": False, "resolution": "5 ms"}
    study = fa.brake(arm, (0.48, 0.49), **asked, uncertain={"stiffness": "5 %", "length": "1 %"})
    best = study.robust.best
    rng = np.random.default_rng(1)
    pairs = [*rng.uniform((0.95, 0.99), (1.05, 1.01), (30, 2)), tuple(study.robust.worst_arm.values())]
    each = [_left(varied(varied(arm, "stiffness", s), "length", x), best.time, 0.4) for s, x in pairs]
    assert max(each) <= best.residual <= 1.001 * max(each)


def test_lanes_and_runs_one_by_one_agree(monkeypatch):
    asked = {"points": 5, "explain": False, "resolution": "5 ms", "uncertain": {"stiffness": "4 %"}}
    found = []
    for most in (1, 10**9):
        monkeypatch.setattr(brake_lanes, "_LANES_PAY", most)
        found.append(fa.brake(rod_handler(), (0.47, 0.5), **asked).robust)
    laned, alone = found
    assert laned.arms == alone.arms
    # both within the tolerance of 1 µm (curve: 10 µm)
    assert laned.residuals == pytest.approx(alone.residuals, abs=1e-6)
    assert laned.worst == pytest.approx(alone.worst, abs=1e-5)


def test_bound_is_rounded_up_when_it_is_reported():
    assert [at_most(x, "m", 3) for x in (2.6312e-3, 2.63e-3, 9.991e-3, 0.0)] == ["2.64 mm", "2.63 mm", "10.0 mm", "0 m"]


def _left(arm, time, window=0.5):
    """What one arm leaves, by runs of its own."""
    stops = stops_of(arm, None)
    runs = BrakeRuns(arm, stops, "end", (time, time + 0.1), tolerance=1e-6, span=window, highest=100.0)
    run = runs.run(np.full(len(stops), time))
    seen = see(run.compiled, run.times, run.q, run.v, run.a)
    tip = run.compiled.point_names.index("tip")
    return find_extremes(run.times, seen.position[:, tip, 1], seen.velocity[:, tip, 1]).span
