"""Forward and hybrid dynamics of trees with flexible bodies in space (NOTATION 34–36), O(n).

Inertias are full 6 × 6 blocks and every coordinate's coupling is six neighbouring numbers: the inner loops have a
known, short length, which the compiler unrolls.
"""

from __future__ import annotations

from ._jit import inner, jit
from .flex_columns import DINV, HEAD, TC, U0, ZP, A, C, D, I, P, R, T, U
from .flex_loads import flex_loads
from .flex_outward import flex_outward
from .questions import positive
from .types import (
    OK,
    REVOLUTE,
    S_D,
    S_K,
    S_REST,
    S_ROTOR,
    T_COORD,
    T_COUNT,
    T_DATA,
    T_DRIVEN,
    T_JOINT,
    T_PARENT,
    T_STANDS,
    Floats,
    Laws,
    Loads,
    SpatialFlexTree,
)


@inner
def eliminate(
    tree: SpatialFlexTree,
    i: int,
    tau: Floats,
    q_spring: Floats,
    v_damper: Floats,
    gh: float,
    bh2: float,
    work: Floats,
) -> int:
    """Status; takes the elastic coordinates of body i out of its inertia and bias (34)."""
    most = tree.topology[0, T_COUNT]
    n = tree.topology[i, T_COUNT]
    c = tree.topology[i, T_COORD]
    begin = tree.topology[i, T_DATA] + 9 * n
    k = tree.elastic[begin + n * n : begin + 2 * n * n]
    d = tree.elastic[begin + 2 * n * n : begin + 3 * n * n]
    row = work[i]
    v = row[HEAD + 6 * most : HEAD + 12 * most]
    x = row[HEAD + 12 * most : HEAD + 20 * most]
    force = row[HEAD + 20 * most : HEAD + 21 * most]
    m = row[HEAD + 21 * most : HEAD + 21 * most + n * n]
    status = OK
    for a in range(n):
        u = tau[c + a] - force[a]
        for b in range(n):
            u -= k[a * n + b] * q_spring[c + b] + d[a * n + b] * v_damper[c + b]
            m[a * n + b] += gh * d[a * n + b] + bh2 * k[a * n + b]
        for r in range(6):
            x[8 * a + r] = v[6 * a + r]
        x[8 * a + 6] = u
    # L D Lᵀ in place, z = L⁻¹ [Vᵀ, u] carried along; what (36) needs of it is solved for when η̈ is
    for a in range(n):
        pivot = m[a * n + a]
        pivot, status = positive(pivot, status)
        inv = 1.0 / pivot
        m[a * n + a] = inv
        for b in range(a + 1, n):
            f = m[a * n + b] * inv
            for r in range(b, n):
                m[b * n + r] -= f * m[a * n + r]
            for r in range(7):
                x[8 * b + r] -= f * x[8 * a + r]
            m[a * n + b] = f
        for r in range(6):
            v[6 * a + r] = inv * x[8 * a + r]
    # I −= zᵀ D⁻¹ z,  p += zᵀ D⁻¹ z_u
    for r in range(6):
        s = 0.0
        for a in range(n):
            s += v[6 * a + r] * x[8 * a + 6]
        row[P + r] += s
        for j in range(r, 6):
            s = 0.0
            for a in range(n):
                s += x[8 * a + r] * v[6 * a + j]
            row[I + 6 * r + j] -= s
            if j > r:
                row[I + 6 * j + r] -= s
    return status


@inner
def shift(inertia: Floats, p: Floats, d0: float, d1: float, d2: float) -> None:
    """Move inertia and bias inward by d (13): Xᵀ I X, Xᵀ p."""
    for s in range(6):
        f0 = inertia[18 + s]
        f1 = inertia[24 + s]
        f2 = inertia[30 + s]
        inertia[s] += d1 * f2 - d2 * f1
        inertia[6 + s] += d2 * f0 - d0 * f2
        inertia[12 + s] += d0 * f1 - d1 * f0
    for r in range(6):
        f0 = inertia[6 * r + 3]
        f1 = inertia[6 * r + 4]
        f2 = inertia[6 * r + 5]
        inertia[6 * r] += d1 * f2 - d2 * f1
        inertia[6 * r + 1] += d2 * f0 - d0 * f2
        inertia[6 * r + 2] += d0 * f1 - d1 * f0
    p[0] += d1 * p[5] - d2 * p[4]
    p[1] += d2 * p[3] - d0 * p[5]
    p[2] += d0 * p[4] - d1 * p[3]


