"""From the coordinates of elements that stretch to the accelerations ζ = Yη̈ of their far nodes, eight at a time."""

from __future__ import annotations

from . import spatial_stretch_rows as s
from ._jit import inner
from .types import Floats


@inner
def zeta(e: Floats, gh: float, bh2: float, row: Floats, lanes: int) -> None:
    """Fill Y⁻¹, forces on ζ, its inertia with what a step adds and its coupling with the frame, of eight bodies."""
    _inverse(e, row, lanes)
    _zeta_forces(row, lanes)
    _turning_inertia(e, gh, bh2, row, lanes)
    _moving_inertia(e, gh, bh2, row, lanes)
    _turning_coupling(e, row, lanes)
    _moving_coupling(e, row, lanes)


@inner
def _inverse(e: Floats, row: Floats, lanes: int) -> None:
    """Fill the rows of Y⁻¹ of eight bodies that are not columns of R."""
    for i in range(lanes):
        r00 = row[s.R00 + i]
        r01 = row[s.R01 + i]
        r02 = row[s.R02 + i]
        r10 = row[s.R10 + i]
        r11 = row[s.R11 + i]
        r12 = row[s.R12 + i]
        r20 = row[s.R20 + i]
        r21 = row[s.R21 + i]
        r22 = row[s.R22 + i]
        q1 = row[s.Q1 + i]
        q2 = row[s.Q2 + i]
        q4 = row[s.Q4 + i]
        q5 = row[s.Q5 + i]
        t15 = e[s.E_T15 + i]
        t24 = e[s.E_T24 + i]
        h1 = e[s.E_T11 + i] * q1 + t15 * q5
        h5 = t15 * q1 + e[s.E_T55 + i] * q5
        h2 = e[s.E_T22 + i] * q2 + t24 * q4
        h4 = t24 * q2 + e[s.E_T44 + i] * q4
        row[s.RHO0 + i] = r00 + r01 * h1 + r02 * h2
        row[s.RHO1 + i] = r10 + r11 * h1 + r12 * h2
        row[s.RHO2 + i] = r20 + r21 * h1 + r22 * h2
        x = row[s.B00 + i]
        y = row[s.B01 + i]
        z = row[s.B02 + i]
        row[s.B3_0 + i] = r00 * x + r01 * y + r02 * z
        row[s.B3_1 + i] = r10 * x + r11 * y + r12 * z
        row[s.B3_2 + i] = r20 * x + r21 * y + r22 * z
        x = row[s.B10 + i]
        y = row[s.B11 + i]
        z = row[s.B12 + i]
        u = row[s.B20 + i]
        v = row[s.B21 + i]
        w = row[s.B22 + i]
        b = r00 * x + r01 * y + r02 * z
        c = r00 * u + r01 * v + r02 * w
        row[s.B4_0 + i] = b
        row[s.B5_0 + i] = c
        row[s.SIGMA0 + i] = h4 * b + h5 * c
        b = r10 * x + r11 * y + r12 * z
        c = r10 * u + r11 * v + r12 * w
        row[s.B4_1 + i] = b
        row[s.B5_1 + i] = c
        row[s.SIGMA1 + i] = h4 * b + h5 * c
        b = r20 * x + r21 * y + r22 * z
        c = r20 * u + r21 * v + r22 * w
        row[s.B4_2 + i] = b
        row[s.B5_2 + i] = c
        row[s.SIGMA2 + i] = h4 * b + h5 * c


