"""Positions and velocities of the origins of a spatial flexible tree."""

from __future__ import annotations

from ._jit import inner
from .flex_columns import HEAD, TW, D, O, R, T, V, W
from .types import PRISMATIC, T_COORD, T_COUNT, T_JOINT, T_PARENT, T_STANDS, Floats, SpatialFlexTree


@inner
def flex_move(tree: SpatialFlexTree, v: Floats, work: Floats) -> None:
    """Fill positions and velocities of the origins; the outward sweep must have been done."""
    topology = tree.topology
    for r in range(3):
        work[0, V + r] = 0.0
        work[0, O + r] = 0.0
    for i in range(1, topology.shape[0]):
        row = work[i]
        up = topology[i, T_PARENT]
        base = work[up]
        for r in range(3):
            row[V + r] = base[V + r]
            row[O + r] = base[O + r] + row[D + r]
        if topology[i, T_STANDS] >= 0:
            _lever(row, base[W], base[W + 1], base[W + 2], row[T], row[T + 1], row[T + 2])
            b = topology[up, T_COORD]
            for k in range(topology[up, T_COUNT]):
                for r in range(3):
                    row[V + r] += row[HEAD + 6 * k + 3 + r] * v[b + k]
            for r in range(3):
                row[O + r] += row[T + r]
        _lever(row, row[TW], row[TW + 1], row[TW + 2], row[D], row[D + 1], row[D + 2])
        if topology[i, T_JOINT] == PRISMATIC:
            for r in range(3):
                row[V + r] += row[R + 3 * r + 2] * v[topology[i, T_COORD]]


@inner
def _lever(row: Floats, w0: float, w1: float, w2: float, d0: float, d1: float, d2: float) -> None:
    """Add ω × d to the velocity."""
    row[V] += w1 * d2 - w2 * d1
    row[V + 1] += w2 * d0 - w0 * d2
    row[V + 2] += w0 * d1 - w1 * d0
