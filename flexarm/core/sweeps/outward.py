"""The outward sweep (NOTATION 1–7, 27–30): frames, joints, velocities, and inertia and bias force of every body."""

from __future__ import annotations

from flexarm.core.numbers.questions import is_zero
from flexarm.core.tree.types import T_COORD, T_COUNT, T_JOINT, T_PARENT, T_SLEEVE, T_STANDS, Floats

from .elastic import own_elastic
from .kinds import FLEXIBLE, SLEEVES, AnyTree, step
from .sleeve import own_beam, shorten_tip
from .space import (
    MOTION,
    PRODUCTS,
    SHAPES,
    UPRIGHT,
    along_axis,
    ang,
    angular,
    at,
    bent,
    carried,
    cross,
    gyration,
    jointed,
    linear,
    motion,
    no_angle,
    offset,
    own_of,
    rotary,
    rotation_factors,
    shape,
    spun,
    swung,
    tangent,
    tangent_rate,
    turn,
    turned,
    vec,
)
from .tuples import minus, plus, put, times


def outward(tree: AnyTree, q: Floats, v: Floats, work: Floats) -> None:
    """Fill geometry, own inertia and bias force of every body for the state q, v."""
    R, w = from_base(work)
    for i in range(1, tree.topology.shape[0]):
        R, w, c = advance(tree, i, q, v, R, w, work)
        put(work[i], at.C, c)
        put(work[i], at.P, own(tree, i, q, v, R, w, work[i])[1])


@step
def from_base(work: Floats):  # type: ignore[no-untyped-def]
    """Orientation and angular velocity of the base."""
    put(work[0], at.R, UPRIGHT)
    put(work[0], at.W, no_angle(0.0))
    return turn(work[0], at.R), ang(work[0], at.W)


@step
def advance(tree: AnyTree, i: int, q: Floats, v: Floats, R, w, work: Floats):  # type: ignore[no-untyped-def]
    """Orientation, angular velocity and bias acceleration of body i from R, ω of the row before it (1–5)."""
    topology = tree.topology
    row = work[i]
    up = topology[i, T_PARENT]
    kind = topology[i, T_JOINT]
    if up != i - 1:
        R, w = turn(work[up], at.R), ang(work[up], at.W)
    if FLEXIBLE and topology[i, T_STANDS] >= 0:
        frame(tree, up, topology[i, T_STANDS], q, v, work, row)
        R, w = turn(row, at.TR), ang(row, at.TW)
    x = 0.0
    rate = 0.0
    if kind != 0:
        x = q[topology[i, T_COORD]]
        rate = v[topology[i, T_COORD]]
    # (2), (1)
    d = turned(R, offset(tree, i))
    R, S = jointed(R, tree, i, kind, x)
    d = plus(d, times(x, linear(S)))
    # (5)
    spin, slide = times(rate, angular(S)), times(rate, linear(S))
    c = gyration(w, spin) + cross(w, plus(cross(w, d), times(2.0, slide)))
    # (3)
    w = plus(w, spin)
    put(row, at.R, R)
    put(row, at.W, w)
    put(row, at.D, d)
    put(row, at.S, S)
    return R, w, c


@step
def own(tree: AnyTree, i: int, q: Floats, v: Floats, R, w, row: Floats):  # type: ignore[no-untyped-def]
    """Inertia and bias force of body i itself (6, 7; 32, 33); the inertia is filled into its row, too."""
    if FLEXIBLE and tree.topology[i, T_COUNT] > 0:
        if SLEEVES and tree.topology[i, T_SLEEVE] == 1:
            return own_beam(tree, i, q, v, R, w, row)
        return own_elastic(tree, i, q, v, R, w, row)
    J, mc, m = own_of(tree, i)
    J, mc = rotary(R, J), turned(R, mc)
    I = J + mc + (m,)
    put(row, at.I, I)
    if FLEXIBLE:
        put(row, at.G, mc)
    # b = (ω × Jω ; ω × (ω × mc))
    return I, gyration(w, swung(J, w)) + cross(w, cross(w, mc))


