"""Drawing data of an arm in equilibrium: its centre line, sagged and rigid, what its beams carry, its model file."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.analyses.centreline import centre_line
from flexarm.analyses.modes.lines import drawn_links, joints_at
from flexarm.analyses.points import see, undeformed
from flexarm.analyses.stations import station_values
from flexarm.assembly import compile_arm, without_servos
from flexarm.results import Equilibrium
from flexarm.results.reported import made_from


def equilibrium_curves(found: Equilibrium) -> dict[str, Any]:
    """The model file, the versions, and where the arm is known `line` and `stations`.

    line: link, distance (m) of every point, position (points, 3) in equilibrium and unbent (m, base frame), twist
    (points, rad) of the sections, joints (rad, m) by name, links as they look, planar. stations: link, position (m)
    along it, and values by name, SI.
    """
    arm = found.arm
    if arm is None:
        return made_from(None)
    line = centre_line(arm)
    q = np.array([[found.at[name] for name in line.compiled.coordinate_names]])
    states = np.ascontiguousarray(np.concatenate([q, undeformed(line.compiled, q)]))
    still = np.zeros_like(states)
    seen, unbent = (see(line.compiled, np.zeros(1), each[None], still[:1], still[:1]) for each in states)
    bent, rigid = line.positions(seen)[0], line.positions(unbent)[0]
    compiled = without_servos(compile_arm(arm, closed=True))
    return made_from(arm) | {
        "line": {
            "link": line.labels["line_link"],
            "distance": line.labels["line_distance"],
            "position": bent,
            "unbent": line.unbent(rigid[None, line.corners])[0],
            "twist": line.twists(seen, unbent)[0],
            "joints": joints_at(line.compiled, found.at),
            "links": drawn_links(arm),
            "planar": arm.planar,
        },
        "stations": {
            "link": [place.link for place in compiled.stations],
            "position": [place.position for place in compiled.stations],
            "values": {name: values[0] for name, values in station_values(compiled, q, np.zeros_like(q)).items()},
        },
    }
