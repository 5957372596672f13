"""The beam that is spun up as Exudyn's models of beams need it, and how exactly their steps have to be solved.

Spectral radii from 0 to 1 were tried, full Newton and its matrix set up in every step: none of it is faster by more
than a few per cent. One floating frame cannot do this case, see `exudyn_floating`.
"""

from math import pi

import exudyn as exu

from benchmarks.exudyn_beams import Beams, Cables, PieceTree, ShearBeams
from benchmarks.spin_up_case import AXIAL_STIFFNESS, DURATION, ROTARY_INERTIA, SpinUp

SHEAR_STIFFNESS = AXIAL_STIFFNESS / 3  # N: none is given, and in a beam so slender it does not matter


def spin_up_beams(case: SpinUp) -> Beams:
    """The beam with its command in Exudyn's own functions."""
    w, gain = 2 * pi / DURATION, case.speed / DURATION
    least, sin, cos = exu.symbolic.min, exu.symbolic.sin, exu.symbolic.cos

    def angle(t):
        s = least(t, DURATION)
        return gain * (s * s / 2 + (cos(w * s) - 1.0) / w**2) + case.speed * (t - s)

    def rate(t):
        s = least(t, DURATION)
        return gain * (s - sin(w * s) / w)

    return Beams(case.arm, AXIAL_STIFFNESS, SHEAR_STIFFNESS, ROTARY_INERTIA, angle, rate)


class SpunCables(Cables):
    """Cable elements, solved as roughly as the lag permits."""

    newton_floor = 1e-3


class SpunShearBeams(ShearBeams):
    """Geometrically exact beams, solved as roughly as the lag permits."""

    newton_tolerance = 3e-3
    newton_floor = 1e-3


class SpunTree(PieceTree):
    """The tree of rigid pieces, solved as roughly as the lag permits: less than two iterations a step."""

    def __init__(self, beams: Beams, springs: int, steps: int, *, floor: float, gauss: bool = False) -> None:
        super().__init__(beams, springs, steps, gauss=gauss)
        self.newton_floor = floor  # N m
