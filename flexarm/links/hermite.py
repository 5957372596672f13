"""Two-node elements with a cubic deflection and one shear angle, condensed: no locking by construction.

The axis is Hermite's cubic v through the nodal deflections and the nodal slopes of the *axis*; the section turns by
φ = v' + ψ with ψ constant along the element. Nodal coordinates are v and φ, so the axis leaves a node with φ − ψ.
Minimising the strain energy of a uniform element over ψ gives

    ψ = q [ (v1 − v2)/L + (φ1 + φ2)/2 ],    q = β/(β + L²),    β = 12EI/κGA

and without shear q = 0: the cubic of Euler-Bernoulli and Rayleigh beams. On a tapered element q comes from the mean
stiffnesses, the energy from those at the Gauss points.
"""

from __future__ import annotations

import numpy as np

from flexarm.batched import array
from flexarm.core.tree.types import Floats
from flexarm.links.base import BeamSpan, LinkBlock
from flexarm.links.element import ElementKind, PlaneRows, gauss
from flexarm.links.finite_elements import finite_elements


def _cubic(xi: Floats, length: float) -> tuple[Floats, Floats, Floats]:
    """Hermite's cubics (p, 4) on (v1, v1', v2, v2'), their first and second derivatives along the beam."""
    one = np.ones_like(xi)
    value = [1 - 3 * xi**2 + 2 * xi**3, xi - 2 * xi**2 + xi**3, 3 * xi**2 - 2 * xi**3, xi**3 - xi**2]
    first = [6 * xi**2 - 6 * xi, 1 - 4 * xi + 3 * xi**2, 6 * xi - 6 * xi**2, 3 * xi**2 - 2 * xi]
    second = [12 * xi - 6 * one, 6 * xi - 4 * one, 6 * one - 12 * xi, 6 * xi - 2 * one]
    scale = array([1.0, length, 1.0, length])
    stacked = (np.stack(rows, axis=1) * scale for rows in (value, first, second))
    powers = (1.0, length, length * length)
    return tuple(rows / power for power, rows in zip(powers, stacked, strict=True))  # type: ignore[return-value]


def plane(xi: Floats, length: float, beta: float) -> PlaneRows:
    """The rows of a plane on (v1, φ1, v2, φ2)."""
    q = beta / (beta + length * length)
    psi = q * array([1.0 / length, 0.5, -1.0 / length, 0.5])
    # nodal slopes of the axis are φ − ψ: N(v1, φ1 − ψ, v2, φ2 − ψ) = N − (N2 + N4) ψ
    deflection, slope, curvature = (rows - (rows[:, 1] + rows[:, 3])[:, None] * psi for rows in _cubic(xi, length))
    return PlaneRows(deflection, slope + psi, slope, curvature, np.tile(-psi, (len(xi), 1)))


HERMITE = ElementKind(
    word="hermite",
    nodes=2,
    theories=("timoshenko", "rayleigh", "euler"),
    plane=plane,
    station_points=4,
    slope_points=3,
    bending_points=2,
    # γ is constant: three points are for κGA of a taper
    shear_points={"reduced": 3, "full": 3},
    # curvature is linear: at its beginning too, for strain gauges at the clamp
    bending_readings=(0.0, *(float(xi) for xi in gauss(2)[0])),
    other_readings=(0.5,),
    reads_tip=True,
)


def hermite(span: BeamSpan) -> LinkBlock:
    """The beam as cubic elements, of the theory its model asks for."""
    return finite_elements(span, HERMITE)
