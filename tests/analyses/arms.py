"""Arms the tests of the verbs share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import flexarm as fa

EXAMPLES = Path(__file__).parents[2] / "examples"


def rod_handler() -> fa.Arm:
    """The planar example."""
    return fa.read_arm(EXAMPLES / "rod_handler.toml")


def spatial_rod() -> fa.Arm:
    """The spatial example."""
    return fa.read_arm(EXAMPLES / "spatial_rod.toml")


def cantilever(*, planar: bool = True, elements: int = 20, gravity: Any = (0.0, 0.0, 0.0), **fields: Any) -> fa.Arm:
    """A steel strip of 1 m, clamped at the base along x, 20 mm wide and 4 mm high (along y)."""
    link: dict[str, Any] = {
        "name": "strip",
        "joint": {"type": "fixed"},
        "length": 1.0,
        "beam": {"section": {"shape": "rectangle", "width": 0.02, "height": 0.004}, "material": "steel"},
        "model": {"formulation": "rigid-fe", "elements": elements, "freedoms": ["bending"]},
    }
    link.update(fields.pop("link", {}))
    return fa.Arm(name="cantilever", planar=planar, gravity=gravity, links=[link], **fields)


def one_link(*, joint: dict[str, Any], mass: float = 2.0, inertia: float = 0.1, **fields: Any) -> fa.Arm:
    """A rigid planar link of 1 m with its mass in the middle."""
    link = {"name": "link", "joint": {"type": "revolute", **joint}, "length": 1.0}
    link["rigid"] = {"mass": mass, "inertia": inertia}
    return fa.Arm(name="one link", planar=True, links=[link], **{"gravity": (0.0, 0.0, 0.0), **fields})
