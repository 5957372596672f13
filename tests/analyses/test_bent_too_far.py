"""A link that bends beyond its model is reported by every verb that bends it, not by `simulate` alone."""

from __future__ import annotations

import pytest

import flexarm as fa
from tests.analyses.flexible_arms import DOWN, STILL, swinging

WAY = {"formulation": "hermite", "frames": "link"}
WORDS = 'link "beam" bends by'


@pytest.mark.parametrize(("stiffness", "reported"), [(0.6, True), (200.0, False)])
def test_a_beam_that_sags_too_far_is_reported_by_statics(stiffness, reported):
    arm = swinging(WAY, {"motion": "stay"}, 4, stiffness=stiffness, gravity=DOWN, motions={"stay": {"kind": "hold"}})
    found = fa.statics(arm)
    assert any(WORDS in remark for remark in found.remarks) == reported
    assert ("beware: " + WORDS in found.summary()) == reported
    assert found.to_dict()["remarks"] == list(found.remarks)


@pytest.mark.parametrize(("rate", "reported"), [(6.0, True), (0.05, False)])
def test_a_beam_that_is_stopped_too_hard_is_reported_by_torques_and_brake(rate, reported):
    stop = {"stop": {"kind": "brake", "travel_time": 0.5, "braking_time": 0.1}}
    joint = {"motion": "stop", "rate": rate}
    options = {"stiffness": 2.0, "gravity": STILL, "motions": stop, "simulation": {"start": "rest"}}
    arm = swinging(WAY, joint, 4, **options)
    torques = fa.torques(arm, end=0.6)
    assert (WORDS in torques.summary()) == reported
    study = fa.brake(arm, (0.08, 0.12), points=4, explain=False)
    assert any(WORDS in note for note in study.notes) == reported
