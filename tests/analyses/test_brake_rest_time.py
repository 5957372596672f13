"""Braking times ranked by time to rest, and the shortest that leaves as little as the least."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.brake.arrival import briefest, default_within
from flexarm.results.braking import BrakePoint
from tests.analyses.arms import rod_handler
from tests.analyses.braked_arms import OMEGA, PERIOD, RATE, TRAVEL, slider


def swing(time: float) -> float:
    """Amplitude (m) of the mass after the slide has braked in a time (s): 2 a/ω² |sin(ω T/2)|, a = rate / T."""
    return abs(2.0 * RATE / time / OMEGA**2 * np.sin(0.5 * OMEGA * time))


def at_rest(time: float, within: float) -> float:
    """When the mass comes within the distance of where it ends for good (s), while the slide still brakes.

    The slide has a s²/2 to go, s before its stop; the mass is ahead of it by a/ω² (1 − cos ωτ), τ after it began.
    """
    tau = np.linspace(0.0, time, 200_001)
    a = RATE / time
    off = -0.5 * a * (time - tau) ** 2 + a / OMEGA**2 * (1.0 - np.cos(OMEGA * tau))
    return TRAVEL - time / 2.0 + float(tau[np.flatnonzero(np.abs(off) > within)[-1]])


def test_soonest_is_the_edge_of_the_first_dip_of_the_closed_form():
    within = 1e-4
    study = fa.brake(slider(), (0.2, 0.9), residual="x", points=60, within=within, explain=False)
    # the mass stays within the distance if its amplitude is smaller: just before one period, for the first time
    fine = np.arange(0.2, 0.9, 1e-6)
    first = fine[np.array([swing(t) <= within for t in fine[::20]]).argmax() * 20]
    assert first == pytest.approx(PERIOD, rel=0.02)
    assert study.soonest.time == pytest.approx(first, abs=3e-4)
    assert study.soonest.settled == pytest.approx(at_rest(study.soonest.time, within), abs=1e-4)
    settled = [time for time in study.settled if time is not None]
    assert study.soonest.settled <= min(settled)
    # a brake whose swing is larger is never at rest: there is no damper
    for time, found in zip(study.times, study.settled, strict=True):
        if swing(float(time)) > 1.2 * within:
            assert found is None
    assert "At rest first: brake in " in study.summary()


def test_time_to_rest_is_the_settling_time_of_a_run():
    arm = rod_handler()
    study = fa.brake(arm, (0.42, 0.56), residual="y", points=15, within="0.5 mm", explain=False)
    for point in (study.soonest, study.best):
        motions = {"stop": arm.motions["stop"].changed(braking_time=point.time)}
        run = fa.simulate(arm.changed(motions=motions, simulation=arm.simulation.changed(end=study.watched)))
        assert point.settled == pytest.approx(run.settling_time("tip", 5e-4), abs=2e-4)
    assert study.soonest.settled <= study.best.settled
    assert study.within == 5e-4 and study.about == "target"


def test_shortest_brake_that_leaves_as_little_is_reported_with_the_least():
    least = BrakePoint(0.7150, 166e-6, 1.6, "minimum")
    others = [BrakePoint(0.3177, 168e-6, 1.41, "minimum"), BrakePoint(0.25, 900e-6, 1.3, "minimum")]
    assert briefest(least, others, 1e-7).time == 0.3177
    assert briefest(least, [replace(others[0], broken=("latest stop",))], 1e-7) is least
    # an error of the runs larger than the difference counts too, an unknown one does not
    assert briefest(least, [BrakePoint(0.4, 180e-6, 1.4, "minimum")], 5e-6).time == 0.4
    assert briefest(least, [BrakePoint(0.4, 180e-6, 1.4, "minimum")], np.nan) is least


def test_study_reports_the_least_and_the_shortest_like_it():
    study = fa.brake(slider(), (0.2, 0.9), residual="x", points=60, explain=False)
    # whole periods leave nothing but noise: one, two and three periods are alike
    assert study.brief.time == pytest.approx(PERIOD, abs=2e-3)
    reported = study.to_dict()
    assert reported["brief"]["time"] == study.brief.time and len(reported["settled"]) == 60


@pytest.mark.parametrize(
    ("least", "unit", "within"), [(166e-6, "m", 2e-4), (3e-3, "m", 1e-3), (1e-4, "m", 1e-4), (0.1, "J", 1e-3)]
)
def test_default_distance_is_the_least_residual_with_one_digit(least, unit, within):
    assert default_within(least, unit) == pytest.approx(within, rel=1e-12)
