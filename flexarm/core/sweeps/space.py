"""The algebra of space: what the sweeps' operations mean for vectors of three numbers, all in base axes.

Rotations are nine numbers by rows, symmetric matrices six (xx xy xz yy yz zz), motions (ω; v) and forces (n; f) six,
the inertia of a rigid body ten (J, first moment, mass), an articulated one twenty-one (J, H, M).
"""

from __future__ import annotations

import math

from flexarm.core._jit import operation, reader
from flexarm.core.numbers.flex_rotation import factors
from flexarm.core.numbers.lanes import select
from flexarm.core.numbers.trigonometry import sincos
from flexarm.core.tree.columns import B_JXX, B_MASS, B_MCX, B_OX, B_R00
from flexarm.core.tree.types import PRISMATIC, REVOLUTE

from .columns import SPACE, columns
from .tuples import dot, plus, put, times

at = columns(SPACE)
MOTION, SOLVED, SHAPES, VECTORS, TOGETHER = SPACE.motion, SPACE.solved, 6, 9, 10
PRODUCTS = True  # bodies may have products of twist and bending (27a)
UPRIGHT = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)

ang = vec = reader(3)
sym = motion = reader(6)
turn = reader(9)
rigid = reader(10)
whole = reader(21)
solved = reader(7)


# --- Vectors and rotations -------------------------------------------------------------------------------------------


