"""The arm's centre line in every mode: what is drawn of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from flexarm.analyses.centreline import centre_line
from flexarm.analyses.points import Seen, see, undeformed
from flexarm.assembly import CompiledArm
from flexarm.model import Arm
from flexarm.results import ModeSet

# How far (m) the point that moves most is moved each way: a millionth part of what is drawn is lost to curvature, less
# to rounding.
_STEP = 1e-6


def mode_lines(found: ModeSet) -> dict[str, Any] | None:
    """The line in equilibrium and its shape in every mode, scaled like the modes; None where the arm is not known.

    link, distance (m): of every point; position (points, 3): in equilibrium, m; shape (modes, points, 3): complex where
    parts of the arm are out of step; twist (points) and twist_shape (modes, points): rotation of the sections about the
    line, rad; joints (rad, m) by name; links: what each link looks like.
    """
    if found.arm is None or not len(found):
        return None
    line = centre_line(found.arm)
    names = line.compiled.coordinate_names
    rest = np.array([[found.at[name] for name in names]])
    moving = [names.index(name) for name in found.coordinates]

    def seen(q: np.ndarray) -> Seen:
        still = np.zeros_like(q)
        return see(line.compiled, np.zeros(len(q)), np.ascontiguousarray(q), still, still)

    def drawn(q: np.ndarray) -> np.ndarray:
        """Places (m) and twist (rad) of the points in one row of four."""
        here = seen(q)
        return np.concatenate(
            [line.positions(here), line.twists(here, seen(undeformed(line.compiled, q)))[..., None]], -1
        )

    def moved(shapes: np.ndarray) -> np.ndarray:
        way = np.zeros((len(found), len(names)))
        way[:, moving] = _STEP * shapes
        return (drawn(rest + way) - drawn(rest - way)) / (2.0 * _STEP)

    shape = moved(found.shapes.real)
    if np.iscomplexobj(found.shapes):
        shape = shape + 1j * moved(found.shapes.imag)
    at_rest = drawn(rest)[0]
    return {
        "link": line.labels["line_link"],
        "distance": np.array(line.labels["line_distance"]),
        "position": at_rest[:, :3],
        "shape": shape[..., :3],
        "twist": at_rest[:, 3],
        "twist_shape": shape[..., 3],
        "joints": joints_at(line.compiled, found.at),
        "links": drawn_links(found.arm),
        "planar": found.arm.planar,
    }


def joints_at(compiled: CompiledArm, at: Mapping[str, float]) -> dict[str, float]:
    """The coordinates of the joints (rad or m) among all coordinates."""
    return {name: float(at[name]) for name in compiled.joint_names}


def drawn_links(arm: Arm) -> list[dict[str, Any]]:
    """What each link looks like: whether it bends, its joint, its hub's radius and where its payloads are (m)."""
    return [
        {
            "name": link.name,
            "flexible": link.beam is not None,
            "joint": link.joint.type,
            "radius": link.radius,
            "payloads": [link.length if each.at is None else each.at for each in link.payloads],
        }
        for link in arm.links
    ]
