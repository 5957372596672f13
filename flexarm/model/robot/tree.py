"""The tree a robot's joints make of its links: one root, every other link carried once, no loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flexarm.model.reading.messages import quoted
from flexarm.model.robot.description import RobotJoint, RobotLink


def ordered(
    links: Mapping[str, RobotLink], joints: Mapping[str, RobotJoint], wrong: Callable[[int, str, str], None]
) -> tuple[str, ...]:
    """The names of the links from the root outwards, chain by chain in the order of the file; mistakes are noted."""
    carried: dict[str, RobotJoint] = {}
    carries: dict[str, list[str]] = {name: [] for name in links}
    for joint in joints.values():
        if joint.child in carried:
            other = quoted(carried[joint.child].name)
            wrong(
                joint.line,
                f"joint {quoted(joint.name)}",
                f"child is {quoted(joint.child)}, which joint {other} carries already, must be one that none carries",
            )
            continue
        carried[joint.child] = joint
        carries[joint.parent].append(joint.child)
    roots = [name for name in links if name not in carried]
    if len(roots) > 1:
        for name in roots[1:]:
            wrong(
                links[name].line,
                f"link {quoted(name)}",
                f"no joint carries it, and none carries {quoted(roots[0])}: only one link may be the root",
            )
    found: list[str] = []
    pending = roots[:1]
    while pending:
        name = pending.pop()
        found.append(name)
        pending += reversed(carries[name])
    if len(roots) <= 1 and len(found) < len(links):
        lost = next(name for name in links if name not in found)
        wrong(links[lost].line, f"link {quoted(lost)}", "its joints lead back to itself, must lead to a root")
    return tuple(found)
