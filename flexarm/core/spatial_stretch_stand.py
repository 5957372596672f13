"""From the far node of an element that stretches to ζ and to its frame (NOTATION 35), number by number."""

from __future__ import annotations

from . import spatial_stretch_rows as s
from ._jit import inner
from .types import Floats


@inner
def stand(m: float, row: Floats, k: int, g: Floats) -> None:
    """Add what stands on the far node, `g`, to ζ and to the inertia of an element of mass m; `g` is then the sum."""
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
    t0 = row[s.T0 + k]
    t1 = row[s.T1 + k]
    t2 = row[s.T2 + k]
    c0 = row[s.TA0 + k]
    c1 = row[s.TA1 + k]
    c2 = row[s.TA2 + k]
    d0 = row[s.TL0 + k]
    d1 = row[s.TL1 + k]
    d2 = row[s.TL2 + k]
    # p + I c_t; the rest of u
    n0 = g[s.GN0] + jxx * c0 + jxy * c1 + jxz * c2 + h00 * d0 + h01 * d1 + h02 * d2
    n1 = g[s.GN1] + jxy * c0 + jyy * c1 + jyz * c2 + h10 * d0 + h11 * d1 + h12 * d2
    n2 = g[s.GN2] + jxz * c0 + jyz * c1 + jzz * c2 + h20 * d0 + h21 * d1 + h22 * d2
    f0 = g[s.GF0] + h00 * c0 + h10 * c1 + h20 * c2 + mxx * d0 + mxy * d1 + mxz * d2
    f1 = g[s.GF1] + h01 * c0 + h11 * c1 + h21 * c2 + mxy * d0 + myy * d1 + myz * d2
    f2 = g[s.GF2] + h02 * c0 + h12 * c1 + h22 * c2 + mxz * d0 + myz * d1 + mzz * d2
    row[s.E0 + k] -= n0
    row[s.E1 + k] -= n1
    row[s.E2 + k] -= n2
    row[s.E3 + k] -= f0
    row[s.E4 + k] -= f1
    row[s.E5 + k] -= f2
    # (35) with Y = 1: the inertia of ζ
    row[s.D00 + k] += jxx
    row[s.D01 + k] += jxy
    row[s.D02 + k] += jxz
    row[s.D03 + k] += h00
    row[s.D04 + k] += h01
    row[s.D05 + k] += h02
    row[s.D11 + k] += jyy
    row[s.D12 + k] += jyz
    row[s.D13 + k] += h10
    row[s.D14 + k] += h11
    row[s.D15 + k] += h12
    row[s.D22 + k] += jzz
    row[s.D23 + k] += h20
    row[s.D24 + k] += h21
    row[s.D25 + k] += h22
    row[s.D33 + k] += mxx
    row[s.D34 + k] += mxy
    row[s.D35 + k] += mxz
    row[s.D44 + k] += myy
    row[s.D45 + k] += myz
    row[s.D55 + k] += mzz
    # its coupling with a: rows of I
    row[s.Z03 + k] += h00
    row[s.Z04 + k] += h01
    row[s.Z05 + k] += h02
    row[s.Z13 + k] += h10
    row[s.Z14 + k] += h11
    row[s.Z15 + k] += h12
    row[s.Z23 + k] += h20
    row[s.Z24 + k] += h21
    row[s.Z25 + k] += h22
    row[s.Z33 + k] += mxx
    row[s.Z34 + k] += mxy
    row[s.Z35 + k] += mxz
    row[s.Z43 + k] += mxy
    row[s.Z44 + k] += myy
    row[s.Z45 + k] += myz
    row[s.Z53 + k] += mxz
    row[s.Z54 + k] += myz
    row[s.Z55 + k] += mzz
    # with α: H + t~M, J + t~Hᵀ, which (13) needs too
    v00 = h00 + t1 * mxz - t2 * mxy
    v01 = h01 + t1 * myz - t2 * myy
    v02 = h02 + t1 * mzz - t2 * myz
    v10 = h10 + t2 * mxx - t0 * mxz
    v11 = h11 + t2 * mxy - t0 * myz
    v12 = h12 + t2 * mxz - t0 * mzz
    v20 = h20 + t0 * mxy - t1 * mxx
    v21 = h21 + t0 * myy - t1 * mxy
    v22 = h22 + t0 * myz - t1 * mxz
    k00 = jxx + t1 * h02 - t2 * h01
    k01 = jxy + t1 * h12 - t2 * h11
    k02 = jxz + t1 * h22 - t2 * h21
    k10 = jxy + t2 * h00 - t0 * h02
    k11 = jyy + t2 * h10 - t0 * h12
    k12 = jyz + t2 * h20 - t0 * h22
    k20 = jxz + t0 * h01 - t1 * h00
    k21 = jyz + t0 * h11 - t1 * h10
    k22 = jzz + t0 * h21 - t1 * h20
    row[s.Z30 + k] += v00
    row[s.Z31 + k] += v10
    row[s.Z32 + k] += v20
    row[s.Z40 + k] += v01
    row[s.Z41 + k] += v11
    row[s.Z42 + k] += v21
    row[s.Z50 + k] += v02
    row[s.Z51 + k] += v12
    row[s.Z52 + k] += v22
    row[s.Z00 + k] += k00
    row[s.Z01 + k] += k10
    row[s.Z02 + k] += k20
    row[s.Z10 + k] += k01
    row[s.Z11 + k] += k11
    row[s.Z12 + k] += k21
    row[s.Z20 + k] += k02
    row[s.Z21 + k] += k12
    row[s.Z22 + k] += k22
    # (13) by r_t, then the body's own
    g[s.GJXX] = k00 - v01 * t2 + v02 * t1 + row[s.JXX + k]
    g[s.GJXY] = k01 - v02 * t0 + v00 * t2 + row[s.JXY + k]
    g[s.GJXZ] = k02 - v00 * t1 + v01 * t0 + row[s.JXZ + k]
    g[s.GJYY] = k11 - v12 * t0 + v10 * t2 + row[s.JYY + k]
    g[s.GJYZ] = k12 - v10 * t1 + v11 * t0 + row[s.JYZ + k]
    g[s.GJZZ] = k22 - v20 * t1 + v21 * t0 + row[s.JZZ + k]
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
