"""Kernels of trees in space with beams in sleeves: those of flexible trees, in which a sleeve's body is met as well.

As in `sleeve_planar`: what is done with a sleeve's row is written here, everything else is bound to it.
"""

from __future__ import annotations

from . import flex_aba, flex_crba, flex_loads, flex_observe, flex_outward, flex_rnea
from ._jit import bound, inner, jit
from .columns import B_MASS
from .flex_aba import eliminate, own_accelerations
from .flex_columns import HEAD, TC, A, I, P, R, T, W
from .flex_elastic import moment, own_elastic, spin
from .flex_outward import frame, turned
from .flex_rnea import own_energy, own_forces
from .sleeve import H_RETARDATION
from .sleeve_body import own_sleeve, place_status, sleeve_form
from .sleeve_columns import HB, HR, KNOWN, LISTS, PLACE, VECTORS, B, H, J, S
from .sleeve_factor import back, factor, load
from .springs import block_form
from .types import (
    OK,
    S_D,
    S_K,
    S_REST,
    S_ROTOR,
    T_COORD,
    T_COUNT,
    T_DATA,
    T_DRIVEN,
    T_SLEEVE,
    Floats,
    Laws,
    Loads,
    SpatialSleeveTree,
)


@inner
def _own(tree: SpatialSleeveTree, i: int, q: Floats, v: Floats, work: Floats) -> None:
    """Fill inertia and bias of the flexible body i, in a sleeve or not."""
    if tree.topology[i, T_SLEEVE] == 0:
        own_elastic(tree, i, q, v, work)
        return
    most = tree.topology[0, T_COUNT]
    m = tree.topology[i, T_COUNT]
    c = tree.topology[i, T_COORD]
    row = work[i]
    extra = row[HEAD + 21 * most + most * most :]
    inertia = row[HEAD + 21 * most : HEAD + 21 * most + m * m]
    force = row[HEAD + 20 * most : HEAD + 21 * most]
    data = tree.elastic[tree.topology[i, T_DATA] :]
    # angular velocity in the body's axes
    w0 = row[R] * row[W] + row[R + 3] * row[W + 1] + row[R + 6] * row[W + 2]
    w1 = row[R + 1] * row[W] + row[R + 4] * row[W + 1] + row[R + 7] * row[W + 2]
    w2 = row[R + 2] * row[W] + row[R + 5] * row[W + 1] + row[R + 8] * row[W + 2]
    own_sleeve(data, c, q, v, w0, w1, w2, tree.spring[c, S_ROTOR], inertia, force, extra, most)
    num = extra[VECTORS:LISTS]
    row[P], row[P + 1], row[P + 2] = turned(row, R, num[B], num[B + 1], num[B + 2])
    row[P + 3], row[P + 4], row[P + 5] = turned(row, R, num[B + 3], num[B + 4], num[B + 5])
    coupling = row[HEAD + 6 * most : HEAD + 12 * most]
    own = extra[LISTS + 3 * most : LISTS + 9 * most]
    for k in range(0, 6 * m, 3):
        coupling[k], coupling[k + 1], coupling[k + 2] = turned(row, R, own[k], own[k + 1], own[k + 2])
    for k in range(I, I + 36):
        row[k] = 0.0
    spin(row, num[J], num[J + 1], num[J + 2], num[J + 3], num[J + 4], num[J + 5])
    s0, s1, s2 = turned(row, R, num[S], num[S + 1], num[S + 2])
    moment(row, tree.body[i, B_MASS], s0, s1, s2)


@inner
def _frame(tree: SpatialSleeveTree, up: int, begin: int, q: Floats, v: Floats, work: Floats, i: int) -> None:
    """Fill the frame at `begin` on body `up` into row i; on a sleeve's tip the foreshortening is added (S10)."""
    frame(tree, up, begin, q, v, work, i)
    if tree.topology[up, T_SLEEVE] == 0:
        return
    most = tree.topology[0, T_COUNT]
    row = work[i]
    base = work[up]
    extra = base[HEAD + 21 * most + most * most :]
    num = extra[VECTORS:LISTS]
    gradient = extra[LISTS + 2 * most : LISTS + 3 * most]
    w0 = base[W]
    w1 = base[W + 1]
    w2 = base[W + 2]
    e0 = base[R]
    e1 = base[R + 3]
    e2 = base[R + 6]
    # ω×(ω×r + 2ṙ) + r̈ along the axis
    c0 = w1 * e2 - w2 * e1
    c1 = w2 * e0 - w0 * e2
    c2 = w0 * e1 - w1 * e0
    x = -0.5 * num[H]
    for r in range(3):
        row[T + r] += x * base[R + 3 * r]
        row[TC + 3 + r] -= 0.5 * num[HB] * base[R + 3 * r]
    row[TC + 3] += x * (w1 * c2 - w2 * c1) - num[HR] * c0
    row[TC + 4] += x * (w2 * c0 - w0 * c2) - num[HR] * c1
    row[TC + 5] += x * (w0 * c1 - w1 * c0) - num[HR] * c2
    for k in range(tree.topology[up, T_COUNT]):
        for r in range(3):
            row[HEAD + 6 * k + 3 + r] -= 0.5 * gradient[k] * base[R + 3 * r]


