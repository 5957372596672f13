"""Joints handed over to torques from outside, whatever drives them in the model file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flexarm.analyses.servo import with_servo_gains
from flexarm.analyses.signals.names import canonical, signal_unit
from flexarm.assembly import CompiledArm, compile_arm
from flexarm.errors import AnalysisError
from flexarm.model import Arm, Joint
from flexarm.model.laws.pieces import Pieces
from flexarm.model.laws.torque import AnyTorque, ConstantTorque
from flexarm.model.reading.messages import either, quoted


def driven_joints(arm: Arm) -> list[str]:
    """The links whose joints a motion, a servo or a torque drives, base to tip."""
    return [link.name for link in arm.links if link.joint.drive in ("motion", "servo", "torque")]


def input_links(arm: Arm, inputs: Sequence[str] | None) -> list[str]:
    """The links whose joints the inputs push, which are torques by their names in the list of signals ("hub.torque");
    None: those of all driven joints.
    """
    if inputs is None:
        found = driven_joints(arm)
        if not found:
            raise AnalysisError("no joint of the arm is driven, inputs must name the torques such as JOINT.torque")
        return found
    if isinstance(inputs, str):
        raise AnalysisError(f"inputs is {quoted(inputs)}, must be a list of names")
    compiled = compile_arm(arm)
    found = []
    for word in inputs:
        owner, _, what = canonical(str(word)).rpartition(".")
        if what != "torque":
            names = [f"{name}.torque" for name in compiled.joint_names]
            raise AnalysisError(f"the input {quoted(str(word))} is no torque of a joint, must be {either(names)}")
        try:
            signal_unit(compiled, word)
        except AnalysisError as error:
            raise AnalysisError(str(error).replace("the output", "the input", 1)) from None
        if owner in found:
            raise AnalysisError(f"the input {quoted(str(word))} is given twice, must be given once")
        found.append(owner)
    return found


def driven_by_torque(arm: Arm, links: Sequence[str], laws: Sequence[AnyTorque] | None = None) -> Arm:
    """The arm with the joints of these links driven by torque laws alone (default: none at all, a constant zero).

    They start where they start in the model. Servos of other joints that are left to the system are tuned for the arm
    as it was.
    """
    if any(link.joint.automatic_servo for link in arm.links if link.name not in links):
        arm = with_servo_gains(arm)
    torques = dict(arm.torques)
    changed = []
    for link in arm.links:
        if link.name in links:
            k = list(links).index(link.name)
            name = _unused(torques, f"{link.name} held")
            unit = "N" if link.joint.unit == "m" else "N m"
            torques[name] = ConstantTorque(value=0.0, unit=unit) if laws is None else laws[k]
            link = link.changed(joint=_handed_over(link.joint, arm.motion_of(link), name))
        changed.append(link)
    return arm.changed(links=tuple(changed), torques=torques, controllers=())


def _handed_over(joint: Joint, motion: Pieces | None, law: str) -> Joint:
    at, rate = joint.at, joint.start_rate
    if motion is not None:
        begin, speed, _ = motion.evaluate(0.0)
        at, rate = float(begin), float(speed)
    drives = {"motion": None, "servo": None, "locked": False, "free": False, "rate": None, "scale": 1.0, "delay": 0.0}
    rest = joint.spring_rest if joint.stiffness else None
    return joint.changed(**drives, torque=law, at=at, start_rate=rate, rest=rest)


def _unused(known: Mapping[str, object], name: str) -> str:
    while name in known:
        name += "'"
    return name


def input_pieces(compiled: CompiledArm, links: Sequence[str]) -> list[int]:
    """The pieces of the engine's laws that are the torques of these links."""
    commands, found = compiled.commands, []
    for link in links:
        c = compiled.coordinate_names.index(link)
        law = int(commands.torque_law[commands.torque_coordinate == c][0])
        found.append(int(compiled.laws.first[law]))
    return found
