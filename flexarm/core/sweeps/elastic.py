"""Inertia and bias force of one flexible body from its invariants (NOTATION 31–33)."""

from __future__ import annotations

from flexarm.core.numbers.questions import is_zero
from flexarm.core.tree.types import T_COORD, T_COUNT, T_DATA, T_SLEEVE, Floats

from .kinds import SLEEVES, AnyTree
from .sleeve import beam_stiffness
from .space import (
    MOTION,
    PRODUCTS,
    TOGETHER,
    VECTORS,
    along_axis,
    applied,
    at,
    cross,
    felt,
    first_order,
    gyration,
    handed,
    inertia_of,
    lists,
    motion,
    no_angle,
    own_of,
    rotary,
    second_order,
    spun,
    spun_back,
    swept,
    swung,
    turned,
    turned_back,
    vec,
)
from .tuples import add_to, dot, minus, plus, put, times


def stiffness(tree: AnyTree, i: int, row: Floats, k: int, j: int) -> tuple[float, float]:
    """K and D of the coordinates k and j of the flexible body i."""
    n = tree.topology[i, T_COUNT]
    if SLEEVES and tree.topology[i, T_SLEEVE] == 1:
        return beam_stiffness(tree, i, row, k, j)
    x = tree.topology[i, T_DATA] + VECTORS * n + n * n + k * n + j
    return tree.elastic[x], tree.elastic[x + n * n]


def own_elastic(tree: AnyTree, i: int, q: Floats, v: Floats, R, w, row: Floats):  # type: ignore[no-untyped-def]
    """Inertia and bias force of the flexible body i; fills what concerns its coordinates, but for elastic forces."""
    n = tree.topology[i, T_COUNT]
    c = tree.topology[i, T_COORD]
    to_v, _, to_f, to_m, _ = lists(tree.topology[0, T_COUNT])
    begin = tree.topology[i, T_DATA]
    first = tree.elastic[begin : begin + VECTORS * n]
    second = tree.elastic[begin + VECTORS * n :]
    w = spun_back(R, w)
    J, mc, m = own_of(tree, i)
    share = felt(tree, i)
    S = along_axis(mc[0])
    S_rate = times(0.0, S)  # Ŝη̇
    swing = times(0.0, w)  # Cη̇
    W = times(0.0, first_order(first, n, 0)[1])
    W_rate = W
    sag = 0.0  # η̇ᵀH0η̇
    for k in range(n):
        s1, a, c0 = first_order(first, n, k)
        h = 0.0
        g = times(0.0, a)
        gamma = times(0.0, c0)
        gamma_rate = gamma
        for j in range(n):
            row[to_m + k * n + j] = second[k * n + j]
            h0, g0, gamma0 = second_order(second, n, k, j)
            h += h0 * q[c + j]
            sag += h0 * v[c + j] * v[c + k]
            g = plus(g, times(q[c + j], g0))
            # Γ is antisymmetric: its column is minus its row
            gamma = minus(gamma, times(q[c + j], gamma0))
            gamma_rate = minus(gamma_rate, times(v[c + j], gamma0))
        x = q[c + k]
        u = v[c + k]
        # (31)
        S = plus(S, times(x, minus(s1, along_axis(0.5 * h))))
        s1 = minus(s1, along_axis(h))
        S_rate = plus(S_rate, times(u, s1))
        W = plus(W, times(x, plus(a, times(share, g))))
        W_rate = plus(W_rate, times(u, plus(a, times(2.0 * share, g))))
        coupling = plus(c0, gamma)
        swing = plus(swing, times(u, coupling))
        put(row, to_v + MOTION * k, spun(R, coupling) + turned(R, s1))
        # (33), third line
        row[to_f + k] = 2.0 * dot(w, gamma_rate) - 0.5 * swept(w, plus(a, times(2.0, g)))
    more = no_angle(sag)
    weighed = times(0.0, S)
    if PRODUCTS:
        flag = VECTORS * n + (3 + TOGETHER) * n * n
        if not is_zero(tree.elastic[begin + flag]):
            g = turned_back(R, vec(tree.gravity, 0))
            rest = tree.elastic[begin + flag + 1 :]
            W2, W2_rate, swing2, more, weighed = products(rest, n, c, q, v, R, w, g, row, to_v, to_f)
            W, W_rate, swing = plus(W, W2), plus(W_rate, W2_rate), plus(swing, swing2)
            # the weight's moment about the frame is none of the base's acceleration
            more = minus(more, cross(weighed, g))
    J = plus(J, inertia_of(W))
    # (33), first two lines: J̇ω + ω×(Jω + Cη̇),  ω×(ω×S + 2Ŝη̇) − e_x η̇ᵀH0η̇
    turning = plus(plus(more, swung(inertia_of(W_rate), w)), gyration(w, plus(swung(J, w), swing)))
    moving = minus(cross(w, plus(cross(w, S), times(2.0, S_rate))), along_axis(sag))
    S = turned(R, S)
    I = rotary(R, J) + S + (m,)
    put(row, at.I, I)
    # what the weight works on has all of the second order, inertia has not
    put(row, at.G, plus(S, turned(R, weighed)))
    return I, spun(R, turning) + turned(R, moving)


def products(data, n, c, q, v, R, w, g, row, to_v, to_f):  # type: ignore[no-untyped-def]
    """What products of the coordinates add in space (31a, 33a): W, its rate, Cη̇, η̇ᵀZη̇ and the first moment.

    Adds to the coupling with α and to the forces on the coordinates; g: gravity in the body's axes.
    """
    yz = 0.0
    yz_rate = 0.0
    swing = times(0.0, w)
    more = swing
    weighed = swing
    for k in range(n):
        z = times(0.0, w)
        z_rate = z
        across = z
        for j in range(n):
            x = n + 5 * (k * n + j)
            z = plus(z, times(q[c + j], vec(data, x)))
            z_rate = plus(z_rate, times(v[c + j], vec(data, x)))
            across = plus(across, times(q[c + j], (0.0, data[x + 3], data[x + 4])))
        yz += data[k] * q[c + k]
        yz_rate += data[k] * v[c + k]
        swing = plus(swing, times(v[c + k], z))
        more = plus(more, times(v[c + k], z_rate))
        weighed = minus(weighed, times(0.5 * q[c + k], across))
        row[to_f + k] += dot(g, across) + w[1] * w[2] * data[k]
        add_to(row, to_v + MOTION * k, turned(R, z))
    o = 0.0 * yz
    return (o, o, o, o, o, yz), (o, o, o, o, o, yz_rate), swing, more, weighed


def bear(tree: AnyTree, up: int, I, p, above: Floats, row: Floats) -> None:  # type: ignore[no-untyped-def]
    """Hand inertia and bias of what stands on a frame to the coordinates of the flexible body under it (35)."""
    n = tree.topology[up, T_COUNT]
    to_v, _, to_f, to_m, _ = lists(tree.topology[0, T_COUNT])
    for k in range(n):
        y = motion(row, at.HEAD + MOTION * k)
        F = applied(I, y)
        for j in range(k, n):
            above[to_m + k * n + j] += dot(motion(row, at.HEAD + MOTION * j), F)
        above[to_f + k] += dot(y, p)
        add_to(above, to_v + MOTION * k, handed(F, vec(row, at.T)))
