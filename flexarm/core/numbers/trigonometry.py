"""Sine and cosine together, without a call into the C library.

The library's sine and cosine cost more than the rest of a planar body. Here one reduction to |r| ≤ π/4 serves both; the
polynomials are the classic minimax ones for that interval, those of Sun's fdlibm.
"""

from __future__ import annotations

import math

from .._jit import inner

TWO_OVER_PI = 2.0 / math.pi
# π/2 in three parts with trailing zeros, so that k·part is exact for |k| < 2^20.
PIO2_A = 1.5707963267341256
PIO2_B = 6.077100506303966e-11
PIO2_C = 2.0222662487959506e-21


FAR = 1.0e5  # rad: beyond it the reduction loses digits and the C library is asked


@inner
def _within_a_quarter(x: float) -> tuple[float, float, float]:
    """The number of quarter turns nearest to x, and sine and cosine of what is left."""
    k = math.floor(x * TWO_OVER_PI + 0.5)
    r = ((x - k * PIO2_A) - k * PIO2_B) - k * PIO2_C
    z = r * r
    s = r + r * z * (
        -1.66666666666666324348e-01
        + z
        * (
            8.33333333332248946124e-03
            + z
            * (
                -1.98412698298579493134e-04
                + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))
            )
        )
    )
    c = (
        1.0
        - 0.5 * z
        + z
        * z
        * (
            4.16666666666666019037e-02
            + z
            * (
                -1.38888888888741095749e-03
                + z
                * (
                    2.48015872894767294178e-05
                    + z
                    * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11))
                )
            )
        )
    )
    return k, s, c


@inner
def is_near(x: float) -> bool:
    """True where `near_sincos` keeps its digits."""
    return -FAR < x < FAR


@inner
def sincos(x: float) -> tuple[float, float]:
    """Sine and cosine of x (rad), accurate to about one unit in the last place."""
    if not is_near(x):
        return math.sin(x), math.cos(x)
    k, s, c = _within_a_quarter(x)
    # small angles by far the most often: branches are foretold and cost nothing
    quarter = int(k) & 3
    if quarter == 0:
        return s, c
    if quarter == 1:
        return c, -s
    if quarter == 2:
        return -s, -c
    return -c, s


@inner
def near_sincos(x: float) -> tuple[float, float]:
    """Sine and cosine of x (rad) for |x| < FAR, without a branch: a loop over many angles runs on vector registers."""
    k, s, c = _within_a_quarter(x)
    quarter = k - 4.0 * math.floor(0.25 * k)
    odd = quarter == 1.0 or quarter == 3.0
    sine = c if odd else s
    cosine = s if odd else c
    sine = -sine if quarter >= 2.0 else sine
    cosine = -cosine if quarter == 1.0 or quarter == 2.0 else cosine
    return sine, cosine
