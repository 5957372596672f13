"""The outward sweep of planar stretch trees (NOTATION 27–33 and Y⁻¹ of 35)."""

from __future__ import annotations

from ._jit import inner
from .planar_element_outward import offset
from .planar_element_rows import (
    ANGLE,
    COS,
    E_C1,
    E_C2,
    E_D11,
    E_D12,
    E_D22,
    E_H11,
    E_H12,
    E_H22,
    E_J,
    E_K11,
    E_K12,
    E_K22,
    E_LENGTH,
    E_M11,
    E_M12,
    E_M22,
    E_MCX,
    E_MCY,
    E_N11,
    E_N12,
    E_N22,
    E_S1,
    E_S2,
    E_T11,
    E_T12,
    E_T22,
    IJ,
    PN,
    PX,
    PY,
    Q1,
    Q2,
    QS1,
    QS2,
    SIN,
    SX,
    SY,
    TCX,
    TCY,
    TX,
    TY,
    U1,
    U2,
    V1,
    V2,
    VD1,
    VD2,
    W,
)
from .planar_stretch_rows import (
    CONSTANTS,
    D00,
    D01,
    D02,
    D11,
    D12,
    D22,
    E0,
    E1,
    E2,
    E_A0,
    E_D00,
    E_G01,
    E_G02,
    E_K00,
    E_M00,
    E_N00,
    E_S0,
    Q0,
    QS0,
    RHO_X,
    RHO_Y,
    SIGMA,
    U0,
    V0,
    V00,
    V01,
    V02,
    V10,
    V11,
    V12,
    V20,
    V21,
    V22,
    VD0,
)
from .trigonometry import is_near, near_sincos, sincos
from .types import P_ANGLE, REVOLUTE, T_COORD, T_COUNT, T_JOINT, T_PARENT, Floats, PlanarStretchTree


@inner
def stretch_outward(
    tree: PlanarStretchTree,
    q: Floats,
    v: Floats,
    tau: Floats,
    q_spring: Floats,
    v_damper: Floats,
    gh: float,
    bh2: float,
    work: Floats,
) -> None:
    """Fill geometry, own inertia and bias of every body; of the elements forces and inertia of ζ with what a step adds
    to them.
    """
    n = tree.topology.shape[0]
    work[0, ANGLE] = work[0, W] = work[0, Q2] = work[0, V2] = 0.0
    # eight, but a number the compiler does not know: loops of few turns it would leave to single numbers
    lanes = tree.element.shape[1] // CONSTANTS
    # row by row, so that it stays in the nearest cache
    for m in range((n + 7) >> 3):
        near = _along(tree, m, q, v, tau, q_spring, v_damper, work)
        row = work[m]
        e = tree.element[m]
        if near:
            for k in range(lanes):
                row[SIN + k], row[COS + k] = near_sincos(row[ANGLE + k])
        else:
            for k in range(lanes):
                row[SIN + k], row[COS + k] = sincos(row[ANGLE + k])
        _far_nodes(e, row, lanes)
        _own(e, row, lanes)
        _forces(e, gh, bh2, row, lanes)
    for i in range(1, n):
        if tree.jointed[i] == 1:
            offset(tree, i, q, v, work)


