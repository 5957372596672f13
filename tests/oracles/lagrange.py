"""Lagrange's equations of a tree of rigid bodies, taken literally from absolute kinematics.

Every pose is a product of homogeneous transforms, every velocity the derivative of a pose, T = Σ ½ m v·v + ½ ω·Jω, and

    d/dt(∂T/∂v) − ∂T/∂q + ∂V/∂q = Ṁ v + M a − ∂T/∂q + ∂V/∂q = force.

The two derivatives of T are taken by the complex step (f(x + ih).imag / h), which has no cancellation, so the answers
are good to rounding. Nothing is passed from tip to base: cost O(n³), no articulated or composite inertia anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

STEP = 1e-30  # the complex step has no lower bound set by cancellation


def _zeros() -> np.ndarray:
    return np.zeros(3)


@dataclass(frozen=True, kw_only=True, eq=False)
class Body:
    """One rigid body and the joint that carries it: frame = parent · (rotation, offset) · joint motion."""

    parent: int = -1
    kind: str = "revolute"  # or "prismatic", "fixed"
    axis: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    rotation: np.ndarray = field(default_factory=lambda: np.eye(3))
    offset: np.ndarray = field(default_factory=_zeros)
    mass: float = 0.0
    centre: np.ndarray = field(default_factory=_zeros)
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))
    stiffness: float = 0.0
    damping: float = 0.0
    rest: float = 0.0
    rotor: float = 0.0


Tree = Sequence[Body]


class Energy(NamedTuple):
    """Kinetic, gravitational and elastic energy (J)."""

    kinetic: float
    gravity: float
    elastic: float


def freedoms(tree: Tree) -> int:
    """Number of coordinates: one per body that is not fixed to its parent."""
    return sum(body.kind != "fixed" for body in tree)


def _cross_matrix(a: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def _joint_motion(body: Body, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Joint transform and its derivative with respect to q, shape (..., 4, 4); q may be complex."""
    X = np.zeros((*q.shape, 4, 4), dtype=q.dtype)
    dX = np.zeros_like(X)
    X[...] = np.eye(4)
    axis = np.asarray(body.axis, dtype=float)
    if body.kind == "revolute":
        # Rodrigues: R = 1 + sin q [a] + (1 − cos q) [a]²
        A = _cross_matrix(axis)
        s, c = np.sin(q)[..., None, None], np.cos(q)[..., None, None]
        X[..., :3, :3] = np.eye(3) + s * A + (1.0 - c) * (A @ A)
        dX[..., :3, :3] = c * A + s * (A @ A)
    elif body.kind == "prismatic":
        X[..., :3, 3] = q[..., None] * axis
        dX[..., :3, 3] = axis
    else:
        raise ValueError(f"joint kind {body.kind!r}")
    return X, dX


