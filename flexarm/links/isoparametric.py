"""Three-node Timoshenko elements: deflection and rotation quadratic.

Two Gauss points for shear as for bending: v' is linear and ψ quadratic, and at the two points of Gauss a quadratic ψ
takes the values of a linear function, so that γ = 0 there constrains a thin beam no more than it should. The third
point (`integration = "full"`) would ask ψ to be linear. The same two points are where strains are most accurate.
"""

from __future__ import annotations

from flexarm.links.base import BeamSpan, LinkBlock
from flexarm.links.element import ElementKind, gauss, separate_fields
from flexarm.links.finite_elements import finite_elements

_GAUSS = tuple(float(xi) for xi in gauss(2)[0])

ISOPARAMETRIC = ElementKind(
    word="isoparametric",
    nodes=3,
    theories=("timoshenko",),
    plane=separate_fields(3),
    station_points=3,
    slope_points=2,
    bending_points=2,
    shear_points={"reduced": 2, "full": 3},
    bending_readings=_GAUSS,
    other_readings=_GAUSS,
    turns_freely=True,
)


def isoparametric(span: BeamSpan) -> LinkBlock:
    """The beam as quadratic Timoshenko elements."""
    return finite_elements(span, ISOPARAMETRIC)
