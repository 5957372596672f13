"""Tangents of the forces of rigid bodies by coordinates, rates and accelerations, exactly, in O(n²) (NOTATION 26d–26g).

Everything stands in the axes of the base and about its origin, where the vectors of all bodies may be added.
"""

from __future__ import annotations

import math

import numpy as np

from .._jit import inner, jit
from ..tree.columns import B_JXX, B_MASS, B_MCX, B_OX, B_R00
from ..tree.types import FIXED, PRISMATIC, REVOLUTE, T_BRANCH, T_COORD, T_JOINT, T_PARENT, Floats, Ints, SpatialTree

# Columns of a body: orientation, origin, velocity and acceleration (angular; linear); mass, first moment, inertia,
# momentum (angular; linear), matrix T of (26f) and force, of all it carries in the end; the joint's S, ψ̇ and ψ̈ of
# (26e); the first moment about its own origin, later room to work in.
_R, _O, _V, _A = 0, 9, 12, 18
_M, _C, _J, _H, _T, _F = 24, 25, 28, 37, 43, 52
_S, _U, _W, _OWN, _WIDTH = 58, 64, 70, 76, 88


@inner
def _cross(to: Floats, at: int, x: Floats, i: int, y: Floats, j: int, factor: float) -> None:
    """Add factor · x × y to three numbers."""
    to[at] += factor * (x[i + 1] * y[j + 2] - x[i + 2] * y[j + 1])
    to[at + 1] += factor * (x[i + 2] * y[j] - x[i] * y[j + 2])
    to[at + 2] += factor * (x[i] * y[j + 1] - x[i + 1] * y[j])


@inner
def _moved(to: Floats, at: int, v: Floats, i: int, s: Floats, j: int, factor: float) -> None:
    """Add factor · v × s of two motions (angular; linear) to six numbers."""
    _cross(to, at, v, i, s, j, factor)
    _cross(to, at + 3, v, i, s, j + 3, factor)
    _cross(to, at + 3, v, i + 3, s, j, factor)


@inner
def _pushed(to: Floats, at: int, row: Floats, x: Floats, i: int, factor: float) -> None:
    """Add factor · I x of the row's inertia and a motion to six numbers: (J ω + c × v ; m v − c × ω)."""
    for k in range(3):
        for n in range(3):
            to[at + k] += factor * row[_J + 3 * k + n] * x[i + n]
        to[at + 3 + k] += factor * row[_M] * x[i + 3 + k]
    _cross(to, at, row, _C, x, i + 3, factor)
    _cross(to, at + 3, row, _C, x, i, -factor)


@inner
def _turned(to: Floats, at: int, row: Floats, x: Floats, i: int, factor: float) -> None:
    """Add factor · B x of the row and a motion to six numbers: (T ω ; −2 f × ω)."""
    for k in range(3):
        for n in range(3):
            to[at + k] += factor * row[_T + 3 * k + n] * x[i + n]
    _cross(to, at + 3, row, _H + 3, x, i, -2.0 * factor)


@inner
def _add(to: Floats, factor: float, x: Floats) -> None:
    """Add factor · x."""
    for k in range(to.shape[0]):
        to[k] += factor * x[k]


@inner
def _place(row: Floats, up: Floats, body: Floats, kind: int, x: float) -> None:
    """Orientation, origin and joint axis of a body (1, 2)."""
    for k in range(3):
        for n in range(3):
            row[_R + 3 * k + n] = 0.0
            for j in range(3):
                row[_R + 3 * k + n] += up[_R + 3 * k + j] * body[B_R00 + 3 * j + n]
        row[_O + k] = up[_O + k]
        for j in range(3):
            row[_O + k] += up[_R + 3 * k + j] * body[B_OX + j]
    z = _S if kind == REVOLUTE else _S + 3
    if kind != FIXED:
        for k in range(3):
            row[z + k] = row[_R + 3 * k + 2]
    if kind == REVOLUTE:
        s, c = math.sin(x), math.cos(x)
        for k in range(3):
            first, second = row[_R + 3 * k], row[_R + 3 * k + 1]
            row[_R + 3 * k], row[_R + 3 * k + 1] = c * first + s * second, c * second - s * first
        _cross(row, _S + 3, row, _O, row, _S, 1.0)
    elif kind == PRISMATIC:
        for k in range(3):
            row[_O + k] += x * row[z + k]


