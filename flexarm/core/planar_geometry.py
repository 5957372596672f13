"""The outward sweep in the plane: geometry, centripetal accelerations, first moments and bias forces (NOTATION 1–7).

Planar work arrays lie with one row per *quantity* and one column per body, so that everything which does not follow the
chain (sines, turned vectors, products) runs over neighbouring numbers and is done eight at a time by the processor.
"""

from __future__ import annotations

from ._jit import inner
from .laws import law_value
from .trigonometry import is_near, near_sincos, sincos
from .types import (
    P_ANGLE,
    P_MCX,
    P_MCY,
    P_RX,
    P_RY,
    P_UX,
    P_UY,
    PRISMATIC,
    REVOLUTE,
    T_COORD,
    T_JOINT,
    T_PARENT,
    Floats,
    Laws,
    Loads,
    PlanarTree,
)

# Rows of the work array: geometry; first moment and bias force; articulated inertia and bias gathered where the tree
# branches; what the last sweep needs; accelerations (or velocities and positions, where those are wanted).
SIN, COS, ANGLE, W, DX, DY, CX, CY, ZX, ZY = range(0, 10)
MCX, MCY, PN, PX, PY = range(10, 15)
GJ, GHX, GHY, GMXX, GMXY, GMYY, GPN, GPX, GPY = range(15, 24)
UN, UX, UY, DINV, U, ZP = range(24, 30)
K0, K1, K2, K3 = range(30, 34)
AL, AX, AY = range(34, 37)
PLANAR_WORK = 37


@inner
def planar_outward(tree: PlanarTree, q: Floats, v: Floats, work: Floats) -> None:
    """Fill geometry, first moments and bias forces for the state q, v."""
    plane = tree.plane
    topology = tree.topology
    n = topology.shape[0]
    sin = work[SIN]
    cos = work[COS]
    angle = work[ANGLE]
    w = work[W]
    angle[0] = 0.0
    w[0] = 0.0
    near = True
    # along the chain: angles and rates only
    for i in range(1, n):
        up = topology[i, T_PARENT]
        a = angle[up] + plane[P_ANGLE, i]
        b = w[up]
        if topology[i, T_JOINT] == REVOLUTE:
            a += q[topology[i, T_COORD]]
            b += v[topology[i, T_COORD]]
        angle[i] = a
        w[i] = b
        near = near and is_near(a)
    if near:
        for i in range(n):
            sin[i], cos[i] = near_sincos(angle[i])
    else:
        for i in range(n):
            sin[i], cos[i] = sincos(angle[i])
    if topology[0, T_JOINT] == REVOLUTE:
        _serial_offsets(plane, work)
    else:
        _offsets(tree, q, v, work)
    mx = plane[P_MCX]
    my = plane[P_MCY]
    mcx = work[MCX]
    mcy = work[MCY]
    px = work[PX]
    py = work[PY]
    pn = work[PN]
    for i in range(n):
        mcx[i] = cos[i] * mx[i] - sin[i] * my[i]
        mcy[i] = sin[i] * mx[i] + cos[i] * my[i]
        px[i] = -w[i] * w[i] * mcx[i]
        py[i] = -w[i] * w[i] * mcy[i]
        pn[i] = 0.0


@inner
def _serial_offsets(plane: Floats, work: Floats) -> None:
    """Fill d and c of a serial chain of revolute joints, whose parents stand one column before."""
    sin = work[SIN]
    cos = work[COS]
    w = work[W]
    dx = work[DX]
    dy = work[DY]
    cx = work[CX]
    cy = work[CY]
    rx = plane[P_RX]
    ry = plane[P_RY]
    for i in range(1, sin.shape[0]):
        x = cos[i - 1] * rx[i] - sin[i - 1] * ry[i]
        y = sin[i - 1] * rx[i] + cos[i - 1] * ry[i]
        w2 = w[i - 1] * w[i - 1]
        dx[i] = x
        dy[i] = y
        cx[i] = -w2 * x
        cy[i] = -w2 * y


@inner
def _offsets(tree: PlanarTree, q: Floats, v: Floats, work: Floats) -> None:
    """Fill d and c of any tree."""
    plane = tree.plane
    topology = tree.topology
    for i in range(1, topology.shape[0]):
        up = topology[i, T_PARENT]
        sin = work[SIN, up]
        cos = work[COS, up]
        w = work[W, up]
        x = cos * plane[P_RX, i] - sin * plane[P_RY, i]
        y = sin * plane[P_RX, i] + cos * plane[P_RY, i]
        cx = 0.0
        cy = 0.0
        if topology[i, T_JOINT] == PRISMATIC:
            c = topology[i, T_COORD]
            zx = cos * plane[P_UX, i] - sin * plane[P_UY, i]
            zy = sin * plane[P_UX, i] + cos * plane[P_UY, i]
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


@inner
def planar_loads(loads: Loads, laws: Laws, t: float, left: bool, work: Floats) -> None:
    """Subtract the external loads from the bias of their bodies."""
    place = loads.place
    wrench = loads.wrench
    for j in range(place.shape[0]):
        i = place[j, 0]
        factor = 1.0
        if place[j, 2] >= 0:
            factor = law_value(laws, place[j, 2], t, left)[0]
        sin = work[SIN, i]
        cos = work[COS, i]
        fx = wrench[j, 3] * factor
        fy = wrench[j, 4] * factor
        if place[j, 1] == 1:
            fx, fy = cos * fx - sin * fy, sin * fx + cos * fy
        rx = cos * wrench[j, 0] - sin * wrench[j, 1]
        ry = sin * wrench[j, 0] + cos * wrench[j, 1]
        work[PN, i] -= wrench[j, 8] * factor + rx * fy - ry * fx
        work[PX, i] -= fx
        work[PY, i] -= fy
