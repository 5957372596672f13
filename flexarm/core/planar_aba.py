"""Forward and hybrid dynamics in the plane (NOTATION 10–17), O(n).

Along a chain the parent of a body is the row just visited: its values stay in registers ("carry"), and memory is
read only where the tree branches.
"""

from __future__ import annotations

from ._jit import jit
from .planar_geometry import (
    AL,
    AX,
    AY,
    CX,
    CY,
    DINV,
    DX,
    DY,
    GHX,
    GHY,
    GJ,
    GMXX,
    GMXY,
    GMYY,
    GPN,
    GPX,
    GPY,
    K0,
    K1,
    K2,
    K3,
    MCX,
    MCY,
    PN,
    PX,
    PY,
    UN,
    UX,
    UY,
    ZP,
    ZX,
    ZY,
    U,
    planar_loads,
    planar_outward,
)
from .questions import positive
from .types import (
    OK,
    P_J,
    P_MASS,
    PRISMATIC,
    REVOLUTE,
    S_D,
    S_K,
    S_REST,
    S_ROTOR,
    T_BRANCH,
    T_COORD,
    T_DRIVEN,
    T_JOINT,
    T_PARENT,
    Floats,
    Laws,
    Loads,
    PlanarTree,
)


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
    v_damper and gh, bh2 are γh and βh² of (16): q, v, 0, 0 give the plain forward dynamics.
    """
    topology = tree.topology
    spring = tree.spring
    plane = tree.plane
    n = topology.shape[0]
    planar_outward(tree, q, v, work)
    if loads.place.shape[0] > 0:
        planar_loads(loads, laws, t, left, work)
    for i in range(1, n):
        if topology[i, T_BRANCH] == 1:
            for j in range(GJ, GPY + 1):
                work[j, i] = 0.0
    # inward: articulated inertia; these hold what body i hands to row i − 1
    status = OK
    jj = hx = hy = mxx = mxy = myy = pn = px = py = 0.0
    for i in range(n - 1, 0, -1):
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        cx = work[CX, i]
        cy = work[CY, i]
        m = plane[P_MASS, i]
        if topology[i, T_BRANCH] == 1:
            jj += work[GJ, i]
            hx += work[GHX, i]
            hy += work[GHY, i]
            mxx += work[GMXX, i]
            mxy += work[GMXY, i]
            myy += work[GMYY, i]
            pn += work[GPN, i]
            px += work[GPX, i]
            py += work[GPY, i]
        jj += plane[P_J, i]
        hx -= work[MCY, i]
        hy += work[MCX, i]
        mxx += m
        myy += m
        # (10)
        pn += work[PN, i] + hx * cx + hy * cy
        px += work[PX, i] + mxx * cx + mxy * cy
        py += work[PY, i] + mxy * cx + myy * cy
        dx = work[DX, i]
        dy = work[DY, i]
        if kind == REVOLUTE and topology[i, T_DRIVEN] == 0:
            # (12a), (13): what waits for the division is a single product and sum for each
            # number, which halves the time a link of the chain takes
            extra = spring[c, S_ROTOR] + gh * spring[c, S_D] + bh2 * spring[c, S_K]
            pivot = jj + extra
            pivot, status = positive(pivot, status)
            inv = 1.0 / pivot
            e = dx * hy - dy * hx
            gx = dx * mxy - dy * mxx
            gy = dx * myy - dy * mxy
            rest = extra - e
            whole = jj + e
            u = tau[c] - spring[c, S_K] * (q_spring[c] - spring[c, S_REST]) - spring[c, S_D] * v_damper[c] - pn
            ud = u * inv
            hxd = hx * inv
            hyd = hy * inv
            work[K0, i] = ud
            work[K1, i] = whole * inv
            work[K2, i] = hxd
            work[K3, i] = hyd
            pn += dx * py - dy * px + whole * ud
            px += hx * ud
            py += hy * ud
            jj = dx * gy - dy * gx + (extra * whole + e * rest) * inv
            mxx -= hx * hxd
            mxy -= hx * hyd
            myy -= hy * hyd
            hx = gx + hx * rest * inv
            hy = gy + hy * rest * inv
        else:
            if kind == REVOLUTE:
                work[UN, i] = jj
                work[UX, i] = hx
                work[UY, i] = hy
                work[ZP, i] = pn
                work[DINV, i] = jj
                acc = a[c]
                pn += jj * acc
                px += hx * acc
                py += hy * acc
            elif kind == PRISMATIC:
                zx = work[ZX, i]
                zy = work[ZY, i]
                un = hx * zx + hy * zy
                ux = mxx * zx + mxy * zy
                uy = mxy * zx + myy * zy
                work[UN, i] = un
                work[UX, i] = ux
                work[UY, i] = uy
                pz = zx * px + zy * py
                if topology[i, T_DRIVEN] == 1:
                    work[ZP, i] = pz
                    work[DINV, i] = zx * ux + zy * uy
                    acc = a[c]
                    pn += un * acc
                    px += ux * acc
                    py += uy * acc
                else:
                    pivot = zx * ux + zy * uy + spring[c, S_ROTOR] + gh * spring[c, S_D] + bh2 * spring[c, S_K]
                    pivot, status = positive(pivot, status)
                    inv = 1.0 / pivot
                    u = tau[c] - spring[c, S_K] * (q_spring[c] - spring[c, S_REST]) - spring[c, S_D] * v_damper[c] - pz
                    work[DINV, i] = inv
                    work[U, i] = u
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
            gx = hx + dx * mxy - dy * mxx
            gy = hy + dx * myy - dy * mxy
            jj += dx * (hy + gy) - dy * (hx + gx)
            hx = gx
            hy = gy
            pn += dx * py - dy * px
        up = topology[i, T_PARENT]
        if up != i - 1:
            work[GJ, up] += jj
            work[GHX, up] += hx
            work[GHY, up] += hy
            work[GMXX, up] += mxx
            work[GMXY, up] += mxy
            work[GMYY, up] += myy
            work[GPN, up] += pn
            work[GPX, up] += px
            work[GPY, up] += py
            jj = hx = hy = mxx = mxy = myy = pn = px = py = 0.0
    # outward: accelerations (14), forces of driven joints (15)
    al = 0.0
    ax = -tree.gravity[0]
    ay = -tree.gravity[1]
    work[AL, 0] = al
    work[AX, 0] = ax
    work[AY, 0] = ay
    for i in range(1, n):
        up = topology[i, T_PARENT]
        if up != i - 1:
            al = work[AL, up]
            ax = work[AX, up]
            ay = work[AY, up]
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        bx = ax - al * work[DY, i] + work[CX, i]
        by = ay + al * work[DX, i] + work[CY, i]
        if kind == REVOLUTE and topology[i, T_DRIVEN] == 0:
            # (14a)
            acc = work[K0, i] - work[K2, i] * ax - work[K3, i] * ay - work[K1, i] * al
            a[c] = acc
            al += acc
        elif kind != 0:
            push = work[UN, i] * al + work[UX, i] * (bx - work[CX, i]) + work[UY, i] * (by - work[CY, i])
            if topology[i, T_DRIVEN] == 1:
                # (15)
                acc = a[c]
                own = work[DINV, i] + spring[c, S_ROTOR]
                held = spring[c, S_K] * (q[c] - spring[c, S_REST]) + spring[c, S_D] * v[c]
                drive[c] = push + work[ZP, i] + own * acc + held
            else:
                acc = (work[U, i] - push) * work[DINV, i]
                a[c] = acc
            if kind == REVOLUTE:
                al += acc
            else:
                bx += work[ZX, i] * acc
                by += work[ZY, i] * acc
        ax = bx
        ay = by
        work[AL, i] = al
        work[AX, i] = ax
        work[AY, i] = ay
    return status