@inner
def _zeta_forces(row: Floats, lanes: int) -> None:
    """Fill the forces on ζ of eight bodies, Y⁻ᵀ of those on the coordinates."""
    for i in range(lanes):
        u0 = row[s.U0 + i]
        u1 = row[s.U1 + i]
        u2 = row[s.U2 + i]
        u3 = row[s.U3 + i]
        u4 = row[s.U4 + i]
        u5 = row[s.U5 + i]
        row[s.E0 + i] = row[s.SIGMA0 + i] * u0 + row[s.B3_0 + i] * u3 + row[s.B4_0 + i] * u4 + row[s.B5_0 + i] * u5
        row[s.E3 + i] = row[s.RHO0 + i] * u0 + row[s.R01 + i] * u1 + row[s.R02 + i] * u2
        row[s.E1 + i] = row[s.SIGMA1 + i] * u0 + row[s.B3_1 + i] * u3 + row[s.B4_1 + i] * u4 + row[s.B5_1 + i] * u5
        row[s.E4 + i] = row[s.RHO1 + i] * u0 + row[s.R11 + i] * u1 + row[s.R12 + i] * u2
        row[s.E2 + i] = row[s.SIGMA2 + i] * u0 + row[s.B3_2 + i] * u3 + row[s.B4_2 + i] * u4 + row[s.B5_2 + i] * u5
        row[s.E5 + i] = row[s.RHO2 + i] * u0 + row[s.R21 + i] * u1 + row[s.R22 + i] * u2


@inner
def _turning_inertia(e: Floats, gh: float, bh2: float, row: Floats, lanes: int) -> None:
    """Fill the block (α, α) of the inertia of ζ, Y⁻ᵀ (Me + E) Y⁻¹, of eight bodies."""
    for i in range(lanes):
        s0 = row[s.SIGMA0 + i]
        s1 = row[s.SIGMA1 + i]
        s2 = row[s.SIGMA2 + i]
        b0 = row[s.B3_0 + i]
        b1 = row[s.B3_1 + i]
        b2 = row[s.B3_2 + i]
        c0 = row[s.B4_0 + i]
        c1 = row[s.B4_1 + i]
        c2 = row[s.B4_2 + i]
        d0 = row[s.B5_0 + i]
        d1 = row[s.B5_1 + i]
        d2 = row[s.B5_2 + i]
        m00 = e[s.E_M00 + i] + gh * e[s.E_D00 + i] + bh2 * e[s.E_K00 + i]
        m33 = e[s.E_M33 + i] + gh * e[s.E_D33 + i] + bh2 * e[s.E_K33 + i]
        m44 = e[s.E_M44 + i] + gh * e[s.E_D44 + i] + bh2 * e[s.E_K44 + i]
        m55 = e[s.E_M55 + i] + gh * e[s.E_D55 + i] + bh2 * e[s.E_K55 + i]
        x = m00 * s0
        y = m33 * b0
        z = m44 * c0
        w = m55 * d0
        row[s.D00 + i] = x * s0 + y * b0 + z * c0 + w * d0
        row[s.D01 + i] = x * s1 + y * b1 + z * c1 + w * d1
        row[s.D02 + i] = x * s2 + y * b2 + z * c2 + w * d2
        x = m00 * s1
        y = m33 * b1
        z = m44 * c1
        w = m55 * d1
        row[s.D11 + i] = x * s1 + y * b1 + z * c1 + w * d1
        row[s.D12 + i] = x * s2 + y * b2 + z * c2 + w * d2
        x = m00 * s2
        y = m33 * b2
        z = m44 * c2
        w = m55 * d2
        row[s.D22 + i] = x * s2 + y * b2 + z * c2 + w * d2


