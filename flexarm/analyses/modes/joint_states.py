"""What every joint does while the arm vibrates: held, free, or drawn towards its target by its servo.

The one place where the option `joints` of modes, linearise, campbell, brake and shape is read.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from flexarm.analyses.contacts import refuse_meeting
from flexarm.analyses.servo import with_servo_gains
from flexarm.assembly import CompiledArm, compile_arm, without_servos
from flexarm.core.tree.types import Ints
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.reading.messages import either, meant, quoted

# A word for all joints, the names of those that are free while the others are locked, or None: as in the model file.
Joints = Literal["locked", "free", "servo"] | Collection[str] | None

WORDS = ("locked", "free", "servo")
_NO_SERVO = (
    'joints is "servo", but no joint of the arm has a servo; must be "locked" or "free", or a joint must have one '
    "with its motion"
)
_OF_DRIVE = {"motion": "locked", "locked": "locked", "torque": "free", "free": "free", "servo": "servo"}


@dataclass(frozen=True, eq=False)
class JointStates:
    """`states`: "locked", "free" or "servo" by joint, base to tip; `word`: the shortest form of it."""

    states: Mapping[str, str]
    word: str | tuple[str, ...]

    @property
    def moving(self) -> tuple[str, ...]:
        """The joints that may move."""
        return tuple(name for name, state in self.states.items() if state != "locked")

    @property
    def free(self) -> tuple[str, ...]:
        """The joints that nothing but their own springs holds."""
        return tuple(name for name, state in self.states.items() if state == "free")

    @property
    def servos(self) -> tuple[str, ...]:
        """The joints under their servos."""
        return tuple(name for name, state in self.states.items() if state == "servo")


def refuse_controllers(arm: Arm, advice: str) -> None:
    """Refuse an arm with controllers where they take no part."""
    if arm.controllers:
        raise AnalysisError(f"the arm has controllers, which take no part here: {advice}")


def joint_states(compiled: CompiledArm, joints: Joints = None) -> JointStates:
    """What every joint does.

    None: as in the model file (a prescribed motion or none: locked; a torque or nothing: free; a servo: closed loop).
    "servo": the same, refused where no joint has a servo. "locked", "free": all of them, servos off. Names: these
    joints free, the others locked.
    """
    drives = {link.name: link.joint.drive for link in compiled.arm.links}
    names = compiled.joint_names
    if joints is None or joints == "servo":
        states = {name: _OF_DRIVE[drives[name]] for name in names}
        if joints == "servo" and "servo" not in states.values():
            raise AnalysisError(_NO_SERVO)
    elif isinstance(joints, str):
        if joints not in WORDS:
            raise AnalysisError(f"joints is {quoted(joints)}, must be {either(WORDS)}{meant(joints, WORDS)}")
        states = dict.fromkeys(names, joints)
    else:
        own = {link.joint.name: link.name for link in compiled.arm.links if link.joint.name is not None}
        joints = [own.get(name, name) for name in joints]
        for name in joints:
            if name not in names:
                known = ", ".join(quoted(joint) for joint in names)
                raise AnalysisError(f"joints: there is no joint {quoted(name)}, must be one of {known}")
        states = {name: "free" if name in joints else "locked" for name in names}
    return JointStates(states, _word(states))


def _word(states: Mapping[str, str]) -> str | tuple[str, ...]:
    found = set(states.values())
    if "servo" in found:
        return "servo"
    if len(found) < 2:
        return found.pop() if found else "locked"
    return tuple(name for name, state in states.items() if state == "free")


def compiled_with(arm: Arm, joints: Joints = None, *, closed: bool = False) -> tuple[CompiledArm, JointStates]:
    """The arm as the engine sees it, its servos on where they take part and off elsewhere, and what its joints do;
    `closed`: supports, loops and springs between points are taken.
    """
    if joints is None or joints == "servo":
        refuse_controllers(arm, 'joints must be "locked", "free" or names; `flexarm control` has the poles of the loop')
        arm = with_servo_gains(arm)
    compiled = compile_arm(arm, closed=closed)
    states = joint_states(compiled, joints)
    return treated(compiled, states), states


def followed(arm: Arm, joints: str | None) -> Arm:
    """The arm whose command is judged by brake and shape: gains of its servos found, or, with "locked", every joint
    exactly where its command has it.

    None, "servo": joints as in the model file; "servo" is refused where no joint has one, "free" always: a joint that
    nothing holds follows no command.
    """
    how = "for brake and shape, which compare what is left with small motions about equilibrium"
    if joints is None or joints == "servo":
        refuse_controllers(arm, 'joints must be "locked", which judges the command by itself')
        refuse_meeting(arm, how, 'joints = "locked" has every joint follow its command exactly')
    if joints is None:
        return with_servo_gains(arm)
    if joints == "servo":
        if not any(link.joint.drive == "servo" for link in arm.links):
            raise AnalysisError(_NO_SERVO)
        return with_servo_gains(arm)
    if joints != "locked":
        free = joints == "free"
        why = ": a joint that nothing holds follows no command" if free else meant(joints, ("locked", "servo"))
        raise AnalysisError(f'joints is {quoted(joints)}, must be "locked" or "servo"{why}')
    held: dict[str, dict[str, Any]] = {
        "servo": {"servo": None},
        "torque": {"torque": None, "scale": 1.0, "delay": 0.0, "start_rate": 0.0, "locked": True},
        "free": {"free": False, "start_rate": 0.0, "locked": True},
    }
    links = [
        link.changed(joint=link.joint.changed(**held[link.joint.drive])) if link.joint.drive in held else link
        for link in arm.links
    ]
    found = arm.changed(links=tuple(links))
    refuse_meeting(found, how, "a gear without play can be taken")
    return found


def states_in(arm: Arm) -> dict[str, str]:
    """ "locked", "free" or "servo" by joint, as the arm has them."""
    return {link.name: _OF_DRIVE[link.joint.drive] for link in arm.links if link.joint.drive in _OF_DRIVE}


def treated(compiled: CompiledArm, states: JointStates) -> CompiledArm:
    """The same arm with its servos taken out, unless they take part."""
    return compiled if states.servos else without_servos(compiled)


def moving_coordinates(compiled: CompiledArm, states: JointStates) -> Ints:
    """The coordinates that may move, base to tip: the elastic ones and those of joints that are not locked; refused if
    there are none.
    """
    free = [compiled.coordinate_names.index(name) for name in states.moving]
    moving = np.array(sorted({*compiled.elastic_coordinates.tolist(), *free}), dtype=np.int64)
    if len(moving) == 0:
        if not compiled.joint_names:
            raise AnalysisError("the arm has neither a flexible link nor a joint: nothing can move")
        raise AnalysisError(
            'the arm has no flexible link: with its joints locked nothing can move; try joints = "free"'
        )
    return moving
