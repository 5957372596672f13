"""Joints of planar element trees: elimination on the way in, accelerations on the way out (NOTATION 10–15)."""

from __future__ import annotations

from ._jit import inner
from .planar_element_rows import CX, CY, DINV, DX, DY, UN, UX, UY, ZP, ZX, ZY, U
from .questions import positive
from .types import (
    PRISMATIC,
    REVOLUTE,
    S_D,
    S_K,
    S_REST,
    S_ROTOR,
    T_COORD,
    T_DRIVEN,
    T_JOINT,
    Floats,
    PlanarElementTree,
)

Articulated = tuple[float, float, float, float, float, float, float, float, float]


@inner
def joint_inward(
    tree: PlanarElementTree,
    i: int,
    status: int,
    a: Floats,
    tau: Floats,
    q_spring: Floats,
    v_damper: Floats,
    gh: float,
    bh2: float,
    row: Floats,
    body: Articulated,
) -> tuple[int, Articulated]:
    """Status, and inertia and bias of body i without its joint, where the joint stands (10–13)."""
    jj, hx, hy, mxx, mxy, myy, pn, px, py = body
    spring = tree.spring
    c = tree.topology[i, T_COORD]
    kind = tree.topology[i, T_JOINT]
    k = i & 7
    dx = row[DX + k]
    dy = row[DY + k]
    cx = row[CX + k]
    cy = row[CY + k]
    # (10)
    pn += hx * cx + hy * cy
    px += mxx * cx + mxy * cy
    py += mxy * cx + myy * cy
    if kind != 0:
        if kind == REVOLUTE:
            un = jj
            ux = hx
            uy = hy
            pz = pn
            own = jj
        else:
            zx = row[ZX + k]
            zy = row[ZY + k]
            un = hx * zx + hy * zy
            ux = mxx * zx + mxy * zy
            uy = mxy * zx + myy * zy
            pz = zx * px + zy * py
            own = zx * ux + zy * uy
        row[UN + k] = un
        row[UX + k] = ux
        row[UY + k] = uy
        if tree.topology[i, T_DRIVEN] == 1:
            row[ZP + k] = pz
            row[DINV + k] = own
            ud = a[c]
        else:
            # (11), (12)
            pivot = own + spring[c, S_ROTOR] + gh * spring[c, S_D] + bh2 * spring[c, S_K]
            pivot, status = positive(pivot, status)
            inv = 1.0 / pivot
            u = tau[c] - spring[c, S_K] * (q_spring[c] - spring[c, S_REST]) - spring[c, S_D] * v_damper[c] - pz
            row[DINV + k] = inv
            row[U + k] = u
            ud = u * inv
            jj -= un * un * inv
            hx -= un * ux * inv
            hy -= un * uy * inv
            mxx -= ux * ux * inv
            mxy -= ux * uy * inv
            myy -= uy * uy * inv
        pn += un * ud
        px += ux * ud
        py += uy * ud
    # (13)
    gx = hx + dx * mxy - dy * mxx
    gy = hy + dx * myy - dy * mxy
    jj += dx * (hy + gy) - dy * (hx + gx)
    pn += dx * py - dy * px
    return status, (jj, gx, gy, mxx, mxy, myy, pn, px, py)


@inner
def joint_outward(
    tree: PlanarElementTree,
    i: int,
    q: Floats,
    v: Floats,
    a: Floats,
    drive: Floats,
    row: Floats,
    al: float,
    ax: float,
    ay: float,
) -> tuple[float, float, float]:
    """Acceleration of body i from that of the frame it stands on; fills that of its joint or the force it takes."""
    spring = tree.spring
    c = tree.topology[i, T_COORD]
    kind = tree.topology[i, T_JOINT]
    k = i & 7
    bx = ax - al * row[DY + k]
    by = ay + al * row[DX + k]
    if kind != 0:
        push = row[UN + k] * al + row[UX + k] * bx + row[UY + k] * by
        if tree.topology[i, T_DRIVEN] == 1:
            acc = a[c]
            held = spring[c, S_K] * (q[c] - spring[c, S_REST]) + spring[c, S_D] * v[c]
            drive[c] = push + row[ZP + k] + (row[DINV + k] + spring[c, S_ROTOR]) * acc + held
        else:
            acc = (row[U + k] - push) * row[DINV + k]
            a[c] = acc
        if kind == PRISMATIC:
            bx += row[ZX + k] * acc
            by += row[ZY + k] * acc
        else:
            al += acc
    return al, bx + row[CX + k], by + row[CY + k]
