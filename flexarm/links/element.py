"""One finite element of a beam: its interpolation, its strains and the points they are summed at.

Axial, torsional and the two bending motions of a straight beam do not mix. A bending plane is written in (v, ψ_z); the
other plane is the same in (w, −ψ_y), since a positive turn about y lowers w: w' ≈ −ψ_y where v' ≈ ψ_z.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np

from flexarm.batched import array, filled, real, zeros
from flexarm.core.tree.types import Floats
from flexarm.links.base import STIFFNESS, Direction
from flexarm.model import BeamProperties

# Coordinates of a node in their order, displacements then rotations: name, what they are part of, unit.
NODAL: tuple[tuple[str, Direction, str], ...] = (
    ("u", "axial", "m"),
    ("v", "bending_z", "m"),
    ("w", "bending_y", "m"),
    ("twist", "torsion", "rad"),
    ("slope_y", "bending_y", "rad"),
    ("slope_z", "bending_z", "rad"),
)
# The shear strain that goes with a bending plane.
_SHEAR_OF: dict[Direction, Direction] = {"bending_z": "shear_y", "bending_y": "shear_z"}
_PLANE_OF: dict[Direction, Direction] = {shear: plane for plane, shear in _SHEAR_OF.items()}
# More Gauss points where the beam tapers: stiffnesses grow with up to the fourth power of a dimension, and dimensions
# change linearly, so that two more points keep every sum exact.
_FOR_TAPER = 2


class PlaneRows(NamedTuple):
    """Rows (p, 2·nodes) of a bending plane at p places, on the coordinates (v, ψ) of every node, base to tip."""

    deflection: Floats  # v
    rotation: Floats  # ψ, of the section
    slope: Floats  # v', of the axis
    curvature: Floats  # ψ'
    shear: Floats  # γ = v' − ψ


class Reading(NamedTuple):
    """A strain read at one place of an element."""

    name: Direction
    x: float
    strain: Floats  # (count,) row
    stiffness: float


@dataclass(frozen=True, eq=False)
class ElementKind:
    """What distinguishes one element formulation from another. Places are fractions ξ of the element's length."""

    word: str
    nodes: int  # equally spaced, the first and the last at the ends
    theories: tuple[str, ...]
    plane: Callable[[Floats, float, float], PlaneRows]  # of ξ (p,), length, β = 12EI/κGA (0 without shear)
    # Gauss points that are exact for a uniform element: the mass matrix and ∫x·H, ∫v'², ∫EIκ²; for shear as wanted
    station_points: int
    slope_points: int
    bending_points: int
    shear_points: Mapping[str, int]
    # where strains are most accurate, and where else a curvature is wanted
    bending_readings: tuple[float, ...]
    other_readings: tuple[float, ...]
    reads_tip: bool = False  # the curvature at the far end of the last element as well
    turns_freely: bool = False  # the axis may turn against the section at a node without bending