@inner
def _weigh(row: Floats, body: Floats) -> None:
    """Mass, first moment and inertia of a body about the origin of the base; T and f of (26f); its force."""
    m = body[B_MASS]
    row[_M] = m
    for k in range(3):
        for j in range(3):
            row[_OWN + k] += row[_R + 3 * k + j] * body[B_MCX + j]
        row[_C + k] = row[_OWN + k] + m * row[_O + k]
    place = ((0, 1, 2), (1, 3, 4), (2, 4, 5))
    square = 0.0
    for k in range(3):
        square += row[_O + k] * (m * row[_O + k] + 2.0 * row[_OWN + k])
    for k in range(3):
        for n in range(3):
            found = 0.0
            for i in range(3):
                for j in range(3):
                    found += row[_R + 3 * k + i] * body[B_JXX + place[i][j]] * row[_R + 3 * n + j]
            found -= m * row[_O + k] * row[_O + n] + row[_O + k] * row[_OWN + n] + row[_OWN + k] * row[_O + n]
            row[_J + 3 * k + n] = found + (square if k == n else 0.0)
    _pushed(row, _H, row, row, _V, 1.0)
    # (26f): T = ω×J − Jω× − n× + 2 (c·v) 1 − c vᵀ − v cᵀ
    along = 0.0
    for k in range(3):
        along += row[_C + k] * row[_V + 3 + k]
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        for n in range(3):
            # ω × the columns of J, and J's rows × ω: (ω×J)_kn, (Jω×)_kn = (J_k × ω)_n
            row[_T + 3 * k + n] = row[_V + i] * row[_J + 3 * j + n] - row[_V + j] * row[_J + 3 * i + n]
            row[_T + 3 * k + n] -= row[_C + k] * row[_V + 3 + n] + row[_V + 3 + k] * row[_C + n]
        _cross(row, _T + 3 * k, row, _J + 3 * k, row, _V, -1.0)
        row[_T + 3 * k + k] += 2.0 * along
        row[_T + 3 * k + j] -= row[_H + i]
        row[_T + 3 * k + i] += row[_H + j]
    # F = I a + v ×* h
    _pushed(row, _F, row, row, _A, 1.0)
    _cross(row, _F, row, _V, row, _H, 1.0)
    _cross(row, _F, row, _V + 3, row, _H + 3, 1.0)
    _cross(row, _F + 3, row, _V, row, _H + 3, 1.0)


