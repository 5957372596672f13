"""Second-order terms of a beam in one frame besides foreshortening: products of twist and bending (NOTATION 27a).

Sections turn by R, R' = R κ~ with the curvature κ = Ψ'η in the section's own axes, and the axis runs along R (e_x + γ).
To second order

    θ = ψ + ½ ∫ψ×ψ' ds,      r_y = v + ∫∫ψ_xψ_y' − ∫ψ_xγ_z,      r_z = w + ∫∫ψ_xψ_z' + ∫ψ_xγ_y       (ψ = Ψη)

Sums over stations are taken in the other order, ∫dm ∫₀ˢ f = ∫f (∫_s dm) ds, so that nothing is stored by station.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from flexarm.batched import array, real
from flexarm.core.tree.elastic import Products
from flexarm.core.tree.types import Floats
from flexarm.links.base import BeamSpan
from flexarm.links.element import gauss

# Gauss points for the masses outboard of a place: exact for tapers of degree seven.
_OUTBOARD = 4


class Rows(NamedTuple):
    """ψ (p, 3, n), ψ' (p, 3, n) and γ_y, γ_z (p, 2, n) at p places."""

    psi: Floats
    curvature: Floats
    shear: Floats


class Twisted:
    """A beam whose rows are known piece by piece; `across`: its sections have rotary inertia about y and z."""

    def __init__(
        self,
        span: BeamSpan,
        breaks: Sequence[float] | Floats,
        rows: Callable[[int, Floats], Rows],
        points: int,
        *,
        across: bool,
    ) -> None:
        self.span, self.rows = span, rows
        self.breaks = [real(each) for each in breaks]  # ends of the pieces along the beam (m)
        self.own, self.weights = gauss(points)
        self.across = float(across)

    def _places(self, k: int, end: float) -> tuple[Floats, Floats]:
        """Gauss points of piece k up to a place and their weights."""
        begin = self.breaks[k]
        return begin + (end - begin) * self.own, (end - begin) * self.weights

    def at(self, s: float) -> Floats:
        """H_y, H_z, Q_x, Q_y, Q_z (5, n, n) of the frame at a distance along the beam."""
        total: Floats | None = None
        for k in range(len(self.breaks) - 1):
            if k > 0 and not s > self.breaks[k]:
                break
            last = k == len(self.breaks) - 2 or not s > self.breaks[k + 1]
            x, w = self._places(k, s if last else self.breaks[k + 1])
            rows = self.rows(k, x)
            part = np.stack([*_across(rows, w * (s - x), w), *_turns(rows, w)])
            total = part if total is None else total + part
        assert total is not None
        return total

    def summed(self) -> Products:
        """The sums over all stations."""
        across: list[Floats] = []
        turned: list[Floats] = []
        for k in range(len(self.breaks) - 1):
            x, w = self._places(k, self.breaks[k + 1])
            rows = self.rows(k, x)
            mass, moment, rotary = self._outboard(x)
            across.append(np.stack(_across(rows, w * moment, w * mass)))
            turned.append(np.stack([np.stack(_turns(rows, w * rotary[:, a])) for a in range(3)]))
        return Products(_total(across), _total(turned))

    def _outboard(self, places: Floats) -> tuple[Floats, Floats, Floats]:
        """∫dm (p,), ∫(s − x)dm (p,) and ∫dj (p, 3) of what is outboard of places x."""
        xi, weights = gauss(_OUTBOARD)
        mass, moment, rotary = [], [], []
        for x in places:
            parts = self.span.pieces(real(x), self.span.length)
            places = np.concatenate([begin + (end - begin) * xi for begin, end in parts])
            sizes = np.concatenate([(end - begin) * weights for begin, end in parts])
            here = [self.span.properties(real(each)) for each in places]
            per_length = sizes * array([each.mass_per_length for each in here])
            mass.append(per_length.sum())
            moment.append((per_length * (places - x)).sum())
            inertia = array([[each.jx, self.across * each.jy, self.across * each.jz] for each in here])
            rotary.append(sizes @ inertia)
        return array(mass), array(moment), array(rotary)


def _total(parts: Sequence[Floats]) -> Floats:
    """The sum of arrays."""
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def _form(left: Floats, right: Floats, weights: Floats) -> Floats:
    """½ (B + Bᵀ) of B = Σ w leftᵀ right."""
    found = left.T @ (weights[:, None] * right)
    return 0.5 * (found + found.T)


def _across(rows: Rows, levers: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """H_y and H_z, r_a = … − ½ηᵀH_aη, of curvature by its lever and of shear."""
    twist, bent, shear = rows.psi[:, 0], rows.curvature, rows.shear
    return (
        -2.0 * (_form(twist, bent[:, 1], levers) - _form(twist, shear[:, 1], weights)),
        -2.0 * (_form(twist, bent[:, 2], levers) + _form(twist, shear[:, 0], weights)),
    )


def _turns(rows: Rows, weights: Floats) -> list[Floats]:
    """Q_x, Q_y, Q_z of ½ ∫ψ×ψ'."""
    found = []
    for a, b in ((1, 2), (2, 0), (0, 1)):
        psi, bent = rows.psi, rows.curvature
        found.append(_form(psi[:, a], bent[:, b], weights) - _form(psi[:, b], bent[:, a], weights))
    return found
