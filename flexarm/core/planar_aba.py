"""Forward and hybrid dynamics in the plane (NOTATION 10–17), O(n).

Along a chain the parent of a body is the row just visited: its values stay in registers ("carry"), and memory is
read only where the tree branches. That is worth a third of the time.
"""

from __future__ import annotations

import math

from ._jit import inner, jit
from .laws import law_value
from .trigonometry import sincos
from .types import (
    NOT_POSITIVE,
    OK,
    P_ANGLE,
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
    S_D,
    S_K,
    S_REST,
    S_ROTOR,
    T_COORD,
    T_DRIVEN,
    T_JOINT,
    T_PARENT,
    Floats,
    Laws,
    Loads,
    PlanarTree,
)

# Columns of the work array, one row per body: geometry, then articulated inertia and bias, then what the last sweep
# needs.
SIN, COS, ANGLE, W, DX, DY, CX, CY, ZX, ZY = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
J, HX, HY, MXX, MXY, MYY, PN, PX, PY = 10, 11, 12, 13, 14, 15, 16, 17, 18
UN, UX, UY, DINV, U = 19, 20, 21, 22, 23
AL, AX, AY = 24, 25, 26
PLANAR_WORK = 28


@inner
def planar_outward(tree: PlanarTree, q: Floats, v: Floats, work: Floats) -> None:
    """Fill geometry, centripetal accelerations, own inertia and bias of every body (NOTATION 1–7)."""
    plane = tree.plane
    topology = tree.topology
    sin = 0.0
    cos = 1.0
    angle = 0.0
    w = 0.0
    work[0, SIN] = sin
    work[0, COS] = cos
    work[0, ANGLE] = angle
    work[0, W] = w
    for i in range(1, plane.shape[0]):
        up = topology[i, T_PARENT]
        if up != i - 1:
            sin = work[up, SIN]
            cos = work[up, COS]
            angle = work[up, ANGLE]
            w = work[up, W]
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        dx = cos * plane[i, P_RX] - sin * plane[i, P_RY]
        dy = sin * plane[i, P_RX] + cos * plane[i, P_RY]
        w2 = w * w
        angle += plane[i, P_ANGLE]
        if kind == REVOLUTE:
            cx = -w2 * dx
            cy = -w2 * dy
            angle += q[c]
            w += v[c]
        elif kind == PRISMATIC:
            zx = cos * plane[i, P_UX] - sin * plane[i, P_UY]
            zy = sin * plane[i, P_UX] + cos * plane[i, P_UY]
            work[i, ZX] = zx
            work[i, ZY] = zy
            dx += zx * q[c]
            dy += zy * q[c]
            slip = 2.0 * w * v[c]
            cx = -w2 * dx - slip * zy
            cy = -w2 * dy + slip * zx
        else:
            cx = -w2 * dx
            cy = -w2 * dy
        sin, cos = sincos(angle)
        work[i, SIN] = sin
        work[i, COS] = cos
        work[i, ANGLE] = angle
        work[i, W] = w
        work[i, DX] = dx
        work[i, DY] = dy
        work[i, CX] = cx
        work[i, CY] = cy
        mcx = cos * plane[i, P_MCX] - sin * plane[i, P_MCY]
        mcy = sin * plane[i, P_MCX] + cos * plane[i, P_MCY]
        m = plane[i, P_MASS]
        w2 = w * w
        work[i, J] = plane[i, P_J]
        work[i, HX] = -mcy
        work[i, HY] = mcx
        work[i, MXX] = m
        work[i, MXY] = 0.0
        work[i, MYY] = m
        work[i, PN] = 0.0
        work[i, PX] = -w2 * mcx
        work[i, PY] = -w2 * mcy


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
        sin = work[i, SIN]
        cos = work[i, COS]
        fx = wrench[j, 3] * factor
        fy = wrench[j, 4] * factor
        if place[j, 1] == 1:
            fx, fy = cos * fx - sin * fy, sin * fx + cos * fy
        rx = cos * wrench[j, 0] - sin * wrench[j, 1]
        ry = sin * wrench[j, 0] + cos * wrench[j, 1]
        work[i, PN] -= wrench[j, 8] * factor + rx * fy - ry * fx
        work[i, PX] -= fx
        work[i, PY] -= fy


