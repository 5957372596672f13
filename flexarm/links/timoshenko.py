"""Two-node Timoshenko elements: deflection and rotation linear, the shear strain summed at one point.

One point takes the shear strain where the linear fields can vanish together, so thin beams do not lock; it is also
where moment and shear are most accurate. Two points (`integration = "full"`) lock: kept for comparison.
"""

from __future__ import annotations

from flexarm.links.base import BeamSpan, LinkBlock
from flexarm.links.element import ElementKind, separate_fields
from flexarm.links.finite_elements import finite_elements

TIMOSHENKO = ElementKind(
    word="timoshenko",
    nodes=2,
    theories=("timoshenko",),
    plane=separate_fields(2),
    station_points=2,
    slope_points=1,
    bending_points=1,
    shear_points={"reduced": 1, "full": 2},
    bending_readings=(0.5,),
    other_readings=(0.5,),
    turns_freely=True,
)


def timoshenko(span: BeamSpan) -> LinkBlock:
    """The beam as linear Timoshenko elements."""
    return finite_elements(span, TIMOSHENKO)
