"""The outward sweep of spatial element trees (NOTATION 27–33 for beam elements without stretch)."""

from __future__ import annotations

from . import spatial_element_rows as s
from ._jit import inner
from .columns import B_OX, B_R00
from .flex_rotation import factors
from .spatial_element_inertia import couplings, far_node, own, own_rigid
from .trigonometry import sincos
from .types import (
    PRISMATIC,
    REVOLUTE,
    T_COORD,
    T_COUNT,
    T_JOINT,
    T_PARENT,
    Floats,
    SpatialElementTree,
    SpatialStretchTree,
)


@inner
def element_outward(
    tree: SpatialElementTree,
    q: Floats,
    v: Floats,
    tau: Floats,
    q_spring: Floats,
    v_damper: Floats,
    gh: float,
    bh2: float,
    work: Floats,
) -> None:
    """Fill geometry, own inertia and bias of every body, and the elements' forces with what a step adds to them."""
    work[0, : s.W2 + 1] = 0.0
    work[0, s.R00] = work[0, s.R11] = work[0, s.R22] = 1.0
    for i in range(1, tree.topology.shape[0]):
        row = work[i]
        _frame(tree, i, q, v, work)
        if tree.topology[i, T_COUNT] > 0:
            e = tree.element[i]
            _coordinates(tree, i, q, v, tau, q_spring, v_damper, row)
            _turn(row)
            far_node(e, row)
            own(tree.body[i], e, row)
            couplings(e, gh, bh2, row)
        else:
            own_rigid(tree.body[i], row)
        for k in range(s.GJXX, s.GF2 + 1):
            row[k] = 0.0


@inner
def _coordinates(
    tree: SpatialElementTree,
    i: int,
    q: Floats,
    v: Floats,
    tau: Floats,
    q_spring: Floats,
    v_damper: Floats,
    row: Floats,
) -> None:
    """Fill coordinates, rates and τ − Kη* − Dη̇* of element i; without torsion ψx stands still."""
    e = tree.element[i]
    c = tree.topology[i, T_COORD]
    more = tree.topology[i, T_COUNT] - 4  # 1 with torsion
    row[s.Q1] = q[c]
    row[s.Q2] = q[c + 1]
    row[s.Q3] = q[c + 2] if more == 1 else 0.0
    row[s.Q4] = q[c + 2 + more]
    row[s.Q5] = q[c + 3 + more]
    row[s.V1] = v[c]
    row[s.V2] = v[c + 1]
    row[s.V3] = v[c + 2] if more == 1 else 0.0
    row[s.V4] = v[c + 2 + more]
    row[s.V5] = v[c + 3 + more]
    a1 = q_spring[c]
    a2 = q_spring[c + 1]
    a4 = q_spring[c + 2 + more]
    a5 = q_spring[c + 3 + more]
    b1 = v_damper[c]
    b2 = v_damper[c + 1]
    b4 = v_damper[c + 2 + more]
    b5 = v_damper[c + 3 + more]
    row[s.U1] = tau[c] - e[s.E_K11] * a1 - e[s.E_K15] * a5 - e[s.E_D11] * b1 - e[s.E_D15] * b5
    row[s.U2] = tau[c + 1] - e[s.E_K22] * a2 - e[s.E_K24] * a4 - e[s.E_D22] * b2 - e[s.E_D24] * b4
    row[s.U4] = tau[c + 2 + more] - e[s.E_K24] * a2 - e[s.E_K44] * a4
    row[s.U4] -= e[s.E_D24] * b2 + e[s.E_D44] * b4
    row[s.U5] = tau[c + 3 + more] - e[s.E_K15] * a1 - e[s.E_K55] * a5
    row[s.U5] -= e[s.E_D15] * b1 + e[s.E_D55] * b5
    row[s.U3] = 0.0
    if more == 1:
        row[s.U3] = tau[c + 2] - e[s.E_K33] * q_spring[c + 2] - e[s.E_D33] * v_damper[c + 2]


