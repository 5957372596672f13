"""The bending stress along an arm's line, where sections and materials are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from flexarm.model import Arm, Link
from flexarm.results import Trajectory

Floats = np.ndarray
_PLANES = ("curvature_y", "curvature_z")


def section_strain(link: Link, at: Any, about_y: Any, about_z: Any) -> Floats | None:
    """The largest strain bending makes anywhere in the section a part `at` of the way along a beam, from its curvatures
    (1/m) about y and z; None where the section is not known.

    At the corner of a rectangle both planes add, round the rim of a circle as at right angles.
    """
    stations = () if link.beam is None else link.beam.stations
    sections = [each.section for _, each in stations if each.section is not None]
    known = [(at, each.section.reach) for at, each in stations if each.section is not None and each.section.reach]
    if not known:
        return None
    places = [place for place, _ in known]
    along_y, along_z = (np.interp(np.asarray(at), places, [reach[k] for _, reach in known]) for k in (0, 1))
    parts = np.abs(about_z) * along_y, np.abs(about_y) * along_z
    return np.asarray(np.hypot(*parts) if sections[0].is_round else parts[0] + parts[1])


def line_stress(run: Trajectory, arm: Arm) -> Floats | None:
    """The largest bending stress (frames, points) of the sections along the line of a run, Pa; NaN where not known."""
    if not run.labels("station"):
        return None
    samples = np.clip(np.searchsorted(run.time, run.values("frame_time")), 0, len(run.time) - 1)
    values = {name: np.asarray(run.values(name))[samples] for name in _PLANES if name in run.variables}
    outside = {
        name: run.values("joint_position")[samples, j]
        for j, name in enumerate(run.labels("joint"))
        if arm.link(name).joint.sleeve
    }
    return _along_line(
        arm,
        run.labels("station_link"),
        run.values("station_position"),
        values,
        run.labels("line_link"),
        run.values("line_distance"),
        outside,
    )


def equilibrium_stress(data: Mapping[str, Any], arm: Arm) -> Floats | None:
    """The same (points) of an arm in equilibrium, from the data of its page."""
    stations, line = data.get("stations"), data.get("line")
    if not stations or not line:
        return None
    values = {name: np.asarray(stations["values"][name], float)[None] for name in _PLANES if name in stations["values"]}
    joints = line.get("joints") or {}
    outside = {
        link.name: np.array([joints[link.name]]) for link in arm.links if link.joint.sleeve and link.name in joints
    }
    places = np.asarray(stations["position"], float)
    found = _along_line(arm, stations["link"], places, values, line["link"], np.asarray(line["distance"]), outside)
    return None if found is None else found[0]


def _along_line(
    arm: Arm,
    station_links: Sequence[str],
    places: Floats,
    curvatures: Mapping[str, Floats],
    line_links: Sequence[str],
    distances: Floats,
    outside: Mapping[str, Floats],
) -> Floats | None:
    """Stress at the points of the line (frames, points) from the curvatures (frames, stations); between stations of a
    link it goes straight. `outside` (frames) is how much of a beam is outside its sleeve (m), by link.
    """
    if not curvatures:
        return None
    frames = len(next(iter(curvatures.values())))
    found = np.full((frames, len(line_links)), np.nan)
    for link in arm.links:
        here = np.flatnonzero([each == link.name for each in station_links])
        points = np.flatnonzero([each == link.name for each in line_links])
        material = None if link.beam is None else link.beam.material_data
        if not len(here) or not len(points) or material is None:
            continue
        along = np.clip(distances[points], 0.0, link.length)
        at = along / link.length
        if link.name in outside:
            at = 1.0 - (1.0 - at) * outside[link.name][:, None] / link.length
        bent = (_between(places, curvatures.get(name), here, along, frames) for name in _PLANES)
        strain = section_strain(link, at, *bent)
        if strain is not None:
            found[:, points] = material.youngs_modulus * strain
    return found if np.isfinite(found).any() else None


def _between(places: Floats, values: Floats | None, here: Floats, along: Floats, frames: int) -> Floats:
    """A curvature (frames, points) at distances along a beam, from those of its stations that know it; else nothing."""
    known = here if values is None else here[np.isfinite(values[:, here]).all(axis=0)]
    if values is None or not len(known):
        return np.zeros((frames, len(along)))
    known = known[np.argsort(places[known], kind="stable")]
    return np.array([np.interp(along, places[known], row) for row in values[:, known]])
