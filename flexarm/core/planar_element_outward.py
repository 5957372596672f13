"""The outward sweep of planar element trees (NOTATION 27–33 for two coordinates without stretch)."""

from __future__ import annotations

from ._jit import inner
from .planar_element_rows import (
    A1X,
    A1Y,
    A2X,
    A2Y,
    ANGLE,
    COS,
    CX,
    CY,
    DX,
    DY,
    E_D11,
    E_D12,
    E_D22,
    E_H11,
    E_H12,
    E_H22,
    E_K11,
    E_K12,
    E_K22,
    E_LENGTH,
    E_M11,
    E_M12,
    E_M22,
    E_N11,
    E_N12,
    E_N22,
    E_S1,
    E_S2,
    E_T11,
    E_T12,
    E_T22,
    F1X,
    F1Y,
    F2X,
    F2Y,
    IJ,
    M11,
    M12,
    M22,
    PN,
    PX,
    PY,
    Q1,
    Q2,
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
    ZX,
    ZY,
    W,
)
from .trigonometry import FAR, near_sincos, sincos
from .types import (
    P_ANGLE,
    P_J,
    P_MCX,
    P_MCY,
    P_RX,
    P_RY,
    P_UX,
    P_UY,
    PRISMATIC,
    REVOLUTE,
    T_COORD,
    T_COUNT,
    T_JOINT,
    T_PARENT,
    Floats,
    PlanarElementTree,
)


