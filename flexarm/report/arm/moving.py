"""The moving arm of a run, from the centre line the run keeps."""

from __future__ import annotations

from typing import Literal

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.model import Arm
from flexarm.report.arm.drawn import DrawnSolid, drawn_solid
from flexarm.report.arm.stress import line_stress
from flexarm.report.page import ArmLink, MovingArm, largest
from flexarm.results import Trajectory

Joint = Literal["revolute", "prismatic", "fixed"]

# Deflections smaller than this part of the arm are drawn larger at first, up to it.
_SEEN = 0.04
_ROUND = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def moving_arm(run: Trajectory) -> list[MovingArm]:
    """The arm in motion; nothing where the run, made before runs kept it, has no centre line."""
    if "line_deflection" not in run.variables or "line_corner_position" not in run.variables:
        return []
    deflections, corners = run.values("line_deflection"), run.values("line_corner_position")
    owner = run.labels("line_link")
    reach = float(np.ptp(corners.reshape(-1, 3), axis=0).max()) or 1.0
    scale = drawn_scale(largest(deflections), reach)
    tip = _tip_point(run, owner)
    words = "The pale arm is the same arm with rigid links, the thin line the path of the tip."
    return [
        MovingArm(
            links=_links(run, owner),
            times=run.values("frame_time"),
            corners=corners,
            corner_points=np.flatnonzero(run.values("line_corner")).tolist(),
            distances=run.values("line_distance"),
            deflections=deflections,
            planar=_is_planar(run),
            scale=scale,
            traced=tip,
            words=words if largest(deflections) > 0.0 else "The thin line is the path of the tip.",
            solid=_solid(run, owner),
        )
    ]


def drawn_scale(deflection: float, reach: float) -> int:
    """A round factor that makes the largest deflection a visible part of the arm, 1 where it is so already."""
    if not deflection > 0.0:
        return 1
    wanted = _SEEN * reach / deflection
    return max((factor for factor in _ROUND if factor <= wanted), default=1)


def _links(run: Trajectory, owner: tuple[str, ...]) -> list[ArmLink]:
    """The links of the line, with their joints if the model is known."""
    distances = run.values("line_distance")
    kinds = _kinds(run)
    links = []
    for name in dict.fromkeys(owner):
        where = [j for j, link in enumerate(owner) if link == name]
        flexible, joint, radius, payloads = kinds.get(name, (len(where) > 3, "revolute", 0.0, ()))
        begin = min(reversed(where), key=lambda j: abs(distances[j] + radius))
        at = [min(where, key=lambda j: abs(distances[j] - place)) for place in payloads]
        links.append(ArmLink(name, where[0], where[-1], flexible, joint, begin, at))
    return links


def _solid(run: Trajectory, owner: tuple[str, ...]) -> DrawnSolid | None:
    """The solid arm of the run, coloured by its bending stress where sections and materials are known."""
    arm, times = _arm(run), run.values("frame_time")
    joints = {
        name: np.interp(times, run.time, run.values("joint_position")[:, j])
        for j, name in enumerate(run.labels("joint"))
    }
    twist = run.values("line_twist") if "line_twist" in run.variables else None
    stress = None if arm is None else line_stress(run, arm)
    return drawn_solid(arm, owner, run.values("line_distance"), joints, twist=twist, stress=stress)


def _arm(run: Trajectory) -> Arm | None:
    """The model of the run; None where it cannot be read."""
    try:
        return run.arm
    except FlexarmError:
        return None


def _kinds(run: Trajectory) -> dict[str, tuple[bool, Joint, float, tuple[float, ...]]]:
    """Whether each link bends, its joint, its hub's radius and where its payloads stand (m); nothing where the model
    cannot be read.
    """
    arm = _arm(run)
    return (
        {}
        if arm is None
        else {
            link.name: (
                link.beam is not None,
                link.joint.type,
                link.radius,
                tuple(link.length if payload.at is None else payload.at for payload in link.payloads),
            )
            for link in arm.links
        }
    )


def _is_planar(run: Trajectory) -> bool:
    return (
        float(np.ptp(run.values("line_corner_position")[..., 2])) + largest(run.values("line_deflection")[..., 2])
        == 0.0
    )


def _tip_point(run: Trajectory, owner: tuple[str, ...]) -> int:
    """The point of the line that is the run's point called tip, else the last."""
    if "tip" not in run.labels("point") or "point_position" not in run.variables or not run.time.size:
        return len(owner) - 1
    tip = run.values("point_position")[0, run.labels("point").index("tip")]
    distances, corners = run.values("line_distance"), run.values("line_corner_position")[0]
    at = np.flatnonzero(run.values("line_corner"))
    deflections = run.values("line_deflection")[0]
    here = corners + deflections[at]
    away = np.linalg.norm(here - tip, axis=1)
    # of several corners at the same place the last
    near = np.flatnonzero(away <= away.min() + 1e-6 * (1.0 + float(np.abs(distances).max())))
    return int(at[near[-1]])
