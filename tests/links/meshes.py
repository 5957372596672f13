"""Beams of finite elements as blocks, their matrices, and what small loads do to them."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.core.tree.build import Body, parents_of
from flexarm.links import block_of
from flexarm.links.base import BeamSpan, Direction, LinkBlock
from flexarm.links.element import Element, ElementKind
from flexarm.links.hermite import HERMITE
from flexarm.links.isoparametric import ISOPARAMETRIC
from flexarm.links.small_motion import frequencies, small_motion
from flexarm.links.timoshenko import TIMOSHENKO
from flexarm.model import Beam, BeamProperties, Formulation

KINDS: dict[str, ElementKind] = {kind.word: kind for kind in (TIMOSHENKO, HERMITE, ISOPARAMETRIC)}
WORDS = tuple(KINDS)
FREE: tuple[Direction, ...] = ("axial", "bending_z", "bending_y", "torsion")
STUBBY = {"section": {"shape": "rectangle", "width": 0.1, "height": 0.2}, "material": "steel"}
# every stiffness and inertia apart from every other, so that none can stand in for another
NUMBERS = {
    "bending_stiffness": (30.0, 70.0),
    "mass_per_length": 0.5,
    "torsional_stiffness": 11.0,
    "axial_stiffness": 9e3,
    "shear_stiffness": (800.0, 1300.0),
    "rotary_inertia": (2e-3, 3e-3),
    "polar_inertia": 4e-3,
}


def span(word: str, elements: int = 6, *, beam: dict | None = None, planar=False, length=1.3, **keys: Any) -> BeamSpan:
    """A beam to be cut; `keys` go to its formulation."""
    model = Formulation(formulation=word, elements=elements, **keys)
    return BeamSpan("beam", Beam(**(NUMBERS if beam is None else beam)), length, model, planar)


def block(word: str, elements: int = 6, **keys: Any) -> LinkBlock:
    """The bodies of such a beam."""
    return block_of(span(word, elements, **keys))


def flexible(found: LinkBlock) -> list[Body]:
    """The flexible bodies of a block: all but what bears rotary inertia at the tip."""
    return [body for body in found.bodies if body.elastic is not None]


def element(
    word: str,
    *,
    length: float = 1.0,
    free: tuple[Direction, ...] = ("bending_z",),
    shear: bool = True,
    rotary: bool = True,
    integration: str = "reduced",
    beam: dict | None = None,
) -> Element:
    """One uniform element, by its kind."""
    properties: BeamProperties = Beam(**(NUMBERS if beam is None else beam)).properties()
    return Element(KINDS[word], length, free, shear, rotary, integration, False, lambda x: properties)


def stiffness_of(element: Element) -> np.ndarray:
    """K (count, count) of an element, its proximal node included."""
    factor = element.stiffness_factor()
    return factor.T @ factor


def mass_of(element: Element) -> np.ndarray:
    """M (count, count) from the stations of an element, its proximal node included."""
    x, mass, rotary = element.stations()
    phi, psi = element.displacement(x), element.rotation(x)
    return np.einsum("g,gan,gam->nm", mass, phi, phi) + np.einsum("gan,ga,gam->nm", psi, rotary, psi)


def tip_rows(block: LinkBlock, length: float) -> np.ndarray:
    """Displacement and rotation (6, n) of the tip per coordinate, for small motions."""
    place = block.place(length)
    rows: list[np.ndarray] = []
    # from the body under the tip towards the base: each carries what is outboard of it on a rigid arm
    k, frame = place.body, place.attachment
    arm = np.array([place.along if frame is None else 0.0, 0.0, 0.0])
    while k >= 0:
        body = block.bodies[k]
        if frame is not None:
            rows.append(np.vstack([frame.phi + np.cross(frame.psi.T, arm).T, frame.psi]))
            arm = arm + np.array([frame.x, 0.0, 0.0])
        elif body.kind == "revolute":
            rows.append(np.concatenate([np.cross(body.axis, arm), body.axis])[:, None])
        else:
            rows.append(np.concatenate([body.axis, np.zeros(3)])[:, None])
        arm = arm + body.offset
        k, frame = parents_of(block.bodies)[k], body.attachment
    return np.hstack(rows[::-1])


def under_tip_load(block: LinkBlock, length: float, load: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates (n,) under a force and moment (6,) at the tip, and displacement and rotation (6,) there."""
    rows = tip_rows(block, length)
    _, stiffness = small_motion(block.bodies)
    size = 1 / np.sqrt(np.diag(stiffness))
    found = size * np.linalg.solve(stiffness * np.outer(size, size), size * (rows.T @ load))
    return found, rows @ found


def family_frequencies(block: LinkBlock, *directions: Direction) -> np.ndarray:
    """Clamped angular frequencies (rad/s) of some directions of a beam alone."""
    own = [c for c, direction in enumerate(block.directions) if direction in directions]
    mass, stiffness = small_motion(block.bodies)
    return frequencies(mass[np.ix_(own, own)], stiffness[np.ix_(own, own)])


def fitted_order(elements, errors) -> np.ndarray:
    """Fitted orders of errors (meshes, quantities), one per quantity."""
    return -np.polyfit(np.log(elements), np.log(np.abs(np.array(errors))), 1)[0]