@inner
def _turn(row: Floats) -> None:
    """Fill the turn of the far node in the body's axes (28–30)."""
    t0 = row[s.Q3]
    t1 = row[s.Q4]
    t2 = row[s.Q5]
    d0 = row[s.V3]
    d1 = row[s.V4]
    d2 = row[s.V5]
    f0, f1, f2, g1, g2 = factors(t0 * t0 + t1 * t1 + t2 * t2)
    row[s.FA] = f1
    row[s.FB] = f2
    # 1 + f0 θ~ + f1 θ~²
    row[s.X00] = 1.0 - f1 * (t1 * t1 + t2 * t2)
    row[s.X01] = f1 * t0 * t1 - f0 * t2
    row[s.X02] = f1 * t0 * t2 + f0 * t1
    row[s.X10] = f1 * t0 * t1 + f0 * t2
    row[s.X11] = 1.0 - f1 * (t0 * t0 + t2 * t2)
    row[s.X12] = f1 * t1 * t2 - f0 * t0
    row[s.X20] = f1 * t0 * t2 - f0 * t1
    row[s.X21] = f1 * t1 * t2 + f0 * t0
    row[s.X22] = 1.0 - f1 * (t0 * t0 + t1 * t1)
    m0 = t1 * d2 - t2 * d1
    m1 = t2 * d0 - t0 * d2
    m2 = t0 * d1 - t1 * d0
    k0 = t1 * m2 - t2 * m1
    k1 = t2 * m0 - t0 * m2
    k2 = t0 * m1 - t1 * m0
    zd = 2.0 * (t0 * d0 + t1 * d1 + t2 * d2)
    row[s.WR0] = d0 + f1 * m0 + f2 * k0
    row[s.WR1] = d1 + f1 * m1 + f2 * k1
    row[s.WR2] = d2 + f1 * m2 + f2 * k2
    row[s.JD0] = zd * (g1 * m0 + g2 * k0) + f2 * (d1 * m2 - d2 * m1)
    row[s.JD1] = zd * (g1 * m1 + g2 * k1) + f2 * (d2 * m0 - d0 * m2)
    row[s.JD2] = zd * (g1 * m2 + g2 * k2) + f2 * (d0 * m1 - d1 * m0)


@inner
def _frame(tree: SpatialElementTree, i: int, q: Floats, v: Floats, work: Floats) -> None:
    """Fill orientation and angular velocity of body i from the far node of its parent, offset and bias (1–5)."""
    up = tree.topology[i, T_PARENT]
    row = work[i]
    base = work[up]
    r00 = base[s.R00]
    r01 = base[s.R01]
    r02 = base[s.R02]
    r10 = base[s.R10]
    r11 = base[s.R11]
    r12 = base[s.R12]
    r20 = base[s.R20]
    r21 = base[s.R21]
    r22 = base[s.R22]
    w0 = base[s.W0]
    w1 = base[s.W1]
    w2 = base[s.W2]
    if tree.topology[up, T_COUNT] > 0 and up > 0:
        g0 = base[s.WR0]
        g1 = base[s.WR1]
        g2 = base[s.WR2]
        w0 += r00 * g0 + r01 * g1 + r02 * g2
        w1 += r10 * g0 + r11 * g1 + r12 * g2
        w2 += r20 * g0 + r21 * g1 + r22 * g2
        g0 = r00
        g1 = r01
        g2 = r02
        r00 = g0 * base[s.X00] + g1 * base[s.X10] + g2 * base[s.X20]
        r01 = g0 * base[s.X01] + g1 * base[s.X11] + g2 * base[s.X21]
        r02 = g0 * base[s.X02] + g1 * base[s.X12] + g2 * base[s.X22]
        g0 = r10
        g1 = r11
        g2 = r12
        r10 = g0 * base[s.X00] + g1 * base[s.X10] + g2 * base[s.X20]
        r11 = g0 * base[s.X01] + g1 * base[s.X11] + g2 * base[s.X21]
        r12 = g0 * base[s.X02] + g1 * base[s.X12] + g2 * base[s.X22]
        g0 = r20
        g1 = r21
        g2 = r22
        r20 = g0 * base[s.X00] + g1 * base[s.X10] + g2 * base[s.X20]
        r21 = g0 * base[s.X01] + g1 * base[s.X11] + g2 * base[s.X21]
        r22 = g0 * base[s.X02] + g1 * base[s.X12] + g2 * base[s.X22]
    row[s.R00] = r00
    row[s.R01] = r01
    row[s.R02] = r02
    row[s.R10] = r10
    row[s.R11] = r11
    row[s.R12] = r12
    row[s.R20] = r20
    row[s.R21] = r21
    row[s.R22] = r22
    row[s.W0] = w0
    row[s.W1] = w1
    row[s.W2] = w2
    # an element on the far node of another has the same place and axes
    if tree.plain[i] == 0:
        joint_frame(tree, i, q, v, row)