def _poses_and_rates(tree: Tree, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Homogeneous transforms (..., body, 4, 4) and their time derivatives; q and v broadcast over leading axes."""
    lead = np.broadcast_shapes(q.shape[:-1], v.shape[:-1])
    kind = np.result_type(q, v, float)
    H = np.zeros((*lead, len(tree), 4, 4), dtype=kind)
    dH = np.zeros_like(H)
    column = 0
    for i, body in enumerate(tree):
        fixed = np.eye(4)
        fixed[:3, :3] = body.rotation
        fixed[:3, 3] = body.offset
        if body.parent < 0:
            P, dP = fixed, np.zeros((4, 4))
        else:
            P, dP = H[..., body.parent, :, :] @ fixed, dH[..., body.parent, :, :] @ fixed
        if body.kind == "fixed":
            H[..., i, :, :], dH[..., i, :, :] = P, dP
            continue
        X, dX = _joint_motion(body, q[..., column])
        H[..., i, :, :] = P @ X
        dH[..., i, :, :] = dP @ X + P @ (dX * v[..., column, None, None])
        column += 1
    return H, dH


def _centre_and_spin(tree: Tree, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Velocity of every mass centre in base axes and spin in body axes, each (..., body, 3)."""
    H, dH = _poses_and_rates(tree, q, v)
    centres = np.array([[*body.centre, 1.0] for body in tree], dtype=float)
    velocity = np.einsum("...bij,bj->...bi", dH, centres)[..., :3]
    # [ω] = Rᵀ Ṙ
    W = np.swapaxes(H[..., :3, :3], -1, -2) @ dH[..., :3, :3]
    spin = np.stack([W[..., 2, 1], W[..., 0, 2], W[..., 1, 0]], axis=-1)
    return velocity, spin


def _masses(tree: Tree) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    mass = np.array([body.mass for body in tree], dtype=float)
    inertia = np.array([body.inertia for body in tree], dtype=float)
    rotor = np.array([body.rotor for body in tree if body.kind != "fixed"], dtype=float)
    return mass, inertia, rotor


def _kinetic(tree: Tree, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    mass, inertia, rotor = _masses(tree)
    u, w = _centre_and_spin(tree, q, v)
    moving = np.einsum("b,...bi,...bi->...", mass, u, u) + np.einsum("...bi,bij,...bj->...", w, inertia, w)
    return 0.5 * (moving + np.sum(rotor * v * v, axis=-1))


def _potential(tree: Tree, q: np.ndarray, gravity: np.ndarray) -> np.ndarray:
    H, _ = _poses_and_rates(tree, q, np.zeros(q.shape[-1]))
    centres = np.array([[*body.centre, 1.0] for body in tree], dtype=float)
    mass, _, _ = _masses(tree)
    return -np.einsum("b,...bij,bj,i->...", mass, H[..., :3, :], centres, gravity)


def poses(tree: Tree, q: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Rotation matrices (body, 3, 3), body into base axes, and origins (body, 3) in m."""
    q = np.asarray(q, dtype=float)
    H, _ = _poses_and_rates(tree, q, np.zeros(q.size))
    return H[:, :3, :3], H[:, :3, 3]


def velocities(tree: Tree, q: ArrayLike, v: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Spin (body, 3) in rad/s and velocity of the body origins (body, 3) in m/s, both in base axes."""
    H, dH = _poses_and_rates(tree, np.asarray(q, dtype=float), np.asarray(v, dtype=float))
    W = dH[:, :3, :3] @ np.swapaxes(H[:, :3, :3], -1, -2)
    return np.stack([W[:, 2, 1], W[:, 0, 2], W[:, 1, 0]], axis=-1), dH[:, :3, 3]


def mass_matrix(tree: Tree, q: ArrayLike) -> np.ndarray:
    """Mass matrix (n, n), kg m² for two angles; rotor inertias on its diagonal. q may be complex."""
    q = np.asarray(q)
    mass, inertia, rotor = _masses(tree)
    # velocities are linear in v: unit rates give the columns of the Jacobians
    u, w = _centre_and_spin(tree, q, np.eye(q.size))
    return np.einsum("b,jbi,kbi->jk", mass, u, u) + np.einsum("jbi,bil,kbl->jk", w, inertia, w) + np.diag(rotor)


def bias(tree: Tree, q: ArrayLike, v: ArrayLike, gravity: ArrayLike = (0.0, 0.0, 0.0)) -> np.ndarray:
    """Forces h (n,) in M a + h = force: centrifugal, Coriolis and weight, without springs and dampers (N m or N)."""
    q, v, g = np.asarray(q, dtype=float), np.asarray(v, dtype=float), np.asarray(gravity, dtype=float)
    M_rate = mass_matrix(tree, q + 1j * STEP * v).imag / STEP
    varied = q + 1j * STEP * np.eye(q.size)
    dT = _kinetic(tree, varied, v).imag / STEP
    dV = _potential(tree, varied, g).imag / STEP
    return M_rate @ v - dT + dV


def spring_force(tree: Tree, q: ArrayLike, v: ArrayLike) -> np.ndarray:
    """Force −k (q − rest) − d v of the joints' springs and dampers (N m or N)."""
    moving = [body for body in tree if body.kind != "fixed"]
    k, d, rest = np.array([[body.stiffness, body.damping, body.rest] for body in moving]).reshape(-1, 3).T
    return -k * (np.asarray(q, dtype=float) - rest) - d * np.asarray(v, dtype=float)


def energy(tree: Tree, q: ArrayLike, v: ArrayLike, gravity: ArrayLike = (0.0, 0.0, 0.0)) -> Energy:
    """Kinetic, gravitational (zero at the base origin) and elastic energy (J)."""
    q, v = np.asarray(q, dtype=float), np.asarray(v, dtype=float)
    moving = [body for body in tree if body.kind != "fixed"]
    elastic = 0.5 * sum(body.stiffness * (x - body.rest) ** 2 for body, x in zip(moving, q, strict=True))
    height = _potential(tree, q, np.asarray(gravity, dtype=float))
    return Energy(float(_kinetic(tree, q, v)), float(height), float(elastic))


def hybrid(
    tree: Tree,
    q: ArrayLike,
    v: ArrayLike,
    *,
    prescribed: ArrayLike | None = None,
    acceleration: ArrayLike | None = None,
    force: ArrayLike | None = None,
    gravity: ArrayLike = (0.0, 0.0, 0.0),
) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations (n,) and applied joint forces (n,), springs and dampers acting beside them.

    On prescribed coordinates `acceleration` is taken as given and the force is the answer; on the others the reverse.
    """
    n = freedoms(tree)
    driven = np.zeros(n, dtype=bool) if prescribed is None else np.asarray(prescribed, dtype=bool)
    a = np.zeros(n) if acceleration is None else np.array(acceleration, dtype=float)
    applied = np.zeros(n) if force is None else np.array(force, dtype=float)
    M = mass_matrix(tree, np.asarray(q, dtype=float))
    rest = bias(tree, q, v, gravity) - spring_force(tree, q, v)
    free = ~driven
    a[free] = np.linalg.solve(M[np.ix_(free, free)], (applied - rest)[free] - M[np.ix_(free, driven)] @ a[driven])
    applied[driven] = (M @ a + rest)[driven]
    return a, applied
