"""Finite rotation of a frame on a flexible body: exp, its tangent and their series (NOTATION 28–30)."""

from __future__ import annotations

import math

from ._jit import inner

# below this the power series are exact to rounding; above, the closed forms lose nothing
SMALL = 0.25


@inner
def series_factors(z: float) -> tuple[float, float, float, float, float]:
    """The factors by their power series, for small z."""
    f0 = 1.0 - z / 6.0 * (1.0 - z / 20.0 * (1.0 - z / 42.0 * (1.0 - z / 72.0 * (1.0 - z / 110.0 * (1.0 - z / 156.0)))))
    f1 = 0.5 - z / 24.0 * (1.0 - z / 30.0 * (1.0 - z / 56.0 * (1.0 - z / 90.0 * (1.0 - z / 132.0 * (1.0 - z / 182.0)))))
    f2 = (
        1.0 - z / 20.0 * (1.0 - z / 42.0 * (1.0 - z / 72.0 * (1.0 - z / 110.0 * (1.0 - z / 156.0 * (1.0 - z / 210.0)))))
    ) / 6.0
    d1 = (
        -1.0
        + z
        / 15.0
        * (1.0 - z * 3.0 / 112.0 * (1.0 - z * 4.0 / 270.0 * (1.0 - z * 5.0 / 528.0 * (1.0 - z * 6.0 / 910.0))))
    ) / 24.0
    d2 = (
        -1.0
        + z
        / 21.0
        * (1.0 - z * 3.0 / 144.0 * (1.0 - z * 4.0 / 330.0 * (1.0 - z * 5.0 / 624.0 * (1.0 - z * 6.0 / 1050.0))))
    ) / 120.0
    return f0, f1, f2, d1, d2


@inner
def closed_factors(z: float, root: float, sine: float, cosine: float) -> tuple[float, float, float, float, float]:
    """The factors by their closed forms, for z that is not small; root is √z."""
    f0 = sine / root
    f1 = (1.0 - cosine) / z
    f2 = (1.0 - f0) / z
    return f0, f1, f2, (f0 - 2.0 * f1) / (2.0 * z), (f1 - 3.0 * f2) / (2.0 * z)


@inner
def factors(z: float) -> tuple[float, float, float, float, float]:
    """f0, f1, f2 and f1', f2' at z = θ·θ: sin √z/√z, (1 − cos √z)/z, (√z − sin √z)/z^{3/2}, ' = d/dz."""
    if z < SMALL:
        return series_factors(z)
    root = math.sqrt(z)
    return closed_factors(z, root, math.sin(root), math.cos(root))
