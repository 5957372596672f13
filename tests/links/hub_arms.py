"""Beams on hubs as arms of one link, from the data of the oracles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import flexarm as fa
from tests.oracles.hub_cases import PULSE, PULSE_TIME, HubBeam

PULSED: dict[str, Any] = {
    "joint": {"torque": "pulse"},
    "torques": {"pulse": {"kind": "sine", "amplitude": PULSE, "period": PULSE_TIME, "end": PULSE_TIME}},
}


def hub_arm(
    beam: HubBeam,
    model: Mapping[str, Any],
    joint: Mapping[str, Any],
    *,
    tip_inertia: float = 0.0,
    own: Mapping[str, Any] | None = None,
    link: Mapping[str, Any] | None = None,
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0),
    **fields: Any,
) -> fa.Arm:
    """The beam on its hub and joint; `own` adds to the beam's numbers, `link` to the link's keys."""
    whole: dict[str, Any] = {
        "name": "beam",
        "joint": {"type": "revolute", "axis": "z", **joint},
        "length": beam.L,
        "beam": {"bending_stiffness": beam.EI, "mass_per_length": beam.rhoA, **(own or {})},
        "model": {"theory": "euler", **model},
    }
    if beam.radius > 0.0 or beam.hub_inertia > 0.0:
        whole["hub"] = {"radius": beam.radius, "inertia": beam.hub_inertia}
    if beam.tip_mass > 0.0 or tip_inertia > 0.0:
        whole["payload"] = {"mass": beam.tip_mass, "inertia": tip_inertia}
    return fa.Arm(planar=True, gravity=gravity, links=[whole | dict(link or {})], **fields)
