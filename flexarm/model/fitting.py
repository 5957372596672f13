"""How sound parts fit together: places within links, laws that suit their joints, planar arms that stay planar."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from flexarm.errors import FlexarmError
from flexarm.model.laws.law import TOO_FAR_APART, computed
from flexarm.model.laws.motions import lacks_rate, parts_of, takes_rate, units_of
from flexarm.model.parts.inertia import spatial_reasons
from flexarm.model.parts.joint import Joint
from flexarm.model.parts.link import BEYOND, Link
from flexarm.model.reading.messages import Mistake, number, quoted

if TYPE_CHECKING:
    from flexarm.model.arm import Arm

# An angle or a component this small, relative to one, is the rounding of a unit string.
FLAT = 1e-12


def fitting_mistakes(arm: Arm) -> Iterable[Mistake]:
    """Every pair of parts that does not fit together."""
    parents = arm.parents
    for i, link in enumerate(arm.links):
        if link.parent_at is not None:
            if parents[i] < 0:
                yield ("link", i), "parent_at is given on the base, must be given with a parent that is a link"
            else:
                yield from _beyond(("link", i), "parent_at", link.parent_at, arm.links[parents[i]])
        unsuited = list(_laws(arm, i, link.joint))
        yield from unsuited
        if not unsuited:
            yield from _commands(arm, i, link)
    for i, point in enumerate(arm.points):
        yield from _beyond(("point", i), "at", point.at, arm.link(point.link))
    for i, load in enumerate(arm.loads):
        yield from _beyond(("load", i), "at", load.at, arm.link(load.link))
        unit = arm.torques[load.law].unit if load.law is not None else None
        if unit is not None:
            yield ("load", i), f"law is {quoted(load.law or '')}, whose values are in {unit}, must be plain numbers"
    if arm.planar:
        yield from _out_of_plane(arm)
    else:
        for i, link in enumerate(arm.links):
            if link.rigid is not None and not link.rigid.any_inertia:
                for reason in spatial_reasons(link.rigid.inertia):
                    yield ("link", i, "rigid"), reason
            for j, payload in enumerate(link.payloads):
                for reason in spatial_reasons(payload.inertia):
                    yield ("link", i, "payload", j), reason


def _beyond(path: tuple[int | str, ...], key: str, at: float | None, link: Link) -> Iterable[Mistake]:
    if at is None:
        return
    if at > link.length * (1 + BEYOND):
        yield path, f"{key} is {number(at)} m, must be ≤ the length of {quoted(link.name)}, {number(link.length)} m"
    elif link.joint.sleeve and at < link.length * (1 - BEYOND):
        # What is not the tip may be inside the sleeve or outside.
        yield path, f"{key} is {number(at)} m, must be left out: of {quoted(link.name)} only the tip stays outside"


def _laws(arm: Arm, i: int, joint: Joint) -> Iterable[Mistake]:
    place = ("link", i, "joint")
    if joint.motion is not None:
        law = arm.motions[joint.motion]
        for other in sorted(units_of(arm.motions, joint.motion) - {joint.unit}):
            yield place, f"motion is {quoted(joint.motion)}, whose values are in {other}, must be in {joint.unit}"
        if joint.rate is None and lacks_rate(arm.motions, joint.motion):
            yield place, f"rate is missing, must be given here or in [motion.{joint.motion}]"
        if joint.rate is not None and not takes_rate(arm.motions, joint.motion):
            yield (
                place,
                f"rate is given, which the {law.kind} law of {quoted(joint.motion)} has no use for, must be left out",
            )
    if joint.torque is not None:
        unit, wanted = arm.torques[joint.torque].unit, "N m" if joint.type == "revolute" else "N"
        if unit is not None and unit != wanted:
            yield place, f"torque is {quoted(joint.torque)}, whose values are in {unit}, must be in {wanted}"


def _commands(arm: Arm, i: int, link: Link) -> Iterable[Mistake]:
    # A law may be sound by itself and yet break under the joint's rate, scale and delay.
    joint = link.joint
    led = joint.motion is not None and any(law.kind == "path" for law in parts_of(arm.motions, joint.motion))
    # what a path makes of its joints is found when all else is sound
    if joint.motion is not None and not led and computed(lambda: arm.motion_of(link)) is None:
        yield ("link", i, "joint"), f"its motion {quoted(joint.motion)} {_reason(arm, link)}"
    if joint.torque is not None and computed(lambda: arm.torque_of(link)) is None:
        yield ("link", i, "joint"), f"its torque {quoted(joint.torque)} {TOO_FAR_APART}"


def _reason(arm: Arm, link: Link) -> str:
    # Laws that are added may each be sound and yet have no sum that can be computed with.
    try:
        arm.motion_of(link)
    except FlexarmError as error:
        return f"cannot be made: {error}"
    except (ArithmeticError, ValueError):
        pass
    return TOO_FAR_APART


def _out_of_plane(arm: Arm) -> Iterable[Mistake]:
    for i, link in enumerate(arm.links):
        joint, path = link.joint, ("link", i)
        if joint.type == "revolute" and abs(joint.axis[2]) < 1 - FLAT:
            yield (*path, "joint"), f"axis is {_triple(joint.axis)}, must be z in a planar arm"
        if joint.type == "prismatic" and abs(joint.axis[2]) > FLAT:
            yield (*path, "joint"), f"axis is {_triple(joint.axis)}, must lie in the x-y plane of a planar arm"
        for key, angles in (("joint.rotation", joint.rotation), ("tip_rotation", link.tip_rotation)):
            if max(abs(angles[0]), abs(angles[1])) > FLAT:
                yield path, f"{key} is {_triple(angles)} rad, must turn about z alone in a planar arm"
        vectors = [("direction", link.direction), ("joint.offset", joint.offset), ("tip_offset", link.tip_offset)]
        if link.rigid is not None and link.rigid.centre is not None:
            vectors.append(("rigid.centre", link.rigid.centre))
        vectors += [(f"payload[{j}].offset", payload.offset) for j, payload in enumerate(link.payloads)]
        for key, vector in vectors:
            if abs(vector[2]) > FLAT:
                yield path, f"{key} is {_triple(vector)}, must lie in the x-y plane of a planar arm"
    for i, load in enumerate(arm.loads):
        if load.force[2] != 0:
            yield ("load", i), f"force is {_triple(load.force)} N, must lie in the x-y plane of a planar arm"
        if load.moment[0] != 0 or load.moment[1] != 0:
            yield ("load", i), f"moment is {_triple(load.moment)} N m, must be about z in a planar arm"
    for i, point in enumerate(arm.points):
        if abs(point.offset[2]) > FLAT:
            yield ("point", i), f"offset is {_triple(point.offset)} m, must lie in the x-y plane of a planar arm"


def _triple(vector: tuple[float, float, float]) -> str:
    return "[" + ", ".join(number(part) for part in vector) + "]"
