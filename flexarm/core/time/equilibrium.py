"""The equilibrium of eight arms at once, each lane for itself.

Newton steps whose tangent, which costs forty times the forces, is kept in a lane while they shrink tenfold each. A lane
in which they do not lead straight to a stable equilibrium is given up: it is left to the careful way.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from .._jit import bound, inner
from ..numbers.entry import entry
from ..numbers.laned import laned
from ..numbers.lanes import LANES, any_lane, lane_zeros, select
from ..sweeps.dynamics import kernel_of
from ..tree.types import S_LEVER, Floats, Ints, Laws, Loads, Tree

# Five-point central difference: forces are trigonometric in the angles, so that a step of 1e-3 leaves 1e-13 of them.
_OFFSETS = np.array([-2.0, -1.0, 1.0, 2.0])
_WEIGHTS = np.array([1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0])
_STEP = 1e-3  # in radians or arms' sizes
_MOST = 40
# Rows of what is known of each lane: numbers, or 1 for true.
_FOUND, _LOST, _STALE, _DEFINITE, _LAST, _REACH = range(6)


def rnea(tree, loads, laws, t, left, q, v, a, tau, work):  # type: ignore[no-untyped-def]
    """Inverse dynamics. Stands for the kernel that `bound` puts in its place."""
    raise TypeError("rnea stands for a kernel")


def tangent(tree, loads, laws, left, q, v, a, free, size, stiffness, scratch, work):  # type: ignore[no-untyped-def]
    """See `_tangent`. Stands for the kernel that `bound` puts in its place."""
    raise TypeError("tangent stands for a kernel")


def _tangent(tree, loads, laws, left, q, v, a, free, size, stiffness, scratch, work):  # type: ignore[no-untyped-def]
    """Fill the derivatives (nf, nf) of the forces at t = 0 by the free coordinates."""
    nf = free.shape[0]
    for j in range(nf):
        c = free[j]
        at = q[c]
        step = _STEP * size[c]
        for i in range(nf):
            stiffness[i, j] = 0.0
        for k in range(4):
            q[c] = at + _OFFSETS[k] * step
            rnea(tree, loads, laws, 0.0, left, q, v, a, scratch, work)
            weight = _WEIGHTS[k] / step
            for i in range(nf):
                stiffness[i, j] += weight * scratch[free[i]]
        q[c] = at


@inner
def _definite(matrix, factor):  # type: ignore[no-untyped-def]
    """1 in the lanes in which the symmetric part of a matrix is positive definite, else 0; `factor` is room."""
    n = matrix.shape[0]
    fine = 0.0 * matrix[0, 0] + 1.0
    for j in range(n):
        for i in range(j, n):
            x = 0.5 * (matrix[i, j] + matrix[j, i])
            for k in range(j):
                x -= factor[i, k] * factor[j, k]
            factor[i, j] = x
        fine = select(factor[j, j] > 0.0, fine, 0.0)
        root = 1.0 / math.sqrt(factor[j, j])
        for i in range(j, n):
            factor[i, j] = factor[i, j] * root
    return fine


@inner
def _eliminate(matrix, factor):  # type: ignore[no-untyped-def]
    """Fill the triangles L and U of a matrix whose symmetric part is definite, so that nothing has to be exchanged."""
    n = matrix.shape[0]
    for i in range(n):
        for j in range(n):
            factor[i, j] = matrix[i, j]
    for k in range(n):
        inverse = 1.0 / factor[k, k]
        for i in range(k + 1, n):
            x = factor[i, k] * inverse
            factor[i, k] = x
            for j in range(k + 1, n):
                factor[i, j] = factor[i, j] - x * factor[k, j]


@inner
def _substitute(factor, x):  # type: ignore[no-untyped-def]
    """x of LUx = x."""
    n = x.shape[0]
    for i in range(n):
        for j in range(i):
            x[i] = x[i] - factor[i, j] * x[j]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            x[i] = x[i] - factor[i, j] * x[j]
        x[i] = x[i] / factor[i, i]


def _settle(tree, loads, laws, left, q, v, a, tau, free, size, mark, force, kept, factor, change, work):  # type: ignore[no-untyped-def]
    """Move the free coordinates to where the forces are τ; which lanes came there is in the marks."""
    nf = free.shape[0]
    for _ in range(_MOST):
        stale = mark[_STALE] > 0.5
        if any_lane(stale):
            tangent(tree, loads, laws, left, q, v, a, free, size, factor, force, work)
            for i in range(nf):
                for j in range(nf):
                    kept[i, j] = select(stale, factor[i, j], kept[i, j])
            mark[_DEFINITE] = _definite(kept, factor)
            _eliminate(kept, factor)
        rnea(tree, loads, laws, 0.0, left, q, v, a, force, work)
        for i in range(nf):
            change[i] = tau[free[i]] - force[free[i]]
        _substitute(factor, change)
        largest = 0.0 * mark[_REACH]
        total = largest
        moved = largest
        for i in range(nf):
            x = abs(change[i])
            share = x / size[free[i]]
            way = x * tree.spring[free[i], S_LEVER]
            total += x  # not a number if one of them is none
            largest = select(share > largest, share, largest)
            moved = select(way > moved, way, moved)
        fits = (largest < 0.5) & (total < 1e300) & (mark[_DEFINITE] > 0.5)
        going = (mark[_FOUND] < 0.5) & (mark[_LOST] < 0.5) & fits
        mark[_LOST] = select(fits, mark[_LOST], 1.0)
        for i in range(nf):
            q[free[i]] = select(going, q[free[i]] + change[i], q[free[i]])
        last = mark[_LAST]
        # quadratic until rounding keeps the last digits moving
        still = stale & (0.5 * last < moved) & (moved < 1e-6 * mark[_REACH])
        there = going & ((moved < 1e-12 * mark[_REACH]) | still)
        mark[_FOUND] = select(there, 1.0, mark[_FOUND])
        mark[_STALE] = select(going & ~there & ~(moved < 0.1 * last), 1.0, 0.0 * mark[_REACH])
        mark[_LAST] = moved
        if not any_lane(going & ~there):
            break


@cache
def _settle_of(kind: type) -> Any:
    sweep = laned(kernel_of("rnea", kind))
    slope = inner(bound(_tangent, f"tangent_{kind.__name__}", rnea=sweep))
    return inner(bound(_settle, f"settle_{kind.__name__}", rnea=sweep, tangent=slope))


def lane_equilibrium(
    tree: Tree,
    loads: Loads,
    laws: Laws,
    state: tuple[Floats, Floats, Floats, Floats],
    free: Ints,
    size: Floats,
    reach: Floats,
    work: Floats,
) -> tuple[Floats, np.ndarray]:
    """Coordinates (nq, LANES) with the free ones in equilibrium at t = 0, and the lanes in which one was found.

    state: q, v, a, τ; `size` (nq, LANES) tells what a large change of a coordinate is: a radian, or the arm's size.
    """
    nf = len(free)
    if nf == 0:
        return state[0], np.ones(LANES, bool)
    aligned = [lane_zeros(x.shape) for x in (*state, size)]
    for mine, given in zip(aligned, (*state, size), strict=True):
        mine[:] = given
    *mine_state, mine_size = aligned
    mark = lane_zeros((6, LANES))
    mark[_STALE], mark[_LAST], mark[_REACH] = 1.0, np.inf, reach
    room = (lane_zeros(state[0].shape), lane_zeros((nf, nf, LANES)), lane_zeros((nf, nf, LANES)))
    kind: Any = type(tree)
    plain = (*((False,) * 3), True, *((False,) * 4), True, *((False,) * 7))
    call = entry(_settle_of(kind), f"lane_equilibrium_{kind.__name__}", plain)
    call(tree, loads, laws, False, *mine_state, free, mine_size, mark, *room, lane_zeros((nf, LANES)), work)
    return mine_state[0], mark[_FOUND] > 0.5