@inner
def _along(
    tree: PlanarStretchTree,
    m: int,
    q: Floats,
    v: Floats,
    tau: Floats,
    q_spring: Floats,
    v_damper: Floats,
    work: Floats,
) -> bool:
    """True if no angle is very large; fills what follows the chain, angles and rates, and the coordinates of row m."""
    topology = tree.topology
    row = work[m]
    near = True
    # of the frame the next body stands on, if it goes straight on
    a = 0.0
    b = 0.0
    for i in range(max(8 * m, 1), min(8 * m + 8, topology.shape[0])):
        k = i & 7
        up = topology[i, T_PARENT]
        if up != i - 1 or k == 0 or i == 1:
            above = work[up >> 3]
            j = up & 7
            a = above[ANGLE + j] + above[Q2 + j]
            b = above[W + j] + above[V2 + j]
        c = topology[i, T_COORD]
        if tree.jointed[i] == 1:
            a += tree.plane[i, P_ANGLE]
            if topology[i, T_JOINT] == REVOLUTE:
                a += q[c]
                b += v[c]
        row[ANGLE + k] = a
        row[W + k] = b
        near = near and is_near(a)
        if topology[i, T_COUNT] > 0:
            row[Q0 + k] = q[c]
            row[Q1 + k] = q[c + 1]
            row[Q2 + k] = q[c + 2]
            row[V0 + k] = v[c]
            row[V1 + k] = v[c + 1]
            row[V2 + k] = v[c + 2]
            row[QS0 + k] = q_spring[c]
            row[QS1 + k] = q_spring[c + 1]
            row[QS2 + k] = q_spring[c + 2]
            row[VD0 + k] = v_damper[c]
            row[VD1 + k] = v_damper[c + 1]
            row[VD2 + k] = v_damper[c + 2]
            row[U0 + k] = tau[c]
            row[U1 + k] = tau[c + 1]
            row[U2 + k] = tau[c + 2]
            a += q[c + 2]
            b += v[c + 2]
        else:
            row[Q0 + k] = row[Q1 + k] = row[Q2 + k] = row[V0 + k] = row[V1 + k] = row[V2 + k] = 0.0
    return near


@inner
def _far_nodes(e: Floats, row: Floats, lanes: int) -> None:
    """Fill the frames at the far nodes of eight bodies and what their motion says of stretch (28–30)."""
    for i in range(lanes):
        sin = row[SIN + i]
        cos = row[COS + i]
        w = row[W + i]
        q1 = row[Q1 + i]
        q2 = row[Q2 + i]
        v1 = row[V1 + i]
        v2 = row[V2 + i]
        t11 = e[E_T11 + i]
        t12 = e[E_T12 + i]
        t22 = e[E_T22 + i]
        h1 = t11 * q1 + t12 * q2
        h2 = t12 * q1 + t22 * q2
        x = e[E_LENGTH + i] + row[Q0 + i] - 0.5 * (h1 * q1 + h2 * q2)
        ux = row[V0 + i] - h1 * v1 - h2 * v2
        fall = (t11 * v1 + 2.0 * t12 * v2) * v1 + t22 * v2 * v2
        bx = -w * (w * x + 2.0 * v1) - fall
        by = -w * (w * q1 - 2.0 * ux)
        row[TX + i] = cos * x - sin * q1
        row[TY + i] = sin * x + cos * q1
        row[TCX + i] = cos * bx - sin * by
        row[TCY + i] = sin * bx + cos * by
        # ü is what moves along the axis and what bending draws in
        row[SIGMA + i] = h2
        row[RHO_X + i] = cos - sin * h1
        row[RHO_Y + i] = sin + cos * h1


@inner
def _own(e: Floats, row: Floats, lanes: int) -> None:
    """Fill inertia and bias of eight bodies and their coupling with ζ, [c; Ŝ] Y⁻¹ (31–33)."""
    for i in range(lanes):
        sin = row[SIN + i]
        cos = row[COS + i]
        w = row[W + i]
        q0 = row[Q0 + i]
        q1 = row[Q1 + i]
        q2 = row[Q2 + i]
        v0 = row[V0 + i]
        v1 = row[V1 + i]
        v2 = row[V2 + i]
        s0 = e[E_S0 + i]
        s1 = e[E_S1 + i]
        s2 = e[E_S2 + i]
        h11 = e[E_H11 + i]
        h12 = e[E_H12 + i]
        h22 = e[E_H22 + i]
        h1 = h11 * q1 + h12 * q2
        h2 = h12 * q1 + h22 * q2
        x = e[E_MCX + i] + s0 * q0 - 0.5 * (h1 * q1 + h2 * q2)
        y = e[E_MCY + i] + s1 * q1 + s2 * q2
        ux = s0 * v0 - h1 * v1 - h2 * v2
        uy = s1 * v1 + s2 * v2
        fall = (h11 * v1 + 2.0 * h12 * v2) * v1 + h22 * v2 * v2
        bx = -w * (w * x + 2.0 * uy) - fall
        by = -w * (w * y - 2.0 * ux)
        row[SX + i] = cos * x - sin * y
        row[SY + i] = sin * x + cos * y
        row[PX + i] = cos * bx - sin * by
        row[PY + i] = sin * bx + cos * by
        sigma = row[SIGMA + i]
        rx = row[RHO_X + i]
        ry = row[RHO_Y + i]
        g01 = e[E_G01 + i]
        g02 = e[E_G02 + i]
        c0 = -g01 * q1 - g02 * q2
        c1 = e[E_C1 + i] + g01 * q0
        ax = cos * s0
        ay = sin * s0
        bx = -cos * h1 - sin * s1
        by = cos * s1 - sin * h1
        row[V00 + i] = c0 * sigma + e[E_C2 + i] + g02 * q0
        row[V01 + i] = c0 * rx - c1 * sin
        row[V02 + i] = c0 * ry + c1 * cos
        row[V10 + i] = ax * sigma - cos * h2 - sin * s2
        row[V11 + i] = ax * rx - bx * sin
        row[V12 + i] = ax * ry + bx * cos
        row[V20 + i] = ay * sigma + cos * s2 - sin * h2
        row[V21 + i] = ay * rx - by * sin
        row[V22 + i] = ay * ry + by * cos


