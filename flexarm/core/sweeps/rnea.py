"""Inverse dynamics (NOTATION 4–9, 37), O(n)."""

from __future__ import annotations

from flexarm.core.tree.types import (
    S_D,
    S_K,
    S_REST,
    S_ROTOR,
    T_COORD,
    T_COUNT,
    T_JOINT,
    T_PARENT,
    T_SLEEVE,
    T_STANDS,
    Floats,
    Laws,
    Loads,
)

from .elastic import stiffness
from .kinds import FLEXIBLE, SLEEVES, AnyTree, sweep
from .loads import apply_loads
from .outward import advance, approach, from_base, own
from .sleeve import joint_force
from .space import MOTION, at, handed, lists, momentum, motion, no_angle, vec
from .tuples import add_to, dot, plus, put, times


@sweep
def rnea(
    tree: AnyTree,
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
    """Fill τ with the generalised forces that give the accelerations a; the forces the bodies take stay in column P."""
    topology = tree.topology
    spring = tree.spring
    put(work[0], at.A, no_angle(0.0) + times(-1.0, vec(tree.gravity, 0)))
    A = motion(work[0], at.A)
    R, w = from_base(work)
    for i in range(1, topology.shape[0]):
        row = work[i]
        R, w, c = advance(tree, i, q, v, R, w, work)
        # (5), gravity is the acceleration of the base
        if topology[i, T_PARENT] != i - 1:
            A = motion(work[topology[i, T_PARENT]], at.A)
        A = plus(approach(tree, i, A, a, row), c)
        if topology[i, T_JOINT] != 0:
            A = plus(A, times(a[topology[i, T_COORD]], motion(row, at.S)))
        I, b = own(tree, i, q, v, R, w, row)
        put(row, at.A, A)
        put(row, at.P, plus(momentum(I, A), b))
    if loads.place.shape[0] > 0:
        apply_loads(tree, loads, laws, t, left, q, v, work)
    none = times(0.0, motion(work[0], at.A))
    hung = none  # what the next body out hands in
    for i in range(topology.shape[0] - 1, 0, -1):
        row = work[i]
        up = topology[i, T_PARENT]
        c = topology[i, T_COORD]
        # (8), or (37) of a flexible body
        F = plus(motion(row, at.P), hung)
        if FLEXIBLE and topology[i, T_COUNT] > 0:
            F = plus(F, own_forces(tree, i, q, v, a, tau, row))
        put(row, at.P, F)
        # (9)
        if topology[i, T_JOINT] != 0:
            held = spring[c, S_K] * (q[c] - spring[c, S_REST]) + spring[c, S_D] * v[c]
            tau[c] = dot(motion(row, at.S), F) + spring[c, S_ROTOR] * a[c] + held
        F = handed(F, vec(row, at.D))
        if FLEXIBLE and topology[i, T_STANDS] >= 0:
            to_f = lists(topology[0, T_COUNT])[2]
            for k in range(topology[up, T_COUNT]):
                work[up, to_f + k] += dot(motion(row, at.HEAD + MOTION * k), F)
            F = handed(F, vec(row, at.T))
        hung = F
        if up != i - 1:
            add_to(work[up], at.P, F)
            hung = none


def own_forces(tree: AnyTree, i: int, q: Floats, v: Floats, a: Floats, tau: Floats, row: Floats):  # type: ignore[no-untyped-def]
    """Force on the frame of what the coordinates of body i do; fills the forces on these coordinates (37)."""
    n = tree.topology[i, T_COUNT]
    c = tree.topology[i, T_COORD]
    to_v, _, to_f, to_m, _ = lists(tree.topology[0, T_COUNT])
    A = motion(row, at.A)
    F = times(0.0, A)
    for k in range(n):
        coupling = motion(row, to_v + MOTION * k)
        F = plus(F, times(a[c + k], coupling))
        f = row[to_f + k] + dot(coupling, A)
        for j in range(n):
            K, D = stiffness(tree, i, row, k, j)
            f += row[to_m + k * n + j] * a[c + j] + K * q[c + j] + D * v[c + j]
        tau[c + k] = f
    if SLEEVES and tree.topology[i, T_SLEEVE] == 1:
        tau[c] += joint_force(tree, i, q, v)
    return F
