"""What might give way in a robot, and how much: sections from geometry and mass, gears from the effort of a joint."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.model.parts.frames import Array
from flexarm.model.parts.material import Material
from flexarm.model.robot.description import Geometry, Robot, RobotJoint, RobotLink

# Torsional stiffness of strain-wave and cycloidal gears over the peak torque their joints allow, 1/rad: 100 to 450 in
# makers' lists, whose rated torque is about half the peak.
GEAR_RATIO = 200.0
# m: what a slide gives way under its greatest force.
SLIDE_YIELDS = 1e-4
# m: a link with less between its joints is a housing.
SHORTEST = 0.005


@dataclass(frozen=True)
class Candidate:
    """A link or a gear that may give way: its name in the elasticity table, the table, and how that was found."""

    kind: str  # "link" or "gear"
    name: str
    table: Mapping[str, Any]
    words: str
    source: str


def chain_to(robot: Robot, tip: str) -> list[str]:
    """The links from the root to the tip."""
    found = [tip]
    while found[-1] in robot.carried:
        found.append(robot.carried[found[-1]].parent)
    return found[::-1]


def candidates_of(
    robot: Robot,
    tip: str,
    given: Mapping[str, Any],
    material: str,
    own: Material,
    share: float,
    held: Mapping[str, float],
) -> tuple[list[Candidate], list[str]]:
    """Every link and gear on the way to the tip, and sentences on those that nothing is known of.

    `given` is the elasticity table, whose beams and gears come before estimates; `share` the part of a link's mass
    that carries load; `held` the greatest torques that hold the robot, for joints without a limit on their effort.
    """
    found, remarks = [], []
    way = chain_to(robot, tip)
    links, joints = given.get("link", {}), given.get("joint", {})
    for name, outer in itertools.pairwise(way[1:]):
        joint = robot.carried[outer]
        table = links.get(name, {})
        if "beam" in table:
            found.append(Candidate("link", name, dict(table), "as in the table", "given"))
            continue
        end = np.array(joint.pose.position)
        length = float(np.linalg.norm(end))
        link = robot.links[name]
        if length < SHORTEST:
            continue
        if link.inertial is None or link.inertial.mass == 0.0:
            remarks.append(f'link "{name}" has no mass, so its section cannot be estimated: it is taken as rigid')
            continue
        diameter, source = _diameter(link, end / length, length)
        area = share * link.inertial.mass / (own.density * length)
        thickness = _thickness(diameter, area)
        section = {"shape": "tube", "diameter": diameter, "thickness": thickness}
        if thickness >= 0.499 * diameter:
            section = {"shape": "circle", "diameter": diameter}
        words = f"{1e3 * diameter:.0f} mm × {1e3 * thickness:.2g} mm {material}, {1e3 * length:.0f} mm long"
        beam = {"section": section, "material": material}
        found.append(Candidate("link", name, {"beam": beam, "to": joint.name}, words, source))
    for name in way[1:]:
        joint = robot.carried[name]
        if joint.kind in ("fixed", "planar", "floating"):
            continue
        if "gear" in joints.get(joint.name, {}):
            found.append(
                Candidate("gear", joint.name, {"gear": joints[joint.name]["gear"]}, "as in the table", "given")
            )
            continue
        stiffness, source = _gear(joint, held.get(joint.name, 0.0))
        if stiffness is None:
            remarks.append(f'joint "{joint.name}" has no limit of effort and holds nothing: its gear is taken as rigid')
            continue
        unit = "N/m" if joint.kind == "prismatic" else "N m/rad"
        words = f"{stiffness:.3g} {unit}"
        found.append(Candidate("gear", joint.name, {"gear": {"stiffness": stiffness}}, words, source))
    return found, remarks


def _gear(joint: RobotJoint, held: float) -> tuple[float | None, str]:
    effort, source = joint.effort, "effort limit"
    if not effort or effort <= 0.0:
        effort, source = 2.0 * held, "twice the greatest holding torque"
    if effort <= 0.0:
        return None, ""
    return (effort / SLIDE_YIELDS if joint.kind == "prismatic" else GEAR_RATIO * effort), source


def _diameter(link: RobotLink, axis: Array, length: float) -> tuple[float, str]:
    """The diameter (m) of a tube that fills the link across its axis: from its shapes, else from its inertia."""
    shapes = [shape for shape in (*link.collisions, *link.visuals) if shape.kind != "mesh"]
    if shapes:
        return _across(shapes, axis), "shapes"
    assert link.inertial is not None
    # a thin tube of radius r has the moment m r² about its axis; what is off the axis adds to it, so the least counts
    about = float(axis @ np.array(link.inertial.inertia) @ axis)
    radius = math.sqrt(max(about, 0.0) / link.inertial.mass)
    return float(np.clip(2.0 * radius, 0.02 * length, 2.0 * length)), "inertia"


def _across(shapes: Sequence[Geometry], axis: Array) -> float:
    """The lesser of the extents (m) of the shapes in two directions across the axis."""
    corners = np.concatenate([_corners(shape) for shape in shapes])
    near = np.eye(3)[int(np.argmin(np.abs(axis)))]
    one = np.cross(axis, near) / np.linalg.norm(np.cross(axis, near))
    return float(min(np.ptp(corners @ one), np.ptp(corners @ np.cross(axis, one))))


def _corners(shape: Geometry) -> Array:
    """Corners (8, 3) of the box around a shape, in the link's frame."""
    size = shape.size
    if shape.kind == "box":
        half = np.array(size) / 2
    elif shape.kind == "sphere":
        half = np.full(3, size[0])
    else:
        half = np.array([size[0], size[0], size[1] / 2 + (size[0] if shape.kind == "capsule" else 0.0)])
    signs = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
    return np.asarray((signs * half) @ shape.pose.rotation.T + np.array(shape.pose.position))


def _thickness(diameter: float, area: float) -> float:
    """The wall (m) of a tube of this section: π t (D − t) = A; half the diameter where it is full."""
    square = diameter * diameter - 4.0 * area / math.pi
    return 0.5 * (diameter - math.sqrt(square)) if square > 0.0 else 0.5 * diameter
