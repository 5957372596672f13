"""How far closures gape, how fast they open, and their rows J: points of bodies held together (NOTATION §22)."""

from __future__ import annotations

import math

from flexarm.core.tree.types import (
    DRAWN,
    Q_ACCELERATION,
    Q_GAP,
    Q_RATE,
    R_DIRECTION,
    R_KIND,
    R_REST,
    T_COORD,
    T_COUNT,
    T_JOINT,
    T_PARENT,
    T_STANDS,
    Closures,
    Floats,
)

from .kinds import FLEXIBLE, AnyTree, sweep
from .outward import advance, approach, frame, from_base, move, through_frame
from .space import MOTION, angular, at, carried, cross, linear, motion, no_angle, turn, turned, vec
from .space_ends import apart, put_standing
from .tuples import dot, minus, plus, put, times


@sweep
def close(
    tree: AnyTree,
    closures: Closures,
    q: Floats,
    v: Floats,
    a: Floats,
    jacobian: Floats,
    seen: Floats,
    work: Floats,
) -> None:
    """Fill gaps, their rates and accelerations at q, v, a (rows of `seen`), and the rows J (rows, nq) of their rates.

    Gravity is no acceleration here: what is seen is how points move.
    """
    follow(tree, q, v, a, work)
    pair, place = closures.pair, closures.place
    for j in range(pair.shape[0]):
        RP, pP, VP, AP = standing(tree, pair[j, 2], pair[j, 3], place[j, 0], q, v, a, work)
        RQ, pQ, VQ, AQ = standing(tree, pair[j, 4], pair[j, 5], place[j, 1], q, v, a, work)
        gap = apart(RP, RQ, place[j, 0]) + minus(pQ, pP)
        rate, acceleration = minus(VQ, VP), minus(AQ, AP)
        for r in range(pair[j, 0], pair[j, 0] + pair[j, 1]):
            row = closures.row[r]
            if row[R_KIND] == DRAWN:
                # along the line between the points
                d = linear(gap)
                length = math.sqrt(dot(d, d))
                put(row, R_DIRECTION, no_angle(0.0) + times(1.0 / length, d))
                seen[Q_GAP, r] = length - row[R_REST]
            else:
                seen[Q_GAP, r] = dot(motion(row, R_DIRECTION), gap) - row[R_REST]
            direction = motion(row, R_DIRECTION)
            seen[Q_RATE, r] = dot(direction, rate)
            seen[Q_ACCELERATION, r] = dot(direction, acceleration)
            for c in range(q.shape[0]):
                jacobian[r, c] = 0.0
        fill_rows(tree, closures, j, -1.0, pair[j, 2], pair[j, 3], pP, q, v, jacobian, work)
        fill_rows(tree, closures, j, 1.0, pair[j, 4], pair[j, 5], pQ, q, v, jacobian, work)


@sweep
def ends(tree: AnyTree, closures: Closures, q: Floats, v: Floats, a: Floats, where: Floats, work: Floats) -> None:
    """Fill positions and orientations (pairs, 2, 12) of both ends of every closure."""
    follow(tree, q, v, a, work)
    pair, place = closures.pair, closures.place
    for j in range(pair.shape[0]):
        for side in range(2):
            i, begin = pair[j, 2 + 2 * side], pair[j, 3 + 2 * side]
            R, p, _, _ = standing(tree, i, begin, place[j, side], q, v, a, work)
            put_standing(where[j, side], R, p)


def follow(tree: AnyTree, q: Floats, v: Floats, a: Floats, work: Floats) -> None:
    """Fill frames, velocities and accelerations of every body; gravity is no acceleration here."""
    topology = tree.topology
    put(work[0], at.A, no_angle(0.0) + times(0.0, vec(tree.gravity, 0)))
    A = motion(work[0], at.A)
    R, w = from_base(work)
    for i in range(1, topology.shape[0]):
        row = work[i]
        R, w, c = advance(tree, i, q, v, R, w, work)
        if topology[i, T_PARENT] != i - 1:
            A = motion(work[topology[i, T_PARENT]], at.A)
        A = plus(approach(tree, i, A, a, row), c)
        if topology[i, T_JOINT] != 0:
            A = plus(A, times(a[topology[i, T_COORD]], motion(row, at.S)))
        put(row, at.A, A)
    move(tree, v, work)


def standing(tree: AnyTree, i: int, begin: int, place: Floats, q: Floats, v: Floats, a: Floats, work: Floats):  # type: ignore[no-untyped-def]
    """Orientation, position, velocity and acceleration of a point on body i."""
    row = work[i]
    R, p, V, A = turn(row, at.R), vec(row, at.O), motion(row, at.V), motion(row, at.A)
    if FLEXIBLE and begin >= 0:
        n, c = tree.topology[i, T_COUNT], tree.topology[i, T_COORD]
        spare = work[tree.topology.shape[0]]
        frame(tree, i, begin, q, v, work, spare)
        R, p = turn(spare, at.TR), plus(p, vec(spare, at.T))
        V = through_frame(V, n, c, v, spare)
        A = plus(through_frame(A, n, c, a, spare), motion(spare, at.TC))
    r, w = turned(R, vec(place, 0)), angular(V)
    A = plus(carried(A, r), no_angle(0.0) + cross(w, cross(w, r)))
    return R, plus(p, r), carried(V, r), A


def fill_rows(  # type: ignore[no-untyped-def]
    tree: AnyTree,
    closures: Closures,
    j: int,
    sign: float,
    i: int,
    begin: int,
    p,
    q: Floats,
    v: Floats,
    jacobian: Floats,
    work: Floats,
) -> None:
    """Add to the rows of pair j what every coordinate on the way to the base does to a point at p of body i."""
    topology = tree.topology
    first, last = closures.pair[j, 0], closures.pair[j, 0] + closures.pair[j, 1]
    if FLEXIBLE and begin >= 0:
        spare = work[topology.shape[0]]
        frame(tree, i, begin, q, v, work, spare)
        arm = minus(p, plus(vec(work[i], at.O), vec(spare, at.T)))
        for k in range(topology[i, T_COUNT]):
            column = carried(motion(spare, at.HEAD + MOTION * k), arm)
            for r in range(first, last):
                jacobian[r, topology[i, T_COORD] + k] += sign * dot(motion(closures.row[r], R_DIRECTION), column)
    while i > 0:
        row = work[i]
        up = topology[i, T_PARENT]
        if topology[i, T_JOINT] != 0:
            column = carried(motion(row, at.S), minus(p, vec(row, at.O)))
            for r in range(first, last):
                jacobian[r, topology[i, T_COORD]] += sign * dot(motion(closures.row[r], R_DIRECTION), column)
        if FLEXIBLE and topology[i, T_STANDS] >= 0:
            arm = minus(p, plus(vec(work[up], at.O), vec(row, at.T)))
            for k in range(topology[up, T_COUNT]):
                column = carried(motion(row, at.HEAD + MOTION * k), arm)
                for r in range(first, last):
                    jacobian[r, topology[up, T_COORD] + k] += sign * dot(motion(closures.row[r], R_DIRECTION), column)
        i = up
