"""A beam seen through shapes along it: one flexible body whose coordinates are their amounts.

Whatever shapes there are, each direction brings its own: deflection (stretch, twist), the rotation of the section, the
strain and the shear strain, as functions of the part of the length. The axis draws in by ½ ηᵀHη, as in every link's
frame, H(s) = ∫₀ˢ (v'ᵀv' − γ_yᵀγ_y + w'ᵀw' − γ_zᵀγ_z): sections that slide across themselves draw nothing in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from flexarm.batched import array, filled, real, smaller
from flexarm.core.tree.elastic import Attachment, Elastic
from flexarm.core.tree.types import Floats
from flexarm.links.base import BeamSpan, Carried, Direction, Station
from flexarm.links.element import gauss
from flexarm.links.printed import payload_stations
from flexarm.links.products import Rows, Twisted

# Values (p, n) of n shapes at p parts of the length.
Curve = Callable[[Floats], Floats]
# Of a plane: bending stiffness, rotary inertia, its shear strain and shear stiffness. Of a rod: stiffness, inertia.
BENDING: dict[Direction, tuple[str, str, Direction, str]] = {
    "bending_z": ("EIz", "jz", "shear_y", "GAy"),
    "bending_y": ("EIy", "jy", "shear_z", "GAz"),
}
RODS: dict[Direction, tuple[str, str]] = {"axial": ("EA", "mass_per_length"), "torsion": ("GJ", "jx")}


@dataclass(frozen=True, eq=False)
class Family:
    """The shapes of one direction."""

    direction: Direction
    moved: Curve  # deflection, stretch or twist
    turned: Curve  # rotation of the section, of bending
    strain: Curve  # curvature, or that of the rod
    shear: Curve
    stiffness: Floats  # (n, n)

    @property
    def count(self) -> int:
        """Number of shapes."""
        return len(self.stiffness)


class Grid:
    """The Gauss points of a beam, so many in each piece between breaks of its shapes."""

    def __init__(self, span: BeamSpan, points: int, breaks: Sequence[float] | Floats = (0.0, 1.0)) -> None:
        self.span = span
        self.breaks = np.asarray(breaks, dtype=np.float64)
        self.own, self.own_weights = gauss(points)
        steps = np.diff(self.breaks)
        self.xi = (self.breaks[:-1, None] + steps[:, None] * self.own).ravel()
        self.weights = span.length * (steps[:, None] * self.own_weights).ravel()
        self.here = [span.properties(float(xi) * span.length) for xi in self.xi]

    def of(self, name: str) -> Floats:
        """A property (p,) times the weight of each Gauss point."""
        return self.weights * array([real(getattr(each, name)) for each in self.here])

    def gram(self, curve: Curve, name: str) -> Floats:
        """∫ property · rowsᵀ rows ds of a curve."""
        rows = curve(self.xi) * np.sqrt(self.of(name))[:, None]
        return rows.T @ rows


class ShapedBeam:
    """All shapes of a beam, side by side; its frame stands `before` (m) the place where the beam begins."""

    def __init__(
        self, grid: Grid, families: Sequence[Family], *, sheared: bool, rotary: bool, before: float = 0.0
    ) -> None:
        self.grid, self.families, self.span = grid, families, grid.span
        self.sheared, self.rotary, self.before = sheared, rotary, before
        ends = np.cumsum([0, *(family.count for family in families)])
        self.columns = [slice(int(a), int(b)) for a, b in pairwise(ends)]
        self.count = int(ends[-1])
        # H at the breaks, so that any other place needs no more than its own piece
        parts = self._drawn([(k, 1.0) for k in range(len(grid.breaks) - 1)])
        self._inboard = np.concatenate([np.zeros((1, self.count, self.count)), np.cumsum(array(parts), axis=0)])
        self.twisted = None
        if self.span.formulation.stiffening and not self.span.planar:
            breaks, points = self.span.length * grid.breaks, len(grid.own)
            self.twisted = Twisted(self.span, breaks, self._twisting, points, across=rotary)

    def _twisting(self, piece: int, s: Floats) -> Rows:
        """Rotation, curvature and shear at distances along the beam."""
        xi, bent, shear = s / self.span.length, [], []
        for family, own in zip(self.families, self.columns, strict=True):
            if family.direction == "torsion":
                bent.append((np.s_[:, 0, own], family.strain(xi)))
            elif family.direction in BENDING:
                axis = 2 if family.direction == "bending_z" else 1
                bent.append((np.s_[:, axis, own], family.strain(xi) if axis == 2 else -family.strain(xi)))
                if self.sheared:
                    shear.append((np.s_[:, 2 - axis, own], family.shear(xi)))
        psi = self.rows(xi)[1]
        return Rows(psi, filled(psi.shape, bent), filled((len(xi), 2, self.count), shear))

    def rows(self, xi: Floats) -> tuple[Floats, Floats]:
        """Φ (p, 3, n) and Ψ (p, 3, n) at parts of the length."""
        phi, psi = [], []
        for family, own in zip(self.families, self.columns, strict=True):
            moved = family.moved(xi)
            if family.direction == "axial":
                phi.append((np.s_[:, 0, own], moved))
            elif family.direction == "torsion":
                psi.append((np.s_[:, 0, own], moved))
            elif family.direction == "bending_z":
                phi.append((np.s_[:, 1, own], moved))
                psi.append((np.s_[:, 2, own], family.turned(xi)))
            else:
                # w' ≈ −ψ_y
                phi.append((np.s_[:, 2, own], moved))
                psi.append((np.s_[:, 1, own], -family.turned(xi)))
        shape = (len(xi), 3, self.count)
        return filled(shape, phi), filled(shape, psi)

    def _sections(self, xi: Floats) -> tuple[Floats, Floats]:
        """Of both planes the rotations ψ of the section and the shear strains γ (p, 2, n) at parts of the length."""
        turned, sheared = [], []
        for family, own in zip(self.families, self.columns, strict=True):
            if family.direction in BENDING:
                at = np.s_[:, 0 if family.direction == "bending_z" else 1, own]
                turned.append((at, family.turned(xi)))
                if self.sheared:
                    sheared.append((at, family.shear(xi)))
        shape = (len(xi), 2, self.count)
        return filled(shape, turned), filled(shape, sheared)

    def _drawn(self, parts: Sequence[tuple[int, float]]) -> list[Floats]:
        """What parts of pieces, (piece, part) each, add to H."""
        breaks, own, weights = self.grid.breaks, self.grid.own, self.grid.own_weights
        reaches = [part * (breaks[piece + 1] - breaks[piece]) for piece, part in parts]
        # all rows at once: a series of many terms costs about as much at one place as at a thousand
        places = [breaks[piece] + reach * own for (piece, _), reach in zip(parts, reaches, strict=True)]
        turned, sheared = self._sections(np.concatenate(places))
        found = []
        for k, reach in enumerate(reaches):
            size = np.sqrt(self.span.length * reach * weights)[:, None, None]
            here = slice(k * len(own), (k + 1) * len(own))
            # v'ᵀv' − γᵀγ with v' = ψ + γ
            slopes = ((turned[here] + sheared[here]) * size).reshape(-1, self.count)
            drawn = slopes.T @ slopes
            if self.sheared:
                shears = (sheared[here] * size).reshape(-1, self.count)
                drawn = drawn - shears.T @ shears
            found.append(drawn)
        return found

    def shortenings(self, places: Sequence[float]) -> list[Floats]:
        """H (n, n) at parts of the length."""
        if not self.span.formulation.stiffening:
            return [np.zeros((self.count, self.count)) for _ in places]
        breaks, parts = self.grid.breaks, []
        for xi in places:
            piece = min(int(np.searchsorted(breaks, xi, side="right")) - 1, len(breaks) - 2)
            parts.append((piece, real((xi - breaks[piece]) / (breaks[piece + 1] - breaks[piece]))))
        drawn = self._drawn(parts)
        return [self._inboard[piece] + own for (piece, _), own in zip(parts, drawn, strict=True)]

    def attachment(self, s: float) -> Attachment:
        """The frame at a distance along the beam."""
        xi = smaller(s / self.span.length, 1.0)
        phi, psi = self.rows(array([xi]))
        s = xi * self.span.length
        products = None if self.twisted is None else self.twisted.at(s)
        return Attachment(self.before + s, phi[0].copy(), psi[0].copy(), self.shortenings([xi])[0], products)

    def elastic(self, payloads: tuple[Carried, ...] = ()) -> Elastic:
        """The beam as a flexible body, with some payloads among its stations."""
        grid, across = self.grid, float(self.rotary)
        phi, psi = self.rows(grid.xi)
        families = zip(self.families, self.columns, strict=True)
        stiffness = filled((self.count, self.count), [((own, own), family.stiffness) for family, own in families])
        parts: list[tuple[Floats, ...]] = [
            (
                grid.of("mass_per_length"),
                self.before + grid.xi * self.span.length,
                np.stack([grid.of("jx"), across * grid.of("jy"), across * grid.of("jz")], axis=1),
                phi,
                psi,
                array(self.shortenings(grid.xi.tolist())),
            )
        ]
        for each in payload_stations(payloads, self.attachment):
            parts.append(tuple(array([value]) for value in each))
        mass, x, rotary, phi, psi, shortening = (np.concatenate(part) for part in zip(*parts, strict=True))
        products = None if self.twisted is None else self.twisted.summed()
        none = np.zeros_like(stiffness)
        return Elastic(mass, x, rotary, phi, psi, shortening, stiffness, none, products=products)

    def stations(self) -> tuple[Station, ...]:
        """Strains and the forces behind them, at equal distances from the clamp to the tip."""
        found = []
        places = 2 * max(family.count for family in self.families) + 3
        for xi in np.linspace(0.0, 1.0, places):
            here, at = self.span.properties(float(xi) * self.span.length), np.array([xi])
            for family, own in zip(self.families, self.columns, strict=True):
                for name, curve, stiffness in self._readings(family):
                    strain = curve(at)[0]
                    force = real(getattr(here, stiffness)) * strain
                    found.append(
                        Station(
                            position=float(xi) * self.span.length,
                            direction=name,
                            coordinates=tuple(range(own.start, own.stop)),
                            strain=tuple(real(each) for each in strain),
                            force=tuple(real(each) for each in force),
                            loss=(0.0,) * family.count,
                        )
                    )
        return tuple(found)

    def _readings(self, family: Family) -> list[tuple[Direction, Curve, str]]:
        """What can be read of a direction: its name, the strain, and the stiffness behind it."""
        if family.direction in RODS:
            return [(family.direction, family.strain, RODS[family.direction][0])]
        bending, _, sheared, shearing = BENDING[family.direction]
        curvature = family.strain
        if family.direction == "bending_y":
            curvature = _negative(curvature)
        found: list[tuple[Direction, Curve, str]] = [(family.direction, curvature, bending)]
        if self.sheared:
            found.append((sheared, family.shear, shearing))
        return found


def _negative(curve: Curve) -> Curve:
    return lambda xi: -curve(xi)
