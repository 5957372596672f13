"""The outward sweep of planar trees with flexible bodies (NOTATION 27–33): frames, own inertia, bias forces."""

from __future__ import annotations

from ._jit import inner
from .flex_planar_columns import (
    ANGLE,
    COS,
    CX,
    CY,
    DX,
    DY,
    HEAD,
    IHX,
    IHY,
    IJ,
    IMXX,
    IMXY,
    IMYY,
    PN,
    PX,
    PY,
    SIN,
    SX,
    SY,
    TCX,
    TCY,
    TW,
    TX,
    TY,
    ZX,
    ZY,
    W,
)
from .laws import law_value
from .questions import is_zero
from .trigonometry import sincos
from .types import (
    P_ANGLE,
    P_FELT,
    P_J,
    P_MASS,
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
    T_DATA,
    T_JOINT,
    T_PARENT,
    T_STANDS,
    Floats,
    Laws,
    Loads,
    PlanarFlexTree,
)


@inner
def frame(tree: PlanarFlexTree, up: int, begin: int, q: Floats, v: Floats, work: Floats, i: int) -> float:
    """Angle of the frame at `begin` on body `up` in that body's axes; fills r_t, its bias, ω_t, Y of row i (28–30).

    F η̈ and Ψη̈ are left to Y: what stands in TCX, TCY is the acceleration without η̈.
    """
    most = tree.topology[0, T_COUNT]
    n = tree.topology[up, T_COUNT]
    c = tree.topology[up, T_COORD]
    y = work[i, HEAD : HEAD + 3 * most]
    sin = work[up, SIN]
    cos = work[up, COS]
    w = work[up, W]
    a = tree.attachment[begin + 1 : begin + 1 + 3 * n + n * n]
    h = a[3 * n :]
    x = tree.attachment[begin]
    across = 0.0
    turn = 0.0
    rate = 0.0
    ux = 0.0
    uy = 0.0
    fall = 0.0
    for k in range(n):
        hk = 0.0
        dk = 0.0
        for j in range(n):
            hk += h[k * n + j] * q[c + j]
            dk += h[k * n + j] * v[c + j]
        e = q[c + k]
        d = v[c + k]
        fx = a[k] - hk
        fy = a[n + k]
        x += (a[k] - 0.5 * hk) * e
        across += fy * e
        turn += a[2 * n + k] * e
        rate += a[2 * n + k] * d
        ux += fx * d
        uy += fy * d
        fall += dk * d
        y[k] = a[2 * n + k]
        y[most + k] = cos * fx - sin * fy
        y[2 * most + k] = sin * fx + cos * fy
    # in the body's axes: −ω² r + 2ω ẑ×Fη̇ − e_x η̇ᵀHη̇
    bx = -w * w * x - 2.0 * w * uy - fall
    by = -w * w * across + 2.0 * w * ux
    work[i, TX] = cos * x - sin * across
    work[i, TY] = sin * x + cos * across
    work[i, TCX] = cos * bx - sin * by
    work[i, TCY] = sin * bx + cos * by
    work[i, TW] = w + rate
    return turn


@inner
def own_elastic(tree: PlanarFlexTree, i: int, q: Floats, v: Floats, work: Floats) -> None:
    """Fill inertia and bias of the flexible body i, elastic forces left out (32, 33)."""
    topology = tree.topology
    most = topology[0, T_COUNT]
    n = topology[i, T_COUNT]
    c = topology[i, T_COORD]
    begin = topology[i, T_DATA]
    e = tree.elastic[begin : begin + 4 * n]
    me = tree.elastic[begin + 4 * n : begin + 4 * n + n * n]
    h0 = tree.elastic[begin + 4 * n + 3 * n * n : begin + 4 * n + 4 * n * n]
    nn = tree.elastic[begin + 4 * n + 4 * n * n : begin + 4 * n + 5 * n * n]
    gz = tree.elastic[begin + 4 * n + 5 * n * n : begin + 4 * n + 6 * n * n]
    row = work[i]
    coupling = row[HEAD + 3 * most : HEAD + 6 * most]
    force = row[HEAD + 9 * most : HEAD + 10 * most]
    inertia = row[HEAD + 11 * most : HEAD + 11 * most + n * n]
    sin = row[SIN]
    cos = row[COS]
    w = row[W]
    sx = tree.plane[i, P_MCX]
    sy = 0.0
    jj = tree.plane[i, P_J]
    felt = tree.plane[i, P_FELT]
    swing = 0.0
    fall = 0.0
    ux = 0.0
    uy = 0.0
    for k in range(n):
        hq = 0.0
        hv = 0.0
        nq = 0.0
        gq = 0.0
        gv = 0.0
        for j in range(n):
            hq += h0[k * n + j] * q[c + j]
            hv += h0[k * n + j] * v[c + j]
            nq += nn[k * n + j] * q[c + j]
            gq += gz[j * n + k] * q[c + j]
            gv += gz[j * n + k] * v[c + j]
            inertia[k * n + j] = me[k * n + j]
        x = q[c + k]
        u = v[c + k]
        fx = e[k] - hq
        fy = e[n + k]
        axk = e[2 * n + k] + nq
        own = e[2 * n + k] + felt * nq
        sx += (e[k] - 0.5 * hq) * x
        sy += fy * x
        jj += (e[2 * n + k] + own) * x
        swing += own * u
        fall += hv * u
        ux += fx * u
        uy += fy * u
        coupling[k] = e[3 * n + k] + gq
        coupling[most + k] = cos * fx - sin * fy
        coupling[2 * most + k] = sin * fx + cos * fy
        force[k] = 2.0 * w * gv - w * w * axk
    bx = -w * w * sx - 2.0 * w * uy - fall
    by = -w * w * sy + 2.0 * w * ux
    row[SX] = cos * sx - sin * sy
    row[SY] = sin * sx + cos * sy
    row[IJ] = jj
    row[PN] = 2.0 * w * swing
    row[PX] = cos * bx - sin * by
    row[PY] = sin * bx + cos * by


