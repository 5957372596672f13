"""Finite rotation of a frame on a flexible body: exp, its tangent and their series (NOTATION 28–30)."""

from __future__ import annotations

import math

from .._jit import inner

# below this the power series are exact to rounding; above, the closed forms lose nothing
SMALL = 0.25

# coefficients of the series of f0, f1, f2, f1', f2'
Series = tuple[float, ...]
_F0: Series = tuple((-1.0) ** k / math.factorial(2 * k + 1) for k in range(7))
_F1: Series = tuple((-1.0) ** k / math.factorial(2 * k + 2) for k in range(7))
_F2: Series = tuple((-1.0) ** k / math.factorial(2 * k + 3) for k in range(7))
_D1: Series = tuple((-1.0) ** k * k / math.factorial(2 * k + 2) for k in range(1, 8))
_D2: Series = tuple((-1.0) ** k * k / math.factorial(2 * k + 3) for k in range(1, 8))


@inner
def _sum(c: Series, z: float) -> float:
    """The power series with these coefficients at z."""
    return c[0] + z * (c[1] + z * (c[2] + z * (c[3] + z * (c[4] + z * (c[5] + z * c[6])))))


@inner
def near_factors(z: float) -> tuple[float, float, float, float, float]:
    """The factors for z < SMALL."""
    return _sum(_F0, z), _sum(_F1, z), _sum(_F2, z), _sum(_D1, z), _sum(_D2, z)


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
        return near_factors(z)
    root = math.sqrt(z)
    return closed_factors(z, root, math.sin(root), math.cos(root))
