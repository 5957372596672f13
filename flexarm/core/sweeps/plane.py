"""The algebra of the plane: the operations of `space` for joints about z and motions in x and y, under the same names.

Rotations are cosine, sine and angle, angular quantities one number, vectors two, motions (ω; v) and forces (n; f)
three, the inertia of a rigid body four (J, first moment, mass), an articulated one six (J; hx, hy; mxx, mxy, myy).
"""

from __future__ import annotations

import math

from flexarm.core._jit import operation, reader
from flexarm.core.numbers.questions import is_zero
from flexarm.core.numbers.trigonometry import is_near, near_sincos, sincos
from flexarm.core.tree.types import P_ANGLE, P_FELT, P_J, P_MASS, P_MCX, P_RX, P_UX, PRISMATIC, REVOLUTE

from .columns import PLANE, columns

at = columns(PLANE)
MOTION, SOLVED, SHAPES, VECTORS, TOGETHER = PLANE.motion, PLANE.solved, 3, 4, 3
PRODUCTS = False
UPRIGHT = (1.0, 0.0, 0.0)

ang = reader(1)
vec = reader(2)
turn = motion = reader(3)
rigid = solved = reader(4)
whole = reader(6)


# --- Vectors and rotations -------------------------------------------------------------------------------------------


@operation
def cross(w, d):  # type: ignore[no-untyped-def]
    """ω × d."""
    return -w[0] * d[1], w[0] * d[0]


@operation
def moment(d, f):  # type: ignore[no-untyped-def]
    """d × f."""
    return (d[0] * f[1] - d[1] * f[0],)


@operation
def gyration(w, h):  # type: ignore[no-untyped-def]
    """ω × l, zero in the plane."""
    return (0.0,)


@operation
def turned(R, x):  # type: ignore[no-untyped-def]
    """R x."""
    return R[0] * x[0] - R[1] * x[1], R[1] * x[0] + R[0] * x[1]


@operation
def spun(R, w):  # type: ignore[no-untyped-def]
    """R ω."""
    return w


spun_back = spun


@operation
def _rotated(R, angle):  # type: ignore[no-untyped-def]
    """R turned on by an angle."""
    if is_near(angle):
        s, c = near_sincos(angle)  # without a branch on the quarter
    else:
        s, c = sincos(angle)
    return R[0] * c - R[1] * s, R[1] * c + R[0] * s, R[2] + angle


@operation
def swung(J, w):  # type: ignore[no-untyped-def]
    """J ω."""
    return (J[0] * w[0],)


@operation
def rotary(R, J):  # type: ignore[no-untyped-def]
    """R J Rᵀ."""
    return J


# --- Motions, forces, inertias ---------------------------------------------------------------------------------------


@operation
def angular(m):  # type: ignore[no-untyped-def]
    """ω of a motion, n of a force."""
    return (m[0],)


@operation
def linear(m):  # type: ignore[no-untyped-def]
    """v of a motion, f of a force."""
    return m[1], m[2]


@operation
def carried(A, d):  # type: ignore[no-untyped-def]
    """X A: the motion seen from a point d further out (5)."""
    return A[0], A[1] - A[0] * d[1], A[2] + A[0] * d[0]


@operation
def handed(F, d):  # type: ignore[no-untyped-def]
    """Xᵀ F: the force about a point d further in (8)."""
    return F[0] + d[0] * F[2] - d[1] * F[1], F[1], F[2]


@operation
def momentum(I, V):  # type: ignore[no-untyped-def]
    """I V of a rigid body (7)."""
    return I[0] * V[0] + I[1] * V[2] - I[2] * V[1], I[3] * V[1] - V[0] * I[2], I[3] * V[2] + V[0] * I[1]


@operation
def shifted(I, d):  # type: ignore[no-untyped-def]
    """The inertia of a rigid body about a point d further in: parallel axes."""
    x, y = I[1] + I[3] * d[0], I[2] + I[3] * d[1]
    return I[0] + d[0] * (I[1] + x) + d[1] * (I[2] + y), x, y, I[3]


@operation
def articulated(I):  # type: ignore[no-untyped-def]
    """J, H, M of a rigid body (7)."""
    return I[0], -I[2], I[1], I[3], 0.0 * I[3], I[3]


@operation
def applied(I, A):  # type: ignore[no-untyped-def]
    """Î A of an articulated inertia."""
    return (
        I[0] * A[0] + I[1] * A[1] + I[2] * A[2],
        I[1] * A[0] + I[3] * A[1] + I[4] * A[2],
        I[2] * A[0] + I[4] * A[1] + I[5] * A[2],
    )


@operation
def outer(a, b):  # type: ignore[no-untyped-def]
    """a bᵀ of forces of one direction, as an articulated inertia."""
    return a[0] * b[0], a[0] * b[1], a[0] * b[2], a[1] * b[1], a[1] * b[2], a[2] * b[2]


