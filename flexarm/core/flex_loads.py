"""External loads on the bodies of a spatial flexible tree: as bias forces, and their power."""

from __future__ import annotations

from ._jit import inner
from .flex_columns import HEAD, TR, P, R, T, V, W
from .flex_motion import flex_move
from .flex_outward import flex_outward, frame, turned
from .laws import law_value
from .types import T_COORD, T_COUNT, Floats, Laws, Loads, SpatialFlexTree


@inner
def wrench_of(
    tree: SpatialFlexTree, loads: Loads, laws: Laws, j: int, t: float, left: bool, q: Floats, v: Floats, work: Floats
) -> None:
    """Fill the spare row with load j: its frame, and force and moment about that frame's origin in P, base axes."""
    spare = tree.topology.shape[0]
    i = loads.place[j, 0]
    row = work[spare]
    w = loads.wrench[j]
    factor = 1.0
    if loads.place[j, 2] >= 0:
        factor = law_value(laws, loads.place[j, 2], t, left)[0]
    if loads.place[j, 3] >= 0:
        frame(tree, i, loads.place[j, 3], q, v, work, spare)
    else:
        for k in range(9):
            row[TR + k] = work[i, R + k]
        for k in range(3):
            row[T + k] = 0.0
    r0, r1, r2 = turned(row, TR, w[0], w[1], w[2])
    f0 = factor * w[3]
    f1 = factor * w[4]
    f2 = factor * w[5]
    n0 = factor * w[6]
    n1 = factor * w[7]
    n2 = factor * w[8]
    if loads.place[j, 1] == 1:
        f0, f1, f2 = turned(row, TR, f0, f1, f2)
        n0, n1, n2 = turned(row, TR, n0, n1, n2)
    row[P] = n0 + r1 * f2 - r2 * f1
    row[P + 1] = n1 + r2 * f0 - r0 * f2
    row[P + 2] = n2 + r0 * f1 - r1 * f0
    row[P + 3] = f0
    row[P + 4] = f1
    row[P + 5] = f2


@inner
def flex_loads(
    tree: SpatialFlexTree, loads: Loads, laws: Laws, t: float, left: bool, q: Floats, v: Floats, work: Floats
) -> None:
    """Subtract the external loads from the bias of their bodies."""
    most = tree.topology[0, T_COUNT]
    spare = tree.topology.shape[0]
    for j in range(loads.place.shape[0]):
        wrench_of(tree, loads, laws, j, t, left, q, v, work)
        i = loads.place[j, 0]
        p = work[spare, P : P + 6]
        row = work[i]
        if loads.place[j, 3] >= 0:
            n = tree.topology[i, T_COUNT]
            y = work[spare, HEAD : HEAD + 6 * n]
            force = row[HEAD + 20 * most : HEAD + 21 * most]
            for k in range(n):
                for r in range(6):
                    force[k] -= y[6 * k + r] * p[r]
        t0 = work[spare, T]
        t1 = work[spare, T + 1]
        t2 = work[spare, T + 2]
        row[P] -= p[0] + t1 * p[5] - t2 * p[4]
        row[P + 1] -= p[1] + t2 * p[3] - t0 * p[5]
        row[P + 2] -= p[2] + t0 * p[4] - t1 * p[3]
        for r in range(3, 6):
            row[P + r] -= p[r]


@inner
def flex_load_power(
    tree: SpatialFlexTree, loads: Loads, laws: Laws, t: float, left: bool, q: Floats, v: Floats, work: Floats
) -> float:
    """Power of the external loads (W)."""
    if loads.place.shape[0] == 0:
        return 0.0
    flex_outward(tree, q, v, work)
    flex_move(tree, v, work)
    spare = tree.topology.shape[0]
    power = 0.0
    for j in range(loads.place.shape[0]):
        wrench_of(tree, loads, laws, j, t, left, q, v, work)
        i = loads.place[j, 0]
        row = work[i]
        p = work[spare, P : P + 6]
        t0 = work[spare, T]
        t1 = work[spare, T + 1]
        t2 = work[spare, T + 2]
        w0 = row[W]
        w1 = row[W + 1]
        w2 = row[W + 2]
        power += p[0] * w0 + p[1] * w1 + p[2] * w2
        power += p[3] * (row[V] + w1 * t2 - w2 * t1)
        power += p[4] * (row[V + 1] + w2 * t0 - w0 * t2)
        power += p[5] * (row[V + 2] + w0 * t1 - w1 * t0)
        if loads.place[j, 3] >= 0:
            n = tree.topology[i, T_COUNT]
            c = tree.topology[i, T_COORD]
            y = work[spare, HEAD : HEAD + 6 * n]
            for k in range(n):
                for r in range(6):
                    power += p[r] * y[6 * k + r] * v[c + k]
    return power
