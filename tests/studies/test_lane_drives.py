"""Drives in compiled lanes: integrators, limits, encoders on the link and torques fed forward are those of own runs."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from tests.studies.swings import BENDING
from tests.studies.test_lanes import alone, evaluator

OUTPUTS = ("tip.x", "tip.deflection@0.15 s", "arm.torque@30 ms", "arm.torque@0 s", "max(tip.deflection)")
OUTPUTS += ("arm.rate@0.06 s",)
CASCADE = "position_gain = 40, velocity_gain = { normal = [30, 0.3] }, integral_time = { normal = ['50 ms', '1 ms'] }"
GEAR = ", gear = { stiffness = { normal = ['3e3 N m/rad', '30 N m/rad'] }, damping = 0.5 }"
GEAR += ", motor = { inertia = 1e-5, gear_ratio = 100 }"
DRIVES = {
    "integrator": (f"servo = {{ {CASCADE} }}", "static"),
    "limit": (f"servo = {{ {CASCADE}, torque_limit = {{ normal = ['5 N m', '0.1 N m'] }} }}", "static"),
    "limit without an integrator": ("servo = { kp = 1500, kv = 30, torque_limit = '5 N m' }", "static"),
    "encoder on the link": (f"servo = {{ {CASCADE}, encoder = 'link' }}{GEAR}", "static"),
    "encoder on the link, from rest": (f"servo = {{ {CASCADE}, encoder = 'link' }}{GEAR}", "rest"),
    "encoder on the link, in steady motion": (f"servo = {{ {CASCADE}, encoder = 'link' }}{GEAR}", "steady"),
    "fed forward": (f"servo = {{ {CASCADE}, feedforward = 'rigid' }}", "static"),
    "left to the system": ("servo = 'auto'", "static"),
}


def driven(drive: str, gravity: str = "[0, -9.81, 0]") -> fa.StudyModel:
    """The bending arm with a drive of that kind, of random loops where it has any, in gravity."""
    joint, start = DRIVES[drive]
    text = BENDING.replace("gravity = [0, 0, 0]", f"gravity = {gravity}")
    text = text.replace('motion = "stop" }', f'motion = "stop", {joint} }}')
    text = text.replace('start = "steady"', f'start = "{start}"')
    return fa.parse_study(text, name=drive)


@pytest.mark.parametrize("drive", DRIVES)
def test_a_drive_in_lanes_has_the_numbers_of_its_own_run(drive):
    study = driven(drive)
    evaluate = evaluator(study, OUTPUTS)
    values = study.draw(3, 0, 3)
    found = evaluate(values)
    assert found.status == ["ok"] * 3
    # steps end on limits that each run finds to 1e-9 of the torque
    wanted = np.array([alone(study, evaluate, row) for row in values])
    np.testing.assert_allclose(found.outputs, wanted, rtol=1e-6, atol=1e-7)
    # whoever stands beside it
    assert evaluate(values[1:2]).outputs.tobytes() == found.outputs[1:2].tobytes()


def test_a_limit_that_is_met_is_where_the_torque_stays():
    study = driven("limit without an integrator", gravity="[0, 0, 0]")
    evaluate = evaluator(study, tuple(f"arm.torque@{time} ms" for time in range(48, 80, 2)))
    assert np.max(np.abs(evaluate(study.draw(1, 0, 2)).outputs)) == pytest.approx(5.0, rel=1e-9)


def test_a_sample_whose_drive_cannot_hold_it_is_refused_and_its_neighbours_run():
    # the weight of half a kilogram per metre at half of 0.8 m: 1.57 N m
    old, text = '"5 N m", "0.1 N m"', driven("limit").text.replace("'", '"')
    assert old in text
    study = fa.parse_study(text.replace(old, '"1.57 N m", "0.1 N m"'), name="weak")
    values = study.draw(1, 0, 12)
    found = evaluator(study, ("tip.x",))(values)
    refused = [status == "refused" for status in found.status]
    assert any(refused) and not all(refused)
    limit = values[:, study.names.index("link[0].joint.servo.torque_limit")]
    length = values[:, study.names.index("link[0].length")]
    # a beam of 100 N m² sags by less than a thousandth of its lever
    needed = 0.5 * 0.5 * 9.81 * length**2
    clear = np.abs(limit / needed - 1.0) > 1e-3
    np.testing.assert_array_equal(np.array(refused)[clear], (limit < needed)[clear])
    assert all("torque_limit" in reason for reason, bad in zip(found.reason, refused, strict=True) if bad)


def test_torques_fed_forward_along_a_random_motion_are_found_one_by_one():
    text = driven("fed forward").text.replace('rate = "90 deg/s"', 'rate = { normal = ["90 deg/s", "1 deg/s"] }')
    from flexarm.studies.execution.evaluate import Evaluator, Task

    assert "arm by arm" in (Evaluator(Task(text, OUTPUTS, None)).reason or "")
