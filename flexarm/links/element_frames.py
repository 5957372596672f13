"""Element frames: every element is a flexible body, clamped in the tip frame of the one inboard of it.

Its elastic coordinates are those of its nodes relative to the proximal one. Rotations add up exactly from element to
element, so only the bend within one element must be small.
"""

from __future__ import annotations

import numpy as np

from flexarm.core.build import Body
from flexarm.core.elastic import Attachment, Elastic
from flexarm.core.types import Floats
from flexarm.links.base import LinkBlock, Place, RigidPiece
from flexarm.links.element import Element
from flexarm.links.mesh import Mesh


def _shortening(element: Element, x: float, stiffening: bool) -> Floats:
    """H (n, n) at a distance x, its proximal node clamped."""
    n = element.count - element.per_node
    if not stiffening:
        return np.zeros((n, n))
    factor = element.shortening_factor(x)[:, element.per_node :]
    return factor.T @ factor


def _attachment(element: Element, x: float, stiffening: bool) -> Attachment:
    """The frame at a distance x."""
    at, cut = np.array([x]), element.per_node
    return Attachment(
        x=x,
        phi=element.displacement(at)[0, :, cut:].copy(),
        psi=element.rotation(at)[0, :, cut:].copy(),
        shortening=_shortening(element, x, stiffening),
    )


def _elastic(element: Element, stiffening: bool) -> Elastic:
    """The element as a flexible body, clamped at its proximal node."""
    cut = element.per_node
    x, mass, rotary = element.stations()
    factor = element.stiffness_factor()[:, cut:]
    stiffness = factor.T @ factor
    return Elastic(
        mass=mass,
        x=x,
        rotary=rotary,
        phi=element.displacement(x)[:, :, cut:].copy(),
        psi=element.rotation(x)[:, :, cut:].copy(),
        shortening=np.array([_shortening(element, float(at), stiffening) for at in x]),
        stiffness=stiffness,
        damping=np.zeros_like(stiffness),
    )


def element_frames(mesh: Mesh) -> LinkBlock:
    """One flexible body per element."""
    stiffening = mesh.span.formulation.stiffening
    # elements that are alike share their arrays
    elastic = {element: _elastic(element, stiffening) for element in set(mesh.elements)}
    tips = {element: _attachment(element, element.length, stiffening) for element in elastic}
    bodies = tuple(
        Body(parent=k - 1, elastic=elastic[element], attachment=tips[mesh.elements[k - 1]] if k > 0 else None)
        for k, element in enumerate(mesh.elements)
    )
    own = np.eye(mesh.per_node + mesh.per_element)[:, mesh.per_node :]

    def place(s: float) -> Place:
        """The element under a point of the axis and the frame there."""
        k, x = mesh.under(s)
        if k < 0:
            return Place(-1, x)
        return Place(k, x, _attachment(mesh.elements[k], x, stiffening))

    return LinkBlock(
        carried=RigidPiece(),
        bodies=bodies,
        names=mesh.names,
        directions=mesh.directions,
        units=mesh.units,
        stations=mesh.stations(lambda k: (own, k * mesh.per_element)),
        place=place,
        extents=tuple(element.length for element in mesh.elements),
    )