@inner
def _forces(e: Floats, gh: float, bh2: float, row: Floats, lanes: int) -> None:
    """Fill moment of inertia and its bias, forces on ζ and its inertia in a step, of eight bodies.

    These are Y⁻ᵀ (τ − b_η − Kη* − Dη̇*) and Y⁻ᵀ (Me + E) Y⁻¹.
    """
    for i in range(lanes):
        w = row[W + i]
        q1 = row[Q1 + i]
        q2 = row[Q2 + i]
        v0 = row[V0 + i]
        v1 = row[V1 + i]
        v2 = row[V2 + i]
        g01 = e[E_G01 + i]
        g02 = e[E_G02 + i]
        a0 = e[E_A0 + i]
        g0 = a0 + e[E_N00 + i] * row[Q0 + i]
        g1 = e[E_N11 + i] * q1 + e[E_N12 + i] * q2
        g2 = e[E_N12 + i] * q1 + e[E_N22 + i] * q2
        row[IJ + i] = e[E_J + i] + (a0 + g0) * row[Q0 + i] + g1 * q1 + g2 * q2
        row[PN + i] = 2.0 * w * (g0 * v0 + g1 * v1 + g2 * v2)
        k00 = e[E_K00 + i]
        k11 = e[E_K11 + i]
        k12 = e[E_K12 + i]
        k22 = e[E_K22 + i]
        d00 = e[E_D00 + i]
        d11 = e[E_D11 + i]
        d12 = e[E_D12 + i]
        d22 = e[E_D22 + i]
        x1 = row[QS1 + i]
        x2 = row[QS2 + i]
        y1 = row[VD1 + i]
        y2 = row[VD2 + i]
        u0 = row[U0 + i] + w * (w * g0 + 2.0 * (g01 * v1 + g02 * v2))
        u0 -= k00 * row[QS0 + i] + d00 * row[VD0 + i]
        u1 = row[U1 + i] + w * (w * g1 - 2.0 * g01 * v0)
        u1 -= k11 * x1 + k12 * x2 + d11 * y1 + d12 * y2
        u2 = row[U2 + i] + w * (w * g2 - 2.0 * g02 * v0)
        u2 -= k12 * x1 + k22 * x2 + d12 * y1 + d22 * y2
        sin = row[SIN + i]
        cos = row[COS + i]
        sigma = row[SIGMA + i]
        rx = row[RHO_X + i]
        ry = row[RHO_Y + i]
        row[E0 + i] = u2 + sigma * u0
        row[E1 + i] = rx * u0 - sin * u1
        row[E2 + i] = ry * u0 + cos * u1
        m00 = e[E_M00 + i] + gh * d00 + bh2 * k00
        m11 = e[E_M11 + i] + gh * d11 + bh2 * k11
        m12 = e[E_M12 + i] + gh * d12 + bh2 * k12
        m22 = e[E_M22 + i] + gh * d22 + bh2 * k22
        ms = m00 * sigma
        mx = m00 * rx
        row[D00 + i] = m22 + ms * sigma
        row[D01 + i] = ms * rx - m12 * sin
        row[D02 + i] = ms * ry + m12 * cos
        row[D11 + i] = mx * rx + m11 * sin * sin
        row[D12 + i] = mx * ry - m11 * sin * cos
        row[D22 + i] = m00 * ry * ry + m11 * cos * cos