@inner
def _eliminate(
    tree: SpatialSleeveTree,
    i: int,
    tau: Floats,
    q_spring: Floats,
    v_damper: Floats,
    gh: float,
    bh2: float,
    work: Floats,
) -> int:
    """Status; takes the coordinates of the flexible body i out of its inertia and bias (34, S11)."""
    if tree.topology[i, T_SLEEVE] == 0:
        return eliminate(tree, i, tau, q_spring, v_damper, gh, bh2, work)
    most = tree.topology[0, T_COUNT]
    m = tree.topology[i, T_COUNT]
    n = m - 1
    c = tree.topology[i, T_COORD]
    row = work[i]
    coupling = row[HEAD + 6 * most : HEAD + 12 * most]
    x = row[HEAD + 12 * most : HEAD + 20 * most]
    force = row[HEAD + 20 * most : HEAD + 21 * most]
    inertia = row[HEAD + 21 * most : HEAD + 21 * most + m * m]
    extra = row[HEAD + 21 * most + most * most :]
    stiff = extra[LISTS + 17 * most : LISTS + 17 * most + n * n]
    data = tree.elastic[tree.topology[i, T_DATA] :]
    driven = tree.topology[i, T_DRIVEN] == 1
    known = extra[VECTORS + KNOWN]
    load(data, tree.spring, c, m, stiff, tau, q_spring, v_damper, gh, bh2, driven, known, inertia, force, x[6:], 8)
    first = 1 if driven else 0
    status = factor(inertia, m, first)
    for r in range(7):
        for k in range(m):
            if r < 6:
                x[8 * k + r] = coupling[6 * k + r] if k >= first else 0.0
        back(inertia, m, first, x, r, 8)
    for r in range(6):
        for k in range(m):
            f = coupling[6 * k + r]
            for s in range(6):
                row[I + 6 * r + s] -= f * x[8 * k + s]
            row[P + r] += f * x[8 * k + 6]
    if status == OK:
        status = place_status(data, extra[VECTORS + PLACE])
    return status


@inner
def _accelerations(tree: SpatialSleeveTree, i: int, a: Floats, work: Floats) -> None:
    """Fill the accelerations of the coordinates of the flexible body i, whose own is known (36)."""
    if tree.topology[i, T_SLEEVE] == 0:
        own_accelerations(tree, i, a, work)
        return
    most = tree.topology[0, T_COUNT]
    c = tree.topology[i, T_COORD]
    row = work[i]
    x = row[HEAD + 12 * most : HEAD + 20 * most]
    for k in range(tree.topology[i, T_COUNT]):
        s = x[8 * k + 6]
        for r in range(6):
            s -= x[8 * k + r] * row[A + r]
        a[c + k] = s


@inner
def _forces(tree: SpatialSleeveTree, i: int, q: Floats, v: Floats, a: Floats, tau: Floats, work: Floats) -> None:
    """Fill the forces on the coordinates of the flexible body i alone, and add what they take of the frame."""
    if tree.topology[i, T_SLEEVE] == 0:
        own_forces(tree, i, q, v, a, tau, work)
        return
    most = tree.topology[0, T_COUNT]
    m = tree.topology[i, T_COUNT]
    n = m - 1
    c = tree.topology[i, T_COORD]
    row = work[i]
    acc = row[A : A + 6]
    slow = tree.elastic[tree.topology[i, T_DATA] + H_RETARDATION]
    coupling = row[HEAD + 6 * most : HEAD + 12 * most]
    force = row[HEAD + 20 * most : HEAD + 21 * most]
    inertia = row[HEAD + 21 * most : HEAD + 21 * most + m * m]
    begin = HEAD + 21 * most + most * most + LISTS + 17 * most
    stiff = row[begin : begin + n * n]
    for x in range(m):
        f = force[x]
        for y in range(m):
            f += inertia[x * m + y] * a[c + y]
            if x > 0 and y > 0:
                f += stiff[(x - 1) * n + y - 1] * (q[c + y] + slow * v[c + y])
        for r in range(6):
            f += coupling[6 * x + r] * acc[r]
            row[P + r] += coupling[6 * x + r] * a[c + x]
        tau[c + x] = f
    tau[c] += tree.spring[c, S_K] * (q[c] - tree.spring[c, S_REST]) + tree.spring[c, S_D] * v[c]