@inner
def add_times(inertia: Floats, x: Floats, p: Floats) -> None:
    """p += I x."""
    for r in range(6):
        s = 0.0
        for k in range(6):
            s += inertia[6 * r + k] * x[k]
        p[r] += s


@inner
def stand(row: Floats, above: Floats, inertia: Floats, p: Floats, most: int, m: int) -> None:
    """Hand inertia and bias of what stands on a frame to the coordinates of the flexible body under it (35)."""
    y = row[HEAD : HEAD + 6 * m]
    coupling = above[HEAD + 6 * most : HEAD + 12 * most]
    force = above[HEAD + 20 * most : HEAD + 21 * most]
    block = above[HEAD + 21 * most : HEAD + 21 * most + m * m]
    t0 = row[T]
    t1 = row[T + 1]
    t2 = row[T + 2]
    f = row[A : A + 6]  # accelerations come later: their columns are free
    for k in range(m):
        for r in range(6):
            s = 0.0
            for j in range(6):
                s += inertia[6 * r + j] * y[6 * k + j]
            f[r] = s
        for b in range(k, m):
            s = 0.0
            for r in range(6):
                s += f[r] * y[6 * b + r]
            block[k * m + b] += s
        s = 0.0
        for r in range(6):
            s += y[6 * k + r] * p[r]
        force[k] += s
        coupling[6 * k] += f[0] + t1 * f[5] - t2 * f[4]
        coupling[6 * k + 1] += f[1] + t2 * f[3] - t0 * f[5]
        coupling[6 * k + 2] += f[2] + t0 * f[4] - t1 * f[3]
        coupling[6 * k + 3] += f[3]
        coupling[6 * k + 4] += f[4]
        coupling[6 * k + 5] += f[5]


