"""Sag, compliance of a point, and reduced stiffness and mass of an arm in many postures, in one compiled loop.

Everything leans on S, the inverse of K, the stiffness of springs and beams alone: what gravity and loads add to it,
K_g, is small beside it or the arm would fall. So iterations with S converge at once and no tangent is formed: K_g is
only ever met in a few directions, by a difference of two inverse dynamics. A posture in which that does not converge is
left to the careful way, and its mark says so.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from .._jit import bound, inner, jit
from ..tree.types import S_LEVER, Floats, Ints, Laws, Loads, Tree
from .dynamics import kernel_of

_MOST = 60  # iterations
_STILL, _SETTLED = 1e-12, 1e-9  # of the reach: a step that is rounding, and the largest that may be left
_CLOSE = 1e-9  # part by which a compliance may still change
_SWEEPS = 3  # of the subspace iteration
# Of a radian or the reach: forces are trigonometric, so a central difference errs by 1e-8 of K_g.
_STEP = 1e-4


def rnea(tree, loads, laws, t, left, q, v, a, tau, work):  # type: ignore[no-untyped-def]
    """Inverse dynamics. Stands for the kernel that `bound` puts in its place."""
    raise TypeError("rnea stands for a kernel")


def crba(tree, q, v, mass, work):  # type: ignore[no-untyped-def]
    """The mass matrix. Stands for the kernel that `bound` puts in its place."""
    raise TypeError("crba stands for a kernel")


def equilibrium(tree, loads, laws, q, zero, tau, free, S, block, reach, r, work):  # type: ignore[no-untyped-def]
    """See `_equilibrium`. Stands for the kernel that `bound` puts in its place."""
    raise TypeError("equilibrium stands for a kernel")


def geometric(bare, loads, laws, q, zero, free, size, x, y, r, work):  # type: ignore[no-untyped-def]
    """See `_geometric`. Stands for the kernel that `bound` puts in its place."""
    raise TypeError("geometric stands for a kernel")


@inner
def _product(A, x, y):  # type: ignore[no-untyped-def]
    """Fill y with A x."""
    for i in range(A.shape[0]):
        y[i] = _dot(A[i], x)


@inner
def _within(A, block, x, y):  # type: ignore[no-untyped-def]
    """Fill y with A x, where row i of A is zero but for the columns block[i, 0] to block[i, 1]: those of its body."""
    for i in range(A.shape[0]):
        s = 0.0
        for j in range(block[i, 0], block[i, 1]):
            s += A[i, j] * x[j]
        y[i] = s


@inner
def _dot(x, y):  # type: ignore[no-untyped-def]
    """x·y."""
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i] * y[i]
    return s


@inner
def _orthonormal(X, K, block, y):  # type: ignore[no-untyped-def]
    """Make X K Xᵀ = 1, row after row, twice against rounding; a row that hangs on those before it becomes zero."""
    for c in range(X.shape[0]):
        for _ in range(2):
            _within(K, block, X[c], y)
            for d in range(c):
                s = _dot(X[d], y)
                for i in range(X.shape[1]):
                    X[c, i] -= s * X[d, i]
        _within(K, block, X[c], y)
        s = _dot(X[c], y)
        scale = 1.0 / math.sqrt(s) if s > 0.0 else 0.0
        for i in range(X.shape[1]):
            X[c, i] *= scale


def _equilibrium(tree, loads, laws, q, zero, tau, free, S, block, reach, r, work):  # type: ignore[no-untyped-def]
    """True if the free coordinates were moved to where the forces are τ:  η ← η − S (r(η) − τ)."""
    nf = free.shape[0]
    moved = np.inf
    for _ in range(_MOST):
        before = moved
        rnea(tree, loads, laws, 0.0, False, q, zero, zero, r, work)
        moved = 0.0
        for i in range(nf):
            change = 0.0
            for j in range(block[i, 0], block[i, 1]):
                change += S[i, j] * (r[free[j]] - tau[free[j]])
            # the forces are those before any coordinate moved
            q[free[i]] -= change
            moved = max(moved, abs(change) * tree.spring[free[i], S_LEVER])
        if not moved < 2.0 * before or moved > reach:
            return False
        if moved < _STILL * reach or (moved < _SETTLED * reach and not moved < 0.5 * before):
            return True
    return False


def _geometric(bare, loads, laws, q, zero, free, size, x, y, r, work):  # type: ignore[no-untyped-def]
    """Fill y with K_g x, what gravity and loads add to the stiffness."""
    nf = free.shape[0]
    most = 0.0
    for i in range(nf):
        most = max(most, abs(x[i]) / size[i])
        y[i] = 0.0
    if not most > 0.0:
        return
    step = _STEP / most
    for side in (1.0, -1.0):
        for i in range(nf):
            q[free[i]] += side * step * x[i]
        rnea(bare, loads, laws, 0.0, False, q, zero, zero, r, work)
        for i in range(nf):
            q[free[i]] -= side * step * x[i]
            y[i] += side / (2.0 * step) * r[free[i]]


def _postures(tree, bare, loads, pulls, laws, q, tau, free, size, S, K, block, shapes, reach, J, C, Kr, Mr, mark, room):  # type: ignore[no-untyped-def]
    """Move every posture q (p, nq) to its equilibrium and fill J, C, Kr, Mr there; marks are 1 where that failed."""
    zero, r, r0, x, y, X, MX, mass, M, work = room
    nf, m = free.shape[0], shapes.shape[0]
    for p in range(q.shape[0]):
        mark[p] = 1
        if not equilibrium(tree, loads, laws, q[p], zero, tau, free, S, block, reach, r, work):
            continue
        # J (3, nf): how the point moves with the coordinates, from what a unit force on it does to them
        rnea(bare, loads, laws, 0.0, False, q[p], zero, zero, r0, work)
        for axis in range(3):
            for k in range(3):
                pulls.wrench[-1, 3 + k] = 1.0 if k == axis else 0.0
            rnea(bare, pulls, laws, 0.0, False, q[p], zero, zero, r, work)
            for i in range(nf):
                J[p, axis, i] = r0[free[i]] - r[free[i]]
        # C = J (K + K_g)⁻¹ Jᵀ:  x ← S (Jᵀ − K_g x)
        fine = True
        for axis in range(3):
            for i in range(nf):
                y[i] = J[p, axis, i]
            own = np.inf
            for k in range(_MOST):
                _within(S, block, y, x)
                last, own = own, _dot(J[p, axis], x)
                if abs(own - last) <= _CLOSE * abs(own):
                    break
                fine = fine and k < _MOST - 1
                geometric(bare, loads, laws, q[p], zero, free, size, x, y, r, work)
                for i in range(nf):
                    y[i] = J[p, axis, i] - y[i]
            for other in range(3):
                C[p, other, axis] = _dot(J[p, other], x)
        if not fine:
            continue
        # the lowest modes lie in the span of X:  X ← S M X from the shapes given, X K Xᵀ = 1
        crba(tree, q[p], zero, mass, work)
        for i in range(nf):
            for j in range(nf):
                M[i, j] = mass[free[i], free[j]]
        for c in range(m):
            for i in range(nf):
                X[c, i] = shapes[c, i]
        for _ in range(_SWEEPS):
            for c in range(m):
                _product(M, X[c], y)
                _within(S, block, y, X[c])
            _orthonormal(X, K, block, y)
        for c in range(m):
            _product(M, X[c], MX[c])
        for c in range(m):
            geometric(bare, loads, laws, q[p], zero, free, size, X[c], y, r, work)
            for d in range(m):
                Mr[p, d, c] = _dot(X[d], MX[c])
                Kr[p, d, c] = _dot(X[d], y) + (1.0 if c == d else 0.0)
        mark[p] = 0


@cache
def _kernel(kind: type) -> Any:
    sweep = kernel_of("rnea", kind)
    name = kind.__name__
    found = {
        "rnea": sweep,
        "crba": kernel_of("crba", kind),
        "equilibrium": inner(bound(_equilibrium, f"equilibrium_{name}", rnea=sweep)),
        "geometric": inner(bound(_geometric, f"geometric_{name}", rnea=sweep)),
    }
    return jit(bound(_postures, f"postures_{name}", **found))


def map_postures(
    trees: tuple[Tree, Tree],
    loads: tuple[Loads, Loads],
    laws: Laws,
    q: Floats,
    tau: Floats,
    free: Ints,
    size: Floats,
    stiffness: Floats,
    shapes: Floats,
    reach: float,
    work: Floats,
) -> tuple[Floats, Floats, Floats, np.ndarray]:
    """Compliance C (p, 3, 3) of a point, stiffness and mass (p, m, m) in m shapes, and True for postures that are done.

    q (p, nq) is moved to equilibrium in its free coordinates, the others held. trees: with springs and without; loads:
    the arm's, and with one more on the point, whose force is set here. `stiffness` (nf, nf) is that of springs and
    beams, `size` (nf,) what a large change of a coordinate is, `shapes` (m, nf) where the search for modes begins.
    """
    tree, bare = trees
    nq, nf, m, count = q.shape[1], len(free), len(shapes), len(q)
    found = [np.zeros((count, *shape)) for shape in ((3, nf), (3, 3), (m, m), (m, m))]
    mark = np.zeros(count, np.int64)
    room = (
        *(np.zeros(nq) for _ in range(3)),
        *(np.zeros(nf) for _ in range(2)),
        *(np.zeros((m, nf)) for _ in range(2)),
        np.zeros((nq, nq)),
        np.zeros((nf, nf)),
        work,
    )
    used = stiffness != 0.0
    block = np.stack([used.argmax(axis=1), nf - used[:, ::-1].argmax(axis=1)], axis=1)
    # what is not zero in the inverse stays within the blocks; rounding does not
    inverse = np.linalg.inv(stiffness)
    kind: Any = type(tree)
    _kernel(kind)(
        tree, bare, *loads, laws, q, tau, free, size, inverse, stiffness, block, shapes, reach, *found, mark, room
    )
    return found[1], found[2], found[3], mark == 0
