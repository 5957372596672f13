"""Element frames: every element is a flexible body, clamped in the tip frame of the one inboard of it.

Its elastic coordinates are those of its nodes relative to the proximal one. Rotations add up exactly from element to
element, so only the bend within one element must be small.

In space the inertia of a section turns with it. An element bears half of its rotary inertia in its own frame, the
clamped section's, and hands the other half to its far node, where the next element or a body at the tip bears it: both
turn exactly, and what is turned between them is right to second order in the element's length (NOTATION, element
frames). Where nothing is bent the inertia is the consistent one, to the last digit.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from flexarm.batched import array, larger, real
from flexarm.core.tree.build import BEFORE, Body
from flexarm.core.tree.elastic import Attachment, Elastic, Handed
from flexarm.core.tree.types import Floats
from flexarm.links.base import LinkBlock, Place, RigidPiece
from flexarm.links.element import Element
from flexarm.links.mesh import Mesh


def _shortening(element: Element, x: float, stiffening: bool) -> Floats:
    """H (n, n) at a distance x, its proximal node clamped."""
    n = element.count - element.per_node
    if not stiffening:
        return np.zeros((n, n))
    slopes, shears = (factor[:, element.per_node :] for factor in element.shortening_factors(x))
    return slopes.T @ slopes - shears.T @ shears


def _tip(element: Element, stiffening: bool) -> Attachment:
    """The frame at the far node, made once for an element."""
    name = "tip", stiffening
    if name not in element.kept:
        element.kept[name] = _attachment(element, element.length, stiffening)
    found: Attachment = element.kept[name]
    return found


def _body(element: Element, stiffening: bool, classical: bool, hands: bool) -> Elastic:
    """The element as a flexible body, made once for an element."""
    name = "body", stiffening, classical, hands
    if name not in element.kept:
        element.kept[name] = _elastic(element, stiffening, classical, hands)
    found: Elastic = element.kept[name]
    return found


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
# deflection is a tenth of its length and the run warns of it.
_BENT = 0.3


def _counter_inertia(element: Element) -> Floats | None:
    """Inertia (n, n) against the shear rate at the proximal node, None where the element needs none.

    Where deflection and rotation are interpolated apart, the axis may turn against its clamped section without bending.
    In that direction the kinetic energy, cut off at second order, holds little but the rotary inertia of sections (the
    ninth part of it: the remainder of quadratic shapes when all but the first node move freely), and what is cut off
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


def _twist_inertia(element: Element) -> Floats | None:
    """Inertia (n, n) against the shear rate at the far node of an element that hands half its rotary inertia to it.

    Where sections turn by themselves, that node may turn about a line in which its own section, turned by φ, has next
    to no inertia, while what was handed has been taken off about the lines of the clamped one: up to ½ φ² j of the
    greatest rotary inertia is lacking. So much stands here, for a bend of 0.3 rad, less a ninth of what there is.
    """
    if not element.kind.turns_freely:
        return None
    rotary = element.stations()[2].sum(axis=0)
    most = larger(rotary[0], larger(rotary[1], rotary[2]))
    lacking = np.maximum(0.5 * _BENT**2 * most - rotary[[2, 1]] / 9.0, 0.0)
    at = array([element.length])
    rate = np.concatenate([element.strain(name, at) for name in ("shear_y", "shear_z")])[:, element.per_node :]
    return (rate.T * lacking) @ rate


def _added(element: Element, hands: bool) -> Floats | None:
    """All inertia of an element beyond its stations', None where it needs none."""
    own, twisted = _counter_inertia(element), _twist_inertia(element) if hands else None
    return own if own is None or twisted is None else own + twisted


def _elastic(element: Element, stiffening: bool, classical: bool, hands: bool) -> Elastic:
    """The element as a flexible body, clamped at its proximal node; hands: half its rotary inertia to the far one."""
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
        added=_added(element, hands) if stiffening and not classical else None,
        handed=Handed(0.5 * rotary.sum(axis=0), element.rotation(array([element.length]))[0, :, cut:])
        if hands
        else None,
    )


def element_frames(mesh: Mesh, *, classical: bool = False) -> LinkBlock:
    """One flexible body per element; classical: with the inertia of the textbooks and no more."""
    stiffening = mesh.span.formulation.stiffening
    # elements that are alike share their arrays
    hands = stiffening and not classical and not mesh.span.planar
    elastic = {element: _body(element, stiffening, classical, hands) for element in set(mesh.elements)}
    tips = {element: _tip(element, stiffening) for element in elastic}
    # what each element bears for the one inboard of it
    borne = {
        element: np.zeros((3, 3)) if (to := made.handed) is None else np.diag(to.rotary)
        for element, made in elastic.items()
    }
    made: dict[tuple[Element, Element], Body] = {}
    bodies = [Body(parent=-1, elastic=elastic[mesh.elements[0]])]
    for inboard, element in pairwise(mesh.elements):
        if (inboard, element) not in made:
            made[inboard, element] = Body(
                parent=BEFORE, elastic=elastic[element], attachment=tips[inboard], inertia=borne[inboard]
            )
        bodies.append(made[inboard, element])
    extents = [element.length for element in mesh.elements]
    if hands:
        last = mesh.elements[-1]
        bodies.append(Body(parent=BEFORE, attachment=tips[last], inertia=borne[last]))
        extents.append(0.0)
    own = np.eye(mesh.per_node + mesh.per_element)[:, mesh.per_node :]

    def place(s: float) -> Place:
        """The element under a point of the axis and the frame there."""
        k, x = mesh.under(s)
        if k < 0:
            return Place(-1, x)
        element = mesh.elements[k]
        return Place(k, x, _tip(element, stiffening) if x is element.length else _attachment(element, x, stiffening))

    return LinkBlock(
        carried=RigidPiece(),
        bodies=tuple(bodies),
        names=mesh.names,
        directions=mesh.directions,
        units=mesh.units,
        reads=lambda: mesh.stations(lambda k: (own, k * mesh.per_element)),
        place=place,
        extents=tuple(extents),
    )
