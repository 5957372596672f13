"""The matrix A of closures factorised by pivots, which finds rows that follow from others (NOTATION §22)."""

from __future__ import annotations

import math

from .._jit import inner
from ..tree.types import Q_SCALE, ClosedTree, Floats

# A row that can be moved by less than this part of what others can is moved by nothing but rounding.
_IMMOVABLE = 1e-20
# Part of a pivot that is left where a row follows from others.
_FOLLOWS = 1e-12


@inner
def factorise(tree: ClosedTree) -> None:
    """Fill the factors L, D of A by pivots, the largest first, rows scaled; what follows from others is left out."""
    whole, factor, scale, order = tree.matrix[0], tree.matrix[1], tree.seen[Q_SCALE], tree.order
    m = whole.shape[0]
    greatest = 0.0
    for r in range(m):
        greatest = max(greatest, whole[r, r] / (tree.size[r] * tree.size[r]))
    for r in range(m):
        moves = whole[r, r] > _IMMOVABLE * greatest * tree.size[r] * tree.size[r]
        scale[r] = 1.0 / math.sqrt(whole[r, r]) if moves else 0.0
        order[r] = r
    for r in range(m):
        for s in range(m):
            factor[r, s] = scale[r] * whole[r, s] * scale[s]
    rank = 0
    for k in range(m):
        best = k
        for r in range(k, m):
            if factor[order[r], order[r]] > factor[order[best], order[best]]:
                best = r
        order[k], order[best] = order[best], order[k]
        p = order[k]
        pivot = factor[p, p]
        if not pivot > _FOLLOWS:
            break
        rank += 1
        for i in range(k + 1, m):
            r = order[i]
            x = factor[r, p] / pivot
            for j in range(k + 1, m):
                s = order[j]
                factor[r, s] -= x * factor[p, s]
        for i in range(k + 1, m):
            factor[order[i], p] /= pivot
    order[m] = rank


@inner
def substitute(tree: ClosedTree, x: Floats) -> None:
    """x of A x = x; zero in rows that are left out."""
    factor, scale, order = tree.matrix[1], tree.seen[Q_SCALE], tree.order
    m = x.shape[0]
    rank = order[m]
    for r in range(m):
        x[r] *= scale[r]
    for k in range(rank):
        for i in range(k + 1, m):
            x[order[i]] -= factor[order[i], order[k]] * x[order[k]]
    for k in range(rank, m):
        x[order[k]] = 0.0
    for k in range(rank - 1, -1, -1):
        p = order[k]
        x[p] /= factor[p, p]
        for i in range(k + 1, rank):
            x[p] -= factor[order[i], p] * x[order[i]]
    for r in range(m):
        x[r] *= scale[r]
