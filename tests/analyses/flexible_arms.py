"""Small flexible arms in every formulation and frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import flexarm as fa
from tests.links.cantilever import thin

DOWN = (0.0, -9.81, 0.0)
STILL = (0.0, 0.0, 0.0)


def swinging(
    way: Mapping[str, Any],
    joint: Mapping[str, Any],
    elements: int = 2,
    *,
    stiffness: float = 20.0,
    planar: bool = True,
    gravity: tuple[float, float, float] = DOWN,
    link: Mapping[str, Any] | None = None,
    beam: Mapping[str, Any] | None = None,
    **fields: Any,
) -> fa.Arm:
    """A limber beam of 1 m and half a kilogram on a revolute joint; its sections shear and turn where they have to."""
    bare = {"bending_stiffness": stiffness, "mass_per_length": 0.5, **({} if planar else {"polar_inertia": 1e-2})}
    # shear and rotary inertia of a beam as stubby as one to five: no frequency far above the others
    whole = {
        "name": "beam",
        "joint": {"type": "revolute", **joint},
        "length": 1.0,
        "beam": thin(way["formulation"], {**bare, **(beam or {})}, shear=100 * stiffness, rotary=5e-3),
        "model": {"elements": elements, "freedoms": ["bending"], **way},
        **(link or {}),
    }
    return fa.Arm(planar=planar, gravity=gravity, links=[whole], **fields)


def largest(values: np.ndarray) -> float:
    """The largest magnitude."""
    return float(np.max(np.abs(values)))


# --- Two links -------------------------------------------------------------------------------------------------------

# Aluminium tubes of the sort light arms are made of: 945 g, 700 N m², both joints through 60° in 2.5 s.
TUBE = {
    "bending_stiffness": 700.0,
    "mass_per_length": 0.945,
    "shear_stiffness": 8.16e6,
    "rotary_inertia": 2.7e-5,
    "torsional_stiffness": 500.0,
    "polar_inertia": 5.4e-5,
}


def two_links(
    way: Mapping[str, Any],
    elements: int,
    *,
    planar: bool = True,
    gravity: tuple[float, float, float] = STILL,
    **fields: Any,
) -> fa.Arm:
    """Two tubes of 1 m whose joints both turn by 60° in 2.5 s."""
    freedoms = ["bending", "shear"] if way["formulation"] == "rigid-fe" else ["bending"]
    links = [
        {
            "name": name,
            "joint": {"type": "revolute", "motion": "turn"},
            "length": 1.0,
            "beam": TUBE,
            "model": {"elements": elements, "freedoms": freedoms, **way},
        }
        for name in ("upper", "fore")
    ]
    turn = {"kind": "cycloidal", "travel": np.pi / 3, "duration": 2.5}
    return fa.Arm(planar=planar, links=links, motions={"turn": turn}, **{"gravity": STILL, **fields})


def three_joints(way: Mapping[str, Any], elements: int, **fields: Any) -> fa.Arm:
    """A rigid column that turns about z and two tubes in the vertical plane above it, with a payload off their axis."""
    # finite elements have what the tubes have by themselves: bending in both planes, shear and torsion
    freedoms = ["bending", "torsion", "shear"] if way["formulation"] == "rigid-fe" else None
    model = {"elements": elements, "freedoms": freedoms, **way}

    def pitch(scale: float, at: float) -> dict[str, Any]:
        return {"type": "revolute", "axis": (0, -1, 0), "motion": "turn", "scale": scale, "at": at}

    column = {"mass": 2.0, "inertia": (0.1, 0.1, 0.1)}
    payload = {"mass": 0.5, "inertia": (1e-3, 1e-3, 1e-3), "offset": (0, 0.05, 0)}
    links = [
        {
            "name": "column",
            "joint": {"type": "revolute", "motion": "turn"},
            "length": 0.3,
            "direction": "z",
            "rigid": column,
        },
        {"name": "upper", "joint": pitch(0.5, 0.3), "length": 1.0, "beam": TUBE, "model": model},
        {"name": "fore", "joint": pitch(-1.0, -0.6), "length": 0.8, "beam": TUBE, "model": model, "payload": payload},
    ]
    turn = {"kind": "cycloidal", "travel": 1.0, "duration": 1.0}
    return fa.Arm(gravity=(0.0, 0.0, -9.81), links=links, motions={"turn": turn}, **fields)