@jit
def flex_solve(
    tree: SpatialFlexTree,
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
    """Accelerations of the free coordinates into `a`, forces of the driven ones into `drive`; see `planar_solve`."""
    topology = tree.topology
    spring = tree.spring
    most = topology[0, T_COUNT]
    flex_outward(tree, q, v, work)
    if loads.place.shape[0] > 0:
        flex_loads(tree, loads, laws, t, left, q, v, work)
    status = OK
    for i in range(topology.shape[0] - 1, 0, -1):
        row = work[i]
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        if topology[i, T_COUNT] > 0:
            found = eliminate(tree, i, tau, q_spring, v_damper, gh, bh2, work)
            if status == OK:
                status = found
        inertia = row[I : I + 36]
        p = row[P : P + 6]
        # (10)
        add_times(inertia, row[C : C + 6], p)
        u = row[U : U + 6]
        if kind != 0:
            at = 0 if kind == REVOLUTE else 3
            z0 = row[R + 2]
            z1 = row[R + 5]
            z2 = row[R + 8]
            for r in range(6):
                u[r] = inertia[6 * r + at] * z0 + inertia[6 * r + at + 1] * z1 + inertia[6 * r + at + 2] * z2
            own = z0 * u[at] + z1 * u[at + 1] + z2 * u[at + 2]
            pz = z0 * p[at] + z1 * p[at + 1] + z2 * p[at + 2]
            if topology[i, T_DRIVEN] == 1:
                row[ZP] = pz
                row[DINV] = own
                ud = a[c]
            else:
                # (11), (12)
                pivot = own + spring[c, S_ROTOR] + gh * spring[c, S_D] + bh2 * spring[c, S_K]
                pivot, status = positive(pivot, status)
                inv = 1.0 / pivot
                push = tau[c] - spring[c, S_K] * (q_spring[c] - spring[c, S_REST]) - spring[c, S_D] * v_damper[c] - pz
                row[DINV] = inv
                row[U0] = push
                ud = push * inv
                for r in range(6):
                    f = u[r] * inv
                    for s in range(6):
                        inertia[6 * r + s] -= f * u[s]
            for r in range(6):
                p[r] += u[r] * ud
        up = topology[i, T_PARENT]
        if up == 0:
            continue
        shift(inertia, p, row[D], row[D + 1], row[D + 2])
        above = work[up]
        if topology[i, T_STANDS] >= 0:
            add_times(inertia, row[TC : TC + 6], p)
            stand(row, above, inertia, p, most, topology[up, T_COUNT])
            shift(inertia, p, row[T], row[T + 1], row[T + 2])
        for k in range(36):
            above[I + k] += inertia[k]
        for k in range(6):
            above[P + k] += p[k]
    _outward(tree, q, v, a, drive, work)
    return status


@inner
def _outward(tree: SpatialFlexTree, q: Floats, v: Floats, a: Floats, drive: Floats, work: Floats) -> None:
    """Accelerations (14, 36) and forces of the driven joints (15)."""
    topology = tree.topology
    spring = tree.spring
    for k in range(3):
        work[0, A + k] = 0.0
        work[0, A + 3 + k] = -tree.gravity[k]
    for i in range(1, topology.shape[0]):
        row = work[i]
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        carry(tree, i, a, work)
        acc = row[A : A + 6]
        if kind != 0:
            push = 0.0
            for r in range(6):
                push += row[U + r] * acc[r]
            if topology[i, T_DRIVEN] == 1:
                x = a[c]
                held = spring[c, S_K] * (q[c] - spring[c, S_REST]) + spring[c, S_D] * v[c]
                drive[c] = push + row[ZP] + (row[DINV] + spring[c, S_ROTOR]) * x + held
            else:
                x = (row[U0] - push) * row[DINV]
                a[c] = x
            at = 0 if kind == REVOLUTE else 3
            for r in range(3):
                acc[at + r] += row[R + 3 * r + 2] * x
        for r in range(6):
            acc[r] += row[C + r]
        if topology[i, T_COUNT] > 0:
            own_accelerations(tree, i, a, work)


@inner
def own_accelerations(tree: SpatialFlexTree, i: int, a: Floats, work: Floats) -> None:
    """Fill the accelerations of the elastic coordinates of body i, whose own is known (36)."""
    most = tree.topology[0, T_COUNT]
    n = tree.topology[i, T_COUNT]
    c = tree.topology[i, T_COORD]
    row = work[i]
    z = row[HEAD + 12 * most : HEAD + 20 * most]
    m = row[HEAD + 21 * most : HEAD + 21 * most + n * n]
    for k in range(n - 1, -1, -1):
        s = z[8 * k + 6]
        for r in range(6):
            s -= z[8 * k + r] * row[A + r]
        s *= m[k * n + k]
        for b in range(k + 1, n):
            s -= m[k * n + b] * a[c + b]
        a[c + k] = s


@inner
def carry(tree: SpatialFlexTree, i: int, a: Floats, work: Floats) -> None:
    """Fill the acceleration with which body i would move if its joint stood still, centripetal terms of it left out."""
    topology = tree.topology
    row = work[i]
    up = topology[i, T_PARENT]
    acc = row[A : A + 6]
    for r in range(6):
        acc[r] = work[up, A + r]
    if topology[i, T_STANDS] >= 0:
        _lever(acc, row[T], row[T + 1], row[T + 2])
        for r in range(6):
            acc[r] += row[TC + r]
        b = topology[up, T_COORD]
        m = topology[up, T_COUNT]
        y = row[HEAD : HEAD + 6 * m]
        for k in range(m):
            for r in range(6):
                acc[r] += y[6 * k + r] * a[b + k]
    _lever(acc, row[D], row[D + 1], row[D + 2])


@inner
def _lever(acc: Floats, d0: float, d1: float, d2: float) -> None:
    """a += α × d."""
    acc[3] += acc[1] * d2 - acc[2] * d1
    acc[4] += acc[2] * d0 - acc[0] * d2
    acc[5] += acc[0] * d1 - acc[1] * d0