@inner
def joint_frame(tree: SpatialElementTree | SpatialStretchTree, i: int, q: Floats, v: Floats, row: Floats) -> None:
    """Fill orientation, angular velocity, offset and bias of body i, of which those of where it stands are known."""
    kind = tree.topology[i, T_JOINT]
    b = tree.body[i]
    r00 = row[s.R00]
    r01 = row[s.R01]
    r02 = row[s.R02]
    r10 = row[s.R10]
    r11 = row[s.R11]
    r12 = row[s.R12]
    r20 = row[s.R20]
    r21 = row[s.R21]
    r22 = row[s.R22]
    w0 = row[s.W0]
    w1 = row[s.W1]
    w2 = row[s.W2]
    d0 = r00 * b[B_OX] + r01 * b[B_OX + 1] + r02 * b[B_OX + 2]
    d1 = r10 * b[B_OX] + r11 * b[B_OX + 1] + r12 * b[B_OX + 2]
    d2 = r20 * b[B_OX] + r21 * b[B_OX + 1] + r22 * b[B_OX + 2]
    g0 = r00
    g1 = r01
    g2 = r02
    r00 = g0 * b[B_R00 + 0] + g1 * b[B_R00 + 3] + g2 * b[B_R00 + 6]
    r01 = g0 * b[B_R00 + 1] + g1 * b[B_R00 + 4] + g2 * b[B_R00 + 7]
    r02 = g0 * b[B_R00 + 2] + g1 * b[B_R00 + 5] + g2 * b[B_R00 + 8]
    g0 = r10
    g1 = r11
    g2 = r12
    r10 = g0 * b[B_R00 + 0] + g1 * b[B_R00 + 3] + g2 * b[B_R00 + 6]
    r11 = g0 * b[B_R00 + 1] + g1 * b[B_R00 + 4] + g2 * b[B_R00 + 7]
    r12 = g0 * b[B_R00 + 2] + g1 * b[B_R00 + 5] + g2 * b[B_R00 + 8]
    g0 = r20
    g1 = r21
    g2 = r22
    r20 = g0 * b[B_R00 + 0] + g1 * b[B_R00 + 3] + g2 * b[B_R00 + 6]
    r21 = g0 * b[B_R00 + 1] + g1 * b[B_R00 + 4] + g2 * b[B_R00 + 7]
    r22 = g0 * b[B_R00 + 2] + g1 * b[B_R00 + 5] + g2 * b[B_R00 + 8]
    c = tree.topology[i, T_COORD]
    u0 = u1 = u2 = 0.0
    rate = 0.0
    if kind == REVOLUTE:
        sin, cos = sincos(q[c])
        rate = v[c]
        g0 = r00
        r00 = cos * g0 + sin * r01
        r01 = cos * r01 - sin * g0
        g0 = r10
        r10 = cos * g0 + sin * r11
        r11 = cos * r11 - sin * g0
        g0 = r20
        r20 = cos * g0 + sin * r21
        r21 = cos * r21 - sin * g0
    elif kind == PRISMATIC:
        u0 = 2.0 * r02 * v[c]
        u1 = 2.0 * r12 * v[c]
        u2 = 2.0 * r22 * v[c]
        d0 += r02 * q[c]
        d1 += r12 * q[c]
        d2 += r22 * q[c]
    row[s.CA0] = (w1 * r22 - w2 * r12) * rate
    row[s.CA1] = (w2 * r02 - w0 * r22) * rate
    row[s.CA2] = (w0 * r12 - w1 * r02) * rate
    row[s.W0] = w0 + r02 * rate
    row[s.W1] = w1 + r12 * rate
    row[s.W2] = w2 + r22 * rate
    # ω×(ω×d + 2 z v)
    u0 += w1 * d2 - w2 * d1
    u1 += w2 * d0 - w0 * d2
    u2 += w0 * d1 - w1 * d0
    row[s.CL0] = w1 * u2 - w2 * u1
    row[s.CL1] = w2 * u0 - w0 * u2
    row[s.CL2] = w0 * u1 - w1 * u0
    row[s.DX] = d0
    row[s.DY] = d1
    row[s.DZ] = d2
    row[s.R00] = r00
    row[s.R01] = r01
    row[s.R02] = r02
    row[s.R10] = r10
    row[s.R11] = r11
    row[s.R12] = r12
    row[s.R20] = r20
    row[s.R21] = r21
    row[s.R22] = r22
