"""Every formulation against every closed form: what it errs by, and whether that is what its theory allows.

A way is a formulation with the frames its coordinates count from; a case is a question with a closed answer. All ways
get the same beam, one metre long, clamped at its base, cut into `ELEMENTS` elements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

import flexarm as fa
from tests.links.rotating import lagging
from tests.oracles import beams, elastica

LENGTH, BENDING, MASS = 1.0, 30.0, 0.5  # m, N m², kg/m
SHEAR, ROTARY = 3e6, 5e-6  # N, kg m: a beam 10 mm thin
ELEMENTS = 8
FORCE = 0.02  # N at the tip: so little that the deflection stays linear to 1e-8
BEND = 50.0  # N at the tip: turns it by half a right angle
SPIN = 4.0  # rate of rotation, as Ω L² √(ρA/EI)
ORDER_MESHES = (6, 12, 24)
ORDER_SLACK = 0.35  # a fitted order is never quite the whole number it tends to
GOOD, FAIR = 1e-2, 1e-1  # of the closed form

WAYS: dict[str, dict[str, Any]] = {
    "rigid-fe": {"formulation": "rigid-fe", "freedoms": ["bending"]},
    "hencky": {"formulation": "hencky"},
    "timoshenko": {"formulation": "timoshenko"},
    "hermite": {"formulation": "hermite"},
    "isoparametric": {"formulation": "isoparametric"},
    "timoshenko, link frame": {"formulation": "timoshenko", "frames": "link"},
    "hermite, link frame": {"formulation": "hermite", "frames": "link"},
    "isoparametric, link frame": {"formulation": "isoparametric", "frames": "link"},
    "modes": {"formulation": "modes"},
}

# What is fitted, and to what it must come. Hinges and linear fields 2, cubic and quadratic fields 4, bars that slide 4
# without shear and 2 with it; the sag of n assumed modes misses the tail of Σ 4/β⁴, which falls as n⁻³.
ORDERS: dict[str, float] = {
    "rigid-fe": 2.0,
    "hencky": 4.0,
    "timoshenko": 2.0,
    "hermite": 4.0,
    "isoparametric": 4.0,
    "modes": 3.0,
}


class Checked(NamedTuple):
    """Ours beside the closed form; `error` is relative, `mark` says "good", "fair" or "poor"."""

    case: str
    way: str
    ours: float
    exact: float
    error: float
    mark: str


def arm_of(way: str, elements: int = ELEMENTS, *, joint: Mapping[str, Any] | None = None, **keys: Any) -> fa.Arm:
    """The beam in one way, on a clamp unless there is a joint; `keys` go to the arm."""
    model = dict(WAYS[way])
    model["modes" if way == "modes" else "elements"] = min(elements, 12) if way == "modes" else elements
    beam: dict[str, float] = {"bending_stiffness": BENDING, "mass_per_length": MASS}
    if way != "rigid-fe":
        beam |= {"shear_stiffness": SHEAR, "rotary_inertia": ROTARY}
    if way == "hencky":
        model["theory"] = "euler"
    link = {"name": "beam", "joint": dict(joint or {"type": "fixed"}), "length": LENGTH, "beam": beam, "model": model}
    return fa.Arm(planar=True, gravity=(0.0, 0.0, 0.0), links=[link], **keys)


def _pulled(way: str, force: float, elements: int = ELEMENTS) -> np.ndarray:
    """Where the tip is under a force across the unbent beam (m)."""
    arm = arm_of(way, elements, loads=[{"link": "beam", "force": (0.0, force, 0.0)}])
    return np.array([LENGTH, 0.0, 0.0]) + fa.statics(arm).tip_sag["tip"]


def _shears(way: str) -> bool:
    return way not in ("rigid-fe", "hencky")


def tip_sag(way: str, elements: int = ELEMENTS) -> tuple[float, float]:
    """Deflection under a force at the tip, beside FL³/3EI (+ FL/κGA)."""
    exact = FORCE * LENGTH**3 / (3.0 * BENDING) + (FORCE * LENGTH / SHEAR if _shears(way) else 0.0)
    return float(_pulled(way, FORCE, elements)[1]), exact


def _frequency(way: str, mode: int, elements: int = ELEMENTS) -> tuple[float, float]:
    ours = fa.modes(arm_of(way, elements), count=mode).frequencies_hz[mode - 1]
    beam = {"EI": BENDING, "rhoA": MASS, "L": LENGTH}
    exact = beams.timoshenko(mode, **beam, kGA=SHEAR, rhoI=ROTARY) if _shears(way) else beams.euler(mode, **beam)
    return float(ours), float(exact[mode - 1] / (2.0 * np.pi))


def first_frequency(way: str, elements: int = ELEMENTS) -> tuple[float, float]:
    """The first frequency (Hz) of the clamped beam, beside the root of its characteristic equation."""
    return _frequency(way, 1, elements)


def third_frequency(way: str) -> tuple[float, float]:
    """The third frequency (Hz) likewise."""
    return _frequency(way, 3)


def rotating_beam(way: str) -> tuple[float, float]:
    """The first frequency (Hz) in the plane of a steady rotation, beside the series for the stiffened beam."""
    unit = np.sqrt(BENDING / MASS) / LENGTH**2
    arm = arm_of(way, joint={"type": "revolute"})
    ours = fa.modes(arm, spin=SPIN * unit, count=1).frequencies_hz[0]
    return float(ours), float(lagging(SPIN, count=1)[0] * unit / (2.0 * np.pi))


def large_deflection(way: str) -> tuple[float, float]:
    """Where the tip goes under a force that bends the beam far, as a distance from the elastica's (m over m)."""
    tip = elastica.tip_force((0.0, BEND), EI=BENDING, L=LENGTH)
    found = _pulled(way, BEND)
    # The distance between the two tips counts, told as if the deflection were longer by it.
    missed = float(np.hypot(found[0] - tip.x, found[1] - tip.y))
    exact = float(np.hypot(tip.x - LENGTH, tip.y))
    return exact + missed, exact


