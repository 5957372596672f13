"""The arm's centre line in every mode: what is drawn of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.analyses.centreline import centre_line
from flexarm.analyses.points import see
from flexarm.model import Arm
from flexarm.results import ModeSet

# How far (m) the point that moves most is moved each way: a millionth part of what is drawn is lost to curvature, less
# to rounding.
_STEP = 1e-6


def mode_lines(found: ModeSet) -> dict[str, Any] | None:
    """The line in equilibrium and its shape in every mode, scaled like the modes; None where the arm is not known.

    link, distance (m): of every point; position (points, 3): in equilibrium, m; shape (modes, points, 3): complex where
    parts of the arm are out of step; links: what each link looks like.
    """
    if found.arm is None or not len(found):
        return None
    line = centre_line(found.arm)
    names = line.compiled.coordinate_names
    rest = np.array([[found.at[name] for name in names]])
    moving = [names.index(name) for name in found.coordinates]

    def places(q: np.ndarray) -> np.ndarray:
        still = np.zeros_like(q)
        return np.asarray(line.positions(see(line.compiled, np.zeros(len(q)), np.ascontiguousarray(q), still, still)))

    def moved(shapes: np.ndarray) -> np.ndarray:
        way = np.zeros((len(found), len(names)))
        way[:, moving] = _STEP * shapes
        return (places(rest + way) - places(rest - way)) / (2.0 * _STEP)

    shape = moved(found.shapes.real)
    if np.iscomplexobj(found.shapes):
        shape = shape + 1j * moved(found.shapes.imag)
    return {
        "link": line.labels["line_link"],
        "distance": np.array(line.labels["line_distance"]),
        "position": places(rest)[0],
        "shape": shape,
        "links": drawn_links(found.arm),
        "planar": found.arm.planar,
    }


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
