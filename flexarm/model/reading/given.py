"""What verbs are given from Python: an arm or the path of its model file, and numbers or texts with a unit."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from pydantic_core import PydanticCustomError

from flexarm.errors import AnalysisError
from flexarm.model.arm import Arm
from flexarm.model.reading.file import read_arm
from flexarm.model.reading.messages import either, meant, quoted, shown
from flexarm.model.reading.quantity import Quantity

P = ParamSpec("P")
R = TypeVar("R")
Given = TypeVar("Given")
Read = TypeVar("Read")

# An arm, or the path of its model file.
ArmLike = Arm | str | os.PathLike[str]
# Coordinates of joints by the names of their links: rad or m, or texts with a unit.
Posture = Mapping[str, float | str]


def arm_of(arm: ArmLike) -> Arm:
    """The arm, read from its model file if its path is given."""
    if isinstance(arm, Arm):
        return arm
    if isinstance(arm, str | os.PathLike):
        return read_arm(arm)
    raise AnalysisError(f"arm is {shown(arm)}, must be an arm or the path of a model file")


def takes_arm(verb: Callable[Concatenate[Arm, P], R]) -> Callable[Concatenate[ArmLike, P], R]:
    """The verb, which also takes the path of a model file in the place of the arm."""
    return reading_first(arm_of, verb)


def reading_first(
    read: Callable[[Given], Read], verb: Callable[Concatenate[Read, P], R]
) -> Callable[Concatenate[Given, P], R]:
    """The verb with its first argument read by a function."""

    @wraps(verb)
    def called(given: Given, *args: P.args, **options: P.kwargs) -> R:
        return verb(read(given), *args, **options)

    return called


def read_posture(arm: Arm, posture: Posture | None) -> dict[str, float]:
    """Joint coordinates (rad or m) by the names of their links; given by those or by the joints' own names, as numbers
    or texts with a unit.
    """
    if posture is None:
        return {}
    if not isinstance(posture, Mapping):
        raise AnalysisError(f'posture is {shown(posture)}, must map joints to values such as {{"elbow": "45 deg"}}')
    movable = [link for link in arm.links if link.joint.type != "fixed"]
    joints = {link.joint.name or link.name: link for link in movable}
    known = {link.name: link for link in movable} | joints
    found = {}
    for name, value in posture.items():
        if name not in known:
            raise AnalysisError(
                f"posture: there is no joint {quoted(str(name))}, must be {either(joints)}{meant(name, joints)}"
            )
        found[known[name].name] = quantity_of(value, known[name].joint.unit, f"posture: joint {quoted(name)}")
    return found


def quantity_of(value: Any, unit: str, what: str, **bounds: Any) -> float:
    """A quantity in SI units from a number or a text with a unit; `what` it is stands in the refusal."""
    try:
        return Quantity(unit, **bounds).read_one(value, unit)
    except PydanticCustomError as error:
        assert error.context is not None
        raise AnalysisError(f"{what} {error.context['reason']}") from None