@operation
def cross(a, b):  # type: ignore[no-untyped-def]
    """ω × d, of vectors of any kind."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


moment = gyration = cross  # d × f and ω × l


@operation
def turned(R, x):  # type: ignore[no-untyped-def]
    """R x."""
    return (
        R[0] * x[0] + R[1] * x[1] + R[2] * x[2],
        R[3] * x[0] + R[4] * x[1] + R[5] * x[2],
        R[6] * x[0] + R[7] * x[1] + R[8] * x[2],
    )


@operation
def turned_back(R, x):  # type: ignore[no-untyped-def]
    """Rᵀ x."""
    return (
        R[0] * x[0] + R[3] * x[1] + R[6] * x[2],
        R[1] * x[0] + R[4] * x[1] + R[7] * x[2],
        R[2] * x[0] + R[5] * x[1] + R[8] * x[2],
    )


spun, spun_back = turned, turned_back  # R ω and Rᵀ ω


@operation
def product(A, B):  # type: ignore[no-untyped-def]
    """A B."""
    x = turned(A, (B[0], B[3], B[6]))
    y = turned(A, (B[1], B[4], B[7]))
    z = turned(A, (B[2], B[5], B[8]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@operation
def swung(J, w):  # type: ignore[no-untyped-def]
    """J ω."""
    return (
        J[0] * w[0] + J[1] * w[1] + J[2] * w[2],
        J[1] * w[0] + J[3] * w[1] + J[4] * w[2],
        J[2] * w[0] + J[4] * w[1] + J[5] * w[2],
    )


@operation
def rotary(R, J):  # type: ignore[no-untyped-def]
    """R J Rᵀ."""
    a, b, c = (R[0], R[1], R[2]), (R[3], R[4], R[5]), (R[6], R[7], R[8])
    x, y, z = swung(J, a), swung(J, b), swung(J, c)
    return dot(x, a), dot(x, b), dot(x, c), dot(y, b), dot(y, c), dot(z, c)


# --- Motions, forces, inertias ---------------------------------------------------------------------------------------


@operation
def angular(m):  # type: ignore[no-untyped-def]
    """ω of a motion, n of a force."""
    return m[0], m[1], m[2]


@operation
def linear(m):  # type: ignore[no-untyped-def]
    """v of a motion, f of a force."""
    return m[3], m[4], m[5]


@operation
def carried(A, d):  # type: ignore[no-untyped-def]
    """X A: the motion seen from a point d further out (5)."""
    return angular(A) + plus(linear(A), cross(angular(A), d))


@operation
def handed(F, d):  # type: ignore[no-untyped-def]
    """Xᵀ F: the force about a point d further in (8)."""
    return plus(angular(F), cross(d, linear(F))) + linear(F)


@operation
def momentum(I, V):  # type: ignore[no-untyped-def]
    """I V of a rigid body (7)."""
    s, w, v = (I[6], I[7], I[8]), angular(V), linear(V)
    return plus(swung(I, w), cross(s, v)) + plus(times(I[9], v), cross(w, s))


@operation
def shifted(I, d):  # type: ignore[no-untyped-def]
    """The inertia of a rigid body about a point d further in: parallel axes."""
    s, m = (I[6], I[7], I[8]), I[9]
    x = plus(times(2.0, s), times(m, d))
    y = dot(d, x)
    return (
        I[0] + y - d[0] * x[0],
        I[1] - d[0] * s[1] - d[1] * (s[0] + m * d[0]),
        I[2] - d[0] * s[2] - d[2] * (s[0] + m * d[0]),
        I[3] + y - d[1] * x[1],
        I[4] - d[1] * s[2] - d[2] * (s[1] + m * d[1]),
        I[5] + y - d[2] * x[2],
        s[0] + m * d[0],
        s[1] + m * d[1],
        s[2] + m * d[2],
        m,
    )


@operation
def articulated(I):  # type: ignore[no-untyped-def]
    """J, H, M of a rigid body (7)."""
    x, y, z, m = I[6], I[7], I[8], I[9]
    o = 0.0 * m
    return I[0], I[1], I[2], I[3], I[4], I[5], o, -z, y, z, o, -x, -y, x, o, m, o, o, m, o, m


@operation
def applied(I, A):  # type: ignore[no-untyped-def]
    """Î A of an articulated inertia."""
    H = (I[6], I[7], I[8], I[9], I[10], I[11], I[12], I[13], I[14])
    M = (I[15], I[16], I[17], I[18], I[19], I[20])
    w, a = angular(A), linear(A)
    return plus(swung(I, w), turned(H, a)) + plus(turned_back(H, w), swung(M, a))


@operation
def outer(a, b):  # type: ignore[no-untyped-def]
    """a bᵀ of forces of one direction, as an articulated inertia."""
    J = (a[0] * b[0], a[0] * b[1], a[0] * b[2], a[1] * b[1], a[1] * b[2], a[2] * b[2])
    M = (a[3] * b[3], a[3] * b[4], a[3] * b[5], a[4] * b[4], a[4] * b[5], a[5] * b[5])
    return J + times(a[0], linear(b)) + times(a[1], linear(b)) + times(a[2], linear(b)) + M


@operation
def moved_in(I, d):  # type: ignore[no-untyped-def]
    """Xᵀ Î X of an articulated inertia (13)."""
    M = (I[15], I[16], I[17], I[18], I[19], I[20])
    # H' = H + d~ M, column by column
    x = plus((I[6], I[9], I[12]), cross(d, (M[0], M[1], M[2])))
    y = plus((I[7], I[10], I[13]), cross(d, (M[1], M[3], M[4])))
    z = plus((I[8], I[11], I[14]), cross(d, (M[2], M[4], M[5])))
    J = (
        I[0] + d[1] * (I[8] + z[0]) - d[2] * (I[7] + y[0]),
        I[1] + d[1] * I[11] - d[2] * I[10] + d[2] * x[0] - d[0] * z[0],
        I[2] + d[1] * I[14] - d[2] * I[13] - d[1] * x[0] + d[0] * y[0],
        I[3] + d[2] * (I[9] + x[1]) - d[0] * (I[11] + z[1]),
        I[4] + d[2] * I[12] - d[0] * I[14] - d[1] * x[1] + d[0] * y[1],
        I[5] + d[0] * (I[13] + y[2]) - d[1] * (I[12] + x[2]),
    )
    H = (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])
    return J + H + M


# --- Bodies and joints -----------------------------------------------------------------------------------------------


@operation
def offset(tree, i):  # type: ignore[no-untyped-def]
    """r_T."""
    return vec(tree.body[i], B_OX)


@operation
def own_of(tree, i):  # type: ignore[no-untyped-def]
    """J, first moment and mass of body i in its own axes."""
    b = tree.body[i]
    return sym(b, B_JXX), vec(b, B_MCX), b[B_MASS]


@operation
def mass_of(I):  # type: ignore[no-untyped-def]
    """The mass of a rigid body."""
    return I[9]


@operation
def moment_of(I):  # type: ignore[no-untyped-def]
    """The first moment of a rigid body."""
    return I[6], I[7], I[8]


@operation
def wrench_of(w):  # type: ignore[no-untyped-def]
    """Point, force and moment of a load."""
    return vec(w, 0), vec(w, 3), vec(w, 6)


@operation
def felt(tree, i):  # type: ignore[no-untyped-def]
    """Part of the inertia of second order in η that the frame feels."""
    return 1.0


@operation
def jointed(R, tree, i, kind, x):  # type: ignore[no-untyped-def]
    """R_i = R_λ R_T Rot_z(q) and the direction S of the joint (1)."""
    R = product(R, turn(tree.body[i], B_R00))
    z = (R[2], R[5], R[8])
    S = times(1.0 if kind == REVOLUTE else 0.0, z) + times(1.0 if kind == PRISMATIC else 0.0, z)
    if kind == REVOLUTE:
        s, c = sincos(x)
        R = (
            c * R[0] + s * R[1],
            c * R[1] - s * R[0],
            R[2],
            c * R[3] + s * R[4],
            c * R[4] - s * R[3],
            R[5],
            c * R[6] + s * R[7],
            c * R[7] - s * R[6],
            R[8],
        )
    return R, S


# --- Flexible bodies -------------------------------------------------------------------------------------------------


@operation
def lists(most):  # type: ignore[no-untyped-def]
    """Where coupling, solution, forces and inertia of the elastic coordinates begin in a row, and where they end."""
    v = at.HEAD + MOTION * most
    f = v + (MOTION + SOLVED) * most
    return v, v + MOTION * most, f, f + most, f + most + most * most


@operation
def along_axis(x):  # type: ignore[no-untyped-def]
    """x e_x."""
    return x, 0.0 * x, 0.0 * x


@operation
def no_angle(x):  # type: ignore[no-untyped-def]
    """A zero rotation, of the kind of number x is."""
    return 0.0 * x, 0.0 * x, 0.0 * x


@operation
def shape(a, n, k):  # type: ignore[no-untyped-def]
    """Column k of Φ and of Ψ of a frame with n coordinates (27)."""
    return (a[k], a[n + k], a[2 * n + k]), (a[3 * n + k], a[4 * n + k], a[5 * n + k])


@operation
def first_order(e, n, k):  # type: ignore[no-untyped-def]
    """S1, A + Aᵀ (xx yy zz xy xz yz) and C0 of coordinate k (31)."""
    o = 0.0 * e[k]
    return (
        (e[k], e[n + k], e[2 * n + k]),
        (2.0 * e[3 * n + k], o, o, e[4 * n + k], e[5 * n + k], o),
        (e[6 * n + k], e[7 * n + k], e[8 * n + k]),
    )


@operation
def second_order(e, n, k, j):  # type: ignore[no-untyped-def]
    """H0, G (xx yy zz xy xz yz) and Γ of the coordinates k and j (31); e begins at the matrices."""
    x = 3 * n * n + 10 * (k * n + j)
    return e[x], motion(e, x + 1), vec(e, x + 7)


@operation
def inertia_of(W):  # type: ignore[no-untyped-def]
    """tr(W) 1 − W."""
    return W[1] + W[2], -W[3], -W[4], W[0] + W[2], -W[5], W[0] + W[1]


@operation
def swept(w, W):  # type: ignore[no-untyped-def]
    """Q : W with Q = ω·ω 1 − ωωᵀ."""
    x, y, z = w[0] * w[0], w[1] * w[1], w[2] * w[2]
    along = (y + z) * W[0] + (x + z) * W[1] + (x + y) * W[2]
    return along - 2.0 * (w[0] * w[1] * W[3] + w[0] * w[2] * W[4] + w[1] * w[2] * W[5])


@operation
def rotation_factors(a):  # type: ignore[no-untyped-def]
    """f0, f1, f2, f1', f2' of a rotation (29)."""
    return factors(dot(a, a))


@operation
def tangent(f, a, s):  # type: ignore[no-untyped-def]
    """J_l s = s + f1 θ×s + f2 θ×(θ×s) (29)."""
    m = cross(a, s)
    return plus(s, plus(times(f[1], m), times(f[2], cross(a, m))))


@operation
def tangent_rate(f, a, d):  # type: ignore[no-untyped-def]
    """J̇_l θ̇ (30)."""
    m = cross(a, d)
    both = plus(times(f[3], m), times(f[4], cross(a, m)))
    return plus(times(2.0 * dot(a, d), both), times(f[2], cross(d, m)))


@operation
def bent(f, R, a):  # type: ignore[no-untyped-def]
    """R exp(θ~) = R (1 + f0 θ~ + f1 θ~²) (29), row by row: rows of R times θ~ are (row × θ)."""
    x, y, z = (R[0], R[1], R[2]), (R[3], R[4], R[5]), (R[6], R[7], R[8])
    xm, ym, zm = cross(x, a), cross(y, a), cross(z, a)
    return (
        plus(x, plus(times(f[0], xm), times(f[1], cross(xm, a))))
        + plus(y, plus(times(f[0], ym), times(f[1], cross(ym, a))))
        + plus(z, plus(times(f[0], zm), times(f[1], cross(zm, a))))
    )


@operation
def spin_from_space(x):  # type: ignore[no-untyped-def]
    """J of a symmetric matrix in space."""
    return x


@operation
def vec_from_space(x):  # type: ignore[no-untyped-def]
    """A vector of one in space."""
    return x


@operation
def ang_from_space(x):  # type: ignore[no-untyped-def]
    """An angular quantity of one in space."""
    return x


@operation
def in_space(x):  # type: ignore[no-untyped-def]
    """An angular quantity as a vector in space."""
    return x


# --- Observed points -------------------------------------------------------------------------------------------------


@operation
def put_orientation(out, R, place):  # type: ignore[no-untyped-def]
    """Fill the unit quaternion (w, x, y, z) of a point's frame, by its largest component."""
    r = product(R, turn(place, 3))
    t0 = 1.0 + r[0] + r[4] + r[8]
    t1 = 1.0 + r[0] - r[4] - r[8]
    t2 = 1.0 - r[0] + r[4] - r[8]
    t3 = 1.0 - r[0] - r[4] + r[8]
    x, y, z = r[7] - r[5], r[2] - r[6], r[3] - r[1]
    xy, xz, yz = r[1] + r[3], r[2] + r[6], r[5] + r[7]
    # the row of the largest: (w, x, y, z)·(4 · that component)
    greatest = t0
    a, b, c, d = t0, x, y, z
    more = t1 > greatest
    greatest = select(more, t1, greatest)
    a, b, c, d = select(more, x, a), select(more, t1, b), select(more, xy, c), select(more, xz, d)
    more = t2 > greatest
    greatest = select(more, t2, greatest)
    a, b, c, d = select(more, y, a), select(more, xy, b), select(more, t2, c), select(more, yz, d)
    more = t3 > greatest
    greatest = select(more, t3, greatest)
    a, b, c, d = select(more, z, a), select(more, xz, b), select(more, yz, c), select(more, t3, d)
    put(out, 0, times(0.5 / math.sqrt(greatest), (a, b, c, d)))