@cache
def gauss(points: int) -> tuple[Floats, Floats]:
    """Gauss points and weights (points,) on [0, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(points)
    return 0.5 * (nodes + 1.0), 0.5 * weights


def lagrange(xi: Floats, nodes: int) -> tuple[Floats, Floats]:
    """Values and derivatives d/dξ (p, nodes) of the linear (2 nodes) or quadratic (3) interpolation at ξ (p,)."""
    one = np.ones_like(xi)
    if nodes == 2:
        return np.stack([1.0 - xi, xi], axis=1), np.stack([-one, one], axis=1)
    values = [(1.0 - xi) * (1.0 - 2.0 * xi), 4.0 * xi * (1.0 - xi), xi * (2.0 * xi - 1.0)]
    return np.stack(values, axis=1), np.stack([4.0 * xi - 3.0, 4.0 - 8.0 * xi, 4.0 * xi - 1.0], axis=1)


def interpolated(xi: Floats, points: Floats) -> Floats:
    """Values (p, m) at ξ (p,) of the polynomials that are 1 at one of m points and 0 at the others."""
    columns = []
    for i, own in enumerate(points):
        column = np.ones_like(xi)
        for j, other in enumerate(points):
            if j != i:
                column = column * ((xi - other) / (own - other))
        columns.append(column)
    return np.stack(columns, axis=1)


def separate_fields(nodes: int) -> Callable[[Floats, float, float], PlaneRows]:
    """The rows of a plane whose deflection and rotation are interpolated alike and apart."""

    def plane(xi: Floats, length: float, beta: float) -> PlaneRows:
        """The rows at ξ; β plays no part."""
        value, derivative = lagrange(xi, nodes)
        deflection, rotation, slope, curvature = zeros((4, len(xi), 2 * nodes), xi, length)
        deflection[:, 0::2], rotation[:, 1::2] = value, value
        slope[:, 0::2], curvature[:, 1::2] = derivative / length, derivative / length
        return PlaneRows(deflection, rotation, slope, curvature, slope - rotation)

    return plane


@dataclass(frozen=True, eq=False)
class Element:
    """One element, distances x counted from its beginning. Coordinates: node by node, in the order of NODAL."""

    kind: ElementKind
    length: float
    free: tuple[Direction, ...]  # of axial, bending_z, bending_y, torsion
    shear: bool  # sections shear
    rotary: bool  # sections have rotary inertia about y and z
    integration: str
    tapered: bool
    properties: Callable[[float], BeamProperties]  # at the distance x

    @cached_property
    def kept(self) -> dict[Any, Any]:
        """What was made of this element, under names of those who made it: it lives as long as the element."""
        return {}

    @property
    def per_node(self) -> int:
        """Number of coordinates of a node."""
        return sum(direction in self.free for _, direction, _ in NODAL)

    @property
    def count(self) -> int:
        """Number of coordinates, those of the proximal node included."""
        return self.kind.nodes * self.per_node

    @property
    def strains(self) -> tuple[Direction, ...]:
        """The strains that have stiffness."""
        sheared = tuple(_SHEAR_OF[plane] for plane in self.free if plane in _SHEAR_OF) if self.shear else ()
        return self.free + sheared

    @cached_property
    def _columns(self) -> dict[Direction, list[int]]:
        """Columns of each direction: one of every node for axial and torsion, (deflection, rotation) for bending."""
        here = [direction for _, direction, _ in NODAL if direction in self.free]
        return {
            wanted: [
                node * self.per_node + c
                for node in range(self.kind.nodes)
                for c, direction in enumerate(here)
                if direction == wanted
            ]
            for wanted in self.free
        }

    def stiffness_at(self, strain: Direction, x: Floats) -> Floats:
        """EA, GA, GJ or EI (p,) at distances x (p,)."""
        return array([real(getattr(self.properties(real(at)), STIFFNESS[strain])) for at in x])

    @cached_property
    def _beta(self) -> dict[Direction, float]:
        """12EI/κGA (m²) of each plane, from the means over the element."""
        if not self.shear:
            return dict.fromkeys(_SHEAR_OF, 0.0)
        xi, weights = gauss(1 + _FOR_TAPER if self.tapered else 1)

        def mean(name: Direction) -> float:
            """Mean stiffness along the element."""
            return real(weights @ self.stiffness_at(name, xi * self.length))

        return {plane: 12.0 * mean(plane) / mean(_SHEAR_OF[plane]) for plane in self.free if plane in _SHEAR_OF}

    def _plane(self, plane: Direction, x: Floats) -> tuple[PlaneRows, list[int], float]:
        """Rows of a bending plane in its own sign of rotation, their columns, and that sign: ψ = sign × turn."""
        rows = self.kind.plane(x / self.length, self.length, self._beta[plane])
        columns = self._columns[plane]
        if plane == "bending_z":
            return rows, columns, 1.0
        sign = np.tile([1.0, -1.0], self.kind.nodes)
        return PlaneRows(*(row * sign for row in rows)), columns, -1.0

    def displacement(self, x: Floats) -> Floats:
        """Φ (p, 3, count) at distances x (p,)."""
        parts = []
        if "axial" in self.free:
            parts.append((np.s_[:, 0, self._columns["axial"]], lagrange(x / self.length, self.kind.nodes)[0]))
        for row, plane in ((1, "bending_z"), (2, "bending_y")):
            if plane in self.free:
                rows, columns, _ = self._plane(plane, x)  # type: ignore[arg-type]
                parts.append((np.s_[:, row, columns], rows.deflection))
        return filled((len(x), 3, self.count), parts)

    def rotation(self, x: Floats) -> Floats:
        """Ψ (p, 3, count), the rotation of the section, at distances x (p,)."""
        parts = []
        if "torsion" in self.free:
            parts.append((np.s_[:, 0, self._columns["torsion"]], lagrange(x / self.length, self.kind.nodes)[0]))
        for row, plane in ((2, "bending_z"), (1, "bending_y")):
            if plane in self.free:
                rows, columns, sign = self._plane(plane, x)  # type: ignore[arg-type]
                parts.append((np.s_[:, row, columns], sign * rows.rotation))
        return filled((len(x), 3, self.count), parts)

    def slope(self, x: Floats) -> Floats:
        """v' and w' (p, 2, count) of the axis at distances x (p,)."""
        parts = []
        for row, plane in ((0, "bending_z"), (1, "bending_y")):
            if plane in self.free:
                rows, columns, _ = self._plane(plane, x)  # type: ignore[arg-type]
                parts.append((np.s_[:, row, columns], rows.slope))
        return filled((len(x), 2, self.count), parts)

    def strain(self, name: Direction, x: Floats) -> Floats:
        """Rows (p, count) of a strain: u', ψ_x', ψ_y', ψ_z', γ_y = v' − ψ_z or γ_z = w' + ψ_y."""
        if name in ("axial", "torsion"):
            columns, own = self._columns[name], lagrange(x / self.length, self.kind.nodes)[1] / self.length
        else:
            rows, columns, sign = self._plane(_PLANE_OF.get(name, name), x)
            own = rows.shear if name in _PLANE_OF else sign * rows.curvature
        return filled((len(x), self.count), [(np.s_[:, columns], own)])

    def stiffness_factor(self) -> Floats:
        """F (r, count) with K = FᵀF: rows √(weight · stiffness) × strain at the points of each strain."""
        more = _FOR_TAPER if self.tapered else 0
        parts = []
        for name in self.strains:
            if name in _PLANE_OF:
                points = self.kind.shear_points[self.integration]
            else:
                points = (self.kind.bending_points if name in _SHEAR_OF else self.kind.nodes - 1) + more
            xi, weights = gauss(points)
            x = xi * self.length
            size = np.sqrt(weights * self.length * self.stiffness_at(name, x))
            parts.append(size[:, None] * self.strain(name, x))
        return np.concatenate(parts)

    def strain_energy_shear(self, x: Floats) -> Floats:
        """γ_y and γ_z (p, 2, count) at distances x (p,), as the strain energy sees them: the polynomials through the
        points they are summed at. Fields interpolated apart have more shear between them, which no bend can avoid.
        """
        points = gauss(self.kind.shear_points[self.integration])[0]
        through = interpolated(x / self.length, points)
        parts = []
        for row, plane in ((0, "bending_z"), (1, "bending_y")):
            if plane in self.free:
                own = self.strain(_SHEAR_OF[plane], points * self.length)  # type: ignore[index]
                parts.append((np.s_[:, row, :], through @ own))
        return filled((len(x), 2, self.count), parts)

    def shortening_factors(self, x: float) -> tuple[Floats, Floats]:
        """F and G (r, count) with FᵀF − GᵀG = ∫₀ˣ (v'ᵀv' − γ_yᵀγ_y + w'ᵀw' − γ_zᵀγ_z) ds: how much the axis draws in
        up to x, twice. Sections that slide across themselves draw nothing in; without shear G has no rows.
        """
        points = self.kind.shear_points[self.integration] if self.shear else 0
        xi, weights = gauss(max(self.kind.slope_points, points))
        size = np.sqrt(weights * x)[:, None, None]
        slopes = (self.slope(xi * x) * size).reshape(-1, self.count)
        if not self.shear:
            return slopes, np.zeros((0, self.count))
        return slopes, (self.strain_energy_shear(xi * x) * size).reshape(-1, self.count)

    def stations(self) -> tuple[Floats, Floats, Floats]:
        """Distances (g,), masses (g,) and rotary inertias (g, 3) of its stations."""
        xi, weights = gauss(self.kind.station_points + (_FOR_TAPER if self.tapered else 0))
        x, weights = xi * self.length, weights * self.length
        here = [self.properties(real(at)) for at in x]
        across = 1.0 if self.rotary else 0.0
        rotary = array([[p.jx, across * p.jy, across * p.jz] for p in here])
        return x, weights * array([p.mass_per_length for p in here]), weights[:, None] * rotary

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """Where each strain is read, in order of distance."""
        found = [
            self._reading(name, xi)
            for name in self.strains
            for xi in (self.kind.bending_readings if name in _SHEAR_OF else self.kind.other_readings)
        ]
        return tuple(sorted(found, key=lambda reading: reading.x))

    @cached_property
    def tip_readings(self) -> tuple[Reading, ...]:
        """What is read at the far end as well, if the element is the last."""
        return tuple(self._reading(name, 1.0) for name in self.strains if self.kind.reads_tip and name in _SHEAR_OF)

    def _reading(self, name: Direction, xi: float) -> Reading:
        """A strain at ξ."""
        x = array([xi * self.length])
        return Reading(name, real(x[0]), self.strain(name, x)[0], real(self.stiffness_at(name, x)[0]))
