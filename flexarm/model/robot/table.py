"""A robot and its elasticity table as the raw table of a model file.

Every link of the description is a rigid link of the arm, under its own name and in its own frame; the table makes some
of them beams and gives joints gears, motors, motions and whatever else a joint of a model file may have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import ModelError, Problem
from flexarm.model.parts.frames import Triple
from flexarm.model.parts.joint import Joint
from flexarm.model.reading.distributions import distributions_in
from flexarm.model.reading.messages import either, meant, quoted, shown
from flexarm.model.robot.beams import Axis, beam_with_mass
from flexarm.model.robot.description import Inertial, Robot, RobotJoint, is_impossible
from flexarm.model.robot.limits import limit_remarks

if TYPE_CHECKING:
    from flexarm.model.arm import Arm

# Keys of the outermost level that are the table's own; all others but `planar` are those of a model file.
ROBOT, BASES = "robot", ("fixed", "free")
LINK_KEYS = ("beam", "model", "damping", "payload", "rigid", "to", "length", "direction", "mass")
# What the description itself has of a joint.
_DESCRIBED = ("name", "type", "axis", "offset", "rotation", "zero", "sleeve")
JOINT_KEYS = tuple(key for key in Joint.model_fields if key not in _DESCRIBED)
MASSES = ("description", "beam")
# What the joint is called that holds the root of a robot whose base is fixed.
_FOUNDATION = "foundation"
# Coordinates of joints with several: how they are called, and their kinds.
_FLOATING = (("x", "prismatic"), ("y", "prismatic"), ("z", "prismatic"))
_TURNS = (
    ("yaw", "revolute", (0.0, 0.0, 1.0)),
    ("pitch", "revolute", (0.0, 1.0, 0.0)),
    ("roll", "revolute", (1.0, 0.0, 0.0)),
)


class RobotTable(dict[str, Any]):
    """The raw table of a model file made from a robot, with what was remarked on the way."""

    remarks: tuple[str, ...] = ()
    robot: Robot

    def remarks_on(self, arm: Arm) -> tuple[str, ...]:
        """What was remarked on the way, and where the arm leaves the limits of its description."""
        return (*self.remarks, *limit_remarks(self.robot, arm))

    def named(self, problem: Problem) -> Problem:
        """A problem of the model with its link called by name, as the description and the table do."""
        place = problem.place
        for i, link in enumerate(self.get("link", ())):
            if place == f"link[{i}]" or place.startswith(f"link[{i}]."):
                rest = place[len(f"link[{i}]") :]
                if rest.startswith(".joint"):
                    return Problem(f"joint {quoted(str(link['joint'].get('name')))}{rest[6:]}", problem.message)
                return Problem(f"link {quoted(str(link.get('name')))}{rest}", problem.message)
        return problem


def table_of_robot(robot: Robot, given: Mapping[str, Any], source: str) -> RobotTable:
    """The raw model of a robot with its elasticity table, which may be empty."""
    maker = _Maker(robot, given)
    maker.check()
    if maker.problems:
        raise ModelError(maker.problems, source=source)
    links = [link for name in robot.order for link in maker.links(name)]
    if maker.problems:
        raise ModelError(maker.problems, source=source)
    table = RobotTable({"name": _arm_name(robot.name)})
    if robot.gravity is not None:
        table["gravity"] = list(robot.gravity)
    table.update({key: value for key, value in given.items() if key not in (ROBOT, "base", "link", "joint")})
    table["link"] = links
    table.robot, table.remarks = robot, (*robot.remarks, *maker.remarks)
    return table


class _Maker:
    """Links and joints of a model file, one by one, and what is wrong with the table."""

    def __init__(self, robot: Robot, given: Mapping[str, Any]) -> None:
        self.robot, self.given = robot, given
        self.links_given: Mapping[str, Any] = _tables(given, "link")
        self.joints_given: Mapping[str, Any] = _tables(given, "joint")
        self.free = given.get("base", "fixed") == "free"
        self.problems: list[Problem] = []
        self.remarks: list[str] = []
        self.beams: dict[str, Axis] = {}

    def check(self) -> None:
        """Note every name and key of the table that means nothing."""
        base = self.given.get("base", "fixed")
        if base not in BASES:
            self.wrong("top level", f"base is {shown(base)}, must be {either(BASES)}{meant(base, BASES)}")
        if "planar" in self.given:
            self.wrong("top level", "planar is given with robot, must be left out: a robot moves in space")
        for key in ("link", "joint"):
            value = self.given.get(key, {})
            if not isinstance(value, Mapping):
                self.wrong("top level", f"{key} is {shown(value)}, must be tables [{key}.NAME] with robot")
        joints = [name for joint in self.robot.joints.values() for name in self.joint_names(joint)]
        if self.free:
            joints += [f"{self.robot.root}.{word}" for word, *_ in (*_FLOATING, *_TURNS)]
        for kind, tables, known, keys in (
            ("link", self.links_given, list(self.robot.links), LINK_KEYS),
            ("joint", self.joints_given, joints, JOINT_KEYS),
        ):
            for name, table in tables.items():
                if name not in known:
                    self.wrong("top level", f"{kind}.{name} names no {kind} of the robot{meant(name, known)}")
                elif not isinstance(table, Mapping):
                    self.wrong(f"{kind}.{name}", f"is {shown(table)}, must be a table")
                else:
                    self._keys(kind, name, table, keys)

    def _keys(self, kind: str, name: str, table: Mapping[str, Any], keys: Iterable[str]) -> None:
        place = f"{kind}.{name}"
        for key in table:
            if key not in keys:
                hint = meant(key, keys) or f", allowed are {', '.join(keys)}"
                taken = ", which the description has" if kind == "joint" and key in _DESCRIBED else ""
                self.wrong(place, f"{key} is not a key known here{taken}{'' if taken else hint}")
        if kind == "joint" and self.robot.joints.get(name, _NONE).mimic is not None:
            self.wrong(place, "is a mimic joint, which follows another, must be left out")
        if kind == "link" and "beam" not in table:
            for key in ("to", "length", "direction", "mass", "model", "damping"):
                if key in table:
                    self.wrong(place, f"{key} is given, must be given with beam")
        if kind == "link" and "beam" in table and "rigid" in table:
            self.wrong(place, "has both rigid and beam, must have one")

    def wrong(self, place: str, message: str) -> None:
        """Note a mistake."""
        self.problems.append(Problem(place, message))

    def joint_names(self, joint: RobotJoint) -> list[str]:
        """The names of a joint's coordinates."""
        if joint.kind == "floating":
            return [f"{joint.name}.{word}" for word, *_ in (*_FLOATING, *_TURNS)]
        if joint.kind == "planar":
            return [f"{joint.name}.{word}" for word in ("x", "y", "turn")]
        return [joint.name]

    def links(self, name: str) -> list[dict[str, Any]]:
        """The link of that name, behind massless ones where its joint has several coordinates."""
        joint = self.robot.carried.get(name)
        first: dict[str, Any] = {}
        pose: dict[str, Any] = {}
        if joint is not None:
            first["parent"] = joint.parent
            offset = np.array(joint.pose.position)
            if joint.parent in self.beams:
                at, offset = self.beams[joint.parent].place(offset)
                if at is not None:
                    first["parent_at"] = at
            if np.any(offset):
                pose["offset"] = offset.tolist()
            if any(joint.pose.angles):
                pose["rotation"] = list(joint.pose.angles)
        chain = self.chain(name, joint)
        carried: list[dict[str, Any]] = []
        for k, (called, table) in enumerate(chain):
            last = k == len(chain) - 1
            link: dict[str, Any] = {"name": name if last else f"{name}.{called.rpartition('.')[2]}"}
            if k == 0:
                link |= first
                table = {**table, **pose}
            else:
                link["parent"] = carried[-1]["name"]
            link["joint"] = table
            if not last:
                link["rigid"] = {"mass": 0.0, "inertia": 0.0}
            carried.append(link)
        carried[-1] |= self.body(name)
        return carried

    def chain(self, name: str, joint: RobotJoint | None) -> list[tuple[str, dict[str, Any]]]:
        """The joints of a model file, by name, that a joint of the description stands for."""
        if joint is None or joint.kind == "floating":
            if joint is None and not self.free:
                return [("", {"type": "fixed", "name": _FOUNDATION})]
            whole = name if joint is None else joint.name
            axes = np.eye(3).tolist()
            kinds = [(word, kind, axes[k]) for k, (word, kind) in enumerate(_FLOATING)]
            kinds += [(word, kind, list(axis)) for word, kind, axis in _TURNS]
            return [self._one(f"{whole}.{word}", kind, axis, free=True) for word, kind, axis in kinds]
        if joint.kind == "planar":
            across, along, normal = _plane(joint.axis)
            return [
                self._one(f"{joint.name}.x", "prismatic", across),
                self._one(f"{joint.name}.y", "prismatic", along),
                self._one(f"{joint.name}.turn", "revolute", normal),
            ]
        if joint.kind == "fixed":
            return [(joint.name, {"type": "fixed", "name": joint.name})]
        kind = "prismatic" if joint.kind == "prismatic" else "revolute"
        called, table = self._one(joint.name, kind, list(joint.axis))
        described: dict[str, Any] = {"damping": joint.damping, "rotor_inertia": joint.rotor_inertia}
        described |= {"stiffness": joint.stiffness, "rest": joint.rest if joint.stiffness else 0.0}
        if joint.friction:
            self.remarks.append(f"joint {quoted(joint.name)} has a friction of {joint.friction:g}, which is left out")
        if "motor" in table:
            described.pop("rotor_inertia")
        table = {key: value for key, value in described.items() if value} | table
        if joint.mimic is not None:
            table |= self._followed(joint)
        return [(called, table)]

    def _one(self, name: str, kind: str, axis: Any, *, free: bool = False) -> tuple[str, dict[str, Any]]:
        """A joint of a model file with what the table gives it."""
        given = self.joints_given.get(name, {})
        table: dict[str, Any] = {"type": kind, "name": name, "axis": axis, **given}
        if free and not any(table.get(key) for key in ("motion", "torque", "locked")):
            table["free"] = True
        return name, table

    def _followed(self, joint: RobotJoint) -> dict[str, Any]:
        """What a mimic joint does: q = multiplier × that of the joint it follows + offset."""
        factor, offset, leader = 1.0, 0.0, joint
        while leader.mimic is not None:
            offset += factor * leader.mimic.offset
            factor *= leader.mimic.multiplier
            leader = self.robot.joints[leader.mimic.joint]
        given = self.joints_given.get(leader.name, {})
        for key in ("servo", "torque", "free"):
            if given.get(key):
                self.wrong(
                    f"joint.{leader.name}",
                    f"{key} is given, but joint {quoted(joint.name)} mimics this one, which it can do only where the "
                    "motion is prescribed or the joint is locked",
                )
        at = given.get("at", 0.0)
        if not isinstance(at, int | float):
            at = Joint(type="prismatic" if leader.kind == "prismatic" else "revolute", at=at).at
        found: dict[str, Any] = {"at": factor * at + offset}
        if "motion" in given:
            scale = given.get("scale", 1.0)
            found |= {key: given[key] for key in ("motion", "delay", "rate") if key in given}
            # the joint it follows is refused for a scale that is no number
            found["scale"] = factor * scale if isinstance(scale, int | float) else 1.0
        return found

    def body(self, name: str) -> dict[str, Any]:
        """What the link of that name is: rigid, or a beam with the rest of its mass."""
        given = self.links_given.get(name, {})
        inertial = self.robot.links[name].inertial
        if "beam" not in given:
            body = {"rigid": given.get("rigid") or _rigid(inertial)}
            return body | ({"payload": given["payload"]} if "payload" in given else {})
        axis = self._axis(name, given)
        if axis is None:
            return {"rigid": _rigid(inertial)}
        self.beams[name] = axis
        found = {"length": axis.length, "direction": axis.direction.tolist()}
        found |= {key: given[key] for key in ("model", "damping") if key in given}
        payloads = given.get("payload", [])
        payloads = list(payloads) if isinstance(payloads, list | tuple) else [payloads]
        keeps = given.get("mass", MASSES[0])
        if keeps not in MASSES:
            self.wrong(f"link.{name}", f"mass is {shown(keeps)}, must be {either(MASSES)}{meant(keeps, MASSES)}")
        if keeps == "beam":
            return {**found, "beam": given["beam"], **({"payload": payloads} if payloads else {})}
        if any(True for _ in distributions_in(given["beam"], ("beam",))):
            self.wrong(
                f"link.{name}.beam", 'holds a distribution, must be with mass = "beam": the rest would be random'
            )
        materials = self.given.get("material", {})
        kept = beam_with_mass(name, given["beam"], axis, inertial, materials if isinstance(materials, Mapping) else {})
        self.remarks += kept.remarks
        payloads += [kept.payload] if kept.payload is not None else []
        return {**found, "beam": kept.beam, **({"payload": payloads} if payloads else {})}

    def _axis(self, name: str, given: Mapping[str, Any]) -> Axis | None:
        """From the link's frame to the next joint, or as the table has it."""
        place = f"link.{name}"
        if "length" in given:
            if "to" in given:
                self.wrong(place, "to is given with length, must be one or the other")
            return _given_axis(given)
        joints = [joint for joint in self.robot.carries[name] if any(joint.pose.position)]
        moving = [joint for joint in joints if joint.kind != "fixed"] or joints
        if "to" in given:
            moving = [joint for joint in joints if joint.name == given["to"]]
            if not moving:
                known = [joint.name for joint in joints]
                hint = f"must be a joint away from its origin, {either(known)}" if known else "there is none"
                self.wrong(place, f"to is {shown(given['to'])}, {hint}{meant(given['to'], known)}")
                return None
        if len(moving) != 1:
            if moving:
                found = f"{len(moving)} joints stand on it, {either(joint.name for joint in moving)}: to must name one"
            else:
                found = "no joint stands on it away from its origin: length and direction must be given"
            self.wrong(place, f"the end of the beam is not clear: {found}")
            return None
        end = np.array(moving[0].pose.position)
        length = float(np.linalg.norm(end))
        return Axis(end / length, length)


