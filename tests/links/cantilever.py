"""Clamped beams as arms of one link, and the fitted order in the number of their elements."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import flexarm as fa
from flexarm.links import FORMULATIONS

# Order of convergence of frequencies and deflections in the length of an element.
ORDER = {"rigid-fe": 2.0}
NAMES = tuple(FORMULATIONS)
ELEMENTS = (8, 16, 32, 64)
LIMP = {"bending_stiffness": 30.0, "mass_per_length": 0.5}  # N m², kg/m
STUBBY = {"section": {"shape": "rectangle", "width": 0.1, "height": 0.2}, "material": "steel"}


def cantilever(
    beam: dict,
    elements: int = 10,
    *,
    formulation: str = "rigid-fe",
    freedoms: Sequence[str] | str = ("bending",),
    planar: bool = True,
    length: float = 1.0,
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0),
    loads: Sequence[dict] = (),
    **keys,
) -> fa.Arm:
    """A beam clamped to the base along x; `keys` go to its link."""
    words = freedoms if isinstance(freedoms, str) else list(freedoms)
    model = {"formulation": formulation, "elements": elements, "freedoms": words}
    link = {"name": "beam", "joint": {"type": "fixed"}, "length": length, "beam": beam, "model": model, **keys}
    return fa.Arm(planar=planar, gravity=gravity, links=[link], loads=list(loads))


def angular(arm: fa.Arm, count: int) -> np.ndarray:
    """The lowest angular frequencies (rad/s)."""
    return 2 * np.pi * fa.modes(arm, count=count).frequencies_hz


def orders(found: Sequence[np.ndarray], exact: np.ndarray, elements: Sequence[int] = ELEMENTS) -> np.ndarray:
    """Fitted orders of the relative errors, one per column."""
    errors = np.abs(np.array(found) / exact - 1.0)
    return -np.polyfit(np.log(elements), np.log(errors), 1)[0]
