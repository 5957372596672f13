"""Turns of the far nodes of elements, eight at a time (NOTATION 28–30)."""

from __future__ import annotations

from . import spatial_stretch_rows as s
from ._jit import inner
from .flex_rotation import SMALL as NEAR
from .flex_rotation import factors, near_factors
from .types import Floats

__all__ = ["NEAR", "turns"]


@inner
def turns(near: bool, row: Floats, lanes: int) -> None:
    """Fill the turns of eight far nodes, all of them small if `near`."""
    if near:
        _near_factors(row, lanes)
    else:
        _any_factors(row, lanes)
    _turns(row, lanes)


@inner
def _near_factors(row: Floats, lanes: int) -> None:
    """Fill the factors of eight small rotations."""
    for i in range(lanes):
        t0 = row[s.Q3 + i]
        t1 = row[s.Q4 + i]
        t2 = row[s.Q5 + i]
        f0, f1, f2, g1, g2 = near_factors(t0 * t0 + t1 * t1 + t2 * t2)
        row[s.F0 + i] = f0
        row[s.F1 + i] = f1
        row[s.F2 + i] = f2
        row[s.G1 + i] = g1
        row[s.G2 + i] = g2


@inner
def _any_factors(row: Floats, lanes: int) -> None:
    """Fill the factors of eight rotations of any size."""
    for i in range(lanes):
        t0 = row[s.Q3 + i]
        t1 = row[s.Q4 + i]
        t2 = row[s.Q5 + i]
        f0, f1, f2, g1, g2 = factors(t0 * t0 + t1 * t1 + t2 * t2)
        row[s.F0 + i] = f0
        row[s.F1 + i] = f1
        row[s.F2 + i] = f2
        row[s.G1 + i] = g1
        row[s.G2 + i] = g2


@inner
def _turns(row: Floats, lanes: int) -> None:
    """Fill the turns of eight far nodes in the bodies' axes and what undoes their rates (28–30)."""
    for i in range(lanes):
        t0 = row[s.Q3 + i]
        t1 = row[s.Q4 + i]
        t2 = row[s.Q5 + i]
        d0 = row[s.V3 + i]
        d1 = row[s.V4 + i]
        d2 = row[s.V5 + i]
        f0 = row[s.F0 + i]
        f1 = row[s.F1 + i]
        f2 = row[s.F2 + i]
        g1 = row[s.G1 + i]
        g2 = row[s.G2 + i]
        # 1 + f0 θ~ + f1 θ~²
        row[s.X00 + i] = 1.0 - f1 * (t1 * t1 + t2 * t2)
        row[s.X01 + i] = f1 * t0 * t1 - f0 * t2
        row[s.X02 + i] = f1 * t0 * t2 + f0 * t1
        row[s.X10 + i] = f1 * t0 * t1 + f0 * t2
        row[s.X11 + i] = 1.0 - f1 * (t0 * t0 + t2 * t2)
        row[s.X12 + i] = f1 * t1 * t2 - f0 * t0
        row[s.X20 + i] = f1 * t0 * t2 - f0 * t1
        row[s.X21 + i] = f1 * t1 * t2 + f0 * t0
        row[s.X22 + i] = 1.0 - f1 * (t0 * t0 + t1 * t1)
        m0 = t1 * d2 - t2 * d1
        m1 = t2 * d0 - t0 * d2
        m2 = t0 * d1 - t1 * d0
        k0 = t1 * m2 - t2 * m1
        k1 = t2 * m0 - t0 * m2
        k2 = t0 * m1 - t1 * m0
        zd = 2.0 * (t0 * d0 + t1 * d1 + t2 * d2)
        row[s.WR0 + i] = d0 + f1 * m0 + f2 * k0
        row[s.WR1 + i] = d1 + f1 * m1 + f2 * k1
        row[s.WR2 + i] = d2 + f1 * m2 + f2 * k2
        row[s.JD0 + i] = zd * (g1 * m0 + g2 * k0) + f2 * (d1 * m2 - d2 * m1)
        row[s.JD1 + i] = zd * (g1 * m1 + g2 * k1) + f2 * (d2 * m0 - d0 * m2)
        row[s.JD2 + i] = zd * (g1 * m2 + g2 * k2) + f2 * (d0 * m1 - d1 * m0)
        # J_l⁻¹ = 1 − ½ θ~ + f3 θ~²,  f3 = −f1'/f1
        f3 = -g1 / f1
        row[s.B00 + i] = 1.0 - f3 * (t1 * t1 + t2 * t2)
        row[s.B01 + i] = f3 * t0 * t1 + 0.5 * t2
        row[s.B02 + i] = f3 * t0 * t2 - 0.5 * t1
        row[s.B10 + i] = f3 * t0 * t1 - 0.5 * t2
        row[s.B11 + i] = 1.0 - f3 * (t0 * t0 + t2 * t2)
        row[s.B12 + i] = f3 * t1 * t2 + 0.5 * t0
        row[s.B20 + i] = f3 * t0 * t2 + 0.5 * t1
        row[s.B21 + i] = f3 * t1 * t2 - 0.5 * t0
        row[s.B22 + i] = 1.0 - f3 * (t0 * t0 + t1 * t1)
