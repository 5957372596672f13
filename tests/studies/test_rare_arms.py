"""Rare failures of arms whose probabilities are known in closed form; studies of them that end and go on."""

import json

import numpy as np
import pytest
from scipy.stats import norm

import flexarm as fa
from flexarm.errors import AnalysisError
from tests.studies.swings import LENGTH, RATE, RATE_DEVIATION, TRAVEL, bending, swing

SPREAD = TRAVEL * RATE_DEVIATION  # rad, of the end angle, which is normal
# the tip is within this of its nominal place where the rate is within 2.4 deviations of its mean
NEAR = fa.Requirement("near", "circle", limit=2 * LENGTH * np.sin(2.4 * SPREAD / 2))
# … and no faster than this where it is no more than 2.8 above
SLOW = fa.Requirement("slow", "speed", limit=LENGTH * (RATE + 2.8 * RATE_DEVIATION), at=0.2)
EXACT = 2.0 * norm.sf(2.4)  # 0.0164


@pytest.fixture(scope="module")
def form():
    """Both requirements by FORM."""
    return fa.reliability(swing(), [NEAR, SLOW], method="form")


def test_form_reports_both_sides_of_a_tolerance_in_the_parameters_own_units(form):
    near, slow = form.each
    # the run's own tolerance is 1 µm of 24 mm; the angle of the arc is in the limit
    assert [point.index for point in near.points] == pytest.approx([2.4, 2.4], abs=1e-3)
    rates = sorted(point.own[0] for point in near.points)
    assert rates == pytest.approx([RATE - 2.4 * RATE_DEVIATION, RATE + 2.4 * RATE_DEVIATION], abs=1e-4)
    assert near.probability == pytest.approx(EXACT, rel=3e-3)
    assert slow.probability == pytest.approx(norm.sf(2.8), rel=3e-3)
    # what is too fast at 2.8 deviations is too far already at 2.4
    assert form.joint.probability == pytest.approx(EXACT, rel=3e-3)
    assert form.evaluations < 100 and form.complete


def test_form_reads_well(form):
    text = form.summary()
    assert text.startswith("swing: a requirement is missed with probability 0.0164 by FORM\n  reliability 98.36 %")
    assert "a series system of 3 design points: between 0.01" in text
    assert '"near": design point 1 of 2, index 2.400, missed 0.0082' in text
    assert "which tolerance is to blame: link[0].joint.rate (100 %)" in text
    assert repr(form).startswith("<RareReliability of swing: failure probability 0.0164 from ")
    reported = json.loads(json.dumps(form.to_dict(), allow_nan=False))
    assert reported["requirements"][1]["design_points"][0]["own"]["link[0].joint.rate"] == pytest.approx(1.64, abs=1e-3)
    assert reported["blame"] == {"link[0].joint.rate": 1.0}
    # of a region that is looked at once the table also has where the point is
    heads = "sample,link[0].joint.rate [rad/s],tip.x@0.5 [m],tip.y@0.5 [m],requirement near [m],requirement slow [m/s]"
    assert form.to_csv().startswith(heads)


def test_importance_subset_and_plain_sampling_agree_at_a_moderate_probability():
    model = swing()
    plain = fa.reliability(model, [NEAR], samples=200, workers=1)
    assert plain.joint_interval[0] <= 1.0 - EXACT <= plain.joint_interval[1]
    importance = fa.reliability(model, [NEAR], method="importance", cov=0.15, block=50, workers=1)
    assert importance.joint.low <= EXACT <= importance.joint.high
    assert importance.joint.cov <= 0.15 and importance.evaluations < 500
    subset = fa.reliability(model, [NEAR], method="subset", cov=0.3, block=10, workers=1)
    assert subset.joint.low <= EXACT <= subset.joint.high
    assert "coefficient of variation of 4 runs" in subset.summary()
    assert "number over limit" in subset.summary()


