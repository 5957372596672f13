"""External loads on the bodies of a spatial tree."""

from __future__ import annotations

from ._jit import inner
from .columns import PF0, PF1, PF2, PN0, PN1, PN2, R00, R01, R02, R10, R11, R12, R20, R21, R22
from .laws import law_value
from .types import Floats, Laws, Loads


@inner
def apply_loads(loads: Loads, laws: Laws, t: float, left: bool, work: Floats) -> None:
    """Subtract the external loads from the bias of their bodies."""
    place = loads.place
    wrench = loads.wrench
    for j in range(place.shape[0]):
        i = place[j, 0]
        factor = 1.0
        if place[j, 2] >= 0:
            factor = law_value(laws, place[j, 2], t, left)[0]
        rx, ry, rz = turn(work, i, wrench[j, 0], wrench[j, 1], wrench[j, 2])
        fx = wrench[j, 3] * factor
        fy = wrench[j, 4] * factor
        fz = wrench[j, 5] * factor
        nx = wrench[j, 6] * factor
        ny = wrench[j, 7] * factor
        nz = wrench[j, 8] * factor
        if place[j, 1] == 1:
            fx, fy, fz = turn(work, i, fx, fy, fz)
            nx, ny, nz = turn(work, i, nx, ny, nz)
        work[i, PN0] -= nx + ry * fz - rz * fy
        work[i, PN1] -= ny + rz * fx - rx * fz
        work[i, PN2] -= nz + rx * fy - ry * fx
        work[i, PF0] -= fx
        work[i, PF1] -= fy
        work[i, PF2] -= fz


@inner
def turn(work: Floats, i: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A vector of body i in base axes."""
    return (
        work[i, R00] * x + work[i, R01] * y + work[i, R02] * z,
        work[i, R10] * x + work[i, R11] * y + work[i, R12] * z,
        work[i, R20] * x + work[i, R21] * y + work[i, R22] * z,
    )
