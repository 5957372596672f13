"""The lowest modes of a beam by itself, of one direction: clamped at the base, loaded, or pinned.

Curvature and shear strain are series of Legendre polynomials, rotation and deflection their integrals from the clamp,

    ψ = ∫κ ds,    v' = ψ + γ,    v = ∫v' ds

so that the clamp is met exactly, no beam is too thin for the shear strain, and the lowest modes of uniform beams come
out to rounding, those of smooth tapers to many digits.

The shapes of a pinned beam turn at the pin, and the link's frame turns with the section that stands on the joint: seen
from it a shape is φ − φ'(0)x, the joint has what it lacks, and joint and shapes together span what joint and pinned
modes do. They come out of the same series, whose inertia is that of the field φ = v − ax in place of v: where the base
is pinned and the tip is free, a is such that φ has no moment of momentum about the pin, and where the tip is pinned
too, a = v(L)/L.
"""

from __future__ import annotations

import numpy as np

from flexarm.batched import array, filled, greatest, real
from flexarm.core.tree.types import Floats
from flexarm.links.base import BeamSpan, Carried, Direction
from flexarm.links.legendre_series import integral_of, values_of
from flexarm.links.shape_rows import BENDING, RODS, Curve, Family, Grid
from flexarm.links.small_motion import frequencies, inverse_root

# A wave is followed to rounding by about π polynomials and some more for the clamp, the tip and a taper.
_PER_MODE, _MORE = 2, 28
# Gauss points beyond the degree of the strains: exact for the mass matrix and ∫x·H of a beam whose mass per length is
# quadratic, for the strain energy of one whose stiffnesses are of degree four.
_POINTS = 6


def _curve(series: Floats) -> Curve:
    """The values of Legendre series (degree, n) along the beam."""
    return lambda xi: values_of(series, 2.0 * xi - 1.0)


class ModesOfBeam:
    """A beam whose lowest modes are asked for, so many of each direction."""

    def __init__(self, span: BeamSpan, count: int, theory: str, shapes: str) -> None:
        self.span, self.count, self.shapes = span, count, shapes
        self.sheared, self.rotary = theory == "timoshenko", theory != "euler"
        self.degree = _PER_MODE * count + _MORE
        self.grid = Grid(span, self.degree + _POINTS)
        self.carries = span.carries if shapes == "payload" else ()

    def _integral(self, series: Floats) -> Floats:
        """The series of ∫₀ˢ, as long as they need be: two integrals raise the degree by two."""
        return 0.5 * self.span.length * integral_of(series)[: self.degree + 2]

    def family(self, direction: Direction) -> Family:
        """The lowest modes of a direction."""
        own, none = np.eye(self.degree + 2, self.degree), np.zeros((self.degree + 2, self.degree))
        if direction in RODS:
            moved = self._integral(own)
            stiffness, inertia = RODS[direction]
            mass = self.grid.gram(_curve(moved), inertia)
            for each in self.carries:
                mass = mass + _about(each, direction)[1] * self._square(moved, each.at)
            return self._lowest(direction, moved, none, own, none, self.grid.gram(_curve(own), stiffness), mass)
        bending, _, _, shearing = BENDING[direction]
        curvature, shear = own, none
        if self.sheared:
            curvature, shear = np.hstack([own, none]), np.hstack([none, own])
        turned = self._integral(curvature)
        moved = self._integral(turned + shear)
        stiff = self.grid.gram(_curve(curvature), bending)
        if self.sheared:
            stiff = stiff + self.grid.gram(_curve(shear), shearing)
        return self._lowest(direction, moved, turned, curvature, shear, stiff, self._mass(direction, moved, turned))

    def _mass(self, direction: Direction, moved: Floats, turned: Floats) -> Floats:
        """The inertia of bending: of the beam, of what it carries, or of the beam seen from its pins."""
        if self.shapes.startswith("pinned"):
            # x and 1: what a turn about the base moves and turns
            line = filled((self.degree + 2, 1), [(slice(2), 0.5 * self.span.length)])
            one = filled((self.degree + 2, 1), [(0, 1.0)])
            if self.shapes == "pinned-pinned":
                share = _curve(moved)(np.ones(1)) / self.span.length
            else:
                turn = self._inertia(direction, line, one)
                both = self._inertia(direction, np.hstack([line, moved]), np.hstack([one, turned]))
                share = both[:1, 1:] / turn
            moved, turned = moved - line @ share, turned - one @ share
        mass = self._inertia(direction, moved, turned)
        for each in self.carries:
            weight, inertia = _about(each, direction)
            mass = mass + weight * self._square(moved + real(each.piece.centre[0]) * turned, each.at)
            mass = mass + inertia * self._square(turned, each.at)
        return mass

    def _inertia(self, direction: Direction, moved: Floats, turned: Floats) -> Floats:
        mass = self.grid.gram(_curve(moved), "mass_per_length")
        return mass + self.grid.gram(_curve(turned), BENDING[direction][1]) if self.rotary else mass

    def _square(self, series: Floats, s: float) -> Floats:
        row = _curve(series)(array([s / self.span.length]))
        return row.T @ row

    def _lowest(
        self,
        direction: Direction,
        moved: Floats,
        turned: Floats,
        strain: Floats,
        shear: Floats,
        stiffness: Floats,
        mass: Floats,
    ) -> Family:
        """The lowest modes of given fields, each 1 where it moves most."""
        # in coordinates of unit stiffness: the largest 1/ω² keep their digits
        inverse = inverse_root(stiffness)
        vectors = np.linalg.eigh(inverse.T @ mass @ inverse)[1][:, ::-1][:, : self.count]
        basis = inverse @ vectors
        seen = _curve(moved @ basis)(np.linspace(0.0, 1.0, 40 * self.count + 1))
        most = greatest(seen)
        basis = basis / most
        return Family(
            direction,
            moved=_curve(moved @ basis),
            turned=_curve(turned @ basis),
            strain=_curve(strain @ basis),
            shear=_curve(shear @ basis),
            stiffness=np.diag(most**-2.0),
        )


def loaded_frequencies(span: BeamSpan, count: int, theory: str, shapes: str, direction: Direction) -> Floats:
    """The angular frequencies (rad/s), rising, that so many shapes give the beam with all that it carries."""
    beam = ModesOfBeam(span, count, theory, shapes)
    family = beam.family(direction)
    if direction in RODS:
        mass = beam.grid.gram(family.moved, RODS[direction][1])
    else:
        mass = beam.grid.gram(family.moved, "mass_per_length")
        mass = mass + beam.grid.gram(family.turned, BENDING[direction][1]) if beam.rotary else mass
    for each in span.carries:
        weight, inertia = _about(each, direction)
        at = array([each.at / span.length])
        moved, turned = family.moved(at), family.turned(at)
        if direction in RODS:
            mass = mass + inertia * moved.T @ moved
        else:
            moved = moved + real(each.piece.centre[0]) * turned
            mass = mass + weight * moved.T @ moved + inertia * turned.T @ turned
    return frequencies(mass, family.stiffness)


def _about(each: Carried, direction: Direction) -> tuple[float, float]:
    """Mass of what is carried, and what it has of inertia in a direction besides that of its lever along the beam.

    What couples the directions, a mass centre off the axis, is left out: it would mix them.
    """
    mass, (_, y, z) = each.piece.mass, each.piece.centre
    inertia = np.diag(each.piece.inertia)
    of = {
        "axial": mass,
        "torsion": inertia[0] + mass * (y * y + z * z),
        "bending_y": inertia[1] + mass * (z * z),
        "bending_z": inertia[2] + mass * (y * y),
    }
    return mass, real(of[direction])