@inner
def _moving_inertia(e: Floats, gh: float, bh2: float, row: Floats, lanes: int) -> None:
    """Fill the blocks (α, a) and (a, a) of the inertia of ζ of eight bodies."""
    for i in range(lanes):
        s0 = row[s.SIGMA0 + i]
        s1 = row[s.SIGMA1 + i]
        s2 = row[s.SIGMA2 + i]
        p0 = row[s.RHO0 + i]
        p1 = row[s.RHO1 + i]
        p2 = row[s.RHO2 + i]
        c0 = row[s.B4_0 + i]
        c1 = row[s.B4_1 + i]
        c2 = row[s.B4_2 + i]
        d0 = row[s.B5_0 + i]
        d1 = row[s.B5_1 + i]
        d2 = row[s.B5_2 + i]
        v0 = row[s.R01 + i]
        v1 = row[s.R11 + i]
        v2 = row[s.R21 + i]
        w0 = row[s.R02 + i]
        w1 = row[s.R12 + i]
        w2 = row[s.R22 + i]
        m00 = e[s.E_M00 + i] + gh * e[s.E_D00 + i] + bh2 * e[s.E_K00 + i]
        m11 = e[s.E_M11 + i] + gh * e[s.E_D11 + i] + bh2 * e[s.E_K11 + i]
        m15 = e[s.E_M15 + i] + gh * e[s.E_D15 + i] + bh2 * e[s.E_K15 + i]
        m22 = e[s.E_M22 + i] + gh * e[s.E_D22 + i] + bh2 * e[s.E_K22 + i]
        m24 = e[s.E_M24 + i] + gh * e[s.E_D24 + i] + bh2 * e[s.E_K24 + i]
        x = m00 * s0
        y = m15 * d0
        z = m24 * c0
        row[s.D03 + i] = x * p0 + y * v0 + z * w0
        row[s.D04 + i] = x * p1 + y * v1 + z * w1
        row[s.D05 + i] = x * p2 + y * v2 + z * w2
        x = m00 * s1
        y = m15 * d1
        z = m24 * c1
        row[s.D13 + i] = x * p0 + y * v0 + z * w0
        row[s.D14 + i] = x * p1 + y * v1 + z * w1
        row[s.D15 + i] = x * p2 + y * v2 + z * w2
        x = m00 * s2
        y = m15 * d2
        z = m24 * c2
        row[s.D23 + i] = x * p0 + y * v0 + z * w0
        row[s.D24 + i] = x * p1 + y * v1 + z * w1
        row[s.D25 + i] = x * p2 + y * v2 + z * w2
        x = m00 * p0
        y = m11 * v0
        z = m22 * w0
        row[s.D33 + i] = x * p0 + y * v0 + z * w0
        row[s.D34 + i] = x * p1 + y * v1 + z * w1
        row[s.D35 + i] = x * p2 + y * v2 + z * w2
        x = m00 * p1
        y = m11 * v1
        z = m22 * w1
        row[s.D44 + i] = x * p1 + y * v1 + z * w1
        row[s.D45 + i] = x * p2 + y * v2 + z * w2
        x = m00 * p2
        y = m11 * v2
        z = m22 * w2
        row[s.D55 + i] = x * p2 + y * v2 + z * w2


