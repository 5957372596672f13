"""What makes a body flexible: stations along its axis, shape rows, stiffness, and the frames others stand on.

Plain data in the frame of the body: origin where the beam is clamped, x along the undeformed axis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .types import Floats


@dataclass(frozen=True, eq=False)
class Attachment:
    """A frame on the axis of a flexible body with n elastic coordinates η (NOTATION 27, 28).

    It stands at (x, 0, 0) + Φη − ½ Σ_a e_a ηᵀH_aη, turned by exp(θ~), θ_a = Ψ_aη + ½ ηᵀQ_aη.
    """

    x: float  # distance from the body's origin, undeformed (m)
    phi: Floats  # (3, n) Φ
    psi: Floats  # (3, n) Ψ
    shortening: Floats  # (n, n) H_x, symmetric; zero: no foreshortening
    # (5, n, n) H_y, H_z, Q_x, Q_y, Q_z, symmetric: products of twist and bending; None: left out
    products: Floats | None = None


@dataclass(frozen=True, eq=False)
class Products:
    """Sums over the stations of what is of second order beside foreshortening (NOTATION 27a).

    A body that has them turns its sections' inertia with the sections.
    """

    across: Floats  # (2, n, n) Σ dm H_y, Σ dm H_z: displacement across the axis, which the weight alone works on
    turned: Floats  # (3, 3, n, n) Σ j_a Q_b: rotation of the sections

    def reduced(self, basis: Floats) -> Products:
        """The same in the coordinates p of η = T p."""
        return Products(basis.T @ self.across @ basis, basis.T @ self.turned @ basis)


@dataclass(frozen=True, eq=False)
class Handed:
    """Rotary inertia that a body hands to a frame at its far end, where it turns with that frame."""

    rotary: Floats  # (3,) about x, y, z (kg m²)
    psi: Floats  # (3, n) Ψ of that frame


@dataclass(frozen=True, eq=False)
class Elastic:
    """The elastic coordinates of a body: everything the invariants (NOTATION 31) are summed from."""

    mass: Floats  # (g,) mass of each station (kg)
    x: Floats  # (g,) distance of each station along the axis (m)
    rotary: Floats  # (g, 3) rotary inertia of each station about x, y, z (kg m²)
    phi: Floats  # (g, 3, n) displacement of each station per coordinate
    psi: Floats  # (g, 3, n) rotation of its section per coordinate
    shortening: Floats  # (g, n, n) H of each station
    stiffness: Floats  # (n, n) K, symmetric
    damping: Floats  # (n, n) D, symmetric
    # (n, n) inertia of the coordinates' rates beyond that of the stations, felt by nothing else
    added: Floats | None = None
    # (n, n) what stands for Σ dm ΦᵀΦ in the inertia of second order in η about z, of a plane whose velocities are not
    # those of its displacements; none: that sum itself
    softening: Floats | None = None
    # false: the rows of the frame go without the inertia of second order in η, the rows of η keep it; such a body obeys
    # no energy balance
    felt: bool = True
    # products of the coordinates; None: foreshortening is all there is of second order, and sections keep their axes
    products: Products | None = None
    # rotary inertia of the stations that is not borne here, but by a body on a frame at the far end
    handed: Handed | None = None

    @property
    def count(self) -> int:
        """Number of elastic coordinates."""
        return int(self.stiffness.shape[0])

    def reduced(self, basis: Floats) -> Elastic:
        """The same body in the coordinates p of η = T p, T (n, m)."""
        return Elastic(
            self.mass,
            self.x,
            self.rotary,
            self.phi @ basis,
            self.psi @ basis,
            np.einsum("ji,gjk,kl->gil", basis, self.shortening, basis),
            basis.T @ self.stiffness @ basis,
            basis.T @ self.damping @ basis,
            None if self.added is None else basis.T @ self.added @ basis,
            None if self.softening is None else basis.T @ self.softening @ basis,
            self.felt,
            None if self.products is None else self.products.reduced(basis),
            None if self.handed is None else Handed(self.handed.rotary, self.handed.psi @ basis),
        )


def reduced_attachment(attachment: Attachment, basis: Floats) -> Attachment:
    """The same frame in the coordinates p of η = T p."""
    return Attachment(
        attachment.x,
        attachment.phi @ basis,
        attachment.psi @ basis,
        basis.T @ attachment.shortening @ basis,
        None if attachment.products is None else basis.T @ attachment.products @ basis,
    )
