"""An arm that stands still, drawn as moving ones are."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.model import Arm
from flexarm.report.arm.drawn import drawn_solid
from flexarm.report.arm.moving import drawn_scale
from flexarm.report.page import ArmLink, MovingArm, largest
from flexarm.report.result_data import Data


def sagged_arm(line: Data, words: str, arm: Arm | None = None, stress: Any = None) -> MovingArm:
    """The arm in equilibrium, with the rigid arm beside it; `stress` (points) of its sections, Pa."""
    unbent, bent = np.asarray(line["unbent"], dtype=float), np.asarray(line["position"], dtype=float)
    away = bent - unbent
    return MovingArm(
        links=line_links(line),
        times=[0.0],
        corners=unbent[None],
        corner_points=range(len(unbent)),
        distances=np.arange(len(unbent), dtype=float),
        deflections=away[None],
        planar=bool(line["planar"]),
        scale=drawn_scale(largest(away), _reach(unbent)),
        solid=drawn_solid(
            arm, line["link"], line["distance"], line.get("joints") or {}, twist=line.get("twist"), stress=stress
        ),
        title="The arm in equilibrium",
        words=words,
    )


def posed_arm(arm: Arm, words: str) -> MovingArm:
    """The undeformed arm in its initial posture."""
    links, distances = _points(arm)
    drawn = drawn_solid(arm, links, distances, {link.name: link.joint.at for link in arm.links})
    assert drawn is not None
    place, _ = drawn.solid.unbent({})
    found = []
    for link in arm.links:
        span = drawn.solid.span(link.name)
        where = [j for j, name in enumerate(links) if name == link.name]
        tip = span.end if span.beyond is None else span.beyond
        own = np.array(where)
        loads = [
            tip if load.at is None else int(own[np.argmin(np.abs(np.array(distances)[own] - load.at))])
            for load in link.payloads
        ]
        found.append(ArmLink(link.name, where[0], where[-1], link.beam is not None, link.joint.type, span.joint, loads))
    return MovingArm(
        links=found,
        times=[0.0],
        corners=place[None],
        corner_points=range(len(place)),
        distances=np.arange(len(place), dtype=float),
        deflections=np.zeros((1, *place.shape)),
        planar=arm.planar,
        solid=drawn,
        title="The arm in its initial posture",
        words=words,
    )


def _points(arm: Arm) -> tuple[list[str], list[float]]:
    """Link and distance along it (m) of the points an unbent arm is drawn through, base to tip."""
    links: list[str] = []
    distances: list[float] = []
    for index in arm.base_to_tip:
        link = arm.links[index]
        joint, beyond = link.joint, float(np.linalg.norm(link.tip_offset))
        shift = float(np.linalg.norm(joint.offset))
        own = [0.0, *sorted(load.at for load in link.payloads if load.at is not None and 0.0 < load.at < link.length)]
        # an offset, or the way of a sliding joint, is drawn with the link
        if shift > 0.0 or (joint.type == "prismatic" and not joint.sleeve):
            own.insert(0, -link.radius - shift)
        if link.radius > 0.0:
            own.insert(own.index(0.0), -link.radius)
        own += [link.length] if link.length > 0.0 else []
        own += [link.length + beyond] if beyond > 0.0 else []
        links += [link.name] * len(own)
        distances += own
    return links, distances


def line_links(line: Data) -> list[ArmLink]:
    """The links of an arm's line as they are drawn."""
    owner, distances = list(line["link"]), np.asarray(line["distance"], dtype=float)
    found = []
    for link in line["links"]:
        where = [j for j, name in enumerate(owner) if name == link["name"]]
        if not where:
            continue
        begin = min(reversed(where), key=lambda j: abs(distances[j] + link["radius"]))
        loads = [min(where, key=lambda j: abs(distances[j] - at)) for at in link["payloads"]]
        found.append(ArmLink(link["name"], where[0], where[-1], link["flexible"], link["joint"], begin, loads))
    return found


def _reach(place: np.ndarray) -> float:
    return float(np.ptp(np.vstack([place, np.zeros(3)]), axis=0).max()) or 1.0
