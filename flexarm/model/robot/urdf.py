"""URDF read into a description: every mistake in a file at once, each with its line; what is not used is remarked."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from flexarm.errors import ModelError, Problem
from flexarm.model.parts.frames import Triple
from flexarm.model.parts.inertia import PRINTED_DIGITS
from flexarm.model.reading.messages import either, meant, quoted
from flexarm.model.robot.description import (
    KINDS,
    ORIGIN,
    Geometry,
    Inertial,
    Mimic,
    Pose,
    Robot,
    RobotJoint,
    RobotLink,
    is_impossible,
    turned_inertia,
)
from flexarm.model.robot.tree import ordered
from flexarm.model.robot.xml import Element

# What a description may hold that says nothing about dynamics, and what is in a joint or a link besides what is read.
IGNORED = ("transmission", "gazebo", "sensor", "ros2_control", "group", "loop", "motor_group")
_KNOWN = {"link", "joint", "material"}
_LINK_PARTS = {"inertial", "visual", "collision", "gazebo", "sensor", "self_collision_checking", "contact", "verbose"}
_JOINT_PARTS = {
    *("parent", "child", "origin", "axis", "limit", "dynamics", "mimic", "calibration", "safety_controller", "spring"),
    *("gazebo", "verbose", "safety", "transmission", "sensor", "hardwareInterface", "actuator", "mechanicalReduction"),
}
_LARGEST = 1e50
# kg m²: moments that descriptions hold in the place of zero.
_ROUNDED = 1e-12


def read_urdf(root: Element, source: str) -> Robot:
    """The robot in a URDF."""
    return _Reader(source).robot(root)


class _Reader:
    """What was found wrong, and what was left out."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self.remarks: list[str] = []

    def wrong(self, line: int, what: str, message: str) -> None:
        """Note a mistake."""
        self.problems.append(Problem(f"line {line}", f"{what}: {message}" if what else message))

    def robot(self, root: Element) -> Robot:
        """The whole description."""
        if root.tag != "robot":
            self.wrong(root.line, "", f"the outermost tag is <{root.tag}>, must be <robot>")
            raise ModelError(self.problems, source=self.source)
        macros = [child for child in root.children if child.tag.startswith("xacro:")]
        if macros:
            self.wrong(
                macros[0].line, "", f"<{macros[0].tag}> is a macro, must be expanded first: xacro FILE > robot.urdf"
            )
            raise ModelError(self.problems, source=self.source)
        links = self._once([self._link(each) for each in root.all("link")], "link")
        joints = self._once([self._joint(each, links) for each in root.all("joint")], "joint")
        self._mimics(joints)
        self._ignored(root)
        if not links:
            self.wrong(root.line, "", "there is no <link>, must be at least one")
        order = ordered(links, joints, self.wrong) if not self.problems else ()
        if self.problems:
            raise ModelError(sorted(self.problems, key=_line), source=self.source)
        carried = {joint.child: joint for joint in joints.values()}
        carries: dict[str, list[RobotJoint]] = {name: [] for name in links}
        for joint in joints.values():
            carries[joint.parent].append(joint)
        self._massless(links)
        name = root.get("name") or "robot"
        on = {link: tuple(found) for link, found in carries.items()}
        return Robot(name, links, joints, order, tuple(self.remarks), None, carried, on)

    def _once(self, found: Sequence, what: str) -> dict:  # type: ignore[type-arg]
        by_name: dict = {}  # type: ignore[type-arg]
        for each in found:
            if each.name in by_name:
                self.wrong(each.line, "", f"{what} {quoted(each.name)} is there twice, names must be unique")
            by_name[each.name] = each
        return by_name

    def _link(self, element: Element) -> RobotLink:
        name = self._name(element)
        what = f"link {quoted(name)}"
        inertial = element.first("inertial")
        found = None if inertial is None else self._inertial(inertial, what)
        shapes = {
            tag: tuple(filter(None, (self._shape(each, what) for each in element.all(tag))))
            for tag in ("visual", "collision")
        }
        self._unknown(element, what, _LINK_PARTS)
        return RobotLink(name, found, shapes["visual"], shapes["collision"], element.line)

    def _inertial(self, element: Element, what: str) -> Inertial:
        pose = self._pose(element, what)
        mass = self._within(element, "mass", what)
        value = 0.0 if mass is None else self._number(mass, "value", what, needed=True)
        if value < 0.0:
            self.wrong(mass.line if mass else element.line, what, f"mass is {value:g} kg, must be ≥ 0")
        tensor = element.first("inertia")
        if tensor is None:
            self.remarks.append(f"line {element.line}: {what} has a mass but no <inertia>: it is taken as a point mass")
            return Inertial(value, pose.position, ((0.0,) * 3,) * 3)  # type: ignore[arg-type]
        xx, xy, xz, yy, yz, zz = (
            self._number(tensor, key, what, needed=key in ("ixx", "iyy", "izz"))
            for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        )
        matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        self._possible(matrix, tensor.line, what)
        return Inertial(value, pose.position, turned_inertia(pose.rotation, matrix))

    def _possible(self, matrix: np.ndarray, line: int, what: str) -> None:
        if np.any(np.diag(matrix) < -max(_ROUNDED, PRINTED_DIGITS * float(np.max(np.abs(matrix))))):
            self.wrong(line, what, "inertia has a negative moment among ixx, iyy and izz, must have none")
        elif is_impossible(matrix):
            low, middle, high = np.linalg.eigvalsh(matrix)
            why = "one is negative" if low < 0.0 else "the largest exceeds the sum of the others"
            self.remarks.append(
                f"line {line}: {what} has the principal moments {low:.4g}, {middle:.4g} and {high:.4g} kg m², which no "
                f"body has: {why}; they are taken as they stand"
            )

    def _shape(self, element: Element, what: str) -> Geometry | None:
        geometry = element.first("geometry")
        pose = self._pose(element, what)
        kinds = [] if geometry is None else [child for child in geometry.children if child.tag in _SIZES]
        if not kinds:
            return None  # shapes are drawn where they are known; dynamics does not need them
        shape = kinds[0]
        colour = self._colour(element)
        if shape.tag == "mesh":
            scale = self._triple(shape, "scale", what, (1.0, 1.0, 1.0))
            return Geometry("mesh", pose, scale, shape.get("filename") or "", colour)
        size: list[float] = []
        for key, count in _SIZES[shape.tag]:
            size += (
                self._triple(shape, key, what, ORIGIN) if count == 3 else [self._number(shape, key, what, needed=True)]
            )
        return Geometry(shape.tag, pose, tuple(size), "", colour)

    def _colour(self, element: Element) -> tuple[float, ...] | None:
        material = element.first("material")
        colour = None if material is None else material.first("color")
        try:
            found = tuple(float(word) for word in (colour.get("rgba") or "").split()) if colour else ()
        except ValueError:
            return None
        return found if len(found) == 4 else None

    def _joint(self, element: Element, links: dict[str, RobotLink]) -> RobotJoint:
        name = self._name(element)
        what = f"joint {quoted(name)}"
        kind = element.get("type") or ""
        if kind not in KINDS:
            shown = quoted(kind) if kind else "missing"
            self.wrong(element.line, what, f"type is {shown}, must be {either(KINDS)}{meant(kind, KINDS)}")
        ends = []
        for tag in ("parent", "child"):
            end = element.first(tag)
            link = None if end is None else end.get("link")
            if link is None:
                self.wrong(element.line, what, f'has no <{tag} link="…"/>, must have one')
            elif link not in links:
                known = list(links)
                line = element.line if end is None else end.line
                self.wrong(line, what, f"{tag} is {quoted(link)}, must be the name of a link{meant(link, known)}")
            ends.append(link or "")
        limit, dynamics = element.first("limit"), element.first("dynamics")
        lower = upper = effort = rate = None
        if limit is not None:
            lower, upper = (self._maybe(limit, key, what) for key in ("lower", "upper"))
            effort, rate = (self._maybe(limit, key, what) for key in ("effort", "velocity"))
            if kind in ("revolute", "prismatic"):
                lower, upper = lower or 0.0, upper or 0.0  # what URDF gives to those that are left out
            if lower is not None and upper is not None and lower > upper:
                self.wrong(limit.line, what, f"lower is {lower:g}, must be ≤ upper, {upper:g}")
        elif kind in ("revolute", "prismatic"):
            self.remarks.append(f"line {element.line}: {what} has no <limit>: it may go anywhere")
        spring = element.first("spring")  # flexarm's own, see `export`
        stiffness, rest, rotor = (
            0.0 if spring is None else self._number(spring, key, what) for key in ("stiffness", "rest", "rotor_inertia")
        )
        damping, friction = (
            0.0 if dynamics is None else self._number(dynamics, key, what) for key in ("damping", "friction")
        )
        for key, value in (("damping", damping), ("friction", friction)):
            if value < 0.0:
                self.wrong(dynamics.line if dynamics else 0, what, f"{key} is {value:g}, must be ≥ 0")
        self._unknown(element, what, _JOINT_PARTS)
        return RobotJoint(
            name,
            kind,
            ends[0],
            ends[1],
            self._pose(element, what),
            self._axis(element, kind, what),
            lower=lower,
            upper=upper,
            effort=effort,
            rate=rate,
            damping=damping,
            friction=friction,
            mimic=self._mimic(element, what),
            rotor_inertia=rotor,
            stiffness=stiffness,
            rest=rest,
            line=element.line,
        )

    def _axis(self, element: Element, kind: str, what: str) -> Triple:
        axis = element.first("axis")
        if axis is None or kind in ("fixed", "floating"):
            return (1.0, 0.0, 0.0)
        found = self._triple(axis, "xyz", what, (1.0, 0.0, 0.0))
        size = math.hypot(*found)
        if not size > 0.0:
            self.wrong(axis.line, what, "axis is 0 0 0, must point somewhere")
            return (1.0, 0.0, 0.0)
        if abs(size - 1.0) > 1e-3:
            self.remarks.append(f"line {axis.line}: {what} has an axis of length {size:.6g}: its direction is taken")
        return found

    def _mimic(self, element: Element, what: str) -> Mimic | None:
        mimic = element.first("mimic")
        if mimic is None:
            return None
        joint = mimic.get("joint")
        if joint is None:
            self.wrong(mimic.line, what, 'mimic has no joint="…", must name one')
        return Mimic(
            joint or "", self._number(mimic, "multiplier", what, 1.0), self._number(mimic, "offset", what, 0.0)
        )

    def _mimics(self, joints: dict[str, RobotJoint]) -> None:
        for joint in list(joints.values()):
            if joint.mimic is None or not joint.mimic.joint:
                continue
            seen, other = {joint.name}, joint.mimic.joint
            while True:
                if other not in joints:
                    hint = meant(other, list(joints))
                    self.remarks.append(
                        f"line {joint.line}: joint {quoted(joint.name)} mimics {quoted(other)}, which is not "
                        f"there{hint}: it follows none"
                    )
                    joints[joint.name] = replace(joint, mimic=None)
                    break
                if other in seen:
                    self.wrong(joint.line, f"joint {quoted(joint.name)}", "mimics itself, must mimic another")
                    break
                seen.add(other)
                further = joints[other].mimic
                if further is None:
                    break
                other = further.joint

    def _ignored(self, root: Element) -> None:
        counted = Counter(child.tag for child in root.children if child.tag not in _KNOWN)
        for tag, count in counted.items():
            line = next(root.all(tag)).line
            known = "are ignored" if tag in IGNORED else "are not known and ignored"
            many = f"{count} <{tag}> tags" if count > 1 else f"a <{tag}> tag"
            self.remarks.append(f"line {line}: {many} {known if count > 1 else known.replace('are', 'is')}")

    def _unknown(self, element: Element, what: str, known: Iterable[str]) -> None:
        for child in element.children:
            if child.tag not in known and ":" not in child.tag:
                self.remarks.append(f"line {child.line}: {what}: <{child.tag}> is not known and ignored")

    def _massless(self, links: dict[str, RobotLink]) -> None:
        bare = [link.name for link in links.values() if link.inertial is None and (link.visuals or link.collisions)]
        if bare:
            named = ", ".join(map(quoted, bare[:3])) + (", …" if len(bare) > 3 else "")
            count = "1 link has" if len(bare) == 1 else f"{len(bare)} links have"
            self.remarks.append(f"{count} a shape but no <inertial> ({named}) and no mass here")

    def _name(self, element: Element) -> str:
        name = element.get("name")
        if not name:
            self.wrong(element.line, f"<{element.tag}>", "has no name, must have one")
        return name or ""

    def _within(self, element: Element, tag: str, what: str) -> Element | None:
        found = element.first(tag)
        if found is None:
            self.wrong(element.line, what, f"<{element.tag}> has no <{tag}>, must have one")
        return found

    def _pose(self, element: Element, what: str) -> Pose:
        origin = element.first("origin")
        if origin is None:
            return Pose()
        return Pose(self._triple(origin, "xyz", what, ORIGIN), self._triple(origin, "rpy", what, ORIGIN))

    def _triple(self, element: Element, key: str, what: str, default: Triple) -> Triple:
        text = element.get(key)
        if text is None or not text.strip():
            return default
        words = text.split()
        if len(words) == 1 and key == "scale":
            words *= 3
        values = [self._float(word) for word in words]
        if len(values) != 3 or None in values:
            hint = _hint(text)
            self.wrong(element.line, what, f"{key} is {quoted(text)}, must be three numbers{hint}")
            return default
        return values[0], values[1], values[2]  # type: ignore[return-value]

    def _number(self, element: Element, key: str, what: str, default: float = 0.0, *, needed: bool = False) -> float:
        text = element.get(key)
        if text is None:
            if needed:
                self.wrong(element.line, what, f"<{element.tag}> has no {key}, must have one")
            return default
        value = self._float(text)
        if value is None:
            self.wrong(element.line, what, f"{key} is {quoted(text)}, must be a number{_hint(text)}")
            return default
        return value

    def _maybe(self, element: Element, key: str, what: str) -> float | None:
        """A limit; some are printed as infinite."""
        text = element.get(key)
        if text is None:
            return None
        try:
            if math.isinf(float(text)):
                return None
        except ValueError:
            pass
        return self._number(element, key, what)

    @staticmethod
    def _float(word: str) -> float | None:
        try:
            value = float(word)
        except ValueError:
            return None
        return value if "_" not in word and abs(value) <= _LARGEST else None


_SIZES: dict[str, tuple[tuple[str, int], ...]] = {
    "box": (("size", 3),),
    "cylinder": (("radius", 1), ("length", 1)),
    "capsule": (("radius", 1), ("length", 1)),
    "sphere": (("radius", 1),),
    "mesh": (),
}


def _hint(text: str) -> str:
    return "; macros must be expanded first: xacro FILE > robot.urdf" if "${" in text else ""


def _line(problem: Problem) -> int:
    return int(problem.place.removeprefix("line ") or 0)