@inner
def _turning_coupling(e: Floats, row: Floats, lanes: int) -> None:
    """Fill the coupling of ζ with α of the frame, C Y⁻¹, of eight bodies."""
    for i in range(lanes):
        q0 = row[s.Q0 + i]
        q1 = row[s.Q1 + i]
        q2 = row[s.Q2 + i]
        q4 = row[s.Q4 + i]
        q5 = row[s.Q5 + i]
        r00 = row[s.R00 + i]
        r01 = row[s.R01 + i]
        r02 = row[s.R02 + i]
        r10 = row[s.R10 + i]
        r11 = row[s.R11 + i]
        r12 = row[s.R12 + i]
        r20 = row[s.R20 + i]
        r21 = row[s.R21 + i]
        r22 = row[s.R22 + i]
        s0 = row[s.SIGMA0 + i]
        s1 = row[s.SIGMA1 + i]
        s2 = row[s.SIGMA2 + i]
        p0 = row[s.RHO0 + i]
        p1 = row[s.RHO1 + i]
        p2 = row[s.RHO2 + i]
        b0 = row[s.B3_0 + i]
        b1 = row[s.B3_1 + i]
        b2 = row[s.B3_2 + i]
        c0 = row[s.B4_0 + i]
        c1 = row[s.B4_1 + i]
        c2 = row[s.B4_2 + i]
        d0 = row[s.B5_0 + i]
        d1 = row[s.B5_1 + i]
        d2 = row[s.B5_2 + i]
        p12 = e[s.E_P12 + i]
        p14 = e[s.E_P14 + i]
        p52 = e[s.E_P52 + i]
        p54 = e[s.E_P54 + i]
        gz1 = e[s.E_GZ1 + i]
        gz5 = e[s.E_GZ5 + i]
        gy2 = e[s.E_GY2 + i]
        gy4 = e[s.E_GY4 + i]
        e1 = p12 * q2 + p14 * q4
        e5 = p52 * q2 + p54 * q4
        e2 = p12 * q1 + p52 * q5
        e4 = p14 * q1 + p54 * q5
        y0 = -gy2 * q2 - gy4 * q4
        z0 = -gz1 * q1 - gz5 * q5
        cx = e[s.E_C3X + i]
        y2 = e[s.E_C2Y + i] + gy2 * q0
        y4 = e[s.E_C4Y + i] + gy4 * q0
        z1 = e[s.E_C1Z + i] + gz1 * q0
        z5 = e[s.E_C5Z + i] + gz5 * q0
        k0 = r01 * y0 + r02 * z0
        k1 = r02 * z1 - r00 * e1
        k2 = r00 * e2 + r01 * y2
        k3 = r00 * cx
        k4 = r00 * e4 + r01 * y4
        k5 = r02 * z5 - r00 * e5
        row[s.Z00 + i] = k0 * s0 + k3 * b0 + k4 * c0 + k5 * d0
        row[s.Z10 + i] = k0 * s1 + k3 * b1 + k4 * c1 + k5 * d1
        row[s.Z20 + i] = k0 * s2 + k3 * b2 + k4 * c2 + k5 * d2
        row[s.Z30 + i] = k0 * p0 + k1 * r01 + k2 * r02
        row[s.Z40 + i] = k0 * p1 + k1 * r11 + k2 * r12
        row[s.Z50 + i] = k0 * p2 + k1 * r21 + k2 * r22
        k0 = r11 * y0 + r12 * z0
        k1 = r12 * z1 - r10 * e1
        k2 = r10 * e2 + r11 * y2
        k3 = r10 * cx
        k4 = r10 * e4 + r11 * y4
        k5 = r12 * z5 - r10 * e5
        row[s.Z01 + i] = k0 * s0 + k3 * b0 + k4 * c0 + k5 * d0
        row[s.Z11 + i] = k0 * s1 + k3 * b1 + k4 * c1 + k5 * d1
        row[s.Z21 + i] = k0 * s2 + k3 * b2 + k4 * c2 + k5 * d2
        row[s.Z31 + i] = k0 * p0 + k1 * r01 + k2 * r02
        row[s.Z41 + i] = k0 * p1 + k1 * r11 + k2 * r12
        row[s.Z51 + i] = k0 * p2 + k1 * r21 + k2 * r22
        k0 = r21 * y0 + r22 * z0
        k1 = r22 * z1 - r20 * e1
        k2 = r20 * e2 + r21 * y2
        k3 = r20 * cx
        k4 = r20 * e4 + r21 * y4
        k5 = r22 * z5 - r20 * e5
        row[s.Z02 + i] = k0 * s0 + k3 * b0 + k4 * c0 + k5 * d0
        row[s.Z12 + i] = k0 * s1 + k3 * b1 + k4 * c1 + k5 * d1
        row[s.Z22 + i] = k0 * s2 + k3 * b2 + k4 * c2 + k5 * d2
        row[s.Z32 + i] = k0 * p0 + k1 * r01 + k2 * r02
        row[s.Z42 + i] = k0 * p1 + k1 * r11 + k2 * r12
        row[s.Z52 + i] = k0 * p2 + k1 * r21 + k2 * r22