def test_form_importance_and_plain_sampling_agree_about_a_flexible_arm():
    model, stiff = bending(), fa.Requirement("stiff", "deflection", limit=0.01625, during=(0.0, 0.2))
    plain = fa.reliability(model, [stiff], samples=150, workers=1)
    found = fa.reliability(model, [stiff], method="importance", cov=0.15, block=50, workers=1)
    # intervals of two independent estimates of one number meet
    assert found.joint.low <= 1.0 - plain.joint_interval[0] and 1.0 - plain.joint_interval[1] <= found.joint.high
    # length and stiffness act almost linearly within some per cent of them
    assert found.points[0].probability == pytest.approx(found.failure, rel=0.3)
    # deflection goes with length cubed over stiffness: 3 × 0.25 % beside 5 %
    assert found.points[0].shares[1] == pytest.approx(1.0 / (1.0 + (3 * 0.0025 / 0.05) ** 2), abs=0.08)


def test_a_study_that_ran_out_of_evaluations_goes_on_to_the_same_answer(tmp_path):
    options = {"method": "importance", "cov": 0.2, "block": 40, "workers": 1}
    whole = fa.reliability(swing(), [NEAR], **options)
    begun = fa.reliability(swing(), [NEAR], **options, folder=tmp_path, evaluations=80)
    assert not begun.complete and begun.evaluations <= 80
    assert "80 evaluations were allowed" in begun.summary()
    seen = []
    ended = fa.reliability(
        *(swing(), [NEAR]), **options, folder=tmp_path, resume=True, progress=lambda *reported: seen.append(reported)
    )
    assert seen[0][0] > begun.evaluations  # what is known is not run again
    assert (ended.failure, ended.joint.cov, ended.evaluations) == (whole.failure, whole.joint.cov, whole.evaluations)
    assert ended.stored.table().same_bits(whole.stored.table())
    assert json.loads((tmp_path / "reliability.json").read_text())["failure"] == ended.failure
    with pytest.raises(fa.FlexarmError, match="was begun with method"):
        fa.reliability(swing(), [NEAR], method="subset", folder=tmp_path, resume=True)


def test_the_nominal_arm_and_impossible_samples_are_reported():
    thin = swing(length='{ normal = ["0.5 m", "0.2 m"] }', rate='"1.5 rad/s"')
    near = fa.Requirement("near", "circle", limit=0.6)
    found = fa.reliability(thin, [near], method="subset", block=10, workers=1, evaluations=600)
    # lengths above 1.1 m are 3 deviations away, those below zero, which no arm can have, 2.5
    assert found.joint.low <= norm.sf(2.5) + norm.sf(3.0) <= found.joint.high
    assert "failed, which count as missing every requirement" in found.summary()
    missed = fa.Requirement("missed", "speed", limit=0.1, at=0.2)
    found = fa.reliability(swing(), [missed], method="form")
    assert found.failure is None and found.reliability is None
    assert "the nominal arm itself misses" in found.remarks[0]
    assert "is not known yet" in found.summary()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"method": "forn"}, 'method is "forn", must be .* "form"'),
        ({"method": "form", "samples": 10}, "samples is given for the method form, which does not know it"),
        ({"method": "plain", "cov": 0.1}, "cov is given for the method plain, which does not know it"),
        ({"method": "sorm", "cov": 0.1}, "cov is given for the method sorm, which draws no samples; must be left out"),
        ({"method": "form", "block": 20}, "block is given for the method form, which draws no samples"),
        ({"method": "form", "seed": 2**70}, "seed is .*, must be a whole number from 0 to 9223372036854775807"),
        ({"method": "subset", "cov": 2.0}, "cov is 2, must be between 0 and 1"),
        ({"method": "subset", "block": 1}, "block is 1, must be a whole number ≥ 10"),
        ({"method": "importance", "evaluations": 5}, "evaluations is 5, must be a whole number ≥ 50"),
        ({"method": "form", "resume": True}, "resume is given without the folder"),
    ],
)
def test_what_cannot_be_asked_is_refused(options, sentence):
    with pytest.raises(AnalysisError, match=sentence):
        fa.reliability(swing(), [NEAR], **options)
