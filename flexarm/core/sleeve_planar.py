"""Kernels of planar trees with beams in sleeves: those of flexible trees, in which a sleeve's body is met as well.

A sleeve's row is a flexible body, fixed to what carries the sleeve, with the coordinates (d, η). What is done with such
a row is written here; everything else is a copy of the kernel for flexible trees bound to it.
"""

from __future__ import annotations

from . import flex_planar_aba, flex_planar_crba, flex_planar_observe, flex_planar_outward, flex_planar_rnea
from ._jit import bound, inner, jit
from .flex_planar_aba import eliminate, own_accelerations
from .flex_planar_columns import (
    AL,
    AX,
    AY,
    COS,
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
    TX,
    TY,
    VX,
    VY,
    W,
)
from .flex_planar_outward import frame, own_elastic
from .flex_planar_rnea import own_energy, own_forces
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
    PlanarSleeveTree,
)


@inner
def _own(tree: PlanarSleeveTree, i: int, q: Floats, v: Floats, work: Floats) -> None:
    """Fill inertia and bias of the flexible body i, in a sleeve or not."""
    if tree.topology[i, T_SLEEVE] == 0:
        own_elastic(tree, i, q, v, work)
        return
    most = tree.topology[0, T_COUNT]
    m = tree.topology[i, T_COUNT]
    c = tree.topology[i, T_COORD]
    row = work[i]
    extra = row[HEAD + 11 * most + most * most :]
    inertia = row[HEAD + 11 * most : HEAD + 11 * most + m * m]
    force = row[HEAD + 9 * most : HEAD + 10 * most]
    data = tree.elastic[tree.topology[i, T_DATA] :]
    own_sleeve(data, c, q, v, 0.0, 0.0, row[W], tree.spring[c, S_ROTOR], inertia, force, extra, most)
    num = extra[VECTORS:LISTS]
    sin = row[SIN]
    cos = row[COS]
    row[SX] = cos * num[S] - sin * num[S + 1]
    row[SY] = sin * num[S] + cos * num[S + 1]
    row[IJ] = num[J + 5]
    row[PN] = num[B + 2]
    row[PX] = cos * num[B + 3] - sin * num[B + 4]
    row[PY] = sin * num[B + 3] + cos * num[B + 4]
    coupling = row[HEAD + 3 * most : HEAD + 6 * most]
    own = extra[LISTS + 3 * most : LISTS + 9 * most]
    for k in range(m):
        coupling[k] = own[6 * k + 2]
        coupling[most + k] = cos * own[6 * k + 3] - sin * own[6 * k + 4]
        coupling[2 * most + k] = sin * own[6 * k + 3] + cos * own[6 * k + 4]


@inner
def _frame(tree: PlanarSleeveTree, up: int, begin: int, q: Floats, v: Floats, work: Floats, i: int) -> float:
    """Angle of the frame at `begin` on body `up`; on a sleeve's tip the foreshortening is added (S10)."""
    turn = frame(tree, up, begin, q, v, work, i)
    if tree.topology[up, T_SLEEVE] == 1:
        most = tree.topology[0, T_COUNT]
        row = work[i]
        extra = work[up, HEAD + 11 * most + most * most :]
        num = extra[VECTORS:LISTS]
        gradient = extra[LISTS + 2 * most : LISTS + 3 * most]
        sin = work[up, SIN]
        cos = work[up, COS]
        w = work[up, W]
        x = -0.5 * num[H]
        # −ω² r + 2ω ẑ×ṙ + r̈ along the axis
        bx = -w * w * x - 0.5 * num[HB]
        by = -w * num[HR]
        row[TX] += cos * x
        row[TY] += sin * x
        row[TCX] += cos * bx - sin * by
        row[TCY] += sin * bx + cos * by
        for k in range(tree.topology[up, T_COUNT]):
            row[HEAD + most + k] -= 0.5 * cos * gradient[k]
            row[HEAD + 2 * most + k] -= 0.5 * sin * gradient[k]
    return turn