@inner
def _moving_coupling(e: Floats, row: Floats, lanes: int) -> None:
    """Fill the coupling of ζ with a of the frame, Ŝ Y⁻¹, of eight bodies."""
    for i in range(lanes):
        q1 = row[s.Q1 + i]
        q2 = row[s.Q2 + i]
        q4 = row[s.Q4 + i]
        q5 = row[s.Q5 + i]
        r00 = row[s.R00 + i]
        r01 = row[s.R01 + i]
        r02 = row[s.R02 + i]
        r10 = row[s.R10 + i]
        r11 = row[s.R11 + i]
        r12 = row[s.R12 + i]
        r20 = row[s.R20 + i]
        r21 = row[s.R21 + i]
        r22 = row[s.R22 + i]
        s0 = row[s.SIGMA0 + i]
        s1 = row[s.SIGMA1 + i]
        s2 = row[s.SIGMA2 + i]
        p0 = row[s.RHO0 + i]
        p1 = row[s.RHO1 + i]
        p2 = row[s.RHO2 + i]
        c0 = row[s.B4_0 + i]
        c1 = row[s.B4_1 + i]
        c2 = row[s.B4_2 + i]
        d0 = row[s.B5_0 + i]
        d1 = row[s.B5_1 + i]
        d2 = row[s.B5_2 + i]
        h15 = e[s.E_H15 + i]
        h24 = e[s.E_H24 + i]
        h1 = e[s.E_H11 + i] * q1 + h15 * q5
        h5 = h15 * q1 + e[s.E_H55 + i] * q5
        h2 = e[s.E_H22 + i] * q2 + h24 * q4
        h4 = h24 * q2 + e[s.E_H44 + i] * q4
        sx = e[s.E_S0 + i]
        sv = e[s.E_SV + i]
        sz = e[s.E_SZ + i]
        sw = e[s.E_SW + i]
        sy = e[s.E_SY + i]
        k0 = r00 * sx
        k1 = r01 * sv - r00 * h1
        k2 = r02 * sw - r00 * h2
        k4 = r02 * sy - r00 * h4
        k5 = r01 * sz - r00 * h5
        row[s.Z03 + i] = k0 * s0 + k4 * c0 + k5 * d0
        row[s.Z13 + i] = k0 * s1 + k4 * c1 + k5 * d1
        row[s.Z23 + i] = k0 * s2 + k4 * c2 + k5 * d2
        row[s.Z33 + i] = k0 * p0 + k1 * r01 + k2 * r02
        row[s.Z43 + i] = k0 * p1 + k1 * r11 + k2 * r12
        row[s.Z53 + i] = k0 * p2 + k1 * r21 + k2 * r22
        k0 = r10 * sx
        k1 = r11 * sv - r10 * h1
        k2 = r12 * sw - r10 * h2
        k4 = r12 * sy - r10 * h4
        k5 = r11 * sz - r10 * h5
        row[s.Z04 + i] = k0 * s0 + k4 * c0 + k5 * d0
        row[s.Z14 + i] = k0 * s1 + k4 * c1 + k5 * d1
        row[s.Z24 + i] = k0 * s2 + k4 * c2 + k5 * d2
        row[s.Z34 + i] = k0 * p0 + k1 * r01 + k2 * r02
        row[s.Z44 + i] = k0 * p1 + k1 * r11 + k2 * r12
        row[s.Z54 + i] = k0 * p2 + k1 * r21 + k2 * r22
        k0 = r20 * sx
        k1 = r21 * sv - r20 * h1
        k2 = r22 * sw - r20 * h2
        k4 = r22 * sy - r20 * h4
        k5 = r21 * sz - r20 * h5
        row[s.Z05 + i] = k0 * s0 + k4 * c0 + k5 * d0
        row[s.Z15 + i] = k0 * s1 + k4 * c1 + k5 * d1
        row[s.Z25 + i] = k0 * s2 + k4 * c2 + k5 * d2
        row[s.Z35 + i] = k0 * p0 + k1 * r01 + k2 * r02
        row[s.Z45 + i] = k0 * p1 + k1 * r11 + k2 * r12
        row[s.Z55 + i] = k0 * p2 + k1 * r21 + k2 * r22