def _given_axis(given: Mapping[str, Any]) -> Axis | None:
    from pydantic import ValidationError

    from flexarm.model.parts.link import Link

    body = {"name": "beam", "joint": {"type": "fixed"}, "rigid": {"mass": 0.0, "inertia": 0.0}}
    body |= {key: given[key] for key in ("length", "direction") if key in given}
    try:
        link = Link.__pydantic_validator__.validate_python(body)
    except ValidationError:
        link = None
    if link is None or not link.length > 0.0:
        raise ModelError([Problem("link", f"length is {shown(given['length'])}, must be a length > 0")])
    return Axis(np.array(link.direction), link.length)


_NONE = RobotJoint("", "fixed", "", "")


def _rigid(inertial: Inertial | None) -> dict[str, Any]:
    if inertial is None:
        return {"mass": 0.0, "inertia": 0.0}
    found: dict[str, Any] = {"mass": inertial.mass, "centre": list(inertial.centre)}
    found["inertia"] = [list(row) for row in inertial.inertia]
    if is_impossible(np.array(inertial.inertia)):
        found["any_inertia"] = True
    return found


def _plane(normal: Triple) -> tuple[list[float], list[float], list[float]]:
    """Two directions in a plane and its normal; x, y and z for z."""
    z = np.array(normal) / np.linalg.norm(normal)
    near = np.eye(3)[0] if abs(z[0]) < 0.9 else np.eye(3)[1]
    x = near - (near @ z) * z
    x /= np.linalg.norm(x)
    return x.tolist(), np.cross(z, x).tolist(), z.tolist()


def _tables(given: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = given.get(key, {})
    return found if isinstance(found, Mapping) else {}


def _arm_name(name: str) -> str:
    kept = "".join(mark for mark in name if mark.isprintable()).strip()[:200]
    return kept or "robot"
