"""Shapes that are listed in the model: polynomials in the part of the length, or points joined by a cubic spline."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.batched import array, zeros
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.links.base import BeamSpan, Direction
from flexarm.links.mesh import refused
from flexarm.links.shape_rows import BENDING, RODS, Curve, Family, Grid
from flexarm.model import ModeShape

# Gauss points of a piece beyond the degree of the shapes: exact for masses and stiffnesses of degree four.
_POINTS = 4
# Shapes whose mass matrix, of unit diagonal, has a smaller eigenvalue than this are linearly dependent.
_INDEPENDENT = 1e-12
# Directions as they follow one another among the coordinates.
_ORDER: tuple[Direction, ...] = ("axial", "bending_z", "bending_y", "torsion")


@dataclass(frozen=True, eq=False)
class _Pieces:
    """A function of ξ = x/L on [0, 1] made of polynomials, each about the beginning of its piece."""

    knots: Floats  # (pieces + 1,)
    coefficients: Floats  # (pieces, degree + 1), lowest first

    def at(self, xi: Floats, derivative: int = 0) -> Floats:
        """Values (p,) of the function or a derivative by ξ."""
        k = np.clip(np.searchsorted(self.knots, xi, side="right") - 1, 0, len(self.coefficients) - 1)
        rest, found = xi - self.knots[k], np.zeros(len(xi))
        for power in range(self.coefficients.shape[1] - 1, derivative - 1, -1):
            factor = float(np.prod(np.arange(power - derivative + 1, power + 1)))
            found = found * rest + factor * self.coefficients[k, power]
        return found


def _polynomial(coefficients: tuple[float, ...], noughts: int) -> _Pieces:
    """The polynomial with its first coefficients put to the nought they are meant to be."""
    row = array([coefficients])
    row[0, :noughts] = 0.0
    return _Pieces(np.array([0.0, 1.0]), row)


def _spline(knots: Floats, values: Floats, *, flat: bool) -> _Pieces:
    """The cubic spline through points, its third derivative continuous next to the ends; flat at the clamp if asked."""
    h, n = np.diff(knots), len(knots)
    slope = np.diff(values) / h
    # second derivatives m: h[i-1] m[i-1] + 2 (h[i-1] + h[i]) m[i] + h[i] m[i+1] = 6 (slope[i] − slope[i-1])
    matrix, right = np.zeros((n, n)), zeros(n, slope)
    for i in range(1, n - 1):
        matrix[i, i - 1 : i + 2] = h[i - 1], 2.0 * (h[i - 1] + h[i]), h[i]
        right[i] = 6.0 * (slope[i] - slope[i - 1])
    if flat:
        matrix[0, :2], right[0] = (2.0 * h[0], h[0]), 6.0 * slope[0]
    elif n > 3:
        matrix[0, :3] = h[1], -(h[0] + h[1]), h[0]
    else:
        matrix[0, :2] = 1.0, -1.0
    if flat or n > 3:
        matrix[-1, -3:] = h[-1], -(h[-2] + h[-1]), h[-2]
    else:
        matrix[-1, -2:] = 1.0, -1.0
    m = np.linalg.solve(matrix, right)
    first = slope - h * (2.0 * m[:-1] + m[1:]) / 6.0
    if flat:
        first[0] = 0.0
    return _Pieces(knots, np.stack([values[:-1], first, 0.5 * m[:-1], np.diff(m) / (6.0 * h)], axis=1))


@dataclass(frozen=True, eq=False)
class _Listed:
    """One shape: what it moves and, of bending, how it turns the sections (rad/m), none if by its slope."""

    moved: _Pieces
    turned: _Pieces | None

    @classmethod
    def of(cls, shape: ModeShape) -> _Listed:
        """The shape of the model."""
        bends, turned = shape.direction.startswith("bending"), None
        free = not bends or shape.rotation is not None
        if shape.polynomial is not None:
            moved = _polynomial(shape.polynomial, 1 if free else 2)
            if shape.rotation is not None:
                turned = _polynomial(shape.rotation, 1)
            return cls(moved, turned)
        assert shape.at is not None and shape.values is not None
        knots = np.array(shape.at) / shape.at[-1]
        moved = _spline(knots, _from_nought(shape.values), flat=not free)
        if shape.rotation is not None:
            turned = _spline(knots, _from_nought(shape.rotation), flat=False)
        return cls(moved, turned)

    def rotation(self, xi: Floats, length: float, derivative: int = 0) -> Floats:
        """Rotation of the section or its derivative by x."""
        if self.turned is None:
            return self.moved.at(xi, derivative + 1) / length ** (derivative + 1)
        return self.turned.at(xi, derivative) / length**derivative

    def shear(self, xi: Floats, length: float) -> Floats:
        """What the axis turns beyond the section."""
        if self.turned is None:
            return np.zeros(len(xi))
        return self.moved.at(xi, 1) / length - self.turned.at(xi)


def _from_nought(values: tuple[float, ...]) -> Floats:
    found = array(values)
    found[0] = 0.0
    return found


def check_listed(span: BeamSpan, theory: str) -> tuple[Direction, ...]:
    """The directions of the listed shapes; refuses what the arm or the theory cannot have."""
    for i, shape in enumerate(span.formulation.listed):
        if span.planar and shape.direction in ("bending_y", "torsion"):
            raise refused(
                span, f'model.shapes[{i}].direction is "{shape.direction}"', 'be "bending_z" or "axial" in a planar arm'
            )
        if shape.rotation is not None and theory != "timoshenko":
            raise refused(
                span, f"model.shapes[{i}].rotation is given", f'be given with theory "timoshenko", not "{theory}"'
            )
    found = {shape.direction for shape in span.formulation.listed}
    return tuple(direction for direction in _ORDER if direction in found)


def listed_families(span: BeamSpan, theory: str) -> tuple[Grid, list[Family]]:
    """The listed shapes of every direction that has some, and the points between which they are smooth."""
    shapes, directions = span.formulation.listed, check_listed(span, theory)
    made = [_Listed.of(shape) for shape in shapes]
    pieces = [each for one in made for each in (one.moved, one.turned) if each is not None]
    breaks = np.unique(np.concatenate([each.knots for each in pieces]))
    # knots that differ by the rounding of their units are one
    breaks = np.concatenate([breaks[:-1][np.diff(breaks) > 1e-9], [1.0]])
    grid = Grid(span, max(each.coefficients.shape[1] for each in pieces) + _POINTS, breaks)
    families = []
    for direction in directions:
        own = [one for one, shape in zip(made, shapes, strict=True) if shape.direction == direction]
        families.append(_family(grid, direction, own, theory == "timoshenko"))
    return grid, families


def _family(grid: Grid, direction: Direction, own: list[_Listed], sheared: bool) -> Family:
    """The shapes of one direction with their stiffnesses; refused where they are linearly dependent."""
    length = grid.span.length

    def moved(xi: Floats) -> Floats:
        return np.stack([each.moved.at(xi) for each in own], axis=1)

    def stretched(xi: Floats) -> Floats:
        return np.stack([each.moved.at(xi, 1) / length for each in own], axis=1)

    def turned(xi: Floats) -> Floats:
        return np.stack([each.rotation(xi, length) for each in own], axis=1)

    def curved(xi: Floats) -> Floats:
        return np.stack([each.rotation(xi, length, 1) for each in own], axis=1)

    def sheared_by(xi: Floats) -> Floats:
        return np.stack([each.shear(xi, length) for each in own], axis=1)

    def none(xi: Floats) -> Floats:
        return np.zeros((len(xi), len(own)))

    if direction in RODS:
        found = Family(direction, moved, none, stretched, none, grid.gram(stretched, RODS[direction][0]))
    else:
        bending, _, _, shearing = BENDING[direction]
        stiffness = grid.gram(curved, bending)
        if sheared:
            stiffness = stiffness + grid.gram(sheared_by, shearing)
        found = Family(direction, moved, turned, curved, sheared_by, stiffness)
    _check(grid, direction, moved, found)
    return found


def _check(grid: Grid, direction: Direction, moved: Curve, found: Family) -> None:
    """Refuses shapes of which one is made up of the others, or that bend, twist or stretch nowhere."""
    mass = grid.gram(moved, "mass_per_length")
    size = 1.0 / np.sqrt(np.diag(mass))
    if np.linalg.eigvalsh(mass * np.outer(size, size))[0] < _INDEPENDENT:
        raise AnalysisError(
            f'link "{grid.span.name}": model.shapes of direction "{direction}" are made up of one another, must be '
            "independent"
        )
    if np.any(np.diag(found.stiffness) <= 0.0):
        raise AnalysisError(
            f'link "{grid.span.name}": model.shapes of direction "{direction}" have one without strain, must deform'
        )
