"""Joints of spatial element trees: elimination, the way to the parent, and the last sweep outward (10–15, 36)."""

from __future__ import annotations

from . import spatial_element_rows as s
from ._jit import inner
from .flex_aba import shift
from .questions import positive
from .types import (
    PRISMATIC,
    REVOLUTE,
    S_D,
    S_K,
    S_REST,
    S_ROTOR,
    T_COORD,
    T_COUNT,
    T_DRIVEN,
    T_JOINT,
    T_PARENT,
    Floats,
    SpatialElementTree,
    SpatialStretchTree,
)


@inner
def joint_sweep(
    tree: SpatialElementTree | SpatialStretchTree,
    i: int,
    status: int,
    a: Floats,
    tau: Floats,
    q_spring: Floats,
    v_damper: Floats,
    gh: float,
    bh2: float,
    row: Floats,
) -> int:
    """Status; takes the joint of body i out of its inertia and bias and moves them to where it stands (10–13)."""
    spring = tree.spring
    c = tree.topology[i, T_COORD]
    kind = tree.topology[i, T_JOINT]
    scratch = row[s.SCRATCH :]
    inertia = scratch[:36]
    p = scratch[36:42]
    bias = scratch[42:48]
    u = scratch[48:54]
    z = scratch[54:57]
    _unpack(row, inertia, p)
    for r in range(6):
        bias[r] = row[s.CA0 + r]
    for r in range(6):
        x = 0.0
        for k in range(6):
            x += inertia[6 * r + k] * bias[k]
        p[r] += x
    if kind != 0:
        at = 0 if kind == REVOLUTE else 3
        z[0] = row[s.R02]
        z[1] = row[s.R12]
        z[2] = row[s.R22]
        for r in range(6):
            u[r] = inertia[6 * r + at] * z[0] + inertia[6 * r + at + 1] * z[1] + inertia[6 * r + at + 2] * z[2]
            row[s.UN0 + r] = u[r]
        own = z[0] * u[at] + z[1] * u[at + 1] + z[2] * u[at + 2]
        pz = z[0] * p[at] + z[1] * p[at + 1] + z[2] * p[at + 2]
        if tree.topology[i, T_DRIVEN] == 1:
            row[s.ZP] = pz
            row[s.DINV] = own
            ud = a[c]
        else:
            pivot = own + spring[c, S_ROTOR] + gh * spring[c, S_D] + bh2 * spring[c, S_K]
            pivot, status = positive(pivot, status)
            inv = 1.0 / pivot
            push = tau[c] - spring[c, S_K] * (q_spring[c] - spring[c, S_REST]) - spring[c, S_D] * v_damper[c] - pz
            row[s.DINV] = inv
            row[s.U] = push
            ud = push * inv
            for r in range(6):
                f = u[r] * inv
                for k in range(6):
                    inertia[6 * r + k] -= f * u[k]
        for r in range(6):
            p[r] += u[r] * ud
    shift(inertia, p, row[s.DX], row[s.DY], row[s.DZ])
    _pack(row, inertia, p)
    return status


@inner
def _unpack(row: Floats, inertia: Floats, p: Floats) -> None:
    """Fill the 6 × 6 inertia and the bias from what is gathered on a body."""
    k = 0
    for r in range(3):
        for c in range(r, 3):
            inertia[6 * r + c] = inertia[6 * c + r] = row[s.GJXX + k]
            inertia[6 * (r + 3) + c + 3] = inertia[6 * (c + 3) + r + 3] = row[s.GMXX + k]
            k += 1
        for c in range(3):
            inertia[6 * r + c + 3] = inertia[6 * (c + 3) + r] = row[s.GH00 + 3 * r + c]
        p[r] = row[s.GN0 + r]
        p[r + 3] = row[s.GF0 + r]


@inner
def _pack(row: Floats, inertia: Floats, p: Floats) -> None:
    """Put the 6 × 6 inertia and the bias back."""
    k = 0
    for r in range(3):
        for c in range(r, 3):
            row[s.GJXX + k] = inertia[6 * r + c]
            row[s.GMXX + k] = inertia[6 * (r + 3) + c + 3]
            k += 1
        for c in range(3):
            row[s.GH00 + 3 * r + c] = inertia[6 * r + c + 3]
        row[s.GN0 + r] = p[r]
        row[s.GF0 + r] = p[r + 3]


@inner
def hand_on(row: Floats, base: Floats) -> None:
    """Add what a body hands over to what stands on the frame of its parent."""
    for k in range(s.GJXX, s.GF2 + 1):
        base[k] += row[k]


