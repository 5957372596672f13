"""Servos left to the system: their loops put in place of the word, and what was chosen."""

from __future__ import annotations

from typing import Any

from flexarm.analyses.servo_tuning import Tuning, tuned
from flexarm.assembly import compile_arm
from flexarm.batched import NotScalar, among
from flexarm.model import Arm, Servo


def with_servo_gains(arm: Arm) -> Arm:
    """The arm with every servo that is left to the system ("auto") given by the loops found for it."""
    return with_tuning(arm)[0]


def with_tuning(arm: Arm) -> tuple[Arm, Tuning | None]:
    """The same, and what was chosen; None where nothing is left to the system."""
    if not any(link.joint.automatic_servo for link in arm.links):
        return arm, None
    compiled = compile_arm(arm)
    if among([*compiled.tree, *compiled.laws, compiled.start, compiled.start_rate]) is not None:
        raise NotScalar("servos that are left to the system are tuned arm by arm")
    found = tuned(compiled)
    links = []
    for link in arm.links:
        if link.joint.automatic_servo:
            loops = found.joints[link.name]
            given = link.joint.servo if isinstance(link.joint.servo, Servo) else Servo(tuning="auto")
            servo = Servo(
                position_gain=loops.position_gain,
                velocity_gain=loops.velocity_gain,
                integral_time=loops.integral_time,
                feedforward=given.fed_forward,
                torque_limit=given.torque_limit,
                encoder=given.encoder,
            )
            link = link.changed(joint=link.joint.changed(servo=servo))
        links.append(link)
    return arm.changed(links=tuple(links)), found


def with_servos_of(arm: Arm, other: Arm) -> Arm:
    """The arm with every servo that is left to the system replaced by that of another arm of the same build."""
    links = [
        link.changed(joint=link.joint.changed(servo=other.link(link.name).joint.servo))
        if link.joint.automatic_servo
        else link
        for link in arm.links
    ]
    return arm.changed(links=tuple(links))


def uses_a_model(arm: Arm) -> bool:
    """True if a drive of the arm is tuned for it or fed forward by it: such a drive is designed for one arm."""
    return any(
        link.joint.automatic_servo
        or (isinstance(link.joint.servo, Servo) and link.joint.servo.fed_forward in ("gravity", "rigid"))
        for link in arm.links
    )


def servo_summary(arm: Arm, tuning: Tuning | None) -> dict[str, dict[str, Any]]:
    """The servos of an arm, by link: their gains (SI), what is fed forward to them, and what they were tuned for."""
    found = {}
    for link in arm.links:
        servo, loops = link.joint.servo, link.joint.servo_loops()
        if not isinstance(servo, Servo) or loops is None:
            continue
        cascaded = servo.position_gain is not None
        found[link.name] = {
            "unit": link.joint.unit,
            "kp": loops.kp,
            "kv": loops.kv,
            "position_gain": servo.position_gain,
            "velocity_gain": servo.velocity_gain,
            "integral_time": servo.integral_time if cascaded else None,
            "feedforward": servo.fed_forward,
            "torque_limit": servo.torque_limit,
            "encoder": servo.encoder,
            "tuned": tuning.joints[link.name]._asdict() if tuning is not None and link.name in tuning.joints else None,
        }
    return found
