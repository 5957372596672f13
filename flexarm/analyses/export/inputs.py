"""What may be set from outside in a program without Python: torques, targets of servos, motions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from flexarm.analyses.plant.torque_driven import driven_by_torque, input_links
from flexarm.analyses.servo import with_servo_gains
from flexarm.assembly import CompiledArm, compile_arm
from flexarm.core.time.hold import ACCELERATION, HELD, MOTION_POWERS, PLACE, RATE
from flexarm.core.tree.types import Ints, Laws
from flexarm.errors import AnalysisError
from flexarm.model import Arm, Joint
from flexarm.model.laws.motion import ConstantRate
from flexarm.model.reading.messages import either, quoted
from flexarm.results.catalogue import effort_unit

# The words behind a joint's name: what is set, and whether the joint keeps a servo.
WORDS = ("torque", "target", "acceleration", "position")
_KINDS = {"torque": HELD, "target": HELD, "acceleration": ACCELERATION, "position": PLACE, "rate": RATE}
_PER = {"target": "", "position": "", "rate": "/s", "acceleration": "/s²"}


class Input(NamedTuple):
    """One number from outside: the link whose joint it is of, and what it is."""

    link: str
    what: str

    @property
    def name(self) -> str:
        """The name of the input."""
        return f"{self.link}.{self.what}"

    def unit(self, compiled: CompiledArm) -> str:
        """Its SI unit."""
        own = compiled.coordinate_units[compiled.coordinate_names.index(self.link)]
        return effort_unit(own) if self.what == "torque" else f"{own}{_PER[self.what]}"


def inputs_of(arm: Arm, words: Sequence[str]) -> list[Input]:
    """The inputs by their names; a position brings its rate with it."""
    if isinstance(words, str):
        raise AnalysisError(f"inputs is {quoted(words)}, must be a list of names")
    found: list[Input] = []
    joints = [link.name for link in arm.links if link.joint.type != "fixed"]
    for word in words:
        owner, _, what = str(word).strip().rpartition(".")
        if owner not in joints or what not in WORDS:
            names = [f"{name}.{each}" for name in joints for each in WORDS]
            raise AnalysisError(f"the input {quoted(str(word))} is not known, must be {either(names[:12])}")
        if any(each.link == owner for each in found):
            raise AnalysisError(f"the joint of {quoted(owner)} has two inputs, must have one")
        drive = arm.link(owner).joint.drive
        if what == "target" and drive != "servo":
            raise AnalysisError(f"the input {quoted(str(word))} needs a servo, which the joint does not have")
        if what in ("acceleration", "position") and arm.link(owner).joint.sleeve and drive != "motion":
            raise AnalysisError(f"the input {quoted(str(word))} is of a link in a sleeve, which must have a motion")
        found += [Input(owner, what)] + ([Input(owner, "rate")] if what == "position" else [])
    input_links(arm, [each.name for each in found if each.what == "torque"])
    return found


def with_inputs(arm: Arm, inputs: Sequence[Input]) -> Arm:
    """The arm whose joints with an input are driven by it alone; they start where they start in the model."""
    if any(link.joint.automatic_servo for link in arm.links):
        arm = with_servo_gains(arm)
    motions, changed = dict(arm.motions), []
    own = {each.link: each.what for each in inputs if each.what in ("target", "acceleration", "position")}
    for link in arm.links:
        if link.name in own:
            name = f"{link.name} from outside"
            while name in motions:
                name += "'"
            law = arm.motion_of(link)
            place, rate, _ = (link.joint.at, link.joint.start_rate, 0.0) if law is None else law.evaluate(0.0)
            keeps = own[link.name] == "target"
            _refuse_feedforward(link.joint.servo if keeps else None, link.name)
            # a target held over a period has no rate
            motions[name] = ConstantRate(rate=0.0 if keeps else float(rate))
            drives: dict[str, Any] = {
                "torque": None,
                "locked": False,
                "free": False,
                "rate": None,
                "scale": 1.0,
                "delay": 0.0,
            }
            rest = link.joint.spring_rest if link.joint.stiffness else None
            drives |= {"motion": name, "servo": link.joint.servo if keeps else None, "at": float(place), "rest": rest}
            # a joint with a motion takes no rate of its own at the start
            kept = {key: getattr(link.joint, key) for key in link.joint.model_fields_set - {"start_rate", *drives}}
            link = link.changed(joint=Joint(**kept, **drives))
        changed.append(link)
    arm = arm.changed(links=tuple(changed), motions=motions)
    return driven_by_torque(arm, [each.link for each in inputs if each.what == "torque"])


def _refuse_feedforward(servo: object, link: str) -> None:
    kind = getattr(servo, "feedforward", None)
    if kind in ("gravity", "rigid"):
        raise AnalysisError(
            f'the servo of {quoted(link)} has feedforward "{kind}", which needs its command beforehand, must be "none" '
            'or "velocity" where its target comes from outside'
        )


def compiled_with(arm: Arm, inputs: Sequence[Input]) -> tuple[CompiledArm, Laws, Ints, Ints]:
    """The arm with these inputs, its laws with room for motions from outside, the piece of each input, and its kind."""
    compiled = compile_arm(with_inputs(arm, inputs))
    commands, pieces = compiled.commands, []
    for each in inputs:
        c = compiled.coordinate_names.index(each.link)
        coordinates, law = {
            "torque": (commands.torque_coordinate, commands.torque_law),
            "target": (commands.servo_coordinate, commands.servo_law),
        }.get(each.what, (commands.motion_coordinate, commands.motion_law))
        pieces.append(int(compiled.laws.first[int(law[coordinates == c][0])]))
    table = compiled.laws.piece
    room = max(4 + MOTION_POWERS - table.shape[1], 0)
    laws = Laws(compiled.laws.first, np.pad(table, ((0, 0), (0, room))))
    return compiled, laws, np.array(pieces, np.int64), np.array([_KINDS[each.what] for each in inputs], np.int64)
