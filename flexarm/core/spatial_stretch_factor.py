"""From the far node of an element that stretches to ζ, and ζ factorised (NOTATION 34, 35), number by number."""

from __future__ import annotations

import math

from . import spatial_stretch_rows as s
from ._jit import inner
from .types import NOT_FINITE, NOT_POSITIVE, OK, Floats


@inner
def factorise(m: float, row: Floats, k: int, g: Floats) -> int:
    """Status; adds what stands on the far node, `g`, to ζ and to the inertia of an element of mass m, which is then in
    `g`, and leaves z = L⁻¹[Vᵀ, u] and the factors.
    """
    jxx = g[s.GJXX]
    jxy = g[s.GJXY]
    jxz = g[s.GJXZ]
    jyy = g[s.GJYY]
    jyz = g[s.GJYZ]
    jzz = g[s.GJZZ]
    h00 = g[s.GH00]
    h01 = g[s.GH01]
    h02 = g[s.GH02]
    h10 = g[s.GH10]
    h11 = g[s.GH11]
    h12 = g[s.GH12]
    h20 = g[s.GH20]
    h21 = g[s.GH21]
    h22 = g[s.GH22]
    mxx = g[s.GMXX]
    mxy = g[s.GMXY]
    mxz = g[s.GMXZ]
    myy = g[s.GMYY]
    myz = g[s.GMYZ]
    mzz = g[s.GMZZ]
    # p + I c_t
    c0 = row[s.TA0 + k]
    c1 = row[s.TA1 + k]
    c2 = row[s.TA2 + k]
    d0 = row[s.TL0 + k]
    d1 = row[s.TL1 + k]
    d2 = row[s.TL2 + k]
    n0 = g[s.GN0] + jxx * c0 + jxy * c1 + jxz * c2 + h00 * d0 + h01 * d1 + h02 * d2
    n1 = g[s.GN1] + jxy * c0 + jyy * c1 + jyz * c2 + h10 * d0 + h11 * d1 + h12 * d2
    n2 = g[s.GN2] + jxz * c0 + jyz * c1 + jzz * c2 + h20 * d0 + h21 * d1 + h22 * d2
    f0 = g[s.GF0] + h00 * c0 + h10 * c1 + h20 * c2 + mxx * d0 + mxy * d1 + mxz * d2
    f1 = g[s.GF1] + h01 * c0 + h11 * c1 + h21 * c2 + mxy * d0 + myy * d1 + myz * d2
    f2 = g[s.GF2] + h02 * c0 + h12 * c1 + h22 * c2 + mxz * d0 + myz * d1 + mzz * d2
    u0 = row[s.E0 + k] - n0
    u1 = row[s.E1 + k] - n1
    u2 = row[s.E2 + k] - n2
    u3 = row[s.E3 + k] - f0
    u4 = row[s.E4 + k] - f1
    u5 = row[s.E5 + k] - f2
    # (35) with Y = 1: the inertia of ζ, its coupling with a, which has the rows of I
    k00 = row[s.D00 + k] + jxx
    k01 = row[s.D01 + k] + jxy
    k02 = row[s.D02 + k] + jxz
    k03 = row[s.D03 + k] + h00
    k04 = row[s.D04 + k] + h01
    k05 = row[s.D05 + k] + h02
    k11 = row[s.D11 + k] + jyy
    k12 = row[s.D12 + k] + jyz
    k13 = row[s.D13 + k] + h10
    k14 = row[s.D14 + k] + h11
    k15 = row[s.D15 + k] + h12
    k22 = row[s.D22 + k] + jzz
    k23 = row[s.D23 + k] + h20
    k24 = row[s.D24 + k] + h21
    k25 = row[s.D25 + k] + h22
    k33 = row[s.D33 + k] + mxx
    k34 = row[s.D34 + k] + mxy
    k35 = row[s.D35 + k] + mxz
    k44 = row[s.D44 + k] + myy
    k45 = row[s.D45 + k] + myz
    k55 = row[s.D55 + k] + mzz
    z03 = row[s.Z03 + k] + h00
    z04 = row[s.Z04 + k] + h01
    z05 = row[s.Z05 + k] + h02
    z13 = row[s.Z13 + k] + h10
    z14 = row[s.Z14 + k] + h11
    z15 = row[s.Z15 + k] + h12
    z23 = row[s.Z23 + k] + h20
    z24 = row[s.Z24 + k] + h21
    z25 = row[s.Z25 + k] + h22
    z33 = row[s.Z33 + k] + mxx
    z34 = row[s.Z34 + k] + mxy
    z35 = row[s.Z35 + k] + mxz
    z43 = row[s.Z43 + k] + mxy
    z44 = row[s.Z44 + k] + myy
    z45 = row[s.Z45 + k] + myz
    z53 = row[s.Z53 + k] + mxz
    z54 = row[s.Z54 + k] + myz
    z55 = row[s.Z55 + k] + mzz
    # (13) by r_t, then the body's own; H + t~M and J + t~Hᵀ couple ζ with α
    t0 = row[s.T0 + k]
    t1 = row[s.T1 + k]
    t2 = row[s.T2 + k]
    v00 = h00 + t1 * mxz - t2 * mxy
    v01 = h01 + t1 * myz - t2 * myy
    v02 = h02 + t1 * mzz - t2 * myz
    v10 = h10 + t2 * mxx - t0 * mxz
    v11 = h11 + t2 * mxy - t0 * myz
    v12 = h12 + t2 * mxz - t0 * mzz
    v20 = h20 + t0 * mxy - t1 * mxx
    v21 = h21 + t0 * myy - t1 * mxy
    v22 = h22 + t0 * myz - t1 * mxz
    z30 = row[s.Z30 + k] + v00
    z31 = row[s.Z31 + k] + v10
    z32 = row[s.Z32 + k] + v20
    z40 = row[s.Z40 + k] + v01
    z41 = row[s.Z41 + k] + v11
    z42 = row[s.Z42 + k] + v21
    z50 = row[s.Z50 + k] + v02
    z51 = row[s.Z51 + k] + v12
    z52 = row[s.Z52 + k] + v22
    x = jxx + t1 * h02 - t2 * h01
    z00 = row[s.Z00 + k] + x
    g[s.GJXX] = x - v01 * t2 + v02 * t1 + row[s.JXX + k]
    x = jxy + t1 * h12 - t2 * h11
    z10 = row[s.Z10 + k] + x
    g[s.GJXY] = x - v02 * t0 + v00 * t2 + row[s.JXY + k]
    x = jxz + t1 * h22 - t2 * h21
    z20 = row[s.Z20 + k] + x
    g[s.GJXZ] = x - v00 * t1 + v01 * t0 + row[s.JXZ + k]
    x = jxy + t2 * h00 - t0 * h02
    z01 = row[s.Z01 + k] + x
    x = jyy + t2 * h10 - t0 * h12
    z11 = row[s.Z11 + k] + x
    g[s.GJYY] = x - v12 * t0 + v10 * t2 + row[s.JYY + k]
    x = jyz + t2 * h20 - t0 * h22
    z21 = row[s.Z21 + k] + x
    g[s.GJYZ] = x - v10 * t1 + v11 * t0 + row[s.JYZ + k]
    x = jxz + t0 * h01 - t1 * h00
    z02 = row[s.Z02 + k] + x
    x = jyz + t0 * h11 - t1 * h10
    z12 = row[s.Z12 + k] + x
    x = jzz + t0 * h21 - t1 * h20
    z22 = row[s.Z22 + k] + x
    g[s.GJZZ] = x - v20 * t1 + v21 * t0 + row[s.JZZ + k]
    g[s.GH00] = v00
    g[s.GH01] = v01 - row[s.S2 + k]
    g[s.GH02] = v02 + row[s.S1 + k]
    g[s.GH10] = v10 + row[s.S2 + k]
    g[s.GH11] = v11
    g[s.GH12] = v12 - row[s.S0 + k]
    g[s.GH20] = v20 - row[s.S1 + k]
    g[s.GH21] = v21 + row[s.S0 + k]
    g[s.GH22] = v22
    g[s.GMXX] = mxx + m
    g[s.GMYY] = myy + m
    g[s.GMZZ] = mzz + m
    g[s.GN0] = n0 + t1 * f2 - t2 * f1 + row[s.PN0 + k]
    g[s.GN1] = n1 + t2 * f0 - t0 * f2 + row[s.PN1 + k]
    g[s.GN2] = n2 + t0 * f1 - t1 * f0 + row[s.PN2 + k]
    g[s.GF0] = f0 + row[s.PF0 + k]
    g[s.GF1] = f1 + row[s.PF1 + k]
    g[s.GF2] = f2 + row[s.PF2 + k]
    # (34): L D Lᵀ, the right-hand sides carried along
    row[s.D00 + k] = i = 1.0 / k00
    row[s.D01 + k] = y = k01 * i
    k11 -= y * k01
    k12 -= y * k02
    k13 -= y * k03
    k14 -= y * k04
    k15 -= y * k05
    u1 -= y * u0
    z10 -= y * z00
    z11 -= y * z01
    z12 -= y * z02
    z13 -= y * z03
    z14 -= y * z04
    z15 -= y * z05
    row[s.D02 + k] = y = k02 * i
    k22 -= y * k02
    k23 -= y * k03
    k24 -= y * k04
    k25 -= y * k05
    u2 -= y * u0
    z20 -= y * z00
    z21 -= y * z01
    z22 -= y * z02
    z23 -= y * z03
    z24 -= y * z04
    z25 -= y * z05
    row[s.D03 + k] = y = k03 * i
    k33 -= y * k03
    k34 -= y * k04
    k35 -= y * k05
    u3 -= y * u0
    z30 -= y * z00
    z31 -= y * z01
    z32 -= y * z02
    z33 -= y * z03
    z34 -= y * z04
    z35 -= y * z05
    row[s.D04 + k] = y = k04 * i
    k44 -= y * k04
    k45 -= y * k05
    u4 -= y * u0
    z40 -= y * z00
    z41 -= y * z01
    z42 -= y * z02
    z43 -= y * z03
    z44 -= y * z04
    z45 -= y * z05
    row[s.D05 + k] = y = k05 * i
    k55 -= y * k05
    u5 -= y * u0
    z50 -= y * z00
    z51 -= y * z01
    z52 -= y * z02
    z53 -= y * z03
    z54 -= y * z04
    z55 -= y * z05
    row[s.E0 + k] = u0
    row[s.Z00 + k] = z00
    row[s.Z01 + k] = z01
    row[s.Z02 + k] = z02
    row[s.Z03 + k] = z03
    row[s.Z04 + k] = z04
    row[s.Z05 + k] = z05
    row[s.D11 + k] = i = 1.0 / k11
    row[s.D12 + k] = y = k12 * i
    k22 -= y * k12
    k23 -= y * k13
    k24 -= y * k14
    k25 -= y * k15
    u2 -= y * u1
    z20 -= y * z10
    z21 -= y * z11
    z22 -= y * z12
    z23 -= y * z13
    z24 -= y * z14
    z25 -= y * z15
    row[s.D13 + k] = y = k13 * i
    k33 -= y * k13
    k34 -= y * k14
    k35 -= y * k15
    u3 -= y * u1
    z30 -= y * z10
    z31 -= y * z11
    z32 -= y * z12
    z33 -= y * z13
    z34 -= y * z14
    z35 -= y * z15
    row[s.D14 + k] = y = k14 * i
    k44 -= y * k14
    k45 -= y * k15
    u4 -= y * u1
    z40 -= y * z10
    z41 -= y * z11
    z42 -= y * z12
    z43 -= y * z13
    z44 -= y * z14
    z45 -= y * z15
    row[s.D15 + k] = y = k15 * i
    k55 -= y * k15
    u5 -= y * u1
    z50 -= y * z10
    z51 -= y * z11
    z52 -= y * z12
    z53 -= y * z13
    z54 -= y * z14
    z55 -= y * z15
    row[s.E1 + k] = u1
    row[s.Z10 + k] = z10
    row[s.Z11 + k] = z11
    row[s.Z12 + k] = z12
    row[s.Z13 + k] = z13
    row[s.Z14 + k] = z14
    row[s.Z15 + k] = z15
    row[s.D22 + k] = i = 1.0 / k22
    row[s.D23 + k] = y = k23 * i
    k33 -= y * k23
    k34 -= y * k24
    k35 -= y * k25
    u3 -= y * u2
    z30 -= y * z20
    z31 -= y * z21
    z32 -= y * z22
    z33 -= y * z23
    z34 -= y * z24
    z35 -= y * z25
    row[s.D24 + k] = y = k24 * i
    k44 -= y * k24
    k45 -= y * k25
    u4 -= y * u2
    z40 -= y * z20
    z41 -= y * z21
    z42 -= y * z22
    z43 -= y * z23
    z44 -= y * z24
    z45 -= y * z25
    row[s.D25 + k] = y = k25 * i
    k55 -= y * k25
    u5 -= y * u2
    z50 -= y * z20
    z51 -= y * z21
    z52 -= y * z22
    z53 -= y * z23
    z54 -= y * z24
    z55 -= y * z25
    row[s.E2 + k] = u2
    row[s.Z20 + k] = z20
    row[s.Z21 + k] = z21
    row[s.Z22 + k] = z22
    row[s.Z23 + k] = z23
    row[s.Z24 + k] = z24
    row[s.Z25 + k] = z25
    row[s.D33 + k] = i = 1.0 / k33
    row[s.D34 + k] = y = k34 * i
    k44 -= y * k34
    k45 -= y * k35
    u4 -= y * u3
    z40 -= y * z30
    z41 -= y * z31
    z42 -= y * z32
    z43 -= y * z33
    z44 -= y * z34
    z45 -= y * z35
    row[s.D35 + k] = y = k35 * i
    k55 -= y * k35
    u5 -= y * u3
    z50 -= y * z30
    z51 -= y * z31
    z52 -= y * z32
    z53 -= y * z33
    z54 -= y * z34
    z55 -= y * z35
    row[s.E3 + k] = u3
    row[s.Z30 + k] = z30
    row[s.Z31 + k] = z31
    row[s.Z32 + k] = z32
    row[s.Z33 + k] = z33
    row[s.Z34 + k] = z34
    row[s.Z35 + k] = z35
    row[s.D44 + k] = i = 1.0 / k44
    row[s.D45 + k] = y = k45 * i
    k55 -= y * k45
    u5 -= y * u4
    z50 -= y * z40
    z51 -= y * z41
    z52 -= y * z42
    z53 -= y * z43
    z54 -= y * z44
    z55 -= y * z45
    row[s.E4 + k] = u4
    row[s.Z40 + k] = z40
    row[s.Z41 + k] = z41
    row[s.Z42 + k] = z42
    row[s.Z43 + k] = z43
    row[s.Z44 + k] = z44
    row[s.Z45 + k] = z45
    row[s.D55 + k] = i = 1.0 / k55
    row[s.E5 + k] = u5
    row[s.Z50 + k] = z50
    row[s.Z51 + k] = z51
    row[s.Z52 + k] = z52
    row[s.Z53 + k] = z53
    row[s.Z54 + k] = z54
    row[s.Z55 + k] = z55
    if k00 > 0.0 and k11 > 0.0 and k22 > 0.0 and k33 > 0.0 and k44 > 0.0 and k55 > 0.0:
        return OK
    row[s.D55 + k] = math.nan
    negative = k00 <= 0.0 or k11 <= 0.0 or k22 <= 0.0 or k33 <= 0.0 or k44 <= 0.0 or k55 <= 0.0
    return NOT_POSITIVE if negative else NOT_FINITE