@inner
def element_outward(
    tree: PlanarElementTree,
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
    topology = tree.topology
    rows = tree.rows
    n = topology.shape[0]
    e = tree.element
    angle, w = work[ANGLE, :n], work[W, :n]
    q1, q2, v1, v2 = work[Q1, :n], work[Q2, :n], work[V1, :n], work[V2, :n]
    u1, u2 = work[U1, :n], work[U2, :n]
    angle[0] = w[0] = q1[0] = q2[0] = v1[0] = v2[0] = 0.0
    near = True
    # along the chain: angles, rates, and the coordinates to where they can be run over
    for i in range(1, n):
        up = topology[i, T_PARENT]
        a = angle[up] + q2[up] + rows[P_ANGLE, i]
        b = w[up] + v2[up]
        c = topology[i, T_COORD]
        if topology[i, T_COUNT] > 0:
            q1[i] = q[c]
            q2[i] = q[c + 1]
            v1[i] = v[c]
            v2[i] = v[c + 1]
            x1 = q_spring[c]
            x2 = q_spring[c + 1]
            y1 = v_damper[c]
            y2 = v_damper[c + 1]
            u1[i] = tau[c] - e[E_K11, i] * x1 - e[E_K12, i] * x2 - e[E_D11, i] * y1 - e[E_D12, i] * y2
            u2[i] = tau[c + 1] - e[E_K12, i] * x1 - e[E_K22, i] * x2 - e[E_D12, i] * y1 - e[E_D22, i] * y2
        else:
            q1[i] = q2[i] = v1[i] = v2[i] = u1[i] = u2[i] = 0.0
            if topology[i, T_JOINT] == REVOLUTE:
                a += q[c]
                b += v[c]
        angle[i] = a
        w[i] = b
        near = near and -FAR < a < FAR
    sin, cos = work[SIN, :n], work[COS, :n]
    if near:
        for i in range(n):
            sin[i], cos[i] = near_sincos(angle[i])
    else:
        for i in range(n):
            sin[i], cos[i] = sincos(angle[i])
    _far_nodes(tree, work)
    _own(tree, gh, bh2, work)
    for i in range(1, n):
        if topology[i, T_JOINT] == PRISMATIC or rows[P_RX, i] != 0.0 or rows[P_RY, i] != 0.0:
            _offset(tree, i, q, v, work)
        else:
            work[DX, i] = work[DY, i] = work[CX, i] = work[CY, i] = 0.0


@inner
def _far_nodes(tree: PlanarElementTree, work: Floats) -> None:
    """Fill the frames at the far nodes (28–30); of a rigid body it is its own frame."""
    n = tree.topology.shape[0]
    e = tree.element
    length, t11, t12, t22 = e[E_LENGTH], e[E_T11], e[E_T12], e[E_T22]
    sin, cos, w = work[SIN, :n], work[COS, :n], work[W, :n]
    q1, q2, v1, v2 = work[Q1, :n], work[Q2, :n], work[V1, :n], work[V2, :n]
    tx, ty, tcx, tcy = work[TX, :n], work[TY, :n], work[TCX, :n], work[TCY, :n]
    f1x, f1y, f2x, f2y = work[F1X, :n], work[F1Y, :n], work[F2X, :n], work[F2Y, :n]
    for i in range(n):
        h1 = t11[i] * q1[i] + t12[i] * q2[i]
        h2 = t12[i] * q1[i] + t22[i] * q2[i]
        x = length[i] - 0.5 * (h1 * q1[i] + h2 * q2[i])
        y = q1[i]
        ux = -h1 * v1[i] - h2 * v2[i]
        fall = (t11[i] * v1[i] + 2.0 * t12[i] * v2[i]) * v1[i] + t22[i] * v2[i] * v2[i]
        bx = -w[i] * (w[i] * x + 2.0 * v1[i]) - fall
        by = -w[i] * (w[i] * y - 2.0 * ux)
        tx[i] = cos[i] * x - sin[i] * y
        ty[i] = sin[i] * x + cos[i] * y
        tcx[i] = cos[i] * bx - sin[i] * by
        tcy[i] = sin[i] * bx + cos[i] * by
        f1x[i] = -cos[i] * h1 - sin[i]
        f1y[i] = cos[i] - sin[i] * h1
        f2x[i] = -cos[i] * h2
        f2y[i] = -sin[i] * h2


@inner
def _own(tree: PlanarElementTree, gh: float, bh2: float, work: Floats) -> None:
    """Fill inertia, coupling and bias of every body (31–33)."""
    n = tree.topology.shape[0]
    e = tree.element
    rows = tree.rows
    h11, h12, h22, n11, n12, n22 = e[E_H11], e[E_H12], e[E_H22], e[E_N11], e[E_N12], e[E_N22]
    s1, s2, mcx, mcy, jj = e[E_S1], e[E_S2], rows[P_MCX], rows[P_MCY], rows[P_J]
    sin, cos, w = work[SIN, :n], work[COS, :n], work[W, :n]
    q1, q2, v1, v2 = work[Q1, :n], work[Q2, :n], work[V1, :n], work[V2, :n]
    ij, sx, sy, pn, px, py = work[IJ, :n], work[SX, :n], work[SY, :n], work[PN, :n], work[PX, :n], work[PY, :n]
    a1x, a1y, a2x, a2y = work[A1X, :n], work[A1Y, :n], work[A2X, :n], work[A2Y, :n]
    u1, u2 = work[U1, :n], work[U2, :n]
    for i in range(n):
        h1 = h11[i] * q1[i] + h12[i] * q2[i]
        h2 = h12[i] * q1[i] + h22[i] * q2[i]
        g1 = n11[i] * q1[i] + n12[i] * q2[i]
        g2 = n12[i] * q1[i] + n22[i] * q2[i]
        x = mcx[i] - 0.5 * (h1 * q1[i] + h2 * q2[i])
        y = mcy[i] + s1[i] * q1[i] + s2[i] * q2[i]
        ux = -h1 * v1[i] - h2 * v2[i]
        uy = s1[i] * v1[i] + s2[i] * v2[i]
        fall = (h11[i] * v1[i] + 2.0 * h12[i] * v2[i]) * v1[i] + h22[i] * v2[i] * v2[i]
        bx = -w[i] * (w[i] * x + 2.0 * uy) - fall
        by = -w[i] * (w[i] * y - 2.0 * ux)
        ij[i] = jj[i] + g1 * q1[i] + g2 * q2[i]
        sx[i] = cos[i] * x - sin[i] * y
        sy[i] = sin[i] * x + cos[i] * y
        pn[i] = 2.0 * w[i] * (g1 * v1[i] + g2 * v2[i])
        px[i] = cos[i] * bx - sin[i] * by
        py[i] = sin[i] * bx + cos[i] * by
        a1x[i] = -cos[i] * h1 - sin[i] * s1[i]
        a1y[i] = cos[i] * s1[i] - sin[i] * h1
        a2x[i] = -cos[i] * h2 - sin[i] * s2[i]
        a2y[i] = cos[i] * s2[i] - sin[i] * h2
        u1[i] += w[i] * w[i] * g1
        u2[i] += w[i] * w[i] * g2
    k11, k12, k22, d11, d12, d22 = e[E_K11], e[E_K12], e[E_K22], e[E_D11], e[E_D12], e[E_D22]
    e11, e12, e22 = e[E_M11], e[E_M12], e[E_M22]
    m11, m12, m22 = work[M11, :n], work[M12, :n], work[M22, :n]
    for i in range(n):
        m11[i] = e11[i] + gh * d11[i] + bh2 * k11[i]
        m12[i] = e12[i] + gh * d12[i] + bh2 * k12[i]
        m22[i] = e22[i] + gh * d22[i] + bh2 * k22[i]


@inner
def _offset(tree: PlanarElementTree, i: int, q: Floats, v: Floats, work: Floats) -> None:
    """Fill d and c of a joint that does not sit on the frame of its parent."""
    rows = tree.rows
    up = tree.topology[i, T_PARENT]
    sin = work[SIN, up]
    cos = work[COS, up]
    w = work[W, up] + work[V2, up]
    if tree.topology[up, T_COUNT] > 0:
        s, k = sincos(work[Q2, up])
        sin, cos = sin * k + cos * s, cos * k - sin * s
    x = cos * rows[P_RX, i] - sin * rows[P_RY, i]
    y = sin * rows[P_RX, i] + cos * rows[P_RY, i]
    cx = 0.0
    cy = 0.0
    if tree.topology[i, T_JOINT] == PRISMATIC:
        c = tree.topology[i, T_COORD]
        zx = cos * rows[P_UX, i] - sin * rows[P_UY, i]
        zy = sin * rows[P_UX, i] + cos * rows[P_UY, i]
        work[ZX, i] = zx
        work[ZY, i] = zy
        x += zx * q[c]
        y += zy * q[c]
        cx = -2.0 * w * v[c] * zy
        cy = 2.0 * w * v[c] * zx
    work[DX, i] = x
    work[DY, i] = y
    work[CX, i] = cx - w * w * x
    work[CY, i] = cy - w * w * y