@jit
def _tangents(
    topology: Ints,
    body: Floats,
    gravity: Floats,
    q: Floats,
    v: Floats,
    a: Floats,
    rows: Floats,
    above: Ints,
    carries: Floats,
    outboard: Floats,
    inboard: Floats,
    by_q: Floats,
    by_v: Floats,
    by_a: Floats,
) -> None:
    """Fill ∂r/∂q and ∂r/∂v by (26g), and ∂r/∂a: M_jk = S_jᵀ IC_j S_k (nq, nq).

    All else is room to work in, noughts but for `above`, −1: the last coordinate on the way to each body, its own
    included; carries[j, k]: 1 if the joint of k carries that of j, empty if there are no branches; the vectors of
    (26g), a column for each coordinate.
    """
    count = topology.shape[0]
    for k in range(3):
        rows[0, _R + 4 * k] = 1.0
        rows[0, _A + 3 + k] = -gravity[k]
    for i in range(1, count):
        row, up, kind, c = rows[i], rows[topology[i, T_PARENT]], topology[i, T_JOINT], topology[i, T_COORD]
        _place(row, up, body[i], kind, q[c] if kind != 0 else 0.0)
        for k in range(6):
            row[_V + k] = up[_V + k]
            row[_A + k] = up[_A + k]
        above[i] = above[topology[i, T_PARENT]]
        if kind != 0:
            # (26e)
            _moved(row, _U, up, _V, row, _S, 1.0)
            _moved(row, _W, up, _A, row, _S, 1.0)
            _moved(row, _W, up, _V, row, _U, 1.0)
            for k in range(6):
                row[_V + k] += v[c] * row[_S + k]
                row[_A + k] += a[c] * row[_S + k] + v[c] * row[_U + k]
            if carries.shape[0]:
                for k in range(above[i] + 1):
                    carries[c, k] = carries[above[i], k]
                carries[c, c] = 1.0
            above[i] = c
        _weigh(row, body[i])
    for i in range(count - 1, 0, -1):
        row, c = rows[i], topology[i, T_COORD]
        if topology[i, T_JOINT] != 0:
            for k in range(_OWN, _WIDTH):
                row[k] = 0.0
            # S_jᵀ IC_j and S_jᵀ BC_j for those that carry j
            _pushed(row, _OWN, row, row, _S, 1.0)
            for k in range(3):
                for n in range(3):
                    row[_OWN + 6 + k] += row[_T + 3 * n + k] * row[_S + n]
            _cross(row, _OWN + 6, row, _H + 3, row, _S + 3, 2.0)
            for k in range(9):
                outboard[k, c] = row[_OWN + k]
            for k in range(6):
                outboard[9 + k, c], outboard[18 + k, c] = row[_W + k], 2.0 * row[_U + k]
            for k in range(3):
                outboard[15 + k, c], outboard[24 + k, c] = row[_U + k], row[_S + k]
            # IC_k ψ̈_k + BC_k ψ̇_k + S_k ×* F_k and 2 IC_k ψ̇_k + BC_k S_k for those that k carries
            for k in range(_OWN, _WIDTH):
                row[k] = 0.0
            _pushed(row, _OWN, row, row, _W, 1.0)
            _turned(row, _OWN, row, row, _U, 1.0)
            _cross(row, _OWN, row, _S, row, _F, 1.0)
            _cross(row, _OWN, row, _S + 3, row, _F + 3, 1.0)
            _cross(row, _OWN + 3, row, _S, row, _F + 3, 1.0)
            _pushed(row, _OWN + 6, row, row, _U, 2.0)
            _turned(row, _OWN + 6, row, row, _S, 1.0)
            for k in range(6):
                inboard[k, c], inboard[6 + k, c], inboard[12 + k, c] = row[_S + k], row[_OWN + k], row[_OWN + 6 + k]
        up = rows[topology[i, T_PARENT]]
        for k in range(_M, _S):
            up[k] += row[k]
    n = q.shape[0]
    for j in range(n):
        for m in range(9):
            _add(by_q[j, : j + 1], outboard[m, j], outboard[9 + m])
            _add(by_v[j, : j + 1], outboard[m, j], outboard[18 + m])
        for m in range(6):
            _add(by_a[j, : j + 1], outboard[m, j], inboard[m])
            _add(by_q[j, j + 1 :], inboard[m, j], inboard[6 + m, j + 1 :])
            _add(by_v[j, j + 1 :], inboard[m, j], inboard[12 + m, j + 1 :])
        if carries.shape[0]:
            for k in range(j):
                by_a[j, k] *= carries[j, k]
            # of two branches neither feels the other
            for k in range(n):
                related = carries[j, k] + carries[k, j]
                by_q[j, k] *= min(related, 1.0)
                by_v[j, k] *= min(related, 1.0)
        for k in range(j):
            by_a[k, j] = by_a[j, k]


def rigid_tangent(tree: SpatialTree, q: Floats, v: Floats, a: Floats) -> tuple[Floats, Floats, Floats]:
    """∂r/∂q, ∂r/∂v and ∂r/∂a (nq, nq) of the inertia and weight of rigid bodies at a state; springs, rotors and loads
    are left out.
    """
    n, count = len(q), len(tree.topology)
    by_q, by_v, by_a = (np.zeros((n, n)) for _ in range(3))
    carries = np.zeros((n, n) if tree.topology[:, T_BRANCH].any() else (0, 0))
    q, v, a = (np.ascontiguousarray(part, dtype=np.float64) for part in (q, v, a))
    rows, above = np.zeros((count, _WIDTH)), np.full(count, -1, np.int64)
    room = (rows, above, carries, np.zeros((27, n)), np.zeros((18, n)))
    _tangents(tree.topology, tree.body, tree.gravity, q, v, a, *room, by_q, by_v, by_a)
    return by_q, by_v, by_a