@inner
def flex_planar_outward(tree: PlanarFlexTree, q: Floats, v: Floats, work: Floats) -> None:
    """Fill geometry, own inertia and bias forces of every body for the state q, v."""
    topology = tree.topology
    plane = tree.plane
    work[0, SIN] = 0.0
    work[0, COS] = 1.0
    work[0, ANGLE] = 0.0
    work[0, W] = 0.0
    for i in range(1, topology.shape[0]):
        up = topology[i, T_PARENT]
        kind = topology[i, T_JOINT]
        c = topology[i, T_COORD]
        row = work[i]
        stands = topology[i, T_STANDS]
        angle = work[up, ANGLE]
        sin = work[up, SIN]
        cos = work[up, COS]
        w = work[up, W]
        if stands >= 0:
            turn = frame(tree, up, stands, q, v, work, i)
            s, k = sincos(turn)
            sin, cos = sin * k + cos * s, cos * k - sin * s
            angle += turn
            w = row[TW]
        x = cos * plane[i, P_RX] - sin * plane[i, P_RY]
        y = sin * plane[i, P_RX] + cos * plane[i, P_RY]
        cx = 0.0
        cy = 0.0
        angle += plane[i, P_ANGLE]
        own = w
        turn = plane[i, P_ANGLE]
        if kind == REVOLUTE:
            angle += q[c]
            turn += q[c]
            own += v[c]
        elif kind == PRISMATIC:
            zx = cos * plane[i, P_UX] - sin * plane[i, P_UY]
            zy = sin * plane[i, P_UX] + cos * plane[i, P_UY]
            row[ZX] = zx
            row[ZY] = zy
            x += zx * q[c]
            y += zy * q[c]
            cx = -2.0 * w * v[c] * zy
            cy = 2.0 * w * v[c] * zx
        row[DX] = x
        row[DY] = y
        row[CX] = cx - w * w * x
        row[CY] = cy - w * w * y
        if not is_zero(turn):
            s, k = sincos(turn)
            sin, cos = sin * k + cos * s, cos * k - sin * s
        row[ANGLE] = angle
        row[SIN] = sin
        row[COS] = cos
        row[W] = own
        if topology[i, T_COUNT] > 0:
            own_elastic(tree, i, q, v, work)
        else:
            sx = cos * plane[i, P_MCX] - sin * plane[i, P_MCY]
            sy = sin * plane[i, P_MCX] + cos * plane[i, P_MCY]
            row[SX] = sx
            row[SY] = sy
            row[IJ] = plane[i, P_J]
            row[PN] = 0.0
            row[PX] = -own * own * sx
            row[PY] = -own * own * sy
        m = plane[i, P_MASS]
        row[IHX] = -row[SY]
        row[IHY] = row[SX]
        row[IMXX] = m
        row[IMXY] = 0.0
        row[IMYY] = m


@inner
def flex_planar_loads(
    tree: PlanarFlexTree, loads: Loads, laws: Laws, t: float, left: bool, q: Floats, v: Floats, work: Floats
) -> None:
    """Subtract the external loads from the bias of their bodies."""
    place = loads.place
    wrench = loads.wrench
    most = tree.topology[0, T_COUNT]
    spare = tree.topology.shape[0]
    for j in range(place.shape[0]):
        i = place[j, 0]
        factor = 1.0
        if place[j, 2] >= 0:
            factor = law_value(laws, place[j, 2], t, left)[0]
        sin = work[i, SIN]
        cos = work[i, COS]
        n = tree.topology[i, T_COUNT]
        tx = 0.0
        ty = 0.0
        if place[j, 3] >= 0:
            s, k = sincos(frame(tree, i, place[j, 3], q, v, work, spare))
            sin, cos = sin * k + cos * s, cos * k - sin * s
            tx = work[spare, TX]
            ty = work[spare, TY]
        fx = wrench[j, 3] * factor
        fy = wrench[j, 4] * factor
        if place[j, 1] == 1:
            fx, fy = cos * fx - sin * fy, sin * fx + cos * fy
        rx = cos * wrench[j, 0] - sin * wrench[j, 1]
        ry = sin * wrench[j, 0] + cos * wrench[j, 1]
        moment = wrench[j, 8] * factor + rx * fy - ry * fx
        if place[j, 3] >= 0:
            y = work[spare, HEAD : HEAD + 3 * most]
            force = work[i, HEAD + 9 * most : HEAD + 10 * most]
            for k in range(n):
                force[k] -= y[k] * moment + y[most + k] * fx + y[2 * most + k] * fy
        work[i, PN] -= moment + tx * fy - ty * fx
        work[i, PX] -= fx
        work[i, PY] -= fy
