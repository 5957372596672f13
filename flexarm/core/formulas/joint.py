"""A joint: frames, velocities and bias on the way out, elimination on the way in, accelerations on the way out again.

A revolute joint has `turn` for its rate and no slide, a prismatic one the other way round; S = (z; 0) or (0; z).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .algebra import E_Z, Array, about_z, joined, nothing, symmetric, tilde, vector
from .equations import equation


@equation("(1)")
def turned(R: Array, sin: Any, cos: Any) -> Array:
    """R_i = R_λ R_T Rot_z(q), R_λ R_T given."""
    return R @ about_z(sin, cos)


@equation("(2)")
def offset(R: Array, r_T: Array) -> Array:
    """d_i = R_λ r_T: from the frame the joint stands on to the origin of the body (m)."""
    return R @ r_T


@equation("(2)")
def slid(d: Array, z: Array, q: Any) -> Array:
    """d_i + z q of a prismatic joint (m)."""
    return d + z * q


@equation("(3)")
def angular_velocity(w: Array, z: Array, v: Any) -> Array:
    """ω_i = ω_λ + z v (rad/s)."""
    return w + z * v


@equation("(5)")
def bias_of_turning(w: Array, z: Array, v: Any) -> Array:
    """The angular half of c_i of a revolute joint: ω_λ × z v."""
    return (tilde(w) @ z) * v


@equation("(5)")
def bias_of_sliding(w: Array, z: Array, v: Any) -> Array:
    """What a prismatic joint adds to the linear half of c_i: 2 ω_λ × z v."""
    return (tilde(w) @ z) * (2.0 * v)


@equation("(5)")
def bias_of_offset(w: Array, d: Array) -> Array:
    """The linear half of c_i: ω_λ × (ω_λ × d)."""
    W = tilde(w)
    return W @ (W @ d)


def axis(z: Array, slides: bool) -> Array:
    """S of a joint about or along z."""
    return joined(nothing(3), z) if slides else joined(z, nothing(3))


def shift(d: Array) -> Array:
    """X of (5): a motion seen at a point further out by d is X A."""
    X = nothing(6, 6)
    for k in range(6):
        X[k, k] = 1.0
    X[3:, :3] = -tilde(d)
    return X


@equation("(10)")
def biased(I: Array, p: Array, c: Array) -> Array:
    """p' = p + Î c."""
    return p + I @ c


@equation("(11)")
def column(I: Array, p: Array, S: Array) -> tuple[Array, Any, Any]:
    """U = Î S, SᵀU and Sᵀp'."""
    U = I @ S
    return U, S @ U, S @ p


@equation("(12)")
def eliminated(I: Array, p: Array, U: Array, D: Any, u: Any, positive: Callable[[Any], Any]) -> tuple[Any, ...]:
    """I^a, p^a, U/D and u/D of a free joint."""
    inverse = 1.0 / positive(D)
    ratio, per = u * inverse, U * inverse
    left = nothing(6, 6)
    for r in range(6):
        for c in range(r, 6):
            left[r, c] = I[r, c] - U[r] * per[c]
    return symmetric(left), p + U * ratio, per, ratio


@equation("(10)")
def held(p: Array, U: Array, a: Any) -> Array:
    """p^a of a driven joint: p' + Î S a."""
    return p + U * a


@equation("(13)")
def carried_in(I: Array, p: Array, d: Array) -> tuple[Array, Array]:
    """Inertia and bias seen from the parent: Xᵀ I X and Xᵀ p."""
    X = shift(d)
    return symmetric(X.T @ (I @ X)), X.T @ p


@equation("(14b)")
def free_acceleration(A: Array, per: Array, ratio: Any) -> Any:
    """q̈ = u/D − (Xᵀ U/D)ᵀ A_λ of a free joint (rad/s² or m/s²)."""
    return ratio - per @ A


@equation("(15)")
def drive_force(A: Array, U: Array, d: Array, rest: Any, own: Any, a: Any) -> Any:
    """The force a driven joint takes, but for its spring and damper: Sᵀ(Î A' + p') + (SᵀÎS + I_r) a (N m or N)."""
    return U @ (shift(d) @ A) + rest + own * a


@equation("(14)")
def carried_out(A: Array, d: Array, c: Array) -> Array:
    """A_i = X A_λ + c, but for the joint's own."""
    return shift(d) @ A + c


@equation("(14)")
def moved(A: Array, S: Array, a: Any) -> Array:
    """A_i with the joint's own, S q̈."""
    return A + S * a


@equation("(12a)")
def eliminated_in_plane(
    I: Array, p: Array, d: Array, extra: Any, push: Any, positive: Callable[[Any], Any]
) -> tuple[Any, ...]:
    """I^a and p^a of a free revolute joint as the parent sees them, and (K0; K1, K2, K3) of (14a), in one step.

    What waits for the division is one product and sum for each number, which halves the time a link of a chain takes.
    """
    (j, hx, hy), (mxx, mxy, myy) = I[2, 2:5], (I[3, 3], I[3, 4], I[4, 4])
    dx, dy = d[0], d[1]
    inverse = 1.0 / positive(j + extra)
    e = dx * hy - dy * hx
    gx, gy = dx * mxy - dy * mxx, dx * myy - dy * mxy
    rest, whole = extra - e, j + e
    ratio = (push - p[2]) * inverse
    hx_per, hy_per = hx * inverse, hy * inverse
    found = nothing(6, 6)
    found[2, 2] = dx * gy - dy * gx + (extra * whole + e * rest) * inverse
    found[2, 3], found[2, 4] = gx + hx * rest * inverse, gy + hy * rest * inverse
    found[3, 3], found[3, 4], found[4, 4] = mxx - hx * hx_per, mxy - hx * hy_per, myy - hy * hy_per
    bias = vector(0.0, 0.0, p[2] + (dx * p[4] - dy * p[3] + whole * ratio), p[3] + hx * ratio, p[4] + hy * ratio, 0.0)
    return symmetric(found), bias, vector(0.0, 0.0, whole * inverse, hx_per, hy_per, 0.0), ratio


def plane_axis() -> Array:
    """z of every joint that turns in the plane."""
    return E_Z
