"""The mass matrix (NOTATION §4, 38), from composite inertias and a walk from every coordinate to the root."""

from __future__ import annotations

from flexarm.core.tree.types import S_ROTOR, T_COORD, T_COUNT, T_JOINT, T_PARENT, T_STANDS, Floats

from .elastic import bear
from .kinds import FLEXIBLE, AnyTree, sweep
from .outward import outward
from .space import MOTION, articulated, at, handed, lists, momentum, motion, rigid, shifted, vec
from .tuples import add_to, dot, times


@sweep
def crba(tree: AnyTree, q: Floats, v: Floats, mass: Floats, work: Floats) -> None:
    """Fill the mass matrix (nq, nq); v is only a buffer of the right length, its values do not matter."""
    topology = tree.topology
    outward(tree, q, v, work)
    mass[:, :] = 0.0
    none = times(0.0, motion(work[0], at.S))
    for i in range(topology.shape[0] - 1, 0, -1):
        row = work[i]
        up = topology[i, T_PARENT]
        c = topology[i, T_COORD]
        I = rigid(row, at.I)
        if topology[i, T_JOINT] != 0:
            S = motion(row, at.S)
            F = momentum(I, S)
            mass[c, c] = dot(S, F) + tree.spring[c, S_ROTOR]
            to_root(tree, i, c, F, mass, work)
        if FLEXIBLE:
            to_v, _, _, to_m, _ = lists(topology[0, T_COUNT])
            n = topology[i, T_COUNT]
            for j in range(n):
                for k in range(j, n):
                    mass[c + j, c + k] = row[to_m + j * n + k]
                    mass[c + k, c + j] = row[to_m + j * n + k]
                to_root(tree, i, c + j, motion(row, to_v + MOTION * j), mass, work)
        if up > 0:
            I = shifted(I, vec(row, at.D))
            if FLEXIBLE and topology[i, T_STANDS] >= 0:
                bear(tree, up, articulated(I), none, work[up], row)
                I = shifted(I, vec(row, at.T))
            add_to(work[up], at.I, I)


def to_root(tree: AnyTree, i: int, c: int, F, mass: Floats, work: Floats) -> None:  # type: ignore[no-untyped-def]
    """Fill what column c, whose unit acceleration takes the force F at the origin of body i, has further in."""
    topology = tree.topology
    k = i
    up = topology[k, T_PARENT]
    while up > 0:
        row = work[k]
        F = handed(F, vec(row, at.D))
        b = topology[up, T_COORD]
        if FLEXIBLE and topology[k, T_STANDS] >= 0:
            for j in range(topology[up, T_COUNT]):
                entry = dot(motion(row, at.HEAD + MOTION * j), F)
                mass[b + j, c] = entry
                mass[c, b + j] = entry
            F = handed(F, vec(row, at.T))
        if topology[up, T_JOINT] != 0:
            entry = dot(motion(work[up], at.S), F)
            mass[b, c] = entry
            mass[c, b] = entry
        k = up
        up = topology[k, T_PARENT]
