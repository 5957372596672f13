"""Clamped beams as arms of one link in every formulation and frame, and the fitted order in the number of elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import flexarm as fa
from flexarm.links import FORMULATIONS
from tests.oracles import beams

# Those that have elements to be made smaller; assumed modes have tests of their own.
NAMES = tuple(name for name, traits in FORMULATIONS.items() if traits.mesh == "elements" and not traits.planar_only)
CHAINS = tuple(name for name in NAMES if FORMULATIONS[name].lumped)
FORMULATION = pytest.mark.parametrize("formulation", NAMES)
# Every formulation, those of finite elements in frames of their elements and of the link.
WAYS: dict[str, dict[str, str]] = {
    **{name: {"formulation": name} for name in NAMES},
    **{
        f"{name}-link": {"formulation": name, "frames": "link"}
        for name in NAMES
        if FORMULATIONS[name].link_frame == "option"
    },
}
WAY = pytest.mark.parametrize("way", list(WAYS.values()), ids=list(WAYS))

# Orders in the length of an element: of frequencies where bending decides, of large deflections in element frames.
FREQUENCY_ORDER = {name: FORMULATIONS[name].order for name in NAMES}
DEFLECTION_ORDER = {name: FORMULATIONS[name].deflection_order for name in NAMES}
# Meshes over which an order is fitted: a high order needs fewer elements and soon drowns in rounding.
ELEMENTS = {2.0: (8, 16, 32, 64), 3.0: (6, 12, 24), 4.0: (6, 12, 24)}

LIMP = {"bending_stiffness": 30.0, "mass_per_length": 0.5}  # N m², kg/m
# Elements whose sections turn by themselves ask for shear stiffness and rotary inertia: of a beam of 1 m as thin as
# 10 mm, next to nothing.
SELF_TURNING = tuple(name for name in NAMES if FORMULATIONS[name].always_shears)
SHEAR, ROTARY = 3e6, 5e-6  # N, kg m
STUBBY = {"section": {"shape": "rectangle", "width": 0.1, "height": 0.2}, "material": "steel"}


def thin(
    formulation: str, beam: Mapping[str, Any] = LIMP, *, shear: float = SHEAR, rotary: float = ROTARY
) -> dict[str, Any]:
    """The beam, with next to no shear and rotary inertia where the formulation cannot do without."""
    added = {"shear_stiffness": shear, "rotary_inertia": rotary} if formulation in SELF_TURNING else {}
    return {**beam, **added}


def exact_thin(formulation: str, count: int, **keys: Any) -> np.ndarray:
    """Angular frequencies (rad/s) of such a beam by the theory of the formulation; keys as those of `beams.tapered`."""
    theory = {"kGA": SHEAR, "rhoI": ROTARY} if formulation in SELF_TURNING else {}
    return beams.tapered(count, **{"EI": 30.0, "rhoA": 0.5, "L": 1.0} | theory | keys)


def cantilever(
    beam: Mapping[str, Any],
    elements: int = 10,
    *,
    formulation: str = "rigid-fe",
    freedoms: Sequence[str] | str | None = ("bending",),
    model: Mapping[str, Any] | None = None,
    planar: bool = True,
    length: float = 1.0,
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0),
    loads: Sequence[dict] = (),
    points: Sequence[dict] = (),
    **keys: Any,
) -> fa.Arm:
    """A beam clamped to the base along x; `model` adds to its formulation, `keys` go to its link."""
    words = freedoms if isinstance(freedoms, str) or freedoms is None else list(freedoms)
    how = {"formulation": formulation, "elements": elements, "freedoms": words, **(model or {})}
    link = {"name": "beam", "joint": {"type": "fixed"}, "length": length, "beam": dict(beam), "model": how, **keys}
    return fa.Arm(planar=planar, gravity=gravity, links=[link], loads=list(loads), points=list(points))


def angular(arm: fa.Arm, count: int) -> np.ndarray:
    """The lowest angular frequencies (rad/s)."""
    return 2 * np.pi * fa.modes(arm, count=count).frequencies_hz


def orders(found: Sequence[np.ndarray], exact: np.ndarray, elements: Sequence[int]) -> np.ndarray:
    """Fitted orders of the relative errors, one per column."""
    errors = np.abs(np.array(found) / exact - 1.0)
    return -np.polyfit(np.log(elements), np.log(errors), 1)[0]