@inner
def _eliminate(
    tree: PlanarSleeveTree,
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
    coupling = row[HEAD + 3 * most : HEAD + 6 * most]
    x = row[HEAD + 6 * most : HEAD + 9 * most]
    force = row[HEAD + 9 * most : HEAD + 10 * most]
    u = row[HEAD + 10 * most : HEAD + 11 * most]
    inertia = row[HEAD + 11 * most : HEAD + 11 * most + m * m]
    extra = row[HEAD + 11 * most + most * most :]
    stiff = extra[LISTS + 17 * most : LISTS + 17 * most + n * n]
    data = tree.elastic[tree.topology[i, T_DATA] :]
    driven = tree.topology[i, T_DRIVEN] == 1
    known = extra[VECTORS + KNOWN]
    load(data, tree.spring, c, m, stiff, tau, q_spring, v_damper, gh, bh2, driven, known, inertia, force, u, 1)
    first = 1 if driven else 0
    status = factor(inertia, m, first)
    back(inertia, m, first, u, 0, 1)
    for r in range(3):
        for k in range(m):
            x[r * most + k] = coupling[r * most + k] if k >= first else 0.0
        back(inertia, m, first, x, r * most, 1)
    for k in range(m):
        v0 = coupling[k]
        v1 = coupling[most + k]
        v2 = coupling[2 * most + k]
        row[IJ] -= v0 * x[k]
        row[IHX] -= v0 * x[most + k]
        row[IHY] -= v0 * x[2 * most + k]
        row[IMXX] -= v1 * x[most + k]
        row[IMXY] -= v1 * x[2 * most + k]
        row[IMYY] -= v2 * x[2 * most + k]
        row[PN] += v0 * u[k]
        row[PX] += v1 * u[k]
        row[PY] += v2 * u[k]
    if status == OK:
        status = place_status(data, extra[VECTORS + PLACE])
    return status


@inner
def _accelerations(tree: PlanarSleeveTree, i: int, a: Floats, work: Floats) -> None:
    """Fill the accelerations of the coordinates of the flexible body i, whose own is known (36)."""
    if tree.topology[i, T_SLEEVE] == 0:
        own_accelerations(tree, i, a, work)
        return
    most = tree.topology[0, T_COUNT]
    c = tree.topology[i, T_COORD]
    row = work[i]
    x = row[HEAD + 6 * most : HEAD + 9 * most]
    for k in range(tree.topology[i, T_COUNT]):
        known = row[HEAD + 10 * most + k]
        a[c + k] = known - x[k] * row[AL] - x[most + k] * row[AX] - x[2 * most + k] * row[AY]


@inner
def _forces(tree: PlanarSleeveTree, i: int, q: Floats, v: Floats, a: Floats, tau: Floats, work: Floats) -> None:
    """Fill the forces on the coordinates of the flexible body i alone, and add what they take of the frame."""
    if tree.topology[i, T_SLEEVE] == 0:
        own_forces(tree, i, q, v, a, tau, work)
        return
    most = tree.topology[0, T_COUNT]
    m = tree.topology[i, T_COUNT]
    n = m - 1
    c = tree.topology[i, T_COORD]
    row = work[i]
    slow = tree.elastic[tree.topology[i, T_DATA] + H_RETARDATION]
    coupling = row[HEAD + 3 * most : HEAD + 6 * most]
    force = row[HEAD + 9 * most : HEAD + 10 * most]
    inertia = row[HEAD + 11 * most : HEAD + 11 * most + m * m]
    begin = HEAD + 11 * most + most * most + LISTS + 17 * most
    stiff = row[begin : begin + n * n]
    for x in range(m):
        f = force[x] + coupling[x] * row[AL] + coupling[most + x] * row[AX] + coupling[2 * most + x] * row[AY]
        for y in range(m):
            f += inertia[x * m + y] * a[c + y]
            if x > 0 and y > 0:
                f += stiff[(x - 1) * n + y - 1] * (q[c + y] + slow * v[c + y])
        tau[c + x] = f
        row[PN] += coupling[x] * a[c + x]
        row[PX] += coupling[most + x] * a[c + x]
        row[PY] += coupling[2 * most + x] * a[c + x]
    tau[c] += tree.spring[c, S_K] * (q[c] - tree.spring[c, S_REST]) + tree.spring[c, S_D] * v[c]


@inner
def _energy(tree: PlanarSleeveTree, i: int, q: Floats, v: Floats, work: Floats) -> tuple[float, float]:
    """Kinetic energy of the coordinates of the flexible body i, rotors left out, and its elastic energy (J)."""
    if tree.topology[i, T_SLEEVE] == 0:
        return own_energy(tree, i, q, v, work)
    most = tree.topology[0, T_COUNT]
    m = tree.topology[i, T_COUNT]
    n = m - 1
    c = tree.topology[i, T_COORD]
    row = work[i]
    coupling = row[HEAD + 3 * most : HEAD + 6 * most]
    inertia = row[HEAD + 11 * most : HEAD + 11 * most + m * m]
    begin = HEAD + 11 * most + most * most + LISTS + 17 * most
    stiff = row[begin : begin + n * n]
    kinetic = -0.5 * tree.spring[c, S_ROTOR] * v[c] * v[c]
    elastic = 0.0
    for x in range(m):
        f = coupling[x] * row[W] + coupling[most + x] * row[VX] + coupling[2 * most + x] * row[VY]
        for y in range(m):
            f += 0.5 * inertia[x * m + y] * v[c + y]
            if x > 0 and y > 0:
                elastic += 0.5 * stiff[(x - 1) * n + y - 1] * q[c + y] * q[c + x]
        kinetic += f * v[c + x]
    return kinetic, elastic


@inner
def sleeve_planar_form(tree: PlanarSleeveTree, q: Floats, x: Floats, rate: float, stiff: float) -> float:
    """xᵀ (rate·D + stiff·K) x over all flexible bodies, in a sleeve or not."""
    total = 0.0
    for i in range(1, tree.topology.shape[0]):
        n = tree.topology[i, T_COUNT]
        c = tree.topology[i, T_COORD]
        begin = tree.topology[i, T_DATA]
        if tree.topology[i, T_SLEEVE] == 1:
            total += sleeve_form(tree.elastic[begin:], c, q, x, rate, stiff)
        elif n > 0:
            total += block_form(tree.elastic, begin + 4 * n + n * n, n, c, x, rate, stiff)
    return total


_outward = inner(
    bound(flex_planar_outward.flex_planar_outward, "sleeve_planar_outward", own_elastic=_own, frame=_frame)
)
_loads = inner(bound(flex_planar_outward.flex_planar_loads, "sleeve_planar_loads", frame=_frame))
_accelerate = inner(bound(flex_planar_aba._outward, "sleeve_planar_accelerate", own_accelerations=_accelerations))
_solve = inner(
    bound(
        flex_planar_aba.flex_planar_solve,
        "sleeve_planar_sweeps",
        flex_planar_outward=_outward,
        flex_planar_loads=_loads,
        eliminate=_eliminate,
        _outward=_accelerate,
    )
)
sleeve_planar_rnea = jit(
    bound(
        flex_planar_rnea.flex_planar_rnea,
        "sleeve_planar_rnea",
        flex_planar_outward=_outward,
        flex_planar_loads=_loads,
        own_forces=_forces,
    )
)
sleeve_planar_energy = jit(
    bound(
        flex_planar_rnea.flex_planar_energy,
        "sleeve_planar_energy",
        flex_planar_outward=_outward,
        own_energy=_energy,
    )
)
sleeve_planar_crba = jit(bound(flex_planar_crba.flex_planar_crba, "sleeve_planar_crba", flex_planar_outward=_outward))
sleeve_planar_load_power = inner(
    bound(
        flex_planar_observe.flex_planar_load_power,
        "sleeve_planar_load_power",
        flex_planar_outward=_outward,
        frame=_frame,
    )
)
sleeve_planar_observe = jit(
    bound(
        flex_planar_observe.flex_planar_observe,
        "sleeve_planar_observe",
        flex_planar_rnea=sleeve_planar_rnea,
        flex_planar_energy=sleeve_planar_energy,
        frame=_frame,
    )
)


@jit
def sleeve_planar_solve(
    tree: PlanarSleeveTree,
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
            work[i, HEAD + 11 * most + most * most + VECTORS + KNOWN] = a[tree.topology[i, T_COORD]]
    status = _solve(tree, loads, laws, t, left, q, v, a, tau, q_spring, v_damper, gh, bh2, drive, work)
    for i in range(1, tree.topology.shape[0]):
        if tree.topology[i, T_SLEEVE] == 1 and tree.topology[i, T_DRIVEN] == 1:
            row = work[i]
            c = tree.topology[i, T_COORD]
            # the row of d was not eliminated: what its acceleration and all others take of it
            push = row[HEAD + 9 * most] + row[HEAD + 3 * most] * row[AL]
            push += row[HEAD + 4 * most] * row[AX] + row[HEAD + 5 * most] * row[AY]
            for k in range(tree.topology[i, T_COUNT]):
                push += row[HEAD + 11 * most + k] * a[c + k]
            drive[c] = push + spring[c, S_K] * (q[c] - spring[c, S_REST]) + spring[c, S_D] * v[c]
    return status
