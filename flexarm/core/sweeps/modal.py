"""Forward and hybrid dynamics of trees with flexible bodies of any number of coordinates (NOTATION 10–17, 34–36)."""

from __future__ import annotations

from flexarm.core.numbers.questions import positive
from flexarm.core.tree.types import (
    OK,
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
    T_SLEEVE,
    T_STANDS,
    Floats,
    Laws,
    Loads,
)

from .beam import place_status
from .elastic import bear, stiffness
from .kinds import SLEEVES, AnyTree, step
from .loads import apply_loads
from .outward import approach, outward
from .sleeve import drive_force
from .space import (
    MOTION,
    SOLVED,
    applied,
    articulated,
    at,
    handed,
    lists,
    motion,
    moved_in,
    no_angle,
    outer,
    rigid,
    solved,
    vec,
    whole,
)
from .tuples import add_to, dot, minus, plus, put, times


def solve(
    tree: AnyTree,
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
    """Status; fills the accelerations of the free coordinates into `a`, forces of the driven ones into `drive`.

    Springs and dampers act at q_spring, v_damper, and E = gh·D + bh2·K joins the inertia (16): with gh = bh2 = 0 and
    q, v these are the accelerations themselves, else those of an implicit step.
    """
    topology = tree.topology
    spring = tree.spring
    outward(tree, q, v, work)
    if loads.place.shape[0] > 0:
        apply_loads(tree, loads, laws, t, left, q, v, work)
    for i in range(1, topology.shape[0]):
        put(work[i], at.WHOLE, articulated(rigid(work[i], at.I)))
    status = OK
    for i in range(topology.shape[0] - 1, 0, -1):
        row = work[i]
        up = topology[i, T_PARENT]
        c = topology[i, T_COORD]
        I = whole(row, at.WHOLE)
        p = motion(row, at.P)
        if topology[i, T_COUNT] > 0:
            I, p, found = eliminate(tree, i, I, p, a, tau, q_spring, v_damper, gh, bh2, row)
            if SLEEVES and topology[i, T_SLEEVE] == 1 and found == OK:
                found = place_status(tree.elastic[topology[i, T_DATA] :], q[c])
            if status == OK:
                status = found
        # (10)
        p = plus(p, applied(I, motion(row, at.C)))
        if topology[i, T_JOINT] != 0:
            # (11)
            S = motion(row, at.S)
            U = applied(I, S)
            put(row, at.U, U)
            if topology[i, T_DRIVEN] == 1:
                row[at.DINV] = dot(S, U)
                row[at.PUSH] = dot(S, p)
                p = plus(p, times(a[c], U))
            else:
                E = gh * spring[c, S_D] + bh2 * spring[c, S_K]
                pivot, status = positive(dot(S, U) + spring[c, S_ROTOR] + E, status)
                held = spring[c, S_K] * (q_spring[c] - spring[c, S_REST]) + spring[c, S_D] * v_damper[c]
                u = tau[c] - held - dot(S, p)
                inv = 1.0 / pivot
                row[at.DINV] = inv
                row[at.PUSH] = u
                # (12)
                I = minus(I, outer(U, times(inv, U)))
                p = plus(p, times(u * inv, U))
        if up == 0:
            continue
        # (13)
        d = vec(row, at.D)
        I, p = moved_in(I, d), handed(p, d)
        if topology[i, T_STANDS] >= 0:
            # (35)
            p = plus(p, applied(I, motion(row, at.TC)))
            bear(tree, up, I, p, work[up], row)
            r = vec(row, at.T)
            I, p = moved_in(I, r), handed(p, r)
        add_to(work[up], at.WHOLE, I)
        add_to(work[up], at.P, p)
    accelerations(tree, q, v, a, drive, work)
    return status


@step
def eliminate(  # type: ignore[no-untyped-def]
    tree: AnyTree,
    i: int,
    I,
    p,
    a: Floats,
    tau: Floats,
    q_spring: Floats,
    v_damper: Floats,
    gh: float,
    bh2: float,
    row: Floats,
):
    """Inertia and bias of the flexible body i without its coordinates, and a status (34, S11).

    Δ becomes L D Lᵀ, and z = L⁻¹ [Vᵀ, u] is carried along; what (36) needs of it is solved for when η̈ is.
    """
    n = tree.topology[i, T_COUNT]
    c = tree.topology[i, T_COORD]
    to_v, to_z, to_f, to_m, _ = lists(tree.topology[0, T_COUNT])
    for k in range(n):
        u = tau[c + k] - row[to_f + k]
        for j in range(n):
            K, D = stiffness(tree, i, row, k, j)
            u -= K * q_spring[c + j] + D * v_damper[c + j]
            row[to_m + k * n + j] += gh * D + bh2 * K
        put(row, to_z + SOLVED * k, motion(row, to_v + MOTION * k))
        row[to_z + SOLVED * k + MOTION] = u
    first = 0
    if SLEEVES and tree.topology[i, T_SLEEVE] == 1:
        if tree.topology[i, T_DRIVEN] == 1:
            # the row of a driven length stays, for the force it takes
            first = 1
            p = plus(p, times(a[c], motion(row, to_v)))
            for k in range(1, n):
                row[to_z + SOLVED * k + MOTION] -= row[to_m + k] * a[c]
        else:
            spring = tree.spring
            held = spring[c, S_K] * (q_spring[c] - spring[c, S_REST]) + spring[c, S_D] * v_damper[c]
            row[to_z + MOTION] -= held
            row[to_m] += gh * spring[c, S_D] + bh2 * spring[c, S_K]
    status = OK
    for k in range(first, n):
        pivot, status = positive(row[to_m + k * n + k], status)
        inv = 1.0 / pivot
        row[to_m + k * n + k] = inv
        z = solved(row, to_z + SOLVED * k)
        for j in range(k + 1, n):
            f = row[to_m + k * n + j] * inv
            for m in range(j, n):
                row[to_m + j * n + m] -= f * row[to_m + k * n + m]
            add_to(row, to_z + SOLVED * j, times(-f, z))
            row[to_m + k * n + j] = f
        # I −= z zᵀ/D,  p += z u/D
        V = motion(row, to_z + SOLVED * k)
        I = minus(I, outer(V, times(inv, V)))
        p = plus(p, times(inv * z[MOTION], V))
    return I, p, status


def accelerations(tree: AnyTree, q: Floats, v: Floats, a: Floats, drive: Floats, work: Floats) -> None:
    """Fill the accelerations (14, 36) and the forces of the driven coordinates (15)."""
    topology = tree.topology
    spring = tree.spring
    put(work[0], at.A, no_angle(0.0) + times(-1.0, vec(tree.gravity, 0)))
    A = motion(work[0], at.A)
    for i in range(1, topology.shape[0]):
        row = work[i]
        c = topology[i, T_COORD]
        if topology[i, T_PARENT] != i - 1:
            A = motion(work[topology[i, T_PARENT]], at.A)
        A = approach(tree, i, A, a, row)
        if topology[i, T_JOINT] != 0:
            push = dot(motion(row, at.U), A)
            if topology[i, T_DRIVEN] == 1:
                held = spring[c, S_K] * (q[c] - spring[c, S_REST]) + spring[c, S_D] * v[c]
                drive[c] = push + row[at.PUSH] + (row[at.DINV] + spring[c, S_ROTOR]) * a[c] + held
            else:
                a[c] = (row[at.PUSH] - push) * row[at.DINV]
            A = plus(A, times(a[c], motion(row, at.S)))
        A = plus(A, motion(row, at.C))
        put(row, at.A, A)
        if topology[i, T_COUNT] > 0:
            own_accelerations(tree, i, A, a, row)
            if SLEEVES and topology[i, T_SLEEVE] == 1 and topology[i, T_DRIVEN] == 1:
                drive[c] = drive_force(tree, i, q, v, a, row)


def own_accelerations(tree: AnyTree, i: int, A, a: Floats, row: Floats) -> None:  # type: ignore[no-untyped-def]
    """Fill the accelerations of the coordinates of the flexible body i, whose own is A (36)."""
    n = tree.topology[i, T_COUNT]
    c = tree.topology[i, T_COORD]
    _, to_z, _, to_m, _ = lists(tree.topology[0, T_COUNT])
    first = 0
    if SLEEVES and tree.topology[i, T_SLEEVE] == 1 and tree.topology[i, T_DRIVEN] == 1:
        first = 1
    for k in range(n - 1, first - 1, -1):
        z = to_z + SOLVED * k
        x = (row[z + MOTION] - dot(motion(row, z), A)) * row[to_m + k * n + k]
        for j in range(k + 1, n):
            x -= row[to_m + k * n + j] * a[c + j]
        a[c + k] = x