def frame(tree: AnyTree, up: int, begin: int, q: Floats, v: Floats, work: Floats, row: Floats) -> None:
    """Fill r_t, R_t, ω_t, the bias acceleration and Y of the frame at `begin` on body `up` into a row (28–30)."""
    n = tree.topology[up, T_COUNT]
    c = tree.topology[up, T_COORD]
    base = work[up]
    R, w = turn(base, at.R), ang(base, at.W)
    a = tree.attachment[begin + 1 : begin + 1 + SHAPES * n]
    h = tree.attachment[begin + 1 + SHAPES * n : begin + 1 + SHAPES * n + n * n]
    r = along_axis(tree.attachment[begin])
    sag = times(0.0, r)  # e_a η̇ᵀH_aη̇
    rate = times(0.0, r)  # Fη̇
    theta = no_angle(tree.attachment[begin])
    theta_rate = theta
    more = theta  # η̇ᵀQη̇
    complete = False
    if PRODUCTS:
        complete = not is_zero(tree.attachment[begin + 1 + SHAPES * n + n * n])
    for k in range(n):
        phi, psi = shape(a, n, k)
        hq = 0.0
        hv = 0.0
        for j in range(n):
            hq += h[k * n + j] * q[c + j]
            hv += h[k * n + j] * v[c + j]
        drawn, slowed = along_axis(hq), along_axis(hv)
        turning, gaining = times(0.0, psi), times(0.0, psi)
        if PRODUCTS and complete:
            # (28a)
            products = tree.attachment[begin + 2 + SHAPES * n + n * n :]
            for j in range(n):
                x = 5 * (k * n + j)
                across, twist = (0.0, products[x], products[x + 1]), vec(products, x + 2)
                drawn, slowed = plus(drawn, times(q[c + j], across)), plus(slowed, times(v[c + j], across))
                turning, gaining = plus(turning, times(q[c + j], twist)), plus(gaining, times(v[c + j], twist))
        e = q[c + k]
        d = v[c + k]
        r = plus(r, times(e, minus(phi, times(0.5, drawn))))
        theta = plus(theta, times(e, plus(psi, times(0.5, turning))))
        sag = plus(sag, times(d, slowed))
        more = plus(more, times(d, gaining))
        # Φ̂ = Φ − e_a (H_aη)ᵀ and Ψ̂ = Ψ + e_a (Q_aη)ᵀ
        phi, psi = minus(phi, drawn), plus(psi, turning)
        rate = plus(rate, times(d, phi))
        theta_rate = plus(theta_rate, times(d, psi))
        put(row, at.HEAD + MOTION * k, psi + phi)
    f = rotation_factors(theta)
    for k in range(n):
        # Y = (R J_l Ψ̂ ; R Φ̂)
        y = motion(row, at.HEAD + MOTION * k)
        put(row, at.HEAD + MOTION * k, spun(R, tangent(f, theta, angular(y))) + turned(R, linear(y)))
    own = spun(R, tangent(f, theta, theta_rate))
    gain = plus(tangent_rate(f, theta, theta_rate), tangent(f, theta, more))
    r = turned(R, r)
    # (30)
    turning = plus(spun(R, gain), gyration(w, own))
    moving = minus(cross(w, plus(cross(w, r), times(2.0, turned(R, rate)))), turned(R, sag))
    put(row, at.T, r)
    put(row, at.TC, turning + moving)
    put(row, at.TR, bent(f, R, theta))
    put(row, at.TW, plus(w, own))
    if SLEEVES and tree.topology[up, T_SLEEVE] == 1:
        shorten_tip(tree, up, base, row)


def move(tree: AnyTree, v: Floats, work: Floats) -> None:
    """Fill velocities and positions of every body after `outward` (2, 3, 29)."""
    topology = tree.topology
    put(work[0], at.V, times(0.0, vec(tree.gravity, 0)) + no_angle(0.0))
    put(work[0], at.O, times(0.0, vec(tree.gravity, 0)))
    V = motion(work[0], at.V)
    p = vec(work[0], at.O)
    for i in range(1, topology.shape[0]):
        row = work[i]
        up = topology[i, T_PARENT]
        if up != i - 1:
            V = motion(work[up], at.V)
            p = vec(work[up], at.O)
        if FLEXIBLE and topology[i, T_STANDS] >= 0:
            V = through_frame(V, topology[up, T_COUNT], topology[up, T_COORD], v, row)
            p = plus(p, vec(row, at.T))
        d = vec(row, at.D)
        V = carried(V, d)
        p = plus(p, d)
        if topology[i, T_JOINT] != 0:
            V = plus(V, times(v[topology[i, T_COORD]], motion(row, at.S)))
        put(row, at.V, V)
        put(row, at.O, p)


@step
def through_frame(A, n: int, c: int, x: Floats, row: Floats):  # type: ignore[no-untyped-def]
    """X_t A + Y x: what a frame makes of the motion of the flexible body under it (29, 36); its bias is left out."""
    A = carried(A, vec(row, at.T))
    for k in range(n):
        A = plus(A, times(x[c + k], motion(row, at.HEAD + MOTION * k)))
    return A


@step
def approach(tree: AnyTree, i: int, A, a: Floats, row: Floats):  # type: ignore[no-untyped-def]
    """A' = X A_λ, with which body i would move if its joint stood still, but for its bias."""
    topology = tree.topology
    if FLEXIBLE and topology[i, T_STANDS] >= 0:
        up = topology[i, T_PARENT]
        A = plus(through_frame(A, topology[up, T_COUNT], topology[up, T_COORD], a, row), motion(row, at.TC))
    return carried(A, vec(row, at.D))
