"""Dry friction, stops and backlash of an arm's joints in the engine's form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from flexarm.batched import array
from flexarm.core.tree.types import C_WIDTH, W_WIDTH, Floats, Ints
from flexarm.errors import AnalysisError
from flexarm.model import Arm, Joint, Link


def contacts_of(arm: Arm, coordinates: Mapping[str, int], torques: Mapping[int, int]) -> tuple[Ints, Floats]:
    """Places (n, W_WIDTH) and numbers (n, C_WIDTH) of all joints that have any; `torques`: laws by coordinate."""
    places: list[tuple[int, ...]] = []
    rows: list[tuple[Any, ...]] = []
    for link in arm.links:
        joint = link.joint
        if joint.type == "fixed" or not joint.meets:
            continue
        if joint.sleeve:
            raise AnalysisError(
                f'link "{link.name}": joint.{joint.meets[0]} is given with joint.sleeve, must be left out: a beam '
                "slides out of its sleeve without it"
            )
        c = coordinates[link.name]
        if joint.dry or joint.stops is not None:
            places.append((c, torques.get(c, -1), int(joint.drive == "servo"), int(joint.prescribed)))
            rows.append(_row(arm, link))
        if joint.gear is not None and joint.gear.backlash > 0.0:
            places.append((coordinates[f"{link.name}.gear"], -1, 0, 0))
            gear, half = joint.gear, 0.5 * joint.gear.backlash
            rows.append((0.0, 0.0, 0.0, 0.0, -half, half, 0.0, gear.stiffness, gear.damping, 1.0, 0.0, gear.backlash))
    if not rows:
        return np.zeros((0, W_WIDTH), np.int64), np.zeros((0, C_WIDTH))
    return np.array(places, np.int64), array(rows).reshape(-1, C_WIDTH)


def _row(arm: Arm, link: Link) -> tuple[Any, ...]:
    """The numbers of a joint with friction or stops."""
    joint = link.joint
    dry: tuple[Any, ...] = (0.0, 0.0, 0.0, 0.0)
    if joint.friction is not None:
        law = joint.friction
        dry = (law.coulomb, law.break_away, 0.0 if law.stribeck_rate is None else law.stribeck_rate, law.load)
    lower, upper, back, stiffness, damping = -np.inf, np.inf, 0.0, 0.0, 0.0
    if joint.stops is not None:
        stops = joint.stops
        lower = lower if stops.lower is None else stops.lower
        upper = upper if stops.upper is None else stops.upper
        back, stiffness, damping = stops.restitution or 0.0, stops.stiffness or 0.0, stops.damping or 0.0
    travel = upper - lower
    if not np.isfinite(travel):
        travel = 1.0 if joint.type == "revolute" else arm.reach
    return (*dry, lower, upper, back, stiffness, damping, 0.0, joint.felt_inertia, travel)


def dry_joints(arm: Arm) -> dict[str, Joint]:
    """The joints with dry friction by the names of their links."""
    return {link.name: link.joint for link in arm.links if link.joint.type != "fixed" and link.joint.dry}
