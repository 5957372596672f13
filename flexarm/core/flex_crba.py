"""The mass matrix of trees with flexible bodies in space (NOTATION 38), walking from every body to the root."""

from __future__ import annotations

from ._jit import inner, jit
from .flex_aba import shift, stand
from .flex_columns import HEAD, D, I, P, R, T, U
from .flex_outward import flex_outward
from .types import REVOLUTE, S_ROTOR, T_COORD, T_COUNT, T_JOINT, T_PARENT, T_STANDS, Floats, SpatialFlexTree


@inner
def _to_root(tree: SpatialFlexTree, i: int, c: int, f: Floats, mass: Floats, work: Floats) -> None:
    """Fill what column c, whose unit acceleration takes the wrench f at the origin of body i, has further in."""
    topology = tree.topology
    k = i
    while k > 0:
        row = work[k]
        up = topology[k, T_PARENT]
        f[0] += row[D + 1] * f[5] - row[D + 2] * f[4]
        f[1] += row[D + 2] * f[3] - row[D] * f[5]
        f[2] += row[D] * f[4] - row[D + 1] * f[3]
        if topology[k, T_STANDS] >= 0:
            b = topology[up, T_COORD]
            for j in range(topology[up, T_COUNT]):
                entry = 0.0
                for r in range(6):
                    entry += row[HEAD + 6 * j + r] * f[r]
                mass[b + j, c] = entry
                mass[c, b + j] = entry
            f[0] += row[T + 1] * f[5] - row[T + 2] * f[4]
            f[1] += row[T + 2] * f[3] - row[T] * f[5]
            f[2] += row[T] * f[4] - row[T + 1] * f[3]
        k = up
        kind = topology[k, T_JOINT]
        if kind != 0:
            at = 0 if kind == REVOLUTE else 3
            b = topology[k, T_COORD]
            entry = work[k, R + 2] * f[at] + work[k, R + 5] * f[at + 1] + work[k, R + 8] * f[at + 2]
            mass[b, c] = entry
            mass[c, b] = entry


@jit
def flex_crba(tree: SpatialFlexTree, q: Floats, v: Floats, mass: Floats, work: Floats) -> None:
    """Fill the mass matrix (nq, nq); v is only a buffer of the right length."""
    topology = tree.topology
    most = topology[0, T_COUNT]
    flex_outward(tree, q, v, work)
    mass[:, :] = 0.0
    for i in range(topology.shape[0] - 1, 0, -1):
        row = work[i]
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        n = topology[i, T_COUNT]
        inertia = row[I : I + 36]
        f = row[U : U + 6]
        if kind != 0:
            at = 0 if kind == REVOLUTE else 3
            for r in range(6):
                f[r] = (
                    inertia[6 * r + at] * row[R + 2]
                    + inertia[6 * r + at + 1] * row[R + 5]
                    + inertia[6 * r + at + 2] * row[R + 8]
                )
            own = row[R + 2] * f[at] + row[R + 5] * f[at + 1] + row[R + 8] * f[at + 2]
            mass[c, c] = own + tree.spring[c, S_ROTOR]
            _to_root(tree, i, c, f, mass, work)
        coupling = row[HEAD + 6 * most : HEAD + 12 * most]
        block = row[HEAD + 21 * most : HEAD + 21 * most + n * n]
        for j in range(n):
            for k in range(j, n):
                mass[c + j, c + k] = block[j * n + k]
                mass[c + k, c + j] = block[j * n + k]
            for r in range(6):
                f[r] = coupling[6 * j + r]
            _to_root(tree, i, c + j, f, mass, work)
        up = topology[i, T_PARENT]
        above = work[up]
        # the bias is of no interest here, but shifts and frames carry one
        p = row[P : P + 6]
        shift(inertia, p, row[D], row[D + 1], row[D + 2])
        if topology[i, T_STANDS] >= 0:
            stand(row, above, inertia, p, most, topology[up, T_COUNT])
            shift(inertia, p, row[T], row[T + 1], row[T + 2])
        for k in range(36):
            above[I + k] += inertia[k]
