"""A two-link arm with gears under servos, 2 kg at its tip."""

from __future__ import annotations

from typing import Any

import flexarm as fa


def servo_arm(**changes: Any) -> fa.Arm:
    """Two tubes in the plane, each on a motor behind a gear that gives way, drawn to its motion by a servo."""
    tube = {"material": "aluminium", "section": {"shape": "tube", "diameter": 0.05, "thickness": 0.002}}
    links = []
    for name, length, kp, kv, ratio, at in (
        ("upper arm", 0.6, 900.0, 120.0, 100.0, 0.5),
        ("forearm", 0.5, 400.0, 40.0, 80.0, -0.8),
    ):
        links.append(
            {
                "name": name,
                "joint": {
                    "type": "revolute",
                    "at": at,
                    "motion": "move",
                    "rate": 0.5,
                    "servo": {"kp": kp, "kv": kv},
                    "motor": {"inertia": 1e-4, "gear_ratio": ratio},
                    "gear": {"stiffness": 40.0 * kp, "damping": 2.0},
                },
                "length": length,
                "beam": tube,
                "model": {"formulation": "hermite", "elements": 2},
                "damping": {"retardation": 2e-5},
            }
        )
    links[1]["payload"] = {"mass": 2.0, "inertia": 0.0}
    motions = {"move": {"kind": "brake", "travel_time": 1.0, "braking_time": 0.4}}
    fields: dict[str, Any] = {"planar": True, "gravity": (0.0, -9.81, 0.0), "simulation": {"end": 2.0}}
    return fa.Arm(name="servo arm", links=links, motions=motions, **{**fields, **changes})
