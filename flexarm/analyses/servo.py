"""Servos left to the system: their loops put in place of the word, and what was chosen."""

from __future__ import annotations

from flexarm.analyses.servo_tuning import Tuning, tuned
from flexarm.compiled import compile_arm
from flexarm.many import NotOneNumber, among
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
        raise NotOneNumber("servos that are left to the system are tuned arm by arm")
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
