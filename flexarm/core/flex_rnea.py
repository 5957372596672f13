"""Inverse dynamics and energy of trees with flexible bodies in space (NOTATION 37, 39)."""

from __future__ import annotations

from ._jit import inner, jit
from .columns import B_MASS
from .flex_aba import carry
from .flex_columns import HEAD, A, C, D, I, O, P, R, S, T, V, W
from .flex_loads import flex_loads
from .flex_motion import flex_move
from .flex_outward import flex_outward
from .types import (
    REVOLUTE,
    S_D,
    S_GAIN,
    S_K,
    S_REST,
    S_ROTOR,
    T_COORD,
    T_COUNT,
    T_DATA,
    T_JOINT,
    T_PARENT,
    T_STANDS,
    Floats,
    Laws,
    Loads,
    SpatialFlexTree,
)


@inner
def own_forces(tree: SpatialFlexTree, i: int, q: Floats, v: Floats, a: Floats, tau: Floats, work: Floats) -> None:
    """Fill the forces on the coordinates of the flexible body i alone, and add what they take of the frame."""
    most = tree.topology[0, T_COUNT]
    m = tree.topology[i, T_COUNT]
    c = tree.topology[i, T_COORD]
    begin = tree.topology[i, T_DATA] + 9 * m
    me = tree.elastic[begin : begin + m * m]
    stiff = tree.elastic[begin + m * m : begin + 2 * m * m]
    damp = tree.elastic[begin + 2 * m * m : begin + 3 * m * m]
    row = work[i]
    acc = row[A : A + 6]
    coupling = row[HEAD + 6 * most : HEAD + 12 * most]
    force = row[HEAD + 20 * most : HEAD + 21 * most]
    for x in range(m):
        f = force[x]
        for y in range(m):
            f += me[x * m + y] * a[c + y] + stiff[x * m + y] * q[c + y] + damp[x * m + y] * v[c + y]
        for r in range(6):
            f += coupling[6 * x + r] * acc[r]
            row[P + r] += coupling[6 * x + r] * a[c + x]
        tau[c + x] = f


@jit
def flex_rnea(
    tree: SpatialFlexTree,
    loads: Loads,
    laws: Laws,
    t: float,
    left: bool,
    q: Floats,
    v: Floats,
    a: Floats,
    tau: Floats,
    work: Floats,
) -> None:
    """Fill τ with the generalised forces that give the accelerations a (37)."""
    topology = tree.topology
    spring = tree.spring
    flex_outward(tree, q, v, work)
    if loads.place.shape[0] > 0:
        flex_loads(tree, loads, laws, t, left, q, v, work)
    for k in range(3):
        work[0, A + k] = 0.0
        work[0, A + 3 + k] = -tree.gravity[k]
    for i in range(1, topology.shape[0]):
        row = work[i]
        carry(tree, i, a, work)
        acc = row[A : A + 6]
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        if kind != 0:
            at = 0 if kind == REVOLUTE else 3
            for r in range(3):
                acc[at + r] += row[R + 3 * r + 2] * a[c]
        for r in range(6):
            acc[r] += row[C + r]
        for r in range(6):
            s = 0.0
            for k in range(6):
                s += row[I + 6 * r + k] * acc[k]
            row[P + r] += s
        if topology[i, T_COUNT] > 0:
            own_forces(tree, i, q, v, a, tau, work)
    for i in range(topology.shape[0] - 1, 0, -1):
        row = work[i]
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        p = row[P : P + 6]
        if kind != 0:
            at = 0 if kind == REVOLUTE else 3
            f = row[R + 2] * p[at] + row[R + 5] * p[at + 1] + row[R + 8] * p[at + 2]
            held = spring[c, S_K] * (q[c] - spring[c, S_REST]) + spring[c, S_D] * v[c]
            tau[c] = f + spring[c, S_ROTOR] * a[c] + held
        up = topology[i, T_PARENT]
        above = work[up]
        n0 = p[0] + row[D + 1] * p[5] - row[D + 2] * p[4]
        n1 = p[1] + row[D + 2] * p[3] - row[D] * p[5]
        n2 = p[2] + row[D] * p[4] - row[D + 1] * p[3]
        if topology[i, T_STANDS] >= 0:
            b = topology[up, T_COORD]
            for k in range(topology[up, T_COUNT]):
                y = row[HEAD + 6 * k : HEAD + 6 * k + 6]
                tau[b + k] += y[0] * n0 + y[1] * n1 + y[2] * n2 + y[3] * p[3] + y[4] * p[4] + y[5] * p[5]
            n0 += row[T + 1] * p[5] - row[T + 2] * p[4]
            n1 += row[T + 2] * p[3] - row[T] * p[5]
            n2 += row[T] * p[4] - row[T + 1] * p[3]
        above[P] += n0
        above[P + 1] += n1
        above[P + 2] += n2
        for r in range(3, 6):
            above[P + r] += p[r]


@inner
def own_energy(tree: SpatialFlexTree, i: int, q: Floats, v: Floats, work: Floats) -> tuple[float, float]:
    """Kinetic energy of the coordinates of the flexible body i, its twist in A, and its elastic energy (J)."""
    most = tree.topology[0, T_COUNT]
    n = tree.topology[i, T_COUNT]
    c = tree.topology[i, T_COORD]
    begin = tree.topology[i, T_DATA] + 9 * n
    me = tree.elastic[begin : begin + n * n]
    stiff = tree.elastic[begin + n * n : begin + 2 * n * n]
    twist = work[i, A : A + 6]
    coupling = work[i, HEAD + 6 * most : HEAD + 12 * most]
    kinetic = 0.0
    elastic = 0.0
    for x in range(n):
        f = 0.0
        e = 0.0
        for r in range(6):
            f += coupling[6 * x + r] * twist[r]
        for y in range(n):
            f += 0.5 * me[x * n + y] * v[c + y]
            e += stiff[x * n + y] * q[c + y]
        kinetic += f * v[c + x]
        elastic += 0.5 * e * q[c + x]
    return kinetic, elastic


@jit
def flex_energy(tree: SpatialFlexTree, q: Floats, v: Floats, work: Floats) -> tuple[float, float, float]:
    """Kinetic, elastic and gravity energy (J) (39); leaves places and velocities of the origins behind."""
    topology = tree.topology
    spring = tree.spring
    g = tree.gravity
    flex_outward(tree, q, v, work)
    flex_move(tree, v, work)
    kinetic = 0.0
    elastic = 0.0
    gravity = 0.0
    for i in range(1, topology.shape[0]):
        row = work[i]
        m = tree.body[i, B_MASS]
        twist = row[A : A + 6]
        for r in range(3):
            twist[r] = row[W + r]
            twist[3 + r] = row[V + r]
            gravity -= g[r] * (m * row[O + r] + row[S + r])
        for r in range(6):
            for k in range(6):
                kinetic += 0.5 * twist[r] * row[I + 6 * r + k] * twist[k]
        if topology[i, T_COUNT] > 0:
            moving, bent = own_energy(tree, i, q, v, work)
            kinetic += moving
            elastic += bent
    for c in range(spring.shape[0]):
        x = q[c] - spring[c, S_REST]
        elastic += 0.5 * (spring[c, S_K] - spring[c, S_GAIN]) * x * x
        kinetic += 0.5 * spring[c, S_ROTOR] * v[c] * v[c]
    return kinetic, elastic, gravity
