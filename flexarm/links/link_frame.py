"""One frame for the whole link: all elements in one flexible body, clamped at its base.

Its elastic coordinates are the nodal values counted from that frame, or a few shapes of them (`modes`): any basis T,
η = T p. Every row is multiplied by T before products are formed, so that nothing larger than the basis is stored.
"""

from __future__ import annotations

import numpy as np

from flexarm.batched import array, real, zeros
from flexarm.core.tree.build import Body
from flexarm.core.tree.elastic import Attachment, Elastic
from flexarm.core.tree.types import Floats
from flexarm.links.base import LinkBlock, Place, RigidPiece
from flexarm.links.mesh import Mesh
from flexarm.links.products import Rows, Twisted
from flexarm.links.reduction import Shapes

# Gauss points of an element that are exact for products of twist and bending.
_POINTS = 5


class _Shaped:
    """The elements of a mesh seen through the shapes of its nodal coordinates."""

    def __init__(self, mesh: Mesh, shapes: Shapes) -> None:
        self.mesh = mesh
        # the clamped node does not move
        self.nodal = np.vstack([np.zeros((mesh.per_node, shapes.basis.shape[1])), shapes.basis])
        self.count = shapes.basis.shape[1]
        self.stiffening = mesh.span.formulation.stiffening
        self.twisted = None
        if self.stiffening and not mesh.span.planar:
            breaks = [*mesh.begins, mesh.span.length]
            self.twisted = Twisted(mesh.span, breaks, self.rows, _POINTS, across=mesh.elements[0].rotary)

    def rows(self, k: int, s: Floats) -> Rows:
        """Rotation, curvature and shear at distances along the beam, all in element k."""
        element, columns, x = self.mesh.elements[k], self.columns(k), s - self.mesh.begins[k]
        bent = [zeros((len(x), self.count), x)] * 3
        for a, name in enumerate(("torsion", "bending_y", "bending_z")):
            if name in element.free:
                bent[a] = element.strain(name, x) @ columns  # type: ignore[arg-type]
        shear = [element.strain(name, x) @ columns for name in ("shear_y", "shear_z")]  # type: ignore[arg-type]
        return Rows(element.rotation(x) @ columns, np.stack(bent, axis=1), np.stack(shear, axis=1))

    def columns(self, k: int) -> Floats:
        """From the shapes to the coordinates of an element (count of the element, shapes)."""
        first = k * self.mesh.per_element
        return self.nodal[first : first + self.mesh.per_element + self.mesh.per_node]

    def shortening(self, k: int, x: float) -> Floats:
        """What the part of an element up to x adds to H."""
        if not self.stiffening:
            return np.zeros((self.count, self.count))
        slopes, shears = (factor @ self.columns(k) for factor in self.mesh.elements[k].shortening_factors(x))
        return slopes.T @ slopes - shears.T @ shears

    def attachment(self, s: float) -> Attachment:
        """The frame at a distance along the beam."""
        k, x = self.mesh.under(s)
        element, at = self.mesh.elements[k], array([x])
        # H(s) = Σ over the elements inboard, and the part of this one
        shortening = self.shortening(k, x)
        for inboard in range(k):
            shortening = shortening + self.shortening(inboard, self.mesh.elements[inboard].length)
        return Attachment(
            x=self.mesh.begins[k] + x,
            phi=element.displacement(at)[0] @ self.columns(k),
            psi=element.rotation(at)[0] @ self.columns(k),
            shortening=shortening,
            products=None if self.twisted is None else self.twisted.at(self.mesh.begins[k] + x),
        )

    def elastic(self) -> Elastic:
        """The whole beam as a flexible body."""
        n = self.count
        stiffness, inboard = np.zeros((2, n, n))
        parts: list[tuple[Floats, ...]] = []
        for k, element in enumerate(self.mesh.elements):
            columns = self.columns(k)
            x, mass, rotary = element.stations()
            phi, psi = element.displacement(x) @ columns, element.rotation(x) @ columns
            shortening = array([inboard + self.shortening(k, real(at)) for at in x])
            parts.append((mass, self.mesh.begins[k] + x, rotary, phi, psi, shortening))
            inboard = inboard + self.shortening(k, element.length)
            factor = element.stiffness_factor() @ columns
            stiffness = stiffness + factor.T @ factor
        mass, x, rotary, phi, psi, shortening = (np.concatenate(part) for part in zip(*parts, strict=True))
        products = None if self.twisted is None else self.twisted.summed()
        none = np.zeros_like(stiffness)
        return Elastic(mass, x, rotary, phi, psi, shortening, stiffness, none, products=products)


def link_frame(mesh: Mesh, shapes: Shapes) -> LinkBlock:
    """The whole beam as one flexible body in the coordinates of the given shapes."""
    shaped = _Shaped(mesh, shapes)

    def place(s: float) -> Place:
        """The frame at a point of the axis."""
        k, x = mesh.under(s)
        return Place(-1, x) if k < 0 else Place(0, mesh.begins[k] + x, shaped.attachment(s))

    return LinkBlock(
        carried=RigidPiece(),
        bodies=(Body(parent=-1, elastic=shaped.elastic()),),
        names=shapes.names,
        directions=shapes.directions,
        units=shapes.units,
        reads=lambda: mesh.stations(lambda k: (shaped.columns(k), 0)),
        place=place,
        extents=(mesh.span.length,),
    )
