"""The outward sweep of planar element trees (NOTATION 27–33 for two coordinates without stretch)."""

from __future__ import annotations

from ._jit import inner
from .planar_element_rows import (
    A1X,
    A1Y,
    A2X,
    A2Y,
    ANGLE,
    CONSTANTS,
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
    ZX,
    ZY,
    W,
)
from .trigonometry import is_near, near_sincos, sincos
from .types import (
    P_ANGLE,
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
    n = topology.shape[0]
    near = True
    # of the frame the next body stands on, if it goes straight on
    a = 0.0
    b = 0.0
    work[0, ANGLE] = work[0, W] = work[0, Q2] = work[0, V2] = 0.0
    # along the chain: angles, rates, and the coordinates to where they can be run over
    for i in range(1, n):
        row = work[i >> 3]
        k = i & 7
        up = topology[i, T_PARENT]
        if up != i - 1:
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
            row[Q1 + k] = q[c]
            row[Q2 + k] = q[c + 1]
            row[V1 + k] = v[c]
            row[V2 + k] = v[c + 1]
            row[QS1 + k] = q_spring[c]
            row[QS2 + k] = q_spring[c + 1]
            row[VD1 + k] = v_damper[c]
            row[VD2 + k] = v_damper[c + 1]
            row[U1 + k] = tau[c]
            row[U2 + k] = tau[c + 1]
            a += q[c + 1]
            b += v[c + 1]
        else:
            row[Q1 + k] = row[Q2 + k] = row[V1 + k] = row[V2 + k] = 0.0
    # eight, but a number the compiler does not know: loops of few turns it would leave to single numbers
    lanes = tree.element.shape[1] // CONSTANTS
    for m in range((n + 7) >> 3):
        row = work[m]
        if near:
            for k in range(lanes):
                row[SIN + k], row[COS + k] = near_sincos(row[ANGLE + k])
        else:
            for k in range(lanes):
                row[SIN + k], row[COS + k] = sincos(row[ANGLE + k])
        _far_nodes(tree.element[m], row, lanes)
        _own(tree.element[m], row, lanes)
        _forces(tree.element[m], gh, bh2, row, lanes)
    for i in range(1, n):
        if tree.jointed[i] == 1:
            offset(tree, i, q, v, work)


@inner
def _far_nodes(e: Floats, row: Floats, lanes: int) -> None:
    """Fill the frames at the far nodes (28–30) of eight bodies; of a rigid body it is its own frame."""
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
        x = e[E_LENGTH + i] - 0.5 * (h1 * q1 + h2 * q2)
        ux = -h1 * v1 - h2 * v2
        fall = (t11 * v1 + 2.0 * t12 * v2) * v1 + t22 * v2 * v2
        bx = -w * (w * x + 2.0 * v1) - fall
        by = -w * (w * q1 - 2.0 * ux)
        row[TX + i] = cos * x - sin * q1
        row[TY + i] = sin * x + cos * q1
        row[TCX + i] = cos * bx - sin * by
        row[TCY + i] = sin * bx + cos * by
        row[F1X + i] = -cos * h1 - sin
        row[F1Y + i] = cos - sin * h1
        row[F2X + i] = -cos * h2
        row[F2Y + i] = -sin * h2


@inner
def _own(e: Floats, row: Floats, lanes: int) -> None:
    """Fill inertia, coupling and bias of eight bodies (31–33)."""
    for i in range(lanes):
        sin = row[SIN + i]
        cos = row[COS + i]
        w = row[W + i]
        q1 = row[Q1 + i]
        q2 = row[Q2 + i]
        v1 = row[V1 + i]
        v2 = row[V2 + i]
        s1 = e[E_S1 + i]
        s2 = e[E_S2 + i]
        h11 = e[E_H11 + i]
        h12 = e[E_H12 + i]
        h22 = e[E_H22 + i]
        h1 = h11 * q1 + h12 * q2
        h2 = h12 * q1 + h22 * q2
        x = e[E_MCX + i] - 0.5 * (h1 * q1 + h2 * q2)
        y = e[E_MCY + i] + s1 * q1 + s2 * q2
        ux = -h1 * v1 - h2 * v2
        uy = s1 * v1 + s2 * v2
        fall = (h11 * v1 + 2.0 * h12 * v2) * v1 + h22 * v2 * v2
        bx = -w * (w * x + 2.0 * uy) - fall
        by = -w * (w * y - 2.0 * ux)
        row[SX + i] = cos * x - sin * y
        row[SY + i] = sin * x + cos * y
        row[PX + i] = cos * bx - sin * by
        row[PY + i] = sin * bx + cos * by
        row[A1X + i] = -cos * h1 - sin * s1
        row[A1Y + i] = cos * s1 - sin * h1
        row[A2X + i] = -cos * h2 - sin * s2
        row[A2Y + i] = cos * s2 - sin * h2


@inner
def _forces(e: Floats, gh: float, bh2: float, row: Floats, lanes: int) -> None:
    """Fill moment of inertia and its bias, forces on the coordinates and their inertia in a step, of eight bodies."""
    for i in range(lanes):
        w = row[W + i]
        q1 = row[Q1 + i]
        q2 = row[Q2 + i]
        g1 = e[E_N11 + i] * q1 + e[E_N12 + i] * q2
        g2 = e[E_N12 + i] * q1 + e[E_N22 + i] * q2
        row[IJ + i] = e[E_J + i] + g1 * q1 + g2 * q2
        row[PN + i] = 2.0 * w * (g1 * row[V1 + i] + g2 * row[V2 + i])
        k11 = e[E_K11 + i]
        k12 = e[E_K12 + i]
        k22 = e[E_K22 + i]
        d11 = e[E_D11 + i]
        d12 = e[E_D12 + i]
        d22 = e[E_D22 + i]
        x1 = row[QS1 + i]
        x2 = row[QS2 + i]
        y1 = row[VD1 + i]
        y2 = row[VD2 + i]
        row[U1 + i] += w * w * g1 - k11 * x1 - k12 * x2 - d11 * y1 - d12 * y2
        row[U2 + i] += w * w * g2 - k12 * x1 - k22 * x2 - d12 * y1 - d22 * y2
        row[M11 + i] = e[E_M11 + i] + gh * d11 + bh2 * k11
        row[M12 + i] = e[E_M12 + i] + gh * d12 + bh2 * k12
        row[M22 + i] = e[E_M22 + i] + gh * d22 + bh2 * k22


@inner
def offset(tree: PlanarElementTree, i: int, q: Floats, v: Floats, work: Floats) -> None:
    """Fill d and c of a joint, or of a body that does not sit on the frame of its parent."""
    plane = tree.plane
    row = work[i >> 3]
    at = i & 7
    up = tree.topology[i, T_PARENT]
    above = work[up >> 3]
    j = up & 7
    sin = above[SIN + j]
    cos = above[COS + j]
    w = above[W + j] + above[V2 + j]
    if tree.topology[up, T_COUNT] > 0:
        s, k = sincos(above[Q2 + j])
        sin, cos = sin * k + cos * s, cos * k - sin * s
    x = cos * plane[i, P_RX] - sin * plane[i, P_RY]
    y = sin * plane[i, P_RX] + cos * plane[i, P_RY]
    cx = 0.0
    cy = 0.0
    if tree.topology[i, T_JOINT] == PRISMATIC:
        c = tree.topology[i, T_COORD]
        zx = cos * plane[i, P_UX] - sin * plane[i, P_UY]
        zy = sin * plane[i, P_UX] + cos * plane[i, P_UY]
        row[ZX + at] = zx
        row[ZY + at] = zy
        x += zx * q[c]
        y += zy * q[c]
        cx = -2.0 * w * v[c] * zy
        cy = 2.0 * w * v[c] * zx
    row[DX + at] = x
    row[DY + at] = y
    row[CX + at] = cx - w * w * x
    row[CY + at] = cy - w * w * y