def energy_balance(way: str) -> tuple[float, float]:
    """Work of the drive less what became of it, beside nothing: told as a part of the greatest kinetic energy."""
    swing = {"kind": "cycloidal", "travel": 1.5, "duration": 0.4}
    arm = arm_of(way, joint={"type": "revolute", "motion": "swing"}, motions={"swing": swing})
    run = fa.simulate(arm, end=0.6, tolerance=1e-7)
    kinetic = float(run.values("energy_kinetic").max())
    return kinetic + float(np.abs(run.values("energy_balance_error")).max()), kinetic


def fitted_order(way: str) -> tuple[float, float]:
    """The order with which errors fall as elements are added, beside the one of the theory."""
    measure: Callable[[str, int], tuple[float, float]] = tip_sag if way == "modes" else first_frequency
    errors = [abs(ours / exact - 1.0) for ours, exact in (measure(way, n) for n in _meshes(way))]
    slope = np.polyfit(np.log(_meshes(way)), np.log(errors), 1)[0]
    return float(-slope), ORDERS[way.partition(",")[0]]


def _meshes(way: str) -> tuple[int, ...]:
    return (3, 6, 12) if way == "modes" else ORDER_MESHES


CASES: dict[str, Callable[[str], tuple[float, float]]] = {
    "tip sag": tip_sag,
    "first frequency": first_frequency,
    "third frequency": third_frequency,
    "rotating beam": rotating_beam,
    "large deflection": large_deflection,
    "energy balance": energy_balance,
    "fitted order": fitted_order,
}


def checked(case: str, way: str) -> Checked:
    """One formulation against one closed form."""
    ours, exact = CASES[case](way)
    error = abs(ours - exact) / abs(exact)
    if case == "fitted order":
        mark = "good" if abs(ours - exact) <= ORDER_SLACK else "poor"
    else:
        mark = "good" if error <= GOOD else "fair" if error <= FAIR else "poor"
    return Checked(case, way, ours, exact, error, mark)


def all_checked() -> list[Checked]:
    """Every formulation against every closed form."""
    return [checked(case, way) for way in WAYS for case in CASES]