@inner
def _energy(tree: SpatialSleeveTree, i: int, q: Floats, v: Floats, work: Floats) -> tuple[float, float]:
    """Kinetic energy of the coordinates of the flexible body i, rotors left out, and its elastic energy (J)."""
    if tree.topology[i, T_SLEEVE] == 0:
        return own_energy(tree, i, q, v, work)
    most = tree.topology[0, T_COUNT]
    m = tree.topology[i, T_COUNT]
    n = m - 1
    c = tree.topology[i, T_COORD]
    row = work[i]
    coupling = row[HEAD + 6 * most : HEAD + 12 * most]
    inertia = row[HEAD + 21 * most : HEAD + 21 * most + m * m]
    begin = HEAD + 21 * most + most * most + LISTS + 17 * most
    stiff = row[begin : begin + n * n]
    kinetic = -0.5 * tree.spring[c, S_ROTOR] * v[c] * v[c]
    elastic = 0.0
    for x in range(m):
        f = 0.0
        for r in range(6):
            f += coupling[6 * x + r] * row[A + r]
        for y in range(m):
            f += 0.5 * inertia[x * m + y] * v[c + y]
            if x > 0 and y > 0:
                elastic += 0.5 * stiff[(x - 1) * n + y - 1] * q[c + y] * q[c + x]
        kinetic += f * v[c + x]
    return kinetic, elastic


@inner
def sleeve_spatial_form(tree: SpatialSleeveTree, q: Floats, x: Floats, rate: float, stiff: float) -> float:
    """xᵀ (rate·D + stiff·K) x over all flexible bodies, in a sleeve or not."""
    total = 0.0
    for i in range(1, tree.topology.shape[0]):
        n = tree.topology[i, T_COUNT]
        c = tree.topology[i, T_COORD]
        begin = tree.topology[i, T_DATA]
        if tree.topology[i, T_SLEEVE] == 1:
            total += sleeve_form(tree.elastic[begin:], c, q, x, rate, stiff)
        elif n > 0:
            total += block_form(tree.elastic, begin + 9 * n + n * n, n, c, x, rate, stiff)
    return total


_outward = inner(bound(flex_outward.flex_outward, "sleeve_outward", own_elastic=_own, frame=_frame))
_wrench = inner(bound(flex_loads.wrench_of, "sleeve_wrench", frame=_frame))
_loads = inner(bound(flex_loads.flex_loads, "sleeve_loads", wrench_of=_wrench))
_read = inner(bound(flex_observe._read, "sleeve_read", frame=_frame))
_accelerate = inner(bound(flex_aba._outward, "sleeve_accelerate", own_accelerations=_accelerations))
_solve = inner(
    bound(
        flex_aba.flex_solve,
        "sleeve_sweeps",
        flex_outward=_outward,
        flex_loads=_loads,
        eliminate=_eliminate,
        _outward=_accelerate,
    )
)
sleeve_spatial_rnea = jit(
    bound(flex_rnea.flex_rnea, "sleeve_rnea", flex_outward=_outward, flex_loads=_loads, own_forces=_forces)
)
sleeve_spatial_energy = jit(bound(flex_rnea.flex_energy, "sleeve_energy", flex_outward=_outward, own_energy=_energy))
sleeve_spatial_crba = jit(bound(flex_crba.flex_crba, "sleeve_crba", flex_outward=_outward))
sleeve_spatial_load_power = inner(
    bound(flex_loads.flex_load_power, "sleeve_load_power", flex_outward=_outward, wrench_of=_wrench)
)
sleeve_spatial_observe = jit(
    bound(
        flex_observe.flex_observe,
        "sleeve_observe",
        flex_rnea=sleeve_spatial_rnea,
        flex_energy=sleeve_spatial_energy,
        _read=_read,
    )
)


@jit
def sleeve_spatial_solve(
    tree: SpatialSleeveTree,
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
    most = tree.topology[0, T_COUNT]
    spring = tree.spring
    for i in range(1, tree.topology.shape[0]):
        if tree.topology[i, T_SLEEVE] == 1 and tree.topology[i, T_DRIVEN] == 1:
            work[i, HEAD + 21 * most + most * most + VECTORS + KNOWN] = a[tree.topology[i, T_COORD]]
    status = _solve(tree, loads, laws, t, left, q, v, a, tau, q_spring, v_damper, gh, bh2, drive, work)
    for i in range(1, tree.topology.shape[0]):
        if tree.topology[i, T_SLEEVE] == 1 and tree.topology[i, T_DRIVEN] == 1:
            row = work[i]
            c = tree.topology[i, T_COORD]
            # the row of d was not eliminated: what its acceleration and all others take of it
            push = row[HEAD + 20 * most]
            for r in range(6):
                push += row[HEAD + 6 * most + r] * row[A + r]
            for k in range(tree.topology[i, T_COUNT]):
                push += row[HEAD + 21 * most + k] * a[c + k]
            drive[c] = push + spring[c, S_K] * (q[c] - spring[c, S_REST]) + spring[c, S_D] * v[c]
    return status