@jit
def planar_solve(
    tree: PlanarTree,
    loads: Loads,
    laws: Laws,
    t: float,
    left: bool,
    q: Floats,
    v: Floats,
    a: Floats,
    tau: Floats,
    q_spring: Floats,
    v_damper: Floats,
    gh: float,
    bh2: float,
    drive: Floats,
    work: Floats,
) -> int:
    """Accelerations of the free coordinates into `a`, forces of the driven ones into `drive`; OK or NOT_POSITIVE.

    q, v: all coordinates (driven ones as commanded), a: driven ones on entry; springs act at q_spring, dampers at
    v_damper and gh, bh2
    are γh and βh² of (16): q, v, 0, 0 give the plain forward dynamics.
    """
    topology = tree.topology
    spring = tree.spring
    n = tree.plane.shape[0]
    planar_outward(tree, q, v, work)
    if loads.place.shape[0] > 0:
        planar_loads(loads, laws, t, left, work)
    # inward: articulated inertia; the carry holds what body i hands to row i − 1
    status = OK
    jc = hxc = hyc = mxxc = mxyc = myyc = pnc = pxc = pyc = 0.0
    for i in range(n - 1, 0, -1):
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        cx = work[i, CX]
        cy = work[i, CY]
        jj = work[i, J] + jc
        hx = work[i, HX] + hxc
        hy = work[i, HY] + hyc
        mxx = work[i, MXX] + mxxc
        mxy = work[i, MXY] + mxyc
        myy = work[i, MYY] + myyc
        # (10)
        pn = work[i, PN] + pnc + hx * cx + hy * cy
        px = work[i, PX] + pxc + mxx * cx + mxy * cy
        py = work[i, PY] + pyc + mxy * cx + myy * cy
        if kind == REVOLUTE:
            work[i, UN] = jj
            work[i, UX] = hx
            work[i, UY] = hy
            if topology[i, T_DRIVEN] == 1:
                work[i, PN] = pn
                acc = a[c]
                pn += jj * acc
                px += hx * acc
                py += hy * acc
            else:
                # (11), (12)
                extra = spring[c, S_ROTOR] + gh * spring[c, S_D] + bh2 * spring[c, S_K]
                pivot = jj + extra
                if not (pivot > 0.0):
                    status = NOT_POSITIVE
                    pivot = math.nan
                inv = 1.0 / pivot
                u = tau[c] - spring[c, S_K] * (q_spring[c] - spring[c, S_REST]) - spring[c, S_D] * v_damper[c] - pn
                work[i, DINV] = inv
                work[i, U] = u
                ud = u * inv
                pn += jj * ud
                px += hx * ud
                py += hy * ud
                keep = extra * inv
                hxd = hx * inv
                hyd = hy * inv
                mxx -= hx * hxd
                mxy -= hx * hyd
                myy -= hy * hyd
                jj *= keep
                hx *= keep
                hy *= keep
        elif kind == PRISMATIC:
            zx = work[i, ZX]
            zy = work[i, ZY]
            un = hx * zx + hy * zy
            ux = mxx * zx + mxy * zy
            uy = mxy * zx + myy * zy
            work[i, UN] = un
            work[i, UX] = ux
            work[i, UY] = uy
            pz = zx * px + zy * py
            if topology[i, T_DRIVEN] == 1:
                work[i, PN] = pz
                work[i, J] = zx * ux + zy * uy
                acc = a[c]
                pn += un * acc
                px += ux * acc
                py += uy * acc
            else:
                pivot = zx * ux + zy * uy + spring[c, S_ROTOR] + gh * spring[c, S_D] + bh2 * spring[c, S_K]
                if not (pivot > 0.0):
                    status = NOT_POSITIVE
                    pivot = math.nan
                inv = 1.0 / pivot
                u = tau[c] - spring[c, S_K] * (q_spring[c] - spring[c, S_REST]) - spring[c, S_D] * v_damper[c] - pz
                work[i, DINV] = inv
                work[i, U] = u
                ud = u * inv
                pn += un * ud
                px += ux * ud
                py += uy * ud
                jj -= un * un * inv
                hx -= un * ux * inv
                hy -= un * uy * inv
                mxx -= ux * ux * inv
                mxy -= ux * uy * inv
                myy -= uy * uy * inv
        # (13)
        dx = work[i, DX]
        dy = work[i, DY]
        gx = hx + dx * mxy - dy * mxx
        gy = hy + dx * myy - dy * mxy
        jc = jj + dx * (hy + gy) - dy * (hx + gx)
        hxc = gx
        hyc = gy
        mxxc = mxx
        mxyc = mxy
        myyc = myy
        pnc = pn + dx * py - dy * px
        pxc = px
        pyc = py
        up = topology[i, T_PARENT]
        if up != i - 1:
            work[up, J] += jc
            work[up, HX] += hxc
            work[up, HY] += hyc
            work[up, MXX] += mxxc
            work[up, MXY] += mxyc
            work[up, MYY] += myyc
            work[up, PN] += pnc
            work[up, PX] += pxc
            work[up, PY] += pyc
            jc = hxc = hyc = mxxc = mxyc = myyc = pnc = pxc = pyc = 0.0
    # outward: accelerations (14), forces of driven joints (15)
    al = 0.0
    ax = -tree.gravity[0]
    ay = -tree.gravity[1]
    work[0, AL] = al
    work[0, AX] = ax
    work[0, AY] = ay
    for i in range(1, n):
        up = topology[i, T_PARENT]
        if up != i - 1:
            al = work[up, AL]
            ax = work[up, AX]
            ay = work[up, AY]
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        ax -= al * work[i, DY]
        ay += al * work[i, DX]
        if kind != 0:
            push = work[i, UN] * al + work[i, UX] * ax + work[i, UY] * ay
            if topology[i, T_DRIVEN] == 1:
                acc = a[c]
                own = work[i, UN] if kind == REVOLUTE else work[i, J]
                drive[c] = (
                    push
                    + work[i, PN]
                    + (own + spring[c, S_ROTOR]) * acc
                    + spring[c, S_K] * (q[c] - spring[c, S_REST])
                    + spring[c, S_D] * v[c]
                )
            else:
                acc = (work[i, U] - push) * work[i, DINV]
                a[c] = acc
            if kind == REVOLUTE:
                al += acc
            else:
                ax += work[i, ZX] * acc
                ay += work[i, ZY] * acc
        ax += work[i, CX]
        ay += work[i, CY]
        work[i, AL] = al
        work[i, AX] = ax
        work[i, AY] = ay
    return status
