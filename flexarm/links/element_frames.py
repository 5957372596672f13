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
from flexarm.many import array, real


def _shortening(element: Element, x: float, stiffening: bool) -> Floats:
    """H (n, n) at a distance x, its proximal node clamped."""
    n = element.count - element.per_node
    if not stiffening:
        return np.zeros((n, n))
    slopes, shears = (factor[:, element.per_node :] for factor in element.shortening_factors(x))
    return slopes.T @ slopes - shears.T @ shears


def _attachment(element: Element, x: float, stiffening: bool) -> Attachment:
    """The frame at a distance x."""
    at, cut = array([x]), element.per_node
    return Attachment(
        x=x,
        phi=element.displacement(at)[0, :, cut:].copy(),
        psi=element.rotation(at)[0, :, cut:].copy(),
        shortening=_shortening(element, x, stiffening),
    )


# Up to this bend (rad) within one element its inertia stays positive; where an element is bent by 0.2 rad its
# deflection is a tenth of its length and the run says so.
_BENT = 0.3


def _counter_inertia(element: Element) -> Floats | None:
    """Inertia (n, n) against the shear rate at the proximal node, None where the element needs none.

    Where deflection and rotation are interpolated apart, the axis may turn against its clamped section without bending.
    In that direction the kinetic energy, cut off at second order, holds little but the rotary inertia of sections (the
    ninth part of it: what is left of quadratic shapes when all but the first node move freely), and what is cut off
    lacks once the element is bent, most of it where the element turns about the line across it: Σ dm x∫v'², which is
    4/3 Σ dm b² x⁴ for v = b x² and Σ dm a² x² for v = a x. That much stands here. It moves with the shear strain at the
    node: (thickness/length)² of the bend, in linear elements half the bend too, which adds to their kinetic energy a
    part of fourth order in the length. The plane has the same, or a beam in it would not be that in space.
    """
    if not element.kind.turns_freely:
        return None
    x, mass, rotary = element.stations()
    if element.kind.nodes > 2:
        needed = 4.0 / 3.0 * real(mass @ x**4) * (_BENT / (2.0 * element.length)) ** 2
    else:
        needed = real(mass @ x**2) * (_BENT / 2.0) ** 2
    lacking = np.maximum(needed - rotary.sum(axis=0)[[2, 1]] / 9.0, 0.0)
    rate = element.slope(np.zeros(1))[0, :, element.per_node :]
    return (rate.T * lacking) @ rate


def _elastic(element: Element, stiffening: bool, classical: bool) -> Elastic:
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
        shortening=array([_shortening(element, real(at), stiffening) for at in x]),
        stiffness=stiffness,
        damping=np.zeros_like(stiffness),
        added=_counter_inertia(element) if stiffening and not classical else None,
    )


def element_frames(mesh: Mesh, *, classical: bool = False) -> LinkBlock:
    """One flexible body per element; classical: with the inertia of the textbooks and no more."""
    stiffening = mesh.span.formulation.stiffening
    # elements that are alike share their arrays
    elastic = {element: _elastic(element, stiffening, classical) for element in set(mesh.elements)}
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