@operation
def moved_in(I, d):  # type: ignore[no-untyped-def]
    """Xᵀ Î X of an articulated inertia (13)."""
    x = I[1] + d[0] * I[4] - d[1] * I[3]
    y = I[2] + d[0] * I[5] - d[1] * I[4]
    return I[0] + d[0] * (I[2] + y) - d[1] * (I[1] + x), x, y, I[3], I[4], I[5]


# --- Bodies and joints -----------------------------------------------------------------------------------------------


@operation
def number(tree, i, k):  # type: ignore[no-untyped-def]
    """Number k of body i."""
    return tree.plane[i, k]


@operation
def rigid_number(tree, i, k):  # type: ignore[no-untyped-def]
    """Number k of body i of a tree of rigid bodies, which has a row per number."""
    return tree.plane[k, i]


@operation
def offset(tree, i):  # type: ignore[no-untyped-def]
    """r_T."""
    return number(tree, i, P_RX), number(tree, i, P_RX + 1)


@operation
def own_of(tree, i):  # type: ignore[no-untyped-def]
    """J, first moment and mass of body i in its own axes."""
    s = (number(tree, i, P_MCX), number(tree, i, P_MCX + 1))
    return (number(tree, i, P_J),), s, number(tree, i, P_MASS)


@operation
def mass_of(I):  # type: ignore[no-untyped-def]
    """The mass of a rigid body."""
    return I[3]


@operation
def moment_of(I):  # type: ignore[no-untyped-def]
    """The first moment of a rigid body."""
    return I[1], I[2]


@operation
def wrench_of(w):  # type: ignore[no-untyped-def]
    """Point, force and moment of a load."""
    return vec(w, 0), vec(w, 3), ang(w, 8)


@operation
def felt(tree, i):  # type: ignore[no-untyped-def]
    """Part of the inertia of second order in η that the frame feels."""
    return number(tree, i, P_FELT)


@operation
def jointed(R, tree, i, kind, x):  # type: ignore[no-untyped-def]
    """R_i = R_λ R_T Rot_z(q) and the direction S of the joint (1)."""
    z = turned(R, (number(tree, i, P_UX), number(tree, i, P_UX + 1)))
    slides = 1.0 if kind == PRISMATIC else 0.0
    S = (1.0 if kind == REVOLUTE else 0.0, slides * z[0], slides * z[1])
    angle = number(tree, i, P_ANGLE)
    if kind == REVOLUTE:
        angle += x
    if not is_zero(angle):
        R = _rotated(R, angle)
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
    return x, 0.0 * x


@operation
def no_angle(x):  # type: ignore[no-untyped-def]
    """A zero rotation, of the kind of number x is."""
    return (0.0 * x,)


@operation
def shape(a, n, k):  # type: ignore[no-untyped-def]
    """Column k of Φ and of Ψ of a frame with n coordinates (27)."""
    return (a[k], a[n + k]), (a[2 * n + k],)


@operation
def first_order(e, n, k):  # type: ignore[no-untyped-def]
    """S1, 2 A_xx and C0 of coordinate k (31)."""
    return (e[k], e[n + k]), (2.0 * e[2 * n + k],), (e[3 * n + k],)


@operation
def second_order(e, n, k, j):  # type: ignore[no-untyped-def]
    """H0, N and Γ of the coordinates k and j (31); e begins at the matrices."""
    x = k * n + j
    return e[3 * n * n + x], (e[4 * n * n + x],), (e[5 * n * n + x],)


@operation
def inertia_of(W):  # type: ignore[no-untyped-def]
    """What W adds to J: in the plane N stands for the G."""
    return W


@operation
def swept(w, W):  # type: ignore[no-untyped-def]
    """ω² W."""
    return w[0] * w[0] * W[0]


@operation
def rotation_factors(a):  # type: ignore[no-untyped-def]
    """Nothing: turns about one axis add up."""
    return a


@operation
def tangent(f, a, s):  # type: ignore[no-untyped-def]
    """J_l s = s."""
    return s


@operation
def tangent_rate(f, a, d):  # type: ignore[no-untyped-def]
    """J̇_l θ̇ = 0."""
    return (0.0,)


@operation
def bent(f, R, a):  # type: ignore[no-untyped-def]
    """R exp(θ~) (29)."""
    return _rotated(R, a[0])


@operation
def spin_from_space(x):  # type: ignore[no-untyped-def]
    """J of a symmetric matrix in space."""
    return (x[5],)


@operation
def vec_from_space(x):  # type: ignore[no-untyped-def]
    """A vector of one in space."""
    return (x[0], x[1])


@operation
def ang_from_space(x):  # type: ignore[no-untyped-def]
    """An angular quantity of one in space."""
    return (x[2],)


@operation
def in_space(x):  # type: ignore[no-untyped-def]
    """An angular quantity as a vector in space."""
    return (0.0, 0.0, x[0])


# --- Observed points -------------------------------------------------------------------------------------------------


@operation
def put_orientation(out, R, place):  # type: ignore[no-untyped-def]
    """Fill w and z of the unit quaternion of a point's frame."""
    turns = (R[2] + place[2]) / (2.0 * math.pi)
    half = math.pi * (turns - math.floor(turns + 0.5))
    out[3], out[0] = sincos(half)
