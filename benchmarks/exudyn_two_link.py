"""The two-link arm as Exudyn's models of beams need it."""

from math import pi

import exudyn as exu

from benchmarks.exudyn_beams import Beams
from benchmarks.two_link_case import (
    ARM,
    AXIAL_STIFFNESS,
    DURATION,
    ROTARY_INERTIA,
    SHEAR_STIFFNESS,
    TRAVEL,
)


def _angle(t):
    """Angle of either joint (rad) as an expression Exudyn compiles."""
    turned = exu.symbolic.min(t, DURATION) / DURATION
    return TRAVEL * (turned - exu.symbolic.sin(2 * pi * turned) / (2 * pi))


def _rate(t):
    """Rate of either joint (rad/s)."""
    return TRAVEL / DURATION * (1.0 - exu.symbolic.cos(2 * pi / DURATION * exu.symbolic.min(t, DURATION)))


BEAMS = Beams(ARM, AXIAL_STIFFNESS, SHEAR_STIFFNESS, ROTARY_INERTIA, _angle, _rate)
