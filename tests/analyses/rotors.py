"""Arms that spin: thin beams on a hub, hinged rigid blades, and a skew arm in which Coriolis forces couple all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

import flexarm as fa
from flexarm.analyses.modes.joint_states import Joints, joint_states, treated
from flexarm.analyses.modes.small_motion import SmallMotion
from flexarm.analyses.modes.steady_rotation import motion_about_rotation
from flexarm.assembly import CompiledArm
from flexarm.assembly.bodies import Assembly
from flexarm.core.tree.build import parents_of
from tests.links.cantilever import WAYS, thin
from tests.oracles import flexible

EI, RHOA = 30.0, 0.5
UNIT = np.sqrt(EI / RHOA)  # rad/s of λ = 1 for 1 m
# Every formulation in every frame, with assumed modes.
ALL_WAYS: dict[str, dict[str, Any]] = {**WAYS, "modes": {"formulation": "modes", "modes": 8}}


def rotor(
    way: Mapping[str, Any], elements: int, *, hub: float = 0.0, tip: float = 0.0, planar: bool = False, **fields: Any
) -> fa.Arm:
    """A thin beam of 1 m on a hub that turns about z, with a tip mass (kg)."""
    beam = {"bending_stiffness": EI, "mass_per_length": RHOA, **({} if planar else {"polar_inertia": 1e-8})}
    link: dict[str, Any] = {
        "name": "beam",
        "joint": {"type": "revolute", "motion": "turn"},
        "length": 1.0,
        "hub": {"radius": hub},
        # shear and rotary inertia change the frequencies by less than 1e-5 where a formulation asks for them
        "beam": thin(way["formulation"], beam, shear=1e8, rotary=1e-8),
        "model": {"elements": elements, "freedoms": ["bending"], **way},
        **fields.pop("link", {}),
    }
    if tip:
        link["payload"] = {"mass": tip, "inertia": 0.0 if planar else (0.0, 0.0, 0.0)}
    motions = {"turn": {"kind": "constant-rate", "rate": fields.pop("rate", 1.0)}}
    return fa.Arm(links=[link], motions=motions, **{"planar": planar, "gravity": (0.0, 0.0, 0.0), **fields})


def of_kind(found: fa.Trajectory | Any, kind: str) -> np.ndarray:
    """Angular frequencies (rad/s) of the modes of one kind, in their order."""
    chosen = [k for k, name in enumerate(found.names) if name.startswith(kind)]
    return 2 * np.pi * found.frequencies_hz[chosen]


# --- Hinged blades ---------------------------------------------------------------------------------------------------

MASS, LENGTH, OFFSET, HUB = 1.2, 0.9, 0.15, 0.4  # kg, m, m, kg m²


def hinged(axis: str = "z", **fields: Any) -> fa.Arm:
    """A rigid slender blade on a hinge at a distance from the axis of a hub: lagging about z, flapping about y."""
    rod = MASS * LENGTH**2 / 12
    links = [
        {
            "name": "hub",
            "joint": {"type": "revolute", **fields.pop("hub_joint", {})},
            "length": OFFSET,
            "rigid": {"mass": 0.0, "inertia": (HUB, HUB, HUB), "centre": (0.0, 0.0, 0.0)},
        },
        {
            "name": "blade",
            "joint": {"type": "revolute", "axis": axis, "free": True, **fields.pop("joint", {})},
            "length": LENGTH,
            "rigid": {"mass": MASS, "inertia": (0.0, rod, rod)},
        },
    ]
    return fa.Arm(links=links, **{"gravity": (0.0, 0.0, 0.0), **fields})


# --- An independent linearisation ------------------------------------------------------------------------------------


def oracle_matrices(arm: fa.Arm, motion: SmallMotion) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """M, C, K and the forces out of balance about a rotation, from Lagrange's equations by differences."""
    assembly = Assembly(arm)
    for index in arm.base_to_tip:
        assembly.add_link(index)
    parents = parents_of(assembly.bodies)
    bodies = [replace(body, parent=up) for body, up in zip(assembly.bodies, parents, strict=True)]
    q, v = motion.state.q, motion.state.v

    def bias(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return flexible.bias(bodies, arm.gravity, q, v)

    stiffness, rate = np.zeros((2, q.size, q.size))
    # the fifth differences leave 1e-17, rounding 1e-12
    small = 1e-4
    for j in motion.moving:
        unit = np.eye(q.size)[j]
        near, far = (bias(q + k * small * unit, v) - bias(q - k * small * unit, v) for k in (1, 2))
        stiffness[:, j] = (8 * near - far) / (12 * small)
        rate[:, j] = (bias(q, v + unit) - bias(q, v - unit)) / 2  # quadratic in the rates
    block = np.ix_(motion.moving, motion.moving)
    return flexible.mass_matrix(bodies, q)[block], rate[block], stiffness[block], bias(q, v)[motion.moving]


def poles(mass: np.ndarray, rate: np.ndarray, stiffness: np.ndarray) -> np.ndarray:
    """Eigenvalues of M ẍ + C ẋ + K x = 0 with positive imaginary part, lowest first; without zeros, which rounding
    spreads about.
    """
    n = len(mass)
    state = np.zeros((2 * n, 2 * n))
    state[:n, n:] = np.eye(n)
    state[n:] = -np.linalg.solve(mass, np.hstack([stiffness, rate]))
    values = np.linalg.eigvals(state)
    above = values[values.imag > 1e-4 * np.maximum(np.abs(values), 1.0)]
    return above[np.argsort(above.imag)]


def small_motion(
    compiled: CompiledArm, rates: Mapping[str, float], posture: Any = None, joints: Joints = "locked"
) -> SmallMotion:
    """The matrices about steady rotation at the rates (rad/s)."""
    states = joint_states(compiled, joints)
    return motion_about_rotation(treated(compiled, states), rates, posture, states)
