"""A thin steel strip on edge: stiff about y, soft about z and in twist, in every formulation and frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import flexarm as fa

LENGTH, THIN, WIDE = 1.0, 0.002, 0.03  # m
YOUNG, SHEAR, DENSITY = 210e9, 81e9, 7850.0
ABOUT_Z = YOUNG * WIDE * THIN**3 / 12
ABOUT_Y = YOUNG * THIN * WIDE**3 / 12
TWIST = SHEAR * WIDE * THIN**3 / 3
MASS = DENSITY * WIDE * THIN
JY, JZ = DENSITY * THIN * WIDE**3 / 12, DENSITY * WIDE * THIN**3 / 12

# One frame for the link.
ONE_FRAME: dict[str, dict[str, Any]] = {
    "modes": {"formulation": "modes", "modes": 6},
    "hermite-link": {"formulation": "hermite", "frames": "link", "elements": 6},
    "hermite-link-reduced": {"formulation": "hermite", "frames": "link", "elements": 8, "modes": 18},
}
ELEMENTS = ("hermite", "timoshenko", "isoparametric")


def strip(
    model: Mapping[str, Any],
    *,
    load: tuple[float, float, float] = (0.0, 0.0, 0.0),
    moment: tuple[float, float, float] = (0.0, 0.0, 0.0),
    weight: float = 0.0,
    twist: float = TWIST,
    joint: Mapping[str, Any] | None = None,
    **fields: Any,
) -> fa.Arm:
    """The strip along x, its wide side along z; a load on its tip (N, N m), its own weight (m/s², downwards)."""
    beam = {
        "bending_stiffness": [ABOUT_Y, ABOUT_Z],
        "torsional_stiffness": twist,
        "mass_per_length": MASS,
        "polar_inertia": JY + JZ,
        "rotary_inertia": [JY, JZ],
        "shear_stiffness": 5 / 6 * SHEAR * WIDE * THIN,
    }
    link = {
        "name": "strip",
        "joint": dict(joint or {"type": "fixed"}),
        "length": LENGTH,
        "beam": beam,
        "model": {"freedoms": ["bending", "torsion"], **model},
    }
    loads = [{"link": "strip", "force": load, "moment": moment}] if np.any([load, moment]) else []
    return fa.Arm(planar=False, gravity=(0.0, 0.0, -weight), links=[link], loads=loads, **fields)
