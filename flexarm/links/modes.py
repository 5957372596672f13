"""Assumed modes: the link's frame, and in it the modes of the beam clamped at its base and free at its tip.

Curvature and shear strain are series of Legendre polynomials, rotation and deflection their integrals from the clamp,

    ψ = ∫κ ds,    v' = ψ + γ,    v = ∫v' ds

so that the clamp is met exactly, no beam is too thin for the shear strain, and the lowest modes of uniform beams come
out to rounding, those of smooth tapers to many digits. The modes of each direction are found by themselves, as many for
one as for another. Each is 1 m (or 1 rad) where it moves (or turns) most; the axis draws in by ½ ηᵀHη, as in every
link's frame, H(s) = ∫₀ˢ (v'ᵀv' + w'ᵀw').
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.polynomial import legendre

from flexarm.core.build import Body
from flexarm.core.elastic import Attachment, Elastic
from flexarm.core.types import Floats
from flexarm.errors import AnalysisError
from flexarm.links.base import BeamSpan, Direction, LinkBlock, Place, RigidPiece, Station
from flexarm.links.element import gauss
from flexarm.links.mesh import check_beam, free_directions, theory_of
from flexarm.links.small_motion import inverse_root

_WORD = "modes"
_THEORIES = ("timoshenko", "rayleigh", "euler")
# A wave is followed to rounding by about π polynomials and some more for the clamp, the tip and a taper.
_PER_MODE, _MORE = 2, 28
# Far beyond what one frame for the link is good for.
_MOST = 100
# Gauss points beyond the degree of the strains: exact for the mass matrix and ∫x·H of a beam whose mass per length is
# quadratic, for the strain energy of one whose stiffnesses are of degree four.
_POINTS = 6
# A point closer to the clamp than this part of the beam's length stands on it.
_ON_CLAMP = 1e-12
# Of a plane: bending stiffness, rotary inertia, its shear strain and shear stiffness. Of a rod: stiffness, inertia.
_BENDING: dict[Direction, tuple[str, str, Direction, str]] = {
    "bending_z": ("EIz", "jz", "shear_y", "GAy"),
    "bending_y": ("EIy", "jy", "shear_z", "GAz"),
}
_RODS: dict[Direction, tuple[str, str]] = {"axial": ("EA", "mass_per_length"), "torsion": ("GJ", "jx")}


def _values(series: Floats, at: Floats) -> Floats:
    """Values (p, …) of Legendre series (degree, …) at p places of [−1, 1]."""
    return np.moveaxis(np.asarray(legendre.legval(at, series), dtype=np.float64), -1, 0)


@dataclass(frozen=True, eq=False)
class _Family:
    """The modes of one direction, as Legendre series (degree, modes) along the beam, and their stiffnesses (modes,)."""

    direction: Direction
    moved: Floats  # deflection, stretch or twist
    turned: Floats  # rotation of the section, of bending
    strain: Floats  # curvature, or that of the rod
    shear: Floats
    stiffness: Floats


class _Beam:
    """A beam at its Gauss points."""

    def __init__(self, span: BeamSpan, count: int, theory: str) -> None:
        self.span, self.count = span, count
        self.sheared, self.rotary = theory == "timoshenko", theory != "euler"
        self.degree = _PER_MODE * count + _MORE
        self.xi, weights = gauss(self.degree + _POINTS)
        self.at, self.weights = 2.0 * self.xi - 1.0, weights * span.length
        self.here = [span.properties(float(xi) * span.length) for xi in self.xi]

    def of(self, name: str) -> Floats:
        """A property (p,) times the weight of each Gauss point."""
        return self.weights * np.array([float(getattr(each, name)) for each in self.here])

    def gram(self, series: Floats, name: str) -> Floats:
        """∫ property · seriesᵀ series ds."""
        rows = _values(series, self.at) * np.sqrt(self.of(name))[:, None]
        return np.asarray(rows.T @ rows)

    def integral(self, series: Floats) -> Floats:
        """The series of ∫₀ˢ, as long as they need be: two integrals raise the degree by two."""
        return np.asarray(0.5 * self.span.length * legendre.legint(series, lbnd=-1.0)[: self.degree + 2])

    def family(self, direction: Direction) -> _Family:
        """The lowest modes of a direction."""
        own, none = np.eye(self.degree + 2, self.degree), np.zeros((self.degree + 2, self.degree))
        if direction in _RODS:
            stiffness, inertia = _RODS[direction]
            moved = self.integral(own)
            return self._lowest(direction, moved, none, own, none, self.gram(own, stiffness), self.gram(moved, inertia))
        bending, inertia, _, shearing = _BENDING[direction]
        curvature, shear = own, none
        if self.sheared:
            curvature, shear = np.hstack([own, none]), np.hstack([none, own])
        turned = self.integral(curvature)
        moved = self.integral(turned + shear)
        stiff, mass = self.gram(curvature, bending), self.gram(moved, "mass_per_length")
        if self.sheared:
            stiff = stiff + self.gram(shear, shearing)
        if self.rotary:
            mass = mass + self.gram(turned, inertia)
        return self._lowest(direction, moved, turned, curvature, shear, stiff, mass)

    def _lowest(
        self,
        direction: Direction,
        moved: Floats,
        turned: Floats,
        strain: Floats,
        shear: Floats,
        stiffness: Floats,
        mass: Floats,
    ) -> _Family:
        """The lowest modes of given fields, each 1 where it moves most."""
        # in coordinates of unit stiffness: the largest 1/ω² keep their digits
        inverse = inverse_root(stiffness)
        vectors = np.linalg.eigh(inverse.T @ mass @ inverse)[1][:, ::-1][:, : self.count]
        basis = inverse @ vectors
        looked = np.linspace(-1.0, 1.0, 40 * self.count + 1)
        seen = _values(moved @ basis, looked)
        most = seen[np.argmax(np.abs(seen), axis=0), np.arange(self.count)]
        basis = basis / most
        return _Family(direction, moved @ basis, turned @ basis, strain @ basis, shear @ basis, most**-2.0)


class _Modes:
    """All modes of a beam, side by side."""

    def __init__(self, beam: _Beam, families: list[_Family]) -> None:
        self.beam, self.families = beam, families
        length, n = beam.degree + 2, len(families) * beam.count
        self.count = n
        self.phi, self.psi, self.slope = np.zeros((length, 3, n)), np.zeros((length, 3, n)), np.zeros((length, 2, n))
        for k, family in enumerate(families):
            own = self.columns(k)
            if family.direction == "axial":
                self.phi[:, 0, own] = family.moved
            elif family.direction == "torsion":
                self.psi[:, 0, own] = family.moved
            elif family.direction == "bending_z":
                self.phi[:, 1, own], self.psi[:, 2, own] = family.moved, family.turned
                self.slope[:, 0, own] = family.turned + family.shear
            else:
                # w' ≈ −ψ_y
                self.phi[:, 2, own], self.psi[:, 1, own] = family.moved, -family.turned
                self.slope[:, 1, own] = family.turned + family.shear

    def columns(self, k: int) -> slice:
        """The coordinates of the k-th family."""
        return slice(k * self.beam.count, (k + 1) * self.beam.count)

    def shortening(self, xi: float) -> Floats:
        """H (n, n) at a fraction of the length."""
        if not self.beam.span.formulation.stiffening:
            return np.zeros((self.count, self.count))
        rows = _values(self.slope, 2.0 * self.beam.xi * xi - 1.0)
        rows = rows * np.sqrt(self.beam.weights * xi)[:, None, None]
        rows = rows.reshape(-1, self.count)
        return np.asarray(rows.T @ rows)

    def attachment(self, s: float) -> Attachment:
        """The frame at a distance along the beam."""
        xi = min(s / self.beam.span.length, 1.0)
        at = np.array([2.0 * xi - 1.0])
        phi, psi = _values(self.phi, at)[0], _values(self.psi, at)[0]
        return Attachment(xi * self.beam.span.length, phi.copy(), psi.copy(), self.shortening(xi))

    def elastic(self) -> Elastic:
        """The beam as a flexible body."""
        beam = self.beam
        rotary = np.stack([beam.of("jx"), beam.of("jy") * beam.rotary, beam.of("jz") * beam.rotary], axis=1)
        stiffness = np.diag(np.concatenate([family.stiffness for family in self.families]))
        return Elastic(
            mass=beam.of("mass_per_length"),
            x=beam.xi * beam.span.length,
            rotary=rotary,
            phi=_values(self.phi, beam.at).copy(),
            psi=_values(self.psi, beam.at).copy(),
            shortening=np.array([self.shortening(float(xi)) for xi in beam.xi]),
            stiffness=stiffness,
            damping=np.zeros_like(stiffness),
        )

    def stations(self) -> tuple[Station, ...]:
        """Strains and the forces behind them, at equal distances from the clamp to the tip."""
        found = []
        places = 2 * self.beam.count + 3
        for xi in np.linspace(0.0, 1.0, places):
            here, at = self.beam.span.properties(float(xi) * self.beam.span.length), np.array([2.0 * xi - 1.0])
            for k, family in enumerate(self.families):
                own = self.columns(k)
                readings: list[tuple[Direction, Floats, str]] = []
                if family.direction in _RODS:
                    readings.append((family.direction, family.strain, _RODS[family.direction][0]))
                else:
                    bending, _, sheared, shearing = _BENDING[family.direction]
                    sign = 1.0 if family.direction == "bending_z" else -1.0
                    readings.append((family.direction, sign * family.strain, bending))
                    if self.beam.sheared:
                        readings.append((sheared, family.shear, shearing))
                for name, series, stiffness in readings:
                    strain = _values(series, at)[0]
                    force = float(getattr(here, stiffness)) * strain
                    found.append(
                        Station(
                            position=float(xi) * self.beam.span.length,
                            direction=name,
                            coordinates=tuple(range(own.start, own.stop)),
                            strain=tuple(float(each) for each in strain),
                            force=tuple(float(each) for each in force),
                            loss=(0.0,) * self.beam.count,
                        )
                    )
        return tuple(found)


def modes(span: BeamSpan) -> LinkBlock:
    """The beam as one flexible body whose coordinates are the clamped modes of each direction."""
    count, base = span.formulation.modes, span.properties(0.0)
    if not 1 <= count <= _MOST:
        raise AnalysisError(f'link "{span.name}": model.modes is {count}, must be from 1 to {_MOST}')
    theory, free = theory_of(span, _WORD, _THEORIES, base), free_directions(span, base)
    check_beam(span, _WORD, _THEORIES, free, theory)
    beam = _Beam(span, count, theory)
    shapes = _Modes(beam, [beam.family(direction) for direction in free])
    labels = [(direction, k + 1) for direction in free for k in range(count)]

    def place(s: float) -> Place:
        """The frame at a point of the axis."""
        return Place(-1, s) if s <= _ON_CLAMP * span.length else Place(0, s, shapes.attachment(s))

    return LinkBlock(
        carried=RigidPiece(),
        bodies=(Body(parent=-1, elastic=shapes.elastic()),),
        names=tuple(f"{direction}{k}" for direction, k in labels),
        directions=tuple(direction for direction, _ in labels),
        units=tuple("rad" if direction == "torsion" else "m" for direction, _ in labels),
        stations=shapes.stations(),
        place=place,
        extents=(span.length,),
    )