@inner
def last_sweep(tree: SpatialElementTree, q: Floats, v: Floats, a: Floats, drive: Floats, work: Floats) -> None:
    """Accelerations (14, 36) and forces of the driven joints (15); kept are those of the frames at the far nodes."""
    topology = tree.topology
    for k in range(3):
        work[0, s.AA0 + k] = 0.0
        work[0, s.AL0 + k] = -tree.gravity[k]
    for i in range(1, topology.shape[0]):
        up = topology[i, T_PARENT]
        row = work[i]
        base = work[up]
        a0 = base[s.AA0]
        a1 = base[s.AA1]
        a2 = base[s.AA2]
        l0 = base[s.AL0]
        l1 = base[s.AL1]
        l2 = base[s.AL2]
        if tree.plain[i] == 0:
            joint_acceleration(tree, i, q, v, a, drive, row, base)
            a0 = row[s.AA0]
            a1 = row[s.AA1]
            a2 = row[s.AA2]
            l0 = row[s.AL0]
            l1 = row[s.AL1]
            l2 = row[s.AL2]
        if topology[i, T_COUNT] > 0:
            c = topology[i, T_COORD]
            more = topology[i, T_COUNT] - 4
            x5 = row[s.ZU5] - row[s.ZN50] * a0 - row[s.ZN51] * a1 - row[s.ZN52] * a2
            x5 -= row[s.ZF50] * l0 + row[s.ZF51] * l1 + row[s.ZF52] * l2
            x5 *= row[s.D_5]
            x4 = row[s.ZU4] - row[s.ZN40] * a0 - row[s.ZN41] * a1 - row[s.ZN42] * a2
            x4 -= row[s.ZF40] * l0 + row[s.ZF41] * l1 + row[s.ZF42] * l2
            x4 *= row[s.D_4]
            x4 -= row[s.L_45] * x5
            x3 = row[s.ZU3] - row[s.ZN30] * a0 - row[s.ZN31] * a1 - row[s.ZN32] * a2
            x3 -= row[s.ZF30] * l0 + row[s.ZF31] * l1 + row[s.ZF32] * l2
            x3 *= row[s.D_3]
            x3 -= row[s.L_34] * x4
            x3 -= row[s.L_35] * x5
            x2 = row[s.ZU2] - row[s.ZN20] * a0 - row[s.ZN21] * a1 - row[s.ZN22] * a2
            x2 -= row[s.ZF20] * l0 + row[s.ZF21] * l1 + row[s.ZF22] * l2
            x2 *= row[s.D_2]
            x2 -= row[s.L_23] * x3
            x2 -= row[s.L_24] * x4
            x2 -= row[s.L_25] * x5
            x1 = row[s.ZU1] - row[s.ZN10] * a0 - row[s.ZN11] * a1 - row[s.ZN12] * a2
            x1 -= row[s.ZF10] * l0 + row[s.ZF11] * l1 + row[s.ZF12] * l2
            x1 *= row[s.D_1]
            x1 -= row[s.L_12] * x2
            x1 -= row[s.L_13] * x3
            x1 -= row[s.L_14] * x4
            x1 -= row[s.L_15] * x5
            a[c] = x1
            a[c + 1] = x2
            if more == 1:
                a[c + 2] = x3
            a[c + 2 + more] = x4
            a[c + 3 + more] = x5
            t0 = row[s.T0]
            t1 = row[s.T1]
            t2 = row[s.T2]
            x = row[s.T4] * x4 + row[s.T5] * x5
            l0 += row[s.TL0] + row[s.F10] * x1 + row[s.F20] * x2 - row[s.R00] * x + a1 * t2 - a2 * t1
            l1 += row[s.TL1] + row[s.F11] * x1 + row[s.F21] * x2 - row[s.R10] * x + a2 * t0 - a0 * t2
            l2 += row[s.TL2] + row[s.F12] * x1 + row[s.F22] * x2 - row[s.R20] * x + a0 * t1 - a1 * t0
            a0 += row[s.TA0] + row[s.O30] * x3 + row[s.O40] * x4 + row[s.O50] * x5
            a1 += row[s.TA1] + row[s.O31] * x3 + row[s.O41] * x4 + row[s.O51] * x5
            a2 += row[s.TA2] + row[s.O32] * x3 + row[s.O42] * x4 + row[s.O52] * x5
        row[s.AA0] = a0
        row[s.AL0] = l0
        row[s.AA1] = a1
        row[s.AL1] = l1
        row[s.AA2] = a2
        row[s.AL2] = l2


@inner
def joint_acceleration(
    tree: SpatialElementTree | SpatialStretchTree,
    i: int,
    q: Floats,
    v: Floats,
    a: Floats,
    drive: Floats,
    row: Floats,
    base: Floats,
) -> None:
    """Fill the acceleration of the origin of body i into its columns, its joint's coordinate solved for (14, 15)."""
    spring = tree.spring
    c = tree.topology[i, T_COORD]
    kind = tree.topology[i, T_JOINT]
    d0 = row[s.DX]
    d1 = row[s.DY]
    d2 = row[s.DZ]
    a0 = base[s.AA0]
    a1 = base[s.AA1]
    a2 = base[s.AA2]
    row[s.AL0] = base[s.AL0] + a1 * d2 - a2 * d1
    row[s.AL1] = base[s.AL1] + a2 * d0 - a0 * d2
    row[s.AL2] = base[s.AL2] + a0 * d1 - a1 * d0
    row[s.AA0] = a0
    row[s.AA1] = a1
    row[s.AA2] = a2
    if kind != 0:
        push = 0.0
        for r in range(6):
            push += row[s.UN0 + r] * row[s.AA0 + r]
        if tree.topology[i, T_DRIVEN] == 1:
            acc = a[c]
            held = spring[c, S_K] * (q[c] - spring[c, S_REST]) + spring[c, S_D] * v[c]
            drive[c] = push + row[s.ZP] + (row[s.DINV] + spring[c, S_ROTOR]) * acc + held
        else:
            acc = (row[s.U] - push) * row[s.DINV]
            a[c] = acc
        at = s.AL0 if kind == PRISMATIC else s.AA0
        row[at] += row[s.R02] * acc
        row[at + 1] += row[s.R12] * acc
        row[at + 2] += row[s.R22] * acc
    for r in range(6):
        row[s.AA0 + r] += row[s.CA0 + r]
