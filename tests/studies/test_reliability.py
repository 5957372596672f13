"""Reliability of arms whose probabilities are known in closed form."""

import re
from math import ceil, erf, sqrt
from pathlib import Path

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import AnalysisError
from tests.studies.swings import LENGTH, RATE, RATE_DEVIATION, TRAVEL, swing

SAMPLES = 400
SPREAD = TRAVEL * RATE_DEVIATION  # rad, of the end angle, which is normal
REQUIREMENTS = f"""
[[requirement]]
name = "turned"
orientation = {{ angle = {TRAVEL * RATE}, within = {1.2 * SPREAD} }}

[[requirement]]
name = "near"
circle = {{ radius = {2 * LENGTH * np.sin(0.9 * SPREAD / 2)} }}

[[requirement]]
name = "slow"
at = "0.2 s"
speed = {{ below = {LENGTH * (RATE + 0.5 * RATE_DEVIATION)} }}

[[requirement]]
name = "rests"
settled = {{ by = "0.46 s", within = "1 um" }}
"""


def _within(sigmas: float) -> float:
    """The probability that a normal number is within so many deviations of its mean."""
    return erf(sigmas / sqrt(2.0))


@pytest.fixture(scope="module")
def found():
    """The study of the arm that swings."""
    return fa.reliability(swing(requirements=REQUIREMENTS), samples=SAMPLES, wanted=0.9, workers=1)


def test_each_probability_lies_in_its_interval_and_counts_are_those_of_the_parameter(found):
    rate = found.stored.table(["link[0].joint.rate"]).columns["link[0].joint.rate"]
    z = (rate - RATE) / RATE_DEVIATION
    counts = [np.sum(np.abs(z) <= 1.2), np.sum(np.abs(z) <= 0.9), np.sum(z <= 0.5), SAMPLES]
    assert [each.met for each in found.verdicts] == counts
    exact = [_within(1.2), _within(0.9), 0.5 + _within(0.5) / 2.0, 1.0]
    for verdict, probability in zip(found.verdicts, exact, strict=True):
        assert verdict.low <= probability <= verdict.high


def test_all_are_met_together_where_the_parameter_is_within_all_bounds(found):
    probability = _within(0.9) / 2.0 + _within(0.5) / 2.0  # −0.9 … 0.5 deviations
    assert found.joint_interval[0] <= probability <= found.joint_interval[1]
    assert found.joint_met < min(each.met for each in found.verdicts)
    assert found.worst.requirement.name == "near"
    assert "fails most: missed in" in found.summary()


def test_the_radius_for_a_wanted_reliability_is_the_sample_at_its_rank_and_its_interval_holds_the_exact_one(found):
    column = np.sort(found.stored.table(["requirement near"]).columns["requirement near"])
    needed = found.needed[1]
    assert needed.limit == column[ceil(0.9 * SAMPLES) - 1]
    exact = 2.0 * LENGTH * np.sin(1.6448536269514722 * SPREAD / 2.0)  # 90 % of normal numbers are within 1.6449
    assert needed.low <= exact <= needed.high
    # with that radius just the wanted part is kept
    assert np.mean(column <= needed.limit) == pytest.approx(0.9, abs=1.0 / SAMPLES)


def test_a_limit_may_change_afterwards_without_running_anything_again(tmp_path):
    first = fa.reliability(swing(requirements=REQUIREMENTS), samples=30, folder=tmp_path, workers=1)
    assert first.reliability < 1.0
    wider = re.sub(r"(within|radius|below) = (\d)", r"\1 = 1\2", REQUIREMENTS)
    seen = []
    again = fa.reliability(
        swing(requirements=wider),
        samples=30,
        folder=tmp_path,
        resume=True,
        workers=1,
        progress=lambda *reported: seen.append(reported),
    )
    assert seen == [(30, 30, 0)]
    assert again.reliability == 1.0


def test_failed_samples_count_as_not_meeting_anything():
    model = swing(length='{ normal = ["0.5 m", "0.4 m"] }')
    always = fa.Requirement("anywhere", "sphere", limit=1e3, centre=(0, 0, 0))
    found = fa.reliability(model, [always], samples=80, workers=1)
    assert found.failures > 0
    assert found.joint_met == 80 - found.failures
    assert "failed, which count as not meeting them" in found.summary()
    assert found.needed[0].limit is None  # 99.7 % cannot be had where more than 0.3 % fail


def test_an_interval_is_stricter_than_each_of_its_instants():
    model = swing()
    tube = fa.Requirement("tube", "sphere", limit=0.02, during=(0.1, 0.5))
    instants = fa.Requirement("instants", "sphere", limit=0.02, at=(0.1, 0.2, 0.35))
    end = fa.Requirement("end", "sphere", limit=0.02)
    rows = fa.reliability(model, [tube, instants, end], samples=40, workers=1).stored.table()
    whole, some, last = (rows.columns[f"requirement {name}"] for name in ("tube", "instants", "end"))
    assert np.all(whole >= some)
    # the angle goes away from the nominal one until the arm rests; there the acceleration jumps, which the cubic
    # between two of a thousand samples overshoots by a part of (interval/braking time)³
    np.testing.assert_allclose(whole, last, rtol=1e-6)


def test_requirements_do_not_disturb_what_reads_the_arm_alone():
    text = swing(requirements=REQUIREMENTS, rate='"1 rad/s"', length='{ normal = ["0.5 m", "1 mm"] }').text
    assert "[[requirement]]" in text
    plain = text.replace(next(line for line in text.splitlines() if line.startswith("length")), 'length = "0.5 m"')
    assert fa.parse_arm(plain).links[0].length == 0.5


def test_what_cannot_be_answered_is_refused():
    with pytest.raises(AnalysisError, match="there is no requirement"):
        fa.reliability(swing())
    with pytest.raises(AnalysisError, match="two requirements have the same name"):
        fa.reliability(swing(), [fa.Requirement("A", "speed"), fa.Requirement("A", "speed")])
    with pytest.raises(AnalysisError, match="wanted is 2, must be between 0 and 1"):
        fa.reliability(swing(), [fa.Requirement("A", "speed")], wanted=2.0)
    with pytest.raises(AnalysisError, match="names no point"):
        fa.reliability(swing(), [fa.Requirement("A", "speed", point="tap")])


def test_the_example_with_tolerances_reports_how_often_it_does_what_it_must(tmp_path) -> None:
    example = Path(__file__).parents[2] / "examples" / "tolerances.toml"
    found = fa.reliability(fa.read_study(example), samples=24, seed=3, folder=tmp_path / "study", workers=1)
    low, high = found.joint_interval
    assert low <= found.reliability <= high and found.failures == 0
    assert [verdict.requirement.name for verdict in found.verdicts] == ["stops there", "rests"]
