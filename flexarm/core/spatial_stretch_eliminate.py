"""ζ of an element that stretches taken out of its inertia and bias (NOTATION 34), number by number."""

from __future__ import annotations

from . import spatial_stretch_rows as s
from ._jit import inner
from .types import Floats


@inner
def eliminate(row: Floats, k: int, g: Floats) -> None:
    """Leave I − zᵀD⁻¹z and p + zᵀD⁻¹z_u in `g`, a column of D⁻¹z at a time."""
    i0 = row[s.D00 + k]
    u0 = row[s.E0 + k]
    z00 = row[s.Z00 + k]
    z01 = row[s.Z01 + k]
    z02 = row[s.Z02 + k]
    z03 = row[s.Z03 + k]
    z04 = row[s.Z04 + k]
    z05 = row[s.Z05 + k]
    i1 = row[s.D11 + k]
    u1 = row[s.E1 + k]
    z10 = row[s.Z10 + k]
    z11 = row[s.Z11 + k]
    z12 = row[s.Z12 + k]
    z13 = row[s.Z13 + k]
    z14 = row[s.Z14 + k]
    z15 = row[s.Z15 + k]
    i2 = row[s.D22 + k]
    u2 = row[s.E2 + k]
    z20 = row[s.Z20 + k]
    z21 = row[s.Z21 + k]
    z22 = row[s.Z22 + k]
    z23 = row[s.Z23 + k]
    z24 = row[s.Z24 + k]
    z25 = row[s.Z25 + k]
    i3 = row[s.D33 + k]
    u3 = row[s.E3 + k]
    z30 = row[s.Z30 + k]
    z31 = row[s.Z31 + k]
    z32 = row[s.Z32 + k]
    z33 = row[s.Z33 + k]
    z34 = row[s.Z34 + k]
    z35 = row[s.Z35 + k]
    i4 = row[s.D44 + k]
    u4 = row[s.E4 + k]
    z40 = row[s.Z40 + k]
    z41 = row[s.Z41 + k]
    z42 = row[s.Z42 + k]
    z43 = row[s.Z43 + k]
    z44 = row[s.Z44 + k]
    z45 = row[s.Z45 + k]
    i5 = row[s.D55 + k]
    u5 = row[s.E5 + k]
    z50 = row[s.Z50 + k]
    z51 = row[s.Z51 + k]
    z52 = row[s.Z52 + k]
    z53 = row[s.Z53 + k]
    z54 = row[s.Z54 + k]
    z55 = row[s.Z55 + k]
    y0 = i0 * z00
    y1 = i1 * z10
    y2 = i2 * z20
    y3 = i3 * z30
    y4 = i4 * z40
    y5 = i5 * z50
    g[s.GJXX] -= z00 * y0 + z10 * y1 + z20 * y2 + z30 * y3 + z40 * y4 + z50 * y5
    g[s.GN0] += u0 * y0 + u1 * y1 + u2 * y2 + u3 * y3 + u4 * y4 + u5 * y5
    y0 = i0 * z01
    y1 = i1 * z11
    y2 = i2 * z21
    y3 = i3 * z31
    y4 = i4 * z41
    y5 = i5 * z51
    g[s.GJXY] -= z00 * y0 + z10 * y1 + z20 * y2 + z30 * y3 + z40 * y4 + z50 * y5
    g[s.GJYY] -= z01 * y0 + z11 * y1 + z21 * y2 + z31 * y3 + z41 * y4 + z51 * y5
    g[s.GN1] += u0 * y0 + u1 * y1 + u2 * y2 + u3 * y3 + u4 * y4 + u5 * y5
    y0 = i0 * z02
    y1 = i1 * z12
    y2 = i2 * z22
    y3 = i3 * z32
    y4 = i4 * z42
    y5 = i5 * z52
    g[s.GJXZ] -= z00 * y0 + z10 * y1 + z20 * y2 + z30 * y3 + z40 * y4 + z50 * y5
    g[s.GJYZ] -= z01 * y0 + z11 * y1 + z21 * y2 + z31 * y3 + z41 * y4 + z51 * y5
    g[s.GJZZ] -= z02 * y0 + z12 * y1 + z22 * y2 + z32 * y3 + z42 * y4 + z52 * y5
    g[s.GN2] += u0 * y0 + u1 * y1 + u2 * y2 + u3 * y3 + u4 * y4 + u5 * y5
    y0 = i0 * z03
    y1 = i1 * z13
    y2 = i2 * z23
    y3 = i3 * z33
    y4 = i4 * z43
    y5 = i5 * z53
    g[s.GH00] -= z00 * y0 + z10 * y1 + z20 * y2 + z30 * y3 + z40 * y4 + z50 * y5
    g[s.GH10] -= z01 * y0 + z11 * y1 + z21 * y2 + z31 * y3 + z41 * y4 + z51 * y5
    g[s.GH20] -= z02 * y0 + z12 * y1 + z22 * y2 + z32 * y3 + z42 * y4 + z52 * y5
    g[s.GMXX] -= z03 * y0 + z13 * y1 + z23 * y2 + z33 * y3 + z43 * y4 + z53 * y5
    g[s.GF0] += u0 * y0 + u1 * y1 + u2 * y2 + u3 * y3 + u4 * y4 + u5 * y5
    y0 = i0 * z04
    y1 = i1 * z14
    y2 = i2 * z24
    y3 = i3 * z34
    y4 = i4 * z44
    y5 = i5 * z54
    g[s.GH01] -= z00 * y0 + z10 * y1 + z20 * y2 + z30 * y3 + z40 * y4 + z50 * y5
    g[s.GH11] -= z01 * y0 + z11 * y1 + z21 * y2 + z31 * y3 + z41 * y4 + z51 * y5
    g[s.GH21] -= z02 * y0 + z12 * y1 + z22 * y2 + z32 * y3 + z42 * y4 + z52 * y5
    g[s.GMXY] -= z03 * y0 + z13 * y1 + z23 * y2 + z33 * y3 + z43 * y4 + z53 * y5
    g[s.GMYY] -= z04 * y0 + z14 * y1 + z24 * y2 + z34 * y3 + z44 * y4 + z54 * y5
    g[s.GF1] += u0 * y0 + u1 * y1 + u2 * y2 + u3 * y3 + u4 * y4 + u5 * y5
    y0 = i0 * z05
    y1 = i1 * z15
    y2 = i2 * z25
    y3 = i3 * z35
    y4 = i4 * z45
    y5 = i5 * z55
    g[s.GH02] -= z00 * y0 + z10 * y1 + z20 * y2 + z30 * y3 + z40 * y4 + z50 * y5
    g[s.GH12] -= z01 * y0 + z11 * y1 + z21 * y2 + z31 * y3 + z41 * y4 + z51 * y5
    g[s.GH22] -= z02 * y0 + z12 * y1 + z22 * y2 + z32 * y3 + z42 * y4 + z52 * y5
    g[s.GMXZ] -= z03 * y0 + z13 * y1 + z23 * y2 + z33 * y3 + z43 * y4 + z53 * y5
    g[s.GMYZ] -= z04 * y0 + z14 * y1 + z24 * y2 + z34 * y3 + z44 * y4 + z54 * y5
    g[s.GMZZ] -= z05 * y0 + z15 * y1 + z25 * y2 + z35 * y3 + z45 * y4 + z55 * y5
    g[s.GF2] += u0 * y0 + u1 * y1 + u2 * y2 + u3 * y3 + u4 * y4 + u5 * y5
